"""Kernels around one basis: z that makes w = 0 on a set of rows, and the judgement of z and w.

Used by :mod:`solvers.active_set.pivoting` and :mod:`solvers.active_set.loop`, which choose the set.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from solvers.active_set.envelope import LEAN, factor, memory, multiply, multiply_active, substitute, workspace
from solvers.kernels.compiled import kernel, part

if TYPE_CHECKING:
    from solvers.matrix import Envelope

UNILATERAL, FREE, OFF = 0, 1, 2
"""Kinds of row."""

# Relative pivots of rounding size are about n eps; wires 1e-5 rad apart give 1e-10. What the first tolerance misjudges
# a later attempt takes as independent.
DEPENDENT = 1e-10
STRICTLY_DEPENDENT = 1e-13
# Share of max|d z| that rounding in A z can make.
ROUNDING = 4e-15


@part(forceinline=False)
def minimise_on(val, ptr, q, z, w, active, start, tol, m):
    """Solve w = 0 on the active rows (z = 0 elsewhere), refined; returns (first dependent row or -1, rounding).

    m : Memory, with ``d``; its factors are those of the active rows then, its x is scratch
    """
    n = q.size
    d, x, rows = m.d, m.x, m.rows
    dependent = factor(val, ptr, active, start, tol, m)
    rank = m.before[n]
    for i in range(n):
        z[i] = 0.0
        w[i] = q[i]
    limit = 0.0
    for _ in range(3):  # once, and two refinements where rounding calls for them
        for k in range(rank):
            x[k] = -w[rows[k]]
        substitute(m, rank, x)
        for k in range(rank):
            z[rows[k]] += x[k]
        multiply_active(val, ptr, q, z, w, rows, m.before)
        worst = 0.0
        largest = 0.0
        for k in range(rank):
            i = rows[k]
            worst = max(worst, abs(w[i]) / d[i])
            largest = max(largest, abs(z[i]) * d[i])
        limit = ROUNDING * largest
        if not worst > limit:
            break
    return dependent, limit


@part(inline="always")
def judge(q, d, kind, z, w):
    """Residual max|min(d z, w/d)|; |w/d| on free rows, rows switched off are not judged."""
    worst = 0.0
    for i in range(q.size):
        if kind[i] == UNILATERAL:
            a = d[i] * z[i]
            b = w[i] / d[i]
            r = abs(a) if a < b else abs(b)
        elif kind[i] == FREE:
            r = abs(w[i]) / d[i]
        else:
            r = 0.0
        if not r <= worst:
            worst = r
        if not abs(w[i]) < inf:
            return inf
    return worst


@part(inline="always")
def clamp(val, ptr, q, kind, z, w):
    """Negative z of rounding size become zero."""
    changed = False
    for i in range(q.size):
        if kind[i] == UNILATERAL and z[i] < 0.0:
            z[i] = 0.0
            changed = True
    if changed:
        multiply(val, ptr, q, z, w)


@kernel(**LEAN)
def minimise(
    val: np.ndarray,
    ptr: np.ndarray,
    q: np.ndarray,
    active: np.ndarray,
    z: np.ndarray,
    w: np.ndarray,
    work: np.ndarray,
    iwork: np.ndarray,
) -> int:
    """z with w = 0 on the active rows, 0 elsewhere and on dependent ones; returns the rank; needs ``workspace``."""
    m = memory(ptr, work, iwork)
    for i in range(q.size):
        a = val[ptr[i + 1] - 1]
        m.d[i] = sqrt(a) if a > 0.0 else 1.0
    minimise_on(val, ptr, q, z, w, active, 0, DEPENDENT, m)
    return m.before[q.size]  # type: ignore[no-any-return]


@part(forceinline=False)
def rank_of(val, ptr, rows, work, iwork):
    """Rank of A on the rows of a mask; work and iwork from ``workspace``."""
    m = memory(ptr, work, iwork)
    factor(val, ptr, rows, 0, DEPENDENT, m)
    return m.before[rows.size]


@part()
def solve_on(val, ptr, b, rows, z, work, iwork):
    """z with A z = b on the rows of a mask, 0 elsewhere and on rows that depend on those before; returns the rank."""
    m = memory(ptr, work, iwork)
    factor(val, ptr, rows, 0, DEPENDENT, m)
    rank = m.before[rows.size]
    for k in range(rank):
        m.u[k] = b[m.rows[k]]
    substitute(m, rank, m.u)
    for i in range(rows.size):
        z[i] = 0.0
    for k in range(rank):
        z[m.rows[k]] = m.u[k]
    return rank


def rank_in_envelope(E: Envelope, rows: np.ndarray) -> int:
    """Rank of a semidefinite matrix on the given rows, as ``active_set`` counts it."""
    n = len(rows)
    q, z, w = np.zeros(n), np.empty(n), np.empty(n)
    return minimise(E.val, E.ptr, q, rows if E.order is None else rows[E.order], z, w, *workspace(n, len(E.val)))
