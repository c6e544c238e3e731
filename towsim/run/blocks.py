"""A run under way: blocks of steps, what each of them records, and why the run had to stop."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from contextlib import nullcontext
from typing import Literal

import numpy as np

from solvers.kernels.aside import Call, soon
from solvers.kernels.compiled import load
from solvers.kernels.spent import seconds_compiling
from towsim.ctrl_c import CtrlC, SurelyCtrlC
from towsim.errors import RefusedError, SimulationError
from towsim.methods import loop
from towsim.methods.block import Block, Steps
from towsim.methods.controlled import ControlledStepper
from towsim.methods.dialogue import Solve
from towsim.methods.solve import CONE_SOLVERS, Answer, back_end
from towsim.methods.stepper import Stepper
from towsim.results import Event, Recorder, Result
from towsim.results.extremes import Extremes
from towsim.run import columns
from towsim.run.paths import Overreach, Paths
from towsim.run.refusal import explain, machine_readable, out_of_reach

BLOCK = 8192
"""Steps between two visits to Python: for sampling known motions, recording, progress, checkpoints and Ctrl-C."""

BLOCK_NUMBERS = 4_000_000
"""Numbers that are known and recorded of a block (32 MB)."""

PYTHON_BLOCK = 256

Heard = tuple[tuple[Event, ...], np.ndarray]
"""What was switched at a block's beginning, and what the watch found (n, 6)."""


class Run:
    """The blocks of one run.

    Parameters
    ----------
    stepper, recorder : what is advanced, and who keeps its rows
    solve : solves each step's problem in a Python loop; None for the compiled loop
    solver : name of the solver that was asked for
    steps : steps in all, as progress is told; 0 by hand, when nobody knows
    progress : called with (steps done, steps in all) after every block
    record : whether rows go to the recorder
    between : called before every block, when all before is recorded; keeps what is needed to go on
    paths : of the scene, if they are known
    """

    def __init__(
        self,
        stepper: Stepper,
        recorder: Recorder,
        solve: Solve | None,
        solver: str,
        steps: int,
        *,
        progress: Callable[[int, int], None] | None = None,
        between: Callable[[Run], None] | None = None,
        record: bool = True,
        paths: Paths | None = None,
    ) -> None:
        self.stepper, self.solve, self.solver = stepper, solve, solver
        self.recorder = recorder
        self.steps, self.progress, self.between, self.record = steps, progress, between, record
        self.last: Block | None = None  # the last one with rows
        self.heard: list[Heard] = []  # by hand, of all blocks since it was cleared
        self.compiled = stepper.compiled
        self.paths = Paths(self.compiled) if paths is None else paths
        self.answer: Answer | None = None
        self.ctrl_c = CtrlC()
        self.before = 0.0  # wall time of the run until a checkpoint from which it goes on [s]
        self._start_clock()

    def _start_clock(self) -> None:
        self.started, self.compiling = clock.perf_counter(), seconds_compiling()

    def go(self, on_failure: str) -> Result:
        """Run to the end, to the first failure, or to Ctrl-C; what was computed is finished and, on disk, kept."""
        try:
            return self._go(on_failure)
        finally:
            self._recorder.release()

    def _go(self, on_failure: str) -> Result:
        failure: SimulationError | None = None
        try:
            self.load()
            with self.ctrl_c if self.recorder.on_disk or self.solve else nullcontext():
                failure = self.advance(self.steps, close=True)
                if failure is None:
                    self.last_row()
        except SimulationError as error:  # a known motion that is not finite
            failure = error
        except KeyboardInterrupt:
            if self.recorder.on_disk and self.between is None:  # with checkpoints it goes on from the last one
                self.finish("interrupted")
            raise
        self.tell_end(failure)
        if failure is None:
            return self.finish("complete")
        failure.result = result = self.finish(str(failure), machine_readable(failure))
        if on_failure == "record":
            return result
        raise failure

    def load(self) -> None:
        """Compile or fetch the kernels, so that wall time counts steps only."""
        if self.solve is None:
            if not self.stepper.loaded:
                with SurelyCtrlC(), soon(self._calls):
                    drive = self.stepper.load()
                    self.paths.overreach(drive, self.stepper.state.q, self.stepper.h, self.stepper.schedule.absent())
                    for kernel, arguments in Extremes.calls():
                        load(kernel, *arguments)
            self._start_clock()

    def _calls(self) -> list[Call]:
        """Kernels of a run but for that of the blocks."""
        stepper, driver = self.stepper, self.compiled.driver
        laws = stepper.control.calls() if isinstance(stepper, ControlledStepper) else []
        return [*laws, *driver.calls(), self.paths.call(driver.blank(1), stepper.state.q, stepper.h), *Extremes.calls()]

    def advance(self, until: int, *, close: bool = False) -> SimulationError | None:
        """Run until so many steps are done; returns why it stopped before, or None. All complete rows are recorded.

        close : whether the last block may end with the kick of SHAKE's last row
        """
        stepper, paths = self.stepper, self.paths
        size = PYTHON_BLOCK if self.solve is not None else max(64, min(BLOCK, BLOCK_NUMBERS // stepper.numbers))
        while stepper.done < until:
            self.ctrl_c.here()
            if self.between is not None:
                self.between(self)
            try:
                steps = self._ahead(min(size, until - stepper.done))
            except SimulationError as error:
                self.last_row()
                return error
            too_far = self._overreach(steps)
            if too_far is not None and steps.row + too_far.sample <= steps.stop:
                steps = steps._replace(stop=steps.row + too_far.sample - 1)  # the last step that ends within reach
                if steps.stop <= steps.row:
                    self.last_row()
                    return out_of_reach(too_far, float(steps.ahead.time[steps.row + too_far.sample]))
            try:
                closing = close and stepper.done + steps.stop - steps.row == until
                block = stepper.run(steps, self._asked, close=closing)
            except SimulationError as error:  # a wire is attached that is too short
                self.last_row()
                return error
            if block.reason == loop.UNSOLVED and self.solve is None:
                if block.steps:  # or else the block below begins with the same row
                    self._record(block)
                block = stepper.run(stepper.ahead(1), self._behind)  # the compiled solver gave up
            self._record(block)
            if block.reason not in (loop.GOOD, loop.FULL):
                failure = explain(stepper, paths, block, self.last, self.answer, self.solver, self._asked_last)
                if not isinstance(failure, RefusedError):
                    # Wires about to be in line: impulses may have grown beyond what can be judged.
                    time, drive = self._ahead(2).known()
                    if (too_far := paths.overreach(drive, stepper.state.q, stepper.h)) is not None:
                        failure = out_of_reach(too_far, float(time[too_far.sample]))
                if block.stop == 0 and block.reason in (loop.UNSOLVED, loop.LOST) and stepper.done == 0:
                    self.last_row()
                return failure
        return None

    def last_row(self) -> None:
        """The start, where no step was taken; SHAKE's velocities at the last pose."""
        if self.stepper.done == 0:
            self._record(self.start_row())
        elif self.stepper.method.staggered and not self.closed:
            self._record(self.closing_row())

    def start_row(self) -> Block:
        """The start, with what sensors read and controllers command there."""
        if isinstance(self.stepper, ControlledStepper):
            self.stepper.sample()
        return self.stepper.start_row()

    def closing_row(self) -> Block:
        """SHAKE's last row: velocities and tensions at the last pose."""
        return self.stepper.close(self._asked, self._asked or self._behind)

    def _ahead(self, n: int) -> Steps:
        """The next n steps: fewer when a motion is not finite later on."""
        try:
            return self.stepper.ahead(n, more=not self.steps)
        except SimulationError as error:
            before = round(error.time / self.stepper.h) - 1 - self.stepper.done  # steps that end ahead of it
            if before < 1:
                raise
            return self._ahead(min(before, n - 1))

    def _overreach(self, steps: Steps) -> Overreach | None:
        """What robots are too far apart later on, or None; steps are counted from the first of these."""
        stepper, (ahead, row, _) = self.stepper, steps
        absent, moved = stepper.schedule.absent(), ahead.driver.moved
        return self.paths.overreach(ahead.drive, stepper.state.q, stepper.h, absent, row, moved)

    @property
    def _asked(self) -> Solve | None:
        if self.solve is None:
            return None
        return self._remember(self.solve)

    @property
    def _behind(self) -> Solve:
        return lambda stepper: self._remember(back_end(self._asked_last))(stepper)  # looked for when it is needed

    @property
    def _asked_last(self) -> str:
        """Name of the solver that a step's problem comes to at last: behind the compiled active set, all others."""
        return self.solver if self.solve is not None or self.solver in CONE_SOLVERS else "auto"

    def _remember(self, solve: Solve) -> Solve:
        def remembered(stepper: Stepper) -> Answer:
            self.ctrl_c.here()
            self.answer = solve(stepper)
            return self.answer

        return remembered

    @property
    def recorder(self) -> Recorder:
        """Who keeps the rows; all of them so far are there."""
        self._keep()
        return self._recorder

    @recorder.setter
    def recorder(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._waiting: Block | None = None

    def _record(self, block: Block) -> None:
        """Take a block's rows over: those of blocks that go on in one record together, once it is full."""
        if block.stop > block.first:
            self.last = block
            if not self.steps:
                self.heard.append((block.switched, block.events))
            if self.record:
                joined = None if self._waiting is None else self._waiting.joined(block)
                if joined is None:
                    self._keep()
                self._waiting = joined or block
                if block.whole:
                    self._keep()
        if self.progress is not None:
            self.progress(self.stepper.done, self.steps)

    def _keep(self) -> None:
        """Bring the rows that wait to the recorder."""
        block, self._waiting = self._waiting, None
        if block is not None:
            rows = columns.variables(self.compiled, block, self.stepper.h)
            self._recorder.append(rows, columns.events(self.compiled, block))

    def tell_end(self, failure: SimulationError | None) -> None:
        """Tell the recorder of the jerks under way, and of the failure."""
        if not self.recorder.begun:
            self.recorder.append(columns.variables(self.compiled, self.stepper.empty(), self.stepper.h))
        self.recorder.tell(columns.Told(self.compiled, self.stepper.under_way()))
        if failure is not None:
            subject = ", ".join(failure.wires) if isinstance(failure, RefusedError) else ""
            kind: Literal["infeasible", "user"] = "infeasible" if isinstance(failure, RefusedError) else "user"
            self.recorder.tell([Event(failure.time, kind, subject, note=str(failure))])

    @property
    def closed(self) -> bool:
        """Whether the kick of SHAKE's last row is recorded."""
        return self.last is not None and self.last.closed

    @property
    def wall_time(self) -> float:
        """Time that the run took so far [s], without that in which kernels are compiled."""
        return self.before + clock.perf_counter() - self.started - (seconds_compiling() - self.compiling)

    def finish(self, outcome: str, more: dict[str, str] | None = None) -> Result:
        """Close the record and hand it over."""
        wall_time = self.wall_time
        return self.recorder.finish({"outcome": outcome, "wall_time": wall_time, **(more or {})})
