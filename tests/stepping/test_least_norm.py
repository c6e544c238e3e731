"""Tensions that are not unique: in runs with derivatives those of least norm, and what these depend on."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.analysis import uniqueness
from towsim.scene import scene_from_data

MASS, GRAVITY, ARM, DROP = 2.0, 9.81, 0.4, 1.5
CORNERS = {"a": (ARM, ARM), "b": (-ARM, ARM), "c": (-ARM, -ARM), "d": (ARM, -ARM)}
METHODS = ("stewart-trinkle", "shake", "bdf2")
"""A box on four parallel wires of one length: one more than its motion needs."""


def hoist(*, velocity=(0.0, 0.0, 0.0), lift=0.0):
    box = {
        "mass": MASS,
        "inertia": [0.1, 0.12, 0.15],
        "position": [0.0, 0.0, -DROP],
        "velocity": list(velocity),
        "points": {name: [x, y, 0.0] for name, (x, y) in CORNERS.items()},
    }
    robots = {
        name: {"motion": {"formula": {"x": x, "y": y, "z": f"{lift} * (1 - cos(2*t))"}}}
        if lift
        else {"position": [x, y, 0.0]}
        for name, (x, y) in CORNERS.items()
    }
    wires = {f"w{name}": {"from": name, "to": f"box.{name}", "length": DROP} for name in CORNERS}
    return scene_from_data({"name": "hoist", "robots": robots, "bodies": {"box": box}, "wires": wires})


@pytest.mark.parametrize("method", METHODS)
def test_each_of_four_wires_bears_a_quarter_and_of_a_shifted_box_what_its_lever_says(method):
    """T_i = m g/4, and with the corners moved by s along x: T_i = m g/4 (1 − s x_i/a²), of least norm."""
    moved = {f"bodies.box.points.{name}.0": 1.0 for name in CORNERS} | {
        f"robots.{name}.position.0": 1.0 for name in CORNERS
    }
    model = towsim.compile(hoist(), step=1e-3, method=method)
    found = model.sensitivities(
        ["bodies.box.mass", "gravity.2", {"s": moved}], ["tension", "angular_velocity"], duration=0.05
    )
    tension, rate = found.result["tension"].values[2:], found["tension"].values[2:]
    x = np.array([place[0] for place in CORNERS.values()])
    np.testing.assert_allclose(tension, MASS * GRAVITY / 4.0, rtol=1e-9)
    np.testing.assert_allclose(rate[..., 0], GRAVITY / 4.0, rtol=1e-9)
    np.testing.assert_allclose(rate[..., 1], -MASS / 4.0, rtol=1e-9)
    np.testing.assert_allclose(found["angular_velocity"].values, 0.0, atol=1e-12)
    np.testing.assert_allclose(rate[..., 2], np.tile(-MASS * GRAVITY * x / (4.0 * ARM**2), (len(rate), 1)), rtol=1e-9)


def swung():
    """The box is drawn up while it swings: wires stay parallel, and tensions differ."""
    return hoist(velocity=(0.5, 0.2, 0.0), lift=0.3)


@pytest.mark.parametrize("method", METHODS)
def test_what_is_differentiated_is_the_tension_of_least_norm(method):
    """Against differences of order four of the tensions of least norm of runs, which err by 1e-9 over the reach."""
    model = towsim.compile(swung(), step=1e-3, method=method)
    paths = {"bodies.box.mass": 1e-2, "gravity.2": 1e-2, "bodies.box.velocity.0": 2e-2}
    found = model.sensitivities([*paths], ["tension", "position", "angular_velocity"], duration=0.2)
    for name, reach in paths.items():
        value = found.at[found.parameters.index(name)]
        runs = [
            model.sensitivities(["bodies.box.mass"], at=_at(model, name, value + k * reach), duration=0.2)
            .result["tension"]
            .values
            for k in (1, -1, 2, -2)
        ]
        expected = (8.0 * (runs[0] - runs[1]) - (runs[2] - runs[3])) / (12.0 * reach)
        rate = found["tension"].sel(parameter=name).values
        np.testing.assert_allclose(rate[3:], expected[3:], rtol=0, atol=1e-6 * np.abs(expected[3:]).max())


def _at(model, path, value):
    whole, _, index = path.rpartition(".")
    if path in model.parameters:
        return {path: value}
    numbers = list(model.parameters[whole])
    numbers[int(index)] = value
    return {whole: numbers}


def test_values_are_those_of_least_norm_among_all_that_move_the_box_alike():
    model = towsim.compile(swung(), step=1e-3, method="stewart-trinkle")
    found = model.sensitivities(["bodies.box.mass"], ["tension"], duration=0.2).result
    run = model.run(duration=0.2)
    least = uniqueness(run, every=20)
    rows = np.searchsorted(found.time, least.time)
    np.testing.assert_allclose(found["tension"].values[rows][1:], least.least_norm[1:], rtol=0, atol=1e-8)
    assert np.abs(run["tension"].values[rows] - least.least_norm)[1:].max() > 1.0  # a run records a basic answer
    np.testing.assert_allclose(found["position"].values, run["position"].values, rtol=0, atol=1e-12)


def test_both_modes_agree_on_the_tension_of_least_norm():
    model = towsim.compile(swung(), step=1e-3, method="stewart-trinkle")
    paths = ["bodies.box.mass", "gravity", "bodies.box.velocity"]

    def cost(run):
        return np.mean(run["tension"].sel(wire="wa")[3:] ** 2)

    one, other = (model.gradient(cost, paths, ["tension"], duration=0.2, mode=mode) for mode in ("forward", "reverse"))
    np.testing.assert_allclose(other[0], one[0], rtol=1e-10)
    np.testing.assert_allclose(other[1], one[1], rtol=0, atol=1e-9 * np.abs(one[1]).max())
