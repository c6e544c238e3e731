"""The paper's figures of the 4-4 robot from a result: configuration, rates, forces at the cables' ends, validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenarios._cdpr44 import euler_xyz

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from towsim import Result

Array = NDArray[np.float64]
COLUMNS = 3
CLIPPED = 3.0
"""Accelerations and forces at kinks and impacts may leave the picture: it shows this many times the 99th percentile."""


@dataclass(frozen=True)
class Panel:
    """One set of axes.

    Attributes
    ----------
    title : number of the paper's figure and what it shows
    unit : of the values
    values : (time, n) curves;  names : their names
    levels, instants : published values, marked by lines: label and value or time
    logarithmic, clipped : how the values are scaled
    """

    title: str
    unit: str
    values: Array
    names: Sequence[str]
    levels: dict[str, float] = field(default_factory=dict)
    instants: dict[str, float] = field(default_factory=dict)
    logarithmic: bool = False
    clipped: bool = False


def draw(result: Result, panels: Sequence[Panel], figure: Figure | None = None) -> Figure:
    """All panels on one sheet."""
    from towsim.view.figures import new_figure

    rows = -(-len(panels) // COLUMNS)
    figure = figure or new_figure(5.0 * COLUMNS, 2.6 * rows + 0.6)
    grid = figure.add_gridspec(rows, COLUMNS)
    for i, panel in enumerate(panels):
        _draw(figure.add_subplot(grid[divmod(i, COLUMNS)]), result.time, panel)
    options = result.provenance.get("options", {})
    how = ", ".join(f"{options[key]}" for key in ("method",) if key in options)
    step = f", h = {options['step']:g} s" if "step" in options else ""
    figure.suptitle(
        f"{result.attributes.get('name', '')}: {how}{step}; figures of Mamidi & Bandyopadhyay (Robotica 2024), "
        "their values dashed",
        x=0.01,
        ha="left",
        fontsize=11,
        fontweight="bold",
    )
    return figure


def _draw(ax: Axes, time: Array, panel: Panel) -> None:
    from towsim.view.figures import colours, curve, style

    style(ax)
    for i, (name, colour) in enumerate(zip(panel.names, colours(len(panel.names)), strict=True)):
        ax.plot(*curve(time, panel.values[:, i]), color=colour, linewidth=1.1, label=name)
    if panel.logarithmic:
        ax.set_yscale("log")
    elif panel.clipped:
        finite = panel.values[np.isfinite(panel.values)]
        low, high = np.percentile(finite, [1, 99]) if finite.size else (0.0, 1.0)
        middle, half = 0.5 * (low + high), 0.5 * CLIPPED * max(high - low, 1e-12)
        least, most = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
        ax.set_ylim(max(middle - half, least - 0.05 * half), min(middle + half, most + 0.05 * half))
    for label, level in panel.levels.items():
        ax.axhline(level, color="#444444", linestyle=(0, (4, 3)), linewidth=0.8)
        ax.annotate(label, (1.0, level), xycoords=("axes fraction", "data"), fontsize=7, ha="right", va="bottom")
    for label, instant in panel.instants.items():
        ax.axvline(instant, color="#444444", linestyle=(0, (4, 3)), linewidth=0.8)
        ax.annotate(label, (instant, 1.0), xycoords=("data", "axes fraction"), fontsize=7, ha="left", va="top")
    ax.set_title(panel.title, fontsize=9, loc="left")
    ax.set_ylabel(panel.unit)
    ax.set_xlabel("time (s)")
    ax.set_xlim(time[0], time[-1] if len(time) > 1 else time[0] + 1.0)
    if len(panel.names) > 1:
        ax.legend(fontsize=7, frameon=False, ncols=len(panel.names), loc="lower right")


XYZ = ("x", "y", "z")
ANGLES = ("α", "β", "γ")


def of_platform(result: Result, name: str) -> Array:
    """A variable (time, xyz) of the platform."""
    return result[name].sel(body="platform").values


def configuration(result: Result, number: int) -> list[Panel]:
    """Change of position and XYZ Euler angles (figures 9, 19, 29), and their rates (10, 20, 30)."""
    position = of_platform(result, "position")
    angles = euler_xyz(result["quaternion"].sel(body="platform").values)
    rate, acceleration = _rates(result, angles)
    return [
        Panel(f"{number}a: Δξ of the platform", "m", position - position[0], XYZ),
        Panel(f"{number}b: change of its XYZ Euler angles", "rad", angles - angles[0], ANGLES),
        Panel(f"{number + 1}a: velocity", "m/s", of_platform(result, "velocity"), XYZ),
        Panel(f"{number + 1}b: rates of the angles", "rad/s", rate, ANGLES, clipped=True),
        Panel(f"{number + 1}c: acceleration", "m/s²", of_platform(result, "acceleration"), XYZ, clipped=True),
        Panel(f"{number + 1}d: second rates of the angles", "rad/s²", acceleration, ANGLES, clipped=True),
    ]


def _rates(result: Result, angles: Array) -> tuple[Array, Array]:
    """First and second rate of the XYZ Euler angles: ω = e_x α̇ + R_x e_y β̇ + R_x R_y e_z γ̇ [rad/s, rad/s²]."""
    omega = of_platform(result, "angular_velocity")
    a, b = angles[:, 0], angles[:, 1]
    columns = (
        (np.ones_like(a), np.zeros_like(a), np.zeros_like(a)),
        (np.zeros_like(a), np.cos(a), np.sin(a)),
        (np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)),
    )
    matrix = np.stack([np.stack(column, axis=1) for column in columns], axis=2)
    with np.errstate(all="ignore"):
        rate = np.linalg.solve(matrix, omega[:, :, None])[:, :, 0]
    return rate, np.gradient(rate, result.time, axis=0) if len(result.time) > 1 else np.zeros_like(rate)


def forces(result: Result, at_platform: int, at_exits: int, instants: dict[str, float] | None = None) -> list[Panel]:
    """λ1..λ4 on the cables at the platform and λ5..λ8 on the cables at the exit points."""
    panels = []
    for number, name, sign, first in ((at_platform, "tip_force", -1.0, 1), (at_exits, "exit_force", 1.0, 5)):
        for k, cable in enumerate(result.coords["cable"]):
            values = sign * result[name].sel(cable=cable).values
            title = f"{number}{'abcd'[k % 4]}: λ{first + k} on {cable}"
            panels.append(Panel(title, "N", values, XYZ, instants=instants or {}, clipped=True))
    return panels


def validation(result: Result, at_platform: int, at_exits: int) -> list[Panel]:
    """e1 and e2 over all closures at the platform, and over all those at the exit points."""
    return [
        Panel(
            f"{number}: e1 (m) and e2 (m/s) {where}",
            "",
            np.stack([_norm(result[f"{prefix}{name}"].values) for name in ("e1", "e2")], axis=1),
            ("e1", "e2"),
            logarithmic=True,
        )
        for number, where, prefix in (
            (at_platform, "at the platform", ""),
            (at_exits, "at the exit points (none on robots)", "exit_"),
        )
        if f"{prefix}e1" in result
    ]


def _norm(values: Array) -> Array:
    return np.asarray(np.maximum(np.linalg.norm(values, axis=1), 1e-18))


def quadcopters(result: Result) -> list[Panel]:
    """Displacements of the quadcopters (figure 24)."""
    panels = []
    for k in (1, 2, 3, 4):
        position = result["position"].sel(body=f"quadcopter{k}").values
        panels.append(Panel(f"24{'abcd'[k - 1]}: Δb of quadcopter {k}", "m", position - position[0], XYZ))
    return panels
