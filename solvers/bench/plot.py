"""Performance profiles (Dolan & Moré 2002) as a figure: by time and by iterations, a row a family of problems."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from solvers.bench.report import Report

# Colours that people with any kind of colour vision tell apart (after Okabe and Ito), then line styles.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4c9a", "#5c5c5c")
LINES = ("-", "--", ":")

MOST = 5
"""Families that get a row of their own."""

_MEASURES: tuple[tuple[Literal["time", "iterations"], str], ...] = (
    ("time", "time by that of the fastest right answer, τ"),
    ("iterations", "iterations by the fewest of a right answer, τ"),
)


def plot_profile(report: Report) -> Figure:
    """Share of the problems that each method answered rightly within τ times the best one's cost, over τ.

    The first row is over all problems; where they are of several families, the largest ones follow.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    families: list[str | None] = [None]
    if len(report.families) > 1:
        count = {name: sum(one.rpartition("/")[0] == name for one in report.problems) for name in report.families}
        families += sorted(sorted(count, key=lambda name: -count[name])[:MOST], key=report.families.index)
    figure = Figure(figsize=(11.0, 0.9 + 2.9 * len(families)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(families), 2, squeeze=False, sharey=True)
    for row, family in zip(axes, families, strict=True):
        for ax, (by, label) in zip(row, _MEASURES, strict=True):
            _draw(ax, report.profile(by, family))
            ax.set_xlabel(label)
        problems = len(report.problems) if family is None else len(report.of(report.methods[0], family))
        what = "all" if family is None and len(families) > 1 else family or ""
        row[0].set_title(
            f"{what}: ".lstrip(": ") + f"{problems} problem{'s' * (problems != 1)}", loc="left", fontsize=10
        )
        row[0].set_ylabel("share of problems within τ")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", fontsize=8, frameon=False)
    return figure


def _draw(ax: Axes, profile: dict[str, np.ndarray]) -> None:
    finite = [ratios[np.isfinite(ratios)] for ratios in profile.values()]
    end = 1.3 * max((float(ratios[-1]) for ratios in finite if ratios.size), default=2.0)
    for i, (method, ratios) in enumerate(profile.items()):
        tau = ratios[np.isfinite(ratios)]
        share = np.arange(1, tau.size + 1) / max(ratios.size, 1)
        lost = f", {ratios.size - tau.size} of {ratios.size} not right" if tau.size < ratios.size else ""
        ax.step(
            np.concatenate([[1.0], tau, [end]]),
            np.concatenate([[0.0], share, [share[-1] if share.size else 0.0]]),
            where="post",
            color=COLOURS[i % len(COLOURS)],
            linestyle=LINES[i // len(COLOURS) % len(LINES)],
            linewidth=1.6,
            label=f"{method}{lost}",
        )
    ax.set_xscale("log")
    ax.set_xlim(0.9, end)  # room for the line at 1
    ax.set_ylim(0.0, 1.02)
    ax.grid(True, color="#e4e4e4", linewidth=0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def save_plot(report: Report, path: str | Path) -> None:
    """Write the profile as a picture; the suffix names the format (.png, .pdf, .svg)."""
    plot_profile(report).savefig(path, dpi=150)
