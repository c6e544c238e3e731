"""Many short runs: scenes that differ in numbers only are run by one stepper, put back each time.

What does not depend on those numbers is made once: arrays and scratch, the loop's handles, known motions of a block
where they are the same, paths between robots.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from towsim.model.arrays import Drive, Floats
from towsim.model.compile import put_numbers, with_numbers
from towsim.model.drive import Driver
from towsim.scene import Scene
from towsim.stepping.alike import checked_and_compiled, difference, plain
from towsim.stepping.methods import Method
from towsim.stepping.paths import Paths
from towsim.stepping.setup import Ready, prepare
from towsim.stepping.snapshot import rewinder

KEPT = 4
"""Blocks whose known motions are kept."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a run leaves to the next: its options, what it ran with, and the way back to its start."""

    options: tuple[Any, ...]
    ready: Ready
    paths: Paths
    rewind: Callable[[], None]

    @property
    def scene(self) -> Scene:
        """The scene of the last run."""
        return self.ready.stepper.compiled.scene

    @property
    def driver(self) -> Driver:
        """What samples its known motions."""
        return self.ready.stepper.compiled.driver

    def put(self, scene: Scene, driver: Driver) -> None:
        """Be at the start of another scene of the same structure."""
        self.rewind()
        stepper = self.ready.stepper
        stepper.restart(put_numbers(stepper.compiled, scene, driver))


class _Last(threading.local):
    """The last run of each thread: a worker of a cluster may have several."""

    def __init__(self) -> None:
        self.kept: Kept | None = None


_last = _Last()


class _Remembered(Driver):
    """A driver that knows what it said last."""

    def __init__(self, driver: Driver) -> None:
        self.__dict__.update(driver.__dict__)
        self._said: list[tuple[Floats, Drive]] = []

    def of(self, scene: Scene) -> Driver:
        """See ``Driver.of``; the other one has said nothing yet."""
        return _Remembered(super().of(scene))

    def sample(self, t: Floats) -> Drive:
        """See ``Driver.sample``; single instants are sampled anew, for who wants to write to them."""
        if len(t) == 1:
            return super().sample(t)
        for times, drive in self._said:
            if np.array_equal(times, t):
                return drive
        self._said = [(t, super().sample(t)), *self._said[: KEPT - 1]]
        return self._said[0][1]


def keep(scene: Scene, method: Method, **options: Any) -> Kept | None:
    """What scenes of this structure share with these options, as the last run left it, or made anew.

    None for a scene whose arrays hold more than can be put in place. Options are those of ``setup.prepare``.

    Raises
    ------
    SceneError : the start of a scene for which it is made is wrong
    """
    key = (method.name, *sorted(options.items()))
    last = _last.kept
    if last is not None and last.options == key and difference(scene, last.scene) is not None:
        return last
    compiled = checked_and_compiled(scene)
    if not plain(compiled):
        return None
    own = replace(with_numbers(compiled, scene, driven=False), driver=_Remembered(compiled.driver))
    ready = prepare(scene, method, compiled=own, **options)
    ready.stepper.repeat()
    _last.kept = Kept(key, ready, Paths(ready.stepper.compiled), rewinder(ready.stepper))
    return _last.kept


def prepared(scene: Scene, method: Method, **options: Any) -> tuple[Ready, Paths | None]:
    """As ``setup.prepare``, and the paths of the scene if they are known; made anew only where the last one differs."""
    kept = keep(scene, method, **options)
    if kept is None:
        return prepare(scene, method, **options), None
    found = difference(scene, kept.scene)
    assert found is not None  # or else it was not kept
    if found.start:
        scene.check_start()
    kept.put(scene, kept.driver.of(scene) if found.driven else kept.driver)
    return kept.ready, kept.paths
