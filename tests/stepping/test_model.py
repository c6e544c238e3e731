"""A compiled scene: its numbers by path, runs with others, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import scenarios
import towsim
from tests.stepping.conftest import anew

STEP = {"step": 2e-3}


@pytest.fixture(scope="module")
def model():
    return towsim.compile(scenarios.get("four-robots-box").build(), **STEP)


def test_every_number_of_the_scene_has_the_path_that_set_takes(model):
    scene = model.scene
    assert model.parameters["bodies.box.mass"] == scene.bodies["box"].mass
    np.testing.assert_array_equal(model.parameters["gravity"], scene.gravity)
    for path, value in model.parameters.items():
        changed = np.asarray(value) * 1.0
        assert scene.with_values({path: changed.tolist()}).outline() == scene.outline(), path


def test_a_run_with_other_numbers_is_that_of_the_scene_with_these_numbers(model):
    values = {"bodies.box.mass": 3.5, "bodies.box.position": [0.0, 0.0, 0.001]}
    mine = model.run(model.parameters.with_values(values), duration=0.2)
    alone = anew(model.scene.with_values(values), duration=0.2, **STEP)
    np.testing.assert_array_equal(mine["position"].values, alone["position"].values)
    np.testing.assert_array_equal(model.run(duration=0.2)["time"].values, mine["time"].values)


def test_an_axis_of_runs_gives_a_result_for_each(model):
    masses = np.array([1.0, 2.0, 4.0])
    batch = model.parameters.with_values({"bodies.box.mass": masses, "gravity": [0.0, 0.0, -5.0]})
    assert batch.runs == 3
    weights = [float(result["tension"].values[-1].mean()) for result in model.run_many(batch, duration=0.01)]
    np.testing.assert_allclose(np.array(weights) / weights[0], masses, rtol=1e-6)


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"bodies.box.mas": 1.0}, "mass"),
        ({"bodies.box.mass": "heavy"}, "must be numbers"),
        ({"bodies.box.mass": "3"}, "must be numbers, got '3'"),
        ({"bodies.box.mass": True}, "must be numbers, got True"),
        ({"bodies.box.mass": [1.0, [2.0, 3.0]]}, "must be numbers"),
        ({"bodies.box.position": [0.0, 1.0]}, "3 numbers"),
        ({"bodies.box.mass": [1.0, 2.0], "gravity": np.zeros((3, 3))}, "3 runs, others for 2"),
        ({"bodies.box.mass": []}, "bodies.box.mass has values for no runs"),
        ({"bodies.box.position.3": 0.0}, "unknown parameter 'bodies.box.position.3'"),
        ({"bodies.box.position.1": "left"}, "must be numbers"),
    ],
)
def test_wrong_parameters_are_refused_by_path(model, values, match):
    with pytest.raises(towsim.UsageError, match=match):
        model.parameters.with_values(values)


def test_a_run_takes_values_by_path_as_they_are(model):
    values = {"bodies.box.mass": [2.0, 3.0]}
    whole = model.run_many(model.parameters.with_values(values), duration=0.01)
    for plain, other, mass in zip(model.run_many(values, duration=0.01), whole, (2.0, 3.0), strict=True):
        alone = model.run({"bodies.box.mass": mass}, duration=0.01)
        assert np.array_equal(plain["tension"].values, other["tension"].values)
        assert np.array_equal(plain["tension"].values, alone["tension"].values)


def test_one_number_of_a_list_has_the_path_that_set_takes(model):
    """Alone, and with an axis of runs; the last word counts, as with ``--set``."""
    assert model.parameters["gravity.2"] == model.scene.gravity[2]
    alone = model.run({"gravity.2": -5.0}, duration=0.01)
    whole = model.run({"gravity": [0.0, 0.0, -5.0]}, duration=0.01)
    np.testing.assert_array_equal(alone["tension"].values, whole["tension"].values)
    assert not np.array_equal(alone["tension"].values, model.run(duration=0.01)["tension"].values)
    many = model.parameters.with_values({"gravity.2": [-5.0, -6.0], "gravity.0": 0.25})
    np.testing.assert_array_equal(many["gravity"], [[0.25, 0.0, -5.0], [0.25, 0.0, -6.0]])
    np.testing.assert_array_equal(many["gravity.2"], [-5.0, -6.0])
    assert many.scene(1) == model.scene.with_values({"gravity": [0.25, 0.0, -6.0]})
    again = many.with_values({"gravity": [0.0, 1.0, 2.0], "gravity.1": 3.0})
    assert again.runs is None
    np.testing.assert_array_equal(again["gravity"], [0.0, 3.0, 2.0])


def test_of_many_runs_the_one_that_fails_is_told_by_its_number(model):
    runs, done = model.run_many({"bodies.box.mass": [1.0, 2.0, -1.0]}, duration=0.01), []
    with pytest.raises(towsim.SceneError, match=r"^run 2 \(counted from 0\): .*mass"):
        done.extend(runs)
    assert len(done) == 2
    with pytest.raises(towsim.SceneError, match=r"^run 1 \(counted from 0\): .*w0"):
        list(model.run_many({"wires.w0.length": [1.0, 0.9]}, duration=0.01))


def test_many_runs_share_no_file(model, tmp_path):
    """Refused before the first run: each would be written over the one before."""
    file = tmp_path / "all.nc"
    with pytest.raises(towsim.UsageError, match=r"all\.nc' holds one run.*result\.save"):
        model.run_many({"bodies.box.mass": [1.0, 2.0]}, output=file, force=True)
    with pytest.raises(towsim.UsageError, match=r"all\.nc' holds one run"):
        towsim.simulate_many([model.scene], output=str(file))
    assert not file.exists()


def test_a_step_or_duration_is_said_once(model):
    """By path, or as an option; each alone is what the run takes."""
    for call in (
        lambda: model.run({"run.step": 1e-3}, duration=0.01),
        lambda: [*model.run_many({"run.step": [1e-3, 5e-4]}, duration=0.01)],
        lambda: model.sensitivities(["bodies.box.mass"], at={"run.step": 1e-3}, duration=0.01),
        lambda: model.step_map(0, at={"run.step": 1e-3}),
    ):
        with pytest.raises(towsim.UsageError, match=r"both run\.step and the option step=0\.002 are given"):
            call()
    with pytest.raises(towsim.UsageError, match=r"both run\.duration and the option duration=0\.01 are given"):
        model.run({"run.duration": 0.02}, duration=0.01)
    assert model.run({"run.duration": 0.02}).time[-1] == pytest.approx(0.02)
    free = towsim.compile(model.scene)
    assert free.run({"run.step": 1e-3}, duration=0.01).time[1] == pytest.approx(1e-3)


def test_a_file_s_name_is_no_scene():
    for take in (towsim.compile, towsim.simulate, towsim.Simulation, towsim.step_problem):
        with pytest.raises(towsim.UsageError, match=r"a scene is needed, got 'lift\.yaml'; .*load_scene"):
            take("lift.yaml")


def test_it_says_what_it_is(model):
    many = model.parameters.with_values({"bodies.box.mass": [2.0, 3.0]})
    assert repr(model).startswith("Model('four-robots-box', step=")
    assert ", one run)" in repr(model.parameters)
    assert ", 2 runs, bodies.box.mass)" in repr(many)
    assert repr(towsim.Simulation(model.scene, step=1e-3)).endswith("at 0 s (0 steps of 0.001 s, stewart-trinkle)>")


def test_numbers_out_of_range_and_other_structures_are_refused(model):
    with pytest.raises(towsim.SceneError, match="mass"):
        model.run(model.parameters.with_values({"bodies.box.mass": -1.0}), duration=0.01)
    with pytest.raises(towsim.UsageError, match="anew"):
        model.run(model.parameters.with_values({"bodies.box.drag.linear": 1.0}), duration=0.01)
    with pytest.raises(towsim.UsageError, match="run_many"):
        model.run(model.parameters.with_values({"bodies.box.mass": [1.0, 2.0]}))
    with pytest.raises(towsim.UsageError, match="give it to model"):
        towsim.compile(model.scene, duration=1.0)
    with pytest.raises(towsim.UsageError, match="solver"):
        towsim.compile(model.scene, solver="lemkee")
    with pytest.raises(towsim.UsageError, match="all runs share"):
        model.run(step=1e-4)
