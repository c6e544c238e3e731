"""Vehicles that follow their own declared motion.

    F = m (a_d − 2ζω (v − v_d) − ω² (x − x_d) − I − g) − Σ T n

T n is what a wire pulls the vehicle with at its end, as a load cell says, smoothed over 0.1 s: without it a load would
have to be learnt by the integral I. Its direction n is that of a straight line to the next point that the wire passes,
of a pulley to its centre; the weight of massive wires, the arm r of pulleys and drums, and friction between two rings
are left to I. A quadcopter turns F into an attitude (attitude.py); what is pushed gets F itself.

Source: Lee, Leok & McClamroch, CDC 2010 (F); the integral is bounded as in Goodarzi, Lee & Lee, ECC 2013.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import value
from towsim.control.attitude import beyond, fly, pursuit, upward
from towsim.control.craft import Craft, make_craft
from towsim.control.plant import Plant
from towsim.model.arrays import Flags, Floats, Floats3, Ints, pack
from towsim.model.vectors import add, at3, axpy, norm, put3, scale, sub, turned
from towsim.scene import Scene, Track
from towsim.scene.quantity import Vec3

SMOOTHING = 0.1
"""Time constant of the wires' pulls [s]."""

MOST = 20.0
"""Bound of the integral [m/s²]: what two vehicles' weight of load would cause."""


class Pulls(NamedTuple):
    """Straight parts of wires that end, or pass a ring or block, on the vehicles."""

    wire: Ints  # (nw,)
    ends: Flags  # (nw,) whether it has the tension where the wire ends (``to``), and not that where it begins
    vehicle: Ints  # (nw,) number of the vehicle among those of the law
    other: Ints  # (nw,) body at the other end of the part; −1 − k: robot k
    at: Floats3  # (nw, 3) the point there, body axes [m]
    pull: Floats3  # (nw, 3) smoothed [N]


class Tracking(NamedTuple):
    """What the law keeps."""

    craft: Craft
    pulls: Pulls
    gains: Floats  # (5,) ω [rad/s], ζ, rate of the integral [1/s], ω of the attitude [rad/s], period [s]
    gravity: Floats  # (3,)
    integral: Floats3  # (n, 3) [m/s²]


def make_tracking(scene: Scene, plant: Plant, law: Track, vehicles: tuple[str, ...]) -> Tracking:
    """Memory of the law for the vehicles of an expanded scene."""
    gains = np.array([law.bandwidth, law.damping, law.integral, law.attitude_bandwidth, 1.0 / law.rate])
    craft = make_craft(scene, plant, vehicles)
    return Tracking(craft, _pulls(scene, plant, vehicles), gains, np.array(scene.gravity), np.zeros((len(vehicles), 3)))


def _pulls(scene: Scene, plant: Plant, vehicles: tuple[str, ...]) -> Pulls:
    rows: list[tuple[int, bool, int, int, Vec3]] = []
    for name, wire in scene.wires.items():
        for k, ends in enumerate(pairwise(map(scene.carrier, wire.ends))):
            for here, there in (ends, ends[::-1]):
                if here in vehicles and (place := _place(scene, plant, there)) is not None:
                    rows.append((plant.wire(name), k > 0, vehicles.index(here), *place))
    wires, far, carriers, others, at = zip(*rows, strict=True) if rows else ((),) * 5
    pulls: Pulls = pack(
        Pulls,
        wire=wires,
        ends=far,
        vehicle=carriers,
        other=others,
        at=np.array(at, float).reshape(-1, 3),
        pull=np.zeros((len(rows), 3)),
    )
    return pulls


def _place(scene: Scene, plant: Plant, end: str) -> tuple[int, Vec3] | None:
    """What a wire's end belongs to, as ``Pulls.other``, and the point there; None if it is free."""
    owner, _, point = end.partition(".")
    if end in scene.robots:
        return -1 - plant.robot(end), (0.0, 0.0, 0.0)
    if owner not in scene.bodies:
        return None
    return plant.body(owner), scene.bodies[owner].points[point] if point else (0.0, 0.0, 0.0)


@part()
def pulled(pulls, w, measured, x, period):
    """What a wire pulls a vehicle at x with, smoothed [N]."""
    end = at3(pulls.at, w)
    other = pulls.other[w]
    if other >= 0:
        q = measured.quaternion
        end = add(at3(measured.position, other), turned((q[other, 0], q[other, 1], q[other, 2], q[other, 3]), end))
    else:
        end = at3(measured.robot_position, -1 - other)
    along = sub(end, x)
    size = norm(along)
    share = period / (SMOOTHING + period)
    tension = measured.far_tension[pulls.wire[w]] if pulls.ends[w] else measured.tension[pulls.wire[w]]
    read = size > 0.0 and not math.isnan(value(tension))
    fresh = scale(tension / size if read else 0.0, along)
    old = at3(pulls.pull, w)
    put3(pulls.pull, w, axpy(share, sub(fresh, old), old))
    return at3(pulls.pull, w)


@kernel()
def track(t, measured, reference, memory, command):
    """The law; see the module, and ``Control`` for the arguments."""
    craft, gains, pulls = memory.craft, memory.gains, memory.pulls
    omega, zeta, rate, period = gains[0], gains[1], gains[2], gains[4]
    up, g = upward(memory.gravity)
    for i in range(craft.body.shape[0]):
        b, m = craft.body[i], craft.mass[i]
        x, v = at3(measured.position, b), at3(measured.velocity, b)
        a = pursuit(reference, i, x, v, omega, zeta, memory.integral, rate, period, MOST)
        F = scale(m, beyond(memory.gravity, a))
        for w in range(pulls.wire.shape[0]):
            if pulls.vehicle[w] == i:
                F = axpy(-1.0, pulled(pulls, w, measured, x, period), F)
        if craft.flies[i]:
            fly(craft, i, measured, F, up, m * g, 0.0, gains[3], period, command)
        else:
            for j in range(3):
                command[craft.first[i] + j] = F[j]
