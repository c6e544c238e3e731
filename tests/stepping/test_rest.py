"""A load at rest on more wires than it needs stays as it is: rounding errors do not make its wires take turns."""

from __future__ import annotations

import numpy as np
import pytest

import scenarios
import towsim


@pytest.fixture(scope="module", params=["stewart-trinkle", "shake"])
def at_rest(request):
    """The last second of a box on eight wires that was carried for two seconds, and stands since."""
    scene = scenarios.get("eight-wires-box").build()
    result = towsim.simulate(scene, duration=4.0, step=1e-3, method=request.param)
    return {name: result[name].values[3000:] for name in ("tension", "iterations", "velocity", "gap", "position")}


def test_the_same_wires_carry_it(at_rest):
    pulls = at_rest["tension"] > 0.0
    assert np.all(pulls == pulls[0])
    np.testing.assert_allclose(at_rest["tension"], at_rest["tension"][[0] * len(pulls)], rtol=0.0, atol=1e-6)


def test_every_step_confirms_the_set_of_the_last_one(at_rest):
    assert np.all(at_rest["iterations"] == 1)


def test_it_does_not_creep(at_rest):
    """A gap below the rounding errors of its own terms (1e-15 m) is not closed, and does not grow either."""
    assert np.abs(at_rest["velocity"]).max() < 1e-11
    assert np.ptp(at_rest["position"], axis=0).max() < 1e-13
    assert np.abs(np.minimum(at_rest["gap"], 0.0)).max() < 1e-14


@pytest.mark.parametrize(("speed", "step"), [(0.3, 1e-3), (1e-6, 1e-3), (1e-9, 1e-5), (1e-12, 1e-3)])
def test_a_steady_tow_is_not_at_rest(speed, step):
    """What positions are rounded by is taken back at every step, as it comes: it never adds up to a blow.

    The robot is 10 m away from the origin, where numbers are 2e-15 m apart; a blow would come at 9e-15 m.
    """
    scene = towsim.Scene(
        robots={"r": {"motion": {"formula": {"x": 10.0, "y": 0.0, "z": f"1 + {speed}*t"}}}},
        bodies={"load": {"mass": 1.0, "point": True, "position": [10.0, 0.0, 0.0], "velocity": [0.0, 0.0, speed]}},
        wires={"w": {"from": "load", "to": "r", "length": 1.0}},
        run={"duration": 1e4 * step, "step": step},
    )
    result = towsim.simulate(scene, method="shake")
    assert np.abs(result["gap"].values).max() <= 3e-15
    assert result["velocity"].values[-1, 0, 2] == pytest.approx(speed, rel=0.0, abs=1e-15 / step)
