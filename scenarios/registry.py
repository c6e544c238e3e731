"""Named scenarios: a function that builds a scene, its run defaults, and a check of its own physics.

One file a scenario: ``four-robots-box`` lives in ``scenarios/four_robots_box.py``, which is found by its name. Under
``@scenario(name, duration=.., step=.., summary=..)`` stands a function that builds the scene; its keywords, each with a
type, a default and a line ``name : meaning [unit]`` of its own in the docstring, are the scenario's parameters. Under
``@four_robots_box.check`` stands a function that makes a list of ``Check`` of a result. ``scenarios/slack_jerk.py`` is
a short one to copy.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsFloat, overload

from towsim.errors import TowsimError, UsageError
from towsim.quote import show
from towsim.suggest import is_one_of, unknown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from towsim import Result, Scene


@dataclass(frozen=True, slots=True)
class Check:
    """One physical fact a run was held against.

    Attributes
    ----------
    name : what was checked
    value : what the run gave
    expected : what it had to be, as text, such as ``<= 2e-06``
    unit : unit of both
    passed : whether it was met; NaN never is
    """

    name: str
    value: float
    expected: str
    unit: str
    passed: bool

    @classmethod
    def below(cls, name: str, value: SupportsFloat, limit: SupportsFloat, unit: str = "1") -> Check:
        """``value`` must not exceed ``limit``."""
        value, limit = float(value), float(limit)
        return cls(name, value, f"<= {limit:.6g}", unit, value <= limit)

    @classmethod
    def above(cls, name: str, value: SupportsFloat, limit: SupportsFloat, unit: str = "1") -> Check:
        """``value`` must reach ``limit``."""
        value, limit = float(value), float(limit)
        return cls(name, value, f">= {limit:.6g}", unit, value >= limit)

    @classmethod
    def close(
        cls, name: str, value: SupportsFloat, expected: SupportsFloat, tolerance: SupportsFloat, unit: str = "1"
    ) -> Check:
        """``value`` must be within ``tolerance`` (absolute) of ``expected``."""
        value, expected, tolerance = float(value), float(expected), float(tolerance)
        return cls(name, value, f"{expected:.6g} ± {tolerance:.2g}", unit, abs(value - expected) <= tolerance)


CheckFunction = Callable[["Result"], list[Check]]
DrawingFunction = Callable[["Result", "Figure | None"], "Figure"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A keyword of a scenario's ``build``: name, default, type and one line of text."""

    name: str
    default: Any
    type: type
    doc: str


class Scenario:
    """A named scene with parameters, run defaults and a check.

    Attributes
    ----------
    name, summary, doc : what it is called, shows, and shows at length
    topic : the group that it is listed in, one of ``TOPICS`` if it comes with towsim
    parameters : its ``Parameter`` by name
    defaults : keywords for ``towsim.simulate`` (``duration``, ``step``, ...)
    solvers : the solver back-ends it claims; None means all that can take its problem
    """

    def __init__(
        self,
        build: Callable[..., Scene],
        *,
        name: str,
        summary: str,
        topic: str,
        defaults: Mapping[str, Any],
        solvers: tuple[str, ...] | None,
    ) -> None:
        self.name = name
        self.summary = summary
        self.topic = topic
        self.doc = inspect.getdoc(build) or summary
        self.defaults = dict(defaults)
        self.solvers = solvers
        self.module = build.__module__
        self.parameters = _parameters(build, self.doc)
        self._build = build
        self._check: CheckFunction | None = None
        self._drawing: DrawingFunction | None = None

    def build(self, **parameters: Any) -> Scene:
        """The scene for these parameters; those not given take their defaults.

        Raises
        ------
        UsageError : an unknown parameter, a value of the wrong type, or values with which there is no such scene
        """
        given = {name: self._converted(name, value) for name, value in parameters.items()}
        try:
            return self._build(**given)
        except (ArithmeticError, ValueError) as error:  # a root of what is negative, a division by zero
            if isinstance(error, TowsimError) or not given:
                raise
            told = ", ".join(f"{name}={show(value)} ({self.parameters[name].doc})" for name, value in given.items())
            raise UsageError(f"scenario {self.name!r} cannot be built with {told}: {error}") from error

    @overload
    def check(self, subject: Result) -> list[Check]: ...
    @overload
    def check(self, subject: CheckFunction) -> CheckFunction: ...
    def check(self, subject: Result | CheckFunction) -> list[Check] | CheckFunction:
        """Judge a result; as a decorator, declare the function that does so.

        Raises
        ------
        UsageError : there is no check, or the run ends before what it looks at
        """
        if isinstance(subject, types.FunctionType):
            self._check = subject
            return subject
        if self._check is None:
            raise UsageError(f"scenario {self.name!r} has no check; declare one with @{self._build.__name__}.check")
        try:
            return self._check(subject)  # type: ignore[arg-type]
        except (IndexError, ValueError) as error:  # an empty selection of rows
            if subject.time[-1] >= self.defaults.get("duration", 0.0) - 1e-9:  # type: ignore[union-attr]
                raise
            raise UsageError(f"scenario {self.name!r}: the run is too short for its check ({error})") from error

    @property
    def draws(self) -> bool:
        """Whether it has figures of its own."""
        return self._drawing is not None

    @overload
    def drawing(self, subject: Result, figure: Figure | None = None) -> Figure: ...
    @overload
    def drawing(self, subject: DrawingFunction) -> DrawingFunction: ...
    def drawing(self, subject: Result | DrawingFunction, figure: Figure | None = None) -> Figure | DrawingFunction:
        """Draw the scenario's own figures of a result; as a decorator, declare the function that does so."""
        if isinstance(subject, types.FunctionType):
            self._drawing = subject
            return subject
        if self._drawing is None:
            raise UsageError(f"scenario {self.name!r} has no figures of its own")
        return self._drawing(subject, figure)  # type: ignore[arg-type]

    def _converted(self, name: str, value: Any) -> Any:
        if name not in self.parameters:
            raise UsageError(f"scenario {self.name!r}: {unknown('parameter', name, self.parameters)}")
        wanted = self.parameters[name].type
        try:
            if wanted is bool:
                return _BOOLEANS[str(value).lower()]
            if wanted is int and not isinstance(value, str) and value != int(value):
                raise ValueError
            return wanted(value)
        except (TypeError, ValueError, KeyError, OverflowError):
            raise UsageError(
                f"scenario {self.name!r}: parameter {name!r} must be {_TYPES[wanted]}, got {show(value)}"
            ) from None

    def __repr__(self) -> str:
        keywords = ", ".join(f"{one.name}={one.default!r}" for one in self.parameters.values())
        return f"<Scenario {self.name}({keywords}): {self.summary}>"


TOPICS = (
    *("Lifting with several robots", "Towing", "Cranes, winches and tackles", "Flying vehicles"),
    *("Cable-driven robots", "Massive cables", "Limits: slack, jerks, refusal"),
)
"""The groups of a list of scenarios, in this order; others follow."""

_TYPES = {float: "a number", int: "a whole number", bool: "true or false", str: "a text"}
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_REGISTRY: dict[str, Scenario] = {}


def scenario(
    name: str,
    *,
    duration: float,
    step: float,
    summary: str,
    topic: str = "Others",
    solvers: tuple[str, ...] | None = None,
    **defaults: Any,
) -> Callable[[Callable[..., Scene]], Scenario]:
    """Register a function that builds a scene; further ``defaults`` go to ``towsim.simulate``.

    A scene that is meant to be refused says ``on_failure="record"``, so that its check can judge the refusal.

    Raises
    ------
    UsageError : the name is taken by another module, or a parameter lacks a type or a default
    """

    def register(build: Callable[..., Scene]) -> Scenario:
        made = Scenario(
            build,
            name=name,
            summary=summary,
            topic=topic,
            defaults={"duration": duration, "step": step, **defaults},
            solvers=solvers,
        )
        taken = _REGISTRY.get(name)
        if taken is not None and taken.module != made.module:
            raise UsageError(f"scenario {name!r} is declared twice: in {taken.module} and in {made.module}")
        _REGISTRY[name] = made
        return made

    return register


APART = ("registry", "planning")
"""Modules that declare no scenario."""


def names() -> list[str]:
    """Names of all scenarios: those shipped here and those registered by the user's own modules."""
    shipped = (module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    public = {module.replace("_", "-") for module in shipped if module not in APART and not module.startswith("_")}
    return sorted(public | _REGISTRY.keys())


def get(name: str) -> Scenario:
    """The scenario of that name; only its own module is imported. Raises UsageError for an unknown name."""
    if not is_one_of(name, _REGISTRY):
        if not is_one_of(name, names()):
            raise UsageError(unknown("scenario", name, names()))
        importlib.import_module(f"scenarios.{name.replace('-', '_')}")
        if name not in _REGISTRY:
            raise UsageError(f"scenarios/{name.replace('-', '_')}.py declares no scenario {name!r}")
    return _REGISTRY[name]


def _parameters(build: Callable[..., Scene], doc: str) -> dict[str, Parameter]:
    types_ = typing.get_type_hints(build, localns={"Scene": object})
    found = {}
    for name, one in inspect.signature(build).parameters.items():
        if types_.get(name) not in _TYPES or one.default is inspect.Parameter.empty:
            raise UsageError(f"{build.__module__}: parameter {name!r} needs a default and one of the types {_names()}")
        line = re.search(rf"^\s*{re.escape(name)}\s*:\s*(.*)$", doc, re.MULTILINE)
        found[name] = Parameter(name, one.default, types_[name], line[1] if line else "")
    return found


def _names() -> str:
    return ", ".join(one.__name__ for one in _TYPES)
