"""Joints between bodies, or between a body and a robot (a standing one is the world)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, StrictBool, model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.formula import formula
from towsim.scene.motion import plane_axes
from towsim.scene.quantity import Direction, End, Expression, Quantity, Vec3, Vector

Array = NDArray[np.float64]
AXIAL = ("revolute", "prismatic")
"""Kinds that leave one coordinate free, about or along their axis."""


class JointSpring(Declared):
    """Force −stiffness (c − rest) along the joint's coordinate c; torque for a revolute joint."""

    LAWLESS: ClassVar = frozenset({"rest"})

    stiffness: Annotated[float, Quantity("stiffness", "N/m or N m/rad", above=0.0)]
    rest: Annotated[float, Quantity("coordinate at rest", "m or rad")] = 0.0


class Joint(Declared):
    """Two ends, each "body", "body.point", "robot" or "robot.point", that stay together as the kind says.

    ball: one place; revolute: one place and one axis; prismatic: ``to`` slides along an axis carried by ``from``,
    without turning; fixed: one place and one orientation. What they hold in orientation is that of the start. A robot
    that turns takes ball joints only; a point mass, or a vehicle that cannot turn, has no orientation: it can only be
    part of a ball joint or slide along an axis.

    With ``reduced`` a joint needs no rows: its bodies move in the joints' coordinates, as a tree of links, free or on a
    robot, and cannot drift apart. For ball, revolute and prismatic joints without limits; methods stewart-trinkle and
    shake.

    The coordinate c of a joint with an axis is the angle by which ``to`` has turned about it, relative to ``from`` and
    to the start, or the distance of ``to`` from ``from`` along it. A ``motor`` gives its force, a ``motion`` gives c
    itself, with whatever force that takes.
    """

    LAWLESS: ClassVar = frozenset({"motion"})
    LOADS: ClassVar = frozenset({"motor"})

    kind: Literal["ball", "revolute", "prismatic", "fixed"] = Field(
        default="ball", description="ball, revolute (turns about an axis), prismatic (slides along an axis) or fixed"
    )
    from_: End = Field(validation_alias="from", serialization_alias="from")
    to: End
    axis: Annotated[Vec3, Direction("axis at the start, world axes; normalised")] | None = None
    spring: JointSpring | None = None
    damping: Annotated[float, Quantity("damping of the coordinate's rate", "N s/m or N m s/rad", least=0.0)] = 0.0
    limits: Annotated[tuple[float, float], Vector("least and largest coordinate", "m or rad", count=2)] | None = None
    reduced: StrictBool = Field(default=False, description="move its bodies in the joint's coordinates, without rows")
    detach: Annotated[float, Quantity("time at which it comes apart", "s", least=0.0)] | None = None
    motor: Annotated[float | str, Expression("force along, or torque about the axis on 'to'", "N or N m")] = 0.0
    motion: Annotated[float | str, Expression("the coordinate, given", "m or rad")] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.kind in AXIAL:
            if self.axis is None:
                raise problem(f"a {self.kind} joint needs an axis, such as axis: [0, 0, 1]")
        else:
            for name in ("axis", "spring", "damping", "limits", "motor", "motion"):
                if getattr(self, name) != type(self).model_fields[name].default:
                    raise problem(f"a {self.kind} joint has no axis; leave this out, or choose another kind", name)
        if self.limits is not None and not self.limits[0] < self.limits[1]:
            raise problem(f"the first must be less than the second, got {list(self.limits)}", "limits")
        if self.motion is not None:
            for name in ("limits", "motor"):
                if getattr(self, name) != type(self).model_fields[name].default:
                    raise problem("the motion of this joint is given; leave this out, or the motion", name)
        if self.reduced:
            if self.kind == "fixed":
                raise problem("a fixed joint has no coordinate; make one body of the two", "reduced")
            for name in ("limits", "detach", "motion"):
                if getattr(self, name) is not None:
                    raise problem(f"a reduced joint takes no {name}; leave it out, or reduced: false", name)
        return self

    def motion_at(self, t: Array) -> tuple[Array, Array]:
        """The given coordinate [m or rad] and its rate, (n,) each, at the times ``t`` (n,) [s]."""
        assert self.motion is not None
        if isinstance(self.motion, str):
            return formula(self.motion).sample(t)[:2]
        return np.full(len(t), self.motion), np.zeros(len(t))

    @property
    def oriented(self) -> tuple[str, ...]:
        """Which of its ends have to have an orientation: ``from``, ``to``."""
        return {"ball": (), "prismatic": ("from",)}.get(self.kind, ("from", "to"))

    @property
    def tied(self) -> tuple[Array, ...]:
        """Directions in which its ends are in one place at the start, world axes."""
        if self.kind == "prismatic" and self.axis is not None:
            return plane_axes(self.axis)
        return tuple(np.eye(3))
