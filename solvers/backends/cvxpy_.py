"""The readable reference: the quadratic program written down in CVXPY, solved by any installed conic solver.

wires    minimise ½|x|²             subject to  w = Gᵀ(v_free + L x) + bias ≥ 0 (= 0 on free rows),  Minv = L Lᵀ
others   minimise ½ zᵀM z + qᵀz    subject to  z ≥ 0 on unilateral rows
"""

from __future__ import annotations

from math import nan

import cvxpy as cp
import numpy as np

from solvers import matrix as mx
from solvers.backends.quadratic import primal
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.solution import Answer
from solvers.status import Status


def solve(problem: MLCP, start: Array | None = None, *, solver: str = "CLARABEL") -> Answer:
    """Back-end; ``solver`` is any name of ``cvxpy.installed_solvers()``, ``start`` is not used."""
    free, P = problem.free, primal(problem)
    if P is not None:
        x = cp.Variable(P.rows.shape[1])
        w = P.rows @ x + problem.q
        bounds = [w[np.flatnonzero(~free)] >= 0, w[np.flatnonzero(free)] == 0]
        rows = [np.flatnonzero(~free), np.flatnonzero(free)]
        bounds, rows = [b for b, r in zip(bounds, rows, strict=True) if r.size], [r for r in rows if r.size]
        model = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(x)), bounds)
    else:
        variable = cp.Variable(problem.n)
        M = cp.psd_wrap(mx.to_dense(problem.M))
        objective = 0.5 * cp.quad_form(variable, M) + problem.q @ variable
        model = cp.Problem(cp.Minimize(objective), [variable[np.flatnonzero(~free)] >= 0] if not free.all() else [])
    try:
        model.solve(solver=solver)
    except cp.SolverError as error:
        return Answer(None, Status.NO_CONCLUSION, 0, message=f"cvxpy with {solver}: {error}")
    told = model.solver_stats
    iterations = int(told.num_iters or 0) if told is not None else 0
    seconds = float(told.solve_time or nan) if told is not None else nan
    if model.status in (cp.INFEASIBLE, cp.UNBOUNDED, cp.INFEASIBLE_INACCURATE, cp.UNBOUNDED_INACCURATE):
        return Answer(None, Status.INFEASIBLE, iterations, None, f"{solver} says {model.status}", seconds=seconds)
    if P is None:
        return Answer(variable.value, Status.SOLVED, iterations, seconds=seconds)
    z = np.zeros(problem.n)
    for bound, row in zip(bounds, rows, strict=True):
        # CVXPY's multiplier of "w == 0" has the other sign than that of "w >= 0".
        z[row] = bound.dual_value if not free[row[0]] else -bound.dual_value
    return Answer(z, Status.SOLVED, iterations, seconds=seconds)
