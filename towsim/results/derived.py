"""Variables that follow from what is recorded and from the scene: found when they are asked for, never stored.

    K_i = ½ m v² + ½ ω·I ω,    U_i = −m g·x,    V = Σ ½ k s²,    W_j = ½ I ω²,    E = Σ K_i + Σ U_i + Σ W_j + V + Σ C_k

C_k is all energy of a massive cable; what it stretches is in V no more then.

Each is one entry of ``DERIVED``: what it is, the columns it needs in a scene, and its formula, row by row. The numbers
(masses, gravity ...) are those of the result's own scene, which it has from its run, or as text from its file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from towsim.results.columns import Column
from towsim.results.variables import AXES, Variable
from towsim.scene import Mrfe, Robot, Scene, SpringDamper, scene_from_text
from towsim.scene.contacts import touches
from towsim.scene.controllers import OfWinch
from towsim.scene.expand import expand
from towsim.scene.motion import Motion
from towsim.scene.wires import NO_FORCE, Length

Array = np.ndarray
Rows = Mapping[str, Array]


@dataclass(frozen=True)
class Source:
    """What a result is of.

    Attributes
    ----------
    declared : the scene as it was declared
    commanded : whether someone pushed, steered or placed what is in it, of which a result does not tell
    """

    declared: Scene
    commanded: bool = False

    @staticmethod
    def of(attributes: Mapping[str, object]) -> Source | None:
        """The source of a result that was read from a file; None where that does not tell."""
        text = attributes.get("scene")
        return Source(scene_from_text(str(text)), "options" not in attributes) if text else None

    @cached_property
    def scene(self) -> Scene:
        """The scene whose bodies are those of the result: with dynamic robots among them."""
        return expand(self.declared)

    @cached_property
    def masses(self) -> tuple[Array, Array]:
        """Mass and inertia of each body (nb,), (nb, 3, 3)."""
        bodies = self.scene.bodies.values()
        return np.array([one.mass for one in bodies]), np.array([one.inertia_matrix() for one in bodies])

    @cached_property
    def followed(self) -> dict[str, Motion | Robot]:
        """The motion that each body should follow: vehicles their own, loads that are carried their path."""
        scene, paths = self.declared, dict[str, Motion | Robot]()
        free = {name: robot for name, robot in scene.robots.items() if robot.dynamic}
        for law in scene.controllers.values():
            if isinstance(law, OfWinch) or law.law == "track":
                continue
            paths[law.load] = law.path
            for name in getattr(law, "vehicles", None) or (law.vehicle,):  # type: ignore[union-attr]
                free.pop(name, None)
        return free | paths

    @cached_property
    def massive(self) -> bool:
        """Whether there are cables with energy of their own."""
        return bool(self.scene.massive)

    @cached_property
    def closed(self) -> bool:
        """Whether nothing does work on bodies and springs from outside: what energy is lost was dissipated."""
        scene = self.scene
        still = all(robot.motion is None for robot in scene.robots.values())
        wires = scene.wires.values()
        held = all(not isinstance(wire.length, Length) and wire.winch is None for wire in wires)
        held = held and all(wire.exit_force == NO_FORCE for wire in wires)
        plain = type(next(iter(scene.bodies.values()))).model_fields if scene.bodies else {}
        free = all(
            getattr(body, name) == plain[name].default
            for body in scene.bodies.values()
            for name in ("force", "thrust", "torque", "rotors", "actuator")
        )
        calm = scene.wind == (0.0, 0.0, 0.0) or all(
            body.drag == plain["drag"].default for body in scene.bodies.values()
        )
        idle = all(joint.motor == 0.0 and joint.motion is None for joint in scene.joints.values())
        return still and held and free and calm and idle and not self.commanded


def angular_velocity_body(source: Source, rows: Rows) -> Array:
    """R ᵀω."""
    return turned(rows["quaternion"] * [1.0, -1.0, -1.0, -1.0], rows["angular_velocity"])


def kinetic(source: Source, rows: Rows) -> Array:
    """½ m v² + ½ ω·I ω of each body."""
    mass, inertia = source.masses
    spin = angular_velocity_body(source, rows)
    return np.asarray(
        0.5 * mass * np.sum(rows["velocity"] ** 2, axis=2) + 0.5 * np.einsum("tbi,bij,tbj->tb", spin, inertia, spin)
    )


def wheels(source: Source, rows: Rows) -> Array:
    """½ I ω² of each wheel that a massless wire turns."""
    inertia = [source.scene.pulleys[name].inertia for name in source.scene.turned_pulleys]
    return np.asarray(0.5 * rows["pulley_speed"] ** 2 * np.array(inertia))


def potential(source: Source, rows: Rows) -> Array:
    """−m g·x of each body."""
    mass, _ = source.masses
    return np.asarray(-mass * (rows["position"] @ np.array(source.scene.gravity)) + 0.0)  # not -0.0


def turned_parts(scene: Scene) -> dict[str, slice]:
    """Where the parts of wires between wheels stand along ``part``: behind those of wires with friction."""
    first = sum(len(wire.via) + 1 for wire in scene.wires.values() if wire.friction > 0.0)
    found = {}
    for name, wire in scene.wires.items():
        if scene.turned(wire):
            found[name] = slice(first, first + len(scene.turned(wire)) + 1)
            first = found[name].stop
    return found


def springs(source: Source, rows: Rows) -> Array:
    """½ k s² of all springs but those within mrfe cables."""
    scene, total = source.scene, np.zeros(len(rows["time"]))
    parts = turned_parts(scene)
    for i, (name, wire) in enumerate(scene.wires.items()):
        if isinstance(wire.model, SpringDamper):
            total += 0.5 * wire.model.stiffness * rows["gap"][:, i] ** 2
        elif wire.model == "elastic":
            gap, length = rows["gap"][:, i], rows["length"][:, i]
            if name in parts:
                gap, length = rows["part_gap"][:, parts[name]].T, rows["part_length"][:, parts[name]].T
            stretch = np.fmin(gap, 0.0)
            of_wire = 0.5 * wire.section().axial_stiffness / length * stretch**2
            total += of_wire.sum(axis=0) if name in parts else of_wire
    for j, joint in enumerate(scene.joints.values()):
        if joint.spring is not None:
            stretch = rows["joint_position"][:, j] - joint.spring.rest
            if joint.detach is not None:  # with the row of that time, which is a sum of steps
                stretch = np.where(rows["time"] < joint.detach * (1.0 - 1e-9), stretch, 0.0)
            total += 0.5 * joint.spring.stiffness * stretch**2
    for c, touch in enumerate(touches(scene)):
        spring = scene.planes[touch.plane].spring
        if spring is not None:
            total += 0.5 * spring.stiffness * np.minimum(rows["contact_gap"][:, c], 0.0) ** 2
    return total


def elastic(source: Source, rows: Rows) -> Array:
    """½ k s² of all springs together."""
    scene, total = source.scene, springs(source, rows)
    for k, name in enumerate(scene.massive):
        wire = scene.wires[name]
        assert isinstance(wire.model, Mrfe)
        n, length = wire.model.elements, rows["length"][:, list(scene.wires).index(name)]
        nodes = rows["node_position"][:, k, : n + 1]
        stretch = np.linalg.norm(np.diff(nodes, axis=1), axis=2) - length[:, None] / n
        total += 0.5 * wire.section().axial_stiffness * n / length * np.sum(stretch**2, axis=1)
    return total


def energy(source: Source, rows: Rows) -> Array:
    """Kinetic, potential and elastic energy of everything."""
    total = springs(source, rows)
    if source.scene.bodies:
        total = total + (kinetic(source, rows).sum(axis=1) + potential(source, rows).sum(axis=1))
    if source.scene.turned_pulleys:
        total = total + wheels(source, rows).sum(axis=1)
    if source.massive:
        total = total + rows["cable_energy"].sum(axis=1)
    return np.asarray(total)


def dissipated(source: Source, rows: Rows) -> Array:
    """What of the energy of the run's first row, which stands before the others, is no longer there."""
    found = energy(source, rows)
    return np.asarray(found[:1] - found)


def thrust(source: Source, rows: Rows) -> Array:
    """Force of rotors and drives, world axes."""
    time, q = rows["time"], rows["quaternion"]
    out = np.full((len(time), len(source.scene.bodies), 3), np.nan)
    place = {name: i for i, name in enumerate(_actuators(source))}
    for i, (name, body) in enumerate(source.scene.bodies.items()):
        given = np.zeros((len(time), 3))
        if body.rotors is not None and body.rotors.commanded:
            given[:, 2] = sum(rows["actuation"][:, place[f"{name}.rotor{k}"]] for k in (1, 2, 3, 4))
        elif body.rotors is not None:
            given[:, 2] = body.rotors.thrusts_at(time).sum(axis=1)
        if body.rotors is not None:
            given = turned(q[:, i], given)
        if body.actuator is not None:
            given = given + np.stack([rows["actuation"][:, place[f"{name}.force.{axis}"]] for axis in "xyz"], axis=1)
        if body.rotors is not None or body.actuator is not None:
            out[:, i] = given
    return out


def reference(source: Source, rows: Rows) -> Array:
    """Position that each body should have; NaN for those that follow nothing."""
    time = rows["time"]
    out = np.full((len(time), len(source.scene.bodies), 3), np.nan)
    for i, name in enumerate(source.scene.bodies):
        if name in source.followed:
            out[:, i] = source.followed[name].sample(time)[0]
    return out


def tracking_error(source: Source, rows: Rows) -> Array:
    """Position less reference."""
    return np.asarray(rows["position"] - reference(source, rows))


def turned(q: Array, u: Array) -> Array:
    """Vectors u (.., 3) turned by the quaternions q (.., 4)."""
    e = q[..., 1:]
    c = np.cross(e, u)
    return np.asarray(u + 2.0 * (q[..., :1] * c + np.cross(e, c)))


def _actuators(source: Source) -> list[str]:
    """Names along ``actuator``, in the order of the controls: bodies, then wires."""
    names: list[str] = []
    for name, body in source.scene.bodies.items():
        if body.rotors is not None and body.rotors.commanded:
            names += [f"{name}.rotor{k}" for k in (1, 2, 3, 4)]
        if body.actuator is not None:
            names += [f"{name}.force.{axis}" for axis in "xyz"]
            if body.actuator.max_torque > 0.0:
                names += [f"{name}.torque.{axis}" for axis in "xyz"]
    return names


Needs = tuple[str, ...]
MOVING: Needs = ("position", "velocity", "quaternion", "angular_velocity")


def _spring_needs(source: Source) -> Needs:
    scene, needs = source.scene, Needs()
    if any(wire.springy or isinstance(wire.model, Mrfe) for wire in scene.wires.values()):
        needs += ("gap", "length")
    if any(scene.wires[name].springy for name in turned_parts(scene)):
        needs += ("part_gap", "part_length")
    if source.massive:
        needs += ("node_position",)
    if any(joint.spring is not None for joint in scene.joints.values()):
        needs += ("joint_position",)
    if any(plane.spring is not None and plane.contacts for plane in scene.planes):
        needs += ("contact_gap",)
    return needs


def _energy_needs(source: Source) -> Needs:
    own = (("cable_energy",) if source.massive else ()) + (("pulley_speed",) if source.scene.turned_pulleys else ())
    return (MOVING if source.scene.bodies else ()) + _spring_needs(source) + own


def _thrust_needs(source: Source) -> Needs | None:
    bodies = source.scene.bodies.values()
    commanded = any(one.actuator is not None or (one.rotors and one.rotors.commanded) for one in bodies)
    if not commanded and all(one.rotors is None for one in bodies):
        return None
    return ("quaternion", "actuation") if commanded else ("quaternion",)


class Derived(NamedTuple):
    """One entry.

    Attributes
    ----------
    needs : the columns it needs in a scene; None: it says nothing of this one
    formula : of rows, each by itself;  from_start : or with the run's first row before them
    """

    variable: Variable
    needs: Callable[[Source], Needs | None]
    formula: Callable[[Source, Rows], Array]
    from_start: bool = False


_BODY, _EACH, _RUN = ("time", "body", "xyz"), ("time", "body"), ("time",)

_TABLE = (
    Derived(
        Variable("angular_velocity_body", _BODY, "rad/s", "angular velocity in the axes of the body"),
        lambda source: ("quaternion", "angular_velocity"),
        angular_velocity_body,
    ),
    Derived(
        Variable("kinetic_energy", _EACH, "J", "kinetic energy of each body, ½ m v² + ½ ω·I ω"),
        lambda source: MOVING[1:],
        kinetic,
    ),
    Derived(
        Variable("potential_energy", _EACH, "J", "energy of each body in gravity, −m g·x: zero at the world's origin"),
        lambda source: ("position",),
        potential,
    ),
    Derived(
        Variable("wheel_energy", ("time", "pulley"), "J", "½ I ω² of a pulley's wheel that a massless wire turns"),
        lambda source: ("pulley_speed",) if source.scene.turned_pulleys else None,
        wheels,
    ),
    Derived(
        Variable(
            "elastic_energy",
            _RUN,
            "J",
            "½ k s² of elastic wires, springs of joints, elastic ground, and of the extension of mrfe cables",
        ),
        lambda source: _spring_needs(source) or None,
        elastic,
    ),
    Derived(
        Variable(
            "energy",
            _RUN,
            "J",
            "sum of kinetic_, potential_, wheel_, elastic_ (but of mrfe cables) and cable_energy",
        ),
        _energy_needs,
        energy,
    ),
    Derived(
        Variable(
            "dissipated_energy",
            _RUN,
            "J",
            "energy at the start less energy now, where nothing from outside does work: what was lost",
        ),
        lambda source: _energy_needs(source) if source.closed else None,
        dissipated,
        from_start=True,
    ),
    Derived(
        Variable("thrust", _BODY, "N", "force of rotors and drives on their body, world axes"),
        _thrust_needs,
        thrust,
    ),
    Derived(
        Variable("reference", _BODY, "m", "position that a vehicle, or a load that is carried, should have"),
        lambda source: () if source.followed else None,
        reference,
    ),
    Derived(
        Variable("tracking_error", _BODY, "m", "position less reference"),
        lambda source: ("position",) if source.followed else None,
        tracking_error,
    ),
)

DERIVED: Mapping[str, Derived] = {one.variable.name: one for one in _TABLE}
"""Every derived variable by name, in the order in which they are shown."""


def offered(source: Source, columns: Iterable[str], coords: Iterable[str]) -> dict[str, Needs]:
    """Names of the derived variables of a result with these columns and dimensions, and the columns each needs."""
    known, dims = set(columns), {"time", *AXES, *coords}
    found = {}
    for name, one in DERIVED.items():
        needs = needed(source, name)
        if needs is not None and dims.issuperset(one.variable.dims) and known.issuperset(needs):
            found[name] = needs
    return found


def needed(source: Source, name: str) -> Needs | None:
    """The columns that a derived variable needs in a scene, or None where this says nothing of it."""
    needs = DERIVED[name].needs(source)
    return None if needs is None else ("time", *needs)


class DerivedColumn:
    """A derived variable as a column: rows are found as they are asked for."""

    def __init__(self, source: Source, name: str, columns: Mapping[str, Column], sizes: Mapping[str, int]) -> None:
        self._source, self._derived, self._columns = source, DERIVED[name], columns
        self.shape = (columns["time"].shape[0], *(sizes[dim] for dim in DERIVED[name].variable.dims[1:]))

    def __getitem__(self, rows: slice, /) -> Array:
        given = {name: np.asarray(one[rows]) for name, one in self._columns.items()}
        if not self._derived.from_start:
            return self._derived.formula(self._source, given)
        given = {name: np.concatenate([self._columns[name][:1], one]) for name, one in given.items()}
        return self._derived.formula(self._source, given)[1:]
