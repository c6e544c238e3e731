"""The compiled sampling of known motions agrees with the scene's own, exact functions of time."""

from __future__ import annotations

import numpy as np
import pytest

from towsim.errors import SimulationError
from towsim.model.drive import Driver
from towsim.scene import Scene, scene_from_data

TIMES = np.sort(np.concatenate([np.linspace(-0.5, 3.5, 401), [0.0, 1.0, 2.5]]))
POINTS = {"t": [0.0, 1.0, 2.5], "position": [[0, 0, 1], [1, -2, 3], [0.5, 0, 2]]}

MOTIONS = {
    "quintic": {"waypoints": POINTS},
    "quintic with velocities": {"waypoints": POINTS | {"velocity": [[0, 0, 0], [1, 0, 2], [0, 0, 0]]}},
    "cubic": {"waypoints": POINTS | {"kind": "cubic"}},
    "samples": {"samples": POINTS},
    "circle": {"circle": {"center": [0, 0, 1], "radius": 0.5, "period": 3.0}},
    "formula": {"formula": {"x": "sin(t)", "y": "t**2 if t < 1 else 2*t - 1", "z": "1"}},
}


def scene(robot: dict, length: object = 2.0, **more: object) -> Scene:
    return scene_from_data(
        {
            "bodies": {"load": {"mass": 1.0, "point": True, **more}},
            "robots": {"r": robot},
            "wires": {"w": {"from": "load", "to": "r", "length": length}},
        }
    )


@pytest.mark.parametrize("motion", MOTIONS.values(), ids=MOTIONS)
def test_robots_are_where_their_motion_says(motion: dict) -> None:
    declared = scene({"motion": motion})
    drive = Driver(declared).sample(TIMES)
    position, velocity, _ = declared.robots["r"].sample(TIMES)
    # Two orders of summation of polynomials of size ~10: a few roundings.
    np.testing.assert_allclose(drive.robot[:, 0], position, rtol=0, atol=1e-14)
    np.testing.assert_allclose(drive.robot_rate[:, 0], velocity, rtol=0, atol=1e-13)


@pytest.mark.parametrize("length", [2.0, {"start": 2.0, "rate": -0.1}, {"formula": "2 + 0.1*sin(t)"}], ids=str)
def test_wires_are_as_long_as_declared(length: object) -> None:
    declared = scene({"position": [0, 0, 1]}, length)
    drive = Driver(declared).sample(TIMES)
    expected, rate = declared.wires["w"].length_at(TIMES)
    np.testing.assert_array_equal(drive.length[:, 0], expected)
    np.testing.assert_array_equal(drive.length_rate[:, 0], rate)


def test_a_wire_hauled_in_completely_is_named_with_its_time() -> None:
    with pytest.raises(SimulationError, match=r"wire 'w' has length .* at t = 1"):
        Driver(scene({"position": [0, 0, 1]}, {"start": 1.0, "rate": -1.0})).sample(np.linspace(0, 2, 201))


def test_a_formula_that_fails_is_named_with_its_time() -> None:
    with pytest.raises(SimulationError, match=r"force of body 'load' is .* at t = 1"):
        Driver(scene({"position": [0, 0, 1]}, force={"x": "sqrt(1 - t)"})).sample(np.linspace(0, 2, 201))
