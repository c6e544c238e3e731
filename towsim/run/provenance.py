"""Where a result comes from: scene, options and versions, so that a file can be run again."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from towsim.scene import Scene, scene_to_text
from towsim.version import __version__


def provenance(scene: Scene, options: Mapping[str, Any], text: str | None = None) -> dict[str, str | int | float]:
    """Attributes of a result: name and text of the scene, the options of the run, versions.

    text : of the scene, if it is known
    """
    return {
        "name": scene.name,
        "scene": scene_to_text(scene) if text is None else text,
        "options": _json(tuple(options), *options.values()),
        "versions": _versions(),
    }


@lru_cache(maxsize=16, typed=True)
def _json(names: tuple[str, ...], *values: Any) -> str:
    return json.dumps(dict(zip(names, values, strict=True)))


@cache
def _versions() -> str:
    found = {"python": platform.python_version()}
    for package in ("numpy", "numba"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a checkout
            found[package] = "unknown"
    return json.dumps(found | {"towsim": __version__})
