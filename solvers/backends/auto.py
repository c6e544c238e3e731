"""``auto``: choose by what the problem is, go on to the next method where one does not conclude, say what was done.

Large sparse M whose envelope would fill in, or that is not symmetric and has a positive diagonal (obstacles, options;
contacts have none): Newton's method with a sparse factorisation first.
Symmetric M: the active set first (its verdicts are checked, so semidefiniteness need not be known beforehand).
Other M: Lemke first. Then whatever else takes the problem; then rows that are not connected are solved apart; last, a
linear program looks for a Farkas vector.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from solvers import certificates
from solvers.active_set.packed import ASYMMETRIC, BY_LEMKE, once, solved
from solvers.backends.registry import get, options_of
from solvers.guard import guarded, is_psd, judged, no_warnings, nothing
from solvers.log import Callback
from solvers.matrix import DENSE_LIMIT, SMALL, Array, diagonal, envelope_size, is_sparse, to_sparse
from solvers.problem import ARRAY, MLCP
from solvers.solution import Answer, Solution
from solvers.status import ACCEPT, CODES, INFEASIBLE, INVALID, SOLVED, Status

FILL = 20
"""Entries of an envelope for each of M beyond which a sparse factorisation comes first."""

UNDERFLOW = 1e-300
"""Residual up to which it may be what is left of one that fell out of the range of floats."""

SYMMETRIC = ("lemke", "interior-point", "newton", "osqp", "enumerate")
PROVEN = (Status.INFEASIBLE, Status.NO_SOLUTION)
_SOLVED = Status.SOLVED  # looking it up in the enumeration takes longer than a factorisation of four rows
_new = object.__new__
GENERAL = ("lemke", "newton", "enumerate")


def told(problem: MLCP, start: Array | None, tolerance: float, log: bool, callback: Callback | None) -> Solution:
    """As ``automatic``, each method that is tried telling its iterations; the log is that of the one that concluded."""
    return _by_others(problem, start, tolerance, None, _Told(log, callback))


def automatic(problem: MLCP, start: Array | None = None, tolerance: float = ACCEPT) -> Solution:
    """Solve with the first method that comes to a checked conclusion; solved is what has a residual of that at most."""
    # The kernel judges its answer by M and q themselves, as the guard does; the guard's own arithmetic would cost
    # ten times the solution of a small problem.
    if start is None and problem.kept is None and type(problem.M) is ARRAY:
        code, iterations, residual, z, w = once(problem, problem.M, problem.q)
    else:
        if type(problem.M) is not ARRAY and _fills_in(problem):
            solution = guarded(problem, "newton", start, {})
            if solution.status is Status.INFEASIBLE or solution.residual <= tolerance:
                return _taken(solution)
        raw = solved(problem, start) if start is None or np.shape(start) == (problem.n,) else None
        if raw is None:
            return _by_others(problem, start, tolerance)
        code, iterations, residual, z, w = raw
    if (code == SOLVED or code == BY_LEMKE) and residual <= tolerance:  # noqa: SIM109 (a tuple would have to be made)
        if residual < UNDERFLOW and (w < 0.0).any():  # which is a residual, lost on the way
            return _by_others(problem, start, tolerance)
        solution = _new(Solution)  # nothing else is to be said; the dataclass itself takes twice as long
        solution.z = z
        solution.w = w
        solution.status = _SOLVED
        solution.residual = residual
        solution.iterations = iterations
        solution.method = "active-set" if code == SOLVED else "lemke"
        solution.message = ""
        solution.problem = problem
        return solution
    if code in (INVALID, ASYMMETRIC, BY_LEMKE):
        return _by_others(problem, start, tolerance)
    refused = code == INFEASIBLE
    answer = Answer(None if refused else z, CODES[code], iterations, y=z if refused else None)
    return _by_others(problem, start, tolerance, judged(problem, "active-set", answer))


class _Told:
    """Whom the methods tell of their iterations, and whether they are to go on."""

    def __init__(self, log: bool, callback: Callback | None) -> None:
        self.log, self.callback, self.stopped = log, callback, False

    def __call__(self, iteration: int, row: dict[str, Any]) -> bool:
        self.stopped = self.stopped or bool(self.callback is not None and self.callback(iteration, row))
        return self.stopped

    def options(self, method: str) -> dict[str, object]:
        """For a method, as far as it tells of any."""
        wanted: dict[str, object] = {"log": self.log} | ({} if self.callback is None else {"callback": self})
        return {name: value for name, value in wanted.items() if name in options_of(method)}


@no_warnings()
def _by_others(
    problem: MLCP,
    start: Array | None,
    tolerance: float,
    best: Solution | None = None,
    told: _Told | None = None,
) -> Solution:
    """Go on where the active set, whose word is given, came to no conclusion; or from the beginning, if told."""
    tried: list[str] = []
    iterations = 0
    if best is not None:
        if best.status is Status.INFEASIBLE or best.residual <= tolerance:
            return _taken(best)
        tried, iterations = [f"active-set: {best.status}"], best.iterations
    if problem.invalid:
        return nothing(problem, Status.INVALID, "auto", problem.invalid)
    order: tuple[str, ...] = SYMMETRIC if problem.symmetric else GENERAL
    if told is not None and problem.symmetric:
        order = ("active-set", *order)
    if told is not None and _fills_in(problem):
        order = ("newton", *(method for method in order if method != "newton"))
    for method in order:
        if get(method).needs_psd and not is_psd(problem):
            continue
        if not get(method).sparse and problem.n > DENSE_LIMIT:
            continue
        solution = guarded(problem, method, start, {} if told is None else told.options(method))
        iterations += solution.iterations
        if told is not None and told.stopped:
            return solution
        if solution.status in PROVEN or solution.residual <= tolerance:
            _taken(solution)
            if tried:
                solution.message = f"{'; '.join(tried)}; {method} concluded" + _also(solution.message)
                solution.iterations = iterations
            return solution
        detail = f" ({solution.message})" if solution.message else ""
        tried.append(f"{method}: {solution.status}{detail}")
        if best is None or not solution.residual >= best.residual:
            best = solution
    answer = _by_blocks(problem)
    if answer is not None:
        solution = judged(problem, "auto", answer)
        if solution.status in PROVEN or solution.residual <= tolerance:
            solution.message = (
                f"{'; '.join(tried)}; rows that are not connected were solved apart{_also(solution.message)}"
            )
            return _taken(solution)
    proof = certificates.find(problem)
    if proof is not None:
        solution = nothing(problem, Status.INFEASIBLE, "auto", f"{'; '.join(tried)}; no solution exists: {proof}")
        solution.farkas = proof
        return solution
    assert best is not None
    best.status, best.method = Status.NO_CONCLUSION, "auto"  # solved to 1e-9 as well, where less was asked for
    best.message = f"{'; '.join(tried)}; a Farkas vector was not found either"
    best.iterations = iterations
    return best


def _by_blocks(problem: MLCP) -> Answer | None:
    """What the connected blocks of rows say, each solved by itself; None if there is one only, or one says nothing.

    Where one of them has no solution, neither has the whole.
    """
    block = problem.blocks
    if block.max(initial=0) == 0:
        return None
    M = to_sparse(problem.M)
    z, iterations = np.zeros(problem.n), 0
    refused = None
    for number in range(int(block.max()) + 1):
        rows = np.flatnonzero(block == number)
        part = M[rows][:, rows]
        names = [problem.names[i] for i in rows.tolist()]
        dense = part if len(rows) > SMALL else part.toarray()
        own = automatic(MLCP(dense, problem.q[rows], problem.free[rows], names=names))
        iterations += own.iterations
        if own.farkas is not None:
            y = np.zeros(problem.n)
            y[rows] = own.farkas.y
            return Answer(None, Status.INFEASIBLE, iterations, y=y)
        if own.exhausted is not None:
            refused, z[rows] = own.exhausted, own.exhausted.feasible
        elif own.solved:
            z[rows] = own.z
        else:
            return None
    if refused is not None:
        return Answer(None, Status.NO_CONCLUSION, iterations, exhausted=replace(refused, feasible=z))
    return Answer(z, Status.SOLVED, iterations)


def _taken(solution: Solution) -> Solution:
    """The solution, as solved if it is one within the tolerance that was asked for."""
    if solution.status not in PROVEN and solution.status is not _SOLVED:
        solution.status, solution.message = _SOLVED, f"within the tolerance asked for: residual {solution.residual:.1e}"
    return solution


def _fills_in(problem: MLCP) -> bool:
    """Whether an envelope would hold far more than a large sparse M, as of meshes; wires on wires fill theirs."""
    M = problem.M
    if isinstance(M, np.ndarray) or problem.n <= SMALL or not is_sparse(M) or problem.invalid:
        return False
    if not problem.symmetric:
        return float(diagonal(M)[~problem.free].min(initial=1.0)) > 0.0
    return bool(envelope_size(M) > FILL * M.nnz)


def _also(message: str) -> str:
    return f": {message}" if message else ""
