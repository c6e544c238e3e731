"""Copies that are stepped together: each does what a simulation does that gets the same calls, bit for bit."""

import copy
import pickle

import numba
import numpy as np
import pytest

import scenarios
import towsim
from towsim.errors import SimulationError, UsageError
from towsim.scene import scene_from_data

SCENES = {
    "four-robots-box": {"method": "stewart-trinkle", "step": 1e-3},
    "crane-winch": {"method": "shake", "step": 1e-3},
    "drag-box-rough-ground": {"method": "stewart-trinkle", "step": 1e-3},
    "hand-over": {"method": "shake", "step": 2e-3},
    "cdpr44-kinematic": {"method": "bdf3", "step": 5e-3},
}
N = 4


def made(name, kind=towsim.Simulation, *more, **options):
    scene = scenarios.get(name).build()
    return kind(scene, *more, forces=[next(iter(scene.bodies))], **SCENES[name], **options)


def same(batch, sims):
    """Whether copies and simulations are the same, in every bit that can be read."""
    for variable in ("position", "angular_velocity", "tension", "robot_position", "length", "impulse"):
        assert np.array_equal(batch[variable].values, [sim[variable].values for sim in sims], equal_nan=True), variable
    for mine, given in zip(batch.state, zip(*(sim.state for sim in sims), strict=True), strict=True):
        assert np.array_equal(mine, given, equal_nan=True)
    assert batch.time == pytest.approx([sim.time for sim in sims])


def turns(scene, body, spin):
    return {} if scene.bodies[body].point else {"angular_velocity": spin}


@pytest.mark.parametrize("name", SCENES)
def test_a_copy_has_the_bits_of_a_simulation(name):
    batch, sims = made(name, towsim.Batch, N), [made(name, record=False) for _ in range(N)]
    body, robot = next(iter(batch.scene.bodies)), next(iter(batch.scene.robots))
    rng = np.random.default_rng(1)
    for k, steps in enumerate((7, 1, 70, 12)):
        force, pull, kick = rng.normal(size=(3, N, 3)) * [[[1.0]], [[0.1]], [[1e-3]]]
        batch.push(body, force)
        batch.steer(robot, acceleration=pull)
        if k == 1:
            batch.place(body, velocity=kick, **turns(batch.scene, body, kick))
        batch.step(steps)
        for c, sim in enumerate(sims):
            sim.push(body, force[c])
            sim.steer(robot, acceleration=pull[c])
            if k == 1:
                sim.place(body, velocity=kick[c], **turns(sim.scene, body, kick[c]))
            sim.step(steps)
        same(batch, sims)
        told = [event for _, event in sorted(batch.events, key=lambda one: one[0])]
        assert told == [event for sim in sims for event in sim.events]


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_a_copy_has_the_bits_of_a_simulation_where_a_wire_runs_from_wheel_to_wheel(method):
    scene = scene_from_data(
        {
            "bodies": {
                "hook": {
                    "mass": 20.0,
                    "shape": {"box": [0.3, 0.3, 0.3]},
                    "position": [6, 0, 2.2],
                    "points": {"eye": [0, 0, 0.15]},
                }
            },
            "robots": {
                "mast": {"position": [0, 0, 8]},
                "tip": {"position": [6, 0, 8]},
                "b": {"position": [6.4, 0, 7.8]},
            },
            "pulleys": {"head": {"at": "tip", "radius": 0.25}, "block": {"at": "hook.eye", "radius": 0.2}},
            "wires": {"fall": {"from": "mast", "via": ["head", "block"], "to": "b", "length": 18.15}},
        }
    )
    how = {"forces": ["hook"], "method": method}
    batch, sim = towsim.Batch(scene, 2, **how), towsim.Simulation(scene, **how)
    for k in range(60):
        for one in (batch, sim):
            if k == 3:
                one.push("hook", torque=[0.1, 0.05, 0.0])
            one.step(1)
        same(batch, [sim, sim])


@pytest.mark.parametrize("order", ["v a b", "a v b", "f a b", "a f b"])
@pytest.mark.parametrize("name", ["a", "b"])
def test_steer_moves_the_robot_of_that_name_whatever_else_is_declared(order, name):
    robots = {
        "v": {"position": [0.0, 0.0, 5.0], "dynamics": "point-mass"},
        "f": {"position": [0.0, 9.0, 2.0], "points": {"tip": [1.0, 0.0, 0.0], "end": [0.0, 1.0, 0.0]}},
        "a": {"motion": {"formula": {"x": "0.5*t", "y": "0", "z": "2"}}},
        "b": {"motion": {"formula": {"x": "9", "y": "-0.3*t", "z": "3"}}},
    }
    scene = scene_from_data(
        {
            "bodies": {"load": {"mass": 1.0, "point": True, "position": [0.0, 0.0, 1.0]}},
            "robots": {one: robots[one] for one in order.split()},
            "wires": {"w": {"from": "load", "to": "a", "length": 1.5}},
        }
    )
    batch, sims = towsim.Batch(scene, 2), [towsim.Simulation(scene) for _ in range(2)]
    for one in (batch, *sims):
        one.step(10)
        one.steer(name, acceleration=[0.0, 0.0, 0.1])
        one.step(100)
    same(batch, sims)


@pytest.mark.parametrize("name", ["four-robots-box", "crane-winch"])
def test_copies_without_commands_share_what_is_known_wherever_they_are(name):
    batch, sims = made(name, towsim.Batch, N), [made(name, record=False) for _ in range(N)]
    robot = next(iter(batch.scene.robots))
    for copies, steps in (((0, 1, 2, 3), 300), ((1, 3), 40), ((0,), 700), ((1, 2), 1), ((0, 1, 2, 3), 300)):
        batch.step(steps, copies)
        for c in copies:
            sims[c].step(steps)
        same(batch, sims)
    batch.steer(robot, acceleration=[0.1, 0.0, 0.0], copies=[2])  # which goes its own way from then on
    sims[2].steer(robot, acceleration=[0.1, 0.0, 0.0])
    batch.step(100)
    for sim in sims:
        sim.step(100)
    same(batch, sims)
    batch.reset([1, 2])
    for c in (1, 2):
        sims[c].reset()
    batch.step(80)
    for sim in sims:
        sim.step(80)
    same(batch, sims)


def test_a_copy_that_is_refused_stops_none_of_the_others():
    batch, sims = made("four-robots-box", towsim.Batch, N), [made("four-robots-box", record=False) for _ in range(N)]
    place = batch["robot_position"].values[0]
    away = np.array([0.0, 1.0, 20.0, 0.5])[:, None] * (place[0] - place[2])
    for robot, to in (("r0", away), ("r2", -away)):
        batch.steer(robot, velocity=to)
    for k in range(3):
        batch.step(50)
        for c, sim in enumerate(sims):
            for robot, to in (("r0", away[c]), ("r2", -away[c])):
                if not k:
                    sim.steer(robot, velocity=to)
            if c in batch.failures:
                with pytest.raises(towsim.SimulationError) as refused:
                    sim.step(50)
                assert str(refused.value) == str(batch.failures[c])
            else:
                sim.step(50)
    assert batch.failed.tolist() == [c in batch.failures for c in range(N)]
    assert batch.failed.any()
    assert not batch.failed.all()
    same(batch, sims)
    batch.reset(batch.failed)
    assert not batch.failures
    assert (batch.time == 0.0).sum() == batch.n - sum(sim.time > 0.1 for sim in sims)


def test_snapshots_and_forks_go_on_with_the_same_bits():
    batch, sim = made("four-robots-box", towsim.Batch, N), made("four-robots-box")
    (body,), robot = batch.scene.bodies, next(iter(batch.scene.robots))
    sim.step(20)
    sim.push(body, [0.0, 1.0, 0.0])
    sim.steer(robot, acceleration=[0.0, 0.1, 0.0])
    sim.step(5)
    batch.fork(sim.snapshot(), copies=[0, 2, 3])
    assert batch.time.tolist() == [sim.time, 0.0, sim.time, sim.time]
    sim.step(30)
    batch.step(30)
    for variable in ("position", "tension"):
        assert np.array_equal(batch[variable].values[2], sim[variable].values)
    before = batch.snapshot()
    batch.fork(2)
    batch.push(body, [[6.0, 7.0, 8.0], [9.0, 1.0, 1.0]], copies=np.arange(N) > 1)
    batch.step(10)
    position = batch["position"].sel(body=body).values
    assert np.array_equal(position[0], position[1])
    assert not np.array_equal(position[1], position[2])
    batch.restore(before, copies=[1, 3])
    assert batch.time.tolist() == pytest.approx([sim.time + 0.01, 0.03, sim.time + 0.01, sim.time])
    assert np.array_equal(batch["tension"].values[3], sim["tension"].values)


def test_a_batch_is_copied_and_pickled_at_any_instant():
    batch = made("four-robots-box", towsim.Batch, N)
    batch.steer("r0", acceleration=np.eye(N, 3))
    batch.step(15)
    others = [copy.deepcopy(batch), *(pickle.loads(pickle.dumps(batch)) for _ in range(3))]  # wherever memory is
    batch.step(15)
    for other in others:
        assert other.time.tolist() == [0.015] * N
        other.step(15)
        assert np.array_equal(other["tension"].values, batch["tension"].values)


def test_a_wire_that_is_hauled_in_and_what_follows_from_the_record():
    batch, sims = made("four-robots-box", towsim.Batch, N), [made("four-robots-box", record=False) for _ in range(N)]
    wire, rate = next(iter(batch.scene.wires)), -0.01 * np.arange(N)
    length = batch["length"].sel(wire=wire).values
    batch.feed(wire, rate=rate, length=length + 0.03 * rate)
    batch.step(25)
    batch.step(25)
    for c, sim in enumerate(sims):
        sim.feed(wire, rate=rate[c], length=length[c] + 0.03 * rate[c])
        sim.step(25)
        sim.step(25)
    same(batch, sims)
    assert np.array_equal(batch["kinetic_energy"].values, [sim["kinetic_energy"].values for sim in sims])
    assert batch["kinetic_energy"].dims == ("copy", "body")


def test_copies_of_vehicles_take_commands_and_keep_their_controllers():
    scene = towsim.load_scene("examples/flight.yaml")
    batch, sims = towsim.Batch(scene, 2), [towsim.Simulation(scene, record=False) for _ in range(2)]
    name = sims[0].parts[0].control.plant.owners()[0]
    thrusts = np.array([[4.0, 4.0, 4.0, 4.0], [5.0, 5.1, 5.0, 5.1]])
    for k in range(2):
        if k:
            batch.command(name, thrusts)
        batch.step(20)
        for c, sim in enumerate(sims):
            if k:
                sim.command(name, thrusts[c])
            sim.step(20)
            assert np.array_equal(batch["command"].values[c], sim["command"].values)
            assert np.array_equal(batch["position"].values[c], sim["position"].values)


WRONG = {
    "copies are a mask": lambda batch: batch.step(1, copies=[0, 0]),
    "copies have numbers 0 to 3": lambda batch: batch.fork(N),
    "velocity must be finite": lambda batch: batch.steer("r0", velocity=np.zeros((3, 3))),
    "no forces; declare": lambda batch: batch.push("nothing"),
    "unknown robot": lambda batch: batch.steer("nobody", velocity=[0.0, 0.0, 0.0]),
    "is kinematic: steer it": lambda batch: batch.command("r0", [1.0]),
    "restore takes what": lambda batch: batch.restore(None),
}


def test_what_a_batch_does_not_take_is_named():
    batch = towsim.Batch(scenarios.get("four-robots-box").build(), N, **SCENES["four-robots-box"])
    with pytest.raises(towsim.UsageError, match="whole number >= 1 of copies"):
        towsim.Batch(batch.scene, 0)
    with pytest.raises(
        towsim.UsageError, match=r"the 1e\+10 copies of this batch would take .* GB of memory; take fewer"
    ):
        towsim.Batch(batch.scene, 10**10)
    for message, call in WRONG.items():
        with pytest.raises(towsim.UsageError, match=message):
            call(batch)


@pytest.mark.parametrize("given", [1.0, [1.0], [[1.0], [2.0], [3.0]], [1.0, 0.0]])
def test_numbers_of_another_shape_are_refused_and_not_spread(given):
    batch = towsim.Batch(scenarios.get("four-robots-box").build(), 3, method="stewart-trinkle", step=1e-3)
    for what in ("position", "quaternion", "velocity", "angular_velocity"):
        with pytest.raises(UsageError, match=what):
            batch.place("box", **{what: given})
    with pytest.raises(UsageError, match="quaternion"):
        towsim.Simulation(batch.scene, method="stewart-trinkle", step=1e-3).place("box", quaternion=given)


def test_a_snapshot_with_other_forces_is_refused_by_name_before_anything_is_written():
    scene = scenarios.get("four-robots-box").build()
    pushed = towsim.Simulation(scene, forces=["box"], step=1e-3)
    pushed.push("box", force=[0, 5, 0])
    pushed.step(50)
    plain = towsim.Simulation(scene, step=1e-3)
    before = plain.state
    with pytest.raises(UsageError, match=r"this snapshot is of forces=\['box'\], not of \[\]"):
        plain.restore(pushed.snapshot())
    assert plain.time == 0.0
    assert all(np.array_equal(one, other) for one, other in zip(before, plain.state, strict=True))
    with pytest.raises(UsageError, match=r"this snapshot is of forces=\[\], not of \['box'\]"):
        towsim.Batch(scene, 2, forces=["box"], step=1e-3).fork(plain.snapshot())
    with pytest.raises(UsageError, match=r"forces is a list of names of bodies, got 'box'; write forces=\['box'\]"):
        towsim.Batch(scene, 2, forces="box")


GUSTY = {
    "wind": {"x": 1.0},
    "bodies": {"load": {"mass": 0.4, "point": True, "drag": {"linear": 0.1}}},
    "robots": {
        "r": {"position": [0, 0, 1], "dynamics": "point-mass", "vehicle": {"mass": 1.0, "lag": 0.01}},
        "s": {"position": [5, 0, 1], "dynamics": "point-mass"},
    },
    "wires": {"w": {"from": "load", "to": "r", "length": 1.0}},
    "sensors": {"pose": {"kind": "pose", "of": "r", "noise": 1e-3, "rate": 500.0}},
}


@numba.njit
def sprung(t, measured, reference, memory, command):
    """A spring to the declared place, which carries 1.4 kg, counts its calls, and gives up far from it."""
    memory[0] += 1.0
    for j in range(3):
        command[j] = 40.0 * (reference[0, 0, j] - measured.position[1, j]) - 8.0 * measured.velocity[1, j]
        if abs(measured.position[0, j] - reference[0, 0, j]) > 1.7:
            raise ValueError("too far")
    command[2] += 1.4 * 9.81


@numba.njit
def hovering(t, measured, reference, memory, command):
    """Carries one kilogram; counts its calls."""
    memory[0] += 1.0
    command[memory.size + 4] = 9.81 + 1e-3 * memory[0]


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_copies_under_a_law_have_the_bits_of_simulations_and_fail_like_them(method):
    scene = towsim.scene.scene_from_data(GUSTY)
    own = {
        "s": towsim.Control(hovering, rate=125.0, memory=np.zeros(1)),
        "r": towsim.Control(sprung, rate=200.0, memory=np.zeros(1)),
    }
    options = {"step": 1e-3, "method": method, "controllers": own, "forces": ["load"]}
    batch = towsim.Batch(scene, N, **options)
    sims = [towsim.Simulation(scene, record=False, **options) for _ in range(N)]
    pushes = np.array([0.0, 48.0, 4.0, 8.0])[:, None] * [1.0, 0.5, 0.0]  # the second one goes too far
    kicks, failures = np.linspace(0.0, 0.3, N)[:, None] * [0.0, 1.0, 0.0], {}
    batch.place("load", velocity=kicks)
    for sim, kick in zip(sims, kicks, strict=True):
        sim.place("load", velocity=kick)
    for variable in ("position", "velocity", "command", "actuation"):  # nothing is sampled before the first step
        assert np.array_equal(batch[variable].values, [sim[variable].values for sim in sims]), variable
    for steps in (1, 7, 300, 1, 1, 900):
        batch.push("load", pushes)
        batch.step(steps)
        for c, sim in enumerate(sims):
            sim.push("load", pushes[c])
            try:
                sim.step(steps)
            except SimulationError as error:
                failures[c] = str(error)
        going = [c for c in range(N) if c not in failures]
        for variable in ("position", "tension", "command", "actuation", "reading"):
            wanted = [sims[c][variable].values for c in going]
            assert np.array_equal(batch[variable].values[going], wanted, equal_nan=True), variable
    assert {c: str(why) for c, why in batch.failures.items()} == failures
    assert list(failures) == [1]
    assert "controller 'r' raised ValueError: too far" in failures[1]


def test_events_of_a_call_are_told_in_the_order_of_time():
    """One load falls into its wire before the wire of the other one is cut."""
    loads = {
        "falls": {"mass": 1.0, "point": True, "position": [0, 0, -0.1]},
        "hangs": {"mass": 1.0, "point": True, "position": [1, 0, -1]},
    }
    wires = {
        "f": {"from": "falls", "to": "post", "length": 0.5},
        "h": {"from": "hangs", "to": "other", "length": 1.0, "cut": 0.6},
    }
    posts = {"post": {"position": [0, 0, 0]}, "other": {"position": [1, 0, 0]}}
    batch = towsim.Batch(towsim.scene.scene_from_data({"bodies": loads, "robots": posts, "wires": wires}), 2)
    batch.step(1000)
    for one in (0, 1):
        events = [event for c, event in batch.events if c == one]
        assert [event.kind for event in events if event.kind in ("jerk", "break")] == ["jerk", "break"]
        assert [event.time for event in events] == sorted(event.time for event in events)
    assert (batch.impulses() > 1.0).all()  # N s, of the jerk before the cut


@pytest.mark.parametrize("state", [3, "q", (0.0, 0.0), ("q", "v", "p"), None])
def test_a_state_that_is_none_is_refused(state):
    for one in (made("four-robots-box", towsim.Batch, 2), made("four-robots-box")):
        with pytest.raises(towsim.UsageError, match=r"a state is State\(q, v, p\)"):
            one.state = state
