"""Projected Gauss-Seidel, plain numpy: one row after the other, z_i <- max(0, z_i - relaxation * w_i / M_ii).

With ``relaxation`` between 0 and 2 (1: Gauss-Seidel) this is projected successive over-relaxation. For symmetric
semidefinite M it converges whenever a solution exists, at the rate of Gauss-Seidel: slowly for many wires on one body,
hardly at all along chains of hundreds. On an impossible problem z runs off along a Farkas vector.

Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 5.2.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import MLCP, ProblemError
from solvers.quote import show
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
        raise ProblemError(f"relaxation must be between 0 and 2, got {show(relaxation)}")
    n = problem.n
    limit = max(100, min(5000, 1_000_000 // n)) if max_iterations is None else max_iterations
    q, M = problem.q, mx.to_dense(problem.M) if n <= mx.SMALL else mx.to_sparse(problem.M)
    diagonal = mx.diagonal(M)
    column, add = _columns(M)
    for i in np.flatnonzero(~(diagonal > 0)).tolist():
        if diagonal[i] < 0 or np.any(column(i)):
            return Answer(None, Status.UNSUPPORTED, 0, message=f"pgs needs M[i, i] > 0; M[{i}, {i}] is {diagonal[i]}")
    step = np.where(diagonal > 0, relaxation / np.where(diagonal > 0, diagonal, 1.0), 0.0).tolist()
    z = np.zeros(n) if start is None else np.maximum(start, 0.0)
    earlier = z.copy()
    for sweep in range(1, limit + 1):
        w = M @ z + q  # once a sweep from z itself: what the updates round away does not pile up
        if np.abs(np.minimum(z, w)).max() <= tolerance:
            return Answer(z, Status.SOLVED, sweep - 1)
        if sweep % 100 == 1:
            earlier = z.copy()
        x = z.tolist()  # single numbers of a list are read five times faster than those of an array
        for i in range(n):
            change = max(-step[i] * w.item(i), -x[i])
            if change != 0.0:
                x[i] += change
                add(w, i, change)
        z = np.array(x)
    return Answer(z, Status.ITERATION_LIMIT, limit, y=z - earlier)


def _columns(M: mx.Matrix) -> tuple[Callable[[int], Array], Callable[[Array, int, float], None]]:
    """Functions: entries of column i; add a multiple of column i to a vector."""
    if isinstance(M, np.ndarray):
        T = list(np.ascontiguousarray(M.T))

        def add(w: Array, i: int, factor: float) -> None:
            w += T[i] * factor

        return T.__getitem__, add
    C = M.tocsc()
    parts = [slice(*ends) for ends in pairwise(C.indptr.tolist())]

    def add_sparse(w: Array, i: int, factor: float) -> None:
        w[C.indices[parts[i]]] += C.data[parts[i]] * factor

    return lambda i: C.data[parts[i]], add_sparse
