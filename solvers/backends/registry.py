"""The back-ends: one table line each, with what they need and what they can take.

A new one is a module with ``solve(problem, start=None, **options) -> Answer`` and a line below. Other distributions
add theirs through the entry-point group ``towsim.solvers``: an entry point named as the method that loads a
:class:`Backend` whose ``module`` can be imported.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, wraps
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from solvers.matrix import SMALL, Array, to_dense
from solvers.problem import ProblemError
from solvers.quote import show
from solvers.solution import Answer
from solvers.status import ACCEPT, Status

if TYPE_CHECKING:
    from solvers.problem import MLCP


@dataclass(frozen=True, slots=True)
class Backend:
    """Where a solver lives, what it needs and what it can take.

    Attributes
    ----------
    module : module with ``solve``, or that function itself
    requires : packages that must be importable
    needs_psd : M must be symmetric positive semidefinite
    takes_free : handles free rows itself, or "sparse": those of a large sparse M; for others they are eliminated first
    sparse : works without a dense copy of M
    warm_start : uses ``start``
    iterative : stops on a tolerance, so its answers are polished on the active set
    summary : one line for people
    """

    module: str | Callable[..., Answer]
    requires: tuple[str, ...] = ()
    needs_psd: bool = False
    takes_free: bool | Literal["sparse"] = True
    sparse: bool = False
    warm_start: bool = False
    iterative: bool = False
    summary: str = ""

    def eliminates(self, problem: MLCP) -> bool:
        """Whether free rows of the problem have to be eliminated for it."""
        large = self.takes_free == "sparse" and problem.n > SMALL and not isinstance(problem.M, np.ndarray)
        return bool(problem.free.any()) and self.takes_free is not True and not large

    @property
    def missing(self) -> tuple[str, ...]:
        """Required packages that are not installed."""
        return tuple(name for name in self.requires if find_spec(name) is None)

    def load(self) -> Callable[..., Answer]:
        """The back-end's ``solve``."""
        if callable(self.module):
            return self.module
        solve: Callable[..., Answer] = import_module(self.module).solve
        return solve


BUILT_IN: dict[str, Backend] = {
    "active-set": Backend(
        "solvers.active_set.packed",
        needs_psd=True,
        sparse=True,
        warm_start=True,
        summary="block pivoting with descent, compiled, O(n) on chains",
    ),
    "lemke": Backend(
        "solvers.backends.lemke",
        takes_free="sparse",
        sparse=True,
        summary="Lemke's pivots, any M: dense ones compiled, sparse ones by sparse factors",
    ),
    "pgs": Backend(
        "solvers.backends.pgs",
        takes_free=False,
        sparse=True,
        warm_start=True,
        iterative=True,
        summary="projected Gauss-Seidel (PSOR), compiled",
    ),
    "newton": Backend(
        "solvers.backends.newton",
        sparse=True,
        warm_start=True,
        iterative=True,
        summary="semismooth Newton, any M, local",
    ),
    "osqp": Backend(
        "solvers.backends.osqp_",
        ("osqp",),
        needs_psd=True,
        sparse=True,
        warm_start=True,
        iterative=True,
        summary="operator splitting on the quadratic program",
    ),
    "interior-point": Backend(
        "solvers.backends.interior_point",
        ("clarabel",),
        needs_psd=True,
        sparse=True,
        iterative=True,
        summary="Clarabel on the quadratic program",
    ),
    "cvxpy": Backend(
        "solvers.backends.cvxpy_",
        ("cvxpy",),
        needs_psd=True,
        iterative=True,
        summary="readable reference model in CVXPY",
    ),
    "enumerate": Backend(
        "solvers.backends.enumerate_", summary="tries every complementary basis, up to 14 unilateral rows"
    ),
}


@cache
def backends() -> dict[str, Backend]:
    """All back-ends by name: built-in ones, and those of other distributions."""
    table = dict(BUILT_IN)
    for point in entry_points(group="towsim.solvers"):
        if point.name not in table:
            try:
                table[point.name] = _sound(point.load())
            except Exception as error:  # whatever is wrong in another distribution, the others work
                told = f"solver {point.name!r} of {point.value} is left out: {type(error).__name__}: {error}"
                warnings.warn(told, stacklevel=2)
    return table


def _sound(backend: object) -> Backend:
    """A back-end of another distribution that can be called; it is imported unless it needs what is missing."""
    if not isinstance(backend, Backend):
        raise TypeError(f"the entry point must load a solvers.Backend, got {show(backend)}")
    if not backend.missing and not callable(backend.load()):
        raise TypeError(f"{backend.module}.solve is no function")
    return backend


def register(name: str, function: Callable[..., Any]) -> str:
    """Make a function of your own a method: ``solvers.register("mine", mine)``; returns the name.

    Parameters
    ----------
    name : letters, digits, "-", "_" and "."; a method of that name that was registered before is replaced
    function : (M, q) -> z for 0 ≤ M z + q ⟂ z ≥ 0 with M (n, n) and q (n,), or (z, iterations). M and q are scaled
        to order 1, free rows have been eliminated, z is judged (and, if it is not exact, polished) as that of any
        method; keyword-only arguments of the function are options of the method

    Raises ``ProblemError`` for the name of a method that comes with the package, or a bad one.
    """
    if not re.fullmatch(r"[\w.-]+", name) or name == "auto":
        raise ProblemError(f"a method's name has letters, digits, -, _ and ., and is not auto; got {show(name)}")
    if name in BUILT_IN:
        raise ProblemError(f"there is a method {name!r} already; register yours under another name")

    @wraps(function)
    def solve(problem: MLCP, start: Array | None = None, **options: Any) -> Answer:
        found = function(to_dense(problem.M), problem.q, **options)
        z, iterations = found if isinstance(found, tuple) else (found, 0)
        z = np.asarray(z, float)
        if z.shape != problem.q.shape:
            raise ProblemError(f"{name} must give z of shape {problem.q.shape}, got {z.shape}")
        return Answer(z, Status.SOLVED, int(iterations))

    summary = (function.__doc__ or "").strip().split("\n")[0]
    backends()[name] = Backend(solve, takes_free=False, summary=summary)
    return name


@contextmanager
def passing() -> Iterator[None]:
    """Functions that are registered within are methods until its end."""
    before = dict(backends())
    try:
        yield
    finally:
        backends().clear()
        backends().update(before)


def named(method: object) -> tuple[str, dict[str, object]]:
    """(name, options) of "name" or "name:option=value:option=value", such as "pgs:relaxation=1.5".

    Raises ``ProblemError`` for an unknown name or option, or an option without a value.
    """
    if not isinstance(method, str):
        raise ProblemError(f"method must be a name, got {show(method)}; there are {', '.join(available())}")
    name, *given = method.split(":")
    options: dict[str, object] = {}
    for one in given:
        key, equals, text = one.partition("=")
        if not (equals and key and text):
            raise ProblemError(f"options of a method are written {name}:option=value, got {show(method)}")
        options[key] = _value(text)
    if name != "auto":
        check_options(name, get(name).load(), options)
    elif options:
        raise ProblemError(
            f"method 'auto' takes no options behind a colon, got {', '.join(options)}; name a method to set them there "
            f"(solve takes {', '.join(OF_AUTO)} of auto as keywords)"
        )
    return name, options


OF_AUTO: dict[str, object] = {"tolerance": ACCEPT, "log": False, "callback": None}
"""Options of ``auto`` and their defaults."""


def options_of(name: str) -> dict[str, object]:
    """Options of a method and their defaults."""
    if name == "auto":
        return dict(OF_AUTO)
    parameters = inspect.signature(get(name).load()).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def _value(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def available() -> tuple[str, ...]:
    """Names for ``method`` that work here; "auto" comes first."""
    return ("auto", *(name for name, backend in backends().items() if not backend.missing))


def get(name: str) -> Backend:
    """The back-end of that name; ``ProblemError`` (a ValueError) if it is unknown or lacks a package."""
    table = backends()
    if not isinstance(name, str) or name not in table:
        raise ProblemError(f"there is no method {show(name)}; there are {', '.join(available())}")
    if table[name].missing:
        raise ProblemError(
            f"method {name!r} needs {' and '.join(table[name].missing)}: pip install the missing package"
        )
    return table[name]


def check_options(name: str, solve: Callable[..., Answer], options: dict[str, object]) -> None:
    """``ProblemError`` if a back-end does not know an option."""
    known = inspect.signature(solve).parameters
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return
    own = [k for k in known if k not in ("problem", "start")]
    for option in options:
        if option in ("log", "callback") and option not in own:
            raise ProblemError(f"method {name!r} does not tell its iterations, so that it takes no {option}")
        if option not in own:
            takes = f"it takes {', '.join(own)}" if own else "it takes none"
            raise ProblemError(f"method {name!r} has no option {option!r}; {takes}")
        value, default = options[option], known[option].default
        if option == "callback" and not (value is None or callable(value)):
            raise ProblemError(f"callback of {name!r} must be a function of (iteration, row), got {show(value)}")
        if option in ("max_iterations", "tolerance") and not (
            isinstance(value, int if option == "max_iterations" else (int, float)) and value > 0
        ):
            kind = "a whole number >= 1" if option == "max_iterations" else "a number > 0"
            raise ProblemError(f"{option} of {name!r} must be {kind}, got {show(value)}")
        if isinstance(default, bool) and not isinstance(value, bool):
            raise ProblemError(f"{option} of {name!r} must be True or False, got {show(value)}")
        if isinstance(default, float) and not (isinstance(value, (int, float)) and isfinite(value)):
            raise ProblemError(f"{option} of {name!r} must be a number, got {show(value)}")
