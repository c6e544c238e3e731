"""Wires: what they join, how long they are (winch programmes), and what they are made of."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BeforeValidator, Field, StrictInt, model_validator

from towsim.scene.base import Declared, problem, show
from towsim.scene.formula import formula
from towsim.scene.motion import check_times
from towsim.scene.piecewise import Piecewise, through
from towsim.scene.quantity import End, Expression, Quantity, Series, Short

Array = NDArray[np.float64]


class LengthPoints(Declared):
    """Lengths reached at given times: quintic (at rest at each) or cubic (one C² spline); constant outside."""

    t: Annotated[tuple[float, ...], Series("times", "s")]
    length: Annotated[tuple[float, ...], Series("lengths at these times", "m", above=0.0)]
    kind: Literal["quintic", "cubic"] = "quintic"

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_times(self.t, self.length, "length")
        return self

    def curve(self) -> Piecewise:
        """The length (one column) as polynomials between its times."""
        return through(self.t, tuple((length,) for length in self.length), self.kind)


class Length(Declared):
    """A winch programme L(t): ``start`` and a constant ``rate``, waypoints, or a formula."""

    start: Annotated[float, Quantity("length at t = 0", "m", above=0.0)] | None = None
    rate: Annotated[float, Quantity("constant rate; negative hauls in", "m/s")] = 0.0
    waypoints: LengthPoints | None = None
    formula: Annotated[float | str, Expression("length as a formula in t", "m", above=0.0)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.only("start", "waypoints", "formula") != "start" and self.rate != 0.0:
            raise problem("a rate needs a start", "rate")
        return self

    def sample(self, t: Array) -> tuple[Array, Array]:
        """Length [m] and its rate [m/s], (n,) each, at the times ``t`` (n,) [s]."""
        if self.waypoints is not None:
            length, rate, _ = self.waypoints.curve().sample(t)
            return length[:, 0], rate[:, 0]
        if isinstance(self.formula, str):
            length, rate, _ = formula(self.formula).sample(t)
            return length, rate
        start = self.formula if self.start is None else self.start
        assert start is not None  # _check
        return start + self.rate * t, np.full(len(t), self.rate)


class Mrfe(Declared):
    """A massive, elastic, damped cable of modified rigid finite elements (``model: {mrfe: {...}}``)."""

    key: ClassVar[str] = "mrfe"

    elements: StrictInt = Field(ge=1, le=100_000, description="number of elements")
    diameter: Annotated[float, Quantity("diameter of the solid cross-section", "m", above=0.0)]
    density: Annotated[float, Quantity("density", "kg/m³", above=0.0)]
    youngs_modulus: Annotated[float, Quantity("Young's modulus E", "Pa", above=0.0)]
    damping_modulus: Annotated[float, Quantity("damping modulus of the same form as E", "Pa s", least=0.0)] = 0.0

    @property
    def area(self) -> float:
        """Cross-section A = π d²/4 [m²]."""
        return 0.25 * math.pi * self.diameter**2

    @property
    def second_moment(self) -> float:
        """Second moment of area I = π d⁴/64 [m⁴]."""
        return math.pi / 64.0 * self.diameter**4


class _Cable(Declared):
    mrfe: Mrfe


class _Rigid(Quantity):
    def read(self, value: Any) -> str:
        if value != "rigid":
            raise problem(f"must be rigid or {{mrfe: {{...}}}}, got {show(value)}")
        return "rigid"

    def schema(self) -> dict[str, Any]:
        return {"const": "rigid"}


Model = Annotated[
    Literal["rigid"] | Mrfe,
    Short(_Cable, _Rigid("inextensible and massless")),
    BeforeValidator(lambda value: _Cable(mrfe=value) if isinstance(value, Mrfe) else value),
    AfterValidator(lambda value: value.mrfe if isinstance(value, _Cable) else value),
]


class Wire(Declared):
    """A wire between two ends, each "body", "body.point" or "robot": it pulls, it never pushes and never stretches."""

    from_: End = Field(validation_alias="from", serialization_alias="from")
    to: End
    length: Annotated[float | Length, Short(Length, Quantity("length", "m", above=0.0))]
    model: Model = "rigid"

    def length_at(self, t: Array) -> tuple[Array, Array]:
        """Length L [m] and rate L̇ [m/s], (n,) each, at the times ``t`` (n,) [s]."""
        if isinstance(self.length, Length):
            return self.length.sample(t)
        return np.full(len(t), self.length), np.zeros(len(t))
