"""The complementarity problems of a run, pulled out for study: the run is done, and stops at the steps asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, Unpack

from towsim.errors import SimulationError
from towsim.given import a_whole_number
from towsim.methods import loop, problem
from towsim.methods.block import Block
from towsim.methods.solve import back_end
from towsim.methods.stepper import Stepper
from towsim.run.options import Stepped, SteppedFor, seconds, takes
from towsim.run.setup import Ready, count_steps, prepare, stepping
from towsim.run.start import at_start

if TYPE_CHECKING:
    from solvers import MLCP
    from towsim.scene import Scene

BLOCK = 4096


@takes(Stepped)
def step_problem(scene: Scene, time: float = 0.0, **options: Unpack[Stepped]) -> MLCP:
    """The problem of the step that begins at ``time``: M, q, free rows, and the names of the rows.

    Parameters
    ----------
    scene : what to simulate until then
    time : beginning of the step, rounded to a whole number of steps [s]
    options : as of ``simulate``, by name; ``form`` is that of the problem: "lcp" (M = J M⁻¹ Jᵀ), or "mlcp" in [v; p]

    Returns
    -------
    solvers.MLCP or solvers.LCP : ``.M``, ``.q``, ``.free``, ``.names``; solve it with ``solvers.solve``, examine the
        answer with ``solvers.analyse``

    Raises
    ------
    UsageError, SceneError : as ``simulate``
    SimulationError : the run does not get to ``time``
    """
    instant = seconds("time", time)
    ready, form = start(scene, options)
    advance(ready, round(instant / ready.stepper.h))
    return problem_of(ready.stepper, form)


@takes(SteppedFor)
def step_problems(scene: Scene, *, every: int = 1, **options: Unpack[SteppedFor]) -> Iterator[tuple[float, MLCP]]:
    """Beginning [s] and problem of every n-th step of a run, the first step included.

    Parameters
    ----------
    scene : what to simulate
    every : n
    options : as of ``simulate``, by name; ``form`` is that of the problems, in the impulses or in [v; p]

    Raises
    ------
    UsageError, SceneError : as ``simulate``
    SimulationError : the run stops; the problem of the step that has no solution was given just before
    """
    a_whole_number("every", every, 1)
    how = stepping(scene, options, SteppedFor)
    end = count_steps(how.options["duration"] or scene.run.duration, how.step)
    ready, form = start(scene, options)
    stepper = ready.stepper
    failed: SimulationError | None = None
    steps = (k for k in count(0, every))
    while stepper.done < end:
        wanted = next(steps)
        try:
            advance(ready, min(wanted, end))
        except SimulationError as error:
            failed = error
        if stepper.done < end:
            yield stepper.time, problem_of(stepper, form)
        if failed is not None:
            raise failed


def start(scene: Scene, options: Mapping[str, Any]) -> tuple[Ready, str]:
    """A stepper at the start of a run that solves its steps in impulses, and the form that its problems are to have."""
    how = stepping(scene, {name: value for name, value in options.items() if name != "form"})
    return prepare(at_start(scene), how), stepping(scene, options).options["form"]


def advance(ready: Ready, until: int) -> None:
    """Take steps until ``until`` of them are done, as ``simulate`` does.

    Raises ``SimulationError`` if a step cannot be taken; the stepper is then at its beginning.
    """
    stepper = ready.stepper
    while stepper.done < until:
        block = stepper.run(stepper.ahead(min(BLOCK, until - stepper.done)), ready.solve)
        if block.reason == loop.UNSOLVED and ready.solve is None:
            block = stepper.run(stepper.ahead(1), back_end("auto"))
        if block.reason not in (loop.GOOD, loop.FULL):
            raise SimulationError(f"the run stops at t = {stepper.time:.6g} s: {_why(block)}", time=stepper.time)


def problem_of(stepper: Stepper, form: str = "lcp") -> MLCP:
    """The problem of the next step, which is begun."""
    stepper.begin()
    if form == "mlcp":
        return problem.mlcp(stepper)
    return problem.with_friction(stepper).problem if stepper.friction else problem.lcp(stepper)


def _why(block: Block) -> str:
    return {
        loop.UNSOLVED: "the problem of the next step was not solved",
        loop.STRETCHED: "a wire would stretch beyond the limit",
        loop.NOT_FINITE: "positions grew beyond all bounds",
        loop.SPENT: "a span of a massive cable over rings ran out",
        loop.LEFT: "a massive cable leaves a pulley",
        loop.HAULED_IN: "a wire has no way over its pulleys, or is hauled in up to one",
    }[block.reason]
