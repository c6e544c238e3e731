"""Controllers that are shipped: named laws with numbers; what each of them commands, follows and may do.

Bandwidths are natural frequencies ω [rad/s] of the error dynamics ë + 2ζω ė + ω² e = 0 that a law aims at. Each law is
sampled at its own ``rate``; its commands are held in between. Sources stand with the laws, in ``towsim/control``.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError, model_validator
from pydantic_core import CoreSchema, core_schema

from towsim.quote import show
from towsim.scene.base import Declared, collect, problem, problems
from towsim.scene.motion import Motion
from towsim.scene.quantity import End, Expression, Quantity
from towsim.suggest import unknown

Hertz = Annotated[float, Quantity("samples a second; commands are held in between", "Hz", above=0.0)]
Bandwidth = Annotated[float, Quantity("natural frequency", "rad/s", above=0.0)]


class Law(Declared):
    """What all controllers of vehicles share."""

    LAWLESS: ClassVar = frozenset({"integral"})

    bandwidth: Bandwidth = 2.0
    damping: Annotated[float, Quantity("damping ratio of the position's error", "", above=0.0)] = 1.0
    integral: Annotated[float, Quantity("rate at which a lasting error is integrated away", "1/s", least=0.0)] = 0.3
    attitude_bandwidth: Bandwidth = 20.0
    rate: Hertz = 250.0
    lost: Annotated[float, Quantity("error of position at which the run is given up", "m", above=0.0)] = 20.0


class Track(Law):
    """Vehicles that follow their own declared motion; every dynamic robot without another controller has one."""

    law: Literal["track"] = Field(default="track", description="which law")
    vehicles: tuple[End, ...] = Field(description="dynamic robots")


class SlungLoad(Law):
    """A quadcopter that carries a load on one wire along a path of the load."""

    LAWLESS: ClassVar = Law.LAWLESS | {"path"}

    law: Literal["slung-load"] = Field(default="slung-load", description="which law")
    vehicle: End = Field(description="the quadcopter, with one wire to the load")
    load: End = Field(description="the body that is carried")
    path: Motion
    wire_bandwidth: Bandwidth = 5.0


class Carry(Law):
    """Quadcopters that together carry a load along a path of the load.

    Wires to a point mass lean outwards, so that the vehicles keep apart: to the sides to which they do at the start, or
    evenly where these are not apart. A vehicle that fails, or whose wire is cut, breaks or is detached, has no share of
    the load any more; one that can still fly gets out of the way, upwards, and hovers.
    """

    LAWLESS: ClassVar = Law.LAWLESS | {"path", "heading"}

    law: Literal["carry"] = Field(default="carry", description="which law")
    vehicles: tuple[End, ...] = Field(description="quadcopters, each with one wire to the load")
    load: End = Field(description="the body that is carried")
    path: Motion
    heading: Annotated[float, Quantity("angle of the load about the vertical", "rad")] = 0.0
    wire_bandwidth: Bandwidth = 3.0
    load_bandwidth: Bandwidth = 3.0
    spread: (
        Annotated[float, Quantity("outward slope of the wires (default 0; 0.4 for a point mass)", "", least=0.0)] | None
    ) = None


class OfWinch(Declared):
    """What laws that command a winch have in common: checks, and derived variables, ask for no more."""

    law: str
    wire: End = Field(description="a wire that has a winch")


class WinchControl(OfWinch):
    """A winch: at a ``rate``, to a ``length``, or to a ``tension``.

    A tension T is reached by paying out at gain (T − target) + integral, where ``restoring`` is the integral's rate.
    """

    LAWLESS: ClassVar = frozenset({"target", "restoring"})

    law: Literal["winch"] = Field(default="winch", description="which law")
    mode: Literal["rate", "length", "tension"] = Field(description="what is held")
    target: Annotated[float | str, Expression("m/s, m or N, or a formula in t")]
    gain: Annotated[float, Quantity("(length) 1/s, (tension) m/s per N", "", above=0.0)] | None = None
    restoring: Annotated[float, Quantity("(tension) rate of the integral", "1/s", least=0.0)] = 1.0
    rate: Hertz = 250.0

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.mode == "tension" and self.gain is None:
            raise problem("a tension needs a gain [m/s per N]: how fast to pay out for a newton too much", "gain")
        if self.mode == "rate" and self.gain is not None:
            raise problem("is for the modes length and tension; leave it out", "gain")
        return self


Controller = Track | SlungLoad | Carry | WinchControl
LAWS: dict[str, type[Declared]] = {
    law.model_fields["law"].default: law for law in (Track, SlungLoad, Carry, WinchControl)
}


class ByLaw:
    """Marks a field that holds one of the laws, told by its ``law``."""

    laws: ClassVar = LAWS

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: Any, _: Any) -> Any:
            if isinstance(value, tuple(LAWS.values())):
                return value
            if not isinstance(value, dict):
                raise problem(f"must be a mapping (key: value), got {show(value)}")
            if "law" not in value:
                raise problem(f"'law' is missing, one of {', '.join(LAWS)}")
            if not isinstance(value["law"], str) or value["law"] not in LAWS:
                raise problem(unknown("controller", value["law"], LAWS), "law")
            try:
                return LAWS[value["law"]].model_validate(value)
            except ValidationError as error:
                raise problems(collect(error)) from None

        return core_schema.no_info_wrap_validator_function(read, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(schema["schema"])
