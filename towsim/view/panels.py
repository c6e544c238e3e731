"""The panels of a figure: each draws one thing of a result into one set of axes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, SymLogNorm

from towsim.results import STATUS_FLAGS, Result
from towsim.view.figures import FEW, Colour, colours, curve, plain

LINES = 24
"""More wires than this are drawn as a map of wires over time."""

ALARM = "#d62728"

LABELS = 5
"""Jerks that are labelled with their impulse; the others are only marked."""


def tension(ax: Axes, result: Result) -> None:
    """Tensions; jerks go beyond the axis and are marked at its top with their impulse."""
    array, time = result["tension"].values, result.time
    high = _without_jerks(result)
    if array.shape[1] > LINES:
        _map(ax, result, array, Normalize(0.0, high if high > 0 else 1.0), "tension (N)", extend="max")
        _mark_jerks(ax, result)
        return
    wires = result.coords["wire"]
    shades = dict(zip(wires, colours(len(wires)), strict=True))
    for i, wire in enumerate(wires):
        ax.plot(*curve(time, array[:, i]), color=shades[wire], linewidth=1.2)
    if np.isfinite(high) and high > 0:
        ax.set_ylim(-0.03 * high, 1.3 * high)
    jerks = [event for event in result.events.select("jerk") if event.subject in shades]
    labelled = sorted(jerks, key=lambda event: -event.impulse)[:LABELS]
    before, level = -np.inf, 0
    for event in jerks:
        shade = shades[event.subject]
        ax.plot(event.time, 0.97, "v", color=shade, markersize=6, transform=ax.get_xaxis_transform())
        if event in labelled:
            level = level + 1 if event.time - before < 0.12 * (time[-1] - time[0]) else 0  # no label on another
            before = event.time
            ax.annotate(
                f"{event.impulse:.2g} N s",
                (event.time, 0.91 - 0.05 * level),
                xycoords=ax.get_xaxis_transform(),
                xytext=(5, -1),
                textcoords="offset points",
                fontsize=7,
                va="center",
                color=shade,
            )
    ax.set_ylabel("tension (N)")


def gap(ax: Axes, result: Result) -> None:
    """Gaps in the unit that fits; logarithmic on both sides of a linear band when slack dwarfs the stretch."""
    array, time = result["gap"].values, result.time
    stretch, slack = max(0.0, -_least(array)), max(0.0, -_least(-array))
    wide = slack > 100 * max(stretch, 1e-6)  # then a linear scale would hide the stretch
    name, unit = ("µm", 1e-6) if wide else _unit(max(stretch, slack))
    band = 10.0 ** np.ceil(np.log10(max(1.0, stretch / unit)))
    if array.shape[1] > LINES:
        low, high = -stretch / unit, max(slack, 1e-12) / unit
        norm = SymLogNorm(band, vmin=low, vmax=high) if wide else Normalize(low, high)
        _map(ax, result, array / unit, norm, f"gap ({name})")
        return
    for i, colour in enumerate(colours(array.shape[1])):
        ax.plot(*curve(time, array[:, i] / unit), color=colour, linewidth=1.0)
    if wide:
        ax.set_yscale("symlog", linthresh=band)
    ax.axhline(0.0, color="#333333", linewidth=0.6)
    ax.set_ylabel(f"gap ({name})")


def energy(ax: Axes, result: Result) -> None:
    """Energy and its parts; that of gravity from its least value on, or else the height would hide all others."""
    potential = result["potential_energy"].values.sum(axis=1)
    least = _least(potential)
    curves = {
        "total": result["energy"].values - least,
        "kinetic": result["kinetic_energy"].values.sum(axis=1),
        "potential": potential - least,
    }
    for name in ("elastic", "dissipated"):
        if f"{name}_energy" in result:
            curves[name] = result[f"{name}_energy"].values
    for (name, values), colour in zip(curves.items(), colours(len(curves)), strict=True):
        ax.plot(*curve(result.time, values), color=colour, linewidth=1.6 if name == "total" else 1.0, label=name)
    ax.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    ax.set_ylabel("energy (J)")


def actuation(ax: Axes, result: Result) -> None:
    """What actuators give, and thinner what was asked of them: saturation, lag and failures are what is in between."""
    time, given, asked = result.time, result["actuation"].values, result["command"].values
    names = result.coords["actuator"]
    owners = list(dict.fromkeys(str(name).partition(".")[0] for name in names))
    shades = dict(zip(owners, colours(len(owners)), strict=True))
    for i, name in enumerate(names):
        shade = shades[str(name).partition(".")[0]]
        ax.plot(*curve(time, asked[:, i]), color=shade, linewidth=0.5, alpha=0.5)
        ax.plot(*curve(time, given[:, i]), color=shade, linewidth=1.1)
    low, high = float(given.min(initial=0.0)), float(given.max(initial=0.0))
    room = 0.25 * max(high - low, 1e-9)
    ax.set_ylim(low - room, high + room)  # commands may go far beyond what can be given
    ax.set_ylabel(f"actuation ({_units(names)})")
    text = ", ".join(plain(owner) for owner in owners[:4]) + (" ..." if len(owners) > 4 else "")
    ax.set_title(f"{text}; thin: commands", loc="right", fontsize=8, pad=2)


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
        unsolved = result["status"].values[1:] != STATUS_FLAGS["solved"]
        if unsolved.any():
            at = np.maximum(values[1:][unsolved], floor)
            ax.semilogy(time[1:][unsolved], at, "x", color=ALARM, markersize=4)
            text = f"{np.count_nonzero(unsolved)} steps not solved"
            ax.set_title(text, loc="right", fontsize=8, color=ALARM, pad=2)
    ax.set_ylim(floor / 3, max(1e-12, 3 * -_least(-values)))  # room above shows how far below tolerances it is
    ax.set_ylabel("residual (1)")


def views(result: Result) -> list[tuple[int, int]]:
    """The one or two planes (indices of horizontal and vertical axis) in which the paths show most."""
    span = _spans(result)
    kept = [i for i in range(3) if span[i] > 0.15 * span.max()]
    if len(kept) == 3:
        return [(0, 2), (0, 1)] if span[0] >= span[1] else [(1, 2), (0, 1)]
    first = kept if len(kept) == 2 else sorted(np.argsort(-span, kind="stable")[:2].tolist())
    return [(first[0], first[1])]


def path(ax: Axes, result: Result, view: tuple[int, int]) -> None:
    """Paths of bodies (from an open to a filled circle) and robots (dashed) in one plane."""
    a, b = view
    near = 0.03 * _spans(result).max()  # ends closer than this share a label
    for name in _moving(result):
        loads = name == "position"
        array, names = result[name].values, result.coords["body" if loads else "robot"]
        array = array[:: max(1, len(array) // 4000)]
        shades: Sequence[Colour] = colours(len(names)) if loads else ["#808080"] * len(names)
        line, width, size = ("-", 1.4, 5.0) if loads else ((0, (4, 2)), 0.9, 3.5)
        for i, colour in enumerate(shades):
            x, y = array[:, i, a], array[:, i, b]
            ax.plot(x, y, color=colour, linestyle=line, linewidth=width)
            ax.plot(x[:1], y[:1], "o", color=colour, markerfacecolor="white", markersize=size)
            ax.plot(x[-1:], y[-1:], "o", color=colour, markersize=size)
        if len(array) and len(names) <= len(FEW):
            _label_ends(ax, names, array[-1][:, (a, b)], shades, near)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.12)
    ax.set_xlabel(f"{'xyz'[a]} (m)")
    ax.set_ylabel(f"{'xyz'[b]} (m)")


def _label_ends(ax: Axes, names: Sequence[object], ends: np.ndarray, shades: Sequence[Colour], near: float) -> None:
    """Names at the ends of paths; ends that fall on each other share one label."""
    groups: dict[int, list[str]] = {}
    for i, name in enumerate(names):
        home = next((j for j in groups if np.abs(ends[j] - ends[i]).max() <= near), i)
        groups.setdefault(home, []).append(plain(name))
    for i, together in groups.items():
        x, y = ends[i]
        text = ", ".join(together)
        ax.annotate(text, (x, y), xytext=(5, 4), textcoords="offset points", fontsize=7, color=shades[i])


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


def _moving(result: Result) -> list[str]:
    return [name for name in ("robot_position", "position") if name in result]


def _spans(result: Result) -> np.ndarray:
    """Extent of all paths along x, y and z [m]."""
    points = np.concatenate([result[name].values.reshape(-1, 3) for name in _moving(result)])
    points = points[np.isfinite(points).all(1)]
    return np.ptp(points, axis=0) if len(points) else np.zeros(3)


def _map(ax: Axes, result: Result, array: np.ndarray, norm: Normalize, label: str, extend: str = "neither") -> None:
    """Wires over time as colours; each cell shows the value of largest size in its span."""
    time, wires = result.time, result.coords["wire"]
    size = max(1, len(time) // 800)
    rows = array[: len(time) // size * size].reshape(-1, size, array.shape[1])
    top, bottom = np.fmax.reduce(rows, axis=1), np.fmin.reduce(rows, axis=1)
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


def _unit(largest: float) -> tuple[str, float]:
    units = (("m", 1.0), ("mm", 1e-3), ("µm", 1e-6), ("nm", 1e-9))
    return next((unit for unit in units if largest >= 2 * unit[1]), units[-1])
