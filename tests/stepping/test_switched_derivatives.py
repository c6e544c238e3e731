"""Derivatives of runs in which wires break, are cut, come and go, and joints end: those of runs that switch alike."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from tests.stepping.conftest import beside
from towsim.scene import scene_from_data

STEP = 1e-3
METHODS = ("stewart-trinkle", "shake")
NUMBERS = ["bodies.load.mass", "bodies.load.inertia.1", "bodies.load.drag.linear", "bodies.load.velocity.1"]


def relay():
    """A rod on two wires and a hinge: one wire breaks as it is pulled, a third one comes, the second is cut."""
    robots = {
        "a": {"motion": {"formula": {"x": "0.2*t", "y": 0.0, "z": "2+0.6*t**2"}}},
        "b": {"position": [1.0, 0.3, 2.0]},
        "c": {"position": [0.6, -0.2, 2.2]},
    }
    load = {
        "mass": 1.2,
        "inertia": [0.02, 0.03, 0.04],
        "position": [0.5, 0.1, 1.1],
        "velocity": [0.1, 0.05, 0.02],
        "points": {"p": [-0.2, 0.0, 0.0], "q": [0.2, 0.0, 0.0]},
        "drag": {"linear": 0.3},
    }
    tail = {"mass": 0.3, "inertia": [0.01, 0.01, 0.01], "position": [0.5, 0.1, 0.8], "points": {"top": [0, 0, 0.3]}}
    wires = {
        "strong": {"from": "b", "to": "load.q", "length": 1.0, "cut": 0.4},
        "weak": {"from": "a", "to": "load.p", "length": 0.97, "break": {"tension": 11.0}},
        "spare": {"from": "c", "to": "load.p", "length": 1.35, "attach": 0.15},
    }
    joints = {"hook": {"kind": "ball", "from": "load", "to": "tail.top", "detach": 0.3}}
    return scene_from_data(
        {"name": "relay", "robots": robots, "bodies": {"load": load, "tail": tail}, "wires": wires, "joints": joints}
    )


@pytest.fixture(scope="module", params=METHODS)
def model(request):
    return towsim.compile(relay(), step=STEP, method=request.param)


def test_derivatives_are_those_of_runs_that_switch_in_the_same_steps(model):
    found = model.sensitivities(NUMBERS, ["position", "quaternion"], duration=0.6)
    kinds = [(event.time, event.kind, event.subject) for event in model.run(duration=0.6).events]
    assert [(event.time, event.kind, event.subject) for event in found.result.events] == kinds
    assert {"weak", "strong", "spare", "hook"} <= {subject for _, _, subject in kinds}
    reach = 2e-6
    for path, value in zip(found.parameters, found.at, strict=True):
        runs = []
        for k in (1, -1, 2, -2):
            scene = model.scene.with_values({path: value + k * reach})
            runs.append(towsim.simulate(scene, duration=0.6, **model.options))
            assert [(event.time, event.kind, event.subject) for event in runs[-1].events] == kinds
        for name in ("position", "quaternion"):
            f = [run[name].values for run in runs]
            expected = (8.0 * (f[0] - f[1]) - (f[2] - f[3])) / (12.0 * reach)
            mine = found[name].sel(parameter=path).values
            # Places err by 1e-13 m over the reach.
            np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-7 * max(1.0, np.abs(expected).max()))


def test_what_is_not_known_has_no_derivative(model):
    """A wire that is cut has no gap, in the run and in derivatives: they had been 0."""
    found = model.sensitivities(NUMBERS[:2], ["gap"], duration=0.45)
    unknown = np.isnan(found.result["gap"].values)
    assert unknown[-1].any()
    np.testing.assert_array_equal(np.isnan(found["gap"].values), np.repeat(unknown[..., None], 2, axis=-1))


def test_backwards_the_gradient_is_that_of_forward_mode():
    model = towsim.compile(beside(relay(), "wheel", "arm"), step=STEP, method="stewart-trinkle")

    def cost(run):
        return np.mean(run["position"] ** 2)

    value, forward = model.gradient(cost, NUMBERS, ["position"], duration=0.6, mode="forward")
    same, backward = model.gradient(cost, NUMBERS, ["position"], duration=0.6, mode="reverse")
    assert same == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(backward, forward, rtol=0, atol=1e-11 * np.abs(forward).max())


@pytest.mark.parametrize(
    "path", ["wires.strong.cut", "wires.spare.attach", "joints.hook.detach", "wires.weak.break.tension"]
)
def test_what_decides_in_which_step_something_is_switched_has_no_derivative(model, path):
    with pytest.raises(towsim.UsageError, match="decides in which step"):
        model.sensitivities([path], duration=0.1)


def test_a_wire_that_cannot_be_attached_is_refused_as_in_a_run(model):
    scene = model.scene.with_values({"wires.spare.length": 0.9})
    with pytest.raises(towsim.SimulationError, match="'spare' is attached, but its ends are"):
        towsim.compile(scene, **model.options).sensitivities(["bodies.load.mass"], duration=0.3)


def test_what_has_come_apart_does_not_move_each_other_in_the_step_that_parts_it():
    """Directions of the state are taken several times through the step in which the hook ends."""
    model = towsim.compile(relay(), step=STEP, method="stewart-trinkle")
    before, parting = model.step_map(299).A, model.step_map(300).A
    assert np.abs(before[12:, :12]).max() > 1e-3
    assert not parting[12:, :12].any()
    assert not parting[:12, 12:].any()


@pytest.mark.parametrize("method", METHODS)
def test_a_torque_is_the_motors_until_its_joint_is_detached(method):
    """τ = τ_m before, 0 behind: dτ/dτ_m is 1 and 0, in the same rows as in a run without derivatives."""
    hinge = {"kind": "revolute", "from": "post", "to": "wheel", "axis": [0, 0, 1], "motor": 0.3, "detach": 0.01}
    bodies = {"wheel": {"mass": 2.0, "inertia": [0.1, 0.1, 0.15]}}
    data = {"gravity": [0, 0, 0], "bodies": bodies, "robots": {"post": {"position": [0, 0, 0]}}}
    scene = scene_from_data(data | {"joints": {"hinge": hinge}, "run": {"step": STEP, "duration": 0.02}})
    found = towsim.compile(scene, method=method).sensitivities(["joints.hinge.motor"], of=["joint_torque"])
    plain = towsim.simulate(scene, method=method)["joint_torque"].values
    assert (plain[1:9, 0, 2] > 0.0).all()
    np.testing.assert_allclose(found.result["joint_torque"].values, plain, atol=1e-12)
    np.testing.assert_allclose(found["joint_torque"].values[..., 0], plain / 0.3, atol=1e-12)
