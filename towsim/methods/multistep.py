"""A scene under way with a BDF method: kinks of the known motions, and blocks of steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from solvers.kernels.handle import Handle
from towsim.arena import leaves
from towsim.methods import bdf, history, loop
from towsim.methods.block import Block, Steps
from towsim.methods.dialogue import Called, Dialogue, Solve
from towsim.methods.method import Method
from towsim.methods.stepper import Stepper
from towsim.methods.work import Record, begin_with_first_step, make_record
from towsim.model.arrays import Drive, Flags, Floats, Ints
from towsim.model.compile import Compiled
from towsim.model.drive import Driver
from towsim.model.jumps import ASIDE


@dataclass(frozen=True)
class Samples:
    """Instants at which known motions are needed: the recorded ones, and both sides of the kinks.

    Attributes
    ----------
    time : (K+1,) [s];  drive : what is known there
    fresh : (K+1,) whether the motion goes on from there without what was before
    row : (K+1,) row of the record, −1 for none
    """

    time: Floats
    drive: Drive
    fresh: Flags
    row: Ints


class BdfStepper(Stepper):
    """Advances a compiled scene with BDF-p in steps of h. Parameters as for ``Stepper``."""

    def _allocate(self) -> None:
        self.past = history.make_multistep(self.compiled)

    def _begin(self) -> None:
        super()._begin()
        self._kinks: Floats = np.empty(0)
        self._until = 0.0
        self._rows_of: Ints = np.zeros(1, np.int64)
        self._told: list[Floats] = []  # events of the block under way that had to be taken from the watch

    def scratch(self) -> Iterator[tuple[str, np.ndarray]]:
        """As ``Stepper.scratch``, with the steps before."""
        yield from super().scratch()
        yield from leaves("past", self.past)

    @property
    def kinks_until(self) -> float:
        """Time until which the kinks of known motions are known [s]."""
        return self._until

    @kinks_until.setter
    def kinks_until(self, until: float) -> None:
        if until != self._until:
            self._until, self._kinks = until, self.compiled.driver.kinks(until)

    @cached_property
    def numbers(self) -> int:
        """Numbers that are known and recorded of one step."""
        return super().numbers + 3 * len(self.work.cable.node) + 20 * len(self.compiled.cable_names)

    def run(self, steps: Steps, solve: Solve | None = None, *, close: bool = False) -> Block:
        """As of ``Stepper``, to the last sample."""
        time, drive = steps.known()
        record = make_record(self.compiled, len(time) - 1)
        self.watch.found[0], self._told = 0, []
        first = self.done == 0
        dialogue = self._dialogue(time, drive, self.anew, record, solve)
        reached, reason, code = dialogue.advance(0, dialogue.last)
        good = int(self._rows_of[: reached + 1].max())
        if first and good:
            begin_with_first_step(record)
        self.done += good
        self.anew = self.anew and good == 0
        return Block(
            time=time,
            first=0 if first else 1,
            stop=good + 1,
            record=record,
            drive=drive,
            reason=reason,
            code=code,
            row=good,
            steps=good,
            events=np.concatenate([*self._told, self._events()]),
            lag=0,
            angle=self.work.axis[:, 0].copy(),
        )

    def known(self, time: Floats) -> Drive:
        """As of ``Stepper``, with no jumps."""
        return self.compiled.driver.sample(time)  # kinks have samples of their own

    def _dialogue(
        self,
        time: Floats,
        drive: Drive,
        first: bool,
        record: Record,
        solve: Solve | None = None,
        *,
        ask: bool = False,
    ) -> Dialogue:
        """As ``Stepper._dialogue``; from sample to sample, however many steps there are between them."""
        samples = self.samples(time, drive)
        self._rows_of = samples.row
        anew = len(time) > 1 and bool(first or samples.fresh[0])
        run, ask = self.run_arrays, ask or solve is not None
        block = Handle(bdf.BlockArrays(samples.drive, samples.time, samples.fresh, samples.row, anew, first, record))

        def call(k: int, solved: int, stop: int, *, ask: bool = ask) -> Called:
            entry = bdf.SOLVED if solved else bdf.GO_ON if k else bdf.BEGIN
            found: Called = bdf.run_block(run, block, ask, entry, stop)
            while found[1] == loop.FULL:
                self._told.append(self._events())
                self.watch.found[0] = 0
                found = bdf.run_block(run, block, ask, bdf.GO_ON, stop)
            return found

        return Dialogue(self, call, record, samples.drive.robot, solve, samples.row)

    @property
    def share(self) -> float:
        """As of ``Stepper``: b of the step under way."""
        return float(self.past.clock[history.SHARE])

    def _events(self) -> Floats:
        """Copies of the events that the watch holds."""
        return self.watch.event[: self.watch.found[0]].copy()

    @cached_property
    def run_arrays(self) -> Handle:
        """As of ``Stepper``, with the steps before."""
        compiled = self.compiled
        return Handle(
            bdf.RunArrays(
                compiled.model,
                compiled.cables,
                None,
                None,
                self.method.order,
                self.h,
                self.stretch_limit,
                self.state,
                self.past,
                self.work,
                *self.memory,
                self.watch,
                None,
            )
        )

    def samples(self, time: Floats, drive: Drive, driver: Driver | None = None) -> Samples:
        """Instants of a block of steps, with both sides of the scene's kinks.

        drive : what is known at the times;  driver : knows what is beside them, by default the scene's own
        """
        driver = driver or self.compiled.driver
        row = np.arange(len(time))
        if len(time) < 2:
            return Samples(time, drive, np.zeros(len(time), np.bool_), row)
        until = float(time[-1]) + self.h
        if until > self._until:
            self.kinks_until = max(until, 2.0 * self._until)
        kinks = self._kinks
        near = 1e-6 * self.h
        kinks = kinks[(kinks > time[0] - near) & (kinks < time[-1] + near)]
        if not len(kinks):
            return Samples(time, drive, np.zeros(len(time), np.bool_), row)
        plain = np.flatnonzero(np.abs(time[:, None] - kinks).min(axis=1) > near)  # known already
        entries = []
        for kink in kinks:
            aside = ASIDE * max(1.0, kink)
            i = int(np.argmin(np.abs(time - kink)))
            i = i if abs(time[i] - kink) <= near else -1
            place = float(time[i]) if i >= 0 else float(kink)
            off = float(kink) - place
            if i != 0:
                entries.append((place, off - aside, False, i))
            if i != len(time) - 1:
                entries.append((place, off + aside, True, i if i == 0 else -1))
        at, shift, fresh, row = (np.array(each) for each in zip(*entries, strict=True))
        aside = _at(driver.sample(at + shift), shift)
        jumps = self.compiled.driver.jumps(until).time
        if len(jumps):
            aside.kink[:] = fresh & (np.abs(at[:, None] - jumps).min(axis=1) <= near)
        times, shifts = np.append(time[plain], at), np.append(np.zeros(len(plain)), shift)
        rank = np.lexsort((shifts, times))
        drive = Drive(*(np.concatenate([here[plain], there])[rank] for here, there in zip(drive, aside, strict=True)))
        fresh = np.append(np.zeros(len(plain), np.bool_), fresh)[rank]
        return Samples(times[rank], drive, fresh, np.append(plain, row)[rank])


def _at(aside: Drive, shift: Floats) -> Drive:
    """What is known beside an instant (n rows, sampled ``shift`` (n,) after it), continued to it by its rates.

    Without that, a robot at 1 m/s is where it was 1e-12 s before: over a step of h that pulls a mass m by m 1e-12 m/h².
    """
    return aside._replace(
        robot=aside.robot - shift[:, None, None] * aside.robot_rate,
        length=aside.length - shift[:, None] * aside.length_rate,
        feed=aside.feed - shift[:, None] * aside.feed_rate,
    )


def make_stepper(compiled: Compiled, method: Method, step: float, **options: Any) -> Stepper:
    """The stepper of a method; options as for ``Stepper``, and those of ``ControlledStepper``."""
    controllers, by_hand = options.pop("controllers", None), options.pop("by_hand", False)
    if compiled.declared.controlled:
        from towsim.methods.controlled import ControlledStepper

        return ControlledStepper(compiled, method, step, controllers=controllers, by_hand=by_hand, **options)
    kind = BdfStepper if method.multistep else Stepper
    return kind(compiled, method, step, **options)
