"""OSQP, operator splitting, on the quadratic program: in the velocities where factors are known, else in z.

Tight tolerances; its answers are polished on the active set and judged like all others.

Source: Stellato et al., Math. Program. Comput. 12 (2020) 637-672.
"""

from __future__ import annotations

import numpy as np
import osqp
import scipy.sparse as sp

from solvers import matrix as mx
from solvers.backends.quadratic import primal
from solvers.matrix import Array
from solvers.problem import MLCP, ProblemError
from solvers.quote import show
from solvers.solution import Answer
from solvers.status import Status


def solve(
    problem: MLCP,
    start: Array | None = None,
    *,
    form: str = "auto",
    max_iterations: int = 10_000,
    tolerance: float = 1e-9,
) -> Answer:
    """Back-end; ``form`` is "primal" (needs factors), "dual" or "auto"; ``tolerance`` is that of OSQP."""
    if form not in ("auto", "primal", "dual"):
        raise ProblemError(f"form must be 'auto', 'primal' or 'dual', got {show(form)}")
    P = primal(problem) if form != "dual" else None
    if form == "primal" and P is None:
        raise ProblemError("form='primal' needs a problem from LCP.from_wires, which knows G and Minv")
    n, free = problem.n, problem.free
    solver = osqp.OSQP()
    settings = {
        "verbose": False,
        "eps_abs": tolerance,
        "eps_rel": tolerance,
        "eps_prim_inf": 1e-9,
        "eps_dual_inf": 1e-9,
        "max_iter": max_iterations,
    }
    if P is not None:
        upper = np.where(free, -P.bias, np.inf)
        solver.setup(sp.csc_matrix(P.P), np.zeros(P.P.shape[0]), sp.csc_matrix(P.rows), -P.bias, upper, **settings)
        if start is not None:
            solver.warm_start(x=P.rows.T @ start, y=-start)
        result = solver.solve(raise_error=False)
        z, ray = -result.y, -result.prim_inf_cert
    else:
        lower = np.where(free, -np.inf, 0.0)
        H = sp.triu(sp.csc_matrix(mx.to_sparse(problem.M)), format="csc")
        try:
            solver.setup(H, problem.q, sp.identity(n, format="csc"), lower, np.full(n, np.inf), **settings)
        except osqp.OSQPException:  # M is semidefinite to rounding, and not to OSQP's factorisation
            return Answer(None, Status.NO_CONCLUSION, 0, message="osqp takes M for indefinite")
        if start is not None:
            solver.warm_start(x=start)
        result = solver.solve(raise_error=False)
        z, ray = result.x, result.dual_inf_cert
    status, iterations, seconds = result.info.status, int(result.info.iter), float(result.info.run_time)
    if "infeasible" in status:
        said = f"OSQP says {status}"
        return Answer(None, Status.INFEASIBLE, iterations, np.asarray(ray), said, seconds=seconds)
    code = Status.ITERATION_LIMIT if "maximum iterations" in status else Status.SOLVED
    return Answer(np.asarray(z, dtype=float), code, iterations, seconds=seconds)
