"""How a Result looks."""

from towsim.pictures.cable_robot import plot_tensions, plot_workspace
from towsim.pictures.figures import save_figure, show
from towsim.pictures.film import Film, view
from towsim.pictures.plots import plot
from towsim.pictures.polytope import plot_landings
from towsim.pictures.redundancy import plot_uniqueness
from towsim.pictures.rest import plot_equilibrium, plot_modes
from towsim.pictures.versus import plot_runs

__all__ = [
    "Film",
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
    "view",
]
