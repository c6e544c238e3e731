"""Look for a second solution, with another w, of problems whose M is not symmetric semidefinite."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from solvers import matrix as mx
from solvers.active_set.envelope import is_semidefinite
from solvers.backends.enumerate_ import MOST, basic_solution
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.status import ACCEPT

# Differences of w, in the scaled units of the residual, that cannot be error of either solution.
DIFFERENT = 1e-6


def second_solution(problem: MLCP, z: Array, w: Array) -> tuple[bool | None, Array | None]:
    """(whether w is unique or None, another solution with a different w or None)."""
    P = problem.scaled.problem
    M = mx.to_dense(P.M)
    S = 0.5 * (M + M.T)
    E = mx.to_envelope(S)
    if is_semidefinite(E.val, E.ptr, -1e-9):
        return True, None  # positive definite: one solution
    zs = problem.scaled.start(z)
    if is_semidefinite(E.val, E.ptr, 1e-12):
        unique, other = _monotone(P, M, S, zs)
    else:
        unique, other = _by_bases(P, M, zs)
    return unique, None if other is None else problem.scaled.retrieve(other)


def _monotone(P: MLCP, M: Array, S: Array, z: Array) -> tuple[bool | None, Array | None]:
    """Over the polyhedron of all solutions, push each w_i that may move as far as it goes."""
    from scipy.optimize import linprog

    free, w = P.free, P.w(z)
    # x = z + s: S s = 0, qᵀs = 0, and the signs of z and w.
    equal = np.vstack([S, P.q[None, :], M[free]])
    upper, room = -np.vstack([M[~free]]), w[~free]
    bounds = np.column_stack([np.where(free, -1.0, np.maximum(-np.maximum(z, 0.0), -1.0)), np.ones(P.n)])
    decided = True
    for i in np.flatnonzero(~free):
        for sign in (1.0, -1.0):
            answer = linprog(
                -sign * M[i],
                A_ub=upper,
                b_ub=np.maximum(room, 0.0),
                A_eq=equal,
                b_eq=np.zeros(len(equal)),
                bounds=bounds,
                method="highs",
            )
            if answer.x is None:
                decided = False
            elif abs(answer.fun) > DIFFERENT:
                other = np.where(free, z + answer.x, np.maximum(z + answer.x, 0.0))
                if P.residual(other) <= ACCEPT:
                    return False, other
                decided = False
    return (True if decided else None), None


def _by_bases(P: MLCP, M: Array, z: Array) -> tuple[bool | None, Array | None]:
    rows = np.flatnonzero(~P.free)
    if rows.size > MOST:
        return None, None
    w = P.w(z)
    for size in range(rows.size + 1):
        for chosen in combinations(rows, size):
            other = basic_solution(P, M, np.array(chosen, dtype=int))
            if other is not None and np.max(np.abs(P.w(other) - w)) > DIFFERENT and P.residual(other) <= ACCEPT:
                return False, other
    # Each basis gives one w unless it is singular; those were sampled at one point only.
    return None, None
