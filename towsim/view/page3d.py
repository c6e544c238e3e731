"""One self-contained 3-D page of a result: opens by double click, needs no network.

The page holds three.js (see ``page/three``), the viewer (``page/viewer.js``), a JSON head and the numbers as float32,
each gzipped. Wires of any model are drawn as lines through points: ends, rings on the way, nodes of MRFE cables.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import math
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from towsim.errors import ResultError
from towsim.results import Result
from towsim.results.files import write_whole

if TYPE_CHECKING:
    from towsim.scene import Body, Scene

Array = NDArray[np.float64]

MARKED = ("jerk", "break", "contact", "stick", "slip", "infeasible", "user")
"""Events that are marks on the timeline."""

MOST_MARKS = 400


def page(result: Result, *, fps: float = 100.0) -> str:
    """The page as HTML text.

    Parameters
    ----------
    fps : frames kept per second of simulated time; between two of them tensions keep their largest value and gaps
        their smallest, so that a jerk is seen

    Raises
    ------
    ResultError : the result holds no bodies' positions or no scene
    """
    from towsim.scene import scene_from_text

    if not {"position", "quaternion"} <= set(result) or "scene" not in result.attributes:
        raise ResultError("this result holds no bodies to draw: positions, orientations and the scene are needed")
    if not len(result.time):
        raise ResultError("nothing was recorded, so there is nothing to draw")
    scene = scene_from_text(str(result.attributes["scene"]))
    rows = _frames(result.time, fps)
    parts, wires = _arrays(result, scene, rows)
    head, numbers = _head(result, scene, wires, parts)
    fill = {
        "title": html.escape(head["title"]),
        "style": _asset("style.css"),
        "core": _packed(_asset("three/three.core.min.js").encode()),
        "module": _packed(_asset("three/three.module.min.js").encode()),
        "controls": _packed(_asset("three/OrbitControls.js").encode()),
        "viewer": _packed(_asset("viewer.js").encode()),
        "boot": _asset("boot.js"),
        "head": json.dumps(head, allow_nan=False).replace("<", "\\u003c"),
        "numbers": _packed(numbers),
    }
    text = _asset("page.html")
    for key, value in fill.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def write_page(result: Result, path: str | Path, *, fps: float = 100.0) -> Path:
    """Write the page (see :func:`page`) to ``path``, whole or not at all."""
    path = Path(path)
    data = page(result, fps=fps).encode()
    write_whole(path, lambda file: file.write(data))
    return path


def _asset(name: str) -> str:
    return files("towsim.view").joinpath("page", name).read_text("utf-8")


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _frames(time: Array, fps: float) -> NDArray[np.int64]:
    """Indices of the rows that are kept: the last of each frame's time; row 0 is a frame of its own."""
    frame = np.ceil((time - time[0]) * fps - 1e-6).astype(np.int64)  # frame k covers the times after k−1 up to k
    return np.flatnonzero(np.diff(frame, append=frame[-1] + 1))


def _arrays(result: Result, scene: Scene, rows: NDArray[np.int64]) -> tuple[dict[str, Array], list[dict[str, Any]]]:
    """Numbers of the page, frames first; and what each wire's points are."""
    position, quaternion = result["position"].values[rows], result["quaternion"].values[rows]
    robot = result["robot_position"].values[rows] if "robot_position" in result else np.zeros((len(rows), 0, 3))
    nodes = result["node_position"].values[rows] if "node_position" in result else None
    cables = [str(name) for name in result.coords.get("cable", ())]
    paths: list[Array] = []
    wires = []
    for name in map(str, result.coords.get("wire", ())):
        if nodes is not None and name in cables:
            line = nodes[:, cables.index(name)]
            line = line[:, ~np.isnan(line).all(axis=(0, 2))]
        else:
            wire = scene.wires[name]
            ends = [wire.from_, *getattr(wire, "via", ()), wire.to]
            line = np.stack([_point(scene, end, position, quaternion, robot, result) for end in ends], axis=1)
        wires.append({"name": name, "first": sum(p.shape[1] for p in paths), "points": line.shape[1]})
        paths.append(np.nan_to_num(line))
    none = np.zeros((len(rows), 0))
    parts = {
        "time": result.time[rows],
        "position": position,
        "quaternion": quaternion,
        "robot": robot,
        "path": np.concatenate(paths, axis=1) if paths else none.reshape(len(rows), 0, 3),
        "tension": _within(result["tension"].values, rows, np.fmax) if "tension" in result else none,
        "gap": _within(result["gap"].values, rows, np.fmin) if "gap" in result else none,
    }
    return parts, wires


def _point(scene: Scene, end: object, position: Array, quaternion: Array, robot: Array, result: Result) -> Array:
    """Positions (frames, 3) of what a wire's end names."""
    attachment = scene.attachment(str(end))
    if attachment.is_robot:
        return robot[:, result.coords["robot"].index(attachment.owner)]
    i = result.coords["body"].index(attachment.owner)
    w, u = quaternion[:, i, :1], quaternion[:, i, 1:]
    r = np.array(attachment.offset)
    turned = r + 2.0 * np.cross(u, np.cross(u, r) + w * r)
    return np.asarray(position[:, i] + turned)


def _within(values: Array, rows: NDArray[np.int64], reduce: np.ufunc) -> Array:
    """Largest or smallest value of each frame: over the rows after the frame before."""
    starts = np.concatenate([[0], rows[:-1] + 1])
    return np.asarray(reduce.reduceat(values, starts, axis=0))


def _head(
    result: Result, scene: Scene, wires: list[dict[str, Any]], parts: dict[str, Array]
) -> tuple[dict[str, Any], bytes]:
    low, high = _bounds(parts)
    tension, gap = parts["tension"], parts["gap"]
    top = _usual_top(tension)
    scale, unit = _unit(gap)
    parts = {**parts, "gap": gap * scale}
    arrays, start, chunks = {}, 0, []
    for name, values in parts.items():
        arrays[name] = {"start": start, "shape": values.shape}
        start += values.size
        chunks.append(np.ascontiguousarray(values, np.float32).tobytes())
    options = result.provenance.get("options", {})
    note = ", ".join(
        f"{key} {options[key]:g}" if isinstance(options[key], float) else f"{options[key]}"
        for key in ("method", "solver", "step")
        if key in options
    )
    head = {
        "title": str(result.attributes.get("name", "towsim")),
        "note": note,
        "frames": len(parts["time"]),
        "arrays": arrays,
        "bodies": [_drawn(name, scene.bodies[name]) for name in map(str, result.coords["body"])],
        "robots": [str(name) for name in result.coords.get("robot", ())] if "robot_position" in result else [],
        "wires": wires,
        "ground": _ground(scene),
        "events": _marks(result),
        "centre": (0.5 * (low + high)).tolist(),
        "size": max(0.1, 0.5 * float(np.linalg.norm(high - low))),
        "tension_scale": top,
        "slack_below": 1e-6 * top,
        "gap_range": _range(parts["gap"]),
        "gap_unit": unit,
    }
    return head, b"".join(chunks)


def _drawn(name: str, body: Body) -> dict[str, Any]:
    """Kind and size of what stands for a body; one without a shape is a box of the same inertia."""
    rotors = getattr(body, "rotors", None)
    if rotors is not None:
        return {"name": name, "kind": "quadcopter", "size": [rotors.arm]}
    shape = body.shape
    if body.point or (shape is None and body.inertia is None):
        return {"name": name, "kind": "point", "size": []}
    if shape is not None and shape.sphere is not None:
        return {"name": name, "kind": "sphere", "size": [shape.sphere]}
    if shape is not None and shape.cylinder is not None:
        return {"name": name, "kind": "cylinder", "size": list(shape.cylinder)}
    if shape is not None and shape.box is not None:
        return {"name": name, "kind": "box", "size": list(shape.box)}
    inertia = np.diagonal(body.inertia_matrix())
    edges = [math.sqrt(max(1e-12, 6.0 * (inertia.sum() - 2.0 * moment) / body.mass)) for moment in inertia]
    return {"name": name, "kind": "box", "size": edges}


def _ground(scene: Scene) -> list[dict[str, Any]]:
    planes: Any = scene.ground
    if planes is None:
        return []
    if not isinstance(planes, Sequence):
        planes = list(planes.values()) if isinstance(planes, dict) else [planes]
    return [{"normal": list(plane.normal), "height": plane.height} for plane in planes]


def _marks(result: Result) -> list[dict[str, Any]]:
    """The events of the timeline; of too many, those with the largest impulses."""
    chosen = [event for event in result.events if event.kind in MARKED]
    chosen = sorted(chosen, key=lambda event: -event.impulse)[:MOST_MARKS]
    marks = []
    for event in sorted(chosen, key=lambda event: event.time):
        more = f", {event.impulse:.3g} N s" if event.impulse else ""
        text = f"{event.kind} {event.subject} at {event.time:.4g} s{more}"
        marks.append({"time": event.time, "kind": event.kind, "text": text})
    return marks


def _bounds(parts: dict[str, Array]) -> tuple[Array, Array]:
    points = np.concatenate([parts[name].reshape(-1, 3) for name in ("position", "robot", "path")])
    points = points[np.isfinite(points).all(axis=1)]
    return points.min(axis=0), points.max(axis=0)


def _usual_top(tension: Array) -> float:
    """Upper end of the tensions' scale: what only jerks exceed."""
    known = tension[np.isfinite(tension)]
    top = float(np.quantile(known, 0.995)) if len(known) else 0.0
    return top if top > 0 else 1.0


def _unit(gap: Array) -> tuple[float, str]:
    largest = float(np.nanmax(np.abs(gap), initial=0.0))
    return next(((k, name) for k, name in ((1.0, "m"), (1e3, "mm")) if largest * k >= 1.0), (1e6, "µm"))


def _range(gap: Array) -> list[float]:
    known = gap[np.isfinite(gap)]
    if not len(known):
        return [-1.0, 1.0]
    low, high = float(known.min()), float(known.max())
    margin = 0.05 * (high - low) or 1.0
    return [low - margin, high + margin]
