"""Robots, wires and forces that are commanded while a run goes on, in place of or besides what the scene declares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from towsim.errors import SimulationError, UsageError
from towsim.given import a_number, numbers
from towsim.model.arrays import FORCE, MOMENT, THRUST, TORQUE, Drive, Floats, Loads, pack
from towsim.model.compile import Compiled
from towsim.model.drive import NEVER, Driver
from towsim.model.jumps import Jumps
from towsim.quote import show
from towsim.suggest import is_one_of, unknown

KINDS = (FORCE, TORQUE, THRUST, MOMENT)
"""Loads of each body that takes commands: force and torque in world axes, force and torque in body axes."""


SHORT = 1e-5
"""Time over which a declared motion is looked at for its acceleration [s]."""

ROUNDING = 4e-12
"""Times apart by no more are one instant, relative to times beyond 1 s."""


class Steering(NamedTuple):
    """How a robot moves under command from ``since`` [s] on: from where, and how fast.

    jump, pull : what its velocity [m/s] and acceleration [m/s²] jumped by, which tell how it came there
    """

    since: float
    position: Floats
    velocity: Floats
    acceleration: Floats
    jump: Floats
    pull: Floats


class Feeding(NamedTuple):
    """How long a wire is under command: L = length + rate (t − since), at most (or, hauled in, at least) ``until``.

    jump, pull : what the rate jumped by at the beginning [m/s], and its derivative [m/s²]
    """

    since: float
    length: float
    rate: float
    until: float
    jump: float
    pull: float

    @property
    def there(self) -> float:
        """When it is as long as it is to be [s]."""
        return self.since + (self.until - self.length) / self.rate if self.rate else np.inf


class Commands(Driver):
    """A scene's driver, with commands on top.

    Parameters
    ----------
    compiled : the scene, and what samples its known motions
    bodies : names of the bodies on which forces may be commanded
    """

    def __init__(self, compiled: Compiled, bodies: tuple[str, ...]) -> None:
        self.__dict__.update(vars(compiled.driver))  # it is that driver, and more
        self._declared = compiled.driver
        self._names, self._wires, self.bodies = tuple(compiled.scene.robots), compiled.massless, bodies
        self._motion: dict[int, Steering] = {}
        self._feeding: dict[int, Feeding] = {}
        self._force: Floats = np.zeros((len(KINDS) * len(bodies), 3))
        self._until = self._force.copy()  # those before ``pushed``
        self._news: dict[tuple[str, int], int] = {}  # what was commanded, and how many commands there were with it
        self._anew = 0  # commands by which all was changed last
        self._rates_show = bool(compiled.scene.joints or compiled.cable_names)  # those of robots, in results

    @property
    def forces(self) -> Floats:
        """Forces and torques on the bodies that take commands, (4 bodies, 3): see ``KINDS``."""
        return self._force

    @property
    def given(self) -> bool:
        """Whether there is any command."""
        return bool(self._motion) or bool(self._feeding) or bool(len(self._force) and self._force.any())

    def clear(self) -> None:
        """Take all commands back."""
        self._motion.clear()
        self._feeding.clear()
        self._force[:] = 0.0
        self.settle()
        self._told_anew()

    def memory(self) -> Any:
        """All commands, for ``recall``."""
        return dict(self._motion), dict(self._feeding), self._force.copy(), self._until.copy(), self.pushed

    def recall(self, memory: Any) -> None:
        """Give the commands that ``memory`` was taken of."""
        motion, feeding, self._force[:], self._until[:], self.pushed = memory
        self._motion, self._feeding = dict(motion), dict(feeding)
        self._told_anew()

    def settle(self) -> None:
        """Forces are as if they had always been commanded: the next kick begins at this instant, and not before it."""
        self.pushed = NEVER

    def _told_anew(self) -> None:
        self.told, self.moved = self.told + 1, self.moved + 1
        self._anew, self._news = self.told, {}

    def _tell(self, what: str, index: int) -> None:
        """Something of this number is commanded."""
        self.told += 1
        self.moved += what != "force"
        self._news[what, index] = self.told

    def sample(self, t: Floats) -> Drive:
        """See ``Driver``."""
        drive = super().sample(t)
        for robot in self._motion:
            drive.robot[:, robot], drive.robot_rate[:, robot] = self._commanded("robot", robot, t)
        for wire in self._feeding:
            drive.length[:, wire], drive.length_rate[:, wire] = self._commanded("length", wire, t)
        if not len(self._force):
            return drive
        load = np.empty((len(t), drive.load.shape[1] + len(self._force), 3))
        load[:, : drive.load.shape[1]], load[:, drive.load.shape[1] :] = drive.load, self._force
        load[t == self.pushed, drive.load.shape[1] :] = 0.5 * (self._until + self._force)
        return drive._replace(load=load)

    def amend(self, drive: Drive, time: Floats, row: int, told: int) -> bool:
        """See ``Driver``.

        What results tell of that instant must stay, to the last bit: where robots are and how long wires, and with
        joints or cables how fast robots are.
        """
        news = [one for one, when in self._news.items() if when > told]
        moved = [one for one in news if one[0] != "force"]
        if told < self._anew or (moved and drive.kink[row:].any()):
            return False
        after = []
        for what, i in moved:
            if what == "length" and self._feeding[i].there < np.inf:
                return False
            try:
                values, rates = self._commanded(what, i, time[row:])
            except SimulationError:  # later on: nobody knows whether it comes to that
                return False
            now, rate = getattr(drive, what)[row, i], getattr(drive, f"{what}_rate")[row, i]
            if (now != values[0]).any() or (self._rates_show and (rate != rates[0]).any()):
                return False
            after.append((what, i, values, rates))
        for what, i, values, rates in after:
            jump = self._motion[i].jump if what == "robot" else self._feeding[i].jump
            getattr(drive, what)[row:, i], getattr(drive, f"{what}_rate")[row:, i] = values, rates
            getattr(drive, f"{what}_jump")[row, i] += jump
            drive.kink[row] |= np.any(jump)
        if len(moved) < len(news):
            drive.load[row:, -len(self._force) :] = self._force
            drive.load[row:][time[row:] == self.pushed, -len(self._force) :] = 0.5 * (self._until + self._force)
        return True

    def jumps(self, until: float) -> Jumps:
        """See ``Driver``."""
        known = self._declared.jumps(until)
        if not self._motion and not self._feeding:
            return known
        found = [Jumps(known.time, *(one.copy() for one in known[1:]))]
        for robot, steering in self._motion.items():
            later = _from(known.time, steering.since)
            found[0].robot[later, robot] = found[0].leap[later, robot] = 0.0  # it does not move as declared any more
            if steering.jump.any():
                found.append(self._jump(steering.since, "robot", robot, steering.jump, steering.velocity))
        robots = len(self._names)
        for wire, feeding in self._feeding.items():
            later = _from(known.time, feeding.since)
            found[0].length[later, wire] = found[0].leap[later, robots + wire] = 0.0
            if feeding.jump:
                found.append(self._jump(feeding.since, "length", wire, feeding.jump, feeding.rate))
            if feeding.there < np.inf:
                found.append(self._jump(feeding.there, "length", wire, -feeding.rate, 0.0))
        left = found[0].robot.any(axis=(1, 2)) | found[0].length.any(axis=1) | found[0].leap.any(axis=1)
        found[0] = Jumps(*(one[left] for one in found[0]))
        return Jumps(*(np.concatenate(parts) for parts in zip(*found, strict=True)))

    def _jump(self, time: float, what: str, index: int, by: float | Floats, to: float | Floats) -> Jumps:
        """One jump of one robot or length."""
        robot, length = (len(self._names), 3), (len(self._lengths.rest),)
        one = Jumps(*(np.zeros((1, *shape)) for shape in ((), robot, length, robot, length, (robot[0] + length[0],))))
        one.time[0] = time
        getattr(one, what)[0, index], getattr(one, f"{what}_after")[0, index] = by, to
        return one

    def _steered(self, robot: int, t: Floats) -> tuple[Floats, Floats]:
        """Positions and velocities (n, 3) of a robot under command, and before it."""
        since, *motion = self._motion[robot]
        position, velocity, acceleration, jump, pull = (one[:, None] for one in motion)
        tau = t - since  # times side by side: numpy is slow along short rows
        if len(t) and tau[0] < 0.0:
            velocity, acceleration = velocity - jump * (tau < 0.0), acceleration - pull * (tau < 0.0)
        return (position + velocity * tau + 0.5 * acceleration * tau**2).T, (velocity + acceleration * tau).T

    def _now(self, what: str, index: int, time: float) -> tuple[Floats, Floats, Floats]:
        """Position or length (..) of a robot or wire at an instant, its rate, and the derivative of that."""
        if index in (self._motion if what == "robot" else self._feeding):
            (value,), (rate,) = self._commanded(what, index, np.array([time]))
            return value, rate, self._motion[index].acceleration if what == "robot" else np.zeros(())
        value, rate, derivative = (one[0, index] for one in self.declared(what, np.array([time])))
        return value, rate, derivative

    def declared(self, what: str, t: Floats) -> tuple[Floats, Floats, Floats]:
        """What robots or lengths do as declared up to instants t (n,): values (n, ..), rates, and their derivatives.

        Where a rate jumps at that very instant, it is the one before; its derivative, where it has just jumped, is 0.
        """
        short = np.minimum(t, SHORT)
        drive, before, jumps = self._declared.sample(t), self._declared.sample(t - short), self._declared.jumps(t[-1])
        value, rate = getattr(drive, what), getattr(drive, f"{what}_rate").copy()
        change = rate - getattr(before, f"{what}_rate")
        for i, j in np.argwhere(_from(jumps.time, (t - short)[:, None]) & _from(t[:, None], jumps.time)).tolist():
            by, after = getattr(jumps, what)[j], getattr(jumps, f"{what}_after")[j]
            if _from(jumps.time[j], t[i]):
                change[i] += np.where(by != 0.0, after - by - rate[i], 0.0)
                rate[i] = np.where(by != 0.0, after - by, rate[i])
            else:
                change[i] = np.where(by != 0.0, 0.0, change[i])
        far = short.reshape(-1, *np.ones(rate.ndim - 1, int))
        return value, rate, np.divide(change, far, out=np.zeros_like(rate), where=far > 0.0)

    def _commanded(self, what: str, index: int, t: Floats) -> tuple[Floats, Floats]:
        """Positions or lengths (n, ..) of a robot or wire under command, and their rates."""
        return self._steered(index, t) if what == "robot" else _fed(self._wires[index], self._feeding[index], t)

    def until_pushed(self, drive: Drive) -> Drive:
        """See ``Driver``."""
        load = drive.load.copy()
        load[-1, -len(self._until) :] = self._until
        return drive._replace(load=load)

    def blank(self, rows: int) -> Drive:
        """See ``Driver``."""
        drive = super().blank(rows)
        return drive._replace(load=np.zeros((rows, drive.load.shape[1] + len(self._force), 3)))

    def steer(self, name: str, time: float, velocity: Any, acceleration: Any) -> bool:
        """Command a robot from ``time`` [s] on; returns whether its velocity jumps there."""
        if not is_one_of(name, self._names):
            raise UsageError(unknown("robot", name, self._names))
        robot = self._names.index(name)
        position, before, pulled = self._now("robot", robot, time)
        after = before if velocity is None else vector("velocity", velocity)
        pull = np.zeros(3) if acceleration is None else vector("acceleration", acceleration)
        last, jump, change = self._motion.get(robot), after - before, pull - pulled
        if last is not None and last.since == time:  # two commands at one instant
            jump, change = jump + last.jump, change + last.pull
        self._motion[robot] = Steering(time, position, after, pull, jump, change)
        self._tell("robot", robot)
        return bool((after != before).any())

    def feed(self, name: str, time: float, rate: float | None, length: float | None) -> None:
        """Command the length of a wire from ``time`` [s] on.

        Raises
        ------
        UsageError : it is on a drum, or is not to be had at that rate
        """
        drum = self._scene.wires[name].drum
        if drum is not None:
            raise UsageError(
                f"wire {name!r} is on drum {drum!r}, whose turns pay it out and haul it in, up to its stops: give drum "
                f"{drum!r} a torque, which may be a formula of t, or a brake with release; or give the wire a winch in "
                "place of the drum"
            )
        wire = self._wires.index(name)
        last = self._feeding.get(wire)
        now, before, derivative = map(float, self._now("length", wire, time))
        if last is not None and last.since < time and abs(time - last.there) <= ROUNDING * max(1.0, time):
            before = last.rate  # it ends at this very instant
        until = now if length is None else a_number("length", length)
        speed = 0.0 if rate is None else a_number("rate", rate)
        if until <= 0.0:
            raise UsageError(f"wire {name!r}: length must be > 0 m, got {show(length)}")
        if length is None:
            until = np.inf if speed > 0.0 else -np.inf
        elif rate is None:
            now = until
        elif (until - now) * speed < 0.0 or (speed == 0.0 and until != now):
            raise UsageError(f"wire {name!r} does not come from {now:g} m to {until:g} m at {speed:g} m/s")
        jump, change = (speed if until != now else 0.0) - before, -derivative
        if last is not None and last.since == time:
            jump, change = jump + last.jump, last.pull
        self._feeding[wire] = Feeding(time, now, speed, until, jump, change)
        self._tell("length", wire)

    def push(self, name: str, force: Any, torque: Any, time: float, *, body_axes: bool) -> None:
        """Command force and torque on a body, in world or body axes, until further notice.

        time : now, if half of the kick about this instant lies before it (SHAKE), and has the forces before; or NEVER
        """
        turned, pushed = vector("torque", torque), np.zeros((len(KINDS), 3))
        loads = self.loads_of(name, turned)
        pushed[2 if body_axes else 0] = vector("force", force)
        pushed[3 if body_axes else 1] = turned
        if self.pushed != time:
            self._until[:], self.pushed = self._force, time
        self._force[loads] = pushed
        self._tell("force", loads.start)

    def loads_of(self, name: str, torque: Any = 0.0) -> slice:
        """Which of the commanded forces are those on a body, see ``KINDS``.

        Raises
        ------
        UsageError : none are commanded there, or ``torque`` is to act on a point mass
        """
        if not is_one_of(name, self.bodies):
            known = unknown("body with commanded forces", name, self.bodies) if self.bodies else "no forces"
            raise UsageError(f"{known}; declare them: forces=[{show(name)}]")
        if self._scene.bodies[name].point and np.any(torque):
            raise UsageError(f"body {name!r} is a point mass, which no torque turns: leave torque out")
        first = len(KINDS) * self.bodies.index(name)
        return slice(first, first + len(KINDS))


def with_commands(compiled: Compiled, forces: Sequence[str]) -> tuple[Compiled, Commands]:
    """A compiled scene that takes commands, on forces of some bodies too."""
    scene = compiled.scene
    if isinstance(forces, str):
        raise UsageError(f"forces is a list of names of bodies, got {show(forces)}; write forces=[{show(forces)}]")
    bodies = tuple(forces)
    for name in bodies:
        if not is_one_of(name, scene.bodies):
            raise UsageError(unknown("body", name, scene.bodies))
    index = np.repeat([list(scene.bodies).index(name) for name in bodies], len(KINDS)).astype(np.int64)
    loads = compiled.model.loads
    loads = pack(
        Loads,
        body=np.append(loads.body, index),
        kind=np.append(loads.kind, np.tile(KINDS, len(bodies)).astype(np.int64)),
        at=np.append(loads.at, np.zeros((len(index), 3)), axis=0),
    )
    commands = Commands(compiled, bodies)
    return replace(compiled, model=compiled.model._replace(loads=loads), driver=commands), commands


def _fed(name: str, one: Feeding, t: Floats) -> tuple[Floats, Floats]:
    """Lengths and their rates (n,) of a wire under command, and before it."""
    tau = t - one.since
    free = one.length + one.rate * tau
    there = free >= one.until if one.rate > 0.0 else free <= one.until
    length = np.where(there, one.until, free) if one.rate else np.full_like(t, one.length)
    rate = np.where(there, 0.0, one.rate)
    if len(t) and tau[0] < 0.0:
        was = one.rate - one.jump if one.until != one.length else -one.jump
        length = np.where(tau < 0.0, one.length + was * tau - 0.5 * one.pull * tau**2, length)
        rate = np.where(tau < 0.0, was - one.pull * tau, rate)
    gone = (tau >= 0.0) & ~(length > 0.0)
    if gone.any():
        at = float(t[np.argmax(gone)])
        raise SimulationError(
            f"wire {name!r}, which is hauled in at {-one.rate:g} m/s, has no length left at t = {at:.6g} s", time=at
        )
    return length, rate


def _from(time: Any, since: Any) -> Any:
    """Whether times are those of an instant, but for rounding, or later."""
    return time > since - ROUNDING * np.maximum(1.0, np.abs(since))


_COUNTS = {1: "one finite number", 3: "three finite numbers"}


def vector(what: str, value: Any, size: int = 3) -> Floats:
    """Finite numbers (size,), copied. Raises UsageError."""
    try:
        array = np.array(numbers(what, value))
    except UsageError:
        array = np.empty(0)
    if size == 1 and array.ndim == 0:  # one number need not be in a list
        array = array[None]
    if array.shape != (size,) or not np.isfinite(array).all():
        raise UsageError(f"{what} must be {_COUNTS.get(size, f'{size} finite numbers')}, got {show(value)}")
    return array
