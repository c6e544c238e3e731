"""Scene files: YAML 1.2 (core scalars) read event by event into plain data, with the line of every key.

Nothing in a file can run: a tag (``!!python/...``) is refused, and the only types are text, numbers, true, false,
null, lists and mappings. Repeated keys are refused; the size of what aliases unfold to is limited.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from yaml import events as ev

from towsim.errors import SceneError, UsageError
from towsim.quote import show
from towsim.scene.base import Loc, Problem, scene_error
from towsim.scene.data import from_data, to_data
from towsim.scene.emit import emit
from towsim.scene.scene import Scene

Event = Any  # a yaml.events.NodeEvent; its published types lack most of its attributes
LARGEST_FILE = 64 * 1024 * 1024  # bytes
DEEPEST = 32
MOST_NODES = 5_000_000

INTEGER = re.compile(r"[-+]?[0-9]+")
RADIX = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
WORDS |= {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
WORDS |= {f"{sign}{word}": float(f"{sign}inf") for sign in ("", "-", "+") for word in (".inf", ".Inf", ".INF")}
WORDS |= {word: float("nan") for word in (".nan", ".NaN", ".NAN")}


def scalar(text: str) -> Any:
    """A plain (unquoted) YAML scalar by the 1.2 core schema: 1e-3 is a number, yes and on are text."""
    if text in WORDS:
        return WORDS[text]
    if INTEGER.fullmatch(text):
        return int(text) if len(text) < 19 else float(text)
    if FLOAT.fullmatch(text):
        return float(text)
    if RADIX.fullmatch(text):
        return int(text, 0)
    return text


def _plain(event: Event) -> Any:
    return scalar(event.value) if event.implicit[0] and event.tag is None else event.value


class _Builder:
    """Plain data from parser events, with the line of every path."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.lines: dict[Loc, int] = {}
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.nodes = 0
        self.events: Iterator[Event] = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    def refuse(self, event: Event, text: str, loc: Loc = ()) -> SceneError:
        return scene_error([Problem(loc, text)], f"{self.source}:{event.start_mark.line + 1}")

    def document(self) -> Any:
        next(self.events)  # start of the stream
        event = next(self.events)
        if isinstance(event, ev.StreamEndEvent):
            raise SceneError(f"{self.source}: there is nothing in it")
        data = self.node(next(self.events), ())
        next(self.events)  # end of the document
        event = next(self.events)
        if not isinstance(event, ev.StreamEndEvent):
            raise self.refuse(event, "a second document starts here; a scene file holds one scene")
        return data

    def node(self, event: Event, loc: Loc) -> Any:
        self.lines.setdefault(loc, event.start_mark.line + 1)
        before = self.nodes
        self.count(event, 1)
        if len(loc) > DEEPEST:
            raise self.refuse(event, f"nested more than {DEEPEST} deep")
        if isinstance(event, ev.AliasEvent):
            if event.anchor not in self.anchors:
                raise self.refuse(event, f"alias *{event.anchor} stands before or inside its anchor", loc)
            value, size = self.anchors[event.anchor]
            self.count(event, size)
            return value
        if event.tag is not None and event.tag != "!":
            raise self.refuse(
                event, f"tag {show(event.tag)} refused: a scene file holds plain data and runs no code", loc
            )
        if isinstance(event, ev.ScalarEvent):
            value = _plain(event)
        elif isinstance(event, ev.SequenceStartEvent):
            value = self.sequence(loc)
        else:
            value = self.mapping(loc)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, self.nodes - before)
        return value

    def sequence(self, loc: Loc) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self.events), ev.SequenceEndEvent):
            items.append(self.node(event, (*loc, len(items))))
        return items

    def mapping(self, loc: Loc) -> dict[str, Any]:
        items: dict[str, Any] = {}
        while not isinstance(event := next(self.events), ev.MappingEndEvent):
            key = _plain(event) if isinstance(event, ev.ScalarEvent) and event.tag is None else None
            if key == "<<":
                raise self.refuse(event, "merge keys (<<) are not part of YAML 1.2; write the values out", loc)
            if not isinstance(key, str):
                raise self.refuse(event, f"a key must be text, got {show(key)}; put it in quotes if it is a name", loc)
            if key in items:
                raise self.refuse(
                    event, f"{key!r} stands here twice; its first is at line {self.lines[*loc, key]}", loc
                )
            self.lines[*loc, key] = event.start_mark.line + 1
            items[key] = self.node(next(self.events), (*loc, key))
        return items

    def count(self, event: Event, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > MOST_NODES:
            raise self.refuse(event, f"unfolds to more than {MOST_NODES} values")


def _read(text: str, name: str) -> tuple[Any, dict[Loc, int]]:
    """Plain data and the line of each path in it."""
    builder = _Builder(text, name)
    try:
        return builder.document(), builder.lines
    except yaml.YAMLError as error:
        raise _malformed(error, name) from None
    except UnicodeError as error:
        raise SceneError(f"{name}: not valid text: {error}") from None


def _malformed(error: Any, name: str) -> SceneError:
    """What the parser says, with the lines where it stopped and where the broken thing starts."""
    problem_mark, context_mark = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    mark = problem_mark or context_mark
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    if getattr(error, "context", None):
        start = f" that starts at line {context_mark.line + 1}" if context_mark else ""
        reason = f"{error.context}{start}: {reason}"
    return SceneError(f"{name}{f':{mark.line + 1}' if mark else ''}: not valid YAML: {reason}")


def data_from_text(text: str, *, name: str = "text") -> Any:
    """Plain data that YAML text declares: numbers, text, true, false, None, lists and dicts; as ``--set`` reads it.

    Raises
    ------
    SceneError : not YAML, or more than plain data
    """
    return _read(text, name)[0]


def scene_from_text(text: str, *, name: str = "scene", folder: str | Path = ".") -> Scene:
    """The Scene that YAML text declares.

    Parameters
    ----------
    name : what to call the text in messages
    folder : where relative paths in it (csv) start

    Raises
    ------
    SceneError : not YAML, or not a scene; with ``name:line: path: what``
    UsageError : it is no text
    """
    if not isinstance(text, str):
        raise UsageError(f"the text of a scene is needed, got {show(text)}")
    data, lines = _read(str(text), name)
    if not isinstance(data, dict):
        raise SceneError(f"{name}: a scene is a mapping (name: ..., bodies: ...), got {show(data)}")
    return from_data(data, source=name, folder=folder, lines=lines)


def load_scene(path: str | Path) -> Scene:
    """The Scene of a YAML file.

    Raises
    ------
    SceneError : the file cannot be read, is not YAML, or is not a scene; with ``file:line: path: what``
    UsageError : it is no path
    """
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"a path is needed, got {show(path)}")
    path = Path(path)
    try:
        if path.is_file() and path.stat().st_size > LARGEST_FILE:
            raise SceneError(f"{path}: larger than {LARGEST_FILE >> 20} MiB")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        saved = (
            "; of a saved result, towsim.open_result(path).scene is the scene" if path.suffix in (".nc", ".npz") else ""
        )
        raise SceneError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}{saved}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SceneError(f"{path}: cannot be read: {reason}") from None
    return scene_from_text(text, name=str(path), folder=path.parent)


def scene_to_text(scene: Scene) -> str:
    """YAML text that :func:`scene_from_text` reads to an equal scene, every float bit for bit."""
    return emit(to_data(scene))


def save_scene(scene: Scene, path: str | Path) -> None:
    """Write a scene to a YAML file that needs no other file (sampled motions are written out).

    Raises
    ------
    SceneError : the file cannot be written
    UsageError : it is no scene, or no path
    """
    if not isinstance(scene, Scene):
        raise UsageError(f"a Scene is needed, got {show(scene)}; scene_from_data makes one of plain data")
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"a path is needed, got {show(path)}")
    try:
        Path(path).write_text(scene_to_text(scene), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SceneError(f"{path}: cannot be written: {error}") from None
