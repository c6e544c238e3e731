"""Scenes that differ in numbers only share what is compiled, and nothing else."""

from typing import Any

import numpy as np
import pytest

import scenarios
import towsim
from tests.stepping.conftest import anew
from towsim.model.compile import compile_scene
from towsim.stepping import again, alike

CHANGES: list[dict[str, Any]] = [
    {"bodies.box.mass": 3.0},
    {"bodies.box.velocity": [0.01, 0, 0]},
    {"bodies.box.drag": {"linear": 0.5, "quadratic": 0.1}},
    {"bodies.box.angular_velocity": [0, 0, 0.1], "bodies.box.inertia": [0.1, 0.2, 0.25]},
    {"bodies.box.position": [0, 0, 0.001]},
    {"bodies.box.points.p0": [0.2, 0.15, 0.101]},
    {"bodies.box.points.p0": [0.2, 0.15, 0.09], "bodies.box.points.p2": [-0.21, -0.15, 0.1], "wires.w0.length": 1.1},
    {"bodies.box.points.new": [0, 0, 0.1]},
    {"bodies.box.shape": {"box": [0.4, 0.3, 0.25]}},
    {"bodies.box.position": [0, 0, 0.3], "bodies.box.quaternion": [0.99, 0.1, 0, 0], "wires.w1.length": 1.3},
    {"gravity": [0, 0.5, -1.0]},
    {"wires.w0.length": 1.1, "wires.w2.length": 1.02},
    {"wires.w0.length": {"formula": "1.1 + 0.01*sin(t)"}},
    {"robots.r0.motion.waypoints.t": [0.0, 1.0]},
    {"robots.r0": {"motion": {"circle": {"center": [0.2, 0.2, 0.9], "radius": 0.01, "period": 1.0}}}},
    {"wind": [3.0, 0, 0], "bodies.box.drag": {"linear": 0.5}},
    {"wind": {"turbulence": {"intensity": [2, 2, 1]}}, "bodies.box.drag": {"linear": 0.5}},
    {"wind": {"turbulence": {"intensity": [2, 2, 1], "seed": 7}}, "bodies.box.drag": {"linear": 0.5}, "seed": 7},
]


def build() -> towsim.Scene:
    return scenarios.get("four-robots-box").build()


def assert_same(one: towsim.Result, other: towsim.Result) -> None:
    assert set(one) == set(other)
    for name in one:
        assert np.array_equal(one[name].values, other[name].values, equal_nan=True), name


@pytest.mark.parametrize("changes", CHANGES)
def test_a_run_with_other_numbers_is_that_of_a_scene_compiled_anew(changes):
    scene = build()
    again._last.kept.clear()
    towsim.simulate(scene, duration=0.05)
    base = alike._last[0]
    other = scene.with_values(changes)
    shared = towsim.simulate(other, duration=0.05)
    assert alike._last[0] is base  # it was not compiled anew
    assert_same(shared, anew(scene.with_values(changes), duration=0.05))


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_one_stepper_put_back_runs_all_numbers_as_a_new_one_does(method):
    """Short runs one after the other, to and fro between the changes, and runs that share nothing."""
    scene, options = build(), {"duration": 0.05, "method": method}
    others = [scene, *map(scene.with_values, CHANGES)]
    towsim.simulate(scene, lean=True, **options)
    kept = again._last.kept[0]
    for k in [*range(len(others)), *range(len(others) - 1, -1, -1), 4, 0, 8, 5, 10]:
        short = towsim.simulate(others[k], lean=True, **options)
        assert again._last.kept[0] is kept
        assert_same(short, anew(others[k], **options))


def test_a_start_that_is_wrong_does_not_spoil_the_runs_after_it():
    scene = build()
    first = towsim.simulate(scene, lean=True, duration=0.05)
    with pytest.raises(towsim.SceneError, match="w0"):
        towsim.simulate(scene.with_values({"wires.w0.length": 0.9}), lean=True, duration=0.05)
    x, y, z = scene.robots["r0"].start().tolist()
    motion = {"formula": {"x": x, "y": y, "z": f"{z} - sqrt(0.02) + sqrt(0.02 - t)"}}
    with pytest.raises(towsim.SimulationError, match="r0"):
        towsim.simulate(scene.with_values({"robots.r0": {"motion": motion}}), lean=True, duration=0.05)
    assert_same(first, towsim.simulate(scene, lean=True, duration=0.05))


@pytest.mark.parametrize(
    "changes",
    [
        {"bodies.box.points.p0": [-0.2, 0.15, 0.1]},
        {"bodies.box.force": {"x": "1.0"}},
        {"wires.w0.model": "elastic", "wires.w0.material": {"axial_stiffness": 1e4}},
        {"wires.w0.break": {"tension": 1e3}},
        {"robots.r0.dynamics": "point-mass"},
        {"ground": {"contacts": ["box"], "height": -9.0}},
    ],
)
def test_anything_else_is_compiled_anew(changes):
    scene = build()
    assert alike.difference(scene, scene.with_values(changes)) is None


SOFT = {
    "bodies": {"load": {"mass": 2.0, "position": [0, 0, 0.19], "shape": {"sphere": 0.2}}},
    "robots": {"crane": {"position": [0, 0, 1.4]}},
    "wires": {
        "soft": {
            "from": "load",
            "to": "crane",
            "length": 1.2,
            "model": "elastic",
            "material": {"axial_stiffness": 100.0, "axial_damping": 1.0},
        }
    },
    "ground": {"contacts": ["load"], "spring": {"stiffness": 1e3, "damping": 1.0}},
}


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_stiffness_damping_and_friction_are_put_in_place(method):
    soft = towsim.Scene(**SOFT)
    rough = scenarios.get("drag-box-rough-ground").build()
    for scene, changes in (
        (soft, {"wires.soft.material.axial_stiffness": 300.0}),
        (soft, {"wires.soft.material": {"axial_stiffness": 100.0, "axial_damping": 9.0}}),
        (soft, {"ground.spring.stiffness": 2e3}),
        (soft, {"ground.spring.damping": 7.0}),
        (rough, {"ground.friction": 0.2}),
    ):
        if scene is rough and method == "shake":
            continue  # which takes no friction
        other, options = scene.with_values(changes), {"duration": 2.0, "step": 2e-3, "method": method}
        one = towsim.simulate(scene, lean=True, **options)
        base = alike._last[0]
        shared = towsim.simulate(other, lean=True, **options), *towsim.simulate_many([scene, other], **options)
        assert alike._last[0] is base
        alone = anew(other, **options)
        assert_same(shared[0], alone)
        assert_same(shared[1], one)
        assert_same(shared[2], alone)
        assert not np.array_equal(alone["position"].values, one["position"].values)


def test_planes_of_other_kinds_are_compiled_anew():
    soft = towsim.Scene(**SOFT)
    for changes in (
        {"ground.spring.pulls": True},
        {"ground.height": -0.1},
        {"ground": {"contacts": ["load"], "height": -0.1}},
        {"ground": [soft.ground]},
        {"ground": [soft.ground, {"normal": [1, 0, 0], "height": -9.0, "contacts": ["load"]}]},
        {"ground": None},
    ):
        assert alike.difference(soft, soft.with_values(changes)) is None


def test_poses_are_compiled_anew_where_joints_keep_them_and_shapes_where_they_touch():
    arm = scenarios.get("slewing-crane").build()
    name = next(iter(arm.bodies))
    assert alike.difference(arm, arm.with_values({f"bodies.{name}.position": [0, 0, 9.0]})) is None
    box = scenarios.get("drag-box-rough-ground").build()
    name = next(iter(box.bodies))
    assert alike.difference(box, box.with_values({f"bodies.{name}.shape": {"box": [0.4, 0.3, 0.25]}})) is None


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
    alike._last.clear()
    towsim.simulate(scene, duration=0.01)
    base = alike._last[0]
    name = next(name for name, body in scene.bodies.items() if not body.point)
    towsim.simulate(scene.with_values({f"bodies.{name}.mass": 2.0 * scene.bodies[name].mass}), duration=0.01)
    assert alike._last[0] is not base
