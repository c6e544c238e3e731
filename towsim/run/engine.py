"""Engines: what runs scenes of one structure with one set of options, one scene after the other.

An engine holds what does not depend on a scene's numbers: arrays and scratch, the loop's handles, paths between robots.
Before a run the numbers of its scene are written into these arrays, each by the one function that knows it (see
``model/compile``). Scenes are of one structure when their outlines are equal, so that nothing is compared. The engines
used last are the only thing that is kept between calls.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from towsim.run.paths import Paths
from towsim.run.setup import Ready, Stepping, prepare
from towsim.run.start import at_start, check_start, settled
from towsim.scene import Scene, scene_to_text
from towsim.scene.doubts import unfelt

MOST = 8
"""Engines that are kept."""


class Engine:
    """A stepper for scenes of one structure, at the start of one of them.

    Attributes
    ----------
    ready : the stepper, how its problems are solved, and the options of its runs
    paths : between robots
    sound : not while numbers are written, nor after Ctrl-C in a run: it is not to be used again then
    """

    def __init__(self, scene: Scene, how: Stepping) -> None:
        """Errors as of ``setup.prepare``."""
        self._checked = _facts_of_start(scene)
        self.ready: Ready = prepare(at_start(scene), how)
        self.paths = Paths(self.ready.stepper.compiled)
        self.sound = True
        self._text: tuple[Scene, str] | None = None

    def put(self, scene: Scene) -> None:
        """Be at the start of a scene of this structure.

        Raises
        ------
        SceneError : its start is wrong
        """
        if scene is not self.ready.stepper.compiled.declared:
            facts = _facts_of_start(scene)
            if facts != self._checked:
                check_start(scene)
                self._checked = facts
        self.sound = False
        self.ready.stepper.restart(scene, settled)
        self.sound = True

    @property
    def text(self) -> str:
        """Text of the scene, which is the same for runs of the same scene."""
        scene = self.ready.stepper.compiled.declared
        if self._text is None or self._text[0] is not scene:
            self._text = scene, scene_to_text(scene)
        return self._text[1]


def _facts_of_start(scene: Scene) -> list[Any]:
    """All that the check of a start depends on, and what is told then; what scenes share is not compared."""
    bodies = [(body.position, body.quaternion, body.points, body.shape) for body in scene.bodies.values()]
    parts = scene.robots, scene.wires, scene.pulleys, scene.joints, scene.ground, scene.controllers
    return [bodies, *parts, unfelt(scene), tuple(scene.parameters)]


class _Kept:
    """The engines that were used last, none of which is in use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engines: list[tuple[Hashable, Engine]] = []

    def take(self, key: Hashable) -> Engine | None:
        """One of this structure and options; it is no longer kept."""
        with self._lock:
            for i, (other, engine) in enumerate(self._engines):
                if other == key:
                    del self._engines[i]
                    return engine
        return None

    def give(self, key: Hashable, engine: Engine) -> None:
        """Keep one, and no longer the one that was used longest ago."""
        with self._lock:
            self._engines = [(key, engine), *self._engines][:MOST]

    def swap(self, engines: list[tuple[Hashable, Engine]]) -> list[tuple[Hashable, Engine]]:
        """Keep these, and return those that were kept."""
        with self._lock:
            before, self._engines = self._engines, engines
        return before


kept = _Kept()


@contextmanager
def engine_for(scene: Scene, how: Stepping) -> Iterator[Engine]:
    """An engine at the start of the scene, for as long as the context lasts: nobody else has it meanwhile.

    Errors as of ``setup.prepare``; one with controllers of the user's own is not kept.
    """
    if how.options["controllers"]:
        yield Engine(scene, how)
        return
    key = scene.outline(), how.key
    engine = kept.take(key) or Engine(scene, how)
    engine.put(scene)  # an engine whose scene cannot start is not kept
    try:
        yield engine
    except KeyboardInterrupt:  # anywhere in a run
        engine.sound = False
        raise
    finally:
        if engine.sound:
            kept.give(key, engine)
