"""A problem as it is printed."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers.quote import aligned, number

NAMED, SHOWN = 6, 8
"""Names in the head of a problem that is printed, and most rows of one whose M and q are printed."""

TRACE = 1e-15
"""Share of the largest entry of its row below which one is printed as 0."""


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
