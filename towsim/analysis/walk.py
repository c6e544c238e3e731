"""The problems of a run, step by step: the run is done again, and stops at the steps that are asked for."""

# mypy: allow-untyped-calls
from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Literal

from towsim.errors import SimulationError, UsageError
from towsim.methods import loop, problem
from towsim.methods.block import Block
from towsim.methods.method import choose
from towsim.methods.multistep import make_stepper
from towsim.methods.solve import FORMS, back_end, compiled_solvers, friction_law
from towsim.methods.stepper import Stepper
from towsim.quote import show
from towsim.statics.start import at_start
from towsim.suggest import unknown

if TYPE_CHECKING:
    from solvers import MLCP
    from towsim.scene import Scene

BLOCK = 4096


def step_problems(
    scene: Scene,
    *,
    every: int = 1,
    duration: float | None = None,
    step: float | None = None,
    method: str | None = None,
    solver: str | None = None,
    form: Literal["lcp", "mlcp"] = "lcp",
    friction_directions: int = 8,
) -> Iterator[tuple[float, MLCP]]:
    """Beginning [s] and problem of every n-th step of a run, the first step included.

    Parameters
    ----------
    scene : what to simulate
    every : n
    duration, step, method, solver, friction_directions : as for ``simulate``
    form : of the problems, in the impulses ("lcp") or in [v; p] ("mlcp")

    Raises
    ------
    UsageError, SceneError : as ``simulate``
    SimulationError : the run stops; the problem of the step that has no solution was given just before
    """
    if not (isinstance(every, int) and every >= 1):
        raise UsageError(f"every must be a whole number >= 1, got {show(every)}")
    if form not in FORMS:
        raise UsageError(unknown("form", form, FORMS))
    duration = scene.run.duration if duration is None else duration
    if not 0.0 < duration < float("inf"):
        raise UsageError(f"duration must be a finite number > 0, got {show(duration)}")
    solver = scene.run.solver if solver is None else solver
    law = friction_law(None, solver)
    stepper = start(scene, step=step, method=method, friction=law, friction_directions=friction_directions)
    end = max(1, math.ceil(duration / stepper.h - 1e-9))  # as simulate counts
    failed: SimulationError | None = None
    steps = (k for k in count(0, every))
    while stepper.done < end:
        wanted = next(steps)
        try:
            advance(stepper, min(wanted, end), solver)
        except SimulationError as error:
            failed = error
        if stepper.done < end:
            begin(stepper)
            yield stepper.time, problem_of(stepper, form)
        if failed is not None:
            raise failed


def start(
    scene: Scene,
    *,
    step: float | None = None,
    method: str | None = None,
    friction: str = "cone",
    friction_directions: int = 8,
    stretch_limit: float = 1e-3,
) -> Stepper:
    """A stepper at the start of a run; parameters and errors as for ``simulate``."""
    step = scene.run.step if step is None else step
    if not 0.0 < step < float("inf"):
        raise UsageError(f"step must be a finite number > 0, got {show(step)}")
    return make_stepper(
        at_start(scene),
        choose(method, scene, step),
        step,
        stretch_limit=stretch_limit,
        friction=friction,
        directions=friction_directions,
    )


def advance(stepper: Stepper, until: int, solver: str = "auto") -> None:
    """Take steps until ``until`` of them are done, as ``simulate`` does.

    Raises ``SimulationError`` if a step cannot be taken; the stepper is then at its beginning.
    """
    compiled = solver in compiled_solvers(stepper)
    solve = None if compiled else back_end(solver)
    while stepper.done < until:
        block = stepper.run(*stepper.drive(min(BLOCK, until - stepper.done)), solve)
        if block.reason == loop.UNSOLVED and compiled:
            block = stepper.run(*stepper.drive(1), back_end("auto"))
        if block.reason not in (loop.GOOD, loop.FULL):
            raise SimulationError(f"the run stops at t = {stepper.time:.6g} s: {_why(block)}", time=stepper.time)


def begin(stepper: Stepper) -> None:
    """Begin the next step: its problem is then in ``stepper.work``."""
    stepper.begin()


def problem_of(stepper: Stepper, form: str = "lcp") -> MLCP:
    """The problem of a step that was begun."""
    if form == "mlcp":
        return problem.mlcp(stepper)
    return problem.with_friction(stepper).problem if stepper.friction else problem.lcp(stepper)


def _why(block: Block) -> str:
    return {
        loop.UNSOLVED: "the problem of the next step was not solved",
        loop.STRETCHED: "a wire would stretch beyond the limit",
        loop.NOT_FINITE: "positions grew beyond all bounds",
    }[block.reason]
