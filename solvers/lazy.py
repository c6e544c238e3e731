"""Packages whose public names are imported when they are first used, so that importing the package is fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package.

    homes : module of each public name, relative to the package
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}; it has {', '.join(sorted(homes))}")
        value = getattr(import_module(f".{homes[name]}", package), name)
        vars(import_module(package))[name] = value
        return value

    return get, lambda: sorted(homes)
