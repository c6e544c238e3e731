"""Winch drums with inertia: a body on a hinge whose angle c is how much of its wire is paid out, L = L₀ + r c.

    (I + n² I_m) c̈ = r T − n τ − d ċ

of the drum's inertia I, the motor's I_m behind a gear of ratio n, the wire's tension T, and the motor's torque τ, which
hauls in where it is positive. The tension is what the motor leaves: several such winches on one load have unique
tensions, however hard their wires are. ``expand`` makes the body and its joint, both called as the drum.

Stops hold c where L is ``shortest`` or the whole ``rope``: limits of the joint, which are off while the wire is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.bodies import Body
from towsim.scene.joints import Joint
from towsim.scene.quantity import Direction, End, Expression, Quantity, Vec3

if TYPE_CHECKING:
    from towsim.scene.wires import Wire


class Drum(Declared):
    """A drum at a "body", "body.point" or "robot", on a hinge, with a motor behind a gear, and a brake.

    The wire that names it runs from the wire's own end (an eye, or a pulley) to the drum; how the drum stands to that
    end does not matter. The motor's rotor counts as n² I_m that turns with the drum: exact on a robot, and on a body
    that does not turn about the drum's axis. One that does is turned back by n² I_m c̈, where a real rotor on that axis
    does so by n I_m c̈. Across it, which a body that carries the drum feels, the moment of inertia is the drum's, or
    half of all that turns where that is more. The drum stops where it has hauled the wire in to its ``shortest`` or
    paid out all of the ``rope``; without its wire it turns freely.
    """

    LAWLESS: ClassVar = frozenset({"motor_inertia"})
    LOADS: ClassVar = frozenset({"torque"})

    at: End
    axis: Annotated[Vec3, Direction("axis at the start, world axes")] = (0.0, 1.0, 0.0)
    radius: Annotated[float, Quantity("radius at which the wire lies", "m", above=0.0)]
    inertia: Annotated[float, Quantity("moment of inertia of the drum about its axis", "kg m²", above=0.0)]
    mass: Annotated[float, Quantity("mass of the drum, which matters on a body", "kg", above=0.0)] = 1.0
    gear: Annotated[float, Quantity("turns of the motor per turn of the drum", "1", above=0.0)] = 1.0
    motor_inertia: Annotated[float, Quantity("moment of inertia of the motor", "kg m²", least=0.0)] = 0.0
    torque: Annotated[float | str, Expression("torque of the motor; positive hauls in", "N m")] = 0.0
    max_torque: Annotated[float, Quantity("largest torque of the motor, either way", "N m", above=0.0)] | None = None
    damping: Annotated[float, Quantity("damping of the drum's turn", "N m s/rad", least=0.0)] = 0.0
    shortest: Annotated[float, Quantity("length off the drum at which it stops", "m", above=0.0)] = 0.01
    rope: Annotated[float, Quantity("length of the whole wire, on the drum and off it", "m", above=0.0)] | None = None
    release: Annotated[float, Quantity("time until which a brake holds the drum", "s", above=0.0)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.max_torque is not None and not isinstance(self.torque, str) and abs(self.torque) > self.max_torque:
            raise problem(
                f"is beyond max_torque: {self.max_torque:g} N m, got {self.torque:g} N m; a formula is cut off there",
                "torque",
            )
        return self

    def body(self, place: Vec3, velocity: Vec3, spin: Vec3) -> Body:
        """The turning body: I + n² I_m about its axis, and across it I, or half of that, as no body has less."""
        a = np.array(self.axis)
        about = self.inertia + self.gear**2 * self.motor_inertia
        across = max(self.inertia, 0.5 * about)
        inertia = across * np.eye(3) + (about - across) * np.outer(a, a)
        rows: Any = tuple(tuple(map(float, row)) for row in inertia)
        return Body(mass=self.mass, inertia=rows, position=place, velocity=velocity, angular_velocity=spin)

    def joints(self, name: str, wire: Wire | None) -> dict[str, Joint]:
        """Its hinge, with the motor; and the brake, while it holds."""
        limits = None
        if wire is not None:
            out = wire.length_at_start()
            most = np.inf if self.rope is None else (self.rope - out) / self.radius
            limits = ((self.shortest - out) / self.radius, min(most, 1e9))
        held = (
            {}
            if self.release is None
            else {f"{name}.brake": Joint(**self._ends(name), kind="fixed", detach=self.release)}
        )
        hinge = Joint(
            **self._ends(name),
            kind="revolute",
            axis=self.axis,
            damping=self.damping,
            motor=self._motor(),
            limits=limits,
        )
        return {name: hinge, **held}

    def _ends(self, name: str) -> dict[str, Any]:
        return {"from": self.at, "to": name}

    def _motor(self) -> float | str:
        if not isinstance(self.torque, str):
            return -self.gear * self.torque + 0.0
        cut = (
            self.torque
            if self.max_torque is None
            else f"min(max({self.torque}, -{self.max_torque!r}), {self.max_torque!r})"
        )
        return f"-{self.gear!r}*({cut})"
