"""MEANING: what a result says."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from towsim.analysis.jerk import Jerk, jerks
    from towsim.analysis.landing import Landings, landings
    from towsim.analysis.polytope import Shadow, shadow
    from towsim.analysis.redundancy import Uniqueness, uniqueness
    from towsim.analysis.suspensions import suspension
    from towsim.run.study import step_problems

_HOME = {
    "Jerk": "jerk",
    "Landings": "landing",
    "Shadow": "polytope",
    "Uniqueness": "redundancy",
    "jerks": "jerk",
    "landings": "landing",
    "shadow": "polytope",
    "step_problems": ".run.study",
    "suspension": "suspensions",
    "uniqueness": "redundancy",
}

__all__ = [
    "Jerk",
    "Landings",
    "Shadow",
    "Uniqueness",
    "jerks",
    "landings",
    "shadow",
    "step_problems",
    "suspension",
    "uniqueness",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'towsim.analysis' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", "towsim.analysis"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
