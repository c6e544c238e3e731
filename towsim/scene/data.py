"""A scene as plain data (dicts, lists, numbers, text) and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from towsim.scene.base import DEEP, Declared, Loc, Written, collect, facts, scene_error
from towsim.scene.formula import Bound
from towsim.scene.scene import Scene

ALWAYS = {"schema_version", "name", "gravity", "run", "duration", "step", "method", "solver", "elements", "law"}


def to_data(value: Any, *, full: bool = False) -> Any:
    """Plain data that :func:`from_data` reads back to an equal object.

    Defaults are left out (not those of the run, nor a cable's number of elements), unless ``full``; what is None always
    is.
    """
    if isinstance(value, Declared):
        data = {}
        for name, field in type(value).model_fields.items():
            item = getattr(value, name)
            wanted = full or name in ALWAYS or field.is_required() or not _same(item, field.default)
            if wanted and item is not None:
                data[field.serialization_alias or name] = to_data(item, full=full)
        key = getattr(value, "key", None)
        return {key: data} if key else data
    if isinstance(value, Mapping):
        return {key: to_data(item, full=full) for key, item in value.items()}
    if isinstance(value, tuple):
        return [to_data(item, full=full) for item in value]
    return value.declared if isinstance(value, Bound) else value


def _same(value: Any, default: Any) -> bool:
    return bool(value == default) and repr(value) == repr(default)  # −0.0 is not 0.0: saving is exact


def from_data(
    data: Any, *, source: str = "scene", folder: str | Path = ".", lines: Mapping[Loc, int] | None = None
) -> Scene:
    """The Scene that plain data declares.

    Parameters
    ----------
    source : what to call the data in messages
    folder : where relative paths start
    lines : line number of each path in the data, for messages

    Raises
    ------
    SceneError : all that is wrong, one line each
    """
    try:
        scene = Scene.model_validate(data, context={"folder": folder})
    except ValidationError as error:
        raise scene_error(collect(error), source, lines) from None
    scene._folder = str(Path(folder).absolute())
    if lines is not None:  # what is wrong with the start is told later, with these
        facts(scene)["written"] = Written(source, {loc: line for loc, line in lines.items() if len(loc) <= DEEP})
    return scene
