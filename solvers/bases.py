"""Solutions of a complementary basis: w = 0 on the active rows, z = 0 on the others."""

from __future__ import annotations

import numpy as np

from solvers.backends.polish import polish
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.status import ACCEPT

MOST = 14
"""Largest number of unilateral rows: 2**14 bases take seconds, and a minute if each is singular."""

SIGN = 1e-10
"""Residual up to which the solution of a basis is one of the problem; each row is judged by itself."""

NEARLY = 1e-5
"""Residual beyond which a basis is not refined, as rounding cannot have made it."""


def basic_solution(problem: MLCP, M: Array, chosen: Array) -> tuple[Array | None, float]:
    """A solution whose active rows are the free ones and the chosen ones, or None, and what it misses by."""
    active = np.concatenate([np.flatnonzero(problem.free), chosen])
    z, q = np.zeros(problem.n), problem.q[active]
    singular = False
    for _ in range(2):  # the second time what was rounding of z, and is not rounding of a row that is small itself
        if active.size:
            block, w = M[np.ix_(active, active)], problem.w(z)[active]
            x, _, rank, _ = np.linalg.lstsq(block, -w, rcond=1e-12)
            left = np.linalg.norm(block @ x + w)  # the least there is: far beyond rounding, no z makes w = 0
            singular = rank < active.size and left <= NEARLY * (np.abs(block) @ np.abs(x) + np.abs(q)).max()
            z[active] += x
        z[chosen] = np.maximum(z[chosen], 0.0)
        z[problem.still] = 0.0
        misses = _misses(problem, z, active)
        if misses <= SIGN:
            return z, misses
        if not misses <= NEARLY:
            break
    return _by_program(problem, M, active, chosen) if singular else (None, misses)


def _by_program(problem: MLCP, M: Array, active: Array, chosen: Array) -> tuple[Array | None, float]:
    from scipy.optimize import linprog

    q, others = problem.q, np.setdiff1d(np.arange(problem.n), active)
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
        return None, np.inf
    z = np.zeros(problem.n)
    z[active] = answer.x
    z = polish(problem, np.where(problem.free, z, np.maximum(z, 0.0)))
    misses = _misses(problem, z, active)
    return (z if misses <= ACCEPT else None), misses


def _misses(problem: MLCP, z: Array, active: Array) -> float:
    """Largest |w/s| of the active rows, and -w/s and |ζ| of the others: each row judged by itself, as by residuals."""
    zeta, r = problem.shares(z, problem.w(z))
    others = np.ones(problem.n, bool)
    others[active] = False
    misses = np.where(others, np.maximum(-r, np.abs(zeta)), np.abs(r))
    return float(misses.max(initial=0.0)) if np.isfinite(misses).all() else np.inf
