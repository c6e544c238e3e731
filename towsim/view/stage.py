"""What there is to see in a result, frame by frame: bodies, robots, lines of wires and cables, ground.

Wires of any model are lines through points: their ends, rings on the way, or the nodes of an MRFE cable.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from towsim.errors import ResultError
from towsim.results import Result

if TYPE_CHECKING:
    from towsim.scene import Body, Scene

Array = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Figurine:
    """What stands for a body: ``box`` (edges), ``sphere`` (radius), ``cylinder`` (radius, height), ``quadcopter`` (arm)
    or ``point``."""

    name: str
    kind: str
    size: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A wire: it runs through ``points`` points of a frame's path, from ``first`` on."""

    name: str
    first: int
    points: int


@dataclass(frozen=True, slots=True)
class Stage:
    """Frames of a result, world axes, SI.

    Attributes
    ----------
    time : (n,) [s]
    position, quaternion : (n, bodies, 3) and (n, bodies, 4)
    robot : (n, robots, 3)
    path : (n, points, 3) all points of all wires
    tension, gap : (n, wires); the largest tension and the smallest gap since the frame before
    ground : normal and height of each plane
    """

    time: Array
    position: Array
    quaternion: Array
    robot: Array
    path: Array
    tension: Array
    gap: Array
    bodies: tuple[Figurine, ...]
    robots: tuple[str, ...]
    wires: tuple[Line, ...]
    ground: tuple[tuple[tuple[float, ...], float], ...]

    def bounds(self) -> tuple[Array, Array]:
        """Lowest and highest coordinates of all that is ever seen, (3,) each [m]."""
        points = np.concatenate([array.reshape(-1, 3) for array in (self.position, self.robot, self.path)])
        points = points[np.isfinite(points).all(axis=1)]
        return points.min(axis=0), points.max(axis=0)

    def usual_tension(self) -> float:
        """Upper end of a scale for tensions [N]: what only jerks exceed; 1 if nothing ever pulls."""
        known = self.tension[np.isfinite(self.tension)]
        top = float(np.quantile(known, 0.995)) if len(known) else 0.0
        return top if top > 0 else 1.0


def stage(result: Result, fps: float) -> Stage:
    """The frames of a result, ``fps`` a second of simulated time.

    Raises
    ------
    ResultError : the result holds no bodies' positions or no scene, or no rows
    """
    from towsim.scene import scene_from_text
    from towsim.scene.expand import expand

    if not {"position", "quaternion"} <= set(result) or "scene" not in result.attributes:
        raise ResultError("this result holds no bodies to draw: positions, orientations and the scene are needed")
    if not len(result.time):
        raise ResultError("nothing was recorded, so there is nothing to draw")
    scene = expand(scene_from_text(str(result.attributes["scene"])))
    rows = _frames(result.time, fps)
    n = len(rows)
    position, quaternion = result["position"].values[rows], result["quaternion"].values[rows]
    robot = result["robot_position"].values[rows] if "robot_position" in result else np.zeros((n, 0, 3))
    lines = _lines(result, scene, rows, position, quaternion, robot)
    first = np.cumsum([0, *(line.shape[1] for line in lines.values())])
    none = np.zeros((n, 0))
    return Stage(
        time=result.time[rows],
        position=position,
        quaternion=quaternion,
        robot=robot,
        path=np.concatenate(list(lines.values()), axis=1) if lines else np.zeros((n, 0, 3)),
        tension=_since(result["tension"].values, rows, np.fmax) if "tension" in result else none,
        gap=_since(result["gap"].values, rows, np.fmin) if "gap" in result else none,
        bodies=tuple(figurine(name, scene.bodies[name]) for name in map(str, result.coords["body"])),
        robots=tuple(map(str, result.coords["robot"])) if robot.shape[1] else (),
        wires=tuple(Line(name, int(k), line.shape[1]) for k, (name, line) in zip(first, lines.items(), strict=False)),
        ground=_ground(scene),
    )


def _frames(time: Array, fps: float) -> Rows:
    """Indices of the rows that are kept: the last of each frame's time; row 0 is a frame of its own."""
    frame = np.ceil((time - time[0]) * fps - 1e-6).astype(np.int64)  # frame k covers the times after k−1 up to k
    return np.flatnonzero(np.diff(frame, append=frame[-1] + 1))


def _lines(
    result: Result, scene: Scene, rows: Rows, position: Array, quaternion: Array, robot: Array
) -> dict[str, Array]:
    """Points (n, k, 3) of each wire."""
    nodes = result["node_position"].values[rows] if "node_position" in result else None
    cables = [str(name) for name in result.coords.get("cable", ())]
    lines = {}
    for name in map(str, result.coords.get("wire", ())):
        if nodes is not None and name in cables:
            line = nodes[:, cables.index(name)]
            lines[name] = np.nan_to_num(line[:, ~np.isnan(line).all(axis=(0, 2))])
        else:
            wire = scene.wires[name]
            ends = [wire.from_, *(getattr(wire, "via", None) or ()), wire.to]
            lines[name] = np.stack([_point(scene, result, end, position, quaternion, robot) for end in ends], axis=1)
    return lines


def _point(scene: Scene, result: Result, end: object, position: Array, quaternion: Array, robot: Array) -> Array:
    """Positions (n, 3) of what a wire's end names."""
    attachment = scene.attachment(str(end))
    if attachment.is_robot:
        return robot[:, result.coords["robot"].index(attachment.owner)]
    i = result.coords["body"].index(attachment.owner)
    w, u = quaternion[:, i, :1], quaternion[:, i, 1:]
    r = np.array(attachment.offset)
    turned = r + 2.0 * np.cross(u, np.cross(u, r) + w * r)
    return np.asarray(position[:, i] + turned)


def _since(values: Array, rows: Rows, reduce: np.ufunc) -> Array:
    """Largest or smallest value of each frame: over the rows after the frame before."""
    starts = np.concatenate([[0], rows[:-1] + 1])
    return np.asarray(reduce.reduceat(values, starts, axis=0))


def figurine(name: str, body: Body) -> Figurine:
    """One without a shape is a box of the same inertia."""
    if body.rotors is not None:
        return Figurine(name, "quadcopter", (body.rotors.arm,))
    shape = body.shape
    if body.point:
        return Figurine(name, "point", ())
    if shape is not None and shape.sphere is not None:
        return Figurine(name, "sphere", (shape.sphere,))
    if shape is not None and shape.cylinder is not None:
        return Figurine(name, "cylinder", shape.cylinder)
    if shape is not None and shape.box is not None:
        return Figurine(name, "box", shape.box)
    inertia = np.diagonal(body.inertia_matrix())
    edges = (math.sqrt(max(1e-12, 6.0 * (inertia.sum() - 2.0 * moment) / body.mass)) for moment in inertia)
    return Figurine(name, "box", tuple(edges))


def _ground(scene: Scene) -> tuple[tuple[tuple[float, ...], float], ...]:
    planes: Any = scene.ground
    if planes is None:
        return ()
    if isinstance(planes, dict):
        planes = list(planes.values())
    return tuple((plane.normal, plane.height) for plane in (planes if isinstance(planes, Sequence) else (planes,)))
