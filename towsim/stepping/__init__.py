"""TIME: assemble, solve, advance; the block loop and ``simulate``."""

from towsim.stepping.run import simulate
from towsim.stepping.study import step_problem

__all__ = ["simulate", "step_problem"]
