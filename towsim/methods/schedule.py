"""Scheduled changes of a run: wires that are cut, attached or detached, and joints that are detached, at a time.

A change takes effect with the first step that begins at its time or later, in SHAKE with that step's kick, which stands
for half a step before it too: of order 1, as all events are. Blocks of steps end there, so that the
kernels know nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Protocol

import numpy as np

from solvers.kernels.handle import Handle
from towsim.constraints.switch import JERK, SLACK
from towsim.errors import SimulationError
from towsim.methods.watch import finish_all
from towsim.methods.work import Watch, Work
from towsim.model.arrays import OFF_COMPLIANCE, Floats, Ints, State
from towsim.model.compile import Compiled
from towsim.model.model import Model
from towsim.model.switches import Change, Owner, changes, off_at_start
from towsim.results import Event

NEVER = np.iinfo(np.int64).max


def gone(off: np.ndarray) -> Ints:
    """Row from which on each of the rows that can be off is, in a block that begins now."""
    return np.where(off, 0, NEVER)


class Switched(Protocol):
    """A run, in numbers of whatever kind, whose wires and joints are switched."""

    compiled: Compiled
    state: State
    work: Work
    watch: Watch
    h: float
    stretch_limit: float
    done: int

    @property
    def model(self) -> Model:
        """What it steps."""

    @property
    def convert(self) -> Callable[[Floats], np.ndarray]:
        """Plain numbers as those of the run."""

    @property
    def watching(self) -> Handle:
        """The watch, as kernels get it."""

    def gaps(self) -> tuple[Floats, Floats]:
        """Gaps of all rows, and lengths of the massless wires, at this instant [m]."""


class Schedule:
    """What is still to be switched in a run.

    Attributes
    ----------
    off : wires and joints that are off
    """

    def __init__(self, stepper: Switched) -> None:
        self._stepper = stepper
        self._slots: dict[Owner, Ints] = {}
        owners = stepper.compiled.switch_owners
        for owner in dict.fromkeys(owners):
            self._slots[owner] = np.array([i for i, one in enumerate(owners) if one == owner], np.int64)
        scene = stepper.compiled.scene
        first = [(math.ceil(one.time / stepper.h - 1e-9), one) for one in changes(scene)] if owners else []
        self._all = sorted(first, key=lambda at: at[0])
        self._todo = list(self._all)
        self.off: set[Owner] = set()
        for owner in off_at_start(scene) if owners else ():
            self._switch(owner, on=False)

    @property
    def left(self) -> int:
        """Number of changes that are still to be made."""
        return len(self._todo)

    @property
    def place(self) -> tuple[int, frozenset[Owner]]:
        """Where it is, for ``recall``."""
        return self.left, frozenset(self.off)

    def recall(self, left: int, off: Collection[Owner]) -> None:
        """Be where a run was when so many changes were left to make, and these wires and joints were off."""
        self._todo, self.off = self._all[len(self._all) - left :], set(off)

    def steps_until_next(self) -> int:
        """Number of steps before the next change that is not due yet."""
        for step, _ in self._todo:
            if step > self._stepper.done:
                return step - self._stepper.done
        return NEVER

    def absent(self) -> frozenset[Owner]:
        """What is off in the next step: also what is due to be, or has broken or may break."""
        if not self._slots:
            return frozenset()
        off = set(self.off)
        for step, change in self._todo:
            if step <= self._stepper.done:
                (off.discard if change.on else off.add)(change.owner)
        return frozenset(off | self._breakable)

    def apply(self) -> list[Event]:
        """Make the changes that are due.

        Raises
        ------
        SimulationError : a wire is attached whose ends are farther apart than it is long, or drum is past its stops
        """
        stepper, events, attached = self._stepper, [], []
        while self._todo and self._todo[0][0] <= stepper.done:
            _, change = self._todo.pop(0)
            if self._broken(change.owner):
                continue
            self._switch(change.owner, on=change.on)
            if change.on:
                attached.append(change.owner[1])
            events.append(_event(change, self._time))
        if attached:
            self._check(attached)
        return events

    @property
    def _time(self) -> float:
        return self._stepper.done * self._stepper.h

    @property
    def _breakable(self) -> set[Owner]:
        wires = self._stepper.compiled.scene.wires
        return {("wire", name) for name, wire in wires.items() if wire.break_ is not None}

    def _broken(self, owner: Owner) -> bool:
        return owner not in self.off and bool(self._stepper.work.off[self._slots[owner]].any())

    def _switch(self, owner: Owner, *, on: bool) -> None:
        stepper, slots = self._stepper, self._slots[owner]
        model, work, watch = stepper.model, stepper.work, stepper.watch
        assert model.switches is not None
        rows, wires = model.switches.row[slots], model.switches.wire[slots]
        (self.off.discard if on else self.off.add)(owner)
        work.off[slots] = not on
        work.p[rows] = stepper.state.p[rows] = np.zeros((), work.p.dtype)
        work.taut[rows] = False
        work.rho[rows] = stepper.convert(np.full(len(rows), np.nan))
        acts = on & (model.rows.ptr[rows + 1] > model.rows.ptr[rows])
        model.rows.compliance[rows] = stepper.convert(np.where(acts, 0.0, OFF_COMPLIANCE))
        if owner[0] == "joint" and model.joints is not None:
            axes, index = model.joints.axes, list(stepper.compiled.scene.joints).index(owner[1])
            axes.motor[axes.joint == index] = -1
        for wire in wires[wires >= 0]:
            if watch.phase[wire] == JERK:
                finish_all(stepper.watching, int(wire), int(wire) + 1)
            watch.phase[wire], watch.calm[0] = SLACK, False

    def _check(self, attached: list[str]) -> None:
        stepper, compiled = self._stepper, self._stepper.compiled
        all_gaps, length = stepper.gaps()
        gap = all_gaps[stepper.model.wires.row]
        for name in attached:
            wire, drum = compiled.massless.index(name), compiled.scene.wires[name].drum
            said = f"at t = {self._time:.6g} s wire {name!r} is attached, but"
            if gap[wire] < -left_by_a_step(stepper, length[wire]):
                raise SimulationError(
                    f"{said} its ends are {length[wire] - gap[wire]:.6g} m apart and it is {length[wire]:.6g} m long; "
                    "attach it at another time, or make it longer",
                    time=self._time,
                )
            assert stepper.model.switches is not None
            if (all_gaps[stepper.model.switches.row[self._slots["wire", name]]] < -left_by_a_step(stepper, 0.0)).any():
                raise SimulationError(
                    f"{said} drum {drum!r} has turned past its stops; have a brake hold it until its release",
                    time=self._time,
                )


def left_by_a_step(stepper: Switched, length: Floats | float) -> Floats:
    """By how much gaps may be closed where a run goes on: of wires of these lengths, 0 for other rows [m].

    What a step of either method may leave, ten times over, as the watch over slack wires has it; of a wire no more than
    it may stretch.
    """
    left = 100.0 * stepper.h * stepper.h
    of_wires = np.minimum(left, stepper.stretch_limit * np.asarray(length))
    rounding = 1e-6 * np.maximum(1.0, length)
    return np.asarray(rounding + np.where(np.asarray(length) > 0.0, of_wires, left), np.float64)


def _event(change: Change, time: float) -> Event:
    kind, name = change.owner
    if change.word == "cut":
        return Event(time, "break", name, note=f"{kind} {name} is cut")
    return Event(time, "user", name, note=f"{kind} {name} is {change.word}")
