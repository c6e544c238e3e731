"""What a scene says that is hardly meant: it can be run, and the user is told, once with each run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from towsim.scene.base import bound_formulas
from towsim.scene.bodies import Drag
from towsim.scene.crowding import crowded
from towsim.scene.piecewise import Rows, extremes, through
from towsim.scene.vehicles import Vehicle

if TYPE_CHECKING:
    from towsim.scene.scene import Scene

THICKEST, STOUT = 0.5, 0.05
"""Diameter that no rope has, and one beyond which a rope is at least ten times as long as it is thick [m]."""
ROUNDING = 1e-9
"""A curve leaves the range of its points by more than this part of 1 + their size, or not at all."""
ROTORS, DRIVE = ("max_thrust", "inertia", "arm", "moment_ratio"), ("max_force",)
"""Keys of a vehicle that count for a quadcopter alone, and for the other dynamics."""


def doubts(scene: Scene) -> Iterator[str]:
    """All of it, of a scene as it was declared."""
    yield from crowded(scene)
    yield from _paid_out_at_the_load(scene)
    yield from _thick(scene)
    yield from _without_effect(scene)
    yield from _of_other_dynamics(scene)
    yield from _overshooting(scene)


def _paid_out_at_the_load(scene: Scene) -> Iterator[str]:
    """Wires with friction whose winch is, by their order, at the load, and so hardly where it is meant to be.

    What is paid out at ``to`` passes no point: the wire rubs where the load moves, and not where it is reeled.
    """
    for name, wire in scene.wires.items():
        reeled = wire.winch is not None or not isinstance(wire.length, float)
        if not (wire.friction and reeled):
            continue
        at_robot, at_load = (scene.attachment(scene.carrier(end)).is_robot for end in (wire.from_, wire.to))
        if at_robot and not at_load:
            via = ", ".join(reversed(wire.via))
            yield (
                f"wire {name!r}: one with friction is paid out and hauled in at its end to, and that is the load "
                f"{wire.to!r}; with the winch at {wire.from_!r} write it the other way round: from: {wire.to}, "
                f"via: [{via}], to: {wire.from_}"
            )


def _thick(scene: Scene) -> Iterator[str]:
    """Wires that no rope is as thick as, whose diameters are probably in mm."""
    for name, wire in scene.wires.items():
        d, length = wire.material.diameter if wire.material else None, wire.length_at_start()
        if d is not None and (d > THICKEST or d > max(STOUT, 0.1 * length)):
            yield (
                f"wire {name!r}: its diameter is {d:g} m, of a length of {length:g} m; diameters are in m, so that "
                "12 mm are 0.012"
            )


def _without_effect(scene: Scene) -> Iterator[str]:
    """What nothing uses or feels."""
    for k, plane in enumerate(scene.planes):
        if not plane.contacts:
            yield (
                f"ground{f'[{k}]' if isinstance(scene.ground, tuple) else ''}: nothing touches it; list what does, "
                "such as contacts: [box.corners], or leave it out"
            )
    if unfelt(scene):
        yield "wind: no body feels it; give those that do a drag, such as drag: {linear: 0.5}, or leave it out"
    passed = {end for wire in scene.wires.values() for end in wire.ends}
    for name in scene.pulleys:
        if name not in passed:
            yield f"pulley {name!r}: no wire passes it; name it in a wire (via: [{name}]), or leave it out"
    used = {name for text in bound_formulas(scene) for name in text.values} if scene.parameters else set()
    for name in scene.parameters:
        if name not in used:
            yield f"parameters.{name}: no formula uses it; name it in one, or leave it out"


def unfelt(scene: Scene) -> bool:
    """Whether there is wind, and nothing with a drag."""
    dragged = (body.drag for body in scene.bodies.values())
    driven = (robot.vehicle.drag for robot in scene.robots.values() if robot.dynamic)
    return scene.wind != (0.0, 0.0, 0.0) and all(drag == Drag() for drag in chain(dragged, driven))


def _of_other_dynamics(scene: Scene) -> Iterator[str]:
    """What robots declare of a vehicle that others would be; with the keys of their own as well, it is for a switch."""
    for name, robot in scene.robots.items():
        given = [key for key, field in Vehicle.model_fields.items() if getattr(robot.vehicle, key) != field.default]
        others, own = (DRIVE, ROTORS) if robot.dynamics == "quadcopter" else (ROTORS, DRIVE)
        foreign = [key for key in given if key in others]
        if given and not robot.dynamic:
            yield (
                f"robot {name!r}: is kinematic and moves as declared, whatever pulls on it; {_listed(given)} of its "
                "vehicle would count with dynamics: quadcopter, point-mass or ground"
            )
        elif foreign and not any(key in own for key in given):
            yield (
                f"robot {name!r}: {_listed(foreign)} of its vehicle would count for "
                f"{'a point-mass or ground vehicle' if robot.dynamics == 'quadcopter' else 'a quadcopter'}, and its "
                f"dynamics are {robot.dynamics}, with {own[0]}: {getattr(robot.vehicle, own[0]):g} N here"
            )


def _listed(keys: list[str]) -> str:
    return ", ".join(keys[:-1]) + " and " + keys[-1] if len(keys) > 1 else keys[0]


class Spline(NamedTuple):
    """A curve that finds its own rates: what follows it, of which coordinates, and the points (K, dim) [m]."""

    what: str
    along: tuple[str, ...]
    t: tuple[float, ...]
    points: Rows
    kind: str


def _splines(scene: Scene) -> Iterator[Spline]:
    motions: list[tuple[str, Any]] = [(f"robot {name!r}", robot.motion) for name, robot in scene.robots.items()]
    motions += [(f"controller {name!r}", getattr(law, "path", None)) for name, law in scene.controllers.items()]
    for what, motion in motions:
        points = None if motion is None else motion.waypoints or motion.samples
        if points is not None:
            t, position, kind, _ = points.course
            yield Spline(what, (" along x", " along y", " along z"), t, position, kind)
    for name, wire in scene.wires.items():
        points = getattr(wire.length, "waypoints", None)
        if points is not None:
            t, length, kind, _ = points.course
            yield Spline(f"length of wire {name!r}", ("",), t, length, kind)


def _overshooting(scene: Scene) -> Iterator[str]:
    """Splines that leave the range of a coordinate of their points by more than that range: the points jump."""
    for what, along, times, points, kind in _splines(scene):
        if kind == "quintic":
            continue  # its rates are declared
        t, x = np.array(times), np.array(points)
        low, high = x.min(axis=0), x.max(axis=0)
        least, most = extremes(through(times, points, kind))
        beyond = np.maximum(low - least, most - high)
        far = beyond - np.maximum(high - low, ROUNDING * (1.0 + np.abs(x).max(axis=0)))
        if not (far > 0.0).any():
            continue
        k, axis = map(int, np.unravel_index(int(np.argmax(far)), far.shape))
        j = int(np.argmax(np.abs(np.diff(x[:, axis])) / np.diff(t)))
        yield (
            f"{what}: the spline through its points leaves their range{along[axis]}, {low[axis]:.6g} to "
            f"{high[axis]:.6g} m, by {beyond[k, axis]:.3g} m between t = {t[k]:.6g} and {t[k + 1]:.6g} s; the points "
            f"change fastest between points {j + 1} and {j + 2}, t = {t[j]:.6g} and {t[j + 1]:.6g} s. Take out what "
            "jumps there, or write waypoints of kind: quintic, which are at rest at each point and stay between them"
        )
