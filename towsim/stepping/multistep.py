"""A scene under way with a BDF method: kinks of the known motions, and blocks of steps."""

# mypy: allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from towsim.model.arrays import Drive, Flags, Floats, Ints
from towsim.model.compile import Compiled
from towsim.stepping import bdf, bdf_loop, loop
from towsim.stepping.methods import Method
from towsim.stepping.stepper import Block, Solve, Stepper
from towsim.stepping.work import Record, make_record

ASIDE = 1e-12
"""How far from a kink the known motions are taken, before and after it [s], relative to times beyond 1 s."""


STRAIN = 10.0
"""Largest strain of an mrfe cable, relative to the stretch that a rigid wire is allowed."""


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

    def __init__(self, compiled: Compiled, method: Method, step: float, **options: Any) -> None:
        super().__init__(compiled, method, step, **options)
        self.past = bdf.make_multistep(compiled)
        self._kinks, self._until = np.empty(0), 0.0

    @property
    def numbers(self) -> int:
        """Numbers that are known and recorded of one step."""
        return super().numbers + 3 * len(self.work.cable.node) + 20 * len(self.compiled.cable_names)

    def load(self) -> None:
        """Compile the kernels of a block, or fetch them from the cache, without taking a step."""
        time, drive = self.drive(0)
        record = make_record(self.compiled, 0)
        loop.begin_block(self.compiled.model, self.compiled.cables, drive, self.state, self.work, record)
        samples = Samples(time, drive, np.zeros(1, np.bool_), np.zeros(1, np.int64))
        bdf_loop.begin_block(self.compiled.model, drive, time, self.state, self.past, self.work, self.h, True)
        self._block(samples, record)

    def run(self, time: Floats, drive: Drive, solve: Solve | None = None) -> Block:
        """The steps between the given times; with ``solve`` in a Python loop, else compiled with the active set."""
        record = make_record(self.compiled, len(time) - 1)
        loop.begin_block(self.compiled.model, self.compiled.cables, drive, self.state, self.work, record)
        self.watch.found[0] = 0
        first = self.done == 0
        samples = self._enter(time, drive)
        if solve is None:
            reached, reason, code = self._block(samples, record)
        else:
            reached, reason, code = self._run_python_block(samples, record, solve)
        good = int(samples.row[: reached + 1].max())
        self.done += good
        return Block(
            time=time,
            first=0 if first else 1,
            stop=good + 1,
            record=record,
            drive=drive,
            reason=reason,
            code=code,
            steps=good,
            events=self.watch.event[: self.watch.found[0]].copy(),
            lag=0,
            angle=self._angle,
        )

    def begin(self) -> None:
        """Begin the next step: its problem is then in ``work``; nothing else changes."""
        time, drive = self.drive(1)
        model, cables = self.compiled.model, self.compiled.cables
        loop.begin_block(model, cables, drive, self.state, self.work, make_record(self.compiled, 1))
        samples = self._enter(time, drive)
        bdf_loop.begin_step(
            model, cables, samples.drive, samples.time, samples.fresh, self.method.order, self.h, self.state, self.past,
            self.work,
        )  # fmt: skip

    def _enter(self, time: Floats, drive: Drive) -> Samples:
        """Samples of a block that begins with the state, whose geometry is in ``work``."""
        samples = self._samples(time, drive)
        self.past.place[bdf.SAMPLE] = 0
        if self.done == 0 or samples.fresh[0]:
            bdf_loop.begin_block(
                self.compiled.model, samples.drive, samples.time, self.state, self.past, self.work, self.h,
                self.done == 0,
            )  # fmt: skip
        return samples

    def _samples(self, time: Floats, drive: Drive) -> Samples:
        row = np.arange(len(time))
        if len(time) < 2:
            return Samples(time, drive, np.zeros(len(time), np.bool_), row)
        until = float(time[-1]) + self.h
        if until > self._until:
            self._until = max(until, 2.0 * self._until)
            self._kinks = self.compiled.driver.kinks(self._until)
        kinks = self._kinks
        near = 1e-6 * self.h
        kinks = kinks[(kinks > time[0] - near) & (kinks < time[-1] + near)]
        if not len(kinks):
            return Samples(time, drive, np.zeros(len(time), np.bool_), row)
        entries = [(float(t), 0.0, False, i) for i, t in enumerate(time) if np.abs(kinks - t).min() > near]
        for kink in kinks:
            aside = ASIDE * max(1.0, kink)
            i = int(np.argmin(np.abs(time - kink)))
            i = i if abs(time[i] - kink) <= near else -1
            at = float(time[i]) if i >= 0 else float(kink)
            shift = float(kink) - at
            if i != 0:
                entries.append((at, shift - aside, False, i))
            if i != len(time) - 1:
                entries.append((at, shift + aside, True, i if i == 0 else -1))
        entries.sort(key=lambda entry: (entry[0], entry[1]))
        times, asides, fresh, rows = (np.array(column) for column in zip(*entries, strict=True))
        return Samples(times, self.compiled.driver.sample(times + asides), fresh, rows)

    def _block(self, samples: Samples, record: Record) -> tuple[int, int, int]:
        limit, noise = self.limits(samples.drive), self.noise(samples.drive)
        solved = False
        while True:
            reached, reason, detail = bdf_loop.run_block(
                self.compiled.model, self.compiled.cables, samples.drive, samples.time, samples.fresh, samples.row,
                self.method.order, self.h, limit, STRAIN * self.stretch_limit, noise, self.state, self.past, self.work,
                *self._memory, record, self.watch, solved,
            )  # fmt: skip
            if reason != loop.UNDECIDED:
                return int(reached), int(reason), 0
            status = self._search(detail)
            if status != 0:
                return int(reached), loop.UNSOLVED, status
            solved = True

    def _run_python_block(self, samples: Samples, record: Record, solve: Solve) -> tuple[int, int, int]:
        model, cables, past = self.compiled.model, self.compiled.cables, self.past
        last = len(samples.time) - 1
        while (k := int(past.place[bdf.SAMPLE])) < last:
            bdf_loop.begin_step(
                model, cables, samples.drive, samples.time, samples.fresh, self.method.order, self.h, self.state, past,
                self.work,
            )  # fmt: skip
            answer = solve(self)
            if not answer.solved:
                return k, loop.UNSOLVED, answer.code
            row = int(samples.row[past.place[bdf.SAMPLE] + 1])
            verdict = bdf_loop.end_step(
                model, cables, samples.time, samples.row, self.h, self.state, past, self.work, record, self.watch
            )
            if verdict == bdf_loop.REACHED and row >= 0:
                self._note(record, row, answer)
            if verdict != bdf_loop.AGAIN:
                reason = bdf_loop.check(
                    model, cables, self.limits(samples.drive), STRAIN * self.stretch_limit, self.state, past, self.work
                )
                if reason != loop.GOOD:
                    return k, int(reason), 0
        return last, loop.GOOD, 0


def make_stepper(compiled: Compiled, method: Method, step: float, **options: Any) -> Stepper:
    """The stepper of a method; options as for ``Stepper``."""
    kind = BdfStepper if method.multistep else Stepper
    return kind(compiled, method, step, **options)
