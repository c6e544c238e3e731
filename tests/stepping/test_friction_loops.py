"""Friction in both loops, on the exact cone and as an LCP: the same numbers where they must be."""

import numpy as np
import pytest

import towsim
from towsim.errors import UsageError
from towsim.scene import scene_from_data

FEET = {"f0": [0.2, 0.0, -0.1], "f1": [-0.2, 0.15, -0.1], "f2": [-0.2, -0.15, -0.1]}


def towed_box(**run):
    """A box on three feet is pulled askew by one wire: sticks, slips, turns. On four feet their load, and with it the
    motion, would not be unique."""
    start = [0.75, 0.3, 0.3]
    return scene_from_data(
        {
            "bodies": {
                "box": {
                    "mass": 2.0,
                    "shape": {"box": [0.4, 0.3, 0.2]},
                    "position": [0, 0, 0.1],
                    "points": FEET | {"eye": [0.2, 0.15, 0.0]},
                }
            },
            "robots": {"tug": {"motion": {"waypoints": {"t": [0, 1], "position": [start, [1.4, 0.9, 0.3]]}}}},
            "wires": {"rope": {"from": "box.eye", "to": "tug", "length": 0.62}},
            "ground": {"friction": 0.35, "contacts": [f"box.{c}" for c in FEET]},
            "run": {"duration": 1.0, "step": 2e-3} | run,
        }
    )


@pytest.fixture(scope="module")
def compiled():
    return towsim.simulate(towed_box(), loop="compiled")


def test_it_sticks_slips_and_turns(compiled):
    speed = np.linalg.norm(compiled["velocity"].values[:, 0], axis=1)
    assert speed[compiled.time < 0.1].max() < 1e-9
    assert speed.max() > 0.2
    assert np.abs(compiled["angular_velocity"].values[:, 0, 2]).max() > 0.2


def test_every_step_is_certified(compiled):
    assert (compiled["status"].values == 0).all()
    assert compiled["residual"].values[1:].max() <= 1e-9


def test_both_loops_give_the_same_numbers(compiled):
    python = towsim.simulate(towed_box(), loop="python", solver="cone-newton")
    for variable in ("position", "velocity", "quaternion", "angular_velocity", "tension"):
        a, b = (np.nan_to_num(run[variable].values) for run in (compiled, python))
        assert np.abs(a - b).max() < 1e-12 * max(1.0, np.abs(a).max()), variable


def test_sweeps_give_the_same_motion(compiled):
    short = towed_box(duration=0.4)
    swept = towsim.simulate(short, solver="cone-sweeps")
    n = len(swept.time)
    # Each step is solved to 1e-9 of g h = 2e-2 m/s, and 200 of them add up.
    assert np.abs(swept["position"].values - compiled["position"].values[:n]).max() < 1e-8


def test_polygons_of_more_directions_come_closer_to_the_cone(compiled):
    """Friction falls short by at most 1 − cos(π/m); so does the way, within the scatter of the slip directions."""
    away = []
    for m in (4, 8, 16, 32):
        run = towsim.simulate(towed_box(duration=0.6), friction="polyhedral", friction_directions=m)
        n = len(run.time)
        away.append(np.abs(run["position"].values - compiled["position"].values[:n]).max())
    assert away[0] > 1e-2
    assert away[3] < away[1] / 4
    assert away[3] < 1e-3  # of a way of 0.4 m


def test_options_that_do_not_fit_are_refused_by_name():
    scene = towed_box(duration=0.01)
    for options, message in (
        ({"friction": "circle"}, "'circle'"),
        ({"friction": "cone", "solver": "lemke"}, "'lemke' does not solve friction='cone'"),
        ({"friction": "polyhedral", "solver": "cone-newton"}, "'cone-newton' is for friction='cone'"),
        ({"friction": "polyhedral", "loop": "compiled"}, "loop='compiled' needs friction='cone'"),
        ({"solver": "cone-sweeps", "loop": "compiled"}, "auto or cone-newton"),
        ({"method": "shake"}, "'shake' takes no friction"),
    ):
        with pytest.raises(UsageError, match=message):
            towsim.simulate(scene, **options)
    with pytest.raises(UsageError, match="this one has none"):
        towsim.simulate(scene.replace(ground=None), solver="cone-newton")
