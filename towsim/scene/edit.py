"""Scene copies with values changed by dotted path, as ``--set`` and sweeps do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from towsim.errors import SceneError
from towsim.quote import show
from towsim.scene.data import from_data, to_data
from towsim.scene.near import section, with_sections
from towsim.scene.scene import Scene
from towsim.suggest import unknown

NAMED = ("bodies", "robots", "wires", "joints")


def with_values(scene: Scene, values: Mapping[str, Any]) -> Scene:
    """See :meth:`Scene.with_values`."""
    data: dict[str, Any] = {}
    some: set[str] = set()  # sections of which only the things that change are in the data
    sections = Scene.keys()
    for path, value in values.items():
        key, _, rest = path.partition(".")
        name = rest.partition(".")[0]
        if key not in sections:
            raise SceneError(f"set {show(path)}: {unknown('key', key, sections)}")
        declared = getattr(scene, section(key)[0])
        if key in NAMED and name in declared and (key not in data or key in some):
            some.add(key)
            things = data.setdefault(key, {})
            if name not in things:
                things[name] = to_data(declared[name], full=True)
        elif key in some or (key not in data and declared is not None):
            whole = to_data(declared, full=True)
            data[key] = whole | data[key] if key in some else whole
            some.discard(key)
        _put(data, path, to_data(value))
    changed = with_sections(scene, data, some=some)
    if changed is None:
        whole = to_data(scene, full=True)
        whole |= {key: whole[key] | part if key in some else part for key, part in data.items()}
        return from_data(whole, source="set")
    return changed


def _put(data: dict[str, Any], path: str, value: Any) -> None:
    keys = path.split(".")
    if keys[0] in NAMED and len(keys) > 1 and keys[1] not in data.get(keys[0], {}):
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
        here[keys[-1]] = value


def _index(items: list[Any], key: str, path: str) -> int:
    if not (key.isdecimal() and len(key) < 10 and int(key) < len(items)):
        raise SceneError(f"set {path}: {show(key)} must be an index from 0 to {len(items) - 1}")
    return int(key)
