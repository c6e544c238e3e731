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
class _Last:
    """The last run: its options, what it ran with, and the way back to its start."""

    options: tuple[Any, ...]
    ready: Ready
    paths: Paths
    rewind: Callable[[], None]


class _Kept(threading.local):
    """The last run of each thread: a worker of a cluster may have several."""

    def __init__(self) -> None:
        self.last: _Last | None = None


_kept = _Kept()


class _Remembered(Driver):
    """A driver that knows what it said last."""

    def __init__(self, driver: Driver) -> None:
        self.__dict__.update(driver.__dict__)
        self._said: list[tuple[Floats, Drive]] = []

    def sample(self, t: Floats) -> Drive:
        """See ``Driver.sample``; single instants are sampled anew, for who wants to write to them."""
        if len(t) == 1:
            return super().sample(t)
        for times, drive in self._said:
            if np.array_equal(times, t):
                return drive
        self._said = [(t, super().sample(t)), *self._said[: KEPT - 1]]
        return self._said[0][1]


def prepared(scene: Scene, method: Method, **options: Any) -> tuple[Ready, Paths | None]:
    """As ``setup.prepare``, and the paths of the scene if they are known; made anew only where the last one differs."""
    key = (method.name, *sorted(options.items()))
    last = _kept.last
    found = None
    if last is not None and last.options == key:
        found = difference(scene, last.ready.stepper.compiled.scene)
    if last is None or found is None:
        compiled = checked_and_compiled(scene)
        if not plain(compiled):
            return prepare(scene, method, compiled=compiled, **options), None
        own = replace(with_numbers(compiled, scene, driven=False), driver=_Remembered(compiled.driver))
        ready = prepare(scene, method, compiled=own, **options)
        ready.stepper.repeat()
        _kept.last = _Last(key, ready, Paths(ready.stepper.compiled), rewinder(ready.stepper))
        return ready, _kept.last.paths
    if found.start:
        scene.check_start()
    stepper = last.ready.stepper
    last.rewind()
    driver = _Remembered(Driver(scene)) if found.driven else stepper.compiled.driver
    stepper.restart(put_numbers(stepper.compiled, scene, driver))
    return last.ready, last.paths
