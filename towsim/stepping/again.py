"""Many short runs: scenes that differ in numbers of their bodies only are run by one stepper, put back each time.

What does not depend on those numbers is made once: arrays and scratch, known motions of a block, paths between robots.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from towsim.model.arrays import Drive, Floats
from towsim.model.compile import put_bodies, with_bodies
from towsim.model.drive import Driver
from towsim.scene import Scene
from towsim.stepping.alike import alike, checked_and_compiled, plain
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
    if last is None or last.options != key or not alike(scene, last.ready.stepper.compiled.scene):
        compiled = checked_and_compiled(scene)
        if not plain(compiled):
            return prepare(scene, method, compiled=compiled, **options), None
        own = replace(with_bodies(compiled, scene), driver=_Remembered(compiled.driver))
        ready = prepare(scene, method, compiled=own, **options)
        ready.stepper.repeat()
        _kept.last = _Last(key, ready, Paths(ready.stepper.compiled), rewinder(ready.stepper))
        return ready, _kept.last.paths
    stepper = last.ready.stepper
    last.rewind()
    stepper.compiled = put_bodies(stepper.compiled, scene)
    stepper.state.v[:] = stepper.compiled.initial.v
    return last.ready, last.paths
