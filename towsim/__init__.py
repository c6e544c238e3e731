"""Payloads towed, lifted or carried by wires: declare a scene, step it, look at the result.

    >>> import towsim
    >>> scene = towsim.load_scene("examples/lift.yaml")
    >>> result = towsim.simulate(scene, duration=1.0, step=1e-3)
    >>> result["tension"].sel(wire="e").shape  # one for each row, in N
    (1001,)

``towsim.analysis``, ``towsim.sweep`` and the other packages need no import of their own.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from towsim.version import __version__ as __version__

if TYPE_CHECKING:
    from towsim import (
        analysis as analysis,
    )
    from towsim import (
        cdpr as cdpr,
    )
    from towsim import (
        control as control,
    )
    from towsim import (
        errors as errors,
    )
    from towsim import (
        fitting as fitting,
    )
    from towsim import (
        formulations as formulations,
    )
    from towsim import (
        pictures as pictures,
    )
    from towsim import (
        results as results,
    )
    from towsim import (
        rl as rl,
    )
    from towsim import (
        scene as scene,
    )
    from towsim import (
        statics as statics,
    )
    from towsim import (
        sweep as sweep,
    )
    from towsim.control import Control, Measured
    from towsim.control.plant import Plant, plant
    from towsim.errors import RefusedError, ResultError, SceneError, SimulationError, TowsimError, UsageError
    from towsim.fitting import Log, identify, plan, read_log
    from towsim.pictures import plot, view
    from towsim.results import Event, Events, Labelled, Result, open_result
    from towsim.run import Batch, Model, Simulation, compile, resume, simulate, simulate_many, step_problem
    from towsim.scene import Parameters, Scene, load_scene
    from towsim.statics.equilibrium import Equilibrium, equilibria, equilibrium
    from towsim.statics.modes import Modes, StateSpace, linearize, modes

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
    "towsim.fitting": ("Log", "identify", "plan", "read_log"),
    "towsim.results": ("Event", "Events", "Labelled", "Result", "open_result"),
    "towsim.scene": ("Parameters", "Scene", "load_scene"),
    "towsim.run": ("Batch", "Model", "Simulation", "compile", "resume", "simulate", "simulate_many", "step_problem"),
    "towsim.statics": ("Equilibrium", "Modes", "StateSpace", "equilibria", "equilibrium", "linearize", "modes"),
    "towsim.pictures": ("plot", "view"),
}
_PACKAGES = (
    "analysis",
    "cdpr",
    "control",
    "errors",
    "fitting",
    "formulations",
    "pictures",
    "results",
    "rl",
    "scene",
    "statics",
    "sweep",
)
_HOME = {name: home for home, public in _HOMES.items() for name in public}

__all__ = [
    "Batch",
    "Control",
    "Equilibrium",
    "Event",
    "Events",
    "Labelled",
    "Log",
    "Measured",
    "Model",
    "Modes",
    "Parameters",
    "Plant",
    "RefusedError",
    "Result",
    "ResultError",
    "Scene",
    "SceneError",
    "Simulation",
    "SimulationError",
    "StateSpace",
    "TowsimError",
    "UsageError",
    "compile",
    "equilibria",
    "equilibrium",
    "identify",
    "linearize",
    "load_scene",
    "modes",
    "open_result",
    "plan",
    "plant",
    "plot",
    "read_log",
    "resume",
    "simulate",
    "simulate_many",
    "step_problem",
    "view",
]


def __getattr__(name: str) -> Any:
    """Import a public name or package at its first use, so that ``import towsim`` stays fast; Ctrl-C waits."""
    if name not in _HOME and name not in _PACKAGES:
        raise AttributeError(f"module 'towsim' has no attribute {name!r}; it has {', '.join(__all__)}")
    from towsim.ctrl_c import CtrlC

    with CtrlC():
        if name in _PACKAGES:
            return importlib.import_module(f"towsim.{name}")
        found = globals()[name] = getattr(importlib.import_module(_HOME[name]), name)
    return found


def __dir__() -> list[str]:
    needless = {"rl"}  # needs gymnasium, which those who only look around need not have
    return sorted({*__all__, *_PACKAGES, "__version__"} - needless)
