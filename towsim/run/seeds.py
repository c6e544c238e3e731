"""How the arrays of a run depend on the numbers that a scene declares: where its derivatives begin.

What compiling a scene makes of a number θ (masses, inertias, points, poses, momenta, the samples of known motions) is
a polynomial of it, of low degree, or close to one. Mostly it is a straight line: three values tell, one of which all
numbers share, and its slope is a difference,

    (f(θ + 2δ) − f(θ)) + 2 (f(θ − δ) − f(θ)) = 0,        f′(θ) = (f(θ + 2δ) − f(θ − δ)) / 3δ,        δ = 2⁻¹⁰ |θ|

What is bent is differentiated by a rule that is exact for polynomials of degree four,

    f′(θ) = (8 (f(θ + δ) − f(θ − δ)) − (f(θ + 2δ) − f(θ − 2δ))) / 12δ − δ⁴ f⁽⁵⁾/30

and misses 3e-14 f⁽⁵⁾θ⁵ otherwise, below what subtracting loses (1e-13 of f). Where it differs from the rule with two
places δ is made smaller, before f counts as not smooth; not for known motions, whose kinks it would step over. Inverse
inertias follow from the inertias, d(I⁻¹) = −I⁻¹ dI I⁻¹; and what is linear in points of paths and winches, which are
arrays as well, from theirs (see model/motions): samples are differenced only where times, formulas or loads move. All
that a run makes of these arrays is differentiated without differences (see run/carried).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from towsim.constraints.axis import SPRING
from towsim.errors import UsageError
from towsim.given import a_list, a_mapping, a_number
from towsim.model.arrays import Drive, Floats, State
from towsim.model.compile import Compiled
from towsim.model.drive import POINTS, Driver
from towsim.model.model import Model
from towsim.quote import show
from towsim.run.readings import APART, BACK, FORTH, TILTED, Controllers, Moved, Reader, Reading, Start, read_back
from towsim.scene.parameters import Parameters

Wanted = str | Mapping[str, Mapping[str, float]]
"""The path of a number, or a direction by name: how far it moves numbers by their paths."""

REACH = 2.0**-10
"""δ, of the number itself; of 0, and of what is TINY, of 1."""

TINY = 1e-6
"""Numbers below are as good as 0, such as cos 90° or what is left of a search, unless they cannot be less than that."""

RULE = ((1.0, 8.0 / 12.0), (-1.0, -8.0 / 12.0), (2.0, -1.0 / 12.0), (-2.0, 1.0 / 12.0))
"""Places in δ, and weights over δ."""

SHRUNK = 1.0, 2.0**-4, 2.0**-8
"""Of δ, with what is bent too much for it: cables that sag little turn fast with their lengths."""

EPS = float(np.finfo(float).eps)
"""Rounding of one."""

STRAIGHT = 4.0
"""What a straight line may miss by, in roundings of its values."""

PLACES = {"robot": "robot", "length": "length"}
RATES = {"robot_rate": "robot", "robot_jump": "robot", "length_rate": "length", "length_jump": "length"}
"""Known motions and rates, and whose: a place on a curve is known no better than the rounding of the farthest one,
and a rate no better than that over a time step."""

ROBOTS = ("robot", "robot_rate", "robot_jump")
"""Where robots are, how fast, and by what that jumps."""

SWITCHES = {"attach", "detach", "cut", "break"}
"""What says when wires and joints come, go or break, in whole steps."""

TORN = 1e-6
"""By how much a step δ may take the ends of reduced joints apart [m], [m/s], as settling a start leaves some of it."""

LEVEL = 1e-13
"""What the tilt of a cable that must stay in its plane is known to [rad]."""

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

    def moved(self, reader: Reader) -> Moved:
        """A scene with what it moves, by steps of δ."""
        if self.size < TINY:
            with suppress(UsageError):  # what must not be negative
                found = self._moved_by(REACH, reader)
                found.at(BACK)
                return found
        return self._moved_by(REACH * self.size, reader)

    def _moved_by(self, step: float, reader: Reader) -> Moved:
        return Moved(reader, f"{self.path} = {self.value:g}", self.along, step)


def directions(parameters: Parameters, paths: Sequence[Wanted]) -> list[Direction]:
    """What is behind paths: one number, or the several of a list, ``bodies.box.position`` or
    ``bodies.box.position.2``; and directions, such as ``{"east": {"bodies.box.velocity.0": 1.0, ..}}``.

    Raises
    ------
    UsageError : there is no such parameter (with a suggestion), it is named twice, or it belongs to the run
    """
    found: list[Direction] = []
    for path in a_list("parameters", paths, " of paths"):
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


def _direction(parameters: Parameters, name: object, weights: object) -> Direction:
    if not isinstance(name, str):
        raise UsageError(f"a direction is called by a text, got {show(name)}")
    along = {}
    for path, weight in a_mapping(f"direction {name}", weights, "from paths to numbers").items():
        number, *others = _numbers_behind(parameters, path)
        if others:
            raise UsageError(f"{name}: {path} is a list; name one of its numbers, such as {number.path}")
        along[path] = number.value, a_number(f"{name}: {path}", weight)
    if not any(weight for _, weight in along.values()):
        raise UsageError(f"{name}: name the numbers that it moves, and how far each")
    return Direction(name, 0.0, name, along)


def _numbers_behind(parameters: Parameters, path: Any) -> Iterator[Direction]:
    if not isinstance(path, str):
        raise UsageError(f"parameters must be paths, such as bodies.load.mass, got {type(path).__name__}")
    if path.partition(".")[0] == "run":
        raise UsageError(f"parameter {path} belongs to the run, not to the scene: there is no derivative in it")
    kind, *words = path.split(".")
    if kind in ("wires", "joints") and SWITCHES & set(words[1:]):
        raise UsageError(f"parameter {path} decides in which step something is switched, which has no derivative")
    value = parameters[path]
    if np.ndim(value) == 0:
        yield _number(path, value, path)
    else:
        yield from (_number(f"{path}.{i}", x, path) for i, x in enumerate(value))


def _number(path: str, value: Any, asked: str) -> Direction:
    return Direction(path, float(value), asked, {path: (float(value), 1.0)})


class Seed:
    """The derivative, in one direction, of all arrays that a run begins with.

    Attributes
    ----------
    numbers : of those that depend on it, as ``Reading.arrays``; of controllers, sensors and actuators by path in
        ``Runtime.numbers`` and ``Runtime.written``
    initial : of the state at t = 0
    driver : of the scene as it is
    points : of those of known motions, see ``Driver.points``, where it moves nothing else of what is known
    idle : whether nothing depends on it
    """

    def __init__(self, direction: Direction, moved: Moved) -> None:
        """
        Raises
        ------
        UsageError : it has no derivative
        """
        self.direction, self._moved = direction, moved
        self._delta = moved.step
        compiled, now = moved.reader.compiled, moved.reader.now
        self.numbers = self._of_arrays()
        for joint in [name for name in self.numbers if name.startswith(APART)]:
            if np.abs(self.numbers.pop(joint)).max() * self._delta > TORN:
                raise UsageError(
                    f"parameter {direction.path} moves one side of joint {joint.removeprefix(APART)!r} without the "
                    "other, at the start or at once from there, which joint coordinates do not allow: it has no "
                    "derivative; name a direction that keeps the joint closed, or, of places, say taut=True"
                )
        for cable in (name.removeprefix(TILTED) for name in self.numbers if name.startswith(TILTED)):
            raise UsageError(
                f"parameter {direction.path} tilts wire {cable!r} along y, which begins along z, the first axis of its "
                "first joint, zy: upright it swings in the plane of x and z, tilted in that of y and z, and there is "
                "no derivative between the two; use first_joint: ball, or yx"
            )
        if "devices.fails" in self.numbers:
            raise UsageError(f"parameter {direction.path} decides when something fails, which has no derivative")
        if "bodies.inertia" in self.numbers:
            inverse = compiled.model.bodies.inertia_inv
            self.numbers["bodies.inertia_inv"] = -inverse @ self.numbers["bodies.inertia"] @ inverse
        if "contacts.friction" in self.numbers:
            rubbing = compiled.model.contacts.row[:, 1] >= 0
            self.numbers["cones.mu"] = self.numbers["contacts.friction"][rubbing]
        start = [f"start.{name}" for name in State._fields]
        self.initial = State(*(self.numbers.pop(name, np.zeros_like(now.arrays[name])) for name in start))
        points = {
            name: self.numbers.pop(f"known.{name}", np.zeros_like(now.arrays[f"known.{name}"])) for name in POINTS
        }
        moves = any(rate.any() for rate in points.values())
        self.points = points if moves and not moved.driven else None
        self.driver = now.driver
        self._still = moved.at(FORTH).driver.robots_as(now.driver)  # robots have no derivatives then
        self._steady: dict[str, Floats] | None = None  # of known motions that do not change with time, once asked for
        known = moves or moved.driven or moved.led
        self.idle = not (known or self.numbers or any(part.any() for part in self.initial))

    def begun(self) -> dict[str, Floats]:
        """All derivatives with which a run begins, by path in ``Carried.numbers`` and ``Carried.written``."""
        state = {f"state.{name}": rate for name, rate in self.initial._asdict().items()}
        return self.numbers | state

    def references(self, first: int, time: Floats) -> list[Floats]:
        """Derivatives of the references of each controller, see ``Runtime.references``; none if there are none."""
        if not self._moved.led:
            return []

        @cache
        def sampled(one: Reading) -> list[Floats]:
            return [] if one.runtime is None else one.runtime.references(first, time)

        def of_task(i: int) -> Floats:
            return self._rate_in_time(lambda one: sampled(one)[i], "a reference")

        return list(map(of_task, range(len(sampled(self._moved.at(0.0))))))

    def drive(self, drive: Drive, known: Callable[[Driver], Drive], h: float) -> dict[str, Floats]:
        """Derivatives of the known motions by field of ``Drive``: those that are not zero; none of ``points``.

        drive : what is known at some times;  known : what another driver knows then;  h : the time step [s], of all
        calls
        """
        if not self._moved.driven:
            return {}
        if not all(self._driver(one).constant for one in self._moved.read):
            return self._drive_rates(drive, known, h)
        if self._steady is None:
            first = Drive._make(part[:1] for part in drive)
            self._steady = self._drive_rates(first, lambda driver: driver.sample(np.zeros(1)), h)
        return _for_long(self._steady, len(drive.kink))

    def _driver(self, reading: Reading) -> Driver:
        """What is known in a reading that the number may move."""
        return reading.driver.without_robots() if self._still else reading.driver

    def _drive_rates(self, now: Drive, known: Callable[[Driver], Drive], h: float) -> dict[str, Floats]:
        @cache
        def at(one: Reading) -> Drive:
            return now if one is self._moved.at(0.0) else known(self._driver(one))

        def rate_of(name: str) -> Floats:
            places = getattr(now, (PLACES | RATES)[name]) if name in PLACES | RATES else np.empty(0)
            lost = EPS * float(np.abs(places).max(initial=0.0))
            return self._rate_in_time(lambda one: getattr(at(one), name), name, lost / h if name in RATES else lost)

        without = ("kink", *ROBOTS) if self._still else ("kink",)
        rates = {name: rate_of(name) for name in Drive._fields if name not in without}
        return {name: rate for name, rate in rates.items() if rate.any()}

    def _rate_in_time(self, value: Callable[[Reading], Floats], what: str, lost: float = 0.0) -> Floats:
        """As ``_rate``, of an array over time, few of whose columns depend on the number."""
        now = value(self._moved.at(0.0))
        some = np.zeros(now.shape[1:], np.bool_)
        for place in (FORTH,) if self._moved.shared else (FORTH, BACK):
            some |= (value(self._moved.at(place)) != now).any(axis=0)
        rate = np.zeros_like(now)
        if some.any():
            rate[:, some] = self._rate(lambda one: value(one)[:, some], what, lost)
        return rate

    def _of_arrays(self) -> dict[str, Floats]:
        """Derivatives of arrays by name, those that are not zero."""
        found, end = {}, 0
        moved = self._moved.entries
        for name, now in self._moved.at(0.0).arrays.items() if moved.any() else ():
            begin, end = end, end + now.size
            if moved[begin:end].any() and name not in ("bodies.inertia_inv", "bodies.norm"):
                some = moved[begin:end].reshape(now.shape)
                lost = LEVEL if name.startswith(TILTED) else 0.0
                found[name] = self._rate(_array(name), name, lost, some, SHRUNK)
        return {name: rate for name, rate in found.items() if rate.any()}

    def _rate(
        self,
        value: Callable[[Reading], Floats],
        what: str,
        lost: float = 0.0,
        some: Any = True,
        shrunk: Sequence[float] = (1.0,),
    ) -> Floats:
        """The derivative of some entries of an array whose values may err by ``lost`` beside their own rounding.

        shrunk : how small δ may be made, of itself
        """
        now, far = value(self._moved.at(0.0)), value(self._moved.at(FORTH))
        bounded = np.isfinite(now)  # limits that are none stay infinite
        size = float(np.maximum(np.abs(now), np.abs(far)).max(initial=0.0, where=bounded))

        def at(reading: Reading) -> Floats:
            there: Floats = np.where(bounded & some, value(reading), 0.0)
            return there

        # What subtracting loses is far below, except where all derivatives are rounding errors.
        rounding = (1e-13 * size + lost) / self._delta
        now, far = at(self._moved.at(0.0)), at(self._moved.at(FORTH))
        for back in map(at, self._moved.backs()):
            bend = np.abs((far - now) + 2.0 * (back - now))
            rate: Floats = (far - back) / (3.0 * self._delta)
            if (bend <= STRAIGHT * (EPS * np.maximum(np.abs(now), np.abs(far)) + lost)).all():
                break
        else:
            for part in shrunk:
                delta, noise = part * self._delta, rounding / part
                values = [at(self._moved.at(part * place)) for place, _ in RULE]
                rate = np.sum([weight * one for (_, weight), one in zip(RULE, values, strict=True)], axis=0) / delta
                plain = (values[0] - values[1]) / (2.0 * delta)  # by the rule with two places
                uneven = float(np.abs(rate - plain).max(initial=0.0))
                if uneven <= UNEVEN * float(np.abs(rate).max(initial=0.0)) + noise:
                    rounding = noise
                    break
            else:
                raise UsageError(
                    f"parameter {self.direction.path} has no derivative here: {what} is not smooth in it ({_why(what)})"
                )
        return rate if (np.abs(rate) > rounding).any() else np.zeros_like(rate)


class KnownRates:
    """Derivatives of the known motions in several directions.

    Those in points are sampled side by side, for what is known is linear in them, with means and jumps of its steps.
    """

    def __init__(self, seeds: Sequence[Seed]) -> None:
        self._seeds, self._slopes = seeds, None
        self._scales: dict[int, float] = {}  # what jumps is told from rounding by its size
        points = []
        for i, seed in enumerate(seeds):
            if seed.points is not None:
                most = max(float(np.abs(rate).max(initial=0.0)) for rate in seed.points.values())
                scale = self._scales[i] = 2.0 ** int(np.frexp(most)[1])
                points.append({name: rate / scale for name, rate in seed.points.items()})
        if points:
            self._slopes = seeds[0].driver.slopes(points)

    def drive(self, drive: Drive, known: Callable[[Driver], Drive], h: float) -> list[dict[str, Floats]]:
        """By direction, as of ``Seed.drive``, whose arguments they are."""
        found = [seed.drive(drive, known, h) for seed in self._seeds]
        if self._slopes is None:
            return found
        if self._slopes.constant:
            rates = [_for_long(one, len(drive.kink)) for one in self._steady]
        else:
            rates = list(self._slopes.apart(known(self._slopes)))
        for (i, scale), mine in zip(self._scales.items(), rates, strict=True):
            found[i] = {name: scale * rate for name, rate in mine.items()}
        return found

    @cached_property
    def _steady(self) -> list[dict[str, Floats]]:
        """What does not change with time, one row of each."""
        assert self._slopes is not None
        return list(self._slopes.apart(self._slopes.sample(np.zeros(1))))


def _for_long(rates: Mapping[str, Floats], rows: int) -> dict[str, Floats]:
    """One row of each, so many times."""
    return {name: np.broadcast_to(rate, (rows, *rate.shape[1:])) for name, rate in rates.items()}


def _why(what: str) -> str:
    """What is the matter with an array that has no derivative."""
    if what.startswith("start."):
        return "how the run begins changes its kind here, such as a cable that hangs to one side and not to the other"
    known = what == "a reference" or what in Drive._fields
    return "a kink of a known motion passes a time step" if known else "a limit is reached"


def _array(name: str) -> Callable[[Reading], Floats]:
    return lambda reading: reading.arrays[name]


def seeds(
    compiled: Compiled, wanted: Sequence[Direction], start: Start = None, runtime: Controllers = None
) -> list[Seed]:
    """The seeds of several numbers.

    start, runtime : see ``readings.Reader``

    Raises
    ------
    UsageError : as of ``Seed``; or nothing depends on a number, or on any of a list, that was asked for
    """
    reader = Reader(compiled, start, runtime)
    moved = [direction.moved(reader) for direction in wanted]
    read_back(moved)
    found = [Seed(*one) for one in zip(wanted, moved, strict=True)]
    at_work = {seed.direction.asked for seed in found if not seed.idle}
    for direction in wanted:
        if direction.asked not in at_work:
            raise UsageError(f"parameter {direction.asked} changes nothing in a run of this scene; leave it out")
    return found


def rates_of_springs(model: Model, seed: Seed, h: float, staggered: bool) -> Iterator[tuple[int, float]]:
    """SHAKE: rows of springs and dampers, and derivatives of their compliance σ = 1/(h² k/4 + h d/2)."""
    stiffness, damping = (seed.numbers.get(f"joints.axes.{name}") for name in ("stiffness", "damping"))
    if model.joints is None or not staggered or (stiffness is None and damping is None):
        return
    axes = model.joints.axes
    for i in np.flatnonzero(axes.row[:, SPRING] >= 0):
        row = int(axes.row[i, SPRING])
        stiffer = 0.25 * h * h * float(0.0 if stiffness is None else stiffness[i])
        damped = 0.5 * h * float(0.0 if damping is None else damping[i])
        yield row, -(float(model.rows.compliance[row]) ** 2) * (stiffer + damped)
