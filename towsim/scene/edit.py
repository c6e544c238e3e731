"""Scene copies with values changed by dotted path, as ``--set`` and sweeps do it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from towsim.errors import SceneError
from towsim.quote import shorten, show
from towsim.scene.base import Declared, FrozenDict, collect, scene_error
from towsim.scene.data import from_data, to_data
from towsim.scene.motion import FromFile
from towsim.scene.scene import Scene
from towsim.suggest import unknown

NAMED = ("bodies", "robots", "wires", "joints")


def refuse_undone(values: Mapping[str, Any]) -> None:
    """SceneError if a list comes after one of its numbers, which it would undo; the other order is good."""
    if len(values) < 2:
        return
    place = {path: k for k, (path, value) in enumerate(values.items()) if not isinstance(value, Mapping)}
    for k, path in enumerate(values):
        whole = path
        while whole := whole.rpartition(".")[0]:
            if place.get(whole, -1) > k:
                raise SceneError(
                    f"{path} is given, and then {whole}, of which it is a part and which undoes it; leave one out, or "
                    f"give {whole} first"
                )


def with_values(scene: Scene, values: Mapping[str, Any]) -> Scene:
    """See :meth:`Scene.with_values`."""
    if not (isinstance(values, Mapping) and all(isinstance(path, str) for path in values)):
        raise SceneError(f"values must be a mapping from paths to values, got {show(values)}")
    refuse_undone(values)
    if all(map(_is_number, values.values())):
        with suppress(SceneError, PydanticCustomError, KeyError):  # what is wrong is told below
            return with_numbers(scene, values).cross_checked()
    return _read_anew(scene, values)


def _is_number(value: Any) -> bool:
    """Whether it is a number or a list of them."""
    return all(map(_is_number, value)) if isinstance(value, list) else type(value) in (int, float)


def _read_anew(scene: Scene, values: Mapping[str, Any]) -> Scene:
    """The scene from its data, in which any values are put at any paths."""
    data: dict[str, Any] = {}
    some: set[str] = set()  # sections of which only the things that change are in the data
    sections = Scene.keys()
    for path, value in values.items():
        key, _, rest = path.partition(".")
        name = rest.partition(".")[0]
        if path in scene.parameters:
            raise SceneError(f"set {path}: it is one of the parameters; write parameters.{path}")
        if key not in sections:
            raise SceneError(f"set {shorten(path, 100)}: {unknown('key', key, sections)}")
        declared = getattr(scene, _section(key)[0])
        if key in NAMED and name in declared and (key not in data or key in some):
            some.add(key)
            things = data.setdefault(key, {})
            if name not in things:
                things[name] = to_data(declared[name], full=True)
        elif key in some or (key not in data and declared is not None):
            whole = to_data(declared, full=True)
            data[key] = whole | data[key] if key in some else whole
            some.discard(key)
        _put(data, path, to_data(value), instead_of=_read_from_file(scene, path))
    changed = _with_sections(scene, data, some=some)
    if changed is None:
        whole = to_data(scene, full=True)
        whole |= {key: whole[key] | part if key in some else part for key, part in data.items()}
        return from_data(whole, source="set", folder=scene._folder)
    return changed


def _read_from_file(scene: Scene, path: str) -> str:
    """The key that the data of a file goes to which the path names; none where the path names no file."""
    *keys, last = path.split(".")
    thing: Any = scene
    for key in keys:
        if isinstance(thing, Declared):
            thing = getattr(thing, _fields(type(thing)).get(key, ""), None)
        else:
            thing = thing.get(key) if isinstance(thing, Mapping) else None
    return thing.FILED if isinstance(thing, FromFile) and last == "csv" else ""


def with_numbers(scene: Scene, values: Mapping[str, float | list[float]]) -> Scene:
    """The same scene with other numbers at paths that lead to one or a list; things that hold them are validated anew.

    How things fit each other is not looked at again (``Scene.cross_checked``), for a fraction of ``with_values``.

    Raises
    ------
    SceneError : a number is out of its range
    """
    if any(path.startswith("parameters.") for path in values):  # which formulas of every section may use
        return _read_anew(scene, values)
    for path in values:
        key, *rest = path.split(".")
        if isinstance(getattr(scene, _section(key)[0]), Mapping) and len(rest) < 2:
            raise SceneError(f"set {path}: there is no number")
    moved = {}
    for key, changes in _by_key([(path.split("."), value) for path, value in values.items()]).items():
        field, reader = _section(key)
        part = _moved(getattr(scene, field), changes)
        if not isinstance(part, Declared | Mapping):
            try:
                part = reader.validate_python(part)
            except ValidationError as error:
                raise scene_error(collect(error), key) from None
        moved[field] = part
    return scene.model_copy(update=moved)


Changes = Sequence[tuple[Sequence[str], float | list[float]]]
"""Other numbers inside a thing, each with the keys that lead to it."""


def _by_key(changes: Changes) -> dict[str, Changes]:
    """The same inside of what the first keys lead to."""
    found: dict[str, list[tuple[Sequence[str], float | list[float]]]] = {}
    for keys, value in changes:
        if not keys:
            raise KeyError  # all of a thing is given, and a part of it
        found.setdefault(keys[0], []).append((keys[1:], value))
    return {**found}


def _moved(thing: Any, changes: Changes) -> Any:
    """What a thing is with other numbers inside; what holds several of them is read once."""
    if len(changes) == 1 and not changes[0][0]:
        return changes[0][1]
    inside = _by_key(changes)
    if isinstance(thing, Declared):
        through = getattr(thing, "key", None)  # model: {mrfe: {..}}
        if through in inside and len(inside) == 1:
            return _moved(thing, inside[through])
        fields = _fields(type(thing))
        return thing.replace(**{fields[key]: _moved(getattr(thing, fields[key]), inside[key]) for key in inside})
    if isinstance(thing, Mapping):
        return FrozenDict({**thing, **{key: _moved(thing[key], inside[key]) for key in inside}})
    if not isinstance(thing, tuple):
        raise KeyError(*inside)
    parts = list(thing)
    for key in inside:
        at = _index(thing, key, key)
        parts[at] = _moved(parts[at], inside[key])
    return tuple(parts)


@cache
def _fields(kind: type[Declared]) -> dict[str, str]:
    """Fields by the keys of a scene file."""
    return dict(zip(kind.keys(), kind.model_fields, strict=True))


def _put(data: dict[str, Any], path: str, value: Any, *, instead_of: str = "") -> None:
    """Put a value at a path, in place of what another key in the same mapping holds."""
    keys = path.split(".")
    if keys[0] in (*NAMED, "parameters") and len(keys) > 1 and keys[1] not in data.get(keys[0], {}):
        raise SceneError(f"set {path}: {unknown(f'name in {keys[0]}', keys[1], data.get(keys[0], {}))}")
    here: Any = data
    for depth, key in enumerate(keys[:-1]):
        here = here[_index(here, key, path)] if isinstance(here, list) else here.setdefault(key, {})
        if not isinstance(here, dict | list):
            place = ".".join(keys[: depth + 1])
            raise SceneError(f"set {path}: {place} is {show(here)} and has nothing inside")
    if isinstance(here, list):
        here[_index(here, keys[-1], path)] = value
    else:
        here.pop(instead_of, None)
        here[keys[-1]] = value


def _index(items: Sequence[Any], key: str, path: str) -> int:
    if not (key.isdecimal() and len(key) < 10 and int(key) < len(items)):
        has = (
            f"must be an index from 0 to {len(items) - 1}"
            if items
            else "is an index, and the list is empty: set all of it"
        )
        raise SceneError(f"set {path}: {show(key)} {has}")
    return int(key)


def _with_sections(scene: Scene, data: Mapping[str, Any], *, some: Collection[str] = ()) -> Scene | None:
    """A copy with some sections read from data, cross-checked; None if anything is wrong (``from_data`` tells what).

    some : sections of whose named things only those in the data are read; the others stay
    """
    if "parameters" in data:
        return None  # every section may use them
    context = {"folder": scene._folder, "parameters": scene.parameters}
    try:
        read = {}
        for key, value in data.items():
            field, reader = _section(key)
            new = reader.validate_python(value, context=context)
            read[field] = FrozenDict({**getattr(scene, field), **new}) if key in some else new
        return scene.model_copy(update=read).cross_checked()
    except (ValidationError, PydanticCustomError, KeyError):
        return None


@cache
def _section(key: str) -> tuple[str, TypeAdapter[Any]]:
    """Field and reader of the section that has a key in a scene file; raises KeyError for an unknown one."""
    field = _fields(Scene)[key]
    kind, metadata = Scene.model_fields[field].annotation, Scene.model_fields[field].metadata
    reader: Any = Annotated[kind, *metadata] if metadata else kind
    return field, TypeAdapter(reader)
