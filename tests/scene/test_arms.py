import pytest

from towsim.errors import SceneError
from towsim.formulations.reduced import Reduced
from towsim.model.trees import compile_tree
from towsim.scene.arms import Arm

BALL = {"sphere": 0.1}


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ({}, "at least one"),
        ({"a": {"mass": 1.0}}, "rotational inertia is not given"),
        ({"a": {"mass": 1.0, "shape": BALL, "on": "b"}}, "b"),
        ({"a": {"mass": 1.0, "shape": BALL, "on": "a"}}, "carried by itself"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"kind": "hinge"}}}, "revolute"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"kind": "universal"}}}, "second"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"kind": "universal", "second": [0, 1, 1]}}}, "perpendicular"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"second": [1, 0, 0]}}}, "this one is revolute"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"kind": "ball", "start": [1.0]}}}, "3 coordinates, got 1"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"kind": "ball", "stiffness": 1.0}}}, "takes no spring"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"kind": "free", "damping": 1.0}}}, "no damper"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"kind": "ball", "force": 1.0}}}, "driven"),
        ({"a": {"mass": 1.0, "shape": BALL, "joint": {"kind": "free"}, "at": [1, 0, 0]}}, "on the world"),
        ({"a": {"mass": 1.0, "point": True, "shape": BALL}}, "point mass has no inertia"),
    ],
)
def test_a_wrong_arm_is_refused(links, message):
    with pytest.raises(SceneError, match=message):
        Arm(links=links)


def test_a_base_that_is_no_robot_is_refused():
    with pytest.raises(SceneError, match="'crane' is no robot"):
        compile_tree(Arm(base="crane", links={"a": {"mass": 1.0, "shape": BALL}}))


def test_a_point_mass_on_the_axis_it_turns_about_is_refused():
    links = {"a": {"mass": 1.0, "point": True, "centre": [0, 0, 1], "joint": {"kind": "ball"}}}
    with pytest.raises(SceneError, match="'a': nothing resists"):
        Reduced(compile_tree(Arm(links=links)))


def test_links_may_be_declared_in_any_order():
    a, b = {"mass": 1.0, "shape": BALL}, {"mass": 2.0, "shape": BALL, "on": "a"}
    assert compile_tree(Arm(links={"b": b, "a": a})).links == ("a", "b")
