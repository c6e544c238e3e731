"""What compiling makes of a scene when its numbers are moved a little, for the differences that derivatives begin with.

Numbers that move different things are moved back together: of what only one of them moves, the difference is that
one's, whatever the others do. So n of them cost little more than n readings, not 2n. Which things a number moves is
known by then, for each was moved forth alone.

Source: A. R. Curtis, M. J. D. Powell, J. K. Reid, On the estimation of sparse Jacobian matrices, IMA Journal of Applied
Mathematics 13 (1974) 117-119.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from pydantic_core import PydanticCustomError

from towsim.control.runtime import Runtime
from towsim.errors import SceneError, UsageError
from towsim.model.arms import slips
from towsim.model.arrays import Flags, Floats
from towsim.model.compile import Compiled
from towsim.model.drive import Driver
from towsim.scene import Scene
from towsim.scene.edit import with_numbers
from towsim.scene.start import apart

Start = tuple[Scene, Callable[[Scene], Scene]] | None

Controllers = Callable[[Compiled], Runtime] | None

FORTH, BACK = 2.0, -1.0
"""Places, in the steps of a number, where it is always moved to."""

APART = "apart."
"""Before names of reduced joints: arrays of what must stay zero, see ``torn``."""

TILTED = "tilted."
"""Before names of massive cables: arrays of what must stay zero, see ``Cable.tilt``."""

BRAKES = "bodies.drag", "drags.linear", "drags.quadratic"
"""Arrays of what acts on bodies by their speed through the air."""


def torn(scene: Scene) -> Iterator[tuple[str, Floats]]:
    """Of reduced joints, how far their ends are apart at the start [m], and how fast they part [m/s, rad/s]."""
    for name, joint in scene.joints.items():
        if joint.reduced:
            slip, turn, _ = slips(scene, joint)
            yield name, np.concatenate([apart(scene, name, joint), slip, turn])


class Reading:
    """What compiling makes of a scene.

    Attributes
    ----------
    arrays : those of floats, by place in ``Model``; of massive cables, ``cables.section``; of the state at t = 0,
        ``start.q``; of controllers, sensors and actuators, by path in ``Runtime.numbers`` and ``Runtime.written``; in
        front of all the points of known motions, ``known.robots`` (see ``Driver.points``)
    driver : known motions of what is compiled
    runtime : controllers, sensors and actuators, if there are any
    """

    def __init__(self, reader: Reader, scene: Scene) -> None:
        """
        Raises
        ------
        UsageError : when something is sampled does not fit the time step
        """
        settled = scene if reader.settle is None else reader.settle(scene)
        numbers, start, known = reader.compiled.read(settled, near=True)
        self.driver = cast(Driver, known["driver"])
        arrays = {f"known.{name}": part for name, part in self.driver.points().items()} | numbers.by_place
        arrays |= {f"start.{name}": part for name, part in start._asdict().items()}
        arrays |= {f"{APART}{name}": part for name, part in torn(settled)}
        arrays |= {f"{TILTED}{cable.name}": np.array([cable.tilt]) for cable in known["table"].cables}
        self.runtime: Runtime | None = None
        if reader.runtime is not None:
            self.runtime = reader.runtime(replace(reader.compiled, declared=scene, **known))
            arrays |= dict((*self.runtime.numbers(), *self.runtime.written()))
        self.arrays: dict[str, Floats] = {name: one for name, one in arrays.items() if one.dtype == np.float64}
        self.flat: Floats = np.concatenate([one.ravel() for one in self.arrays.values()])

    @cached_property
    def known(self) -> list[Any]:
        """What known motions and loads depend on, their points aside; see ``Driver.facts``."""
        return self.driver.facts(air=any(self.arrays[name].any() for name in BRAKES if name in self.arrays))

    @cached_property
    def followed(self) -> list[Any]:
        """What controllers follow."""
        return [] if self.runtime is None else [motion for task in self.runtime.tasks for motion in task.motions]

    def moved(self, other: Reading) -> Flags:
        """What differs: entries of all arrays, known motions and loads, motions that controllers follow."""
        entries = (self.flat != other.flat) & np.isfinite(self.flat)
        facts = zip([*self.known, *self.followed], [*other.known, *other.followed], strict=True)
        return np.append(entries, np.array([mine is not theirs and mine != theirs for mine, theirs in facts], np.bool_))


class Reader:
    """Reads a scene as it is, and with other numbers.

    Parameters
    ----------
    compiled : of the same structure
    start : the scene before its start was settled, and what settles it, a smooth function of its numbers
    runtime : makes the controllers, sensors and actuators of a compiled scene, if it has any

    Attributes
    ----------
    now : reading of the scene as it is
    """

    def __init__(self, compiled: Compiled, start: Start = None, runtime: Controllers = None) -> None:
        self.compiled, self.runtime = compiled, runtime
        self._scene: Scene
        self.settle: Callable[[Scene], Scene] | None
        self._scene, self.settle = start or (compiled.declared, None)
        self._outline = self._scene.outline()
        self.now = Reading(self, self._scene)

    def read(self, told: str, numbers: Mapping[str, float]) -> Reading:
        """A reading with these numbers, by path.

        told : name and value of what is moved, for errors

        Raises
        ------
        UsageError : the number is at the edge of what it may be, or changes what is no number
        """
        try:
            scene = with_numbers(self._scene, numbers).cross_checked()
        except (SceneError, PydanticCustomError) as error:
            raise UsageError(
                f"parameter {told} is at the edge of what it may be, where there is no derivative: {error}"
            ) from None
        if scene.outline() != self._outline:
            raise UsageError(
                f"parameter {told} decides which laws are present (it is zero, or makes two things equal), so that "
                "there is no derivative in it; give it a value of its own"
            )
        try:
            return Reading(self, scene)
        except UsageError as error:
            raise UsageError(
                f"parameter {told} decides when something is sampled, which has no derivative: {error}"
            ) from None


class Moved:
    """A scene with a number at one place or another, or with several that are moved in one direction.

    Parameters
    ----------
    told : its name and value, for errors
    along : value of each number that is moved, and how far, by path
    step : how far a step is along that, δ

    Attributes
    ----------
    shared : what it is at ``BACK`` with others moved as well, which alone move nothing that this one does
    moves : see ``Reading.moved``; if known motions are to be sampled for it, all points of those that it moves
    """

    def __init__(self, reader: Reader, told: str, along: Mapping[str, tuple[float, float]], step: float) -> None:
        """Errors as of ``Reader.read``."""
        self.reader, self._told, self._along, self.step = reader, told, along, step
        self._read = {0.0: reader.now}
        self.shared: Reading | None = None
        self.moves = self.at(FORTH).moved(reader.now)
        if self.driven:
            begin = 0
            for count, moved in zip(reader.now.driver.counts(), self._facts().tolist(), strict=False):
                points = self.moves[begin : begin + count]
                points |= moved or points.any()
                begin += count

    def numbers(self, place: float) -> dict[str, float]:
        """The numbers at a place, by path."""
        return {path: value + place * (weight * self.step) for path, (value, weight) in self._along.items()}

    def at(self, place: float) -> Reading:
        """The scene at a place. Errors as of ``Reader.read``."""
        found = self._read.get(place)
        if found is None:
            found = self._read[place] = self.reader.read(self._told, self.numbers(place))
        return found

    @property
    def read(self) -> Iterable[Reading]:
        """The readings so far in which nothing else is moved."""
        return self._read.values()

    def backs(self) -> Iterator[Reading]:
        """What it is at ``BACK``: with others first, then alone, for by how much it moves things may depend on them."""
        if self.shared is not None:
            yield self.shared
        yield self.at(BACK)

    @property
    def entries(self) -> Flags:
        """Entries of ``Reading.flat`` that it moves."""
        return self.moves[: len(self.reader.now.flat)]

    @property
    def driven(self) -> bool:
        """Whether it moves a known motion or load by more than points."""
        return bool(self._facts()[: len(self.reader.now.known)].any())

    @property
    def led(self) -> bool:
        """Whether it moves what a controller follows."""
        return bool(self._facts()[len(self.reader.now.known) :].any())

    def _facts(self) -> Flags:
        return self.moves[len(self.reader.now.flat) :]


def read_back(moved: Sequence[Moved]) -> None:
    """Read them at ``BACK``, those together that move different things. Errors as of ``Reader.read``."""
    groups: list[list[Moved]] = [[] for _ in moved]
    taken = np.zeros((len(groups), len(moved[0].moves) if moved else 0), np.bool_)  # what each group moves
    for one in moved:
        mine = np.flatnonzero(one.moves)
        free = int(np.argmin(taken[:, mine].any(axis=1)))
        groups[free].append(one)
        taken[free, mine] = True
    for group in groups:
        if len(group) < 2 or not _together(group):
            for one in group:
                one.moves |= one.at(BACK).moved(one.reader.now)


def _together(group: Sequence[Moved]) -> bool:
    """Read some at ``BACK`` together; False if that cannot be, or moves what none of them moves at ``FORTH``."""
    reader = group[0].reader
    numbers = {path: value for one in group for path, value in one.numbers(BACK).items()}
    try:
        back = reader.read("", numbers)
    except UsageError:
        return False
    if (back.moved(reader.now) & ~np.logical_or.reduce([one.moves for one in group])).any():
        return False
    for one in group:
        one.shared = back
    return True
