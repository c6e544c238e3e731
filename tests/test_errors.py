"""Every error comes through pickle and copy whole: out of a pool of processes as out of the call itself."""

import concurrent.futures
import copy
import importlib
import inspect
import multiprocessing
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import scenarios
import solvers
import towsim

COPIES = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
SAMPLES = {"time": 0.25, "wires": ("left", "right"), "speed": 0.5}


def all_errors():
    """Every exception class that towsim, solvers and scenarios define."""
    found = set()
    for package in (towsim, solvers, scenarios):
        root = Path(package.__file__).parent
        for path in root.rglob("*.py"):
            if re.search(r"^class \w+\(.*(Error|Exception|Warning|Interrupt)", path.read_text(), re.MULTILINE):
                inside = path.relative_to(root).with_suffix("").parts
                module = importlib.import_module(".".join((package.__name__, *inside)))
                kinds = (
                    one for one in vars(module).values() if inspect.isclass(one) and one.__module__ == module.__name__
                )
                found |= {one for one in kinds if issubclass(one, BaseException)}
    return sorted(found, key=lambda kind: kind.__qualname__)


def made(kind):
    """An error of a kind, with every attribute that it takes, and one that somebody hung on to it."""
    parameters = inspect.signature(kind.__init__).parameters.values()
    named = {one.name: SAMPLES.get(one.name) for one in parameters if one.kind is one.KEYWORD_ONLY}
    error = kind("what, which one, which value", **named)
    error.note = "more"
    return error


@pytest.mark.parametrize("kind", all_errors(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("way", COPIES)
def test_every_error_survives_pickle_and_copy(kind, way):
    error = made(kind)
    again = COPIES[way](error)
    assert type(again) is kind
    assert str(again) == str(error)
    assert again.args == error.args
    assert vars(again) == vars(error)


def test_the_errors_that_are_public_were_found():
    names = {kind.__name__ for kind in all_errors()}
    assert {"TowsimError", "SceneError", "UsageError", "ResultError", "SimulationError", "RefusedError"} <= names
    assert {"ProblemError", "IrreducibleError"} <= names


def refused():
    scene = scenarios.get("pulled-apart").build()
    with pytest.raises(towsim.RefusedError) as caught:
        towsim.simulate(scene, step=1e-3)
    return caught.value


@pytest.mark.parametrize("way", COPIES)
def test_a_refused_run_keeps_its_result(way):
    error = refused()
    again = COPIES[way](error)
    assert (str(again), again.time, again.wires, again.speed) == (str(error), error.time, error.wires, error.speed)
    assert again.result.time[-1] == error.result.time[-1]
    np.testing.assert_array_equal(again.result["tension"].values, error.result["tension"].values)
    assert list(again.result.events) == list(error.result.events)


def run(name):
    return towsim.simulate(scenarios.get(name).build(), step=1e-3, duration=1.0).time[-1]


def test_one_refused_run_leaves_its_pool_alive():
    error = refused()
    context = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        jobs = [pool.submit(run, name) for name in ("pulled-apart", "four-robots-box")]
        with pytest.raises(towsim.RefusedError) as caught:
            jobs[0].result()
        assert jobs[1].result() == pytest.approx(1.0)
    assert caught.value.wires == error.wires
    assert caught.value.result.time[-1] == error.result.time[-1]
