"""FORMULATIONS: the same mechanics written in several ways, to compare, to teach, and to be each other's witness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvers.lazy import lazy

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

__getattr__, __dir__ = lazy(__name__, _HOME)
