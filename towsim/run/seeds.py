"""How the arrays of a run depend on the numbers that a scene declares: where its derivatives begin.

What compiling a scene makes of a number θ (masses, inertias, points, poses, momenta, the samples of known motions) is
a polynomial of it, of low degree, or close to one. So it is differentiated by a rule that is exact for polynomials of
degree four,

    f′(θ) = (8 (f(θ + δ) − f(θ − δ)) − (f(θ + 2δ) − f(θ − 2δ))) / 12δ − δ⁴ f⁽⁵⁾/30,        δ = 2⁻¹⁰ |θ|

and misses 3e-14 f⁽⁵⁾θ⁵ otherwise, below what subtracting loses (1e-13 of f). Inverse inertias follow from the inertias,
d(I⁻¹) = −I⁻¹ dI I⁻¹. All that a run makes of these arrays is differentiated without differences (see run/tangents).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from towsim.errors import SceneError, UsageError
from towsim.model import jumps
from towsim.model.arrays import Drive, Floats, State
from towsim.model.compile import Compiled
from towsim.model.drive import Driver
from towsim.scene import Scene
from towsim.scene.parameters import Parameters
from towsim.suggest import unknown

Start = tuple[Scene, Callable[[Scene], Scene]] | None

REACH = 2.0**-10
"""δ, of the number itself; of 0, of 1."""

RULE = ((1.0, 8.0 / 12.0), (-1.0, -8.0 / 12.0), (2.0, -1.0 / 12.0), (-2.0, 1.0 / 12.0))
"""Places in δ, and weights over δ."""

UNEVEN = 1e-4
"""What the rule may differ from (f(θ + δ) − f(θ − δ))/2δ, of the largest derivative, before f counts as not smooth."""


@dataclass(frozen=True)
class Direction:
    """One number of a scene: its path, as ``--set`` takes it, its value, and the path by which it was asked for."""

    path: str
    value: float
    asked: str


def directions(parameters: Parameters, paths: Sequence[str]) -> list[Direction]:
    """The numbers behind paths: one, or the several of a list, ``bodies.box.position`` or ``bodies.box.position.2``.

    Raises
    ------
    UsageError : there is no such parameter (with a suggestion), it is named twice, or it belongs to the run
    """
    if isinstance(paths, str):
        raise UsageError(f"parameters must be a list of paths, such as [{paths!r}]")
    found: list[Direction] = []
    for path in paths:
        found += _numbers_behind(parameters, path)
    seen: set[str] = set()
    for one in found:
        if one.path in seen:
            raise UsageError(f"parameter {one.path} is named twice")
        seen.add(one.path)
    if not found:
        raise UsageError("no parameters are named; give the paths of some, such as bodies.load.mass")
    return found


def _numbers_behind(parameters: Parameters, path: Any) -> Iterator[Direction]:
    if not isinstance(path, str):
        raise UsageError(f"parameters must be paths, such as bodies.load.mass, got {type(path).__name__}")
    if path.partition(".")[0] == "run":
        raise UsageError(f"parameter {path} belongs to the run, not to the scene: there is no derivative in it")
    whole, _, index = path.rpartition(".")
    if path in parameters:
        value = parameters[path]
        if np.ndim(value) == 0:
            yield Direction(path, float(value), path)
        else:
            yield from (Direction(f"{path}.{i}", float(x), path) for i, x in enumerate(value))
    elif whole in parameters and index.isdecimal() and int(index) < np.size(parameters[whole]):
        yield Direction(path, float(np.ravel(parameters[whole])[int(index)]), path)
    else:
        raise UsageError(unknown("parameter", path, [*parameters]))


class Seed:
    """The derivative, in one direction, of all arrays that a run begins with.

    Attributes
    ----------
    numbers : by place in ``Model``, those that depend on the number
    initial : of the state at t = 0
    idle : whether nothing depends on it
    """

    def __init__(self, compiled: Compiled, direction: Direction, start: Start = None) -> None:
        """
        start : see ``seeds``

        Raises
        ------
        UsageError : the number is at the edge of what it may be, or changes which laws are present
        """
        self.direction = direction
        delta = REACH * (abs(direction.value) or 1.0)
        scene, settle = start or (compiled.declared, None)
        outline = scene.outline()
        moved = [_moved(scene, outline, direction, place * delta) for place, _ in RULE]
        read = [compiled.read(settle(one) if settle else one) for one in moved]
        self._weights = [(place, weight / delta) for place, weight in RULE]
        if compiled.cables is not None:
            raise UsageError("mrfe cables have no derivatives yet; take the wires as elastic or rigid ones")
        self.numbers: dict[str, Floats] = {}
        for name, now in read[0][0].model.items():
            if now.dtype == np.float64 and name not in ("bodies.inertia_inv", "bodies.norm"):
                rate = self._rate([one[0].model[name] for one in read], name)
                if rate.any():
                    self.numbers[name] = rate
        if "bodies.inertia" in self.numbers:
            inverse = compiled.model.bodies.inertia_inv
            self.numbers["bodies.inertia_inv"] = -inverse @ self.numbers["bodies.inertia"] @ inverse
        self.initial = State(*(self._rate([one[1][i] for one in read], "the start") for i in range(len(State._fields))))
        self._drivers: list[Driver] = [one[2]["driver"] for one in read]
        self._driven = any(driver is not compiled.driver for driver in self._drivers)
        self.idle = not (self.numbers or any(part.any() for part in self.initial) or self._driven)

    def drive(self, time: Floats, h: float, *, ends: bool = False) -> dict[str, Floats]:
        """Derivatives of the known motions at some times, h apart, by field of ``Drive``: those that are not zero.

        ends : as of ``jumps.known``
        """
        if not self._driven:
            return {}
        sampled = [jumps.known(driver, time, h, ends=ends) for driver in self._drivers]
        rates = {}
        for name, *parts in zip(Drive._fields, *sampled, strict=True):
            if name != "kink" and not all(np.array_equal(parts[0], one) for one in parts[1:]):
                rates[name] = self._rate(parts, name)
        return rates

    def _rate(self, values: Sequence[Floats], what: str) -> Floats:
        bounded = np.isfinite(values[0])  # limits that are none stay infinite
        values = [np.where(bounded, value, 0.0) for value in values]
        rate: Floats = np.zeros_like(values[0])
        for (_, weight), value in zip(self._weights, values, strict=True):
            rate = rate + weight * value
        plain = (values[0] - values[1]) * (0.75 * self._weights[0][1])  # by the rule with two places
        most = float(np.abs(rate).max(initial=0.0))
        # What subtracting loses is far below, except where all derivatives are rounding errors.
        rounding = 1e-13 * float(np.abs(values[0]).max(initial=0.0)) * self._weights[0][1]
        if float(np.abs(rate - plain).max(initial=0.0)) > UNEVEN * most + rounding:
            raise UsageError(
                f"parameter {self.direction.path} has no derivative here: {what} is not smooth in it (a kink of a "
                "known motion passes a time step, or a limit is reached)"
            )
        return np.where(np.abs(rate) <= rounding, 0.0, rate) if most <= rounding else rate


def _moved(scene: Scene, outline: Hashable, direction: Direction, by: float) -> Scene:
    """The scene with one number moved."""
    path, value = direction.path, direction.value + by
    try:
        moved = scene.with_values({path: value})
    except SceneError as error:
        raise UsageError(
            f"parameter {path} = {direction.value:g} is at the edge of what it may be, where there is no derivative: "
            f"{error}"
        ) from None
    if moved.outline() != outline:
        raise UsageError(
            f"parameter {path} = {direction.value:g} decides which laws are present (it is zero, or makes two things "
            "equal), so that there is no derivative in it; give it a value of its own"
        )
    return moved


def seeds(compiled: Compiled, wanted: Sequence[Direction], start: Start = None) -> list[Seed]:
    """The seeds of several numbers.

    start : the scene before its start was settled, and what settles it, a smooth function of its numbers

    Raises
    ------
    UsageError : as of ``Seed``; or nothing depends on a number, or on any of a list, that was asked for
    """
    found = [Seed(compiled, direction, start) for direction in wanted]
    at_work = {seed.direction.asked for seed in found if not seed.idle}
    for direction in wanted:
        if direction.asked not in at_work:
            raise UsageError(f"parameter {direction.asked} changes nothing in a run of this scene; leave it out")
    return found
