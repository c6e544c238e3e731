"""Measure methods on problems: time, residual, iterations, distance in w; every claim is judged once more.

A *cold* time is one call of ``solvers.solve`` on a problem that was never seen: M is scaled and checked each time, as
in a loop whose matrix changes. A *warm* time starts from the same method's own answer to the problem before it in the
file, where there is one of the same size. Both are the least of several calls; the first call of all is not timed, so
that nothing is compiled or imported on the clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Literal

import numpy as np

from solvers import certificates
from solvers.backends.registry import get, named
from solvers.bench.report import Report
from solvers.interface import solve
from solvers.matrix import Array
from solvers.problem import LCP, MLCP
from solvers.solution import Solution
from solvers.status import ACCEPT, Status

Verdict = Literal["right", "open", "wrong", "error"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One method on one problem.

    Attributes
    ----------
    problem, n, method : label of the problem, its rows, and the method
    verdict : "right" (a claim that was checked here again), "open" (no claim), "wrong" (a claim that does not hold),
        "error" (the method raised)
    status : of the solution, or the name of the exception
    time, median : least and median of the cold calls [s]
    warm : least of the warm calls [s]; NaN without a start, or where it did not lead to a right answer
    iterations, warm_iterations : as the method counts; -1 if there was no such call
    residual : scaled residual, recomputed here
    distance : max|w - w_ref| / d / max|q/d| from the reference; NaN if either is not solved. An error only where w is
        unique: for M that is not semidefinite it need not be
    message : what the method said
    """

    problem: str
    n: int
    method: str
    verdict: Verdict
    status: str
    time: float
    median: float
    warm: float
    iterations: int
    warm_iterations: int
    residual: float
    distance: float
    message: str


def measure(
    problems: Mapping[str, MLCP],
    methods: Sequence[str],
    *,
    repeats: int = 7,
    patience: float = 0.2,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Every method on every problem.

    Parameters
    ----------
    problems : by label; neighbours of the same size are taken for steps of one run
    methods : names of ``solvers.available()``
    repeats : calls that are timed, cold and warm each
    patience : no further call is timed after this many seconds [s]
    progress : called with (problems done, problems in all)

    Raises ``ProblemError`` (a ValueError) for an unknown method, before anything is measured.
    """
    for method in methods:
        named(method)
    overhead = {method: _overhead(method, repeats, patience) for method in methods}
    before: dict[str, Array] = {}
    rows: list[Measurement] = []
    for done, (label, problem) in enumerate(problems.items()):
        answers = {method: _asked(problem, method, None) for method in methods}
        known = reference(problem, [one for one in answers.values() if isinstance(one, Solution)])
        for method, answer in answers.items():
            rows.append(_row(label, problem, method, answer, known, before.get(method), repeats, patience))
            before.pop(method, None)
            if isinstance(answer, Solution) and answer.solved:
                before[method] = answer.z
        if progress is not None:
            progress(done + 1, len(problems))
    return Report(tuple(rows), overhead)


def judge(problem: MLCP, solution: Solution) -> Verdict:
    """Whether what a solution claims holds, from M, q, z and y alone."""
    if solution.status is Status.SOLVED:
        z = np.asarray(solution.z)
        # A residual that was accepted at 1e-9 may come out an eps or so differently from another product M z.
        good = z.shape == (problem.n,) and problem.residual(z) <= ACCEPT * (1 + 1e-6)
        return "right" if good else "wrong"
    if solution.status is Status.INFEASIBLE:
        proof = solution.farkas
        return "right" if proof is not None and certificates.check(problem, proof.y) is not None else "wrong"
    if solution.status is Status.INVALID:
        return "right" if problem.invalid else "wrong"
    return "open"


def reference(problem: MLCP, others: Sequence[Solution] = ()) -> Solution | None:
    """The right solution with the smallest residual, of ``auto`` and the others; None if there is none."""
    asked = (_asked(problem, "auto", None), *others)
    right = [one for one in asked if isinstance(one, Solution) and one.solved and judge(problem, one) == "right"]
    return min(right, key=lambda one: one.residual, default=None)


def distance(problem: MLCP, w: Array, other: Array) -> float:
    """max|w - other| in the units of the residual."""
    return float(np.max(np.abs(w - other) / problem.d, initial=0.0)) / problem.scale


def fresh(problem: MLCP) -> MLCP:
    """The same problem, of which nothing has been computed yet."""
    copy = MLCP(problem.M, problem.q, problem.free, names=problem.names, wires=problem.wires)
    copy.kind_of_row = problem.kind_of_row
    return copy


def _row(
    label: str,
    problem: MLCP,
    method: str,
    answer: Solution | Exception,
    known: Solution | None,
    start: Array | None,
    repeats: int,
    patience: float,
) -> Measurement:
    nan = math.nan
    if not isinstance(answer, Solution):
        what = type(answer).__name__
        return Measurement(label, problem.n, method, "error", what, nan, nan, nan, -1, -1, nan, nan, str(answer))
    times = _times(problem, method, None, repeats, patience)
    warm, warm_iterations = nan, -1
    if start is not None and start.shape == (problem.n,) and (method == "auto" or get(named(method)[0]).warm_start):
        again = _asked(problem, method, start)
        if isinstance(again, Solution) and judge(problem, again) == "right":
            warm, warm_iterations = min(_times(problem, method, start, repeats, patience)), again.iterations
    both = known is not None and answer.solved
    return Measurement(
        problem=label,
        n=problem.n,
        method=method,
        verdict=judge(problem, answer),
        status=str(answer.status),
        time=min(times),
        median=median(times),
        warm=warm,
        iterations=answer.iterations,
        warm_iterations=warm_iterations,
        residual=problem.residual(answer.z) if np.all(np.isfinite(answer.z)) else nan,
        distance=distance(problem, problem.w(answer.z), known.w) if both and known is not None else nan,
        message=answer.message,
    )


def _asked(problem: MLCP, method: str, start: Array | None) -> Solution | Exception:
    try:
        return solve(fresh(problem), method, start)
    except Exception as error:  # of any package a back-end calls; it is shown in the report
        return error


def _times(problem: MLCP, method: str, start: Array | None, repeats: int, patience: float) -> list[float]:
    times: list[float] = []
    while len(times) < repeats and (not times or sum(times) < patience):
        new = fresh(problem)
        begin = perf_counter()
        solve(new, method, start)
        times.append(perf_counter() - begin)
    return times


def _overhead(method: str, repeats: int, patience: float) -> float:
    """Least time of a call that has nothing to solve: one row, z = 0 [s]; NaN if the method cannot."""
    idle = LCP([[1.0]], [1.0])
    if isinstance(_asked(idle, method, None), Exception):
        return math.nan
    return min(_times(idle, method, None, max(repeats, 20), patience))
