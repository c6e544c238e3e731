"""A picture of a sweep: every metric over every parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from towsim.sweep.work import DONE

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

OTHERS = ("status", "message", "seconds")


def draw(sweep: xarray.Dataset) -> Figure:
    """Two parameters on a grid give a map of each metric, anything else points over each parameter.

    Runs that did not come to their end are crosses (in maps: holes).
    """
    from matplotlib.figure import Figure

    metrics = [str(name) for name in sweep.data_vars if name not in OTHERS]
    keys = [str(name) for name in sweep.coords if name != "seed" and _is_number(sweep[name]) and sweep[name].size > 1]
    names = [str(name) for name in sweep.coords if name != "seed" and sweep[name].size > 1]
    if len(keys) == 2 == len(names) and "sample" not in sweep.dims:
        figure = Figure((4.2 * len(metrics), 3.4), layout="constrained")
        axes = figure.subplots(1, len(metrics), squeeze=False)[0]
        for ax, name in zip(axes, metrics, strict=True):
            good = sweep[name].where(sweep["status"] == DONE).squeeze().transpose(keys[1], keys[0])
            mesh = ax.pcolormesh(sweep[keys[0]], sweep[keys[1]], good, shading="nearest")
            figure.colorbar(mesh, ax=ax, label=_label(sweep, name))
            ax.set_xlabel(keys[0])
            ax.set_ylabel(keys[1])
        return figure
    keys = names or ["seed"]
    figure = Figure((3.4 * len(keys), 2.4 * len(metrics)), layout="constrained")
    axes = figure.subplots(len(metrics), len(keys), squeeze=False, sharey="row")
    done = (sweep["status"] == DONE).values.ravel()
    for row, name in zip(axes, metrics, strict=True):
        values = sweep[name].values.ravel()
        for ax, key in zip(row, keys, strict=True):
            at = sweep[key].broadcast_like(sweep[name]).transpose(*sweep[name].dims).values.ravel()
            line = "-" if len(keys) == 1 and _is_number(sweep[key]) and "sample" not in sweep.dims else ""
            ax.plot(at[done], values[done], f".{line}", markersize=4)
            ax.plot(at[~done], values[~done], "x", markersize=4, color="tab:red")
            ax.grid(alpha=0.3)
        row[0].set_ylabel(_label(sweep, name))
    for ax, key in zip(axes[-1], keys, strict=True):
        ax.set_xlabel(key)
    return figure


def _label(sweep: xarray.Dataset, name: str) -> str:
    unit = sweep[name].attrs.get("units", "1")
    return name if unit == "1" else f"{name} [{unit}]"


def _is_number(array: xarray.DataArray) -> bool:
    return bool(np.issubdtype(array.dtype, np.number))
