"""Clarabel, an interior-point method, on the quadratic program: in the velocities where factors are known, else in z.

Source: Goulart & Chen, Clarabel: an interior-point solver for conic programs with quadratic objectives (2024).
"""

from __future__ import annotations

import clarabel
import numpy as np
import scipy.sparse as sp

from solvers import matrix as mx
from solvers.backends.quadratic import primal
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.solution import Answer
from solvers.status import Status


def solve(problem: MLCP, start: Array | None = None, *, max_iterations: int = 200, tolerance: float = 1e-12) -> Answer:
    """Back-end; ``start`` is not used. ``tolerance`` is asked for; what was reached is judged outside."""
    n, free = problem.n, problem.free
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = max_iterations
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    P = primal(problem)
    order = np.concatenate([np.flatnonzero(free), np.flatnonzero(~free)])
    count = int(free.sum())
    if P is not None:
        cones = _cones(count, n - count)
        A = sp.csc_matrix(-P.rows[order])
        solver = clarabel.DefaultSolver(sp.csc_matrix(P.P), np.zeros(A.shape[1]), A, P.bias[order], cones, settings)
        result = solver.solve()
        z = np.empty(n)
        z[order] = result.z
        no_solution = "PrimalInfeasible"
    else:
        A = -sp.identity(n, format="csc")[np.flatnonzero(~free)]
        H = sp.triu(sp.csc_matrix(mx.to_sparse(problem.M)), format="csc")
        solver = clarabel.DefaultSolver(H, problem.q, A, np.zeros(n - count), _cones(0, n - count), settings)
        result = solver.solve()
        z = np.asarray(result.x)
        no_solution = "DualInfeasible"
    status, iterations, seconds = str(result.status), int(result.iterations), float(result.solve_time)
    if no_solution in status:
        return Answer(None, Status.INFEASIBLE, iterations, z, f"Clarabel says {status}", seconds=seconds)
    code = Status.ITERATION_LIMIT if "MaxIterations" in status else Status.SOLVED
    return Answer(z, code, iterations, seconds=seconds)


def _cones(equations: int, inequalities: int) -> list[object]:
    cones: list[object] = []
    if equations:
        cones.append(clarabel.ZeroConeT(equations))
    if inequalities:
        cones.append(clarabel.NonnegativeConeT(inequalities))
    return cones
