"""What wires allow a point that moves in a plane: half-planes of velocities, and the one that Gauss's principle picks.

A wire forbids velocities with w_i = (Gᵀ v + bias)_i < 0: a half-plane. Those that all wires allow form a polygon, and
the velocity after the step is its point nearest to the free one (in the metric of the inertia: of a point mass, simply
the nearest). Where the polygon is empty there is no answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from towsim.errors import UsageError
from towsim.pictures.figures import FEW, swift_style

if TYPE_CHECKING:
    from solvers import MLCP, Solution

BLAMED = FEW[1]
QUIVER: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "zorder": 3}


def allowed(G: np.ndarray, bias: np.ndarray, size: float) -> np.ndarray:
    """(k, 2) corners of {v : Gᵀ v + bias ≥ 0} in a square of half width ``size``; empty if there is none."""
    polygon = size * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    for d, b in zip(np.asarray(G, float).T, bias, strict=True):
        kept: list[np.ndarray] = []
        for here, there in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            a, c = here @ d + b, there @ d + b
            if a >= 0:
                kept.append(here)
            if a * c < 0:
                kept.append(here + a / (a - c) * (there - here))
        polygon = np.array(kept).reshape(-1, 2)
    return polygon


def draw_velocities(ax: Axes, problem: MLCP, solution: Solution, *, size: float = 1.0) -> None:
    """The border of every wire's half-plane, what all allow, the free velocity, and the one after the step.

    Wires that are blamed for a problem without a solution are drawn in another colour, with arrows that push into each
    other. Raises ``UsageError`` unless the problem is one of wires (``solvers.LCP.from_wires``) in a plane.
    """
    wires = problem.wires
    if wires is None or wires.v_free.size != 2:
        raise UsageError("velocities are drawn of a point in a plane: a problem of LCP.from_wires with two velocities")
    ax.set(xlim=(-size, size), ylim=(-size, size), aspect="equal", xlabel="velocity east (m/s)")
    swift_style(ax)
    G = np.asarray(wires.G)
    polygon = allowed(G, wires.bias, size)
    if len(polygon):
        ax.fill(*polygon.T, color=FEW[2], alpha=0.25, linewidth=0)
    blamed = np.zeros(problem.n, bool) if solution.farkas is None else solution.farkas.y > 1e-9
    shades = [BLAMED if bad else FEW[7] for bad in blamed]
    normal = (G / np.hypot(*G)).T
    foot = (-wires.bias / np.hypot(*G))[:, None] * normal
    for i, n in enumerate(normal):
        along = size * np.array([-n[1], n[0]])
        ends = np.array([foot[i] - 3 * along, foot[i] + 3 * along])
        ax.plot(*ends.T, color=shades[i], linewidth=1.8 if blamed[i] else 1.0)
        x, y = (foot[i] - 0.1 * size * n + 0.72 * along).tolist()
        ax.text(x, y, problem.names[i], color=shades[i], fontsize=8, ha="center")
    ax.quiver(*foot.T, *(0.16 * size * normal).T, color=shades, scale=1.0, width=0.006, **QUIVER)
    ax.plot(*wires.v_free, "o", color="white", markeredgecolor="black", markersize=7)
    if solution.v is not None:
        ax.plot(*np.array([wires.v_free, solution.v]).T, color="black", linewidth=1.0)
        ax.plot(*solution.v, "o", color="black", markersize=6)
