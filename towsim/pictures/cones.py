"""The geometry of a linear complementarity problem of two rows: its complementary cones in the plane of q.

q = I w − M z with 0 ≤ w ⟂ z ≥ 0 says that q is made, with factors ≥ 0, of one column of each pair (e_i, −M_i). Each of
the four choices spans a cone, and each cone that q lies in is a solution.

Source: Murty, Linear Complementarity, Linear and Nonlinear Programming (1988), section 1.1.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Wedge

from towsim.pictures.figures import FEW

NAMES = {(False, False): "both slack", (True, False): "1 pulls", (False, True): "2 pulls", (True, True): "both pull"}
COLOUR = dict(zip(NAMES, (FEW[7], FEW[0], FEW[2], FEW[1]), strict=True))


def cones(M: np.ndarray) -> dict[tuple[bool, bool], np.ndarray]:
    """The (2, 2) generators, as columns, of the cone of each choice of rows at work."""
    sides = np.eye(2), -np.asarray(M, float)
    return {(a, b): np.column_stack([sides[a][:, 0], sides[b][:, 1]]) for a, b in product((False, True), repeat=2)}


def draw_cones(ax: Axes, M: np.ndarray, *, q: np.ndarray | None = None, size: float = 2.0) -> None:
    """The four cones as sectors, smaller ones over larger ones, with their names; and a point q."""
    ax.set(xlim=(-size, size), ylim=(-size, size), aspect="equal")
    ax.set(xticks=[], yticks=[])  # only directions count
    ax.axhline(0.0, color="0.8", linewidth=0.6)
    ax.axvline(0.0, color="0.8", linewidth=0.6)
    ax.text(size, -0.02 * size, "q₁", ha="right", va="top", fontsize=8)
    ax.text(-0.02 * size, size, "q₂", ha="right", va="top", fontsize=8)
    for side in ("top", "right", "bottom", "left"):
        ax.spines[side].set_visible(False)
    for k, (choice, C) in enumerate(cones(M).items()):
        angle, long = np.degrees(np.arctan2(C[1], C[0])), np.hypot(*C)
        opening = (angle[1] - angle[0]) % 360.0
        first = angle[0] if opening <= 180.0 else angle[1]
        opening = min(opening, 360.0 - opening)
        radius = size * (0.96 - 0.13 * k)
        colour = COLOUR[choice]
        at = np.radians(first + (0.32 + 0.12 * k) * opening)  # apart where cones lie on each other
        reach = 0.84 * radius
        if long.all() and 1e-6 < opening < 180.0 - 1e-6:
            ax.add_patch(Wedge((0, 0), radius, first, first + opening, facecolor=colour, alpha=0.22, linewidth=0))
            ax.add_patch(Wedge((0, 0), radius, first, first + opening, fill=False, edgecolor=colour, linewidth=1.2))
        else:  # a cone without an inside: a half-line, or a whole line
            ends = C / np.where(long > 0.0, long, 1.0) * radius  # a column may be zero
            ax.plot([ends[0, 0], 0, ends[0, 1]], [ends[1, 0], 0, ends[1, 1]], color=colour, linewidth=3)
            at, reach = np.radians(angle[1] if long[1] else angle[0]), 1.1 * radius
        x, y = reach * np.cos(at), reach * np.sin(at)
        ax.text(x, y, NAMES[choice], color=colour, ha="center", va="center", fontsize=8, fontweight="bold")
    if q is not None:
        ax.plot([0, q[0]], [0, q[1]], color="black", linewidth=0.8)
        ax.plot(*q, "o", color="black", markersize=6)
