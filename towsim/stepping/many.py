"""Many scenes, one result each: short runs of scenes that differ in numbers only go through one stepper, as a batch.

A batch has one compiled loop and its memory, into which the numbers of one scene after the other are put (see
stepping/again). Known motions before it, and variables and extremes after it, are found for all scenes together.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from towsim.errors import SimulationError
from towsim.model.arrays import Drive, Model
from towsim.model.drive import Driver
from towsim.results import Event, Result
from towsim.results.extremes import reports
from towsim.results.result import Attribute
from towsim.scene import Scene
from towsim.scene.start import TOLERANCE
from towsim.stepping import columns, loop
from towsim.stepping.again import Kept, keep
from towsim.stepping.alike import difference
from towsim.stepping.blocks import BLOCK, BLOCK_NUMBERS
from towsim.stepping.methods import check_laws, choose
from towsim.stepping.run import simulate
from towsim.stepping.setup import positive
from towsim.stepping.stepper import Block, Stepper
from towsim.stepping.work import Record

MOST, FEW = 256, 4
"""Scenes of a batch: at most, and of the one after a scene that did not go through."""

OPTIONS: Mapping[str, Any] = {
    "form": "lcp",
    "loop": "auto",
    "stretch_limit": 1e-3,
    "friction": None,
    "friction_directions": 8,
}
"""Options of ``simulate`` that concern a stepper, and what they are by default."""

OF_RUN = frozenset({"duration", "step", "method", "solver", "on_failure", "lean"})


def simulate_many(scenes: Iterable[Scene], **options: Any) -> Iterator[Result]:
    """As ``simulate(scene, lean=True, **options)`` for one scene after the other, in their order.

    Scenes that follow each other and differ in numbers only (masses, poses, points, lengths, motions, stiffness,
    damping, friction, wind) and take one block of steps are run as a batch, for which up to 256 scenes are taken from
    ``scenes`` ahead. Results come when their batch is done, and hold its arrays while they live.

    Parameters
    ----------
    scenes : what to simulate; may be a generator
    options : of ``simulate``

    Raises
    ------
    TowsimError : as ``simulate``, for the first scene that fails; ``on_failure="record"`` goes on after what is refused
    """
    for outcome in outcomes(scenes, options):
        if isinstance(outcome, Exception):
            raise outcome
        yield outcome


def outcomes(scenes: Iterable[Scene], options: Mapping[str, Any]) -> Iterator[Result | Exception]:
    """For each scene what ``simulate(scene, lean=True, **options)`` returns, or the error that it raises."""
    scenes, waiting = iter(scenes), list[Scene]()
    wrong: Exception | None = None  # with who makes the scenes
    size = MOST
    while True:
        try:
            if wrong is None:
                waiting.extend(islice(scenes, max(0, size - len(waiting))))
        except Exception as error:
            wrong = error
        if not waiting:
            break
        done = _Batch(stopped=True)
        with suppress(Exception):  # what is wrong with the first one is told below
            done = _run_batch(waiting[:size], options)
        yield from done.results
        # Scenes after one that does not go through may be like it: then little is prepared in vain.
        size, count = FEW if done.stopped else min(MOST, 2 * size), done.runs
        if not count:
            count = 1
            try:
                yield simulate(waiting[0], **{**options, "lean": True})
            except Exception as error:
                yield error
        waiting = waiting[count:]
    if wrong is not None:
        raise wrong


class _Batch(NamedTuple):
    """How many scenes were run, their results, and whether the next one did not go through."""

    runs: int = 0
    results: Iterable[Result] = ()
    stopped: bool = False


def _run_batch(scenes: Sequence[Scene], options: Mapping[str, Any]) -> _Batch:
    """Run the first of some scenes, as many as make a batch and come to their end.

    Raises
    ------
    TowsimError : an option, or the first scene, is wrong
    """
    kept, time = _stepper_for(scenes[0], options)
    if kept is None:
        return _Batch()
    base, driver = kept.scene, kept.driver
    room = BLOCK_NUMBERS // (kept.ready.stepper.numbers * len(time))
    some, driven = [], False
    for scene in scenes[:room]:
        found = difference(scene, base)
        if found is None or scene.run != scenes[0].run:
            break
        some.append(scene)
        driven |= found.driven
    done = []
    try:
        for scene, drive in zip(some, _drives(driver, some, time, driven=driven), strict=False):
            one = _run_one(kept, scene, time, drive)
            if one is None:
                break
            done.append(one)
    finally:
        if kept.sound:
            kept.put(base, driver)  # which belong together
    return _Batch(len(done), _results(kept, done) if done else (), len(done) < len(some))


def _stepper_for(scene: Scene, options: Mapping[str, Any]) -> tuple[Kept | None, np.ndarray]:
    """What runs scenes like this one in one block each, and the times of its steps; None for those that need more.

    Raises
    ------
    TowsimError : an option, or the scene, is wrong
    """
    no = None, np.empty(0)
    method = choose(options.get("method"), scene)
    known = options.keys() <= OPTIONS.keys() | OF_RUN and options.get("on_failure", "raise") in ("raise", "record")
    if not known or not method.one_step or not _plain(scene):
        return no
    step, duration = (positive(key, options.get(key, getattr(scene.run, key))) for key in ("step", "duration"))
    steps = math.ceil(duration / step - 1e-9)
    if not (step <= duration and steps <= BLOCK):
        return no
    check_laws(scene, method)
    own = {name: options.get(name, value) for name, value in OPTIONS.items()}
    kept = keep(scene, method, step=step, solver=options.get("solver", scene.run.solver), **own)
    if kept is None or kept.ready.solve is not None or type(kept.ready.stepper) is not Stepper:
        return no
    return (None if kept.ready.stepper.compiled.switch_owners else kept), np.arange(steps + 1) * step


def _plain(scene: Scene) -> bool:
    """Whether rows of a result can be found for runs one after the other, and gaps at the start tell all about it."""
    return not scene.joints and not any(wire.via for wire in scene.wires.values())


def _drives(driver: Driver, scenes: Sequence[Scene], time: np.ndarray, *, driven: bool) -> Sequence[Drive]:
    """Known motions of the scenes, or at least of the first one; ``driven``: they are not all those of the driver."""
    if not driven:
        return [driver.sample(time)] * len(scenes)
    try:
        return driver.sample_all(scenes, time)
    except SimulationError:  # one of them has none
        return driver.sample_all(scenes[:1], time)


class _Done(NamedTuple):
    """A run that came to its end."""

    block: Block
    events: list[Event]
    spent: float  # wall time [s]


def _run_one(kept: Kept, scene: Scene, time: np.ndarray, drive: Drive) -> _Done | None:
    """Run a scene as one block; None unless that goes through."""
    started = clock.perf_counter()
    stepper = kept.ready.stepper
    kept.put(scene, kept.driver)
    if kept.paths.overreach(drive, stepper.h) is not None:
        return None
    block = stepper.run(time, drive, close=True)
    closed = block.closed or stepper.method.order2 is None
    if block.reason != loop.GOOD or not closed or not _may_start(stepper.compiled.model, block):
        return None
    events = columns.named(stepper.compiled, block.events) + columns.named(stepper.compiled, stepper.under_way())
    return _Done(block, events, clock.perf_counter() - started)


def _may_start(model: Model, block: Block) -> bool:
    """Whether the gaps of the start, which the loop finds first, leave no doubt about it; or else look closer."""
    gap = block.record.gap[0]
    if model.springs is not None and len(model.springs.row):
        gap = np.delete(gap, model.springs.row)  # what is elastic may be pressed or stretched
    least = -0.5 * TOLERANCE * min(1.0, block.drive.length[0].min(initial=1.0))
    return bool(gap.min(initial=0.0) >= least)


def _results(kept: Kept, done: Sequence[_Done]) -> Iterator[Result]:
    """The results of a batch, whose variables are found for all runs at once."""
    compiled, first = kept.ready.stepper.compiled, done[0].block
    n = len(first.time)
    whole = first._replace(
        time=np.tile(first.time, len(done)),
        stop=n * len(done),
        record=_one_after_the_other(Record, [one.block.record for one in done]),
        drive=_one_after_the_other(Drive, [one.block.drive for one in done]),
    )
    coords = {dim: names for dim, names in columns.coordinates(compiled).items() if names}
    rows = {
        name: array for name, array in columns.variables(compiled, whole, kept.ready.stepper.h).items() if array.size
    }
    found = reports(rows, [one.events for one in done], compiled.scene.wires)
    for k, (one, report) in enumerate(zip(done, found, strict=True)):
        own = {name: array[k * n : (k + 1) * n] for name, array in rows.items()}
        attributes: dict[str, Attribute] = {"outcome": "complete", "wall_time": one.spent}
        yield Result(own, coords, tuple(one.events), attributes, report=partial(dict, report))


def _one_after_the_other(kind: Any, tuples: Sequence[Any]) -> Any:
    """A tuple of a kind, with the rows of several such tuples."""
    columns = zip(*tuples, strict=True)
    return kind._make(None if parts[0] is None else np.concatenate(parts) for parts in columns)
