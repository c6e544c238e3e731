"""Is z the only solution? For symmetric semidefinite M the answer is a matter of linear algebra.

All solutions share w, so they are {z : M z = w - q, z ≥ 0, z_i = 0 where w_i > 0}. With T the rows where w_i = 0, z is
the only one if and only if no y ≠ 0 lives on T with M y = 0 and y_i ≥ 0 wherever z_i = 0 (free rows: any sign).
"""

from __future__ import annotations

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import MLCP

# Singular values below this share of the largest belong to the null space (rounding makes some 1e-16 n).
RANK = 1e-11
# z and w below this, in the scaled units of the residual, count as zero.
ZERO = 1e-9


def taut_rows(problem: MLCP, w: Array) -> Array:
    """(n,) bool: rows where w_i is zero."""
    return np.asarray(problem.free | (np.abs(w) / problem.d <= ZERO * problem.scale))


def null_space(problem: MLCP, rows: Array) -> tuple[Array, Array]:
    """(singular values, orthonormal null vectors (n, k)) of the scaled M on the given rows."""
    s = problem.scaled.s
    index = np.flatnonzero(rows)
    block = mx.to_dense(problem.scaled.problem.M)[np.ix_(index, index)]
    if not index.size:
        return np.zeros(0), np.zeros((problem.n, 0))
    _, S, Vt = np.linalg.svd(block)
    k = int(np.count_nonzero(float(S[0]) * RANK >= S))
    N = np.zeros((problem.n, k))
    N[index] = Vt[index.size - k :].T
    N[np.abs(N) < 1e-12] = 0.0  # rounding of unit vectors; as a row of its own it would set the scale
    return S, N * s[:, None]


def rank_on(problem: MLCP, rows: Array) -> tuple[int, float]:
    """Rank and condition of the scaled M on the given rows; beyond the dense limit (-1, NaN) unless symmetric."""
    count = int(rows.sum())
    if count == 0:
        return 0, 1.0
    if count <= 1000 and problem.n <= mx.DENSE_LIMIT:
        S, N = null_space(problem, rows)
        r = count - N.shape[1]
        return r, float(S[0] / S[r - 1]) if r else 1.0
    if not problem.symmetric:
        return -1, float("nan")
    from solvers.active_set.basis import rank_in_envelope

    return rank_in_envelope(problem.envelope, rows), float("nan")


def z_unique(problem: MLCP, z: Array, w: Array) -> bool | None:
    """Whether z is the only solution; None where M is not symmetric semidefinite, or too large to tell."""
    if not problem.psd:
        return None
    taut = taut_rows(problem, w)
    rank, _ = rank_on(problem, taut)
    if rank == int(taut.sum()):
        return True
    if problem.n > mx.DENSE_LIMIT:
        return None
    _, N = null_space(problem, taut)
    zero = taut & ~problem.free & (problem.d * z <= ZERO * max(problem.scale, float(np.max(problem.d * np.abs(z)))))
    if not zero.any():
        return False
    # A direction N c with (N c)_i ≥ 0 on the zero rows: none means unique.
    B = N[zero] * problem.d[zero, None]
    if np.linalg.matrix_rank(B, tol=1e-9) < N.shape[1]:
        return False
    from scipy.optimize import linprog

    answer = linprog(-B.sum(axis=0), A_ub=-B, b_ub=np.zeros(len(B)), bounds=(-1, 1), method="highs")
    return bool(-answer.fun <= 1e-9)
