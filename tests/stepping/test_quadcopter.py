"""A quadcopter hovers, climbs, turns and falls as Newton and Euler say."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.scene import Scene, scene_from_data

M, G, ARM, RATIO = 0.755, 9.81, 0.169, 0.1056
INERTIA = (5.57e-3, 5.57e-3, 1.05e-2)
HOVER = M * G / 4.0
METHODS = ("stewart-trinkle", "shake")


def quadcopter(thrust: object, failures: list[dict] | None = None, **more: object) -> Scene:
    rotors = {"arm": ARM, "moment_ratio": RATIO, "thrust": thrust, "failures": failures or []}
    return scene_from_data({"bodies": {"drone": {"mass": M, "inertia": list(INERTIA), "rotors": rotors} | more}})


@pytest.mark.parametrize("method", METHODS)
def test_four_equal_thrusts_hover(method: str) -> None:
    result = towsim.simulate(quadcopter(HOVER), duration=1.0, method=method)
    assert np.abs(result["position"].values).max() < 1e-13
    assert np.abs(result["angular_velocity"].values).max() == 0.0


@pytest.mark.parametrize("method", METHODS)
def test_a_climb_under_a_thrust_profile_has_its_closed_form(method: str) -> None:
    # 4 T = m g + 4 a t: z = 4 a t³/(6 m); Stewart–Trinkle's error is h/2 times the speed.
    result = towsim.simulate(quadcopter(f"{HOVER!r} + 0.3*t"), duration=1.0, method=method)
    exact = 4.0 * 0.3 * result.time**3 / (6.0 * M)
    bound = 1e-3 if method == "stewart-trinkle" else 1e-6
    np.testing.assert_allclose(result["position"].values[:, 0, 2], exact, atol=bound)


def test_along_its_own_axis_when_it_is_tilted() -> None:
    # Turned by 90° about y the body's z axis is the world's x axis.
    tilted = quadcopter(HOVER, quaternion=[np.sqrt(0.5), 0, np.sqrt(0.5), 0]).replace(gravity=(0, 0, 0))
    result = towsim.simulate(tilted, duration=0.5, method="shake")
    end = result["position"].values[-1, 0]
    np.testing.assert_allclose(end, [0.5 * G * 0.25, 0, 0], atol=1e-12)


def test_unequal_thrusts_of_opposite_rotors_only_yaw() -> None:
    T = (HOVER + 0.1, HOVER - 0.1, HOVER + 0.1, HOVER - 0.1)
    result = towsim.simulate(quadcopter(list(T)), duration=0.5, method="shake")
    spin = result["angular_velocity"].values[:, 0]
    np.testing.assert_allclose(spin[:, 2], 0.4 * RATIO / INERTIA[2] * result.time, rtol=1e-9)
    assert np.abs(spin[:, :2]).max() < 1e-12
    assert np.abs(result["position"].values).max() < 1e-12


def test_a_failed_rotor_turns_the_body_as_eulers_equations_say() -> None:
    from scipy.integrate import solve_ivp

    fail = 0.1
    result = towsim.simulate(
        quadcopter(HOVER, [{"time": fail, "rotors": [2]}]), duration=0.3, step=1e-4, method="shake"
    )
    torque = np.array([-ARM * HOVER, 0.0, RATIO * HOVER])  # of rotors 1, 3 and 4
    inertia = np.array(INERTIA)

    def rate(_: float, w: np.ndarray) -> np.ndarray:
        return (torque - np.cross(w, inertia * w)) / inertia

    late = result.time > fail
    truth = solve_ivp(rate, (fail, 0.3), np.zeros(3), t_eval=result.time[late], rtol=1e-10, atol=1e-12).y.T
    quaternion, world = result["quaternion"].values[late, 0], result["angular_velocity"].values[late, 0]
    w, e = quaternion[:, :1], -quaternion[:, 1:]
    cross = np.cross(e, world)
    body = world + 2.0 * (w * cross + np.cross(e, cross))
    assert np.abs(truth[-1]).max() > 10.0
    # The kick at the instant of the failure is one of three rotors: half a step ahead.
    np.testing.assert_allclose(body, truth, atol=0.51e-4 * np.abs(torque / inertia).max())
    assert np.abs(result["angular_velocity"].values[result.time <= fail]).max() < 1e-2


@pytest.mark.parametrize("method", METHODS)
def test_a_failed_vehicle_falls_freely_from_that_instant_on(method: str) -> None:
    result = towsim.simulate(quadcopter(HOVER, [{"time": 0.3}]), duration=0.6, step=1e-3, method=method)
    since = np.maximum(result.time - 0.3, 0.0)
    # The kick of the instant itself is a whole one: half a step ahead at order 2, none at order 1.
    speed = result["velocity"].values[:, 0, 2]
    np.testing.assert_allclose(speed, -G * since, atol=0.51e-3 * G)
    assert np.abs(speed[result.time < 0.2995]).max() < 1e-12
    np.testing.assert_allclose(result["acceleration"].values[result.time > 0.3005, 0, 2], -G, rtol=1e-9)
    np.testing.assert_allclose(result["position"].values[:, 0, 2], -0.5 * G * since**2, atol=2e-3)
