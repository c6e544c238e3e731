"""What the tensions of a run could have been, as a figure: one small panel per wire, and the rank below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from towsim.pictures.figures import FEW, new_figure, plain, style

if TYPE_CHECKING:
    from towsim.analysis import Uniqueness

PANELS = 12
"""Most wires that are drawn: those with the widest ranges."""

BLUE, ORANGE, GREEN = FEW[:3]


def plot_uniqueness(found: Uniqueness, *, figure: Figure | None = None) -> Figure:
    """Recorded tension, its range and the solution of least norm for each wire over time; rank and dimension below.

    Steps whose interval has no upper end are drawn up to the panel's edge.
    """
    width = np.where(np.isfinite(found.width), found.width, np.where(np.isnan(found.width), 0.0, np.inf))
    shown = np.sort(np.argsort(-width.max(axis=0, initial=0.0), kind="stable")[:PANELS])
    columns = min(4, max(1, len(shown)))
    rows = -(-len(shown) // columns)
    figure = figure or new_figure(11, 2.0 * rows + 2.0)
    grid = figure.add_gridspec(rows + 1, columns)
    first: Axes | None = None
    for k, wire in enumerate(shown):
        ax = figure.add_subplot(grid[k // columns, k % columns], sharex=first, sharey=first)
        style(ax)
        _wire(ax, found, int(wire))
        first = first or ax
        if k % columns == 0:
            ax.set_ylabel("tension (N)")
    if first is not None:
        finite = np.concatenate([found.tension.ravel(), found.high[np.isfinite(found.high)]])
        first.set_ylim(0.0, 1.08 * float(np.nanmax(finite, initial=1e-9)))
    _rank(figure.add_subplot(grid[rows, :]), found)
    handles = [
        Patch(color=BLUE, alpha=0.25, linewidth=0),
        Line2D([], [], color=BLUE, linewidth=1.2),
        Line2D([], [], color=ORANGE, linestyle="--", linewidth=1.0),
    ]
    figure.legend(
        handles, ["possible", "recorded", "least norm"], loc="outside lower left", ncols=3, fontsize=8, frameon=False
    )
    more = f", {len(shown)} of {len(found.wires)} wires" if len(shown) < len(found.wires) else ""
    title = f"{plain(found.name, 60)}: tensions that give the same motion{more}"
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return figure


def _wire(ax: Axes, found: Uniqueness, wire: int) -> None:
    time, low, high = found.time, found.low[:, wire], found.high[:, wire]
    beyond = 10.0 * max(1e-9, float(np.nanmax(found.tension, initial=0.0)))
    ax.fill_between(time, low, np.where(np.isinf(high), beyond, high), color=BLUE, alpha=0.25, linewidth=0)
    ax.plot(time, found.tension[:, wire], color=BLUE, linewidth=1.2)
    ax.plot(time, found.least_norm[:, wire], "--", color=ORANGE, linewidth=1.0)
    border = found.borderline[:, wire]
    if border.any():
        ax.plot(time[border], np.zeros(border.sum()), "o", color=GREEN, markersize=2.5, clip_on=False)
    ax.set_title(plain(found.wires[wire]), fontsize=8, loc="left", pad=2)


def _rank(ax: Axes, found: Uniqueness) -> None:
    style(ax)
    for values, colour, label in (
        (found.held, "#888888", "rows with w = 0"),
        (found.rank, BLUE, "rank"),
        (found.null_dimension, ORANGE, "dimension of internal forces"),
    ):
        ax.step(found.time, values, where="post", color=colour, linewidth=1.3, label=label)
    ax.set_ylim(-0.3, 1.25 * float(found.held.max(initial=1)) + 0.3)
    ax.set_xlabel("time (s)")
    ax.set_ylabel("number")
    ax.legend(fontsize=8, frameon=False, ncols=3, loc="upper left")
