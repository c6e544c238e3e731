"""Scenes that are run as a batch give the bits, the events and the summaries that each gives alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import scenarios
import towsim
from tests.stepping.conftest import anew
from tests.stepping.test_engine import CHANGES
from towsim.run import many

SHORT = {"duration": 0.1, "step": 1e-3}


def assert_same(one: towsim.Result, other: towsim.Result) -> None:
    assert set(one) == set(other)
    for name in one:
        assert np.array_equal(one[name].values, other[name].values, equal_nan=True), name
    assert [*one.events] == [*other.events]
    mine, its = (result.summary().to_dict() for result in (one, other))
    for name in mine.keys() - {"wall_time", "memory", "time_per_step"}:
        assert mine[name] == its[name] or mine[name] != mine[name], name


def compare(scenes: list[towsim.Scene], **options: Any) -> None:
    for scene, result in zip(scenes, towsim.simulate_many(scenes, **options), strict=True):
        assert_same(result, anew(scene, **options))


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_numbers_motions_lengths_and_wind(method):
    scene = scenarios.get("four-robots-box").build()
    changed = [scene.with_values(changes) for changes in CHANGES]
    plain = [one for one in changed if not isinstance(one.wires["w0"].length, towsim.scene.Length)]
    compare([scene, *changed, *changed[::-1]], **SHORT, method=method)
    compare(plain, **SHORT, method=method)  # most of which are sampled together


def test_robots_that_pass_points_at_different_times_and_others_that_rest():
    scene = scenarios.get("four-robots-box").build()
    ways = [scene.with_values({"robots.r1.motion.waypoints.t": [0.0, 1.0 + 0.1 * k]}) for k in range(4)]
    ways += [scene.with_values({"robots.r2": {"position": scene.robots["r2"].start().tolist()}})]
    ways += [scene.with_values({"robots.r3.motion.waypoints.kind": "cubic"})]
    compare(ways, **SHORT)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("name", ["slack-jerk", "two-robots-sled", "payload-chain", "drag-box-rough-ground"])
def test_jerks_chains_and_contacts(name, method):
    if method == "shake" and name == "drag-box-rough-ground":
        return  # which takes no friction
    scene = scenarios.get(name).build()
    body = next(iter(scene.bodies))
    masses = [scene.with_values({f"bodies.{body}.mass": mass}) for mass in (1.0, 2.0, 3.0)]
    compare(masses, duration=0.5, step=1e-3, method=method)


@pytest.mark.parametrize("name", ["hand-over", "slewing-crane", "hanging-chain", "block-and-tackle"])
def test_switches_arms_cables_and_routes(name):
    scene = scenarios.get(name).build()
    compare([scene, scene.replace(description="the same")], duration=0.02, step=1e-3, method="stewart-trinkle")


def test_methods_and_solvers_other_than_the_compiled_ones():
    scene = scenarios.get("four-robots-box").build()
    for options in ({"solver": "lemke", "duration": 0.01}, {"record_every": 3}):
        compare([scene, scene.with_values({"bodies.box.mass": 3.0})], **{**SHORT, **options})


def test_what_goes_wrong_with_some_is_told_for_them_and_the_others_are_run():
    scene = scenarios.get("four-robots-box").build()
    stretched = scene.with_values({"wires.w0.length": 0.9})
    gone = {"x": "0.2", "y": "0.2", "z": f"{scene.robots['r0'].start()[2]} - sqrt(0.02) + sqrt(0.02 - t)"}
    wild = scene.with_values({"robots.r0": {"motion": {"formula": gone}}})
    x, y, z = scene.robots["r0"].start().tolist()
    away = {"t": [0.0, 0.02], "position": [[x, y, z], [x + 9.0, y, z]]}
    refused = scene.with_values({"robots.r0.motion.waypoints": away})
    heavy = [scene.with_values({"bodies.box.mass": 2.0 + k}) for k in range(3)]
    scenes = [heavy[0], stretched, heavy[1], refused, wild, heavy[2]]
    found = list(many.outcomes(scenes, SHORT))
    for one, scene in zip(found[::2][:2] + found[5:], heavy, strict=True):
        assert isinstance(one, towsim.Result)
        assert_same(one, anew(scene, **SHORT))
    assert isinstance(found[1], towsim.SceneError)
    assert isinstance(found[3], towsim.RefusedError)
    assert isinstance(found[4], towsim.SceneError | towsim.SimulationError)
    with pytest.raises(towsim.SceneError, match="w0"):
        list(towsim.simulate_many(scenes, **SHORT))
    on = [heavy[0], refused, heavy[1]]
    outcome = [one.summary().outcome for one in towsim.simulate_many(on, on_failure="record", **SHORT)]
    assert outcome[::2] == ["complete"] * 2
    assert "r0" in outcome[1]


def test_runs_that_are_recorded_go_on_after_a_scene_that_has_no_start():
    scene = scenarios.get("four-robots-box").build()
    scenes = [scene, scene.with_values({"wires.w0.length": 0.9}), scene]
    model = towsim.compile(scene, step=1e-3)
    values = {"wires.w0.length": [1.05, 0.9, 1.05, 1.05], "bodies.box.mass": [1.0, 1.0, -1.0, 2.0]}
    for results, wrong in (
        (towsim.simulate_many(scenes, on_failure="record", **SHORT), {1: "w0"}),
        (model.run_many(values, duration=0.1, on_failure="record"), {1: "w0", 2: "mass"}),
    ):
        for run, result in enumerate(results):
            outcome = result.summary().outcome
            if run not in wrong:
                assert outcome == "complete"
                continue
            assert wrong[run] in outcome
            assert len(result.time) == 0
            assert [(event.kind, event.note) for event in result.events] == [("user", outcome)]
        assert run == max(wrong) + 1


def test_options_are_checked_with_the_call():
    with pytest.raises(towsim.UsageError, match="did you mean 'duration'"):
        towsim.simulate_many([], durtion=1.0)


def test_wrong_options_are_refused():
    scene = scenarios.get("four-robots-box").build()
    for options in ({"step": -1.0}, {"step": 2.0, "duration": 1.0}, {"solver": "none"}, {"on_failure": "ignore"}):
        with pytest.raises(towsim.UsageError):
            list(towsim.simulate_many([scene], **options))
    with pytest.raises(towsim.UsageError, match="unknown option 'durration': did you mean 'duration'"):
        list(towsim.simulate_many([scene], durration=1.0))


def test_each_scene_has_its_own_duration_and_a_result_holds_no_more_than_its_rows():
    scene = scenarios.get("four-robots-box").build()
    scenes = [scene.with_values({"run.duration": 0.01 * (1 + k // 2), "bodies.box.mass": 1.0 + k}) for k in range(6)]
    compare(scenes)


def test_scenes_are_drawn_from_a_generator_as_they_are_needed():
    scene, drawn = scenarios.get("four-robots-box").build(), []

    def scenes():
        for k in range(9):
            drawn.append(k)
            yield scene

    next(towsim.simulate_many(scenes(), duration=0.002, step=1e-3))
    assert drawn == [0]


def test_an_error_of_who_makes_the_scenes_comes_after_the_results_until_then():
    def scenes():
        yield from [scenarios.get("four-robots-box").build()] * 3
        raise RuntimeError("no more")

    results, found = towsim.simulate_many(scenes(), duration=0.002, step=1e-3), []
    with pytest.raises(RuntimeError, match="no more"):
        found.extend(results)
    assert len(found) == 3


def test_how_far_robots_may_part_follows_the_points_of_the_load():
    """A bar between two robots: they may be 2 m and its points' distance apart, less what they are above it."""

    def scene(half: float) -> towsim.Scene:
        ways = {"l": -1.0, "r": 1.0}
        return towsim.Scene(
            bodies={
                "bar": {
                    "mass": 1.0,
                    "shape": {"box": [1.0, 0.1, 0.1]},
                    "points": {"l": [-half, 0, 0], "r": [half, 0, 0]},
                    "position": [0, 0, -0.5],
                }
            },
            robots={
                name: {"motion": {"waypoints": {"t": [0, 1], "position": [[1.2 * x, 0, 0], [1.4 * x, 0, 0]]}}}
                for name, x in ways.items()
            },
            wires={name: {"from": f"bar.{name}", "to": name, "length": 1.0} for name in ways},
        )

    halves = [0.45, 0.37, 0.39, 0.5, 0.41, 0.36]
    options = {"duration": 1.0, "step": 1e-3}
    for half, outcome in zip(halves, many.outcomes(map(scene, halves), options), strict=True):
        if half > 0.4:
            assert_same(outcome, anew(scene(half), **options))
            continue
        with pytest.raises(towsim.RefusedError) as alone_refused:
            anew(scene(half), **options)
        assert str(outcome) == str(alone_refused.value)


@pytest.mark.parametrize("lean", [False, True])
def test_what_was_seen_of_the_paths_with_other_points_is_not_taken_for_those_of_a_scene(lean):
    """The same robots, whose known motions the runs share; only the points of the bar differ."""
    ways = {"l": -1.0, "r": 1.0}
    bar = {"mass": 1.0, "shape": {"box": [1.0, 0.1, 0.1]}, "points": {"l": [-0.4, 0, 0], "r": [0.4, 0, 0]}}
    base = towsim.Scene(
        bodies={"bar": bar},
        robots={
            name: {"motion": {"formula": {"x": f"{x}*(1.4+0.5*t)", "y": 0.0, "z": 0.0}}} for name, x in ways.items()
        },
        wires={name: {"from": f"bar.{name}", "to": name, "length": 1.0} for name in ways},
    )
    scenes = [
        base.with_values({"bodies.bar.points.l": [-x, 0, 0], "bodies.bar.points.r": [x, 0, 0]})
        for x in (0.4, 0.5, 0.47, 0.42)
    ]
    options = {"duration": 1.0, "step": 1e-3, "on_failure": "record"}
    found = (
        [towsim.simulate(scene, lean=True, **options) for scene in scenes]
        if lean
        else list(towsim.simulate_many(scenes, **options))
    )
    for scene, result in zip(scenes, found, strict=True):
        assert_same(result, anew(scene, **options))
