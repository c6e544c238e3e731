"""Scenarios with vehicles and winches pass their checks, with every model of wire, with both methods, from a file."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np
import pytest

import scenarios
import towsim
from towsim.errors import UsageError
from towsim.scene import scene_from_text

NAMES = ("kinematic-versus-dynamic", "quadcopters-carry-box", "slung-load-gust", "winch-tension-control")


def failed(name: str, parameters: dict[str, Any] | None = None, **options: Any) -> list[str]:
    one = scenarios.get(name)
    result = towsim.simulate(one.build(**(parameters or {})), **(one.defaults | options))
    return [f"{check.name}: {check.value:.6g}, not {check.expected}" for check in one.check(result) if not check.passed]


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_passes_its_check(name: str, method: str) -> None:
    assert failed(name, method=method) == []


@pytest.mark.parametrize("model", ["elastic", "mrfe"])
@pytest.mark.parametrize("name", NAMES)
def test_the_model_of_the_wires_is_one_word(name: str, model: str) -> None:
    assert failed(name, {"model": model}) == []


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kinematic-versus-dynamic", {"dynamics": "kinematic"}),
        ("kinematic-versus-dynamic", {"dynamics": "point-mass", "distance": -3.0}),
        ("quadcopters-carry-box", {"mass": 1.2, "failure": 10.0}),
        ("quadcopters-carry-box", {"mass": 0.8}),
        ("slung-load-gust", {"seed": 5, "gust": -10.0, "turbulence": 1.0}),
        ("winch-tension-control", {"tension": 400.0, "heave": 0.8, "period": 8.0}),
    ],
)
def test_other_parameters_obey_the_same_laws(name: str, parameters: dict[str, Any]) -> None:
    assert failed(name, parameters) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_coarser_step_passes_too(name: str) -> None:
    assert failed(name, step=4e-3 if name == "winch-tension-control" else 2e-3) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_saved_file_is_the_scenario(name: str) -> None:
    """After a change: ``towsim.scene.save_scene(scenarios.get(name).build(), "scenarios/files/<name>.yaml")``."""
    text = (files("scenarios") / "files" / f"{name}.yaml").read_text(encoding="utf-8")
    scene = scenarios.get(name).build()
    assert scene_from_text(text) == scene
    assert (scene.run.duration, scene.run.step) == tuple(
        scenarios.get(name).defaults[key] for key in ("duration", "step")
    )


def test_a_fleet_that_lets_its_load_down_is_noticed() -> None:
    # Without the law's tilt the box cannot be held by three; here it loses two.
    one = scenarios.get("quadcopters-carry-box")
    scene = one.build(failure=4.0)
    failures = scene.robots["quadcopter1"].vehicle.failures
    worse = scene.with_values({"robots.quadcopter2.vehicle.failures": [f.model_dump() for f in failures]})
    result = towsim.simulate(worse, duration=12.0, step=2e-3, on_failure="record")
    assert not all(check.passed for check in one.check(result))


def test_another_model_of_wire_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="model must be rigid, elastic or mrfe, got 'rope'"):
        scenarios.get("slung-load-gust").build(model="rope")


def test_saturation_and_lag_can_be_seen() -> None:
    one = scenarios.get("kinematic-versus-dynamic")
    result = towsim.simulate(one.build(), duration=2.0, step=2e-3)
    figure = towsim.plot(result, ["actuation", "command"])
    lines = figure.axes[0].get_lines()
    first = [line for line in lines if line.get_xdata()[0] == 0.0]  # of the pieces of curves that lie upon each other
    assert len(first) == 2 * len(result.coords["actuator"])
    drawn = [np.asarray(line.get_ydata(), float) for line in lines]
    assert max(np.nanmax(y) for y in drawn) == pytest.approx(result["command"].values.max())
    assert len(one.drawing(result).axes) == 4


def test_vehicles_are_drawn() -> None:
    from towsim.pictures.stage import stage

    result = towsim.simulate(scenarios.get("quadcopters-carry-box").build(), duration=0.2, step=2e-3)
    shown = stage(result, 25.0)
    assert [one.name for one in shown.bodies] == ["box", *(f"quadcopter{i}" for i in (1, 2, 3, 4))]
