"""How a Result looks."""

from towsim.view.figures import save_figure, show
from towsim.view.plots import plot

__all__ = ["plot", "save_figure", "show"]
