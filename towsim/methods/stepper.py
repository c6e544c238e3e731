"""A scene under way: its state, and blocks of steps that advance it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.kernels.entry import Way, way
from solvers.kernels.handle import Handle, HandleType
from towsim.arena import leaves, owner
from towsim.constraints.axis import put_spring_compliance
from towsim.errors import SimulationError, UsageError
from towsim.methods import loop, shake, stewart_trinkle
from towsim.methods.block import NO_EVENTS, Ahead, Block, Steps, UnderWay, times
from towsim.methods.dialogue import Called, Dialogue, Solve, hand_back
from towsim.methods.method import Method
from towsim.methods.schedule import Schedule, gone
from towsim.methods.solve import friction_cones, friction_of_cones, large_problem, solver_memory
from towsim.methods.watch import finish_all
from towsim.methods.work import Record, begin_with_first_step, make_record, make_watch, make_work
from towsim.model import jumps
from towsim.model.arrays import Drive, Floats, State
from towsim.model.compile import Compiled
from towsim.model.model import Model, written

if TYPE_CHECKING:
    from towsim.scene import Scene

LOOPS = {"stewart-trinkle": stewart_trinkle, "shake": shake}
"""Where the loops of the one-step methods are."""

AHEAD = 256
"""Steps by hand that are sampled ahead at most."""

_loaded: set[HandleType] = set()
"""Kinds of scenes whose kernels are in this process."""


class Stepper:
    """Advances a compiled scene in steps of h.

    Parameters
    ----------
    compiled : the scene
    method : stewart-trinkle or shake
    step : h [s]
    stretch_limit : stretch at which a step is refused, relative to the wire's length
    friction, directions : "cone" or "polyhedral", and of how many directions; see ``simulate``
    """

    def __init__(
        self,
        compiled: Compiled,
        method: Method,
        step: float,
        *,
        stretch_limit: float = 1e-3,
        friction: str = "cone",
        directions: int = 8,
    ) -> None:
        if method.adaptive:
            raise UsageError(f"method {method.name!r} poses no complementarity problems; name one that takes steps")
        self.compiled, self.method, self.h = compiled, method, step
        self.stretch_limit = stretch_limit
        self.directions = directions
        self.state: State = compiled.start()
        self.work = make_work(compiled)
        self.watch = make_watch(compiled.model)
        self.friction = compiled.rubs
        self.held_cones = friction_cones(compiled.model)
        self.cones = self.held_cones if friction == "cone" else None
        self.memory = solver_memory(compiled.model)
        self._ahead: Ahead | None = None
        self._under_way: UnderWay | None = None
        self._room = 0  # steps that a block which begins in the midst of what is known has room for at least
        self._handles: dict[bool, Handle] = {}  # of the last blocks, first ones of a run and others
        self._apart: dict[bool, Handle] = {}  # of those that are looked at only
        self._allocate()
        arrays = {id(one): one for one in (owner(array) for _, array in self.scratch())}
        self._fresh = [(array, array.copy()) for array in arrays.values()]
        self._begin()

    def _allocate(self) -> None:
        """Make what a method writes besides."""

    def _begin(self) -> None:
        """Be at the start of the scene, once all arrays are as they were made."""
        self.done = 0
        self.leave()
        self.failure: SimulationError | None = None  # of a controller, see loop.LOST
        self.anew = True  # the next step begins without a history: at the start, or from a state set by hand
        model, (q, v, _) = self.compiled.model, self.compiled.initial
        self.state.q[:] = self.work.q_new[:] = q
        self.state.v[:] = v
        if model.wheels is not None:
            model.wheels.pace[:] = self.h
        if model.joints is not None and self.method.staggered:
            put_spring_compliance(model.joints, model.rows.compliance, self.h)
        if self.held_cones is not None:
            self.held_cones.mu[:] = friction_of_cones(model)
        self.schedule = Schedule(self)

    def restart(self, scene: Scene, settle: Callable[[Compiled], Compiled]) -> None:
        """Be at the start of a scene of the same structure, as a new stepper would be.

        settle : brings a compiled scene to where it starts

        Raises
        ------
        SceneError : the scene cannot start
        """
        for array, fresh in self._fresh:
            array[...] = fresh
        if scene is not self.compiled.declared:
            driver = self.compiled.driver
            self.compiled = settle(self.compiled.put(scene))
            if self.compiled.driver is not driver:
                self._ahead = None
        self._begin()

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Whatever is written inside is as it was at the end, and the block goes on."""
        undo, under_way = self.keep(), self._under_way
        self._under_way, self._handles, self._apart = None, self._apart, self._handles
        try:
            yield
        finally:
            undo()
            self._under_way, self._handles, self._apart = under_way, self._apart, self._handles

    def keep(self) -> Callable[[], None]:
        """What brings back all that changes from step to step to what it is now."""
        before = [array.copy() for array, _ in self._fresh]

        def undo() -> None:
            for (array, _), values in zip(self._fresh, before, strict=True):
                array[...] = values

        return undo

    @cached_property
    def weight(self) -> float:
        """Of all bodies [N]."""
        bodies = self.compiled.model.bodies
        return float(bodies.mass.sum() * np.linalg.norm(bodies.gravity))

    @cached_property
    def closed(self) -> bool:
        """Whether hard wires and joints have more rows than bodies and wheels have freedoms: some depend on others."""
        model = self.compiled.model
        rows = len(model.rows.kind) - int((model.contacts.row >= 0).sum()) - int(np.count_nonzero(model.wires.elastic))
        wheels = 0 if model.sheaves is None else len(model.sheaves.node)
        return rows > int(np.where(model.bodies.rotates, 6, 3).sum()) + wheels

    def written(self) -> Iterator[tuple[str, np.ndarray]]:
        """All that changes from step to step, by a path such as ``work.cable.S``: state, warm starts, what is off."""
        return self.scratch()

    def scratch(self) -> Iterator[tuple[str, np.ndarray]]:
        """What of it is made once, and as it was made at every start."""
        yield from leaves("state", self.state)
        yield from leaves("work", self.work)
        for name, part in self.watch._asdict().items():
            if name != "event":  # its rows have been told
                yield from leaves(f"watch.{name}", part)
        yield from leaves("memory", self.memory)
        yield from written(self.compiled.model)

    @cached_property
    def numbers(self) -> int:
        """Numbers that are known and recorded of one step."""
        model = self.compiled.model
        return (
            19 * len(model.bodies.mass) + 2 * len(model.rows.kind) + 2 * len(model.wires.a) + 6 * len(model.points.node)
        )

    @property
    def share(self) -> float:
        """Time over which the rates of the problem at hand make gaps [s]."""
        return self.h

    @property
    def lag(self) -> int:
        """Rows by which a step's forces are recorded after the pose they belong to."""
        return 0 if self.method.staggered else 1

    @property
    def model(self) -> Model:
        """The model that it steps."""
        return self.compiled.model

    @staticmethod
    def convert(values: Floats) -> Floats:
        """Plain numbers, which those of the run are."""
        return values

    @property
    def time(self) -> float:
        """Time of the state [s]."""
        return self.done * self.h

    def leave(self) -> None:
        """Go on with no block: what is written to the state or ``work`` now does not belong to it."""
        if self._under_way is not None:
            self._under_way, self._room = None, 0

    def depart(self) -> None:
        """Go on from another instant, or in another way than was foreseen."""
        self.leave()

    def ahead(self, n: int, *, more: bool = False) -> Steps:
        """The next n steps, and what is known of them; results share it, to be read only.

        more : whether others are likely to follow, as by hand: ever more are sampled
        """
        ahead, most = self._ahead, n
        if ahead is not None:
            k = self.done - ahead.done
            if k >= 0 and k + n <= ahead.last and ahead.up_to_date(k):
                return Steps(ahead, k, k + n)
            if more and k == ahead.last:
                most = max(n, min(AHEAD, 2 * ahead.last))
        try:
            self._ahead = ahead = self._look_ahead(most)
        except SimulationError:  # a motion that is not finite later on
            if most == n:
                raise
            self._ahead = ahead = self._look_ahead(n)
        return Steps(ahead, 0, n)

    def drive(self, steps: int) -> tuple[Floats, Drive]:
        """Times of the next steps, this instant first, and what is known of them."""
        if steps:
            return self.ahead(steps).known()
        time = times(self.done, 0, self.h)
        return time, self.known(time)

    def _look_ahead(self, steps: int) -> Ahead:
        time, driver = times(self.done, steps, self.h), self.compiled.driver
        written = self.known(time)
        drive = Drive._make([part.view() for part in written])
        for part in drive:
            part.flags.writeable = False
        return Ahead(driver, driver.told, self.done, time, drive, None if self.method.multistep else written)

    def known(self, time: Floats) -> Drive:
        """What is known at times h apart, with what jumps."""
        return jumps.known(self.compiled.driver, time, self.h)

    def gaps(self) -> tuple[Floats, Floats]:
        """As of ``Switched``."""
        time, drive = self.drive(0)
        record = self._row(time, drive)
        return record.gap[0], drive.length[0]

    @property
    def loaded(self) -> bool:
        """Whether the kernel of a block is in this process already."""
        return self.run_arrays._numba_type_ in _loaded

    def load(self) -> Drive:
        """Compile the kernel of a block, or fetch it from the cache, without a step; returns what is known now."""
        with self.undone():  # of nothing that is known: another process may compile what samples it meanwhile
            self._row(times(self.done, 0, self.h), self.compiled.driver.blank(1))
        _loaded.add(self.run_arrays._numba_type_)
        return self.drive(0)[1]

    def _row(self, time: Floats, drive: Drive) -> Record:
        """A record whose row 0 is this instant."""
        record = make_record(self.compiled, 0)
        self._dialogue(time[:1], drive, False, record).advance(0, 0)
        return record

    def run(self, steps: Steps, solve: Solve | None = None, *, close: bool = False) -> Block:
        """Take steps; with ``solve`` in a Python loop, otherwise compiled with the active set.

        close : end with the kick of SHAKE's last row, if all these steps are taken and its problem is solved
        """
        self.watch.found[0] = 0
        switched = self.schedule.apply()
        n = min(steps.stop - steps.row, self.schedule.steps_until_next())
        close = close and self.method.staggered and n == steps.stop - steps.row
        if switched or solve is not None or self.anew or not self._goes_on(steps, n, close=close):
            self.leave()
        under_way = self._under_way or self._begun(steps, n, solve, close=close)
        block, k, record = under_way.block, under_way.row, under_way.record
        stop = min(k + n, block.last)
        if len(self.work.off):
            self.work.broken[:] = gone(self.work.off)
        first, lag = self.done == 0, self.lag
        reached, reason, code = self._advance(under_way, stop, close=close)
        more = solve is None and reason in (loop.GOOD, loop.FULL) and reached < block.last
        under_way.row = reached
        self._under_way = under_way if more else None
        if not more:
            self._room = 2 * block.last if reached == block.last else 0
            for handle in self._handles.values():
                handle.let_go()  # or else the record would live as long as the stepper
        if first and reached and lag:
            begin_with_first_step(record)
        closed = close and reason == loop.GOOD
        if close and reached == stop and reason == loop.UNSOLVED:  # the kick, not a step
            reason, code = loop.GOOD, 0
        found = int(self.watch.found[0])
        self.done += reached - k
        self.anew = self.anew and reached == k
        return Block(
            time=block.time,
            first=k if first or not lag else k + 1,
            stop=reached + lag + closed,
            record=record,
            drive=block.drive,
            row=reached,
            reason=reason,
            code=code,
            steps=reached - k,
            events=self.watch.event[:found].copy() if found else NO_EVENTS,
            lag=lag,
            angle=self.work.axis[:, 0].copy(),
            switched=tuple(switched),
            gone=self.work.broken.copy(),
            closed=closed,
        )

    def _goes_on(self, steps: Steps, n: int, *, close: bool) -> bool:
        """Whether the next n steps are those after what is taken of the block under way, and, to close, its last."""
        under_way = self._under_way
        if under_way is None or under_way.known is not steps.ahead or under_way.begin + under_way.row != steps.row:
            return False
        last = under_way.block.last
        return not close or (under_way.row + n == last and not under_way.block.drive.kink[last])

    def _begun(self, steps: Steps, n: int, solve: Solve | None, *, close: bool) -> UnderWay:
        """A block that begins with these n steps; if others may follow, with room for more of those that are known."""
        known, k, _ = steps
        stop = k + n
        if not close and solve is None:
            stop = known.last if k == 0 else min(known.last, max(stop, k + self._room))
        block = known.part(k, stop)
        if close:
            drive = jumps.at_the_end(self.compiled.driver, block.time, self.h, block.drive)
            block = replace(block, drive=drive)
        record = make_record(self.compiled, block.last)
        dialogue = self._dialogue(block.time, block.drive, self.anew, record, solve)
        return UnderWay(known, k, block, 0, record, dialogue)

    def begin(self) -> None:
        """Begin the next step: its problem is then in ``work``; nothing else changes."""
        time, drive = self.drive(1)
        self._dialogue(time, drive, self.anew, make_record(self.compiled, 1), ask=True).call(0, 0, 1)

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
        """The compiled loop over a block; ``ask``: it hands out all problems, as it does with ``solve``."""
        self.leave()
        run, block = self.run_arrays, self._block_arrays(loop.BlockArrays(drive, time, first, record))
        kernels, ask = LOOPS[self.method.name], ask or solve is not None

        def call(k: int, solved: int, stop: int, *, ask: bool = ask) -> Called:
            found: Called = kernels.run_block(run, block, ask, k, solved, stop)
            return found

        return Dialogue(self, call, record, drive.robot, solve)

    @property
    def by_address(self) -> bool:
        """Whether who knows a ``way`` only can step it."""
        return type(self) is Stepper and self.large is None

    def way(self, block: Handle, *_: Any) -> Way:
        """How blocks like this one are stepped."""
        run_block = LOOPS[self.method.name].run_block
        return way(run_block, run_block, self.run_arrays, block, block)

    def references(self, first: int, time: Floats) -> list[Floats]:
        """What controllers follow, see ``Runtime.references``."""
        return []

    def _block_arrays(self, value: loop.BlockArrays) -> Handle:
        """What the loop gets of a block: the handle of the last one, as long as blocks are of one size."""
        handle = self._handles.get(value.first)
        if handle is None or not handle.show(value):
            handle = self._handles[value.first] = Handle(value)
        return handle

    @cached_property
    def large(self) -> Handle | None:
        """The order of problems with many rows, and room to solve them in.

        Where rows depend on others for want of freedoms, the loop solves and watches them itself.
        """
        found = None if self.closed else large_problem(self.compiled.model)
        return None if found is None else Handle(found)

    @cached_property
    def watching(self) -> Handle:
        """The watch over wires and contacts, as kernels get it."""
        return Handle(self.watch)

    @cached_property
    def run_arrays(self) -> Handle:
        """What the loop needs of this run, whose arrays stay where they are."""
        compiled = self.compiled
        return Handle(
            loop.RunArrays(
                compiled.model,
                compiled.cables,
                self.held_cones,
                self.large,
                self.h,
                self.stretch_limit,
                self.state,
                self.work,
                *self.memory,
                self.watching,
                None,
            )
        )

    def _advance(self, under_way: UnderWay, stop: int, *, close: bool) -> tuple[int, int, int]:
        """On to row ``stop`` of the block: the row reached, why it ended, and a solver's status."""
        return under_way.dialogue.advance(under_way.row, stop + close)

    def close(self, solve: Solve | None, behind: Solve) -> Block:
        """The last row of a SHAKE run by itself: a kick after which nothing moves.

        Where its problem has no solution, the impulses of the step before stand there, and the row's status says so.

        solve : as of ``run``;  behind : is asked where that finds no solution
        """
        time, drive = self._last_two()
        record = make_record(self.compiled, 1)
        _, reason, code = self._dialogue(time, drive, False, record, solve).advance(1, 2)
        if reason == loop.UNSOLVED:
            kick = self._dialogue(time, drive, False, record, ask=True).call
            kick(1, 0, 2)
            answer = behind(self)
            if not answer.solved:
                self.work.p[:] = self.state.p
            record.status[1] = code = hand_back(self, answer)
            kick(1, 1, 2)
        return self._rows(time, drive, record, 1, 2)._replace(code=code, closed=True)

    def _last_two(self) -> tuple[Floats, Drive]:
        """The last step's beginning and end, and what is known of them."""
        ahead = self._ahead
        known = None if ahead is None else ahead.step_to(self.done - ahead.done)
        return self._end() if known is None else (known.time, known.drive)

    def _end(self) -> tuple[Floats, Drive]:
        """As ``_last_two``, for a run that ends here."""
        time = times(self.done - 1, 1, self.h)
        return time, jumps.known(self.compiled.driver, time, self.h, ends=True)

    def start_row(self) -> Block:
        """The state at t = 0, of a run whose first step failed."""
        time, drive = self.drive(0)
        return self._rows(time, drive, self._row(time, drive), 0, 1)

    def empty(self) -> Block:
        """A block without rows, of a run that has none."""
        nothing = self.compiled.driver.blank(0)  # not this instant: a known motion may be why the run ends here
        return self._rows(np.empty(0), nothing, make_record(self.compiled, 0), 0, 0)

    def _rows(self, time: Floats, drive: Drive, record: Record, first: int, stop: int) -> Block:
        """A block of rows in which no step was taken."""
        return Block(time, first, stop, record, drive, self.lag, self.work.axis[:, 0].copy(), gone=gone(self.work.off))

    def under_way(self) -> np.ndarray:
        """The events that are still under way, which end here."""
        self.watch.found[0] = 0
        finish_all(self.watching, 0, len(self.watch.phase))
        return self.watch.event[: self.watch.found[0]].copy()

    def spun(self) -> str | None:
        """Name of a body whose rotation over the step under way was not found, or None.

        Its momentum is finite and its orientation is not: that of the state, or the one SHAKE predicts.
        """
        bodies = self.compiled.model.bodies
        nb = len(bodies.mass)
        momentum = self.work.v_new[: 6 * nb].reshape(-1, 6)[:, 3:]
        lost = np.isnan(self.state.q[: 7 * nb] + self.work.q_new[: 7 * nb]).reshape(-1, 7)[:, 3:].any(axis=1)
        lost |= np.isnan(self.work.turn).any(axis=1)
        found = np.flatnonzero(bodies.rotates & lost & np.isfinite(momentum).all(axis=1))
        return tuple(self.compiled.scene.bodies)[found[0]] if len(found) else None
