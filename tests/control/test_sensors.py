"""Sensors read what is there, with the noise they say, and the same numbers for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.errors import SimulationError, UsageError
from towsim.scene import Scene, scene_from_data

NOISE = 0.05


def hanging(sensors: dict, seed: int = 0, **more: object) -> Scene:
    return scene_from_data(
        {
            "bodies": {"bob": {"mass": 2.0, "point": True, "position": [0.6, 0, -0.8]}},
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "bob", "to": "post", "length": 1.0}},
            "sensors": sensors,
            "seed": seed,
            **more,
        }
    )


def cell(**more: object) -> dict:
    return {"cell": {"kind": "load-cell", "of": "w", "noise": NOISE, "rate": 1000.0, **more}}


def test_a_load_cell_reads_the_tension_of_the_step_before() -> None:
    result = towsim.simulate(hanging(cell(noise=0.0)), duration=0.5, step=1e-3)
    reading = result["reading"].sel(channel="cell.tension").values
    tension = (result["tension"].values + result["impulse"].values / 1e-3)[:, 0]
    np.testing.assert_allclose(reading[1:-1], tension[1:-1], rtol=1e-12)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_a_load_cell_of_a_strut_that_pushes_reads_a_push(method: str) -> None:
    spring = {"spring": {"stiffness": 800.0, "damping": 15.0}}
    scene = scene_from_data(
        {
            "bodies": {"load": {"mass": 2.0, "point": True, "position": [0, 0, 1.5 - 2 * 9.81 / 800]}},
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "post", "to": "load", "length": 1.5, "model": spring}},
            "sensors": cell(noise=0.0),
        }
    )
    result = towsim.simulate(scene, duration=0.1, step=1e-3, method=method)
    assert result["reading"].values[-1, 0] == pytest.approx(-2.0 * 9.81, rel=1e-9)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_what_a_load_cell_reads_is_the_momentum_that_the_wire_gave_jerks_included(method: str) -> None:
    load = {"mass": 2.0, "point": True, "position": [0, 0, -0.9]}
    h, duration, weight = 1e-3, 0.3, 2.0 * 9.81
    result = towsim.simulate(hanging(cell(noise=0.0), bodies={"bob": load}), duration=duration, step=h, method=method)
    assert result["impulse"].values.sum() > 1.0
    given = np.nansum(result["reading"].values) * h
    last = 0.5 * weight * h if method == "shake" else 0.0  # its kicks lie about the steps: half of the last one is due
    assert given + last == pytest.approx(weight * duration, rel=1e-9)


def test_noise_has_the_spread_that_was_asked_for_and_no_memory() -> None:
    result = towsim.simulate(hanging(cell()), duration=4.0, step=1e-3)
    noise = (result["reading"].values - result["tension"].values)[1:-1, 0] / NOISE
    n = len(noise)
    assert abs(noise.mean()) < 4.0 / np.sqrt(n)
    assert abs(noise.std() - 1.0) < 4.0 / np.sqrt(2 * n)
    assert abs(np.mean(noise[1:] * noise[:-1])) < 4.0 / np.sqrt(n)
    assert abs(np.mean(noise**4) - 3.0) < 4.0 * np.sqrt(96.0 / n)  # Gaussian


def test_the_same_seed_gives_the_same_bits_and_another_one_does_not() -> None:
    one, same, other = (
        towsim.simulate(hanging(cell(), seed=seed), duration=0.3, step=1e-3)["reading"].values for seed in (1, 1, 2)
    )
    assert np.array_equal(one[1:], same[1:])
    assert not np.array_equal(one[1:], other[1:])


def test_noise_belongs_to_the_reading_and_not_to_the_step() -> None:
    spread = {"of": "b", "noise": 0.1, "turn_noise": 0.2, "rate": 100.0}
    free = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": {"b": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}},
            "sensors": {kind: {"kind": kind, **spread} for kind in ("imu", "pose", "velocity")},
        }
    )
    at_rest = hanging(cell(rate=100.0), bodies={"bob": {"mass": 2.0, "point": True, "position": [0, 0, -1.0]}})
    for scene in (free, at_rest):
        coarse, fine = (
            towsim.simulate(scene, duration=0.2, step=h)["reading"].values[:: round(0.01 / h)] for h in (1e-3, 5e-4)
        )
        assert np.ptp(coarse[1:], axis=0).min() > 0.01
        np.testing.assert_allclose(coarse, fine, rtol=1e-9, atol=1e-12)


def test_another_sensor_leaves_the_noise_of_the_first_as_it_was() -> None:
    more = {"speed": {"kind": "velocity", "of": "bob", "noise": 0.1, "rate": 500.0}}
    one = towsim.simulate(hanging(cell()), duration=0.2, step=1e-3)["reading"].sel(channel="cell.tension").values
    two = towsim.simulate(hanging(more | cell()), duration=0.2, step=1e-3)["reading"].sel(channel="cell.tension").values
    assert np.array_equal(one[1:], two[1:])


def test_readings_are_held_between_the_instants_of_a_sensor() -> None:
    result = towsim.simulate(hanging(cell(rate=100.0)), duration=0.2, step=1e-3)
    changes = np.flatnonzero(np.diff(result["reading"].values[10:, 0])) + 11
    np.testing.assert_array_equal(changes, np.arange(20, 210, 10))  # the end's, too


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_a_load_cell_reads_nothing_before_there_was_a_force_and_never_zero_on_a_loaded_wire(method: str) -> None:
    result = towsim.simulate(hanging(cell(rate=100.0, noise=0.0)), duration=0.05, step=1e-3, method=method)
    reading = result["reading"].values[:, 0]
    assert np.isnan(reading[:10]).all()
    assert reading[10:].min() > 1.0


def test_a_law_that_commands_by_a_tension_not_yet_read_is_told_which() -> None:
    def pull(t, measured, reference, memory, command):
        command[0] = 1e-3 * (measured.tension[0] - 10.0)

    scene = hanging({}).with_values({"wires.w.winch": {}})
    with pytest.raises(SimulationError, match=r"at t = 0 s .* w.rate = nan.*measured.tension of wire 'w' is NaN until"):
        towsim.simulate(scene, duration=0.1, step=1e-3, controllers={"w": pull})


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_an_imu_feels_the_rope_and_not_gravity(method: str) -> None:
    # The specific force of a swinging bob is the rope's tension over its mass, along the rope.
    sensors = {"imu": {"kind": "imu", "of": "bob", "rate": 1000.0}}
    result = towsim.simulate(hanging(sensors), duration=0.5, step=1e-3, method=method)
    force = result["reading"].values[2:, :3]
    rope = -result["position"].values[2:, 0]
    expected = result["tension"].values[2:] / 2.0 * rope / np.linalg.norm(rope, axis=1)[:, None]
    # A reading is the mean over the millisecond before it: half a step, at jerks of up to 60 m/s³.
    assert np.abs(force - expected)[1:-1].max() < 0.06


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("rate", [1000.0, 100.0])
def test_an_imu_feels_a_constant_force_from_its_second_reading_on(method: str, rate: float) -> None:
    sensors = {"imu": {"kind": "imu", "of": "bob", "rate": rate}}
    body = {"mass": 2.0, "point": True, "force": {"x": 6.0, "y": 0.0, "z": 2.0 * 9.81}}
    scene = scene_from_data({"bodies": {"bob": body}, "sensors": sensors})
    reading = towsim.simulate(scene, duration=0.1, step=1e-3, method=method)["reading"].values[:: round(1000 / rate)]
    np.testing.assert_allclose(reading[1:, :3], np.tile([3.0, 0.0, 9.81], (len(reading) - 1, 1)), rtol=1e-9, atol=1e-9)


def test_an_imu_on_a_turning_body_reads_in_the_bodys_axes() -> None:
    body = {"b": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1], "angular_velocity": [0, 0, 2], "velocity": [0, 0, 1]}}
    body["b"]["quaternion"] = [np.sqrt(0.5), np.sqrt(0.5), 0, 0]  # its y axis points up
    sensors = {
        "imu": {"kind": "imu", "of": "b"},
        "pose": {"kind": "pose", "of": "b"},
        "speed": {"kind": "velocity", "of": "b"},
    }
    result = towsim.simulate(scene_from_data({"bodies": body, "sensors": sensors}), duration=0.4, step=1e-3)
    reading = {name: result["reading"].sel(channel=name).values[-1] for name in result.coords["channel"]}
    np.testing.assert_allclose([reading[f"imu.g{a}"] for a in "xyz"], [0, 2, 0], atol=1e-9)
    np.testing.assert_allclose([reading[f"imu.f{a}"] for a in "xyz"], 0.0, atol=1e-9)  # it falls freely
    np.testing.assert_allclose([reading[f"speed.w{a}"] for a in "xyz"], [0, 0, 2], atol=1e-9)
    assert reading["speed.vz"] == pytest.approx(1.0 - 9.81 * 0.4)
    assert reading["pose.z"] == pytest.approx(result["position"].values[400, 0, 2])
    q = [reading[f"pose.q{a}"] for a in "wxyz"]
    np.testing.assert_allclose(q, result["quaternion"].values[400, 0], atol=1e-12)


def test_controllers_see_what_the_sensors_read() -> None:
    seen = []

    def look(t, measured, reference, memory, command):
        seen.append(measured.tension[0])

    scene = hanging(cell(rate=500.0)).with_values({"wires.w.winch": {}})
    control = towsim.Control(look, rate=500.0)
    result = towsim.simulate(scene, duration=0.1, step=1e-3, controllers={"w": control})
    np.testing.assert_array_equal(seen, result["reading"].values[::2, 0])


def test_a_rate_that_does_not_fit_the_step_is_refused() -> None:
    with pytest.raises(UsageError, match=r"sensor 'cell' is sampled every 0.00142857 s, .* take rate 1000, or a step"):
        towsim.simulate(hanging(cell(rate=700.0)), duration=0.1, step=1e-3)
