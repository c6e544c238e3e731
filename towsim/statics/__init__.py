"""What a scene does before anything moves: how it hangs, how it rings, how it answers to small changes."""

from towsim.statics.equilibrium import Equilibrium, Hung, equilibria, equilibrium

__all__ = ["Equilibrium", "Hung", "equilibria", "equilibrium"]
