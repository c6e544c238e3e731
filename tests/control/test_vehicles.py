"""Robots with a mass: they hover, climb, push with what they have, and feel what they pull."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.scene import Scene, scene_from_data

G = 9.81
METHODS = ("stewart-trinkle", "shake")


def robot(dynamics: str, motion: dict | None = None, vehicle: dict | None = None, **more: object) -> Scene:
    where = {"motion": motion} if motion else {"position": [0.0, 0.0, 1.0]}
    data = {"robots": {"r": {"dynamics": dynamics, "vehicle": vehicle or {}, **where}}}
    return scene_from_data(data | more)


def nothing(t, measured, reference, memory, command):
    """A controller that switches everything off."""
    command[:] = 0.0


@pytest.mark.parametrize("method", METHODS)
def test_a_quadcopter_hovers_where_it_is_put(method: str) -> None:
    result = towsim.simulate(robot("quadcopter"), duration=1.0, method=method)
    assert np.abs(result["position"].sel(body="r").values - [0, 0, 1]).max() < 1e-9
    # Four equal thrusts carry the weight: 2 kg.
    np.testing.assert_allclose(result["actuation"].values[1:], 0.5 * G, rtol=1e-9)


def test_a_quadcopter_climbs_as_it_is_told() -> None:
    # From rest to rest, 2 m in 3 s; its lag of 20 ms and the step's error leave some millimetres.
    climb = {"waypoints": {"t": [0, 3], "position": [[0, 0, 1], [0, 0, 3]]}}
    scene = robot("quadcopter", climb)
    result = towsim.simulate(scene, duration=4.0)
    height = scene.robots["r"].sample(result.time)[0][:, 2]
    assert np.abs(result["position"].values[:, 0, 2] - height).max() < 0.02
    assert result["position"].values[-1, 0, 2] == pytest.approx(3.0, abs=5e-3)


@pytest.mark.parametrize("dynamics", ["point-mass", "ground", "quadcopter"])
def test_one_line_makes_a_robot_dynamic(dynamics: str) -> None:
    text = """
        bodies: {sled: {mass: 0.5, point: true, drag: {linear: 0.3}}}
        robots: {r: {motion: {waypoints: {t: [0, 2], position: [[0, 0, 1], [1, 0, 1]]}}, dynamics: kinematic}}
        wires: {w: {from: sled, to: r, length: 1.0}}
    """
    kinematic = towsim.scene.scene_from_text(text)
    moved = towsim.scene.scene_from_text(text.replace("kinematic", dynamics))
    one, other = (towsim.simulate(scene, duration=3.0, step=2e-3) for scene in (kinematic, moved))
    assert list(one.coords["body"]) == ["sled"]
    assert list(other.coords["body"]) == ["sled", "r"]
    apart = other["position"].sel(body="sled").values - one["position"].sel(body="sled").values
    assert 1e-3 < np.abs(apart).max() < 0.2


@pytest.mark.parametrize("dynamics", ["point-mass", "ground"])
def test_a_drive_gives_no_more_than_it_has(dynamics: str) -> None:
    # Asked for 1 m in 0.2 s, it gives its 4 N (2 kg): x = t² until the goal is near.
    dash = {"waypoints": {"t": [0, 0.2], "position": [[0, 0, 1], [1, 0, 1]]}}
    scene = robot(dynamics, dash, {"max_force": 4.0, "lag": 0.0}, gravity=[0, 0, 0])
    result = towsim.simulate(scene, duration=0.4)
    early = (result.time > 0.0045) & (result.time <= 0.1)  # the first sample asks for nothing yet
    np.testing.assert_allclose(result["acceleration"].values[early, 0, 0], 2.0, rtol=1e-9)
    assert np.abs(result["command"].values[:, 0]).max() > 100.0
    assert np.linalg.norm(result["actuation"].values, axis=1).max() <= 4.0 * (1 + 1e-12)


def test_a_ground_vehicle_stays_on_its_ground_and_is_lifted_only_beyond_its_weight() -> None:
    pull = {"p": {"mass": 1.0, "point": True, "position": [0, 0, 2], "force": {"z": "9.81 + 60*t"}}}
    scene = robot("ground", None, {"mass": 2.0}, bodies=pull, wires={"w": {"from": "p", "to": "r", "length": 1.0}})
    result = towsim.simulate(scene, duration=0.5)
    height = result["position"].sel(body="r").values[:, 2] - 1.0
    lifts = 2.0 * G / 60.0
    assert np.abs(height[result.time < lifts]).max() < 1e-9
    assert height[-1] > 0.01


@pytest.mark.parametrize("method", METHODS)
def test_two_free_robots_that_pull_one_load_keep_momentum(method: str) -> None:
    # No gravity, no drive: they fly apart until the wires are taut, and pull each other and the load.
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"load": {"mass": 3.0, "shape": {"box": [0.4, 0.2, 0.2]}, "points": {"a": [-0.2, 0, 0.1]}}},
            "robots": {
                "east": {"motion": {"formula": {"x": "0.5 + 1.5*t", "y": "0.3"}}, "dynamics": "point-mass"},
                "west": {
                    "motion": {"formula": {"x": "-0.7 - t", "z": "0.4*t"}},
                    "dynamics": "point-mass",
                    "vehicle": {"mass": 1.0},
                },
            },
            "wires": {
                "e": {"from": "load", "to": "east", "length": 1.0},
                "w": {"from": "load.a", "to": "west", "length": 1.0},
            },
        }
    )
    own = {"east": nothing, "west": nothing}
    result = towsim.simulate(scene, duration=2.0, step=1e-3, method=method, controllers=own)
    mass = np.array([3.0, 2.0, 1.0])
    total = np.einsum("b,tbx->tx", mass, result["velocity"].values)
    assert result["impulse"].values.max() > 1e-2, "they jerk the wires"
    assert np.abs(total - [2.0, 0.0, 0.4]).max() < 1e-10
    centre = np.einsum("b,tbx->tx", mass, result["position"].values) / 6.0
    np.testing.assert_allclose(centre[-1] - centre[0], np.array([2.0, 0.0, 0.4]) / 6.0 * 2.0, atol=1e-9)


def test_a_load_under_an_accelerating_vehicle_leans_by_a_over_g() -> None:
    a = 2.0
    lean = np.arctan2(a, G)
    load = {"mass": 0.3, "point": True, "position": [-np.sin(lean), 0, 1 - np.cos(lean)]}
    scene = robot(
        "point-mass",
        {"formula": {"x": f"{a / 2}*t**2", "z": "1"}},
        {"mass": 5.0, "lag": 0.0},
        bodies={"load": load},
        wires={"w": {"from": "load", "to": "r", "length": 1.0}},
    )
    result = towsim.simulate(scene, duration=6.0, step=2e-3)
    rope = result["position"].sel(body="r").values - result["position"].sel(body="load").values
    angle = np.arctan2(rope[:, 0], rope[:, 2])
    late = result.time > 3.0
    # The drive learns the pull of the load in its first moments; the swing that this starts is left.
    assert np.abs(angle[late] - lean).max() < 0.02
    assert np.mean(angle[late]) == pytest.approx(lean, abs=2e-3)


def test_a_towed_load_leans_by_its_drag_over_its_weight() -> None:
    # At v = 3 m/s: c v = 1.5 N against m g = 2.943 N. The vehicle is told to fly at constant speed.
    load = {"mass": 0.3, "point": True, "position": [0, 0, 0], "velocity": [3, 0, 0], "drag": {"linear": 0.5}}
    scene = robot(
        "quadcopter",
        {"formula": {"x": "3*t", "z": "1"}},
        bodies={"load": load},
        wires={"w": {"from": "load", "to": "r", "length": 1.0}},
    )
    result = towsim.simulate(scene, duration=12.0, step=2e-3)
    rope = result["position"].values[-1, 1] - result["position"].values[-1, 0]
    assert np.arctan2(rope[0], rope[2]) == pytest.approx(np.arctan2(1.5, 0.3 * G), abs=5e-3)


def test_a_load_swings_faster_under_a_free_vehicle() -> None:
    # ω² = g/l (1 + m/M): thrust carries the weight of both, nothing holds the vehicle. m = 1, M = 2, l = 0.8.
    lean = 0.02
    load = {"mass": 1.0, "point": True, "position": [0.8 * np.sin(lean), 0, 1 - 0.8 * np.cos(lean)]}
    scene = robot("point-mass", bodies={"load": load}, wires={"w": {"from": "load", "to": "r", "length": 0.8}})

    def carry_both(t, measured, reference, memory, command):
        command[:] = 0.0, 0.0, 3.0 * G

    result = towsim.simulate(scene, duration=4.0, step=1e-3, method="shake", controllers={"r": carry_both})
    x = (result["position"].sel(body="load").values - result["position"].sel(body="r").values)[:, 0]
    down = np.flatnonzero((x[1:] < 0.0) & (x[:-1] >= 0.0))
    t = result.time[down] + 1e-3 * x[down] / (x[down] - x[down + 1])
    omega = 2.0 * np.pi * (len(t) - 1) / (t[-1] - t[0])
    # The amplitude's share is lean²/16, and the rope's slack at the lag of the thrust is none.
    assert omega == pytest.approx(np.sqrt(G / 0.8 * 1.5), rel=2e-4)


@pytest.mark.parametrize("dynamics", ["point-mass", "quadcopter"])
def test_a_vehicle_that_fails_falls(dynamics: str) -> None:
    scene = robot(dynamics, None, {"failures": [{"time": 0.5}]})
    result = towsim.simulate(scene, duration=1.0)
    since = np.maximum(result.time - 0.5, 0.0)
    np.testing.assert_allclose(result["velocity"].values[:, 0, 2], -G * since, atol=1.01e-3 * G)
    assert (result["actuation"].values[result.time > 0.5005] == 0.0).all()


def test_a_rigid_body_is_pushed_and_turned_by_its_actuator() -> None:
    body = {
        "mass": 2.0,
        "inertia": [0.1, 0.2, 0.25],
        "actuator": {"max_force": 3.0, "max_torque": 0.5, "lag": 0.1},
    }
    scene = scene_from_data({"gravity": [0, 0, 0], "bodies": {"b": body}})

    def push(t, measured, reference, memory, command):
        command[:] = 1.0, 0.0, 0.0, 0.0, 0.0, 0.3 if t >= 0.2 else 0.0

    result = towsim.simulate(scene, duration=1.0, method="shake", controllers={"b": push})
    assert list(result.coords["actuator"]) == [f"b.{what}.{axis}" for what in ("force", "torque") for axis in "xyz"]
    np.testing.assert_allclose(result["velocity"].values[:, 0, 0], 0.5 * result.time, atol=1e-3)
    # ω = (τ/I) (s − T (1 − exp(−s/T))), s the time since the command
    s = np.maximum(result.time - 0.2, 0.0)
    spin = 0.3 / 0.25 * (s - 0.1 * (1.0 - np.exp(-s / 0.1)))
    np.testing.assert_allclose(result["angular_velocity"].values[:, 0, 2], spin, atol=1e-3)
