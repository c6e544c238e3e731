"""``solve``: the one call."""

from __future__ import annotations

from typing import Any

from solvers.backends.auto import automatic
from solvers.guard import guarded
from solvers.problem import MLCP, ProblemError
from solvers.solution import Solution


def solve(problem: MLCP, method: str = "auto", start: Any = None, **options: Any) -> Solution:
    """Solve an LCP or MLCP and check the answer.

    Parameters
    ----------
    problem : :class:`LCP` or :class:`MLCP`
    method : "auto" or a name of ``solvers.available()``
    start : (n,) a z to start from, used by methods that can
    options : of the method; ``auto`` takes none

    Raises ``ProblemError`` (a ValueError) for an unknown method or option, or a start of the wrong length. Everything
    else is told by ``Solution.status``; ``solved`` and ``infeasible`` have been checked in numbers.
    """
    if isinstance(method, str) and method == "auto":
        if options:
            raise ProblemError(f"method 'auto' takes no options, got {', '.join(options)}; name a method to set them")
        return automatic(problem, start)
    return guarded(problem, method, start, options)
