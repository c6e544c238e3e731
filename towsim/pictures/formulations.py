"""Work against precision of several formulations of one motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from towsim.pictures.figures import colours, new_figure, style

if TYPE_CHECKING:
    from towsim.formulations.comparison import Comparison


def draw_comparison(figure: Figure, found: Comparison) -> None:
    """Error against processor time, one line a formulation; each point halves the step (or tightens the tolerance)."""
    ax = figure.subplots()
    style(ax)
    rows = [row for row in found.rows if not row.failed]
    for row, colour in zip(rows, colours(len(rows)), strict=True):
        seconds = [level.seconds for level in row.levels]
        errors = [max(level.difference, 1e-16) for level in row.levels]
        ax.loglog(seconds, errors, "o-", color=colour, markersize=3, linewidth=1.2, label=row.formulation)
    ax.set_xlabel("processor time of the run, s")
    ax.set_ylabel("greatest distance from the reference, m")
    ax.set_title(f"{found.name}, {found.duration:g} s", fontsize=10)
    ax.legend(fontsize=8, frameon=False)


def plot_comparison(found: Comparison) -> Figure:
    """The same as a figure of its own."""
    figure = new_figure(7.0, 5.0)
    draw_comparison(figure, found)
    return figure
