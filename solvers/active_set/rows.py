"""Some rows of a semidefinite A, factored: the rank of A on them, how independent they are, and what they bear.

In the envelope of A, or by fronts, where there is an order of them: ``large``, which is None of all other problems.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set import fronts
from solvers.active_set.basis import DEPENDENT
from solvers.active_set.envelope import factor, memory, multiply, substitute
from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import value


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
