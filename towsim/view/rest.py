"""The picture of an equilibrium: from the side and from above, wires coloured by how hard they pull."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from towsim.scene.expand import expand
from towsim.view.figures import new_figure, plain, style
from towsim.view.solids import corners, outline
from towsim.view.stage import figurine

if TYPE_CHECKING:
    from towsim.statics import Equilibrium

Array = NDArray[np.float64]
NAMED = 12
"""Bodies up to which each is named."""


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
    spread = np.ptp(points, axis=0)
    across = 0 if spread[0] >= spread[1] else 1
    for ax, plane in zip(figure.subplots(1, 2), ([across, 2], [0, 1]), strict=True):
        style(ax)
        for path, pull in lines:
            colour, dashes = (shades(pulls(pull)), "-") if pull > 0.0 else ("#999999", "--")
            ax.plot(*path[:, plane].T, color=colour, linewidth=1.6, linestyle=dashes)
        _bodies(ax, one, plane)
        ax.set_xlabel(f"{'xyz'[plane[0]]} (m)")
        ax.set_ylabel(f"{'xyz'[plane[1]]} (m)")
        ax.set_aspect("equal", adjustable="datalim")
    if lines:
        figure.colorbar(ScalarMappable(pulls, shades), ax=figure.axes, label="tension (N)", shrink=0.8)
    figure.suptitle(f"{plain(one.scene.name, 60)} at rest: {one.stability}", x=0.01, ha="left", fontsize=11)
    return figure


def _bodies(ax: Axes, one: Equilibrium, plane: list[int]) -> None:
    """Outlines of bodies with a shape, points of the others, and their names."""
    bodies = expand(one.scene).bodies
    for name, place, turn in zip(one.bodies, one.position, one.quaternion, strict=True):
        around = outline(corners(figurine(name, bodies[name]), place, turn)[:, plane])
        if len(around) > 2:
            ax.fill(*around.T, facecolor="#d9d9d9", edgecolor="#555555", alpha=0.6, lw=0.8)
        ax.plot(*place[plane], "o", color="#333333", ms=3.0)
        if len(one.bodies) <= NAMED:
            ax.annotate(plain(name), place[plane], xytext=(4, 4), textcoords="offset points", fontsize=8)
