"""The copies of a batch: what belongs to each, brought to where one simulation works, and back.

A copy is a row of everything that a stepper writes, with the steps it has done, its commands, and its last row of the
record. Most copies are stepped by one compiled loop (``copies``); those that it leaves, the simulation takes up, and
goes on with as it always does. So a copy has the bits of a simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from solvers.kernels.entry import Way
from solvers.kernels.handle import COMPILED, Handle
from towsim.arena import LINE, leaves, owner, taken
from towsim.control.actuators import Inputs
from towsim.errors import SimulationError
from towsim.methods import loop
from towsim.methods.block import NO_EVENTS, Block, times
from towsim.methods.schedule import gone
from towsim.methods.work import Record, make_record
from towsim.model.arrays import Drive, Flags, Floats, Ints, State
from towsim.results import Event
from towsim.run import copies, snapshot
from towsim.run.arm_poses import fit_joints
from towsim.run.blocks import BLOCK, BLOCK_NUMBERS
from towsim.run.commands import Feeding, Steering
from towsim.run.placed import refused_arms, refused_places
from towsim.run.poses import motion_of
from towsim.run.setup import refuse_what_memory_cannot_hold
from towsim.run.simulation import Simulation

CHUNK = 256
"""Steps of a copy before the next one has its turn, at most: record and known motions then stay near the core."""


class Rows(NamedTuple):
    """Rows of each copy's record, what was known at them, and what was commanded and read there."""

    record: Record
    drive: Drive
    inputs: Any


class Prepared(NamedTuple):
    """For chunks of so many steps: the copies, and how a block is stepped, and one without a history."""

    copies: Handle
    block: Way
    begun: Way


@dataclass(slots=True)
class Kept:
    """All copies at one instant each, copied out."""

    memory: np.ndarray
    done: Ints
    anew: Flags
    stale: Flags
    commanded: Flags
    orders: copies.Orders
    facts: list[Mapping[str, Any]]
    failures: dict[int, SimulationError]


class Swap:
    """n copies of a simulation, which are what it is now.

    Attributes
    ----------
    state : of all copies, (n, ..), to be written to
    last : the last row of each copy's record
    done, anew : (n,) steps that are done, and whether the next one begins without a history
    stale : (n,) whether the copy's last row is not yet that of this instant
    commanded : (n,) as of ``Simulation``
    orders : what is commanded
    failures : why copies go no further, by number
    events : (.., 7) copy, and event of the watch, of the last call of ``advance``;  switched : others
    """

    def __init__(self, sim: Simulation, n: int) -> None:
        self.sim, self.n = sim, n
        self.stepper, self._run, self._commands = sim.parts
        stepper, compiled = self.stepper, self.stepper.compiled
        owners = {id(owner(array)): taken(array) for _, array in stepper.written()}
        self._pieces = list(owners.values())
        block = sim.row()
        row = Rows(block.record, block.drive, block.inputs)
        sizes = [-(-one.nbytes // LINE) * LINE for one in owners.values()]
        # Forces of joints act where the step begins (joint_columns): that row is kept as well where there are any.
        self._depth = 2 if stepper.lag and not stepper.method.multistep and compiled.scene.joints else 1
        sizes += [-(-self._depth * _size(array) // 8) * 8 for _, array in leaves("row", row)]
        ends: list[int] = np.cumsum([0, *sizes]).tolist()
        robots, wires = len(compiled.scene.robots), len(compiled.model.wires.a)
        most = 2.0 * (ends[-1] / 8.0 + 15 * robots + 5 * wires + 2 * self._commands.forces.size)  # now, at the start
        refuse_what_memory_cannot_hold(most, n, "copies of this batch", "take fewer")
        self._starts, places = ends[: len(owners) + 1], iter(ends[len(owners) :])
        self._memory = np.zeros((n, -(-ends[-1] // LINE) * LINE), np.uint8)
        self._places = {key: (one, start) for (key, one), start in zip(owners.items(), self._starts, strict=False)}
        self.state = State(*(self.view(part) for part in stepper.state))
        self._rows: Rows = _mapped(row, lambda array: self._shown(_like(array, self._depth), next(places)))
        self._kept = [array for _, array in leaves("rows", self._rows)]
        self.last: Rows = _mapped(self._rows, lambda array: array[:, -1])
        self.orders = copies.Orders(
            steered=np.zeros((n, robots), np.bool_),
            steered_at=np.zeros((n, robots), np.int64),
            steer=np.zeros((n, robots, 5, 3)),
            fed=np.zeros((n, wires), np.bool_),
            fed_at=np.zeros((n, wires), np.int64),
            feed=np.zeros((n, wires, 5)),
            force=np.zeros((n, *self._commands.forces.shape)),
            until=np.zeros((n, *self._commands.forces.shape)),
            pushed_at=np.full(n, -1),
        )
        self._given_orders = Handle(self.orders)
        self.done: Ints = np.zeros(n, np.int64)
        self.anew, self.stale, self.commanded = np.zeros((3, n), np.bool_)
        self.failures: dict[int, SimulationError] = {}
        self.switched: list[tuple[int, Event]] = []
        self.events: Floats = np.zeros((0, 7))
        self._facts: list[Mapping[str, Any]] = [{}] * n
        self._prepared: dict[int, Prepared] = {}
        self._left: Flags = np.zeros(n, np.bool_)
        self._room, self._told = np.zeros((4 * n + 2 * len(stepper.watch.event), 7)), np.zeros(1, np.int64)
        self._first, self._known = np.zeros(1, np.int64), compiled.driver.blank(0)
        self._seen: Ints = np.full(2, -1)
        self._shared: Handle | None = None  # of a block of all that is known
        self._shared_way: Way | None = None
        self.take(0, None)
        self.spread(0, np.arange(n))

    @property
    def failed(self) -> Flags:
        """(n,) copies that go no further."""
        found = np.zeros(self.n, np.bool_)
        found[list(self.failures)] = True
        return found

    @cached_property
    def _most_known(self) -> int:
        """Steps for which known motions are sampled at once, at most; copies that are farther apart go in groups."""
        return max(CHUNK, min(BLOCK, BLOCK_NUMBERS // self.stepper.numbers))

    @cached_property
    def fast(self) -> bool:
        """Whether the compiled loop steps copies at all, and not the simulation one after the other."""
        stepper = self.stepper
        plain = stepper.by_address and self._run.solve is None
        watched = stepper.closed and not stepper.friction
        return COMPILED and plain and not stepper.compiled.switch_owners and (stepper.lag == 1 or not watched)

    def view(self, array: np.ndarray) -> np.ndarray:
        """What the copies have, (n, ..), of an array of the stepper's."""
        piece, start = self._places[id(owner(array))]
        return self._shown(array, start + array.ctypes.data - piece.ctypes.data)

    def _shown(self, like: np.ndarray, at: int) -> np.ndarray:
        """Arrays (n, ..) like this one, which begin at this byte of what belongs to each copy."""
        strides = np.empty(like.shape, like.dtype).strides
        return np.ndarray((self.n, *like.shape), like.dtype, self._memory, at, (self._memory.shape[1], *strides))

    def keep(self) -> Kept:
        """All copies, for ``put``."""
        memory, done, anew, stale, commanded, *orders = (one.copy() for one in self._arrays())
        facts, failures = self._facts.copy(), self.failures.copy()
        return Kept(memory, done, anew, stale, commanded, copies.Orders._make(orders), facts, failures)

    def put(self, kept: Kept, chosen: Ints, source: Ints) -> None:
        """Bring copies to where those of these numbers were."""
        for mine, given in zip(self._arrays(), _arrays_of(kept), strict=True):
            mine[chosen] = given[source]
        for c, other in zip(chosen.tolist(), source.tolist(), strict=True):
            self._facts[c] = kept.facts[other]
            self.failures.pop(c, None)
            if other in kept.failures:
                self.failures[c] = kept.failures[other]

    def spread(self, source: int, chosen: Ints) -> None:
        """Make copies what one of them is."""
        for mine in self._arrays():
            mine[chosen] = mine[source].copy()
        failure = self.failures.get(source)
        for c in chosen.tolist():
            self._facts[c] = self._facts[source]
            self.failures.pop(c, None)
            if failure is not None:
                self.failures[c] = failure

    def _arrays(self) -> list[np.ndarray]:
        return [self._memory, self.done, self.anew, self.stale, self.commanded, *self.orders]

    def steer_from_now(
        self, chosen: Ints, places: Ints, declared: Floats, velocity: Floats, acceleration: Floats
    ) -> int:
        """Command motions of robots of copies, see ``copies``."""
        smooth = bool(self.stepper.compiled.cable_names)
        given = chosen, places, self.done, self.stepper.h, declared, velocity, acceleration, smooth
        return int(copies.steer_from_now(self._given_orders, *given))

    def take(self, c: int, failure: SimulationError | None) -> None:
        """Make copy c what the simulation is now."""
        self.leave(c)
        self._write_row(c)
        self.failures.pop(c, None)
        if failure is not None:
            self.failures[c] = failure

    def refresh(self) -> None:
        """Bring the last rows of all copies to this instant."""
        stale = np.flatnonzero(self.stale)
        if self.fast and self.stepper.lag and len(stale):
            asks = (self.done[stale] == 0) & (self.last.inputs is not None)  # which the simulation does, at the start
            stale = np.concatenate([stale[asks], self._loop(stale[~asks], 0)])
        for c in stale.tolist():
            self.enter(c)
            self._write_row(c)
        self.stale[:] = False

    def refuse_places(self, chosen: Ints) -> None:
        """Let copies fail whose states were set by hand to what no step is taken from."""
        if not len(anew := chosen[self.anew[chosen]]) or not len(anew := anew[~self.failed[anew]]):
            return
        self.refresh()
        stepper, (record, drive, _) = self.stepper, self.last
        off, time = self.view(stepper.work.off), np.asarray(self.done[anew] * stepper.h, np.float64)
        refused = refused_places(stepper, record.gap[anew], drive.length[anew], off[anew], time)
        if stepper.model.arms is not None:
            for i, c in enumerate(anew.tolist()):
                torn = refused_arms(stepper, drive.robot[c], self.state.q[c], float(time[i]))
                if torn is not None:
                    refused.setdefault(i, torn)
        for i, failure in refused.items():
            self.failures[int(anew[i])] = failure

    def fit_joints(self, chosen: Ints, bodies: Collection[int]) -> None:
        """Let the reduced joints of copies follow bodies that were put somewhere."""
        arms = self.stepper.model.arms
        if arms is not None and not set(bodies).isdisjoint(arms.body.tolist()):
            for c in chosen.tolist():
                self.enter(c)
                fit_joints(self.stepper, bodies)
                self.leave(c)

    def to_this_instant(self, chosen: Ints) -> None:
        """Bring velocities in the states of copies to this instant; SHAKE has those half a step before."""
        between = chosen[~self.anew[chosen]] if self.stepper.method.staggered else chosen[:0]
        if len(between):
            self.refresh()
            record, (q, v, _), inertia = self.last.record, self.state, self.stepper.model.bodies.inertia
            now = motion_of(inertia, q[between], record.velocity[between], record.angular_velocity[between])
            v[between, : now.shape[1]] = now
            self.fit_joints(between, range(len(inertia)))

    def block(self, c: int | None = None) -> Block:
        """The last rows of all copies, or that of one, behind the row before it where that is kept."""
        stepper, rows, before = self.stepper, self.last, 0
        done = self.done
        if c is not None:
            rows, before = _mapped(self._rows, lambda array: array[c]), self._depth - 1
            done = np.maximum(self.done[c] - np.arange(before, -1, -1), 0)
        time = np.asarray(done * stepper.h, np.float64)
        angle, off = stepper.work.axis[:, 0].copy(), gone(stepper.work.off)
        there = rows.record, rows.drive
        return Block(time, before, len(time), *there, before, angle, row=before, inputs=rows.inputs, gone=off)

    def advance(self, chosen: Ints, steps: int) -> None:
        """Take copies some steps on, those that have not failed."""
        self.switched, found = [], []
        if len(new := chosen[~self.commanded[chosen]]):
            self.commanded[new] = self.orders.given(new)
        with self._run.ctrl_c:
            while steps:
                k = min(CHUNK, steps) if self.fast else steps
                if self.failures:
                    chosen = chosen[~self.failed[chosen]]
                self._told[0] = 0
                left = self._loop(chosen, k) if self.fast else chosen
                found.append(self._room[: self._told[0]].copy())
                for c in left.tolist():
                    self._run.ctrl_c.here()
                    found.append(self._by_hand(c, k))
                steps -= k
        self.events = np.concatenate(found)

    def _by_hand(self, c: int, steps: int) -> Floats:
        """Take a copy some steps on as a simulation; returns what happened."""
        self.enter(c)
        self._run.heard, failure = [], None
        try:
            failure = self._run.advance(self.stepper.done + steps)
        except SimulationError as error:  # a known motion that is not finite
            failure = error
        if failure is not None:
            self.failures[c] = failure
        self.leave(c)
        if self.stepper.lag or self.stepper.method.multistep:
            self._write_row(c)
        else:
            self.stale[c] = True
        self.switched += [(c, event) for switched, _ in self._run.heard for event in switched]
        found = np.concatenate([NO_EVENTS, *(events for _, events in self._run.heard)])
        return np.column_stack([np.full(len(found), float(c)), found])

    def enter(self, c: int) -> None:
        """Make the simulation what copy c is."""
        for piece, start in zip(self._pieces, self._starts, strict=False):
            piece[:] = self._memory[c, start : start + len(piece)]
        stepper, orders, h = self.stepper, self.orders, self.stepper.h
        snapshot.recall(stepper, {**self._facts[c], "done": int(self.done[c]), "anew": bool(self.anew[c])})
        motion = {
            int(r): Steering(float(orders.steered_at[c, r]) * h, *orders.steer[c, r].copy())
            for r in np.flatnonzero(orders.steered[c])
        }
        feeding = {
            int(i): Feeding(float(orders.fed_at[c, i]) * h, *orders.feed[c, i].tolist())
            for i in np.flatnonzero(orders.fed[c])
        }
        self._commands.recall((motion, feeding, orders.force[c], orders.until[c], float(orders.pushed_at[c]) * h))
        self._run.last, self.sim.commanded = self.block(c), bool(self.commanded[c])

    def leave(self, c: int) -> None:
        """Make copy c what the simulation is, but for the last row."""
        for piece, start in zip(self._pieces, self._starts, strict=False):
            self._memory[c, start : start + len(piece)] = piece
        stepper, orders, h = self.stepper, self.orders, self.stepper.h
        self._facts[c] = snapshot.facts(stepper)
        self.done[c], self.anew[c], self.commanded[c] = stepper.done, stepper.anew, self.sim.commanded
        motion, feeding, orders.force[c], orders.until[c], pushed = self._commands.memory()
        orders.pushed_at[c] = -1 if pushed < 0.0 else round(pushed / h)
        orders.steered[c], orders.fed[c] = False, False
        for r, one in motion.items():
            orders.steered[c, r], orders.steered_at[c, r] = True, round(one.since / h)
            orders.steer[c, r] = one[1:]
        for i, one in feeding.items():
            orders.fed[c, i], orders.fed_at[c, i] = True, round(one.since / h)
            orders.feed[c, i] = one[1:]

    def _write_row(self, c: int) -> None:
        """Write the last row of copy c, which the simulation is, and the one before it where that is kept."""
        block = self.sim.row()
        some = np.maximum(np.arange(block.stop - self._depth, block.stop), 0)
        there = leaves("row", Rows(block.record, block.drive, block.inputs))
        for mine, (_, array) in zip(self._kept, there, strict=True):
            mine[c] = array[some]
        self.stale[c] = False

    def _loop(self, chosen: Ints, last: int) -> Ints:
        """Take copies ``last`` steps on by the compiled loop, or write their last rows; returns those that it left."""
        stepper, left = self.stepper, []
        self._commands.clear()
        while len(chosen):
            low = int(self.done[chosen].min())
            near = self.done[chosen] <= low + self._most_known
            group, chosen = chosen[near], chosen[~near]
            if not self._know(low, int(self.done[group].max()) + last):
                left.append(group)
                continue
            at = 0
            while at < len(group):
                prepared = self._for(last)
                assert self._shared_way is not None  # made by _know
                way = self._shared_way
                blocks = way.block, prepared.block.block, prepared.begun.block
                entry = way.entry if last else way.now
                at += copies.step_copies(prepared.copies, entry, way.run, *blocks, group[at:], last)
                if at < len(group):
                    self._grow()
            left.append(group[self._left[group]])
            self.stale[group] = not stepper.lag  # of the others the simulation tells
        return np.concatenate([*left, np.empty(0, np.int64)])

    def _grow(self) -> None:
        """Make room for more events."""
        self._room = np.concatenate([self._room, np.zeros_like(self._room)])
        self._prepared.clear()

    def _know(self, low: int, high: int) -> bool:
        """Have known motions at hand from one step to another; False if they are not finite there."""
        rows = len(self._known.kink)
        if rows and self._first[0] <= low and high < self._first[0] + rows:
            return True
        for most in (max(high - low, min(self._most_known, 2 * rows)), high - low):
            try:
                self._known = self.stepper.known(times(low, most, self.stepper.h))
            except SimulationError:  # later on
                continue
            self._first[0], self._seen[0] = low, -1
            self._share()
            return True
        return False

    def _share(self) -> None:
        """Make the block of all that is known, or have the one that is there show it."""
        compiled, time = self.stepper.compiled, times(int(self._first[0]), len(self._known.kink) - 1, self.stepper.h)
        if self._shared is not None and self.last.inputs is None:
            again = self._shared.value._replace(drive=self._known, time=time)
            if self._shared.show(again):
                for prepared in self._prepared.values():
                    self._point(prepared.copies.known, prepared.copies.rows)
                return
        self._shared = Handle(loop.BlockArrays(self._known, time, False, make_record(compiled, len(time) - 1)))
        self._inputs = self._room_for_inputs(len(time))
        self._references = self.stepper.references(int(self._first[0]), time)
        self._shared_way = self._way(self._shared, self._inputs, self._first)
        self._prepared.clear()

    def _room_for_inputs(self, rows: int) -> Inputs | None:
        """Room for what is commanded and read, in a scene with controllers."""
        return None if self.last.inputs is None else Inputs._make(_like(array, rows) for array in self.last.inputs)

    def _way(self, block: Handle, inputs: Inputs | None, begun: Ints) -> Way:
        return self.stepper.way(block, inputs, begun, self._references, self._first)

    def _point(self, known: Ints, rows: Ints) -> None:
        """Tell where what is known is, and where the shared block's rows are."""
        assert self._shared is not None
        known[:, 0] = [array.ctypes.data for array in self._known]
        shared = Rows(self._shared.record, self._known, self._inputs)
        rows[:, 1] = [array.ctypes.data for _, array in leaves("rows", shared)][: len(rows)]

    def _for(self, last: int) -> Prepared:
        """The handles for chunks of ``last`` steps."""
        if last not in self._prepared:
            self._prepared[last] = self._prepare(last)
        return self._prepared[last]

    def _prepare(self, last: int) -> Prepared:
        stepper, paths = self.stepper, self._run.paths
        drive = Drive._make(_like(array, last + 1) for array in self.last.drive)
        record, time = make_record(stepper.compiled, last), np.zeros(last + 1)
        inputs, begun = self._room_for_inputs(last + 1), np.zeros(1, np.int64)
        rows = [array for _, array in leaves("rows", Rows(record, drive, inputs))]
        known = np.array([[0, array.ctypes.data, _size(array)] for array in drive], np.int64)
        places = np.array(
            [[one.ctypes.data, 0, mine.ctypes.data, _size(one)] for one, mine in zip(rows, self._kept, strict=False)],
            np.int64,
        )
        self._point(known, places)
        assert self._shared is not None
        given = copies.Copies(
            memory=self._memory.ctypes.data,
            size=self._memory.shape[1],
            done=self.done,
            anew=self.anew,
            left=self._left,
            pieces=np.array([[piece.ctypes.data, len(piece)] for piece in self._pieces], np.int64),
            starts=np.array(self._starts, np.int64),
            known=known,
            rows=places,
            depth=self._depth,
            first=self._first,
            begun=begun,
            seen=self._seen,
            h=stepper.h,
            orders=self.orders,
            shared=self._shared,
            drive=drive,
            time=time,
            q=stepper.state.q,
            p=stepper.work.p,
            force=record.force,
            impulse=record.impulse,
            weight=stepper.weight if stepper.closed and not stepper.friction else -1.0,
            lag=stepper.lag,
            found=stepper.watch.found,
            event=stepper.watch.event,
            events=self._room,
            told=self._told,
            search=paths.handle,
        )
        blocks = [Handle(loop.BlockArrays(drive, time, first, record)) for first in (False, True)]
        return Prepared(Handle(given), *(self._way(block, inputs, begun) for block in blocks))


def _like(array: np.ndarray, n: int) -> np.ndarray:
    return np.zeros((n, *array.shape[1:]), array.dtype)


def _size(array: np.ndarray) -> int:
    """Bytes of a row."""
    return array.itemsize * int(np.prod(array.shape[1:]))


def _mapped(thing: Any, change: Callable[[np.ndarray], np.ndarray]) -> Any:
    """The same nested tuple, with other arrays."""
    if thing is None or isinstance(thing, np.ndarray):
        return thing if thing is None else change(thing)
    return type(thing)._make([_mapped(part, change) for part in thing])


def _arrays_of(kept: Kept) -> list[np.ndarray]:
    return [kept.memory, kept.done, kept.anew, kept.stale, kept.commanded, *kept.orders]
