"""What a method did, iteration by iteration, as a table: ``solve(problem, "lemke", log=True).log``."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Mapping
from typing import Any

import numpy as np

from solvers.matrix import Array
from solvers.problem import ProblemError
from solvers.quote import show

KEPT = 100_000
"""Most iterations that a compiled method writes down."""

SHOWN = 12
"""Iterations at either end of a log that are printed."""


class Log:
    """Columns of equal length by name, a row an iteration; ``log["residual"]`` is an array, ``print(log)`` a table.

    Attributes
    ----------
    columns : by name, (k,) each; residuals are those of the scaled problem, as the method itself sees them
    iterations : how many there were, of which the first k are in the columns
    """

    def __init__(self, columns: Mapping[str, Any], iterations: int | None = None) -> None:
        self.columns: dict[str, Array] = {name: np.asarray(column) for name, column in columns.items()}
        self.iterations = len(self) if iterations is None else iterations

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> Array:
        if name not in self.columns:
            raise ProblemError(f"the log has no column {show(name)}; it has {', '.join(self.columns)}")
        return self.columns[name]

    def __str__(self) -> str:
        count = len(self)
        rows = range(count)
        shown = [*rows] if count <= 2 * SHOWN else [*rows[:SHOWN], *rows[-SHOWN:]]
        table = [["", *self.columns]]
        table += [[str(k + 1), *(_cell(column[k]) for column in self.columns.values())] for k in shown]
        width = [max(len(row[c]) for row in table) for c in range(len(table[0]))]
        lines = ["  ".join(cell.rjust(k) for cell, k in zip(row, width, strict=True)) for row in table]
        if count > len(shown):
            lines.insert(SHOWN + 1, f"... {count - len(shown)} more")
        if self.iterations > count:
            lines.append(f"... {self.iterations - count} more, not written down")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def to_csv(self) -> str:
        """All rows, numbers in full."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(zip(*(column.tolist() for column in self.columns.values()), strict=True))
        return text.getvalue()


def _cell(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
