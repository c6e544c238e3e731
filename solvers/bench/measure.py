"""Measure methods on problems: time, residual, iterations, distance in w; every claim is judged once more.

A *cold* time is one call of ``solvers.solve`` on a problem that was never seen: M is scaled and checked each time, as
in a loop whose matrix changes. A *warm* time starts from the same method's own answer to the problem before it, where
there is one of the same size. Calls are repeated, the methods by turns, so that what else the machine does meets all of
them alike; the first call of all is not timed, so that nothing is compiled or imported on the clock. Beside the time of
the call stands that in the algorithm alone (``Solution.seconds``), of ``auto`` that of the method which concluded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from solvers import certificates
from solvers.backends.registry import available, backends, get, named, passing, register
from solvers.bench.report import Measurement, Report, Verdict
from solvers.given import expect_problems
from solvers.interface import solve
from solvers.matrix import Array
from solvers.problem import MLCP, ProblemError
from solvers.solution import Solution
from solvers.status import ACCEPT, Status


@passing()
def benchmark(
    problems: Mapping[str, MLCP] | str | Path,
    methods: Sequence[str | Callable[..., Any]] = (),
    *,
    repeats: int = 7,
    patience: float = 0.2,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Every method on every problem.

    Parameters
    ----------
    problems : by label ("family/name"); or a file or folder of them, see ``solvers.files``. Neighbours of the same size
        are taken for steps of one run
    methods : names of ``solvers.available()`` (none: all of them), with options if wanted ("pgs:relaxation=1.5"), or
        functions of your own, (M, q) -> z, see ``solvers.register``; they are called by their ``__name__`` and are
        methods only while they are measured
    repeats : calls that are timed, cold and warm each
    patience : no further call of a method on a problem is timed after this many seconds [s]
    progress : called with (problems done, problems in all)

    Raises ``ProblemError`` (a ValueError) for an unknown method or another problem, before anything is measured.
    """
    if isinstance(problems, (str, Path)):
        from solvers.files import load

        problems = load(problems)
    expect_problems(MLCP, "benchmark", problems)
    if not problems:
        raise ProblemError("benchmark takes one problem or more, got none")
    names = [_name(method) for method in methods or available()]
    before: dict[str, Array] = {}
    rows: list[Measurement] = []
    for done, (label, problem) in enumerate(problems.items()):
        answers = {method: _asked(problem, method, None) for method in names}
        solutions = {method: one for method, one in answers.items() if isinstance(one, Solution)}
        known = reference(problem, list(solutions.values()))
        cold = _times(problem, dict.fromkeys(solutions), repeats, patience)
        again = {
            method: found
            for method in solutions
            if (start := before.get(method)) is not None and (found := _warm(problem, method, start)) is not None
        }
        warm_times = _times(problem, {method: before[method] for method in again}, repeats, patience)
        for method, answer in answers.items():
            if isinstance(answer, Solution):
                warm = (warm_times[method], again[method].iterations) if method in again else None
                rows.append(_row(label, problem, method, answer, known, cold[method], warm))
            else:
                rows.append(_raised(label, problem, method, answer))
        before = {method: one.z for method, one in solutions.items() if one.solved}
        if progress is not None:
            progress(done + 1, len(problems))
    return Report(tuple(rows), tuple(names))


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
    copy = MLCP(problem.M, problem.q, problem.free, names=problem.names, wires=problem.wires, rate=problem.rate)
    copy.kind_of_row = problem.kind_of_row
    return copy


def _name(method: str | Callable[..., Any]) -> str:
    """The name of a method, which is checked; of a function, under which it is registered."""
    if isinstance(method, str):
        named(method)
        return method
    return register(getattr(method, "__name__", type(method).__name__), method)


def _row(
    label: str,
    problem: MLCP,
    method: str,
    answer: Solution,
    known: Solution | None,
    cold: _Times,
    warm: tuple[_Times, int] | None,
) -> Measurement:
    return Measurement(
        problem=label,
        n=problem.n,
        method=method,
        verdict=judge(problem, answer),
        status=str(answer.status),
        time=min(cold.calls),
        median=median(cold.calls),
        algorithm=min(cold.algorithm),
        warm=math.nan if warm is None else min(warm[0].calls),
        iterations=answer.iterations,
        warm_iterations=-1 if warm is None else warm[1],
        residual=problem.residual(answer.z) if np.all(np.isfinite(answer.z)) else math.nan,
        unpolished=_alone(problem, method, answer).unpolished,
        distance=distance(problem, problem.w(answer.z), known.w) if known is not None and answer.solved else math.nan,
        message=answer.message,
    )


def _raised(label: str, problem: MLCP, method: str, error: Exception) -> Measurement:
    nan, what = math.nan, type(error).__name__
    return Measurement(label, problem.n, method, "error", what, nan, nan, nan, nan, -1, -1, nan, nan, nan, str(error))


def _asked(problem: MLCP, method: str, start: Array | None) -> Solution | Exception:
    try:
        return solve(fresh(problem), method, start)
    except Exception as error:  # of any package a back-end calls; it is shown in the report
        return error


def _warm(problem: MLCP, method: str, start: Array) -> Solution | None:
    """The answer from a start, None if the method takes none, or that does not lead to a right one."""
    if start.shape != (problem.n,) or not (method == "auto" or get(named(method)[0]).warm_start):
        return None
    again = _asked(problem, method, start)
    return again if isinstance(again, Solution) and judge(problem, again) == "right" else None


class _Times(NamedTuple):
    """Of some calls of one method: in all, and in the algorithm [s]."""

    calls: list[float]
    algorithm: list[float]


def _times(problem: MLCP, starts: Mapping[str, Array | None], repeats: int, patience: float) -> dict[str, _Times]:
    """Calls of the methods by turns, from these starts."""
    times = {method: _Times([], []) for method in starts}
    for _ in range(repeats):
        for method, (calls, algorithm) in times.items():
            if calls and sum(calls) >= patience:
                continue
            new = fresh(problem)
            begin = perf_counter()
            solution = solve(new, method, starts[method])
            calls.append(perf_counter() - begin)
            algorithm.append(_alone(problem, method, solution, starts[method]).seconds)
    return times


def _alone(problem: MLCP, method: str, solution: Solution, start: Array | None = None) -> Solution:
    """``auto`` keeps no books of time: then the answer of the method that concluded, asked by itself."""
    if method != "auto" or solution.method not in backends():
        return solution
    return solve(fresh(problem), solution.method, start)
