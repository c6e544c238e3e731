"""Performance profiles (Dolan & Moré 2002) as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from solvers.bench.report import Report

# Colours that people with any kind of colour vision tell apart (after Okabe and Ito), then line styles.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4c9a", "#5c5c5c")
LINES = ("-", "--", ":")


def plot_profile(report: Report) -> Figure:
    """Share of the problems that each method answered rightly within τ times the best one's time, over τ."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 4.6), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    profile = report.profile()
    finite = [ratios[np.isfinite(ratios)] for ratios in profile.values()]
    end = 1.3 * max((float(ratios[-1]) for ratios in finite if ratios.size), default=2.0)
    for i, (method, ratios) in enumerate(profile.items()):
        count = ratios.size
        tau = ratios[np.isfinite(ratios)]
        share = np.arange(1, tau.size + 1) / max(count, 1)
        lost = f", {count - tau.size} of {count} not right" if tau.size < count else ""
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
    ax.set_xlabel("time relative to the fastest right answer, τ")
    ax.set_ylabel("share of problems within τ")
    ax.grid(True, color="#e4e4e4", linewidth=0.6)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    problems = len(report.problems)
    ax.set_title(f"{problems} problem{'s' if problems != 1 else ''}, cold starts", loc="left", fontsize=10)
    return figure


def save_plot(report: Report, path: str | Path) -> None:
    """Write the profile as a picture; the suffix names the format (.png, .pdf, .svg)."""
    plot_profile(report).savefig(path, dpi=150)
