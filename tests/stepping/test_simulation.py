"""Stepping by hand: the same loop as ``simulate``, with a state to read, set, keep and put back."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import scenarios
import towsim
from towsim.analysis.replay import differences, replay
from towsim.run.commands import Commands
from towsim.scene import Body

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


@pytest.mark.parametrize("name", [name for name, how in SCENES.items() if how["method"] != "bdf3"])
def test_steps_one_by_one_are_those_of_a_run(name):
    """Also where something is looked at in between, or is switched: bit for bit."""
    sim = simulation(name)
    n = 1300 if name == "hand-over" else 300
    whole = towsim.simulate(sim.scene, duration=n * sim.h, **SCENES[name])
    for k in range(n):
        sim.step()
        if k % 50 == 7:
            sim["tension"]
        if k % 90 == 3:
            sim.restore(sim.snapshot())
    assert not differences(whole, sim.result())
    assert list(whole.events) == list(sim.result().events)
    if name == "hand-over":
        assert whole.events


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_commands_in_every_step_go_on_in_one_record_with_the_same_bits(method, monkeypatch):
    """As if all that is known were sampled anew at each, also where something is looked at, or put back."""

    def commanded():
        rng, records = np.random.default_rng(5), {}
        sim = towsim.Simulation(scenarios.get("four-robots-box").build(), method=method, step=1e-3, forces=["box"])
        robots, wires = list(sim.scene.robots), list(sim.scene.wires)
        for k in range(150):
            sim.push("box", force=rng.normal(size=3))
            sim.steer(robots[k % 4], acceleration=rng.normal(size=3))
            if k % 5 == 0:
                sim.steer(robots[k % 3], velocity=[0.0, 0.0, 1e-3 * (k % 4)])
                sim.feed(wires[k % 4], rate=0.01 * rng.random())
            if k % 40 == 30:
                before = sim.snapshot()
                sim.push("box", force=[0.0, 0.0, 50.0])
                sim.step(3)
                sim.restore(before)
            sim.step()
            records[id(sim._run.last.record)] = sim._run.last.record
            if k % 7 == 0:
                sim["tension"], sim["position"]
        return sim.result(), len(records)

    result, few = commanded()
    monkeypatch.setattr(Commands, "amend", lambda *_: False)
    other, many = commanded()
    assert not differences(result, other)
    assert list(result.events) == list(other.events)
    assert 2 * few < many


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
    bodies = {"bob": {"mass": 2.0, "point": True}, "top": {"mass": 1.0, "inertia": [0.1, 0.2, 0.3]}}
    scene = towsim.Scene(bodies=bodies, ground={"height": -100.0, "contacts": ["top"]})  # kernels that others compile
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
    with pytest.raises(towsim.ResultError, match="steered, pushed, placed or commanded by hand"):
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
        lambda: sim.restore(other.snapshot()): "method 'shake'",
        lambda: sim["tensoin"]: "tension",
        lambda: towsim.Simulation(sim.scene, forces=["bx"]): "unknown body 'bx'",
        lambda: towsim.Simulation(sim.scene, method="dae"): "use simulate",
        lambda: towsim.Simulation(sim.scene, on_reset=3): "on_reset must be a function of the simulation",
    }.items():
        with pytest.raises(towsim.TowsimError, match=words):
            call()


def test_calls_that_are_refused_change_nothing():
    sim, other = (simulation("four-robots-box", forces=["box"], record=False) for _ in range(2))
    for one in (sim, other):
        one.push("box", [0, 0, 5], [0, 0, 1])
        one.step(3)
    wire = next(iter(sim.scene.wires))
    for call in (
        lambda: sim.place("box", position=[1, 2, 3], velocity="fast"),
        lambda: sim.place("box", position=[1, 2, 3], quaternion=[0, 0, 0, 0]),
        lambda: sim.place("box", quaternion=[1e200, 0, 0, 1e200]),
        lambda: sim.place("box", quaternion=[0, 1, 0, 0], velocity=[1, 2]),
        lambda: sim.push("box", [1, 2, 3], torque=[np.nan] * 3),
        lambda: sim.push("box", "hard"),
        lambda: sim.feed(wire, rate=10**400),
        lambda: sim.feed(wire, length=np.complex128(1.0)),
    ):
        with pytest.raises(towsim.UsageError):
            call()
    assert [sim.step(5) for _ in range(2)] == [other.step(5) for _ in range(2)]
    assert all(np.array_equal(mine, yours) for mine, yours in zip(sim.state, other.state, strict=True))


def test_a_point_mass_is_not_turned():
    scene = towsim.Scene(name="fall", bodies={"bob": Body(mass=1.0, point=True, position=(0.0, 0.0, 5.0))})
    sim = towsim.Simulation(scene, step=1e-3)
    for turn in ({"quaternion": [0, 1, 0, 0]}, {"angular_velocity": [0, 0, 1]}):
        with pytest.raises(towsim.UsageError, match="'bob' is a point mass"):
            sim.place("bob", position=[1, 2, 3], **turn)
    sim.place("bob", position=[1, 2, 3], angular_velocity=[0, 0, 0])
    assert sim["position"].values.tolist() == [[1, 2, 3]]


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
    assert one._stepper.run_arrays._numba_type_ is other._stepper.run_arrays._numba_type_, "or else a kernel of its own"
    assert one.step(3) == other.step(3)


EXAMPLES = Path(__file__).parents[2] / "examples"
FLIGHT = towsim.load_scene(EXAMPLES / "flight.yaml")


def copies(sim):
    yield copy.copy(sim)
    yield copy.deepcopy(sim)
    yield pickle.loads(pickle.dumps(sim))


def test_a_force_is_commanded_on_top_of_one_that_is_declared():
    """``gyro`` has a force of its own, which holds its weight; ``box`` is pushed."""
    sim = towsim.Simulation(towsim.load_scene(EXAMPLES / "lift.yaml"), step=1e-3, forces=["gyro"])
    sim.step(100)
    sim.push("gyro", force=[2.0, 0.0, 0.0])
    sim.step(500)
    assert sim["velocity"].sel(body="gyro").values == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_a_scene_with_controllers_is_stepped_as_it_runs(method):
    """Also where steps end at a sample, and from a snapshot, a copy and a pickle on; nothing is shared with those."""
    whole = towsim.simulate(FLIGHT, duration=0.2, method=method)
    sim = towsim.Simulation(FLIGHT, method=method)
    sim.step(37)
    sim.step(63)
    moment = sim.snapshot()
    others = [*copies(sim)]
    sim.step(100)
    assert not differences(whole, sim.result())
    sim.restore(moment)
    sim.step(100)
    assert not differences(whole, sim.result())
    for other in others:
        assert other.time == pytest.approx(0.1)
        other.step(100)
        assert not differences(whole, other.result())


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_steps_one_by_one_of_a_scene_with_controllers_go_on_in_one_record(method):
    """The same bits as a run, also where something is read, commanded and put back, and results stay as they were."""
    scene = towsim.scene.scene_from_text(HOISTED)
    whole = towsim.simulate(scene, method=method)
    sim, records, earlier = towsim.Simulation(scene, method=method), {}, []
    for k in range(len(whole.time) - 1):
        if k % 60 == 30:
            before = sim.snapshot()
            sim.command("r", [0.1, 0.0, 15.0])
            sim.step(3)
            sim.feed("reel", rate=0.3)
            sim.step(3)
            earlier.append((sim.result(), copy.deepcopy(sim.result())))
            sim.restore(before)
        sim.step()
        records[id(sim._run.last.record)] = sim._run.last.record
        if k % 7 == 0:
            sim["tension"], sim["position"]
    assert not differences(whole, sim.result())
    assert all(not differences(one, other) for one, other in earlier)
    assert len(records) < 40


HOISTED = """
bodies: {load: {mass: 0.4, point: true, position: [0, 0, -1]}, bob: {mass: 0.2, point: true, position: [5, 0, 0]}}
robots:
  r: {motion: {waypoints: {t: [0, 2], position: [[0, 0, 0], [1, 0, 1]]}}, dynamics: point-mass, vehicle: {mass: 1.0}}
  still: {position: [5, 0, 2]}
wires:
  w: {from: load, to: r, length: 1.0}
  reel: {from: bob, to: still, length: 2.0, winch: {max_rate: 0.5, lag: 0.05}}
controllers: {hoist: {law: winch, wire: reel, mode: length, target: "2 - 0.5*(1 - cos(3*t))", gain: 3.0}}
run: {duration: 1.0, step: 4e-3}
"""


VEHICLES = """
bodies: {load: {mass: 0.4, point: true, position: [0, 0, -1]}}
robots:
  r: {position: [0, 0, 0], dynamics: point-mass, vehicle: {mass: 1.0, max_thrust: 30, lag: 0}}
  still: {position: [5, 0, 2]}
wires:
  w: {from: load, to: r, length: 1.0}
  slack: {from: load, to: still, length: 9.0}
  reel: {from: load, to: still, length: 9.0, winch: {max_rate: 0.2}}
"""


def push_up(t, measured, reference, memory, command):
    memory[0] += 1.0
    command[2] = 1.4 * 9.81 + 1.4 * memory[0] / 100.0


def test_commands_reach_vehicles_winches_and_wires():
    scene = towsim.scene.scene_from_text(VEHICLES)
    sim = towsim.Simulation(scene, step=4e-3)
    sim.command("r", [0.0, 0.0, 1.4 * (9.81 + 2.0)])
    assert repr(sim) == "<Simulation scene at 0 s (0 steps of 0.004 s, stewart-trinkle)>"
    assert not np.signbit(towsim.simulate(scene, step=4e-3, duration=0.04)["tension"].sel(wire="slack").values).any()
    sim.feed("slack", rate=-0.5, length=8.8)
    sim.feed("reel", rate=-1.0)
    sim.step(125)
    assert sim["velocity"].sel(body="r").values == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    assert sim["length"].sel(wire="slack").item() == pytest.approx(8.8)
    assert sim["length"].sel(wire="reel").item() == pytest.approx(9.0 - 0.2 * 0.5), "at the winch's largest rate"
    sim.feed("slack", rate=0.1)
    sim.command("reel", [0.1])
    sim.command("r", None)  # back to its controller, which holds it where it is declared to be
    sim.step(2500)
    assert sim["length"].sel(wire=["slack", "reel"]).values == pytest.approx([9.8, 9.9], abs=1e-9)
    assert np.abs(sim["velocity"].sel(body="r").values).max() < 0.01
    sim.feed("slack", length=12.0)
    sim.step(1)
    assert sim["length"].sel(wire="slack").item() == 12.0
    sim.reset()
    assert np.isnan(sim._stepper.control.held.by_hand).all()


def test_a_controller_of_ones_own_steps_as_in_a_run():
    scene = towsim.scene.scene_from_text(VEHICLES)
    options = {"step": 1e-2, "controllers": {"r": towsim.Control(push_up, memory=np.zeros(1))}}
    whole = towsim.simulate(scene, duration=0.5, **options)
    sim = towsim.Simulation(scene, **options)
    sim.step(20)
    other = pickle.loads(pickle.dumps(sim))
    for one in (sim, other):
        one.step(30)
        assert not differences(whole, one.result())


def test_what_takes_no_command_is_named():
    sim = towsim.Simulation(towsim.scene.scene_from_text(VEHICLES), step=4e-3)
    plain = simulation("four-robots-box")
    for call, words in {
        lambda: sim.command("still", [1.0]): "'still' is kinematic: steer it",
        lambda: sim.command("slack", [1.0]): "has no winch.*feed it",
        lambda: sim.steer("r", velocity=[0, 0, 1]): r"'r' is a vehicle \(dynamics: point-mass\).*command",
        lambda: sim.command("load", [1.0]): "has no actuator: push it",
        lambda: sim.command("r", [1.0]): r"r\.force\.x, r\.force\.y, r\.force\.z\) must be three finite",
        lambda: sim.command("r", [1.0, 2.0, np.nan]): "three finite numbers",
        lambda: plain.command("x", [1.0]): "nothing in this scene can be commanded",
        lambda: sim.feed("reel", length=1.0): "mode: length",
        lambda: sim.feed("slack", rate=0.1, length=1.0): "does not come from 9 m to 1 m at 0.1 m/s",
        lambda: sim.feed("slack", length=0.0): "must be > 0 m",
        lambda: sim.feed("slack", rate=np.inf): "rate must be a finite number",
        lambda: sim.feed("slak", rate=1.0): "unknown wire 'slak'",
        lambda: towsim.Simulation(plain.scene, controllers={"x": push_up}): "nothing in this scene can be commanded",
        lambda: simulation("cdpr44-kinematic").feed("cable1", rate=1.0): "mrfe cable",
    }.items():
        with pytest.raises(towsim.UsageError, match=words):
            call()
    sim.feed("slack", rate=-3000.0)
    with pytest.raises(towsim.SimulationError, match=r"wire 'slack', .* in at 3000 m/s, has no length left"):
        sim.step(500)


def test_a_point_mass_takes_no_torque():
    """In a simulation and in a batch, where of several bodies the point is named; none at all is taken."""
    bodies = {"bob": {"mass": 1.0, "point": True}, "box": {"mass": 1.0, "shape": {"box": [1.0, 1.0, 1.0]}}}
    scene = towsim.Scene(bodies=bodies)
    sim, batch = towsim.Simulation(scene, forces=["bob", "box"]), towsim.Batch(scene, 2, forces=["bob", "box"])
    for call in (
        lambda: sim.push("bob", [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        lambda: batch.push("bob", torque=[0.0, 0.0, 1.0]),
        lambda: batch.push(["box", "bob"], torque=[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], body_axes=True),
    ):
        with pytest.raises(towsim.UsageError, match="body 'bob' is a point mass, which no torque turns"):
            call()
    sim.push("bob", [1.0, 0.0, 0.0])
    batch.push(["box", "bob"], [1.0, 0.0, 0.0], [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    batch.step()
    assert batch["angular_velocity"].sel(body="box").values[:, 2].all()


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf3"])
def test_copies_of_a_simulation_share_nothing(method):
    sim = towsim.Simulation(scenarios.get("four-robots-box").build(), method=method, step=1e-3, forces=["box"])
    sim.push("box", force=[0.0, 1.0, 0.0])
    sim.step(20)
    others = [*copies(sim)]
    sim.rng.normal()
    sim.step(20)
    for other in others:
        assert other.time == pytest.approx(0.02)
        assert other.rng.normal() != sim.rng.normal()
        other.step(20)
        assert not differences(sim.result(), other.result())
        other.push("box")
    assert sim._commands.given


def test_scenes_and_results_are_copied_and_pickled(tmp_path):
    scene = scenarios.get("four-robots-box").build()
    run = towsim.simulate(scene, duration=0.05)
    stored = [towsim.open_result(run.save(tmp_path / name)) for name in ("run.nc", "run.npz")]
    (lean,) = towsim.simulate_many([scene], duration=0.05)
    for way in (copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))):
        assert way(scene) == scene
        assert way(FLIGHT) == FLIGHT
        for one in (run, *stored, lean, towsim.simulate(scene, duration=0.05, record_every=3)):
            other = way(one)
            assert other["position"].values.tobytes() == one["position"].values.tobytes()
            assert str(other.summary()) == str(one.summary())
        assert repr(way(run["tension"])) == repr(run["tension"])


def test_a_snapshot_fits_a_scene_with_other_numbers():
    """A heavier body in the place of another: it goes on from the same pose, and turns as fast."""
    body = {"mass": 2.0, "inertia": [0.1, 0.2, 0.3], "angular_velocity": [0.0, 0.0, 2.0], "velocity": [1.0, 0, 0]}
    scene = towsim.Scene(bodies={"b": body}, gravity=[0, 0, 0])
    heavy = scene.with_values({"bodies.b.mass": 5.0, "bodies.b.inertia": [0.4, 0.4, 0.5]})
    one, other = towsim.Simulation(scene, step=1e-2), towsim.Simulation(heavy, step=1e-2)
    one.step(50)
    other.restore(one.snapshot())
    assert other.time == 0.5
    other.step(50)
    assert other["position"].values == pytest.approx(np.array([[1.0, 0.0, 0.0]]))
    assert other["angular_velocity"].values == pytest.approx(np.array([[0.0, 0.0, 2.0]]))
    with pytest.raises(towsim.UsageError, match=r"takes what snapshot\(\) gave, got 3"):
        one.restore(3)
    with pytest.raises(towsim.UsageError, match="another structure"):
        one.restore(towsim.Simulation(towsim.Scene(bodies={"c": body}), step=1e-2).snapshot())
    with pytest.raises(towsim.UsageError, match=r"method 'shake' with steps of 0\.01 s, not of method"):
        one.restore(towsim.Simulation(scene, step=1e-2, method="shake").snapshot())
    with pytest.raises(towsim.UsageError, match="has controllers, and other numbers"):
        towsim.Simulation(FLIGHT).restore(towsim.Simulation(FLIGHT.with_values({"bodies.load.mass": 0.6})).snapshot())
