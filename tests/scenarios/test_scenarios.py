"""Every scenario passes its own check, with both methods, with parameters of its own, and from its saved file."""

from importlib.resources import files

import numpy as np
import pytest

import scenarios
import towsim
from scenarios import _laws

NAMES = (
    "barge-tow",
    "block-and-tackle",
    "circular-tow",
    "crane-winch",
    "eight-wires-box",
    "four-robots-box",
    "hand-over",
    "payload-chain",
    "pulled-apart",
    "slack-jerk",
    "three-robots-box",
    "two-robots-sled",
    "wire-breaks-in-lift",
)
METHODS = ("stewart-trinkle", "shake")


def run(name, parameters=None, **options):
    one = scenarios.get(name)
    return one, towsim.simulate(one.build(**(parameters or {})), **(one.defaults | options))


def failed(one, result):
    return [f"{check.name}: {check.value:.6g}, not {check.expected}" for check in one.check(result) if not check.passed]


def test_all_of_them_are_listed():
    assert set(NAMES) <= set(scenarios.names())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_passes_its_check(name, method):
    assert failed(*run(name, method=method)) == []


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
def test_a_coarse_step_passes_too(name, method):
    assert failed(*run(name, method=method, step=1e-2)) == []


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("barge-tow", {"current": -1.0, "spread": 80.0}),
        ("payload-chain", {"travel": 1.6}),
        ("block-and-tackle", {"parts": 3, "mass": 50.0}),
        ("block-and-tackle", {"parts": 6, "haul": -4.0}),
        ("hand-over", {"aside": 0.7, "mass": 20.0}),
        ("wire-breaks-in-lift", {"strength": 5.3, "drag": 3.0}),
        ("circular-tow", {"drag": 0.0, "period": 6.0}),
        ("circular-tow", {"drag": 8.0, "radius": 2.0, "length": 3.0}),
        ("crane-winch", {"hoist": -4.0, "hoist_time": 3.0}),
        ("eight-wires-box", {"mass": 7.0, "carry": 0.5, "lift": -0.3}),
        ("eight-wires-box", {"carry": 1.3}),
        ("wire-breaks-in-lift", {"mass": 0.5, "strength": 1.4}),
        ("four-robots-box", {"turn": -40.0, "mass": 0.5}),
        ("four-robots-box", {"lean": 6.0, "length": 2.0}),
        ("three-robots-box", {"lean": -8.0, "carry": -1.5}),
        ("payload-chain", {"n": 1}),
        ("payload-chain", {"n": 30, "mass": 0.2}),
        ("pulled-apart", {"aside": 0.0, "mass": 50.0}),
        ("pulled-apart", {"aside": 0.35, "speed": 0.8}),
        ("slack-jerk", {"slack": 1.0, "speed": 7.0}),
        ("two-robots-sled", {"angle": 60.0, "drag": 0.0, "ramp": 5.0}),
    ],
)
@pytest.mark.parametrize("method", METHODS)
def test_other_parameters_obey_the_same_laws(name, parameters, method):
    assert failed(*run(name, parameters, method=method)) == []


def test_a_run_of_which_every_tenth_step_is_recorded_can_be_judged():
    for name in NAMES:
        every = 1 if name in ("slack-jerk", "hand-over") else 10  # a jerk is told by the steps around it
        assert failed(*run(name, method="shake", record_every=every)) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_scene_runs_by_itself_as_the_scenario_does(name):
    one = scenarios.get(name)
    declared = one.build().run
    assert (declared.duration, declared.step) == (one.defaults["duration"], one.defaults["step"])


@pytest.mark.parametrize("name", NAMES)
def test_the_saved_file_is_the_scenario(name):
    """After a change: ``towsim.scene.save_scene(scenarios.get(name).build(), "scenarios/files/<name>.yaml")``."""
    from towsim.scene import scene_from_text

    text = (files("scenarios") / "files" / f"{name}.yaml").read_text(encoding="utf-8")
    assert scene_from_text(text) == scenarios.get(name).build()


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("two-robots-sled", {"bodies.sled.drag.linear": 60.0}),
        ("four-robots-box", {"bodies.box.mass": 2.2}),
        ("three-robots-box", {"bodies.box.mass": 1.8}),
        ("eight-wires-box", {"gravity": [0.0, 0.0, -9.0]}),
        ("slack-jerk", {"bodies.load.mass": 4.1}),
        ("crane-winch", {"gravity": [0.0, 0.0, -9.7]}),
        ("circular-tow", {"bodies.load.drag.linear": 4.0}),
        ("payload-chain", {"bodies.b3.mass": 1.2}),
        ("four-robots-box", {"bodies.box.mass": 2.000001}),  # momentum holds to rounding
        ("wire-breaks-in-lift", {"bodies.box.drag.linear": 1.000001}),
    ],
)
def test_the_check_notices_a_run_that_obeys_other_physics(name, spoil):
    """The run is one of a changed scene; the check is told it was the declared one."""
    one = scenarios.get(name)
    scene = one.build()
    result = towsim.simulate(scene.with_values(spoil), **one.defaults)
    result.attributes["scene"] = towsim.simulate(scene, duration=1e-2, step=1e-2).attributes["scene"]
    assert failed(one, result)


def test_the_check_notices_a_pull_that_was_not_refused():
    one = scenarios.get("pulled-apart")
    assert failed(one, towsim.simulate(one.build(), duration=0.3, step=1e-3))


def test_quaternions_turn_as_their_matrices_do():
    from scipy.spatial.transform import Rotation

    random = np.random.default_rng(1)
    q = random.normal(size=(5, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    u = random.normal(size=3)
    assert np.allclose(_laws.turned(q, u), Rotation.from_quat(q, scalar_first=True).apply(u), atol=1e-15)
