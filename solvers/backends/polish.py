"""Sharpen an iterative answer: solve the equations of its active set exactly, and keep the better of the two."""

from __future__ import annotations

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import MLCP

LARGE = 500
"""Rows beyond which sparse problems are solved by sparse factors, and symmetric ones in their envelope."""

REFINEMENTS = 3

SLIGHT = 1e-5
"""What an iterative z may be instead of 0, in units in which q is of order 1."""


def polish(problem: MLCP, z: Array) -> Array:
    """z, or the solution on an active set that z suggests if its residual is smaller. The problem is a scaled one."""
    z = np.where(problem.still, 0.0, z)
    w = problem.w(z)
    best, least = z, problem.residual(z, w)
    # Rows near the border (z and w both small) may belong to either side: try both, and where nothing pulls, none.
    border = max(least, 1e-12)
    for active in (z > w, z > w + 10 * border, z > w - 10 * border, z > np.maximum(w, SLIGHT)):
        if least <= 1e-12:
            break
        candidate = _on_active_set(problem, (problem.free | active) & ~problem.still, best)
        candidate = np.where(problem.free, candidate, np.maximum(candidate, 0.0))
        residual = problem.residual(candidate)
        if residual < least:
            best, least = candidate, residual
    return best


def _on_active_set(problem: MLCP, active: Array, z: Array) -> Array:
    """z + correction with w = 0 on the active rows, z = 0 elsewhere; the least correction where rows are dependent.

    Dependent rows that contradict each other cannot all have w = 0, be it by a billionth: the least squares leave w
    with M w = 0. Then ½ zᵀM z + qᵀz falls along -w, and the row whose z comes to zero first leaves the set. Iterative
    methods share the load out over all of them, so that their z does not tell which.
    """
    z = np.where(active, z, 0.0)
    if not active.any():
        return z
    if problem.n > LARGE and problem.symmetric:
        return _in_envelope(problem, active)
    if problem.n > LARGE and mx.is_sparse(problem.M) and not mx.costly_factors(problem.M):
        return _by_sparse_factors(problem, active, z)
    if problem.n > mx.DENSE_LIMIT:
        return z
    M, active = mx.to_dense(problem.M), active.copy()
    while True:
        block = M[np.ix_(active, active)]
        for _ in range(2):
            z[active] -= np.linalg.lstsq(block, problem.w(z)[active], rcond=1e-13)[0]
        w = problem.w(z)
        leaving = np.flatnonzero(active & ~problem.free & (w > 1e-12))
        # M w = 0 of such a w to many digits; what is not so has other reasons.
        if not leaving.size or np.abs(block @ w[active]).max() > 1e-3 * w[leaving].max() or not problem.symmetric:
            return z
        i = leaving[np.argmin(np.maximum(z[leaving], 0.0) / w[leaving])]
        z[active] -= max(z[i], 0.0) / w[i] * w[active]
        z[i], active[i] = 0.0, False


def _by_sparse_factors(problem: MLCP, active: Array, z: Array) -> Array:
    """Refined until errors are rounding of each row by itself; z as it is where the rows are dependent."""
    from scipy.sparse.linalg import splu

    rows = np.flatnonzero(active)
    try:
        factors = splu(problem.M[rows][:, rows].tocsc())
    except RuntimeError:  # exactly singular
        return z
    x = z.copy()
    for _ in range(REFINEMENTS):
        x[rows] -= factors.solve(problem.w(x)[rows])
    return x if np.isfinite(x).all() else z


def _in_envelope(problem: MLCP, active: Array) -> Array:
    from solvers.active_set.basis import minimise
    from solvers.active_set.envelope import workspace

    E = problem.envelope
    order = slice(None) if E.order is None else E.order
    x, w = np.empty(problem.n), np.empty(problem.n)
    minimise(E.val, E.ptr, problem.q[order], active[order], x, w, *workspace(problem.n, len(E.val)))
    z = np.empty(problem.n)
    z[order] = x
    return z
