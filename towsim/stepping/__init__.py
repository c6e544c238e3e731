"""TIME: assemble, solve, advance; the block loop and ``simulate``."""

from towsim.stepping.batch import simulate_many
from towsim.stepping.checkpoint import resume
from towsim.stepping.model import Model, compile
from towsim.stepping.run import simulate
from towsim.stepping.simulation import Simulation
from towsim.stepping.study import step_problem

__all__ = ["Model", "Simulation", "compile", "resume", "simulate", "simulate_many", "step_problem"]
