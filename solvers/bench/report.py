"""What was measured, as tables, CSV and performance profiles."""

from __future__ import annotations

import csv
import html
import io
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from solvers.matrix import Array

if TYPE_CHECKING:
    from solvers.bench.measure import Measurement

EACH = 60
"""Most measurements that a printed report lists one by one."""


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """Measurements of some methods on some problems.

    Attributes
    ----------
    measurements : problem by problem, in each method by method
    overhead : what a call of each method costs when there is nothing to solve [s]
    """

    measurements: tuple[Measurement, ...]
    overhead: dict[str, float]

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods in the order they were asked for."""
        return tuple(self.overhead)

    @property
    def problems(self) -> tuple[str, ...]:
        """Labels of the problems in their order."""
        return tuple(dict.fromkeys(one.problem for one in self.measurements))

    @property
    def honest(self) -> bool:
        """Whether no claim was wrong."""
        return all(one.verdict != "wrong" for one in self.measurements)

    def of(self, method: str) -> tuple[Measurement, ...]:
        """All measurements of one method."""
        return tuple(one for one in self.measurements if one.method == method)

    def profile(self) -> dict[str, Array]:
        """Dolan–Moré ratios by method: (problems,) cold time over the best right one's, sorted, infinite if not right.

        The share of ratios ≤ τ is the probability that a method is within a factor τ of the best. Source: Dolan &
        Moré, Benchmarking optimization software with performance profiles, Math. Program. 91 (2002).
        """
        best: dict[str, float] = {}
        for one in self.measurements:
            if one.verdict == "right":
                best[one.problem] = min(best.get(one.problem, math.inf), one.time)
        return {
            method: np.sort(
                [one.time / best[one.problem] if one.verdict == "right" else math.inf for one in self.of(method)]
            )
            for method in self.methods
        }

    def disputed(self) -> tuple[str, ...]:
        """Problems that one method solved and another proved infeasible: infeasible by no more than the tolerance."""
        claims: dict[str, set[str]] = {}
        for one in self.measurements:
            if one.verdict == "right":
                claims.setdefault(one.problem, set()).add(one.status)
        return tuple(label for label, found in claims.items() if {"solved", "infeasible"} <= found)

    def summary(self) -> str:
        """One line per method."""
        rows = [SUMMARY]
        for method in self.methods:
            rows.append(_summary_of(method, self.of(method), self.overhead[method]))
        return _table(rows)

    def table(self) -> str:
        """One line per measurement."""
        return _table([EVERY, *(_line(one) for one in self.measurements)])

    def failures(self) -> str:
        """What was not right, and what the methods said of it; equal sayings once."""
        said: dict[tuple[str, str, str], list[str]] = {}
        for one in self.measurements:
            if one.verdict != "right":
                said.setdefault((one.method, one.status, one.message), []).append(one.problem)
        lines = []
        for (method, status, message), labels in said.items():
            more = f" and {len(labels) - 1} more" if len(labels) > 1 else ""
            lines.append(f"{method} on {labels[0]}{more}: {status}: {message}".rstrip(": "))
        return "\n".join(lines)

    def to_csv(self) -> str:
        """All measurements; times in s."""
        from solvers.bench.measure import Measurement

        text = io.StringIO()
        writer = csv.DictWriter(text, [field.name for field in fields(Measurement)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in self.measurements)
        return text.getvalue()

    def __repr__(self) -> str:
        parts = [self.table()] if len(self.measurements) <= EACH else []
        parts.append(f"{self.summary()}\ntimes: median over the problems that the method answered rightly")
        if failures := self.failures():
            parts.append(f"not right:\n{failures}")
        if disputed := self.disputed():
            parts.append(
                f"solved by one method and proved infeasible by another, within tolerance: {_listed(disputed)}"
            )
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _median(values: Iterable[float]) -> float:
    finite = [value for value in values if math.isfinite(value)]
    return float(np.median(finite)) if finite else math.nan


def _worst(values: Iterable[float]) -> float:
    return max((value for value in values if math.isfinite(value)), default=math.nan)


def _seconds(value: float) -> str:
    if not math.isfinite(value):
        return "-"
    unit, size = next((u for u in (("s", 1.0), ("ms", 1e-3)) if value >= u[1]), ("µs", 1e-6))
    return f"{value / size:.3g} {unit}"


def _small(value: float) -> str:
    return f"{value:.1e}" if math.isfinite(value) else "-"


Cells = tuple[str, ...]
SUMMARY: Cells = (
    *("method", "right", "open", "wrong", "error", "cold", "warm", "cold/warm"),
    *("overhead", "iterations", "residual", "distance in w"),
)
EVERY: Cells = (
    *("problem", "n", "method", "verdict", "status", "cold", "median"),
    *("warm", "iterations", "warm", "residual", "distance in w"),
)


def _summary_of(method: str, own: Sequence[Measurement], overhead: float) -> Cells:
    """Times: medians over the problems that are right; residual and distance: the worst of them."""
    right = [one for one in own if one.verdict == "right"]
    count = Counter(one.verdict for one in own)
    # NaN where there was no warm start, so both medians are over the same problems.
    gain = _median(one.time / one.warm for one in right)
    iterations = _median(float(one.iterations) for one in right)
    return (
        *(method, f"{len(right)}/{len(own)}", *(str(count[verdict]) for verdict in ("open", "wrong", "error"))),
        _seconds(_median(one.time for one in right)),
        _seconds(_median(one.warm for one in right)),
        f"{gain:.2f}" if math.isfinite(gain) else "-",
        _seconds(overhead),
        f"{iterations:g}" if math.isfinite(iterations) else "-",
        _small(_worst(one.residual for one in right)),
        _small(_worst(one.distance for one in right)),
    )


def _line(one: Measurement) -> Cells:
    return (
        *(one.problem, str(one.n), one.method, one.verdict, one.status),
        *(_seconds(time) for time in (one.time, one.median, one.warm)),
        str(one.iterations) if one.iterations >= 0 else "-",
        str(one.warm_iterations) if one.warm_iterations >= 0 else "-",
        _small(one.residual),
        _small(one.distance),
    )


LEFT = ("problem", "method", "verdict", "status")


def _table(rows: Sequence[Cells]) -> str:
    width = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    left = [head in LEFT for head in rows[0]]
    return "\n".join(
        "  ".join(
            cell.ljust(k) if flush else cell.rjust(k) for cell, k, flush in zip(row, width, left, strict=True)
        ).rstrip()
        for row in rows
    )


def _listed(labels: Sequence[str], most: int = 6) -> str:
    return ", ".join(labels[:most]) + (f" and {len(labels) - most} more" if len(labels) > most else "")
