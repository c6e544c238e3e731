"""Many scenes, one result each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Unpack, cast

from towsim.errors import TowsimError, UsageError, told_of
from towsim.quote import show
from towsim.results import Result
from towsim.run.options import Options, takes
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
        ``on_failure="record"`` goes on after what is refused
    UsageError : an ``output``, which holds one run
    """
    refuse_one_output(options)
    return _results(scenes, options)


def refuse_one_output(options: Mapping[str, Any]) -> None:
    """UsageError if many runs were to be written to one file."""
    if options.get("output") is not None:
        raise UsageError(
            f"output {show(str(options['output']))} holds one run, and this makes many; leave it out, and save each "
            "result under a name of its own: result.save(..)"
        )


def _results(scenes: Iterable[Scene], options: Options) -> Iterator[Result]:
    for run, outcome in enumerate(outcomes(scenes, options)):
        if isinstance(outcome, TowsimError):
            raise told_of(outcome, numbered(run))
        if isinstance(outcome, Exception):
            raise outcome
        yield outcome


def numbered(run: int) -> str:
    """What messages call one of many runs."""
    return f"run {run} (counted from 0)"


def outcomes(scenes: Iterable[Scene], options: Mapping[str, Any]) -> Iterator[Result | Exception]:
    """For each scene what ``simulate(scene, lean=True, **options)`` returns, or the error that it raises."""
    for scene in scenes:
        try:
            outcome: Result | Exception = simulate(scene, **cast(Options, {**options, "lean": True}))
        except Exception as error:
            outcome = error
        yield outcome
