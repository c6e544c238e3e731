"""Options are declared once: signatures, help, flags and errors all follow from the declaration."""

import argparse
import inspect
import math
import warnings

import numpy as np
import pytest

import towsim
from towsim.cli.options import FLAGS, add_options
from towsim.errors import SceneWarning
from towsim.run.options import ByHand, OfRun, Options, Stepped, checked, choices, declared

CALLS = {
    towsim.simulate: Options,
    towsim.simulate_many: Options,
    towsim.Simulation: ByHand,
    towsim.compile: Stepped,
    towsim.Model.run: OfRun,
    towsim.step_problem: Stepped,
}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_signature_and_help_name_every_option_with_its_default(call):
    shown = inspect.signature(call).parameters
    for name, (_, option) in declared(CALLS[call]).items():
        assert shown[name].default == option.default
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert f"    {name} : " in call.__doc__
    assert "options" not in shown


def test_options_of_the_engine_and_of_a_run_are_disjoint_and_make_those_of_simulate():
    assert not set(declared(Stepped)) & set(declared(OfRun))
    assert {*declared(Stepped), *declared(OfRun), "rtol", "atol"} == set(declared(Options))


def test_flags_take_what_the_declaration_takes():
    parser = argparse.ArgumentParser()
    add_options(parser)
    words = {"step": "0.5", "friction_directions": "7", "method": "shake"}
    for name in FLAGS:
        given = choices(declared()[name][0])
        word = words.get(name, given[-1] if given else "1")
        found = getattr(parser.parse_args([f"--{name.replace('_', '-')}", word]), name)
        checked({name: found if name not in ("rtol", "atol") else 1e-3})
        assert str(found) == word or float(found) == float(word)
    assert all(value is None for value in vars(parser.parse_args([])).values()), "what is not given is left out"


def test_none_is_the_default_and_a_wrong_value_names_its_option():
    assert checked(dict.fromkeys(declared())) == checked({})
    for name, value in {
        "step": 0.0,
        "step ": 1.0,
        "method": 3,
        "solver": 3,
        "form": "lpc",
        "loop": ["python"],
        "stretch_limit": True,
        "friction": "box",
        "friction_directions": 2,
        "record_every": 0,
        "duration": "1",
        "output": 5,
        "on_failure": "ignore",
        "checkpoint_every": -1.0,
        "rtol": 1.0,
    }.items():
        with pytest.raises(towsim.UsageError, match=name.strip()):
            checked({name: value})


@pytest.mark.parametrize("progress", [True, False, "bar"])
def test_a_progress_that_cannot_be_called_is_refused_before_the_run(progress):
    scene = towsim.Scene(bodies={"b": {"mass": 1.0, "point": True}})
    with pytest.raises(towsim.UsageError, match="progress must be a function of"):
        towsim.simulate(scene, duration=0.01, progress=progress)


@pytest.mark.parametrize(
    "notes",
    [
        *({"a": value} for value in ([1, 2], True, None, 2**70, "x\0y", "\ud800", np.zeros(2))),
        *({name: 1} for name in ("", 1, "a\0", "scene", "outcome", "_x")),
        [1],
    ],
)
def test_notes_that_no_result_can_carry_are_refused_before_the_run(notes):
    with pytest.raises(towsim.UsageError, match=r"^notes") as error:
        checked({"notes": notes})
    assert "'a'" in str(error.value) or "name" in str(error.value)


def test_notes_come_back_from_a_file_as_they_were_given(tmp_path):
    scene = towsim.Scene(bodies={"b": {"mass": 1.0, "point": True}})
    notes = {"f": np.float32(1.5), "i": np.int8(3), "e/f": "", "least": -(2**63), "t": "ü" * 99999, "inf": math.inf}
    for result in (
        towsim.simulate(scene, duration=0.01, notes=notes),
        towsim.simulate(scene, duration=0.01, notes=notes, output=tmp_path / "a.nc"),
        towsim.simulate(scene, duration=0.01, notes=notes, output=tmp_path / "b.nc", method="dae"),
    ):
        assert {name: result.attributes[name] for name in notes} == notes
    assert {name: towsim.open_result(tmp_path / "a.nc").attributes[name] for name in notes} == notes


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "dae"])
def test_a_duration_that_is_no_multiple_of_the_step_is_told(method):
    scene = towsim.Scene(bodies={"b": {"mass": 1.0, "point": True}}, run={"duration": 0.01, "step": 0.003})
    with pytest.warns(SceneWarning, match=r"0\.01 s, is no multiple of the step, 0\.003 s: .* at 0\.012 s"):
        result = towsim.simulate(scene, method=method)
    assert result.time[-1] == pytest.approx(0.012)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for duration, step in ((0.3, 0.1), (0.7, 0.1), (1.1, 1e-3), (1e-3, 1e-3), (2.0, 2.0 / 3.0)):
            towsim.simulate(scene, duration=duration, step=step, method=method)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_duration_short_of_whole_steps_by_a_rounding_has_them(n):
    bodies, rounded = {"b": {"mass": 1.0, "point": True}}, n / 3 * (1.0 - 1e-12)
    assert len(towsim.simulate(towsim.Scene(bodies=bodies), duration=rounded, step=1 / 3).time) == n + 1
    assert towsim.Scene(bodies=bodies, run={"duration": rounded, "step": 1 / 3}).run.step == 1 / 3
    with pytest.raises(towsim.UsageError, match=r"step, 0\.333333333 s, must not exceed the duration, 0\.333333 s"):
        towsim.simulate(towsim.Scene(bodies=bodies), duration=0.333333, step=1 / 3)


@pytest.mark.parametrize("time", ["x", None, [1, 2], 10**400, -1.0, math.nan])
def test_the_time_of_a_problem_is_a_number_of_seconds(time):
    scene = towsim.Scene(bodies={"load": {"mass": 1.0, "point": True}})
    with pytest.raises(towsim.UsageError, match="time must be a finite number of seconds >= 0"):
        towsim.step_problem(scene, time=time)
