"""A run in numbers that carry their derivatives, such as duals, by the kernels of the run itself.

State, model, scratch and known motions are arrays of duals (``solvers.kernels.dual``) whose derivatives, in up to seven
directions, begin with the seeds of the scene's numbers; the block loop is compiled for them, as it is for plain
numbers. In recorded numbers (``solvers.kernels.recorded``) the same loop is differentiated backwards, see
``adjoint.py``. What comes out are derivatives of the discrete solution, of the very steps that were taken, with the
wires that were taut in each. A jerk is a step like any other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from solvers.kernels.dual import DIRECTIONS, DUAL, duals, parts
from solvers.kernels.dual import values as plain_values
from solvers.kernels.handle import COMPILED, Handle
from solvers.kernels.recorded import RECORDED
from solvers.kernels.recorded import values as recorded_values
from towsim.arena import leaves
from towsim.constraints.axis import SPRING
from towsim.errors import SimulationError, UsageError
from towsim.methods import loop
from towsim.methods.block import Block, times
from towsim.methods.solve import Values, make_values, search
from towsim.methods.stepper import LOOPS, Stepper
from towsim.methods.work import STEP, begin_with_first_step, make_record
from towsim.model import jumps
from towsim.model.arrays import Drive, Floats
from towsim.model.model import Model, by_lists
from towsim.run.seeds import Seed

BLOCK_NUMBERS = 50_000
"""Numbers that are known and recorded of a block, without their derivatives: 3 MB with them, which caches hold."""

MOST_SEARCHES = 4
"""Of an active set in one step."""


SAMPLED = 1024
"""Steps for which known motions are sampled at a time."""


class _Sampled(NamedTuple):
    """Known motions from a step on, and their derivatives in each direction, by field."""

    start: int
    drive: Drive
    rates: list[dict[str, Floats]]


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
    compiled, scene = stepper.compiled, stepper.compiled.scene
    lack = "has no derivatives yet"
    if not COMPILED:
        raise UsageError("derivatives need compiled kernels: run without NUMBA_DISABLE_JIT")
    if stepper.method.multistep or stepper.method.adaptive:
        raise UsageError(f"method {stepper.method.name!r} {lack}; use 'stewart-trinkle' or 'shake'")
    if compiled.cable_names:
        raise UsageError(f"the mrfe cable {compiled.cable_names[0]!r} {lack}; make its model rigid or elastic")
    if compiled.declared.start == "equilibrium":
        raise UsageError(f"start: equilibrium {lack}; take the scene at rest itself, as towsim.equilibrium finds it")
    if compiled.controlled:
        raise UsageError(f"a scene with controllers, sensors or dynamic robots {lack}; give the robots a motion")
    if stepper.friction:
        raise UsageError(f"friction {lack}; set the coefficients of ground and wires to zero")
    if compiled.bounces:
        raise UsageError(f"restitution {lack}; leave it out")
    for name, wire in scene.wires.items():
        if (wire.break_, wire.attach, wire.detach, wire.cut) != (None,) * 4:
            raise UsageError(f"wire {name!r} comes or goes, which {lack}; leave break, attach, detach and cut out")
    for name, joint in scene.joints.items():
        if joint.reduced or joint.detach is not None:
            what = "is reduced" if joint.reduced else "is detached"
            raise UsageError(f"joint {name!r} {what}, which {lack}; leave that out")


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

    def __init__(self, stepper: Stepper, seeds: Sequence[Seed]) -> None:
        check_differentiable(stepper)
        self.stepper, self.seeds, self.h = stepper, seeds, stepper.h
        self.compiled = stepper.compiled
        self.model: Model = self.carried(_by_lists(self.compiled.model, seeds))
        self.state, self.work, self.watch = (self.carried(one) for one in (stepper.state, stepper.work, stepper.watch))
        self.memory = self.carried(stepper.memory[0])
        self.values: Values = make_values(len(self.model.rows.kind), int(self.model.rows.envelope[-1]))
        self.counts = stepper.memory[1].copy()
        self.degenerate: list[Degenerate] = []
        self.done = 0
        self._sampled = self._sample(0, 0, 1)
        self._blocks: dict[tuple[int, bool], Handle] = {}
        self._run = Handle(
            loop.RunArrays(
                self.model,
                None,
                None,
                self.h,
                stepper.stretch_limit,
                self.state,
                self.work,
                self.memory,
                self.counts,
                Handle(self.watch),
                self.values,
            )
        )

    def carried(self, thing: Any) -> Any:
        """A tuple of arrays with copies in such numbers of those of floats, and copies of the others."""
        if isinstance(thing, np.ndarray):
            return type(self).convert(thing) if thing.dtype == np.float64 else thing.copy()
        if isinstance(thing, tuple):
            return type(thing)(*map(self.carried, thing))
        return thing

    def blocks(self, steps: int) -> Iterator[Block]:
        """The blocks of a run of so many steps, with records in such numbers; each is written over by the next one.

        Raises
        ------
        SimulationError : the run cannot go on; a run without derivatives says why
        """
        most = self.size or max(64, min(SAMPLED, BLOCK_NUMBERS // self.stepper.numbers))
        while self.done < steps:
            yield self.block(min(most, SAMPLED - self.done % SAMPLED, steps - self.done), last=steps)

    def arrays(self) -> Iterator[np.ndarray]:
        """All that changes from step to step."""
        for one in (self.state, self.work, self.watch, self.values, self.model.rows.compliance, self.counts):
            yield from (array for _, array in leaves("", one))

    def block(self, steps: int, last: int) -> Block:
        """The next steps, of a run of ``last`` ones."""
        method, time = self.stepper.method, times(self.done, steps, self.h)
        first, close = self.done == 0, method.staggered and self.done + steps == last
        block = self.arrays_of_block(time, first, last)
        drive, record = block.drive, block.record
        self.watch.found[0] = self.values.found[0] = 0
        good, reason = self._advance(block, steps + close)
        closed = close and reason == loop.GOOD
        if reason not in (loop.GOOD, loop.FULL):
            raise SimulationError(
                f"the run cannot go on at t = {time[good]:.6g} s; run it without derivatives to see why",
                time=float(time[good]),
            )
        lag = 0 if method.staggered else 1
        if first and good and lag:
            begin_with_first_step(record)
        self._note_degenerate(time)
        self.done += good
        return Block(
            time=time,
            first=0 if first or not lag else 1,
            stop=good + lag + closed,
            record=record,
            drive=drive,
            lag=lag,
            angle=self.plain(self.work.axis)[:, 0].copy(),
            reason=reason,
            steps=good,
            events=self.plain(self.watch.event)[: self.watch.found[0]].copy(),
            closed=closed,
        )

    def _advance(self, block: Handle, stop: int) -> tuple[int, int]:
        """Steps taken, and why no more: where the loop's solver gives up, the search finds the active set for it."""
        kernels, k, searches = LOOPS[self.stepper.method.name], 0, 0
        while True:
            before = k
            k, reason, _, detail = kernels.run_block(self._run, block, False, k, 0, stop)
            if reason != loop.UNDECIDED:
                return k, reason
            searches = searches + 1 if k == before else 1
            values = self.values
            problem = values.A, self.model.rows.envelope, values.q, self.work.kind
            rounding = float(self.plain(self.work.rounding)[STEP])
            answer = values.z, values.w, self.work.taut
            status, *_ = search(*problem, *answer, (values.scratch, self.counts), rounding, *detail)
            if status != 0 or searches > MOST_SEARCHES:
                return k, loop.UNSOLVED
            if self.done + k == 0:  # SHAKE's first step is solved twice, and begins again
                self.state.p[...] = np.zeros((), self.state.p.dtype)

    def arrays_of_block(self, time: Floats, first: bool, last: int) -> Handle:
        """What the loop gets of the next block; blocks of a size share one."""
        begin, end = self._sampled.start, self._sampled.start + len(self._sampled.drive.kink)
        if not (begin <= self.done and self.done + len(time) <= end):
            start = self.done - self.done % SAMPLED
            self._sampled = self._sample(start, min(SAMPLED, last - start), last)
        sampled = self._sampled
        rows = slice(self.done - sampled.start, self.done - sampled.start + len(time))
        block = self._blocks.get((len(time), first))
        if block is None:
            drive = self.carried(Drive._make(part[rows] for part in sampled.drive))
            record = self.carried(make_record(self.compiled, len(time) - 1))
            block = self._blocks[len(time), first] = Handle(loop.BlockArrays(drive, time.copy(), first, record))
        block.time[:] = time
        for mine, plain in zip(block.drive, sampled.drive, strict=True):
            (mine if mine.dtype == np.bool_ else self.plain(mine))[...] = plain[rows]
        self.seed_drive(block.drive, [{name: rate[rows] for name, rate in one.items()} for one in sampled.rates])
        return block

    def seed_drive(self, drive: Drive, rates: list[dict[str, Floats]]) -> None:
        """Give a block's known motions the derivatives with which they begin, in each direction and by field."""

    def _sample(self, start: int, steps: int, last: int) -> _Sampled:
        time, ends = times(start, steps, self.h), self.stepper.method.staggered and start + steps == last
        rates = [seed.drive(time, self.h, ends=ends) for seed in self.seeds]
        return _Sampled(start, jumps.known(self.compiled.driver, time, self.h, ends=ends), rates)

    def _note_degenerate(self, time: Floats) -> None:
        found = int(self.values.found[0])
        for k, row in self.values.degenerate[:found].tolist():
            one = Degenerate(float(time[min(k + 1, len(time) - 1)]), self.compiled.owners[row])
            if one not in self.degenerate[-8:]:
                self.degenerate.append(one)


class Tangents(Carried):
    """A run in duals.

    Parameters
    ----------
    stepper : at the start of the scene; nothing is written to it
    seeds : up to seven directions
    """

    convert = staticmethod(duals)
    plain = staticmethod(plain_values)

    def __init__(self, stepper: Stepper, seeds: Sequence[Seed]) -> None:
        assert len(seeds) <= DIRECTIONS
        super().__init__(stepper, seeds)
        for i, seed in enumerate(seeds, 1):
            for path, rate in seed.numbers.items():
                place = found_in(self.model, path)
                if place is not None:
                    parts(place)[..., i] = rate
            for row, softer in rates_of_springs(self.compiled.model, seed, self.h, stepper.method.staggered):
                parts(self.model.rows.compliance)[row, i] = softer
            for mine, rate in zip(self.state, seed.initial, strict=True):
                parts(mine)[:, i] = rate

    def arrays(self) -> Iterator[np.ndarray]:
        """All that changes from step to step."""
        for one in (self.state, self.work, self.watch, self.values, self.model.rows.compliance, self.counts):
            yield from (array for _, array in leaves("", one))

    def seed_drive(self, drive: Drive, rates: list[dict[str, Floats]]) -> None:
        """See ``Carried``."""
        for i, one in enumerate(rates, 1):
            for name, rate in one.items():
                parts(getattr(drive, name))[..., i] = rate


def rates_of_springs(model: Model, seed: Seed, h: float, staggered: bool) -> Iterator[tuple[int, float]]:
    """SHAKE: rows of springs and dampers, and derivatives of their compliance σ = 1/(h² k/4 + h d/2)."""
    stiffness, damping = (seed.numbers.get(f"joints.axes.{name}") for name in ("stiffness", "damping"))
    if model.joints is None or not staggered or (stiffness is None and damping is None):
        return
    axes = model.joints.axes
    for i in np.flatnonzero(axes.row[:, SPRING] >= 0):
        row = int(axes.row[i, SPRING])
        stiffer = 0.25 * h * h * float(0.0 if stiffness is None else stiffness[i])
        damped = 0.5 * h * float(0.0 if damping is None else damping[i])
        yield row, -(float(model.rows.compliance[row]) ** 2) * (stiffer + damped)


def found_in(model: Model, path: str) -> np.ndarray | None:
    """The array at a path such as ``bodies.mass``, or None."""
    place: Any = model
    for name in path.split("."):
        place = getattr(place, name, None)
    return place if isinstance(place, np.ndarray) else None


def lane(thing: Any, i: int | slice) -> Any:
    """Values (0) or some directions' derivatives of a tuple of arrays, as views; arrays of other things as they are."""
    if isinstance(thing, np.ndarray):
        if thing.dtype == RECORDED:
            return recorded_values(thing)
        return parts(thing)[..., i] if thing.dtype == DUAL else thing
    if isinstance(thing, tuple):
        return type(thing)(*(lane(one, i) for one in thing))
    return thing


def _by_lists(plain: Model, seeds: Sequence[Seed]) -> Model:
    """The model with rows by lists; axes that are principal ones are not taken for such where they need not stay so."""
    principal = plain.bodies.principal.copy()
    for seed in seeds:
        tensor = seed.numbers.get("bodies.inertia")
        if tensor is not None:
            principal &= ~(tensor * (1.0 - np.eye(3))).any(axis=(1, 2))
    return by_lists(plain)._replace(bodies=plain.bodies._replace(principal=principal))
