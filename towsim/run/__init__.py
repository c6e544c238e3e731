"""Runs: options, engines, blocks of steps, what they record, and ``simulate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvers.lazy import lazy

if TYPE_CHECKING:
    from towsim.run.batch import Batch
    from towsim.run.checkpoint import resume
    from towsim.run.many import simulate_many
    from towsim.run.model import Model, compile
    from towsim.run.run import simulate
    from towsim.run.simulation import Simulation
    from towsim.run.study import step_problem

_HOME = {
    "Batch": "batch",
    "Model": "model",
    "Simulation": "simulation",
    "compile": "model",
    "resume": "checkpoint",
    "simulate": "run",
    "simulate_many": "many",
    "step_problem": "study",
}

__all__ = ["Batch", "Model", "Simulation", "compile", "resume", "simulate", "simulate_many", "step_problem"]

__getattr__, __dir__ = lazy(__name__, _HOME)
