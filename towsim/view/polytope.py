"""The set of all solutions as the plane of two wires sees it, and where each back-end landed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from towsim.view.figures import FEW, colours, new_figure, plain, style

if TYPE_CHECKING:
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
