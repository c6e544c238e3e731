"""How the arrays of a run depend on the numbers that a scene declares: where its derivatives begin.

What compiling a scene makes of a number θ (masses, inertias, points, poses, momenta, the samples of known motions) is
a polynomial of it, of low degree, or close to one. So it is differentiated by a rule that is exact for polynomials of
degree four,

    f′(θ) = (8 (f(θ + δ) − f(θ − δ)) − (f(θ + 2δ) − f(θ − 2δ))) / 12δ − δ⁴ f⁽⁵⁾/30,        δ = 2⁻¹⁰ |θ|

and misses 3e-14 f⁽⁵⁾θ⁵ otherwise, below what subtracting loses (1e-13 of f). Inverse inertias follow from the inertias,
d(I⁻¹) = −I⁻¹ dI I⁻¹. All that a run makes of these arrays is differentiated without differences (see run/tangents).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from pydantic_core import PydanticCustomError

from towsim.control.runtime import Runtime
from towsim.errors import SceneError, UsageError
from towsim.model.arrays import Drive, Floats, State
from towsim.model.compile import Compiled
from towsim.model.drive import Driver
from towsim.scene import Scene
from towsim.scene.edit import with_numbers
from towsim.scene.parameters import Parameters
from towsim.suggest import unknown

Start = tuple[Scene, Callable[[Scene], Scene]] | None

Controllers = Callable[[Compiled], Runtime] | None

Wanted = str | Mapping[str, Mapping[str, float]]
"""The path of a number, or a direction by name: how far it moves numbers by their paths."""

REACH = 2.0**-10
"""δ, of the number itself; of 0, of 1."""

RULE = ((1.0, 8.0 / 12.0), (-1.0, -8.0 / 12.0), (2.0, -1.0 / 12.0), (-2.0, 1.0 / 12.0))
"""Places in δ, and weights over δ."""

PLACES = {"robot_rate": "robot", "robot_jump": "robot", "length_rate": "length", "length_jump": "length"}
"""Rates of known motions, and whose: a rate is known no better than the rounding of its place over a time step."""

UNEVEN = 1e-4
"""What the rule may differ from (f(θ + δ) − f(θ − δ))/2δ, of the largest derivative, before f counts as not smooth."""


@dataclass(frozen=True)
class Direction:
    """One number of a scene, or several that are moved together.

    Attributes
    ----------
    path : of the number, as ``--set`` takes it, or the name of the direction
    value : of the number; 0 of a direction
    asked : the path by which it was asked for
    along : value of each number that is moved, and how far it is, by path
    """

    path: str
    value: float
    asked: str
    along: Mapping[str, tuple[float, float]]

    @cached_property
    def size(self) -> float:
        """How far along itself it is as large as the numbers themselves; 1 where these are zero."""
        values, weights = np.array([*self.along.values()]).T
        return float(np.linalg.norm(values) / np.linalg.norm(weights)) or 1.0


def directions(parameters: Parameters, paths: Sequence[Wanted]) -> list[Direction]:
    """What is behind paths: one number, or the several of a list, ``bodies.box.position`` or
    ``bodies.box.position.2``; and directions, such as ``{"east": {"bodies.box.velocity.0": 1.0, ..}}``.

    Raises
    ------
    UsageError : there is no such parameter (with a suggestion), it is named twice, or it belongs to the run
    """
    if isinstance(paths, str):
        raise UsageError(f"parameters must be a list of paths, such as [{paths!r}]")
    found: list[Direction] = []
    for path in paths:
        if isinstance(path, Mapping):
            found += [_direction(parameters, name, weights) for name, weights in path.items()]
        else:
            found += _numbers_behind(parameters, path)
    seen: set[str] = set()
    for one in found:
        if one.path in seen:
            raise UsageError(f"parameter {one.path} is named twice")
        seen.add(one.path)
    if not found:
        raise UsageError("no parameters are named; give the paths of some, such as bodies.load.mass")
    return found


def _direction(parameters: Parameters, name: str, weights: Mapping[str, float]) -> Direction:
    along = {}
    for path, weight in weights.items():
        number, *others = _numbers_behind(parameters, path)
        if others:
            raise UsageError(f"{name}: {path} is a list; name one of its numbers, such as {number.path}")
        along[path] = number.value, float(weight)
    if not any(weight for _, weight in along.values()):
        raise UsageError(f"{name}: name the numbers that it moves, and how far each")
    return Direction(name, 0.0, name, along)


def _numbers_behind(parameters: Parameters, path: Any) -> Iterator[Direction]:
    if not isinstance(path, str):
        raise UsageError(f"parameters must be paths, such as bodies.load.mass, got {type(path).__name__}")
    if path.partition(".")[0] == "run":
        raise UsageError(f"parameter {path} belongs to the run, not to the scene: there is no derivative in it")
    whole, _, index = path.rpartition(".")
    if path in parameters:
        value = parameters[path]
        if np.ndim(value) == 0:
            yield _number(path, value, path)
        else:
            yield from (_number(f"{path}.{i}", x, path) for i, x in enumerate(value))
    elif whole in parameters and index.isdecimal() and int(index) < np.size(parameters[whole]):
        yield _number(path, np.ravel(parameters[whole])[int(index)], path)
    else:
        raise UsageError(unknown("parameter", path, [*parameters]))


def _number(path: str, value: Any, asked: str) -> Direction:
    return Direction(path, float(value), asked, {path: (float(value), 1.0)})


class Seed:
    """The derivative, in one direction, of all arrays that a run begins with.

    Attributes
    ----------
    numbers : by place in ``Model``, those that depend on the number
    initial : of the state at t = 0
    control : by path in ``Runtime.numbers`` and ``Runtime.written``, those of controllers, sensors and actuators
    idle : whether nothing depends on it
    """

    def __init__(
        self, compiled: Compiled, direction: Direction, start: Start = None, runtime: Controllers = None
    ) -> None:
        """
        start, runtime : see ``seeds``

        Raises
        ------
        UsageError : the number is at the edge of what it may be, or changes which laws are present
        """
        self.direction = direction
        delta = REACH * direction.size
        scene, settle = start or (compiled.declared, None)
        moved = _moved(scene, scene.outline(), direction)
        read = [compiled.read(settle(one) if settle else one) for one in moved]
        self._weights = [(place, weight / delta) for place, weight in RULE]
        if compiled.cables is not None:
            raise UsageError("mrfe cables have no derivatives yet; take the wires as elastic or rigid ones")
        arrays = [one[0].model | {f"start.{name}": part for name, part in one[1]._asdict().items()} for one in read]
        self.numbers = self._rates(arrays, without=("bodies.inertia_inv", "bodies.norm"))
        if "bodies.inertia" in self.numbers:
            inverse = compiled.model.bodies.inertia_inv
            self.numbers["bodies.inertia_inv"] = -inverse @ self.numbers["bodies.inertia"] @ inverse
        if "contacts.friction" in self.numbers:
            rubbing = compiled.model.contacts.row[:, 1] >= 0
            self.numbers["cones.mu"] = self.numbers["contacts.friction"][rubbing]
        still = (np.zeros_like(part) for part in read[0][1])
        self.initial = State(
            *(self.numbers.pop(f"start.{name}", zero) for name, zero in zip(State._fields, still, strict=True))
        )
        self._drivers: list[Driver] = [one[2]["driver"] for one in read]
        if all(one.robots_as(self._drivers[0]) for one in self._drivers[1:]):  # they have no derivatives then
            self._drivers = [driver.without_robots() for driver in self._drivers]
        self._driven = self._drivers[0] is not self._drivers[1] and self._drivers[0].facts() != self._drivers[1].facts()
        self._steady: dict[str, Floats] | None = None  # of known motions that do not change with time, once asked for
        self.control: dict[str, Floats] = {}
        self._runtimes: list[Runtime] = []
        if runtime is not None:
            self._runtimes = [
                self._with_controllers(runtime, replace(compiled, declared=scene, **known))
                for scene, (_, _, known) in zip(moved, read, strict=True)
            ]
            self.control = self._of_controllers()
        self._led = any(
            task.motions != other.motions
            for runtime_ in self._runtimes[1:]
            for task, other in zip(self._runtimes[0].tasks, runtime_.tasks, strict=True)
        )
        self.idle = not (
            self.numbers or any(part.any() for part in self.initial) or self._driven or self.control or self._led
        )

    def _with_controllers(self, runtime: Callable[[Compiled], Runtime], compiled: Compiled) -> Runtime:
        try:
            return runtime(compiled)
        except UsageError as error:
            raise UsageError(
                f"parameter {self.direction.path} decides when something is sampled, which has no derivative: {error}"
            ) from None

    def _of_controllers(self) -> dict[str, Floats]:
        """Derivatives of all that controllers, sensors and actuators begin with, by path: those that are not zero."""
        found = self._rates([dict((*one.numbers(), *one.written())) for one in self._runtimes])
        if "devices.fails" in found:
            raise UsageError(f"parameter {self.direction.path} decides when something fails, which has no derivative")
        return found

    def begun(self) -> dict[str, Floats]:
        """All derivatives with which a run begins, by path in ``Carried.numbers`` and ``Carried.written``."""
        state = {f"state.{name}": rate for name, rate in self.initial._asdict().items()}
        return self.numbers | self.control | state

    def references(self, first: int, time: Floats) -> list[Floats]:
        """Derivatives of the references of each controller, see ``Runtime.references``; none if there are none."""
        if not self._led:
            return []
        sampled = [one.references(first, time) for one in self._runtimes]
        return [self._rate(some, "a reference") for some in zip(*sampled, strict=True)]

    def drive(self, known: Callable[[Driver], Drive], rows: int, h: float) -> dict[str, Floats]:
        """Derivatives of the known motions by field of ``Drive``: those that are not zero.

        known : what a driver knows at so many times;  h : the time step [s], of all calls
        """
        if not self._driven:
            return {}
        if not all(driver.constant for driver in self._drivers):
            return self._drive_rates([known(driver) for driver in self._drivers], h)
        if self._steady is None:
            self._steady = self._drive_rates([driver.sample(np.zeros(1)) for driver in self._drivers], h)
        return {name: np.broadcast_to(rate, (rows, *rate.shape[1:])) for name, rate in self._steady.items()}

    def _drive_rates(self, sampled: Sequence[Drive], h: float) -> dict[str, Floats]:
        rates = {}
        for name, *parts in zip(Drive._fields, *sampled, strict=True):
            if name != "kink" and not all(np.array_equal(parts[0], one) for one in parts[1:]):
                some = np.logical_or.reduce([(one != parts[0]).any(axis=0) for one in parts[1:]])
                place = getattr(sampled[0], PLACES[name]) if name in PLACES else np.empty(0)
                lost = float(np.finfo(float).eps * np.abs(place).max(initial=0.0) / h)
                rate = np.zeros_like(parts[0])
                rate[:, some] = self._rate([one[:, some] for one in parts], name, lost)
                rates[name] = rate
        return rates

    def _rates(self, read: Sequence[Mapping[str, np.ndarray]], without: Collection[str] = ()) -> dict[str, Floats]:
        """Derivatives of arrays by name, those that are not zero; most are the same at all places."""
        names = [name for name, now in read[0].items() if now.dtype == np.float64 and name not in without]
        flat = np.array([np.concatenate([one[name].ravel() for name in names]) for one in read])
        moved = ((flat != flat[0]).any(axis=0) & np.isfinite(flat[0])).nonzero()[0]
        ends = np.cumsum([read[0][name].size for name in names])
        some = sorted(set(np.searchsorted(ends, moved, side="right").tolist()))
        rates = {name: self._rate([one[name] for one in read], name) for name in (names[i] for i in some)}
        return {name: rate for name, rate in rates.items() if rate.any()}

    def _rate(self, values: Sequence[Floats], what: str, lost: float = 0.0) -> Floats:
        """The rule on values at its places, which may err by ``lost`` beside their own rounding."""
        bounded = np.isfinite(values[0])  # limits that are none stay infinite
        values = [np.where(bounded, value, 0.0) for value in values]
        rate: Floats = np.zeros_like(values[0])
        for (_, weight), value in zip(self._weights, values, strict=True):
            rate = rate + weight * value
        plain = (values[0] - values[1]) * (0.75 * self._weights[0][1])  # by the rule with two places
        most = float(np.abs(rate).max(initial=0.0))
        # What subtracting loses is far below, except where all derivatives are rounding errors.
        rounding = (1e-13 * float(np.abs(values[0]).max(initial=0.0)) + lost) * self._weights[0][1]
        if float(np.abs(rate - plain).max(initial=0.0)) > UNEVEN * most + rounding:
            raise UsageError(
                f"parameter {self.direction.path} has no derivative here: {what} is not smooth in it (a kink of a "
                "known motion passes a time step, or a limit is reached)"
            )
        return np.where(np.abs(rate) <= rounding, 0.0, rate) if most <= rounding else rate


def _moved(scene: Scene, outline: Hashable, direction: Direction) -> list[Scene]:
    """The scene with one number moved to each of the rule's places; the farthest ones tell whether things fit."""
    path, moved = direction.path, []
    try:
        for place, _ in RULE:
            by = place * REACH * direction.size
            one = with_numbers(scene, {name: value + by * weight for name, (value, weight) in direction.along.items()})
            if abs(place) > 1.0:
                one.cross_checked()
            moved.append(one)
    except (SceneError, PydanticCustomError) as error:
        raise UsageError(
            f"parameter {path} = {direction.value:g} is at the edge of what it may be, where there is no derivative: "
            f"{error}"
        ) from None
    if moved[0].outline() != outline:
        raise UsageError(
            f"parameter {path} = {direction.value:g} decides which laws are present (it is zero, or makes two things "
            "equal), so that there is no derivative in it; give it a value of its own"
        )
    return moved


def seeds(
    compiled: Compiled, wanted: Sequence[Direction], start: Start = None, runtime: Controllers = None
) -> list[Seed]:
    """The seeds of several numbers.

    start : the scene before its start was settled, and what settles it, a smooth function of its numbers
    runtime : makes the controllers, sensors and actuators of a compiled scene, if it has any

    Raises
    ------
    UsageError : as of ``Seed``; or nothing depends on a number, or on any of a list, that was asked for
    """
    found = [Seed(compiled, direction, start, runtime) for direction in wanted]
    at_work = {seed.direction.asked for seed in found if not seed.idle}
    for direction in wanted:
        if direction.asked not in at_work:
            raise UsageError(f"parameter {direction.asked} changes nothing in a run of this scene; leave it out")
    return found
