"""Kernels around one basis: z that makes w = 0 on a set of rows, and the judgement of z and w.

Used by :mod:`solvers.active_set.pivoting` and :mod:`solvers.active_set.loop`, which choose the set. Of a given set of
rows, the rank, how independent they are, and what they bear, are found in the envelope of A, or by fronts where there
is an order of them: ``large``, which is None of all other problems.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from solvers.active_set import fronts
from solvers.active_set.envelope import entry, factor, memory, multiply, multiply_active, substitute, workspace
from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import value
from solvers.status import ACCEPT

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
# A sign counts as wrong beyond this share of the size of its row.
WRONG = 1e-12
# Share of the q of connected rows below which w is rounding of theirs.
ROUNDED, ROUNDED_SIZE = 1e-15, 1e-6
# Share of sqrt(A_ii A_jj) below which an entry may be all rounding, see ``solvers.matrix.sizes``.
NEAR = 1e-6
# Share of q by which w may miss without anybody asking whether z has run away, and terms A z that make them ask.
SHORT, FAR = 1e-8, 1e6


@part()
def size_of_entry(a, d, e):
    """|A_ij| for entries whose rows have the diagonals d² and e²; as LLVM makes vectors of it."""
    size, least = abs(a), NEAR * d * e
    size = least if size < least else size  # which may be NaN
    return size if a != 0.0 else 0.0


@part(forceinline=False, fastmath={"contract", "reassoc"})
def add_sizes(val, low, d, z, s, first, length, e, x):
    """Σ |A_ij z_j| left of the diagonal of a row, whose diagonal is e²; |A_ij x| is added to s_j, of these rows."""
    total = 0.0
    for k in range(length):
        size = size_of_entry(val[low + k], e, d[first + k])
        total += size * abs(z[first + k])
        s[first + k] += size * x
    return total


@part(forceinline=False)
def row_size(val, ptr, q, z, i):
    """s_i = |q_i| + Σ |A_ij z_j|, the size of what w_i is the sum of."""
    n = q.size
    low, end = ptr[i], ptr[i + 1] - 1
    first = i - (end - low)
    s = abs(q[i]) + abs(val[end] * z[i])
    d = sqrt(max(val[end], 0.0))
    for j in range(first, i):
        if z[j] != 0.0:
            s += size_of_entry(val[low + j - first], d, sqrt(max(val[ptr[j + 1] - 1], 0.0))) * abs(z[j])
    for j in range(i + 1, n):
        at = ptr[j + 1] - 1 - (j - i)
        if at >= ptr[j] and z[j] != 0.0:
            s += size_of_entry(val[at], d, sqrt(max(val[ptr[j + 1] - 1], 0.0))) * abs(z[j])
    return s


@part()
def wrong_rate(val, ptr, q, z, w, i, limit):
    """Whether |w_i| is more than rounding of its row, and w_i² / A_ii more than a limit, or is no number."""
    r, a = abs(w[i]), val[ptr[i + 1] - 1]
    if not (r < inf and abs(z[i]) < inf):
        return True
    if r * r <= limit * a or r <= WRONG * (abs(q[i]) + abs(a * z[i])):
        return False
    return not r <= WRONG * row_size(val, ptr, q, z, i)


@part()
def wrong_impulse(val, ptr, q, z, i, limit):
    """Whether |z_i| is more than rounding of its row, and z_i² A_ii more than a limit, or is no number."""
    a = val[ptr[i + 1] - 1]
    if not abs(z[i]) < inf:
        return True
    return not z[i] * z[i] * a <= limit and not a * abs(z[i]) <= WRONG * row_size(val, ptr, q, z, i)


@part(forceinline=False)
def minimise_on(val, ptr, q, z, w, active, start, tol, m):
    """Solve w = 0 on the active rows (z = 0 elsewhere), refined; returns the first dependent row or -1.

    m : Memory, with ``d``; its factors are those of the active rows then, its x is scratch
    """
    n = q.size
    d, x, rows = m.d, m.x, m.rows
    dependent = factor(val, ptr, active, start, tol, m)
    rank = m.before[n]
    for i in range(n):
        z[i] = 0.0
        w[i] = q[i]
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
        if not worst > ROUNDING * largest:
            break
    return dependent


@part()
def push(kind, q):
    """|q| of a row that is free, or whose q makes it act; 0 of a wire that opens, which gives no impulse its size.

    Or else a wire that acts on nothing but by rounding errors, whose |q/d| has no bound, would make all others small.
    """
    return 0.0 if kind == UNILATERAL and q > 0.0 else abs(q)


@part(forceinline=False)
def measure(val, ptr, q, kind, rounding, m):
    """Write ``m.d`` and ``m.least``; False if q or the diagonal are not finite.

    The largest |q/d| of those that push goes from row to row over the entries of A until nothing changes; two sweeps do
    for a chain. Rows that are connected with none but their like may come with nothing but ``rounding`` errors in q,
    and contradict each other by that (bracing out of the plane of a planar mechanism): up to ACCEPT of all q it is
    forgiven.
    """
    n, d, least = q.size, m.d, m.least
    scale = 0.0
    for i in range(n):
        a = val[ptr[i + 1] - 1]
        d[i] = sqrt(a) if a > 0.0 else _reach(val, ptr, i)
        least[i] = push(kind[i], q[i]) / d[i]
        if not abs(a) < inf or (kind[i] != OFF and not (least[i] < inf and abs(q[i]) < inf)):
            return False
        if kind[i] == OFF:
            least[i] = 0.0
        scale = max(scale, least[i])
    changed = not _all_meet(val, ptr, kind, least, scale)
    while changed:
        changed = False
        for sweep in range(2):
            for step in range(n):
                i = step if sweep == 0 else n - 1 - step
                low = ptr[i]
                first = i + 1 - (ptr[i + 1] - low)
                for j in range(first, i):
                    if least[j] != least[i] and val[low + j - first] != 0.0 and kind[i] != OFF and kind[j] != OFF:
                        least[i] = least[j] = max(least[i], least[j])
                        changed = True
    for i in range(n):
        limit = max(ROUNDED * least[i], min(rounding / d[i], ACCEPT * scale))
        least[i] = limit * limit
    return True


@part(forceinline=False)
def _reach(val, ptr, i):
    """In place of the root of a diagonal that is not positive: max |A_ij| / sqrt(A_jj), so that units do not matter.

    Of a semidefinite A the whole row is zero, and any number will do.
    """
    found = 0.0
    for j in range(ptr.size - 1):
        size, a = abs(entry(val, ptr, i, j)), val[ptr[j + 1] - 1]
        found = max(found, size / sqrt(a) if a > 0.0 else sqrt(size))
    return found if 0.0 < found < inf else 1.0


@part(forceinline=False)
def _all_meet(val, ptr, kind, least, scale):
    """Whether the row with the largest |q/d| meets all others: then these have it at once, as in a dense matrix."""
    n = kind.size
    top = 0
    for i in range(n):
        if least[i] == scale and kind[i] != OFF:
            top = i
    low = ptr[top]
    first = top + 1 - (ptr[top + 1] - low)
    for j in range(n):
        if kind[j] == OFF or j == top:
            continue
        at = low + j - first if j < top else ptr[j + 1] - 1 - (j - top)
        if at < (low if j < top else ptr[j]) or val[at] == 0.0:
            return False
    for j in range(n):
        if kind[j] != OFF:
            least[j] = scale
    return True


@part(forceinline=False)
def judge(val, ptr, q, kind, z, w, m):
    """(residual, whether z may have run away): see ``solvers.problem``; rows switched off are not judged.

    Beside a dependent row z may run away until terms that cancel make any w_i small in comparison. That is ruled out
    where w is small beside its q or rounding, or the terms are not far larger than the q of connected rows.

    m : Memory with ``d`` and ``least``;  ``x`` and ``y`` are scratch
    """
    n, d, s, rate = q.size, m.d, m.x, m.y
    scale = 0.0
    for i in range(n):
        s[i] = abs(q[i])
        scale = max(scale, push(kind[i], q[i]) / d[i])
    for i in range(n):
        low, end = ptr[i], ptr[i + 1] - 1
        first, x = i - (end - low), abs(z[i])
        s[i] += abs(val[end]) * x + add_sizes(val, low, d, z, s, first, end - low, d[i], x)
    worst, far, top = 0.0, False, 0
    for i in range(n):
        s[i] = max(s[i], sqrt(m.least[i]) * d[i] * (ROUNDED_SIZE / ROUNDED))
        rate[i] = 0.0
        if kind[i] == OFF:
            continue
        if not (abs(w[i]) < inf and s[i] < inf):
            return inf, True
        r = w[i] / s[i] if s[i] > 0.0 else 0.0
        if kind[i] == UNILATERAL:
            rate[i] = r if z[i] != 0.0 else 0.0
            r = min(r, 0.0)
            top = i if rate[i] > rate[top] else top
        worst = max(worst, abs(r))
        missed = (abs(w[i]) if kind[i] != UNILATERAL else -w[i]) > max(SHORT * abs(q[i]), sqrt(m.least[i]) * d[i])
        far |= missed and s[i] > FAR * d[i] * min(sqrt(m.least[i]) / ROUNDED, scale)
    for step in range(-1, n):  # of a row that pulls the smaller one of z and w counts: the largest w first
        i = top if step < 0 else step
        if kind[i] == UNILATERAL and (z[i] < 0.0 or rate[i] > worst):
            worst = max(worst, abs(min(_share(val, ptr, d, s, z, i), rate[i])))
    return worst, far


@part(forceinline=False)
def _share(val, ptr, d, s, z, i):
    """z_i max_j |A_ij| / s_j, or z_i itself where no row feels it."""
    felt = 0.0
    for j in range(z.size):
        low, high = (j, i) if j < i else (i, j)
        at = ptr[high + 1] - 1 - (high - low)
        if at >= ptr[high] and s[j] > 0.0:
            felt = max(felt, size_of_entry(val[at], d[i], d[j]) / s[j])
    return z[i] * felt if felt > 0.0 else z[i]


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


@kernel()
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


@part()
def rank_of(large, val, ptr, rows, work, iwork):
    """Rank of A on the rows of a mask, which are factored then; work and iwork from ``workspace``."""
    if large is None:
        return _rank(val, ptr, rows, work, iwork)
    return _rank_by_fronts(large, val, ptr, rows, work, iwork)


@part()
def independence(large, val, ptr, rows, work, iwork):
    """What is left of A_ii when row i of a mask is eliminated, its least share; 0 of dependent rows, 1 of none.

    The rows are factored then, as by ``rank_of``.
    """
    if large is None:
        return _independence(val, ptr, rows, work, iwork)
    return _independence_by_fronts(large, val, ptr, rows, work, iwork)


@part()
def solve_on(large, ptr, b, rank, z, work, iwork):
    """z with A z = b on the rows that ``rank_of`` has factored, 0 elsewhere and on rows that depend on those before.

    rank : as ``rank_of`` told it;  b : may be z
    """
    if large is None:
        _solve(ptr, b, rank, z, work, iwork)
    else:
        fronts.solve_rows(large.tree, large.factors, b, z)


@part()
def product(large, val, ptr, q, z, w):
    """w = A z + q; w may be q."""
    if large is None:
        multiply(val, ptr, q, z, w)
    else:
        fronts.multiply(val, ptr, large.tree, q, z, w)


@kernel()
def _rank(val, ptr, rows, work, iwork):
    m = memory(ptr, work, iwork)
    factor(val, ptr, rows, 0, DEPENDENT, m)
    return m.before[rows.size]


@kernel()
def _rank_by_fronts(large, val, ptr, rows, work, iwork):
    m = memory(ptr, work, iwork)
    return fronts.factor(val, ptr, large.tree, rows, DEPENDENT, large.factors, m.rows, m.u)


@kernel()
def _independence(val, ptr, rows, work, iwork):
    m = memory(ptr, work, iwork)
    if factor(val, ptr, rows, 0, DEPENDENT, m) >= 0:
        return 0.0
    least = 1.0
    for k in range(m.before[rows.size]):
        least = min(least, 1.0 / value(m.D[k] * val[ptr[m.rows[k] + 1] - 1]))
    return least


@kernel()
def _independence_by_fronts(large, val, ptr, rows, work, iwork):
    _rank_by_fronts(large, val, ptr, rows, work, iwork)
    D, least = large.factors.D, 1.0
    for k in range(rows.size):
        i = large.tree.row[k]
        if rows[i]:
            least = min(least, 1.0 / (D[k] * val[ptr[i + 1] - 1]) if D[k] != 0.0 else 0.0)
    return least


@kernel()
def _solve(ptr, b, rank, z, work, iwork):
    m = memory(ptr, work, iwork)
    for k in range(rank):
        m.u[k] = b[m.rows[k]]
    substitute(m, rank, m.u)
    for i in range(z.size):
        z[i] = 0.0
    for k in range(rank):
        z[m.rows[k]] = m.u[k]


def rank_in_envelope(E: Envelope, rows: np.ndarray) -> int:
    """Rank of a semidefinite matrix on the given rows, as ``active_set`` counts it."""
    n = len(rows)
    q, z, w = np.zeros(n), np.empty(n), np.empty(n)
    return minimise(E.val, E.ptr, q, rows if E.order is None else rows[E.order], z, w, *workspace(n, len(E.val)))
