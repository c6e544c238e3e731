"""Scenarios are found by name, take typed parameters, and are judged by their own check."""

import subprocess
import sys

import numpy as np
import pytest

import scenarios
from scenarios import Check, registry
from towsim.errors import UsageError


@pytest.fixture
def declared():
    @scenarios.scenario("registry-test", duration=2.0, step=1e-3, summary="For this test.", method="shake")
    def build(*, mass: float = 2.0, wires: int = 4, heavy: bool = False, title: str = "x"):
        """For this test.

        Parameters
        ----------
        mass : mass of the box [kg]
        """
        return (mass, wires, heavy, title)

    yield build
    del registry._REGISTRY["registry-test"]


def test_a_scenario_builds_with_its_defaults(declared):
    assert scenarios.get("registry-test") is declared
    assert declared.build() == (2.0, 4, False, "x")
    assert declared.defaults == {"duration": 2.0, "step": 1e-3, "method": "shake"}
    assert declared.parameters["mass"].doc == "mass of the box [kg]"
    assert "registry-test" in scenarios.names()


def test_every_parameter_that_comes_with_towsim_is_explained():
    for name in scenarios.names():
        for parameter in scenarios.get(name).parameters.values():
            assert parameter.doc, f"{name}: {parameter.name}"
            assert " : " not in parameter.doc, f"{name}: {parameter.name} is explained together with another one"


def test_parameters_given_as_text_are_converted(declared):
    assert declared.build(mass="1e-3", wires="8", heavy="true", title="y") == (1e-3, 8, True, "y")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mas": 1}, "did you mean 'mass'"),
        ({"mass": "heavy"}, "parameter 'mass' must be a number, got 'heavy'"),
        ({"wires": "2.5"}, "must be a whole number"),
        ({"wires": 2.5}, "must be a whole number"),
        ({"wires": float("inf")}, "must be a whole number"),
        ({"heavy": "perhaps"}, "must be true or false"),
    ],
)
def test_wrong_parameters_are_refused(declared, given, message):
    with pytest.raises(UsageError, match=message):
        declared.build(**given)


def test_values_with_which_there_is_no_such_scene_are_told_with_what_they_are():
    for name, value, what in (("apart", 2.5, "less than two lengths"), ("speed", 0.0, "speed of each robot")):
        with pytest.raises(
            UsageError, match=rf"'pulled-apart' cannot be built with {name}={value} \(.*{what}.*: math domain"
        ):
            scenarios.get("pulled-apart").build(**{name: value})


def test_the_check_judges_a_result(declared):
    with pytest.raises(UsageError, match="has no check"):
        declared.check({"x": 1.0})

    @declared.check
    def judge(result):
        return [Check.below("x", result["x"], 2.0, "m")]

    assert declared.check({"x": 1.0})[0].passed
    assert not declared.check({"x": 3.0})[0].passed


@pytest.mark.parametrize(
    "check",
    [Check.below("x", np.nan, 1.0), Check.above("x", np.nan, 1.0), Check.close("x", np.nan, 1.0, 0.1)],
)
def test_an_undefined_value_never_passes(check):
    assert not check.passed


def test_unknown_scenarios_get_a_suggestion(declared):
    with pytest.raises(UsageError, match="did you mean 'registry-test'"):
        scenarios.get("registry-tset")


def test_a_parameter_without_type_or_default_is_refused():
    with pytest.raises(UsageError, match="parameter 'mass' needs a default and one of the types"):

        @scenarios.scenario("wrong", duration=1.0, step=1e-3, summary="")
        def build(mass):
            return mass


def test_a_name_cannot_be_taken_twice(declared):
    registry._REGISTRY["registry-test"].module = "elsewhere"
    with pytest.raises(UsageError, match="declared twice"):

        @scenarios.scenario("registry-test", duration=1.0, step=1e-3, summary="")
        def build():
            return None


def test_listing_imports_no_compiler():
    code = "import sys, scenarios; [scenarios.get(n) for n in scenarios.names()]; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
