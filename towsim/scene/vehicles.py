"""What makes a robot a vehicle: mass, rotors or drive, limits, lag, drag and failures."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.bodies import Actuator, Body, Drag
from towsim.scene.motion import Motion
from towsim.scene.piecewise import Samples
from towsim.scene.quantity import Quantity, Vec3, Vector
from towsim.scene.rotors import ALL, COMMANDED, Failure, Rotors

Array = NDArray[np.float64]
Dynamics = Literal["kinematic", "point-mass", "ground", "quadcopter"]


class Vehicle(Declared):
    """The body of a dynamic robot; serves every ``dynamics``, so that one line switches a robot.

    A quadcopter has four rotors of at most ``max_thrust`` each; a point mass and a ground vehicle push with at most
    ``max_force``. All follow their commands with the time constant ``lag``.
    """

    mass: Annotated[float, Quantity("mass", "kg", above=0.0)] = 2.0
    inertia: Annotated[Vec3, Vector("principal moments of a quadcopter", "kg m²", above=0.0)] | None = Field(
        default=None, description="principal moments [kg m²]; without them those of a cross of two rods of length 2 arm"
    )
    arm: Annotated[float, Quantity("distance of a rotor's axis from the centre", "m", above=0.0)] = 0.2
    moment_ratio: Annotated[float, Quantity("yaw moment over thrust", "m", above=0.0)] = 0.02
    max_thrust: Annotated[float, Quantity("largest thrust of a rotor", "N", above=0.0)] = 15.0
    max_force: Annotated[float, Quantity("largest force of a drive", "N", above=0.0)] = 100.0
    lag: Annotated[float, Quantity("time constant of rotors or drive", "s", least=0.0)] = 0.02
    drag: Drag = Drag()
    failures: tuple[Failure, ...] = Field(default=(), description="which rotors fail, and when; all: the vehicle")

    def moments(self) -> Vec3:
        """Principal moments of inertia [kg m²]."""
        if self.inertia is not None:
            return self.inertia
        rod = self.mass * self.arm * self.arm / 6.0  # half of the mass, length 2 arm
        return rod, rod, 2.0 * rod


class Robot(Declared):
    """A robot: a post that stands still, or a point that moves as declared.

    ``kinematic`` it does so whatever pulls on it; with other ``dynamics`` it is a vehicle with mass and limited drive
    that is controlled to do so (see ``Scene.controllers``), and a body of the result.
    """

    position: Annotated[Vec3, Vector("fixed position, world axes", "m")] | None = None
    motion: Motion | None = None
    dynamics: Dynamics = Field(default="kinematic", description="how it moves")
    vehicle: Vehicle = Vehicle()

    @model_validator(mode="after")
    def _check(self) -> Self:
        self.only("position", "motion")
        whole = all(set(failure.rotors) == set(ALL) for failure in self.vehicle.failures)
        if not whole and self.dynamics in ("point-mass", "ground"):
            raise problem(f"a {self.dynamics} has no rotors; leave out which of them fail", "vehicle", "failures")
        return self

    def outline(self) -> Hashable:
        """Of a kinematic robot that it is one: how it moves is a known motion."""
        return super().outline() if self.dynamic else Robot

    @property
    def dynamic(self) -> bool:
        """Whether it has a mass."""
        return self.dynamics != "kinematic"

    def sample(self, t: Array) -> Samples:
        """Position [m], velocity [m/s], acceleration [m/s²], (n, 3) each, at the times ``t`` (n,) [s]; world axes."""
        if self.motion is not None:
            return self.motion.sample(t)
        n = len(t)
        return np.tile(np.array(self.position), (n, 1)), np.zeros((n, 3)), np.zeros((n, 3))

    def start(self) -> Array:
        """Position (3,) [m] at t = 0; world axes."""
        return np.array(self.position) if self.motion is None else self.motion.start()

    def body(self) -> Body:
        """The body that a dynamic robot is, where it stands at t = 0."""
        position, velocity, _ = (tuple(map(float, each[0])) for each in self.sample(np.zeros(1)))
        one = self.vehicle
        where: dict[str, Any] = {"mass": one.mass, "position": position, "velocity": velocity, "drag": one.drag}
        if self.dynamics != "quadcopter":
            fails = min((failure.time for failure in one.failures), default=None)
            drive = Actuator(max_force=one.max_force, lag=one.lag, fails=fails, plane=self.dynamics == "ground")
            return Body(**where, point=True, actuator=drive)
        rotors = Rotors(
            arm=one.arm,
            moment_ratio=one.moment_ratio,
            thrust=COMMANDED,
            max_thrust=one.max_thrust,
            lag=one.lag,
            failures=one.failures,
        )
        return Body(**where, inertia=one.moments(), rotors=rotors)
