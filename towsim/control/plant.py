"""What can be commanded in a scene: actuators as arrays, and the indices by which controllers know things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from towsim.errors import UsageError
from towsim.model.arrays import Floats, Floats2, Floats3, Ints, pack
from towsim.model.compile import Compiled, compile_scene
from towsim.scene import Actuator, Mrfe, Rotors, Scene, Winch
from towsim.scene.expand import vertical
from towsim.suggest import unknown

ROTORS, PUSH, TWIST, WINCH = 0, 1, 2, 3
"""Kinds of devices: four rotors of a body, a force (world axes), a torque (body axes), a winch's rate."""


class Devices(NamedTuple):
    """Actuators by device. A device has 4 (rotors), 3 (push, twist) or 1 (winch) numbers of the command."""

    kind: Ints  # (nd,)
    first: Ints  # (nd+1,) its numbers are first[d]:first[d+1]
    place: Ints  # (nd,) first column of its loads in the drive; of a winch its wire, −1−k for mrfe cable k
    limit: Floats  # (nd,) [N], [N m] or [m/s]
    lag: Floats  # (nd,) [s]
    geometry: Floats2  # (nd, 2) rotors: arm and moment ratio [m]
    across: Floats3  # (nd, 3) direction in which it does not push
    drum: Floats3  # (nd, 3) winch: largest acceleration [m/s²], shortest and longest length [m]
    fails: Floats  # (na,) time from which each number is zero whatever the command [s]


@dataclass(frozen=True)
class Plant:
    """Names and their indices, as controllers need them.

    Attributes
    ----------
    bodies : rows of ``measured.position`` and the like: the scene's bodies, then its dynamic robots
    wires : entries of ``measured.tension`` and ``measured.length``
    robots : rows of ``measured.robot_position``: robots that move as they are told, and the points that they carry
    actuators : entries of ``command``, such as "drone.rotor1", "east.force.x", "rope.rate"
    devices : the same as arrays
    """

    bodies: tuple[str, ...]
    wires: tuple[str, ...]
    robots: tuple[str, ...]
    actuators: tuple[str, ...]
    devices: Devices = field(repr=False)

    def body(self, name: str) -> int:
        """Index of a body or dynamic robot."""
        return _index("body", name, self.bodies)

    def wire(self, name: str) -> int:
        """Index of a wire."""
        return _index("wire", name, self.wires)

    def robot(self, name: str) -> int:
        """Index of a robot that is no vehicle, or of a point that it carries."""
        return _index("robot", name, self.robots)

    def actuator(self, name: str) -> int:
        """Index of one number of the command."""
        return _index("actuator", name, self.actuators)

    def owned(self, owner: str) -> list[int]:
        """Indices of all numbers of the command that belong to a vehicle, body or winch."""
        return [i for i, name in enumerate(self.actuators) if name.partition(".")[0] == owner]

    def owners(self) -> tuple[str, ...]:
        """What can be commanded: vehicles, bodies, wires with a winch."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.actuators))


def _index(what: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise UsageError(unknown(what, name, names))
    return names.index(name)


def plant(scene: Scene) -> Plant:
    """The indices of a scene, for a controller of one's own.

    Raises
    ------
    SceneError : as ``simulate``
    """
    return plant_of(compile_scene(scene))


class _Row(NamedTuple):
    kind: int
    names: tuple[str, ...]
    place: int
    limit: float
    lag: float
    fails: tuple[float, ...]
    geometry: tuple[float, float] = (0.0, 0.0)
    across: tuple[float, float, float] = (0.0, 0.0, 0.0)
    drum: tuple[float, float, float] = (np.inf, 0.0, np.inf)


def plant_of(compiled: Compiled) -> Plant:
    """The actuators of a compiled scene."""
    scene = compiled.scene
    up = vertical(scene)
    rows: list[_Row] = []
    for name, body in scene.bodies.items():
        if body.rotors is not None and body.rotors.commanded:
            rows.append(_rotors(name, body.rotors, compiled.driver.rotor_column[name]))
        if body.actuator is not None:
            rows += _pushes(name, body.actuator, compiled.driver.actuator_column[name], up)
    rows += [_winch(compiled, name, wire.winch) for name, wire in scene.wires.items() if wire.winch is not None]
    count = [len(row.names) for row in rows]
    devices: Devices = pack(
        Devices,
        kind=[row.kind for row in rows],
        first=np.concatenate([[0], np.cumsum(count)]),
        place=[row.place for row in rows],
        limit=[row.limit for row in rows],
        lag=[row.lag for row in rows],
        geometry=np.array([row.geometry for row in rows]).reshape(-1, 2),
        across=np.array([row.across for row in rows]).reshape(-1, 3),
        drum=np.array([row.drum for row in rows]).reshape(-1, 3),
        fails=[time for row in rows for time in row.fails],
    )
    actuators = tuple(name for row in rows for name in row.names)
    return Plant(tuple(scene.bodies), tuple(scene.wires), tuple(scene.robots), actuators, devices)


def _rotors(name: str, rotors: Rotors, column: int) -> _Row:
    names = tuple(f"{name}.rotor{i}" for i in (1, 2, 3, 4))
    limit = np.inf if rotors.max_thrust is None else rotors.max_thrust
    geometry = (rotors.arm, rotors.moment_ratio)
    return _Row(ROTORS, names, column, limit, rotors.lag, rotors.failure_times(), geometry)


def _pushes(name: str, one: Actuator, column: int, up: tuple[float, float, float]) -> list[_Row]:
    fails = (np.inf if one.fails is None else one.fails,) * 3
    across = up if one.plane else (0.0, 0.0, 0.0)
    force = tuple(f"{name}.force.{axis}" for axis in "xyz")
    rows = [_Row(PUSH, force, column, one.max_force, one.lag, fails, across=across)]
    if one.max_torque > 0.0:
        torque = tuple(f"{name}.torque.{axis}" for axis in "xyz")
        rows.append(_Row(TWIST, torque, column + 1, one.max_torque, one.lag, fails))
    return rows


def _winch(compiled: Compiled, name: str, winch: Winch) -> _Row:
    massive = isinstance(compiled.scene.wires[name].model, Mrfe)
    place = -1 - compiled.cable_names.index(name) if massive else compiled.massless.index(name)
    steepest = np.inf if winch.max_acceleration is None else winch.max_acceleration
    longest = np.inf if winch.longest is None else winch.longest
    fails = (np.inf if winch.jam is None else winch.jam,)
    drum = (steepest, winch.shortest, longest)
    return _Row(WINCH, (f"{name}.rate",), place, winch.max_rate, winch.lag, fails, drum=drum)
