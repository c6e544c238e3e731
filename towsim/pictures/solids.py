"""Corners, faces and outlines of what stands for a body, world axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from towsim.pictures.stage import Figurine

Array = NDArray[np.float64]

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
FACES = np.array([[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]])


def corners(body: Figurine, position: Array, quaternion: Array) -> Array:
    """Corners (8, 3) of the box around a body [m]; a point is a box without size."""
    edges: tuple[float, ...] | float = {
        "box": body.size,
        "sphere": 3 * (2 * body.size[0],) if body.size else 0.0,
        "cylinder": (2 * body.size[0], 2 * body.size[0], body.size[-1]) if body.size else 0.0,
        "quadcopter": (1.6 * body.size[0], 1.6 * body.size[0], 0.25 * body.size[0]) if body.size else 0.0,
    }.get(body.kind, 0.0)
    w, u = quaternion[0], quaternion[1:]
    local = CORNERS * edges
    turned = local + 2.0 * np.cross(u, np.cross(u, local) + w * local)
    return np.asarray(position + turned)


def faces(body: Figurine, position: Array, quaternion: Array) -> list[Array]:
    """Six faces (4, 3) of that box [m]."""
    return list(corners(body, position, quaternion)[FACES])


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
