"""A picture of a sweep: every metric over every parameter."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import EngFormatter

from towsim.pictures.figures import colours, new_figure, plain, style
from towsim.sweep.plan import OF_EACH_RUN, SEED, SEED_OF_RUN
from towsim.sweep.work import DONE

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CURVES = 6
"""Values of the second parameter of a grid that are drawn as a curve each; more make a map."""

SAME = 1e-9
"""A metric that varies by less, relative to its size, is told and not drawn."""

SMALL = 1e-2
"""Lengths below this are told in mm, µm or nm [m]."""

ROUNDING = {"residual": 1e-9, "stretch": 1e-12, "energy_lost": 1e-9, "max_tension": 1e-9, "min_tension": 1e-9}
"""What is below this is rounding, and no picture of anything [of the metric]."""


def draw(sweep: xarray.Dataset) -> Figure:
    """One parameter gives curves; two on a grid curves, or maps if both take many values; all else points.

    Runs that did not come to their end are red crosses (in maps: holes). Metrics that are the same in all runs, or
    nothing but rounding, are told in the title.
    """
    seeds = SEED_OF_RUN if SEED_OF_RUN in sweep.coords else SEED
    names = [str(name) for name in sweep.coords if name != seeds and sweep[name].size > 1]
    drawn, told = _chosen(sweep)
    on_grid = "sample" not in sweep.dims and len(names) == 2
    ordered = sorted(names, key=lambda name: (not _is_number(sweep[name]), -sweep[name].size))
    if on_grid and _is_number(sweep[ordered[0]]) and sweep[ordered[1]].size <= CURVES:
        figure, rows = _sheet(len(drawn), 1, len(told))
        for ax, name in zip(rows[:, 0], drawn, strict=False):
            _curves(ax, sweep, name, *ordered)
    elif on_grid and all(_is_number(sweep[name]) for name in names):
        figure, rows = _sheet(len(drawn), 1, len(told))
        for ax, name in zip(rows[:, 0], drawn, strict=False):
            _map(figure, ax, sweep, name, *ordered)
    else:
        names = names or [seeds]
        figure, rows = _sheet(len(drawn), len(names), len(told))
        for row, name in zip(rows, drawn, strict=False):
            for ax, key in zip(row, names, strict=True):
                _points(ax, sweep, name, key, joined=len(names) == 1 and "sample" not in sweep.dims)
            _metric_axis(row[0], sweep, name)
    for ax, key in zip(rows[-1], [ordered[0]] if on_grid else names, strict=False):
        ax.set_xlabel(_label(sweep, key))
    failed = int((sweep["status"] != DONE).sum())
    parts = [str(sweep.attrs.get("label", "")), f"{sweep['status'].size} runs"]
    title = ", ".join(part for part in (*parts, f"{failed} not to their end (red)" if failed else "") if part)
    figure.suptitle(plain(title, 100) + "".join(f"\n{line}" for line in told), x=0.01, ha="left", fontsize=9)
    return figure


def _sheet(rows: int, columns: int, told: int) -> tuple[Figure, np.ndarray]:
    figure = new_figure(max(6.0, 3.4 * columns), 1.0 + 0.2 * told + 2.1 * max(rows, 1))
    axes = figure.subplots(max(rows, 1), columns, squeeze=False, sharex="col", sharey="row")
    for ax in axes.ravel():
        style(ax)
        ax.xaxis.label.set_fontsize(9)
    if not rows:
        for ax in axes.ravel():
            ax.text(0.5, 0.5, "no metric differs from run to run", ha="center", transform=ax.transAxes)
    return figure, axes


def _chosen(sweep: xarray.Dataset) -> tuple[list[str], list[str]]:
    """Metrics that are worth a picture, and a line about each that is not."""
    drawn, told = [], []
    for name in map(str, sweep.data_vars):
        if name in OF_EACH_RUN:
            continue
        values = sweep[name].values[(sweep["status"] == DONE).values]
        values = values[np.isfinite(values)]
        size = float(np.abs(values).max(initial=0.0))
        unit = "" if sweep[name].attrs.get("units", "1") == "1" else f" {sweep[name].units}"
        if not values.size:
            told.append(f"{name}: no run has it")
        elif size <= ROUNDING.get(name, 0.0) and size > 0.0:
            told.append(f"{name}: rounding, below {size:.1g}{unit}")
        elif np.ptp(values) <= SAME * size:
            told.append(f"{name}: {values[0]:.6g}{unit} in every run")
        else:
            drawn.append(name)
    return drawn, told


def _curves(ax: Axes, sweep: xarray.Dataset, name: str, along: str, by: str) -> None:
    """A curve for each value of the second parameter."""
    values, good = (sweep[one].squeeze().transpose(along, by).values for one in (name, "status"))
    x = sweep[along].values
    order = np.argsort(x)
    for k, colour in enumerate(colours(sweep[by].size)):
        done = good[order, k] == DONE
        ax.plot(
            x[order],
            np.where(done, values[order, k], np.nan),
            ".-",
            color=colour,
            markersize=4,
            linewidth=1.2,
            label=_value(sweep[by].values[k]),
        )
        _crosses(ax, x[order][~done], values[order, k][~done])
    _metric_axis(ax, sweep, name)
    ax.legend(
        title=_label(sweep, by), title_fontsize=7, fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1, 1)
    )
    _spacing(ax, x)


def _map(figure: Figure, ax: Axes, sweep: xarray.Dataset, name: str, along: str, by: str) -> None:
    good = sweep[name].where(sweep["status"] == DONE).squeeze().transpose(by, along)
    mesh = ax.pcolormesh(sweep[along], sweep[by], good, shading="nearest")
    figure.colorbar(mesh, ax=ax, label=_label(sweep, name))
    ax.set_ylabel(_label(sweep, by))
    _spacing(ax, sweep[along].values)


def _points(ax: Axes, sweep: xarray.Dataset, name: str, key: str, *, joined: bool) -> None:
    values, done = sweep[name].values.ravel(), (sweep["status"] == DONE).values.ravel()
    at = sweep[key].broadcast_like(sweep[name]).transpose(*sweep[name].dims).values.ravel()
    line = "-" if joined and _is_number(sweep[key]) else ""
    ax.plot(at[done], values[done], f".{line}", markersize=4, linewidth=1.2, color=colours(1)[0])
    _crosses(ax, at[~done], values[~done])
    if _is_number(sweep[key]):
        _spacing(ax, at)


def _crosses(ax: Axes, at: Any, values: np.ndarray) -> None:
    """Runs that did not come to their end: where they stopped, or at the foot of the axes if that says nothing."""
    known = np.isfinite(values)
    if known.any():
        ax.plot(at[known], values[known], "x", markersize=4, color="tab:red")
    if not known.all():
        foot = np.zeros(int((~known).sum()))
        ax.plot(at[~known], foot, "x", markersize=4, color="tab:red", transform=ax.get_xaxis_transform())


def _spacing(ax: Axes, at: np.ndarray) -> None:
    """A logarithmic axis for what is spaced or drawn in ratios."""
    values = np.unique(at.astype(float))
    if len(values) > 2 and values[0] > 0 and values[-1] >= 20 * values[0]:
        ratios = [b / a for a, b in pairwise(values)]
        if max(ratios) < 0.3 * values[-1] / values[0] and np.median(values) < 0.5 * (values[0] + values[-1]) / 2:
            ax.set_xscale("log")


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float | np.number) else plain(value)


def _label(sweep: xarray.Dataset, name: str) -> str:
    unit = sweep[name].attrs.get("units", "1")
    return name if unit in ("", "1") else f"{name} ({unit})"


def _metric_axis(ax: Axes, sweep: xarray.Dataset, name: str) -> None:
    """The axis of a metric: small lengths are told in the unit that fits."""
    small = sweep[name].attrs.get("units") == "m" and float(np.abs(ax.get_ylim()).max()) < SMALL
    ax.set_ylabel(name if small else _label(sweep, name))
    if small:
        ax.yaxis.set_major_formatter(EngFormatter("m"))


def _is_number(array: xarray.DataArray) -> bool:
    return bool(np.issubdtype(array.dtype, np.number))
