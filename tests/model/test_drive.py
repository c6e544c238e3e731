"""The compiled sampling of known motions agrees with the scene's own, exact functions of time."""

from __future__ import annotations

import numpy as np
import pytest

from towsim.errors import SimulationError
from towsim.model import jumps
from towsim.model.arrays import FORCE, MOMENT, THRUST, Drive, Floats
from towsim.model.drive import Driver
from towsim.scene import Scene, scene_from_data
from towsim.scene.parameters import Parameters

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


def test_kinks_are_the_knots_failures_and_switches_of_all_that_is_known() -> None:
    declared = scene_from_data(
        {
            "wind": {"x": "0 if t < 0.25 else 1"},
            "bodies": {
                "load": {"mass": 1.0, "point": True, "force": {"z": "step(t - 2.75)"}},
                "drone": {
                    "mass": 1.0,
                    "shape": {"sphere": 0.1},
                    "position": [1, 0, 0],
                    "rotors": {"arm": 0.1, "thrust": "1 if t < 0.5 else 2", "failures": [{"time": 2.0}]},
                },
            },
            "robots": {
                "r": {"motion": {"waypoints": POINTS}},
                "s": {"motion": {"samples": {"t": [0.1, 1.5, 3.5], "position": [[0, 0, 1]] * 3}}},
            },
            "wires": {
                "w": {"from": "load", "to": "r", "length": {"waypoints": {"t": [0, 1.25], "length": [2, 3]}}},
                "c": {
                    "from": "free",
                    "exit": [0, 0, 1],
                    "exit_force": {"y": "abs(t - 3)"},
                    "to": "load",
                    "length": 1,
                    "material": {"diameter": 1e-2, "density": 1e3, "youngs_modulus": 1e9},
                    "model": "mrfe",
                },
            },
        }
    )
    driver = Driver(declared)
    expected = [0.1, 0.25, 0.5, 1.0, 1.25, 2.0, 2.5, 2.75, 3.0, 3.5]
    assert driver.kinks(4.0).tolist() == expected
    assert driver.kinks(2.0).tolist() == expected[:5]


def test_a_cables_feed_and_the_force_on_its_free_end_are_sampled() -> None:
    cable = {
        "from": "free",
        "exit": [0, 0, 1],
        "exit_force": {"y": "3*t"},
        "to": "load",
        "length": {"formula": "2 - t/9"},
        "model": "mrfe",
        "material": {"diameter": 1e-2, "density": 1e3, "youngs_modulus": 1e9},
    }
    declared = scene({"position": [0, 0, 1]}).with_values({"wires": {"w": {"from": "load", "to": "r", "length": 3}}})
    plain = Driver(declared).sample(TIMES)
    assert plain.feed.shape == (len(TIMES), 0)
    data = {"bodies": {"load": {"mass": 1.0, "point": True}}, "wires": {"c": cable}}
    drive = Driver(scene_from_data(data)).sample(TIMES)
    np.testing.assert_allclose(drive.feed[:, 0], 2 - TIMES / 9, rtol=1e-14)
    np.testing.assert_allclose(drive.feed_rate[:, 0], -1 / 9, rtol=1e-14)
    np.testing.assert_allclose(drive.exit_force[:, 0, 1], 3 * TIMES, rtol=1e-14)


def test_a_driver_serves_scenes_in_which_the_same_is_known() -> None:
    cable = {"from": "free", "exit": [0, 0, 1], "exit_force": {"y": 3.0}, "to": "load", "length": 1.0, "model": "mrfe"}
    cable |= {"material": {"diameter": 1e-2, "density": 1e3, "youngs_modulus": 1e9}}

    def build(force: float = 3.0, height: float = 2.0, mass: float = 1.0) -> Scene:
        points = {"t": [0.0, 1.0], "position": [[0, 0, 1], [1, 0, height]]}
        more = {"wires": {"w": {"from": "load", "to": "r", "length": 2.0}, "c": cable | {"exit_force": {"y": force}}}}
        body = {"bodies": {"load": {"mass": mass, "point": True}}, "robots": {"r": {"motion": {"waypoints": points}}}}
        return scene_from_data(body | more)

    driver = Driver(build())
    assert driver.serves(build(mass=5.0))
    assert not driver.serves(build(force=4.0))
    assert not driver.serves(build(height=3.0))
    assert not driver.serves(build().with_values({"wires.w.length": 1.9}))


def test_rotors_are_a_force_and_a_torque_along_the_body_axes() -> None:
    rotors = {"arm": 0.2, "moment_ratio": 0.1, "thrust": [1, 2, 4, 8]}
    body = {"mass": 1.0, "shape": {"sphere": 0.1}, "rotors": rotors, "force": {"x": 5}}
    driver = Driver(scene_from_data({"bodies": {"drone": body}}))
    assert driver.load_kind == [FORCE, THRUST, MOMENT]
    expected = [[5, 0, 0], [0, 0, 15], [0.2 * (2 - 8), -0.2 * (1 - 4), 0.1 * (1 - 2 + 4 - 8)]]
    np.testing.assert_allclose(driver.sample(np.zeros(1)).load[0], expected)


WAYS = {
    "quintic": [f"waypoints.position.{i}.{i}" for i in range(3)],
    "quintic with velocities": ["waypoints.position.1.0", *(f"waypoints.velocity.{i}.{2 - i}" for i in range(3))],
    "cubic": [f"waypoints.position.{i}.{i}" for i in range(3)],
    "samples": [f"samples.position.{i}.{i}" for i in range(3)],
}
NUMBERS = [(kind, f"robots.r.motion.{way}") for kind, ways in WAYS.items() for way in ways]
NUMBERS += [("circle", f"wires.w.length.waypoints.length.{i}") for i in range(3)]


@pytest.mark.parametrize(("kind", "path"), NUMBERS)
@pytest.mark.parametrize("h", [0.01, 0.03])
def test_motions_are_linear_in_their_points_and_so_are_means_and_jumps_of_their_steps(
    kind: str, path: str, h: float
) -> None:
    """So slopes are what two motions differ by, however far apart; with h = 0.03 s kinks fall between samples."""
    points = {"waypoints": {"t": [0.5, 1.0, 2.0], "length": [2.0, 3.0, 2.5], "kind": "cubic"}}
    declared = scene({"motion": MOTIONS[kind]}, points)
    drivers = [Driver(declared), Driver(declared.with_values({path: Parameters(declared)[path] + 1.0}))]
    here, there = (driver.points() for driver in drivers)
    slopes = drivers[0].slopes([{name: there[name] - here[name] for name in here}])
    time = h * np.arange(int(3.0 / h))
    for ends in (False, True):
        before, after, found = (jumps.known(driver, time, h, ends=ends) for driver in (*drivers, slopes))
        for name in Drive._fields:
            if name != "kink":
                change: Floats = getattr(after, name) - getattr(before, name)
                # Places of some metres at times known to rounding: 1e-15; rates beside a kink, 1e-12 s away: 1e-11.
                np.testing.assert_allclose(getattr(found, name), change, rtol=0.0, atol=1e-11, err_msg=name)


def test_what_rests_has_a_slope_that_rests() -> None:
    driver = Driver(scene({"position": [0, 0, 1]}))
    rates = {name: np.ones_like(points) for name, points in driver.points().items()}
    slopes = driver.slopes([rates])
    drive = slopes.sample(TIMES)
    assert slopes.constant
    assert (drive.robot == 1.0).all()
    assert (drive.length == 1.0).all()
    assert not any(part.any() for part in (drive.robot_rate, drive.length_rate, drive.load, drive.wind))
