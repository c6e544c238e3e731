"""The report of jerks: speed, effective mass and peak force from impulse and loss."""

from __future__ import annotations

import math

import pytest

import scenarios
import towsim
from towsim.analysis import jerks
from towsim.cli import main
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
    assert main(["info", str(path)]) == 0
    assert "give --ea" in capsys.readouterr().out
