"""What a word on the command line means: a scenario's name, a scene file or a result."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from towsim.ctrl_c import CtrlC
from towsim.errors import SceneError, UsageError
from towsim.quote import show
from towsim.suggest import meant_by, unknown

if TYPE_CHECKING:
    from scenarios import Scenario
    from towsim import Result, Scene

RESULTS = (".nc", ".npz", ".parts")
SCENES = (".yaml", ".yml")
PICTURES = (".png", ".pdf", ".svg")


def scenario_or_scene(word: str, besides: Collection[str] = ()) -> Scenario | Scene:
    """A scenario by name, or the scene of a file; ``besides``: what else could have been meant.

    Raises
    ------
    UsageError : neither, with what was probably meant
    SceneError : the file is not a scene
    """
    path = Path(word)
    if path.suffix in RESULTS:
        raise UsageError(f"{word} is a result; name a scenario ('towsim list') or a scene file (.yaml)")
    if path.suffix in SCENES and not path.exists():
        raise UsageError(f"no such file: {word}{_meant(path)}")
    if path.suffix in SCENES or path.is_file():
        import towsim

        return towsim.load_scene(path)
    try:
        with CtrlC():  # imports make other errors of it
            import scenarios

            return scenarios.get(word)
    except UsageError as error:
        told = unknown("case or scenario", word, [*besides, *scenarios.names()]) if besides else f"{error}"
        raise UsageError(f"{told}; nor is there a file {word!r}{_meant(path)}" if word else told) from None


def _meant(path: Path) -> str:
    """The scene file beside it that was probably meant, as the end of a message; or nothing."""
    try:
        beside = sorted(one.name for one in path.parent.iterdir() if one.suffix in SCENES)
    except OSError:
        return ""
    close = meant_by(path.name if path.suffix in SCENES else f"{path.name}{SCENES[0]}", beside)
    return f": did you mean {str(path.with_name(close))!r}?" if close is not None else ""


def anything(word: str) -> Scenario | Scene | Result:
    """A result, a scenario or a scene. Raises as ``scenario_or_scene``; ResultError for a damaged result."""
    if Path(word).suffix in RESULTS:
        import towsim

        return towsim.open_result(word)
    return scenario_or_scene(word)


def result_names(files: list[str]) -> list[str]:
    """What results are called: their files' names, as far as these differ."""
    if len(files) == 1:
        return files
    if len(set(files)) < len(files):
        raise UsageError(f"the same result twice: {', '.join(files)}")
    stems = [Path(file).stem for file in files]
    return stems if len(set(stems)) == len(stems) else [str(Path(file).with_suffix("")) for file in files]


def file_stem(name: str) -> str:
    """A file name for something that is called ``name``."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "run"


def beside_caller(result: str, suffix: str) -> Path:
    """What is made of a result goes, if nothing else is said, into the folder of the caller, under the same name."""
    return Path(Path(os.path.abspath(result)).stem + suffix)  # "." and "" have no name of their own


def assignments(words: list[str], flag: str = "--set", example: str = "mass=3.0") -> dict[str, str]:
    """Key and value of every ``key=value`` of a flag.

    Raises
    ------
    UsageError : a word that is none, or a key that is given twice
    """
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals):
            raise UsageError(f"{flag} takes key=value, such as {flag} {example}, got {show(word)}")
        if not value.strip():
            raise UsageError(f"{flag} {key}= has no value; write {flag} {key}=VALUE")
        if key.strip() in values:
            raise UsageError(f"{key.strip()} is given twice: {values[key.strip()]} and {value.strip()}; leave one out")
        values[key.strip()] = value.strip()
    return values


def parsed(values: dict[str, str]) -> dict[str, object]:
    """The values as a scene file would read them."""
    from towsim.scene.yamlio import data_from_text

    read = {}
    for key, value in values.items():
        try:
            read[key] = data_from_text(value, name=f"--set {key}")
        except SceneError as error:
            raise UsageError(f"{error}") from None
    return read


def add_scene_arguments(parser: argparse.ArgumentParser, what: str = "a scene file or a scenario") -> None:
    """Declare the words with which a verb gets its scene, see ``scene_of``."""
    parser.add_argument("what", metavar="FILE-or-NAME", help=what)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as for towsim run")


def scene_of(arguments: argparse.Namespace) -> Scene:
    """The scene that a verb is for. Raises as ``scenario_or_scene`` and ``scene_with``."""
    return scene_with(scenario_or_scene(arguments.what), assignments(arguments.set))


def add_picture_arguments(parser: argparse.ArgumentParser, of: str) -> None:
    """Declare where a picture goes, see ``picture_to_write``."""
    parser.add_argument("-o", "--output", metavar="FILE", help=f"picture{of}: .png, .pdf or .svg")
    parser.add_argument("--force", action="store_true", help="overwrite an existing picture")
    parser.add_argument("--json", action="store_true", help="for programs")


def picture_to_write(output: str | Path, *, force: bool) -> Path:
    """Where a picture goes. Raises UsageError if it cannot: another kind of file, or one that is there already."""
    from towsim.results.files import refuse_existing

    path = Path(output)
    if path.suffix not in PICTURES:
        raise UsageError(f"{path}: a picture is .png, .pdf or .svg")
    refuse_existing(path, force=force)
    return path


def scene_with(target: Scenario | Scene, values: dict[str, str]) -> Scene:
    """The scene with ``--set`` applied: first the scenario's own parameters, then paths in the scene."""
    from scenarios import Scenario
    from towsim.scene import Scene

    if isinstance(target, Scenario):
        sections = Scene.keys()
        paths = [key for key in values if key not in target.parameters and key.split(".")[0] in sections]  # in order
        scene = target.build(**{key: value for key, value in values.items() if key not in paths})
        values = {key: values[key] for key in paths}
    else:
        scene = target
    return scene.with_values(parsed(values)) if values else scene


def positive(text: str) -> float:
    """A number > 0, as an argument's type."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number > 0, got {show(text)}")
    return value


def whole(text: str) -> int:
    """A whole number >= 1, as an argument's type."""
    if not (text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"must be a whole number >= 1, got {show(text)}")
    return int(text)
