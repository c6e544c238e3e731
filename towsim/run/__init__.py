"""Runs: engines, blocks of steps, what they record, and ``simulate``."""

from towsim.run.batch import simulate_many
from towsim.run.checkpoint import resume
from towsim.run.model import Model, compile
from towsim.run.run import simulate
from towsim.run.simulation import Simulation
from towsim.run.study import step_problem

__all__ = ["Model", "Simulation", "compile", "resume", "simulate", "simulate_many", "step_problem"]
