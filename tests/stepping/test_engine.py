"""Runs that share an engine, one after the other, give the bits that each gives alone."""

from __future__ import annotations

import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import scenarios
import towsim
from tests.stepping.conftest import anew
from towsim.model.drive import Driver
from towsim.run import engine
from towsim.run.engine import kept

SHORT = {"duration": 0.3, "step": 2e-3}


@pytest.fixture(autouse=True)
def nothing_kept():
    kept.swap([])


def engines():
    """Those that are kept, the latest first."""
    found = kept.swap([])
    kept.swap(found)
    return [one for _, one in found]


def same(one, other):
    assert [*one.events] == [*other.events]
    for name in ("position", "quaternion", "velocity", "tension", "gap", "residual"):
        np.testing.assert_array_equal(one[name].values, other[name].values, name)
    assert one.summary().wires == other.summary().wires


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("name", ["four-robots-box", "slack-jerk", "hand-over"])
def test_a_lean_run_is_the_same_run(name, method):
    scene = scenarios.get(name).build()
    body = next(iter(scene.bodies))
    scenes = [scene.with_values({f"bodies.{body}.mass": mass}) for mass in (2.0, 5.0, 3.0)]
    lean = [towsim.simulate(one, method=method, lean=True, **SHORT) for one in scenes]
    for one, result in zip(scenes, lean, strict=True):
        same(anew(one, method=method, **SHORT), result)


def test_motions_declared_anew_and_alike_are_not_sampled_again(monkeypatch):
    sampled, sample = [], Driver.sample
    monkeypatch.setattr(Driver, "sample", lambda self, t: sampled.append(len(t)) or sample(self, t))
    build = scenarios.get("four-robots-box").build
    towsim.simulate(build(mass=2.0), lean=True, **SHORT)
    assert sampled
    sampled.clear()
    alike = towsim.simulate(build(mass=5.0), lean=True, **SHORT)
    assert not sampled
    other = towsim.simulate(build(mass=5.0, lift=0.6), lean=True, **SHORT)
    assert sampled
    same(anew(build(mass=5.0), **SHORT), alike)
    same(anew(build(mass=5.0, lift=0.6), **SHORT), other)


def test_the_stepper_is_shared_where_only_numbers_differ(monkeypatch):
    made, prepare = [], engine.prepare
    monkeypatch.setattr(engine, "prepare", lambda *a, **k: made.append(1) or prepare(*a, **k))
    scene = scenarios.get("four-robots-box").build()
    for mass in (1.0, 2.0, 3.0):
        towsim.simulate(scene.with_values({"bodies.box.mass": mass}), lean=True, **SHORT)
    assert len(made) == 1
    towsim.simulate(scene, lean=True, duration=0.3, step=1e-3)
    assert len(made) == 2, "another step"
    towsim.simulate(scene.with_values({"wires.w0.length": 1.2}), lean=True, duration=0.3, step=1e-3)
    assert len(made) == 2, "another length"
    towsim.simulate(scene.with_values({"wires.w0.break": {"tension": 1e4}}), lean=True, duration=0.3, step=1e-3)
    assert len(made) == 3, "another wire"


def test_threads_do_not_share_a_stepper():
    scene = scenarios.get("four-robots-box").build()
    scenes = [scene.with_values({"bodies.box.mass": 1.0 + 0.5 * k}) for k in range(8)]

    def run(one):
        return towsim.simulate(
            one, lean=True, duration=18.0, step=1e-3
        )  # three blocks, between which threads may change

    alone = [run(one) for one in scenes]
    with ThreadPoolExecutor(4) as pool:
        for one, other in zip(alone, pool.map(run, scenes), strict=True):
            same(one, other)


def test_a_refused_run_leaves_no_trace_in_the_next():
    apart = scenarios.get("pulled-apart").build()
    body = next(iter(apart.bodies))
    first = towsim.simulate(apart, on_failure="record", lean=True)
    again_ = towsim.simulate(apart.with_values({f"bodies.{body}.mass": 7.0}), on_failure="record", lean=True)
    alone = anew(apart.with_values({f"bodies.{body}.mass": 7.0}), on_failure="record")
    same(alone, again_)
    assert len(first.time) == len(alone.time)


@pytest.mark.parametrize("times", [{"w": {"cut": 0.1}, "w2": {"cut": 0.05}}, {"w": {"attach": 0.05, "detach": 0.1}}])
def test_stretches_of_as_many_steps_between_changes(times):
    """They share a record, though more may be known of one than of the other."""
    wires = {name: {"from": "r", "to": "b", "length": 1.01, **times.get(name, {})} for name in ("w", "w2")}
    scene = towsim.Scene(bodies={"b": {"mass": 1.0, "point": True}}, robots={"r": {"position": [0, 0, 1]}}, wires=wires)
    options = {"duration": 0.15, "step": 1e-3}
    same(towsim.simulate(scene, lean=True, **options), anew(scene, **options))


def test_a_run_of_as_many_steps_as_one_that_was_refused_took():
    away = {"motion": {"formula": {"x": "20*t", "y": 0.0, "z": 0.0}}}
    scene = towsim.Scene(
        bodies={"b": {"mass": 1.0, "point": True, "position": [0, 0, -0.5]}},
        robots={"r": {"position": [0, 0, 0]}, "s": away},
        wires={name: {"from": robot, "to": "b", "length": 1.0} for name, robot in (("w", "r"), ("w2", "s"))},
    )
    with pytest.raises(towsim.RefusedError) as refused:
        towsim.simulate(scene, duration=0.2, step=1e-3, lean=True)
    steps = len(refused.value.result.time) - 1
    options = {"duration": steps * 1e-3, "step": 1e-3, "on_failure": "record"}
    same(towsim.simulate(scene, lean=True, **options), anew(scene, **options))


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_results_of_runs_that_share_a_stepper_share_no_memory(method):
    scene = scenarios.get("four-robots-box").build()
    one, other = (towsim.simulate(scene, method=method, **SHORT) for _ in range(2))
    same(one, other)
    for name in one:
        assert not np.shares_memory(one[name].values, other[name].values), name


def test_a_run_begun_from_the_progress_of_another_has_a_stepper_of_its_own():
    scene, inner = scenarios.get("four-robots-box").build(), []
    options = {"duration": 20.0, "step": 1e-3}  # three blocks

    def begin_another(done, steps):
        inner.append(towsim.simulate(scene.with_values({"bodies.box.mass": 3.0}), **SHORT))

    outer = towsim.simulate(scene, progress=begin_another, **options)
    assert len(inner) > 1
    same(outer, anew(scene, **options))
    same(inner[-1], anew(scene.with_values({"bodies.box.mass": 3.0}), **SHORT))


def test_an_error_in_the_progress_of_a_run_leaves_no_trace_in_the_next():
    scene = scenarios.get("four-robots-box").build()

    def stop(done, steps):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        towsim.simulate(scene, progress=stop, duration=20.0, step=1e-3)
    same(towsim.simulate(scene, **SHORT), anew(scene, **SHORT))


def test_ctrl_c_while_numbers_are_written_leaves_nothing_behind(monkeypatch):
    from towsim.model import compile

    scene, put = scenarios.get("four-robots-box").build(), compile.put
    other = scene.with_values({"bodies.box.mass": 3.0, "bodies.box.points.p0": [0.2, 0.15, 0.101]})
    expected = towsim.simulate(scene, **SHORT)

    def interrupted(arrays, numbers):
        monkeypatch.setattr(compile, "put", put)
        put(arrays, dict([*numbers.items()][:3]))
        raise KeyboardInterrupt

    for run in (
        lambda: towsim.simulate(other, **SHORT),
        lambda: towsim.simulate(other, lean=True, **SHORT),
        lambda: list(towsim.simulate_many([other, scene], **SHORT)),
    ):
        towsim.simulate(scene, **SHORT)
        monkeypatch.setattr(compile, "put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run()
        same(towsim.simulate(scene, **SHORT), expected)


@pytest.mark.parametrize("lean", [False, True])
@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_what_one_does_to_a_result_is_no_concern_of_the_next_run(method, lean):
    """Known motions and times are made once for runs of the same scene; every result has its own."""
    scene = scenarios.get("four-robots-box").build()
    alone = anew(scene, method=method, **SHORT)
    for _ in range(3):
        result = towsim.simulate(scene, method=method, **SHORT)
        same(alone, result)
        for name in result.recorded:  # what is derived is found anew
            column = result[name]
            np.testing.assert_array_equal(column.values, alone[name].values, name)
            column.values[:] = 7
            assert (result[name].values == 7).all()
        result.time[:] = 7
        if lean:
            for one in towsim.simulate(scene, method=method, lean=True, **SHORT).values():
                one.values[:] = 7


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_what_is_recorded_goes_with_its_result(method):
    scene = scenarios.get("four-robots-box").build()
    for _ in range(2):
        result = towsim.simulate(scene, method=method, **SHORT)
    position = result["position"].values
    left = weakref.ref(position if position.base is None else position.base)
    del result, position
    assert left() is None


def test_what_is_kept_of_known_motions_cannot_be_written_to():
    result = towsim.simulate(scenarios.get("four-robots-box").build(), **SHORT)
    for name in ("time", "robot_position", "length"):
        with pytest.raises(ValueError, match="read-only"):
            result.column(name)[:][0] = 7.0


def test_runs_by_turns_each_find_their_engine_and_the_one_used_longest_ago_goes():
    scenes = [scenarios.get(name).build() for name in ("three-robots-box", "four-robots-box")]
    turns = [(scene, method) for scene in scenes for method in ("stewart-trinkle", "shake")]
    first = {}
    for turn in range(3):
        for k, (scene, method) in enumerate(turns):
            same(towsim.simulate(scene, method=method, **SHORT), anew(scene, method=method, **SHORT))
            assert first.setdefault(k, engines()[0]) is engines()[0], turn
    assert len({id(one) for one in first.values()}) == len(turns) == len(engines())
    for step in range(engine.MOST - len(turns) + 1):
        towsim.simulate(scenes[0], method="shake", duration=0.01, step=1e-3 / (1 + step))
    assert first[0] not in engines()
    assert first[1] in engines()
    assert len(engines()) == engine.MOST


def test_a_run_within_a_run_does_not_get_its_stepper():
    scene = scenarios.get("four-robots-box").build()
    alone = towsim.simulate(scene, **SHORT)
    inner = []

    def progress(*_):
        if not inner:
            inner.append(None)
            inner[0] = towsim.simulate(scene, **SHORT)

    outer = towsim.simulate(scene, progress=progress, **SHORT)
    same(outer, alone)
    same(inner[0], alone)


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
    towsim.simulate(scene, duration=0.05)
    other = scene.with_values(changes)
    shared = towsim.simulate(other, duration=0.05)
    assert len(engines()) == 1 + (other.outline() != scene.outline())
    assert_same(shared, anew(scene.with_values(changes), duration=0.05))


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_one_stepper_put_back_runs_all_numbers_as_a_new_one_does(method):
    """Short runs one after the other, to and fro between the changes, and runs that share nothing."""
    scene, options = build(), {"duration": 0.05, "method": method}
    others = [scene, *map(scene.with_values, CHANGES)]
    towsim.simulate(scene, lean=True, **options)
    for k in [*range(len(others)), *range(len(others) - 1, -1, -1), 4, 0, 8, 5, 10]:
        short = towsim.simulate(others[k], lean=True, **options)
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
        {"bodies.box.force": {"x": "1.0"}},
        {"wires.w0.model": "elastic", "wires.w0.material": {"axial_stiffness": 1e4}},
        {"wires.w0.break": {"tension": 1e3}},
        {"robots.r0.dynamics": "point-mass"},
        {"ground": {"contacts": ["box"], "height": -9.0}},
    ],
)
def test_anything_else_is_compiled_anew(changes):
    scene = build()
    assert scene.outline() != scene.with_values(changes).outline()


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
        shared = towsim.simulate(other, lean=True, **options), *towsim.simulate_many([scene, other], **options)
        alone = anew(other, **options)
        assert_same(shared[0], alone)
        assert_same(shared[1], one)
        assert_same(shared[2], alone)
        assert not np.array_equal(alone["position"].values, one["position"].values)


def test_planes_of_other_kinds_have_another_structure():
    soft = towsim.Scene(**SOFT)
    for changes in (
        {"ground.spring.pulls": True},
        {"ground": [soft.ground]},
        {"ground": [soft.ground, {"normal": [1, 0, 0], "height": -9.0, "contacts": ["load"]}]},
        {"ground": None},
    ):
        assert soft.outline() != soft.with_values(changes).outline()


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("slewing-crane", {"bodies.boom.mass": 2.0}),
        ("drag-box-rough-ground", {"bodies.box.shape": {"box": [0.4, 0.3, 0.25]}, "bodies.box.position": [0, 0, 0.2]}),
        ("hanging-chain", {"gravity": [0, 0.5, -9.0]}),
        ("wire-breaks-in-lift", {"gravity": [0, 0, -9.0]}),
        ("hand-over", {"gravity": [0, 0, -9.0]}),
        ("block-and-tackle", {"gravity": [0, 0, -9.0]}),
        ("cdpr44-kinematic", {"bodies.platform.mass": 6.0}),
        ("quadcopters-carry-box", {"bodies.box.mass": 1.6}),
        ("winch-tension-control", {"gravity": [0, 0, -9.0]}),
    ],
)
def test_arms_cables_contacts_switches_routes_and_control_take_other_numbers(name, changes):
    scene = scenarios.get(name).build()
    changes = {
        path: value
        for path, value in changes.items()
        if path.split(".")[0] != "bodies" or path.split(".")[1] in scene.bodies
    }
    other, options = scene.with_values(changes), {"duration": 0.05, "step": 1e-3, "on_failure": "record"}
    for one in (scene, other, scene):
        assert_same(towsim.simulate(one, **options), anew(one, **options))
    assert len(engines()) == 1


def test_a_wrong_start_is_refused_also_after_a_good_one():
    scene = scenarios.get("four-robots-box").build()
    towsim.simulate(scene, duration=0.05)
    with pytest.raises(towsim.SceneError):
        towsim.simulate(scene.with_values({"bodies.box.position": [0, 0, -3.0]}), duration=0.05)
