"""How does solving grow with wires? The active set in compiled code, and all methods from Python beside quantecon.

In compiled code nothing of Python is on the clock; every answer is judged by its residual there and once more here.
``cold`` forgets the active set before every problem of a slowly changing sequence, ``warm`` starts from the last one.
From Python a call is what a user writes: ``solvers.solve(solvers.LCP(M, q), method)`` against ``lcp_lemke(M, q)``, on a
matrix that was never seen. Times are the least of many calls by turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import numba
import numpy as np
import report
from solver_problems import FAMILIES, Array
from solver_problems import Sequence as Run

import solvers
from solvers.active_set.loop import active_set, workspace
from solvers.status import ACCEPT

SIZES = (4, 8, 16, 32, 64, 128, 256)
LONG = (1000, 10_000)
METHODS = ("auto", "active-set", "lemke", "newton", "pgs", "osqp", "interior-point", "cvxpy")
LIMIT = {"cvxpy": 32, "pgs": 64, "newton": 128, "lemke": 256}  # largest n: beyond it a call takes too long for a table
PEER = "quantecon"
COLUMNS = ("family", "n", "method", "µs", "status", "iterations", "residual", "distance in w")


@numba.njit(error_model="numpy", _nrt=False)  # type: ignore[untyped-decorator]
def _sequence(val, ptr, q, kind, z, w, taut, memory, warm, residual, steps):  # type: ignore[no-untyped-def]
    work, iwork = memory
    for k in range(len(q)):
        if not warm:
            for i in range(taut.size):
                taut[i] = False
        code, steps[k], residual[k], _ = active_set(val[k], ptr, q[k], kind, z[k], w[k], taut, work, iwork, 0.0)
        if code != 0:
            residual[k] = np.inf


def compiled(run: Run, warm: bool, seconds: float) -> tuple[float, float]:
    """(least seconds a problem, factorisations a problem).

    Raises
    ------
    RuntimeError : an answer is not accurate
    """
    n, many = run.n, len(run.q)
    z, w, residual, steps = np.empty((many, n)), np.empty((many, n)), np.empty(many), np.empty(many)
    taut, kind, memory = np.zeros(n, bool), np.zeros(n, np.int8), workspace(n, run.val.shape[1])
    # A sequence starts from the set of its own first problem: from its end back to its beginning is no slow change.
    first = run.val[:1], run.ptr, run.q[:1], kind, z, w, taut, memory, warm, residual, steps
    _sequence(*first)
    begun = taut.copy()
    least, spent = np.inf, -1.0
    while spent < seconds:
        taut[:] = begun
        start = perf_counter()
        _sequence(run.val, run.ptr, run.q, kind, z, w, taut, memory, warm, residual, steps)
        took = perf_counter() - start
        least, spent = (np.inf, 0.0) if spent < 0.0 else (min(least, took), spent + took)
    for k in range(0, many, max(1, many // 5)):
        problem = solvers.LCP(solvers.Envelope(run.val[k], run.ptr), run.q[k])
        if not problem.residual(z[k]) <= ACCEPT * (1.0 + 1e-6):
            raise RuntimeError(f"{run.name}, n = {n}: residual {problem.residual(z[k]):.2g} in problem {k}")
    return least / many, float(steps.mean())


def in_compiled_code(sizes: Sequence[int], seconds: float) -> None:
    rows: list[list[report.Cell]] = []
    budgets: list[tuple[str, float, float, str, bool]] = []
    for family, build in FAMILIES.items():
        for n in (*sizes, *(LONG if family == "chain" else ())):
            run = build(n, 200 if n <= 64 else 60 if n <= 128 else 20)  # some 5 MB of matrices at most
            (cold, cold_steps), (warm, warm_steps) = (compiled(run, flag, seconds) for flag in (False, True))
            rows.append([family, n, cold * 1e6, cold_steps, warm * 1e6, warm_steps, cold / warm])
            if n == 4:
                budgets.append((f"{family} of 4 wires, warm", warm * 1e9, 150.0, "ns", False))
                budgets.append((f"{family} of 4 wires, cold", cold * 1e9, 1000.0, "ns", False))
            if n == 64 and family == "body":
                budgets.append(("64 wires on one body, cold", cold * 1e6, 20.0, "µs", False))
            if n == 10_000:
                budgets.append(("chain of 10000 wires, cold", cold * 1e3, 50.0, "ms", False))
            if n >= 32:
                budgets.append((f"{family} of {n} wires, cold / warm", cold / warm, 3.0, "", True))
    print("\nin compiled code, guard included\n")
    report.table(("family", "n", "cold µs", "factorisations", "warm µs", "factorisations", "cold / warm"), rows)
    print()
    for what, value, limit, unit, at_least in budgets:
        report.verdict(what, value, limit, unit, at_least=at_least)


def by_turns(calls: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Least seconds of each call; each has its turn until it has used up its share of time, at least three times."""
    for call in calls.values():
        call()
    least, spent = dict.fromkeys(calls, np.inf), dict.fromkeys(calls, 0.0)
    rounds = 0
    while rounds < 3 or min(spent.values()) < seconds:
        for name, call in calls.items():
            if rounds < 3 or spent[name] < seconds:
                start = perf_counter()
                call()
                took = perf_counter() - start
                least[name], spent[name] = min(least[name], took), spent[name] + took
        rounds += 1
    return least


def _call(M: Array, q: Array, method: str) -> Callable[[], solvers.Solution]:
    return lambda: solvers.solve(solvers.LCP(M, q), method)


def from_python(sizes: Sequence[int], seconds: float, csv: Path | None) -> None:
    peer = import_module("quantecon.optimize").lcp_lemke if find_spec(PEER) else None
    rows: list[list[report.Cell]] = []
    budgets: list[tuple[str, float, float]] = []
    for family, build in FAMILIES.items():
        for n in sizes:
            run = build(n, 10)
            M, q = np.ascontiguousarray(run.dense(5)), run.q[5]
            problem = solvers.LCP(M, q)
            best = solvers.solve(problem, "lemke")
            methods = [m for m in METHODS if m in solvers.available() and n <= LIMIT.get(m, n)]
            calls: dict[str, Callable[[], object]] = {m: _call(M, q, m) for m in methods}
            if peer is not None:
                calls[PEER] = lambda M=M, q=q: peer(M, q)
            least = by_turns(calls, seconds)
            guarded: dict[str, float] = {}
            for name, call in calls.items():
                answer = call()
                z = np.asarray(answer.z)  # type: ignore[attr-defined]
                w = problem.w(z)
                solved = isinstance(answer, solvers.Solution) and answer.solved
                status = str(answer.status)  # type: ignore[attr-defined]
                count = answer.iterations if isinstance(answer, solvers.Solution) else answer.num_iter  # type: ignore[attr-defined]
                distance = float(np.max(np.abs(w - best.w) / problem.d)) / problem.scale
                rows.append([family, n, name, least[name] * 1e6, status, int(count), problem.residual(z), distance])
                if solved and name != "auto":
                    guarded[name] = least[name]
            budgets.append((f"{family} of {n}: auto / best guarded", least["auto"] / min(guarded.values()), 1.2))
            if peer is not None and n >= 16:
                budgets.append((f"{family} of {n}: auto / {PEER}", least["auto"] / least[PEER], 1.0))
    print("\nfrom Python, matrix never seen before (quantecon judges nothing; its status 0 means solved)\n")
    report.table(COLUMNS, rows, csv)
    print()
    for what, value, limit in budgets:
        report.verdict(what, value, limit, "")


def overhead(seconds: float) -> None:
    """What of a call is not solving: problem object, packing, and the whole call on one row."""
    one = solvers.LCP(np.ones((1, 1)), -np.ones(1))
    calls: dict[str, Callable[[], object]] = {
        "LCP(M, q), 1 row": lambda: solvers.LCP(one.M, one.q),
        "auto, 1 row, object included": _call(one.M, one.q, "auto"),
        "auto, 1 row, M known": lambda: solvers.solve(one),
        "active-set, 1 row, object included": _call(one.M, one.q, "active-set"),
    }
    print("\noverhead of a call from Python\n")
    report.table(("call", "µs"), [[name, time * 1e6] for name, time in by_turns(calls, seconds).items()])


def main() -> None:
    options = report.parser(__doc__ or "")
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    arguments = options.parse_args()
    seconds = 0.02 if arguments.quick else 0.1
    report.header(PEER, "osqp", "clarabel", "cvxpy")
    in_compiled_code(arguments.sizes, seconds)
    from_python(arguments.sizes, seconds, arguments.csv)
    overhead(seconds)


if __name__ == "__main__":
    main()
