"""Many scenes, one result each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Unpack, cast

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
    TowsimError : as ``simulate``, for the first scene that fails; ``on_failure="record"`` goes on after what is refused
    """
    for outcome in outcomes(scenes, options):
        if isinstance(outcome, Exception):
            raise outcome
        yield outcome


def outcomes(scenes: Iterable[Scene], options: Mapping[str, Any]) -> Iterator[Result | Exception]:
    """For each scene what ``simulate(scene, lean=True, **options)`` returns, or the error that it raises."""
    for scene in scenes:
        try:
            outcome: Result | Exception = simulate(scene, **cast(Options, {**options, "lean": True}))
        except Exception as error:
            outcome = error
        yield outcome
