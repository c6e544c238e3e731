"""Cable robots of scenes: wires over rings hold from the ring, and what is no wire to a robot is refused by name."""

import numpy as np
import pytest

import towsim
from towsim import UsageError, cdpr
from towsim.cli import main
from towsim.scene import save_scene, scene_from_data

WAY = 2.5


def data(left=None, load=None, **more):
    """A load under two corners; the left wire as it is given."""
    robots = {"ring": [-2, 0, 3], "winch": [-2, 0, 0], "right": [2, 0, 3]}
    return {
        "bodies": {"load": {"mass": 2.0, "point": True, "position": [0, 0, 1.5]} | (load or {})},
        "robots": {name: {"position": place} for name, place in robots.items()},
        "wires": {
            "l": {"from": "load", "to": "ring", "length": WAY} | (left or {}),
            "r": {"from": "load", "to": "right", "length": WAY},
        },
    } | more


OVER_THE_RING = {"to": "winch", "via": ["ring"], "length": WAY + 3.0}
REVERSED = {"from": "winch", "via": ["ring"], "to": "load", "length": WAY + 3.0}


@pytest.mark.parametrize("left", [OVER_THE_RING, REVERSED])
def test_a_wire_over_a_ring_holds_the_platform_from_the_ring(left):
    scene = scene_from_data(data(left))
    robot = cdpr.from_scene(scene, most=500.0)
    straight = cdpr.from_scene(scene_from_data(data()), most=500.0)
    assert robot.names == straight.names
    assert np.array_equal(robot.base, straight.base)
    found = cdpr.tensions(robot, [0, 0, 1.5]).tension
    assert found == pytest.approx(list(towsim.equilibrium(scene).tension.values()), rel=1e-9)


BALL = {"pylon": {"from": "right", "to": "load"}}
ROD = {"point": False, "inertia": [0.1] * 3, "points": {"top": [0, 0, 0.1]}}
OTHER = {"mass": 1.0, "point": True, "position": [0, 0, 0.5]}
ELASTIC = {"model": "elastic", "material": {"axial_stiffness": 1e4}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (data(load={"force": {"x": 0, "y": 0, "z": -400}}), "body 'load' has force .constant forces are the wrench"),
        (data(load={"drag": {"linear": 1.0}}, wind=[5.0, 0, 0]), "the wind acts on body 'load', which has drag"),
        (
            data(load={"actuator": {"max_force": 5.0}}),
            "body 'load' has actuator .which pushes as controllers say; leave it out.;",
        ),
        (
            data(load=ROD, robots=data()["robots"] | {"pylon": {"position": [0, 0, 1.6]}})
            | {"joints": {"j": {"from": "pylon", "to": "load.top"}}},
            "joint 'j' holds body 'load'",
        ),
        (data({"model": {"spring": {"stiffness": 10.0}}}), "wire 'l' is a spring"),
        (data(OVER_THE_RING | ELASTIC), "wire 'l' stretches on both sides of a ring"),
        (
            data(OVER_THE_RING | {"via": ["block"], "length": 6.0}, pulleys={"block": {"at": "ring", "radius": 0.1}}),
            "wire 'l' comes over a block",
        ),
        (
            data({"to": "right", "via": ["other"], "length": 9.0}) | {"bodies": data()["bodies"] | {"other": OTHER}},
            "wire 'l' passes or ends at body 'other'",
        ),
        (data({"from": "ring", "via": ["load"], "to": "winch", "length": 9.0}), "wire 'l' passes or ends at body"),
    ],
)
def test_what_a_cable_robot_does_not_have_is_refused_by_name(change, message):
    with pytest.raises(UsageError, match=message):
        cdpr.from_scene(scene_from_data(change), "load")


@pytest.mark.parametrize("later", [{"attach": 2.0}, {"cut": 0.0}])
def test_a_wire_that_is_not_there_at_first_holds_nothing(later):
    assert cdpr.from_scene(scene_from_data(data(later))).names == ("r",)
    assert cdpr.from_scene(scene_from_data(data({"cut": 2.0}))).names == ("l", "r")


def test_drag_without_wind_does_not_act_on_a_platform_at_rest():
    assert cdpr.from_scene(scene_from_data(data(load={"drag": {"linear": 1.0}}))).names == ("l", "r")


def test_the_next_command_asks_for_the_same_workspace(tmp_path, capsys):
    asked = data(OVER_THE_RING)
    asked["robots"]["right"] = {"position": [2, 0, 2]}
    save_scene(scene_from_data(asked), tmp_path / "robot.yaml")
    words = [str(tmp_path / "robot.yaml"), "--set", "bodies.load.mass=3", "--least", "5", "--most", "200"]
    words += ["--withstand", "0.5", "--flat", "y", "--points", "11"]
    assert main(["workspace", *words]) == 0
    assert f"towsim workspace {' '.join(words)} -o workspace.png" in capsys.readouterr().err
