"""A case to verify, as a file: a scene, and what must come out of it. Plain data: nothing in it is executed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from towsim.errors import UsageError
from towsim.quote import show
from towsim.scene import Scene, data_from_text
from towsim.scene.base import Declared, collect, problem, scene_error
from towsim.scene.formula import formula
from towsim.scene.quantity import NONE, Expression, Quantity, Text
from towsim.scene.run import ROUNDED

BUILT_IN = Path(__file__).parent / "cases"


class _Expected(Expression):
    """``start``, a number, or a formula in t."""

    def read(self, value: Any, parameters: Mapping[str, float] = NONE) -> Any:
        return "start" if value == "start" else super().read(value, parameters)


class Check(Declared):
    """One quantity of a run, and what it should be at every instant.

    ``quantity`` is a variable of a result (position, tension, ..), or energy, linear_momentum, angular_momentum of all
    bodies, or (of the smooth formulations) drift. ``method`` is one of ``simulate`` or a formulation. With ``order``
    the run is repeated with half the step, and the error must fall with at least that order (less 0.3).
    """

    quantity: Annotated[str, Text("a result's variable, energy, linear_momentum, angular_momentum or drift")]
    of: Annotated[str, Text("body, wire or joint")] | None = None
    axis: Literal["x", "y", "z"] | None = None
    expected: Annotated[float | str, _Expected("start (the value at the start), a number, or a formula in t")]
    tolerance: Annotated[float, Quantity("largest error allowed, in the quantity's unit", least=0.0)]
    method: Annotated[str, Text("method of simulate, or formulation")] = "stewart-trinkle"
    step: Annotated[float, Quantity("time step", "s", above=0.0)] = 1e-3
    after: Annotated[float, Quantity("look from this time on", "s", least=0.0)] = 0.0
    until: Annotated[float, Quantity("look until this time", "s", above=0.0)] | None = None
    order: Annotated[float, Quantity("order with which the error falls", least=0.0)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if isinstance(self.expected, str) and self.expected != "start":
            formula(self.expected)
        return self


class Case(Declared):
    """A scene and its checks."""

    schema_version: Literal[1] = Field(validation_alias="verify", serialization_alias="verify")
    name: Annotated[str, Text("name of the case")]
    description: Annotated[str, Text("the law that it checks")] = ""
    scene: Scene
    duration: Annotated[float, Quantity("simulated time", "s", above=0.0)]
    checks: tuple[Check, ...]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.checks:
            raise problem("there is nothing to check", "checks")
        for i, check in enumerate(self.checks):
            if not self.duration >= (1.0 - ROUNDED) * check.step:
                raise problem(
                    f"must not exceed the duration, {self.duration:.9g} s, got {check.step:.9g}", "checks", i, "step"
                )
        return self


def load_case(path: str | Path) -> Case:
    """The case that a YAML file declares.

    Raises
    ------
    UsageError : the file cannot be read
    SceneError : it is no case; all that is wrong, one line each
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    data = data_from_text(text, name=str(path))
    if not isinstance(data, dict):
        raise UsageError(f"{path}: a case is a mapping (verify: 1, name: .., scene: .., checks: ..), got {show(data)}")
    try:
        return Case.model_validate(data, context={"folder": path.parent})
    except ValidationError as error:
        raise scene_error(collect(error), str(path)) from None


def built_in() -> list[Path]:
    """Files of the cases that come with towsim."""
    return sorted(BUILT_IN.glob("*.yaml"))
