"""How a Result looks."""

from towsim.view.cable_robot import plot_tensions, plot_workspace
from towsim.view.figures import save_figure, show
from towsim.view.plots import plot
from towsim.view.polytope import plot_landings
from towsim.view.redundancy import plot_uniqueness
from towsim.view.rest import plot_equilibrium, plot_modes
from towsim.view.versus import plot_runs

__all__ = [
    "plot",
    "plot_equilibrium",
    "plot_landings",
    "plot_modes",
    "plot_runs",
    "plot_tensions",
    "plot_uniqueness",
    "plot_workspace",
    "save_figure",
    "show",
]
