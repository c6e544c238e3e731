"""What was measured, as tables for people, Markdown, LaTeX and CSV, and as performance profiles."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Literal

import numpy as np

from solvers.matrix import Array
from solvers.problem import ProblemError
from solvers.quote import show

EACH = 60
"""Most measurements that a printed report lists one by one."""

NOTE = (
    "time, algorithm, warm, iterations: medians over the problems that the method answered rightly, of the least of "
    "repeated calls;\nspread: median of the calls by the least; residual, unpolished, distance: the worst"
)


Verdict = Literal["right", "open", "wrong", "error"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One method on one problem.

    Attributes
    ----------
    problem, n, method : label of the problem, its rows, and the method
    verdict : "right" (a claim that was checked here again), "open" (no claim), "wrong" (a claim that does not hold),
        "error" (the method raised)
    status : of the solution, or the name of the exception
    time, median : least and median of the cold calls [s]
    algorithm : least time in the algorithm alone [s]; NaN where it is not told
    warm : least of the warm calls [s]; NaN without a start, or where it did not lead to a right answer
    iterations, warm_iterations : as the method counts; -1 if there was no such call
    residual, unpolished : scaled residual, recomputed here; and that of the method's own z, before it was polished
    distance : max|w - w_ref| / d / max|q/d| from the reference; NaN if either is not solved. An error only where w is
        unique: for M that is not semidefinite it need not be
    message : what the method said
    """

    problem: str
    n: int
    method: str
    verdict: Verdict
    status: str
    time: float
    median: float
    algorithm: float
    warm: float
    iterations: int
    warm_iterations: int
    residual: float
    unpolished: float
    distance: float
    message: str

    @property
    def family(self) -> str:
        """What the label has before its last "/": problems of one folder, one file or one scene."""
        return self.problem.rpartition("/")[0]


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """Measurements of some methods on some problems.

    Attributes
    ----------
    measurements : problem by problem, in each method by method
    methods : in the order they were asked for
    """

    measurements: tuple[Measurement, ...]
    methods: tuple[str, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """Labels of the problems in their order."""
        return tuple(dict.fromkeys(one.problem for one in self.measurements))

    @property
    def families(self) -> tuple[str, ...]:
        """Families of the problems in their order: what stands before the last "/" of their labels."""
        return tuple(dict.fromkeys(one.family for one in self.measurements))

    @property
    def honest(self) -> bool:
        """Whether no claim was wrong."""
        return all(one.verdict != "wrong" for one in self.measurements)

    def of(self, method: str, family: str | None = None) -> tuple[Measurement, ...]:
        """All measurements of one method, or those on one family of problems."""
        return tuple(
            one for one in self.measurements if one.method == method and (family is None or one.family == family)
        )

    def profile(
        self, by: Literal["time", "algorithm", "iterations"] = "time", family: str | None = None
    ) -> dict[str, Array]:
        """Dolan–Moré ratios by method: (problems,) measure over the best right one's, sorted, infinite if not right.

        The share of ratios ≤ τ is the probability that a method is within a factor τ of the best. Iterations are what
        each method counts, pivots or sweeps or factorisations; none at all counts as one.

        Source: Dolan & Moré, Benchmarking optimization software with performance profiles, Math. Program. 91 (2002).

        Parameters
        ----------
        by : what is compared; of times the cold ones
        family : only problems of this family

        Raises ``ProblemError`` for another measure or an unknown family.
        """
        if by not in ("time", "algorithm", "iterations"):
            raise ProblemError(f"by must be 'time', 'algorithm' or 'iterations', got {show(by)}")
        if family is not None and family not in self.families:
            raise ProblemError(f"there is no family {show(family)}; there are {', '.join(map(show, self.families))}")
        cost = {
            method: {
                one.problem: max(float(getattr(one, by)), 1.0 if by == "iterations" else 0.0)
                if one.verdict == "right" and math.isfinite(getattr(one, by))
                else math.inf
                for one in self.of(method, family)
            }
            for method in self.methods
        }
        best: dict[str, float] = {}
        for own in cost.values():
            for problem, value in own.items():
                best[problem] = min(best.get(problem, math.inf), value)
        return {
            method: np.sort([v / best[p] if math.isfinite(v) else math.inf for p, v in own.items()])
            for method, own in cost.items()
        }

    def disputed(self) -> tuple[str, ...]:
        """Problems that one method solved and another proved infeasible: infeasible by no more than the tolerance."""
        claims: dict[str, set[str]] = {}
        for one in self.measurements:
            if one.verdict == "right":
                claims.setdefault(one.problem, set()).add(one.status)
        return tuple(label for label, found in claims.items() if {"solved", "infeasible"} <= found)

    def summary(self) -> str:
        """One line per method, or per family and method; open, wrong and errors are counted if some are not open."""
        return _table(self._summary())

    def _summary(self) -> list[Cells]:
        rows: list[Cells] = [("family", *SUMMARY)]
        for family in self.families:
            rows += [(family or "-", *_summary_of(method, self.of(method, family))) for method in self.methods]
        left_out: set[str] = set() if len(self.families) > 1 else {"family"}
        if all(one.verdict in ("right", "open") for one in self.measurements):
            left_out |= {"open", "wrong", "error"}  # what is not right is open
        kept = [k for k, name in enumerate(rows[0]) if name not in left_out]
        return [tuple(row[k] for k in kept) for row in rows]

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

    def to_markdown(self) -> str:
        """The summary as a table in Markdown."""
        head, *rows = self._summary()
        rule = tuple("---" if name in LEFT else "---:" for name in head)
        return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)) + "\n"

    def to_latex(self) -> str:
        """The summary as a tabular of LaTeX, which needs no package."""
        head, *rows = self._summary()
        columns = "".join("l" if name in LEFT else "r" for name in head)
        lines = [" & ".join(map(_escaped, cells)) + r" \\" for cells in (head, *rows)]
        lines.insert(1, r"\hline")
        return "\n".join([rf"\begin{{tabular}}{{{columns}}}", *lines, r"\end{tabular}"]) + "\n"

    def to_csv(self) -> str:
        """All measurements; times in s."""
        text = io.StringIO()
        names = ["family", *(field.name for field in fields(Measurement))]
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows({"family": one.family, **asdict(one)} for one in self.measurements)
        return text.getvalue()

    def __repr__(self) -> str:
        parts = [self.table()] if len(self.measurements) <= EACH else []
        parts.append(f"{self.summary()}\n{NOTE}")
        if failures := self.failures():
            parts.append(f"not right:\n{failures}")
        if disputed := self.disputed():
            parts.append(
                f"solved by one method and proved infeasible by another, within tolerance: {_listed(disputed)}"
            )
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


TABLES: Mapping[str, str] = {".md": "to_markdown", ".tex": "to_latex", ".csv": "to_csv"}
"""By the suffix of a file, what makes its table."""


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


def _number(value: float, form: str = "g") -> str:
    return f"{value:{form}}" if math.isfinite(value) else "-"


Cells = tuple[str, ...]
JUDGED: Cells = ("residual", "unpolished", "distance")
VERDICTS: Cells = ("right", "open", "wrong", "error")
SUMMARY: Cells = ("method", *VERDICTS, "time", "spread", "algorithm", "warm", "iterations", *JUDGED)
WHICH: Cells = ("problem", "n", "method", "verdict", "status")
EVERY: Cells = (*WHICH, "time", "algorithm", "warm", "iterations", "warm", *JUDGED)


def _summary_of(method: str, own: Sequence[Measurement]) -> Cells:
    """See ``NOTE``."""
    right = [one for one in own if one.verdict == "right"]
    count = Counter(one.verdict for one in own)
    return (
        method,
        f"{len(right)}/{len(own)}",
        *(str(count[verdict]) for verdict in ("open", "wrong", "error")),
        _seconds(_median(one.time for one in right)),
        _number(_median(one.median / one.time for one in right), ".2f"),
        _seconds(_median(one.algorithm for one in right)),
        _seconds(_median(one.warm for one in right)),
        _number(_median(float(one.iterations) for one in right)),
        *(_small(_worst(getattr(one, name) for one in right)) for name in ("residual", "unpolished", "distance")),
    )


def _line(one: Measurement) -> Cells:
    return (
        *(one.problem, str(one.n), one.method, one.verdict, one.status),
        *(_seconds(time) for time in (one.time, one.algorithm, one.warm)),
        *(str(count) if count >= 0 else "-" for count in (one.iterations, one.warm_iterations)),
        *(_small(value) for value in (one.residual, one.unpolished, one.distance)),
    )


LEFT = ("family", "problem", "method", "verdict", "status")


def _table(rows: Sequence[Cells]) -> str:
    width = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    left = [head in LEFT for head in rows[0]]
    lines = (
        "  ".join(cell.ljust(k) if flush else cell.rjust(k) for cell, k, flush in zip(row, width, left, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _escaped(cell: str) -> str:
    """A cell in LaTeX: powers of ten as such, µ as a command, its special characters as text."""
    if power := re.fullmatch(r"(-?[\d.]+)e([+-]\d+)", cell):
        return rf"${power[1]}\cdot 10^{{{int(power[2])}}}$"
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "µ": r"\textmu{}"}
    return "".join(special.get(c, "\\" + c if c in "&%$#_{}" else c) for c in cell)


def _listed(labels: Sequence[str], most: int = 6) -> str:
    return ", ".join(labels[:most]) + (f" and {len(labels) - most} more" if len(labels) > most else "")
