"""The set of all solutions, seen along two rows: its shadow is a convex polygon, found corner by corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from towsim.errors import UsageError
from towsim.given import a_list
from towsim.quote import show

if TYPE_CHECKING:
    from solvers import MLCP, Analysis


@dataclass(frozen=True, slots=True, eq=False)
class Shadow:
    """Projection of the set of solutions on the plane of two rows.

    Attributes
    ----------
    rows : numbers of the two rows
    names : their names
    corners : (k, 2) of the polygon, counter-clockwise; k = 1: a point, k = 2: a segment
    cut : whether the set goes on beyond ``limit``
    """

    rows: tuple[int, int]
    names: tuple[str, str]
    corners: np.ndarray
    cut: bool


def shadow(problem: MLCP, analysis: Analysis, rows: tuple[int, int] | None = None) -> Shadow:
    """Project the solutions {z ≥ 0 (free rows: any sign), M z = w - q} on two rows.

    A linear program gives the corner that is farthest in a direction; every edge between two corners is asked for
    what lies beyond it, until nothing does. A set without bound is cut at four times the largest impulse of the
    solution of least norm, or of the ranges that do end.

    Parameters
    ----------
    problem, analysis : the problem and what ``solvers.analyse`` said of it
    rows : two row numbers; default those that the directions of the set tell apart best

    Raises
    ------
    UsageError : M is not symmetric semidefinite, so that the set need not be convex; or rows that are not two of it
    """
    z = analysis.least_norm
    if z is None:
        raise UsageError("the solutions form a convex set only if M is symmetric positive semidefinite")
    chosen = _two_rows(analysis.null_space, problem.n) if rows is None else a_list("rows", rows)
    if len(chosen) != 2 or chosen[0] == chosen[1] or not all(row in range(problem.n) for row in chosen):
        raise UsageError(f"rows must be two different numbers from 0 to {problem.n - 1}, got {show(rows)}")
    i, j = (int(row) for row in chosen)
    size = float(np.abs(z).max(initial=0.0)) or 1.0
    limit = None
    if analysis.direction is not None:
        ends = [] if analysis.high is None else analysis.high[np.isfinite(analysis.high)] / size
        limit = 4.0 * float(np.max(ends, initial=1.0))
    farthest = _Farthest(z / size, analysis.null_space, problem.free, (i, j), limit)
    corners = _hull(farthest) * size
    return Shadow((i, j), (problem.names[i], problem.names[j]), corners, farthest.cut)


class _Farthest:
    """The point of the shadow that is farthest in a direction."""

    def __init__(
        self, z: np.ndarray, N: np.ndarray, free: np.ndarray, rows: tuple[int, int], limit: float | None
    ) -> None:
        self.z, self.N, self.rows = z, N, list(rows)
        moving = np.flatnonzero(np.abs(N).max(axis=1, initial=0.0) > 0)
        bound = moving[~free[moving]]
        self.A, self.b = -N[bound], np.maximum(z[bound], 0.0)
        self.ends = len(bound)
        if limit is not None:
            self.A = np.vstack([self.A, N[moving], -N[moving]])
            self.b = np.concatenate([self.b, limit - z[moving], limit + z[moving]])
        self.cut = False

    def __call__(self, direction: np.ndarray) -> np.ndarray:
        start = self.z[self.rows]
        if not self.N.shape[1]:
            return np.asarray(start)
        from scipy.optimize import linprog

        P = self.N[self.rows]
        answer = linprog(-(direction @ P), A_ub=self.A, b_ub=self.b, bounds=(None, None), method="highs")
        if answer.x is None:  # the start is in the set, and the set is bounded
            raise ArithmeticError(f"the linear program failed: {answer.message}")
        self.cut |= bool(np.any(self.b[self.ends :] - self.A[self.ends :] @ answer.x < 1e-6))
        return np.asarray(start + P @ answer.x)


def _hull(farthest: _Farthest) -> np.ndarray:
    """Corners of the convex polygon, counter-clockwise, from its support function."""
    near = 1e-6  # linear programs are solved to 1e-7 of numbers of order 1
    # Directions askew, so that an edge along an axis does not leave the choice of its corner open.
    first = farthest(np.array([1.0, 0.013]))
    last = farthest(np.array([-1.0, -0.013]))
    if np.abs(first - last).max() <= near:
        first, last = farthest(np.array([-0.013, 1.0])), farthest(np.array([0.013, -1.0]))
        if np.abs(first - last).max() <= near:
            return first[None, :]
    corners = [first, *_beyond(farthest, first, last, near), last, *_beyond(farthest, last, first, near)]
    return np.array(corners)


def _beyond(farthest: _Farthest, a: np.ndarray, b: np.ndarray, near: float) -> list[np.ndarray]:
    """Corners strictly to the right of the way from a to b, in their order."""
    edge = b - a
    normal = np.array([edge[1], -edge[0]]) / np.hypot(*edge)
    c = farthest(normal)
    if normal @ (c - a) <= near or min(np.abs(c - a).max(), np.abs(c - b).max()) <= near:
        return []
    return [*_beyond(farthest, a, c, near), c, *_beyond(farthest, c, b, near)]


def _two_rows(N: np.ndarray, n: int) -> tuple[int, int]:
    """The two rows whose parts of the directions span the largest area."""
    if n < 2:
        raise UsageError("a shadow needs at least two rows")
    gram = N @ N.T
    size = np.diag(gram)
    area = np.outer(size, size) - gram**2
    if not area.max(initial=0.0) > 1e-9:  # one direction at most: the rows that move most
        i, j = np.argsort(-size, kind="stable")[:2]
    else:
        i, j = np.unravel_index(int(np.argmax(np.round(area, 9))), area.shape)
    return (int(min(i, j)), int(max(i, j)))
