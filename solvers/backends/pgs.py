"""Projected Gauss-Seidel, compiled: one row after the other, z_i <- max(0, z_i - relaxation * w_i / M_ii).

With ``relaxation`` between 0 and 2 (1: Gauss-Seidel) this is projected successive over-relaxation. For symmetric
semidefinite M it converges whenever a solution exists, at the rate of Gauss-Seidel: slowly for many wires on one body,
hardly at all along chains of hundreds. On an impossible problem z runs off along a Farkas vector; for other M it may
diverge, until z is beyond all floats.

Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), chapter 5.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from solvers import matrix as mx
from solvers.kernels.compiled import kernel
from solvers.kernels.tell import Told, tell
from solvers.log import Callback, Notes
from solvers.quote import show
from solvers.solution import Answer
from solvers.status import Status

if TYPE_CHECKING:
    from solvers.matrix import Array
    from solvers.problem import MLCP

UPDATES = 30_000_000
"""Products M_ij z_j after which a run ends of itself, some 0.1 s."""


@kernel()
def sweep(
    data: np.ndarray,
    column: np.ndarray,
    ptr: np.ndarray,
    q: np.ndarray,
    step: np.ndarray,
    z: np.ndarray,
    earlier: np.ndarray,
    limit: int,
    tolerance: float,
    told: Told,
) -> tuple[int, float]:
    """Sweep until max|min(z, w)| of a sweep's rows, each seen when it is its turn, is below ``tolerance``.

    Parameters
    ----------
    data, column, ptr : M by rows (CSR)
    q : (n,)
    step : (n,) relaxation / M_ii, 0 for rows that are left alone
    z : (n,) ≥ 0, start and answer
    earlier : (n,) out, z of up to a hundred sweeps ago
    limit : of sweeps
    told : of max|min(z, w)| of each sweep

    Returns
    -------
    sweeps, and the last max|min(z, w)|; infinite once a w is not finite, which ends the last sweep
    """
    worst = np.inf
    for count in range(limit):
        if count % 100 == 0:
            for i in range(q.size):
                earlier[i] = z[i]
        worst = 0.0
        for i in range(q.size):
            w = q[i]
            for k in range(ptr[i], ptr[i + 1]):
                w += data[k] * z[column[k]]
            if not abs(w) < np.inf:
                worst = np.inf
                break
            worst = max(worst, abs(min(z[i], w)))
            z[i] = max(0.0, z[i] - step[i] * w)
        if count < len(told.path):
            told.path[count, 0] = worst
        if tell(told) or worst <= tolerance or worst == np.inf:
            return count + 1, worst
    return limit, worst


def solve(
    problem: MLCP,
    start: Array | None = None,
    *,
    relaxation: float = 1.0,
    max_iterations: int | None = None,
    tolerance: float = 1e-11,
    log: bool = False,
    callback: Callback | None = None,
) -> Answer:
    """Back-end; ``start`` is used.

    Parameters
    ----------
    relaxation : factor of every step, between 0 and 2; 1 is Gauss-Seidel
    max_iterations : of sweeps; default 20 000, fewer where M has many entries
    tolerance : of max|min(z, w)| in a sweep, in scaled units
    log, callback : write down, or tell, that number, the ``residual``, of every sweep
    """
    if not 0 < relaxation < 2:
        from solvers.problem import ProblemError

        raise ProblemError(f"relaxation must be between 0 and 2, got {show(relaxation)}")
    n, q, M = problem.n, problem.q, problem.M
    diagonal = mx.diagonal(M)
    if isinstance(M, np.ndarray):
        data, column, ptr = np.ascontiguousarray(M).ravel(), np.tile(np.arange(n), n), n * np.arange(n + 1)
        empty = ~np.any(M != 0.0, axis=0)
    else:
        M = mx.to_sparse(M)
        data, column, ptr = M.data, M.indices.astype(np.int64), M.indptr.astype(np.int64)
        empty = np.bincount(column[data != 0.0], minlength=n) == 0
    for i in np.flatnonzero(~(diagonal > 0)).tolist():
        if diagonal[i] < 0 or not empty[i]:
            size = "< 0" if diagonal[i] < 0.0 else "0"
            why = f"pgs needs a positive diagonal; that of {problem.names[i]} is {size}"
            return Answer(None, Status.UNSUPPORTED, 0, message=why)
    limit = max(100, min(20_000, UPDATES // max(len(data), 1))) if max_iterations is None else max_iterations
    step = np.where(diagonal > 0, relaxation / np.where(diagonal > 0, diagonal, 1.0), 0.0)
    z = np.zeros(n) if start is None else np.maximum(start, 0.0)
    notes = Notes(("residual",), log, callback)
    earlier, q, told = z.copy(), np.ascontiguousarray(q), notes.told(limit, 1, lambda row: (float(row[0]),))
    begin = perf_counter()
    sweeps, worst = sweep(data, column, ptr, q, step, z, earlier, limit, tolerance, told)
    seconds = perf_counter() - begin
    notes.settle()
    if worst <= tolerance:
        return Answer(z, Status.SOLVED, sweeps, log=notes.log(), seconds=seconds)
    if worst == np.inf:
        why = f"pgs diverged: after {sweeps} sweeps z is beyond all floats; take another method, such as lemke"
        return Answer(None, Status.NO_CONCLUSION, sweeps, earlier, why, notes.log(), seconds)
    y = None if notes.stopped else z - earlier
    return Answer(z, Status.ITERATION_LIMIT, sweeps, y, notes.message, notes.log(), seconds)
