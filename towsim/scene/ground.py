"""The ground: planes that push."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StrictBool,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from towsim.quote import show
from towsim.scene.base import Declared, collect, problem, problems
from towsim.scene.quantity import Direction, End, Quantity, Vec3


class Spring(Declared):
    """An elastic ground: a contact at the height z ≤ ``height`` is pushed by F = k (height − z) − c ż along the normal.

    F is not less than zero unless the ground ``pulls`` (the literal law of the 4-4 robot's paper).
    """

    LAWLESS: ClassVar = frozenset({"damping"})

    stiffness: Annotated[float, Quantity("stiffness k of each contact", "N/m", above=0.0)]
    damping: Annotated[float, Quantity("damping c of each contact", "N s/m", least=0.0)] = 0.0
    pulls: StrictBool = Field(default=False, description="whether the force may become negative")


class Restitution(Declared):
    """How contacts bounce: Newton's law, normal velocity after = −coefficient × before, for each contact by itself."""

    kind: Literal["newton"] = Field(default="newton", description="law of impact")
    coefficient: Annotated[float, Quantity("coefficient of restitution, 0 plastic .. 1 elastic", "", least=0.0)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.coefficient > 1.0:
            raise problem(f"must be <= 1, got {show(self.coefficient)}; more would create energy", "coefficient")
        return self


class Ground(Declared):
    """The half-space n·x < height is solid, with Coulomb friction; or elastic, without friction (``spring``).

    A contact "body.point" is that point; "body" is the surface of a body whose shape is a sphere, else its centre;
    "body.corners" are the eight corners of a body whose shape is a box.
    """

    LAWLESS: ClassVar = frozenset({"height"})

    height: Annotated[float, Quantity("distance of the plane from the origin along the normal", "m")] = 0.0
    normal: Annotated[Vec3, Direction("upward normal, world axes; normalised")] = (0.0, 0.0, 1.0)
    friction: Annotated[float, Quantity("coefficient of friction", "", least=0.0)] = 0.0
    restitution: Restitution | None = Field(default=None, description="how contacts bounce; without it, plastically")
    contacts: tuple[End, ...] = Field(
        default=(), description="what can touch the ground: 'body', 'body.point' or 'body.corners'"
    )
    spring: Spring | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.spring is not None and self.friction > 0.0:
            raise problem("an elastic ground has no friction; leave out one of spring and friction", "friction")
        if self.spring is not None and self.restitution is not None:
            raise problem("an elastic ground bounces by its spring; leave out one of spring and restitution", "spring")
        return self


class OneOrMore:
    """Marks a field that holds one plane, or a list of them."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: Any, one: Callable[[Any], Any]) -> Any:
            if not isinstance(value, list | tuple):
                return one(value)
            if not value:
                raise problem("must be a plane or a list of at least one, got []; leave it out for no ground")
            try:
                return TypeAdapter(tuple[Ground, ...]).validate_python(value)
            except ValidationError as error:
                raise problems(collect(error)) from None

        return core_schema.no_info_wrap_validator_function(read, handler.generate_schema(Ground))

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        one = handler(schema["schema"])
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}
