"""A scene that is read after another one is the one that is read alone, and wrong where that is wrong."""

from __future__ import annotations

import copy

import pytest

import scenarios
from towsim.errors import SceneError
from towsim.scene import Scene, scene_from_data
from towsim.scene.data import to_data

NAMES = ("four-robots-box", "payload-chain", "cdpr44-kinematic", "slewing-crane", "quadcopters-carry-box")


def changes(data):
    """Data that differ from the given ones in one number, each with its path."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            for path, changed in changes(value):
                yield (key, *path), changed
    elif isinstance(data, float):
        for changed in (data * 1.001 + 1e-3, int(data), True, str(data), float("nan"), None):
            yield (), changed


def put(data, path, value):
    out = copy.deepcopy(data)
    here = out
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return out


def outcome(read, data):
    try:
        return read(data)
    except SceneError as error:
        return str(error)


@pytest.mark.parametrize("name", NAMES)
def test_one_number_changed_means_the_same_after_the_scene_before(name):
    data = to_data(scenarios.get(name).build())
    all_of_them = list(changes(data))
    for path, value in all_of_them[:: max(1, len(all_of_them) // 200)]:
        changed = put(data, path, value)
        scene_from_data({"bodies": {"other": {"mass": 1.0, "point": True}}})
        alone = outcome(scene_from_data, changed)
        scene_from_data(data)
        assert outcome(scene_from_data, changed) == alone, (path, value)


def test_parts_that_fit_no_longer_are_told():
    data = {
        "bodies": {"load": {"mass": 1.0, "inertia": [1.0, 1.0, 1.0], "points": {"eye": [0.0, 0.0, 0.1]}}},
        "robots": {"r": {"motion": {"waypoints": {"t": [0.0, 1.0], "position": [[0, 0, 1], [0, 0, 2]]}}}},
        "wires": {"w": {"from": "load.eye", "to": "r", "length": 0.9}},
    }
    scene_from_data(data)
    data["bodies"]["load"]["points"] = {"hook": [0.0, 0.0, 0.1]}
    with pytest.raises(SceneError, match="eye"):
        scene_from_data(data)


def test_file_that_changed_is_read_again(tmp_path):
    data = {
        "bodies": {"load": {"mass": 1.0, "point": True}},
        "robots": {"r": {"motion": {"csv": "path.csv"}}},
        "wires": {"w": {"from": "load", "to": "r", "length": 2.0}},
    }
    ends = []
    for z in (1.0, 1.5):
        (tmp_path / "path.csv").write_text("\n".join(f"{t},0,0,{z + t}" for t in range(5)))
        ends.append(scene_from_data(data, folder=tmp_path).robots["r"].motion.samples.position[-1][2])
    assert ends == [5.0, 5.5]


def test_values_set_by_path_are_those_of_the_scene_read_anew():
    scene = scenarios.get("four-robots-box").build()
    for path, value in (
        ("bodies.box.mass", 3.0),
        ("gravity", [0.0, 0.0, -1.6]),
        ("run.step", 1e-4),
        ("wires.w1.length", 1.1),
    ):
        changed = scene.with_values({path: value})
        assert changed == Scene.model_validate(to_data(changed, full=True))
        assert changed != scene
