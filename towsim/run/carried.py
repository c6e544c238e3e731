"""A run in numbers that carry their derivatives, by the kernels of the run itself.

State, model, scratch and known motions are arrays of such numbers; the block loop is compiled for them, as it is for
plain ones. In duals (``tangents.py``) it is differentiated forwards, in recorded numbers (``adjoint.py``) backwards.
What comes out are derivatives of the discrete solution, of the very steps that were taken, with the wires that were
taut in each. A jerk is a step like any other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from solvers.kernels.dual import DUAL, parts
from solvers.kernels.handle import COMPILED, Handle
from solvers.kernels.recorded import RECORDED
from solvers.kernels.recorded import values as recorded_values
from towsim.arena import leaves
from towsim.control.actuators import filled
from towsim.control.runtime import Runtime
from towsim.errors import SimulationError, UsageError
from towsim.methods import loop
from towsim.methods.block import Block, times
from towsim.methods.controlled import ControlledStepper, watch
from towsim.methods.dialogue import Call, Called
from towsim.methods.multistep import BdfStepper
from towsim.methods.schedule import Schedule, gone
from towsim.methods.solve import Values, friction_cones, room_for_values, search
from towsim.methods.stepper import LOOPS, Stepper
from towsim.methods.work import STEP, Record, begin_with_first_step, make_record, room_for_products
from towsim.model import jumps
from towsim.model.arrays import Drive, Floats
from towsim.model.cables import one_by_one
from towsim.model.drive import Driver
from towsim.model.layout import one_by_one as products_one_by_one
from towsim.model.model import Model, written
from towsim.run.known import Known
from towsim.run.multistep_blocks import MultistepBlocks
from towsim.run.seeds import KnownRates, Seed

BLOCK_NUMBERS = 50_000
"""Numbers that are known and recorded of a block, without their derivatives: 3 MB with them, which caches hold."""

TINY = 1e-100
"""ε of complex steps."""

MOST_SEARCHES = 4
"""Of an active set in one step."""


SAMPLED = 4096
"""Steps for which known motions are sampled at a time, at most; in whole blocks."""


class _Sampled(NamedTuple):
    """Known motions from a step on, and their derivatives in each direction, by field; references of controllers."""

    start: int
    drive: Drive
    rates: list[dict[str, Floats]]
    references: list[Floats]
    reference_rates: list[list[Floats]]


class Degenerate(NamedTuple):
    """A row without impulse or rate: there the solution has one-sided derivatives only.

    Attributes
    ----------
    time : end of the step [s]
    owner : the wire, joint or contact whose row it is
    """

    time: float
    owner: str


def check_differentiable(stepper: Stepper) -> None:
    """Refuse, by name, what has no derivatives yet.

    Raises
    ------
    UsageError : names it
    """
    compiled = stepper.compiled
    lack = "has no derivatives yet"
    if not COMPILED:
        raise UsageError("derivatives need compiled kernels: run without NUMBA_DISABLE_JIT")
    if compiled.declared.start == "equilibrium":
        raise UsageError(f"start: equilibrium {lack}; take the scene at rest itself, as towsim.equilibrium finds it")
    for task in stepper.control.tasks if isinstance(stepper, ControlledStepper) else ():
        if task.own and not hasattr(task.function, "py_func"):
            raise UsageError(f"controller {task.name!r} is plain Python, which {lack}; compile it with numba.njit")
    if stepper.friction and stepper.cones is None:
        raise UsageError(f"friction='polyhedral' {lack}; use friction='cone'")
    if compiled.bounces:
        raise UsageError(f"restitution {lack}, as a bounce is as fast wherever in its step it is; leave it out")


class Carried:
    """One run, from the start of a scene, in numbers that carry their derivatives.

    Parameters
    ----------
    stepper : at the start of the scene; nothing is written to it
    seeds : the directions that are asked for
    """

    convert: Callable[[Floats], np.ndarray]
    """A copy of an array of floats as such numbers, constant ones."""

    plain: Callable[[np.ndarray], Floats]
    """A view of the values of an array of such numbers."""

    size = 0
    """Steps of a block at most; 0: what caches hold."""

    differentiated = True
    """Whether the blocks to come carry derivatives of known motions."""

    def __init__(self, stepper: Stepper, seeds: Sequence[Seed]) -> None:
        check_differentiable(stepper)
        self.stepper, self.seeds, self.h, self.stretch_limit = stepper, seeds, stepper.h, stepper.stretch_limit
        self.known_rates = KnownRates(seeds)
        self.compiled = stepper.compiled
        self.model: Model = self.carried(_model(self.compiled.model, seeds))
        self.cables = None if self.compiled.cables is None else self.carried(one_by_one(self.compiled.cables))
        work = stepper.work._replace(products=room_for_products(self.model.rows))
        changing = stepper.state, work, stepper.watch, stepper.memory[0]
        self.state, self.work, self.watch, self.memory = self.carried(changing)
        self.cones = friction_cones(self.model)
        self.values: Values = room_for_values(self.model, self.cones)
        self.values = self.values._replace(null=self.carried(self.values.null))
        self.counts = stepper.memory[1].copy()
        self.control: Runtime | None = None
        if isinstance(stepper, ControlledStepper):
            self.control = stepper.runtime(self.compiled, self.carried)
            watch(self.control, stepper.method, self.state, self.work, self.model.bodies)
        self._degenerate: dict[Degenerate, None] = {}  # in order
        self.done = 0
        self.schedule = Schedule(self)
        self._sampled: _Sampled | None = None
        self._span = SAMPLED
        self._rooms: dict[int, tuple[Drive, Record]] = {}  # by number of instants
        self._blocks: dict[tuple[int, bool], tuple[Handle, Handle | None]] = {}
        self._multistep = MultistepBlocks(self, stepper) if isinstance(stepper, BdfStepper) else None
        self._run = Handle(
            loop.RunArrays(
                self.model,
                self.cables,
                self.cones,
                None,
                self.h,
                self.stretch_limit,
                self.state,
                self.work,
                self.memory,
                self.counts,
                self.watching,
                self.values,
            )
        )

    def carried(self, thing: Any) -> Any:
        """A tuple of arrays with copies in such numbers of those of floats, side by side, and copies of the others."""
        floats = [array.ravel() for array in _arrays(thing) if array.dtype == np.float64]
        whole = type(self).convert(np.concatenate([np.empty(0), *floats]))
        at = 0

        def one(array: np.ndarray) -> np.ndarray:
            nonlocal at
            if array.dtype != np.float64:
                return array.copy()
            at += array.size
            return whole[at - array.size : at].reshape(array.shape)

        return _mapped(one, thing)

    def blocks(self, steps: int) -> Iterator[Block]:
        """The blocks of a run of so many steps, with records in such numbers; each is written over by the next one.

        Raises
        ------
        SimulationError : the run cannot go on; a run without derivatives says why
        """
        most = min(self.size or max(64, BLOCK_NUMBERS // self.stepper.numbers), SAMPLED)
        self._span = SAMPLED - SAMPLED % most
        while self.done < steps:
            room = min(most, self.schedule.steps_until_next(), self._span - self.done % self._span)
            yield self.block(min(room, steps - self.done), last=steps)

    def numbers(self) -> Iterator[tuple[str, np.ndarray]]:
        """What does not change, by a path such as ``bodies.mass``."""
        changes = dict(written(self.model))
        places = ((path.removeprefix("."), array) for path, array in leaves("", self.model))
        yield from ((path, array) for path, array in places if path not in changes)
        yield from leaves("cables", self.cables)
        if self.cones is not None:
            yield "cones.mu", self.cones.mu
        if self.control is not None:
            yield from self.control.numbers()

    def written(self) -> Iterator[tuple[str, np.ndarray]]:
        """All that changes from step to step, by a path such as ``state.q``."""
        for name in ("state", "work", "watch", "memory", "values", "counts"):
            yield from leaves(name, getattr(self, name))
        yield from written(self.model)
        if self._multistep is not None:
            yield from self._multistep.written()
        if self.control is not None:
            yield from self.control.written()

    def block(self, steps: int, last: int) -> Block:
        """The next steps, of a run of ``last`` ones."""
        time = samples = times(self.done, steps, self.h)
        self.watch.found[0] = self.values.found[0] = 0
        self.values.found[1] = -1
        switched = self.schedule.apply()
        if self._multistep is not None:
            block, samples = self._multistep.block(time)
        else:
            block = self._one_by_one(time, last)
        if self.values.found[1] >= 0:
            raise SimulationError(
                f"at t = {time[self.values.found[1]]:.6g} s something slides on more than determine its motion, as "
                "a box on four corners: how they share the load decides, and there is no derivative in that; "
                "let it stand on three, or take the friction away",
                time=float(time[self.values.found[1]]),
            )
        if block.reason not in (loop.GOOD, loop.FULL):
            raise SimulationError(
                f"the run cannot go on at t = {time[block.steps]:.6g} s; without derivatives it says why, or goes on "
                "there by a solver that has none",
                time=float(time[block.steps]),
            )
        self._note_degenerate(samples)
        self.done += block.steps
        return block._replace(switched=tuple(switched))

    @cached_property
    def watching(self) -> Handle:
        """The watch, as kernels get it."""
        return Handle(self.watch)

    def gaps(self) -> tuple[Floats, Floats]:
        """As of ``Switched``."""
        known = self.known(times(self.done, 0, self.h), False, self.done)
        self._advance(self._plain(known.arrays), 0, 0)
        gap, drive = self.plain(known.arrays.record.gap), known.arrays.drive
        return gap[0].copy(), self.plain(drive.length)[0].copy()

    def _one_by_one(self, time: Floats, last: int) -> Block:
        """The steps between some instants, by a method of one step."""
        method, first, steps = self.stepper.method, self.done == 0, len(time) - 1
        close, lag = method.staggered and self.done + steps == last, 0 if method.staggered else 1
        known = self.known(time, first, last)
        record = known.arrays.record
        self.work.broken[:] = gone(self.work.off)
        if known.filled is None:
            good, reason = self._advance(self._plain(known.arrays), 0, steps + close)
        else:
            good, reason = self._controlled(known, steps, close=close)
        closed = close and reason == loop.GOOD
        if first and good and lag:
            begin_with_first_step(record)
        return Block(
            time=time,
            first=0 if first or not lag else 1,
            stop=good + lag + closed,
            record=record,
            drive=known.arrays.drive,
            lag=lag,
            angle=self.plain(self.work.axis)[:, 0].copy(),
            reason=reason,
            steps=good,
            events=self.events(),
            inputs=None if known.filled is None else known.filled.out,
            gone=self.work.broken.copy(),
            closed=closed,
        )

    def events(self) -> Floats:
        """Copies of the events that the watch holds."""
        return self.plain(self.watch.event)[: self.watch.found[0]].copy()

    def _controlled(self, known: Known, steps: int, *, close: bool) -> tuple[int, int]:
        """As ``_advance``, from sample to sample; SHAKE's last kick is that of a block of one step, see ``close``."""
        control, filled = self.control, known.filled
        assert control is not None
        assert filled is not None
        kernel = LOOPS[self.stepper.method.name].run_block
        sampled = control.over(kernel, self._run, known.arrays, filled, np.array([self.done]), known.references)
        good, reason = self._advance(sampled, 0, steps)
        if control.failure is not None:
            self._tell(control.failure)
        if close and reason == loop.GOOD:
            reason = self._close(known.arrays)
        return good, reason

    def _tell(self, failure: SimulationError) -> None:
        """Raise what a controller has failed by."""
        if isinstance(failure.__cause__, NumbaError):
            raise UsageError(
                f"{failure}\n  A controller has derivatives if it computes with one number at a time, by the functions "
                "of math that are listed under Derivatives in the documentation"
            ) from failure.__cause__
        raise failure

    def _close(self, block: Handle) -> int:
        """Do the kick of SHAKE's last row, with what is held then, and record it in the last row of the block."""
        assert self.control is not None
        time, last = block.time[-2:].copy(), len(block.time) - 1
        drive = Drive._make(part[-2:].copy() for part in block.drive)
        record = self.carried(make_record(self.compiled, 1))
        self.control.hold_at_the_end(filled(drive, time, self.control.inputs(2)))
        _, reason = self._advance(self._plain(Handle(loop.BlockArrays(drive, time, False, record))), 1, 2)
        for (_, whole), (_, row) in zip(leaves("", block.record), leaves("", record), strict=True):
            whole[last] = row[1]
        return reason

    def _plain(self, block: Handle) -> Call:
        """The method's loop over a block."""
        run_block = LOOPS[self.stepper.method.name].run_block

        def call(k: int, solved: int, stop: int, *, ask: bool = False) -> Called:
            found: Called = run_block(self._run, block, ask, k, solved, stop)
            return found

        return call

    def _advance(self, call: Call, k: int, stop: int) -> tuple[int, int]:
        """By a loop over a block to row ``stop``: the row reached, and why no farther."""
        searches = 0
        while True:
            before = k
            k, reason, _, spent = call(k, 0, stop)
            if reason != loop.UNDECIDED:
                return k, reason
            searches = searches + 1 if k == before else 1
            if not self.found(spent, searches):
                return k, loop.UNSOLVED
            if self.done + k == 0:  # SHAKE's first step is solved twice, and begins again
                self.state.p[...] = np.zeros((), self.state.p.dtype)

    def found(self, spent: int, searches: int) -> bool:
        """Whether the search finds the active set where the loop's solver gives up.

        spent : factorisations until then;  searches : in this step, with this one
        """
        values = self.values
        problem = values.A, self.model.rows.envelope, values.q, self.work.kind
        rounding = float(self.plain(self.work.rounding)[STEP])
        answer = values.z, values.w, self.work.taut
        status, *_ = search(*problem, *answer, (values.scratch, self.counts), rounding, spent)
        return status == 0 and searches <= MOST_SEARCHES

    def known(self, time: Floats, first: bool, last: int) -> Known:
        """What the next block gets."""
        sampled = self._sampled
        if sampled is None or not sampled.start <= self.done <= sampled.start + len(sampled.drive.kink) - len(time):
            begin = self.done - self.done % self._span
            sampled = self._sampled = self._sample(begin, min(self._span, last - begin), last)
        rows = slice(self.done - sampled.start, self.done - sampled.start + len(time))
        found = self._blocks.get((len(time), first))
        if found is None:
            if len(time) not in self._rooms:
                drive = self.carried(Drive._make(part[rows] for part in sampled.drive))
                self._rooms[len(time)] = drive, self.carried(make_record(self.compiled, len(time) - 1))
            drive, record = self._rooms[len(time)]
            arrays = Handle(loop.BlockArrays(drive, time.copy(), first, record))
            room = None if self.control is None else self.control.inputs(len(time))
            held = None if room is None else filled(drive, arrays.time, room, first=first)
            found = self._blocks[len(time), first] = arrays, held
        block, inputs = found
        block.time[:] = time
        for mine, plain in zip(block.drive, sampled.drive, strict=True):
            (mine if mine.dtype == np.bool_ else self.plain(mine))[...] = plain[rows]
        span = self.done, self.done + len(time)
        at = [
            slice(*(-(-step // task.every) + sampled.start // -task.every for step in span))
            for task in (self.control.tasks if self.control else ())
        ]
        return self.seeded(
            Known(block, inputs, [self.carried(one[k]) for one, k in zip(sampled.references, at, strict=True)]),
            [{name: rate[rows] for name, rate in one.items()} for one in sampled.rates],
            [[rate[k] for rate, k in zip(one, at, strict=False)] for one in sampled.reference_rates],
        )

    def seeded(self, known: Known, of_drive: list[dict[str, Floats]], of_references: list[list[Floats]]) -> Known:
        """Give what a block gets the derivatives with which it begins, by direction, and by field or controller."""
        return known

    def _sample(self, start: int, steps: int, last: int) -> _Sampled:
        time, ends = times(start, steps, self.h), self.stepper.method.staggered and start + steps == last

        def known(driver: Driver) -> Drive:
            return jumps.known(driver, time, self.h, ends=ends)

        drive = known(self.compiled.driver)
        rates = self.known_rates.drive(drive, known, self.h)
        if self.control is None:
            return _Sampled(start, drive, rates, [], [])
        references = self.control.references(start, time)
        return _Sampled(start, drive, rates, references, [seed.references(start, time) for seed in self.seeds])

    @property
    def degenerate(self) -> tuple[Degenerate, ...]:
        """Rows without impulse or rate so far, each once a step."""
        return tuple(self._degenerate)

    def _note_degenerate(self, time: Floats) -> None:
        step, row = self.values.degenerate[: int(self.values.found[0])].T
        ends = time[np.minimum(step + 1, len(time) - 1)].tolist()
        owners = self.compiled.owners
        self._degenerate |= dict.fromkeys(map(Degenerate, ends, [owners[i] for i in row.tolist()]))


def _arrays(thing: Any) -> Iterator[np.ndarray]:
    """The arrays of a nested tuple, which may hold other things."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, tuple):
        for part in thing:
            yield from _arrays(part)


def _mapped(change: Callable[[np.ndarray], np.ndarray], thing: Any) -> Any:
    """A nested tuple with other arrays in place of its own, in the order of ``_arrays``."""
    if isinstance(thing, np.ndarray):
        return change(thing)
    if isinstance(thing, tuple):
        parts = [_mapped(change, part) for part in thing]
        return type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)
    return thing


def lane(thing: Any, i: int | slice) -> Any:
    """Values (0) or some directions' derivatives of a tuple of arrays, as views; arrays of other things as they are."""
    if isinstance(thing, np.ndarray):
        if thing.dtype == RECORDED:
            return recorded_values(thing)
        return parts(thing)[..., i] if thing.dtype == DUAL else thing
    if isinstance(thing, tuple):
        return type(thing)(*(lane(one, i) for one in thing))
    return thing


def aside(thing: Any, i: int) -> Any:
    """A tuple of arrays with x + iε ẋ in place of duals, ẋ in a direction."""
    if isinstance(thing, np.ndarray):
        return parts(thing)[..., 0] + 1j * TINY * parts(thing)[..., i] if thing.dtype == DUAL else thing
    if isinstance(thing, tuple):
        return type(thing)(*(aside(one, i) for one in thing))
    return thing


def _model(plain: Model, seeds: Sequence[Seed]) -> Model:
    """The model with products one by one; principal axes are not taken for such where they need not stay so."""
    principal = plain.bodies.principal.copy()
    for seed in seeds:
        tensor = seed.numbers.get("bodies.inertia")
        if tensor is not None:
            principal &= ~(tensor * (1.0 - np.eye(3))).any(axis=(1, 2))
    return plain._replace(rows=products_one_by_one(plain.rows), bodies=plain.bodies._replace(principal=principal))
