"""Runs that share a stepper, one after the other, give the bits that each gives alone."""

from __future__ import annotations

import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import scenarios
import towsim
from tests.stepping.conftest import anew
from towsim.stepping import again

SHORT = {"duration": 0.3, "step": 2e-3}


@pytest.fixture(autouse=True)
def nothing_kept():
    again._last.kept.clear()


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


def test_the_stepper_is_shared_where_only_numbers_differ(monkeypatch):
    made, prepare = [], again.prepare
    monkeypatch.setattr(again, "prepare", lambda *a, **k: made.append(1) or prepare(*a, **k))
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


def test_ctrl_c_while_numbers_are_put_in_place_leaves_nothing_behind(monkeypatch):
    from towsim.model import compile

    scene, put = scenarios.get("four-robots-box").build(), compile._put_laws
    other = scene.with_values({"bodies.box.mass": 3.0, "bodies.box.points.p0": [0.2, 0.15, 0.101]})
    expected = towsim.simulate(scene, **SHORT)

    def interrupted(*arguments):
        monkeypatch.setattr(compile, "_put_laws", put)
        raise KeyboardInterrupt

    for run in (
        lambda: towsim.simulate(other, **SHORT),
        lambda: towsim.simulate(other, lean=True, **SHORT),
        lambda: list(towsim.simulate_many([other, scene], **SHORT)),
    ):
        towsim.simulate(scene, **SHORT)
        monkeypatch.setattr(compile, "_put_laws", interrupted)
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
        for name, column in result.items():
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


def test_runs_by_turns_each_find_what_they_left_and_are_those_of_their_own():
    """Two methods and two scenes by turns; what is kept longest ago goes first."""
    scenes = [scenarios.get(name).build() for name in ("three-robots-box", "four-robots-box")]
    turns = [(scene, method) for scene in scenes for method in ("stewart-trinkle", "shake")]
    first = {}
    for turn in range(3):
        for k, (scene, method) in enumerate(turns):
            same(towsim.simulate(scene, method=method, **SHORT), anew(scene, method=method, **SHORT))
            kept = again._last.kept[0]
            assert first.setdefault(k, kept) is kept, turn
    assert len({id(kept) for kept in first.values()}) == len(turns) == len(again._last.kept)
    towsim.simulate(scenes[0], method="shake", duration=0.3, step=1e-3)
    assert first[0] not in again._last.kept
    assert len(again._last.kept) == again.RUNS


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
