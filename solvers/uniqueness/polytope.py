"""The set of all solutions as a polytope: its corners, its dimension, and the point in the middle of it.

Of symmetric semidefinite M all solutions share w, and are {z0 + N c ≥ 0} with N the null space of M on the rows where
w = 0. A corner is where as many z_i are zero as the set has dimensions, and these zeros determine c: every choice of
rows is tried. The Chebyshev centre is the centre of the largest ball in the set, measured within the space that the set
spans, so that every z_i is as far from zero as can be had for all of them alike: a linear program.

Source: Boyd & Vandenberghe, Convex Optimization (2004), section 8.5.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from solvers.given import expect, expect_solution
from solvers.matrix import Array
from solvers.problem import MLCP, ProblemError
from solvers.solution import Solution
from solvers.uniqueness.analysis import OTHERS, analyse

MOST = 200_000
"""Choices of rows that are tried, some seconds."""

# Of the largest z: what a corner may be below zero by, and how near two corners are the same.
ZERO = 1e-9


@dataclass(frozen=True, eq=False)
class Polytope:
    """All solutions of a problem.

    Attributes
    ----------
    vertices : (k, n) corners; one where the solution is unique
    dimension : of the set: 0 a point, 1 a segment, 2 a polygon
    centre : (n,) of the largest ball in the set (any of them, where several are as large)
    radius : of that ball, in the units of z
    names : of the rows
    """

    vertices: Array
    dimension: int
    centre: Array
    radius: float
    names: tuple[str, ...]

    def __str__(self) -> str:
        count = len(self.vertices)
        head = f"a polytope of dimension {self.dimension} with {count} corner{'s' * (count != 1)}"
        width = max(map(len, self.names), default=0)
        low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
        rows = [
            f"{name:<{width}} {low[i]:>11.6g} {high[i]:>11.6g} {self.centre[i]:>11.6g}"
            for i, name in enumerate(self.names)
        ]
        return "\n".join([head, f"{'':<{width}} {'least':>11} {'largest':>11} {'centre':>11}", *rows])

    __repr__ = __str__


def polytope(problem: MLCP, solution: Solution) -> Polytope:
    """The set of all solutions, from one of them.

    Parameters
    ----------
    problem : with symmetric semidefinite M
    solution : a solved one of it

    Raises
    ------
    ProblemError : what is no LCP or MLCP, or no solution of it; M is not symmetric semidefinite; the set has no bound
        (opposed wires, told by name), or too many choices of rows for all corners
    """
    expect(MLCP, "polytope", "an LCP or MLCP", problem, OTHERS)
    expect_solution(Solution, "polytope", "solvers.solve", solution, problem.n)
    analysis = analyse(problem, solution, ranges=False)
    if not problem.psd:
        raise ProblemError("the solutions are a polytope if M is symmetric semidefinite; this one is not")
    if analysis.direction is not None:
        rows = ", ".join(problem.names[i] for i in np.flatnonzero(np.abs(analysis.direction) > 1e-9).tolist())
        raise ProblemError(f"the set of solutions has no bound: z may grow along {rows}")
    names = tuple(str(name) for name in problem.names)
    z = np.where(problem.free, solution.z, np.maximum(solution.z, 0.0))
    size = float(np.abs(z).max(initial=0.0))
    N = np.linalg.qr(analysis.null_space)[0]
    k = N.shape[1]
    moving = np.flatnonzero(~problem.free & (np.abs(N).max(axis=1, initial=0.0) > 1e-12))
    if k == 0 or size == 0.0:
        return Polytope(z[None, :], 0, z, 0.0, names)
    if comb(moving.size, k) > MOST:
        raise ProblemError(f"{moving.size} rows and {k} directions make too many choices of rows for all corners")
    vertices = size * _corners(z / size, N, moving, k)
    _, S, Vt = np.linalg.svd(vertices - vertices.mean(axis=0), full_matrices=False)
    span = Vt[size * 1e-7 < S]
    centre, radius = _chebyshev(vertices.mean(axis=0) / size, span.T, problem.free)
    return Polytope(vertices, len(span), centre * size, radius * size, names)


def _corners(z: Array, N: Array, rows: Array, k: int) -> Array:
    """(count, n) all z + N c ≥ 0 on the rows in which k of them are zero and determine c, each once."""
    chosen = np.array(list(combinations(rows, k)))
    blocks = N[chosen]
    regular = np.linalg.svd(blocks, compute_uv=False)[:, -1] > 1e-9
    c = np.linalg.solve(blocks[regular], -z[chosen[regular]][:, :, None])[:, :, 0]
    found = z + c @ N.T
    found = found[np.all(found[:, rows] >= -ZERO, axis=1)]
    found[:, rows] = np.maximum(found[:, rows], 0.0)
    kept: list[Array] = []
    for one in found:
        if not any(np.abs(one - other).max() <= 10 * ZERO for other in kept):
            kept.append(one)
    return np.array(kept)


def _chebyshev(inside: Array, span: Array, free: Array) -> tuple[Array, float]:
    """max r over t with inside + span t ≥ r |row of span| on the rows that move."""
    reach = np.linalg.norm(span, axis=1)
    rows = ~free & (reach > 1e-9)
    if not rows.any():
        return inside, 0.0
    from scipy.optimize import linprog

    A = np.column_stack([-span[rows], reach[rows]])
    cost = np.r_[np.zeros(span.shape[1]), -1.0]
    answer = linprog(cost, A_ub=A, b_ub=inside[rows], bounds=(None, None), method="highs")
    assert answer.x is not None  # the mean of all corners is in it, and it is bounded
    return inside + span @ answer.x[:-1], float(answer.x[-1])
