"""MRFE wires of a scene as arrays (see dynamics/mrfe).

The end that a robot carries, or else ``from``, is the root; the other end is the tip. Springs rest at the straight,
unstretched shape (or the declared rest angles) in the direction of the start. A ball joint has no springs. Those of the
first joint of a guided end are like all others (the paper's model); a clamped end's have twice their stiffness, for
half an element is all that bends between the end and the first half-way point: the trapezoidal rule.

Source: MRFE model and parameters of Mamidi & Bandyopadhyay, Robotica 2024.
"""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numba import config

from towsim.errors import SceneError
from towsim.model.arrays import BALL, UNIVERSAL, Cables, Floats, Ints, Numbers, pack
from towsim.model.bends import angles, bend, follow, quaternion
from towsim.model.hanging import bow, hang, hang_rates, plane_of, side_of
from towsim.model.layout import Layout
from towsim.model.wheels import Wheel, lay_on_wheels
from towsim.scene import FREE, Mrfe, Scene, Wire
from towsim.scene.pulleys import cross
from towsim.scene.start import LOCKED, STUCK

NOWHERE = 1e-6
"""Least distance of a cable's ends at the start, relative to its length."""

STRAIGHT = 1e-9
"""A cable starts straight up to this relative excess of its length over its span."""

STEEP, UPRIGHT = 1e-3, 1e-9
"""Sine of the angle to z up to which a cable counts as vertical, so that its root frame turns smoothly with its ends
there; with a first joint zy, which swings in a plane of that frame, up to rounding alone."""

ROUNDED = 4.0 * float(np.finfo(float).eps)
"""Relative error of places and velocities at the start, which must not decide whether a cable pulls."""

Y_AXIS = np.array([0.0, 1.0, 0.0])

HINGE = {"ball": 0.0, "guided": 1.0, "clamped": 2.0}
"""Stiffness of a cable's first joint, relative to the others."""


@dataclass(frozen=True)
class Cable:
    """One cable: its ends, how it starts, its cross-section.

    Attributes
    ----------
    root, tip : ends as declared; the root may be ``free``
    carried : whether a robot carries the root
    start : positions of root and tip [m], and their velocities [m/s], (4, 3)
    length, rate : unstrained length at the start [m], and its rate [m/s], that of the flow in a span over rings
    gravity : (3,) [m/s²]
    near : the same cable with other numbers, where it is to begin in the same way, so that its start is smooth in them
    """

    name: str
    wire: Wire
    model: Mrfe
    root: str
    tip: str
    root_end: str
    tip_end: str
    carried: bool
    start: Floats
    length: float
    rate: float
    gravity: Floats
    near: Cable | None = None

    @property
    def free(self) -> bool:
        """Whether the root hangs on nothing."""
        return self.root == FREE

    @property
    def joint(self) -> int:
        """Kind of the first joint: springs need angles, so that only a ball end has a ball joint."""
        return BALL if self.root_end == "ball" and self.model.first_joint == "ball" else UNIVERSAL

    @cached_property
    def direction(self) -> Floats:
        """Unit vector from root to tip at the start.

        Raises
        ------
        SceneError : they are at one place
        """
        span: Floats = self.start[1] - self.start[0]
        distance = np.linalg.norm(span)
        if not distance > NOWHERE * self.length:
            raise SceneError(f"wire {self.name!r} starts with both ends at one place; an mrfe cable needs them apart")
        return span / distance

    @cached_property
    def frame(self) -> Floats:
        """Axes (columns) of the root frame: z along the cable, y horizontal, or the world's if it is vertical."""
        x, y, _ = self.direction
        second = np.array([y, -x, 0.0])
        if self.vertical:
            second = Y_AXIS - (Y_AXIS @ self.direction) * self.direction
        second /= np.linalg.norm(second)
        return np.stack([np.cross(second, self.direction), second, self.direction], axis=1)

    @property
    def vertical(self) -> bool:
        """Whether it begins along the z axis, and its y axis is the world's."""
        if self.near:
            return self.near.vertical
        return not np.hypot(*self.direction[:2]) > (UPRIGHT if self.model.first_joint == "zy" else STEEP)

    @property
    def tilt(self) -> float:
        """Of a vertical cable with a first joint zy, the sine of its angle to the plane of x and z, in which it swings.

        A cable that begins beside that plane is a different mechanism: its joint swings in the vertical plane through
        its ends, however close to each other these planes' cables are.
        """
        swings = self.joint == UNIVERSAL and self.model.first_joint == "zy" and self.vertical
        return float(self.direction[1]) if swings else 0.0

    @property
    def excess(self) -> float:
        """By how much its ends are farther apart at the start than it is long [m]; none if that is rounding."""
        excess = float(np.linalg.norm(self.start[1] - self.start[0])) - self.length
        return _beyond(excess, float(np.abs(self.start[:2]).max()) + self.length)

    @property
    def straight(self) -> bool:
        """Whether it begins straight."""
        return self.near.straight if self.near else self.excess >= -STRAIGHT * self.length

    @cached_property
    def plane(self) -> Floats:
        """Unit vectors (2, 3) of the plane in which it lies if it is slack."""
        return plane_of(self.start[1] - self.start[0], self._weight, self.frame[:, 0])

    @property
    def _weight(self) -> Floats:
        """Per length (3,) [N/m]."""
        return self.wire.section().mass_per_length * self.gravity

    @cached_property
    def _lying(self) -> tuple[tuple[Floats, Floats], bool]:
        """Directions (n, 2) in the plane and extensions (n,) of the elements if it is slack; whether it hangs at rest.

        Or it lies in an arc, where there is no such shape (see model/hanging).
        """
        n, end = self.model.elements, self.plane @ (self.start[1] - self.start[0])
        stiffness, heavy = self.wire.section().axial_stiffness, float(np.linalg.norm(self._weight))
        with suppress(SceneError):
            return hang(end, self.length, n, stiffness, heavy), True
        try:
            return bow(end, self.length, n, side_of(end)), False
        except SceneError as error:
            raise SceneError(
                f"wire {self.name!r} is {self.length:.6g} m long, its ends {np.linalg.norm(end):.6g} m apart: {error}"
            ) from None

    @cached_property
    def shape(self) -> tuple[Floats, Floats]:
        """Directions (n, 3) and extensions (n,) [m] of the elements at the start.

        Straight, with what the ends' distance adds to the length spread as extension; or, when they are closer than the
        length, as it hangs at rest.
        """
        n = self.model.elements
        if self.straight:
            return np.tile(self.direction, (n, 1)), np.full(n, self.excess / n)
        (directions, extension), _ = self._lying
        return directions @ self.plane, extension

    @property
    def shape_rates(self) -> tuple[Floats, Floats]:
        """Rates (n, 3) [1/s] and (n,) [m/s] of directions and extensions at the start.

        A straight cable stays straight; a slack one goes on as it hangs or lies while its ends move slowly in its
        plane, and across that its nodes move in proportion: nothing of it is stretched.
        """
        n, rate = self.model.elements, self.start[3] - self.start[2]
        if self.straight:
            span = self.start[1] - self.start[0]
            along = rate @ self.direction
            turning = (rate - along * self.direction) / np.linalg.norm(span)
            apart = _beyond(along - self.rate, float(np.abs(self.start[2:]).max()) + abs(self.rate))
            return np.tile(turning, (n, 1)), np.full(n, apart / n)
        shape, hangs = self._lying
        size, end_rate, size_rate = self.length / n, self.plane @ rate, self.rate / n
        if hangs:
            stiffness, heavy = self.wire.section().axial_stiffness, float(np.linalg.norm(self._weight))
            turning, stretching = hang_rates(shape, size, stiffness, heavy, end_rate, size_rate)
        else:
            turning, stretching = self._bow_rates(end_rate)
        normal, share = np.cross(*self.plane), np.full(n, 1.0 / n)
        if self.model.first_joint == "zy" and n > 1:  # which hardly lets an upright element go there
            share = np.append(0.0, np.full(n - 1, 1.0 / (n - 1)))
        across = np.outer(share * (rate @ normal) / (size + shape[1]), normal)
        return turning @ self.plane + across, stretching

    def _bow_rates(self, end_rate: Floats) -> tuple[Floats, Floats]:
        """As ``hang_rates``, of an arc: by central differences."""
        n, end = self.model.elements, self.plane @ (self.start[1] - self.start[0])
        still = np.zeros((n, 2)), np.zeros(n)
        most = max(float(np.linalg.norm(end_rate)), abs(self.rate))
        if not most > 0.0:
            return still
        step = -1e-4 * self.excess / most
        forth, back = (
            bow(end + sign * step * end_rate, self.length + sign * step * self.rate, n, side_of(end))[0]
            for sign in (1.0, -1.0)
        )
        return (forth - back) / (2.0 * step), still[1]

    @property
    def axes(self) -> Floats:
        """Axes of a universal first joint: world z, then −y (``zy``), or y, then −x."""
        if self.model.first_joint == "zy":
            return np.array([self.frame.T @ [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
        return np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])

    @cached_property
    def coordinates(self) -> Floats:
        """Coordinates at the start, of the declared shape."""
        directions, extension = self.shape
        if self.joint == BALL:
            frame = self.frame @ bend(*angles(self.frame.T @ directions[0]))
            first = quaternion(frame)
        else:
            first, frame = self._first_angles(directions[0])
        elements = [extension[:1]]
        for along, stretch in zip(directions[1:], extension[1:], strict=True):
            bends = angles(frame.T @ along)
            frame = frame @ bend(*bends)
            elements.append(np.array([*bends, stretch]))
        return np.concatenate([[] if self.carried else self.start[0], first, *elements])

    def _first_angles(self, along: Floats) -> tuple[Floats, Floats]:
        """Angles of a universal first joint that turn the first element to this direction, and its frame then."""
        local = self.frame.T @ along
        if self.model.first_joint != "zy":
            bends = angles(local)
            return np.array(bends), self.frame @ bend(*bends)
        # In the vertical plane of the cable: about the second axis, −y, alone.
        turn = float(np.arctan2(local[0], local[2]))
        return np.array([0.0, -turn]), self.frame @ bend(turn, 0.0)

    def velocities(self) -> Floats:
        """Velocities at the start, of the declared shape as it moves with its ends."""
        (directions, _), (turning, stretching) = self.shape, self.shape_rates
        if self.joint == UNIVERSAL and self.model.first_joint == "zy":
            _, frame = self._first_angles(directions[0])
            axes = self.frame @ self.axes.T
            first: Floats = np.linalg.lstsq(np.cross(axes.T, directions[0]).T, turning[0], rcond=None)[0]
            spin = axes @ first
        else:
            rates, frame, spin = follow(self.frame, directions[0], turning[0])
            first = spin if self.joint == BALL else rates
        elements = np.zeros((len(stretching), 3))
        elements[:, 2] = stretching
        if not self.straight and turning.any():  # or else all turn alike, and no joint but the first one does
            for i in range(1, len(elements)):
                elements[i, :2], frame, more = follow(frame, directions[i], turning[i] - cross(spin, directions[i]))
                spin = spin + more
        return np.concatenate([[] if self.carried else self.start[2], first, elements.ravel()[2:]])


def _beyond(difference: float, size: float) -> float:
    """A difference of numbers of a size, or 0 where it is what rounding leaves of it."""
    return difference if abs(difference) > ROUNDED * size else 0.0


def massive(scene: Scene) -> dict[str, Wire]:
    """The MRFE wires by name, those of a kind behind each other, as they are swept side by side then."""
    kinds: dict[tuple[object, ...], dict[str, Wire]] = {}
    for name, wire in scene.wires.items():
        if isinstance(wire.model, Mrfe):
            model, ends = wire.model, (wire.from_, wire.to)
            carried = [end in scene.robots for end in ends]
            kind = model.elements, model.first_joint, model.from_end, model.to_end, *carried, FREE in ends
            kinds.setdefault(kind, {})[name] = wire
    return {name: wire for alike in kinds.values() for name, wire in alike.items()}


@dataclass
class CableTable:
    """The MRFE wires of a scene, the pulleys under them, and where their nodes and points are.

    near : the table of a scene with other numbers, see ``Cable``
    """

    scene: Scene
    near: CableTable | None = None
    cables: list[Cable] = field(default_factory=list)
    wheels: list[Wheel] = field(default_factory=list)

    def __post_init__(self) -> None:
        for i, (name, wire) in enumerate(massive(self.scene).items()):
            assert isinstance(wire.model, Mrfe)
            near = self.near.cables[i] if self.near else None
            self.cables.append(_cable(self.scene, name, wire, wire.model, near))
        self.wheels = lay_on_wheels(self.scene, self.cables)
        for route in self.routes:  # what moves apart takes its length from the rest of the wire
            spans = [self.cables[c] for c in route]
            apart = np.array([span.direction @ (span.start[3] - span.start[2]) for span in spans])
            share = np.array([span.length for span in spans])
            rates = apart - share * apart.sum() / share.sum()
            for c, span, rate in zip(route, spans, rates.tolist(), strict=True):
                self.cables[c] = replace(span, rate=rate)

    @property
    def routes(self) -> list[list[int]]:
        """Numbers of the spans of each wire over rings or pulleys, in order."""
        found: dict[str, dict[int, int]] = {}
        for c, cable in enumerate(self.cables):
            name, dot, k = cable.name.rpartition(".")
            if dot:  # in no name that is declared
                found.setdefault(name, {})[int(k)] = c
        return [[spans[k] for k in sorted(spans)] for spans in found.values()]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cables."""
        return tuple(cable.name for cable in self.cables)

    def coordinates(self) -> Floats:
        """Coordinates of all cables at the start."""
        return np.concatenate([np.empty(0), *(cable.coordinates for cable in self.cables)])

    def velocities(self) -> Floats:
        """Velocities of all cables at the start."""
        return np.concatenate([np.empty(0), *(cable.velocities() for cable in self.cables)])

    def roots(self) -> dict[int, int]:
        """Node of the root of each cable that no robot carries; tips come first, one a cable."""
        nb, nk = len(self.scene.bodies), len(self.cables)
        free = [i for i, cable in enumerate(self.cables) if not cable.carried]
        return {i: nb + nk + k for k, i in enumerate(free)}

    def _root_closures(self, balls: int) -> list[int]:
        """Number of the ball joint at each root, which follow those at the tips; −1 for none."""
        joints = itertools.count(balls + len(self.cables))
        return [-1 if cable.carried or cable.free else next(joints) for cable in self.cables]

    def _grouped(self, spans: Ints) -> tuple[Ints, Ints]:
        """Numbers of the cables that are swept one by one, and of the first of each four alike; without ``spans``.

        Both are arrays in every scene, so that all scenes of massive cables share their kernels.
        """
        kinds = [(cable.model.elements, cable.joint, cable.carried, HINGE[cable.root_end]) for cable in self.cables]
        groups: tuple[list[int], list[int]] = [], []
        i = 0
        while i < len(kinds):
            if i in spans:
                i += 1
                continue
            alike = kinds[i : i + 4] == [kinds[i]] * 4 and not config.DISABLE_JIT
            alike = alike and not np.isin(np.arange(i, i + 4), spans).any()
            groups[alike].append(i)
            i += 4 if alike else 1
        single, four = (np.array(group, np.int64) for group in groups)
        return single, four

    def arrays(self, layout: Layout, balls: int, tips: list[int], roots: dict[int, int], spans: Ints) -> Cables:
        """The arrays for the kernels, without the numbers.

        balls : joints of the scene that hold points together, which come before those of the cables' ends
        tips, roots : points at the tips of all, and at the roots of those that no robot carries
        spans : numbers of those that run over rings
        """
        robots = {name: i for i, name in enumerate(self.scene.robots)}
        nb, nk = len(self.scene.bodies), len(self.cables)
        node = self.roots()
        cable_of = {nb + i: (i, 0) for i in range(nk)} | {k: (i, 6) for i, k in node.items()}
        sides = [
            (side, *cable_of[int(at)], layout.twin[side], 6 - cable_of[int(at)][1])
            for side, at in enumerate(layout.rows.node)
            if int(at) in cable_of  # others are bodies, and wheels that massless wires turn
        ]
        single, four = self._grouped(spans)
        arrays: Cables = pack(
            Cables,
            first=_offsets(0, [cable.model.elements for cable in self.cables]),
            q=_offsets(7 * nb, [len(cable.coordinates) for cable in self.cables]),
            v=_offsets(6 * nb, [len(cable.velocities()) for cable in self.cables]),
            joint=[cable.joint for cable in self.cables],
            tip=nb + np.arange(nk),
            root=[node.get(i, -1) for i in range(nk)],
            robot=[robots[cable.root] if cable.carried else -1 for cable in self.cables],
            closure=balls + np.arange(nk),
            root_closure=self._root_closures(balls),
            tip_point=tips,
            root_point=[roots.get(i, -1) for i in range(nk)],
            single=single,
            four=four,
            sides=np.array(sides, np.int64).reshape(-1, 5),
            flow=None,
        )
        return arrays

    def numbers(self) -> Numbers:
        """Frames, springs and cross-sections of the cables."""
        sections = [cable.wire.section() for cable in self.cables]
        return {
            "frame": np.array([cable.frame for cable in self.cables]),
            "axis": np.array([cable.axes for cable in self.cables]),
            "hinge": np.array([HINGE[cable.root_end] for cable in self.cables]),
            "section": np.array(
                [
                    (
                        s.mass_per_length,
                        0.5 * s.diameter,
                        s.axial_stiffness,
                        s.bending_stiffness,
                        s.axial_damping,
                        s.bending_damping,
                    )
                    for s in sections
                ]
            ),
            "rest": np.concatenate([_rest(cable.model) for cable in self.cables]),
        }


def one_by_one(cables: Cables) -> Cables:
    """The arrays with every cable swept for itself, as numbers that carry derivatives do not go through lanes."""
    assert cables.four is not None
    fours = (cables.four[:, None] + np.arange(4)).ravel()
    return cables._replace(single=np.sort(np.concatenate([cables.single, fours])), four=None)


def _cable(scene: Scene, name: str, wire: Wire, model: Mrfe, near: Cable | None) -> Cable:
    root, tip = wire.from_, wire.to
    ends: tuple[str, str] = (model.from_end, model.to_end)
    if tip in scene.robots and root not in scene.robots and root != FREE:
        root, tip, ends = tip, root, (ends[1], ends[0])
    if ends[1] != "ball" or (ends[0] == "clamped" and root not in scene.robots):
        raise SceneError(f"wire {name!r}: {_badly_held(scene, (root, tip), ends)}")
    start = np.array([*_end(scene, root, wire), *_end(scene, tip, wire)])[[0, 2, 1, 3]]
    length, rate = (float(x[0]) for x in wire.length_at(np.zeros(1)))
    carried = root in scene.robots
    cable = Cable(name, wire, model, root, tip, *ends, carried, start, length, rate, np.array(scene.gravity), near)
    if model.elements == 1 and cable.joint == UNIVERSAL and np.hypot(*cable.axes[0, :2]) < LOCKED:
        raise SceneError(f"wire {name!r}: {STUCK}")
    return cable


def _badly_held(scene: Scene, ends: tuple[str, str], held: tuple[str, str]) -> str:
    """Why the ends of a cable, root and tip, cannot be held like this."""
    if "ball" not in held:
        return f"its ends are {held[0]} and {held[1]}; one end of an mrfe cable must be ball"
    end, how = (ends[0], held[0]) if held[1] == "ball" else (ends[1], held[1])
    if end not in scene.robots:
        where = "on a robot" if how == "clamped" else "on the robot that holds the other one"
        return f"its end at {end!r} is {how}; such an end of an mrfe cable must be {where}, or ball"
    if ends[0] == FREE:
        return f"its end at {end!r} is {how}; where the end 'from' is free, the other one must be ball"
    return f"its end at {end!r} is {how}; between two robots that must be the end 'from': exchange from and to"


def ends_at_start(scene: Scene, wire: Wire) -> tuple[Floats, Floats]:
    """Positions (3,) of both ends of a cable at the start [m]."""
    return _end(scene, wire.from_, wire)[0], _end(scene, wire.to, wire)[0]


def _end(scene: Scene, end: str, wire: Wire) -> tuple[Floats, Floats]:
    """Position and velocity of an end at the start."""
    if end == FREE:
        return np.array(wire.exit, float), np.zeros(3)
    if end in scene.robots:
        position, velocity, _ = scene.robots[end].sample(np.zeros(1))
        return position[0], velocity[0]
    if scene.carrier(end) != end:
        return _end(scene, scene.carrier(end), wire)
    at = scene.attachment(end)
    body = scene.bodies[at.owner]
    R = body.rotation_matrix()
    arm = R @ np.array(at.offset)
    return np.array(body.position) + arm, np.array(body.velocity) + np.cross(body.angular_velocity, arm)


def _rest(model: Mrfe) -> Floats:
    return np.zeros((model.elements, 2)) if model.rest == "straight" else np.array(model.rest, float)


def _offsets(start: int, sizes: list[int]) -> Floats:
    return start + np.concatenate([[0], np.cumsum(sizes)])
