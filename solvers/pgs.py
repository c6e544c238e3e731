"""Projected Gauss-Seidel, plain numpy: one row after the other, z_i <- max(0, z_i - relaxation * w_i / M_ii).

With ``relaxation`` between 0 and 2 (1: Gauss-Seidel) this is projected successive over-relaxation. For symmetric
semidefinite M it converges whenever a solution exists, at the rate of Gauss-Seidel: slowly for many wires on one body,
hardly at all along chains of hundreds. On an impossible problem z runs off along a Farkas vector.

Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 5.2.
"""

from __future__ import annotations

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import MLCP, ProblemError
from solvers.solution import Answer
from solvers.status import Status


def solve(
    problem: MLCP,
    start: Array | None = None,
    *,
    relaxation: float = 1.0,
    max_iterations: int | None = None,
    tolerance: float = 1e-11,
) -> Answer:
    """Back-end; stops when max|min(z, w)| of the scaled rows is below ``tolerance``.

    ``max_iterations`` (sweeps) defaults to 5000, fewer where a million row updates are reached first.
    """
    if not 0 < relaxation < 2:
        raise ProblemError(f"relaxation must be between 0 and 2, got {relaxation}")
    n = problem.n
    limit = max(100, min(5000, 1_000_000 // n)) if max_iterations is None else max_iterations
    diagonal = mx.diagonal(problem.M)
    column = _columns(problem.M)
    for i in np.flatnonzero(~(diagonal > 0)).tolist():
        if diagonal[i] < 0 or np.any(column(i)[1]):
            return Answer(None, Status.UNSUPPORTED, 0, message=f"pgs needs M[i, i] > 0; M[{i}, {i}] is {diagonal[i]}")
    step = np.where(diagonal > 0, relaxation / np.where(diagonal > 0, diagonal, 1.0), 0.0)
    z = np.zeros(n) if start is None else np.maximum(start, 0.0)
    earlier = z.copy()
    for sweep in range(1, limit + 1):
        w = problem.w(z)  # once a sweep from z itself: what the updates round away does not pile up
        if np.max(np.abs(np.minimum(z, w))) <= tolerance:
            return Answer(z, Status.SOLVED, sweep - 1)
        if sweep % 100 == 1:
            earlier = z.copy()
        for i in range(n):
            change = max(-step[i] * w[i], -z[i])
            if change != 0.0:
                z[i] += change
                rows, entries = column(i)
                w[rows] += entries * change
    return Answer(z, Status.ITERATION_LIMIT, limit, y=z - earlier)


def _columns(M: mx.Matrix):  # type: ignore[no-untyped-def]
    """Function i -> (row numbers, entries) of column i."""
    if isinstance(M, np.ndarray):
        T, everywhere = np.ascontiguousarray(M.T), slice(None)
        return lambda i: (everywhere, T[i])
    C = mx.to_sparse(M).tocsc()
    return lambda i: (C.indices[C.indptr[i] : C.indptr[i + 1]], C.data[C.indptr[i] : C.indptr[i + 1]])
