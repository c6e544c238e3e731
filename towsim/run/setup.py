"""From a scene and options to a stepper that is ready to go."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from towsim.errors import SceneWarning, UsageError
from towsim.methods.dialogue import Solve
from towsim.methods.method import Method, method_for
from towsim.methods.multistep import make_stepper
from towsim.methods.solve import CONE_SOLVERS, back_end, compiled_solvers, friction_law
from towsim.methods.stepper import Stepper
from towsim.model.compile import Compiled
from towsim.run.columns import coordinates
from towsim.run.options import Options, checked
from towsim.scene import Scene
from towsim.scene.expand import a_scene
from towsim.scene.run import MOST_STEPS, ROUNDED


class Stepping(NamedTuple):
    """How a scene is to be stepped: the options of a call, with the scene's own for what it leaves out.

    Attributes
    ----------
    step : h [s]
    options : all of a call, checked
    key : of what an engine is made for
    """

    method: Method
    step: float
    solver: str
    options: Options

    @property
    def key(self) -> tuple[Any, ...]:
        """What engines have to have in common, besides the structure of their scenes."""
        given = self.options
        solved = self.solver, given["form"], given["loop"], given["friction"], given["friction_directions"]
        return self.method.name, self.step, given["stretch_limit"], solved


def stepping(scene: Scene, given: Mapping[str, Any], kind: type = Options, by_hand: Sequence[str] = ()) -> Stepping:
    """The options of a call, checked by themselves and against the scene; ``by_hand``: see ``checked``.

    Raises
    ------
    UsageError : an option that does not exist, or a value that it cannot have; what the method cannot take
    """
    a_scene(scene)
    options = cast(Options, checked(given, kind, by_hand))
    step = options["step"] or scene.run.step
    method = method_for(scene, options["method"], step, options["controllers"])
    return Stepping(method, step, options["solver"] or scene.run.solver, options)


@dataclass(frozen=True, slots=True)
class Ready:
    """A stepper at the scene's start, how its problems are solved, and the options that say so.

    Attributes
    ----------
    solve : solves each step's problem in a Python loop; None for the compiled loop
    solver : name of the solver that was asked for
    options : what a result keeps, to be run again
    coords : names along the dimensions of a result
    """

    stepper: Stepper
    solve: Solve | None
    solver: str
    options: dict[str, str | int | float]
    coords: Mapping[str, tuple[str, ...] | tuple[int, ...]]


def prepare(compiled: Compiled, how: Stepping, *, by_hand: bool = False) -> Ready:
    """Make the stepper of a compiled scene; ``by_hand``: see ``ControlledStepper``.

    Raises
    ------
    UsageError : options that do not go together
    """
    given, solver = how.options, how.solver
    form, loop, controllers = given["form"], given["loop"], given["controllers"]
    stepper = make_stepper(
        compiled,
        how.method,
        how.step,
        stretch_limit=given["stretch_limit"],
        friction=friction_law(given["friction"], solver),
        directions=given["friction_directions"],
        controllers=controllers,
        by_hand=by_hand,
    )
    options: dict[str, str | int | float] = {
        "step": how.step,
        "method": how.method.name,
        "solver": solver,
        "form": form,
        "stretch_limit": given["stretch_limit"],
        "friction_directions": given["friction_directions"],
    }
    if controllers:
        options["own_controllers"] = ", ".join(controllers)
    if loop == "python":
        options["loop"] = loop
    if stepper.friction:
        options["friction"] = "polyhedral" if stepper.cones is None else "cone"
    return Ready(stepper, _loop_solver(stepper, solver, form, loop), solver, options, coordinates(stepper.compiled))


def _loop_solver(stepper: Stepper, solver: str, form: str, loop: str) -> Solve | None:
    """None for the compiled loop, else the function that solves each step's problem.

    Raises
    ------
    UsageError : unknown names, or a combination that cannot be done
    """
    if not stepper.method.friction and stepper.friction:
        raise UsageError(f"method {stepper.method.name!r} takes no friction; use 'stewart-trinkle'")
    if not stepper.method.friction and stepper.compiled.bounces:
        raise UsageError(f"method {stepper.method.name!r} takes no restitution; use 'stewart-trinkle'")
    if not stepper.method.cables and stepper.compiled.cable_names:
        raise UsageError(f"method {stepper.method.name!r} takes no mrfe cables; use 'stewart-trinkle'")
    if solver in CONE_SOLVERS[1:] and not stepper.friction:
        raise UsageError(f"solver {solver!r} is for scenes with friction, and this one has none; use solver='auto'")
    compiled = compiled_solvers(stepper)
    can_compile = solver in compiled and form == "lcp"
    if loop == "compiled" and not can_compile:
        needed = f"the solver {' or '.join(compiled)} and form='lcp'" if compiled else "friction='cone'"
        raise UsageError(
            f"loop='compiled' needs {needed}, got solver {solver!r} and form {form!r}"
            f"{'' if compiled else ' with polyhedral friction'}; use loop='python'"
        )
    if can_compile and loop != "python":
        return None
    model = stepper.compiled.model
    beyond = model.arms is not None or model.sheaves is not None
    if form == "mlcp" and (stepper.friction or stepper.compiled.cable_names or beyond):
        raise UsageError(
            "form='mlcp' is for bodies, wires and joints; use form='lcp' with mrfe cables, reduced joints, wheels that "
            "wires turn, or friction"
        )
    return back_end(solver, form)


def count_steps(duration: float, step: float) -> int:
    """Steps that a run takes; UsageError if there are none, or more than anybody can wait for."""
    if not duration >= (1.0 - ROUNDED) * step:
        raise UsageError(f"the step, {step:.9g} s, must not exceed the duration, {duration:.9g} s")
    if not duration <= MOST_STEPS * step:
        raise UsageError(
            f"{duration:g} s in steps of {step:g} s are {duration / step:.2g} steps, more than {MOST_STEPS:.0e}, which "
            "take a quarter of an hour for the fastest scene; enlarge the step, or shorten the duration"
        )
    ratio = duration / step
    return max(1, math.ceil(ratio - max(ROUNDED, 4e-16 * ratio)))


def warn_of_longer(duration: float, step: float, steps: int) -> None:
    """Tell that a run is longer than it was to be, as its duration is no multiple of its step."""
    if steps * step - duration > 1e-6 * step:
        text = (
            f"the duration, {duration:.9g} s, is no multiple of the step, {step:.9g} s: the run ends with the step "
            f"that reaches it, at {steps * step:.9g} s"
        )
        warnings.warn(text, SceneWarning, stacklevel=3)


def refuse_what_memory_cannot_hold(
    numbers: float,
    rows: float,
    what: str = "rows of this run",
    way_out: str = "give it an output file, or record_every",
) -> None:
    """UsageError if so many rows of so many numbers are more than this machine has memory for.

    what, way_out : what the rows are, and what to do
    """
    size = 8.0 * numbers * rows
    if size < 1e9 or not hasattr(os, "sysconf"):
        return
    memory = float(os.sysconf("SC_PHYS_PAGES")) * float(os.sysconf("SC_PAGE_SIZE"))
    if size > memory:
        raise UsageError(
            f"the {rows:.2g} {what} would take about {size / 1e9:.3g} GB, and this machine has "
            f"{memory / 1e9:.3g} GB of memory; {way_out}"
        )
