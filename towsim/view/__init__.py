"""How a Result looks."""

from towsim.view.figures import save_figure, show
from towsim.view.plots import plot
from towsim.view.polytope import plot_landings
from towsim.view.redundancy import plot_uniqueness
from towsim.view.versus import plot_runs

__all__ = ["plot", "plot_landings", "plot_runs", "plot_uniqueness", "save_figure", "show"]
