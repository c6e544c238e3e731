"""MEANING: what a result says."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from towsim.analysis.landing import Landings, landings
    from towsim.analysis.polytope import Shadow, shadow
    from towsim.analysis.suspension import suspension
    from towsim.analysis.uniqueness import Uniqueness, uniqueness
    from towsim.analysis.walk import step_problems

_HOME = {
    "Landings": "landing",
    "Shadow": "polytope",
    "Uniqueness": "uniqueness",
    "landings": "landing",
    "shadow": "polytope",
    "step_problems": "walk",
    "suspension": "suspension",
    "uniqueness": "uniqueness",
}

__all__ = ["Landings", "Shadow", "Uniqueness", "landings", "shadow", "step_problems", "suspension", "uniqueness"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'towsim.analysis' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(importlib.import_module(f"towsim.analysis.{_HOME[name]}"), name)
    globals()[name] = value  # a function may be called as its module; the function is what is meant
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
