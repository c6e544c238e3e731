"""The ground: a plane that pushes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from towsim.scene.base import Declared
from towsim.scene.quantity import Direction, End, Quantity, Vec3


class Ground(Declared):
    """The half-space n·x < height is solid, with Coulomb friction.

    A contact "body.point" is that point; "body" is the surface of a body whose shape is a sphere, else its centre.
    """

    height: Annotated[float, Quantity("distance of the plane from the origin along the normal", "m")] = 0.0
    normal: Annotated[Vec3, Direction("upward normal, world axes; normalised")] = (0.0, 0.0, 1.0)
    friction: Annotated[float, Quantity("coefficient of friction", "", least=0.0)] = 0.0
    contacts: tuple[End, ...] = Field(default=(), description="what can touch the ground: 'body' or 'body.point'")
