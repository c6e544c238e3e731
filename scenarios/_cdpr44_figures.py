"""The paper's figures of the 4-4 robot from a result: configuration, rates, forces at the cables' ends, validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scenarios._cdpr44 import euler_xyz

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from towsim import Result

Array = NDArray[np.float64]
COLUMNS = 3
WIDTH, HEIGHT = 7.2, 1.45
"""Of the sheet and of a row [inch]: a page of two columns, on which the letters are still read."""

SMALL = 6
"""Size of letters [pt]."""

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
    note : what else is to be said, written below the sheet
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
    note: str = ""


def draw(result: Result, panels: Sequence[Panel], figure: Figure | None = None) -> Figure:
    """All panels on one sheet."""
    from towsim.pictures.figures import new_figure

    rows = -(-len(panels) // COLUMNS)
    figure = figure or new_figure(WIDTH, HEIGHT * rows + 0.5)
    grid = figure.add_gridspec(rows, COLUMNS)
    for i, panel in enumerate(panels):
        ax = figure.add_subplot(grid[divmod(i, COLUMNS)])
        _draw(ax, result.time, panel)
        ax.set_xlabel("time (s)" if i + COLUMNS >= len(panels) else "", fontsize=SMALL)
    options = result.provenance.get("options", {})
    how = f"{options.get('method', '')}, h = {1e3 * options['step']:g} ms" if "step" in options else ""
    source = "figures of Mamidi & Bandyopadhyay, Robotica 2024; dashed: published"
    title = f"{result.attributes.get('name', '')} ({how})\n{source}"
    figure.suptitle(title, x=0.01, ha="left", fontsize=8, fontweight="bold")
    notes = "\n".join(f"{panel.title.split(':')[0]}: {panel.note}" for panel in panels if panel.note)
    figure.supxlabel(notes, x=0.99, ha="right", fontsize=SMALL, color="#444444")
    _legend(figure)
    return figure


def _legend(figure: Figure) -> None:
    """Once for all panels: which colour is which component."""
    from matplotlib.lines import Line2D

    from towsim.pictures.figures import colours

    handles = [Line2D([], [], color=colour, linewidth=1.5) for colour in colours(len(XYZ))]
    labels = [f"{axis}, {angle}" for axis, angle in zip(XYZ, ANGLES, strict=True)]
    figure.legend(handles, labels, loc="outside lower left", ncols=3, fontsize=SMALL + 1, frameon=False)


def _draw(ax: Axes, time: Array, panel: Panel) -> None:
    from towsim.pictures.figures import colours, curve, style

    style(ax)
    ax.tick_params(labelsize=SMALL, length=2, pad=2)
    for i, colour in enumerate(colours(len(panel.names))):
        ax.plot(*curve(time, panel.values[:, i]), color=colour, linewidth=0.8)
    if panel.logarithmic:
        ax.set_yscale("log")
    else:
        _limits(ax, panel)
    dashed = {"color": "#444444", "linestyle": (0, (4, 3)), "linewidth": 0.6}
    halo = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
    text: dict[str, Any] = {"fontsize": SMALL - 1, "color": "#222222", "bbox": halo}
    for label, level in panel.levels.items():
        ax.axhline(level, **dashed)  # type: ignore[arg-type]
        ax.annotate(label, (0.01, level), xycoords=("axes fraction", "data"), ha="left", va="center", **text)
    for k, (label, instant) in enumerate(panel.instants.items()):
        ax.axvline(instant, **dashed)  # type: ignore[arg-type]
        place = (instant, 0.97 - 0.13 * k)  # each one lower than the one before
        ax.annotate(
            label,
            place,
            xycoords=("data", "axes fraction"),
            xytext=(2, 0),
            textcoords="offset points",
            ha="left" if instant < 0.6 * time[-1] else "right",
            va="top",
            **text,
        )
    named = "" if tuple(panel.names) in (XYZ, ANGLES) or len(panel.names) < 2 else f": {', '.join(panel.names)}"
    unit = f" ({panel.unit})" if panel.unit else ""
    ax.set_title(f"{panel.title}{named}{unit}", fontsize=SMALL + 0.5, loc="left", pad=3)
    ax.yaxis.get_offset_text().set_fontsize(SMALL)
    ax.set_xlim(time[0], time[-1] if len(time) > 1 else time[0] + 1.0)


def _limits(ax: Axes, panel: Panel) -> None:
    """Published values and curves are seen; of clipped ones not all."""
    finite = panel.values[np.isfinite(panel.values)]
    if not finite.size:
        return
    least, most = min([finite.min(), *panel.levels.values()]), max([finite.max(), *panel.levels.values()])
    if panel.clipped:
        low, high = np.percentile(finite, [1, 99])
        middle, half = 0.5 * (low + high), 0.5 * CLIPPED * max(high - low, 1e-12)
        least, most = max(middle - half, least), min(middle + half, most)
    room = 0.08 * max(most - least, 1e-12)
    ax.set_ylim(least - room, most + room)
    if max(abs(least), abs(most)) < 1e-2:
        ax.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))


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
            f"{number}: {where}",
            "m, m/s",
            np.stack([_norm(result[f"{prefix}{name}"].values) for name in ("e1", "e2")], axis=1),
            ("e1", "e2"),
            logarithmic=True,
            note="" if result[f"{prefix}e1"].values.any() else "nothing: the exit points are on robots, exactly",
        )
        for number, where, prefix in (
            (at_platform, "at the platform", ""),
            (at_exits, "at the exit points", "exit_"),
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


def steps(result: Result, number: int) -> Panel:
    """Step sizes (figures 14 and 23): the paper's are ode15s's, chosen to tolerances."""
    milliseconds = np.round(1e3 * result["step_size"].values[:, None], 6)
    note = "the paper's steps are those of ode15s, as its tolerances ask"
    return Panel(f"{number}: step size", "ms", milliseconds, ("h",), {"": 0.0}, note=note)
