"""Corners, faces and outlines of what stands for a body, world axes."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from towsim.pictures.stage import Figurine

Array = NDArray[np.float64]

AROUND = 16
"""Sides of what is round."""


def _lathe(radii: Iterable[float], heights: Iterable[float], sides: int) -> tuple[Array, list[list[int]]]:
    """Corners, ring by ring, and faces of what is turned about z: the first and the last ring are closed by lids."""
    angles = 2.0 * math.pi * (np.arange(sides) + 0.5) / sides
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings = [np.column_stack([r * around, np.full(sides, z)]) for r, z in zip(radii, heights, strict=True)]
    last = (len(rings) - 1) * sides
    lids = [list(range(sides)), list(range(last, last + sides))]
    walls = [
        [k + i, k + (i + 1) % sides, k + sides + (i + 1) % sides, k + sides + i]
        for k in range(0, last, sides)
        for i in range(sides)
    ]
    return np.concatenate(rings), lids + walls


ROUND = np.linspace(0.0, math.pi, AROUND // 2 + 1)
BOX = _lathe((math.sqrt(0.5), math.sqrt(0.5)), (-0.5, 0.5), 4)
CYLINDER = _lathe((0.5, 0.5), (-0.5, 0.5), AROUND)
SPHERE = _lathe(0.5 * np.sin(ROUND[1:-1]), -0.5 * np.cos(ROUND[1:-1]), AROUND)
"""Shapes of breadth, depth and height 1; a sphere's poles are flat."""


def _solid(body: Figurine) -> tuple[Array, list[list[int]]]:
    """Corners in the body's axes [m], and which of them are each face's; a point is a box without size."""
    shape, edges = BOX, (0.0, 0.0, 0.0)
    match body.kind, body.size:
        case "box", (x, y, z):
            edges = x, y, z
        case "sphere", (r,):
            shape, edges = SPHERE, (2 * r, 2 * r, 2 * r)
        case "cylinder", (r, h):
            shape, edges = CYLINDER, (2 * r, 2 * r, h)
        case "quadcopter", (arm,):
            edges = 1.6 * arm, 1.6 * arm, 0.25 * arm
    return shape[0] * edges, shape[1]


def corners(body: Figurine, position: Array, quaternion: Array) -> Array:
    """Corners (k, 3) of what stands for a body [m]."""
    w, u = quaternion[0], quaternion[1:]
    local = _solid(body)[0]
    turned = local + 2.0 * np.cross(u, np.cross(u, local) + w * local)
    return np.asarray(position + turned)


def faces(body: Figurine, position: Array, quaternion: Array) -> list[Array]:
    """Its faces, corner by corner (k, 3) [m]."""
    around = corners(body, position, quaternion)
    return [around[face] for face in _solid(body)[1]]


def outline(points: Array) -> Array:
    """Convex hull (k, 2) of points (n, 2) of a plane, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) < 3:
        return np.array(ordered)

    def chain(some: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        kept: list[tuple[float, ...]] = []
        for x, y in some:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], (x, y)) <= 0.0:
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
