"""The geometric attitude controller: from nearly any attitude to the one that is asked for, and thrusts that can be."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import towsim
from towsim import Control
from towsim.control.attitude import fly, possible
from towsim.control.craft import make_craft
from towsim.scene import Scene, scene_from_data
from towsim.scene.base import Declared
from towsim.scene.rotors import Rotors
from towsim.scene.vehicles import Vehicle

WEIGHT = 9.81


@numba.njit
def stay_level(t, measured, reference, memory, command):
    """A mass of 1 kg is to be carried, level, looking along x."""
    up = (0.0, 0.0, 1.0)
    fly(memory, 0, measured, (0.0, 0.0, 9.81), up, 9.81, 0.0, 20.0, 0.004, command)


def tilted(angle: float, axis: tuple[float, float, float]) -> Scene:
    half, n = 0.5 * np.radians(angle), np.array(axis) / np.linalg.norm(axis)
    rotors = {"arm": 0.2, "moment_ratio": 0.05, "thrust": "commanded", "max_thrust": 6.0, "lag": 0.02}
    body = {"mass": 1.0, "inertia": [0.01, 0.01, 0.02], "rotors": rotors}
    return scene_from_data({"bodies": {"d": body | {"quaternion": [np.cos(half), *(np.sin(half) * n)]}}})


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.3, -1.0, 0.4)])
@pytest.mark.parametrize("angle", [30.0, 100.0, 170.0])
def test_it_gets_level_from_nearly_any_attitude(angle: float, axis: tuple[float, float, float]) -> None:
    scene = tilted(angle, axis)
    law = Control(stay_level, 250.0, make_craft(scene, towsim.plant(scene), ["d"]))
    result = towsim.simulate(scene, duration=4.0, step=1e-3, controllers={"d": law})
    q = result["quaternion"].values[:, 0]
    error = 2.0 * np.linalg.norm(q[:, 1:], axis=1)  # of small angles [rad]
    assert error[-1] < 1e-3
    assert np.linalg.norm(result["angular_velocity"].values[-1, 0]) < 1e-2
    # Once it is level, it carries its weight: no force is left.
    np.testing.assert_allclose(result["acceleration"].values[-1, 0], 0.0, atol=0.02)


@numba.njit
def shortened(F, limit):
    """The force that a vehicle of 1 kg gives in place of F."""
    return possible(F, (0.0, 0.0, 1.0), 9.81, limit)


@pytest.mark.parametrize("of", [Vehicle, Rotors])
def test_the_share_of_thrust_that_laws_leave_to_turn_with_is_documented(of: type[Declared]) -> None:
    assert shortened((0.0, 0.0, 100.0), 4.0)[2] == pytest.approx(3.6)
    said = of.model_json_schema()["properties"]["max_thrust"]
    assert "named laws ask for at most 0.9 of all four" in str(said)


def test_a_force_that_cannot_be_keeps_its_vertical_part_first() -> None:
    # Whole force at most 0.9 · 20 N; 10 N are needed upwards, which leaves √(18² − 10²) N to the side.
    x, y, z = shortened((30.0, 40.0, 10.0), 20.0)
    assert z == 10.0
    assert np.hypot(x, y) == pytest.approx(np.sqrt(18.0**2 - 10.0**2))
    assert y / x == pytest.approx(4.0 / 3.0)
    assert shortened((0.0, 0.0, -5.0), 20.0)[2] == pytest.approx(0.2 * WEIGHT)  # rotors do not pull
    assert shortened((1.0, 2.0, 10.0), 20.0) == (1.0, 2.0, 10.0)
