"""``Batch``: many copies of a scene, stepped together by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from towsim.constraints.switch import JERK
from towsim.errors import SimulationError, UsageError
from towsim.given import a_whole_number, is_whole, numbers
from towsim.model.arrays import Flags, Floats, Ints, State
from towsim.quote import show
from towsim.results import Event, Labelled
from towsim.run import columns
from towsim.run.copies import JUMPS, UNKNOWN
from towsim.run.options import ByHand, checked, takes
from towsim.run.poses import begin_anew, copied, is_last_of, momentum_of, state_parts, unit_quaternion
from towsim.run.simulation import Moment, Simulation
from towsim.run.swap import Kept, Swap
from towsim.scene import Scene
from towsim.scene.run import MOST_STEPS
from towsim.suggest import is_one_of, unknown

Some = Sequence[int] | Sequence[bool] | np.ndarray | None
"""Copies: a mask (n,), or their numbers; None for all."""

Given = float | Sequence[Any] | np.ndarray
"""Numbers of all copies, or of each: with an axis of the copies in front."""

NO_MOTION: Floats = np.zeros((0, 0, 3, 3))
AS_IT_IS: Floats = np.zeros((0, 0, 3))
"""In place of declared motions that are not known, and of a velocity that is not given; see ``copies``."""


@dataclass(frozen=True, slots=True)
class Moments:
    """All copies of a batch at one instant each; made by ``Batch.snapshot``, of use to ``Batch.restore`` only."""

    origin: tuple[Any, ...]
    kept: Kept


@takes(ByHand)
class Batch:
    """n copies of a scene, in your hands: what ``Simulation`` does, for all of them at once.

    What goes in and comes out has an axis of the copies in front: ``batch["position"].sel(body="box")`` is (n, 3), and
    commands take numbers for all copies, (3,), or for each, (n, 3). A copy does what a ``Simulation`` does that gets
    the same calls, bit for bit. One that is refused stays where it is, see ``failures``; the others go on.

    Copies are stepped by one compiled loop in the methods stewart-trinkle and shake, under laws that are compiled, too.
    Where laws are plain Python, wires or joints are switched, rows very many, or the method or solver is another one,
    they are stepped one after the other, each at the price of a ``Simulation``.

    Parameters
    ----------
    scene : what to simulate; what no controller commands stands still until :meth:`command`
    n : number of copies
    forces : names of bodies on which :meth:`push` acts
    options : as of ``simulate``, by name; nothing is recorded, and ``record_every`` has no meaning

    Attributes
    ----------
    scene, h, n : the scene, the time step [s], and how many copies there are

    Raises
    ------
    UsageError, SceneError : as ``simulate``
    """

    def __init__(self, scene: Scene, n: int, *, forces: Sequence[str] = (), **options: Unpack[ByHand]) -> None:
        if not (is_whole(n) and 1 <= n < 2**63):
            raise UsageError(f"a batch has a whole number >= 1 of copies, which memory can hold, got {show(n)}")
        checked(options, ByHand, ("forces",))
        self._sim = Simulation(scene, forces=forces, record=False, **options)
        self._given = (scene, int(n), tuple(forces), options)
        self.scene, self.h, self.n = scene, self._sim.h, int(n)
        self._swap = Swap(self._sim, self.n)
        self._start = self._swap.keep()
        self._multistep = self._swap.stepper.method.multistep
        self._bodies = tuple(scene.bodies)
        self._robots: dict[tuple[str, ...], Ints] = {}
        self._all: Ints = np.arange(self.n)
        self._seen: dict[str, Labelled] = {}

    def __repr__(self) -> str:
        far = f"{self.time.min():g} to {self.time.max():g} s" if np.ptp(self.time) else f"{self.time[0]:g} s"
        return f"<Batch of {self.n} {self.scene.name} at {far}, {len(self.failures)} failed>"

    def __len__(self) -> int:
        return self.n

    @property
    def time(self) -> Floats:
        """Time that each copy has reached, (n,) [s]."""
        return np.asarray(self._swap.done * self.h, np.float64)

    @property
    def failed(self) -> Flags:
        """(n,) copies that were refused, or cannot go on for another reason; only reset and restore help then."""
        return self._swap.failed

    @property
    def failures(self) -> dict[int, SimulationError]:
        """Why, by number of the copy."""
        return dict(sorted(self._swap.failures.items()))

    def step(self, n: int = 1, copies: Some = None) -> Floats:
        """Advance by n steps, those that have not failed; returns the times reached (copies,) [s]."""
        n = a_whole_number("steps", n, 1, MOST_STEPS)
        chosen = self._chosen(copies)
        self._swap.refuse_places(chosen)
        self._swap.advance(chosen, n)
        return self.time

    def reset(self, copies: Some = None) -> None:
        """Bring copies back to the scene's start, without commands."""
        chosen = self._chosen(copies)
        self._swap.put(self._start, chosen, chosen)

    def snapshot(self) -> Moments:
        """Everything about all copies, as ``Simulation.snapshot``."""
        return Moments(self._origin, self._swap.keep())

    def restore(self, moments: Moments, copies: Some = None) -> None:
        """Bring all copies, or some of them, back to where they were: the same calls then give the same bits.

        Raises
        ------
        UsageError : it is no snapshot of this batch, or of one like it
        """
        if not isinstance(moments, Moments):
            raise UsageError(f"restore takes what snapshot() gave, got {show(moments)}; fork takes a Simulation's")
        if moments.origin != self._origin:
            raise UsageError(
                "this snapshot is of another scene, method or step, or of other forces or another number of copies"
            )
        chosen = self._chosen(copies)
        self._swap.put(moments.kept, chosen, chosen)

    def fork(self, source: Moment | int, copies: Some = None) -> None:
        """Bring copies to one instant: of a simulation (its ``snapshot()``), or of the copy of that number.

        Raises
        ------
        UsageError : as ``Simulation.restore``; or there is no such copy
        """
        chosen = self._chosen(copies)
        if is_whole(source):
            if not 0 <= source < self.n:
                raise UsageError(f"copies have numbers 0 to {self.n - 1}, got {show(source)}")
            self._swap.spread(int(source), chosen)
            return
        self._sim.restore(source)  # type: ignore[arg-type]  # which refuses what is none
        if len(chosen):
            self._swap.take(int(chosen[0]), source.failure)  # type: ignore[union-attr]
            self._swap.spread(int(chosen[0]), chosen)

    def __getitem__(self, name: str) -> Labelled:
        """A variable of all copies at their instants, (copy, ..), such as ``batch["tension"].sel(wire="left")``.

        Names, and what stands there before any step, as of ``Simulation``. Variables that are no part of the record,
        such as ``energy``, are found copy by copy.
        """
        swap, compiled = self._swap, self._swap.stepper.compiled
        swap.refresh()
        if name not in self._seen:
            swap.enter(0)
            self._seen[name] = self._sim[name]  # or why there is none
        one = self._seen[name]
        if columns.stands(compiled, name):
            values = columns.some(compiled, swap.block(), self.h, [name])[name].copy()
        else:
            values = np.stack([self._alone(c, name) for c in range(self.n)])
        return one.stacked("copy", values)

    def _alone(self, c: int, name: str) -> np.ndarray:
        self._swap.enter(c)
        return self._sim[name].values

    @property
    def state(self) -> State:
        """Copy of the states, (n, ..): see ``Simulation.state``. Setting it sets those of all copies."""
        swap = self._swap
        if not swap.stepper.method.staggered:
            return copied(swap.state)
        swap.refresh()
        kept = swap.keep()
        try:
            swap.to_this_instant(self._all)
            return copied(swap.state)
        finally:
            swap.put(kept, self._all, self._all)

    @state.setter
    def state(self, state: State) -> None:
        swap, mine = self._swap, self._swap.state
        given = [
            _numbers(f"state.{name}", one, part.shape)
            for name, one, part in zip(State._fields, state_parts(state), mine, strict=True)
        ]
        swap.to_this_instant(self._all)
        was = copied(mine)
        for part, one in zip(mine, given, strict=True):
            part[:] = one
        begin_anew(swap.stepper, was, mine, self._all, swap.view)
        self._anew(self._all)

    @property
    def events(self) -> list[tuple[int, Event]]:
        """What happened in the last call of :meth:`step`, in the order of time: to which copy, and what."""
        swap = self._swap
        told = columns.Told(swap.stepper.compiled, swap.events[:, 1:])
        found = [*swap.switched, *zip(swap.events[:, 0].astype(int).tolist(), told, strict=True)]
        return sorted(found, key=lambda one: one[1].time)

    def impulses(self) -> Floats:
        """Impulses of the jerks in the last call of :meth:`step`, the sum of each copy's (n,) [N s]."""
        events = self._swap.events
        jerks = events[events[:, 2] == JERK]
        return np.asarray(np.bincount(jerks[:, 0].astype(np.int64), jerks[:, 4], self.n), np.float64)

    def place(
        self,
        body: str,
        *,
        position: Given | None = None,
        quaternion: Given | None = None,
        velocity: Given | None = None,
        angular_velocity: Given | None = None,
        copies: Some = None,
    ) -> None:
        """Put a body of the copies somewhere [m], turn it (wxyz), give it a velocity [m/s, rad/s; world axes].

        The next step is refused, by copy, where that stretches a wire, opens a joint, or is below hard ground.
        """
        if not is_one_of(body, self._bodies):
            raise UsageError(unknown("body", body, self._bodies))
        i, chosen, (q, v, _) = self._bodies.index(body), self._chosen(copies), self._swap.state
        m = len(chosen)
        if angular_velocity is None:
            spin = self["angular_velocity"].values[chosen, i]
        else:
            spin = _numbers("angular_velocity", angular_velocity, (m, 3))
        if self.scene.bodies[body].point and (quaternion is not None or spin.any()):
            raise UsageError(f"body {body!r} is a point mass, which has no orientation: leave it out")
        place, speed = q[chosen, 7 * i : 7 * i + 7], None
        if position is not None:
            place[:, :3] = _numbers("position", position, (m, 3))
        if quaternion is not None:
            place[:, 3:] = unit_quaternion(quaternion, (m, 4))
        if velocity is not None:
            speed = _numbers("velocity", velocity, (m, 3))
        self._swap.to_this_instant(chosen)  # all of it is right
        was = State(*(part[chosen] for part in self._swap.state))
        q[chosen, 7 * i : 7 * i + 7] = place
        if speed is not None:
            v[chosen, 6 * i : 6 * i + 3] = speed
        v[chosen, 6 * i + 3 : 6 * i + 6] = momentum_of(self.scene.bodies[body].inertia_matrix(), place[:, 3:], spin)
        self._swap.fit_joints(chosen, [i])
        now = State(*(part[chosen] for part in self._swap.state))
        begin_anew(self._swap.stepper, was, now, chosen, self._swap.view)
        self._anew(chosen)

    def steer(
        self,
        robot: str | Sequence[str],
        *,
        velocity: Given | None = None,
        acceleration: Given | None = None,
        copies: Some = None,
    ) -> None:
        """From now on a robot moves with this velocity [m/s] and acceleration [m/s²]; see ``Simulation``.

        Of several robots, by their names, numbers have an axis of the robots, after that of the copies.
        """
        names, chosen, swap = _names(robot), self._chosen(copies), self._swap
        if names not in self._robots:
            self._robots[names] = self._places_of(names)
        places, each = self._robots[names], (len(chosen), len(names), 3)
        shape = (len(chosen), 3) if isinstance(robot, str) else each
        after = AS_IT_IS if velocity is None else _numbers("velocity", velocity, shape).reshape(each)
        pull = np.zeros(each) if acceleration is None else _numbers("acceleration", acceleration, shape).reshape(each)
        found = swap.steer_from_now(chosen, places, NO_MOTION, after, pull)
        if found == UNKNOWN:
            found = swap.steer_from_now(chosen, places, self._declared(chosen, places), after, pull)
        if found == JUMPS:
            raise UsageError("a carrier of mrfe cables cannot jump to a velocity: steer it with an acceleration")
        self._commanded(chosen)

    def _places_of(self, names: tuple[str, ...]) -> Ints:
        """Where robots are among those that move as they are told; vehicles are bodies, and a frame's points robots."""
        robots = tuple(self._swap.stepper.compiled.scene.robots)
        for one in names:
            self._sim.check_steered(one)
            if not is_one_of(one, robots):
                raise UsageError(unknown("robot", one, robots))
        return np.array([robots.index(one) for one in names], np.int64)

    def _declared(self, chosen: Ints, places: Ints) -> Floats:
        """Position, velocity and acceleration (.., 3, 3) of robots as declared."""
        instants, which = np.unique(self._swap.done[chosen], return_inverse=True)
        known = self._sim.parts[2].declared("robot", np.asarray(instants * self.h, np.float64))
        return np.stack(known, axis=2)[which][:, places]

    def push(
        self,
        body: str | Sequence[str],
        force: Given = (0.0, 0.0, 0.0),
        torque: Given = (0.0, 0.0, 0.0),
        *,
        body_axes: bool = False,
        copies: Some = None,
    ) -> None:
        """From now on a force [N] and a torque [N m] act on a body of ``forces``; see ``Simulation``.

        Of several bodies, by their names, numbers have an axis of the bodies, after that of the copies.
        """
        chosen, names, commands = self._chosen(copies), _names(body), self._sim.parts[2]
        shape = (len(chosen), 3) if isinstance(body, str) else (len(chosen), len(names), 3)
        pushed = np.zeros((len(chosen), len(names), 4, 3))
        each = len(chosen), len(names), 3
        pushed[:, :, 2 if body_axes else 0] = _numbers("force", force, shape).reshape(each)
        turned = pushed[:, :, 3 if body_axes else 1] = _numbers("torque", torque, shape).reshape(each)
        loads = [commands.loads_of(one, turned[:, k]) for k, one in enumerate(names)]
        orders, staggered = self._swap.orders, self._swap.stepper.method.staggered
        now = np.where(staggered & ~self._swap.anew[chosen], self._swap.done[chosen], -1)  # as of ``Commands.push``
        news = chosen[orders.pushed_at[chosen] != now]
        orders.until[news], orders.pushed_at[chosen] = orders.force[news], now
        for k, one in enumerate(loads):
            orders.force[chosen, one] = pushed[:, k]
        self._commanded(chosen)

    def command(self, name: str, values: Given | None, copies: Some = None) -> None:
        """From now on the actuators of a vehicle, body or winch of the copies get these numbers; see ``Simulation``."""
        places, control = self._sim.check_commanded(name)
        chosen, held, sampled = self._chosen(copies), control.held, self._swap.view(control.sampled)[:, 0]
        by_hand, command = self._swap.view(held.by_hand), self._swap.view(held.command)
        what = f"command of {name!r}"
        one = len(places) == 1 and values is not None and np.ndim(values) == 0  # which need not be in a list
        given = np.nan if values is None else _numbers(what, [values] if one else values, (len(chosen), len(places)))
        by_hand[chosen[:, None], places] = given
        begun = chosen[sampled[chosen] >= 0]  # what acts in the others begins with the first sample
        self._swap.stale[chosen[sampled[chosen] < 0]] = True
        command[begun] = np.where(np.isnan(by_hand[begun]), command[begun], by_hand[begun])
        self._swap.commanded[chosen] = True

    def feed(self, wire: str, *, rate: Given | None = None, length: Given | None = None, copies: Some = None) -> None:
        """From now on a massless wire is paid out, or hauled in [m/s], to a length [m]; see ``Simulation``."""
        chosen = self._chosen(copies)
        rates, lengths = (
            [None] * len(chosen) if given is None else _numbers(what, given, (len(chosen),)).tolist()
            for what, given in (("rate", rate), ("length", length))
        )
        before = self._swap.keep()
        try:
            for c, speed, until in zip(chosen.tolist(), rates, lengths, strict=True):
                self._swap.enter(c)
                self._sim.feed(wire, rate=speed, length=until)
                self._swap.leave(c)
                self._swap.stale[c] |= self._swap.anew[c] or self._swap.stepper.method.staggered
        except UsageError:
            self._swap.put(before, chosen, chosen)
            raise

    def _commanded(self, chosen: Ints) -> None:
        self._swap.stale[chosen] |= self._swap.stepper.method.staggered  # half a kick with it is of this instant
        if self._multistep:
            self._anew(chosen)

    def _anew(self, chosen: Ints) -> None:
        self._swap.anew[chosen] = self._swap.stale[chosen] = self._swap.commanded[chosen] = True
        self._swap.orders.pushed_at[chosen] = -1

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles hold the scene, the options and a snapshot, no kernels; copies share nothing."""
        return _again, (type(self), *self._given, self.snapshot())

    @property
    def _origin(self) -> tuple[Any, ...]:
        return *self._given[:3], self._swap.stepper.method.name, self.h

    def _chosen(self, copies: Some) -> Ints:
        """Numbers of some copies. Raises UsageError."""
        if copies is None:
            return self._all
        given = np.asarray(copies)
        if given.dtype == np.bool_ and given.shape == (self.n,):
            return self._all if given.all() else np.flatnonzero(given)
        whole = given.astype(np.int64) if given.ndim == 1 and (given.dtype.kind in "iu" or not given.size) else None
        if whole is None or (whole < 0).any() or (whole >= self.n).any() or len(np.unique(whole)) < len(whole):
            raise UsageError(
                f"copies are a mask ({self.n},), or numbers 0 to {self.n - 1}, none of them twice, got {show(copies)}"
            )
        return whole


def _again(kind: type[Batch], scene: Scene, n: int, forces: tuple[str, ...], options: ByHand, then: Moments) -> Batch:
    """A batch made with these arguments, at that instant."""
    made = kind(scene, n, forces=forces, **options)
    made.restore(then)
    return made


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _numbers(what: str, value: Any, shape: tuple[int, ...]) -> Floats:
    """Finite numbers, of all copies or of each: broadcast to a shape (copies, ..). Raises UsageError."""
    try:
        found = np.array(numbers(what, value))
    except UsageError:
        found = np.full(1, np.nan)
    if not (np.isfinite(found).all() and is_last_of(found.shape, shape)):
        raise UsageError(f"{what} must be finite numbers of shape {shape[1:]} or {shape}, got {show(value)}")
    return found if found.shape == shape else np.array(np.broadcast_to(found, shape))
