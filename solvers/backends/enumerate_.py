"""The oracle for small problems: try every complementary basis.

For each set S of unilateral rows taken as active, w_S = 0 and w_free = 0 are solved for z. Where that system is
singular, a linear program looks for a z ≥ 0, w ≥ 0 among its solutions. If no basis gives one, the problem has no
complementary solution; whether it is infeasible as well is left to the Farkas vector.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.solution import Answer
from solvers.status import Status

MOST = 14
"""Largest number of unilateral rows: 2**14 bases take about a second."""

# Solutions are accepted from scaled data of order 1 by signs up to this.
SIGN = 1e-10


def solve(problem: MLCP, start: Array | None = None) -> Answer:
    """Back-end; ``start`` is not used. Returns the first solution found, fewest active rows first."""
    unilateral = np.flatnonzero(~problem.free)
    if unilateral.size > MOST:
        message = f"enumerate takes at most {MOST} unilateral rows, got {unilateral.size}"
        return Answer(None, Status.UNSUPPORTED, 0, message=message)
    M, tried = mx.to_dense(problem.M), 0
    for size in range(unilateral.size + 1):
        for chosen in combinations(unilateral, size):
            tried += 1
            z = basic_solution(problem, M, np.array(chosen, dtype=int))
            if z is not None:
                return Answer(z, Status.SOLVED, tried)
    message = "no complementary basis gives a solution (all were tried)"
    return Answer(None, Status.INFEASIBLE, tried, message=message)


def basic_solution(problem: MLCP, M: Array, chosen: Array) -> Array | None:
    """A solution whose active rows are the free ones and the chosen ones, or None."""
    n, q = problem.n, problem.q
    active = np.concatenate([np.flatnonzero(problem.free), chosen])
    z = np.zeros(n)
    singular = False
    if active.size:
        x, _, rank, _ = np.linalg.lstsq(M[np.ix_(active, active)], -q[active], rcond=1e-12)
        singular = rank < active.size
        z[active] = x
    w = M @ z + q
    if np.max(np.abs(w[active]), initial=0.0) > SIGN * max(1.0, float(np.abs(z).max(initial=0.0))):
        return None
    others = np.setdiff1d(np.arange(n), active)
    if np.all(z[chosen] >= -SIGN) and np.all(w[others] >= -SIGN):
        return z
    return _by_program(problem, M, active, chosen, others) if singular else None


def _by_program(problem: MLCP, M: Array, active: Array, chosen: Array, others: Array) -> Array | None:
    from scipy.optimize import linprog

    q = problem.q
    lower = np.where(np.isin(active, chosen), 0.0, -np.inf)
    answer = linprog(
        np.abs(lower) == 0,
        A_ub=-M[np.ix_(others, active)] if others.size else None,
        b_ub=q[others] if others.size else None,
        A_eq=M[np.ix_(active, active)],
        b_eq=-q[active],
        bounds=np.column_stack([lower, np.full(active.size, np.inf)]),
        method="highs",
    )
    if answer.x is None:
        return None
    z = np.zeros(problem.n)
    z[active] = answer.x
    return z
