"""The slewing crane: with joints in coordinates and with joints as rows, and from its saved file."""

from importlib.resources import files

import numpy as np
import pytest

import scenarios
import towsim
from towsim.scene import scene_from_text

ONE = scenarios.get("slewing-crane")


def failed(result):
    return [f"{check.name}: {check.value:.6g}, not {check.expected}" for check in ONE.check(result) if not check.passed]


@pytest.mark.parametrize(
    ("parameters", "options"),
    [
        ({}, {}),
        ({}, {"step": 4e-3}),
        ({"reduced": False}, {"method": "shake"}),
        ({"load": 400.0, "reach": 8.0, "torque": -9000.0, "stiffness": 1e6}, {}),
    ],
)
def test_it_passes_its_check(parameters, options):
    assert failed(towsim.simulate(ONE.build(**parameters), **(ONE.defaults | options))) == []


def test_coordinates_and_rows_move_it_alike():
    reduced, rows = (towsim.simulate(ONE.build(reduced=r), **ONE.defaults)["position"].values for r in (True, False))
    # Both are of first order, with errors of the opposite sense: a step times the largest speed, some 4 m/s.
    assert np.abs(reduced - rows).max() < 4e-3
    assert np.ptp(reduced[:, 2, 1]) > 1.0


def test_the_check_notices_a_torque_that_is_not_the_declared_one():
    result = towsim.simulate(ONE.build(torque=1900.0), **ONE.defaults)
    other = towsim.simulate(ONE.build(), duration=0.01)
    result.attributes["scene"] = other.attributes["scene"]  # type: ignore[index]
    assert any("angular momentum" in line for line in failed(result))


def test_the_saved_file_is_the_scenario():
    text = (files("scenarios") / "files" / "slewing-crane.yaml").read_text(encoding="utf-8")
    assert scene_from_text(text) == ONE.build()
