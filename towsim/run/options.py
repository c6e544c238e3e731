"""The options of a run, declared once: name, type, default, unit, check, and what it is for.

Signatures and help, flags of the command line, the table of the documentation and errors follow from these classes.
Nothing else is imported here, so that ``towsim run --help`` needs no more.
"""

import inspect
import math
import re
import textwrap
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, TypeVar, Union, get_args, get_origin

from towsim.errors import UsageError
from towsim.given import a_whole_number, is_whole
from towsim.quote import show
from towsim.suggest import is_one_of, unknown

if TYPE_CHECKING:
    from towsim.control.task import Control, Function

NUMBER: tuple[type[Any], ...] = (Real,)
"""What a user may give for a number; numpy's belong to them."""

MOST_ROWS = 10**9
"""More than any run has steps."""

MOST_DIRECTIONS = 1000
"""Edges of a polyhedral cone: its difference to the circular one, (π / n)² / 2, is then below all else."""


@dataclass(frozen=True, slots=True)
class Option:
    """What is declared of an option besides its name and type.

    Attributes
    ----------
    help : what it is for
    default : its value where it is not given, or given as None
    otherwise : where the default is None, what that means
    unit : in which it is counted
    check : takes name and value, returns the value that is used; raises UsageError
    flag : whether it is a flag of ``towsim run`` by itself
    """

    help: str
    default: Any = None
    otherwise: str = ""
    unit: str = ""
    check: Callable[[str, Any], Any] | None = None
    flag: bool = False


def _number(value: Any) -> float:
    """The value as a float, NaN for what is no number."""
    if type(value) is float:
        return value
    try:
        return float(value) if isinstance(value, NUMBER) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return math.inf


def positive(what: str, value: Any) -> float:
    """The value, if it is a finite number > 0; UsageError otherwise."""
    found = _number(value)
    if not 0.0 < found < math.inf:
        raise UsageError(f"{what} must be a finite number > 0, got {show(value)}")
    return found


def seconds(what: str, value: Any) -> float:
    """The value, if it is a finite number >= 0; UsageError otherwise."""
    found = _number(value)
    if not 0.0 <= found < math.inf:
        raise UsageError(f"{what} must be a finite number of seconds >= 0, got {show(value)}")
    return found


def _tolerance(what: str, value: Any) -> float:
    found = _number(value)
    if not 1e-13 <= found <= 0.1:
        raise UsageError(f"{what} must be between 1e-13 and 0.1, got {show(value)}")
    return found


def _name(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{what} must be a name, got {show(value)}")
    return value


def _names(what: str, value: Any) -> tuple[str, ...]:
    """Names in a list, or in one text with commas between them."""
    names = tuple(value.replace(",", " ").split()) if isinstance(value, str) else value
    if not (isinstance(names, list | tuple) and names and all(isinstance(one, str) for one in names)):
        raise UsageError(f"{what} must be names of variables, such as ['position', 'tension'], got {show(value)}")
    return tuple(names)


def _file(what: str, value: Any) -> str | Path:
    if not isinstance(value, str | Path):
        raise UsageError(f"{what} must be the name of a file, got {show(value)}")
    return value


def _function(what: str, value: Any) -> Callable[..., Any]:
    if not callable(value):
        raise UsageError(
            f"{what} must be a function of (steps done, steps in all), got {show(value)}; leave it out for none"
        )
    return value  # type: ignore[no-any-return]


OWN: tuple[str, ...] = (
    *("name", "scene", "options", "versions", "outcome", "refusal", "wall_time", "peak_memory", "extremes"),
    *("unfinished", "checks", "towsim_format", "Conventions", "CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST"),
)
"""Attributes that a result, or its file, has itself."""


def _notes(what: str, value: Any) -> dict[str, str | int | float]:
    """Attributes of a result, as numbers and text of Python."""
    if not isinstance(value, Mapping):
        raise UsageError(f"{what} must be attributes by name, such as {{'operator': 'Ida'}}, got {show(value)}")
    for name in value:
        if not _is_text(name) or not name:
            raise UsageError(f"{what}: a name is text without NUL, got {show(name)}")
        if name in OWN or name.startswith("_"):
            raise UsageError(f"{what}: {show(name)} is a word of the result or of its file; give the note another name")
    return {name: _note(f"{what}: {show(name)}", one) for name, one in value.items()}


def _note(what: str, value: Any) -> str | int | float:
    if _is_text(value):
        return str(value)
    if is_whole(value) and -(2**63) <= int(value) < 2**63:
        return int(value)
    if isinstance(value, NUMBER) and not isinstance(value, Integral):
        return float(value)
    raise UsageError(f"{what} must be text without NUL, a whole number of 64 bits or a float, got {show(value)}")


def _is_text(value: Any) -> bool:
    """Whether it is text that a file can hold."""
    return isinstance(value, str) and "\0" not in value and not re.search("[\ud800-\udfff]", value)


class Stepped(TypedDict, total=False):
    """How a scene is stepped: what an engine is made for, and all runs of a compiled scene share."""

    step: Annotated[float | None, Option("time step", None, "that of the scene's `run`", "s", positive, flag=True)]
    method: Annotated[
        str | None,
        Option(
            "stewart-trinkle (order 1), shake (order 2), bdf1 .. bdf4 (massive cables), or dae (to tolerances; step is "
            "then the grid of output times)",
            otherwise="that of the scene's `run`; else bdf3 with mrfe cables where it is stable for them, else bdf2; "
            "stewart-trinkle without",
            check=_name,
            flag=True,
        ),
    ]
    solver: Annotated[
        str | None,
        Option(
            "back-end for the complementarity problems, a name of `solvers.available()`; auto is the compiled active "
            "set, with all others behind it",
            otherwise="that of the scene's `run`, which is auto unless it says otherwise",
            check=_name,
            flag=True,
        ),
    ]
    form: Annotated[
        Literal["lcp", "mlcp"],
        Option("the problem of a step: in the impulses, or in [v; p] (solved in a Python loop)", "lcp", flag=True),
    ]
    loop: Annotated[
        Literal["auto", "compiled", "python"],
        Option(
            "compiled runs whole blocks in compiled code (solvers auto and active-set), python calls the same kernels "
            "from Python",
            "auto",
            flag=True,
        ),
    ]
    stretch_limit: Annotated[
        float,
        Option(
            "a step that would stretch a rigid wire by more than this share of its length is refused",
            1e-3,
            unit="of a wire's length",
            check=positive,
        ),
    ]
    friction: Annotated[
        Literal["cone", "polyhedral"] | None,
        Option(
            "on the exact circular cone (solvers auto, cone-newton, cone-sweeps), or as an LCP on a cone with edges "
            "(any solver that takes matrices that are not symmetric)",
            otherwise="the cone where the solver can",
            flag=True,
        ),
    ]
    friction_directions: Annotated[
        int,
        Option(
            "edges of the polyhedral cone", 8, check=partial(a_whole_number, least=3, most=MOST_DIRECTIONS), flag=True
        ),
    ]
    controllers: Annotated[
        "Mapping[str, Control | Function] | None",
        Option(
            "of your own, in Python or compiled by numba, by the name of the vehicle, winch or controller of the scene "
            "in whose place they act: a function, or `towsim.Control(function, rate=..)`",
            otherwise="those of the scene",
        ),
    ]


class Recorded(TypedDict, total=False):
    """What is kept of a run."""

    record_every: Annotated[
        int,
        Option(
            "record every n-th step and the last; summaries cover all",
            1,
            check=partial(a_whole_number, least=1, most=MOST_ROWS),
            flag=True,
        ),
    ]


class Lasting(TypedDict, total=False):
    """How long a run is."""

    duration: Annotated[
        float | None,
        Option(
            "simulated time; the run ends with the step that reaches it",
            None,
            "that of the scene's `run`",
            "s",
            positive,
            flag=True,
        ),
    ]


class OfRun(Lasting, Recorded, total=False):
    """What may differ from run to run of a compiled scene."""

    record: Annotated[
        "Sequence[str] | None",
        Option(
            "names of the variables that are kept (position, tension ..), and of what follows from them (energy ..); "
            "summaries and events cover all",
            otherwise="all",
            check=_names,
            flag=True,
        ),
    ]

    output: Annotated[
        str | Path | None, Option("a .nc file that grows while the run goes on", otherwise="none", check=_file)
    ]
    force: Annotated[bool, Option("overwrite an existing output", False)]
    progress: Annotated[
        Callable[[int, int], None] | None,
        Option(
            "called with (steps done, steps in all) after every block", otherwise="nothing is called", check=_function
        ),
    ]
    on_failure: Annotated[
        Literal["raise", "record"],
        Option(
            "a step that has no solution is an error (raise), or ends the run with an event (record)",
            "raise",
            flag=True,
        ),
    ]
    checkpoint_every: Annotated[
        float | None,
        Option(
            "with an output: keep on disk, at the first block that begins so many seconds of wall time after the last "
            "time, what is needed to go on from there (`towsim.resume`, `towsim run --resume`)",
            otherwise="no checkpoints",
            unit="s",
            check=seconds,
            flag=True,
        ),
    ]
    notes: Annotated[
        Mapping[str, str | int | float] | None,
        Option(
            "attributes that the result is to carry besides its own: text and numbers", otherwise="none", check=_notes
        ),
    ]
    lean: Annotated[
        bool,
        Option(
            "for many short runs: without the scene's text and the versions, and not compiled before the clock starts",
            False,
        ),
    ]


class SteppedFor(Stepped, Lasting, total=False):
    """Options of what goes through a run and records nothing."""


class ByHand(Stepped, Recorded, total=False):
    """Options of a ``Simulation``."""


class Options(Stepped, OfRun, total=False):
    """Options of ``simulate``."""

    rtol: Annotated[
        float | None,
        Option("of dae: relative tolerance of the local error", otherwise="1e-6", check=_tolerance, flag=True),
    ]
    atol: Annotated[
        float | None,
        Option(
            "of dae: absolute tolerance, in units of each coordinate's natural size",
            otherwise="rtol",
            check=_tolerance,
            flag=True,
        ),
    ]


ORDER = ("duration", "step", "method", "solver")
"""Options that are told first."""


@cache
def declared(kind: type = Options) -> Mapping[str, tuple[Any, Option]]:
    """Type and declaration of each option of a class, by name."""
    found = {name: get_args(hint) for name, hint in kind.__annotations__.items()}
    first = [name for name in ORDER if name in found]
    return types.MappingProxyType({name: found[name] for name in dict.fromkeys([*first, *found])})


def choices(given: Any) -> tuple[str, ...]:
    """Words that an option of this type may be; none of other types."""
    if get_origin(given) is Literal:
        return get_args(given)
    inner = get_args(given) if get_origin(given) in (Union, types.UnionType) else ()
    return next((get_args(one) for one in inner if get_origin(one) is Literal), ())


@cache
def _defaults(kind: type) -> dict[str, Any]:
    return {name: option.default for name, (_, option) in declared(kind).items()}


@cache
def _checks(kind: type) -> dict[str, Callable[[str, Any], Any]]:
    return {name: found for name, (given, option) in declared(kind).items() if (found := _check_of(given, option))}


def _check_of(given: Any, option: Option) -> Callable[[str, Any], Any] | None:
    words = choices(given)
    if not words:
        return option.check

    def check(what: str, value: Any) -> str:
        if not is_one_of(value, words):
            raise UsageError(unknown(what, value, words))
        return str(value)

    return check


BY_HAND = ("forces", "record", "on_reset", "seed")
"""What a ``Simulation`` takes by name besides its options."""


def checked(given: Mapping[str, Any], kind: type = Options, by_hand: Sequence[str] = ()) -> dict[str, Any]:
    """All options of a class: as given and checked, or by default.

    by_hand : what else the call takes by name, of ``BY_HAND``: it may have been meant

    Raises
    ------
    UsageError : there is no such option, with what was probably meant; or it cannot have that value
    """
    defaults, checks = _defaults(kind), _checks(kind)
    values = defaults.copy()
    for name, value in given.items():
        if name not in defaults and name in BY_HAND and not by_hand:
            raise UsageError(f"option {name!r} is for what is stepped by hand: towsim.Simulation, towsim.Batch")
        if name not in defaults:
            raise UsageError(unknown("option", name, [*by_hand, *defaults]))
        if value is not None:
            check = checks.get(name)
            values[name] = value if check is None else check(name, value)
    return values


def default_of(option: Option) -> str:
    """What an option is if it is not given, in words."""
    return option.otherwise or str(option.default)


Takes = TypeVar("Takes", bound=Callable[..., Any])


def takes(kind: type) -> Callable[[Takes], Takes]:
    """A decorator for what takes ``**options`` of a class: signature and help then name each of them."""

    def decorate(target: Takes) -> Takes:
        function: Any = vars(target)["__init__"] if isinstance(target, type) else target
        plain = [one for one in inspect.signature(function).parameters.values() if one.kind is not one.VAR_KEYWORD]
        options = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=option.default,
                annotation=getattr(given, "__forward_arg__", given),
            )
            for name, (given, option) in declared(kind).items()
        ]
        result = inspect.signature(function).return_annotation
        function.__signature__ = inspect.Signature([*plain, *options], return_annotation=result)
        if target.__doc__ is not None:
            target.__doc__ = _with_options(target.__doc__, kind)
        return target

    return decorate


def _with_options(doc: str, kind: type) -> str:
    """A docstring in which each option has a line in place of the one line ``options : ..``."""
    lines = doc.split("\n")
    at = next(i for i, line in enumerate(lines) if line.strip().startswith("options : "))
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    told: list[str] = []
    for name, (given, option) in declared(kind).items():
        unit = f" [{option.unit}]" if option.unit else ""
        words = f"{' or '.join(choices(given))}; " if choices(given) else ""
        text = f"{name} : {words}{option.help}{unit}; by default {default_of(option)}".replace("`", "``")
        told += textwrap.wrap(text, 116, initial_indent=indent, subsequent_indent=f"{indent}    ")
    return "\n".join([*lines[:at], *told, *lines[at + 1 :]])


def refuse_said_twice(paths: Collection[str], options: Mapping[str, Any]) -> None:
    """UsageError if a parameter of runs, such as ``run.step``, is an option of all of them as well, which would win."""
    for name, value in options.items():
        if value is not None and f"run.{name}" in paths:
            raise UsageError(f"both run.{name} and the option {name}={show(value)} are given; leave one out")
