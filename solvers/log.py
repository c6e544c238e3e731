"""What a method did, iteration by iteration, as a table: ``solve(problem, "lemke", log=True).log``.

``callback=f`` calls f(k, row) after iteration k = 1, 2, ..., with the row as a dict; the method ends if that is True.
"""

from __future__ import annotations

import csv
import ctypes
import html
import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.matrix import Array
from solvers.problem import ProblemError
from solvers.quote import aligned, show

if TYPE_CHECKING:
    from solvers.kernels.tell import Told

KEPT = 100_000
"""Most iterations that are written down, and of a compiled method told."""

Callback = Callable[[int, dict[str, Any]], Any]

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
        lines = aligned(table, right=0)
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


class Notes:
    """The rows of a run, as it goes on; calling it adds one, and tells whether the run is to end.

    Parameters
    ----------
    names : of the columns
    log : whether they are kept
    callback : see the head of this module
    """

    def __init__(self, names: Sequence[str], log: bool, callback: Callback | None) -> None:
        self.names, self.keep, self.callback = names, log, callback
        self.wanted = log or callback is not None
        self.rows: list[tuple[Any, ...]] = []
        self.count, self.dropped, self.stopped = 0, 0, False
        self._error: BaseException | None = None

    def __call__(self, *row: Any) -> bool:
        """Add a row; True if the run is to end."""
        self.count += 1
        if self.keep and self.count <= KEPT:
            self.rows.append(row)
        if self.callback is not None and not self.stopped:
            self.stopped = bool(self.callback(self.count, dict(zip(self.names, row, strict=True))))
        return self.stopped

    def told(self, limit: int, columns: int, read: Callable[[Array], tuple[Any, ...]] = tuple) -> Told:
        """What a kernel writes its rows to, of which ``read`` makes those of a log; ``settle`` is to be called then."""
        from solvers.kernels.tell import FUNCTION, Told

        path = np.empty((min(limit, KEPT) if self.wanted else 0, columns))

        def call(row: int) -> int:
            try:
                return self(*read(path[row]))
            except BaseException as error:  # cannot pass through compiled code
                self._error = error
                return 1

        self._path, self._read, self._function = path, read, FUNCTION(call)
        address = 0 if self.callback is None else ctypes.cast(self._function, ctypes.c_void_p).value
        self._told = Told(path, np.zeros(3, np.int64), address or 0)
        return self._told

    def settle(self, kept: int | None = None) -> None:
        """After a kernel: raise what the callback raised, and take over the rows that it was not told of.

        Of the log only the first ``kept`` rows are left, where others led to nothing.
        """
        if self._error is not None:
            raise self._error
        count = int(self._told.state[0])
        if self.callback is None and self.keep:
            self.rows = [self._read(row) for row in self._path[:count]]
        self.count = count
        if kept is not None and kept < count:
            self.rows, self.dropped = self.rows[:kept], count - kept

    def log(self) -> Log | None:
        """The rows as a table, None unless they were to be kept."""
        if not self.keep:
            return None
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.names)
        return Log(dict(zip(self.names, columns, strict=True)), self.count - self.dropped)

    @property
    def message(self) -> str:
        """Why the run ended, if that was the callback's wish."""
        return f"stopped by the callback after iteration {self.count}" if self.stopped else ""


def _cell(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
