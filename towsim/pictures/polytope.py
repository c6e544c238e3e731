"""The set of all solutions: as the plane of two wires sees it, where each back-end landed; and as a polytope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from towsim.pictures.figures import FEW, colours, new_figure, plain, style, swift_figure, swift_style

if TYPE_CHECKING:
    from solvers import Polytope
    from towsim.analysis import Landings, Shadow


def plot_landings(found: Landings, seen: Shadow, *, figure: Figure | None = None) -> Figure:
    """Possible impulses of two wires (shaded), every answer, and the solution of least norm.

    Answers that fall on each other are drawn as rings around each other; starts of ``pgs`` share a colour.
    """
    figure = figure or new_figure(8.5, 5.0)
    ax = figure.add_subplot()
    style(ax)
    _set(ax, seen)
    i, j = seen.rows
    solved = [one for one in found.found if one.status == "solved"]
    names = list(dict.fromkeys(one.name.split()[0] for one in solved))
    shades = dict(zip(names, colours(len(names)), strict=True))
    for name in names:
        own = [one for one in solved if one.name.split()[0] == name]
        starts = len(own) > 1
        ring = 14 - 1.3 * names.index(name)
        ax.plot(
            [one.z[i] for one in own],
            [one.z[j] for one in own],
            "o",
            markersize=5 if starts else ring,
            markerfacecolor=shades[name] if starts else "none",
            markeredgecolor=shades[name],
            markeredgewidth=1.6,
            clip_on=False,
            label=f"{name}, {len(own)} starts" if starts else name,
        )
    middle = found.analysis.least_norm
    if middle is not None:
        ax.plot(middle[i], middle[j], "k+", markersize=13, markeredgewidth=1.8, label="least norm")
    ax.set_xlabel(f"impulse of {plain(seen.names[0])} (N s)")
    ax.set_ylabel(f"impulse of {plain(seen.names[1])} (N s)")
    ax.ticklabel_format(style="sci", scilimits=(-2, 3))
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    if seen.cut:
        ax.set_title("the set goes on without bound beyond what is shown", fontsize=8, loc="right", pad=2)
    return figure


def _set(ax: Axes, seen: Shadow) -> None:
    corners = seen.corners
    ax.fill(corners[:, 0], corners[:, 1], color=FEW[0], alpha=0.15, linewidth=0, label="possible")
    closed = [*range(len(corners)), 0]
    ax.plot(corners[closed, 0], corners[closed, 1], color=FEW[0], linewidth=1.0)
    ax.margins(0.08)


def plot_polytope(
    found: Polytope, *, step: float = 1.0, size: float | None = None, figure: Figure | None = None
) -> Figure:
    """All tensions that give one motion: the set in the plane in which it is widest, and the range of every wire.

    Parameters
    ----------
    found : of ``solvers.polytope``
    step : length of the time step [s], by which impulses [N s] are divided to give tensions [N]
    size : half width of the plane that is shown [N]; default what the set needs
    """
    figure = figure or swift_figure(8.4, 3.5)
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1.0))
    vertices, centre, radius = found.vertices / step, found.centre / step, found.radius / step
    axes = np.linalg.svd(vertices - vertices.mean(axis=0))[2][:2]
    seen = np.zeros((len(vertices), 2))
    seen[:, : len(axes)] = (vertices - centre) @ axes.T
    outline = _outline(seen) if found.dimension > 1 else seen
    left.fill(outline[:, 0], outline[:, 1], color=FEW[0], alpha=0.15, linewidth=0)
    left.plot(*outline[[*range(len(outline)), 0]].T, color=FEW[0], linewidth=1.0)
    left.plot(seen[:, 0], seen[:, 1], "o", color=FEW[0], markersize=4)
    left.add_patch(Circle((0.0, 0.0), radius, fill=False, color=FEW[1], linewidth=1.2))
    left.plot(0.0, 0.0, "+", color=FEW[1], markersize=11, markeredgewidth=1.6)
    if size is None:
        size = max(1.15 * float(np.abs(seen).max()), 0.02 * float(np.abs(vertices).max(initial=1.0)))
    left.set(xlim=(-size, size), ylim=(-size, size), aspect="equal", xlabel="N, from the centre")
    corners = f"{len(vertices)} corner{'s' * (len(vertices) != 1)}"
    left.set_title(f"dimension {found.dimension}, {corners}, radius {radius:.3g} N", fontsize=9, loc="left", y=1.0)
    rows = np.arange(len(found.names))
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    right.hlines(rows, low, high, linewidths=100.0 / max(len(rows), 6), colors=FEW[0], alpha=0.3)
    right.plot(centre, rows, "|", color=FEW[1], markersize=11, markeredgewidth=2)
    right.set_ylim(len(rows) - 0.5, -0.5)
    right.set_xlim(-0.04 * max(float(high.max()), 1e-9), None)
    right.set_xlabel("tension (N): least to largest, and at the centre")
    swift_style(left)
    swift_style(right, [plain(name) for name in found.names])
    return figure


def _outline(points: np.ndarray) -> np.ndarray:
    """Corners of the convex hull of points of a plane, in their order."""
    from scipy.spatial import ConvexHull

    return np.asarray(points[ConvexHull(points).vertices])
