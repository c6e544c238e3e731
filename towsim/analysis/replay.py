"""Run a result again from what it holds itself, and compare: the same numbers, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from towsim.errors import ResultError, SimulationError
from towsim.results import Result
from towsim.results.result import a_result, from_json


@dataclass(frozen=True, slots=True)
class Difference:
    """How a variable of the replay differs: rows compared, largest difference, and the time it is first seen [s]."""

    variable: str
    rows: int
    largest: float
    first: float


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay beside the original.

    Attributes
    ----------
    result : the new run
    differences : one entry for each variable that is not the same bit for bit; empty when all are
    versions : packages whose version is not that of the original: name, then, now
    """

    result: Result
    differences: tuple[Difference, ...]
    versions: tuple[tuple[str, str, str], ...]

    @property
    def same(self) -> bool:
        """Whether every number is the same, bit for bit."""
        return not self.differences

    def __str__(self) -> str:
        lines = ["the same, bit for bit" if self.same else "not the same:"]
        lines += [f"  {d.variable:<20} differs by {d.largest:.3g} from t = {d.first:g} s on" for d in self.differences]
        lines += [f"  {name} was {then} and is {now}" for name, then, now in self.versions]
        return "\n".join(lines)


def replay(
    result: Result, *, output: str | Path | None = None, progress: Callable[[int, int], None] | None = None
) -> Replay:
    """Run a result's scene again with its options and compare every variable.

    Parameters
    ----------
    output : where to keep the new run (.nc)
    progress : called with (steps done, steps in all)

    Raises
    ------
    ResultError : the result does not say what was run, or the output is there already
    """
    from towsim.run import simulate
    from towsim.scene import scene_from_text

    a_result(result)
    if output is not None and Path(output).exists():
        raise ResultError(f"{output} exists already, and a replay overwrites nothing; use another name")
    if "scene" in result.attributes and "options" not in result.attributes:
        raise ResultError(
            "this result cannot be replayed: it was steered, pushed, placed or commanded by hand, and does not hold how"
        )
    if not {"scene", "options"} <= set(result.attributes):
        raise ResultError("this result cannot be replayed: it holds no scene and options")
    options: dict[str, Any] = from_json(result.attributes, "options")
    if "own_controllers" in options:
        raise ResultError(
            f"this result cannot be replayed from its file: controllers {options['own_controllers']} were functions; "
            "run simulate(scene, controllers={...}) again, or use controllers of the scene"
        )
    scene = scene_from_text(str(result.attributes["scene"]))
    end = result.summary()
    if end.outcome in ("unfinished", "interrupted") and options["method"] != "dae":  # whose last step ends at the end
        options["duration"] = end.end_time + options["step"]
    try:
        again = simulate(scene, **options, output=output, progress=progress)
    except SimulationError as error:  # the original stopped for a reason; so does its replay
        if error.result is None:
            raise
        again = error.result
    return Replay(again, tuple(differences(result, again)), tuple(_versions(result, again)))


def differences(one: Result, other: Result) -> list[Difference]:
    """Variables that are not the same bit for bit, over the rows that ``one`` has."""
    found = []
    rows = len(one.time)
    if one.attributes.get("outcome") == "interrupted" and not np.array_equal(
        one.time[-1:], other.time[rows - 1 : rows]
    ):
        rows -= 1  # the last row of a run is recorded also where record_every leaves it out of the replay
    for name in one.recorded:
        a = (one[name].values if name != "time" else one.time)[:rows]
        b = (other[name].values if name != "time" else other.time)[:rows] if name in other else np.zeros(0)
        if a.shape != b.shape:
            found.append(Difference(name, min(len(a), len(b)), np.inf, float(one.time[min(len(b), rows - 1)])))
            continue
        wrong = ~((a == b) | ((a != a) & (b != b)))
        if wrong.any():
            first = int(np.argmax(wrong.reshape(rows, -1).any(axis=1)))
            gap = np.abs(a.astype(float) - b.astype(float))[wrong]
            largest = float(gap.max()) if np.isfinite(gap).all() else np.inf
            found.append(Difference(name, rows, largest, float(one.time[first])))
    return found


def _versions(one: Result, other: Result) -> list[tuple[str, str, str]]:
    then, now = (
        from_json(result.attributes, "versions") if "versions" in result.attributes else {} for result in (one, other)
    )
    return [(name, then[name], now.get(name, "absent")) for name in then if then[name] != now.get(name)]
