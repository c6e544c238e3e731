"""OSQP, operator splitting, on the quadratic program: in the velocities where factors are known, else in z.

Tight tolerances; its answers are polished on the active set and judged like all others.

Source: Stellato et al., Math. Program. Comput. 12 (2020) 637-672.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import osqp
import scipy.sparse as sp

from solvers import matrix as mx
from solvers.backends.quadratic import primal
from solvers.log import Callback, Notes
from solvers.matrix import Array
from solvers.problem import MLCP, ProblemError
from solvers.quote import show
from solvers.solution import Answer
from solvers.status import Status

SLICE = 50
"""Iterations after which OSQP looks at its penalty rho."""


def solve(
    problem: MLCP,
    start: Array | None = None,
    *,
    form: str = "auto",
    max_iterations: int = 10_000,
    tolerance: float = 1e-9,
    log: bool = False,
    callback: Callback | None = None,
) -> Answer:
    """Back-end; ``form`` is "primal" (needs factors), "dual" or "auto"; ``tolerance`` is that of OSQP.

    The log has a row for each ``SLICE`` iterations: how many it has been, OSQP's residuals of the quadratic program,
    and the penalty ``rho``. OSQP is called for so many at a time then, each time from where it was.
    """
    notes = Notes(("iteration", "primal", "dual", "rho"), log, callback)
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
        result, iterations = _run(solver, max_iterations, notes)
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
        result, iterations = _run(solver, max_iterations, notes)
        z, ray = result.x, result.dual_inf_cert
    status, seconds = result.info.status, float(result.info.run_time)
    if "infeasible" in status:
        said = f"OSQP says {status}"
        return Answer(None, Status.INFEASIBLE, iterations, np.asarray(ray), said, notes.log(), seconds)
    code = Status.ITERATION_LIMIT if "maximum iterations" in status else Status.SOLVED
    return Answer(np.asarray(z, dtype=float), code, iterations, None, notes.message, notes.log(), seconds)


def _run(solver: Any, most: int, notes: Notes) -> tuple[Any, int]:
    """OSQP's result and its iterations; by and by if they are to be told."""
    if not notes.wanted:
        result = solver.solve(raise_error=False)
        return result, int(result.info.iter)
    done = 0
    while True:
        solver.update_settings(max_iter=min(SLICE, most - done))
        result = solver.solve(raise_error=False)
        info = result.info
        done += int(info.iter)
        if notes(done, float(info.prim_res), float(info.dual_res), float(info.rho_estimate)):
            return result, done
        if "maximum iterations" not in info.status or done >= most:
            return result, done
