"""What is fitted: numbers of a scene and of its sensors, each by itself or several along one direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from towsim.errors import SceneError, UsageError
from towsim.fitting.log import Column, Log
from towsim.given import a_list, a_mapping, a_number, numbers
from towsim.model.arrays import Floats
from towsim.quote import show
from towsim.run.seeds import Wanted, directions
from towsim.scene import Scene
from towsim.scene.parameters import Parameters
from towsim.suggest import unknown

Free = Sequence[str | Mapping[str, Mapping[str, Any]]]

OFFSET, LAG = "offset.", "lag"
"""Sensors' numbers: ``offset.position[load,x]`` is added to what a run predicts, ``lag`` [s] delays all of it."""

TINY = 1e-9
"""How close a number may come to a bound that it must not reach, of its first value."""


@dataclass(frozen=True)
class Knob:
    """One number that is fitted.

    Attributes
    ----------
    name : of the number, or of the direction
    along : how far each number of the scene moves with it, by path
    offsets : the same of the sensors' offsets; (n,) where it differs from row to row of the log
    lag : whether it is the sensors' delay
    start, low, high : first value, and bounds
    own : whether each log has its own
    """

    name: str
    along: Mapping[str, float]
    offsets: Mapping[Column, float | Floats]
    lag: bool
    start: float
    low: float
    high: float
    own: bool = False

    @property
    def wanted(self) -> Wanted:
        """The number, or the direction, as ``Model.sensitivities`` takes it."""
        return self.name if self.name in self.along else {self.name: self.along}

    def check(self, start: float) -> None:
        """Refuse a first value beyond the bounds; it may be on one of them."""
        if not self.low <= start <= self.high:
            raise UsageError(
                f"{self.name} begins at {start:g}, which is not between its bounds {self.low:g} and {self.high:g}"
            )


def told(names: Sequence[str], values: Floats, error: Exception, *, taut: bool) -> str:
    """Why there is no run with some numbers, and what lets runs start whatever they are."""
    trial = ", ".join(f"{name} = {value:.9g}" for name, value in zip(names, values, strict=True))
    advice = "" if taut else "\nor let all loads begin where their wires are taut, whatever is free: taut=True, --taut"
    return f"with {trial}: {error}{advice if isinstance(error, SceneError) else ''}"


def knobs(
    scene: Scene,
    logs: Sequence[Log],
    free: Free,
    own: Sequence[str],
    bounds: Mapping[str, tuple[float, float]],
) -> list[Knob]:
    """Read what is free.

    Raises
    ------
    UsageError : a name that there is not, or that is named twice
    """
    wanted = a_list("free", free, " of paths")
    own = a_list("own", own, " of names")
    a_mapping("bounds", bounds, "from names to (least, largest)")
    parameters, found = Parameters(scene), []
    columns = {str(column): column for log in logs for column in log.columns}
    longest = min((float(log.time[-1]) for log in logs), default=np.inf)  # of lags: a later log says nothing
    for one in wanted:
        if isinstance(one, Mapping):
            for name, weights in one.items():
                found.append(_direction(parameters, columns, logs, name, weights))
        elif isinstance(one, str) and one == LAG:
            found.append(Knob(LAG, {}, {}, True, 0.0, -longest, longest))
        elif isinstance(one, str) and one.startswith(OFFSET):
            column = _sensor(columns, one)
            found.append(Knob(one, {}, {column: 1.0}, False, 0.0, -np.inf, np.inf))
        else:
            for number in directions(parameters, [one]):
                low = _least(scene, number.path, number.value)
                found.append(Knob(number.path, {number.path: 1.0}, {}, False, number.value, low, np.inf))
    names = [knob.name for knob in found]
    if not found:
        raise UsageError("nothing is free; name what is to be fitted, such as bodies.load.mass")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{name} is free twice")
    for name in (*own, *bounds):
        if not (isinstance(name, str) and any(_means(name, other) for other in names)):
            raise UsageError(unknown("free number", name, names))
    return [_bounded(knob, own, bounds) for knob in found]


def _means(name: str, knob: str) -> bool:
    return knob == name or knob.startswith(name + ".")


def _bounded(knob: Knob, own: Sequence[str], bounds: Mapping[str, tuple[float, float]]) -> Knob:
    pair = next((pair for name, pair in bounds.items() if _means(name, knob.name)), (knob.low, knob.high))
    ends = numbers(f"bounds of {knob.name}", pair)
    if ends.shape != (2,):
        raise UsageError(f"bounds of {knob.name} are (least, largest), got {show(pair)}")
    low, high = ends.tolist()
    if not low < high:
        raise UsageError(f"bounds of {knob.name} are (least, largest), got {low:g} and {high:g}")
    low, high = max(low, knob.low), min(high, knob.high)
    its = any(_means(name, knob.name) for name in own)
    found = Knob(knob.name, knob.along, knob.offsets, knob.lag, knob.start, low, high, its)
    found.check(knob.start)
    return found


def _direction(
    parameters: Parameters, columns: Mapping[str, Column], logs: Sequence[Log], name: object, weights: object
) -> Knob:
    if not isinstance(name, str):
        raise UsageError(f"a direction is called by a text, got {show(name)}")
    along: dict[str, float] = {}
    offsets: dict[Column, float | Floats] = {}
    for path, weight in a_mapping(f"direction {name}", weights, "from paths to numbers").items():
        if path.startswith(OFFSET):
            offsets[_sensor(columns, path)] = _weight(weight, logs, f"{name}: {path}")
        else:
            (number,) = directions(parameters, [path])[:1]
            if number.path != path:
                raise UsageError(f"{name}: {path} is a list; name one of its numbers, such as {number.path}")
            along[path] = a_number(f"{name}: {path}", weight)
    if not (along or offsets):
        raise UsageError(f"{name}: name the numbers that it moves, and how far each")
    return Knob(name, along, offsets, False, 0.0, -np.inf, np.inf)


def _weight(weight: Any, logs: Sequence[Log], what: str) -> float | Floats:
    """A number, or one for each row of the one log there is."""
    found = numbers(what, weight)
    if found.ndim == 0:
        return float(found)
    rows = len(logs[0].time)
    if len(logs) > 1 or found.shape != (rows,):
        raise UsageError(
            f"{what}: a number is needed, or of one log one for each of its {rows} rows; got {found.shape}"
        )
    return found


def _sensor(columns: Mapping[str, Column], name: str) -> Column:
    title = name.removeprefix(OFFSET)
    if title not in columns:
        raise UsageError(unknown("offset", name, [OFFSET + column for column in columns]))
    return columns[title]


def _least(scene: Scene, path: str, value: float) -> float:
    """−∞, or a number that is as good as zero where the scene takes no negative one."""
    try:
        scene.with_values({path: -abs(value) or -1.0})
    except SceneError:
        return TINY * value if value > 0.0 else -np.inf
    return -np.inf
