"""Numbers that a sweep keeps of each run, by name.

``max_tension`` ``min_tension`` (outside jerks, as in summaries), ``stretch`` ``residual`` ``steps`` ``end_time``
``jerks`` ``max_impulse`` ``energy_lost``, and of any variable ``max_``, ``min_``, ``mean_`` or ``final_``, of all or of
what is named: ``final_position.box.z``, ``max_contact_force``, ``max_tension.left``, ``mean_kinetic_energy.box``,
``final_command.rope.rate``. Like ``max_impulse``, ``max_impulse.left`` is of jerks, whatever steps they took.

Of what is not named the greatest value is taken (``min_``: the least, ``mean_``: the mean), also by ``final_``, which
sees the last row. A vector of which no component is named counts with its size: ``max_velocity.box`` is the greatest
speed. Positions and quaternions have none that would mean anything: of these a component has to be named.

A window of time goes behind: ``max_tension.left@1:4`` from 1 s to 4 s, ``mean_energy@2:`` from 2 s on, ends included.
A window sees events, and of a thinned run the rows that were recorded; without one, tensions, stretch and residual are
those of every step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from towsim.errors import UsageError
from towsim.quote import show
from towsim.results import VARIABLES, Result, Variable
from towsim.results.columns import Column
from towsim.results.derived import DERIVED
from towsim.results.spans import ends, rows
from towsim.results.variables import AXES
from towsim.suggest import unknown

Metric = Callable[[Result], float]

KNOWN: Mapping[str, Variable] = {
    name: one
    for name, one in (*VARIABLES.items(), *((name, derived.variable) for name, derived in DERIVED.items()))
    if name != "time"
}
"""What metrics are of: variables that are recorded, and those that follow from them."""

REDUCTIONS: Mapping[str, Callable[[np.ndarray], float]] = {
    "max": lambda values: float(np.fmax.reduce(values, axis=None)),
    "min": lambda values: float(np.fmin.reduce(values, axis=None)),
    "mean": lambda values: float(np.nanmean(values)),
    "final": lambda values: float(np.fmax.reduce(values[-1:], axis=None)),
}


PLACES = ("position", "robot_position", "exit_position", "node_position", "reference", "quaternion")
"""Vectors of which the size means nothing."""


WORDS = {"actuator": 3, "channel": 2, "robot": 2, "wire": 2, "cable": 2, "contact": 2, "part": 2}
"""Most words between dots in a name along a dimension, such as drone.force.x; one where it is not told."""


def _jerks(result: Result, wire: str | None = None) -> list[float]:
    return [event.impulse for event in result.events.select("jerk", wire)]


NAMED: Mapping[str, tuple[str, Metric]] = {
    "max_tension": ("N", lambda r: max((w.tension_max for w in r.summary().wires), default=math.nan)),
    "min_tension": ("N", lambda r: min((w.tension_min for w in r.summary().wires), default=math.nan)),
    "stretch": ("m", lambda r: r.summary().stretch),
    "residual": ("1", lambda r: r.summary().residual),
    "steps": ("1", lambda r: float(r.summary().steps)),
    "end_time": ("s", lambda r: r.summary().end_time),
    "jerks": ("1", lambda r: float(len(_jerks(r)))),
    "max_impulse": ("N s", lambda r: max(_jerks(r), default=0.0)),
    "energy_lost": ("J", lambda r: float(sum(event.energy_lost for event in r.events))),
}


def metric(name: str) -> tuple[str, Metric]:
    """Unit and function of a metric.

    Raises
    ------
    UsageError : there is none of that name, with a suggestion; or its window of time is wrong
    """
    plain, at, window = name.partition("@")
    if not at:
        return NAMED.get(plain) or _of_variable(plain, whole_run=True)
    if plain in WHOLE:
        raise UsageError(f"metric {name!r}: {plain} is of the whole run; leave out @{window}")
    span = _span(name, window)
    plain = "max_residual" if plain == "residual" else plain
    own = None if plain in BY_SUMMARY else NAMED.get(plain)
    unit, value = own or _of_variable(plain, whole_run=False)
    return unit, lambda result: value(_within(result, span, name))


def check_metric(name: str, result: Result, duration: float) -> None:
    """TowsimError if it is of what a result like this one does not have, or of times after the end of the run [s]."""
    plain, at, window = name.partition("@")
    if at and _span(name, window)[0] > duration:
        raise UsageError(f"metric {name!r}: its window begins after the end of the run, at {duration:g} s")
    metric(f"{plain}@:" if at else plain)[1](result)


WHOLE = ("steps", "end_time")
"""Metrics that make no sense of a window."""

BY_SUMMARY = ("max_tension", "min_tension")
"""Metrics that a summary knows of every step; of a window it would leave out the first row."""


def _of_variable(name: str, *, whole_run: bool) -> tuple[str, Metric]:
    reduction, _, rest = name.partition("_")
    variable, *words = rest.split(".")
    if reduction not in REDUCTIONS or variable not in KNOWN:
        reduced = (f"{word}_{one}" for word in REDUCTIONS for one in KNOWN)
        raise UsageError(unknown("metric", name, [*dict.fromkeys((*NAMED, *reduced))]))
    dims = KNOWN[variable].dims[1:]
    too_many = f"metric {name!r}: {variable} has the dimensions {', '.join(dims) or 'none'} besides time"
    if len(words) > sum(WORDS.get(dim, 1) for dim in dims):
        raise UsageError(too_many)
    axes = AXES.get(dims[-1], ()) if dims else ()
    is_vector = bool(axes) and not (len(words) >= len(dims) and words[-1] in axes)
    if is_vector and len(words) > sum(WORDS.get(dim, 1) for dim in dims[:-1]):
        raise UsageError(f"metric {name!r}: {unknown('component', words[-1], axes)}")
    if is_vector and variable in PLACES:
        named = ".".join(
            [f"{reduction}_{variable}", *words, *map(str.upper, dims[len(words) : -1]), AXES[dims[-1]][-1]]
        )
        raise UsageError(f"metric {name!r}: the size of a {variable} means nothing; name a component, such as {named}")
    if whole_run and variable == "tension" and reduction in ("max", "min") and words:
        return "N", _tension_of(".".join(words), reduction)
    if variable == "impulse" and reduction == "max" and words:  # as without a name; rows have one step's share
        return "N s", _impulse_of(".".join(words))

    def value(result: Result) -> float:
        labels, left = _labels(result, dims, words)
        if left:
            raise UsageError(too_many)
        found = result[variable].sel(**labels).values
        return REDUCTIONS[reduction](np.sqrt((found * found).sum(axis=-1)) if is_vector else found)

    return KNOWN[variable].unit, value


def _span(name: str, text: str) -> tuple[float, float]:
    """First and last time of a window ``A:B``, either of which may be left out [s]."""
    first, colon, last = text.partition(":")
    try:
        span = float(first or -math.inf), float(last or math.inf)
    except ValueError:
        span = math.nan, math.nan
    if not (colon and span[0] <= span[1]):
        raise UsageError(f"metric {name!r}: a window of time is A:B in seconds with A <= B, got {show(text)}")
    return span


@dataclass(frozen=True)
class _Rows:
    """Some rows of a column."""

    column: Column
    first: int
    shape: tuple[int, ...]

    def __getitem__(self, rows: slice, /) -> np.ndarray:
        start, stop, _ = rows.indices(self.shape[0])
        return self.column[self.first + start : self.first + max(start, stop)]


def _within(result: Result, span: tuple[float, float], name: str) -> Result:
    """The rows and events of a window, as a result."""
    time = result.time
    first, last = rows(time, *span)
    if first == last:
        held = f"{time[0]:g} to {time[-1]:g} s" if len(time) else "nothing"
        raise UsageError(f"metric {name!r}: no row was recorded in this window; the run holds {held}")
    columns = {}
    for one in result.variables:
        column = result.column(one)
        columns[one] = _Rows(column, first, (last - first, *column.shape[1:]))
    begin, end = ends(time, *span)
    events = tuple(event for event in result.events if begin <= event.time <= end)
    return Result(columns, result.coords, events, variables=result.variables)


def _labels(result: Result, dims: tuple[str, ...], words: list[str]) -> tuple[dict[str, str | int], list[str]]:
    """Names along the dimensions, each the longest that the words begin with; and what is left. Nodes are numbers."""
    labels: dict[str, str | int] = {}
    for later, dim in zip(range(len(dims) - 1, -1, -1), dims, strict=True):
        if words:
            known = [k for k in range(1, len(words) + 1) if ".".join(words[:k]) in result.coords.get(dim, ())]
            count = max(known, default=max(1, len(words) - later))
            name, words = ".".join(words[:count]), words[count:]
            labels[dim] = int(name) if dim == "node" and name.isdecimal() else name
    return labels, words


def _tension_of(wire: str, reduction: str) -> Metric:
    def value(result: Result) -> float:
        wires = {one.name: one for one in result.summary().wires}
        if wire not in wires:
            raise UsageError(unknown("wire", wire, wires))
        return wires[wire].tension_max if reduction == "max" else wires[wire].tension_min

    return value


def _impulse_of(wire: str) -> Metric:
    def value(result: Result) -> float:
        wires = [str(name) for name in result.coords.get("wire", ())]
        if wire not in wires:
            raise UsageError(unknown("wire", wire, wires))
        return max(_jerks(result, wire), default=0.0)

    return value
