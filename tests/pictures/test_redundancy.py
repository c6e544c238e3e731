"""Figures of what tensions could have been."""

import numpy as np

import solvers
import towsim
from towsim.analysis import landings, shadow, suspension, uniqueness
from towsim.pictures.polytope import plot_landings
from towsim.pictures.redundancy import PANELS, plot_uniqueness


def test_every_wire_has_its_panel_and_the_band_holds_the_curve():
    found = uniqueness(towsim.simulate(suspension(8), duration=0.02), every=2)
    figure = plot_uniqueness(found)
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles[:8] == list(found.wires)
    ax = figure.axes[0]
    band = ax.collections[0].get_paths()[0].vertices
    assert band[:, 1].max() >= ax.lines[0].get_ydata().max() * (1 - 1e-6)


def test_many_wires_are_cut_to_the_widest_and_it_says_so():
    found = uniqueness(towsim.simulate(suspension(PANELS + 4), duration=0.003), every=1)
    figure = plot_uniqueness(found)
    assert len(figure.axes) == PANELS + 1
    assert f"{PANELS} of {PANELS + 4} wires" in figure._suptitle.get_text()


def test_landings_are_drawn_where_they_are():
    problem = towsim.step_problem(suspension(8))
    found = landings(problem, ("lemke", "pgs"), starts=3)
    seen = shadow(problem, found.analysis)
    lines = {line.get_label(): line for line in plot_landings(found, seen).axes[0].lines}
    assert lines["lemke"].get_xdata() == [found.found[0].z[seen.rows[0]]]
    assert len(lines["pgs, 4 starts"].get_xdata()) == 4
    assert np.isclose(lines["least norm"].get_xdata()[0], found.analysis.least_norm[seen.rows[0]])


def test_an_unbounded_set_is_drawn_with_a_note():
    problem = solvers.LCP.from_wires([1.0], [[1.0, -1.0]], [0.0], [-1.0, 1.0])
    found = landings(problem, ("lemke",))
    ax = plot_landings(found, shadow(problem, found.analysis)).axes[0]
    assert "without bound" in ax.get_title(loc="right")
