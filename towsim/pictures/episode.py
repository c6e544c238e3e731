"""A moment of an episode, in which carriers bring a load to its target, as an array of pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from towsim.pictures.figures import FEW

PIXELS = 480
SIDE = 3.5
"""What is seen of space: a cube of this side, about the middle of the way from the origin to the target [m]."""


def picture(load: np.ndarray, carriers: np.ndarray, taut: np.ndarray, target: np.ndarray, time: float) -> np.ndarray:
    """(480, 480, 3) uint8: load, carriers and target at these places, wires drawn through if ``taut`` and else dashed.

    Parameters
    ----------
    load, target : (3,) [m];  carriers : (n, 3) [m]
    taut : (n,) of the wire from each carrier to the load
    time : told in the corner [s]
    """
    figure = Figure(figsize=(4.8, 4.8), dpi=PIXELS / 4.8)
    canvas: Any = FigureCanvasAgg(figure)
    ax: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d")
    for carrier, pulls in zip(carriers, taut, strict=True):
        ax.plot(
            *np.stack([load, carrier], axis=1), color=FEW[0], linestyle="-" if pulls else (0, (3, 3)), linewidth=1.4
        )
    ax.plot(*carriers.T, "^", color="#444444", markersize=8)
    ax.plot(*load[:, None], "o", color=FEW[1], markersize=9)
    ax.plot(*target[:, None], "+", color=FEW[2], markersize=14, markeredgewidth=2.0)
    middle = 0.5 * target + np.array([0.0, 0.0, 0.3])
    for axis, at in zip("xyz", middle, strict=True):
        getattr(ax, f"set_{axis}lim")(at - 0.5 * SIDE, at + 0.5 * SIDE)
        getattr(ax, f"set_{axis}label")(f"{axis} (m)")
    ax.set_box_aspect((1.0, 1.0, 1.0), zoom=0.9)
    figure.text(0.03, 0.95, f"t = {time:.2f} s")
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
