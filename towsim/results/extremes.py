"""Running extremes of a run, so that a summary covers every step, also those that are not recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from towsim.results.columns import Column, chunks
from towsim.results.variables import STATUS_FLAGS, TAKEN

JUDGED = ("time", "gap", "tension", "residual", "status", "joint_gap", "joint_tilt")
"""The variables that a summary needs."""


_BY_WIRE = ("gap", "gap_time", "tension_min", "tension_max")
_AT_FIRST = np.array([[np.inf], [0.0], [np.inf], [-np.inf]])
_PLAIN = ("rows", "end", "residual", "residual_time", "unsolved", "closest", "drift")


class Extremes:
    """Worst gap, worst residual, tension range (impacts are no part of tensions), statuses; fed block by block."""

    def __init__(self, wires: Sequence[str], joints: Sequence[str] = ()) -> None:
        self.wires = tuple(wires)
        self.joints = tuple(joints)
        self.drift: dict[str, tuple[float, str, float]] = {}  # worst joint_gap and joint_tilt: how much, whose, when
        self.rows = 0
        self.end = 0.0
        self.residual = 0.0
        self.residual_time = 0.0
        self.gap, self.gap_time, self.tension_min, self.tension_max = table = np.empty((4, len(wires)))
        table[:] = _AT_FIRST
        self.unsolved = self.closest = 0

    @staticmethod
    def load() -> None:
        """Compile or fetch the kernel that finds them."""
        _fold(np.empty((0, 0)), np.empty(0), np.empty(0, np.int64), np.empty(0))

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
        if "residual" in block and len(residual := block["residual"][step_rows]):
            if status is not None and status.any():  # steps that were not solved have none
                residual = np.where(np.isin(status, TAKEN), residual, 0.0)
            k = int(np.argmax(residual))  # argmax finds NaN first, so an undefined residual is not passed over
            if not residual[k] <= self.residual:
                self.residual, self.residual_time = float(residual[k]), float(time[step_rows][k])
        self.rows += len(time)
        self.end = float(time[-1])
        if "tension" in block and self.wires:
            _fold(block["tension"][step_rows], self.tension_min, np.zeros(len(self.wires), np.int64), self.tension_max)

    def report(self) -> dict[str, Any]:
        """Everything as plain numbers: what goes into files, and into a summary."""
        columns = self.gap, self.gap_time, self.tension_min, self.tension_max
        wires = dict(zip(self.wires, zip(*(column.tolist() for column in columns), strict=True), strict=True))
        worst = self.residual, self.residual_time
        counts = {"unsolved": self.unsolved, "closest": self.closest}
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
    worst: tuple[float, float],
    wires: Mapping[str, tuple[float, float, float, float]],
    counts: Mapping[str, int],
    *,
    drift: Mapping[str, tuple[float, str, float]] | None = None,
) -> dict[str, Any]:
    """Plain numbers; ``worst``: residual and when; of each wire least gap, when, least and largest tension."""
    return {
        "rows": rows,
        "end_time": end,
        "residual": worst[0],
        "residual_time": worst[1],
        **counts,
        "drift": drift or {},
        "wires": {
            name: {"gap": _number(gap), "gap_time": when, "tension_min": _number(least), "tension_max": _number(most)}
            for name, (gap, when, least, most) in wires.items()
        },
    }


def _fold(table: np.ndarray, low: np.ndarray, at: np.ndarray, high: np.ndarray) -> None:
    from towsim.results.fold import fold  # only runs need compiled code, not those who look at their files

    fold(np.ascontiguousarray(table), low, at, high)


def _number(value: float) -> float | None:
    return value + 0.0 if math.isfinite(value) else None  # −0 is 0
