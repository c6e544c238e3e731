"""The box on rough ground passes its check with every back-end it claims; friction is not for SHAKE."""

from importlib.resources import files

import pytest

import scenarios
import towsim

ONE = scenarios.get("drag-box-rough-ground")


def failed(result):
    return [f"{check.name}: {check.value:.6g}, not {check.expected}" for check in ONE.check(result) if not check.passed]


def run(parameters=None, **options):
    return towsim.simulate(ONE.build(**(parameters or {})), **(ONE.defaults | options))


@pytest.mark.parametrize("step", [1e-3, 4e-3])
def test_it_passes_its_check(step):
    assert failed(run(step=step)) == []


@pytest.mark.parametrize(
    "parameters", [{"mass": 40.0}, {"friction": 0.8}, {"friction": 0.1, "ahead": 1.2}, {"length": 1.5, "turn": 30.0}]
)
def test_other_parameters_obey_the_same_laws(parameters):
    assert failed(run(parameters, step=2e-3)) == []


@pytest.mark.slow
@pytest.mark.parametrize("solver", [solver for solver in ONE.solvers if solver != "auto"])
def test_every_back_end_that_claims_it_passes_its_check(solver):
    assert failed(run(solver=solver, step=1e-2, loop="python")) == []


def test_the_check_notices_another_friction():
    result = towsim.simulate(ONE.build(friction=0.5), **(ONE.defaults | {"step": 4e-3}))
    result.attributes["scene"] = run(duration=1e-2, step=1e-2).attributes["scene"]
    assert failed(result)


def test_shake_refuses_it_by_name():
    with pytest.raises(towsim.UsageError, match="'shake' takes no friction"):
        run(method="shake")


def test_the_saved_file_is_the_scenario():
    from towsim.scene import scene_from_text

    text = (files("scenarios") / "files" / "drag-box-rough-ground.yaml").read_text(encoding="utf-8")
    assert scene_from_text(text) == ONE.build()
