"""Payloads towed, lifted or carried by wires: declare a scene, step it, look at the result.

import towsim
scene = towsim.load_scene("barge.yaml")
result = towsim.simulate(scene, duration=5.0, step=1e-3)
result["tension"].sel(wire="left")
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from towsim.control import Control, Measured, Plant, plant
    from towsim.errors import RefusedError, ResultError, SceneError, SimulationError, TowsimError, UsageError
    from towsim.results import Event, Events, Labelled, Result, open_result
    from towsim.scene import Parameters, Scene, load_scene
    from towsim.stepping import Model, Simulation, compile, resume, simulate, simulate_many, step_problem
    from towsim.view import plot

__version__ = "0.1.0"

_HOMES = {
    "towsim.control": ("Control", "Measured", "Plant", "plant"),
    "towsim.errors": (
        "RefusedError",
        "ResultError",
        "SceneError",
        "SimulationError",
        "TowsimError",
        "UsageError",
    ),
    "towsim.results": ("Event", "Events", "Labelled", "Result", "open_result"),
    "towsim.scene": ("Parameters", "Scene", "load_scene"),
    "towsim.stepping": ("Model", "Simulation", "compile", "resume", "simulate", "simulate_many", "step_problem"),
    "towsim.view": ("plot",),
}
_HOME = {name: home for home, public in _HOMES.items() for name in public}

__all__ = [
    "Control",
    "Event",
    "Events",
    "Labelled",
    "Measured",
    "Model",
    "Parameters",
    "Plant",
    "RefusedError",
    "Result",
    "ResultError",
    "Scene",
    "SceneError",
    "Simulation",
    "SimulationError",
    "TowsimError",
    "UsageError",
    "compile",
    "load_scene",
    "open_result",
    "plant",
    "plot",
    "resume",
    "simulate",
    "simulate_many",
    "step_problem",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import towsim`` stays fast; Ctrl-C waits for the end."""
    if name not in _HOME:
        raise AttributeError(f"module 'towsim' has no attribute {name!r}; it has {', '.join(__all__)}")
    from towsim.ctrl_c import CtrlC

    with CtrlC():
        found = globals()[name] = getattr(importlib.import_module(_HOME[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted((*__all__, "__version__"))
