"""Whatever a simulation tells, a copy in a batch tells with the same bits."""

import pickle

import numpy as np
import pytest

import scenarios
import towsim
from towsim.model.model import written
from towsim.results import VARIABLES
from towsim.results.derived import DERIVED
from towsim.scene import scene_from_text

JOINTED = """
bodies:
  arm: {mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [0.5, 0, 0], points: {in: [-0.5, 0, 0]}}
  rotor: {mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [0, 3, 0], angular_velocity: [0, 0, 9]}
  cart: {mass: 2, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 6, 0]}
  bob: {mass: 0.5, point: true, position: [1, 0, -1]}
  box: {mass: 1, shape: {box: [0.2, 0.2, 0.2]}, position: [0, 9, 0.1], velocity: [1, 0, 0]}
robots: {post: {position: [0, 0, 0]}, pole: {position: [0, 3, 0]}, rail: {position: [0, 6, 0]}}
joints:
  hinge: {kind: revolute, from: post, to: arm.in, axis: [0, 1, 0], motion: "0.2*sin(4*t)"}
  shaft: {kind: revolute, from: pole, to: rotor, axis: [0, 0, 1], motor: "3*cos(3*t)", damping: 0.05}
  slide:
    {kind: prismatic, from: rail, to: cart, axis: [1, 0, 1], motor: "30*sin(9*t)", limits: [-0.1, 0.1]}
wires:
  line: {from: bob, to: arm, length: 1.2}
  band: {from: bob, to: arm.in, length: 1.6, model: {spring: {stiffness: 50, damping: 1}}}
ground: {contacts: [box], friction: FRICTION}
run: {step: 4e-3}
"""
REDUCED = """
bodies:
  boom: {mass: 3, shape: {box: [2, 0.1, 0.1]}, position: [1, 0, 0], points: {in: [-1, 0, 0], out: [1, 0, 0]}}
  jib: {mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [2.5, 0, 0], points: {in: [-0.5, 0, 0], tip: [0.5, 0, 0]}}
  load: {mass: 1, point: true, position: [3, 0, -1]}
robots: {post: {position: [0, 0, 0]}}
joints:
  luff: {kind: revolute, from: post, to: boom.in, axis: [0, 1, 0], reduced: true, motor: "60*cos(t)", damping: 2}
  fold: {kind: revolute, from: boom.out, to: jib.in, axis: [0, 1, 0], reduced: true, spring: {stiffness: 90}}
wires: {rope: {from: load, to: jib.tip, length: 1}}
run: {step: 4e-3}
"""
WOUND = """
bodies:
  load: {mass: 10.0, point: true, position: [0, 0, -2]}
  bob: {mass: 1, point: true, position: [3, 0, -2]}
robots: {crane: {position: [0, 0, 0]}, davit: {motion: {formula: {x: 3, z: "0.1*sin(9*t)"}}}}
drums: {d: {at: crane, radius: 0.1, inertia: 0.05, torque: "9.81 + 3*sin(9*t)"}}
wires: {w: {from: load, to: crane, length: 2.0, drum: d}, reel: {from: bob, to: davit, length: 2.0, winch: {lag: 0.05}}}
controllers: {hoist: {law: winch, wire: reel, mode: length, target: "2 - 0.5*(1 - cos(3*t))", gain: 3.0}}
run: {step: 4e-3}
"""
SWITCHED = """
bodies:
  load: {mass: 1, shape: {box: [0.3, 0.3, 0.3]}, position: [0, 0, 0], points: {lug: [0, 0, 0.15]}}
  door: {mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [0.5, 3, 0], points: {in: [-0.5, 0, 0]}}
robots: {hook: {position: [0, 0, 2]}, frame: {position: [0, 3, 0]}}
wires: {line: {from: load.lug, to: hook, length: 1.85, cut: 0.1}, spare: {from: load, to: hook, length: 2.2}}
joints: {swing: {kind: revolute, from: frame, to: door.in, axis: [0, 1, 0], motor: 5, detach: 0.12}}
run: {step: 4e-3}
"""

LINKED = """
bodies:
  link: {mass: 1, shape: {box: [0.1, 0.1, 1]}, position: [0, 0, -0.5], points: {in: [0, 0, 0.5], out: [0, 0, -0.5]}}
  bob: {mass: 2, point: true, position: [0, 0, -1], velocity: [1, 0, 0]}
robots: {post: {motion: {formula: {x: "0.1*sin(5*t)"}}}}
joints: {top: {from: post, to: link.in}, low: {from: link.out, to: bob}}
run: {step: 4e-3}
"""

WHEEL = """
bodies:
  a: {mass: 1, point: true, position: [-0.1, 0, -1]}
  b: {mass: 2, point: true, position: [0.1, 0, -1], velocity: [0.3, 0, 0]}
robots: {top: {position: [0, 0, 0]}}
pulleys: {wheel: {at: top, radius: 0.1, inertia: 0.02}}
wires: {rope: {from: a, via: [wheel], to: b, length: 2.31, model: elastic, material: {axial_stiffness: 4000}}}
run: {step: 4e-3}
"""

CASES = [
    ("wheel of an elastic wire", "stewart-trinkle"),
    ("ball joints", "bdf2"),
    ("ball joints", "stewart-trinkle"),
    ("joints", "stewart-trinkle"),
    ("joints", "shake"),
    ("reduced joints", "stewart-trinkle"),
    ("reduced joints", "shake"),
    ("drum and winch", "stewart-trinkle"),
    ("drum and winch", "shake"),
    ("switched", "stewart-trinkle"),
    ("switched", "shake"),
    ("block-and-tackle", "stewart-trinkle"),
    ("block-and-tackle", "shake"),
    ("drag-box-rough-ground", "stewart-trinkle"),
    ("eight-wires-box", "shake"),
    ("cdpr44-kinematic", "stewart-trinkle"),
    ("cdpr44-kinematic", "bdf2"),
    ("slewing-crane", "stewart-trinkle"),
    ("slung-load-gust", "shake"),
]


def scene_of(name, method):
    texts = {
        "joints": JOINTED.replace("FRICTION", "0.3" if method == "stewart-trinkle" else "0"),
        "reduced joints": REDUCED,
        "drum and winch": WOUND,
        "switched": SWITCHED,
        "ball joints": LINKED,
        "wheel of an elastic wire": WHEEL,
    }
    return scene_from_text(texts[name]) if name in texts else scenarios.get(name).build()


def readable(sim):
    """Names of all variables that a simulation tells."""
    found = []
    for name in (*VARIABLES, *DERIVED):
        try:
            sim[name]
        except towsim.ResultError:
            continue
        found.append(name)
    return found


def same(batch, sims, names):
    for name in names:
        mine, given = batch[name].values, np.array([sim[name].values for sim in sims])
        assert np.array_equal(mine, given, equal_nan=mine.dtype.kind == "f"), name


@pytest.mark.parametrize(("name", "method"), CASES)
def test_every_variable_of_a_copy_is_that_of_a_simulation(name, method):
    """At the start, after one step and many, of copies that are not at one instant, and of one placed by hand."""
    scene = scene_of(name, method)
    batch = towsim.Batch(scene, 3, method=method, step=4e-3)
    sims = [towsim.Simulation(scene, method=method, step=4e-3, record=False) for _ in range(3)]
    names = readable(sims[0])
    if "joint_reaction" in names:
        assert np.isnan(sims[0]["joint_reaction"].values).all(), "before any step"
    assert ("joint_reaction" in names) == ("joint" in name or name in ("drum and winch", "switched", "slewing-crane"))
    same(batch, sims, names)
    for copies, steps in (((0, 1, 2), 1), ((0, 1, 2), 1), ((1, 2), 30), ((2,), 7), ((0, 1, 2), 25)):
        batch.step(steps, copies)
        for c in copies:
            sims[c].step(steps)
        same(batch, sims, names)
    body = next(iter(scene.bodies))
    speed = batch["velocity"].sel(body=body).values[1] * 1.001
    batch.place(body, velocity=speed, copies=[1])
    sims[1].place(body, velocity=speed)
    names = readable(sims[1])  # no more what was lost since the start
    same(batch, sims, names)
    batch.step(2)
    for sim in sims:
        sim.step(2)
    same(batch, sims, names)


def test_every_variable_of_a_pushed_copy_and_of_a_fork_is_that_of_a_simulation():
    """Copies to which something is commanded take their steps in a block of their own."""
    scene, forces = scene_of("joints", "stewart-trinkle"), ["cart", "arm"]
    batch = towsim.Batch(scene, 3, forces=forces)
    sims = [towsim.Simulation(scene, forces=forces, record=False) for _ in range(3)]
    names = readable(sims[0])
    for steps in (1, 20, 300):
        force = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 1.0]]) * steps
        batch.push("cart", force)
        batch.step(steps)
        for c, sim in enumerate(sims):
            sim.push("cart", force[c])
            sim.step(steps)
        same(batch, sims, names)
    batch.fork(sims[1].snapshot(), copies=[0])
    same(batch, [sims[1], sims[1], sims[2]], names)
    batch.fork(2, copies=[1])
    same(batch, [sims[1], sims[2], sims[2]], names)
    batch.reset([2])
    sims[0].reset()
    same(batch, [sims[1], sims[2], sims[0]], names)


def test_what_a_copy_lost_is_untold_once_it_is_commanded_until_it_is_brought_back():
    """And only then: its flag goes with the copy to snapshots, forks and pickles, as that of a simulation does."""
    scene = scene_of("wheel of an elastic wire", "stewart-trinkle")
    batch, sim = towsim.Batch(scene, 3, forces=["a"]), towsim.Simulation(scene, forces=["a"], record=False)
    before = batch.snapshot()
    batch.push("a", [0.0, 0.0, 50.0], copies=[1])
    batch.step(2)
    sim.step(2)
    lost = sim["dissipated_energy"].values
    pickled = pickle.loads(pickle.dumps(batch))
    batch.fork(sim.snapshot(), copies=[0])  # of another copy than the one that is commanded
    for one in (batch, pickled):
        with pytest.raises(towsim.ResultError, match="something was commanded"):
            one["dissipated_energy"]
    pickled.fork(1)
    pickled.reset([0])
    with pytest.raises(towsim.ResultError, match="something was commanded"):
        pickled["dissipated_energy"]
    pickled.restore(before)
    pickled.step(2)
    batch.fork(2, copies=[1])
    for one in (batch, pickled):
        np.testing.assert_array_equal(one["dissipated_energy"].values, [lost] * 3)


def arrays(part, path=""):
    """All arrays of a model, by their paths."""
    for name, value in zip(part._fields, part, strict=True):
        if isinstance(value, np.ndarray):
            yield path + name, value
        elif hasattr(value, "_fields"):
            yield from arrays(value, f"{path}{name}.")


@pytest.mark.parametrize(("name", "method"), CASES)
def test_what_steps_write_of_a_model_is_kept_with_a_copy_or_found_anew_from_the_pose(name, method):
    sim = towsim.Simulation(scene_of(name, method), method=method)
    model = sim._stepper.compiled.model
    before = {path: array.copy() for path, array in arrays(model)}
    sim.step(40)
    changed = {path for path, array in arrays(model) if array.tobytes() != before[path].tobytes()}
    assert changed <= {*dict(written(model)), "routes.laid"}  # of the pose, found anew as each block begins
