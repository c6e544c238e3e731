"""``sweep``: plan, run, keep, and hand over as one dataset."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from towsim.errors import TowsimError, UsageError
from towsim.given import a_function, a_list, a_mapping
from towsim.quote import show
from towsim.run.many import refuse_one_output
from towsim.run.options import Options, checked, refuse_said_twice
from towsim.run.run import simulate
from towsim.scene import Scene, scene_to_text
from towsim.scene.schema import unit_of
from towsim.sweep.keep import Keeper, dataset
from towsim.sweep.metrics import Metric, check_metric, metric
from towsim.sweep.plan import OF_EACH_RUN, SAMPLE, SEED, SEED_OF_RUN, Axis, Plan, check_name, make_plan
from towsim.sweep.pools import Everyone, workers
from towsim.sweep.work import Build, Job, Outcome, at_point, built, do, reason
from towsim.version import __version__

if TYPE_CHECKING:
    import xarray

METRICS = ("max_tension", "min_tension", "stretch", "jerks", "energy_lost")

JOB_SECONDS = 0.25
"""What a job should take: long beside handing it out, short beside the patience of who looks at the progress."""

MOST_POINTS = 256

FLUSH_SECONDS = 0.5

ASKED = 100
"""Points of which one has to be a scene, before any is run."""


@dataclass(frozen=True, slots=True)
class OfScene:
    """Builds points from a scene, by paths in it."""

    scene: Scene
    options: Mapping[str, Any]

    def __call__(self, point: Mapping[str, Any], seed: int) -> tuple[Scene, Mapping[str, Any]]:
        """See ``Build``."""
        return at_point(self.scene, point, seed), self.options


def sweep(
    what: Scene | Build,
    axes: Mapping[str, Any] | Sequence[Axis],
    *,
    metrics: Sequence[str] | Mapping[str, Metric | None] = METRICS,
    samples: str | None = None,
    seed: int = 0,
    output: str | Path | None = None,
    force: bool = False,
    processes: int = -1,
    scheduler: str | None = None,
    options: Mapping[str, Any] | None = None,
    label: str = "",
    units: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xarray.Dataset:
    """Run a scene for many values of its parameters.

    Parameters
    ----------
    what : a scene, whose paths (``bodies.box.mass``) are the parameters; or a function that makes a scene and options
        of ``simulate`` from the values of a point and its seed
    axes : for each parameter values, or a text: ``"1:10:50"`` (50 values), ``"1,2,5"`` (these), ``"1:10"`` (a range
        that is sampled), ``"1:100:log"``
    metrics : names of numbers to keep of each run (see ``towsim.sweep.metrics``), or functions of a ``Result`` by name
    samples : ``"sobol:256"`` or ``"monte-carlo:1000"``, for parameters that are ranges
    seed : of everything random; each run has a seed of its own, spawned from it: the coordinate ``seed``, or
        ``run_seed`` where a parameter is called ``seed``. It is that of the scene's noise and turbulence, unless such
        a seed is a parameter itself
    output : a .nc file; a sweep of that name that was killed goes on where it stopped
    force : overwrite it, and an unfinished sweep
    processes : of this machine, 1: none besides this one, −1: one a core
    scheduler : address of a Dask scheduler, to run there
    options : of ``simulate``, for a scene
    label : what is swept, for people; a sweep that goes on must have the same, and the same scene and options: those
        declared, or of the first point that the function makes
    units : of the parameters, for the dataset and its picture; those of a scene's paths are known
    progress : called with (points done, points in all)

    Returns
    -------
    xarray.Dataset : metrics, ``status``, ``message`` and ``seconds`` over the parameters; runs that fail are recorded,
        and do not end the sweep

    Raises
    ------
    UsageError : parameters, samples, options or metrics that do not exist, or of which no point is a scene; names that
        the dataset has already
    ResultError : the output exists, belongs to another sweep, or is being written to
    """
    plan = make_plan(axes, samples, seed)
    wanted = _wanted(metrics)
    a_mapping("options", options or {}, "from options of simulate to values")
    a_mapping("units", units or {}, "from parameters to units")
    if progress is not None:
        a_function("progress", progress, "of the points done, and of all")
    if isinstance(what, Scene):
        refuse_one_output(options or {})
        checked(options or {}, Options)
        refuse_said_twice(axes if isinstance(axes, Mapping) else [axis.key for axis in axes], options or {})
        label = label or what.name
        build: Build = OfScene(what, options or {})
    elif options:
        raise UsageError("options are for a scene; the function that builds the points returns its own")
    else:
        build = what
    scene, own = _first(build, plan)
    if isinstance(what, Scene):
        scene = what
    metric_units = {name: "1" if given else metric(name)[0] for name, given in wanted.items()}
    _check_names(plan, wanted)
    _check_metrics(build, plan, [name for name, given in wanted.items() if not given])
    axis_units = {axis.key: unit_of(axis.key) for axis in (*plan.axes, *plan.sampled)} | dict(units or {})
    told = json.loads(json.dumps(own, default=_told))
    facts = {"scene": scene_to_text(scene), "options": told, "label": label, "plan": plan.facts()}
    facts |= {"metrics": list(wanted)}
    with workers(processes, scheduler) as everyone:
        keeper = Keeper(plan, len(wanted), facts, None if output is None else Path(output), force=force)
        try:
            attributes = _run(plan, build, wanted, keeper, everyone, progress)
            attributes = {"label": label, "sweep": json.dumps(facts, default=str), **attributes}
            result = dataset(plan, metric_units, keeper, attributes, axis_units)
            keeper.finish(result)
        finally:
            keeper.close()
    return result


def _told(option: Any) -> Any:
    """An option that is no plain data as such, or what it is called: the same in every process."""
    if isinstance(option, np.generic | np.ndarray):
        return option.tolist()
    return str(option) if isinstance(option, Path) else getattr(option, "__qualname__", type(option).__qualname__)


def _first(build: Build, plan: Plan) -> tuple[Scene, Mapping[str, Any]]:
    """Scene and options of the first point that is a scene; those that are none are recorded when their turn comes.

    Raises
    ------
    UsageError : none of some that were tried is, as where a path does not exist
    """
    wrong: Exception | None = None
    for index in np.linspace(0, len(plan) - 1, min(len(plan), ASKED), dtype=int).tolist():
        found, options = built(build, plan.point(index), plan.seed_of(index))
        if isinstance(found, Scene):
            return found, options or {}
        wrong = wrong or found
    assert wrong is not None
    raise UsageError(f"no point of the sweep is a scene: {reason(wrong)}")


def _wanted(metrics: Any) -> dict[str, Metric | None]:
    """Metrics by name, and the functions of those that towsim does not know. Raises UsageError."""
    if not isinstance(metrics, Mapping):
        names = a_list("metrics", metrics, " of names")
        for name in names:
            if not isinstance(name, str):
                raise UsageError(
                    f"metrics must be names, got {show(name)}; a function needs one: {{'height': function}}"
                )
        return dict.fromkeys(names)
    for name, given in a_mapping("metrics", metrics, "from names to functions").items():
        if given is not None:
            a_function(f"metric {name}", given, "of a result")
    return dict(metrics)


def _check_names(plan: Plan, metrics: Collection[str]) -> None:
    """UsageError if a metric is called as a parameter is, or as anything else that the dataset holds."""
    taken = {SAMPLE, SEED, SEED_OF_RUN, *OF_EACH_RUN, *(axis.key for axis in (*plan.axes, *plan.sampled))}
    for name in metrics:
        check_name("metric", name)
        if name in taken:
            raise UsageError(f"metric {name!r}: the dataset has something else of that name; give it another one")


def _check_metrics(build: Build, plan: Plan, names: Sequence[str]) -> None:
    """UsageError if one fits neither the first point nor the last, as a single step of these that run shows."""
    wrong: TowsimError | None = None
    for index in dict.fromkeys((0, len(plan) - 1)):
        try:
            scene, options = build(plan.point(index), plan.seed_of(index))
            duration, step = (options.get(name) or getattr(scene.run, name) for name in ("duration", "step"))
            result = simulate(scene, **{**options, "duration": step, "output": None, "progress": None, "lean": True})
        except Exception:  # which is recorded when its turn comes
            continue
        try:
            for name in names:
                check_metric(name, result, duration)
            return
        except TowsimError as error:
            wrong = wrong or error
    if wrong is not None:
        raise UsageError(f"metrics: {wrong}")


def _run(
    plan: Plan,
    build: Build,
    metrics: dict[str, Metric | None],
    keeper: Keeper,
    everyone: Everyone,
    progress: Callable[[int, int], None] | None,
) -> dict[str, str | int | float]:
    started, flushed, total = clock.perf_counter(), clock.monotonic(), len(plan)
    todo = keeper.todo
    before = total - len(todo)
    try:
        for outcome in _outcomes(plan, build, metrics, todo, everyone):
            keeper.add(outcome)
            if clock.monotonic() - flushed > FLUSH_SECONDS:
                keeper.flush()
                flushed = clock.monotonic()
            if progress is not None:
                progress(total - int((keeper.status < 0).sum()), total)
    finally:
        keeper.flush()
    spent = clock.perf_counter() - started
    return {"towsim": __version__, "wall_time": spent, "runs_per_second": (total - before) / spent, "resumed": before}


def _outcomes(
    plan: Plan,
    build: Build,
    metrics: dict[str, Metric | None],
    todo: np.ndarray,
    everyone: Everyone,
) -> Iterator[Outcome]:
    """The first two points here, which compiles the kernels once and tells how long a run takes; then all others."""

    def job(indices: np.ndarray) -> Job:
        at = tuple(int(index) for index in indices)
        return Job(build, at, tuple(map(plan.point, at)), tuple(map(plan.seed_of, at)), metrics)

    first, rest = todo[:2], todo[2:]
    seconds = 1.0
    for k in range(len(first)):
        outcome = do(job(first[k : k + 1]))
        seconds = float(outcome.seconds[-1])
        yield outcome
    size = max(1, min(MOST_POINTS, int(JOB_SECONDS / max(seconds, 1e-6)), -(-len(rest) // 8)))
    jobs = (job(one) for one in _cut(rest, size))
    if len(rest):
        yield from everyone(jobs)


def _cut(indices: np.ndarray, size: int) -> Iterator[np.ndarray]:
    return (indices[start : start + size] for start in range(0, len(indices), size))
