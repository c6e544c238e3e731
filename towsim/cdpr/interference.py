"""Interference: how near cables come to each other, and to the platform, along a path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from towsim.cdpr.kinematics import cables
from towsim.cdpr.robot import UPRIGHT, CableRobot, Floats, poses
from towsim.errors import UsageError
from towsim.given import numbers
from towsim.quote import show

TOUCHING = 1e-9
"""Share of a cable at the platform that is not asked whether it is inside."""


@dataclass(frozen=True, eq=False)
class Clearance:
    """Distances at poses (...,).

    Attributes
    ----------
    pairs : (p, 2) numbers of the cables that have no end in common
    distance : (..., p) between their straight parts [m]
    inside : (..., n) length of each cable that is inside the platform's box [m]; zeros without a box
    """

    robot: CableRobot
    pairs: np.ndarray
    distance: Floats
    inside: Floats

    def __repr__(self) -> str:
        if not self.distance.size:
            return "Clearance(no two cables without a common end)"
        place = np.unravel_index(int(self.distance.argmin()), self.distance.shape)
        one, other = (self.robot.names[i] for i in self.pairs[place[-1]])
        cut = sorted({self.robot.names[i] for i in np.argwhere(self.inside > 0.0)[:, -1]})
        through = f"; through the platform: {', '.join(cut)}" if cut else ""
        return f"Clearance(least {self.distance.min():.4g} m, between {one!r} and {other!r}{through})"


def clearance(
    robot: CableRobot,
    position: ArrayLike,
    quaternion: ArrayLike = UPRIGHT,
    *,
    box: ArrayLike | None = None,
    middle: ArrayLike = (0.0, 0.0, 0.0),
) -> Clearance:
    """Distances between straight parts of cables, and how much of them is inside a box, at poses (...,).

    Parameters
    ----------
    box : (3,) edges of the platform's box along its own axes [m]
    middle : (3,) the box's centre, platform axes [m]

    Raises
    ------
    UsageError : a box that is no box, a middle that is no place
    """
    taut = cables(robot, position, quaternion)
    _, R = poses(position, quaternion)
    end = taut.leave - taut.free[..., None] * taut.direction
    n = len(robot.names)
    pairs = np.array(
        [
            (i, j)
            for i in range(n)
            for j in range(i + 1, n)
            if (robot.base[i] != robot.base[j]).any() and (robot.platform[i] != robot.platform[j]).any()
        ],
        np.int64,
    ).reshape(-1, 2)
    i, j = pairs.T
    distance = between(taut.leave[..., i, :], end[..., i, :], taut.leave[..., j, :], end[..., j, :])
    inside = np.zeros(taut.length.shape)
    if box is not None:
        half, centre = 0.5 * numbers("box", box), numbers("middle", middle)
        if half.shape != (3,) or not (np.isfinite(half) & (half > 0.0)).all():
            raise UsageError(f"box must be three edges > 0 m, got {show(box)}")
        if centre.shape != (3,) or not np.isfinite(centre).all():
            raise UsageError(f"middle must be three finite numbers, got {show(middle)}")
        start = robot.platform - centre
        heading = np.einsum("...ji,...nj->...ni", R, taut.direction)
        inside = _inside(start, heading, taut.free, half)
    return Clearance(robot, pairs, distance, inside)


def between(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Distance of the segments a–b and c–d, (..., 3) each: the least of the lines' inner points and the four ends."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = ((x * y).sum(axis=-1) for x, y in ((u, u), (u, v), (v, v), (u, w), (v, w)))
    det = uu * vv - uv * uv
    with np.errstate(divide="ignore", invalid="ignore"):
        s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
    inner = (det > 1e-14 * uu * vv) & (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
    gap = w + np.nan_to_num(s)[..., None] * u - np.nan_to_num(t)[..., None] * v
    ends = [_to_segment(a, c, d), _to_segment(b, c, d), _to_segment(c, a, b), _to_segment(d, a, b)]
    return np.asarray(np.minimum.reduce([*ends, np.where(inner, np.linalg.norm(gap, axis=-1), np.inf)]))


def _to_segment(p: Floats, a: Floats, b: Floats) -> Floats:
    u = b - a
    s = np.clip(((p - a) * u).sum(axis=-1) / (u * u).sum(axis=-1), 0.0, 1.0)
    return np.asarray(np.linalg.norm(p - a - s[..., None] * u, axis=-1))


def _inside(start: Floats, heading: Floats, free: Floats, half: Floats) -> Floats:
    """Length of the rays from ``start`` inside the box |x| < half, by its three slabs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (-half - start) / heading, (half - start) / heading
    parallel = heading == 0.0
    within = np.abs(start) < half * (1.0 - TOUCHING)
    enter = np.where(parallel, np.where(within, -np.inf, np.inf), np.minimum(one, other)).max(axis=-1)
    leave = np.where(parallel, np.inf, np.maximum(one, other)).min(axis=-1)
    length = np.minimum(leave, free) - np.maximum(enter, 0.0)
    return np.asarray(np.where(length > TOUCHING * free, length, 0.0))
