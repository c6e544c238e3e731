"""Paths of bodies and robots in a plane, and the load and its wires at a few instants on the way."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from towsim.errors import ResultError
from towsim.pictures.figures import FEW, STEEL, Colour, colours, plain
from towsim.pictures.solids import beams, corners, outline
from towsim.pictures.stage import Stage, stage
from towsim.results import Result

Array = NDArray[np.float64]

INSTANTS = 5
"""Drawings of the load and its wires, from the start to the end."""

SLENDER = 8.0
"""A picture longer than this in one direction is stretched in the other."""

GREY = "#808080"


def moving(result: Result) -> list[str]:
    """The variables that paths are drawn of."""
    return [name for name in ("robot_position", "position") if name in result]


def snapshots(result: Result) -> Stage | None:
    """The scene at ``INSTANTS`` instants; None if the result does not hold what is needed."""
    time = result.time
    if len(time) < 2:
        return None
    try:
        return stage(result, (INSTANTS - 1) / float(time[-1] - time[0]))
    except ResultError:
        return None


def views(result: Result, seen: Stage | None = None) -> list[tuple[int, int]]:
    """The one or two planes (indices of horizontal and vertical axis) in which the paths show most."""
    span = spans(result, seen)
    kept = [i for i in range(3) if span[i] > 0.15 * span.max()]
    if len(kept) == 3:
        return [(0, 2), (0, 1)] if span[0] >= span[1] else [(1, 2), (0, 1)]
    first = kept if len(kept) == 2 else sorted(np.argsort(-span, kind="stable")[:2].tolist())
    return [(first[0], first[1])]


def lie(result: Result, seen: Stage | None, planes: Sequence[tuple[int, int]]) -> bool:
    """Whether what is seen in every plane is at least twice as wide as it is high."""
    span = spans(result, seen)
    return all(bool(span[across] >= 2.0 * span[up]) for across, up in planes)


def close_up(seen: Stage | None) -> bool:
    """Whether there are shapes to be seen from near, where a picture of all the way is stretched."""
    return seen is not None and any(body.kind != "point" for body in seen.bodies)


def thread(result: Result, seen: Stage | None, view: tuple[int, int]) -> bool:
    """Whether the picture of all the way is a thread, which ``scale`` stretches."""
    low, high = np.sort(spans(result, seen)[list(view)])
    return bool(1e-9 * high < low < high / SLENDER)


def spans(result: Result, seen: Stage | None) -> Array:
    """Extent of all that is drawn along x, y and z [m]."""
    parts = [result[name].values.reshape(-1, 3) for name in moving(result)]
    if seen is not None:
        parts.append(seen.path.reshape(-1, 3))
    elif "node_position" in result:
        parts.append(_cables(result).reshape(-1, 3))
    points = np.concatenate(parts)
    points = points[np.isfinite(points).all(1)]
    return np.ptp(points, axis=0) if len(points) else np.zeros(3)


def path(ax: Axes, result: Result, view: tuple[int, int], seen: Stage | None) -> None:
    """Paths of bodies (from an open to a filled circle) and robots (dashed), and the scene at a few instants.

    Shapes of bodies are left out where they would be stretched.
    """
    plane = list(view)
    if seen is not None:
        _scenes(ax, seen, plane, range(len(seen.time)), shapes=not thread(result, seen, view))
    elif "node_position" in result:
        nodes = _cables(result)[..., plane]
        for k, cable in itertools.product(range(len(nodes)), range(nodes.shape[1])):
            strength = 0.9 if k == len(nodes) - 1 else 0.35
            colour = colours(nodes.shape[1])[cable]
            ax.plot(*nodes[k, cable].T, color=colour, linewidth=1.0, alpha=strength, zorder=1.5)
    labels = []
    for name in moving(result):
        loads = name == "position"
        array, names = result[name].values, result.coords["body" if loads else "robot"]
        array = array[:: max(1, len(array) // 4000)][:, :, plane]
        shades: Sequence[Colour] = colours(len(names)) if loads else [GREY] * len(names)
        for i, colour in enumerate(shades):
            _one_path(ax, array[:, i], colour, loads=loads)
        if len(array) and len(names) <= len(FEW):
            ends = array[-1].tolist()
            labels += [_Label(plain(one), x, y, shade) for one, (x, y), shade in zip(names, ends, shades, strict=True)]
    ax.set_xlabel(f"{'xyz'[view[0]]} (m)")
    ax.set_ylabel(f"{'xyz'[view[1]]} (m)")
    scale(ax, view)
    _place(ax, labels)


def end(ax: Axes, seen: Stage, view: tuple[int, int]) -> None:
    """The scene at its last instant, to scale."""
    _scenes(ax, seen, list(view), [len(seen.time) - 1])
    ax.set_xlabel(f"{'xyz'[view[0]]} (m)")
    ax.set_ylabel(f"{'xyz'[view[1]]} (m)")
    ax.margins(0.12)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_title("at the end, to scale", loc="right", fontsize=8, pad=2)


def _cables(result: Result) -> Array:
    """Nodes (instants, cable, node, 3) of massive cables, for scenes of cables alone."""
    last = len(result.time) - 1
    rows = np.unique(np.linspace(0, last, 2 * INSTANTS).astype(int)) if last >= 0 else np.zeros(0, int)
    return np.asarray(result["node_position"].values[rows])


def _one_path(ax: Axes, points: Array, colour: Colour, *, loads: bool) -> None:
    """The path of one body or robot."""
    width, size = (1.4, 5.0) if loads else (0.9, 3.5)
    ax.plot(*points.T, color=colour, linestyle="-" if loads else (0, (4, 2)), linewidth=width)
    ax.plot(*points[:1].T, "o", color=colour, markerfacecolor="white", markersize=size)
    ax.plot(*points[-1:].T, "o", color=colour, markersize=size)


def _scenes(ax: Axes, seen: Stage, plane: list[int], instants: Sequence[int], *, shapes: bool = True) -> None:
    """Bodies in outline, robots, beams and wires, as films draw them, when something has moved since the last time."""
    wires, bodies = colours(len(seen.wires)), colours(len(seen.bodies))
    low, high = seen.bounds()
    at = np.concatenate([seen.position, seen.path], axis=1)[..., plane]
    motion = float(np.nanmax(np.abs(at - at[:1]), initial=0.0))
    near = min(0.05 * float((high - low).max()), 0.25 * motion)
    drawn: Array | None = None
    for k in instants:
        last = k == len(seen.time) - 1
        if not last and drawn is not None and not np.nanmax(np.abs(at[k] - drawn), initial=0.0) > near:
            continue
        drawn = at[k]
        strength = 0.9 if last else 0.35
        for wire, colour in zip(seen.wires, wires, strict=True):
            if wire.there(float(seen.time[k])):
                line = seen.path[k, wire.first : wire.first + wire.points][:, plane]
                ax.plot(*line.T, color=colour, linewidth=0.8, alpha=strength, zorder=1.5)
        ax.plot(*seen.robot[k][:, plane].T, "D", color=STEEL, markersize=3.0, alpha=strength, zorder=1.7)
        for beam in beams(seen, k) if shapes else []:
            ax.plot(*beam[:, plane].T, color=STEEL, linewidth=1.2, alpha=strength, zorder=1.55)
        for i, body in enumerate(seen.bodies):
            if not shapes or body.kind == "point" or not np.isfinite(seen.position[k, i]).all():
                continue
            hull = outline(corners(body, seen.position[k, i], seen.quaternion[k, i])[:, plane])
            ax.fill(*hull.T, facecolor=bodies[i], edgecolor=bodies[i], linewidth=0.7, alpha=0.35 * strength, zorder=1.6)


def scale(ax: Axes, view: tuple[int, int]) -> None:
    """Equal scales, unless that would make a thread of it: then the shorter direction is drawn larger, and says so."""
    ax.margins(0.12)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    width, height = right - left, high - low
    across = height < width
    ratio = width / height if across else height / width
    if not np.isfinite(ratio) or ratio <= SLENDER or min(_extent(ax)) < 1e-9 * max(width, height):
        ax.set_aspect("equal", adjustable="datalim")
        return
    room = float(ax.bbox.width / ax.bbox.height) ** (1 if across else -1)
    factor = next((nice for nice in (2, 5, 10, 20, 50, 100, 200, 500) if ratio / nice <= max(1.5, room)), 1000)
    ax.set_aspect(factor if across else 1.0 / factor, adjustable="datalim")
    label = ax.set_ylabel if across else ax.set_xlabel
    label(f"{'xyz'[view[1 if across else 0]]} (m), drawn {factor} times larger")


def _extent(ax: Axes) -> tuple[float, float]:
    box = ax.dataLim
    return float(box.width), float(box.height)


NAME = 7.0
"""Size of the names at the ends of paths [pt]."""


class _Label(NamedTuple):
    text: str
    x: float
    y: float
    colour: Colour


def _place(ax: Axes, labels: list[_Label]) -> None:
    """Names at the ends of paths: those of one place share a label, and none stands on another."""
    if not labels:
        return
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    size = np.array([right - left, high - low])
    across, along = 72.0 / ax.figure.dpi * np.asarray(ax.bbox.size)  # of the axes [pt]
    groups: list[list[_Label]] = []
    for one in labels:
        if not np.isfinite([one.x, one.y]).all():
            continue
        home = next((g for g in groups if (np.abs([g[0].x - one.x, g[0].y - one.y]) <= 0.025 * size).all()), None)
        if home is None:
            groups.append([one])
        elif one.text not in [other.text for other in home]:
            home.append(one)
    taken: list[tuple[float, float, float]] = []  # left, right, height of what is written, in parts of the axes
    for group in groups:
        x, y = (group[0].x - left) / size[0], (group[0].y - low) / size[1]
        text = ", ".join(one.text for one in group)
        width = 0.6 * NAME * len(text) / across
        for up, to_left in itertools.product((4, -9, 14, -19, 24, -29), (False, True)):
            start, height = (x - width if to_left else x), y + up / along
            inside = start > -0.05 and start + width < 1.08
            free = all(start > b or start + width < a or abs(height - h) > 1.2 * NAME / along for a, b, h in taken)
            if inside and free:
                break
        taken.append((start, start + width, height))
        ax.annotate(
            text,
            (group[0].x, group[0].y),
            xytext=(-5 if to_left else 5, up),
            textcoords="offset points",
            ha="right" if to_left else "left",
            fontsize=NAME,
            color=group[0].colour,
            path_effects=[withStroke(linewidth=1.5, foreground="white")],
        )
