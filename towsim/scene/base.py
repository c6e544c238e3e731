"""What every declared thing shares: frozen, validated, SI, and errors that name the place and the value."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, Self, TypeVar, Union, get_args, get_origin, overload

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from towsim.errors import SceneError
from towsim.quote import shorten, show
from towsim.scene.formula import Bound
from towsim.suggest import unknown

Loc = tuple[str | int, ...]
K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class Problem(NamedTuple):
    """One thing that is wrong: where (path in the scene) and what."""

    loc: Loc
    text: str


ONE, ALL = 400, 700
"""Characters of one problem in a message, and of all of them: ``LONGEST`` less what is said about them."""


def problem(text: str, *loc: str | int) -> PydanticCustomError:
    """An error for pydantic to collect; ``loc`` is appended to the path of the field being checked."""
    return problems([Problem(loc, text)])


def problems(found: list[Problem]) -> PydanticCustomError:
    """Several errors at once, as :func:`problem`."""
    return PydanticCustomError("scene", "the scene is wrong", {"problems": found})


def path_text(loc: Loc) -> str:
    """``("bodies", "box", "position", 2)`` as ``bodies.box.position[2]``."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc]
    return "".join(parts).removeprefix(".")


def collect(error: ValidationError) -> list[Problem]:
    """Pydantic's findings in this project's words."""
    found = []
    for item in error.errors(include_url=False):
        loc, value = item["loc"], item.get("input")
        context = item.get("ctx", {})
        match item["type"]:
            case "scene":
                found += [Problem(loc + inner.loc, inner.text) for inner in context["problems"]]
            case "missing":
                found.append(Problem(loc[:-1], f"{loc[-1]!r} is missing"))
            case "model_type" | "model_attributes_type" | "dict_type" | "mapping_type":
                found.append(Problem(loc, f"must be a mapping (key: value), got {show(value)}"))
            case "literal_error":
                found.append(Problem(loc, f"must be {context['expected']}, got {show(value)}"))
            case "bool_type":
                found.append(Problem(loc, f"must be true or false, got {show(value)}"))
            case "string_type":
                found.append(Problem(loc, f"must be text, got {show(value)}"))
            case "tuple_type":
                one = f"; a list of one is [{value}]" if isinstance(value, str) else ""
                found.append(Problem(loc, f"must be a list, got {show(value)}{one}"))
            case "int_type" | "int_from_float" | "int_parsing":
                found.append(Problem(loc, f"must be a whole number, got {show(value)}"))
            case "greater_than_equal":
                found.append(Problem(loc, f"must be >= {context['ge']}, got {show(value)}"))
            case "less_than_equal":
                found.append(Problem(loc, f"must be <= {context['le']}, got {show(value)}"))
            case _:
                text = item["msg"]
                found.append(Problem(loc, f"{text[0].lower()}{text[1:]}, got {show(value)}"))
    return found


FROZEN = "what a Scene declares is frozen; make a changed copy with replace(...) or with_values({...})"


class FrozenDict(dict[K, V]):
    """A dict that cannot be changed: the mappings name → object of a Scene."""

    def _refuse(self, *_: object, **__: object) -> Any:
        raise TypeError(FROZEN)

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)


@cache
def _known(kind: type[Declared]) -> frozenset[str]:
    """Keys and names of the fields of a declared thing."""
    return frozenset({*kind.keys(), *kind.model_fields})


def _parts(annotation: Any) -> Iterator[type[Declared]]:
    """The declared things that a field may hold."""
    if isinstance(annotation, type) and issubclass(annotation, Declared):
        yield annotation
    elif get_origin(annotation) in (Annotated, Union, UnionType):
        for each in get_args(annotation):
            yield from _parts(each)


@cache
def _inside(kind: type[Declared]) -> dict[str, str]:
    """Keys of the mappings in a declared thing, and the first one's own that has them."""
    found: dict[str, str] = {}
    for key, field in zip(kind.keys(), kind.model_fields.values(), strict=True):
        for part in _parts(field.annotation):
            found = dict.fromkeys(_known(part), key) | found
    return found


class Fact(property, Generic[T]):
    """A property of something declared that is found once, as what it follows from is frozen."""

    def __init__(self, find: Callable[[Any], T]) -> None:
        super().__init__(find)
        self._find, self._name = find, find.__name__

    @overload
    def __get__(self, thing: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, thing: Declared, owner: type | None = None) -> T: ...
    def __get__(self, thing: Declared | None, owner: type | None = None) -> Self | T:
        if thing is None:
            return self
        known = facts(thing)
        if self._name not in known:
            known[self._name] = self._find(thing)
        found: T = known[self._name]
        return found


def facts(thing: Declared) -> dict[str, Any]:
    """What was found of something declared; copies of it begin with nothing."""
    try:
        found: dict[str, Any] = object.__getattribute__(thing, "_facts")
    except AttributeError:
        found = {}
        object.__setattr__(thing, "_facts", found)
    return found


class Written(NamedTuple):
    """Where a scene is written: what to call that, and the lines of its paths."""

    source: str
    lines: Mapping[Loc, int]


DEEP = 3
"""Keys of the paths whose lines are kept with a scene: what is longer is a list of numbers, and may be very long."""


class Declared(BaseModel):
    """Base of everything in a scene: immutable, compared by content, wrong values raise :class:`SceneError`."""

    __slots__ = ("_facts",)

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    LAWLESS: ClassVar[frozenset[str]] = frozenset()
    """Fields with whose value no law comes or goes, zero or not: in an outline only whether they are given counts."""

    LOADS: ClassVar[frozenset[str]] = frozenset()
    """Numbers or formulas of what is known at every instant, and is not there where they are zero."""

    def __init__(self, **data: Any) -> None:
        try:
            self.__pydantic_validator__.validate_python(data, self_instance=self, context={})
        except ValidationError as error:
            raise scene_error(collect(error), type(self).__name__) from None

    def __setattr__(self, name: str, value: Any) -> None:
        """Raises TypeError: what is declared is frozen."""
        if not name.startswith("_"):
            raise TypeError(FROZEN)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """Raises TypeError: what is declared is frozen."""
        if not name.startswith("_"):
            raise TypeError(FROZEN)
        super().__delattr__(name)

    def __eq__(self, other: object) -> bool:
        """Whether it is of the same type and content."""
        return self is other or (type(self) is type(other) and self.__dict__ == other.__dict__)

    # Tells pydantic that nested mappings need not pass through this __init__, so that all problems are collected.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def keys(cls) -> list[str]:
        """The keys of this mapping in a scene file."""
        return [field.serialization_alias or name for name, field in cls.model_fields.items()]

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            known = _known(cls)
            if known.issuperset(data):
                return data
            extra = [key[:60] if isinstance(key, str) else show(key) for key in data if key not in known]
            raise problems([Problem((key,), unknown("key", key, cls.keys()) + cls._within(key)) for key in extra])
        if not isinstance(data, BaseModel):
            raise problem(f"must be a mapping (key: value), got {show(data)}; its keys are {', '.join(cls.keys())}")
        return data

    @classmethod
    def _within(cls, key: str) -> str:
        """A hint at the mapping in this one that has the key."""
        place = _inside(cls).get(key)
        return f". It is a key of {place}: write {place}: {{{key}: ..}}" if place else ""

    def replace(self, **changes: Any) -> Self:
        """A validated copy in which the given fields have new values.

        Raises
        ------
        SceneError : a field does not exist or its value is wrong
        """
        return type(self)(**{name: getattr(self, name) for name in type(self).model_fields} | changes)

    def outlined(self) -> Hashable:
        """All that is declared but the numbers: equal for things that differ in numbers only (see :func:`outline`)."""
        kind, here = type(self), self.__dict__
        found: list[Hashable] = [kind]
        for name in kind.model_fields:
            value = here[name]
            if name in kind.LAWLESS:
                found.append(value is not None)
            else:
                found.append(value != 0.0 if name in kind.LOADS else outline(value))
        return tuple(found)

    def beyond(self, known: Container[str]) -> Iterator[str]:
        """Keys of the fields that are not as by default, other than the known ones; with the word that one may be."""
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if name not in known and value != field.get_default(call_default_factory=True):
                key = field.serialization_alias or name
                yield f"{key}: {value}" if isinstance(value, str) else key

    def only(self, *names: str) -> str:
        """Which one of these optional fields was given; a :func:`problem` if none or several were."""
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) != 1:
            what = "none" if not given else " and ".join(given)
            raise problem(f"exactly one of {', '.join(names)} is needed, got {what}")
        return given[0]


PLAIN = frozenset({float, str, int, bool, type(None)})
LISTED = PLAIN | {tuple}
"""Types of values, and of what is in lists, in which nothing declared and no formula with parameters is found."""


class Number(Enum):
    """In place of a number in an outline; whether it is zero counts, as a law with a coefficient of 0 is not there."""

    ZERO = 0
    SOME = 1


def outline(value: Any) -> Hashable:
    """A declared value without its numbers: names, words, what is there, how many; hashable.

    Of a list of numbers only the length counts, of a single one also whether it is zero.
    """
    kind = type(value)
    if kind is float:
        return Number.SOME if value else Number.ZERO
    if kind is tuple:
        if value and set(map(type, value)) == {float}:
            return Number.SOME, len(value)
        return tuple(map(outline, value))
    if kind in PLAIN:
        return kind, value
    if isinstance(value, Declared):
        known = facts(value)
        if "outline" not in known:
            known["outline"] = value.outlined()
        found: Hashable = known["outline"]
        return found
    if isinstance(value, dict):
        return tuple((name, outline(one)) for name, one in value.items())
    return kind, value


def outlines(thing: Declared, names: Iterable[str]) -> tuple[Hashable, ...]:
    """Those of some of its fields."""
    here = thing.__dict__
    return tuple([outline(here[name]) for name in names])


def bound_formulas(value: Any) -> list[Bound]:
    """The formulas of a scene, or a part of one, that use parameters."""
    found, waiting = [], [value]
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if kind is Bound:
            found.append(one)
        elif kind is tuple:
            waiting += [part for part in one if type(part) not in LISTED]
        elif isinstance(one, Declared):
            waiting += [part for part in one.__dict__.values() if type(part) not in PLAIN]
        elif isinstance(one, Mapping):
            waiting += one.values()
    return found


def scene_error(found: list[Problem], source: str, lines: Mapping[Loc, int] | None = None) -> SceneError:
    """As many problems as a message holds, as one error, one line each: ``source:line: path: what``."""
    texts: list[str] = []
    for loc, text in found:
        place = source
        if lines is not None:
            known = next((loc[:n] for n in range(len(loc), -1, -1) if loc[:n] in lines), None)
            place = f"{source}:{lines[known]}" if known is not None else source
        path = shorten(path_text(loc), 160)
        line = shorten(f"{place}: {path}: {text}" if path else f"{place}: {text}", ONE)
        if texts and sum(map(len, texts)) + len(line) > ALL:
            texts.append(f"{shorten(source, 100)}: and {len(found) - len(texts)} more problems")
            break
        texts.append(line)
    return SceneError("\n".join(texts))
