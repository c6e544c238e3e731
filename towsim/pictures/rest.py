"""Pictures of a scene at rest, from the side and from above, and of the shapes in which it rings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from towsim.pictures.figures import FEW, new_figure, plain, style
from towsim.pictures.solids import corners, outline
from towsim.pictures.stage import figurine
from towsim.scene.expand import expand

if TYPE_CHECKING:
    from towsim.statics import Equilibrium, Modes

Array = NDArray[np.float64]
NAMED = 12
"""Bodies up to which each is named."""

NARROW = 0.1
"""Least extent of a view, relative to the largest extent of the scene."""

SHAPES = 6
"""Modes that are drawn, and how far they swing, relative to the extent of the scene."""
SWING = 0.08


def plot_equilibrium(one: Equilibrium, *, figure: Figure | None = None) -> Figure:
    """Draw a scene at rest: bodies, wires (dashed where slack), massive cables as they hang; two views.

    figure : draw into this one instead of a new one
    """
    figure = figure or new_figure(10.0, 5.0)
    lines = [(path, one.tension.get(name, 0.0)) for name, path in one.paths.items()]
    lines += [(cable.nodes, cable.tension) for cable in one.cables.values()]
    pulls = Normalize(0.0, max([pull for _, pull in lines], default=0.0) or 1.0)
    shades = matplotlib.colormaps["viridis_r"]
    points = np.concatenate([one.position, *(path for path, _ in lines)])
    for ax, plane in zip(figure.subplots(1, 2), ([_across(points), 2], [0, 1]), strict=True):
        _axes(ax, points, plane)
        for path, pull in lines:
            colour, dashes = (shades(pulls(pull)), "-") if pull > 0.0 else ("#999999", "--")
            ax.plot(*path[:, plane].T, color=colour, linewidth=1.6, linestyle=dashes)
        _bodies(ax, one, plane)
    if lines:
        figure.colorbar(ScalarMappable(pulls, shades), ax=figure.axes, label="tension (N)", shrink=0.8)
    figure.suptitle(f"{plain(one.scene.name, 60)} at rest: {one.stability}", x=0.01, ha="left", fontsize=11)
    return figure


def plot_modes(modes: Modes, rest: Equilibrium, *, figure: Figure | None = None) -> Figure:
    """Draw the shapes of the first six modes: bodies at rest (grey) and at both ends of their swing.

    figure : draw into this one instead of a new one
    """
    shown = min(SHAPES, len(modes))
    columns, rows = min(3, max(shown, 1)), -(-max(shown, 1) // 3)
    figure = figure or new_figure(1.0 + 3.4 * columns, 0.6 + 3.2 * rows)
    paths = [*rest.paths.values(), *(cable.nodes for cable in rest.cables.values())]
    points = np.concatenate([rest.position, *paths])
    swing = SWING * float(np.ptp(points, axis=0).max() or 1.0)
    for number, ax in enumerate(figure.subplots(rows, columns, squeeze=False).flat):
        if number >= shown:
            ax.set_axis_off()
            continue
        shape = modes.shape[number].real
        plane = [_aside(shape, points), 2]
        _axes(ax, points, plane)
        for path in paths:
            ax.plot(*path[:, plane].T, color="#bbbbbb", linewidth=0.8)
        _bodies(ax, rest, plane, named=False)
        for share, colour in ((swing, FEW[0]), (-swing, FEW[1])):
            for name, place, turn, move in zip(rest.bodies, rest.position, rest.quaternion, shape, strict=True):
                around = _corners(rest, name, place, turn)
                arm = around - place
                moved = (around + share * (move[:3] + np.cross(move[3:], arm)))[:, plane]
                edge = outline(moved)
                if len(edge) > 2:
                    ax.fill(*edge.T, facecolor="none", edgecolor=colour, linewidth=1.0)
                else:
                    ax.plot(*moved[:1].T, "o", color=colour, markersize=4.0)
        ax.set_title(f"{number + 1}: {modes.frequency[number]:.4g} Hz, damping {modes.damping[number]:.2g}", fontsize=9)
    figure.suptitle(f"{plain(modes.scene.name, 60)}: modes about rest", x=0.01, ha="left", fontsize=11)
    return figure


def _across(points: Array) -> int:
    """The horizontal axis along which a scene is longer."""
    spread = np.ptp(points, axis=0)
    return 0 if spread[0] >= spread[1] else 1


def _aside(shape: Array, points: Array) -> int:
    """The horizontal axis along which a mode moves more: by translation, or seen along the axis of its turn."""
    size = np.abs(shape).max(axis=0, initial=0.0)
    x, y = size[0] + size[4], size[1] + size[3]
    return _across(points) if abs(x - y) <= 1e-6 * (x + y) else int(y > x)


def _axes(ax: Axes, points: Array, plane: list[int]) -> None:
    """Axes of a view that is not narrower than a share of the scene."""
    style(ax)
    middle, half = 0.5 * (points.max(axis=0) + points.min(axis=0)), 0.5 * np.ptp(points, axis=0)
    half = np.maximum(half, NARROW * (half.max() or 1.0))
    ax.plot(*np.stack([middle - half, middle + half])[:, plane].T, alpha=0.0)
    ax.set_xlabel(f"{'xyz'[plane[0]]} (m)")
    ax.set_ylabel(f"{'xyz'[plane[1]]} (m)")
    ax.set_aspect("equal", adjustable="datalim")


def _corners(one: Equilibrium, name: str, place: Array, turn: Array) -> Array:
    body = figurine(name, expand(one.scene))
    return corners(body, place, body.turned(turn))


def _bodies(ax: Axes, one: Equilibrium, plane: list[int], *, named: bool = True) -> None:
    """Outlines of bodies with a shape, points of the others, and their names."""
    for name, place, turn in zip(one.bodies, one.position, one.quaternion, strict=True):
        around = outline(_corners(one, name, place, turn)[:, plane])
        if len(around) > 2:
            ax.fill(*around.T, facecolor="#d9d9d9", edgecolor="#555555", alpha=0.6, lw=0.8)
        ax.plot(*place[plane], "o", color="#333333", ms=3.0)
        if named and len(one.bodies) <= NAMED:
            ax.annotate(plain(name), place[plane], xytext=(4, 4), textcoords="offset points", fontsize=8)
