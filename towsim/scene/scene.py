"""The Scene: everything the user declares, cross-checked."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, StrictInt, ValidationInfo, model_validator

from towsim.errors import SceneError, SceneWarning
from towsim.quote import show
from towsim.scene.base import Declared, Fact, Problem, bound_formulas, facts, outline, outlines, problems
from towsim.scene.bodies import Body
from towsim.scene.cable import Mrfe, SpringDamper
from towsim.scene.contacts import names_corners, names_of_corners
from towsim.scene.control_checks import control_problems, controlled
from towsim.scene.controllers import ByLaw, Controller
from towsim.scene.drums import Drum
from towsim.scene.ground import Ground, OneOrMore
from towsim.scene.joints import Joint
from towsim.scene.motion import Axes
from towsim.scene.pulleys import Pulley
from towsim.scene.quantity import Constants, Named, Short, Text, Vec3, Vector
from towsim.scene.run import Run
from towsim.scene.sensors import Sensor
from towsim.scene.vehicles import Robot
from towsim.scene.wind import Wind
from towsim.scene.wires import FREE, Wire
from towsim.suggest import unknown

Array = NDArray[np.float64]


class Attachment(NamedTuple):
    """What the end of a wire or joint means: a robot, or a point of a body.

    A point that a robot carries is a robot of its own, by its whole name (see ``expand``).
    """

    owner: str
    is_robot: bool
    offset: Vec3  # from the centre of mass, body axes [m]; zero for a robot


STRUCTURE = ("bodies", "robots", "wires", "pulleys", "drums", "joints", "ground", "controllers", "sensors")
"""Sections that have a structure: the others are numbers, and words about the scene and its runs."""


class Scene(Declared):
    """Bodies, robots, wires, joints and ground, in SI units; immutable.

    Raises
    ------
    SceneError : names every value that is wrong, with its path and what to do
    """

    schema_version: Literal[1] = Field(
        default=1, validation_alias="schema", serialization_alias="schema", description="version of this format"
    )
    name: Annotated[str, Text("name of the scene")] = "scene"
    description: Annotated[str, Text("what it shows")] = ""
    start: Literal["declared", "equilibrium"] = Field(
        default="declared",
        description="where runs start: as declared, or at rest, found from there (see towsim.equilibrium)",
    )
    parameters: Annotated[Mapping[str, float], Constants("numbers that the scene's formulas use by name")] = Field(
        default={}, validate_default=True
    )
    gravity: Annotated[Vec3, Vector("gravity, world axes", "m/s²")] = (0.0, 0.0, -9.81)
    wind: Annotated[
        Vec3 | Wind,
        Short(Wind, Vector("velocity of the wind, or of a current, world axes", "m/s")),
        BeforeValidator(lambda value: Wind(x=value.x, y=value.y, z=value.z) if type(value) is Axes else value),
    ] = (0.0, 0.0, 0.0)
    bodies: Annotated[dict[str, Body], Named()] = Field(
        default={}, validate_default=True, description="rigid bodies and point masses, by name"
    )
    robots: Annotated[dict[str, Robot], Named()] = Field(
        default={}, validate_default=True, description="posts, robots that move as declared, and vehicles, by name"
    )
    wires: Annotated[dict[str, Wire], Named()] = Field(
        default={}, validate_default=True, description="wires between bodies and robots, by name"
    )
    drums: Annotated[dict[str, Drum], Named()] = Field(
        default={}, validate_default=True, description="winch drums with inertia, motor and brake, by name"
    )
    pulleys: Annotated[dict[str, Pulley], Named()] = Field(
        default={}, validate_default=True, description="wheels with a radius over which wires run, by name"
    )
    joints: Annotated[dict[str, Joint], Named()] = Field(
        default={}, validate_default=True, description="joints between bodies, or a body and a robot, by name"
    )
    ground: Annotated[Ground | tuple[Ground, ...], OneOrMore()] | None = Field(
        default=None, description="one plane, or a list of planes"
    )
    controllers: Annotated[dict[str, Annotated[Controller, ByLaw()]], Named()] = Field(
        default={}, validate_default=True, description="laws that command vehicles and winches, by name"
    )
    sensors: Annotated[dict[str, Sensor], Named()] = Field(
        default={}, validate_default=True, description="what controllers see in place of the truth, by name"
    )
    seed: StrictInt = Field(default=0, ge=0, le=2**63 - 1, description="of the sensors' noise")
    run: Run = Run()
    _folder: str = "."  # where relative paths in it start

    @model_validator(mode="before")
    @classmethod
    def _tell_formulas(cls, data: Any, info: ValidationInfo) -> Any:
        if isinstance(data, Mapping) and info.context is not None:
            numbers = given.items() if isinstance(given := data.get("parameters"), Mapping) else ()
            told = {key: x for key, x in numbers if isinstance(x, int | float) and type(x) is not bool}
            info.context["parameters"] = told
        return data

    @model_validator(mode="after")
    def _cross_check(self) -> Self:
        for text in bound_formulas(self):
            for name, value in text.values.items():
                if self.parameters.get(name) != value:
                    raise problems([Problem(("parameters", name), f"a part of another scene has {name} = {value:g}")])
        return self.cross_checked()

    def replace(self, **changes: Any) -> Self:
        """A validated copy in which the given fields have new values; formulas follow ``parameters``.

        Raises
        ------
        SceneError : a field does not exist or its value is wrong
        """
        if "parameters" not in changes:
            made = super().replace(**changes)
        else:
            from towsim.scene.data import to_data

            made = type(self)(**to_data(self, full=True) | to_data(changes, full=True))
        made._folder = self._folder
        return made

    def cross_checked(self) -> Self:
        """Itself, if its parts fit each other; raises an error for pydantic to collect."""
        found = [*self._name_problems(), *self._end_problems(), *self._joint_problems(), *self._clamp_problems()]
        found += [*self._contact_problems(), *self._pulley_problems(), *self._drum_problems()]
        found = [*(found or self._loop_problems()), *control_problems(self)]
        if found:
            raise problems(found)
        return self

    def _name_problems(self) -> Iterator[Problem]:
        moving = any(robot.dynamic for robot in self.robots.values())
        if not self.bodies and not moving and not self.massive:
            yield Problem(("bodies",), "there is no body; a scene needs at least one, or an mrfe cable")
        for name in self.robots:
            if name in self.bodies:
                yield Problem(("robots", name), f"the name {name!r} is already that of a body; rename one of them")
        for kind, named in (("bodies", self.bodies), ("robots", self.robots)):
            if FREE in named:
                yield Problem((kind, FREE), f"the name {FREE!r} means the free end of a cable; choose another one")

    def _end_problems(self) -> Iterator[Problem]:
        for kind, pairs in (("wires", self.wires), ("joints", self.joints)):
            for name, pair in pairs.items():
                broken = False
                via = pair.via if isinstance(pair, Wire) else ()
                found: list[Attachment] = []
                for key, end in (("from", pair.from_), *(("via", end) for end in via), ("to", pair.to)):
                    if kind == "wires" and end == FREE:
                        continue
                    try:
                        found.append(self.attachment(self.carrier(end) if kind == "wires" else end))
                    except SceneError as error:
                        broken = True
                        yield Problem((kind, name, key), str(error))
                if broken or FREE in (pair.from_, pair.to):
                    continue
                a, b = found[0], found[-1]
                if via:
                    owners = {(at.owner, self._rigid(at)) for at in found}
                    hangs = isinstance(pair, Wire) and isinstance(pair.model, Mrfe)  # between robots, too
                    if len(owners) == 1 or (all(is_robot for _, is_robot in owners) and not hangs):
                        yield Problem((kind, name), "passes no points that can move apart; it could never act")
                elif a == b:
                    yield Problem(
                        (kind, name), f"joins {pair.from_!r} and {pair.to!r}, which are one and the same point"
                    )
                elif a.owner == b.owner:
                    yield Problem((kind, name), f"both ends are on {a.owner!r}; it could never act")
                elif (
                    self._rigid(a)
                    and self._rigid(b)
                    and not (isinstance(pair, Wire) and (pair.model == "rigid" or isinstance(pair.model, Mrfe)))
                ):
                    yield Problem((kind, name), "both ends are robots; at least one must be on a body")

    def _joint_problems(self) -> Iterator[Problem]:
        for name, joint in self.joints.items():
            for key, end in (("from", joint.from_), ("to", joint.to)):
                if joint.kind != "ball" and self._turns(end):
                    yield Problem(
                        ("joints", name, key),
                        f"robot {end.partition('.')[0]!r} turns, and a {joint.kind} joint holds what it ties as it "
                        "stood in the world; use kind: ball, or a robot without an orientation that changes",
                    )
            for key in joint.oriented:
                end = (joint.from_ if key == "from" else joint.to).partition(".")[0]
                one = self.bodies.get(end) or self.robots.get(end)
                if one is not None and one.point:
                    what = "point mass" if end in self.bodies else f"robot with dynamics: {self.robots[end].dynamics}"
                    text = f"{end!r} is a {what}, and has no orientation for a {joint.kind} joint to hold; use kind: "
                    text += "ball, or for a point that slides along an axis let it be the joint's 'to'"
                    yield Problem(("joints", name, key), text)

    def _clamp_problems(self) -> Iterator[Problem]:
        for name, wire in self.wires.items():
            if isinstance(wire.model, Mrfe):
                for key, end, held in (("from", wire.from_, wire.model.from_end), ("to", wire.to, wire.model.to_end)):
                    if held == "clamped" and self._turns(end):
                        yield Problem(
                            ("wires", name, key),
                            f"robot {end.partition('.')[0]!r} turns, and a clamped end stays as it stood in the world; "
                            "take the end as ball",
                        )

    def _pulley_problems(self) -> Iterator[Problem]:
        for name, pulley in self.pulleys.items():
            if name in self.bodies or name in self.robots or name == FREE:
                yield Problem(("pulleys", name), f"the name {name!r} already means something else; choose another one")
            try:
                self.attachment(pulley.at)
            except SceneError as error:
                yield Problem(("pulleys", name, "at"), str(error))
                continue
            if pulley.swivel is not None and self._turns(pulley.at):
                yield Problem(
                    ("pulleys", name, "swivel"),
                    f"robot {pulley.at.partition('.')[0]!r} turns, and so would the axis of a swivel, which is not "
                    "offered; put the pulley on a body, or take a block (no swivel) that the wire passes",
                )
        for name, wire in self.wires.items():
            for key, end in (("from", wire.from_), *(("via", end) for end in wire.via), ("to", wire.to)):
                if end in self.pulleys:
                    text = _misplaced(wire, end, self.pulleys[end], key == "via")
                    if text:
                        yield Problem(("wires", name, key), text)
        for name in dict.fromkeys(self.turned_pulleys):
            if sum(wire.ends.count(name) for wire in self.wires.values()) == 1:
                continue
            yield Problem(
                ("pulleys", name, "inertia"),
                "is turned by one massless wire, and several pass here; leave this out, or take a pulley for each",
            )

    def _drum_problems(self) -> Iterator[Problem]:
        for name, drum in self.drums.items():
            if name in self.bodies or name in self.robots or name in self.joints or name == FREE:
                yield Problem(("drums", name), f"the name {name!r} already means something else; choose another one")
            try:
                self.attachment(drum.at)
            except SceneError as error:
                yield Problem(("drums", name, "at"), str(error))
            if self._turns(drum.at):
                yield Problem(
                    ("drums", name, "at"), "a robot that turns cannot carry the hinge of a drum; put it on a body"
                )
            on = [wire for wire, one in self.wires.items() if one.drum == name]
            if len(on) != 1:
                what = f"wires {', '.join(map(repr, on))} are" if on else "no wire is"
                yield Problem(("drums", name), f"{what} on it; a drum has one wire (drum: {name} in the wire)")
                continue
            out = self.wires[on[0]].length_at_start()
            paid = f"{out:g} m of wire {on[0]!r} are paid out at the start, and"
            if drum.rope is not None and out > drum.rope:
                said = f"{paid} its rope is {drum.rope:g} m long; lengthen the rope, or shorten the wire"
                yield Problem(("drums", name, "rope"), said)
            if out < drum.shortest:
                yield Problem(("drums", name, "shortest"), f"{paid} the drum stops at {drum.shortest:g} m; lengthen it")
        for name, wire in self.wires.items():
            if wire.drum is not None and wire.drum not in self.drums:
                yield Problem(("wires", name, "drum"), unknown("drum", wire.drum, self.drums))

    def carrier(self, end: str) -> str:
        """What carries an end of a wire, or a point that it passes: the end itself, or where its pulley is."""
        return self.pulleys[end].at if end in self.pulleys else end

    def wheels(self, wire: Wire) -> tuple[Pulley | None, ...]:
        """The pulleys at the points that a wire passes, end to end; None for what is none."""
        return tuple(self.pulleys.get(end) for end in wire.ends)

    def turned(self, wire: Wire) -> tuple[int, ...]:
        """Which of the points of a massless wire have wheels that it turns."""
        wheels = self.wheels(wire) if self.pulleys and not isinstance(wire.model, Mrfe) else ()
        return tuple(k for k, wheel in enumerate(wheels) if wheel is not None and wheel.inertia > 0.0)

    @Fact
    def massive(self) -> tuple[str, ...]:
        """Names of the massive wires."""
        return tuple(name for name, wire in self.wires.items() if isinstance(wire.model, Mrfe))

    @Fact
    def controlled(self) -> bool:
        """Whether there is anything to sample: controllers, sensors, or actuators to command."""
        return controlled(self)

    @Fact
    def braked(self) -> dict[str, float]:
        """Bodies that drag of their own brakes, and bounds on the rates at which it does [1/s]."""
        rates = {name: body.braking() for name, body in self.bodies.items()}
        return {name: rate for name, rate in rates.items() if rate > 0.0}

    @property
    def turned_pulleys(self) -> tuple[str, ...]:
        """Names of the pulleys whose wheels massless wires turn, in the order of the wires and their points."""
        wires = self.wires.values() if self.pulleys else ()
        return tuple(wire.ends[k] for wire in wires for k in self.turned(wire))

    def bent(self, wire: Wire) -> bool:
        """Whether a wire passes more than its two ends, or lies on a pulley."""
        return bool(wire.via) or any(wheel is not None for wheel in self.wheels(wire))

    def spanned(self, name: str) -> bool:
        """Whether a wire is massive and passes rings or lies on pulleys, between which it hangs in spans.

        Spans themselves, which ``expand`` makes, are none: they have a dot in their names.
        """
        wire = self.wires[name]
        return isinstance(wire.model, Mrfe) and "." not in name and self.bent(wire)

    def _turns(self, end: str) -> bool:
        """Whether an end is on a robot whose orientation changes."""
        robot = self.robots.get(end.partition(".")[0])
        return robot is not None and robot.orientation is not None and not robot.orientation.stands

    def _loop_problems(self) -> Iterator[Problem]:
        """Reduced joints that close a loop; all robots count as one place."""
        group = {name: name for name in self.bodies}

        def root(end: str) -> str:
            at = self.attachment(end)
            name = "" if self._rigid(at) else at.owner
            while group.get(name, name) != name:
                name = group[name]
            return name

        for name, joint in self.joints.items():
            if joint.reduced:
                a, b = sorted((root(joint.from_), root(joint.to)))
                if a == b:
                    yield Problem(("joints", name, "reduced"), "it closes a loop of reduced joints; leave this one out")
                else:
                    group[b] = a

    def _rigid(self, at: Attachment) -> bool:
        robot = self.robots.get(at.owner)  # None: a point that a robot carries
        return at.is_robot and (robot is None or not robot.dynamic)

    def outline(self) -> Hashable:
        """The scene without its numbers: scenes with equal outlines have the same structure."""
        return outline(self)

    def outlined(self) -> Hashable:
        """See ``Declared``: of the sections that have a structure, and of spans, which have their elements."""
        found = outlines(self, STRUCTURE)
        return (*found, self._elements_of_spans()) if any(map(self.spanned, self.massive)) else found

    def _elements_of_spans(self) -> tuple[int, ...]:
        """Elements of the spans of massive wires, which depend on where the scene starts."""
        from towsim.scene.expand import shared_by_spans, with_points

        shares = shared_by_spans(with_points(self)).values()
        return tuple(elements for spans in shares for _, elements in spans)

    @property
    def planes(self) -> tuple[Ground, ...]:
        """The planes of the ground: none, one, or several."""
        if self.ground is None:
            return ()
        return self.ground if isinstance(self.ground, tuple) else (self.ground,)

    def _contact_problems(self) -> Iterator[Problem]:
        for k, plane in enumerate(self.planes):
            seen: set[str] = set()
            for i, end in enumerate(plane.contacts):
                loc = ("ground", k, "contacts", i) if isinstance(self.ground, tuple) else ("ground", "contacts", i)
                name, _, point = end.partition(".")
                try:
                    corners = name in self.bodies and names_corners(self.bodies[name], point)
                    for own in names_of_corners(self.bodies[name]) if corners else ():
                        text = f"{end!r} are the eight corners of a box, and {own!r} is a point of the body; rename it"
                        yield Problem(loc, text)
                    if not corners and self._rigid(self.attachment(end)):
                        yield Problem(loc, f"{end!r} is a robot; only bodies touch the ground")
                except SceneError as error:
                    yield Problem(loc, str(error))
                if end in seen:
                    yield Problem(loc, f"{end!r} is listed twice")
                seen.add(end)

    def attachment(self, end: str) -> Attachment:
        """What "body", "body.point", "robot" or "robot.point" means here.

        Raises
        ------
        SceneError : there is no such body, point or robot; with a suggestion
        """
        owner, _, point = end.partition(".")
        if end in self.robots:
            return Attachment(end, True, (0.0, 0.0, 0.0))
        if owner in self.robots:
            known = self.robots[owner].points
            if not known:
                raise SceneError(f"robot {owner!r} has no points, got {show(end)}; give it some (points: {{...}})")
            if point not in known:
                raise SceneError(unknown(f"point of robot {owner!r}", point, known))
            return Attachment(end, True, (0.0, 0.0, 0.0))
        if owner not in self.bodies:
            raise SceneError(unknown("body or robot", owner, [*self.bodies, *self.robots]))
        points = self.bodies[owner].points
        if not point:
            return Attachment(owner, False, (0.0, 0.0, 0.0))
        if point not in points:
            raise SceneError(unknown(f"point of body {owner!r}", point, points))
        return Attachment(owner, False, points[point])

    def wind_at(self, t: Array) -> Array:
        """Wind velocity (n, 3) [m/s], world axes, at the times ``t`` (n,) [s]."""
        return self.wind.at(t) if isinstance(self.wind, Wind) else np.tile(np.array(self.wind), (len(t), 1))

    def check_start(self) -> None:
        """Refuse a start in which a joint is open, a contact lies in the ground, a hard wire is stretched, or an mrfe
        cable by more than 1 %; elastic wires may be. Warns of what is hardly meant, as of rotors that will meet.

        Raises
        ------
        SceneError : says by how much, for each of them
        """
        from towsim.scene.doubts import doubts
        from towsim.scene.expand import expand
        from towsim.scene.start import check_start

        check_start(expand(self), written=facts(self).get("written"))
        for text in doubts(self):
            warnings.warn(text, SceneWarning, stacklevel=2)

    def project(self, *, taut: bool = False) -> Scene:
        """A scene whose loads are moved as little as possible so that :meth:`check_start` passes.

        taut : so that every rigid wire is at its length besides, to rounding

        Raises
        ------
        SceneError : no such place was found
        """
        from towsim.scene.project import make_taut, project

        return make_taut(self) if taut else project(self)

    def with_values(self, values: Mapping[str, Any]) -> Scene:
        """A validated copy with values set by path, such as ``{"bodies.box.mass": 3.0, "run.step": 1e-4}``.

        A ``csv`` takes the place of what another one was read into; a relative path starts where the scene's file is.

        Raises
        ------
        SceneError : a path does not exist (with a suggestion), a value is wrong, or a later one undoes it
        """
        from towsim.scene.edit import with_values

        return with_values(self, values)

    def _repr_html_(self) -> str:
        from towsim.scene.page import scene_html

        return scene_html(self)


def _misplaced(wire: Wire, pulley: str, wheel: Pulley, passed: bool) -> str:
    """What is wrong with a pulley in a wire; nothing if it may be there."""
    swivels = wheel.swivel is not None
    comes_and_goes = (wire.break_, wire.attach, wire.detach, wire.cut, wire.drum) != (None,) * 5
    if wheel.inertia > 0.0 and comes_and_goes:
        return f"a wire that breaks, comes, goes or is on a drum turns no inertia; leave that of pulley {pulley!r} out"
    if isinstance(wire.model, SpringDamper):
        return f"pulley {pulley!r} takes wires, and this one is a spring; end it at a body or a robot"
    if isinstance(wire.model, Mrfe) and (FREE in wire.ends or wire.model.rest != "straight"):
        return f"pulley {pulley!r} takes mrfe cables with both ends held that rest straight"
    if isinstance(wire.model, Mrfe) and not passed:
        held = wire.model.from_end if pulley == wire.from_ else wire.model.to_end
        if held != "ball":
            return f"an mrfe cable leaves pulley {pulley!r} along its groove; take that end as ball, got {held}"
    if wire.friction > 0.0:
        return f"pulley {pulley!r} turns without friction; pass a ring (a body's point, a robot), or leave friction out"
    if swivels and passed:
        return f"pulley {pulley!r} has a swivel, which is for a wire's end; leave its swivel out, and it is a block"
    if not swivels and not passed:
        return f"a wire cannot end at the block {pulley!r}; give it a swivel, or pass it (via)"
    return ""
