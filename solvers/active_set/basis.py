"""Kernels around one basis: z that makes w = 0 on a set of rows, and the judgement of z and w.

Used by :mod:`solvers.active_set.pivoting` and :mod:`solvers.active_set.loop`, which choose the set.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from solvers.active_set.envelope import LEAN, factor, multiply, multiply_active, substitute
from solvers.kernels.compiled import kernel, part

if TYPE_CHECKING:
    from solvers.matrix import Envelope

UNILATERAL, FREE, OFF = 0, 1, 2
"""Kinds of row."""

# Relative pivots of rounding size are about n eps; wires 1e-5 rad apart give 1e-10. What the first tolerance misjudges
# a later attempt takes as independent.
DEPENDENT = 1e-10
STRICTLY_DEPENDENT = 1e-13
# Rows that a guess may join (see ``guess``): more than six wires of a body, all of a short chain.
ROOM = 32
# Share of max|d z| that rounding in A z can make.
ROUNDING = 4e-15


def workspace(n: int, nnz: int) -> tuple[np.ndarray, np.ndarray]:
    """Scratch arrays ``work, iwork`` for problems of up to n rows and nnz envelope entries."""
    room = min(n, ROOM) if ROOM * nnz >= n * n else 0
    return np.zeros(nnz + (6 + room) * n), np.zeros(4 * n + 1, np.int64)


@part(forceinline=False)
def minimise_on(val, ptr, q, d, z, w, active, start, tol, L, D, u, x, rows, before, head, base):
    """Solve w = 0 on the active rows (z = 0 elsewhere), refined; returns (first dependent row or -1, rounding)."""
    n = q.size
    dependent = factor(val, ptr, active, start, tol, L, D, u, rows, before, head, base)
    rank = before[n]
    for i in range(n):
        z[i] = 0.0
        w[i] = q[i]
    limit = 0.0
    for _ in range(3):  # once, and two refinements where rounding calls for them
        for k in range(rank):
            x[k] = -w[rows[k]]
        substitute(L, D, rank, head, base, x)
        for k in range(rank):
            z[rows[k]] += x[k]
        multiply_active(val, ptr, q, z, w, rows, before)
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
    n = q.size
    D = work[n : 2 * n]
    u = work[2 * n : 3 * n]
    x = work[3 * n : 4 * n]
    d = work[:n]
    for i in range(n):
        a = val[ptr[i + 1] - 1]
        d[i] = sqrt(a) if a > 0.0 else 1.0
    minimise_on(
        val,
        ptr,
        q,
        d,
        z,
        w,
        active,
        0,
        DEPENDENT,
        work[6 * n :],
        D,
        u,
        x,
        iwork[:n],
        iwork[3 * n :],
        iwork[n : 2 * n],
        iwork[2 * n : 3 * n],
    )
    return iwork[4 * n]  # type: ignore[no-any-return]


def rank_in_envelope(E: Envelope, rows: np.ndarray) -> int:
    """Rank of a semidefinite matrix on the given rows, as ``active_set`` counts it."""
    n = len(rows)
    q, z, w = np.zeros(n), np.empty(n), np.empty(n)
    return minimise(E.val, E.ptr, q, rows if E.order is None else rows[E.order], z, w, *workspace(n, len(E.val)))
