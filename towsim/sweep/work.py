"""What a worker does: some points of a sweep, one after the other; nothing that goes wrong there ends the sweep."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from towsim.errors import RefusedError, SimulationError, TowsimError
from towsim.results import Result
from towsim.scene import Scene
from towsim.stepping import simulate
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
    indices : (n,);  values : (n, number of metrics);  status : (n,);  seconds : (n,) time that each took [s]
    messages : why, of those that did not come to their end, by index
    """

    indices: np.ndarray
    values: np.ndarray
    status: np.ndarray
    seconds: np.ndarray
    messages: dict[int, str]


def do(job: Job) -> Outcome:
    """Run all points of a job."""
    functions = [given or metric(name)[1] for name, given in job.metrics.items()]
    n = len(job.indices)
    values, status, seconds = np.full((n, len(functions)), math.nan), np.zeros(n, np.int8), np.zeros(n)
    messages: dict[int, str] = {}
    for k, (index, point, seed) in enumerate(zip(job.indices, job.points, job.seeds, strict=True)):
        start = clock.perf_counter()
        status[k], message, result = _run(job.build, point, seed)
        if result is not None:
            try:
                values[k] = [function(result) for function in functions]
            except Exception as error:  # such as a metric of a wire that this point's scene does not have
                status[k], message = WRONG, f"metric: {error}"
        if message:
            messages[index] = message
        seconds[k] = clock.perf_counter() - start
    return Outcome(np.array(job.indices, np.int64), values, status, seconds, messages)


def _run(build: Build, point: Mapping[str, Any], seed: int) -> tuple[int, str, Result | None]:
    try:
        scene, options = build(point, seed)
        return DONE, "", simulate(scene, **{**options, "lean": True})
    except RefusedError as error:
        return REFUSED, str(error), error.result
    except SimulationError as error:
        return FAILED, str(error), error.result
    except TowsimError as error:
        return WRONG, str(error), None
    except Exception as error:  # a user's build may fail in any way
        return WRONG, f"{type(error).__name__}: {error}", None
