"""Figures without pyplot's global state: made, styled, saved, and shown when a window is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator

from towsim.errors import UsageError
from towsim.results.files import write_whole

FEW = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4c9a", "#5c5c5c")
"""Colours that people with any kind of colour vision tell apart (after Okabe and Ito)."""

GRID, FRAME, LABEL = "#e4e4e4", "#888888", "#333333"
"""Colours of what is around the curves."""

STEEL = "#30475e"
"""Colour of robots, and of beams that join them and bodies to where wires are held."""

DPI = 200
"""Of pictures made of dots."""

BINS = 1500
"""Horizontal resolution of curves; each bin keeps its least and its largest value."""


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def swift_figure(width: float, height: float) -> Figure:
    """An empty figure whose margins are fixed: drawn in half the time, for what answers to a slider."""
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    figure.subplots_adjust(left=0.72 / width, right=1.0 - 0.12 / width, bottom=0.5 / height, top=1.0 - 0.28 / height)
    return figure


def style(ax: Axes) -> None:
    """Quiet axes: light grid, no box."""
    ax.grid(True, color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=8, color=FRAME, labelcolor=LABEL)
    _frame(ax)


def swift_style(ax: Axes, names: Sequence[str] = ()) -> None:
    """As ``style``, for axes whose limits are set and stay: without matplotlib's ticks, which take most of its time.

    names : in place of numbers, at y = 0, 1, ..
    """
    _frame(ax)
    ax.xaxis.set_label_coords(0.5, -0.1)
    ax.yaxis.set_label_coords(-0.12, 0.5)
    for axis, across, (low, high) in (
        (ax.xaxis, ax.get_xaxis_transform(), ax.get_xlim()),
        (ax.yaxis, ax.get_yaxis_transform(), ax.get_ylim()),
    ):
        least, most = min(low, high), max(low, high)
        upright = axis is ax.xaxis
        if names and not upright:
            at, shown = np.arange(len(names)), list(names)
        else:
            at = np.asarray(MaxNLocator(3).tick_values(least, most))
            at = at[(at >= least) & (at <= most)]
            shown = [f"{x:.6g}".replace("-", "\N{MINUS SIGN}") for x in at]
        along, ends = np.repeat(at, 3), np.tile([0.0, 1.0, np.nan], len(at))
        grid = Line2D(
            *((along, ends) if upright else (ends, along)), color=GRID, linewidth=0.6, transform=across, zorder=0.5
        )
        ax.add_artist(grid)
        for place, text in zip(at.tolist(), shown, strict=True):
            right, up, aside, below = (place, -0.02, "center", "top") if upright else (-0.012, place, "right", "center")
            ax.text(right, up, text, transform=across, ha=aside, va=below, fontsize=8, color=LABEL)
        axis.set_major_locator(NullLocator())


def _frame(ax: Axes) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(FRAME)
    ax.xaxis.label.set_fontsize(9)
    ax.yaxis.label.set_fontsize(9)


Colour = str | tuple[float, float, float, float]


def colours(count: int) -> Sequence[Colour]:
    """One colour each: distinct for a few, in order along a colour map for many."""
    if count <= len(FEW):
        return FEW[:count]
    shades = matplotlib.colormaps["turbo"](np.linspace(0.05, 0.95, count))
    return [(float(r), float(g), float(b), float(a)) for r, g, b, a in shades]


def curve(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A long curve as the least and largest value of each of ``BINS`` bins, so that no peak is lost."""
    if len(time) <= 4 * BINS:
        return time, values
    size = -(-len(time) // BINS)
    whole = len(time) // size * size
    bins = values[:whole].reshape(-1, size)
    low, high = np.fmin.reduce(bins, axis=1), np.fmax.reduce(bins, axis=1)
    middle = time[:whole].reshape(-1, size)[:, size // 2]
    rest = time[whole:], values[whole:]
    return (
        np.concatenate([np.repeat(middle, 2), rest[0]]),
        np.concatenate([np.stack([low, high], 1).ravel(), rest[1]]),
    )


def plain(name: object, length: int = 24) -> str:
    """A name as text: not longer than fits, and never read as a formula."""
    return str(name)[:length].replace("$", r"\$")


def save_figure(figure: Figure, path: Path) -> None:
    """Write a picture; its suffix names the format."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a name in a script the font lacks shows as boxes
        write_whole(path, lambda file: figure.savefig(file, format=path.suffix[1:], dpi=DPI))


def show(draw: Callable[[Figure], object]) -> None:
    """Open a window in which ``draw`` has drawn, and wait until it is closed. Raises UsageError without a display."""
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(11, 7), layout="constrained")
    if matplotlib.get_backend().lower() == "agg":
        raise UsageError("there is no display to open a window on; write a picture with -o FILE.png")
    draw(figure)
    pyplot.show()
