"""Lengths for poses, poses for lengths, and what a pull of each cable does to the platform.

A pulley of radius r at the base swivels about the axis a through the point A where the cable comes in along a. In the
plane of a and the platform's point B, with e ⟂ a pointing to B and D = B − (A + r e) = d_e e + d_a a,

    free length      ℓ = √(|D|² − r²)                                     the tangent from B to the circle
    wrapped angle    β = atan2(r d_a + ℓ d_e, ℓ d_a − r d_e)  in [0, 2π)
    length           L = ℓ + r β,     u = −(sin β e + cos β a),     ∂L/∂B = −u

The last is the property of the involute: the wrapped part changes the length by as much as the tangent point moves.
Source: Pott, *Influence of pulley kinematics on cable-driven parallel robots* (2012); r = 0 is the standard model.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from towsim.cdpr.robot import UPRIGHT, CableRobot, Floats, a_robot, poses
from towsim.errors import UsageError
from towsim.given import numbers
from towsim.quote import show


class Cables(NamedTuple):
    """The cables of one pose or many (...).

    Attributes
    ----------
    length : (..., n) from A_i to B_i, over the pulley [m];  free : (..., n) of the straight part [m]
    direction : (..., n, 3) u_i, from B_i along the cable, base axes
    arm : (..., n, 3) r_i = R b_i, base axes [m];  leave : (..., n, 3) where the straight part begins, at the base [m]
    swivel : (..., n) distance of B_i from the swivel axis [m]; the free length where there is no pulley
    """

    length: Floats
    free: Floats
    direction: Floats
    arm: Floats
    leave: Floats
    swivel: Floats


class Pose(NamedTuple):
    """A pose that fits lengths: position [m], quaternion (w, x, y, z), and the largest |ΔL| that is left [m]."""

    position: Floats
    quaternion: Floats
    residual: float


def cables(robot: CableRobot, position: ArrayLike, quaternion: ArrayLike = UPRIGHT) -> Cables:
    """Lengths, directions and lever arms of the cables at poses (...,), all cables straight.

    Raises
    ------
    UsageError : a platform point lies on a base point, inside a pulley, or on its swivel axis; names the cable
    """
    found, wrong = straight(a_robot(robot), *poses(position, quaternion))
    if wrong.any():
        raise UsageError(without_length(robot, wrong))
    return found


def without_length(robot: CableRobot, wrong: np.ndarray) -> str:
    """One sentence on the first of the cables (..., n) that have no length."""
    name = robot.names[int(np.argwhere(wrong)[0][-1])]
    return f"cable {name!r} has no length: its platform point is at its base point, or inside its pulley"


def straight(robot: CableRobot, x: Floats, R: Floats) -> tuple[Cables, np.ndarray]:
    """As :func:`cables` for positions and rotations, and which cables (..., n) have no length: theirs are NaN."""
    arm = np.einsum("...ij,nj->...ni", R, robot.platform)
    point = x[..., None, :] + arm
    away = point - robot.base
    r, a = robot.radius, robot.axis
    along = np.einsum("...ni,ni->...n", away, a)
    across = away - along[..., None] * a
    swivel = np.linalg.norm(across, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        e = across / swivel[..., None]
    e = np.where(swivel[..., None] > 0.0, e, 0.0)
    d_e, square = swivel - r, (swivel - r) ** 2 + along**2 - r**2
    wrong = ~(square > 0.0) | ((swivel == 0.0) & (r > 0.0))
    free = np.sqrt(np.where(wrong, np.nan, square))
    whole = np.where(r > 0.0, free**2 + r**2, 1.0)
    sine, cosine = (r * along + free * d_e) / whole, (free * along - r * d_e) / whole
    wrapped = np.where(r > 0.0, np.mod(np.arctan2(sine, cosine), 2.0 * np.pi), 0.0)
    bent = -(sine[..., None] * e + cosine[..., None] * a)
    direction = np.where((r > 0.0)[:, None], bent, -away / free[..., None])
    found = Cables(
        length=free + r * wrapped,
        free=free,
        direction=direction,
        arm=arm,
        leave=point + free[..., None] * direction,
        swivel=np.where(r > 0.0, swivel, free),
    )
    return found, wrong


def lengths(robot: CableRobot, position: ArrayLike, quaternion: ArrayLike = UPRIGHT) -> Floats:
    """Inverse kinematics: lengths (..., n) of the cables at poses [m], wrapped parts included."""
    return cables(robot, position, quaternion).length


def wrench_map(robot: CableRobot, position: ArrayLike, quaternion: ArrayLike = UPRIGHT) -> Floats:
    """W (..., 6, n): forces and moments about the platform's origin, base axes, that unit tensions put on it.

    Column i is (u_i, r_i × u_i); −Wᵀ is the Jacobian of the lengths.
    """
    return columns(cables(robot, position, quaternion))


def weight(robot: CableRobot, position: ArrayLike, quaternion: ArrayLike = UPRIGHT) -> Floats:
    """Force and moment (..., 6) of gravity about the platform's origin, base axes [N, N m]."""
    _, R = poses(position, quaternion)
    force = robot.mass * robot.gravity
    lever = np.einsum("...ij,j->...i", R, robot.centre)
    return np.concatenate([np.broadcast_to(force, lever.shape), np.cross(lever, force)], axis=-1)


def forward(
    robot: CableRobot,
    length: ArrayLike,
    position: ArrayLike,
    quaternion: ArrayLike = UPRIGHT,
    *,
    most: int = 100,
) -> Pose:
    """Forward kinematics: the pose nearest to a start at which all cables have these lengths, as well as they can.

    Levenberg–Marquardt on the lengths, whose Jacobian is −Wᵀ; with more than six cables in least squares.

    Parameters
    ----------
    length : (n,) [m]
    position, quaternion : where to start
    most : iterations

    Raises
    ------
    UsageError : the lengths are not n positive numbers, there are several starts, or the iterations do not settle
    """
    wanted = of_cables(robot, numbers("lengths", length))
    x, R = (part.copy() for part in poses(position, quaternion))
    if x.shape != (3,):
        raise UsageError(f"the search starts at one pose, got {x.shape[:-1]}; ask for one after the other")
    scale = np.array([1.0, 1.0, 1.0, *(3 * [1.0 / robot.arm])])
    q = _quaternion(R)
    damping, miss, now = 1e-3, wanted - lengths(robot, x, q), np.inf
    for _ in range(most):
        now = float(miss @ miss)
        J = -wrench_map(robot, x, q).T * scale
        gradient = J.T @ miss
        if np.abs(gradient).max() <= 1e-15 * float(wanted.max()) or now == 0.0:
            break
        settled = True
        for _ in range(60):
            step = np.linalg.solve(J.T @ J + damping * np.eye(6), gradient) * scale
            at = x + step[:3], _turned(q, step[3:])
            try:
                fresh = wanted - lengths(robot, *at)
            except UsageError:
                fresh = np.full(len(wanted), np.inf)
            if float(fresh @ fresh) < now:
                x, q = at
                miss, damping, settled = fresh, max(0.1 * damping, 1e-15), False
                break
            damping *= 10.0
        if settled:  # rounding: no step is any better
            break
    else:
        raise UsageError(f"no pose was found for these lengths in {most} iterations; start nearer to it")
    return Pose(x, q, float(np.abs(miss).max()))


def of_cables(robot: CableRobot, length: Floats) -> Floats:
    """The lengths, if there is one for each cable and all are finite and > 0. Raises UsageError."""
    if length.shape != (len(a_robot(robot).names),):
        raise UsageError(f"lengths must be {len(robot.names)} numbers, got shape {length.shape}")
    if not (np.isfinite(length) & (length > 0.0)).all():
        raise UsageError(f"lengths must be finite and > 0, got {show(length.tolist())}")
    return length


def columns(taut: Cables) -> Floats:
    """W of these cables, see :func:`wrench_map`."""
    u = taut.direction
    return np.swapaxes(np.concatenate([u, np.cross(taut.arm, u)], axis=-1), -1, -2)


def _quaternion(R: Floats) -> Floats:
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return np.array([w, x, y, z])


def _turned(q: Floats, angle: Floats) -> Floats:
    """The quaternion after a turn by the vector ``angle`` [rad], base axes."""
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_rotvec(angle) * Rotation.from_quat([q[1], q[2], q[3], q[0]])
    x, y, z, w = turn.as_quat()
    return np.array([w, x, y, z])
