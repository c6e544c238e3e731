"""Many scenes, one result each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Unpack, cast

import numpy as np

from towsim.errors import SceneError, TowsimError, UsageError, told_of
from towsim.quote import show
from towsim.results import Event, Result
from towsim.results.events import Events
from towsim.run.options import Options, checked, takes
from towsim.run.run import simulate
from towsim.scene import Scene


@takes(Options)
def simulate_many(scenes: Iterable[Scene], **options: Unpack[Options]) -> Iterator[Result]:
    """As ``simulate(scene, lean=True, **options)`` for one scene after the other, in their order.

    Scenes of one structure, which differ in numbers only, share an engine: thousands of short runs a second.

    Parameters
    ----------
    scenes : what to simulate; may be a generator
    options : by name, as of ``simulate``

    Raises
    ------
    TowsimError : as ``simulate``, for the first scene that fails, with its number, counted from 0;
        ``on_failure="record"`` goes on after what is refused, and after a scene that is wrong at its start, for which
        it yields a result without rows whose outcome says why
    UsageError : an ``output``, which holds one run, or another option that cannot be: with the call
    """
    if isinstance(scenes, str | Mapping | Scene) or not isinstance(scenes, Iterable):
        raise UsageError(f"scenes must be a list of scenes, or what makes one after the other, got {show(scenes)}")
    return results(scenes, options)


def refuse_one_output(options: Mapping[str, Any]) -> None:
    """UsageError if many runs were to be written to one file."""
    if options.get("output") is not None:
        raise UsageError(
            f"output {show(str(options['output']))} holds one run, and this makes many; leave it out, and save each "
            "result under a name of its own: result.save(..)"
        )


def results(scenes: Iterable[Scene | TowsimError], options: Options) -> Iterator[Result]:
    """See ``simulate_many``; in place of a scene may stand why there is none."""
    refuse_one_output(options)
    checked(options)
    return _results(scenes, options)


def _results(scenes: Iterable[Scene | TowsimError], options: Options) -> Iterator[Result]:
    for run, outcome in enumerate(outcomes(scenes, options)):
        if isinstance(outcome, SceneError) and options.get("on_failure") == "record":
            yield _without_rows(outcome)
        elif isinstance(outcome, TowsimError):
            raise told_of(outcome, numbered(run))
        elif isinstance(outcome, Exception):
            raise outcome
        else:
            yield outcome


def _without_rows(error: SceneError) -> Result:
    """The result of a scene that has no start."""
    why = str(error)
    return Result({"time": np.empty(0)}, {}, Events([Event(0.0, "user", note=why)]), {"outcome": why})


def numbered(run: int) -> str:
    """What messages call one of many runs."""
    return f"run {run} (counted from 0)"


def outcomes(scenes: Iterable[Scene | TowsimError], options: Mapping[str, Any]) -> Iterator[Result | Exception]:
    """For each scene what ``simulate(scene, lean=True, **options)`` returns, or the error that it raises, or was."""
    for scene in scenes:
        try:
            if isinstance(scene, TowsimError):
                raise scene
            outcome: Result | Exception = simulate(scene, **cast(Options, {**options, "lean": True}))
        except Exception as error:
            outcome = error
        yield outcome
