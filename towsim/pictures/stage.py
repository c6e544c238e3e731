"""What there is to see in a result, frame by frame: bodies, robots, lines of wires and cables, ground.

Wires of any model are lines through points: their ends, rings on the way, or the nodes of an MRFE cable.
A wire is there from its attachment on, until it is detached or cut or breaks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from towsim.errors import ResultError
from towsim.results import Result

if TYPE_CHECKING:
    from towsim.scene import Mrfe, Scene, SpringDamper

Array = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Figurine:
    """What stands for a body: ``box`` (edges), ``sphere`` (radius), ``cylinder`` (radius, height), ``quadcopter`` (arm)
    or ``point``.

    A cylinder is about its own z axis, which ``axis`` is in the body's axes.
    """

    name: str
    kind: str
    size: tuple[float, ...]
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)

    def turned(self, quaternion: Array) -> Array:
        """Quaternions (..., 4) of what stands for the body, whose own are these: first from z to the axis."""
        from scipy.spatial.transform import Rotation

        x, y, z = self.axis if self.axis[2] >= 0.0 else (-one for one in self.axis)
        if z == 1.0:
            return quaternion
        own = Rotation.from_quat([1.0 + z, -y, x, 0.0], scalar_first=True)  # 1 + z · axis, z × axis
        whole = Rotation.from_quat(quaternion.reshape(-1, 4), scalar_first=True) * own
        return np.asarray(whole.as_quat(scalar_first=True)).reshape(quaternion.shape)


@dataclass(frozen=True, slots=True)
class Place:
    """A point of a wire: ``owner`` is a body's or a robot's index, ``offset`` in the body's axes [m]."""

    of: Literal["body", "robot"]
    owner: int
    offset: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A wire: it runs through ``points`` points of a frame's path, from ``first`` on.

    ``places`` says where these are on bodies and robots; it is empty for a cable, which has nodes of its own.
    ``gone`` are the spans of time in which it is not there [s]; ``model`` is rigid, elastic, mrfe or spring.
    """

    name: str
    first: int
    points: int
    places: tuple[Place, ...] = ()
    gone: tuple[tuple[float, float], ...] = ()
    model: str = "rigid"

    def there(self, time: float) -> bool:
        """Whether it is there at a time: attached, and neither detached, cut nor broken."""
        return not any(left <= time < back for left, back in self.gone)


@dataclass(frozen=True, slots=True)
class Stage:
    """Frames of a result, world axes, SI.

    Attributes
    ----------
    time : (n,) [s]
    position, quaternion : (n, bodies, 3) and (n, bodies, 4) of what stands for them
    robot : (n, robots, 3)
    path : (n, points, 3) all points of all wires
    tension, gap : (n, wires); the largest tension and the smallest gap since the frame before, NaN where a wire is gone
        or nothing was recorded
    ground : normal and height of each plane
    weight : of all bodies [N], at 1 m/s² at least
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
    spars: tuple[tuple[int, int], ...]
    weight: float

    def bounds(self) -> tuple[Array, Array]:
        """Lowest and highest coordinates of all centres and lines that are ever seen, (3,) each [m]."""
        points = np.concatenate([array.reshape(-1, 3) for array in (self.position, self.robot, self.path)])
        points = points[np.isfinite(points).all(axis=1)]
        return points.min(axis=0), points.max(axis=0)

    def breadth(self) -> float:
        """The largest extent of a frame [m], with bodies as large as they are; not 0."""
        points = np.concatenate([self.position, self.robot, self.path], axis=1)
        spread = np.nanmax(points, axis=1) - np.nanmin(points, axis=1)
        sizes = (2.0 * max(body.size) for body in self.bodies if body.size)
        return max(1e-3, float(np.nanmax(np.linalg.norm(spread, axis=1))), *sizes)

    def usual_tension(self) -> float:
        """Upper end of a scale for tensions [N]: what only jerks exceed; 1 if nothing ever pulls but by rounding."""
        known = self.tension[np.isfinite(self.tension)]
        top = float(np.quantile(known, 0.995)) if len(known) else 0.0
        return top if top > 1e-9 * self.weight else 1.0

    def slack(self) -> NDArray[np.bool_]:
        """Whether each wire hangs loose in each frame (n, wires): never a cable, which has its shape from its nodes.

        Of a pull that may be rounding the gap tells whether it is one.
        """
        massless = np.array([bool(wire.places) and wire.model != "spring" for wire in self.wires], bool)
        low, high = self.bounds()
        near = ~(self.gap <= 1e-6 * float(np.linalg.norm(high - low)))
        faint = self.tension <= 1e-6 * self.usual_tension()
        return np.asarray(((self.tension <= 0.0) | (faint & near)) & massless)


PLACES = {"body": ("position", "quaternion"), "robot": ("robot_position",), "cable": ("node_position",)}
"""Variables that tell where what is drawn is, by the dimension of a result that has them."""


def stage(result: Result, fps: float) -> Stage:
    """The frames of a result, ``fps`` a second of simulated time.

    Raises
    ------
    ResultError : the result holds no bodies' positions or no scene, or no rows
    """
    from towsim.scene.expand import expand

    needs = [name for dim, names in PLACES.items() if result.coords.get(dim) for name in names]
    missing = [name for name in needs if name not in result]
    if "scene" not in result.attributes or not needs:
        raise ResultError("this result holds no bodies and no cables to draw: positions and the scene are needed")
    if missing:
        raise ResultError(f"{', '.join(missing)} not recorded: there is no telling where everything is that is drawn")
    if not len(result.time):
        raise ResultError("nothing was recorded, so there is nothing to draw")
    scene = expand(result.scene)
    rows = frames(result.time, fps)
    n = len(rows)
    named = tuple(map(str, result.coords["body"])) if "position" in result else ()
    bodies = tuple(figurine(name, scene) for name in named)
    position = result["position"].values[rows] if named else np.zeros((n, 0, 3))
    quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (n, len(named), 1))
    if any(body.kind != "point" for body in bodies):
        quaternion = result["quaternion"].values[rows]
    robot = result["robot_position"].values[rows] if "robot_position" in result else np.zeros((n, 0, 3))
    time = result.time[rows]
    wires, lines = _lines(result, scene, rows, position, quaternion, robot)
    quaternion = np.stack([body.turned(quaternion[:, i]) for i, body in enumerate(bodies)], 1) if bodies else quaternion
    gone = absences(result, [wire.name for wire in wires])
    off, before = np.zeros((n, len(wires)), bool), np.append(time[:1], time[:-1])
    for i, wire in enumerate(wires):
        for left, back in gone[wire.name]:
            off[:, i] |= (before >= left) & (time < back)  # what it bore until it went is told
    none = np.full((n, len(wires)), np.nan)
    return Stage(
        time=time,
        position=position,
        quaternion=quaternion,
        robot=robot,
        path=np.concatenate(lines, axis=1) if lines else np.zeros((n, 0, 3)),
        tension=np.where(off, np.nan, since(result["tension"].values, rows, np.fmax)) if "tension" in result else none,
        gap=np.where(off, np.nan, since(result["gap"].values, rows, np.fmin)) if "gap" in result else none,
        bodies=bodies,
        robots=tuple(map(str, result.coords["robot"])) if robot.shape[1] else (),
        wires=tuple(replace(wire, gone=gone[wire.name]) for wire in wires),
        ground=_ground(scene),
        spars=spars(tuple(map(str, result.coords["robot"]))) if robot.shape[1] else (),
        weight=sum(body.mass for body in scene.bodies.values()) * max(1.0, float(np.linalg.norm(scene.gravity))),
    )


def spars(robots: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Numbers of robots that carry points, and of the points: "ship" and "ship.bow"."""
    number = {name: i for i, name in enumerate(robots)}
    return tuple((number[name.partition(".")[0]], i) for name, i in number.items() if "." in name)


def frames(time: Array, fps: float) -> Rows:
    """Indices of the rows that are kept: the last of each frame's time; row 0 is a frame of its own."""
    frame = np.ceil((time - time[0]) * fps - 1e-6).astype(np.int64)  # frame k covers the times after k−1 up to k
    return np.flatnonzero(np.diff(frame, append=frame[-1] + 1))


def _lines(
    result: Result, scene: Scene, rows: Rows, position: Array, quaternion: Array, robot: Array
) -> tuple[list[Line], list[Array]]:
    """The wires, and the points (n, k, 3) of each."""
    nodes = result["node_position"].values[rows] if "node_position" in result else None
    cables = [str(name) for name in result.coords.get("cable", ())]
    wires: list[Line] = []
    lines: list[Array] = []
    first = 0
    for name in map(str, result.coords.get("wire", ())):
        wire = scene.wires[name]
        places: tuple[Place, ...] = ()
        if nodes is not None and name in cables:
            line = nodes[:, cables.index(name)]
            line = np.nan_to_num(line[:, ~np.isnan(line).all(axis=(0, 2))])
        else:
            places = tuple(_place(scene, result, scene.carrier(end)) for end in wire.ends)
            line = np.stack([_points(place, position, quaternion, robot) for place in places], axis=1)
        wires.append(Line(name, first, line.shape[1], places, (), model_word(wire.model)))
        lines.append(line)
        first += line.shape[1]
    return wires, lines


def model_word(model: str | Mrfe | SpringDamper) -> str:
    """Its key in a scene: rigid, elastic, mrfe or spring."""
    return model if isinstance(model, str) else model.key


def _place(scene: Scene, result: Result, end: object) -> Place:
    """What a wire's end names."""
    attachment = scene.attachment(str(end))
    if attachment.is_robot:
        return Place("robot", result.coords["robot"].index(attachment.owner), (0.0, 0.0, 0.0))
    return Place("body", result.coords["body"].index(attachment.owner), attachment.offset)


def _points(place: Place, position: Array, quaternion: Array, robot: Array) -> Array:
    """Positions (n, 3) of a place."""
    if place.of == "robot":
        return robot[:, place.owner]
    q, r = quaternion[:, place.owner], np.array(place.offset)
    w, u = q[:, :1], q[:, 1:]
    turned = r + 2.0 * np.cross(u, np.cross(u, r) + w * r)
    return np.asarray(position[:, place.owner] + turned)


def absences(result: Result, wires: Iterable[str]) -> dict[str, tuple[tuple[float, float], ...]]:
    """The spans of time in which each wire is not there [s], from the events of the result."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in wires}
    left: dict[str, float] = {}
    for event in result.events:
        name = event.subject
        if event.kind not in ("break", "user") or name not in found:
            continue
        if event.note.endswith("is attached"):
            found[name].append((left.pop(name, -math.inf), event.time))
        else:
            left.setdefault(name, event.time)
    for name, time in left.items():
        found[name].append((time, math.inf))
    return {name: tuple(spans) for name, spans in found.items()}


def since(values: Array, rows: Rows, reduce: np.ufunc) -> Array:
    """Largest or smallest value of each frame: over the rows after the frame before."""
    starts = np.concatenate([[0], rows[:-1] + 1])
    return np.asarray(reduce.reduceat(values, starts, axis=0))


def figurine(name: str, scene: Scene) -> Figurine:
    """What stands for a body of an expanded scene: without a shape a box of its inertia; a drum is as wide as high."""
    body, drum = scene.bodies[name], scene.drums.get(name)
    if drum is not None:
        return Figurine(name, "cylinder", (drum.radius, 2.0 * drum.radius), drum.axis)
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
