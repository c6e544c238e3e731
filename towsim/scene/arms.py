"""Arms: links joined one to another by joints, as a tree; cranes, booms, tow-bars, chains.

Every link has one joint to the link (or base) that carries it. Its frame has its origin at that joint, and axes that
coincide with its carrier's when the joint is at zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, StrictBool, model_validator

from towsim.scene.base import Declared, Problem, problem, problems
from towsim.scene.bodies import ZERO, Inertia, Shape, inertia_of
from towsim.scene.quantity import (
    ENDS,
    NAMES,
    Direction,
    Expression,
    Named,
    Quantity,
    Quaternion,
    Series,
    Short,
    Text,
    Vec3,
    Vector,
)
from towsim.suggest import unknown

Array = NDArray[np.float64]
FREEDOM = {"revolute": 1, "prismatic": 1, "universal": 2, "ball": 3, "free": 6}
"""Degrees of freedom of each kind of joint."""


class Place(Declared):
    """A place that does not move, with the directions of its axes."""

    position: Annotated[Vec3, Vector("position, world axes", "m")] = ZERO
    quaternion: Annotated[Quaternion, Direction("orientation wxyz, to world; normalised", count=4)] = (
        1.0,
        0.0,
        0.0,
        0.0,
    )


class _Numbers(Series):
    """One number, or a list of numbers."""

    def read(self, value: Any) -> tuple[Any, ...]:
        return self.numbers(value if isinstance(value, list | tuple | np.ndarray) else [value])

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.number_schema(), {"type": "array", "items": self.number_schema()}]}


class LinkJoint(Declared):
    """How a link moves on what carries it.

    ``revolute``: turns about ``axis``; ``prismatic``: slides along ``axis``; ``universal``: turns about ``axis`` (of
    the carrier), then about ``second`` (of the link); ``ball``: turns freely; ``free``: on the world only, not held.

    ``start`` has one number per degree of freedom: angles and extensions; a rotation vector (ball); position and
    rotation vector (free). ``rate`` likewise: a ball's angular velocity in the carrier's axes.
    """

    kind: Literal["revolute", "prismatic", "universal", "ball", "free"] = "revolute"
    axis: Annotated[Vec3, Direction("axis, the carrier's axes")] = (0.0, 0.0, 1.0)
    second: Annotated[Vec3, Direction("second axis of a universal joint, the link's axes")] | None = None
    start: Annotated[tuple[float, ...], _Numbers("coordinates at t = 0", "m, rad")] | None = None
    rate: Annotated[tuple[float, ...], _Numbers("their rates at t = 0", "m/s, rad/s")] | None = None
    stiffness: Annotated[float, Quantity("stiffness", "N/m or N m/rad", least=0.0)] = 0.0
    rest: Annotated[float, Quantity("coordinate at which the spring is at rest", "m or rad")] = 0.0
    damping: Annotated[float, Quantity("damping", "N s/m or N m s/rad", least=0.0)] = 0.0
    force: Annotated[float | str, Expression("force or torque along the axis: a number or a formula in t")] = 0.0

    @property
    def freedom(self) -> int:
        """Degrees of freedom."""
        return FREEDOM[self.kind]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.kind == "universal") != (self.second is not None):
            raise problem(f"a universal joint needs it, no other takes it; this one is {self.kind}", "second")
        if self.second is not None and not abs(float(np.dot(self.axis, self.second))) < 1e-9:
            raise problem("must be perpendicular to axis", "second")
        for name in ("start", "rate"):
            given = getattr(self, name)
            if given is not None and len(given) != self.freedom:
                raise problem(f"a {self.kind} joint has {self.freedom} coordinates, got {len(given)}", name)
        if self.kind in ("ball", "free") and (self.stiffness or self.rest):
            raise problem(f"a {self.kind} joint takes no spring", "stiffness" if self.stiffness else "rest")
        if self.kind not in ("revolute", "prismatic") and self.force != 0.0:
            raise problem(f"only revolute and prismatic joints are driven; this one is {self.kind}", "force")
        if self.kind == "free" and self.damping:
            raise problem("a free joint takes no damper", "damping")
        return self


class Link(Declared):
    """A rigid body on a joint. Exactly one of ``point``, ``inertia`` and ``shape`` gives its rotational inertia."""

    carrier: Annotated[str, Text("link that carries it; left out: the base", pattern=NAMES.pattern)] | None = Field(
        default=None, validation_alias="on", serialization_alias="on"
    )
    place: Annotated[Vec3, Vector("place of its joint on the carrier, the carrier's frame", "m")] = Field(
        default=ZERO, validation_alias="at", serialization_alias="at"
    )
    joint: LinkJoint = LinkJoint()
    mass: Annotated[float, Quantity("mass", "kg", above=0.0)]
    centre: Annotated[Vec3, Vector("centre of mass, the link's frame", "m")] = ZERO
    point: StrictBool = Field(default=False, description="a point mass at the centre")
    inertia: (
        Annotated[Vec3 | tuple[Vec3, Vec3, Vec3], Inertia("inertia about the centre, the link's axes", "kg m²")] | None
    ) = None
    shape: Shape | None = None
    points: Annotated[
        dict[str, Annotated[Vec3, Vector("point of the link, the link's frame", "m")]],
        Named(),
        Field(description="named points of the link [m]"),
    ] = Field(default={}, validate_default=True)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.point:
            if self.inertia is not None or self.shape is not None:
                raise problem("a point mass has no inertia and no shape; leave them out or point: true", "point")
        elif self.inertia is None and self.shape is None:
            raise problem("the rotational inertia is not given; add inertia: [Ixx, Iyy, Izz], a shape, or point: true")
        return self

    def inertia_matrix(self) -> Array:
        """Inertia about the centre of mass in the link's axes, (3, 3) [kg m²]; zero for a point mass."""
        return inertia_of(self.mass, self.point, self.inertia, self.shape)


class Arm(Declared):
    """A tree of links on a base: the name of a robot that carries it, or a place that stands still.

    Raises
    ------
    SceneError : a carrier that does not exist, links that carry each other in a circle, a free link that is carried
    """

    base: Annotated[
        str | Place, Short(Place, Text("robot, or point of one, that carries it", pattern=ENDS.pattern))
    ] = Place()
    links: Annotated[dict[str, Link], Named()] = Field(description="name: link")

    @model_validator(mode="after")
    def _check(self) -> Self:
        found = [*self._problems()]
        if found:
            raise problems(found)
        return self

    def _problems(self) -> Iterator[Problem]:
        if not self.links:
            yield Problem(("links",), "there is no link; an arm needs at least one")
        for name, link in self.links.items():
            if link.carrier is not None and link.carrier not in self.links:
                yield Problem(("links", name, "on"), unknown("link", link.carrier, self.links))
            if link.joint.kind == "free" and (link.carrier is not None or self.base != Place() or any(link.place)):
                yield Problem(("links", name, "joint"), "a free link is on the world: leave out base, on and at")
            seen, at = {name}, link.carrier
            while at is not None and at in self.links and at not in seen:
                seen.add(at)
                at = self.links[at].carrier
            if at in seen:
                yield Problem(("links", name, "on"), f"is carried by itself, through {at!r}")

    def order(self) -> list[str]:
        """Names of the links, carriers first."""
        done: dict[str, None] = {}
        while len(done) < len(self.links):
            for name, link in self.links.items():
                if link.carrier is None or link.carrier in done:
                    done[name] = None
        return list(done)
