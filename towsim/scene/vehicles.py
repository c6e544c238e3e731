"""What makes a robot a vehicle: mass, rotors or drive, limits, lag, drag and failures."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.bodies import Actuator, Body, Drag
from towsim.scene.motion import Motion
from towsim.scene.orientation import Carried, Frame, Orientation
from towsim.scene.piecewise import Samples
from towsim.scene.quantity import Named, Quantity, Vec3, Vector
from towsim.scene.rotors import ALL, COMMANDED, Failure, Rotors

Array = NDArray[np.float64]
Dynamics = Literal["kinematic", "point-mass", "ground", "quadcopter"]


class Vehicle(Declared):
    """The body of a dynamic robot; serves every ``dynamics``, so that one line switches a robot.

    A quadcopter has four rotors of at most ``max_thrust`` each, of which laws with a name ask for 0.9 all in all, so
    that some is left to turn with: rotors of 1 N lift 3.6 N. A point mass and a ground vehicle push with at most
    ``max_force``. All follow their commands with the time constant ``lag``.
    """

    LAWLESS: ClassVar = frozenset({"lag"})

    mass: Annotated[float, Quantity("mass", "kg", above=0.0)] = 2.0
    inertia: Annotated[Vec3, Vector("principal moments of a quadcopter", "kg m²", above=0.0)] | None = Field(
        default=None, description="principal moments [kg m²]; without them those of a cross of two rods of length 2 arm"
    )
    arm: Annotated[float, Quantity("distance of a rotor's axis from the centre", "m", above=0.0)] = 0.2
    moment_ratio: Annotated[float, Quantity("yaw moment over thrust", "m", above=0.0)] = 0.02
    max_thrust: Annotated[
        float, Quantity("largest thrust of a rotor; named laws ask for at most 0.9 of all four", "N", above=0.0)
    ] = 15.0
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

    A kinematic robot may be a frame that turns (``orientation``) and carries named ``points``: a ship with fairleads, a
    crane that slews. Wires and ball joints end at "robot.point"; in a result each point is a robot of that name.
    """

    LAWLESS: ClassVar = frozenset({"motion"})

    position: Annotated[Vec3, Vector("fixed position, world axes", "m")] | None = None
    motion: Motion | None = None
    orientation: Orientation | None = Field(
        default=None, description="how its axes are turned; without it they are those of the world"
    )
    points: Annotated[
        dict[str, Annotated[Vec3, Vector("point relative to the robot's position, robot's axes", "m")]],
        Named(),
        Field(description="named points that the robot carries [m]"),
    ] = Field(default={}, validate_default=True)
    dynamics: Dynamics = Field(default="kinematic", description="how it moves")
    vehicle: Vehicle = Vehicle()

    @model_validator(mode="after")
    def _check(self) -> Self:
        self.only("position", "motion")
        if self.dynamic:
            for name, given in (("orientation", self.orientation), ("points", self.points or None)):
                if given is not None:
                    raise problem(
                        f"is for kinematic robots, and this one is a {self.dynamics}, which has mass and turns as it "
                        "must; leave it out",
                        name,
                    )
        if self.orientation is not None and not self.points:
            raise problem(
                "turns nothing: wires end at points that it carries, and there are none; give it points, such as "
                "points: {bow: [4, 0, 1]}",
                "orientation",
            )
        whole = all(set(failure.rotors) == set(ALL) for failure in self.vehicle.failures)
        if not whole and self.point:
            raise problem(f"a {self.dynamics} has no rotors; leave out which of them fail", "vehicle", "failures")
        for name in self.vehicle.drag.turning if self.point else ():
            raise problem(f"a {self.dynamics} does not turn; leave this out", "vehicle", "drag", name)
        return self

    def outlined(self) -> Hashable:
        """Of a kinematic robot that it is one: how it moves is a known motion."""
        if self.dynamic:
            return super().outlined()
        return (Robot, *self.points) if self.points else Robot

    def carried(self) -> dict[str, Robot]:
        """Its points as robots of their own: posts, if it stands still."""
        turn = self.orientation or Orientation(quaternion=(1.0, 0.0, 0.0, 0.0))
        frame = Frame(self.motion, self.position or (0.0, 0.0, 0.0), turn)
        found = {}
        for name, offset in self.points.items():
            motion = Carried(frame=frame, offset=offset)
            x, y, z = motion.start().tolist()
            found[name] = Robot(position=(x, y, z)) if frame.stands else Robot(motion=motion)
        return found

    @property
    def dynamic(self) -> bool:
        """Whether it has a mass."""
        return self.dynamics != "kinematic"

    @property
    def point(self) -> bool:
        """Whether it has a mass and no orientation."""
        return self.dynamics in ("point-mass", "ground")

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
