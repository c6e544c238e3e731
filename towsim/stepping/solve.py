"""The only door to the solvers: the compiled kernels of the block loop, and any back-end for one step's problem."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solvers.active_set import active_set, workspace
from solvers.envelope import factor
from towsim.compiled import part
from towsim.errors import UsageError
from towsim.model.arrays import UNILATERAL, Rows
from towsim.results.variables import STATUS_FLAGS
from towsim.suggest import unknown

if TYPE_CHECKING:
    from solvers import MLCP, Solution
    from towsim.stepping.stepper import Stepper

__all__ = ["COMPILED", "FORMS", "Answer", "active_set", "active_set_memory", "back_end", "count_held"]

COMPILED = ("auto", "active-set")
"""Solvers whose whole block is one compiled loop."""

FORMS = ("lcp", "mlcp")

TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Answer:
    """What a back-end says of one step's problem; impulses and rates are in the stepper's ``work`` when it is solved.

    Attributes
    ----------
    solved : whether the impulses may be applied
    code : status as an integer, 0 = solved
    iterations, residual : as recorded
    message : what to tell people when it is not solved
    owners, speed : for infeasible problems, who is driven apart and how fast [m/s]
    """

    solved: bool
    code: int
    iterations: int = 0
    residual: float = 0.0
    message: str = ""
    owners: tuple[str, ...] = ()
    speed: float | None = None


def active_set_memory(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Scratch of the compiled active set for these rows."""
    memory: tuple[np.ndarray, np.ndarray] = workspace(len(rows.kind), int(rows.envelope[-1]))
    return memory


def back_end(name: str, form: str = "lcp") -> Callable[[Stepper], Answer]:
    """A function that solves the problem of a begun step with the named back-end, in the LCP or MLCP form.

    Raises
    ------
    UsageError : there is no such solver or form
    """
    import solvers
    from solvers.registry import backends

    if name not in solvers.available():
        raise UsageError(unknown("solver", name, solvers.available()))
    if form not in FORMS:
        raise UsageError(unknown("form", form, FORMS))
    if form == "mlcp" and name != "auto" and backends()[name].needs_psd:
        able = ", ".join(other for other, backend in backends().items() if not backend.needs_psd)
        raise UsageError(
            f"solver {name!r} needs a symmetric matrix, and that of the [v; p] form is not; "
            f"use form='lcp', or one of auto, {able}"
        )

    def solve(stepper: Stepper) -> Answer:
        from towsim.stepping import problem as problems

        work = stepper.work
        if not len(work.q):
            return Answer(True, 0)
        if form == "mlcp":
            problem = problems.mlcp(stepper)
            solution = solvers.solve(problem, name)
            impulses = solution.z[-len(work.p) :]
        elif stepper.friction:
            problem, flat = problems.with_friction(stepper)
            solution = solvers.solve(problem, name)
            impulses = flat.lift @ solution.z
        else:
            problem = problems.lcp(stepper)
            solution = solvers.solve(problem, name, np.maximum(work.p, 0.0))
            impulses = solution.z
        if not solution.solved:
            return _unsolved(stepper, problem, solution)
        work.p[:] = impulses
        work.w[:] = problems.rates_after(stepper)
        rows = stepper.compiled.model.rows
        trace = (rows.kind == UNILATERAL) & (work.p > 0.0) & (work.w > work.A[rows.envelope[1:] - 1] * work.p)
        if trace.any():  # an interior answer leaves a trace of impulse on slack rows, which would read as taut
            work.p[trace] = 0.0
            work.w[:] = problems.rates_after(stepper)
        work.taut[:] = work.p > 0.0
        return Answer(True, 0, solution.iterations, solution.residual)

    return solve


def _unsolved(stepper: Stepper, problem: MLCP, solution: Solution) -> Answer:
    code = STATUS_FLAGS[str(solution.status)]
    message = solution.message or f"{solution.method}: {solution.status}"
    if solution.farkas is None:
        return Answer(False, code, solution.iterations, solution.residual, message)
    y = solution.farkas.y
    if stepper.friction:
        return Answer(False, code, solution.iterations, solution.residual, message, solution.farkas.names)
    y = y[-len(stepper.work.q) :]  # in the [v; p] form velocities come first
    largest = float(np.abs(y).max(initial=0.0)) or 1.0
    owners = stepper.compiled.owners
    guilty = tuple(
        dict.fromkeys(owners[i] for i in np.argsort(-np.abs(y), kind="stable") if abs(y[i]) > 1e-6 * largest)
    )
    # Σ y ∂ψ/∂t is the part of the contradiction that known motions make; ψ/h may add what a step overshot.
    speed = -float(y @ stepper.work.rate) / largest
    return Answer(False, code, solution.iterations, solution.residual, message, guilty, speed)


@part()
def count_held(val, ptr, kind, q, p, w, basis, known, mask, scratch, counts):
    """Number of rows that are held (free, or w = 0), and the rank of A on them.

    The rank is factored anew only when the held rows, or the rank of the solver's basis, are not those of the step
    before.

    basis : rank of the solver's basis; when it has all held rows, nothing needs to be factored
    known : (2,) basis and rank of the step before, updated;  mask : (n,) bool, held rows of the step before, updated
    scratch, counts : memory of the active set, overwritten
    """
    n = q.size
    scale = 0.0
    for i in range(n):
        scale = max(scale, q[i] * q[i] / max(val[ptr[i + 1] - 1], TINY))
    # Accepted answers are exact to 1e-9 of this scale: the judge's bound. Squares save the roots.
    bound = 1e-18 * scale
    held = 0
    changed = basis != known[0]
    for i in range(n):
        small = w[i] <= 0.0 or w[i] * w[i] <= bound * val[ptr[i + 1] - 1]
        now = kind[i] == 1 or (kind[i] == 0 and (p[i] > 0.0 or small))
        changed |= now != mask[i]
        mask[i] = now
        held += now
    known[0] = basis
    if held == basis:
        known[1] = held
    elif changed:
        nnz = ptr[n]
        before = counts[3 * n : 4 * n + 1]
        factor(
            val, ptr, mask, 0, 1e-10, scratch[6 * n : 6 * n + nnz], scratch[n : 2 * n], scratch[2 * n : 3 * n],
            counts[:n], before, counts[n : 2 * n], counts[2 * n : 3 * n],
        )  # fmt: skip
        known[1] = before[n]
    return held, known[1]
