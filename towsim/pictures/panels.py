"""The panels of a figure: each draws one thing of a result into one set of axes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, SymLogNorm
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter

from towsim.pictures import marks
from towsim.pictures.figures import Colour, colours, curve, plain
from towsim.results import TAKEN, Result

LINES = 24
"""More wires than this are drawn as a map of wires over time."""

NAMED = 8
"""Actuators that a legend names; of more, the vehicles and winches that have them, and as many of these."""

ALARM = "#d62728"


def tension(ax: Axes, result: Result) -> None:
    """Tensions, and whether forces are unique; jerks go beyond the axis, marked at its top with their impulse."""
    array, time = result["tension"].values, result.time
    high = _without_jerks(result)
    unit, size = newtons(high)
    if several := result.summary().not_unique:
        ax.set_title(f"forces are not the only possible ones in {several} steps", loc="left", fontsize=8, pad=2)
    if array.shape[1] > LINES:
        _map(
            ax,
            result,
            array / size,
            Normalize(0.0, high / size if high > 0 else 1.0),
            f"tension ({unit})",
            extend="max",
        )
        _mark_jerks(ax, result)
        return
    wires = result.coords["wire"]
    shades = dict(zip(wires, colours(len(wires)), strict=True))
    _lines(ax, time, array / size, list(shades.values()))
    rows = marks.jerks(ax, result, {str(wire): shade for wire, shade in shades.items()})
    if np.isfinite(high) and high > 0:
        top = high / size if high > NOTHING else 1.0
        ax.set_ylim(-0.03 * top, (1.12 + (0.08 + 0.08 * rows if rows else 0.0)) * top)
    ax.set_ylabel(f"tension ({unit})")


NOTHING = 1e-9
"""Tensions below this are rounding [N]."""


def same_curves(array: np.ndarray) -> dict[int, int]:
    """Of columns (time, n) that a picture would draw upon each other: which earlier column each is the same as."""
    same: dict[int, int] = {}
    for (i, j), there in _upon(array).items():
        if j not in same and there.all():
            same.setdefault(i, j)
    return same


def _upon(array: np.ndarray) -> dict[tuple[int, int], np.ndarray]:
    """Of each pair (i, j) of columns (time, n), j < i: whether a picture would draw them upon each other (time).

    They are if they differ by no more than 1/500 of what all of them span.
    """
    finite = array[np.isfinite(array)]
    if not finite.size or array.shape[1] > LINES:
        return {}
    near = max(float(np.ptp(finite)) / 500.0, NOTHING)
    filled = np.where(np.isfinite(array), array, 1e300)
    return {(i, j): np.abs(filled[:, i] - filled[:, j]) <= near for i in range(array.shape[1]) for j in range(i)}


CROSSING = 50
"""Curves that lie upon each other for less than this part of the time only cross."""

DASH = 4.0
"""Length of a dash, in widths of a line."""


def _lines(
    ax: Axes,
    time: np.ndarray,
    array: np.ndarray,
    shades: Sequence[Colour],
    *,
    height: np.ndarray | None = None,
    width: float = 1.2,
) -> None:
    """Curves; where they lie upon each other, as dashes of each one's colour in turn.

    ``height`` (time, n) is where they are drawn, if the scale is not linear.
    """
    turn, group = np.zeros(array.shape, int), np.ones(array.shape, int)
    for (late, early), there in _upon(array if height is None else height).items():
        turn[there, late] += 1
        group[there, late] += 1
        group[there, early] += 1
    for i, shade in enumerate(shades):
        pieces: list[tuple[int, int, int, int]] = []  # from, to, turn, how many
        ends = np.flatnonzero(np.diff(turn[:, i]) | np.diff(group[:, i])) + 1
        for a, b in itertools.pairwise([0, *ends.tolist(), len(time)]):
            crosses = b - a < len(time) / CROSSING
            now = (0, 1) if crosses or not turn[a, i] else (int(turn[a, i]), int(group[a, i]))
            start = pieces.pop()[0] if pieces and pieces[-1][2:] == now else a
            pieces.append((start, b, *now))
        for a, b, rank, many in pieces:
            dashes = (rank * DASH, (DASH, (many - 1) * DASH)) if rank else "-"  # the first one is drawn below
            part = slice(a if rank else max(0, a - 1), b + 1)  # full lines join to what is beside them
            ax.plot(*curve(time[part], array[part, i]), color=shade, linewidth=width, linestyle=dashes)


def gap(ax: Axes, result: Result) -> None:
    """Gaps in the unit that fits; logarithmic on both sides of a linear band when slack dwarfs the stretch."""
    array, time = result["gap"].values, result.time
    stretch, slack = max(0.0, -_least(array)), max(0.0, -_least(-array))
    wide = slack > 100 * max(stretch, 1e-6)  # then a linear scale would hide the stretch
    name, unit = ("m", 1.0) if wide else length_unit(max(stretch, slack))
    band = 10.0 ** np.ceil(np.log10(max(1e-6, stretch)))
    if array.shape[1] > LINES:
        low, high = -stretch / unit, max(slack, 1e-12) / unit
        norm = SymLogNorm(band, vmin=low, vmax=high) if wide else Normalize(low, high)
        _map(ax, result, array / unit, norm, f"gap ({name})")
        return
    shades = colours(array.shape[1])
    _lines(ax, time, array / unit, shades, height=np.arcsinh(array / band) if wide else None, width=1.0)
    if wide:
        ax.set_yscale("symlog", linthresh=band)
        ax.yaxis.set_major_formatter(EngFormatter("m"))
        ax.set_ylabel("gap")
    else:
        ax.set_ylabel(f"gap ({name})")
    ax.axhline(0.0, color="#333333", linewidth=0.6)


def energy(ax: Axes, result: Result) -> None:
    """Energy and its parts; that of gravity from its least value on, or else the height would hide all others."""
    curves = {"total": result["energy"].values}
    if "potential_energy" in result:  # there are bodies
        potential = result["potential_energy"].values.sum(axis=1)
        least = _least(potential)
        if least:
            told = f"total and potential: less the least potential, {least:.5g} J"
            ax.set_title(told, loc="right", fontsize=8, pad=2)
        curves["total"] = curves["total"] - least
        curves |= {"kinetic": result["kinetic_energy"].values.sum(axis=1), "potential": potential - least}
    for name in ("wheel", "cable", "elastic", "dissipated"):
        if f"{name}_energy" in result:
            one = result[f"{name}_energy"].values
            curves[name] = one.sum(axis=1) if one.ndim > 1 else one
    for (name, values), colour in zip(curves.items(), colours(len(curves)), strict=True):
        ax.plot(*curve(result.time, values), color=colour, linewidth=1.6 if name == "total" else 1.0, label=name)
    ax.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    ax.set_ylabel("energy (J)")


def actuation(ax: Axes, result: Result) -> None:
    """What actuators give, and thinner what was asked of them: saturation, lag and failures are what is in between."""
    time, given, asked = result.time, result["actuation"].values, result["command"].values
    names = [str(name) for name in result.coords["actuator"]]
    called = names if len(names) <= NAMED else [name.partition(".")[0] for name in names]
    shades = dict(zip(dict.fromkeys(called), colours(len(set(called))), strict=True))
    each = [shades[one] for one in called]
    for i, shade in enumerate(each):
        ax.plot(*curve(time, asked[:, i]), color=shade, linewidth=0.5, alpha=0.5)
    _lines(ax, time, given, each, width=1.1)
    low, high = float(given.min(initial=0.0)), float(given.max(initial=0.0))
    room = 0.25 * max(high - low, 1e-9)
    ax.set_ylim(low - room, high + room)  # commands may go far beyond what can be given
    ax.set_ylabel(f"actuation ({_units(names)})")
    handles = [Line2D([], [], color=shade, label=plain(one)) for one, shade in list(shades.items())[:NAMED]]
    more = f", and {len(shades) - NAMED} more" if len(shades) > NAMED else ""
    ax.legend(handles=handles, fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    ax.set_title(f"thin: commands{more}", loc="right", fontsize=8, pad=2)


def _units(actuators: Sequence[object]) -> str:
    """Units of what these actuators give."""
    units = {"rate": "m/s", "torque": "N m"}
    parts = (str(name).split(".")[1] for name in actuators)
    return ", ".join(dict.fromkeys(units.get(part, "N") for part in parts))


def residual(ax: Axes, result: Result) -> None:
    """Scaled residual of each step, logarithmic; steps that were not solved are red."""
    time, values = result.time, result["residual"].values
    floor = 1e-17  # below rounding: zero has no place on a logarithmic scale
    t, r = curve(time, values)
    ax.semilogy(t, np.maximum(r, floor), ".", color="#5c5c5c", markersize=2)
    if "status" in result and len(time) > 1:
        unsolved = ~np.isin(result["status"].values[1:], TAKEN)
        if unsolved.any():
            at = np.maximum(values[1:][unsolved], floor)
            ax.semilogy(time[1:][unsolved], at, "x", color=ALARM, markersize=4)
            text = f"{np.count_nonzero(unsolved)} steps not solved"
            ax.set_title(text, loc="right", fontsize=8, color=ALARM, pad=2)
    ax.set_ylim(floor / 3, max(1e-12, 3 * -_least(-values)))  # room above shows how far below tolerances it is
    ax.set_ylabel("residual (1)")


def variable(ax: Axes, result: Result, name: str) -> None:
    """Any variable over time: one curve per component, named in the legend if there are not too many."""
    one = result[name]
    if one.dims == ("time", "wire") and one.shape[1] > LINES:
        norm = Normalize(_least(one.values), -_least(-one.values))
        _map(ax, result, one.values, norm, f"{name.replace('_', ' ')} ({one.units})")
        return
    places = [" ".join(map(str, place)) for place in itertools.product(*(result.coords[dim] for dim in one.dims[1:]))]
    flat = one.values.reshape(len(result.time), -1)
    lines = [
        ax.plot(*curve(result.time, flat[:, i]), color=colour, linewidth=1.0)[0]
        for i, colour in enumerate(colours(len(places)))
    ]
    if 1 < len(places) <= LINES:
        columns = -(-len(places) // 8)
        labels = [plain(place) for place in places]
        ax.legend(lines, labels, fontsize=7, frameon=False, ncols=columns, loc="upper left", bbox_to_anchor=(1, 1))
    if one.flags:
        shown = {value: key for key, value in one.flags.items() if (flat == value).any()}
        ax.set_yticks(list(shown), [text.replace("_", " ") for text in shown.values()])
    ax.set_ylabel(name.replace("_", " ") + ("" if one.units == "1" else f" ({one.units})"))


def _map(ax: Axes, result: Result, array: np.ndarray, norm: Normalize, label: str, extend: str = "neither") -> None:
    """Wires over time as colours; each cell shows the value of largest size in its span."""
    time, wires = result.time, result.coords["wire"]
    starts = np.arange(0, len(time), max(1, len(time) // 800))
    top, bottom = np.fmax.reduceat(array, starts, axis=0), np.fmin.reduceat(array, starts, axis=0)
    cells = bottom
    higher = np.abs(top) >= np.abs(bottom)
    cells[higher] = top[higher]
    extent = (time[0], time[-1] if len(time) > 1 else time[0] + 1.0, len(wires) - 0.5, -0.5)
    image = ax.imshow(cells.T, aspect="auto", extent=extent, norm=norm, cmap="viridis", interpolation="nearest")
    bar = ax.figure.colorbar(image, ax=ax, pad=0.01, extend=extend)
    bar.set_label(label, fontsize=9)
    bar.ax.tick_params(labelsize=8)
    every = -(-len(wires) // 12)
    ax.set_yticks(range(0, len(wires), every), [plain(wire, 16) for wire in wires[::every]])
    ax.set_ylabel("wire")
    ax.grid(False)


def _mark_jerks(ax: Axes, result: Result) -> None:
    place = {wire: i for i, wire in enumerate(result.coords["wire"])}
    jerks = [event for event in result.events.select("jerk") if event.subject in place]
    if jerks:
        at = [event.time for event in jerks], [place[event.subject] for event in jerks]
        ax.plot(*at, "v", color=ALARM, markersize=4)
        ax.set_title(f"{len(jerks)} jerks (red)", loc="right", fontsize=8, color=ALARM, pad=2)


def _without_jerks(result: Result) -> float:
    """Largest tension outside jerks [N]; NaN if there is none."""
    found = [wire.tension_max for wire in result.summary().wires]
    return max((one for one in found if np.isfinite(one)), default=float("nan"))


def _least(array: np.ndarray) -> float:
    finite = array[np.isfinite(array)]
    return float(finite.min()) if finite.size else 0.0


def length_unit(largest: float) -> tuple[str, float]:
    """Unit of lengths up to ``largest`` [m], and its size."""
    units = (("m", 1.0), ("mm", 1e-3), ("µm", 1e-6), ("nm", 1e-9))
    return next((unit for unit in units if largest >= unit[1]), units[-1])


def newtons(largest: float) -> tuple[str, float]:
    """Unit of forces up to ``largest`` [N], and its size."""
    units = (("MN", 1e6), ("kN", 1e3))
    return next((unit for unit in units if largest >= 10 * unit[1]), ("N", 1.0))
