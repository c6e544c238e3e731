"""The same motion with every back-end and in both forms of a step's problem.

Velocities, positions and gaps (the w of the problem) are unique, so they are compared everywhere; tensions where they
are unique too. Every answer is judged to 1e-9 of the problem's scale; a run of n steps may differ by n times that.
"""

import numpy as np
import pytest

import scenarios
import solvers
import towsim
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
BACK_ENDS = tuple(name for name in solvers.available() if name != "auto")
STEPS = 25

ITERATIVE = ("pgs", "newton", "osqp", "interior-point", "cvxpy")


def jointed():
    """Two boxes on a ball joint, hung from two wires off their centres: free rows beside unilateral ones."""
    box = {"mass": 1.0, "shape": {"box": [0.2, 0.1, 0.1]}, "points": {"l": [-0.1, 0, 0.05], "r": [0.1, 0, 0.05]}}
    data = {
        "bodies": {"a": box | {"position": [-0.1, 0, 0]}, "b": box | {"position": [0.1, 0, 0]}},
        "robots": {"w": {"position": [-0.6, 0.3, 0.8]}, "e": {"position": [0.6, -0.2, 0.8]}},
        "joints": {"hinge": {"from": "a.r", "to": "b.l"}},
        "wires": {
            "w": {"from": "a.l", "to": "w", "length": float(np.linalg.norm([0.4, 0.3, 0.75])) + 0.01},
            "e": {"from": "b.r", "to": "e", "length": float(np.linalg.norm([0.4, 0.2, 0.75]))},
        },
    }
    return scene_from_data(data)


SCENES = {
    "two-robots-sled": lambda: scenarios.get("two-robots-sled").build(ramp=0.2),
    "three-robots-box": lambda: scenarios.get("three-robots-box").build(lean=6.0, travel=0.8),
    "four-robots-box": lambda: scenarios.get("four-robots-box").build(lean=6.0, travel=0.8),
    "eight-wires-box": lambda: scenarios.get("eight-wires-box").build(travel=0.8, carry=0.1),
    "slack-jerk": lambda: scenarios.get("slack-jerk").build(slack=0.1),
    "payload-chain": lambda: scenarios.get("payload-chain").build(n=3, travel=0.8),
    "jointed": jointed,
}


def run(scene, method, step=4e-3, steps=STEPS, **options):
    return towsim.simulate(scene, duration=steps * step, step=step, method=method, **options)


@pytest.fixture(scope="module", params=[(name, method) for name in SCENES for method in METHODS], ids="-".join)
def case(request):
    name, method = request.param
    scene = SCENES[name]()
    return scene, method, run(scene, method)


NEEDS_VERTEX = ("newton", "enumerate")
"""Back-ends that do not solve every step of the eight redundant wires."""


def run_or_xfail(scene, method, solver, **options):
    """Eight taut wires of rank six contradict each other by 1e-12 m, so that only a solution with some wires at zero
    tension is exact to 1e-9. Iterative back-ends end inside the set of tensions; they have to say so.
    """
    try:
        return run(scene, method, solver=solver, **options)
    except towsim.SimulationError as error:
        assert_honest(error, solver)
        assert (len(scene.wires), solver) in {(8, name) for name in NEEDS_VERTEX}
        pytest.xfail(f"{solver} needs a crossover to a vertex: {error}")


def compare(result, reference):
    for name in ("position", "velocity", "quaternion", "angular_velocity", "gap"):
        assert np.abs(result[name].values - reference[name].values).max() < 1e-7, name
    assert (result["status"].values == 0).all()
    unique = reference["tension_unique"].values.astype(bool) & result["tension_unique"].values.astype(bool)
    unique[0] &= np.isfinite(reference["tension"].values[0]).all()
    tension, expected = result["tension"].values[unique], reference["tension"].values[unique]
    # An error of 1e-9 m/s in a step of 4 ms is one of 2.5e-7 m/s² on loads of some kilogrammes.
    assert np.abs(tension - expected).max(initial=0.0) < 1e-5 * max(1.0, np.abs(expected).max(initial=0.0))


@pytest.mark.parametrize(
    "solver", [pytest.param(name, marks=pytest.mark.slow) if name in ("pgs", "cvxpy") else name for name in BACK_ENDS]
)
def test_every_back_end_gives_the_same_motion(case, solver):
    scene, method, reference = case
    compare(run_or_xfail(scene, method, solver), reference)


@pytest.mark.parametrize("solver", ["auto", "lemke", "newton"])
def test_the_problem_in_velocities_and_impulses_gives_the_same_motion(case, solver):
    scene, method, reference = case
    compare(run_or_xfail(scene, method, solver, form="mlcp"), reference)


@pytest.mark.parametrize("solver", ["active-set", "osqp", "interior-point"])
def test_back_ends_for_symmetric_problems_say_that_the_form_in_v_and_p_is_none(solver):
    scene = SCENES["four-robots-box"]()
    with pytest.raises(towsim.TowsimError, match="symmetric"):
        run(scene, "stewart-trinkle", solver=solver, form="mlcp")


MASSIVE = [name for name in scenarios.names() if "method" in scenarios.get(name).defaults]
HELD = ("kinematic-versus-dynamic", "quadcopters-carry-box", "slung-load-gust", "winch-tension-control")
"""Scenarios with controllers, whose rates do not fit coarse steps."""


MANY_WIRES = ("eight-wires-box", "payload-chain")
"""Scenarios with hundreds of bases to enumerate at every step; above, a few of their steps are."""

LIGHT = [name for name in scenarios.names() if name not in (*MASSIVE, *HELD) and scenarios.get(name).solvers is None]


@pytest.mark.filterwarnings("ignore:wire .* its first joint zy:towsim.errors.SceneWarning")
@pytest.mark.parametrize("name", MASSIVE)
@pytest.mark.parametrize("method", ["bdf3"])
def test_massive_cables_move_alike_with_every_back_end(name, method):
    """Positions after ten steps; closures of cables are equations, which all back-ends solve to 1e-9 of their scale."""
    scene, step = scenarios.get(name).build(), scenarios.get(name).defaults["step"]
    reference = run(scene, method, step=step, steps=10)
    for solver in BACK_ENDS:
        result = run(scene, method, step=step, steps=10, solver=solver)
        gap = np.nanmax(np.abs(result["node_position"].values - reference["node_position"].values))
        assert gap < 1e-7, solver


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", HELD)
def test_vehicles_and_winches_move_alike_with_every_back_end(name, method):
    """What is fed back depends on the tensions, which all back-ends find to 1e-9 of their scale."""
    scene = scenarios.get(name).build()
    reference = run(scene, method)
    for solver in BACK_ENDS:
        result = run(scene, method, solver=solver)
        assert np.abs(result["position"].values - reference["position"].values).max() < 1e-6, solver


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "method", "solver"),
    [
        (name, METHODS[(i + j) % len(METHODS)], solver)
        for i, name in enumerate(LIGHT)
        for j, solver in enumerate(BACK_ENDS)
        if solver != "enumerate" or name not in MANY_WIRES
    ],
)
def test_every_scenario_passes_its_check_with_every_back_end(name, method, solver):
    """With coarse steps, methods by turns; a back-end that comes to no conclusion has to say so."""
    one = scenarios.get(name)
    step = 1e-2 if solver == "active-set" else 2e-2
    options = one.defaults | {"step": step, "duration": min(one.defaults["duration"], 1.6)}
    try:
        result = towsim.simulate(one.build(), method=method, solver=solver, **options)
    except towsim.SimulationError as error:
        assert_honest(error, solver)
        assert name == "eight-wires-box"
        assert solver in NEEDS_VERTEX
        pytest.xfail(f"{solver} does not solve every step: {error}")
    assert [check for check in one.check(result) if not check.passed] == []


def assert_honest(error, solver):
    """A run that a back-end could not finish: no claim that the pull is impossible, and what there is of a result."""
    assert not isinstance(error, towsim.RefusedError)
    assert solver in (*ITERATIVE, "enumerate")  # enumerate: subsets of dependent rows
    assert repr(solver) in str(error)
    assert error.result is not None
    assert np.isfinite(error.result["position"].values).all()


@pytest.mark.parametrize("method", METHODS)
def test_interior_answers_leave_no_trace_on_slack_wires(method):
    """A wire that is slack bears exactly nothing, and its jerk begins when it tightens."""
    scene = scenarios.get("slack-jerk").build(slack=0.1)
    result = run(scene, method, solver="interior-point")
    (jerk,) = result.events.select("jerk")
    assert jerk.time == pytest.approx(0.1 / 1.5, abs=8e-3)
    assert np.nanmax(result["tension"].values[result.time < jerk.time - 2e-3]) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_projected_gauss_seidel_on_a_long_chain_converges_or_says_that_it_did_not(method):
    scene = scenarios.get("payload-chain").build(n=30)
    try:
        result = run(scene, method, steps=3, solver="pgs")
    except towsim.SimulationError as error:
        assert_honest(error, "pgs")
    else:
        assert (result["residual"].values[1:] < 1e-8).all()
