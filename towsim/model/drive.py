"""Known motions and loads of a scene, sampled for a block of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from towsim.errors import SimulationError
from towsim.model.arrays import FORCE, MOMENT, THRUST, TORQUE, Drive, Floats
from towsim.model.sampling import sample_into
from towsim.scene import FREE, Axes, Length, Mrfe, Robot, Rotors, Scene, Wire
from towsim.scene.formula import formula

Fill = Callable[[Floats, Floats, Floats], None]
"""Writes values and rates (n, dim) of something known at the times t (n,): ``fill(t, out, out_rate)``."""

Rest = float | tuple[float, float, float]
"""Where a robot stands for ever, or how long a wire stays [m]."""


class Driver:
    """Samples robots, lengths of wires, loads and wind of a scene at ascending times.

    Attributes
    ----------
    load_body, load_kind, load_at : index of the body, kind and point of attack of each load that is not zero
    rotor_column, actuator_column : first column of the loads that rotors and actuators of a body give: force, torque
    """

    def __init__(self, scene: Scene) -> None:
        self._robots = _Known(3, [_robot(name, robot) for name, robot in scene.robots.items()])
        cables = {name: wire for name, wire in scene.wires.items() if isinstance(wire.model, Mrfe)}
        self._lengths = _Known(1, [_length(name, wire) for name, wire in scene.wires.items() if name not in cables])
        self._scene = scene
        self._cables = cables
        self._feeds = _Known(1, [_length(name, wire) for name, wire in cables.items()])
        self._kinks: tuple[float, Floats] = 0.0, np.empty(0)  # the last answer of ``kinks``, and until when
        self._wind = scene.wind
        self._wind_at = scene.wind_at
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

    def kinks(self, duration: float) -> Floats:
        """Times in (0, duration) [s], ascending, at which some derivative of what is known jumps.

        Waypoints, winches and failures are exact; conditional formulas see ``Formula.kinks``.
        """
        until, times = self._kinks
        if until == duration:
            return times
        scene = self._scene
        found = [robot.motion.kinks(duration) for robot in scene.robots.values() if robot.motion is not None]
        found += [wire.length.kinks(duration) for wire in scene.wires.values() if isinstance(wire.length, Length)]
        found += [wire.exit_force.kinks(duration) for wire in self._cables.values()]
        found += [axes.kinks(duration) for _, axes in self._loads]
        found += [rotors.kinks(duration) for _, rotors in self._rotors]
        if isinstance(scene.wind, Axes):
            found.append(scene.wind.kinks(duration))
        times = np.unique(np.concatenate([np.empty(0), *found]))
        self._kinks = duration, times
        return times

    def sample(self, t: Floats) -> Drive:
        """All known motions and loads at the ascending times t (K+1,) [s].

        Raises
        ------
        SimulationError : a formula gives NaN or infinity, or a wire's length is not positive
        """
        n = len(t)
        robot, robot_rate = self._robots.sample(t)
        length, length_rate = (values[..., 0] for values in self._lengths.sample(t))
        load = np.empty((n, len(self.load_body), 3))
        load[:, len(self._loads) + 2 * len(self._rotors) :] = 0.0
        for i, (what, axes) in enumerate(self._loads):
            load[:, i] = axes.at(t)
            _finite(load[:, i], t, what)
        thrusts: dict[str | float, Floats] = {}
        for i, (name, rotors) in enumerate(self._rotors):
            k = len(self._loads) + 2 * i
            load[:, k], load[:, k + 1] = rotors.wrench_at(t, thrusts)
            _finite(load[:, k : k + 2], t, f"thrust of body {name!r}")
        motor = np.empty((n, len(self._motors)))
        for i, (name, law) in enumerate(self._motors):
            motor[:, i] = formula(law).value(t) if isinstance(law, str) else law
            _finite(motor[:, i], t, f"motor of joint {name!r}")
        if isinstance(self._wind, Axes):
            wind = self._wind_at(t)
            _finite(wind, t, "wind")
        else:
            wind = np.empty((n, 3))
            wind[:] = self._wind
        return Drive(
            robot, robot_rate, length, length_rate, load, *self._cable_drive(t), motor, np.ascontiguousarray(wind)
        )

    def blank(self, rows: int) -> Drive:
        """A drive of so many rows, all zero."""
        robots, lengths, cables = len(self._robots.rest), len(self._lengths.rest), len(self._cables)
        shapes = (robots, 3), (robots, 3), (lengths,), (lengths,), (len(self.load_body), 3), (cables,), (cables,)
        return Drive(*(np.zeros((rows, *tail)) for tail in (*shapes, (cables, 3), (len(self._motors),), (3,))))

    def _cable_drive(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """Lengths of the mrfe cables, their rates, and the forces on free ends."""
        n, cables = len(t), self._cables
        feed, feed_rate = (values[..., 0] for values in self._feeds.sample(t))
        force = np.zeros((n, len(cables), 3))
        for i, (name, wire) in enumerate(cables.items()):
            if wire.from_ == FREE:
                force[:, i] = wire.exit_force.at(t)
                _finite(force[:, i], t, f"exit force of cable {name!r}")
        return feed, feed_rate, force


class _Known:
    """Positions or lengths: of some it is known where they rest, of the others how they move.

    Attributes
    ----------
    rest : (m, dim) where those that never move are
    moving : index of each of the others, and what samples it
    """

    def __init__(self, dim: int, laws: Sequence[Fill | Rest]) -> None:
        self.rest = np.zeros((len(laws), dim))
        self.moving: list[tuple[int, Fill]] = []
        for i, law in enumerate(laws):
            if callable(law):
                self.moving.append((i, law))
            else:
                self.rest[i] = law

    def sample(self, t: Floats) -> tuple[Floats, Floats]:
        """Values and rates (n, m, dim) at the ascending times t (n,)."""
        values, rates = np.empty((len(t), *self.rest.shape)), np.zeros((len(t), *self.rest.shape))
        if len(self.moving) < len(self.rest):
            values[:] = self.rest
        for i, fill in self.moving:
            fill(t, values[:, i], rates[:, i])
        return values, rates


def _robot(name: str, robot: Robot) -> Fill | Rest:
    motion = robot.motion
    if motion is None:
        assert robot.position is not None  # one of the two is declared
        return robot.position
    points = motion.waypoints or motion.samples
    if points is not None:
        curve = points.curve()
        return lambda t, out, out_rate: sample_into(curve, t, out, out_rate)

    def fill(t: Floats, out: Floats, out_rate: Floats) -> None:
        out[:], out_rate[:], _ = robot.sample(t)
        _finite(out, t, f"position of robot {name!r}")
        _finite(out_rate, t, f"velocity of robot {name!r}")

    return fill


def _length(name: str, wire: Wire) -> Fill | Rest:
    if not isinstance(wire.length, Length):
        return wire.length

    def fill(t: Floats, out: Floats, out_rate: Floats) -> None:
        out[:, 0], out_rate[:, 0] = wire.length_at(t)
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
