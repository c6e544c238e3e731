"""Scene copies with values changed by dotted path, as ``--set`` and sweeps do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from towsim.errors import SceneError
from towsim.scene.base import show
from towsim.scene.data import from_data, to_data
from towsim.scene.near import section, with_sections
from towsim.scene.scene import Scene
from towsim.suggest import unknown

NAMED = ("bodies", "robots", "wires", "joints")


def with_values(scene: Scene, values: Mapping[str, Any]) -> Scene:
    """See :meth:`Scene.with_values`."""
    data: dict[str, Any] = {}
    sections = Scene.keys()
    for path, value in values.items():
        key = path.split(".")[0]
        if key not in sections:
            raise SceneError(f"set {path}: {unknown('key', key, sections)}")
        if key not in data and (declared := getattr(scene, section(key)[0])) is not None:
            data[key] = to_data(declared, full=True)
        _put(data, path, to_data(value))
    return with_sections(scene, data) or from_data({**to_data(scene, full=True), **data}, source="set")


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
