"""Known motions and loads of a scene, sampled for a block of steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import chain
from typing import Any

import numpy as np

from solvers.kernels.aside import Call
from towsim.errors import SimulationError
from towsim.model import jumps
from towsim.model.arrays import FORCE, MOMENT, THRUST, TORQUE, Drive, Floats
from towsim.model.cables import massive
from towsim.model.motions import Fill, Formulas, Motions, Rest
from towsim.model.sampling import call
from towsim.model.tape import tape
from towsim.scene import FREE, Axes, Joint, Length, Robot, Rotors, Scene, Wire
from towsim.scene.formula import formula
from towsim.scene.motion import Course

NEVER = -1.0
"""No time of a run [s]."""

POINTS = "robots", "lengths", "feeds"
"""What is known of robots, massless wires (then joints) and massive cables; see ``Driver.points``."""

OF_POINTS = "robot", "robot_rate", "robot_jump", "length", "length_rate", "length_jump", "feed", "feed_rate"
"""Fields of a drive that are linear in points."""


class Driver:
    """Samples robots, lengths of wires, loads and wind of a scene at ascending times.

    Attributes
    ----------
    load_body, load_kind, load_at : index of the body, kind and point of attack of each load that is not zero
    told, moved : commands given so far, each of which changes what is known of later times; those of motions
    pushed : when forces jump by command, halfway in the kick of SHAKE at that very instant [s]
    rotor_column, actuator_column : first column of the loads that rotors and actuators of a body give: force, torque
    """

    told = moved = 0
    pushed = NEVER

    def __init__(self, scene: Scene) -> None:
        self._declare_loads(scene)
        self._declare_motions(scene)

    def serves(self, scene: Scene) -> bool:
        """Whether all that is known of a scene of the same structure is as here, and this driver serves it."""
        mine = self._scene
        if self.load_body or self._motors or any(joint.motion is not None for joint in scene.joints.values()):
            return False
        if scene.wires is not mine.wires:
            pairs = zip(scene.wires.values(), mine.wires.values(), strict=True)
            if not all(a.length == b.length and a.exit_force == b.exit_force for a, b in pairs):
                return False
        return scene.wind == mine.wind and (scene.robots is mine.robots or scene.robots == mine.robots)

    def points(self) -> dict[str, Floats]:
        """Places, lengths and velocities that are declared one by one: what rests or follows courses is linear in them.

        They stand law after law, ``counts`` of each.
        """
        return {name: one.points() for name, one in zip(POINTS, self.motions, strict=True)}

    def counts(self) -> list[int]:
        """How many ``points`` each law has: robots, then massless wires, joints and massive cables."""
        return [count for one in self.motions for count in one.counts()]

    def facts(self, *, air: bool) -> list[Any]:
        """All else that what is known depends on: with equal ones drivers of scenes of one structure sample the same.

        Laws come first, as in ``counts``.

        air : whether wind acts on anything
        """
        scene = self._scene
        robots = [(one.position, one.motion, one.orientation, one.points) for one in scene.robots.values()]
        lengths: list[Any] = [wire.length for name, wire in scene.wires.items() if name not in self._cables]
        lengths += [joint.motion for joint in scene.joints.values() if joint.motion is not None]
        feeds = [wire.length for wire in self._cables.values()]
        declared: list[list[Any]] = [robots, lengths, feeds]
        laws = [one.facts(each) for one, each in zip(self.motions, declared, strict=True)]
        forces = [wire.exit_force for wire in self._cables.values()]
        return [*chain(*laws), scene.wind if air else None, *forces, *self._loads, *self._rotors, *self._motors]

    @property
    def motions(self) -> tuple[Motions, Motions, Motions]:
        """In the order of ``POINTS``."""
        return self._robots, self._lengths, self._feeds

    def slopes(self, rates: Sequence[Mapping[str, Floats]]) -> Slopes:
        """The derivatives of what is known in some numbers, with each of which ``points`` change at such rates."""
        motions = [one.slopes([each[name] for each in rates]) for name, one in zip(POINTS, self.motions, strict=True)]
        return Slopes(self, motions, len(rates))

    @property
    def constant(self) -> bool:
        """Whether nothing that is known changes with time."""
        return not (
            any(one.moves for one in self.motions)
            or self._loads
            or self._rotors
            or self._motors
            or isinstance(self._wind, Axes)
        )

    def robots_as(self, other: Driver) -> bool:
        """Whether all robots move as those of another one."""
        mine, others = self._scene.robots, other._scene.robots
        return mine is others or mine == others

    def without_robots(self) -> Driver:
        """The same, with all robots at rest at the origin: what else is known is sampled as here."""
        found = copy(self)
        found._robots = Motions(3, [(0.0, 0.0, 0.0)] * len(self._robots.rest))
        found._jumps = 0.0, None
        return found

    def _declare_motions(self, scene: Scene) -> None:
        self._robots = Motions(3, [_robot(name, robot) for name, robot in scene.robots.items()])
        cables = massive(scene)
        massless = {name: wire for name, wire in scene.wires.items() if name not in cables}
        given = [_coordinate(name, one) for name, one in scene.joints.items() if one.motion is not None]
        self._lengths = _winches(massless, given)
        lengths = [f"length of wire {name!r}" for name in massless]
        coordinates = [f"motion of joint {name!r}" for name, one in scene.joints.items() if one.motion is not None]
        self.names = [f"robot {name!r}" for name in scene.robots] + lengths + coordinates
        self._scene = scene
        self._cables = cables
        self._feeds = _winches(cables, [])
        self._kinks: tuple[float, Floats] = 0.0, np.empty(0)  # the last answer of ``kinks``, and until when
        self._jumps: tuple[float, jumps.Jumps | None] = 0.0, None  # and of ``jumps``
        self._wind = scene.wind
        self._wind_at = scene.wind_at
        self._tape = tape(tuple(self._formulas()))

    def _declare_loads(self, scene: Scene) -> None:
        self._loads: list[tuple[str, Axes]] = []
        self._rotors: list[tuple[str, Rotors]] = []
        self.load_body: list[int] = []
        self.load_kind: list[int] = []
        self.load_at: list[tuple[float, float, float]] = []
        self._motors = [(name, joint.motor) for name, joint in scene.joints.items() if joint.motor != 0.0]
        for index, (name, body) in enumerate(scene.bodies.items()):
            for kind, word in ((FORCE, "force"), (THRUST, "thrust"), (TORQUE, "torque")):
                axes = getattr(body, word)
                if any(component != 0.0 for component in (axes.x, axes.y, axes.z)):
                    self._loads.append((f"{word} of body {name!r}", axes))
                    self.load_body.append(index)
                    self.load_kind.append(kind)
                    self.load_at.append(axes.point if kind == THRUST else (0.0, 0.0, 0.0))

        self.rotor_column: dict[str, int] = {}
        self.actuator_column: dict[str, int] = {}
        for index, (name, body) in enumerate(scene.bodies.items()):  # a force and a torque each, after all other loads
            if body.rotors is not None:
                self.rotor_column[name] = len(self.load_body)
                self._rotors.append((name, body.rotors))
                self.load_body += [index, index]
                self.load_kind += [THRUST, MOMENT]
                self.load_at += [(0.0, 0.0, 0.0)] * 2
        for index, (name, body) in enumerate(scene.bodies.items()):  # and what controllers command, zero until they do
            if body.actuator is not None:
                self.actuator_column[name] = len(self.load_body)
                self.load_body += [index, index]
                self.load_kind += [FORCE, MOMENT]
                self.load_at += [(0.0, 0.0, 0.0)] * 2

    def _formulas(self) -> Iterator[str]:
        """What is to be evaluated at every instant, gusts aside."""
        axes = [robot.motion.formula for robot in self._scene.robots.values() if robot.motion is not None]
        axes += [wire.exit_force for wire in self._cables.values() if wire.from_ == FREE]
        axes += [axes for _, axes in self._loads]
        laws: list[str | float | None] = [law for one in axes if one is not None for law in (one.x, one.y, one.z)]
        laws += [wire.length.formula for wire in self._scene.wires.values() if isinstance(wire.length, Length)]
        laws += [law for _, law in self._motors]
        laws += [joint.motion for joint in self._scene.joints.values()]
        for _, rotors in self._rotors:
            laws += rotors.thrust if isinstance(rotors.thrust, tuple) else [] if rotors.commanded else [rotors.thrust]
        return (law for law in laws if isinstance(law, str))

    def kinks(self, duration: float) -> Floats:
        """Times in (0, duration) [s], ascending, at which some derivative of what is known jumps.

        Waypoints, winches and failures are exact; conditional formulas see ``Formula.kinks``.
        """
        until, times = self._kinks
        if until == duration:
            return times
        scene = self._scene
        found = [self.kinks_of_motions(duration)]
        found += [wire.exit_force.kinks(duration) for wire in self._cables.values()]
        found += [axes.kinks(duration) for _, axes in self._loads]
        found += [rotors.kinks(duration) for _, rotors in self._rotors]
        if isinstance(scene.wind, Axes):
            found.append(scene.wind.kinks(duration))
        times = np.unique(np.concatenate([np.empty(0), *found]))
        self._kinks = duration, times
        return times

    def kinks_of_motions(self, duration: float) -> Floats:
        """Those of robots, lengths and joints only."""
        scene = self._scene
        found = [robot.motion.kinks(duration) for robot in scene.robots.values() if robot.motion is not None]
        found += [wire.length.kinks(duration) for wire in scene.wires.values() if isinstance(wire.length, Length)]
        found += [formula(one.motion).kinks(duration) for one in scene.joints.values() if isinstance(one.motion, str)]
        return np.array(sorted({t for times in found for t in times.tolist()}), float)

    def jumps(self, until: float) -> jumps.Jumps:
        """Velocities and rates of lengths that jump: all in (0, until) [s], and perhaps some later ones."""
        if self._jumps[1] is None or self._jumps[0] < until:
            until = jumps.up_to(until)
            self._jumps = until, jumps.find(self, until)
        found = self._jumps[1]
        assert found is not None  # set above
        return found

    def sample(self, t: Floats) -> Drive:
        """All known motions and loads at the ascending times t (K+1,) [s].

        Raises
        ------
        SimulationError : a formula gives NaN or infinity, or a wire's length is not positive
        """
        n = len(t)
        formulas = self._tape.at(t)
        robot, robot_rate = self._robots.sample(t, formulas)
        length, length_rate = (values[..., 0] for values in self._lengths.sample(t, formulas))
        load = np.empty((n, len(self.load_body), 3))
        load[:, len(self._loads) + 2 * len(self._rotors) :] = 0.0
        for i, (what, axes) in enumerate(self._loads):
            _put_axes(axes, formulas, load[:, i])
            _finite(load[:, i], t, what)
        thrusts: dict[str | float, Floats] = {text: value for text, (value, _) in formulas.items()}
        for i, (name, rotors) in enumerate(self._rotors):
            k = len(self._loads) + 2 * i
            load[:, k : k + 2] = rotors.wrench_at(t, thrusts)
            _finite(load[:, k : k + 2], t, f"thrust of body {name!r}")
        motor = np.empty((n, len(self._motors)))
        for i, (name, law) in enumerate(self._motors):
            motor[:, i] = formulas[law][0] if isinstance(law, str) else law
            drum = self._scene.drums.get(name)
            if drum is None:
                _finite(motor[:, i], t, f"motor of joint {name!r}")
            else:
                _finite(-motor[:, i] / drum.gear, t, f"torque of drum {name!r}")
        if isinstance(self._wind, Axes):
            wind = self._wind_at(t)
            _finite(wind, t, "wind")
        else:
            wind = np.repeat(np.array([self._wind]), n, axis=0)
        cable = self._cable_drive(t, formulas)
        wind, kink = np.ascontiguousarray(wind), np.zeros(n, np.bool_)
        jump, reel = np.zeros(robot.shape), np.zeros(length.shape)
        return Drive(robot, robot_rate, length, length_rate, load, *cable, motor, wind, kink, jump, reel)

    def calls(self) -> list[Call]:
        """The kernels that sample curves and formulas, if there are any, and such arguments as they are called with."""
        return [*self._tape.calls(), *(call(one, columns) for columns, one in self._robots.curves[:1])]

    def amend(self, drive: Drive, time: Floats, row: int, told: int) -> bool:
        """Write the commands after the first ``told`` to a drive sampled at ``time`` (K+1,), with jumps, from a row on.

        They are of that instant. False: they are not of a kind to be written there, and it is to be sampled anew.
        """
        return told == self.told

    def until_pushed(self, drive: Drive) -> Drive:
        """A drive whose last instant is that of ``pushed``, with the forces that acted until then."""
        return drive

    def blank(self, rows: int) -> Drive:
        """A drive of so many rows, all zero."""
        robots, lengths, cables = len(self._robots.rest), len(self._lengths.rest), len(self._cables)
        shapes: tuple[tuple[int, ...], ...]
        shapes = (robots, 3), (robots, 3), (lengths,), (lengths,), (len(self.load_body), 3), (cables,), (cables,)
        shapes += (cables, 3), (len(self._motors),), (3,), (), (robots, 3), (lengths,)
        return Drive(*(np.zeros((rows, *tail)) for tail in shapes))._replace(kink=np.zeros(rows, np.bool_))

    def _cable_drive(self, t: Floats, formulas: Formulas) -> tuple[Floats, Floats, Floats]:
        """Lengths of the mrfe cables, their rates, and the forces on free ends."""
        n, cables = len(t), self._cables
        feed, feed_rate = (values[..., 0] for values in self._feeds.sample(t, formulas))
        force = np.zeros((n, len(cables), 3))
        for i, (name, wire) in enumerate(cables.items()):
            if wire.from_ == FREE:
                _put_axes(wire.exit_force, formulas, force[:, i])
                _finite(force[:, i], t, f"exit force of cable {name!r}")
        return feed, feed_rate, force


class Slopes(Driver):
    """The derivatives of a driver's known motions in some numbers: motions too, by courses through slopes of points.

    Those in one number follow those in the one before. All that is made of them from step to step is linear in them.
    """

    def __init__(self, driver: Driver, motions: Sequence[Motions], numbers: int) -> None:
        self.__dict__.update(vars(driver))  # with its kinks
        self._numbers = numbers
        self.names = driver.names * numbers
        self._robots, self._lengths, self._feeds = motions
        self._jumps = 0.0, None

    @property
    def constant(self) -> bool:
        """Whether nothing of them changes with time."""
        return not any(one.moves for one in self.motions)

    def sample(self, t: Floats) -> Drive:
        """At the ascending times t (K+1,) [s]; loads and wind have none."""
        (robot, robot_rate), *others = [one.sample(t, {}) for one in self.motions]
        (length, length_rate), (feed, feed_rate) = [[part[..., 0] for part in one] for one in others]
        return self.blank(len(t))._replace(
            robot=robot,
            robot_rate=robot_rate,
            length=length,
            length_rate=length_rate,
            feed=feed,
            feed_rate=feed_rate,
        )

    def apart(self, drive: Drive) -> Iterator[dict[str, Floats]]:
        """What is sampled, or made of that, number by number: the fields of a drive that are not zero."""
        fields = [(name, getattr(drive, name)) for name in OF_POINTS]
        each = [(name, rate.reshape(len(rate), self._numbers, -1, *rate.shape[2:])) for name, rate in fields]
        for i in range(self._numbers):
            yield {name: rate[:, i] for name, rate in each if rate[:, i].any()}


def _winches(wires: Mapping[str, Wire], others: Sequence[Fill | Rest]) -> Motions:
    """Lengths of wires, and other coordinates."""
    lengths = [wire.length for wire in wires.values()]
    points = [one.waypoints if isinstance(one, Length) else None for one in lengths]
    programmes = {i: one.course for i, one in enumerate(points) if one is not None}
    return Motions(1, [*(_length(name, wire) for name, wire in wires.items()), *others], programmes)


def _robot(name: str, robot: Robot) -> Fill | Rest | Course:
    motion = robot.motion
    if motion is None:
        assert robot.position is not None  # one of the two is declared
        return robot.position
    points = motion.waypoints or motion.samples
    if points is not None:
        return points.course

    def fill(t: Floats, formulas: Formulas, out: Floats, out_rate: Floats) -> None:
        if motion.formula is not None:
            _put_axes(motion.formula, formulas, out, out_rate)
        else:
            out[:], out_rate[:], _ = robot.sample(t)
        _finite(out, t, f"position of robot {name!r}")
        _finite(out_rate, t, f"velocity of robot {name!r}")

    return fill


def _length(name: str, wire: Wire) -> Fill | Rest:
    if not isinstance(wire.length, Length):
        return wire.length

    law = wire.length.formula

    def fill(t: Floats, formulas: Formulas, out: Floats, out_rate: Floats) -> None:
        out[:, 0], out_rate[:, 0] = formulas[law] if isinstance(law, str) else wire.length_at(t)
        _finite(out, t, f"length of wire {name!r}")
        _finite(out_rate, t, f"length rate of wire {name!r}")
        if not out.min(initial=np.inf) > 0.0:
            k = int(np.argmin(out[:, 0] > 0.0))
            raise SimulationError(
                f"wire {name!r} has length {out[k, 0]:.6g} m at t = {t[k]:.6g} s; "
                "a winch can haul a wire in only while some is left",
                time=float(t[k]),
            )

    return fill


def _coordinate(name: str, joint: Joint) -> Fill | Rest:
    law = joint.motion
    if not isinstance(law, str):
        assert law is not None  # which the caller asks for
        return law

    def fill(t: Floats, formulas: Formulas, out: Floats, out_rate: Floats) -> None:
        out[:, 0], out_rate[:, 0] = formulas[law]
        _finite(out, t, f"motion of joint {name!r}")
        _finite(out_rate, t, f"rate of the motion of joint {name!r}")

    return fill


def _put_axes(axes: Axes, formulas: Formulas, out: Floats, out_rate: Floats | None = None) -> None:
    """Write the components (n, 3) and their rates; those of numbers are left as they are, zero."""
    for i, component in enumerate((axes.x, axes.y, axes.z)):
        if not isinstance(component, str):
            out[:, i] = component
        elif out_rate is None:
            out[:, i] = formulas[component][0]
        else:
            out[:, i], out_rate[:, i] = formulas[component]


def _finite(values: Floats, t: Floats, what: str) -> None:
    with np.errstate(all="ignore"):  # inf − inf
        total = values.sum()
    if np.isfinite(total):  # a finite sum has finite terms only: one pass in the usual case
        return
    bad = ~np.isfinite(values.reshape(len(t), -1)).all(axis=1)
    if not bad.any():
        return
    k = int(np.argmax(bad))
    raise SimulationError(f"the {what} is {values[k]} at t = {t[k]:.6g} s; check its formula there", time=float(t[k]))
