"""What follows from the record and the scene: closed forms, and the same numbers whichever way a result came about."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import scenarios
import towsim
from tests.stepping.test_drums import HOIST
from tests.stepping.test_massless_wires_turn_wheels import atwood as wheel
from tests.stepping.test_reduced_joints import crane
from towsim.cli import main
from towsim.errors import ResultError
from towsim.results.derived import DERIVED
from towsim.scene import Scene, scene_from_data, scene_from_text

G = 9.81
ALWAYS = "kinetic_energy", "potential_energy"


def tossed(mass: float = 2.0) -> Scene:
    """A spinning box that falls beside the slack wire of a post; body and world axes differ."""
    half = np.sqrt(0.5)
    return scene_from_data(
        {
            "bodies": {
                "box": {
                    "mass": mass,
                    "inertia": [0.1, 0.2, 0.25],
                    "position": [0.3, 0, 1.0],
                    "velocity": [0.5, 0, 2.0],
                    "quaternion": [half, 0, 0, half],
                    "angular_velocity": [0.0, 0.0, 3.0],
                },
            },
            "robots": {"post": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "box", "to": "post", "length": 9.0}},
        }
    )


def test_energy_of_a_free_fall_is_that_of_its_closed_form() -> None:
    result = towsim.simulate(tossed(), duration=0.5, step=1e-3)
    t = result.time
    v = 2.0 - G * t
    kinetic = 0.5 * 2.0 * (0.25 + v**2) + 0.5 * 0.25 * 9.0
    np.testing.assert_allclose(result["kinetic_energy"].sel(body="box").values, kinetic, rtol=1e-12)
    height = result["position"].sel(body="box", xyz="z").values
    np.testing.assert_allclose(result["potential_energy"].sel(body="box").values, 2.0 * G * height, rtol=1e-12)
    # z is below the parabola by ½ g h t: the method's order.
    np.testing.assert_allclose(result["energy"].values, kinetic[0] + 2.0 * G, atol=2.0 * G * 0.5 * G * 1e-3 * 0.51)
    assert "elastic_energy" not in result


def test_the_spin_of_a_body_is_given_in_its_axes() -> None:
    scene = tossed().with_values({"bodies.box.angular_velocity": [3.0, 0.0, 0.0]})
    result = towsim.simulate(scene, duration=0.2, step=1e-3)
    spin = result["angular_velocity_body"].sel(body="box").values
    np.testing.assert_allclose(spin[0], [0.0, -3.0, 0.0], atol=1e-15)  # world x is the body's −y
    np.testing.assert_allclose(spin, np.broadcast_to([0.0, -3.0, 0.0], spin.shape), atol=1e-9)  # a principal axis


def test_a_pendulum_dissipates_nothing_and_a_jerk_what_its_event_says() -> None:
    scene = tossed().with_values({"bodies.box.velocity": [0.0, 0.0, 0.0], "bodies.box.angular_velocity": [0.0] * 3})
    jerked = scene.with_values({"bodies.box.position": [0.0, 0.0, 0.0], "wires.w.length": 0.5})
    result = towsim.simulate(jerked, duration=0.5, step=1e-4)
    (jerk,) = result.events.select("jerk")
    lost = result["dissipated_energy"].values
    assert jerk.energy_lost == pytest.approx(2.0 * G * 0.5, rel=2e-3)
    assert lost[-1] == pytest.approx(jerk.energy_lost, rel=2e-3)
    assert np.abs(lost[result.time < jerk.time - 2e-4]).max() < 2e-3 * jerk.energy_lost


def hung(mass: float) -> Scene:
    material = {"axial_stiffness": 200.0}
    return scene_from_data(
        {
            "bodies": {"bob": {"mass": mass, "point": True, "position": [0, 0, -1.2]}},
            "robots": {"top": {"position": [0, 0, 0]}},
            "wires": {"w": {"from": "bob", "to": "top", "length": 1.0, "model": "elastic", "material": material}},
        }
    )


def test_a_spring_keeps_its_energy_to_the_order_of_the_method() -> None:
    worst = []
    for h in (2e-3, 1e-3):
        result = towsim.simulate(hung(1.0), duration=2.0, step=h)
        assert result["elastic_energy"].values[0] == pytest.approx(0.5 * 200.0 * 0.04)
        total = result["kinetic_energy"].values[:, 0] + result["potential_energy"].values[:, 0]
        np.testing.assert_allclose(total + result["elastic_energy"].values, result["energy"].values, rtol=1e-14)
        np.testing.assert_array_equal(result["dissipated_energy"].values, result["energy"][0] - result["energy"].values)
        worst.append(np.abs(result["dissipated_energy"].values).max())
    assert worst[0] / worst[1] == pytest.approx(2.0, abs=0.05)
    assert worst[1] < 0.02


LACKING = "wheel_energy", "thrust", "reference", "tracking_error"
"""What a load on a spring has not."""


@pytest.mark.parametrize(
    ("scene", "parts"),
    [
        (wheel(), ["wheel_energy"]),
        (wheel(more=", model: elastic, material: {axial_stiffness: 4e3}"), ["wheel_energy", "elastic_energy"]),
        (scene_from_text(HOIST), []),
        (crane(False), ["elastic_energy"]),
        (scenarios.get("towed-cable").build(), ["cable_energy"]),
    ],
    ids=["wheel", "elastic", "drum", "spring", "mrfe"],
)
def test_energy_is_the_sum_of_its_parts(scene: Scene, parts: list[str]) -> None:
    """And where nothing from outside does work it stays as it is, to the order of the method."""
    result = towsim.simulate(scene, duration=0.2, step=1e-3)
    total = sum(result[name].values.reshape(len(result.time), -1).sum(axis=1) for name in [*ALWAYS, *parts])
    np.testing.assert_allclose(total, result["energy"].values, rtol=1e-12)
    if "dissipated_energy" in result:
        moved = result["kinetic_energy"].values.sum(axis=1).max()
        assert np.abs(result["dissipated_energy"].values).max() < 0.1 * moved


def test_a_rope_between_two_posts_has_an_energy_that_it_loses_to_its_damping(tmp_path: Path) -> None:
    """There are no bodies: the sum is that of the cables alone, and a file and a plot tell it as well."""
    rope = {"mass_per_length": 0.3, "diameter": 0.01, "axial_stiffness": 1e5, "bending_stiffness": 0.0}
    wire = {"from": "a", "to": "b", "length": 6.0, "material": rope | {"axial_damping": 1e3}}
    robots = {"a": {"position": [0, 0, 0]}, "b": {"position": [5, 0, 1]}}
    scene = scene_from_data({"robots": robots, "wires": {"c": wire | {"model": {"mrfe": {"elements": 6}}}}})
    result = towsim.simulate(scene, duration=0.1, step=1e-3)
    np.testing.assert_array_equal(result["energy"].values, result["cable_energy"].values[:, 0])
    assert result["dissipated_energy"].values[0] == 0.0
    assert result["energy"].values[0] < -0.3 * 6.0 * G * 0.3  # it sags
    result.save(tmp_path / "rope.nc")
    assert main(["plot", str(tmp_path / "rope.nc"), "--what", "energy", "-o", str(tmp_path / "rope.png")]) == 0


def test_every_way_to_a_result_takes_the_numbers_of_its_own_scene(tmp_path: Path) -> None:
    masses = (1.0, 2.0, 3.0)
    many = towsim.simulate_many((hung(mass) for mass in masses), duration=0.2, step=1e-3)
    for mass, batch in zip(masses, many, strict=True):
        scene = hung(mass)
        alone = towsim.simulate(scene, duration=0.2, step=1e-3)
        sim = towsim.Simulation(scene, step=1e-3)
        sim.step(200)
        path = tmp_path / f"{mass}.nc"
        alone.save(path)
        alone.save(path.with_suffix(".npz"))
        ways = [batch, sim.result(), towsim.open_result(path), towsim.open_result(path.with_suffix(".npz"))]
        ways.append(towsim.simulate(scene, duration=0.2, step=1e-3, output=tmp_path / f"{mass}-written.nc"))
        names = [name for name in alone.variables if name in DERIVED]
        assert names == [name for name in DERIVED if name not in LACKING]
        for name in names:
            for way in ways:
                np.testing.assert_array_equal(way[name].values, alone[name].values, err_msg=name)
            np.testing.assert_array_equal(sim[name].values, alone[name].values[-1], err_msg=name)
        assert alone["kinetic_energy"].values[-1, 0] == 0.5 * mass * np.sum(alone["velocity"].values[-1] ** 2)


def test_tables_and_datasets_hold_what_is_derived_and_files_do_not(tmp_path: Path) -> None:
    result = towsim.simulate(hung(1.0), duration=0.01, step=1e-3)
    data = result.to_xarray()
    np.testing.assert_array_equal(data["energy"].values, result["energy"].values)
    assert data["energy"].attrs["units"] == "J"
    result.save(tmp_path / "run.csv")
    head = (tmp_path / "run.csv").read_text().split("\n")[0]
    assert "kinetic_energy[bob] (J)" in head
    result.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as archive:
        assert not set(archive.files) & set(DERIVED)


def test_energy_is_not_balanced_where_something_else_does_work() -> None:
    sim = towsim.Simulation(hung(1.0), step=1e-3)
    sim.place("bob", velocity=[0.0, 0.0, 1.0])
    sim.step(10)
    result = sim.result()
    assert "energy" in result
    with pytest.raises(ResultError, match="dissipated_energy"):
        result["dissipated_energy"]


def test_a_vehicle_tells_its_thrust_and_how_far_it_is_from_its_path() -> None:
    scene = scene_from_data(
        {
            "robots": {
                "drone": {"dynamics": "quadcopter", "motion": {"formula": {"x": "0.2*t", "y": 0, "z": 1}}},
                "post": {"position": [0, 0, 0]},
            },
            "bodies": {"stone": {"mass": 1.0, "point": True, "position": [5, 0, 0]}},
            "wires": {"w": {"from": "stone", "to": "post", "length": 50.0}},
        }
    )
    result = towsim.simulate(scene, duration=1.0, step=1e-3)
    path = np.stack([0.2 * result.time, 0.0 * result.time, 1.0 + 0.0 * result.time], axis=1)
    np.testing.assert_allclose(result["reference"].sel(body="drone").values, path, atol=1e-15)
    error = result["tracking_error"].sel(body="drone").values
    np.testing.assert_array_equal(error, result["position"].sel(body="drone").values - path)
    assert np.abs(error).max() < 0.05
    assert np.isnan(result["reference"].sel(body="stone").values).all()
    rotors = [result["actuation"].sel(actuator=f"drone.rotor{k}").values for k in (1, 2, 3, 4)]
    thrust = result["thrust"].sel(body="drone").values
    np.testing.assert_allclose(np.linalg.norm(thrust, axis=1), sum(rotors), rtol=1e-12)
    assert thrust[-1, 2] == pytest.approx(2.0 * G, rel=1e-2)
    assert "dissipated_energy" not in result


def test_what_was_not_recorded_is_named_as_the_reason() -> None:
    result = towsim.simulate(tossed(), duration=0.01, record=["position", "velocity"])
    with pytest.raises(ResultError, match="no 'energy' in this result: quaternion, angular_velocity not recorded"):
        result["energy"]
