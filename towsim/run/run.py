"""``simulate``: run a scene in blocks, record it, refuse what cannot be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from towsim.errors import UsageError
from towsim.methods.method import check_controllers, check_laws, check_stable, choose
from towsim.quote import show
from towsim.results import Recorder, Result
from towsim.results.derived import Source
from towsim.results.store import Store
from towsim.run.blocks import Run
from towsim.run.checkpoint import Checkpoints
from towsim.run.engine import engine_for
from towsim.run.provenance import provenance
from towsim.run.setup import count_steps, positive, refuse_what_memory_cannot_hold
from towsim.scene import Scene
from towsim.scene.run import MOST_STEPS
from towsim.statics.start import declared_start
from towsim.suggest import is_one_of, unknown

if TYPE_CHECKING:
    from towsim.control.task import Control, Function


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
    checkpoint_every: float | None = None,
    notes: Mapping[str, str | int | float] | None = None,
    lean: bool = False,
    controllers: Mapping[str, Control | Function] | None = None,
) -> Result:
    """Simulate a scene from its start.

    Parameters
    ----------
    scene : what to simulate
    duration, step : simulated time and time step [s]; these, method and solver default to the scene's ``run``
    method : "stewart-trinkle" (order 1), "shake" (order 2), "bdf1" .. "bdf4" (by default bdf3 with mrfe cables
        where it is stable for them, else bdf2), or "dae" (to tolerances; step is the output grid)
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
    checkpoint_every : with ``output``: keep on disk, at the first block that begins so many seconds [wall time] after
        the last time, what ``towsim.resume`` needs to go on from there. Ctrl-C then leaves the run to be resumed
    controllers : of your own, in Python or compiled by numba, by the name of the vehicle, winch or controller of the
        scene in whose place they act: a function, or ``towsim.Control(function, rate=..)``
    notes : attributes that the result is to carry besides its own
    lean : for many short runs: without the scene's text and the versions, and not compiled before the clock starts

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
    defaults = scene.run
    duration = defaults.duration if duration is None else positive("duration", duration)
    step = defaults.step if step is None else positive("step", step)
    solver = defaults.solver if solver is None else solver
    steps = count_steps(duration, step)
    if not (isinstance(record_every, int) and 1 <= record_every <= MOST_STEPS):
        raise UsageError(f"record_every must be a whole number, 1 to {MOST_STEPS:.0e}, got {show(record_every)}")
    for what, word in (("loop", loop), ("form", form)):
        if not isinstance(word, str):
            raise UsageError(f"{what} must be a name, got {show(word)}")
    if output is not None and not isinstance(output, str | Path):
        raise UsageError(f"output must be the name of a file, got {show(output)}")
    if not is_one_of(on_failure, ("raise", "record")):
        raise UsageError(unknown("on_failure", on_failure, ("raise", "record")))
    chosen = choose(method, scene, step)
    check_laws(scene, chosen)
    check_stable(scene, chosen, step, steps)
    check_controllers(scene, controllers)
    if checkpoint_every is not None and controllers:
        raise UsageError("controllers of your own are not in a checkpoint: leave checkpoint_every out")
    if chosen.adaptive:
        from towsim.formulations.dae.run import simulate_dae

        if form != "lcp" or loop != "auto" or friction is not None:
            raise UsageError("method 'dae' has no complementarity problems: leave out form, loop and friction")
        if checkpoint_every is not None:
            raise UsageError("method 'dae' keeps no checkpoints: leave out checkpoint_every, or name another method")
        declared_start(scene, chosen.name)
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
            notes=notes,
        )
    if rtol is not None or atol is not None:
        raise UsageError(f"rtol and atol are for method 'dae'; method {chosen.name!r} takes a step")
    with engine_for(
        scene,
        chosen,
        step=step,
        solver=solver,
        form=form,
        loop=loop,
        stretch_limit=stretch_limit,
        friction=friction,
        friction_directions=friction_directions,
        controllers=controllers,
    ) as engine:
        ready = engine.ready
        options = {"duration": duration, **ready.options, "record_every": record_every}
        checkpoints = None if checkpoint_every is None else Checkpoints(output, checkpoint_every, on_failure)
        store = Store(output, force=force) if output is not None else None
        attributes = {**(notes or {}), **({} if lean else provenance(scene, options, engine.text))}
        recorder = Recorder(ready.coords, attributes, store, record_every, lean, Source(scene))
        if output is None:
            refuse_what_memory_cannot_hold(ready.stepper.numbers, steps / record_every)
        run = Run(
            ready.stepper,
            recorder,
            ready.solve,
            solver,
            steps,
            progress=progress,
            between=checkpoints,
            paths=engine.paths,
        )
        return run.go(on_failure, load=not lean)
