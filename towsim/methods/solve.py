"""The only door to the solvers: the compiled kernels of the block loop, and any back-end for one step's problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solvers.active_set.implicit import Values, make_values, solve_as_typed
from solvers.active_set.large import Large, large, warm_start_large
from solvers.active_set.least_norm import to_least_norm
from solvers.active_set.loop import active_set, search, warm_start, workspace
from solvers.friction.bands import Bands, no_bands
from solvers.friction.cone import CONE, Cones
from solvers.friction.cone_newton import workspace as cone_workspace
from solvers.friction.held import uniqueness
from solvers.friction.implicit import cone_newton_as_typed
from towsim.arena import in_arena
from towsim.errors import UsageError
from towsim.model.arrays import OFF, UNILATERAL
from towsim.model.model import Model
from towsim.results.variables import STATUS_FLAGS
from towsim.suggest import is_one_of, unknown

if TYPE_CHECKING:
    from solvers import MLCP, Coulomb, CoulombSolution, Solution
    from towsim.methods.stepper import Stepper

__all__ = [
    "CONE",
    "CONE_SOLVERS",
    "FORMS",
    "FRICTION",
    "Answer",
    "Large",
    "Values",
    "active_set",
    "back_end",
    "compiled_solvers",
    "cone_newton_as_typed",
    "friction_cones",
    "friction_law",
    "friction_of_cones",
    "large_problem",
    "room_for_values",
    "search",
    "solve_as_typed",
    "solver_memory",
    "to_least_norm",
    "uniqueness",
    "warm_start",
    "warm_start_large",
]

FORMS = ("lcp", "mlcp")

FRICTION = ("cone", "polyhedral")
"""How friction is solved: on the exact circular cone, or as an LCP on a polygon of directions."""

CONE_SOLVERS = ("auto", "cone-newton", "cone-sweeps")

IN_IMPULSES = ("auto", "active-set")
"""Solvers that need no factors of the problem."""


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
    driven : whether known motions do that
    doubtful : whether rows that contradict each other may be why it is not solved
    """

    solved: bool
    code: int
    iterations: int = 0
    residual: float = 0.0
    message: str = ""
    owners: tuple[str, ...] = ()
    speed: float | None = None
    driven: bool = True
    doubtful: bool = False


def friction_cones(model: Model) -> Cones | None:
    """What rubs, contacts and wires; None if nothing does, so that kernels are compiled without it.

    The bounds of the wires' friction are those of the model, which change with the geometry.
    """
    rubbing = model.contacts.row[:, 1] >= 0
    bands = no_bands()
    if model.routes is not None:
        bands = Bands(model.routes.rubbing, *model.routes.bound)
    if not rubbing.any() and not len(bands.low):
        return None
    return Cones(np.ascontiguousarray(model.contacts.row[rubbing]), friction_of_cones(model), bands)


def friction_of_cones(model: Model) -> np.ndarray:
    """Coefficient of friction of each contact that rubs."""
    return model.contacts.friction[model.contacts.row[:, 1] >= 0]


def friction_law(wanted: str | None, solver: str) -> str:
    """How friction is solved: as wanted, else exactly by the solvers that can, else as an LCP.

    Raises
    ------
    UsageError : there is no such law, or the solver does not solve it
    """
    if wanted is None:
        return "cone" if solver in CONE_SOLVERS else "polyhedral"
    if not is_one_of(wanted, FRICTION):
        raise UsageError(unknown("friction", wanted, FRICTION))
    if wanted == "cone" and solver not in CONE_SOLVERS:
        raise UsageError(
            f"solver {solver!r} does not solve friction='cone'; use one of {', '.join(CONE_SOLVERS)}, "
            "or friction='polyhedral'"
        )
    if wanted == "polyhedral" and solver in CONE_SOLVERS[1:]:
        raise UsageError(f"solver {solver!r} is for friction='cone', got friction='polyhedral'")
    return wanted


def compiled_solvers(stepper: Stepper) -> tuple[str, ...]:
    """Solvers whose whole block is one compiled loop."""
    if stepper.cones is not None:
        return ("auto", "cone-newton")
    return () if stepper.friction else ("auto", "active-set")


def large_problem(model: Model) -> Large | None:
    """In what order problems with many rows are eliminated, with room for it; None where their envelope serves as well.

    Friction couples rows by its law as well: it stays there.
    """
    if friction_cones(model) is not None:
        return None
    return large(model.rows.envelope, model.rows.where)


def solver_memory(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Scratch of the compiled solvers for these rows."""
    n, nnz = len(model.rows.kind), int(model.rows.envelope[-1])
    work, iwork = workspace(n, nnz)
    if friction_cones(model) is not None:
        more = cone_workspace(n, nnz)
        work = np.zeros(max(len(work), len(more[0])))
        iwork = np.zeros(max(len(iwork), len(more[1])), np.int64)
    return in_arena((work, iwork))


def room_for_values(model: Model, cones: Cones | None) -> Values:
    """What problems in numbers that carry derivatives are solved in, see ``solve_as_typed``."""
    n, nnz = len(model.rows.kind), int(model.rows.envelope[-1])
    if cones is None:
        return make_values(n, nnz)
    return make_values(n, nnz, len(cone_workspace(n, nnz)[0]), len(cones.mu), len(cones.bands.low))


def back_end(name: str, form: str = "lcp") -> Callable[[Stepper], Answer]:
    """A function that solves the problem of a begun step with the named back-end, in the LCP or MLCP form.

    Options of the back-end stand behind its name: "pgs:relaxation=1.5".

    Raises
    ------
    UsageError : there is no such solver or form
    """
    import solvers
    from solvers.backends.registry import backends, named

    given = name
    name = name.split(":")[0] if isinstance(name, str) else name
    if not is_one_of(name, ("auto", *backends(), *CONE_SOLVERS[1:])):
        known = [*solvers.available(), *CONE_SOLVERS[1:]]
        raise UsageError(unknown("solver", name, known))
    if given in CONE_SOLVERS[1:]:
        return _on_the_cone(given)
    try:
        _, options = named(given)
    except solvers.ProblemError as error:
        raise UsageError(str(error)) from None
    if not is_one_of(form, FORMS):
        raise UsageError(unknown("form", form, FORMS))
    if form == "mlcp" and name != "auto" and backends()[name].needs_psd:
        able = ", ".join(other for other, backend in backends().items() if not backend.needs_psd)
        raise UsageError(
            f"solver {name!r} needs a symmetric matrix, and that of the [v; p] form is not; "
            f"use form='lcp', or one of auto, {able}"
        )

    on_the_cone = _on_the_cone("auto")

    def solve(stepper: Stepper) -> Answer:
        from towsim.methods import problem as problems

        work = stepper.work
        if not len(work.q):
            return Answer(True, 0)
        if stepper.cones is not None:
            return on_the_cone(stepper)
        on = work.kind != OFF
        if form == "mlcp":
            problem = problems.mlcp(stepper)
            solution = solvers.solve(problem, name, **options)
            impulses = solution.z[len(solution.z) - int(on.sum()) :]
        elif stepper.friction:
            flat = problems.with_friction(stepper)
            problem = flat.problem
            solution = solvers.solve(problem, name, **options)
            impulses = flat.lift @ solution.z
        else:
            problem = problems.lcp(stepper, factors=name not in IN_IMPULSES)
            solution = solvers.solve(problem, name, np.maximum(work.p[on], 0.0), **options)
            impulses = solution.z
        if not solution.solved:
            return _unsolved(stepper, problem, solution)
        work.p[:] = 0.0
        work.p[on] = impulses
        work.w[:] = problems.rates_after(stepper)
        rows = stepper.compiled.model.rows
        trace = (
            (rows.kind == UNILATERAL)
            & (work.kind == 0)
            & (work.p > 0.0)
            & (work.w > work.A[rows.envelope[1:] - 1] * work.p)
        )
        if trace.any():  # an interior answer leaves a trace of impulse on slack rows, which would read as taut
            work.p[trace] = 0.0
            work.w[:] = problems.rates_after(stepper)
        work.taut[:] = work.p > 0.0
        return Answer(True, 0, solution.iterations, solution.residual)

    return solve


def _on_the_cone(name: str) -> Callable[[Stepper], Answer]:
    """As ``back_end``, for friction on the exact cone."""

    def solve(stepper: Stepper) -> Answer:
        from solvers.friction.coulomb import solve_coulomb
        from towsim.methods import problem as problems

        work = stepper.work
        problem = problems.coulomb(stepper)
        solution = solve_coulomb(problem, name, work.p)
        if not solution.solved:
            return _unsolved(stepper, problem, solution)
        work.p[:] = solution.z
        work.w[:] = solution.w
        return Answer(True, 0, solution.iterations, solution.residual)

    return solve


def _unsolved(stepper: Stepper, problem: MLCP | Coulomb, solution: Solution | CoulombSolution) -> Answer:
    code = STATUS_FLAGS[str(solution.status)]
    message = solution.message or f"{solution.method}: {solution.status}"
    if solution.farkas is None:
        doubtful = solution.method in IN_IMPULSES  # others may have failed for reasons of their own
        return Answer(False, code, solution.iterations, solution.residual, message, doubtful=doubtful)
    y = solution.farkas.y
    if stepper.friction and stepper.cones is None:
        return Answer(False, code, solution.iterations, solution.residual, message, solution.farkas.names)
    y = y[-len(stepper.work.q) :]  # in the [v; p] form velocities come first
    if len(y) < len(stepper.work.q):  # rows that are off were left out
        there = np.zeros(len(stepper.work.q))
        there[stepper.work.kind != OFF] = y
        y = there
    largest = float(np.abs(y).max(initial=0.0)) or 1.0
    owners = stepper.compiled.owners
    guilty = tuple(
        dict.fromkeys(owners[i] for i in np.argsort(-np.abs(y), kind="stable") if abs(y[i]) > 1e-6 * largest)
    )
    # Σ y ∂ψ/∂t is the part of the contradiction that known motions make; gaps and directions make the rest.
    speed = float(solution.farkas.fall)
    known = -float(y @ stepper.work.rate) / largest
    ahead = stepper.method.staggered  # the gaps at hand are then those that SHAKE predicts
    overshot = 0.0 if ahead else float(y @ np.maximum(-stepper.work.gap, 0.0)) / (largest * stepper.h)
    driven = known > 0.5 * (speed - overshot) and known > 0.0
    speed = known if driven else speed
    return Answer(False, code, solution.iterations, solution.residual, message, guilty, speed, driven, doubtful=True)
