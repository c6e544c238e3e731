"""Numbers with a meaning, a unit and a range: the field types of the scene classes.

Strict: no text, no booleans, no NaN or infinity, and nothing beyond any physical scale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from towsim.errors import SceneError
from towsim.quote import show
from towsim.scene.base import FrozenDict, Problem, problem, problems
from towsim.scene.formula import bind, formula, is_free

Vec3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

# Beyond any physical value in SI units, either way; products and cubes of such numbers are still ordinary floats.
LARGEST = 1e30
SMALLEST = 1e-30

NONE: Mapping[str, float] = MappingProxyType({})
"""No parameters."""


def _plain(value: Any) -> bool:
    """Whether a value is a number as a scene keeps it."""
    return type(value) is float and -LARGEST <= value <= LARGEST


@dataclass(frozen=True, slots=True)
class Quantity:
    """A field type: reads one plain value, and describes itself in the JSON Schema.

    ``above`` and ``least`` are lower bounds, exclusive and inclusive.
    """

    meaning: str
    unit: str = ""
    above: float | None = None
    least: float | None = None

    def read(self, value: Any) -> Any:
        """The value as a float in range, or a :func:`problem`."""
        return self.number(value)

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the value."""
        return self.number_schema()

    def number(self, value: Any, *loc: int | str) -> float:
        """One strict number; ``loc`` is its place inside the field."""
        unit = f" {self.unit}" if self.unit else ""
        if isinstance(value, np.generic):
            value = value.item()
        if type(value) not in (float, int):
            raise problem(f"must be a number{f' [{self.unit}]' if unit else ''}, got {show(value)}", *loc)
        if not abs(value) <= LARGEST:
            raise problem(f"must be a finite number (at most {LARGEST:g}{unit}), got {show(value)}", *loc)
        if self.above is not None and not value > self.above:
            raise problem(f"must be > {self.above:g}{unit}, got {show(value)}", *loc)
        if self.above is not None and not value >= self.above + SMALLEST:
            raise problem(f"must be at least {SMALLEST:g}{unit}, got {show(value)}", *loc)
        if self.least is not None and not value >= self.least:
            raise problem(f"must be >= {self.least:g}{unit}, got {show(value)}", *loc)
        return float(value)

    def numbers(self, value: Any, count: int | None = None, *loc: int) -> tuple[float, ...]:
        """A list of strict numbers, ``count`` of them if given."""
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, list | tuple) or (count is not None and len(value) != count):
            raise problem(f"must be a list of {'' if count is None else f'{count} '}numbers, got {show(value)}", *loc)
        if self.above is None and self.least is None and all(map(_plain, value)):
            return tuple(value)
        return tuple(self.number(item, *loc, i) for i, item in enumerate(value))

    def number_schema(self) -> dict[str, Any]:
        """JSON Schema of one number."""
        schema: dict[str, Any] = {"type": "number"}
        if self.above is not None:
            schema["exclusiveMinimum"] = self.above
        if self.least is not None:
            schema["minimum"] = self.least
        return schema

    def described(self) -> dict[str, Any]:
        """JSON Schema with meaning and unit."""
        return self.schema() | {"description": self.meaning + (f" [{self.unit}]" if self.unit else "")}

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return self.described()


@dataclass(frozen=True, slots=True)
class Vector(Quantity):
    """A list of ``count`` numbers."""

    count: int = 3

    def read(self, value: Any) -> tuple[float, ...]:
        """The value as a tuple of floats."""
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, list | tuple) or len(value) != self.count:
            raise problem(f"must be a list of {self.count} numbers ({self.meaning}), got {show(value)}")
        return self.numbers(value)

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the list."""
        return list_schema(self.number_schema(), self.count)


@dataclass(frozen=True, slots=True)
class Direction(Vector):
    """A list of numbers that must not all be (nearly) zero; normalised to length 1."""

    def read(self, value: Any) -> tuple[float, ...]:
        """The value divided by its length."""
        numbers = self.numbers(value, self.count)
        length = sum(x * x for x in numbers) ** 0.5
        if not length > 1e-9:
            raise problem(f"must not be zero, got {show(value)}")
        # What is of length 1 to rounding stays as it is: a saved scene loads bit for bit.
        return numbers if abs(length - 1.0) < 1e-14 else tuple(x / length for x in numbers)


@dataclass(frozen=True, slots=True)
class Series(Quantity):
    """A list of numbers, or with ``count`` a list of lists of ``count`` numbers."""

    count: int | None = None

    def read(self, value: Any) -> tuple[Any, ...]:
        """The value as nested tuples of floats."""
        if self.count is None:
            return self.numbers(value)
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, list | tuple):
            raise problem(f"must be a list of lists of {self.count} numbers, got {show(value)}")
        return tuple(self.numbers(row, self.count, i) for i, row in enumerate(value))

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the list."""
        number = self.number_schema()
        return {"type": "array", "items": number if self.count is None else list_schema(number, self.count)}


@dataclass(frozen=True, slots=True)
class Expression(Quantity):
    """A number, or the text of a formula in t and the scene's parameters."""

    def read(self, value: Any, parameters: Mapping[str, float] = NONE) -> Any:
        """The number, or the text of the formula with the values of parameters, after parsing it."""
        if not isinstance(value, str):
            return self.number(value)
        try:
            text = bind(value, parameters)
            formula(text)
        except SceneError as error:
            raise problem(str(error)) from None
        return text

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: Any, info: ValidationInfo) -> Any:
            return self.read(value, (info.context or {}).get("parameters", NONE))

        return core_schema.with_info_plain_validator_function(read)

    def schema(self) -> dict[str, Any]:
        """JSON Schema: number or text."""
        return {"anyOf": [self.number_schema(), {"type": "string", "maxLength": 1000}]}


_compiled = cache(re.compile)


@dataclass(frozen=True, slots=True)
class Text(Quantity):
    """Printable text; with ``pattern`` a name-like one, described by ``form``."""

    pattern: str = ""
    form: str = ""

    def read(self, value: Any) -> str:
        """The text itself."""
        if not isinstance(value, str):
            raise problem(f"must be text, got {show(value)}")
        if not self.fits(value):
            raise problem(f"must be {self.form or 'text that can be written as UTF-8'}, got {show(value)}")
        return value

    def fits(self, text: str) -> bool:
        """Whether the text has the form; a name is printable, other text must not hold half a character."""
        if self.pattern:
            return _compiled(self.pattern).fullmatch(text) is not None and text.isprintable()
        return not any("\ud800" <= c <= "\udfff" for c in text)

    def schema(self) -> dict[str, Any]:
        """JSON Schema: text."""
        return {"type": "string"} | ({"pattern": f"^(?:{self.pattern})$"} if self.pattern else {})


@dataclass(frozen=True, slots=True)
class Short:
    """A short form beside a mapping: what is neither a mapping nor ``model`` is read by ``short``."""

    model: type[BaseModel]
    short: Quantity

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: Any, long: Callable[[Any], Any]) -> Any:
            return long(value) if isinstance(value, Mapping | BaseModel) else self.short.read(value)

        return core_schema.no_info_wrap_validator_function(read, handler.generate_schema(self.model))

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"description": self.short.meaning, "anyOf": [self.short.described(), handler(schema["schema"])]}


def list_schema(items: dict[str, Any], count: int) -> dict[str, Any]:
    """JSON Schema of a list of exactly ``count`` items."""
    return {"type": "array", "items": items, "minItems": count, "maxItems": count}


# Letters, digits, - and _; in ASCII this is exact, so that the pattern means the same to every JSON Schema tool.
NAME = r"[^\x00-\x2c./:-@\[-^`{-\x7f]{1,64}"
NAMES = Text("name", pattern=NAME, form="a name: up to 64 letters, digits, _ and - (no dots, no blanks)")
ENDS = Text(
    "a body, a robot, or a point of one",
    pattern=rf"{NAME}(\.{NAME})?",
    form="'body', 'robot', 'body.point' or 'robot.point'",
)
End = Annotated[str, ENDS]


class Named:
    """Makes a dict of named objects frozen, and its keys proper names."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(schema) | {"propertyNames": {"pattern": f"^(?:{NAME})$"}}

    @staticmethod
    def read(mapping: dict[str, Any]) -> FrozenDict[str, Any]:
        """The mapping, frozen, or the :func:`problems` of its names."""
        wrong = [Problem((key,), f"must be {NAMES.form}, got {show(key)}") for key in mapping if not NAMES.fits(key)]
        if wrong:
            raise problems(wrong)
        return FrozenDict(mapping)


@dataclass(frozen=True, slots=True)
class Constants(Quantity):
    """Numbers by names that formulas may use."""

    def read(self, value: Any) -> FrozenDict[str, float]:
        """The numbers, frozen, or the :func:`problems` of names and values."""
        if not isinstance(value, Mapping):
            raise problem(f"must be a mapping (name: number), got {show(value)}")
        wrong = [
            Problem(
                (name if isinstance(name, str) else show(name),), "formulas cannot use this name; choose another one"
            )
            for name in value
            if not (isinstance(name, str) and is_free(name))
        ]
        if wrong:
            raise problems(wrong)
        return FrozenDict({name: self.number(number, name) for name, number in value.items()})

    def schema(self) -> dict[str, Any]:
        """JSON Schema: a mapping of numbers."""
        return {"type": "object", "additionalProperties": self.number_schema()}
