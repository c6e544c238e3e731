"""``solve``: the one call."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.backends.auto import automatic, told
from solvers.backends.registry import OF_AUTO
from solvers.given import OURS, start_of, wrong
from solvers.guard import guarded
from solvers.problem import LCP, MLCP, ProblemError
from solvers.quote import show
from solvers.solution import Solution

if TYPE_CHECKING:
    from solvers.box import MCP

LOOSEST = 1e-2
"""Largest tolerance that may be asked for."""


def solve(problem: Any, *given: Any, **options: Any) -> Solution:
    """Solve and check the answer: ``solve(problem, method, start)`` or ``solve(M, q, method, start)``.

    Parameters
    ----------
    problem : :class:`LCP`, :class:`MLCP` or :class:`MCP`; or M, (n, n), with q, (n,), behind it, and free=, the free
        rows, or lower= and upper=, bounds on z, if any
    method : "auto" (default), a name of ``solvers.available()``, or a name with options: "pgs:relaxation=1.5"
    start : (n,) a z to start from, used by methods that can
    options : of the method, as keywords (``solvers.options_of(name)`` tells them). ``auto`` takes ``tolerance``, the
        residual up to which an answer is taken for solved in place of 1e-9.
        ``log=True`` keeps a table of the iterations in ``Solution.log``; ``callback=f`` calls f(k, row) after each,
        with the row as a dict, and ends the method if that returns True (all methods but ``cvxpy``, whose
        solvers tell of none; ``auto`` passes both on to each method that it tries)

    Raises ``ProblemError`` (a ValueError) for an unknown method or option, or a start that is not n finite numbers.
    Everything else is told by ``Solution.status``; ``solved``, ``infeasible`` and ``no_solution`` have been
    checked in numbers.
    """
    if not options:  # what follows takes longer than four rows
        if not given and isinstance(problem, MLCP):
            return automatic(problem)
        if type(problem) is np.ndarray and len(given) == 1 and type(given[0]) is np.ndarray:
            return automatic(LCP(problem, given[0]))
    if not isinstance(problem, MLCP):
        problem, given = _declared(problem, given, options)
    method = given[0] if given else options.pop("method", "auto")
    start = given[1] if len(given) > 1 else options.pop("start", None)
    if len(given) > 2:
        raise ProblemError("solve takes a method and a start behind the problem; options are keywords")
    if not isinstance(problem, MLCP):
        from solvers.box import boxed

        start = None if start is None else problem.reduce(start_of(start, problem.n))
        solution = solve(problem.reduced, method, start, **options)
        if problem.invalid:  # whose rows have other numbers in the reduced problem
            solution.message = problem.invalid
        return boxed(problem, solution)
    start = None if start is None else start_of(start, problem.n)
    if isinstance(method, str) and ":" in method:
        from solvers.backends.registry import named

        method, more = named(method)
        options = {**more, **options}
    if isinstance(method, str) and method == "auto":
        return _by_auto(problem, start, options) if options else automatic(problem, start)
    return guarded(problem, method, start, options)


def _declared(problem: Any, given: tuple[Any, ...], options: dict[str, Any]) -> tuple[MLCP | MCP, tuple[Any, ...]]:
    """The problem of M and q, and what is left of what was given."""
    from solvers.box import MCP

    if isinstance(problem, MCP):
        return problem, given
    if type(problem).__name__ in OURS:
        raise wrong("solve", "an LCP, MLCP or MCP", problem, {"Coulomb": "it is for solvers.solve_coulomb"})
    q, given = (given[0], given[1:]) if given else (options.pop("q", None), given)
    if q is None:
        raise ProblemError("solve(M, q) needs q, or a problem: solvers.LCP(M, q)")
    free = options.pop("free", None)
    if not options.keys() & {"lower", "upper"}:
        return MLCP(problem, q, free), given
    if free is not None:
        raise ProblemError("a free row has the bounds -inf and inf: give free, or lower and upper")
    bounds = {name: options.pop(name) for name in ("lower", "upper") if name in options}
    return MCP(problem, q, **bounds), given


def _by_auto(problem: MLCP, start: Any, options: dict[str, Any]) -> Solution:
    """``auto`` with options; ProblemError for others than it takes."""
    other = options.keys() - OF_AUTO.keys()
    if other:
        raise ProblemError(
            f"method 'auto' takes no options but {', '.join(OF_AUTO)}, got {', '.join(sorted(other))}; "
            "name a method to set them"
        )
    value, log, callback = (options.get(name, default) for name, default in OF_AUTO.items())
    if not isinstance(log, bool):
        raise ProblemError(f"log of 'auto' must be True or False, got {show(log)}")
    if callback is not None and not callable(callback):
        raise ProblemError(f"callback of 'auto' must be a function of (iteration, row), got {show(callback)}")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not (isfinite(value) and 0 < value <= LOOSEST):
        raise ProblemError(f"tolerance must be a number > 0 and at most {LOOSEST}, got {show(value)}")
    if log or callback is not None:
        return told(problem, start, float(value), log, callback)
    return automatic(problem, start, float(value))
