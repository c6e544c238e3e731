"""Loads are moved to a good start, or a SceneError says why not, however often conditions repeat each other."""

import random
import warnings

import pytest

from towsim.errors import SceneError, SceneWarning
from towsim.scene import scene_from_data


def redundant(rng):
    """Closed loops, parallel wires and joints, unequal masses and sizes; some have no good start at all."""
    size = rng.choice([1.0, 1.0, 1e-3, 1e3])

    def vector(scale):
        if on_grid:  # in line, in one plane, in one place
            return [scale * rng.choice([-1.0, 0.0, 0.0, 0.5, 1.0]) for _ in range(3)]
        return [scale * rng.uniform(-1.0, 1.0) for _ in range(3)]

    on_grid = rng.random() < 0.3
    bodies = {}
    for k in range(rng.randint(1, 4)):
        body = {"mass": rng.choice([1.0, 1.0, 1e-6, 1e6, 1e-30, 1e30]), "position": vector(2.0 * size)}
        if rng.random() < 0.3:
            body["point"] = True
        else:
            body["shape"] = rng.choice([{"sphere": 0.3 * size}, {"box": [size, 0.5 * size, 0.2 * size]}])
            body["points"] = {f"p{i}": vector(size) for i in range(rng.randint(1, 4))}
        bodies[f"b{k}"] = body
    robots = {f"r{i}": {"position": vector(2.0 * size)} for i in range(3)}
    ends = [*bodies, *(f"{name}.{point}" for name, body in bodies.items() for point in body.get("points", ()))]

    def pair():
        a, b = rng.choice(ends), rng.choice([*ends, *robots])
        return None if a.partition(".")[0] == b.partition(".")[0] else {"from": a, "to": b}

    wires = [pair() for _ in range(rng.randint(0, 5))]
    wires = [one | {"length": size * rng.choice([1e-6, 0.5, 1.0, 3.0])} for one in wires if one]
    joints = [pair() for _ in range(rng.randint(0, 3))]
    joints = [one | {"kind": rng.choice(["ball", "revolute", "prismatic"])} for one in joints if one]
    for joint in joints:
        if joint["kind"] != "ball":
            joint["axis"] = [0.0, 0.0, 1.0]
    return {
        "bodies": bodies,
        "robots": robots,
        "wires": {f"w{k}": wire for k, wire in enumerate(one for one in wires for _ in range(rng.choice((1, 3))))},
        "joints": {f"j{k}": joint for k, joint in enumerate(one for one in joints for _ in range(rng.choice((1, 2))))},
        "ground": {"height": rng.choice([0.0, -1.0]), "contacts": rng.sample(ends, 2) if len(ends) > 1 else []},
    }


def test_redundant_scenes_are_moved_or_refused():
    moved = refused = 0
    for seed in range(40):
        try:
            scene = scene_from_data(redundant(random.Random(seed)))
        except SceneError:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SceneWarning)
            try:
                found = scene.project()
            except SceneError:
                refused += 1
            else:
                found.check_start()
                moved += found != scene
    assert moved > 10
    assert refused > 10


def test_a_wire_that_no_move_of_the_ring_shortens_is_refused():
    data = {
        "bodies": {
            "ring": {"mass": 1.0, "shape": {"sphere": 0.1}, "points": {"eye": [0, 0, 0]}, "position": [0, 3, 0]}
        },
        "robots": {"left": {"position": [-1, 0, 0]}, "right": {"position": [1, 0, 0]}},
        "wires": {"w": {"from": "left", "to": "right", "via": ["ring.eye"], "length": 1.0}},
    }
    for start in ([0, 3, 0], [0.5, 0, 0]):  # far away; straight between the two, where nothing is left to gain
        data["bodies"]["ring"]["position"] = start
        with pytest.raises(SceneError, match="No place of the loads was found"):
            scene_from_data(data).project()
    data["wires"]["w"]["length"] = 2.5
    data["bodies"]["ring"]["position"] = [0, 3, 0]
    assert abs(scene_from_data(data).project().bodies["ring"].position[1]) < 0.75 + 1e-9
