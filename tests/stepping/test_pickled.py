"""A simulation, a batch, a snapshot and a model go through pickle at any instant, however their scenes are driven."""

import copy
import pickle
import subprocess
import sys

import pytest

import scenarios
import towsim
from towsim.analysis.replay import differences
from towsim.scene import scene_from_text

MOTIONS = {
    "formula": '{formula: {x: "amp*sin(3*t)", y: "t**2", z: 2}}',
    "waypoints": "{waypoints: {t: [0, 0.2, 1], position: [[0, 0, 2], [0.1, 0, 2], [0, 0.2, 2]]}}",
    "samples": "{samples: {t: [0, 0.3, 0.6, 1], position: [[0, 0, 2], [0.1, 0, 2], [0.1, 0.1, 2], [0, 0, 2]]}}",
    "profile": "{profile: {start: [0, 0, 2], t: [0, 0.1, 0.5], velocity: [[0, 0, 0], [0.5, 0, 0.5], [0, 0.1, 0]]}}",
    "circle": "{circle: {center: [-0.2, 0, 2], radius: 0.2, period: 1.5}}",
}
LENGTHS = {
    "formula": '{formula: "2 - amp*t"}',
    "rate": "{start: 2, rate: -0.2}",
    "waypoints": "{waypoints: {t: [0, 0.1, 0.5], length: [2, 1.95, 1.8]}}",
}

LIFTED = """
parameters: {{amp: 0.3}}
bodies: {{load: {{mass: 1, point: true, position: [0, 0, 0], force: {{x: "amp*t"}}, drag: {{linear: 0.1}}}}}}
robots: {{hook: {{motion: {motion}}}}}
wires: {{line: {{from: load, to: hook, length: {length}}}}}
wind: {{x: "amp*cos(t)", gusts: [{{start: 0.02, duration: 0.1, velocity: [0, 1, 0]}}]}}
ground: {{height: -0.01, contacts: [load]}}
"""

JOINTED = """
parameters: {amp: 0.3}
bodies:
  arm: {mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [0.5, 0, 0], points: {in: [-0.5, 0, 0]}}
  cart: {mass: 2, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 3, 0], torque: {x: "amp*sin(t)"}}
  door: {mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [0.5, 6, 0], points: {in: [-0.5, 0, 0]}}
robots: {post: {position: [0, 0, 0]}, rail: {position: [0, 3, 0]}, frame: {position: [0, 6, 0]}}
joints:
  hinge: {kind: revolute, from: post, to: arm.in, axis: [0, 1, 0], motion: "amp*sin(4*t)"}
  slide: {kind: prismatic, from: rail, to: cart, axis: [1, 0, 0], motor: "amp*cos(3*t)", spring: {stiffness: 20}}
  swing: {kind: revolute, from: frame, to: door.in, axis: [0, 0, 1], damping: 0.05, motor: "amp"}
"""

WOUND = """
bodies: {load: {mass: 10.0, point: true, position: [0, 0, -2]}, bob: {mass: 1, point: true, position: [3, 0, -2]}}
robots: {crane: {position: [0, 0, 0]}, davit: {position: [3, 0, 0]}}
drums: {d: {at: crane, radius: 0.1, inertia: 0.05, torque: "9.81 + sin(4*t)"}}
wires: {w: {from: load, to: crane, length: 2.0, drum: d}, reel: {from: bob, to: davit, length: 2.0, winch: {lag: 0.05}}}
controllers: {hoist: {law: winch, wire: reel, mode: length, target: "2 - 0.5*(1 - cos(3*t))", gain: 3.0}}
run: {step: 4e-3}
"""


def lifted(motion="formula", length="formula"):
    return scene_from_text(LIFTED.format(motion=MOTIONS[motion], length=LENGTHS[length]))


SCENES = {f"robot by {name}": lifted(name) for name in MOTIONS}
SCENES |= {f"length by {name}": lifted(length=name) for name in LENGTHS if name != "formula"}
SCENES |= {"joints": scene_from_text(JOINTED), "drum and winch": scene_from_text(WOUND)}


def goes_on(sim, others, steps):
    """Whether all of them go on with the same bits, in all that is recorded, and tell the same events."""
    others = list(others)
    sim.step(steps)
    whole = sim.result()
    for other in others:
        other.step(steps)
        assert not differences(whole, other.result())
        assert list(other.result().events) == list(whole.events)


def ways(thing):
    return copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("name", scenarios.names())
def test_a_scenario_goes_on_from_a_pickle_with_the_same_bits(name):
    sim = towsim.Simulation(scenarios.get(name).build())
    sim.step(30)
    goes_on(sim, ways(sim), 20)


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_however_a_scene_is_driven_it_goes_on_from_a_pickle_with_the_same_bits(name, method):
    sim = towsim.Simulation(SCENES[name], method=method, step=4e-3)
    goes_on(sim, [pickle.loads(pickle.dumps(sim))], 1)
    sim.step(17)
    moment = pickle.loads(pickle.dumps(sim.snapshot()))
    goes_on(sim, ways(sim), 13)
    once = sim.result()
    sim.restore(moment)
    sim.step(13)
    assert not differences(once, sim.result())


@pytest.mark.parametrize("method", ["bdf1", "bdf3"])
def test_methods_with_a_history_go_on_from_a_pickle_with_the_same_bits(method):
    sim = towsim.Simulation(SCENES["robot by formula"], method=method, step=4e-3)
    sim.step(17)
    goes_on(sim, ways(sim), 13)


def test_commands_and_a_refusal_are_in_a_pickle():
    scene = scene_from_text(
        LIFTED.format(motion="{waypoints: {t: [0, 1], position: [[0, 0, 2], [0, 0, 3]]}}", length=2)
    )
    sim = towsim.Simulation(scene, step=4e-3, forces=["load"])
    sim.step(3)
    sim.push("load", force=[1.0, 0.0, 0.0])
    sim.steer("hook", acceleration=[0.1, 0.0, 1.0])
    goes_on(sim, ways(sim), 40)
    scene = scene_from_text(LIFTED.format(motion=MOTIONS["formula"], length='{formula: "2 - 100*t"}'))
    sim = towsim.Simulation(scene, step=4e-3)
    with pytest.raises(towsim.SimulationError) as failed:
        sim.step(100)
    for other in ways(sim):
        with pytest.raises(towsim.SimulationError) as again:
            other.step()
        assert str(again.value) == str(failed.value)
        assert not differences(sim.result(), other.result())


def test_what_happened_before_is_in_a_pickle():
    fall = LIFTED.format(motion="{waypoints: {t: [0, 1], position: [[0, 0, 2], [0, 0, 2]]}}", length=3)
    sim = towsim.Simulation(scene_from_text(fall), step=4e-3)
    sim.step(30)
    assert [event.kind for event in sim.result().events][:1] == ["contact"]
    goes_on(sim, ways(sim), 5)


@pytest.mark.parametrize("name", ["robot by formula", "joints", "drum and winch"])
def test_a_batch_goes_on_from_a_pickle_with_the_same_bits(name):
    batch = towsim.Batch(SCENES[name], 3, step=4e-3)
    batch.step(17)
    batch.step(4, copies=[1])
    others = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    batch.step(13)
    for other in others:
        other.step(13)
        for mine, given in zip(batch.state, other.state, strict=True):
            assert mine.tobytes() == given.tobytes()
        variable = "joint_torque" if name == "joints" else "tension"
        assert batch[variable].values.tobytes() == other[variable].values.tobytes()


@pytest.mark.parametrize("name", SCENES)
def test_a_compiled_model_runs_from_a_pickle_with_the_same_bits(name):
    model = towsim.compile(SCENES[name], step=4e-3)
    again = pickle.loads(pickle.dumps(model))
    assert not differences(model.run(duration=0.08), again.run(duration=0.08))


ELSEWHERE = """
import pickle, sys
there, back = sys.argv[1:]
sims = pickle.load(open(there, "rb"))
for sim in sims:
    sim.step(13)
pickle.dump([([part.tobytes() for part in sim.state], sim.result()) for sim in sims], open(back, "wb"))
"""


def test_another_process_goes_on_from_a_pickle_with_the_same_bits(tmp_path):
    sims = [towsim.Simulation(SCENES[name], step=4e-3) for name in ("robot by formula", "drum and winch")]
    for sim in sims:
        sim.step(17)
    there, back = tmp_path / "there", tmp_path / "back"
    there.write_bytes(pickle.dumps(sims))
    subprocess.run([sys.executable, "-c", ELSEWHERE, there, back], check=True, timeout=300)
    for sim, (state, result) in zip(sims, pickle.loads(back.read_bytes()), strict=True):
        sim.step(13)
        assert state == [part.tobytes() for part in sim.state]
        assert not differences(sim.result(), result)
