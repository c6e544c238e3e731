"""``simulate``: run a scene in blocks, record it, refuse what cannot be done."""

from __future__ import annotations

from typing import Unpack

from towsim.errors import UsageError
from towsim.methods.method import check_stable
from towsim.results import Recorder, Result
from towsim.results.derived import Source
from towsim.results.store import Store
from towsim.run.blocks import Run
from towsim.run.checkpoint import Checkpoints
from towsim.run.engine import Engine, engine_for
from towsim.run.options import Options, takes
from towsim.run.provenance import provenance
from towsim.run.setup import Stepping, count_steps, refuse_what_memory_cannot_hold, stepping, warn_of_longer
from towsim.run.start import declared_start
from towsim.scene import Scene


@takes(Options)
def simulate(scene: Scene, **options: Unpack[Options]) -> Result:
    """Simulate a scene from its start.

    Parameters
    ----------
    scene : what to simulate
    options : by name, see the table of options

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
    how = stepping(scene, options)
    _check_together(how)
    duration = how.options["duration"] or scene.run.duration
    steps = count_steps(duration, how.step)
    warn_of_longer(duration, how.step, steps)
    if how.method.multistep:
        check_stable(scene, how.method, how.step, steps)
    if how.method.adaptive:
        from towsim.formulations.dae.run import simulate_dae

        declared_start(scene, how.method.name)
        return simulate_dae(scene, how, duration, steps)
    with engine_for(scene, how) as engine:
        return _run(engine, scene, how, duration, steps).go(how.options["on_failure"])


def _run(engine: Engine, scene: Scene, how: Stepping, duration: float, steps: int) -> Run:
    """A run of an engine at its start."""
    ready, options, output, every = engine.ready, how.options, how.options["output"], how.options["record_every"]
    checkpoints = None
    if options["checkpoint_every"] is not None:
        checkpoints = Checkpoints(output, options["checkpoint_every"], options["on_failure"])
    store = None if output is None else Store(output, force=options["force"])
    attributes = dict(options["notes"] or {})
    if not options["lean"]:
        kept = {"record_every": every, "record": options["record"]}
        attributes |= provenance(scene, {"duration": duration, **ready.options, **kept}, engine.text)
    recorder = Recorder(ready.coords, attributes, store, every, options["lean"], Source(scene), options["record"])
    if output is None:
        refuse_what_memory_cannot_hold(recorder.numbers or ready.stepper.numbers, steps / every)
    return Run(
        ready.stepper,
        recorder,
        ready.solve,
        ready.solver,
        steps,
        progress=options["progress"],
        between=checkpoints,
        paths=engine.paths,
    )


def _check_together(how: Stepping) -> None:
    """Refuse options that do not go with the method, or with each other.

    Raises
    ------
    UsageError : names them
    """
    options, name = how.options, how.method.name
    if options["checkpoint_every"] is not None and options["controllers"]:
        raise UsageError("controllers of your own are not in a checkpoint: leave checkpoint_every out")
    if not how.method.adaptive:
        if options["rtol"] is not None or options["atol"] is not None:
            raise UsageError(f"rtol and atol are for method 'dae'; method {name!r} takes a step")
        return
    if options["form"] != "lcp" or options["loop"] != "auto" or options["friction"] is not None:
        raise UsageError(f"method {name!r} has no complementarity problems: leave out form, loop and friction")
    if options["checkpoint_every"] is not None:
        raise UsageError(f"method {name!r} keeps no checkpoints: leave out checkpoint_every, or name another method")
