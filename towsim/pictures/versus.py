"""Several runs over each other: tensions, how far apart the loads are, and their paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from towsim.errors import ResultError
from towsim.pictures import paths
from towsim.pictures.figures import Colour, colours, curve, new_figure, plain, style
from towsim.pictures.panels import length_unit, newtons
from towsim.results import Result

Array = NDArray[np.float64]

EACH = 4
"""Wires, and loads, up to this many have a panel each; of more the largest is drawn."""

ENOUGH = 0.1
"""Two runs are compared at the instants that both have, if these are this share of those of the one that has fewer."""

ROUNDING = 1e-12
"""Distance of runs that are the same, relative to how far from the origin the loads get."""


def plot_runs(results: Mapping[str, Result], *, figure: Figure | None = None) -> Figure:
    """Draw several runs of one scene over each other, to see what a method, a wire's model or a number changes.

    Parameters
    ----------
    results : runs by what they are called; distances are those from the first one
    figure : draw into this one instead of a new one

    Raises
    ------
    ResultError : fewer than two runs, one without rows, or runs that have neither wires nor bodies in common
    """
    if len(results) < 2:
        raise ResultError("name two results or more to compare")
    for name, one in results.items():
        if not len(one.time):
            raise ResultError(f"{name}: nothing was recorded, so there is nothing to compare")
    wires, bodies = _common(results, "wire", "tension"), _common(results, "body", "position")
    if not wires and not bodies:
        raise ResultError(f"{', '.join(results)} have neither wires nor bodies of the same names")
    panels = [("tension", some) for some in _groups(wires)] + [("apart", some) for some in _groups(bodies)]
    figure = figure or new_figure(11 if bodies else 8, max(4.5, 1.0 + 2.0 * len(panels)))
    outer = figure.add_gridspec(1, 2 if bodies else 1, width_ratios=[1.6, 1.0] if bodies else [1.0])
    grid = outer[0, 0].subgridspec(len(panels), 1)
    shades = dict(zip(results, colours(len(results)), strict=True))
    first: Axes | None = None
    rows = []
    for i, (kind, names) in enumerate(panels):
        ax = figure.add_subplot(grid[i, 0], sharex=first)
        first = first or ax
        style(ax)
        (_tension if kind == "tension" else _apart)(ax, results, names, shades)
        ax.tick_params(labelbottom=i == len(panels) - 1)
        rows.append(ax)
    rows[-1].set_xlabel("time (s)")
    figure.align_ylabels(rows)
    if bodies:
        _paths(figure, outer[0, 1], results, bodies, shades)
    figure.legend(
        [Line2D([], [], color=one, linewidth=2, linestyle=_dashes(k)) for k, one in enumerate(shades.values())],
        [plain(name, 40) for name in results],
        title=plain(unlike(results), 160),
        title_fontsize=8,
        alignment="left",
        loc="outside lower left",
        ncols=4,
        handlelength=4,
        fontsize=8,
        frameon=False,
    )
    title = plain(" and ".join(dict.fromkeys(str(one.attributes.get("name", "")) for one in results.values())), 100)
    figure.suptitle(f"{title}: {len(results)} runs", x=0.01, ha="left", fontsize=10, fontweight="bold")
    return figure


def unlike(results: Mapping[str, Result]) -> str:
    """In one line, what the runs do not share: times they cover, wires and bodies that not all of them have."""
    spans = {name: f"{one.time[0]:g} to {one.time[-1]:g} s" for name, one in results.items()}
    notes = [", ".join(f"{name}: {span}" for name, span in spans.items())] if len(set(spans.values())) > 1 else []
    for dim, variable in (("wire", "tension"), ("body", "position")):
        common = _common(results, dim, variable)
        for name, one in results.items():
            alone = [str(other) for other in one.coords.get(dim, ()) if str(other) not in common]
            if alone and variable in one:
                notes.append(f"{dim} {', '.join(alone[:4])}{', ..' if len(alone) > 4 else ''}: in {name} only")
    return "; ".join(notes)


def _common(results: Mapping[str, Result], dim: str, variable: str) -> list[str]:
    """Names along a dimension that all runs have."""
    if not all(variable in one for one in results.values()):
        return []
    first, *others = (list(map(str, one.coords.get(dim, ()))) for one in results.values())
    return [name for name in first if all(name in other for other in others)]


def _groups(names: list[str]) -> list[list[str]]:
    """What is drawn in a panel: one name, or all of them."""
    return [[name] for name in names] if len(names) <= EACH else [names]


def _tension(ax: Axes, results: Mapping[str, Result], wires: list[str], shades: Mapping[str, Colour]) -> None:
    """Tension of a wire, or the largest of several, of each run."""
    drawn = {name: np.fmax.reduce(one["tension"].sel(wire=wires).values, axis=1) for name, one in results.items()}
    tops = [wire.tension_max for one in results.values() for wire in one.summary().wires if wire.name in wires]
    unit, size = newtons(max((top for top in tops if np.isfinite(top)), default=1.0))
    for k, (name, values) in enumerate(drawn.items()):
        ax.plot(*curve(results[name].time, values / size), color=shades[name], linewidth=1.3, linestyle=_dashes(k))
    ax.set_ylabel(f"tension ({unit})")
    ax.set_title(plain(wires[0]) if len(wires) == 1 else "largest of all wires", loc="right", fontsize=8, pad=2)


def _dashes(k: int) -> Literal["-"] | tuple[float, tuple[float, float]]:
    """The first run is a full line, the others dashes: where they are the same, both are seen."""
    return "-" if k == 0 else (4.0 * k, (4.0, 4.0))


def _apart(ax: Axes, results: Mapping[str, Result], bodies: list[str], shades: Mapping[str, Colour]) -> None:
    """Distance of a load, or the largest of several, from where it is in the first run."""
    (home, reference), *others = results.items()
    curves = {name: _distance(reference, one, bodies) for name, one in others}
    top = max((float(np.nanmax(values, initial=0.0)) for _, values in curves.values()), default=0.0)
    same = top <= ROUNDING * float(np.nanmax(np.abs(reference["position"].sel(body=bodies).values), initial=0.0))
    unit, size = length_unit(top or 1.0)
    for k, (name, (time, values)) in enumerate(curves.items(), start=1):
        drawn = np.zeros_like(values) if same else values / size
        ax.plot(*curve(time, drawn), color=shades[name], linewidth=1.2, linestyle=_dashes(k))
    if same:
        ax.text(0.5, 0.7, f"the same up to rounding, {top:.1g} m", transform=ax.transAxes, ha="center", fontsize=8)
        ax.set(ylim=(-0.1, 1.0), yticks=[0.0])
        unit = "m"
    ax.set_ylabel(f"distance ({unit})")
    what = plain(bodies[0]) if len(bodies) == 1 else "the load that is farthest"
    ax.set_title(f"{what}, from {plain(home, 40)}", loc="right", fontsize=8, pad=2)


def _distance(a: Result, b: Result, bodies: list[str]) -> tuple[Array, Array]:
    """Times that both runs cover, and how far apart the bodies are then at most [m]; the same for b and a.

    They are compared at the instants of which both have a row. Where these are few, it is at all instants of either,
    and a run is interpolated between its own by cubics that have its velocities there (Hermite's), or by straight lines
    if it has no velocities.
    """
    first, last = max(a.time[0], b.time[0]), min(a.time[-1], b.time[-1])
    near = 1e-10 * max(abs(first), abs(last))
    after = np.minimum(np.searchsorted(b.time, a.time - near), len(b.time) - 1)
    both = np.abs(b.time[after] - a.time) <= near
    covered = [one.time[(one.time >= first - near) & (one.time <= last + near)] for one in (a, b)]
    time = a.time[both]
    if len(time) >= ENOUGH * min(map(len, covered)):
        x, y = a["position"].sel(body=bodies).values[both], b["position"].sel(body=bodies).values[after[both]]
    else:
        time = np.union1d(*covered)
        x, y = (_between(one, bodies, time) for one in (a, b))
    return time, np.asarray(np.linalg.norm(x - y, axis=2).max(axis=1, initial=0.0))


def _between(result: Result, bodies: list[str], time: Array) -> Array:
    """Positions (n, bodies, 3) at the times of a run, and between its rows."""
    x = result["position"].sel(body=bodies).values
    k = np.clip(np.searchsorted(result.time, time, "right") - 1, 0, max(0, len(x) - 2))
    after = np.minimum(k + 1, len(x) - 1)
    h = (result.time[after] - result.time[k])[:, None, None]
    s = (time - result.time[k])[:, None, None] / np.where(h > 0.0, h, 1.0)
    chord = x[after] - x[k]
    found = x[k] + s * chord
    if "velocity" in result:
        v = result["velocity"].sel(body=bodies).values
        found += s * (1.0 - s) * ((1.0 - s) * (h * v[k] - chord) - s * (h * v[after] - chord))
    return np.asarray(found)


def _paths(
    figure: Figure, place: object, results: Mapping[str, Result], bodies: list[str], shades: Mapping[str, Colour]
) -> None:
    """Paths of the loads of each run, in the planes in which those of the first show most."""
    reference = next(iter(results.values()))
    planes = paths.views(reference)
    grid = place.subgridspec(len(planes), 1)  # type: ignore[attr-defined]
    for i, (a, b) in enumerate(planes):
        ax = figure.add_subplot(grid[i, 0])
        style(ax)
        for k, (name, one) in enumerate(results.items()):
            where = one["position"].sel(body=bodies[: 4 * EACH]).values
            for j in range(where.shape[1]):
                points = where[:: max(1, len(where) // 4000), j]
                ax.plot(points[:, a], points[:, b], color=shades[name], linewidth=1.2, linestyle=_dashes(k))
                ax.plot(points[-1:, a], points[-1:, b], "o", color=shades[name], markersize=4)
        ax.set_xlabel(f"{'xyz'[a]} (m)")
        ax.set_ylabel(f"{'xyz'[b]} (m)")
        paths.scale(ax, (a, b))
