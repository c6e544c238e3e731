"""Blocks of a run by BDF in numbers that carry derivatives.

The loop of ``methods/bdf`` runs in them: the history, sizes of steps, weights and instants of events are such numbers
as the state is. Sizes depend on the scene where an event is between two samples; there the instant has derivatives (see
``methods/bdf_events``), and with it the steps from the event to the next sample. Kinks of known motions stay where they
are: what moves them is refused by ``seeds``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from solvers.kernels.handle import Handle
from towsim.arena import leaves
from towsim.methods import bdf, history, loop
from towsim.methods.block import Block
from towsim.methods.multistep import BdfStepper
from towsim.methods.work import begin_with_first_step, make_record
from towsim.model.arrays import Drive, Floats
from towsim.model.drive import Driver
from towsim.run.known import Known

if TYPE_CHECKING:
    from towsim.run.carried import Carried


class MultistepBlocks:
    """How blocks are taken with a history.

    Parameters
    ----------
    run : whose blocks they are
    stepper : at the start of the scene
    """

    def __init__(self, run: Carried, stepper: BdfStepper) -> None:
        self._run, self._stepper = run, stepper
        self.past = run.carried(stepper.past)
        self._arrays = Handle(
            bdf.RunArrays(
                run.model,
                run.cables,
                None,
                None,
                stepper.method.order,
                stepper.h,
                stepper.stretch_limit,
                run.state,
                self.past,
                run.work,
                run.memory,
                run.counts,
                run.watch,
                run.values,
            )
        )

    def written(self) -> Iterator[tuple[str, np.ndarray]]:
        """What changes from step to step, beside that of all methods."""
        yield from leaves("past", self.past)

    def block(self, time: Floats) -> tuple[Block, Floats]:
        """The steps between some instants; and the times of its samples, of which there are more at kinks."""
        run, first = self._run, self._run.done == 0
        self.past.place[history.TOLD] = 0

        def known(driver: Driver) -> Drive:
            return self._stepper.samples(time, driver.sample(time), driver).drive

        driver = run.compiled.driver
        samples = self._stepper.samples(time, driver.sample(time), driver)
        record = run.carried(make_record(run.compiled, len(time) - 1))
        drive, anew = run.carried(samples.drive), first or bool(samples.fresh[0])
        arrays = Handle(bdf.BlockArrays(drive, samples.time, samples.fresh, samples.row, anew, first, record))
        rates = run.known_rates.drive(samples.drive, known, run.h) if run.differentiated else []
        run.seeded(Known(arrays, None, []), rates, [])
        reached, reason, events = self._advance(arrays, len(samples.time) - 1)
        good = int(samples.row[: reached + 1].max())
        if first and good:
            begin_with_first_step(record)
        block = Block(
            time=time,
            first=0 if first else 1,
            stop=good + 1,
            record=record,
            drive=Drive._make(part[samples.row >= 0] for part in drive),
            reason=reason,
            row=good,
            steps=good,
            events=events,
            lag=0,
            angle=run.plain(run.work.axis)[:, 0].copy(),
        )
        return block, samples.time

    def _advance(self, arrays: Handle, last: int) -> tuple[int, int, Floats]:
        """On to the last sample: the one reached, why no farther, and the events on the way."""
        run, told, entry, searches, at = self._run, [], bdf.BEGIN, 0, (-1, 0.0)
        while True:
            reached, reason, _, spent = bdf.run_block(self._arrays, arrays, False, entry, last)
            if reason == loop.FULL:
                told.append(run.events())
                run.watch.found[0], entry = 0, bdf.GO_ON
                continue
            if reason != loop.UNDECIDED:
                return reached, reason, np.concatenate([*told, run.events()])
            here = reached, float(run.plain(self.past.clock)[history.TIME])
            searches = searches + 1 if here == at else 1
            at, entry = here, bdf.GO_ON
            if not run.found(spent, searches):
                return reached, loop.UNSOLVED, np.concatenate([*told, run.events()])
