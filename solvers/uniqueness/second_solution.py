"""Is there a second solution? Of symmetric semidefinite M linear algebra tells (``ranges``); of others it is sought."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from solvers import matrix as mx
from solvers.active_set.envelope import is_semidefinite
from solvers.bases import MOST, basic_solution
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.status import ACCEPT
from solvers.uniqueness.ranges import dimension, dimension_of, idle_rows, null_space, rank_on, taut_rows

# Differences of w, in the scaled units of the residual, that cannot be error of either solution.
DIFFERENT = 1e-6
# z and w below this, in the same units, count as zero.
NOTHING = 1e-9
PROGRAMS = 3000
"""Linear programs after which a problem is given up, a few seconds."""
LARGEST = 50
"""Rows up to which a solution is asked for another one where M is not symmetric semidefinite."""


class Found(NamedTuple):
    """What is known of all solutions.

    Attributes
    ----------
    w_unique, z_unique : None where it was not decided
    other : another solution, with another w if that is not unique, else with another z; None if none was found
    dimension : of the set of all z, of the largest of its parts; None if not known
    """

    w_unique: bool | None
    z_unique: bool | None
    other: Array | None = None
    dimension: int | None = None


def z_unique(problem: MLCP, z: Array, w: Array) -> bool | None:
    """Whether z is the only solution; None where that was not decided, as of large M that are not semidefinite."""
    if not problem.psd:
        return second_solution(problem, z, w).z_unique if problem.n <= LARGEST else None
    taut = taut_rows(problem, z, w)
    rank, _ = rank_on(problem, taut)
    if rank == int(taut.sum()):
        return True
    if problem.n > mx.DENSE_LIMIT:
        return None
    _, N = null_space(problem, taut)
    return dimension(problem, N, taut & idle_rows(problem, z, w)) == 0


def second_solution(problem: MLCP, z: Array, w: Array) -> Found:
    """What there is beside one solution z, w."""
    s = np.exp2(-np.round(np.log2(problem.sizes)))  # one unit for rows and columns: M + Mᵀ stays what it is
    size = problem.scaled.size
    M = mx.to_dense(mx.scaled(problem.M, s))
    P, zs = MLCP(M, problem.q * s / size, problem.free), z / (s * size)
    S = 0.5 * (M + M.T)
    E = mx.to_envelope(S)
    if is_semidefinite(E.val, E.ptr, -1e-9):
        return Found(True, True, None, 0)
    if is_semidefinite(E.val, E.ptr, 1e-12):
        found = _monotone(P, M, S, zs)
        return found if found.other is None else found._replace(other=found.other * s * size)
    balanced = problem.scaled  # what is left is the same in any units of rows and of columns
    if _is_p(balanced.problem):
        return Found(True, True, None, 0)
    found = _by_bases(balanced.problem, mx.to_dense(balanced.problem.M), balanced.start(z))
    return found if found.other is None else found._replace(other=balanced.retrieve(found.other))


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


def _monotone(P: MLCP, M: Array, S: Array, z: Array) -> Found:
    """Over the polyhedron of all solutions, push each w_i, and each z_i, as far as it goes.

    z + s is a solution if and only if S s = 0, qᵀs = 0, and z + s and w + M s have their signs.
    """
    one = _Part(P, M, np.vstack([S, P.q[None, :], M[P.free]]), ~P.free, ~P.free, z)
    w_unique, other = one.pushed(M[~P.free])
    z_unique, other_z = (False, None) if other is not None else one.pushed(np.eye(P.n))
    return Found(w_unique, z_unique, other if other is not None else other_z, one.dimension())


class _Part:
    """A convex part of the set of solutions: z + s with E s = 0, and z_i ≥ 0, w_i ≥ 0 on some rows.

    z : a point of it
    """

    def __init__(self, P: MLCP, M: Array, E: Array, bears: Array, moves: Array, z: Array) -> None:
        self.P, self.M, self.E, self.z = P, M, E, z
        self.bears, self.moves = bears, moves
        self.programs = 0

    def pushed(self, objectives: Array) -> tuple[bool | None, Array | None]:
        """Whether all objectives are constant, and a point where one is not."""
        from scipy.optimize import linprog

        P, M, z = self.P, self.M, self.z
        room = np.maximum(P.w(z)[self.moves], 0.0)
        low = np.where(self.bears, np.maximum(-np.maximum(z, 0.0), -1.0), -1.0)
        decided: bool | None = True
        for row in objectives:
            for sign in (1.0, -1.0):
                self.programs += 1
                answer = linprog(
                    -sign * row,
                    A_ub=-M[self.moves],
                    b_ub=room,
                    A_eq=self.E,
                    b_eq=np.zeros(len(self.E)),
                    bounds=np.column_stack([low, np.ones(P.n)]),
                    method="highs",
                )
                if answer.x is None:
                    decided = None
                elif abs(answer.fun) > DIFFERENT:
                    other = np.where(P.free, z + answer.x, np.maximum(z + answer.x, 0.0))
                    if P.residual(other) <= ACCEPT:
                        return False, other
                    decided = None
        return decided, None

    def dimension(self) -> int:
        """Number of directions in which the part extends."""
        N = _null(self.E)
        idle = self.bears & (self.z <= NOTHING)
        still = self.moves & (self.P.w(self.z) <= NOTHING)
        return dimension_of(N.shape[1], np.vstack([N[idle], (self.M @ N)[still]]))


def _null(E: Array) -> Array:
    """(n, k) orthonormal s with E s = 0."""
    _, S, Vt = np.linalg.svd(E)
    return np.asarray(Vt[int(np.count_nonzero(1e-11 * max(float(S.max(initial=0.0)), 1e-300) < S)) :].T)


def _by_bases(P: MLCP, M: Array, z: Array) -> Found:
    """Try every complementary basis; where one is singular, its solutions are a polyhedron (w_α = 0, z_ᾱ = 0)."""
    rows = np.flatnonzero(~P.free)
    if rows.size > MOST:
        return Found(None, None)
    w, programs, extent = P.w(z), 0, 0
    w_unique: bool | None = True
    z_unique: bool | None = True
    other = other_z = None
    for size in range(rows.size + 1):
        for chosen in combinations(rows, size):
            base, _ = basic_solution(P, M, np.array(chosen, dtype=int))
            if base is None:
                continue
            active = P.free.copy()
            active[list(chosen)] = True
            if P.residual(base) > ACCEPT:
                w_unique, z_unique = w_unique and None, z_unique and None
                continue
            if other is None and np.max(np.abs(P.w(base) - w)) > DIFFERENT:
                w_unique, other = False, base
            if other_z is None and np.max(np.abs(base - z) / np.maximum(np.abs(z), 1.0)) > DIFFERENT:
                z_unique, other_z = False, base
            block = M[np.ix_(active, active)]
            if np.linalg.matrix_rank(block, tol=1e-11 * max(1.0, float(np.abs(block).max(initial=0.0)))) == len(block):
                continue
            E = np.vstack([M[active], np.eye(P.n)[~active]])
            part = _Part(P, M, E, active & ~P.free, ~active, base)
            extent = max(extent, part.dimension())
            if w_unique is not False:
                same, found = part.pushed(M[~active])
                w_unique, other = (False, found) if same is False else (w_unique and same, other)
            if z_unique is not False:
                same, found = part.pushed(np.eye(P.n)[active])
                z_unique, other_z = (False, found) if same is False else (z_unique and same, other_z)
            programs += part.programs + 1
            if programs > PROGRAMS:
                w_unique, z_unique = w_unique and None, z_unique and None
                return Found(w_unique, z_unique, other if other is not None else other_z)
    if w_unique is False:
        z_unique = False
    return Found(w_unique, z_unique, other if other is not None else other_z, extent)
