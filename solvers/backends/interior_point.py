"""Clarabel, an interior-point method, on the quadratic program: in the velocities where factors are known, else in z.

Source: Goulart & Chen, Clarabel: an interior-point solver for conic programs with quadratic objectives (2024).
"""

from __future__ import annotations

from typing import Any

import clarabel
import numpy as np
import scipy.sparse as sp

from solvers import matrix as mx
from solvers.backends.quadratic import primal
from solvers.log import Callback, Notes
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.solution import Answer
from solvers.status import Status

COLUMNS = {
    "primal": "res_primal",
    "dual": "res_dual",
    "gap": "gap_rel",
    "mu": "mu",
    "step": "step_length",
}
"""Of the log, and what Clarabel calls them."""


def solve(
    problem: MLCP,
    start: Array | None = None,
    *,
    max_iterations: int = 200,
    tolerance: float = 1e-12,
    log: bool = False,
    callback: Callback | None = None,
) -> Answer:
    """Back-end; ``start`` is not used. ``tolerance`` is asked for; what was reached is judged outside.

    The log has Clarabel's residuals of the quadratic program, its gap, the barrier parameter ``mu``, and the length of
    the step.
    """
    notes = Notes(tuple(COLUMNS), log, callback)
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
        result = _run(solver, notes)
        z = np.empty(n)
        z[order] = result.z
        no_solution = "PrimalInfeasible"
    else:
        A = -sp.identity(n, format="csc")[np.flatnonzero(~free)]
        H = sp.triu(sp.csc_matrix(mx.to_sparse(problem.M)), format="csc")
        solver = clarabel.DefaultSolver(H, problem.q, A, np.zeros(n - count), _cones(0, n - count), settings)
        result = _run(solver, notes)
        z = np.asarray(result.x)
        no_solution = "DualInfeasible"
    status, iterations, seconds = str(result.status), int(result.iterations), float(result.solve_time)
    if no_solution in status:
        return Answer(None, Status.INFEASIBLE, iterations, z, f"Clarabel says {status}", notes.log(), seconds)
    code = Status.ITERATION_LIMIT if notes.stopped or "MaxIterations" in status else Status.SOLVED
    return Answer(z, code, iterations, message=notes.message, log=notes.log(), seconds=seconds)


def _run(solver: Any, notes: Notes) -> Any:
    """Clarabel's answer; it tells of iteration 0, too, which is the start and takes no step."""
    raised: list[BaseException] = []

    def call(info: Any) -> bool:
        if info.iterations == 0:
            return False
        try:
            return notes(*(float(getattr(info, own)) for own in COLUMNS.values()))
        except BaseException as error:  # what it would do with one is not told
            raised.append(error)
            return True

    if notes.wanted:
        solver.set_termination_callback(call)
    result = solver.solve()
    if raised:
        raise raised[0]
    return result


def _cones(equations: int, inequalities: int) -> list[object]:
    cones: list[object] = []
    if equations:
        cones.append(clarabel.ZeroConeT(equations))
    if inequalities:
        cones.append(clarabel.NonnegativeConeT(inequalities))
    return cones
