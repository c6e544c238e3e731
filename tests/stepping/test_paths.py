"""Robots are refused by geometry where a path of wires, bodies and joints is too short for them, and only there."""

import itertools
import time

import numpy as np
import pytest

from towsim.model.compile import compile_scene
from towsim.run.paths import Paths
from towsim.scene import scene_from_data


def row(boxes, moves):
    """Boxes in a row, joined by wires that are all but taut, with a robot above each; robots move as told."""
    points = {"front": [0.2, 0, 0], "back": [-0.2, 0, 0], "top": [0, 0, 0.1]}
    box = {"mass": 1.0, "shape": {"box": [0.4, 0.2, 0.2]}, "points": points}
    data = {"bodies": {}, "robots": {}, "wires": {}}
    for k in range(boxes):
        data["bodies"][f"b{k}"] = box | {"position": [k, 0, 0]}
        at = [float(k), 0.0, 1.1]
        way = {axis: f"{x} + {rate} * t" for axis, x, rate in zip("xyz", at, moves[k], strict=True)}
        data["robots"][f"r{k}"] = {"motion": {"formula": way}}
        data["wires"][f"up{k}"] = {"from": f"b{k}.top", "to": f"r{k}", "length": 1.01}
        if k:
            data["wires"][f"w{k}"] = {"from": f"b{k}.back", "to": f"b{k - 1}.front", "length": 0.65}
    return scene_from_data(data)


def seen(scene, duration=1.0, step=1e-2):
    """What Paths says of the whole motion from the start."""
    compiled = compile_scene(scene)
    drive = compiled.driver.sample(np.arange(round(duration / step) + 1) * step)
    return Paths(compiled).overreach(drive, compiled.initial.q, step), drive


def by_all_pairs(scene, drive):
    """First sample at which two robots are too far apart, by the lengths of all paths (Floyd and Warshall)."""
    compiled = compile_scene(scene)
    model, n = compiled.model, len(compiled.model.points.node)
    D = np.full((n, n), np.inf)
    for a, b, length in zip(model.wires.a, model.wires.b, drive.length[0], strict=True):
        D[a, b] = D[b, a] = length
    for a, b in itertools.combinations(range(n), 2):
        if model.points.node[a] == model.points.node[b] >= 0:
            D[a, b] = D[b, a] = np.linalg.norm(model.points.local[a] - model.points.local[b])
    for k in range(n):
        D = np.minimum(D, D[:, k : k + 1] + D[k : k + 1])
    robots = [(i, r) for i, r in enumerate(model.points.robot) if r >= 0]
    for sample, x in enumerate(drive.robot):
        for (i, r), (j, s) in itertools.combinations(robots, 2):
            if np.linalg.norm(x[r] - x[s]) > D[i, j] * (1.0 + 1e-9):
                return sample
    return None


def test_nothing_that_all_pairs_would_refuse_is_passed_over():
    rng = np.random.default_rng(0)
    refused = 0
    for boxes in (2, 3, 6):
        for far in (0.0, 0.5, 2.0, 4.0):
            moves = far * rng.uniform(-1.0, 1.0, size=(boxes, 3)) + [3.0, 0.0, 1.0]
            scene = row(boxes, moves)
            found, drive = seen(scene)
            expected = by_all_pairs(scene, drive)
            assert (found.sample if found else None) == expected
            refused += expected is not None
    assert 3 <= refused <= 9


def test_wires_and_robots_of_the_path_are_named():
    found, _ = seen(row(4, [[0, 0, 0], [0, 0, 0], [0, 0, 0], [4.0, 0, 0]]))
    assert found.robots == ("r2", "r3")
    assert found.wires == ("up2", "w3", "up3")
    # 1.01 + 0.65 + 1.01 of wires and twice sqrt(0.2² + 0.1²) through the boxes; r3 moves off at 4 m/s
    reach = 2.67 + 2.0 * np.hypot(0.2, 0.1)
    assert found.sample == int(np.ceil((reach - 1.0) / 0.04))
    assert found.speed == pytest.approx(4.0)
    assert found.excess == pytest.approx(1.0 + 0.04 * found.sample - reach)


def test_a_long_row_of_boxes_begins_at_once():
    compiled = compile_scene(row(300, [[0.3, 0.0, 0.1]] * 300))
    drive = compiled.driver.sample(np.linspace(0.0, 1.0, 101))
    paths = Paths(compiled)
    paths.overreach(drive, compiled.initial.q, 2e-2)  # compiles
    start = time.process_time()
    assert paths.overreach(drive, compiled.initial.q, 1e-2) is None
    assert time.process_time() - start < 0.5  # it takes some ms; the paths of all pairs took 20 s
