"""Lemke's method for large sparse M: the basis is kept as a sparse LU factorisation instead of a tableau.

    w − M z − d z0 = q:   columns e_i of w_i, −M e_i of z_i, −d of z0;   x_B = B⁻¹ q

A free row i holds its z_i in the basis from the beginning, which never leaves and bounds no ratio, and has d_i = 0:
this is the method on what elimination would leave, whose fill no sparse matrix could bear.

A pivot needs the column B⁻¹ a of what enters, one solution with the factors. B changes by one column then, B' = B E
with E the unit matrix but for that column (product form of the inverse); after ``ETAS`` such factors B is factored
anew and x_B computed again from q, so errors do not grow from pivot to pivot as they do in a tableau.

Ties are broken by the first-order change of x_B under q + ε r with a fixed generic r > 0: all ratios differ then. (The
lexicographic rule of the dense method is this with r_i = ε^i.) Among ties, pivots that are small are passed by.

Sources: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 4.4; the product form: Dantzig &
Orchard-Hays, Math. Tables Other Aids Comput. 8 (1954) 64-67; the ratio test: Harris, Math. Program. 5 (1973) 1-28.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import MLCP
from solvers.reductions import WELL_CONDITIONED, IrreducibleError
from solvers.status import ACCEPT, ITERATION_LIMIT, NO_CONCLUSION, RAY, SOLVED

ETAS = 50
"""Pivots after which the basis is factored anew."""

SECONDS = 60.0
"""Time after which a run ends of itself, unless a number of pivots was asked for [s]."""

PIVOT = 1e-10
"""Share of its column's largest entry below which a pivot is rounding."""

FEASIBLE, SOUND = 1e-11, 1e-4
"""What an x may be below zero (the data are of order 1), and the share of the largest pivot from which one is sound."""

SMALLEST = 1e-13
"""Share of its largest entry below which an entry of B⁻¹ a is dropped."""


class Basis:
    """B⁻¹ by a sparse LU factorisation and the exchanges since."""

    def __init__(self, columns: Any, cover: Array) -> None:
        """columns: −M by columns (CSC); cover: d > 0, 0 on free rows."""
        self.columns, self.cover, self.n = columns, cover, len(cover)
        self.members = np.arange(self.n) + self.n * (cover == 0.0)  # w_i: i, z_i: n + i, z0: 2 n
        self.etas: list[tuple[int, Array, Array, float]] = []
        self.factors: Any = None  # of the unit matrix

    def column(self, variable: int) -> Array:
        """The column of a variable."""
        a = np.zeros(self.n)
        if variable < self.n:
            a[variable] = 1.0
        elif variable == 2 * self.n:
            a[:] = -self.cover
        else:
            C, j = self.columns, variable - self.n
            part = slice(C.indptr[j], C.indptr[j + 1])
            a[C.indices[part]] = C.data[part]
        return a

    def solve(self, b: Array) -> Array:
        """B⁻¹ b."""
        x = b.copy() if self.factors is None else self.factors.solve(b)
        for row, where, change, inverse in self.etas:
            t = x[row]
            if t != 0.0:
                x[where] += change * t
                x[row] = inverse * t
        return np.asarray(x)

    def exchange(self, row: int, entering: int, a: Array) -> None:
        """The variable of a row leaves for the one whose B⁻¹ column is a."""
        self.members[row] = entering
        small = np.abs(a) > SMALLEST * np.abs(a).max()
        small[row] = False
        where = np.flatnonzero(small)
        self.etas.append((row, where, a[where] / -a[row], 1.0 / a[row]))

    def refactor(self) -> bool:
        """Factor the basis as it is; False if it is singular."""
        import scipy.sparse as sp
        from scipy.sparse.linalg import splu

        all_columns = [sp.eye_array(self.n, format="csc"), self.columns, -self.cover[:, None]]
        self.matrix = sp.csc_array(sp.hstack(all_columns, format="csc")[:, self.members])
        try:
            self.factors = splu(self.matrix)
        except RuntimeError:  # exactly singular
            return False
        self.etas.clear()
        return True

    def condition(self) -> float:
        """Ratio of the pivots of the factorisation, which is large if B is nearly singular."""
        size = np.abs(self.factors.U.diagonal())
        return float(size.max() / size.min())


def pivots(
    problem: MLCP, limit: int | None, note: Callable[[int, int, float], bool], covering: Array | None
) -> tuple[int, int, Array | None]:
    """(status code, pivots, z or the z-part of the ray), as of ``lemke``; IrreducibleError if free rows are dependent.

    note : called with the variable that enters, the one that leaves, and z0 after each pivot; True ends the run
    """
    import scipy.sparse as sp

    n, q, free = problem.n, problem.q, problem.free
    cover = np.where(free, 0.0, 1.0 if covering is None else covering)
    basis = Basis(sp.csc_array(-mx.to_sparse(problem.M)), cover)
    if free.any() and not (basis.refactor() and basis.condition() < WELL_CONDITIONED):
        raise IrreducibleError("the free rows are singular by themselves")
    nudge = np.where(free, 0.0, 1.0 + np.random.default_rng(0).random(n))
    x, change = basis.solve(q), basis.solve(nudge)
    if not (x[~free] < 0.0).any():
        return SOLVED, 0, _impulses(basis, x, free)
    row, entering, a = int(np.argmin(np.where(free, 0.0, x / np.where(free, 1.0, cover)))), 2 * n, -cover
    end = perf_counter() + SECONDS
    count = 0
    while count < (limit or np.inf) and (limit or perf_counter() < end):
        leaving = int(basis.members[row])
        x, change = _exchanged(x, a, row), _exchanged(change, a, row)
        basis.exchange(row, entering, a)
        count += 1
        if len(basis.etas) >= ETAS or leaving == 2 * n:
            if not basis.refactor():
                return NO_CONCLUSION, count, None
            x, change = basis.solve(q), basis.solve(nudge)
        at = np.flatnonzero(basis.members == 2 * n)
        ends = note(entering, leaving, float(x[at[0]]) if at.size else 0.0)
        if leaving == 2 * n:
            return SOLVED, count, _impulses(basis, x + basis.solve(q - basis.matrix @ x), free)
        if ends:
            break
        entering = leaving + n if leaving < n else leaving - n
        a = basis.solve(basis.column(entering))
        found = _leaving_row(basis, x, change, a, free)
        if found is None:
            if x[at[0]] <= ACCEPT:  # q contradicts itself by less than may be accepted
                return SOLVED, count, _impulses(basis, x, free)
            ray = _impulses(basis, -a, free)
            if n <= entering < 2 * n:
                ray[entering - n] = 1.0
            return RAY, count, ray
        row = found
    return ITERATION_LIMIT, count, None


def _exchanged(x: Array, a: Array, row: int) -> Array:
    step = x[row] / a[row]
    x = x - step * a
    x[row] = step
    return x


def _impulses(basis: Basis, x: Array, free: Array) -> Array:
    z, n = np.zeros(basis.n), basis.n
    own = (basis.members >= n) & (basis.members < 2 * n)
    z[basis.members[own] - n] = np.where(free, x, np.maximum(x, 0.0))[own]
    return z


def _leaving_row(basis: Basis, x: Array, change: Array, a: Array, free: Array) -> int | None:
    """The row that leaves, None if there is none (a ray); z0 if it is among those that may.

    Harris' test: any row may leave whose ratio is the least one to within an x of ``FEASIBLE`` below zero; of those a
    pivot that is small beside the others is left alone.
    """
    able = np.flatnonzero((a > PIVOT * np.abs(a).max()) & ~free)
    if not able.size:
        return None
    column, left = a[able], np.maximum(x[able], 0.0)
    tie = left <= float(((left + FEASIBLE) / column).min()) * column
    able, column = able[tie], column[tie]
    artificial = able[basis.members[able] == 2 * basis.n]
    if artificial.size:
        return int(artificial[0])
    sound = column >= SOUND * column.max()
    return int(able[sound][np.argmin(change[able[sound]] / column[sound])])
