"""FORMULATIONS: the same mechanics written in several ways, to compare, to teach, and to be each other's witness."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from towsim.formulations.cases import CASES, case
    from towsim.formulations.comparison import Comparison, compare
    from towsim.formulations.from_scene import SceneTree, scene_tree
    from towsim.formulations.kkt import Kkt
    from towsim.formulations.measures import drift, energy
    from towsim.formulations.momentum import MomentumStates
    from towsim.formulations.motion import Formulation, Motion
    from towsim.formulations.reduced import Reduced
    from towsim.formulations.reduced_system import Mass, ReducedSystem
    from towsim.formulations.rsslm import Rsslm

_HOMES = {
    "cases": ("CASES", "case"),
    "comparison": ("Comparison", "compare"),
    "kkt": ("Kkt",),
    "measures": ("drift", "energy"),
    "momentum": ("MomentumStates",),
    "motion": ("Formulation", "Motion"),
    "reduced": ("Reduced",),
    "reduced_system": ("Mass", "ReducedSystem"),
    "rsslm": ("Rsslm",),
    "from_scene": ("SceneTree", "scene_tree"),
}
_HOME = {name: home for home, public in _HOMES.items() for name in public}

__all__ = [
    "CASES",
    "Comparison",
    "Formulation",
    "Kkt",
    "Mass",
    "MomentumStates",
    "Motion",
    "Reduced",
    "ReducedSystem",
    "Rsslm",
    "SceneTree",
    "case",
    "compare",
    "drift",
    "energy",
    "scene_tree",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'towsim.formulations' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(importlib.import_module(f"towsim.formulations.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
