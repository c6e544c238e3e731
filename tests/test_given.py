"""What is of the wrong kind is refused in words, by what it is called and what came; no error comes from inside."""

import numpy as np
import pytest

import towsim
from towsim import cdpr
from towsim.analysis import suspension
from towsim.sweep import sweep

TEXT = """
bodies: {load: {mass: 1, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 0, 0]}}
robots: {hook: {position: [0, 0, 2]}}
wires: {line: {from: load, to: hook, length: 2.0, model: elastic, material: {axial_stiffness: 1e4}}}
run: {duration: 0.1, step: 4e-3}
"""
SCENE = towsim.scene.scene_from_text(TEXT)
MASS, SPEED = ["bodies.load.mass"], ["bodies.load.velocity.0"]
GOAL = {"position[load,x]": 0.1}
LOG = towsim.Log([0.0, 0.05, 0.1], {"position[load,x]": [0.0, 0.0, 0.0]})


def cost(run):
    return np.sum(run["position"] ** 2)


@pytest.fixture(scope="module")
def model():
    return towsim.compile(SCENE)


@pytest.fixture(scope="module")
def robot():
    return cdpr.from_scene(SCENE)


@pytest.mark.parametrize("wrong", [None, 3, 2.5, True, "x", object(), {"a": 1}, [1], [None], lambda: 1])
@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: towsim.identify(wrong, LOG, MASS),
        lambda wrong: towsim.identify(SCENE, wrong, MASS),
        lambda wrong: towsim.identify(SCENE, [wrong], MASS),
        lambda wrong: towsim.identify(SCENE, LOG, wrong),
        lambda wrong: towsim.identify(SCENE, LOG, [wrong]),
        lambda wrong: towsim.identify(SCENE, LOG, [{"k": wrong}]),
        lambda wrong: towsim.identify(SCENE, LOG, [{"k": {MASS[0]: [wrong]}}]),
        lambda wrong: towsim.identify(SCENE, LOG, MASS, own=[wrong]),
        lambda wrong: towsim.identify(SCENE, LOG, MASS, noise=wrong or 1),
        lambda wrong: towsim.identify(SCENE, LOG, MASS, bounds=wrong or 1),
        lambda wrong: towsim.identify(SCENE, LOG, MASS, bounds={MASS[0]: wrong}),
        lambda wrong: towsim.identify(SCENE, LOG, MASS, confidence=[wrong]),
        lambda wrong: towsim.plan(wrong, SPEED, GOAL),
        lambda wrong: towsim.plan(SCENE, wrong, GOAL),
        lambda wrong: towsim.plan(SCENE, SPEED, wrong),
        lambda wrong: towsim.plan(SCENE, SPEED, {"position[load,x]": [wrong]}),
        lambda wrong: towsim.plan(SCENE, SPEED, GOAL, wrong or 1),
        lambda wrong: towsim.plan(SCENE, SPEED, GOAL, {"tension[line]": wrong}),
        lambda wrong: towsim.plan(SCENE, SPEED, GOAL, cost=[wrong]),
        lambda wrong: towsim.plan(SCENE, SPEED, GOAL, of=wrong),
        lambda wrong: towsim.plan(SCENE, SPEED, GOAL, bounds=wrong or 1),
        lambda wrong: towsim.plan(SCENE, SPEED, GOAL, progress=[wrong]),
        lambda wrong: towsim.equilibrium(wrong),
        lambda wrong: towsim.equilibrium(SCENE, tension=wrong),
        lambda wrong: towsim.linearize(wrong),
        lambda wrong: towsim.linearize(SCENE, inputs=[wrong]),
        lambda wrong: towsim.linearize(SCENE, outputs=wrong or 1),
        lambda wrong: towsim.modes(wrong),
        lambda wrong: next(towsim.simulate_many(wrong)),
        lambda wrong: next(towsim.simulate_many([wrong])),
        lambda wrong: towsim.read_log([wrong]),
        lambda wrong: SCENE.with_values(wrong),
        lambda wrong: cdpr.from_scene(wrong),
        lambda wrong: cdpr.workspace(wrong, [[0, 0, 0]]),
        lambda wrong: cdpr.tensions(wrong, [0, 0, 0]),
        lambda wrong: cdpr.stiffness(wrong, [0, 0, 0], tension=[1.0]),
        lambda wrong: cdpr.clearance(wrong, [0, 0, 0]),
        lambda wrong: cdpr.to_scene(wrong, [0, 1], [[0, 0, 0]] * 2),
        lambda wrong: sweep(SCENE, wrong),
        lambda wrong: sweep(SCENE, {MASS[0]: [1, 2]}, metrics=[wrong]),
        lambda wrong: sweep(SCENE, {MASS[0]: [1, 2]}, samples=[wrong]),
        lambda wrong: sweep(SCENE, {MASS[0]: [1, 2]}, options=wrong or 1),
        lambda wrong: sweep(SCENE, {MASS[0]: [1, 2]}, units=[wrong]),
    ],
)
def test_what_calls_do_not_take_is_refused_in_words(call, wrong):
    with pytest.raises(towsim.TowsimError) as refused:
        call(wrong)
    assert 10 < len(str(refused.value)) <= 1000


@pytest.mark.parametrize("wrong", [3, 2.5, True, "x", object(), {"a": 1}, [1], [None], lambda: 1])
@pytest.mark.parametrize(
    "call",
    [
        lambda model, wrong: model.run(wrong),
        lambda model, wrong: model.run_many(wrong),
        lambda model, wrong: model.parameters.scene([wrong]),
        lambda model, wrong: model.sensitivities(wrong),
        lambda model, wrong: model.sensitivities([wrong]),
        lambda model, wrong: model.sensitivities([{"k": wrong}]),
        lambda model, wrong: model.sensitivities([{"k": {MASS[0]: [wrong]}}]),
        lambda model, wrong: model.sensitivities([{3: {MASS[0]: 1.0}}]),
        lambda model, wrong: model.sensitivities([{"k": {3: 1.0}}]),
        lambda model, wrong: model.sensitivities(MASS, wrong),
        lambda model, wrong: model.sensitivities(MASS, at=wrong),
        lambda model, wrong: model.gradient([wrong], MASS),
        lambda model, wrong: model.gradient(cost, wrong),
        lambda model, wrong: model.gradient(cost, MASS, wrong),
        lambda model, wrong: model.gradient(cost, MASS, at=wrong),
        lambda model, wrong: model.gradient(cost, MASS, mode=wrong),
        lambda model, wrong: model.gradient(lambda run: [wrong], MASS),
        lambda model, wrong: model.gradient(lambda run: (1.0, [wrong]), MASS),
        lambda model, wrong: model.gradient(lambda run: (1.0, {"position": wrong}), MASS),
        lambda model, wrong: model.gradient(lambda run: (wrong, {}, {}), MASS),
        lambda model, wrong: model.gradient(lambda run: ([wrong], {}), MASS),
        lambda model, wrong: model.step_map(0, wrong),
    ],
)
def test_what_a_model_does_not_take_is_refused_in_words(model, call, wrong):
    with pytest.raises(towsim.TowsimError) as refused:
        call(model, wrong)
    assert 10 < len(str(refused.value)) <= 1000


@pytest.mark.parametrize("wrong", [None, "x", object(), {"a": 1}, [None]])
def test_poses_and_wrenches_that_are_no_numbers_are_refused_in_words(robot, wrong):
    for call in (
        lambda: cdpr.workspace(robot, wrong),
        lambda: cdpr.workspace(robot, [[0, 0, 0]], wrong),
        lambda: cdpr.workspace(robot, [[0, 0, 0]], wrenches=wrong),
        lambda: cdpr.workspace(robot, [[0, 0, 0]], acceleration=wrong),
        lambda: cdpr.workspace(robot, [[0, 0, 0]], progress=[wrong]),
        lambda: cdpr.tensions(robot, [0, 0, 0], rule="least", wrench=wrong),
        lambda: cdpr.to_scene(robot, wrong, [[0, 0, 0]] * 2, model="rigid"),
    ):
        with pytest.raises(towsim.UsageError):
            call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda model: towsim.identify(SCENE, None, MASS), "logs must be a list of logs, got None"),
        (lambda model: towsim.identify(SCENE, [3], MASS), "a log is a Log, or the path of a CSV file, got 3"),
        (lambda model: towsim.identify(3, LOG, MASS), "a scene is needed, got 3"),
        (lambda model: towsim.plan(SCENE, None, GOAL), "free must be a list of paths, got None"),
        (lambda model: model.run_many([1.0]), r"parameters must be a mapping from paths to numbers, got \[1.0\]"),
        (lambda model: model.sensitivities(3), "parameters must be a list of paths, got 3"),
        (lambda model: model.sensitivities({"k": {}}), "parameters must be a list of paths, got {'k'"),
        (lambda model: model.sensitivities([{"k": 3}]), "direction k must be a mapping from paths to numbers, got 3"),
        (
            lambda model: model.sensitivities([{"k": {MASS[0]: "1"}}]),
            "k: bodies.load.mass must be a finite number, got",
        ),
        (lambda model: model.sensitivities([{"k": {3: 1.0}}]), "got the key 3"),
        (lambda model: model.gradient(3, MASS), "cost must be a function of the run's variables, got 3"),
        (lambda model: model.gradient(lambda run: (1.0, 3), MASS), "derivatives must be a mapping .* got 3"),
        (lambda model: cdpr.tensions(SCENE, [0, 0, 0]), "a CableRobot is needed, got .*from_scene"),
        (lambda model: towsim.equilibrium(SCENE, tension=3), "tension must be a mapping from wires to numbers, got 3"),
        (lambda model: sweep(SCENE, 3), "axes must be a mapping from parameters to values"),
    ],
)
def test_the_refusal_says_what_it_was_and_what_is_expected(model, call, words):
    with pytest.raises(towsim.UsageError, match=words):
        call(model)


@pytest.mark.parametrize("seed", ["x", -1, 1.5])
def test_a_seed_that_is_none_is_refused_and_changes_nothing(seed):
    sim = towsim.Simulation(SCENE)
    sim.step(3)
    with pytest.raises(towsim.UsageError, match="seed must be a whole number"):
        sim.reset(seed)
    assert sim.time == 3 * sim.h


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda n: towsim.Simulation(SCENE).step(n), "steps must be a whole number"),
        (lambda n: towsim.Batch(SCENE, 2).step(n), "steps must be a whole number"),
        (lambda n: towsim.modes(SCENE, count=n), "count must be a whole number"),
        (lambda n: towsim.equilibria(SCENE, starts=n), "starts must be a whole number"),
        (lambda n: towsim.simulate(SCENE, duration=0.012, record_every=n), "record_every must be a whole number"),
        (lambda n: suspension(n), "wires must be a whole number"),
    ],
)
def test_numpys_whole_numbers_are_such_and_truth_values_are_none(call, what):
    call(np.int64(1))
    for wrong in (True, np.True_, 1.0, "1", 0, -1):
        with pytest.raises(towsim.UsageError, match=f"{what}.*, got"):
            call(wrong)


@pytest.mark.parametrize("name", ["mass", "inertia", "spread", "slope", "twist", "length", "lean"])
def test_a_dimension_of_a_suspension_that_is_no_number_is_told_by_name(name):
    with pytest.raises(towsim.UsageError, match=f"{name} must be a finite number, got 'a'"):
        suspension(3, **{name: "a"})


@pytest.mark.parametrize(
    "place",
    [
        lambda robot, at: cdpr.lengths(robot, at),
        lambda robot, at: cdpr.tensions(robot, [0, 0, 0], wrench=[*at, 0, 0, 0] if isinstance(at, list) else at),
        lambda robot, at: towsim.Simulation(SCENE).place("load", position=at),
        lambda robot, at: towsim.Batch(SCENE, 2).place("load", velocity=at),
    ],
)
@pytest.mark.parametrize(
    "wrong",
    [
        [1j, 0, 0],
        [10**400, 0, 0],
        np.array([1, 2, 3], "timedelta64[ms]"),
        np.array(["2026-11-30"] * 3, "datetime64[s]"),
        np.ma.array([0.0, 0.0, 0.0], mask=[False, True, False]),
    ],
)
def test_complex_numbers_times_with_a_unit_and_what_is_masked_are_no_numbers(robot, place, wrong):
    with pytest.raises(towsim.UsageError):
        place(robot, wrong)
