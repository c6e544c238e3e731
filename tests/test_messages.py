"""Whatever is given in place of what is meant: the error says so, and its message can be read."""

import copy
import random

import numpy as np
import pytest

import scenarios
import solvers
import towsim
from solvers.quote import LONGEST, shorten, show
from towsim.analysis.replay import replay
from towsim.cli import main
from towsim.scene import scene_from_data, scene_to_text
from towsim.scene.data import to_data
from towsim.suggest import meant_by

HUGE = {
    "a list": list(range(2000)),
    "nested lists": [[[float(i)] * 50] * 50 for i in range(50)],
    "a dict": {f"key {i}": i for i in range(500)},
    "text": "x" * 100_000,
    "lines": "a\n" * 5000,
    "an array": np.arange(3000.0).reshape(-1, 3),
    "a large number": 10**5000,
    "an object": type("Odd", (), {"__repr__": lambda self: "odd " * 5000})(),
}


def places(data, loc=()):
    """Every place in nested data."""
    yield loc
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(value, (*loc, key))


def spoiled(data, loc, value):
    """A copy of nested data with ``value`` in one place, or in the place of a key."""
    result = copy.deepcopy(data)
    inside = result
    for key in loc[:-1]:
        inside = inside[key]
    inside[loc[-1]] = value
    return result


SCENES = ("four-robots-box", "slung-load-gust", "drag-box-rough-ground", "cdpr44-kinematic")


@pytest.mark.parametrize("what", HUGE)
def test_no_value_in_a_scene_makes_a_long_message(what):
    refused = 0
    for name in SCENES:
        data = to_data(scenarios.get(name).build())
        for loc in random.Random(name).sample([one for one in places(data) if one], 40):
            try:
                scene_from_data(spoiled(data, loc, HUGE[what]))
            except towsim.SceneError as error:
                refused += 1
                assert len(str(error)) <= LONGEST, loc  # noqa: PT017  most are scenes all the same
    assert refused > 60


def test_many_problems_are_counted_and_some_of_them_told():
    data = to_data(scenarios.get("four-robots-box").build())
    data["bodies"] |= {f"b{k}": {"mass": -1.0} for k in range(300)}
    with pytest.raises(towsim.SceneError) as caught:
        scene_from_data(data)
    assert "bodies.b0.mass" in str(caught.value)
    assert str(caught.value).endswith("more problems")
    assert len(str(caught.value)) < LONGEST


@pytest.mark.parametrize("what", HUGE)
def test_no_option_makes_a_long_message(what, tmp_path):
    scene, value = scenarios.get("four-robots-box").build(), HUGE[what]
    text = "9" * 5000 if isinstance(value, int) else str(value)[:9999]
    sim = towsim.Simulation(scene, forces=["box"])
    result = sim.result()
    calls = [
        *(
            lambda key=key: towsim.simulate(scene, **{key: value})
            for key in ("duration", "step", "method", "solver", "form", "loop", "on_failure", "record_every")
        ),
        *(
            lambda key=key: towsim.simulate(scene, **{key: value})
            for key in ("stretch_limit", "friction", "friction_directions", "output", "checkpoint_every", "controllers")
        ),
        lambda: towsim.simulate(scene, method="dae", rtol=value),
        lambda: sim.step(value),
        lambda: sim.push("box", value),
        lambda: sim.push(value),
        lambda: sim.place("box", position=value),
        lambda: sim.place("box", quaternion=value),
        lambda: sim.place(value),
        lambda: sim.steer(value),
        lambda: sim[value],
        lambda: result[value],
        lambda: result["tension"].sel(wire=value),
        lambda: towsim.open_result(text),
        lambda: scene.with_values({"bodies.box.mass": value}),
        lambda: scene.with_values({text: 1}),
        lambda: scenarios.get(value),
        lambda: solvers.solve(solvers.LCP(np.eye(2), np.ones(2)), method=value),
        lambda: solvers.LCP(value, np.ones(2)),
        lambda: solvers.LCP(np.eye(2), value),
        lambda: solvers.MLCP(np.eye(2), np.ones(2), free=value),
    ]
    for k, call in enumerate(calls):
        with pytest.raises((towsim.TowsimError, solvers.ProblemError)) as caught:
            call()
        assert 10 < len(str(caught.value)) < 600, k


@pytest.mark.parametrize(
    "words",
    [
        ["run", "x" * 5000],
        ["run", "four-robots-box", "--step", "x" * 5000],
        ["run", "four-robots-box", "--set", "x" * 5000],
        ["run", "four-robots-box", "--set", f"mass={'[1, ' * 20 + '1' + ']' * 20}"],
        ["run", "four-robots-box", "-o", f"{'x' * 5000}.nc"],
        ["x" * 5000],
        ["info", "x" * 5000],
        ["info", f"{'x' * 5000}.nc"],
    ],
)
def test_no_argument_makes_a_long_message(words, capsys):
    try:
        assert main(words) in (1, 2)
    except SystemExit as stop:
        assert stop.code == 2  # noqa: PT017
    assert 10 < len(capsys.readouterr().err) < LONGEST + 100


def test_the_remedy_at_the_end_of_a_message_is_kept():
    error = towsim.SimulationError("what " * 1000 + "take a smaller step", time=0.0)
    assert len(str(error)) <= LONGEST
    assert str(error).endswith("take a smaller step")
    assert shorten("short") == "short"
    assert show([1, 2]) == "[1, 2]"
    assert scene_to_text(scenarios.get("four-robots-box").build())  # texts that are not messages are whole


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "dae"])
@pytest.mark.parametrize(("step", "duration"), [(1e-300, 1.0), (1e-3, 1e300), (5e-324, 1e308), (1e-12, 1e3)])
def test_more_steps_than_can_be_taken_are_refused_at_once(method, step, duration):
    scene = scenarios.get("four-robots-box").build()
    with pytest.raises(towsim.UsageError, match="steps, more than 1e\\+09"):
        towsim.simulate(scene, method=method, step=step, duration=duration)


def test_more_rows_than_memory_holds_are_refused_at_once(monkeypatch):
    scene = scenarios.get("four-robots-box").build()
    monkeypatch.setattr("os.sysconf", lambda name: 2**15)  # 1 GB
    with pytest.raises(towsim.UsageError, match="GB of memory; give it an output file, or record_every"):
        towsim.simulate(scene, step=1e-4, duration=9e4)


def test_what_is_no_scene_no_result_and_no_path_is_refused_by_name():
    """Each of these ended in an AttributeError or TypeError of Python's, somewhere inside."""
    scene, path = r"a scene is needed, got {}; of a file, towsim.load_scene", "a path is needed, got 3"
    result = r"a result is needed, got {}; of a file, towsim.open_result"
    calls = [
        (lambda: towsim.equilibrium("lift.yaml"), scene.format("'lift.yaml'")),
        (lambda: towsim.modes(None), scene.format("None")),
        (lambda: towsim.linearize("x"), scene.format("'x'")),
        (lambda: towsim.simulate(3), scene.format("3")),
        (lambda: towsim.load_scene(3), path),
        (lambda: towsim.open_result(3), path),
        (lambda: towsim.plot([1]), result.format(r"\[1\]")),
        (lambda: towsim.plot(None), result.format("None")),
        (lambda: towsim.view(1), result.format("1")),
        (lambda: towsim.analysis.jerks(1), result.format("1")),
        (lambda: towsim.analysis.uniqueness(1), result.format("1")),
        (lambda: replay(1), result.format("1")),
    ]
    for call, told in calls:
        with pytest.raises(towsim.UsageError, match=told):
            call()


def test_options_of_what_is_stepped_by_hand_are_meant_there_and_there_alone():
    scene = scenarios.get("four-robots-box").build()
    for make in (towsim.Simulation, lambda *given, **more: towsim.Batch(*given, 2, **more)):
        with pytest.raises(towsim.UsageError, match=r"unknown option 'force': did you mean 'forces'\?"):
            make(scene, force=["box"])
    with pytest.raises(towsim.UsageError, match=r"unknown option 'recrod': did you mean 'record'\?"):
        towsim.Simulation(scene, recrod=["position"])
    with pytest.raises(towsim.UsageError, match=r"option 'forces' is for what is stepped by hand: towsim.Simulation"):
        towsim.simulate(scene, forces=["box"])


@pytest.mark.parametrize(
    ("name", "meant"), [("body", "bodies"), ("pos", "position"), ("bdoies", "bodies"), ("po", None), ("mass", None)]
)
def test_a_name_that_is_cut_short_is_told_as_one_that_is_misspelt(name, meant):
    assert meant_by(name, ["robots", "bodies", "position", "velocity"]) == meant
