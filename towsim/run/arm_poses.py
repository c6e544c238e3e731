"""Coordinates and rates of reduced joints from poses and velocities that their bodies are given by hand.

A joint holds some of a pose; the coordinate is of the rest, and what the pose misses the joint by tells how far it is
open. Velocities v that the joints do not allow they change by an impulse, as rows would,

    Xᵀ 𝓜 X u = Xᵀ 𝓜 (v − v_base)        with the bodies' velocities X u + v_base

Source: Moreau (1988): of all velocities that constraints allow, the nearest in kinetic energy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from towsim.methods.block import Block
from towsim.methods.stepper import Stepper
from towsim.model.arrays import Floats, State
from towsim.model.bends import product
from towsim.model.model import Model
from towsim.model.trees import BALL_END, SLIDE, TURN
from towsim.run.poses import BACK, copied, motion_of, turned

UNTURNED: Floats = np.array([1.0, 0.0, 0.0, 0.0])
"""The quaternion of what is not turned."""


class Fit(NamedTuple):
    """Arms as the poses of their bodies have them.

    Attributes
    ----------
    q : (nq,) coordinates of the joints
    open_, tilt : (nl,) how far what carries each body is open [m], and off in orientation [rad]
    axis, place : (n, 3) of the joints, world axes [m]
    """

    q: Floats
    open_: Floats
    tilt: Floats
    axis: Floats
    place: Floats


def to_this_instant(stepper: Stepper, row: Callable[[], Block]) -> State:
    """Bring the velocities in the state to this instant, of which ``row`` tells; SHAKE has those half a step before.

    Returns a copy of the state then.
    """
    if stepper.method.staggered and not stepper.anew:
        block, inertia, (q, v, _) = row(), stepper.model.bodies.inertia, stepper.state
        record, last = block.record, block.stop - 1
        v[: 6 * len(inertia)] = motion_of(inertia, q, record.velocity[last], record.angular_velocity[last])
        fit_joints(stepper, range(len(inertia)))
    return copied(stepper.state)


def fit_joints(stepper: Stepper, bodies: Collection[int]) -> None:
    """Write coordinates and rates of the arms of some bodies to the state, from the poses and velocities there."""
    arms, state = stepper.model.arms, stepper.state
    mine = [] if arms is None else [e for body, e in zip(arms.body, arms.joint, strict=True) if body in bodies]
    if arms is None or not mine:
        return
    drive, tree, q, v = stepper.drive(0)[1], arms.tree, int(arms.q[0]), int(arms.v[0])
    found = fit(stepper.model, drive.robot[0], state.q)
    rate = _rates(stepper, found, drive.robot_rate[0] - drive.robot_jump[0])
    for e in np.flatnonzero(np.isin(tree.base, tree.base[mine])):
        k, size = tree.q[e], 4 if tree.kind[e] == BALL_END else 1
        state.q[q + k : q + k + size] = found.q[k : k + size]
        state.v[v + e] = rate[e]


def fit(model: Model, robot: Floats, q: Floats) -> Fit:
    """The coordinates that come nearest to the poses in q, with bases at the places ``robot`` (n_robots, 3)."""
    arms = model.arms
    assert arms is not None  # which the callers ask for
    tree, free, n = arms.tree, set(arms.tree.free.tolist()), len(arms.tree.kind)
    place, turn = np.zeros((n, 3)), np.tile(UNTURNED, (n, 1))  # of the joints, and of the links behind them
    axis, c, (open_, tilt) = np.zeros((n, 3)), q[arms.q[0] :].copy(), np.zeros((2, len(arms.body)))
    reached = set[int]()
    for i, (body, e) in enumerate(zip(arms.body.tolist(), arms.joint.tolist(), strict=True)):
        x = q[7 * body : 7 * body + 3]
        if e in reached:  # a point mass that is a part of the link
            open_[i] = np.linalg.norm(x - place[e] - turned(turn[e], arms.centre[i]))
            continue
        reached.add(e)
        kind, k, first = tree.kind[e], tree.q[e], e - 2 if tree.kind[e] == BALL_END else e
        carrier, base = tree.carrier[first], arms.robot[tree.base[e]]
        origin, frame = (
            (robot[base] if base >= 0 else np.zeros(3), UNTURNED) if carrier < 0 else (place[carrier], turn[carrier])
        )
        slid = kind == SLIDE and not model.bodies.rotates[body]  # a point mass, which has no orientation of its own
        turn[e] = frame if slid else product(q[7 * body + 3 : 7 * body + 7], arms.turn[i] * BACK)
        place[first : e + 1] = at = x - turned(turn[e], arms.centre[i])
        axis[first : e + 1] = [turned(frame, one) for one in tree.axis[first : e + 1]]
        apart, way = at - origin - turned(frame, tree.at[first]), product(frame * BACK, turn[e])
        if first - 3 in free:
            axis[first - 3 : first], apart = np.eye(3), np.zeros(3)
            c[tree.q[first - 3 : first]] = at
        if kind == BALL_END:
            c[k : k + 4] = np.copysign(1.0, way @ c[k : k + 4]) * way
        elif kind == TURN:
            along = way[1:] @ tree.axis[e]
            c[k] += np.remainder(2.0 * np.arctan2(along, way[0]) - c[k] + np.pi, 2.0 * np.pi) - np.pi
            tilt[i] = 2.0 * np.linalg.norm(way[1:] - along * tree.axis[e])
        elif kind == SLIDE:
            c[k] = axis[e] @ apart
            apart, tilt[i] = apart - c[k] * axis[e], 2.0 * np.linalg.norm(way[1:])
        open_[i] = np.linalg.norm(apart)
    return Fit(c, open_, tilt, axis, place)


def _rates(stepper: Stepper, found: Fit, robot_rate: Floats) -> Floats:
    """Rates of all joints (n,) with the velocities and momenta of their bodies in the state."""
    arms, bodies, (q, v, _) = stepper.model.arms, stepper.model.bodies, stepper.state
    assert arms is not None
    tree, n = arms.tree, len(arms.tree.kind)
    mass, momentum = np.zeros((n, n)), np.zeros(n)
    for body, e in zip(arms.body.tolist(), arms.joint.tolist(), strict=True):
        speed, spin = np.zeros((2, n, 3))
        base = arms.robot[tree.base[e]]
        relative = v[6 * body : 6 * body + 3] - (robot_rate[base] if base >= 0 else 0.0)
        while e >= 0:
            if tree.kind[e] == SLIDE:
                speed[e] = found.axis[e]
            else:
                spin[e] = found.axis[e]
                speed[e] = np.cross(spin[e], q[7 * body : 7 * body + 3] - found.place[e])
            e = int(tree.parent[e])
        turn = np.array([turned(q[7 * body + 3 : 7 * body + 7], one) for one in np.eye(3)])
        mass += bodies.mass[body] * speed @ speed.T + spin @ (turn.T @ bodies.inertia[body] @ turn) @ spin.T
        momentum += bodies.mass[body] * speed @ relative + spin @ v[6 * body + 3 : 6 * body + 6]
    return np.asarray(np.linalg.solve(mass, momentum), np.float64)


def torn(stepper: Stepper, robot: Floats, q: Floats, slack: float) -> tuple[str, float, str] | None:
    """Name of the reduced joint that the poses in q tear most, how far, and its unit; None: none is by ``slack``."""
    if (arms := stepper.model.arms) is None:
        return None
    found, scene = fit(stepper.model, robot, q), stepper.compiled.scene
    worst = np.maximum(found.open_, found.tilt)
    i = int(np.argmax(worst))
    if not worst[i] > slack:
        return None
    names, e = np.array(list(scene.bodies))[arms.body], arms.joint[i]
    before = arms.tree.parent[e]
    while before >= 0 and arms.tree.mass[before] == 0.0:  # a part of the same joint
        before = arms.tree.parent[before]
    near = {*names[np.isin(arms.joint, (e, before))], *scene.robots}
    for name, joint in scene.joints.items():
        ends = {scene.attachment(end).owner for end in (joint.from_, joint.to)}
        if joint.reduced and names[i] in ends and ends <= near:
            return name, float(worst[i]), "m" if found.open_[i] >= found.tilt[i] else "rad"
    return None
