"""The ground: a plane that pushes."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, StrictBool, model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.quantity import Direction, End, Quantity, Vec3


class Spring(Declared):
    """An elastic ground: a contact at the height z ≤ ``height`` is pushed by F = k (height − z) − c ż along the normal.

    F is not less than zero unless the ground ``pulls`` (the literal law of the 4-4 robot's paper).
    """

    stiffness: Annotated[float, Quantity("stiffness k of each contact", "N/m", above=0.0)]
    damping: Annotated[float, Quantity("damping c of each contact", "N s/m", least=0.0)] = 0.0
    pulls: StrictBool = Field(default=False, description="whether the force may become negative")


class Ground(Declared):
    """The half-space n·x < height is solid, with Coulomb friction; or elastic, without friction (``spring``).

    A contact "body.point" is that point; "body" is the surface of a body whose shape is a sphere, else its centre.
    """

    height: Annotated[float, Quantity("distance of the plane from the origin along the normal", "m")] = 0.0
    normal: Annotated[Vec3, Direction("upward normal, world axes; normalised")] = (0.0, 0.0, 1.0)
    friction: Annotated[float, Quantity("coefficient of friction", "", least=0.0)] = 0.0
    contacts: tuple[End, ...] = Field(default=(), description="what can touch the ground: 'body' or 'body.point'")
    spring: Spring | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.spring is not None and self.friction > 0.0:
            raise problem("an elastic ground has no friction; leave out one of spring and friction", "friction")
        return self
