"""The readable reference: the quadratic program written down in CVXPY, solved by any installed conic solver.

wires    minimise ½|x|²             subject to  w = Gᵀ(v_free + L x) + bias ≥ 0 (= 0 on free rows),  Minv = L Lᵀ
others   minimise ½ zᵀM z + qᵀz    subject to  z ≥ 0 on unilateral rows
"""

from __future__ import annotations

from functools import lru_cache
from math import nan
from threading import get_ident
from typing import Any

import cvxpy as cp
import numpy as np

from solvers import matrix as mx
from solvers.backends.quadratic import primal
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.solution import Answer
from solvers.status import Status

MOST = 10_000
"""Numbers in the rows of a program that is written once for all of its size: of the next ones only numbers are put in,
which takes a fifth of the time. With more, most of them are zero."""


def solve(problem: MLCP, start: Array | None = None, *, solver: str = "CLARABEL") -> Answer:
    """Back-end; ``solver`` is any name of ``cvxpy.installed_solvers()``, ``start`` is not used."""
    free, P = problem.free, primal(problem)
    if P is not None:
        model, rows = _of_wires(P.rows, problem.q, free)
    else:
        variable = cp.Variable(problem.n)
        M = cp.psd_wrap(mx.to_dense(problem.M))
        objective = 0.5 * cp.quad_form(variable, M) + problem.q @ variable
        model = cp.Problem(cp.Minimize(objective), [variable[np.flatnonzero(~free)] >= 0] if not free.all() else [])
    try:
        model.solve(solver=solver, warm_start=False)  # by itself, whatever was solved before
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
    for bound, row in zip(model.constraints, rows, strict=True):
        # CVXPY's multiplier of "w == 0" has the other sign than that of "w >= 0".
        z[row] = bound.dual_value if not free[row[0]] else -bound.dual_value
    return Answer(z, Status.SOLVED, iterations, seconds=seconds)


def _of_wires(rows: Any, q: Array, free: Array) -> tuple[cp.Problem, list[Array]]:
    """The program of wires, and which rows its constraints are of."""
    if rows.shape[0] * rows.shape[1] > MOST:
        return _written(rows, q, free)
    A, b, model, of = _for_any_numbers(rows.shape, free.tobytes(), get_ident())
    A.value, b.value = rows.toarray(), q
    return model, of


@lru_cache(maxsize=16)
def _for_any_numbers(
    shape: tuple[int, int], free: bytes, thread: int
) -> tuple[cp.Parameter, cp.Parameter, cp.Problem, list[Array]]:
    """Parameters, the program with them, and its rows; of one thread, as numbers are put into it."""
    A, b = cp.Parameter(shape), cp.Parameter(shape[0])
    return A, b, *_written(A, b, np.frombuffer(free, np.bool_))


def _written(rows: Any, q: Any, free: Array) -> tuple[cp.Problem, list[Array]]:
    x = cp.Variable(rows.shape[1])
    w = rows @ x + q
    of = [some for some in (np.flatnonzero(~free), np.flatnonzero(free)) if some.size]
    bounds = [w[some] == 0 if free[some[0]] else w[some] >= 0 for some in of]
    return cp.Problem(cp.Minimize(0.5 * cp.sum_squares(x)), bounds), of
