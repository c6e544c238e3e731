"""The report of jerks: speed, effective mass and peak force from impulse and loss."""

from __future__ import annotations

import math
from typing import Any

import pytest

import scenarios
import towsim
from towsim.analysis import jerks
from towsim.cli import main
from towsim.errors import UsageError
from towsim.scene import Scene


def jerked(**wire: object) -> Scene:
    """4 kg jerked at 1.5 m/s by a wire of 1 m."""
    return scenarios.get("slack-jerk").build().with_values({f"wires.wire.{key}": value for key, value in wire.items()})


def test_the_peak_force_is_that_of_a_spring_that_takes_up_the_loss() -> None:
    mass, speed, EA, length = 4.0, 1.5, 2e5, 1.0
    (jerk,) = jerks(towsim.simulate(jerked(), step=1e-3), EA)
    assert jerk.speed == pytest.approx(speed, rel=1e-9)
    assert jerk.mass == pytest.approx(mass, rel=1e-9)
    assert jerk.peak_force == pytest.approx(speed * math.sqrt(EA / length * mass), rel=1e-9)


@pytest.mark.parametrize("EA", [2e4, 2e5, 2e6])
def test_a_load_that_drops_onto_its_wire_and_hangs_on_it_is_borne_as_by_an_elastic_one(EA: float) -> None:
    """T + √(T² + k m v²): of 100 kg that fall by 5 mm the weight is half of the peak, or more, on a soft rope."""
    body = {"mass": 100.0, "point": True, "position": [0, 0, -4.995]}
    wire = {"from": "load", "to": "post", "length": 5.0}
    scene = Scene(bodies={"load": body}, robots={"post": {"position": [0, 0, 0]}}, wires={"w": wire})
    (jerk,) = jerks(towsim.simulate(scene, duration=0.1, step=1e-4), EA)
    weight = 100.0 * 9.81
    assert jerk.tension == pytest.approx(weight, rel=1e-9)
    assert jerk.peak_force == pytest.approx(weight + math.sqrt(weight**2 + EA / 5.0 * 2.0 * weight * 0.005), rel=5e-3)
    material = {"mass_per_length": 1e-9, "axial_stiffness": EA}
    elastic = scene.with_values({"wires.w.model": "elastic", "wires.w.material": material})
    borne = towsim.simulate(elastic, duration=0.5, step=2e-5)["tension"].max()
    assert jerk.peak_force == pytest.approx(borne, rel=5e-3)


def test_without_the_tension_afterwards_there_is_no_estimate(tmp_path, capsys) -> None:
    path = tmp_path / "run.nc"
    result = towsim.simulate(jerked(), step=1e-3, record=["position"], output=path)
    assert math.isnan(jerks(result, 2e5)[0].peak_force)
    assert main(["info", str(path), "--ea", "2e5"]) == 0
    assert "no tension was recorded" in capsys.readouterr().out


def test_the_stiffness_is_that_of_the_length_at_the_jerk_also_where_a_winch_paid_it_out() -> None:
    """10 kg go down at 1 m/s with the wire, from 2 m until the winch jams at 3 m: v √(k m), k = EA/L, beside T."""
    load = {"mass": 10.0, "point": True, "position": [0, 0, -2], "velocity": [0, 0, -1]}
    wire = {"from": "load", "to": "crane", "length": 2.0, "winch": {"max_rate": 1.0, "jam": 1.0}}
    lower = {"law": "winch", "wire": "fall", "mode": "rate", "target": 1.0}
    scene = Scene(
        bodies={"load": load},
        robots={"crane": {"position": [0, 0, 0]}},
        wires={"fall": wire},
        controllers={"lower": lower},
    )
    *_, jerk = jerks(towsim.simulate(scene, duration=1.1, step=1e-3), 2e5)
    weight = 10.0 * 9.81
    assert (jerk.length, jerk.speed, jerk.mass) == pytest.approx((3.0, 1.0, 10.0), rel=1e-9)
    assert jerk.peak_force == pytest.approx(weight + math.sqrt(weight**2 + 2e5 / 3.0 * 10.0), rel=1e-9)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_a_taut_wire_that_only_passes_an_impulse_on_is_told_no_speed_mass_or_force(method, tmp_path, capsys) -> None:
    """0.3 kg fall by 0.2 m under 2 kg that hang: the lower wire stops them; the upper one loses nothing of its own."""
    scene = Scene(
        bodies={
            "top": {"mass": 2.0, "point": True, "position": [0, 0, -1.0]},
            "bob": {"mass": 0.3, "point": True, "position": [0, 0, -1.5]},
        },
        robots={"post": {"position": [0, 0, 0]}},
        wires={
            "up": {"from": "top", "to": "post", "length": 1.0},
            "low": {"from": "bob", "to": "top", "length": 0.7},
        },
    )
    path = tmp_path / "run.nc"
    result = towsim.simulate(scene, duration=0.22, step=1e-3, method=method, output=path)
    low, up = sorted(jerks(result, 2e5), key=lambda one: one.wire)
    assert (low.mass, low.speed) == pytest.approx((0.3, math.sqrt(2.0 * 9.81 * 0.2)), rel=1e-2)
    assert low.peak_force > low.speed * math.sqrt(2e5 / 0.7 * 0.3)
    assert up.impulse == pytest.approx(low.impulse, rel=1e-9)
    assert all(map(math.isnan, (up.speed, up.mass, up.peak_force)))
    assert main(["info", str(path), "--ea", "2e5"]) == 0
    assert capsys.readouterr().out.count("passed on what was stopped elsewhere") == 1


def test_a_lever_puts_more_than_its_mass_against_the_wire_and_is_told() -> None:
    """A boom of 2 kg at 3 rad/s, jerked at 0.5 m of its hinge: m = I/r², v = ω r."""
    inertia, arm, spin = 0.5, 0.5, 3.0
    body = {"mass": 2.0, "inertia": [0.1, inertia, inertia], "position": [1, 0, 0], "velocity": [0, 0, -spin]}
    body |= {"angular_velocity": [0, spin, 0], "points": {"root": [-1, 0, 0], "eye": [arm - 1, 0, 0]}}
    scene = Scene(
        gravity=(0, 0, 0),
        bodies={"boom": body},
        robots={"mast": {"position": [0, 0, 0]}, "post": {"position": [arm, 0, 1.0]}},
        joints={"hinge": {"kind": "revolute", "from": "mast", "to": "boom.root", "axis": [0, 1, 0]}},
        wires={"w": {"from": "boom.eye", "to": "post", "length": 1.001}},
    )
    jerk, *_ = jerks(towsim.simulate(scene, duration=0.003, step=1e-4), 2e5)
    assert jerk.mass == pytest.approx((inertia + 2.0) / arm**2, rel=1e-3)
    assert jerk.speed == pytest.approx(spin * arm, rel=1e-3)
    assert jerk.peak_force > 0.0


def test_the_length_is_that_which_a_caller_fed() -> None:
    simulation = towsim.Simulation(jerked(), step=1e-3)
    simulation.feed("wire", rate=1.0, length=1.2)
    simulation.step(1500)
    found = jerks(simulation.result(), 2e5)
    assert found
    length = simulation.result()["length"]
    assert [one.length for one in found] == [length.sel(time=one.time, wire="wire").item() for one in found]
    assert found[-1].length == pytest.approx(1.2, rel=1e-9)


@pytest.mark.parametrize("stiffness", [-1.0, 0.0, math.nan, "2e6", True])
def test_a_stiffness_that_cannot_be_is_refused(stiffness: Any) -> None:
    with pytest.raises(UsageError, match=r"axial_stiffness \[N\] must be a finite number > 0, got"):
        jerks(towsim.simulate(jerked(), step=1e-3), stiffness)


def test_the_wires_own_material_comes_first_and_its_mass_adds_a_wave() -> None:
    material = {"axial_stiffness": 1e6, "mass_per_length": 0.2}
    (jerk,) = jerks(towsim.simulate(jerked(material=material), step=1e-3), 2e5)
    assert jerk.peak_force == pytest.approx(1.5 * (math.sqrt(1e6 * 4.0) + math.sqrt(1e6 * 0.2)), rel=1e-9)


def test_without_a_stiffness_there_is_no_estimate() -> None:
    (jerk,) = jerks(towsim.simulate(jerked(), step=1e-3))
    assert math.isnan(jerk.peak_force)


def test_info_lists_every_jerk(tmp_path, capsys) -> None:
    path = tmp_path / "run.nc"
    towsim.simulate(jerked(), step=1e-3, output=path)
    assert main(["info", str(path), "--ea", "2e5"]) == 0
    text = capsys.readouterr().out
    assert "6 N s" in text
    assert "1342 N" in text  # 1.5 √(2e5 · 4)
    assert "peak force: T + √(T² + k m v²)" in text
    assert main(["info", str(path)]) == 0
    assert "give --ea" in capsys.readouterr().out
