"""Public names mean one thing, whatever was imported before."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

import scenarios
import solvers
import towsim


def packages(root: ModuleType) -> Iterator[ModuleType]:
    yield root
    for found in pkgutil.iter_modules(root.__path__):
        if found.ispkg and found.name != "rl":  # needs gymnasium
            yield from packages(importlib.import_module(f"{root.__name__}.{found.name}"))


LAZY = [one for root in (towsim, solvers, scenarios) for one in packages(root) if "__getattr__" in vars(one)]


@pytest.mark.parametrize("package", LAZY, ids=lambda one: one.__name__)
def test_no_module_takes_the_place_of_a_public_name(package: ModuleType) -> None:
    """Importing a module binds it in its package: where names are found at their first use, it would hide them."""
    assert not {found.name for found in pkgutil.iter_modules(package.__path__)} & set(package.__all__)
