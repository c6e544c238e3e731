"""What can touch the ground: every listed contact as points and spheres against one plane."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from towsim.scene.base import Loc
from towsim.scene.quantity import Vec3

if TYPE_CHECKING:
    from towsim.scene.bodies import Body
    from towsim.scene.scene import Scene

CORNERS = "corners"
"""``body.corners`` are the eight corners of a box."""


class Touch(NamedTuple):
    """A point (or sphere) of a body that can touch a plane.

    ``name``: "ball", "box.foot", "box.corners3"; with several planes "ball@0", "ball@1", by the plane's number.
    """

    name: str
    plane: int
    body: str
    offset: Vec3  # from the body's centre, body axes [m]
    radius: float  # of a sphere, 0 for a point [m]
    loc: Loc  # where the scene lists it


def touches(scene: Scene) -> Iterator[Touch]:
    """All contacts of all planes, in the order of the scene."""
    planes = scene.planes
    for k, plane in enumerate(planes):
        mark = f"@{k}" if isinstance(scene.ground, tuple) else ""
        for i, end in enumerate(plane.contacts):
            loc: Loc = ("ground", k, "contacts", i) if mark else ("ground", "contacts", i)
            name, _, point = end.partition(".")
            if name not in scene.bodies:
                continue  # a dynamic robot, which is a body once the scene is expanded
            body = scene.bodies[name]
            if names_corners(body, point):
                for j, offset in enumerate(box_corners(body)):
                    yield Touch(f"{end}{j}{mark}", k, name, offset, 0.0, loc)
            else:
                radius = body.shape.sphere if not point and body.shape is not None else None
                yield Touch(f"{end}{mark}", k, name, scene.attachment(end).offset, radius or 0.0, loc)


def names_corners(body: Body, point: str) -> bool:
    """Whether "body.point" means the corners of its box."""
    return point == CORNERS and body.shape is not None and body.shape.box is not None


def names_of_corners(body: Body) -> list[str]:
    """Points of a body's own that are named as the corners of its box are, or as one of them: "corners", "corners3"."""
    meant = {CORNERS, *(f"{CORNERS}{j}" for j in range(8))}
    return [point for point in body.points if point in meant]


def box_corners(body: Body) -> list[Vec3]:
    """The eight corners of a box, body axes [m]: lower face first, counterclockwise seen from above."""
    assert body.shape is not None  # names_corners
    assert body.shape.box is not None
    x, y, z = (0.5 * edge for edge in body.shape.box)
    face = ((x, y), (-x, y), (-x, -y), (x, -y))
    return [(a, b, c) for c, (a, b) in product((-z, z), face)]
