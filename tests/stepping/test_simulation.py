"""Stepping by hand: the same loop as ``simulate``, with a state to read, set, keep and put back."""

import numpy as np
import pytest

import scenarios
import towsim
from towsim.analysis.replay import differences, replay

SCENES = {
    "four-robots-box": {"method": "stewart-trinkle", "step": 1e-3},
    "crane-winch": {"method": "shake", "step": 1e-3},
    "drag-box-rough-ground": {"method": "stewart-trinkle", "step": 1e-3},
    "hand-over": {"method": "shake", "step": 2e-3},
    "cdpr44-kinematic": {"method": "bdf3", "step": 5e-3},
}


def simulation(name, **options):
    return towsim.Simulation(scenarios.get(name).build(), **SCENES[name], **options)


@pytest.mark.parametrize("name", SCENES)
def test_steps_by_hand_are_those_of_a_run(name):
    sim = simulation(name)
    whole = towsim.simulate(sim.scene, duration=200 * sim.h, **SCENES[name])
    assert sim.step(200) == pytest.approx(200 * sim.h)
    assert not differences(whole, sim.result())
    assert list(whole.events) == list(sim.result().events)
    for variable in whole:
        assert np.array_equal(sim[variable].values, whole[variable].values[-1], equal_nan=True), variable


@pytest.mark.parametrize("name", SCENES)
def test_a_snapshot_goes_on_with_the_same_bits(name):
    sim = simulation(name)
    sim.step(60)
    moment = sim.snapshot()
    runs = []
    for _ in range(2):
        for n in (1, 30, 9):
            sim.step(n)
        sim["tension"] if "tension" in sim.result() else None  # looking changes nothing
        sim.step(50)
        runs.append(sim.result())
        sim.restore(moment)
        assert len(sim.result().time) == 61
    assert len(runs[0].time) == 151
    assert not differences(*runs)
    assert list(runs[0].events) == list(runs[1].events)


def test_reset_begins_again_with_the_same_bits():
    sim = simulation("hand-over")
    first = (sim.step(1200), sim.result())[1]
    sim.reset()
    assert sim.time == 0.0
    sim.step(1200)
    assert not differences(first, sim.result())


def test_a_seed_decides_the_disturbance():
    def disturb(sim):
        sim.place("box", velocity=sim.rng.normal(0.0, 0.01, 3))

    sim = simulation("four-robots-box", on_reset=disturb, seed=1)
    first = sim["velocity"].sel(body="box").values
    sim.reset(2)
    assert not np.array_equal(first, sim["velocity"].sel(body="box").values)
    sim.reset(1)
    assert np.array_equal(first, sim["velocity"].sel(body="box").values)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_a_state_that_is_set_is_where_the_motion_goes_on(method):
    scene = towsim.Scene(bodies={"bob": {"mass": 2.0, "point": True}, "top": {"mass": 1.0, "inertia": [0.1, 0.2, 0.3]}})
    sim = towsim.Simulation(scene, step=1e-2, method=method)
    sim.step(10)
    position, spin = np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 1.0])
    sim.place("bob", position=position, velocity=[1.0, 0.0, 5.0])
    sim.place("top", angular_velocity=spin)
    position[:] = np.nan  # what was passed in is not kept
    assert sim["position"].sel(body="bob").values == pytest.approx([1, 2, 3])
    assert sim["angular_velocity"].sel(body="top").values == pytest.approx([0, 0, 1])
    state = sim.state
    sim.step(50)
    fall = {"stewart-trinkle": 1e-2 * 9.81 * 0.5, "shake": 1e-9, "bdf2": 1e-6}[method]  # of order 1; bdf starts so
    expected = np.array([1.5, 2.0, 3.0 + 5.0 * 0.5 - 0.5 * 9.81 * 0.25])
    assert np.abs(sim["position"].sel(body="bob").values - expected).max() < fall
    later = sim.state
    sim.state = state
    sim.step(50)
    assert np.abs(sim.state.q - later.q).max() < 1e-12
    with pytest.raises(towsim.UsageError, match=r"state\.q must be"):
        sim.state = state._replace(q=state.q[:3])


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf3"])
def test_a_robot_goes_where_it_is_steered_and_a_force_accelerates(method):
    scene = towsim.Scene(
        bodies={"load": {"mass": 2.0, "point": True, "position": [0, 0, -1]}},
        robots={"crane": {"position": [0, 0, 0]}},
        wires={"w": {"from": "load", "to": "crane", "length": 1.0}},
    )
    sim = towsim.Simulation(scene, step=1e-3, method=method, forces=["load"])
    sim.step(10)
    assert sim["tension"].item() == pytest.approx(2 * 9.81, rel=1e-6)
    sim.steer("crane", acceleration=[0, 0, 2.0])
    sim.step(500)
    assert sim["robot_position"].sel(robot="crane", xyz="z").item() == pytest.approx(0.25)
    assert sim["tension"].item() == pytest.approx(2 * (9.81 + 2.0), rel=1e-6)
    sim.steer("crane")
    sim.push("load", force=[0, 0, -5.0])
    sim.step(100)
    assert sim["robot_position"].sel(robot="crane", xyz="z").item() == pytest.approx(0.25 + 0.1)
    assert sim["tension"].item() == pytest.approx(2 * 9.81 + 5, rel=1e-6)
    with pytest.raises(towsim.ResultError, match="no scene and options"):
        replay(sim.result())  # commands are not in the result


def test_a_result_of_a_simulation_without_commands_can_be_replayed():
    sim = simulation("four-robots-box")
    sim.step(300)
    assert replay(sim.result()).same


def test_after_a_refusal_only_going_back_helps():
    sim = towsim.Simulation(scenarios.get("pulled-apart").build(), step=1e-3)
    moment = sim.snapshot()
    with pytest.raises(towsim.RefusedError) as refused:
        sim.step(100000)
    with pytest.raises(towsim.RefusedError):
        sim.step()
    assert refused.value.result.events[-1].kind == "infeasible"
    assert sim.result() is refused.value.result
    sim.restore(moment)
    sim.step()


def test_wrong_use_is_named():
    sim = simulation("four-robots-box", record=False)
    other = simulation("crane-winch")
    for call, words in {
        lambda: sim.step(0): "whole number",
        lambda: sim.result(): "record=True",
        lambda: sim.steer("notrh", velocity=[0, 0, 0]): "unknown robot 'notrh'",
        lambda: sim.push("box"): "forces=",
        lambda: sim.place("box", position=[0, np.nan, 0]): "three finite numbers",
        lambda: sim.restore(other.snapshot()): "another scene",
        lambda: sim["tensoin"]: "tension",
        lambda: towsim.Simulation(sim.scene, forces=["bx"]): "unknown body 'bx'",
        lambda: towsim.Simulation(sim.scene, method="dae"): "use simulate",
    }.items():
        with pytest.raises(towsim.TowsimError, match=words):
            call()


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_asking_for_the_result_changes_nothing(method):
    """Twice the same, and stepping goes on as if nobody had asked."""
    scene = scenarios.get("four-robots-box").build()
    asked, other = (towsim.Simulation(scene, method=method, step=1e-3) for _ in range(2))
    for _ in range(3):
        asked.step(20)
        other.step(20)
        first, second = asked.result(), asked.result()
        assert len(first.time) == len(second.time) == round(asked.time * 1e3) + 1
        assert [*asked.events] == [*other.events]
    for name in second:
        np.testing.assert_array_equal(second[name].values, other.result()[name].values, name)


@pytest.mark.parametrize("limit", [1, np.float32(1.0), np.float64(1.0)])
def test_a_stretch_limit_may_be_any_number(limit):
    scene = scenarios.get("four-robots-box").build()
    one, other = (towsim.Simulation(scene, stretch_limit=value) for value in (limit, 1.0))
    assert one._stepper._steady._numba_type_ is other._stepper._steady._numba_type_, "or else a kernel of its own"
    assert one.step(3) == other.step(3)
