"""Controllers, vehicles and sensors in scene files: exact round trips, and errors that help."""

from __future__ import annotations

import json
import warnings

import pytest

from towsim.errors import SceneError, SceneWarning
from towsim.scene import json_schema, scene_from_text, scene_to_text
from towsim.scene.expand import expand

TEXT = """
bodies:
  box: {mass: 1.0, shape: {box: [1, 1, 1]}, points: {a: [0.5, 0, 0.5], b: [-0.5, 0.5, 0.5], c: [-0.5, -0.5, 0.5]}}
  arm: {mass: 1.0, shape: {sphere: 0.1}, position: [9, 9, 9], actuator: {max_force: 3, max_torque: 1}}
  drone: {mass: 1.0, shape: {sphere: 0.1}, position: [5, 0, 9], rotors: {arm: 0.2, thrust: commanded, max_thrust: 9}}
robots:
  q1: {position: [0.5, 0, 1.5], dynamics: quadcopter, vehicle: {mass: 1.5, failures: [{time: 3}]}}
  q2: {position: [-0.5, 0.5, 1.5], dynamics: quadcopter}
  q3: {position: [-0.5, -0.5, 1.5], dynamics: quadcopter}
  car: {motion: {formula: {x: "3 + t"}}, dynamics: ground, vehicle: {max_force: 20, drag: {linear: 0.3}}}
  post: {position: [4, 4, 4]}
wires:
  w1: {from: box.a, to: q1, length: 1}
  w2: {from: box.b, to: q2, length: 1, winch: {max_rate: 0.5, jam: 4}}
  w3: {from: box.c, to: q3, length: 1}
controllers:
  fleet: {law: carry, vehicles: [q1, q2, q3], load: box, path: {circle: {center: [0, 0, 0], radius: 1, rate: 0.2}}}
  drive: {law: track, vehicles: [car], rate: 100}
  reel: {law: winch, wire: w2, mode: length, target: "1 + 0.1*t"}
sensors:
  cell: {kind: load-cell, of: w1, noise: 0.1}
  imu: {kind: imu, of: q2, rate: 500, turn_noise: 0.01}
seed: 5
"""


def test_everything_survives_a_file_exactly() -> None:
    scene = scene_from_text(TEXT)
    assert scene_from_text(scene_to_text(scene)) == scene


def test_the_schema_accepts_it() -> None:
    import jsonschema

    from towsim.scene import data_from_text

    schema = json_schema()
    jsonschema.validate(data_from_text(TEXT), schema)
    assert "slung-load" in json.dumps(schema)


def test_dynamic_robots_become_bodies_and_the_rest_stays() -> None:
    scene = scene_from_text(TEXT)
    whole = expand(scene)
    assert list(whole.bodies) == ["box", "arm", "drone", "q1", "q2", "q3", "car"]
    assert list(whole.robots) == ["post"]
    assert whole.planes[0].contacts == ("car",)
    assert whole.bodies["car"].velocity == (1.0, 0.0, 0.0)
    kinematic = scene_from_text(
        TEXT.split("controllers:")[0].replace("quadcopter", "kinematic").replace("ground", "kinematic")
    )
    assert expand(kinematic) is kinematic


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("law: carry", "law: cary", r"controllers.fleet.law: unknown controller 'cary': did you mean 'carry'"),
        ("law: carry, ", "", r"controllers.fleet: 'law' is missing, one of track, slung-load, carry, winch"),
        ("load: box", "load: bax", r"controllers.fleet.load: unknown body 'bax': did you mean 'box'"),
        ("[q1, q2, q3]", "[q1, q2, q4]", r"unknown quadcopter under command 'q4'. There are: drone, q1"),
        ("[q1, q2, q3]", "[q1, q2]", r"fewer than 3 quadcopters cannot turn 'box'"),
        (
            "from: box.c, to: q3",
            "from: box.c, to: post",
            r"needs exactly one wire between the centre of 'q3' and 'box'",
        ),
        ("[car]", "[car, q1]", r"controllers.drive: 'q1' is commanded by 'fleet' already"),
        ("rate: 100", "rate: -1", r"controllers.drive.rate: must be > 0 Hz, got -1"),
        ("rate: 100", "bandwith: 1", r"controllers.drive.bandwith: unknown key 'bandwith': did you mean 'bandwidth'"),
        ("of: w1", "of: w9", r"sensors.cell.of: unknown wire 'w9'"),
        ("of: q2", "of: post", r"sensors.imu.of: unknown body or dynamic robot 'post'"),
        ("kind: imu, of: q2", "kind: load-cell, of: w1", r"turn_noise: a load cell turns nothing"),
        (
            "dynamics: ground",
            "dynamics: flying",
            r"robots.car.dynamics: must be 'kinematic', 'point-mass', 'ground' or",
        ),
        (
            "thrust: commanded, max_thrust: 9",
            "thrust: 3, max_thrust: 9",
            r"max_thrust: is for rotors with thrust: comman",
        ),
        ("{max_force: 20,", "{max_force: 20, failures: [{time: 1, rotors: [2]}],", r"a ground has no rotors"),
        ("winch: {max_rate: 0.5, jam: 4}", "cut: 3", r"unknown winch 'w2'.*wire 'w2' has no winch: add winch: {}"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(SceneError, match=message):
        scene_from_text(TEXT.replace(old, new))


def test_a_scene_file_runs_no_code() -> None:
    with pytest.raises(SceneError, match=r"tag|not valid"):
        scene_from_text(TEXT + "x: !!python/name:os.system\n")


def test_vehicles_whose_rotors_would_meet_are_warned_of() -> None:
    scene = scene_from_text(TEXT)
    with warnings.catch_warnings():
        warnings.simplefilter("error", SceneWarning)
        scene.check_start()
    close = {"points.a": [0.15, 0, 0.5], "points.b": [-0.1, 0.1, 0.5], "points.c": [-0.1, -0.1, 0.5]}
    crowded = scene.with_values({f"bodies.box.{name}": place for name, place in close.items()})
    starts = {f"robots.q{i}.position": [*place[:2], 1.5] for i, place in enumerate(close.values(), start=1)}
    with pytest.warns(SceneWarning, match=r"'q2' and 'q3' 0.2 m apart, and their arms together are 0.4 m"):
        crowded.with_values(starts).check_start()
    leaning = crowded.with_values({**starts, "controllers.fleet.spread": 0.4})
    with warnings.catch_warnings():
        warnings.simplefilter("error", SceneWarning)
        leaning.check_start()
