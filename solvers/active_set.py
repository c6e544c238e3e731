"""Warm-started active set for symmetric positive semidefinite LCPs with free rows, compiled.

    w = A z + q,    unilateral rows 0 ≤ w ⟂ z ≥ 0,    free rows w = 0,    rows switched off z = 0

that is the KKT system of  min ½ zᵀA z + qᵀz  over z ≥ 0 (z of any sign on free rows).

1. *Block pivoting* (Júdice & Pires 1994; Portugal, Júdice & Vicente 1994): solve on the guessed active set, exchange
   every row that has the wrong sign, repeat. A good guess needs one factorisation.
2. If the count of wrong signs stalls, the same once more from "all rows active" (impulses that run down a chain).
3. *Descent* (the single exchanges of Lawson & Hanson 1974, extended to singular A): stay at a feasible z, let the worst
   row in, walk to the minimum or to the first z that becomes zero. The objective falls strictly, so no basis returns.
   A direction y ≥ 0 with A y = 0 and qᵀy < 0 met on the way proves that no solution exists (Farkas).

A row that depends on the accepted ones is skipped by the factorisation and keeps z = 0: the answer is a basic one, and
n wires on a body of rank r cost n r². LDLᵀ is unchanged by a symmetric scaling, so d = sqrt(A_ii) enters only where
rows are compared and judged.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from solvers.compiled import kernel
from solvers.envelope import LEAN, back_substitute, factor, multiply, multiply_active, substitute
from solvers.solution import Answer
from solvers.status import (
    ACCEPT,
    CODES,
    FARKAS_GAP,
    INFEASIBLE,
    INVALID,
    ITERATION_LIMIT,
    NO_CONCLUSION,
    SOLVED,
    Status,
)

if TYPE_CHECKING:
    from solvers.matrix import Envelope
    from solvers.problem import MLCP

UNILATERAL, FREE, OFF = 0, 1, 2

# Relative pivots of rounding size are about n eps; wires 1e-5 rad apart give 1e-10. What the first tolerance misjudges
# the second attempt takes as independent.
DEPENDENT = 1e-10
STRICTLY_DEPENDENT = 1e-13
# A sign counts as wrong beyond this share of max|q/d|, plus what rounding in A z can make.
WRONG = 1e-12
ROUNDING = 4e-15
# Block exchanges that may pass without a new minimum of wrong signs.
PATIENCE = 4


def workspace(n: int, nnz: int) -> tuple[np.ndarray, np.ndarray]:
    """Scratch arrays ``work, iwork`` for problems of up to n rows and nnz envelope entries."""
    return np.zeros(nnz + 7 * n), np.zeros(4 * n + 1, np.int64)


def _minimise_rows(val, ptr, q, d, z, w, active, start, tol, L, D, u, x, rows, before, head, base):
    """Solve w = 0 on the active rows (z = 0 elsewhere), refined; returns (first dependent row or -1, rounding)."""
    n = q.size
    dependent = factor(val, ptr, active, start, tol, L, D, u, rows, before, head, base)
    rank = before[n]
    for k in range(rank):
        x[k] = -q[rows[k]]
    substitute(L, D, rank, head, base, x)
    for i in range(n):
        z[i] = 0.0
    for k in range(rank):
        z[rows[k]] = x[k]
    multiply_active(val, ptr, q, z, w, rows, before)
    limit = 0.0
    for _ in range(2):
        worst = 0.0
        largest = 0.0
        for k in range(rank):
            i = rows[k]
            worst = max(worst, abs(w[i]) / d[i])
            largest = max(largest, abs(z[i]) * d[i])
        limit = ROUNDING * largest
        if not worst > limit:
            break
        for k in range(rank):
            x[k] = -w[rows[k]]
        substitute(L, D, rank, head, base, x)
        for k in range(rank):
            z[rows[k]] += x[k]
        multiply_active(val, ptr, q, z, w, rows, before)
    return dependent, limit


_minimise = kernel(inline="always", **LEAN)(_minimise_rows)  # where a good guess must cost nothing more
_minimise_apart = kernel(**LEAN)(_minimise_rows)  # elsewhere: compiled once


@kernel(**LEAN)
def _judge(q, d, kind, z, w):
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


@kernel(**LEAN)
def _clamp(val, ptr, q, kind, z, w):
    """Negative z of rounding size become zero."""
    changed = False
    for i in range(q.size):
        if kind[i] == UNILATERAL and z[i] < 0.0:
            z[i] = 0.0
            changed = True
    if changed:
        multiply(val, ptr, q, z, w)


@kernel(**LEAN)
def _block(val, ptr, q, kind, d, scale, z, w, active, tol, L, D, u, x, rows, before, head, base):
    """Block pivoting from the given active set; returns (no wrong sign left, dependent rows met, iterations)."""
    n = q.size
    fewest = n + 1
    patience = PATIENCE
    iterations = 0
    singular = False
    while True:
        dependent, rounding = _minimise_apart(
            val, ptr, q, d, z, w, active, 0, tol, L, D, u, x, rows, before, head, base
        )
        iterations += 1
        singular |= dependent >= 0
        limit = WRONG * scale + rounding
        wrong = 0
        movable = 0
        for i in range(n):
            if kind[i] == OFF:
                continue
            accepted = before[i + 1] > before[i]
            if kind[i] == FREE:
                if not accepted and abs(w[i]) > limit * d[i]:
                    wrong += 1
            elif accepted:
                if z[i] * d[i] < -limit:
                    wrong += 1
                    movable += 1
            elif w[i] < -limit * d[i]:
                wrong += 1
                if not active[i]:
                    movable += 1
        if wrong == 0:
            return True, singular, iterations
        if wrong < fewest:
            fewest = wrong
            patience = PATIENCE
        else:
            # Exchanges of whole blocks rarely settle which of many dependent rows belong in the basis.
            patience -= PATIENCE if singular else 1
        if patience <= 0 or movable == 0:
            return False, singular, iterations
        for i in range(n):
            if kind[i] == UNILATERAL:
                if before[i + 1] > before[i]:
                    active[i] = z[i] * d[i] >= -limit
                else:
                    active[i] = w[i] < -limit * d[i]


@kernel(**LEAN)
def _worst_row(q, kind, d, w, active, limit):
    """Inactive row with the most wrong w, or -1."""
    row = -1
    for i in range(q.size):
        if active[i] or kind[i] == OFF:
            continue
        r = -w[i] / d[i] if kind[i] == UNILATERAL else abs(w[i]) / d[i]
        if r > limit:
            limit = r
            row = i
    return row


@kernel(**LEAN)
def _null_direction(ptr, row, sign, dependent, L, x, y, rows, before, head, base):
    """The y with A y = 0 that a dependent row makes with the accepted rows before it, scaled to y[row] = sign."""
    for i in range(y.size):
        y[i] = 0.0
    rank = before[dependent]
    first = dependent + 1 - (ptr[dependent + 1] - ptr[dependent])
    c0 = before[first]
    for k in range(c0):
        x[k] = 0.0
    for k in range(c0, rank):
        x[k] = -L[ptr[dependent] + k - c0]
    back_substitute(L, rank, head, base, x)
    for k in range(rank):
        y[rows[k]] = x[k]
    y[dependent] = 1.0
    factor_ = sign / y[row]
    for i in range(y.size):
        y[i] *= factor_


@kernel(**LEAN)
def _certify(val, ptr, q, kind, d, scale, y, gap):
    """Whether y ≥ 0, A y ≤ 0 (= 0 on free rows), qᵀy < 0; scales y to max|d y| = 1 and puts A y into gap."""
    n = q.size
    largest = 0.0
    for i in range(n):
        if kind[i] == UNILATERAL and y[i] < 0.0:
            y[i] = 0.0
        largest = max(largest, abs(y[i]) * d[i])
    if not 0.0 < largest < inf:
        return False
    fall = 0.0
    for i in range(n):
        y[i] /= largest
        fall -= q[i] * y[i]
        gap[i] = 0.0
    multiply(val, ptr, gap, y, gap)
    worst = 0.0
    for i in range(n):
        if kind[i] == UNILATERAL:
            worst = max(worst, gap[i] / d[i])
        elif kind[i] == FREE:
            worst = max(worst, abs(gap[i]) / d[i])
    margin = fall / scale
    return margin > ACCEPT and worst <= FARKAS_GAP * margin


@kernel(**LEAN)
def _descend(val, ptr, q, kind, d, scale, z, w, active, most, tol, L, D, u, x, y, t, rows, before, head, base):
    """Single exchanges from a feasible z; returns (status, iterations), NO_CONCLUSION: nothing wrong, to be judged."""
    n = q.size
    iterations = 0
    # A feasible start: drop what is negative until nothing is.
    start = 0
    while True:
        _, rounding = _minimise_apart(val, ptr, q, d, z, w, active, start, tol, L, D, u, x, rows, before, head, base)
        iterations += 1
        start = n
        for i in range(n):
            if before[i + 1] == before[i]:
                active[i] = False
            elif kind[i] == UNILATERAL and z[i] < 0.0:
                active[i] = False
                start = min(start, i)
        if start == n:
            break
    while iterations < most:
        row = _worst_row(q, kind, d, w, active, WRONG * scale + rounding)
        if row < 0:
            return NO_CONCLUSION, iterations
        sign = -1.0 if kind[row] == FREE and w[row] > 0.0 else 1.0
        active[row] = True
        start = row
        # t is the minimiser on the active rows; z walks towards it.
        while True:
            dependent, rounding = _minimise_apart(
                val, ptr, q, d, t, w, active, start, tol, L, D, u, x, rows, before, head, base
            )
            iterations += 1
            start = n
            if dependent >= 0 and active[row] and z[row] == 0.0:
                _null_direction(ptr, row, sign, dependent, L, x, y, rows, before, head, base)
                step = inf
            else:
                for i in range(n):
                    y[i] = t[i] - z[i]
                step = 1.0
            leaving = -1
            small = 0.0
            for i in range(n):
                small = max(small, abs(y[i]) * d[i])
            small *= STRICTLY_DEPENDENT
            for i in range(n):
                if active[i] and kind[i] == UNILATERAL and y[i] * d[i] < -small and z[i] < -step * y[i]:
                    step = -z[i] / y[i]
                    leaving = i
            if leaving < 0:
                if step == inf:
                    if _certify(val, ptr, q, kind, d, scale, y, t):
                        for i in range(n):
                            z[i] = y[i]
                            w[i] = t[i]
                        return INFEASIBLE, iterations
                    return ITERATION_LIMIT, iterations
                for i in range(n):
                    z[i] = t[i]
                    if before[i + 1] == before[i]:
                        active[i] = False
                break
            if iterations >= most:
                return ITERATION_LIMIT, iterations
            for i in range(n):
                if active[i]:
                    z[i] += step * y[i]
                    if kind[i] == UNILATERAL and (i == leaving or z[i] <= 0.0):
                        z[i] = 0.0
                        if i != row or leaving == row:
                            active[i] = False
                            start = min(start, i)
    return ITERATION_LIMIT, iterations


@kernel(**LEAN)
def _search(val, ptr, q, kind, z, w, taut, work, iwork, scale):
    """The three stages in turn, from the guess in ``taut``; arguments and return value of ``active_set``."""
    n = q.size
    nnz = ptr[n]
    d = work[:n]
    D = work[n : 2 * n]
    u = work[2 * n : 3 * n]
    x = work[3 * n : 4 * n]
    y = work[4 * n : 5 * n]
    t = work[5 * n : 6 * n]
    L = work[6 * n : 6 * n + nnz]
    rows = iwork[:n]
    head = iwork[n : 2 * n]
    base = iwork[2 * n : 3 * n]
    before = iwork[3 * n : 4 * n + 1]
    status = NO_CONCLUSION
    residual = np.nan
    singular = False
    iterations = 0
    for stage in range(4):
        if stage < 2:
            if stage == 1:
                if singular:
                    continue
                for i in range(n):
                    taut[i] = kind[i] != OFF
            good, singular, more = _block(
                val, ptr, q, kind, d, scale, z, w, taut, DEPENDENT, L, D, u, x, rows, before, head, base
            )
            status = NO_CONCLUSION if good else ITERATION_LIMIT
        else:
            tol = DEPENDENT if stage == 2 else STRICTLY_DEPENDENT
            most = min(50 + 5 * n, 3000)
            status, more = _descend(
                val, ptr, q, kind, d, scale, z, w, taut, most, tol, L, D, u, x, y, t, rows, before, head, base
            )
        iterations += more
        if status == INFEASIBLE:
            return status, iterations, np.nan, before[n]
        if status == NO_CONCLUSION:
            _clamp(val, ptr, q, kind, z, w)
            residual = _judge(q, d, kind, z, w) / scale
            if residual <= ACCEPT:
                for i in range(n):
                    taut[i] = before[i + 1] > before[i]
                return SOLVED, iterations, residual, before[n]
    return status, iterations, residual, before[n]


@kernel(**LEAN)
def active_set(
    val: np.ndarray,
    ptr: np.ndarray,
    q: np.ndarray,
    kind: np.ndarray,
    z: np.ndarray,
    w: np.ndarray,
    taut: np.ndarray,
    work: np.ndarray,
    iwork: np.ndarray,
) -> tuple[int, int, float, int]:
    """Solve, and judge the answer by w = A z + q computed from A itself.

    Parameters
    ----------
    val, ptr : envelope of A (see ``solvers.envelope``), symmetric positive semidefinite; not modified
    q : (n,)
    kind : (n,) int8; 0 unilateral, 1 free, 2 switched off
    z, w : (n,) out; after INFEASIBLE z is the Farkas vector y (y ≥ 0, A y = 0, qᵀy < 0, max d y = 1) and w is A y
    taut : (n,) bool; in: guess of the active set, out: the basis of the answer
    work, iwork : scratch from ``workspace``

    Returns
    -------
    status : SOLVED, INFEASIBLE, NO_CONCLUSION, ITERATION_LIMIT or INVALID (q or diagonal not finite)
    iterations : factorisations
    residual : max|min(d z, w/d)| / max|q/d|, |w/d| on free rows, d = sqrt(A_ii) (1 where A_ii = 0); NaN unless judged
    rank : rows in the basis
    """
    n = q.size
    nnz = ptr[n]
    d = work[:n]
    D = work[n : 2 * n]
    u = work[2 * n : 3 * n]
    x = work[3 * n : 4 * n]
    L = work[6 * n : 6 * n + nnz]
    rows = iwork[:n]
    head = iwork[n : 2 * n]
    base = iwork[2 * n : 3 * n]
    before = iwork[3 * n : 4 * n + 1]
    scale = 0.0
    for i in range(n):
        a = val[ptr[i + 1] - 1]
        if not abs(a) < inf:
            return INVALID, 0, np.nan, 0
        d[i] = sqrt(a) if a > 0.0 else 1.0
        if kind[i] == OFF:
            taut[i] = False
        else:
            s = abs(q[i]) / d[i]
            if not s < inf:
                return INVALID, 0, np.nan, 0
            scale = max(scale, s)
            if kind[i] == FREE:
                taut[i] = True
    if scale == 0.0:
        for i in range(n):
            z[i] = 0.0
            w[i] = q[i]
            taut[i] = False
        return SOLVED, 0, 0.0, 0

    # A good guess needs no more than this.
    _minimise(val, ptr, q, d, z, w, taut, 0, DEPENDENT, L, D, u, x, rows, before, head, base)
    worst = _judge(q, d, kind, z, w)
    if worst <= WRONG * scale:
        negative = False
        for i in range(n):
            taut[i] = before[i + 1] > before[i]
            negative |= kind[i] == UNILATERAL and z[i] < 0.0
        if not negative:
            return SOLVED, 1, worst / scale, before[n]
    return _search(val, ptr, q, kind, z, w, taut, work, iwork, scale)  # type: ignore[no-any-return]


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
    _minimise_apart(
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


def solve(problem: MLCP, start: np.ndarray | None = None) -> Answer:
    """Back-end: the kernel on the problem's envelope; a start marks the rows whose z is not zero as active."""
    E = problem.envelope
    n = problem.n
    order = slice(None) if E.order is None else E.order
    z, w = np.empty(n), np.empty(n)
    taut = np.zeros(n, bool) if start is None else (start != 0)[order]
    code, iterations, _, _ = active_set(
        E.val, E.ptr, problem.q[order], problem.free[order].astype(np.int8), z, w, taut, *workspace(n, len(E.val))
    )
    if E.order is not None:
        x, z = z, np.empty(n)
        z[E.order] = x
    if code == INFEASIBLE:
        return Answer(None, Status.INFEASIBLE, iterations, y=z)
    return Answer(z if code != INVALID else None, CODES[code], iterations)
