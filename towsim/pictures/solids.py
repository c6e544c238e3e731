"""Corners, faces and outlines of what stands for a body, and beams from there to where wires are held; world axes."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from towsim.pictures.stage import Figurine, Stage

Array = NDArray[np.float64]

AROUND = 16
"""Sides of what is round."""

NEAR = 1e-3
"""How close to a box a point of it is held without a lug, of its longest edge."""


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
    return _placed(_solid(body)[0], position, quaternion)


def _placed(local: Array, position: Array, quaternion: Array) -> Array:
    """Points (k, 3) in the body's axes as they are in the world's."""
    w, u = quaternion[0], quaternion[1:]
    turned = local + 2.0 * np.cross(u, np.cross(u, local) + w * local)
    return np.asarray(position + turned)


def faces(body: Figurine, position: Array, quaternion: Array) -> list[Array]:
    """Its faces, corner by corner (k, 3) [m]."""
    around = corners(body, position, quaternion)
    return [around[face] for face in _solid(body)[1]]


def beams(seen: Stage, k: int) -> list[Array]:
    """Beams of frame k, from end to end (2, 3) [m]; as many in every frame.

    Spars go from robots to the points that they carry, lugs from boxes to points outside of them that hold wires.
    """
    held = {(place.owner, place.offset) for wire in seen.wires for place in wire.places if place.of == "body"}
    lugs = [(i, lug) for i, offset in sorted(held) if (lug := _lug(seen.bodies[i], np.array(offset))) is not None]
    return [
        *(seen.robot[k, list(ends)] for ends in seen.spars),
        *(_placed(lug, seen.position[k, i], seen.quaternion[k, i]) for i, lug in lugs),
    ]


def _lug(body: Figurine, point: Array) -> Array | None:
    """What joins a box to a point of it that is outside, from end to end (2, 3), in its axes; None if it is not."""
    if body.kind != "box":
        return None
    foot = np.clip(point, -0.5 * np.array(body.size), 0.5 * np.array(body.size))
    return np.stack([foot, point]) if np.linalg.norm(point - foot) >= NEAR * max(body.size) else None


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
