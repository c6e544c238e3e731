"""Runs that follow each other: scenes that differ in numbers only are run by one stepper, put back each time.

What does not depend on those numbers is made once: arrays and scratch, the loop's handles, paths between robots; for
many short runs also what they are recorded in, and known motions of a block where they are the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from towsim.model.arrays import Drive, Floats
from towsim.model.compile import put_numbers, with_numbers
from towsim.model.drive import Driver
from towsim.scene import Scene
from towsim.stepping.alike import SAME_SCENE, Difference, checked_and_compiled, difference, plain
from towsim.stepping.methods import Method
from towsim.stepping.paths import Paths
from towsim.stepping.setup import Ready, prepare
from towsim.stepping.snapshot import rewinder

KEPT = 4
"""Blocks whose known motions are kept."""

RUNS = 4
"""Runs that are kept, of other scenes or with other options: methods that are compared are called by turns."""


class Remembered(Driver):
    """A driver that knows what it said last."""

    def __init__(self, driver: Driver) -> None:
        self.__dict__.update(driver.__dict__)
        self._said: list[tuple[Floats, Drive]] = []

    def of(self, scene: Scene) -> Remembered:
        """See ``Driver.of``; the other one has said nothing yet."""
        return Remembered(super().of(scene))

    def sample(self, t: Floats) -> Drive:
        """See ``Driver.sample``; not to be written to, but for single instants, which are sampled anew."""
        if len(t) == 1:
            return super().sample(t)
        for times, drive in self._said:
            if times is t or (times[0] == t[0] and np.array_equal(times, t)):
                return drive
        drive = super().sample(t)
        for part in drive:
            part.flags.writeable = False
        if t.flags.writeable:
            t = t.copy()
        self._said = [(t, drive), *self._said[: KEPT - 1]]
        return drive


@dataclass(slots=True)
class Kept:
    """What a run leaves to the next: its options, what it ran with, and the way back to its start.

    ``sound``: not while numbers are put in place; Ctrl-C then leaves some of either scene, and nobody may use it again
    """

    options: tuple[Any, ...]
    ready: Ready
    paths: Paths
    rewind: Callable[[], None]
    sound: bool = True

    @property
    def scene(self) -> Scene:
        """The scene of the last run."""
        return self.ready.stepper.compiled.scene

    @property
    def driver(self) -> Remembered:
        """What samples its known motions."""
        driver = self.ready.stepper.compiled.driver
        assert isinstance(driver, Remembered)  # as ``keep`` made it
        return driver

    def put(self, scene: Scene, driver: Remembered, *, lean: bool = True) -> None:
        """Be at the start of another scene of the same structure.

        lean : there are many short runs
        """
        self.sound = False
        self.rewind()
        stepper = self.ready.stepper
        stepper.repeat(lean)
        there = scene is self.scene and driver is self.driver
        stepper.restart(stepper.compiled if there else put_numbers(stepper.compiled, scene, driver))
        self.sound = True


class _Last(threading.local):
    """The last runs of each thread, the latest first: a worker of a cluster may have several."""

    def __init__(self) -> None:
        self.kept: list[Kept] = []

    def find(self, key: tuple[Any, ...], scene: Scene) -> tuple[Kept, Difference] | None:
        """One with these options that can be put in the place of the scene, and how their scenes differ."""
        for one in self.kept:
            if one.sound and one.options == key and (found := difference(scene, one.scene)) is not None:
                return one, found
        return None

    def take(self, one: Kept) -> None:
        """Let nobody else get it."""
        self.kept = [other for other in self.kept if other is not one]

    def give(self, one: Kept) -> None:
        """It is the latest."""
        if not (self.kept and self.kept[0] is one):
            self.take(one)
            self.kept = [one, *self.kept][:RUNS]


_last = _Last()


def keep(scene: Scene, method: Method, **options: Any) -> Kept | None:
    """What scenes of this structure share with these options, as the last such run left it, or made anew.

    None for a scene whose arrays hold more than can be put in place. Options are those of ``setup.prepare``.

    Raises
    ------
    SceneError : the start of a scene for which it is made is wrong
    """
    found = _kept(scene, method, options)
    if found is None:
        return None
    _last.give(found[0])
    return found[0]


def _kept(scene: Scene, method: Method, options: dict[str, Any]) -> tuple[Kept, Difference] | None:
    """The same, and how the scene differs from that of its last run; the next run may get it as well."""
    key = (method.name, *options, *map(type, options.values()), *options.values())
    found = _last.find(key, scene)
    if found is not None:
        return found
    compiled = checked_and_compiled(scene)
    if not plain(compiled):
        return None
    own = replace(with_numbers(compiled, scene, driven=False), driver=Remembered(compiled.driver))
    ready = prepare(scene, method, compiled=own, **options)
    return Kept(key, ready, Paths(ready.stepper.compiled), rewinder(ready.stepper)), SAME_SCENE


@contextmanager
def prepared(scene: Scene, method: Method, *, lean: bool, **options: Any) -> Iterator[tuple[Ready, Paths | None]]:
    """As ``setup.prepare``, and the paths of the scene if they are known; made anew only where the last ones differ.

    Meanwhile nobody else gets it: a run that another one begins, such as from its progress, has its own.

    lean : there are many short runs
    """
    fitting = _kept(scene, method, options)
    if fitting is None:
        yield prepare(scene, method, **options), None
        return
    kept, found = fitting
    if found.start:
        scene.check_start()
    _last.take(kept)
    kept.put(scene, kept.driver.of(scene) if found.driven else kept.driver, lean=lean)
    try:
        yield kept.ready, kept.paths
    finally:
        _last.give(kept)
