"""Joints between bodies, or between a body and a robot."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from towsim.scene.base import Declared
from towsim.scene.quantity import End


class Joint(Declared):
    """A ball joint: the two ends, each "body", "body.point" or "robot", stay at one place."""

    kind: Literal["ball"] = Field(default="ball", description="ball: three translations are tied, rotation is free")
    from_: End = Field(validation_alias="from", serialization_alias="from")
    to: End
