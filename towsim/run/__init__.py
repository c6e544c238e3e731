"""Runs: options, engines, blocks of steps, what they record, and ``simulate``."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from towsim.run.batch import simulate_many
    from towsim.run.checkpoint import resume
    from towsim.run.model import Model, compile
    from towsim.run.run import simulate
    from towsim.run.simulation import Simulation
    from towsim.run.study import step_problem

_HOME = {
    "Model": "model",
    "Simulation": "simulation",
    "compile": "model",
    "resume": "checkpoint",
    "simulate": "run",
    "simulate_many": "batch",
    "step_problem": "study",
}

__all__ = ["Model", "Simulation", "compile", "resume", "simulate", "simulate_many", "step_problem"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'towsim.run' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(importlib.import_module(f"towsim.run.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
