"""Is z the only solution? For symmetric semidefinite M the answer is a matter of linear algebra.

All solutions share w, so they are {z : M z = w - q, z ≥ 0, z_i = 0 where w_i > 0}. With T the rows where w_i = 0, z is
the only one if and only if no y ≠ 0 lives on T with M y = 0 and y_i ≥ 0 wherever z_i = 0 (free rows: any sign).
"""

from __future__ import annotations

import numpy as np

from solvers import matrix as mx
from solvers.halfspaces import lifted
from solvers.matrix import Array
from solvers.problem import MLCP

# Singular values below this share of the largest belong to the null space (rounding makes some 1e-16 n).
RANK = 1e-11
# z and w below this, in the scaled units of the residual, count as zero.
ZERO = 1e-9


def taut_rows(problem: MLCP, z: Array, w: Array) -> Array:
    """(n,) bool: rows where w_i is zero."""
    return np.asarray(problem.free | (np.abs(problem.shares(z, w)[1]) <= ZERO))


def idle_rows(problem: MLCP, z: Array, w: Array) -> Array:
    """(n,) bool: unilateral rows where z_i is zero."""
    return np.asarray(~problem.free & (problem.shares(z, w)[0] <= ZERO))


def null_space(problem: MLCP, rows: Array) -> tuple[Array, Array]:
    """(singular values of the scaled M on the given rows, null vectors (n, k): y on these rows with M y = 0).

    The null vectors are orthonormal in scaled units. For semidefinite symmetric M those of the block are those of M.
    """
    column = problem.scaled.column
    index = np.flatnonzero(rows)
    M = mx.to_dense(problem.scaled.problem.M)
    if not index.size:
        return np.zeros(0), np.zeros((problem.n, 0))
    _, S, Vt = np.linalg.svd(M[np.ix_(index, index)])
    values = S
    if not problem.psd:
        _, values, Vt = np.linalg.svd(M[:, index])
    k = int(np.count_nonzero(float(values[0]) * RANK >= values))
    N = np.zeros((problem.n, k))
    N[index] = Vt[index.size - k :].T
    N[np.abs(N) < 1e-12] = 0.0  # rounding of unit vectors; as a row of its own it would set the scale
    return S, N * column[:, None]


def rank_of_values(S: Array) -> int:
    """Number of singular values, in falling order, that are not rounding."""
    return int(np.count_nonzero(float(S[0]) * RANK < S)) if S.size else 0


def rank_on(problem: MLCP, rows: Array) -> tuple[int, float]:
    """Rank and condition of the scaled M on the given rows; beyond the dense limit (-1, NaN) unless symmetric."""
    count = int(rows.sum())
    if count == 0:
        return 0, 1.0
    if count <= 1000 and problem.n <= mx.DENSE_LIMIT:
        S, _ = null_space(problem, rows)
        r = rank_of_values(S)
        return r, float(S[0] / S[r - 1]) if r else 1.0
    if not problem.symmetric:
        return -1, float("nan")
    from solvers.active_set.basis import rank_in_envelope

    return rank_in_envelope(problem.envelope, rows), float("nan")


def dimension(problem: MLCP, N: Array, zero: Array) -> int:
    """Dimension of {c : (N c)_i ≥ 0 where z_i is zero}, that of the set of all z (symmetric semidefinite M)."""
    return dimension_of(N.shape[1], N[zero] / problem.scaled.column[zero, None])


def dimension_of(k: int, B: Array) -> int:
    """Dimension of {c : B c ≥ 0}, c of k numbers: of the rows those that no c can lift are equations."""
    if k == 0 or not len(B):
        return k
    return k - int(np.linalg.matrix_rank(B[~lifted(B)[0]], tol=1e-9))
