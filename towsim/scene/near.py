"""A scene read from data: of one that differs from the last in few sections, only those are read anew.

Nearly all of the time to read a scene goes into its parts, and whoever makes many, such as a sweep, changes few.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from towsim.scene.base import FrozenDict
from towsim.scene.scene import Scene

OTHER_FILES = b"csv"
"""Stands in what is written of a scene that reads files, which may have changed since."""


class _Last(threading.local):
    """The scene that a thread read last, and its data as bytes, by section."""

    written: Mapping[str, bytes] | None = None
    scene: Scene


_last = _Last()


def read(data: Any, folder: str | Path) -> Scene:
    """The scene that plain data declares; raises pydantic's ValidationError."""
    written, last = _written(data), _last.written
    scene = None
    if written is not None and last is not None and written.keys() == last.keys():
        changed = {key: value for key, value in data.items() if written[key] != last[key]}
        scene = with_sections(_last.scene, changed, folder)
    if scene is None:
        scene = Scene.model_validate(data, context={"folder": folder})
    _last.written, _last.scene = written, scene
    return scene


def with_sections(
    scene: Scene, data: Mapping[str, Any], folder: str | Path = ".", *, some: Collection[str] = ()
) -> Scene | None:
    """A copy with some sections read from data, cross-checked; None if anything is wrong (``read`` tells what).

    some : sections of whose named things only those in the data are read; the others stay
    """
    context = {"folder": folder}
    try:
        read = {}
        for key, value in data.items():
            field, reader = section(key)
            new = reader.validate_python(value, context=context)
            read[field] = FrozenDict({**getattr(scene, field), **new}) if key in some else new
        return scene.model_copy(update=read).cross_checked()
    except (ValidationError, PydanticCustomError, KeyError):
        return None


def _written(data: Any) -> dict[str, bytes] | None:
    """The bytes of each section, which tell 1 from 1.0 and True; None where equal bytes might be read differently."""
    if type(data) is not dict:
        return None
    try:
        written = {key: pickle.dumps(value, 5) for key, value in data.items()}
    except Exception:  # what is yet to be checked may be anything
        return None
    return None if any(OTHER_FILES in section for section in written.values()) else written


@cache
def section(key: str) -> tuple[str, TypeAdapter[Any]]:
    """Field and reader of the section that has a key in a scene file; raises KeyError for an unknown one."""
    field = dict(zip(Scene.keys(), Scene.model_fields, strict=True))[key]
    kind, metadata = Scene.model_fields[field].annotation, Scene.model_fields[field].metadata
    reader: Any = Annotated[kind, *metadata] if metadata else kind
    return field, TypeAdapter(reader)
