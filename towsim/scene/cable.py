"""Models of a wire: ``rigid``, ``elastic``, ``mrfe`` or ``{mrfe: {...}}``, ``{spring: {...}}``."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictInt, model_validator

from towsim.quote import show
from towsim.scene.base import Declared, problem
from towsim.scene.quantity import Quantity, Series, Short

MOST_STRAIN = 1.0
"""Strain at which a run ends, whatever its method: ropes of nylon bear 0.3, and rubber this much."""

Bends = tuple[tuple[float, float], ...]


class _Rest(Series):
    """``straight``, or the two rest angles of each element."""

    def read(self, value: Any) -> Any:
        return "straight" if value == "straight" else super().read(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": "straight"}, super().schema()]}


class Mrfe(Declared):
    """A massive, elastic, damped cable of modified rigid finite elements (``model: mrfe`` or ``{mrfe: {...}}``).

    An element of length L/n_e is a universal joint (two revolutes with springs), a link of half its length, a
    prismatic joint (spring) and the other half. Each element bends about its y and then −x axis; the first joint is
    ``ball`` (no singular direction), ``zy`` (about z, then −y: for vertical cables, as in the 4-4 robot of the paper)
    or ``yx`` (about y, then −x).

    The ends: ``ball`` transmits no moment; ``clamped``, of an end on a robot, keeps the direction in which it starts;
    ``guided`` (``from_end`` only, and on the robot where one is at an end) has the first joint's springs act against
    the start direction in axes that move with the end but do not rotate with it (the exit point of the paper). One end
    at least is ``ball``: the free one, the one at a load that a robot holds, and ``to`` between two robots.

    It bears compression as well as tension: one that starts straight pushes its load away until it buckles. The
    variable ``tension`` is the size of its force on the load, whichever way that points, as ``tip_force`` tells.

    A cable that is longer than its ends are apart starts in the shape in which it hangs at rest, and moves as that does
    while its ends move slowly; where there is none (without gravity) in an arc of a circle.

    Source: Mamidi & Bandyopadhyay, Robotica 2024; five elements a cable are theirs.
    """

    key: ClassVar[str] = "mrfe"

    elements: StrictInt = Field(default=5, ge=1, le=100_000, description="number of elements n_e")
    first_joint: Literal["ball", "zy", "yx"] = Field(default="ball", description="axes of the first joint")
    from_end: Literal["ball", "clamped", "guided"] = Field(default="ball", description="how the end 'from' is held")
    to_end: Literal["ball", "clamped"] = Field(default="ball", description="how the end 'to' is held")
    rest: Annotated[
        Literal["straight"] | Bends, _Rest("straight, or for each element its two rest angles", "rad", count=2)
    ] = "straight"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.rest != "straight" and len(self.rest) != self.elements:
            raise problem(f"must have one pair of angles for each of the {self.elements} elements", "rest")
        return self


class SpringDamper(Declared):
    """A massless spring and damper that pulls and pushes (``model: {spring: {...}}``): a fender, a cylinder, a tow-bar.

    It pulls with T = stiffness · (d − length) + damping · (ḋ − rate of length), d the distance of its ends; less than
    zero where it pushes. The length may change as that of any wire does: a cylinder.
    """

    key: ClassVar[str] = "spring"

    LAWLESS: ClassVar = frozenset({"damping"})

    stiffness: Annotated[float, Quantity("stiffness", "N/m", above=0.0)]
    damping: Annotated[float, Quantity("damping", "N s/m", least=0.0)] = 0.0


class _Cable(Declared):
    mrfe: Mrfe | None = None
    spring: SpringDamper | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        self.only("mrfe", "spring")
        return self

    @staticmethod
    def of(value: Any) -> Any:
        """A model in its mapping; anything else as it is."""
        if isinstance(value, Mrfe):
            return _Cable(mrfe=value)
        return _Cable(spring=value) if isinstance(value, SpringDamper) else value


class _Word(Quantity):
    def read(self, value: Any) -> Any:
        if value == "mrfe":
            return Mrfe()
        if value not in ("rigid", "elastic"):
            if value == "spring":
                raise problem("a spring needs its stiffness, such as {spring: {stiffness: 1.0e4, damping: 100}}")
            raise problem(f"must be rigid, elastic, mrfe, {{mrfe: {{...}}}} or {{spring: {{...}}}}, got {show(value)}")
        return value

    def schema(self) -> dict[str, Any]:
        return {"enum": ["rigid", "elastic", "mrfe"]}


CableModel = Annotated[
    Literal["rigid", "elastic"] | Mrfe | SpringDamper,
    Short(
        _Cable,
        _Word(
            "rigid (inextensible), elastic (a spring that only pulls; both massless), mrfe (massive; or "
            "{mrfe: {...}}, see Mrfe), or {spring: {...}} (pulls and pushes, see SpringDamper)"
        ),
    ),
    BeforeValidator(_Cable.of),
    AfterValidator(lambda value: value.mrfe or value.spring if isinstance(value, _Cable) else value),
]
