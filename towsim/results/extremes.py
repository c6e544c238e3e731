"""Running extremes of a run, so that a summary covers every step, also those that are not recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from towsim.results.columns import Column, chunks
from towsim.results.variables import STATUS_FLAGS, TAKEN, UNIQUE_FLAGS

if TYPE_CHECKING:
    from solvers.kernels.aside import Call

JUDGED = ("time", "gap", "tension", "tension_unique", "residual", "status", "joint_gap", "joint_tilt")
"""The variables that a summary needs."""


SHORT, TOWERS = 3, 10.0
"""A peak of tension is *short* that lasts as few rows with more than half of it, and so many times the mean tension.

Rows do not tell then how high it was.
"""

NEVER = -1.0
"""The worst residual before any."""

_BY_WIRE = ("gap", "gap_time", "tension_min", "tension_max", "peak")
_AT_FIRST = np.array([[np.inf], [0.0], [np.inf], [-np.inf]])
_OF_PEAKS = 6
"""Of each wire: height, time, rows, whether it still lasts, sum and number of tensions above zero."""

_PLAIN = ("rows", "end", "residual", "residual_time", "unsolved", "closest", "not_unique", "drift")


class Extremes:
    """Worst gap, worst residual, tension range (impacts are no part of tensions), statuses; fed block by block."""

    def __init__(self, wires: Sequence[str], joints: Sequence[str] = ()) -> None:
        self.wires = tuple(wires)
        self.joints = tuple(joints)
        self.drift: dict[str, tuple[float, str, float]] = {}  # worst joint_gap and joint_tilt: how much, whose, when
        self.rows = 0
        self.end = 0.0
        self.residual = NEVER
        self.residual_time = 0.0
        self.gap, self.gap_time, self.tension_min, self.tension_max = table = np.empty((4, len(wires)))
        table[:] = _AT_FIRST
        self.peak = np.zeros((_OF_PEAKS + SHORT, len(wires)))  # and the last rows
        self.unsolved = self.closest = self.not_unique = 0

    @staticmethod
    def calls() -> list[Call]:
        """The kernels that find them, with such arguments as they are called with."""
        from towsim.results.fold import fold, peaks

        table, number, place = _to_read(np.empty((0, 0))), np.empty(0), np.empty(0, np.int64)
        past = np.empty((SHORT, 0)), *np.empty((_OF_PEAKS, 0))
        return [(fold, (table, number, place, number)), (peaks, (table, _to_read(number), *past))]

    def update(self, block: Mapping[str, np.ndarray]) -> None:
        """Take in one block of rows."""
        time = block["time"]
        if not len(time):
            return
        step_rows = slice(0 if self.rows else 1, None)  # the very first row is the initial state: no step made it
        if "gap" in block and self.wires:
            self._update_gap(time, block["gap"])
        for name in ("joint_gap", "joint_tilt"):
            if name in block:
                at, joint = np.unravel_index(int(np.argmax(block[name])), block[name].shape)
                if not block[name][at, joint] <= self.drift.get(name, (-1.0,))[0]:
                    self.drift[name] = (float(block[name][at, joint]), self.joints[joint], float(time[at]))
        status = block["status"][step_rows] if "status" in block else None
        if status is not None and status.any():  # or else all are solved
            self.unsolved += int(np.count_nonzero(~np.isin(status, TAKEN)))
            self.closest += int(np.count_nonzero(status == STATUS_FLAGS["closest"]))
        if "tension_unique" in block:
            self.not_unique += int(np.count_nonzero(block["tension_unique"][step_rows] == UNIQUE_FLAGS["not_unique"]))
        if "residual" in block and len(residual := block["residual"][step_rows]):
            if status is not None and status.any():  # steps that were not solved have none
                residual = np.where(np.isin(status, TAKEN), residual, 0.0)
            k = int(np.argmax(residual))  # argmax finds NaN first, so an undefined residual is not passed over
            if not (residual[k] <= self.residual or math.isnan(self.residual)):
                self.residual, self.residual_time = float(residual[k]), float(time[step_rows][k])
        self.rows += len(time)
        self.end = float(time[-1])
        if "tension" in block and self.wires:
            _fold(block["tension"][step_rows], self.tension_min, np.zeros(len(self.wires), np.int64), self.tension_max)
            _peaks(block["tension"][step_rows], time[step_rows], self.peak)

    def report(self) -> dict[str, Any]:
        """Everything as plain numbers: what goes into files, and into a summary."""
        high, when, rows, still, total, count = self.peak[:_OF_PEAKS]
        short = (still == 0.0) & (rows > 0.0) & (rows <= SHORT) & (high * count > TOWERS * total)
        columns = self.gap, self.gap_time, self.tension_min, self.tension_max, np.where(short, when, np.nan)
        wires = dict(zip(self.wires, zip(*(column.tolist() for column in columns), strict=True), strict=True))
        none = self.residual == NEVER and self.rows > 1  # steps that have none, not a run without steps
        worst = (None, None) if none else (max(self.residual, 0.0), self.residual_time)
        counts = {"unsolved": self.unsolved, "closest": self.closest, "not_unique": self.not_unique}
        return _report(self.rows, self.end, worst, wires, counts, drift=self.drift)

    def memory(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything it knows, as arrays and plain facts."""
        arrays = {name: getattr(self, name) for name in _BY_WIRE}
        return arrays, {name: getattr(self, name) for name in _PLAIN}

    def recall(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Know what ``memory`` told."""
        for name in _BY_WIRE:
            setattr(self, name, arrays[name])
        for name in _PLAIN:
            setattr(self, name, facts[name])

    def _update_gap(self, time: np.ndarray, gap: np.ndarray) -> None:
        at = np.full(len(self.wires), -1)
        _fold(gap, self.gap, at, np.full(len(self.wires), np.inf))
        found = at >= 0
        self.gap_time[found] = time[at[found]]


def whole(columns: Mapping[str, Column], coords: Mapping[str, Sequence[str] | Sequence[int]]) -> dict[str, Any]:
    """What ``Extremes.report`` says of a run all of whose rows are at hand; the first one is the initial state."""
    extremes = Extremes(*([str(name) for name in coords.get(dim, ())] for dim in ("wire", "joint")))
    judged = {name: columns[name] for name in JUDGED if name in columns}
    for rows in chunks(*judged.values()):
        extremes.update({name: column[rows] for name, column in judged.items()})
    return extremes.report()


def _report(
    rows: int,
    end: float,
    worst: tuple[float, float] | tuple[None, None],
    wires: Mapping[str, tuple[float, float, float, float, float]],
    counts: Mapping[str, int],
    *,
    drift: Mapping[str, tuple[float, str, float]] | None = None,
) -> dict[str, Any]:
    """Plain numbers; ``worst``: residual and when, None of runs whose steps have none.

    Of each wire least gap, when, least and largest tension, and when that is a short peak, or else NaN.
    """
    return {
        "rows": rows,
        "end_time": end,
        "residual": worst[0],
        "residual_time": worst[1],
        **counts,
        "drift": drift or {},
        "wires": {
            name: {"gap": _number(gap), "gap_time": when, "tension_min": _number(least), "tension_max": _number(most)}
            | ({} if math.isnan(peak) else {"short_peak": peak})
            for name, (gap, when, least, most, peak) in wires.items()
        },
    }


def _fold(table: np.ndarray, low: np.ndarray, at: np.ndarray, high: np.ndarray) -> None:
    from towsim.results.fold import fold  # only runs need compiled code, not those who look at their files

    fold(_to_read(table), low, at, high)


def _peaks(table: np.ndarray, time: np.ndarray, peak: np.ndarray) -> None:
    from towsim.results.fold import peaks

    peaks(_to_read(table), _to_read(time), peak[_OF_PEAKS:], *peak[:_OF_PEAKS])


def _to_read(numbers: np.ndarray) -> np.ndarray:
    """Numbers side by side and read-only, as those of a file are: kernels are compiled for one kind of array."""
    view = np.ascontiguousarray(numbers).view()
    view.flags.writeable = False
    return view


def _number(value: float) -> float | None:
    return value + 0.0 if math.isfinite(value) else None  # −0 is 0
