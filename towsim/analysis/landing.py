"""Where each back-end lands in the set of all solutions: w and v are shared, tensions need not be."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from towsim.errors import UsageError
from towsim.given import a_generator, a_list, a_whole_number

if TYPE_CHECKING:
    from solvers import MLCP, Analysis, Solution

# A tension below this share of the largest is zero: accepted residuals are 1e-9 of max|q/d|.
ZERO = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Landing:
    """One answer.

    Attributes
    ----------
    name : the method, with the number of the start where there were several
    status : of the solution
    z : (n,) impulses
    residual : scaled residual
    distance_w, distance_v : max|w - w_ref| and max|v - v_ref| [m/s, rad/s]; NaN without an answer, or without v
    vertex : whether z is a corner of the set of all solutions
    """

    name: str
    status: str
    z: np.ndarray
    residual: float
    distance_w: float
    distance_v: float
    vertex: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Landings:
    """Answers of several back-ends to one problem.

    Attributes
    ----------
    problem : what was asked
    analysis : the set of all solutions; its ``least_norm`` is the middle
    found : the answers
    """

    problem: MLCP
    analysis: Analysis
    found: tuple[Landing, ...]

    def table(self) -> list[tuple[str, ...]]:
        """Head and rows: method, status, residual, distance in w and v, corner or not, norm and range of z."""
        head = ("method", "status", "residual", "distance in w", "distance in v", "corner", "norm of z", "z")
        return [head, *(_cells(one) for one in self.found)]

    def __repr__(self) -> str:
        rows = self.table()
        width = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
        lines = ("  ".join(f"{cell:<{k}}" for cell, k in zip(row, width, strict=True)).rstrip() for row in rows)
        return "\n".join((str(self.analysis), "", *lines))

    def _repr_html_(self) -> str:
        head, *rows = self.table()
        cells = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}' for cell in row)}</tr>" for row in rows)
        return (
            f"<pre>{html.escape(str(self.analysis))}</pre>"
            f"<table><tr>{''.join(f'<th>{cell}' for cell in head)}</tr>{cells}</table>"
        )


def landings(problem: MLCP, methods: Sequence[str] | None = None, *, starts: int = 12, seed: int = 0) -> Landings:
    """Solve a problem with several back-ends; projected Gauss–Seidel (``pgs``) also from random starts.

    Parameters
    ----------
    problem : such as ``towsim.step_problem`` gives
    methods : names of ``solvers.available()``; default all but ``auto``
    starts : number of random starts, uniform up to twice the largest impulse of least norm, of free rows of both signs
    seed : of the starts

    Raises
    ------
    UsageError : the problem has no solution, the message says why; methods that are no list, a number of starts that is
        none, a seed that is none
    """
    import solvers

    a_whole_number("starts", starts)
    random = a_generator(seed)
    every = [name for name in solvers.available() if name != "auto"]
    methods = every if methods is None else a_list("methods", methods)
    reference = solvers.solve(problem)
    if not reference.solved:
        raise UsageError(f"there is nothing to compare: {reference.message or reference.status}")
    analysis = solvers.analyse(problem, reference)
    found = [_landing(name, solvers.solve(problem, name), reference, analysis) for name in methods]
    if "pgs" in methods:
        middle = reference.z if analysis.least_norm is None else analysis.least_norm
        for k in range(starts):
            start = random.uniform(0.0, 2.0 * np.abs(middle).max(initial=0.0), problem.n)
            start[problem.free] *= random.choice([-1.0, 1.0], int(problem.free.sum()))  # may be of any sign
            solution = solvers.solve(problem, "pgs", start)
            found.append(_landing(f"pgs {k + 1}", solution, reference, analysis))
    return Landings(problem, analysis, tuple(found))


def _landing(name: str, solution: Solution, reference: Solution, analysis: Analysis) -> Landing:
    distance_w = distance_v = float("nan")
    vertex = False
    if solution.solved:
        distance_w = float(np.abs(solution.w - reference.w).max(initial=0.0))
        if solution.v is not None and reference.v is not None:
            distance_v = float(np.abs(solution.v - reference.v).max(initial=0.0))
        # A corner: no direction of the set is left among those that keep the zeros.
        idle = np.abs(solution.z) <= ZERO * np.abs(solution.z).max(initial=0.0)
        N = analysis.null_space[~solution.problem.free & idle]  # free rows have no corner at zero
        vertex = N.shape[1] == 0 or (len(N) > 0 and int(np.linalg.matrix_rank(N, tol=1e-9)) == N.shape[1])
    return Landing(name, str(solution.status), solution.z, solution.residual, distance_w, distance_v, vertex)


def _cells(one: Landing) -> tuple[str, ...]:
    if not np.isfinite(one.distance_w):
        return (one.name, one.status, "", "", "", "", "", "")
    return (
        one.name,
        one.status,
        f"{one.residual:.1e}",
        f"{one.distance_w:.1e}",
        f"{one.distance_v:.1e}" if np.isfinite(one.distance_v) else "",
        "yes" if one.vertex else "no",
        f"{np.linalg.norm(one.z):.5g}",
        " ".join(f"{z:.3g}" for z in np.where(np.abs(one.z) < 1e-12, 0.0, one.z)),
    )
