"""How the arrays of a run depend on the numbers that a scene declares: where its derivatives begin.

What compiling a scene makes of a number θ (masses, inertias, points, poses, momenta, the samples of known motions) is
a polynomial of it, of low degree, or close to one. Mostly it is a straight line: three values tell, one of which all
numbers share, and its slope is a difference,

    (f(θ + 2δ) − f(θ)) + 2 (f(θ − δ) − f(θ)) = 0,        f′(θ) = (f(θ + 2δ) − f(θ − δ)) / 3δ,        δ = 2⁻¹⁰ |θ|

What is bent is differentiated by a rule that is exact for polynomials of degree four,

    f′(θ) = (8 (f(θ + δ) − f(θ − δ)) − (f(θ + 2δ) − f(θ − 2δ))) / 12δ − δ⁴ f⁽⁵⁾/30

and misses 3e-14 f⁽⁵⁾θ⁵ otherwise, below what subtracting loses (1e-13 of f). Inverse inertias follow from the inertias,
d(I⁻¹) = −I⁻¹ dI I⁻¹. All that a run makes of these arrays is differentiated without differences (see run/tangents).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from pydantic_core import PydanticCustomError

from towsim.control.runtime import Runtime
from towsim.control.task import Task
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

EPS = float(np.finfo(float).eps)
"""Rounding of one."""

STRAIGHT = 4.0
"""What a straight line may miss by, in roundings of the largest value."""

PLACES = {"robot_rate": "robot", "robot_jump": "robot", "length_rate": "length", "length_jump": "length"}
"""Rates of known motions, and whose: a rate is known no better than the rounding of its place over a time step."""

ROBOTS = ("robot", "robot_rate", "robot_jump")
"""Where robots are, how fast, and by what that jumps."""

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


class _Reading:
    """What compiling makes of a scene.

    Attributes
    ----------
    scene : before its start is settled
    arrays : numbers by place in ``Model``, and those of the state at t = 0, ``start.q``
    driver : of its known motions
    """

    def __init__(self, reader: _Reader, scene: Scene) -> None:
        self._reader, self.scene = reader, scene
        settled = scene if reader.settle is None else reader.settle(scene)
        numbers, start, self._known = reader.compiled.read(settled)
        self.arrays = numbers.model | {f"start.{name}": part for name, part in start._asdict().items()}
        self.driver: Driver = self._known["driver"]

    @cached_property
    def runtime(self) -> Runtime | None:
        """Controllers, sensors and actuators, if there are any."""
        make = self._reader.runtime
        return make and make(replace(self._reader.compiled, declared=self.scene, **self._known))

    @cached_property
    def of_controllers(self) -> dict[str, np.ndarray]:
        """All that these begin with, by path."""
        return {} if self.runtime is None else dict((*self.runtime.numbers(), *self.runtime.written()))


class _Reader:
    """Reads scenes that differ from one of which a run begins.

    Parameters
    ----------
    compiled, start, runtime : see ``seeds``

    Attributes
    ----------
    now : reading of the scene itself
    """

    def __init__(self, compiled: Compiled, start: Start, runtime: Controllers) -> None:
        self.compiled, self.runtime = compiled, runtime
        scene: Scene
        self.settle: Callable[[Scene], Scene] | None
        scene, self.settle = start or (compiled.declared, None)
        self.outline = scene.outline()
        self.now = _Reading(self, scene)


class Seed:
    """The derivative, in one direction, of all arrays that a run begins with.

    Attributes
    ----------
    numbers : by place in ``Model``, those that depend on the number
    initial : of the state at t = 0
    control : by path in ``Runtime.numbers`` and ``Runtime.written``, those of controllers, sensors and actuators
    idle : whether nothing depends on it
    """

    def __init__(self, reader: _Reader, direction: Direction) -> None:
        """
        Raises
        ------
        UsageError : the number is at the edge of what it may be, or changes which laws are present
        """
        self.direction, self._reader = direction, reader
        self._delta = REACH * direction.size
        self._read = {0.0: reader.now}
        compiled, now, far = reader.compiled, reader.now, self._at(2.0)
        if compiled.cables is not None:
            raise UsageError("mrfe cables have no derivatives yet; take the wires as elastic or rigid ones")
        self.numbers = self._rates(lambda one: one.arrays, without=("bodies.inertia_inv", "bodies.norm"))
        if "bodies.inertia" in self.numbers:
            inverse = compiled.model.bodies.inertia_inv
            self.numbers["bodies.inertia_inv"] = -inverse @ self.numbers["bodies.inertia"] @ inverse
        if "contacts.friction" in self.numbers:
            rubbing = compiled.model.contacts.row[:, 1] >= 0
            self.numbers["cones.mu"] = self.numbers["contacts.friction"][rubbing]
        self.initial = State(
            *(self.numbers.pop(f"start.{name}", np.zeros_like(now.arrays[f"start.{name}"])) for name in State._fields)
        )
        self._driven = now.driver is not far.driver and now.driver.facts() != far.driver.facts()
        self._still = far.driver.robots_as(now.driver)  # robots have no derivatives then
        self._steady: dict[str, Floats] | None = None  # of known motions that do not change with time, once asked for
        self.control = self._rates(lambda one: one.of_controllers)
        if "devices.fails" in self.control:
            raise UsageError(f"parameter {direction.path} decides when something fails, which has no derivative")
        self._led = any(one.motions != other.motions for one, other in zip(_tasks(now), _tasks(far), strict=True))
        self.idle = not (
            self.numbers or any(part.any() for part in self.initial) or self._driven or self.control or self._led
        )

    def _at(self, place: float) -> _Reading:
        """The scene with the number moved to one of the rule's places."""
        found = self._read.get(place)
        if found is None:
            found = self._read[place] = _Reading(self._reader, self._moved(place * self._delta))
            try:
                _ = found.runtime
            except UsageError as error:
                raise UsageError(
                    f"parameter {self.direction.path} decides when something is sampled, which has no derivative: "
                    f"{error}"
                ) from None
        return found

    def _moved(self, by: float) -> Scene:
        along = self.direction.along.items()
        numbers, what = {name: value + by * weight for name, (value, weight) in along}, self.direction
        try:
            moved = with_numbers(self._reader.now.scene, numbers).cross_checked()
        except (SceneError, PydanticCustomError) as error:
            raise UsageError(
                f"parameter {what.path} = {what.value:g} is at the edge of what it may be, where there is no "
                f"derivative: {error}"
            ) from None
        if moved.outline() != self._reader.outline:
            raise UsageError(
                f"parameter {what.path} = {what.value:g} decides which laws are present (it is zero, or makes two "
                "things equal), so that there is no derivative in it; give it a value of its own"
            )
        return moved

    def begun(self) -> dict[str, Floats]:
        """All derivatives with which a run begins, by path in ``Carried.numbers`` and ``Carried.written``."""
        state = {f"state.{name}": rate for name, rate in self.initial._asdict().items()}
        return self.numbers | self.control | state

    def references(self, first: int, time: Floats) -> list[Floats]:
        """Derivatives of the references of each controller, see ``Runtime.references``; none if there are none."""
        if not self._led:
            return []

        @cache
        def sampled(one: _Reading) -> list[Floats]:
            return [] if one.runtime is None else one.runtime.references(first, time)

        def of_task(i: int) -> Floats:
            return self._rate(lambda one: sampled(one)[i], "a reference")

        return list(map(of_task, range(len(sampled(self._reader.now)))))

    def drive(self, drive: Drive, known: Callable[[Driver], Drive], h: float) -> dict[str, Floats]:
        """Derivatives of the known motions by field of ``Drive``: those that are not zero.

        drive : what is known at some times;  known : what another driver knows then;  h : the time step [s], of all
        calls
        """
        if not self._driven:
            return {}
        if not all(self._driver(one).constant for one in self._read.values()):
            return self._drive_rates(drive, known, h)
        if self._steady is None:
            first = Drive._make(part[:1] for part in drive)
            self._steady = self._drive_rates(first, lambda driver: driver.sample(np.zeros(1)), h)
        return {name: np.broadcast_to(rate, (len(drive.kink), *rate.shape[1:])) for name, rate in self._steady.items()}

    def _driver(self, reading: _Reading) -> Driver:
        """What is known in a reading that the number may move."""
        return reading.driver.without_robots() if self._still else reading.driver

    def _drive_rates(self, now: Drive, known: Callable[[Driver], Drive], h: float) -> dict[str, Floats]:
        robots = {name: getattr(now, name) for name in ROBOTS} if self._still else {}

        @cache
        def at(one: _Reading) -> Drive:
            return now if one is self._reader.now else known(self._driver(one))._replace(**robots)

        def rate_of(name: str) -> Floats:
            place = getattr(now, PLACES[name]) if name in PLACES else np.empty(0)
            lost = EPS * float(np.abs(place).max(initial=0.0)) / h
            mine, rate = getattr(now, name), np.zeros_like(getattr(now, name))
            some = (getattr(far, name) != mine).any(axis=0) | (getattr(back, name) != mine).any(axis=0)
            rate[:, some] = self._rate(lambda one: getattr(at(one), name)[:, some], name, lost)
            return rate  # type: ignore[no-any-return]

        far, back = at(self._at(2.0)), at(self._at(-1.0))
        parts = zip(Drive._fields, now, far, back, strict=True)
        moved = [name for name, a, b, c in parts if not (np.array_equal(a, b) and np.array_equal(a, c))]
        return {name: rate_of(name) for name in moved if name != "kink"}

    def _rates(
        self, seen: Callable[[_Reading], Mapping[str, np.ndarray]], without: Collection[str] = ()
    ) -> dict[str, Floats]:
        """Derivatives of arrays by name, those that are not zero; most are the same at all places."""
        read = [seen(self._at(place)) for place in (0.0, 2.0, -1.0)]
        names = [name for name, now in read[0].items() if now.dtype == np.float64 and name not in without]
        flat = np.array([np.concatenate([np.empty(0), *(one[name].ravel() for name in names)]) for one in read])
        moved = ((flat != flat[0]).any(axis=0) & np.isfinite(flat[0])).nonzero()[0]
        ends = np.cumsum([read[0][name].size for name in names])
        some = sorted(set(np.searchsorted(ends, moved, side="right").tolist()))

        def rate_of(name: str) -> Floats:
            return self._rate(lambda one: seen(one)[name], name)

        rates = {names[i]: rate_of(names[i]) for i in some}
        return {name: rate for name, rate in rates.items() if rate.any()}

    def _rate(self, value: Callable[[_Reading], Floats], what: str, lost: float = 0.0) -> Floats:
        """The derivative of an array whose values may err by ``lost`` beside their own rounding."""
        now = value(self._reader.now)
        bounded = np.isfinite(now)  # limits that are none stay infinite

        def at(place: float) -> Floats:
            there: Floats = np.where(bounded, value(self._at(place)), 0.0)
            return there

        now, far, back = at(0.0), at(2.0), at(-1.0)
        size = float(np.maximum(np.abs(now), np.abs(far)).max(initial=0.0))
        # What subtracting loses is far below, except where all derivatives are rounding errors.
        rounding = (1e-13 * size + lost) / self._delta
        bend = float(np.abs((far - now) + 2.0 * (back - now)).max(initial=0.0))
        rate: Floats = (far - back) / (3.0 * self._delta)
        if bend > STRAIGHT * (EPS * size + lost):
            rate = np.sum([weight * at(place) for place, weight in RULE], axis=0) / self._delta
            plain = (at(1.0) - back) / (2.0 * self._delta)  # by the rule with two places
            uneven = float(np.abs(rate - plain).max(initial=0.0))
            if uneven > UNEVEN * float(np.abs(rate).max(initial=0.0)) + rounding:
                raise UsageError(
                    f"parameter {self.direction.path} has no derivative here: {what} is not smooth in it (a kink of "
                    "a known motion passes a time step, or a limit is reached)"
                )
        return rate if (np.abs(rate) > rounding).any() else np.zeros_like(rate)


def _tasks(reading: _Reading) -> Sequence[Task]:
    return () if reading.runtime is None else reading.runtime.tasks


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
    reader = _Reader(compiled, start, runtime)
    found = [Seed(reader, direction) for direction in wanted]
    at_work = {seed.direction.asked for seed in found if not seed.idle}
    for direction in wanted:
        if direction.asked not in at_work:
            raise UsageError(f"parameter {direction.asked} changes nothing in a run of this scene; leave it out")
    return found
