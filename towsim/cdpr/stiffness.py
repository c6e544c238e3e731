"""Stiffness of a platform on elastic cables under tension, about a pose.

A small motion (δx, δθ) moves B_i by δp = δx + δθ × r_i. The cable, of stiffness k_i = (EA + t_i)/L_i and free length
ℓ_i, pulls by δf = −B_i δp more,

    B_i = k_i u uᵀ + t_i (n nᵀ/ℓ_i + s sᵀ c_i/d_i)

n ⟂ u in the pulley's plane (the involute turns about the tangent point), s across it, d_i the distance from the swivel
axis and c_i the part of u that turns with the swivel; for a point both are 1/ℓ_i. With [r] the matrix of r ×:

    δ(force, moment) = −K (δx, δθ),    K = Σ [ B  −B[r] ;  [r]B  −[r]B[r] − [f][r] ],   f = t u

The last term is the moment of a pull whose point of attack turns with the platform. Gravity adds −[w][c] where the
centre of mass is not the origin. K is about an equilibrium: only there it is symmetric.
Source: Behzadipour & Khajepour, J. Mech. Des. 128 (2006); derived anew with pulleys.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from towsim.cdpr.kinematics import cables
from towsim.cdpr.robot import UPRIGHT, CableRobot, Floats, a_robot, poses
from towsim.errors import UsageError
from towsim.given import numbers


def stiffness(robot: CableRobot, position: ArrayLike, quaternion: ArrayLike = UPRIGHT, *, tension: ArrayLike) -> Floats:
    """K (..., 6, 6): wrench against a small motion (δx [m], δθ [rad]) of the platform's origin, base axes.

    Parameters
    ----------
    tension : (..., n) of the cables there [N], such as ``tensions(robot, ...).tension``

    Raises
    ------
    UsageError : the robot's cables have no stiffness EA, or tensions are missing, negative or not finite
    """
    if a_robot(robot).stiffness is None:
        raise UsageError("the robot's cables have no stiffness; give CableRobot(stiffness=EA), in N")
    t = numbers("tensions", tension)
    if t.shape[-1:] != (len(robot.names),):
        raise UsageError(f"tensions must be {len(robot.names)} numbers at each pose, got shape {t.shape}")
    sound = np.isfinite(t) & (t >= 0.0)
    if not sound.all():
        where = [int(i) for i in np.argwhere(~sound)[0]]
        pose, least = f" at pose {where[:-1]}" if where[:-1] else "", float(t[tuple(where)])
        why = ", as where no tensions hold the pose: leave it out" if np.isnan(least) else ""
        raise UsageError(
            f"tensions must be finite and >= 0, that of cable {robot.names[where[-1]]!r}{pose} is {least:g}{why}"
        )
    taut, (_, R) = cables(robot, position, quaternion), poses(position, quaternion)
    try:
        np.broadcast_shapes(t.shape, taut.length.shape)
    except ValueError:
        raise UsageError(
            f"tensions {t.shape} must be a row for each of the poses {taut.length.shape[:-1]}, or one for all"
        ) from None
    u, k = taut.direction, (robot.stiffness + t) / taut.length
    s = np.cross(robot.axis, u)
    turning = np.linalg.norm(s, axis=-1, keepdims=True)
    pulley = (robot.radius > 0.0) & (turning[..., 0] > 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.where(pulley[..., None], s / turning, 0.0)
    across = np.eye(3) - _square(u) - _square(s)
    sideways = np.where(pulley, turning[..., 0] / taut.swivel, 0.0)
    B = k[..., None, None] * _square(u) + (t / taut.free)[..., None, None] * across
    B += (t * sideways)[..., None, None] * _square(s)
    r, f = _cross(taut.arm), _cross(t[..., None] * u)
    K = np.zeros((*B.shape[:-3], 6, 6))
    K[..., :3, :3] = B.sum(axis=-3)
    K[..., :3, 3:] = -(B @ r).sum(axis=-3)
    K[..., 3:, :3] = (r @ B).sum(axis=-3)
    lever = np.einsum("...ij,j->...i", R, robot.centre)
    K[..., 3:, 3:] = -(r @ B @ r + f @ r).sum(axis=-3) - _cross(robot.mass * robot.gravity) @ _cross(lever)
    return K


def _square(v: Floats) -> Floats:
    return np.asarray(v[..., :, None] * v[..., None, :])


def _cross(v: Floats) -> Floats:
    """[v] with [v] x = v × x."""
    x, y, z = np.moveaxis(np.asarray(v, float), -1, 0)
    o = np.zeros_like(x)
    rows = ((o, -z, y), (z, o, -x), (-y, x, o))
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
