"""Options are declared once: signatures, help, flags and errors all follow from the declaration."""

import argparse
import inspect

import pytest

import towsim
from towsim.cli.options import FLAGS, add_options
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
