"""``solve``: the one call."""

from __future__ import annotations

from typing import Any

from solvers.backends.auto import automatic
from solvers.guard import guarded
from solvers.problem import MLCP, ProblemError
from solvers.solution import Solution


def solve(problem: Any, *given: Any, **options: Any) -> Solution:
    """Solve an LCP or MLCP and check the answer: ``solve(problem, method, start)`` or ``solve(M, q, method, start)``.

    Parameters
    ----------
    problem : :class:`LCP` or :class:`MLCP`; or M, (n, n), with q, (n,), behind it, and free=, the free rows if any
    method : "auto" (default), a name of ``solvers.available()``, or a name with options: "pgs:relaxation=1.5"
    start : (n,) a z to start from, used by methods that can
    options : of the method, as keywords (``solvers.options_of(name)`` tells them); ``auto`` takes none.
        ``log=True`` of ``lemke``, ``pgs`` and ``newton`` keeps a table of the iterations in ``Solution.log``

    Raises ``ProblemError`` (a ValueError) for an unknown method or option, or a start of the wrong length. Everything
    else is told by ``Solution.status``; ``solved`` and ``infeasible`` have been checked in numbers.
    """
    if not isinstance(problem, MLCP):
        q, given = (given[0], given[1:]) if given else (options.pop("q", None), given)
        if q is None:
            raise ProblemError("solve(M, q) needs q, or a problem: solvers.LCP(M, q)")
        problem = MLCP(problem, q, options.pop("free", None))
    method = given[0] if given else options.pop("method", "auto")
    start = given[1] if len(given) > 1 else options.pop("start", None)
    if len(given) > 2:
        raise ProblemError("solve takes a method and a start behind the problem; options are keywords")
    if isinstance(method, str) and method == "auto":
        if options:
            raise ProblemError(f"method 'auto' takes no options, got {', '.join(options)}; name a method to set them")
        return automatic(problem, start)
    if isinstance(method, str) and ":" in method:
        from solvers.backends.registry import named

        method, more = named(method)
        options = {**more, **options}
    return guarded(problem, method, start, options)
