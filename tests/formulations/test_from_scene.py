"""Scenes as trees: what becomes of bodies, joints and cables, and what is refused."""

import numpy as np
import pytest

from towsim.errors import UsageError
from towsim.formulations import CASES, MomentumStates, Reduced, case, scene_tree
from towsim.formulations.links import links_of
from towsim.scene import scene_from_data

ROD = {"mass": 1.0, "inertia": [0.02, 0.03, 0.01], "points": {"top": [0, 0, 0.5], "low": [0, 0, -0.5]}}
POST = {"post": {"position": [0, 0, 0.5]}}


def scene(**data):
    return scene_from_data(
        {"bodies": {"rod": ROD}, "robots": POST, "joints": {"j": {"from": "post", "to": "rod.top"}}} | data
    )


@pytest.mark.parametrize("name", CASES)
def test_bodies_are_where_the_scene_has_them(name):
    declared = case(name)
    found = scene_tree(declared)
    tree = found.tree
    position, rotation, _, _ = links_of(tree, 0.0, tree.start, tree.rate)
    for body, (link, at) in found.bodies.items():
        there = position[link] + rotation[link] @ (at - tree.arrays.centre[tree.joint[link]])
        assert np.abs(there - declared.bodies[body].position).max() < 1e-14


def test_a_joint_declared_from_the_far_end_is_the_same_joint():
    bodies = {
        "boom": {
            "mass": 1.0,
            "inertia": [0.1, 0.2, 0.3],
            "quaternion": [0.8, 0.6, 0, 0],
            "angular_velocity": [0, 0, 2],
        },
        "slide": {"mass": 1.0, "inertia": [0.1] * 3, "position": [0.7, 0, 0], "velocity": [0.3, 1.4, 0]},
    }
    bodies["slide"]["angular_velocity"] = [0, 0, 2]
    rail = {"kind": "prismatic", "axis": [1, 0, 0], "spring": {"stiffness": 9.0, "rest": 0.5}, "motor": "t"}
    hub = {"kind": "revolute", "axis": [0, 0, 1], "from": "hub", "to": "boom", "damping": 0.1}
    robots = {"hub": {"position": [0, 0, 0]}}
    ways = [{"from": "boom", "to": "slide"}, {"from": "slide", "to": "boom", "axis": [-1, 0, 0]}]
    runs = []
    for way in ways:
        data = {"bodies": bodies, "robots": robots, "joints": {"rail": rail | way, "hub": hub}}
        found = scene_tree(scene_from_data(data))
        runs.append(found.positions(Reduced(found.tree).run(1.0, 0.01)))
    assert np.abs(runs[0] - runs[1]).max() < 1e-14
    assert np.abs(runs[0][-1] - runs[0][0]).max() > 0.1


def test_a_body_that_nothing_holds_is_free():
    found = scene_tree(scene(joints={}))
    run = Reduced(found.tree).run(1.0, 0.1)
    assert run.position[-1, 0, 2] == pytest.approx(-0.5 * 9.81, rel=1e-14)


def test_sensors_that_no_controller_reads_move_nothing():
    sensors = {"gps": {"kind": "pose", "of": "rod", "noise": 0.1}}
    assert scene_tree(scene(sensors=sensors)).tree.n == scene_tree(scene()).tree.n


def test_a_cable_is_a_chain_of_universal_and_prismatic_joints():
    tree = scene_tree(case("cable")).tree
    assert tree.n == 5 * 3
    assert tree.arrays.mass.sum() == pytest.approx(0.05 + 0.125, rel=1e-3)
    le = 0.75 / 5
    known = [np.pi * 2.224 / (4 * le), np.pi * 556e3 / le]  # the numbers of the 4-4 robot
    assert np.unique(np.round(tree.arrays.stiffness, 5)) == pytest.approx(known, rel=1e-6)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"wires": {"w": {"from": "rod.low", "to": "post", "length": 1.0}}}, "wire 'w' is rigid"),
        ({"ground": {}}, "the scene has ground"),
        ({"start": "equilibrium"}, "the scene has start: equilibrium"),
        ({"pulleys": {"wheel": {"at": "post", "radius": 0.1}}}, "the scene has pulleys"),
        ({"robots": {"post": POST["post"] | {"dynamics": "point-mass"}}}, "robot 'post' has dynamics: point-mass"),
        (
            {"joints": {"j": {"from": "post", "to": "rod.top", "detach": 0.1}}},
            "joint 'j' has detach",
        ),
        ({"bodies": {"rod": ROD | {"drag": {"linear": 0.1}}}}, "'rod' has drag"),
        ({"bodies": {"rod": ROD | {"angular_velocity": [0, 1, 0]}}}, "velocity that its joints do not allow"),
        ({"joints": {"j": {"kind": "fixed", "from": "post", "to": "rod.top"}}}, "'j' is fixed"),
        (
            {
                "robots": POST | {"foot": {"position": [0, 0, -0.5]}},
                "joints": {"j": {"from": "post", "to": "rod.top"}, "k": {"from": "foot", "to": "rod.low"}},
            },
            "'k' closes a loop",
        ),
        (
            {
                "robots": {"post": {"motion": {"formula": {"x": "t", "y": "0", "z": "0.5"}}}},
                "bodies": {"rod": ROD, "loose": ROD | {"position": [3, 0, 0]}},
            },
            "'loose' is free and robot 'post' moves",
        ),
    ],
)
def test_what_is_no_smooth_tree_is_refused_by_name(data, message):
    with pytest.raises(UsageError, match=message):
        scene_tree(scene(**data))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"via": ["ring"], "length": 1.0}, "cable 'c' has via"),
        ({"winch": {"max_rate": 1.0}}, "cable 'c' has winch"),
        ({"length": {"start": 0.6, "rate": 0.1}}, "cable 'c' has a length that changes"),
        ({"model": {"mrfe": {"elements": 1, "rest": [[0.1, 0.0]]}}}, "cable 'c' has rest"),
        ({"length": 0.8}, "cable 'c' starts slack, 0.8 m long between ends 0.6 m apart, 0.2 m too long"),
        ({"length": 0.6 * (1 + 1e-7)}, "cable 'c' starts slack, 0.6 m long between ends 0.6 m apart, 6e-08 m too long"),
    ],
)
def test_cables_that_are_no_straight_chains_of_constant_length_are_refused_by_name(change, message):
    cable = {"from": "post", "to": "load", "length": 0.6, "model": "mrfe"}
    cable["material"] = {"mass_per_length": 0.1, "axial_stiffness": 1e3}
    robots = POST | {"ring": {"position": [0.3, 0, 0.3]}}
    load = {"mass": 1.0, "point": True, "position": [0, 0, -0.1]}
    data = {"bodies": {"load": load}, "robots": robots, "joints": {}}
    assert scene_tree(scene(**data, wires={"c": cable})).tree.n == 3 + 1 + 4 * 3
    with pytest.raises(UsageError, match=message):
        scene_tree(scene(**data, wires={"c": cable | change}))


@pytest.mark.slow
def test_a_cable_moves_alike_in_joint_momenta_and_in_joint_rates():
    """Springs of 1e7 N/m and dampers of 1e5 N s/m: both need an implicit solver, and agree."""
    found = scene_tree(case("cable"))
    times = np.linspace(0.0, 0.5, 6)
    one, other = (
        found.positions(kind(found.tree).adaptive(times, rtol=1e-9, atol=1e-12, method="Radau"))
        for kind in (Reduced, MomentumStates)
    )
    assert np.abs(one - other).max() < 1e-8
    assert np.abs(one[-1] - one[0]).max() > 0.05


def test_what_is_no_scene_is_no_tree():
    with pytest.raises(UsageError, match="scene"):
        scene_tree(None)
