"""Directions of a chain of elements by universal joints: a turn about y, then one about −x; how fast they turn."""

from __future__ import annotations

import math

import numpy as np

from towsim.model.arrays import Floats

SIDE = np.sqrt([2.0, 3.0, 5.0, 7.0])
"""Of quaternions; no symmetric arrangement lies across it."""


def angles(u: Floats) -> tuple[float, float]:
    """Angles about y, then about −x, that turn the z axis to the unit vector u."""
    x, y, z = u.tolist()
    return math.atan2(x, z), math.asin(min(1.0, max(-1.0, y)))


def bend(first: float, second: float) -> Floats:
    """Rotation about y by ``first``, then about −x by ``second``."""
    c1, s1, c2, s2 = math.cos(first), math.sin(first), math.cos(second), math.sin(second)
    return np.array([[c1, -s1 * s2, s1 * c2], [0.0, c2, s2], [-s1, -c1 * s2, c1 * c2]])


def follow(frame: Floats, along: Floats, turning: Floats) -> tuple[Floats, Floats, Floats]:
    """How two turns φ, ψ of a frame follow a direction that turns.

    In the frame the direction is u = (cos ψ sin φ, sin ψ, cos ψ cos φ), so that

        φ' = (u_x' cos φ − u_z' sin φ)/cos ψ,    ψ' = u_y'/cos ψ = −(u_x' sin φ + u_z' cos φ)/sin ψ

    Parameters
    ----------
    frame : (3, 3) axes in columns;  along : unit vector (3,);  turning : its rate (3,) as seen from the frame [1/s]

    Returns
    -------
    φ', ψ' (2,) [rad/s], the frame (3, 3) behind both turns, and its angular velocity (3,) relative to ``frame``
    """
    u, (dx, dy, dz) = frame.T @ along, (frame.T @ turning).tolist()
    first, second = angles(u)
    s, c, level = math.sin(first), math.cos(first), math.cos(second)
    turn = (dx * c - dz * s) / level if level > 1e-6 else 0.0  # along y the first turn does nothing
    rates = np.array([turn, dy / level if level > 0.5 else (dx * s + dz * c) / -math.sin(second)])
    return rates, frame @ bend(first, second), frame @ [-rates[1] * c, rates[0], rates[1] * s]


def product(p: Floats, q: Floats) -> Floats:
    """Product of two quaternions wxyz."""
    w, x = p[0], p[1:]
    return np.concatenate([[w * q[0] - x @ q[1:]], w * q[1:] + q[0] * x + np.cross(x, q[1:])])


def quaternion(R: Floats) -> Floats:
    """Unit quaternion wxyz of a rotation matrix: the eigenvector of its largest eigenvalue, 1, of Bar-Itzhack's K.

    Of the two, q and −q, the one on the same side for all rotations nearby, but where they lie by chance across it.
    """
    trace = np.trace(R)
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    K = np.block([[np.array([[trace]]), skew[None]], [skew[:, None], R + R.T - trace * np.eye(3)]])
    q = np.asarray(np.linalg.eigh(K)[1][:, -1])
    return q if q @ SIDE > 0.0 else -q
