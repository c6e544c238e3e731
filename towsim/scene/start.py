"""The start pose: is every wire long enough, every joint closed and in its limits, every contact above ground?

A rigid wire must not be stretched; an mrfe cable may be, by ``START_STRAIN`` of its length, which is more than a metal
bears; an elastic wire by any amount. An elastic ground may be entered.

Tolerance: 1e-9 relative to the wire's length (for joints and contacts to 1 m or the distance from the origin),
which is far above rounding and far below what any method resolves.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from towsim.errors import SceneError, SceneWarning
from towsim.scene.base import Loc, Problem, Written, path_text, scene_error
from towsim.scene.bodies import Body
from towsim.scene.branches import branching
from towsim.scene.cable import Mrfe
from towsim.scene.contacts import touches
from towsim.scene.expand import whole_wires, with_points
from towsim.scene.flat import FLAT, driven, flat
from towsim.scene.pulleys import CLOSE, NO_WAY, Wound
from towsim.scene.quantity import Vec3
from towsim.scene.row import TOLERANCE, Array, Row

if TYPE_CHECKING:
    from towsim.scene.joints import Joint
    from towsim.scene.scene import Scene
    from towsim.scene.wires import Wire

START_STRAIN = 0.01
STEEPEST = math.radians(20.0)
"""A first joint ``zy`` is meant for cables within this angle of the vertical."""
LOCKED = 1e-3
"""Angle from the vertical within which one element on a joint ``zy`` cannot move sideways [rad]."""
STUCK = (
    "one element cannot move sideways where it starts: its link lies along the first axis, z, of its first joint, zy; "
    "give it two elements or more, or another first_joint (ball)"
)
ORIGIN = np.zeros(3)
ORIGIN.flags.writeable = False
ADVICE = "Move the loads or lengthen the wires, or have the loads moved: --project, or scene.project()"


class Places:
    """Where ends of wires and joints are at t = 0; each body is turned, each robot's place found, once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = with_points(scene)
        self._turns: dict[str, Array] = {}
        self._robots: dict[str, Array] = {}

    def of(self, end: str, exit: Vec3 | None = None) -> tuple[str | None, Array, Array]:
        """Owner (None for a robot), arm from the owner's centre and world position of an end.

        A wire's free end stands at ``exit``.
        """
        if exit is not None:
            return None, ORIGIN, np.array(exit)
        at = self._scene.attachment(self._scene.carrier(end))
        if not at.is_robot:
            arm = self.arm(at.owner, at.offset)
            return at.owner, arm, np.array(self._scene.bodies[at.owner].position) + arm
        if at.owner not in self._robots:
            self._robots[at.owner] = self._scene.robots[at.owner].start()
        return None, ORIGIN, self._robots[at.owner]

    def wound(self, wire: Wire) -> Wound:
        """A wire, laid over its pulleys."""
        axes = []
        wheels = self._scene.wheels(wire)
        for end, wheel in zip(wire.ends, wheels, strict=True):
            axis = (0.0, 0.0, 0.0) if wheel is None or wheel.swivel is None else wheel.swivel
            owner, _, _ = self.of(end)
            axes.append(np.array(axis) if owner is None else self.arm(owner, axis))
        return Wound([self.of(end)[2] for end in wire.ends], wheels, axes)

    def length(self, wire: str) -> float:
        """Length of a wire of that name [m]."""
        return self._scene.wires[wire].length_at_start()

    def arm(self, body: str, offset: Vec3) -> Array:
        """A point of a body from its centre, world axes."""
        if body not in self._turns:
            self._turns[body] = self._scene.bodies[body].rotation_matrix()
        turned: Array = self._turns[body] @ np.array(offset)
        return turned


def start_rows(scene: Scene) -> Iterator[Row]:
    """Every condition that the start has to meet."""
    places = Places(scene)
    whole = whole_wires(scene)
    for name, wire in whole.items():
        yield from _span_rows(places, name, wire)
    for name, wire in scene.wires.items():
        if name.rpartition(".")[0] in whole:
            continue
        if wire.springy or (wire.attach or 0.0) > 0.0:
            continue
        if scene.bent(wire):
            yield _route_row(places, name, wire)
            continue
        (a, arm_a, p_a), (b, arm_b, p_b) = places.of(wire.from_, wire.exit), places.of(wire.to)
        length = wire.length_at_start() * (1.0 if wire.model == "rigid" else 1.0 + START_STRAIN)
        apart = p_b - p_a
        distance = math.sqrt(apart @ apart)
        n = apart / distance if 0.0 < distance < np.inf else np.zeros(3)
        sides = tuple((o, arm, g) for o, arm, g in ((a, arm_a, n), (b, arm_b, -n)) if o is not None)
        yield Row(("wires", name), length - distance, length, False, sides)
    for name, joint in scene.joints.items():
        yield from _joint_rows(places, name, joint)
    for touch in touches(scene):
        plane, body = scene.planes[touch.plane], scene.bodies[touch.body]
        if plane.spring is not None:
            continue  # an elastic ground may be pressed at the start
        n = np.array(plane.normal)
        arm = places.arm(touch.body, touch.offset)
        p = np.array(body.position) + arm
        value = float(n @ p) - plane.height - touch.radius
        scale = max(1.0, float(np.linalg.norm(p)))
        yield Row(touch.loc, value, scale, False, ((touch.body, arm - touch.radius * n, n),))


def apart(scene: Scene, name: str, joint: Joint) -> Array:
    """How far a joint's ends are from each other at the start, along the directions that it ties [m]."""
    return np.array([row.value for row in _joint_rows(Places(scene), name, joint) if row.loc == ("joints", name)])


def _route_row(places: Places, name: str, wire: Wire) -> Row:
    """A wire over rings or pulleys: its length less that of its path."""
    wound = places.wound(wire)
    length = wire.length_at_start()
    distances = np.linalg.norm(wound.parts, axis=1)
    zero = np.zeros(3)
    n = [part / far if 0.0 < far < np.inf else zero for part, far in zip(wound.parts, distances, strict=True)]
    sides: list[tuple[str, Array, Array]] = []
    for k, end in enumerate(wire.ends):
        owner, arm, _ = places.of(end)
        if owner is not None:
            sides += [(owner, arm + wound.meet[k], -n[k - 1])] if k > 0 else []
            sides += [(owner, arm + wound.leave[k], n[k])] if k < len(n) else []
    return Row(("wires", name), length - wound.length, length, False, tuple(sides))


def _span_rows(places: Places, name: str, wire: Wire) -> Iterator[Row]:
    """A massive wire over rings and pulleys: the length of each of its spans less the distance that it has to reach."""
    wound = places.wound(wire)
    for k, (part, ends) in enumerate(zip(wound.parts, pairwise(wire.ends), strict=True)):
        span = f"{name}.{k + 1}"
        length = places.length(span) * (1.0 + START_STRAIN)
        far = float(np.linalg.norm(part))
        n = part / far if 0.0 < far < np.inf else np.zeros(3)
        (a, arm_a, _), (b, arm_b, _) = map(places.of, ends)
        both = ((a, arm_a + wound.leave[k], n), (b, arm_b + wound.meet[k + 1], -n))
        sides = tuple((owner, arm, gradient) for owner, arm, gradient in both if owner is not None)
        yield Row(("wires", span), length - far, length, False, sides)


def impassable(scene: Scene, when: str = "at the start") -> Iterator[Problem]:
    """Neighbours among the points of a wire that lie in one place, or in each other's wheels: there is no way.

    when : the scene is as it is here, for the messages
    """
    places = Places(scene)
    whole = whole_wires(scene)
    single = {name: wire for name, wire in scene.wires.items() if name.rpartition(".")[0] not in whole}
    for name, wire in (single | whole).items():
        if scene.bent(wire) and not (wire.attach or 0.0) > 0.0:
            overlapping = list(_overlapping(scene, places, name, wire, when))
            yield from overlapping
            if not (overlapping or places.wound(wire).settled):
                yield Problem(("wires", name), f"{when} it {NO_WAY}")
            for a, b in pairwise(wire.ends):
                apart = np.linalg.norm(places.of(a)[2] - places.of(b)[2])
                if apart <= TOLERANCE * wire.length_at_start():
                    yield Problem(
                        ("wires", name), f"its points {a!r} and {b!r} lie in one place {when}; move them apart"
                    )


def _overlapping(scene: Scene, places: Places, name: str, wire: Wire, when: str) -> Iterator[Problem]:
    """Neighbours along a wire whose wheels, or a wheel and an end, are inside each other."""
    wheels, wound = scene.wheels(wire), None
    for k, (one, other) in enumerate(pairwise(wheels)):
        room = sum(wheel.radius for wheel in (one, other) if wheel is not None)
        if room == 0.0:
            continue
        wound = places.wound(wire) if wound is None else wound
        apart = float(np.linalg.norm(wound.centres[k + 1] - wound.centres[k]))
        if apart <= (1.0 + CLOSE) * room:
            a, b = wire.ends[k : k + 2]
            if one is None or other is None:
                point, wheel = (a, b) if one is None else (b, a)
                what = f"{point!r} is inside pulley {wheel!r} {when}: {apart:.6g} m from its centre, its radius is"
            else:
                what = f"pulleys {a!r} and {b!r} are inside each other {when}: {apart:.6g} m apart, they need"
            yield Problem(("wires", name), f"{what} {room:.6g} m; move them apart, or take a smaller radius")


def _joint_rows(places: Places, name: str, joint: Joint) -> Iterator[Row]:
    """What ties the joint's two places at the start (orientations are tied as they are), and its limits."""
    (a, arm_a, p_a), (b, arm_b, p_b) = places.of(joint.from_), places.of(joint.to)
    apart = p_b - p_a
    scale = max(1.0, float(np.linalg.norm(p_a)), float(np.linalg.norm(p_b)))
    if joint.kind == "prismatic":
        arm_a = arm_a + apart  # the axis turns with its body

    def row(loc: Loc, value: float, gradient: Array, equal: bool) -> Row:
        sides = ((a, arm_a, -gradient), (b, arm_b, gradient))
        return Row(loc, value, scale, equal, tuple((o, arm, g) for o, arm, g in sides if o is not None))

    for direction in joint.tied:
        yield row(("joints", name), float(direction @ apart), direction, True)
    if joint.axis is not None:
        slides = joint.kind == "prismatic"
        axis = np.array(joint.axis) if slides else np.zeros(3)  # an angle is 0 at the start wherever the bodies are
        coordinate = float(axis @ apart)
        if joint.motion is not None:
            yield row(("joints", name, "motion"), coordinate - float(joint.motion_at(np.zeros(1))[0][0]), axis, True)
        for limit, sign in zip(joint.limits or (), (1.0, -1.0), strict=False):
            yield row(("joints", name, "limits"), sign * (coordinate - limit), sign * axis, False)


def _problems(scene: Scene, rows: list[Row]) -> Iterator[Problem]:
    no_way = list(impassable(scene))
    yield from no_way
    told = {problem.loc for problem in no_way}
    whole = whole_wires(scene)
    spans = {name for name in scene.wires if name.rpartition(".")[0] in whole}
    open_joints: dict[Loc, float] = {}
    buried: dict[Loc, float] = {}
    for row in rows:
        if not np.isfinite(row.value) and row.loc in told:
            continue
        elif not np.isfinite(row.value):
            yield Problem(
                row.loc, "its place or length at t = 0 is not a finite number; look at the formulas it depends on"
            )
        elif row.broken and row.loc[0] == "wires":
            wire = scene.wires[str(row.loc[1])]
            length = wire.length_at_start()
            needed = row.scale - row.value
            ends = (
                f"its path over {', '.join(end for end in wire.ends if end in (*wire.via, *scene.pulleys))} is "
                f"{needed:.9g} m long"
                if scene.bent(wire) and row.loc[1] not in spans
                else (f"its ends are {needed:.9g} m apart")
            )
            bound = (
                "" if wire.model == "rigid" else f"; an mrfe cable may start stretched by {START_STRAIN:.0%} at most"
            )
            told_of, span = row.loc, ""
            if row.loc[1] in spans:
                route, _, k = str(row.loc[1]).rpartition(".")
                told_of, span = ("wires", route), f"its span {k}, from {wire.from_!r} to {wire.to!r}, is "
            yield Problem(
                told_of,
                f"{span}stretched by {needed - length:.6g} m at the start: {ends}, its length is {length:.9g} m{bound}"
                + ("" if row.sides else "; no load moves them: lengthen it, or bring them together"),
            )
        elif row.broken and row.loc[-1] == "limits":
            yield Problem(row.loc, f"the coordinate lies {row.broken:.6g} beyond its limits at the start")
        elif row.broken and row.loc[-1] == "motion":
            yield Problem(row.loc, f"is {-row.value:.6g} off the joint's coordinate at the start; let it begin there")
        elif row.broken and row.loc[0] == "joints":
            open_joints[row.loc] = float(np.hypot(open_joints.get(row.loc, 0.0), row.broken))
        elif row.broken:
            buried[row.loc] = max(buried.get(row.loc, 0.0), row.broken)
    yield from _locked(scene)
    for loc, depth in buried.items():
        yield Problem(loc, f"lies {depth:.6g} m below the ground at the start")
    for loc, gap in open_joints.items():
        across = " across its axis" if len(scene.joints[str(loc[1])].tied) == 2 else ""
        yield Problem(loc, f"its two ends are {gap:.6g} m apart{across} at the start")


def check_start(scene: Scene, advice: str = ADVICE, written: Written | None = None) -> None:
    """See :meth:`Scene.check_start`; ``advice`` is the last line of the message, if moving what is there may help."""
    with np.errstate(all="ignore"):  # what is not finite is reported by name
        rows = list(start_rows(scene))
        found = list(_problems(scene, rows))
    if found:
        told = scene_error(found, *(written or (scene.name,)))
        broken = [bool(row.sides) for row in rows if row.broken]
        helps = advice != ADVICE or (broken and all(broken))
        raise SceneError(f"{told}\n{advice}") if helps and all(np.isfinite(row.value) for row in rows) else told
    for text in (*_inclined(scene), *_hollow(scene), *_flat(scene, rows), *_branching(scene)):
        warnings.warn(text, SceneWarning, stacklevel=3)


def _inclined(scene: Scene) -> Iterator[str]:
    for name, angle in inclined_first_joints(scene):
        yield (
            f"wire {name!r}: its first joint zy is meant for vertical cables, and it starts {np.degrees(angle):.0f} "
            "degrees away from the vertical; use first_joint: ball"
        )


def inclined_first_joints(scene: Scene) -> Iterator[tuple[str, float]]:
    """Cables with a first joint ``zy`` that start more than ``STEEPEST`` from the z axis, and their angle [rad]."""
    places = Places(scene)
    for name, wire in scene.wires.items():
        if isinstance(wire.model, Mrfe) and wire.model.first_joint == "zy":
            along = places.of(wire.to)[2] - places.of(wire.from_, wire.exit)[2]
            angle = float(np.arctan2(np.hypot(along[0], along[1]), abs(along[2])))
            if angle > STEEPEST:
                yield name, angle


def _locked(scene: Scene) -> Iterator[Problem]:
    """Cables of one element whose link lies along the first axis of its first joint: it turns about itself there."""
    places = Places(scene)
    for name, wire in scene.wires.items():
        if isinstance(wire.model, Mrfe) and wire.model.elements == 1 and wire.model.first_joint == "zy":
            x, y, z = (places.of(wire.to)[2] - places.of(wire.from_, wire.exit)[2]).tolist()
            if math.hypot(x, y) < LOCKED * abs(z):
                yield Problem(("wires", name), STUCK)


def _flat(scene: Scene, rows: list[Row]) -> Iterator[str]:
    """Weights in one straight line; those on wires that stretch can move, and those that are driven hold anything."""
    places, soft = Places(scene), set[str]()
    for wire in scene.wires.values():
        for end in (wire.from_, wire.to) if wire.model != "rigid" else ():
            soft.add(places.of(end, wire.exit if end == wire.from_ else None)[0] or "")
    moved = {name for name, body in scene.bodies.items() if driven(body)}
    yield from flat(np.array(scene.gravity), [row for row in rows if row.closed], soft, moved)


def _branching(scene: Scene) -> Iterator[str]:
    """Mechanisms that can set out in more ways than they can go on in."""
    for joints, here, near in branching(scene, Places(scene)):
        names = ", ".join(repr(name) for name in joints[:8]) + (", ..." if len(joints) > 8 else "")
        if near is None:
            yield (
                f"joints {names}: the mechanism starts at a singular place that it cannot leave: it gives way there in "
                f"{here} independent {'ways' if here > 1 else 'way'}, but to first order only, and no finite forces "
                "bear a load along these; make a link longer, so that there is somewhere to go, or let one stretch"
            )
            continue
        yield (
            f"joints {names}: the mechanism starts where its motion branches: it can set out in {here} independent ways"
            f" there, in {near} nearby, and rounding decides how it goes on; start it a little aside (turn a body by a "
            "degree, then --project)"
        )


def _hollow(scene: Scene) -> Iterator[str]:
    """Boxes and cylinders that hard ground knows by their centres alone, wherever they start: they will sink in."""
    contacts = list(touches(scene))
    known = Counter((touch.plane, touch.body) for touch in contacts)
    for touch in contacts:
        plane, body = scene.planes[touch.plane], scene.bodies[touch.body]
        bare = plane.contacts[int(touch.loc[-1])] == touch.body and known[touch.plane, touch.body] == 1
        if plane.spring is not None or not bare or body.shape is None or body.shape.sphere is not None:
            continue
        n = np.array(plane.normal)
        above = float(n @ body.position) - plane.height
        reach = body.shape.reach(n @ body.rotation_matrix())
        box = body.shape.box is not None
        remedy = f"write {touch.body}.corners" if box else _rim(touch.body, body, -n @ body.rotation_matrix())
        yield (
            f"{path_text(touch.loc)}: {touch.body!r} is the centre of the body alone, {above:.6g} m above the ground "
            f"at the start, and its {'box' if box else 'cylinder'} reaches {reach:.6g} m down: it will sink in; "
            f"{remedy}"
        )


def _rim(name: str, body: Body, down: Array) -> str:
    """Advice for a cylinder: its lowest point in the direction ``down`` (3,), body axes, as a point to declare."""
    assert body.shape is not None  # _hollow
    assert body.shape.cylinder is not None
    radius, height = body.shape.cylinder
    aside = float(np.hypot(down[0], down[1]))
    x, y = (radius * down[:2] / aside).tolist() if aside > FLAT else (radius, 0.0)
    z = float(np.copysign(0.5 * height, down[2]))
    point = f"[{x + 0.0:.4g}, {y + 0.0:.4g}, {z:.4g}]"
    return f"give the body points of its rim, such as points: {{rim: {point}}}, and list those: {name}.rim"
