"""The oracle for small problems: try every complementary basis.

For each set S of unilateral rows taken as active, w_S = 0 and w_free = 0 are solved for z. Where that system is
singular, a linear program looks for a z ≥ 0, w ≥ 0 among its solutions. A proof that the problem is infeasible is asked
for once the bases are many (one more program), since of such a problem none gives a solution. If no basis of a feasible
one does, each is asked by how much it misses: that there is no solution is proven if none comes near.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from solvers import matrix as mx
from solvers.bases import MOST, basic_solution
from solvers.certificates import Exhausted, find
from solvers.log import Callback, Notes
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.solution import Answer
from solvers.status import ACCEPT, Status

MANY = 2**8
"""Bases in whose time a proof of infeasibility costs nothing."""

CLEAR = 1e-7
"""What every basis must miss by if there is to be no solution; linear programs are solved to that."""

REGULAR = 1e8
"""Condition up to which a basis is taken to be regular."""


def solve(problem: MLCP, start: Array | None = None, *, log: bool = False, callback: Callback | None = None) -> Answer:
    """Back-end; ``start`` is not used. Returns the first solution found, fewest active rows first.

    The log has a row for each basis: its active rows, and by how much its z misses a sign or an equation.
    """
    notes = Notes(("active", "misses"), log, callback)
    unilateral = np.flatnonzero(~problem.free)
    if unilateral.size > MOST:
        message = f"enumerate takes at most {MOST} unilateral rows, got {unilateral.size}"
        return Answer(None, Status.UNSUPPORTED, 0, message=message)
    M, tried = mx.to_dense(problem.M), 0
    for size in range(unilateral.size + 1):
        for chosen in combinations(unilateral, size):
            tried += 1
            z, misses = basic_solution(problem, M, np.array(chosen, dtype=int))
            if tried == MANY and (none := find(problem)) is not None:
                return Answer(None, Status.INFEASIBLE, tried, none.y, log=notes.log())
            ends = notes.wanted and notes(", ".join(problem.names[int(i)] for i in chosen) or "none", misses)
            if z is not None:
                return Answer(z, Status.SOLVED, tried, log=notes.log())
            if ends:
                return Answer(None, Status.ITERATION_LIMIT, tried, None, notes.message, notes.log())
    message = "no complementary basis gives a solution (all were tried)"
    proof = _exhausted(problem, M, unilateral)
    return Answer(None, Status.INFEASIBLE, tried, None, message, notes.log(), exhausted=proof)


def _exhausted(problem: MLCP, M: Array, unilateral: Array) -> Exhausted | None:
    """The proof that a feasible problem has no solution: every basis misses by more than an error; None without it."""
    every = np.ones(problem.n, bool)
    missed, z = _least(problem, M, every, problem.free)
    if not missed <= ACCEPT:
        return None
    margin, bases = np.inf, 0
    for size in range(unilateral.size + 1):
        for chosen in combinations(unilateral, size):
            active = problem.free.copy()
            active[list(chosen)] = True
            bases += 1
            margin = min(margin, _missed(problem, M, active))
            if margin <= CLEAR:
                return None
    return Exhausted(bases, margin, np.where(problem.free, z, np.maximum(z, 0.0)))


def _missed(problem: MLCP, M: Array, active: Array) -> float:
    """A bound from below of what any z that is zero elsewhere misses by: |w| on the active rows, or a sign.

    Of a regular basis, z = z₀ + M_aa⁻¹ e with |e| ≤ t, so that z and w come t (1 + ‖M_aa⁻¹‖) and t (1 + ‖M_oa M_aa⁻¹‖)
    nearer to their signs, row by row.
    """
    block, beside, q = M[np.ix_(active, active)], M[np.ix_(~active, active)], problem.q
    try:
        inverse = np.linalg.inv(block)
    except np.linalg.LinAlgError:
        return _least(problem, M, active, active)[0]
    if not np.abs(inverse).sum() * np.abs(block).sum() < REGULAR:
        return _least(problem, M, active, active)[0]
    z, lever = -inverse @ q[active], beside @ inverse
    falls = -z / (1.0 + np.abs(inverse).sum(axis=1))
    short = -(beside @ z + q[~active]) / (1.0 + np.abs(lever).sum(axis=1))
    return float(max(falls[~problem.free[active]].max(initial=0.0), short.max(initial=0.0)))


def _least(problem: MLCP, M: Array, moves: Array, still: Array) -> tuple[float, Array]:
    """Least t, and its z, with |w| ≤ t on the rows ``still``, w ≥ -t on others, z ≥ -t, and z = 0 unless ``moves``."""
    from scipy.optimize import linprog

    n, q = problem.n, problem.q
    N = M[:, moves]
    one = np.ones((n, 1))
    signs = -np.eye(int(moves.sum()))[~problem.free[moves]]
    A = np.vstack([np.hstack([-N, -one]), np.hstack([N, -one])[still], np.hstack([signs, -np.ones((len(signs), 1))])])
    b = np.concatenate([q, -q[still], np.zeros(len(signs))])
    bounds = [(None, None)] * N.shape[1] + [(0.0, None)]
    answer = linprog(np.r_[np.zeros(N.shape[1]), 1.0], A_ub=A, b_ub=b, bounds=bounds, method="highs")
    z = np.zeros(n)
    if answer.x is None:
        return np.nan, z
    z[moves] = answer.x[:-1]
    return float(answer.x[-1]), z
