"""Sensors: what they measure, how often, and how much noise they add."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from towsim.scene.base import Declared, problem
from towsim.scene.quantity import ENDS, Quantity, Text

Kind = Literal["load-cell", "pose", "velocity", "imu"]

MEASURED = Text(
    "a wire, of a load cell; a body or dynamic robot, of the others",
    pattern=ENDS.pattern,
    form="'wire', 'body' or 'robot'",
)

CHANNELS: dict[str, tuple[str, ...]] = {
    "load-cell": ("tension",),
    "pose": ("x", "y", "z", "qw", "qx", "qy", "qz"),
    "velocity": ("vx", "vy", "vz", "wx", "wy", "wz"),
    "imu": ("fx", "fy", "fz", "gx", "gy", "gz"),
}
"""What each kind gives: N; m and a unit quaternion; m/s and rad/s, world axes; m/s² (specific force) and rad/s, body
axes."""


class Sensor(Declared):
    """A sensor of a wire (``load-cell``) or of a body or dynamic robot (``pose``, ``velocity``, ``imu``).

    What it reads is recorded, and controllers see that in place of the truth. Noise is Gaussian, its seed that of the
    scene: the same seed gives the same numbers at the same readings, whatever else is measured and whatever the step.
    """

    LAWLESS: ClassVar = frozenset({"noise", "turn_noise"})

    kind: Kind = Field(description="what it reads")
    of: Annotated[str, MEASURED]
    rate: Annotated[float, Quantity("readings a second", "Hz", above=0.0)] = 250.0
    noise: Annotated[float, Quantity("standard deviation: N, m, m/s, or m/s² (imu)", "", least=0.0)] = 0.0
    turn_noise: Annotated[float, Quantity("standard deviation: rad (pose) or rad/s (velocity, imu)", "", least=0.0)] = (
        Field(default=0.0)
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.kind == "load-cell" and self.turn_noise > 0.0:
            raise problem("a load cell turns nothing; leave it out", "turn_noise")
        return self

    def channels(self) -> tuple[str, ...]:
        """Names of its numbers."""
        return CHANNELS[self.kind]
