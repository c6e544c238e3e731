"""The problems met on the way are those that ``step_problem`` pulls out one by one."""

import numpy as np
import pytest

import scenarios
import solvers
import towsim
from solvers import matrix
from towsim.analysis import step_problems
from towsim.errors import SimulationError, UsageError


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
@pytest.mark.parametrize("name", ["four-robots-box", "payload-chain", "slack-jerk"])
def test_walk_meets_the_problems_of_the_steps(name, method):
    one = scenarios.get(name)
    scene, step = one.build(), one.defaults["step"]
    walked = list(step_problems(scene, every=7, duration=20 * step, step=step, method=method))
    assert [round(time / step) for time, _ in walked] == [0, 7, 14]
    for time, problem in walked:
        alone = towsim.step_problem(scene, time, step=step, method=method)
        assert np.array_equal(problem.q, alone.q)
        assert np.array_equal(matrix.values(problem.M), matrix.values(alone.M))


def test_looking_at_every_step_does_not_change_the_run():
    one = scenarios.get("four-robots-box")
    scene = one.build()
    result = towsim.simulate(scene, duration=0.03, step=1e-3)
    for k, (_, problem) in enumerate(step_problems(scene, duration=0.03, step=1e-3)):
        tension = solvers.solve(problem).z / 1e-3
        whole = result["tension"].values[k + 1] + result["impulse"].values[k + 1] / 1e-3
        assert tension == pytest.approx(whole, rel=1e-6)


def test_both_forms_give_the_same_impulses():
    scene = scenarios.get("four-robots-box").build()
    pairs = zip(
        step_problems(scene, every=5, duration=0.01, step=1e-3),
        step_problems(scene, every=5, duration=0.01, step=1e-3, form="mlcp"),
        strict=True,
    )
    for (_, lcp), (_, mlcp) in pairs:
        a, b = solvers.solve(lcp), solvers.solve(mlcp)
        assert b.z[-4:] == pytest.approx(a.z, rel=1e-6)
        assert b.z[:-4] == pytest.approx(a.v, abs=1e-9)


def test_a_run_that_stops_gives_the_step_that_failed():
    one = scenarios.get("pulled-apart")
    times = []

    def walk():
        times.extend(time for time, _ in step_problems(one.build(), every=100, duration=2.0, step=1e-3))

    with pytest.raises(SimulationError, match="stops"):
        walk()
    recorded = towsim.simulate(one.build(), **one.defaults)
    assert times[:-1] == pytest.approx(np.arange(len(times) - 1) * 0.1)
    assert times[-1] == pytest.approx(recorded.time[-1], abs=2e-3)


def test_wrong_options_are_refused():
    scene = scenarios.get("four-robots-box").build()
    for options in ({"every": 0}, {"form": "lpc"}, {"step": float("nan")}, {"method": "bdf9"}, {"duration": 0.0}):
        with pytest.raises(UsageError):
            next(step_problems(scene, **options))
