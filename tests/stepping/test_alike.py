"""Scenes that differ in numbers of their bodies only share what is compiled, and nothing else."""

import numpy as np
import pytest

import scenarios
import towsim
from towsim.model.compile import compile_scene
from towsim.stepping import alike

CHANGES = [
    {"bodies.box.mass": 3.0},
    {"bodies.box.velocity": [0.01, 0, 0]},
    {"bodies.box.drag": {"linear": 0.5, "quadratic": 0.1}},
    {"bodies.box.angular_velocity": [0, 0, 0.1], "bodies.box.inertia": [0.1, 0.2, 0.25]},
]


@pytest.mark.parametrize("changes", CHANGES)
def test_a_run_with_other_numbers_is_that_of_a_scene_compiled_anew(changes):
    scene = scenarios.get("four-robots-box").build()
    towsim.simulate(scene, duration=0.05)
    base = alike._last[0]
    other = scene.with_values(changes)
    shared = towsim.simulate(other, duration=0.05)
    assert alike._last[0] is base  # it was not compiled anew
    alike._last.clear()
    anew = towsim.simulate(scene.with_values(changes), duration=0.05)
    for name in shared:
        assert np.array_equal(shared[name].values, anew[name].values, equal_nan=True), name


@pytest.mark.parametrize(
    "changes",
    [
        {"gravity": [0, 0, -1.0]},
        {"bodies.box.points.new": [0, 0, 0.1]},
        {"bodies.box.position": [0, 0, 0.001]},
        {"bodies.box.force": {"x": "1.0"}},
        {"robots.north_east.position": None},
        {"ground": {"contacts": ["box"], "height": -9.0}},
    ],
)
def test_anything_else_is_compiled_anew(changes):
    scene = scenarios.get("four-robots-box").build()
    if "robots.north_east.position" in changes:
        first = next(iter(scene.wires))
        changes = {f"wires.{first}.length": scene.wires[first].length * 1.01}
    assert not alike.alike(scene, scene.with_values(changes))


def test_a_wrong_start_is_refused_also_after_a_good_one():
    scene = scenarios.get("four-robots-box").build()
    towsim.simulate(scene, duration=0.05)
    with pytest.raises(towsim.SceneError):
        towsim.simulate(scene.with_values({"bodies.box.position": [0, 0, -3.0]}), duration=0.05)


def test_a_compiled_scene_that_is_shared_is_not_changed_by_its_runs():
    scene = scenarios.get("wire-breaks-in-lift").build()
    before = compile_scene(scene).model.rows.compliance.copy()
    towsim.simulate(scene, duration=1.0, on_failure="record")
    assert np.array_equal(alike.checked_and_compiled(scene).model.rows.compliance, before)


def test_arms_are_compiled_anew_as_their_arrays_hold_masses_too():
    scene = scenarios.get("slewing-crane").build()
    towsim.simulate(scene, duration=0.01)
    base = alike._last[0]
    name = next(name for name, body in scene.bodies.items() if not body.point)
    towsim.simulate(scene.with_values({f"bodies.{name}.mass": 2.0 * scene.bodies[name].mass}), duration=0.01)
    assert alike._last[0] is not base
