"""Bodies on reduced joints that are put somewhere by hand: their joints follow, or are told to be torn."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import towsim
from towsim import Batch, Scene, Simulation

METHODS = pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])

BOX = {"mass": 1.0, "shape": {"box": [0.2, 0.3, 0.4]}}


def tree() -> Scene:
    """On a post a ball, a slide and a hinge, one after the other, with a bob; beside them two bodies that float."""
    joint: dict[str, Any] = {"reduced": True}
    spin = {"angular_velocity": [0, 0, 0.7]}
    return Scene(
        gravity=[0, 0, -1],
        bodies={
            "first": BOX | {"position": [0.2, 0, -0.3], "points": {"hook": [-0.2, 0, 0.3], "rail": [0.1, 0.1, 0]}},
            "second": BOX | {"position": [0.9, 0.1, -0.3], "points": {"end": [0.2, 0, -0.2]}},
            "third": BOX | {"position": [1.3, 0.1, -0.6], "points": {"end": [-0.2, 0, 0.1], "tip": [0.2, 0, 0]}},
            "bob": {"mass": 0.5, "point": True, "position": [1.5, 0.1, -0.6]},
            "bead": {"mass": 0.5, "point": True, "position": [0.2, 0, 0.2]},
            "left": BOX | spin | {"position": [5, 0, 0], "velocity": [0, 0.2, 0]},
            "right": BOX | spin | {"position": [6, 0, 0], "velocity": [0, 0.9, 0], "points": {"end": [-1, 0, 0]}},
        },
        robots={"post": {"position": [0, 0, 0]}},
        joints={
            "hook": joint | {"from": "post", "to": "first.hook"},
            "rail": joint | {"kind": "prismatic", "from": "first.rail", "to": "second", "axis": [1, 0, 0]},
            "hinge": joint | {"kind": "revolute", "from": "second.end", "to": "third.end", "axis": [0, 1, 1]},
            "eye": joint | {"from": "third.tip", "to": "bob"},
            "pole": joint | {"kind": "prismatic", "from": "first", "to": "bead", "axis": [0, 0, 1]},
            "spin": joint | {"kind": "revolute", "from": "left", "to": "right.end", "axis": [0, 0, 1]},
        },
    )


def test_joints_of_every_kind_take_over_where_their_bodies_are_put() -> None:
    """What one simulation has come to, another one is put to body by body: coordinates, rates and what follows."""
    there, here = (Simulation(tree(), step=1e-3) for _ in range(2))
    there.step(400)
    for name, body in there.scene.bodies.items():
        pose = {} if body.point else {"quaternion": there["quaternion"].sel(body=name).values}
        spin = {} if body.point else {"angular_velocity": there["angular_velocity"].sel(body=name).values}
        place, speed = (there[one].sel(body=name).values for one in ("position", "velocity"))
        here.place(name, position=place, velocity=speed, **pose, **spin)
    joints = slice(7 * len(there.scene.bodies), None), slice(6 * len(there.scene.bodies), None)
    np.testing.assert_allclose(here.state.q[joints[0]], there.state.q[joints[0]], atol=1e-12)
    np.testing.assert_allclose(here.state.v[joints[1]], there.state.v[joints[1]], atol=1e-11)
    here.step(100)
    there.step(100)
    np.testing.assert_allclose(here["position"].values, there["position"].values, atol=1e-9)


def hinge(*, reduced: bool = True) -> Scene:
    """A rod that turns about a hinge at its middle, and one that hangs from its end."""
    return Scene(
        gravity=[0, 0, 0],
        bodies={
            "a": {"mass": 1.0, "inertia": [1, 1, 1], "points": {"end": [1, 0, 0]}},
            "b": {"mass": 1.0, "inertia": [0.1] * 3, "position": [2, 0, 0], "points": {"o": [-1, 0, 0]}},
        },
        robots={"r": {"position": [0, 0, 0]}},
        joints={
            "j": {"kind": "revolute", "from": "r", "to": "a", "axis": [0, 0, 1], "reduced": reduced},
            "k": {"kind": "revolute", "from": "a.end", "to": "b.o", "axis": [0, 0, 1], "reduced": reduced},
        },
    )


@METHODS
def test_a_velocity_that_joints_do_not_allow_they_change_by_an_impulse_as_rows_do(method: str) -> None:
    found = []
    for reduced in (False, True):
        sim = Simulation(hinge(reduced=reduced), step=1e-5, method=method)
        sim.place("a", angular_velocity=[0.3, 0, 1.0])
        sim.step(10)
        found.append(np.concatenate([sim["angular_velocity"].values, sim["velocity"].values]))
    assert abs(found[0][0, 2] - 1.0) > 0.05
    np.testing.assert_allclose(found[1], found[0], atol=1e-3)


@METHODS
def test_a_turn_by_hand_is_counted_on_from_where_the_joint_is(method: str) -> None:
    sim, batch = Simulation(hinge(), step=1e-3, method=method), Batch(hinge(), 2, step=1e-3, method=method)
    for one in (sim, batch):
        one.place("a", quaternion=[np.cos(0.1), 0, 0, np.sin(0.1)])
        one.place("b", position=[np.cos(0.2) + 1.0, np.sin(0.2), 0])
        one.step(10)
    assert sim["joint_position"].values == pytest.approx([0.2, -0.2], abs=1e-12)
    assert np.array_equal(batch["joint_position"].values, [sim["joint_position"].values] * 2)


@METHODS
@pytest.mark.parametrize(
    ("placed", "message"),
    [
        ({"position": [0, 0, 0.5]}, r"joint j is open by 500 mm"),
        ({"quaternion": [np.cos(0.1), np.sin(0.1), 0, 0]}, r"joint j is open by 0\.2 rad"),
    ],
)
def test_a_step_is_refused_where_a_reduced_joint_is_torn(method: str, placed: dict[str, Any], message: str) -> None:
    scene = hinge().replace(joints={"j": hinge().joints["j"]})
    sim, batch = Simulation(scene, step=1e-3, method=method), Batch(scene, 2, step=1e-3, method=method)
    sim.place("a", **placed)
    batch.place("a", **placed, copies=[1])
    with pytest.raises(towsim.RefusedError, match=message):
        sim.step()
    batch.step()
    assert batch.failed.tolist() == [False, True]
    assert str(batch.failures[1]) == str(sim._failure)


@METHODS
def test_a_snapshot_puts_an_arm_where_it_was_in_a_scene_that_begins_elsewhere(method: str) -> None:
    def scene(angle: float, mass: float = 1.0) -> Scene:
        s, c, turn = np.sin(angle), np.cos(angle), [np.cos(angle / 2), 0.0, -np.sin(angle / 2), 0.0]
        rod = {"inertia": [0.1] * 3, "quaternion": turn, "points": {"o": [0, 0, 1], "e": [0, 0, -1]}}
        return Scene(
            bodies={
                "a": rod | {"mass": mass, "position": [s, 0, -c]},
                "b": rod | {"mass": 1.0, "position": [3 * s, 0, -3 * c]},
            },
            robots={"r": {"position": [0, 0, 0]}},
            joints={
                "j": {"kind": "revolute", "from": "r", "to": "a.o", "axis": [0, 1, 0], "reduced": True},
                "k": {"from": "a.e", "to": "b.o", "reduced": True},
            },
        )

    one, same, other = (Simulation(each, step=1e-3, method=method) for each in (scene(0.5), scene(0.5), scene(0.2, 2)))
    one.step(200)
    moment = one.snapshot()
    same.restore(moment)
    other.restore(moment)
    for name in ("position", "quaternion"):
        np.testing.assert_allclose(other[name].values, one[name].values, atol=1e-12)
    assert np.array_equal(same.state.q, one.state.q)
    before = one["position"].values
    other.step()
    np.testing.assert_allclose(other["position"].values, before + 1e-3 * one["velocity"].values, atol=2e-5)


@pytest.mark.parametrize(
    ("joint", "moved"),
    [
        ("hook", ["first", "second", "third", "bob", "bead"]),
        ("rail", ["second", "third", "bob"]),
        ("hinge", ["third", "bob"]),
        ("eye", ["bob"]),
        ("pole", ["bead"]),
        ("spin", ["right"]),
    ],
)
def test_the_joint_that_is_torn_is_told_by_name(joint: str, moved: list[str]) -> None:
    sim = Simulation(tree(), step=1e-3)
    for name in moved:
        sim.place(name, position=np.add(sim["position"].sel(body=name).values, [0.01, 0.02, 0]))
    with pytest.raises(towsim.RefusedError, match=rf"joint {joint} is open by 2\d\S* mm"):
        sim.step()


def test_stepping_by_hand_waits_for_no_statics() -> None:
    """Half a second of start-up, with SciPy's optimisers: poses that are set by hand need none of it."""
    code = "import sys, towsim.run.simulation; print({'towsim.statics', 'scipy.optimize'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout.strip() == "set()"
