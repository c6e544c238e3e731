"""Tension distribution: which pulls within the limits hold the platform, at one pose or along many.

The cables balance gravity, external wrenches and accelerations:  W t + w_g + w_e = w_a,  so W t = b. Moments are
divided by the mean arm of the platform's points, so that a residual is a force in N in every row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from towsim.cdpr.kinematics import weight, wrench_map
from towsim.cdpr.projection import EMPTY, FEASIBLE, distribute, scratch_of
from towsim.cdpr.robot import UPRIGHT, CableRobot, Floats, a_robot, poses
from towsim.errors import UsageError
from towsim.given import numbers
from towsim.quote import show
from towsim.suggest import is_one_of, unknown

RULES = ("centre", "least", "middle", "last")
"""Which tensions: the analytic centre, or those closest to zero, to the middle of the limits, or to the last pose's."""

LIMITLESS = 1e7
"""Largest tension that is thought of where a cable has no upper limit, of the forces at work."""

UNDECIDED = "neither tensions nor a proof were found, as at the very edge of what the cables can hold"


@dataclass(frozen=True, eq=False)
class Tensions:
    """Tensions at poses (...,), or proofs that there are none.

    Attributes
    ----------
    feasible : (...,) whether tensions within the limits hold the platform
    tension : (..., n) [N]; NaN where there are none
    farkas : (..., 6) where there are none: y with b·y > max (W t)·y over all tensions within the limits: force and
        moment directions in which the cables cannot give what is asked; NaN elsewhere
    binding : (..., n) +1 where a cable would have to pull more than it may, −1 where less than its least, 0 elsewhere
    undecided : (...,) where neither was found (none are known)
    """

    robot: CableRobot
    feasible: np.ndarray
    tension: Floats
    farkas: Floats
    binding: np.ndarray
    undecided: np.ndarray

    def __repr__(self) -> str:
        held, n = int(self.feasible.sum()), self.feasible.size
        if not held:
            return f"Tensions({n} poses, none of which can be held)"
        low, high = np.nanmin(self.tension), np.nanmax(self.tension)
        return f"Tensions({held} of {n} poses held, {low:.4g} to {high:.4g} N)"

    def why(self, pose: int | tuple[int, ...] = ()) -> str:
        """One sentence on why a pose cannot be held, with the cables' names; empty where it can.

        pose : its index; nothing for a single one

        Raises
        ------
        UsageError : there is no such pose
        """
        pose = a_pose(pose, self.feasible.shape)
        if self.feasible[pose]:
            return ""
        if self.undecided[pose]:
            return UNDECIDED
        return reason(self.robot, self.binding[pose], self.farkas[pose])


def tensions(
    robot: CableRobot,
    position: ArrayLike,
    quaternion: ArrayLike = UPRIGHT,
    *,
    rule: str = "centre",
    wrench: ArrayLike = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    acceleration: ArrayLike = (0.0, 0.0, 0.0),
) -> Tensions:
    """Tensions within the limits that hold the platform, for any number of cables.

    Parameters
    ----------
    position, quaternion : poses (...,), the order of which matters for ``rule="last"`` only
    rule : "centre" (analytic centre of the polytope: far from all limits), "least" (least norm), "middle" (closest to
        the middle of the limits), or "last" (the first pose's closest to the middle, each other's to those of the pose
        before). All are continuous along a path as long as it stays inside the workspace
    wrench : (..., 6) external force [N] and moment about the platform's origin [N m], base axes
    acceleration : (..., 3) of the centre of mass, without rotation [m/s²]

    Raises
    ------
    UsageError : there is no such rule; "centre" and "middle" without an upper limit; shapes that do not go together
    """
    a_robot(robot)
    if not is_one_of(rule, RULES):
        raise UsageError(unknown("rule", rule, RULES))
    if rule != "least" and not np.isfinite(robot.most).all():
        name = robot.names[int(np.argmax(~np.isfinite(robot.most)))]
        raise UsageError(f"rule {rule!r} needs an upper limit for every cable, and {name!r} has none; use rule='least'")
    W = wrench_map(robot, position, quaternion)
    b = demand(robot, position, quaternion, wrench, acceleration)
    shape, n = b.shape[:-1], W.shape[-1]
    W = np.broadcast_to(W, (*b.shape, n))
    flat, wanted = in_forces(robot, W.reshape(-1, 6, n)), in_forces(robot, b.reshape(-1, 6))
    low, high = robot.least, upper(robot, wrench, acceleration)
    c = np.zeros(n) if rule == "least" else 0.5 * (low + high)
    t, y = np.empty((len(flat), n)), np.empty((len(flat), 6))
    verdict = np.empty(len(flat), np.int64)
    distribute(flat, wanted, low.copy(), high, c, rule == "centre", rule == "last", t, y, verdict, scratch_of(6, n))
    t[verdict != FEASIBLE] = np.nan
    y[verdict != EMPTY] = np.nan
    return Tensions(
        robot,
        (verdict == FEASIBLE).reshape(shape),
        t.reshape(*shape, n),
        back_in_moments(robot, y).reshape(*shape, 6),
        at_limits(flat, y).reshape(*shape, n),
        ((verdict != FEASIBLE) & (verdict != EMPTY)).reshape(shape),
    )


def a_pose(pose: object, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Index of one of the poses of this shape. Raises UsageError."""
    index = pose if isinstance(pose, tuple) else (pose,)
    whole = all(isinstance(i, int | np.integer) and not isinstance(i, bool) for i in index)
    if not whole or len(index) != len(shape) or not all(-n <= i < n for i, n in zip(index, shape, strict=True)):
        there = f"poses are {shape}" if shape else "there is one pose"
        needed = f"give the index of one{' as a tuple' if len(shape) > 1 else ''}" if shape else "leave the index out"
        raise UsageError(f"{there}: {needed}, got {show(pose)}")
    return index


def at_limits(W: Floats, y: Floats) -> np.ndarray:
    """Which limits (N, n) bind by the proofs y (N, 6): +1 for the upper one, −1 for the lower one, 0 where y is NaN.

    Where all cables pull across y, to rounding, none gives anything along it, whatever its limits.
    """
    s = np.einsum("kdn,kd->kn", W, y)
    most = np.abs(s).max(axis=1, keepdims=True)
    whole = (np.linalg.norm(W, axis=1) * np.linalg.norm(y, axis=1, keepdims=True)).max(axis=1, keepdims=True)
    near = (np.abs(s) <= 1e-9 * most) | (most <= 1e-9 * whole)
    return np.sign(np.where(near | np.isnan(s), 0.0, s)).astype(np.int8)


def reason(robot: CableRobot, binding: np.ndarray, farkas: Floats) -> str:
    """One sentence on why a pose cannot be held, from which limits bind (n,) and a Farkas vector (6,)."""
    most = [name for name, sign in zip(robot.names, binding, strict=True) if sign > 0]
    least = [name for name, sign in zip(robot.names, binding, strict=True) if sign < 0]
    parts = [f"{', '.join(most)} at the upper limit"] * bool(most)
    parts += [f"{', '.join(least)} at the lower limit"] * bool(least)
    even = f"the cables give too little, even with {' and '.join(parts)}" if parts else "no cable gives anything"
    return f"along the wrench direction (force {_short(farkas[:3])}; moment {_short(farkas[3:])}) {even}"


def _short(vector: Floats) -> str:
    return ", ".join(f"{one:.3g}" for one in np.where(np.abs(vector) < 1e-6, 0.0, vector))


def demand(
    robot: CableRobot, position: ArrayLike, quaternion: ArrayLike, wrench: ArrayLike, acceleration: ArrayLike
) -> Floats:
    """b (..., 6): the wrench that the cables have to give, about the platform's origin."""
    external, a = numbers("wrench", wrench), numbers("acceleration", acceleration)
    if (
        external.shape[-1:] != (6,)
        or a.shape[-1:] != (3,)
        or not (np.isfinite(external).all() and np.isfinite(a).all())
    ):
        raise UsageError(
            f"a wrench has six finite numbers and an acceleration three; got shapes {external.shape} and {a.shape}"
        )
    _, R = poses(position, quaternion)
    lever = np.einsum("...ij,j->...i", R, robot.centre)
    try:
        np.broadcast_shapes(a.shape[:-1], external.shape[:-1], lever.shape[:-1])
    except ValueError:
        raise UsageError(
            f"wrenches {external.shape} and accelerations {a.shape} must be one for each of the poses "
            f"{lever.shape[:-1]}, or one for all; workspace(..) asks each pose for each of them"
        ) from None
    force = np.broadcast_to(robot.mass * a, np.broadcast_shapes(a.shape, lever.shape))
    inertial = np.concatenate([force, np.cross(lever, force)], axis=-1)
    return np.asarray(inertial - external - weight(robot, position, quaternion))


def upper(robot: CableRobot, wrench: ArrayLike, acceleration: ArrayLike) -> Floats:
    """Largest tensions (n,) [N]: the limits, or far more than weight, wrenches (.., 6), accelerations (.., 3) ask."""
    a, external = np.asarray(acceleration, float), np.reshape(np.asarray(wrench, float), (-1, 6))
    asked = float(np.abs(in_forces(robot, external)).max(initial=0.0)) + robot.mass * float(np.abs(a).max(initial=0.0))
    size = asked + robot.mass * float(np.linalg.norm(robot.gravity)) + float(robot.least.max())
    return np.where(np.isfinite(robot.most), robot.most, LIMITLESS * (size or 1.0))


def in_forces(robot: CableRobot, wrench: Floats) -> Floats:
    """Wrenches (N, 6) or wrench maps (N, 6, n) with moments divided by the mean arm."""
    scale = np.array([1.0, 1.0, 1.0, *(3 * [1.0 / robot.arm])])
    return np.ascontiguousarray(wrench * (scale[:, None] if wrench.ndim == 3 else scale))


def back_in_moments(robot: CableRobot, y: Floats) -> Floats:
    """Farkas vectors (N, 6) of such problems for wrenches in N and N m, of length 1."""
    y = y * np.array([1.0, 1.0, 1.0, *(3 * [1.0 / robot.arm])])
    return np.asarray(y / np.linalg.norm(y, axis=1, keepdims=True))
