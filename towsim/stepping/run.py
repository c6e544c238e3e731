"""``simulate``: run a scene in blocks, record it, refuse what cannot be done."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from towsim.errors import RefusedError, SimulationError, UsageError
from towsim.model.arrays import Drive, Floats
from towsim.model.compile import Compiled, compile_scene
from towsim.results import Event, Recorder, Result
from towsim.results.store import Store
from towsim.scene import Scene
from towsim.scene.control_checks import controlled
from towsim.stepping import columns, loop
from towsim.stepping.methods import check_laws, choose
from towsim.stepping.multistep import make_stepper
from towsim.stepping.once import once
from towsim.stepping.paths import Paths
from towsim.stepping.provenance import provenance
from towsim.stepping.refusal import explain, machine_readable, out_of_reach
from towsim.stepping.solve import CONE_SOLVERS, Answer, back_end, compiled_solvers, friction_law
from towsim.stepping.stepper import Block, Solve, Stepper
from towsim.suggest import unknown

if TYPE_CHECKING:
    from towsim.control.task import Control, Function

_check_start, _compile = once(Scene.check_start), once(compile_scene)

BLOCK = 4096
"""Steps between two visits to Python: for sampling known motions, recording, progress and Ctrl-C."""

BLOCK_NUMBERS = 500_000
"""Numbers that the record of a block may hold (4 MB): what stays in the caches is written once, not twice."""

PYTHON_BLOCK = 256


def simulate(
    scene: Scene,
    *,
    duration: float | None = None,
    step: float | None = None,
    method: str | None = None,
    solver: str | None = None,
    form: Literal["lcp", "mlcp"] = "lcp",
    loop: Literal["auto", "compiled", "python"] = "auto",
    on_failure: Literal["raise", "record"] = "raise",
    record_every: int = 1,
    output: str | Path | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
    stretch_limit: float = 1e-3,
    friction: Literal["cone", "polyhedral"] | None = None,
    friction_directions: int = 8,
    rtol: float | None = None,
    atol: float | None = None,
    controllers: Mapping[str, Control | Function] | None = None,
) -> Result:
    """Simulate a scene from its start.

    Parameters
    ----------
    scene : what to simulate
    duration, step : simulated time and time step [s]; these, method and solver default to the scene's ``run``
    method : "stewart-trinkle" (order 1), "shake" (order 2), "bdf1" .. "bdf4" (by default bdf3 with mrfe cables), or
        "dae" (to tolerances; step is the output grid)
    solver : a name of ``solvers.available()``; "auto" is the compiled active set, with all others behind it
    form : the problem of a step in the impulses ("lcp") or in [v; p] ("mlcp"; solved in a Python loop)
    loop : "compiled" runs whole blocks in compiled code (solvers auto and active-set), "python" calls the same kernels
        from Python
    on_failure : what to do when a step has no solution: raise, or end the run with an event
    record_every : record every n-th step and the last; summaries cover all
    output : a .nc file that grows while the run goes on; with ``force`` an existing one is overwritten
    progress : called with (steps done, steps in all) after every block
    stretch_limit : a step that would stretch a wire by more than this share of its length is refused
    friction : "cone" (the exact circular cone, compiled; solvers auto, cone-newton, cone-sweeps) or "polyhedral" (an
        LCP for any back-end that takes matrices that are not symmetric); default: the cone where the solver can
    friction_directions : edges of the polyhedral cone
    rtol, atol : of method dae: tolerances of the local error (default 1e-6, and rtol); atol in units of each
        coordinate's natural size. Its solvers are radau (auto) and bdf; form, loop, stretch_limit and
        friction_directions are none of its business
    controllers : of your own, in Python or compiled by numba, by the name of the vehicle, winch or controller of the
        scene in whose place they act: a function, or ``towsim.Control(function, rate=..)``

    Returns
    -------
    Result : positions, tensions, gaps, events, certificates of every step (see ``towsim.results``)

    Raises
    ------
    UsageError : an option, or a combination, that is not supported
    SceneError : at the start a wire is stretched, a joint open, or a contact in the ground
    RefusedError : an impossible pull; names the wires and the speed, holds the result until then
    SimulationError : numbers grew beyond bounds, or no solver came to a conclusion; holds the result until then
    """
    run = scene.run
    duration = run.duration if duration is None else _positive("duration", duration)
    step = run.step if step is None else _positive("step", step)
    solver = run.solver if solver is None else solver
    if not step <= duration:
        raise UsageError(f"the step, {step:g} s, must not exceed the duration, {duration:g} s")
    if not (isinstance(friction_directions, int) and friction_directions >= 3):
        raise UsageError(f"friction_directions must be a whole number >= 3, got {friction_directions!r}")
    _positive("stretch_limit", stretch_limit)
    chosen = choose(method, scene)
    check_laws(scene, chosen)
    if controllers and not controlled(scene):
        raise UsageError(
            f"controllers {', '.join(controllers)}: nothing in this scene can be commanded; give a robot dynamics: "
            "point-mass, ground or quadcopter, a body an actuator, or a wire a winch"
        )
    if chosen.adaptive:
        from towsim.stepping.dae.run import simulate_dae

        if form != "lcp" or loop != "auto" or friction is not None:
            raise UsageError("method 'dae' has no complementarity problems: leave out form, loop and friction")
        _check_start(scene)
        return simulate_dae(
            scene,
            duration=duration,
            step=step,
            solver=solver,
            rtol=rtol,
            atol=atol,
            on_failure=on_failure,
            record_every=record_every,
            output=output,
            force=force,
            progress=progress,
        )
    if rtol is not None or atol is not None:
        raise UsageError(f"rtol and atol are for method 'dae'; method {chosen.name!r} takes a step")
    _check_start(scene)
    stepper = make_stepper(
        _compile(scene),
        chosen,
        step,
        stretch_limit=stretch_limit,
        friction=friction_law(friction, solver),
        directions=friction_directions,
        controllers=controllers,
    )
    solve = _loop_solver(stepper, solver, form, loop, on_failure)
    steps = max(1, math.ceil(duration / step - 1e-9))
    options: dict[str, str | int | float] = {
        "duration": duration,
        "step": step,
        "method": stepper.method.name,
        "solver": solver,
        "form": form,
        "record_every": record_every,
        "stretch_limit": stretch_limit,
        "friction_directions": friction_directions,
    }
    if controllers:
        options["own_controllers"] = ", ".join(controllers)
    if stepper.friction:
        options["friction"] = "polyhedral" if stepper.cones is None else "cone"
    store = Store(output, force=force) if output is not None else None
    compiled = stepper.compiled
    recorder = Recorder(columns.coordinates(compiled), provenance(scene, options), store, record_every)
    return _Run(compiled, stepper, recorder, solve, steps, progress, solver).go(on_failure)


class _Run:
    """The blocks of one run."""

    def __init__(
        self,
        compiled: Compiled,
        stepper: Stepper,
        recorder: Recorder,
        solve: Solve | None,
        steps: int,
        progress: Callable[[int, int], None] | None,
        solver: str,
    ) -> None:
        self.compiled, self.stepper, self.recorder = compiled, stepper, recorder
        self.solve, self.steps, self.progress, self.solver = solve, steps, progress, solver
        self.paths = Paths(compiled)
        self.answer: Answer | None = None
        self.started = clock.perf_counter()

    def go(self, on_failure: str) -> Result:
        """Run to the end, to the first failure, or to Ctrl-C; what was computed is always finished and kept."""
        failure: SimulationError | None = None
        try:
            if self.solve is None:
                self.stepper.load()
                self.paths.overreach(self.stepper.drive(0)[1], self.stepper.h, self.stepper.schedule.absent())
                self.started = clock.perf_counter()
            failure = self._blocks()
        except SimulationError as error:  # a known motion that is not finite
            failure = error
        except KeyboardInterrupt:
            self._finish("interrupted")
            raise
        self.recorder.append(*self._last_events(failure))
        if failure is None:
            return self._finish("complete")
        failure.result = self._finish(str(failure), machine_readable(failure))
        if on_failure == "record":
            return failure.result
        raise failure

    def _blocks(self) -> SimulationError | None:
        stepper, paths = self.stepper, self.paths
        size = PYTHON_BLOCK if self.solve is not None else max(64, min(BLOCK, BLOCK_NUMBERS // stepper.numbers))
        while stepper.done < self.steps:
            try:
                time, drive = self._known(min(size, self.steps - stepper.done))
            except SimulationError as error:
                self._last_row()
                return error
            todo = len(time) - 1
            too_far = paths.overreach(drive, stepper.h, stepper.schedule.absent())
            if too_far is not None:
                todo = too_far.sample - 1  # the last step that ends within reach
                if todo <= 0:
                    self._last_row()
                    return out_of_reach(too_far, float(time[too_far.sample]))
            try:
                block = stepper.run(time[: todo + 1], drive, self._asked)
            except SimulationError as error:  # a wire is attached that is too short
                self._last_row()
                return error
            if block.reason == loop.UNSOLVED and self.solve is None:
                if block.steps:  # or else the block below begins with the same row
                    self._record(block)
                block = stepper.run(*stepper.drive(1), self._behind)  # the compiled solver gave up: ask all the others
            self._record(block)
            if block.reason not in (loop.GOOD, loop.FULL):
                failure = explain(stepper, paths, block, self.answer, self.solver)
                if not isinstance(failure, RefusedError):
                    # Wires about to be in line: impulses may have grown beyond what can be judged.
                    time, drive = self._known(2)
                    if (too_far := paths.overreach(drive, stepper.h)) is not None:
                        failure = out_of_reach(too_far, float(time[too_far.sample]))
                if block.stop == 0 and block.reason == loop.UNSOLVED and stepper.done == 0:
                    self._last_row()
                return failure
        self._last_row()
        return None

    def _last_row(self) -> None:
        """The start, where no step was taken; SHAKE's velocities at the last pose."""
        if self.stepper.done == 0:
            self._record(self.stepper.start_row())
        elif self.stepper.method.order2 is not None:
            self._record(self.stepper.close(self._behind if self.solve is None else self.solve))

    def _known(self, steps: int) -> tuple[Floats, Drive]:
        """Times and known motions of up to ``steps`` steps: of fewer when a motion is not finite later on."""
        try:
            return self.stepper.drive(steps)
        except SimulationError as error:
            before = round(error.time / self.stepper.h) - 1 - self.stepper.done  # steps that end ahead of it
            if before < 1:
                raise
            return self._known(min(before, steps - 1))

    @property
    def _asked(self) -> Solve | None:
        if self.solve is None:
            return None
        return self._remember(self.solve)

    @property
    def _behind(self) -> Solve:
        return self._remember(back_end("auto"))

    def _remember(self, solve: Solve) -> Solve:
        def remembered(stepper: Stepper) -> Answer:
            self.answer = solve(stepper)
            return self.answer

        return remembered

    def _record(self, block: Block) -> None:
        if block.stop > block.first:
            rows = columns.variables(self.compiled, block, self.stepper.h)
            self.recorder.append(rows, columns.events(self.compiled, block))
        if self.progress is not None:
            self.progress(self.stepper.done, self.steps)

    def _last_events(self, failure: SimulationError | None) -> tuple[dict[str, np.ndarray], list[Event]]:
        """No rows; the jerks under way, and the failure."""
        block = self.stepper.empty()
        rows = columns.variables(self.compiled, block, self.stepper.h)
        events = columns.events(self.compiled, block)
        if failure is not None:
            subject = ", ".join(failure.wires) if isinstance(failure, RefusedError) else ""
            kind: Literal["infeasible", "user"] = "infeasible" if isinstance(failure, RefusedError) else "user"
            events.append(Event(failure.time, kind, subject, note=str(failure)))
        return rows, events

    def _finish(self, outcome: str, more: dict[str, str] | None = None) -> Result:
        wall_time = clock.perf_counter() - self.started
        return self.recorder.finish({"outcome": outcome, "wall_time": wall_time, **(more or {})})


def _loop_solver(stepper: Stepper, solver: str, form: str, loop: str, on_failure: str) -> Solve | None:
    """None for the compiled loop, else the function that solves each step's problem.

    Raises
    ------
    UsageError : unknown names, or a combination that cannot be done
    """
    if loop not in ("auto", "compiled", "python"):
        raise UsageError(unknown("loop", loop, ("auto", "compiled", "python")))
    if on_failure not in ("raise", "record"):
        raise UsageError(unknown("on_failure", on_failure, ("raise", "record")))
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
    reduced = stepper.compiled.model.arms is not None
    if form == "mlcp" and (stepper.friction or stepper.compiled.cable_names or reduced):
        raise UsageError(
            "form='mlcp' is for bodies, wires and joints; use form='lcp' with mrfe cables, reduced joints or friction"
        )
    return back_end(solver, form)


def _positive(what: str, value: float) -> float:
    if not isinstance(value, int | float | np.number) or isinstance(value, bool) or not 0.0 < value < math.inf:
        raise UsageError(f"{what} must be a finite number > 0, got {value!r}")
    return float(value)
