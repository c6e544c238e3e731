"""What a scene says that is hardly meant is told, and what is meant is not."""

import warnings

import pytest

import scenarios
import towsim
from towsim.errors import SceneError, SceneWarning
from towsim.scene import Scene, scene_from_data

JUMP = {"t": [0, 1, 1.001, 2], "position": [[0, 0, 2], [0, 0, 2], [0.5, 0, 2], [0.5, 0, 2]]}
SPREAD = {"t": [0, 1, 1.8, 3], "position": [[0, 0, 2], [0.1, 0, 2], [0.5, 0, 2], [0.5, 0.1, 2]]}


def scene(**more: object) -> Scene:
    data = {
        "bodies": {"b": {"mass": 2, "point": True}},
        "robots": {"r": {"position": [0, 0, 2]}},
        "wires": {"w": {"from": "b", "to": "r", "length": 200}},
    }
    return scene_from_data(data | more)


def told(one: Scene) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        one.check_start()
    assert all(warning.category is SceneWarning for warning in found)
    return [str(warning.message) for warning in found]


@pytest.mark.parametrize("motion", [{"samples": JUMP}, {"waypoints": {**JUMP, "kind": "cubic"}}])
def test_a_spline_that_runs_off_where_its_points_jump_is_told(motion):
    (text,) = told(scene(robots={"r": {"motion": motion}}))
    assert text.startswith("robot 'r': the spline through its points leaves their range along x, 0 to 0.5 m, by ")
    assert "change fastest between points 2 and 3, t = 1 and 1.001 s" in text
    length = {"t": JUMP["t"], "length": [190, 190, 200, 200], "kind": "cubic"}
    wire = {"from": "b", "to": "r", "length": {"waypoints": length}}
    (text,) = told(scene(wires={"w": wire}))
    assert text.startswith("length of wire 'w': the spline through its points leaves their range, 190 to 200 m, by ")


@pytest.mark.parametrize(
    "motion", [{"waypoints": JUMP}, {"samples": SPREAD}, {"waypoints": {**SPREAD, "kind": "cubic"}}]
)
def test_curves_that_stay_about_their_points_are_not_told(motion):
    assert told(scene(robots={"r": {"motion": motion}})) == []


WHEEL = {"p": {"at": "r", "radius": 0.1}}
BOX = {"b": {"mass": 2, "shape": {"box": [1, 1, 1]}, "drag": {"angular": 0.1}}}
AT = {"position": [0, 0, 2]}
KINEMATIC = {"r": {**AT, "vehicle": {"mass": 5, "max_force": 10}}}
SWITCHED = {"r": {**AT, "dynamics": "quadcopter", "vehicle": {"max_force": 10, "max_thrust": 9}}}


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"ground": {"height": -9}}, "ground: nothing touches it"),
        ({"ground": [{"height": -9, "contacts": ["b"]}, {"height": -8}]}, "ground[1]: nothing touches it"),
        ({"wind": [1, 0, 0]}, "wind: no body feels it"),
        ({"wind": [1, 0, 0], "bodies": BOX}, ""),
        ({"pulleys": WHEEL}, "pulley 'p': no wire passes it"),
        ({"parameters": {"a": 1}}, "parameters.a: no formula uses it"),
        ({"parameters": {"a": 1}, "robots": {"r": {"motion": {"formula": {"z": "2*a"}}}}}, ""),
        (
            {"robots": KINEMATIC},
            "robot 'r': is kinematic and moves as declared, whatever pulls on it; mass and max_force",
        ),
        (
            {"robots": {"r": {**AT, "dynamics": "quadcopter", "vehicle": {"max_force": 10}}}},
            "robot 'r': max_force of its vehicle would count for a point-mass or ground vehicle, and its dynamics are "
            "quadcopter, with max_thrust: 15 N here",
        ),
        (
            {"robots": {"r": {**AT, "dynamics": "ground", "vehicle": {"max_thrust": 10}}}},
            "robot 'r': max_thrust of its vehicle would count for a quadcopter, and its dynamics are ground, with "
            "max_force: 100 N here",
        ),
        ({"robots": SWITCHED}, ""),
    ],
)
def test_what_has_no_effect_is_told(more, what):
    found = told(scene(**more))
    assert len(found) == bool(what)
    assert all(text.startswith(what) for text in found)


def test_a_run_of_the_same_structure_is_told_again():
    towsim.simulate(scene(), duration=0.01, step=1e-3)
    with pytest.warns(SceneWarning, match="wind: no body feels it"):
        towsim.simulate(scene(wind=[1, 0, 0]), duration=0.01, step=1e-3)


@pytest.mark.parametrize("point", ["corners", "corners3"])
def test_a_point_called_as_corners_of_a_box_is_refused_beside_them_alone(point):
    box = {"b": {**BOX["b"], "points": {point: [0, 0, -0.5]}}}
    assert told(scene(bodies=box)) == []
    with pytest.raises(SceneError, match=rf"'b\.corners' are the eight corners of a box, and '{point}' is a point"):
        scene(bodies=box, ground={"height": -9, "contacts": ["b.corners"]})


@pytest.mark.parametrize("name", sorted(set(scenarios.names()) - {"cdpr44-inclined"}))  # whose first joint is told
def test_scenarios_give_no_doubts(name):
    assert told(scenarios.get(name).build()) == []
