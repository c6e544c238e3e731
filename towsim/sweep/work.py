"""What a worker does: some points of a sweep, one after the other; nothing that goes wrong there ends the sweep."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from towsim.errors import RefusedError, SimulationError, TowsimError, UsageError
from towsim.quote import show
from towsim.results import Result
from towsim.run.many import outcomes
from towsim.scene import Scene
from towsim.scene.wind import Wind
from towsim.sweep.metrics import Metric, metric

Build = Callable[[Mapping[str, Any], int], tuple[Scene, Mapping[str, Any]]]
"""From the values of a point and its seed to a scene and options of ``simulate``; must be picklable."""

DONE, REFUSED, FAILED, WRONG = 0, 1, 2, 3
STATUS = {"done": DONE, "refused": REFUSED, "failed": FAILED, "wrong": WRONG}
"""A run came to its end, was refused, stopped for another reason, or its scene or options are wrong."""


@dataclass(frozen=True, slots=True)
class Job:
    """Some points: their numbers in the plan, values and seeds, and what to do with them.

    Attributes
    ----------
    metrics : names, or functions of a result by name
    """

    build: Build
    indices: tuple[int, ...]
    points: tuple[Mapping[str, Any], ...]
    seeds: tuple[int, ...]
    metrics: Mapping[str, Metric | None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the points of a job.

    Attributes
    ----------
    indices : (n,);  values : (n, number of metrics);  status : (n,)
    seconds : (n,) time that a run took, the mean over those of a job [s]
    messages : why, of those that did not come to their end, by index
    """

    indices: np.ndarray
    values: np.ndarray
    status: np.ndarray
    seconds: np.ndarray
    messages: dict[int, str]


def do(job: Job) -> Outcome:
    """Run all points of a job."""
    functions = {name: given or metric(name)[1] for name, given in job.metrics.items()}
    n = len(job.indices)
    values, status = np.full((n, len(functions)), math.nan), np.zeros(n, np.int8)
    messages: dict[int, str] = {}
    start = clock.perf_counter()
    for k, outcome in enumerate(_outcomes(job)):
        status[k], message, result = (DONE, "", outcome) if isinstance(outcome, Result) else _failed(outcome)
        if result is not None:
            for j, (name, function) in enumerate(functions.items()):
                try:
                    values[k, j] = float(function(result))
                except Exception as error:  # such as a metric of a wire that this point's scene does not have
                    status[k], message = WRONG, f"metric {name}: {reason(error)}"
        if message:
            messages[job.indices[k]] = message
    seconds = np.full(n, (clock.perf_counter() - start) / max(n, 1))
    return Outcome(np.array(job.indices, np.int64), values, status, seconds, messages)


def _outcomes(job: Job) -> Iterator[Result | Exception]:
    """A result for each point, or why there is none; points with the same options as batches."""
    points = map(partial(built, job.build), job.points, job.seeds)
    kinds: dict[str, Mapping[str, Any] | None] = {}

    def kind(one: tuple[Scene | Exception, Mapping[str, Any] | None]) -> str:
        text = repr(one[1])  # in which 1 and True are not the same
        kinds.setdefault(text, one[1])
        return text

    for text, some in groupby(points, kind):
        options = kinds[text]
        if options is None:
            yield from (wrong for wrong, _ in some if isinstance(wrong, Exception))
        else:
            yield from outcomes((scene for scene, _ in some if isinstance(scene, Scene)), options)


def at_point(scene: Scene, point: Mapping[str, Any], seed: int) -> Scene:
    """A scene with the values of a point, and the run's seed in place of all seeds that the point does not give."""
    blows = isinstance(scene.wind, Wind) and scene.wind.turbulence is not None
    seeds = ["seed", "wind.turbulence.seed"] if blows else ["seed"]
    given = tuple(f"{path}." for path in point)
    return scene.with_values({**point, **{path: seed for path in seeds if not f"{path}.".startswith(given)}})


def built(
    build: Build, point: Mapping[str, Any], seed: int
) -> tuple[Scene, Mapping[str, Any]] | tuple[Exception, None]:
    """Scene and options of a point; or why there are none."""
    try:
        made = build(point, seed)
        match made:
            case (Scene() as scene, Mapping() as options):
                return scene, dict(options)
        raise UsageError(f"the function that builds the points must return a scene and options, got {show(made)}")
    except Exception as error:  # a user's build may fail in any way
        return error, None


def _failed(error: Exception) -> tuple[int, str, Result | None]:
    """Status and message of a run that did not come to its end, and what there is of it."""
    if isinstance(error, SimulationError):
        return REFUSED if isinstance(error, RefusedError) else FAILED, str(error), error.result
    return WRONG, reason(error), None


def reason(error: Exception) -> str:
    """What went wrong, in words; of errors that are not towsim's with their kind."""
    return str(error) if isinstance(error, TowsimError) else f"{type(error).__name__}: {error}"
