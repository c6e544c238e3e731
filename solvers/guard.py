"""The guard around every back-end: validate, scale, solve, polish, recompute w, judge, and only then say *solved*."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from time import perf_counter

import numpy as np

from solvers import certificates
from solvers import matrix as mx
from solvers.active_set.basis import SHORT
from solvers.backends.polish import polish
from solvers.backends.registry import Backend, check_options, get
from solvers.matrix import Array
from solvers.problem import MLCP, ProblemError
from solvers.quote import show
from solvers.reductions import EliminateFree, IrreducibleError
from solvers.solution import Answer, Solution
from solvers.status import ACCEPT, Status

EPSILON, ROUNDINGS = float(np.finfo(float).eps), 1e3
"""A rounding error, and how many of them there may be in a w."""
HIDING, ROUGH = SHORT / ACCEPT, 1e-4
"""Terms M z, in q of connected rows, in which a contradiction of a share SHORT of q can hide; what w may miss of q
there without a proof."""


def no_warnings() -> np.errstate:
    """For what judges by numbers that may be beyond all floats: these are never found to be a solution."""
    return np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore")


@no_warnings()
def guarded(problem: MLCP, method: str, start: Array | None, options: dict[str, object]) -> Solution:
    """Solve with one back-end; the claims ``solved`` and ``infeasible`` of the result have been checked in numbers."""
    if problem.invalid:
        return nothing(problem, Status.INVALID, method, problem.invalid)
    backend = get(method)
    solve = backend.load()
    if options:
        check_options(method, solve, options)
    if problem.n == 0:
        empty = np.zeros(0)
        return Solution(empty, empty, Status.SOLVED, 0.0, 0, method, "nothing to solve", problem)
    if backend.needs_psd and not is_psd(problem):
        what = "not positive semidefinite" if problem.symmetric else "not symmetric"
        return nothing(
            problem,
            Status.UNSUPPORTED,
            method,
            f"{method} needs a symmetric positive semidefinite M; this one is {what}",
        )
    if problem.scaled.problem.invalid:
        what = "M and q differ by more orders of magnitude than a float holds; choose other units"
        return nothing(problem, Status.NO_CONCLUSION, method, what)
    try:
        answer, unpolished = _scaled_answer(problem, backend, solve, start, options)
    except MemoryError as error:
        return nothing(problem, Status.UNSUPPORTED, method, f"{method}: {error}")
    except IrreducibleError as error:
        return nothing(problem, Status.UNSUPPORTED, method, f"{method} takes no free rows, and {error}")
    solution = judged(problem, method, answer)
    solution.log, solution.seconds, solution.unpolished = answer.log, answer.seconds, unpolished
    return solution


def is_psd(problem: MLCP) -> bool:
    """Whether M is symmetric positive semidefinite, in the units it is given in or in those of ``problem.scaled``."""
    return problem.psd or (not problem.symmetric and problem.scaled.problem.psd)


@no_warnings()
def judged(problem: MLCP, method: str, answer: Answer) -> Solution:
    """The checked form of an answer to ``problem`` itself."""
    if answer.z is not None and np.isfinite(answer.z).all():
        z = np.where(problem.free, answer.z, np.maximum(answer.z, 0.0)) + 0.0  # no -0
        w = problem.w(z) + 0.0
        residual = problem.residual(z, w)
        if residual <= ACCEPT and (away := _run_away(problem, z, w)) is not None:
            answer = away._replace(iterations=answer.iterations)
        elif residual <= ACCEPT:
            return Solution(z, w, Status.SOLVED, residual, answer.iterations, method, answer.message, problem)
    else:
        z = w = np.full(problem.n, np.nan)
        residual = float("nan")
    proof = None
    if answer.y is not None:
        proof = certificates.sharpened(problem, answer.y)
    if proof is None and (answer.y is not None or answer.status is Status.INFEASIBLE):  # a ray, if not exactly
        proof = certificates.find(problem)
    if proof is not None:
        nan = np.full(problem.n, np.nan)
        message = f"no solution exists: {proof}"
        return Solution(
            nan, nan, Status.INFEASIBLE, float("nan"), answer.iterations, method, message, problem, farkas=proof
        )
    if answer.exhausted is not None:
        nan = np.full(problem.n, np.nan)
        message = f"no solution exists, though z ≥ 0 with w ≥ 0 do: {answer.exhausted}"
        none = Solution(nan, nan, Status.NO_SOLUTION, float("nan"), answer.iterations, method, message, problem)
        none.exhausted = answer.exhausted
        return none
    status = answer.status if answer.status in (Status.ITERATION_LIMIT, Status.UNSUPPORTED) else Status.NO_CONCLUSION
    message = answer.message
    if not message and status is Status.ITERATION_LIMIT:
        message = f"{method} stopped after {answer.iterations} iterations at a residual of {residual:.2g}"
    message = message or f"{method} found neither a solution nor a proof that there is none"
    return Solution(z, w, status, residual, answer.iterations, method, message, problem)


def _run_away(problem: MLCP, z: Array, w: Array) -> Answer | None:
    """What is to be said if z has run away along a ray until w is rounding of its terms; None if it has not.

    With a proof y, Σ y_i w_i = qᵀy < 0 as far as Mᵀy = 0: some w_i misses by as much as q asks for, and passes for
    rounding where the terms M z are 1/ACCEPT times that. So nothing is to be feared where w is small beside q, or the
    terms are not far larger than the q of rows that are connected; nor where there are none, z = 0, as of a contact in
    the air. Without a proof a z stands if w misses by rounding errors, or by a share ROUGH of q.
    """
    if not np.any(_missed(problem, w, problem.row_sizes(z)) > SHORT * np.abs(problem.q)):
        return None
    scaled = problem.scaled
    P, x = scaled.problem, scaled.start(z)
    terms = P.row_sizes(x)
    missed, hiding = _missed(P, P.w(x), terms), mx.product(P.entries, np.abs(x))
    at = np.flatnonzero((missed > SHORT * np.abs(P.q)) | (z != 0.0))
    block = mx.blocks(mx.to_sparse(P.M)[at][:, at] if not isinstance(P.M, np.ndarray) else P.M[np.ix_(at, at)])
    size = np.zeros(int(block.max(initial=0)) + 1)
    np.maximum.at(size, block, np.abs(P.q[at]))
    if not np.any((missed[at] > SHORT * size[block]) & (hiding[at] > HIDING * size[block])):
        return None
    y = np.where(problem.free, z, np.maximum(z, 0.0))
    if (proof := certificates.sharpened(problem, y) or certificates.find(problem)) is not None:
        return Answer(None, Status.INFEASIBLE, 0, y=proof.y)
    error = missed[at] - EPSILON * terms[at]
    if not np.any((error > ROUGH * size[block]) & (error > ROUNDINGS * EPSILON * terms[at])):
        return None
    return Answer(z, Status.NO_CONCLUSION, 0, message="z has run away, until w is nothing beside its terms")


def _missed(problem: MLCP, w: Array, terms: Array) -> Array:
    """By how much w may miss its sign, or zero: it is known to the rounding errors of its terms."""
    return np.asarray(np.where(problem.free, np.abs(w), -w) + EPSILON * terms)


def nothing(problem: MLCP, status: Status, method: str, message: str) -> Solution:
    """A solution without z."""
    nan = np.full(problem.n, np.nan)
    return Solution(nan, nan, status, float("nan"), 0, method, message, problem)


def _scaled_answer(
    problem: MLCP, backend: Backend, solve: object, start: Array | None, options: dict[str, object]
) -> tuple[Answer, float]:
    """The answer in the units of the problem, and its residual before it was polished."""
    scaled, eliminates = problem.scaled, backend.eliminates(problem.scaled.problem)
    if options.get("covering") is not None:
        options = {**options, "covering": _covering(problem, options["covering"])}
    P, x = scaled.problem, None if start is None else scaled.start(start)
    try:
        answer = _without_free(P, solve, x, options) if eliminates else _timed(P, solve, x, options)
    except IrreducibleError:
        if eliminates:
            raise
        answer = _without_free(P, solve, x, options)
    z, unpolished = answer.z, float("nan")
    if z is not None and np.isfinite(z).all():
        z = np.where(P.free, z, np.maximum(z, 0.0))
        unpolished = P.residual(z)
        if backend.iterative or unpolished > 1e-12:
            z = polish(P, z)
    answer = answer._replace(
        z=None if z is None else scaled.retrieve(z),
        y=None if answer.y is None else scaled.retrieve_farkas(answer.y),
    )
    if answer.exhausted is not None:
        feasible = scaled.retrieve(answer.exhausted.feasible)
        answer = answer._replace(exhausted=replace(answer.exhausted, feasible=feasible))
    return answer, unpolished


def _without_free(problem: MLCP, solve: object, start: Array | None, options: dict[str, object]) -> Answer:
    """The answer to what is left when the free rows have been eliminated, as one of the problem."""
    _ = problem.psd if problem.symmetric else None
    reduction = EliminateFree(problem)
    if reduction.contradiction is not None:
        return Answer(None, Status.INFEASIBLE, 0, y=reduction.contradiction)
    if options.get("covering") is not None:
        options = {**options, "covering": np.asarray(options["covering"])[~problem.free]}
    inner = _rescaled(reduction.problem, solve, None if start is None else start[~problem.free], options)
    return inner._replace(
        z=None if inner.z is None else reduction.retrieve(inner.z),
        y=None if inner.y is None else reduction.retrieve_farkas(inner.y),
        message=(inner.message + "; " if inner.message else "") + "free rows were eliminated first",
    )


def _covering(problem: MLCP, given: object) -> Array:
    """A covering vector in the units of the scaled problem."""
    try:
        d = np.asarray(given, float)
    except (TypeError, ValueError):
        d = np.zeros(0)
    if d.shape != (problem.n,) or not ((d > 0.0) & np.isfinite(d)).all():
        raise ProblemError(f"covering must be {problem.n} numbers > 0, one for each row, got {show(given)}")
    d = d * problem.scaled.row / problem.scaled.size
    return np.asarray(d / (d.max(initial=0.0) or 1.0))


def _timed(problem: MLCP, solve: object, start: Array | None, options: dict[str, object]) -> Answer:
    assert callable(solve)
    begin = perf_counter()
    answer: Answer = solve(problem, start, **options)
    return answer._replace(seconds=perf_counter() - begin) if isnan(answer.seconds) else answer


def _rescaled(problem: MLCP, solve: object, start: Array | None, options: dict[str, object]) -> Answer:
    """Elimination changes the diagonal: scale once more around the back-end."""
    if problem.n == 0:
        return Answer(np.zeros(0), Status.SOLVED, 0)
    scaled = problem.scaled
    if options.get("covering") is not None:
        options = {**options, "covering": _covering(problem, options["covering"])}
    answer = _timed(scaled.problem, solve, None if start is None else scaled.start(start), options)
    return answer._replace(
        z=None if answer.z is None else scaled.retrieve(answer.z),
        y=None if answer.y is None else scaled.retrieve_farkas(answer.y),
    )
