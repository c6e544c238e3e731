"""What a scene does before anything moves: how it hangs, how it rings, how it answers to small changes."""

from towsim.statics.equilibrium import Equilibrium, Hung, equilibria, equilibrium
from towsim.statics.modes import Modes, StateSpace, linearize, modes

__all__ = ["Equilibrium", "Hung", "Modes", "StateSpace", "equilibria", "equilibrium", "linearize", "modes"]
