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


def second_solution(problem: MLCP, z: Array, w: Array) -> tuple[bool | None, bool | None, Array | None]:
    """(whether w is unique, whether z is, another solution); None where it was not decided, or none was found.

    The other solution has another w if that is not unique, else another z.
    """
    s = np.exp2(-np.round(np.log2(problem.sizes)))  # one unit for rows and columns: M + Mᵀ stays what it is
    size = problem.scaled.size
    M = mx.to_dense(mx.scaled(problem.M, s))
    P, zs = MLCP(M, problem.q * s / size, problem.free), z / (s * size)
    S = 0.5 * (M + M.T)
    E = mx.to_envelope(S)
    if is_semidefinite(E.val, E.ptr, -1e-9):
        return True, True, None
    other_z = None
    if is_semidefinite(E.val, E.ptr, 1e-12):
        w_unique, z_unique, other, other_z = _monotone(P, M, S, zs)
    elif _is_p(P):
        return True, True, None
    else:
        w_unique, other = _by_bases(P, M, zs)
        z_unique = False if other is not None else None
    other = other if other is not None else other_z
    return w_unique, z_unique, None if other is None else other * s * size


def _is_p(P: MLCP) -> bool:
    """Whether what is left without the free rows is a P-matrix, so that there is one solution whatever q is."""
    from solvers.reductions import EliminateFree, IrreducibleError
    from solvers.uniqueness.classes import LARGEST_P, is_p

    if int((~P.free).sum()) > LARGEST_P:
        return False
    M = mx.to_dense(P.M)
    if P.free.any():
        if np.linalg.matrix_rank(M[np.ix_(P.free, P.free)]) < P.free.sum():
            return False
        try:
            M = mx.to_dense(EliminateFree(P).problem.M)
        except IrreducibleError:
            return False
    return is_p(M)


def _monotone(P: MLCP, M: Array, S: Array, z: Array) -> tuple[bool | None, bool | None, Array | None, Array | None]:
    """Over the polyhedron of all solutions, push each w_i, and each z_i, as far as it goes."""
    from scipy.optimize import linprog

    free, w = P.free, P.w(z)
    # x = z + s: S s = 0, qᵀs = 0, and the signs of z and w.
    equal = np.vstack([S, P.q[None, :], M[free]])
    room = np.maximum(w[~free], 0.0)
    bounds = np.column_stack([np.where(free, -1.0, np.maximum(-np.maximum(z, 0.0), -1.0)), np.ones(P.n)])

    def pushed(objectives: Array) -> tuple[bool | None, Array | None]:
        decided: bool | None = True
        for row in objectives:
            for sign in (1.0, -1.0):
                answer = linprog(
                    -sign * row,
                    A_ub=-M[~free],
                    b_ub=room,
                    A_eq=equal,
                    b_eq=np.zeros(len(equal)),
                    bounds=bounds,
                    method="highs",
                )
                if answer.x is None:
                    decided = None
                elif abs(answer.fun) > DIFFERENT:
                    other = np.where(free, z + answer.x, np.maximum(z + answer.x, 0.0))
                    if P.residual(other) <= ACCEPT:
                        return False, other
                    decided = None
        return decided, None

    w_unique, other = pushed(M[~free])
    z_unique, other_z = (False, None) if other is not None else pushed(np.eye(P.n))
    return w_unique, z_unique, other, other_z


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
