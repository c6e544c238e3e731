"""Values and texts as messages quote them: no message grows with what is wrong."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers import matrix as mx

LONGEST = 1000
"""Characters of a message."""

NAMED, SHOWN = 6, 8
"""Names in the head of a problem that is printed, and most rows of one whose M and q are printed."""

TRACE = 1e-15
"""Share of the largest entry of its row below which one is printed as 0."""

_VALUES = reprlib.Repr()
_VALUES.maxlevel, _VALUES.maxstring, _VALUES.maxother, _VALUES.maxlong = 2, 60, 60, 60
_MOST = 80


def show(value: object) -> str:
    """A value as it is quoted in a message: one short line, texts in quotes."""
    try:
        text = _VALUES.repr(value)
    except ValueError:  # Python refuses to print integers of more than 4300 digits
        text = "a number with thousands of digits"
    text = " ".join(text.split())  # arrays are printed in lines
    return text if len(text) <= _MOST else text[: _MOST - 20] + "... (cut)"


def shorten(text: str, most: int = LONGEST) -> str:
    """A text without its middle, if it is longer than that; what to do stands at the end of a message."""
    if len(text) <= most:
        return text
    head, tail = most * 2 // 3, most // 4
    return f"{text[:head]} ... (cut) ... {text[-tail:]}"


def number(value: float, least: float = 0.0) -> str:
    """A number in six digits, 0 if it is below what is rounding beside its like; never −0."""
    return f"{value if abs(value) > least else 0.0:.6g}"


def aligned(rows: Sequence[Sequence[str]], right: int = 1) -> list[str]:
    """Lines of a table in columns, from column ``right`` on to the right; each row as long as the first."""
    width = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [c.rjust(k) if j >= right else c.ljust(k) for j, (c, k) in enumerate(zip(row, width, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def described(problem: Any, beside: dict[str, list[str]]) -> str:
    """A problem as it is printed: its names, and M and q of a small one, with columns of its own beside them."""
    n, kind = problem.n, type(problem).__name__
    names = [str(name) for name in problem.names[: max(NAMED, SHOWN)]]
    head = f"<{kind} of {n} rows{': ' if n else ''}{', '.join(names[:NAMED])}{', ...' if n > NAMED else ''}>"
    if not 0 < n <= SHOWN:
        return head
    M = mx.to_dense(problem.M)
    least = TRACE * np.abs(M).max(axis=1)
    rows = [["", "M", *[""] * (n - 1), "q", *beside]]
    for i, name in enumerate(names):
        row = [*(number(x, least[i]) for x in M[i]), number(problem.q[i])]
        rows.append([name, *row, *(column[i] for column in beside.values())])
    return "\n".join([head, *aligned(rows)])
