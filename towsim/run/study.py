"""The complementarity problem of a chosen step, pulled out for study."""

# mypy: allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from towsim.errors import SimulationError, UsageError
from towsim.methods import loop, problem
from towsim.methods.method import choose
from towsim.methods.multistep import make_stepper
from towsim.methods.solve import FORMS, back_end
from towsim.quote import show
from towsim.statics.start import at_start
from towsim.suggest import is_one_of, unknown

if TYPE_CHECKING:
    from solvers import MLCP
    from towsim.scene import Scene


def step_problem(
    scene: Scene,
    time: float = 0.0,
    *,
    step: float | None = None,
    method: str | None = None,
    form: Literal["lcp", "mlcp"] = "lcp",
    friction_directions: int = 8,
) -> MLCP:
    """The problem of the step that begins at ``time``: M, q, free rows, and the names of the rows.

    Parameters
    ----------
    scene : what to simulate until then
    time : beginning of the step, rounded to a whole number of steps [s]
    step, method : as for ``simulate``
    form : in the impulses ("lcp": M = J M⁻¹ Jᵀ), or in [v; p] ("mlcp")
    friction_directions : edges of the friction cone

    Returns
    -------
    solvers.MLCP or solvers.LCP : ``.M``, ``.q``, ``.free``, ``.names``; solve it with ``solvers.solve``, examine the
        answer with ``solvers.analyse``

    Raises
    ------
    UsageError, SceneError : as ``simulate``
    SimulationError : the run does not get to ``time``
    """
    if not is_one_of(form, FORMS):
        raise UsageError(unknown("form", form, FORMS))
    if not 0.0 <= time < float("inf"):
        raise UsageError(f"time must be a finite number >= 0, got {show(time)}")
    h = scene.run.step if step is None else step
    stepper = make_stepper(at_start(scene), choose(method, scene, h), h, directions=friction_directions)
    before = round(time / h)
    while stepper.done < before:
        block = stepper.run(*stepper.drive(min(4096, before - stepper.done)))
        if block.reason == loop.UNSOLVED:
            block = stepper.run(*stepper.drive(1), back_end("auto"))
        if block.reason not in (loop.GOOD, loop.FULL):
            raise SimulationError(
                f"the run stops at t = {stepper.time:.6g} s, before {time:.6g} s; simulate() says why",
                time=stepper.time,
            )
    stepper.begin()
    if form == "mlcp":
        return problem.mlcp(stepper)
    return problem.with_friction(stepper).problem if stepper.friction else problem.lcp(stepper)
