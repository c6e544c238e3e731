"""A start with stretched wires is refused, saying by how much; projecting moves the loads as little as possible."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any

import numpy as np
import pytest

from towsim.errors import SceneError, SceneWarning
from towsim.scene import Body, Ground, Joint, Material, Mrfe, Robot, Scene, Shape, Spring, Wire
from towsim.scene.contacts import box_corners


def hung(z: float, **more) -> Scene:
    return Scene(
        name="hung",
        bodies={"bob": Body(mass=1.0, point=True, position=(0.0, 0.0, z))},
        robots={"post": Robot(position=(0.0, 0.0, 1.0))},
        wires={"w": Wire(from_="bob", to="post", length=1.0)},
        **more,
    )


def test_a_stretched_wire_is_told_with_its_amount_and_the_way_out():
    hung(0.0).check_start()
    hung(0.5).check_start()
    with pytest.raises(SceneError, match=r"wires\.w: stretched by 0\.25 m at the start.*1\.25 m apart(?s:.*)--project"):
        hung(-0.25).check_start()


def test_the_tolerance_is_relative_to_the_length():
    hung(-0.5e-9).check_start()
    with pytest.raises(SceneError, match="stretched by 2e-09 m"):
        hung(-2e-9).check_start()


def test_one_wire_pulls_the_load_straight_in():
    scene = hung(-0.25).project()
    np.testing.assert_allclose(scene.bodies["bob"].position, (0, 0, 0), atol=1e-12)
    assert hung(0.5).project() == hung(0.5)


def box(position: tuple[float, float, float], length: float) -> Scene:
    points = {f"p{i}": (x, y, 0.1) for i, (x, y) in enumerate([(0.2, 0.1), (-0.2, 0.1), (-0.2, -0.1), (0.2, -0.1)])}
    robots = {f"r{i}": Robot(position=(1.5 * x, 1.5 * y, 1.0)) for i, (x, y, _) in enumerate(points.values())}
    wires = {f"w{i}": Wire(from_=f"box.p{i}", to=f"r{i}", length=length) for i in range(4)}
    body = Body(mass=2.0, shape=Shape(box=(0.4, 0.2, 0.2)), position=position, points=points)
    return Scene(bodies={"box": body}, robots=robots, wires=wires)


def test_a_box_on_redundant_wires_is_moved_until_none_is_stretched():
    scene = box((0.1, 0.05, -0.3), 1.0)
    with pytest.raises(SceneError, match="w0"):
        scene.check_start()
    moved = scene.project()
    moved.check_start()
    shift = np.linalg.norm(np.subtract(moved.bodies["box"].position, scene.bodies["box"].position))
    assert shift < 0.3  # the wires were stretched by up to 0.25 m


def test_joints_are_respected_and_heavy_bodies_move_less():
    points = {"a": (0.0, 0.0, 0.2), "b": (0.0, 0.0, -0.2)}
    rod = {"shape": Shape(cylinder=(0.02, 0.4)), "points": points}
    scene = Scene(
        bodies={
            "upper": Body(mass=1.0, position=(0, 0, -0.3), **rod),
            "lower": Body(mass=1.0, position=(0.0, 0, -0.7), **rod),
            "heavy": Body(mass=100.0, point=True, position=(0, 0, -2.0)),
        },
        robots={"post": Robot(position=(0, 0, 1.0))},
        wires={
            "hang": Wire(from_="upper.a", to="post", length=1.0),
            "low": Wire(from_="lower.b", to="heavy", length=1.0),
        },
        joints={"hinge": Joint(from_="upper.b", to="lower.a")},
    )
    moved = scene.project()
    moved.check_start()
    change = {name: moved.bodies[name].position[2] - body.position[2] for name, body in scene.bodies.items()}
    assert change["upper"] == pytest.approx(0.1, abs=1e-9)
    assert change["lower"] == pytest.approx(0.1, abs=1e-9)
    assert change["heavy"] == pytest.approx(0.2, abs=1e-9)  # pulled up by the wire, all that is needed and no more


def test_an_open_joint_and_a_sunken_contact_are_told_and_mended():
    ball = Body(mass=1.0, shape=Shape(sphere=0.5), position=(0, 0, 0.25), points={"top": (0, 0, 0.5)})
    scene = Scene(
        bodies={"ball": ball, "bob": Body(mass=1.0, point=True, position=(0.3, 0.4, 0.75))},
        joints={"j": Joint(from_="ball.top", to="bob")},
        ground=Ground(contacts=("ball", "ball.top")),
    )
    with pytest.raises(SceneError) as caught:
        scene.check_start()
    assert "joints.j: its two ends are 0.5 m apart" in str(caught.value)
    assert "ground.contacts[0]: lies 0.25 m below the ground" in str(caught.value)
    scene.project().check_start()


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_feasible_is_found(seed):
    # Loads of very different masses hang in a place that is allowed, and are then thrown about.
    rng = np.random.default_rng(seed)
    bodies, robots, wires = {}, {}, {}
    for b in range(2):
        points = {f"p{i}": tuple(rng.uniform(-0.2, 0.2, 3)) for i in range(4)}
        home = rng.uniform(-0.5, 0.5, 3)
        away = tuple(home + rng.uniform(-0.5, 0.5, 3))
        mass = float(10 ** rng.uniform(-2, 2))
        bodies[f"b{b}"] = Body(mass=mass, shape=Shape(box=(0.4, 0.4, 0.4)), position=away, points=points)
        for i, point in enumerate(points.values()):
            robot = rng.uniform(-1.5, 1.5, 3)
            robots[f"r{b}{i}"] = Robot(position=tuple(robot))
            length = float(np.linalg.norm(home + point - robot)) * rng.choice([1.0, 1.01, 1.2])
            wires[f"w{b}{i}"] = Wire(from_=f"b{b}.p{i}", to=f"r{b}{i}", length=length)
    wires["between"] = Wire(from_="b0", to="b1", length=2.0)
    Scene(bodies=bodies, robots=robots, wires=wires).project().check_start()


STEEL = Material(diameter=4e-3, density=5305, youngs_modulus=1.39e11)


def test_a_cable_with_stiffness_may_start_strained():
    wire = hung(0.0).wires["w"].replace(material=STEEL)
    for model, strain in (("elastic", 0.5), ("mrfe", 0.0099)):
        hung(0.0).replace(wires={"w": wire.replace(model=model, length=1.0 / (1.0 + strain))}).check_start()
    with pytest.raises(SceneError, match=r"wires\.w: stretched by 0\.02 m .*1 m apart.*0\.98 m; an mrfe cable .* 1%"):
        hung(0.0).replace(wires={"w": wire.replace(model="mrfe", length=0.98)}).check_start()


def test_a_free_end_must_be_within_reach():
    cable = Wire(from_="free", exit=(0, 0, 1), to="post", length=0.9, material=STEEL, model="mrfe")
    scene = Scene(robots={"post": Robot(position=(0, 0, 0))}, wires={"c": cable})
    with pytest.raises(SceneError, match=r"wires\.c: stretched by 0\.1 m"):
        scene.check_start()
    scene.with_values({"wires.c.length": 1.0}).check_start()


@pytest.mark.parametrize("loads", [False, True])
def test_advice_to_move_the_loads_is_given_where_they_move_what_is_stretched(loads):
    """A cable between two posts has none."""
    far = "body" if loads else "end"
    cable = Wire(from_="post", to=far, length=0.9, material=STEEL, model="mrfe")
    bodies = {"body": Body(mass=1.0, point=True, position=(0, 0, 1.0))} if loads else {}
    robots = {"post": Robot(position=(0, 0, 0)), "end": Robot(position=(0, 0, 1.0))}
    with pytest.raises(SceneError, match=r"wires\.c: stretched by 0\.1 m") as refused:
        Scene(bodies=bodies, robots=robots, wires={"c": cable}).check_start()
    assert ("--project" in str(refused.value)) == loads
    assert ("no load moves them: lengthen it" in str(refused.value)) != loads


def test_a_span_that_is_stretched_is_told_by_its_wire_and_its_ends():
    """``wires.c.2`` is no path in a scene."""
    bodies = {
        "bob": Body(mass=1.0, point=True, position=(3.0, 0, 0)),
        "end": Body(mass=1.0, point=True, position=(9, 0, 0)),
    }
    cable = Wire(from_="bob", via=("post",), to="end", length=8.0, material=STEEL, model="mrfe")
    robots = {"post": Robot(position=(0, 0, 0))}
    text = r"wires\.c: its span 2, from 'post' to 'end', is stretched by 3 m at the start: its ends are 9 m apart"
    with pytest.raises(SceneError, match=text) as refused:
        Scene(bodies=bodies, robots=robots, wires={"c": cable}).check_start()
    assert "wires.c.2" not in str(refused.value)


@pytest.mark.parametrize(
    ("first_joint", "elements", "lean"), [("zy", 1, 0.0), ("zy", 1, 0.1), ("zy", 2, 0.0), ("ball", 1, 0.0)]
)
def test_one_element_along_the_first_axis_of_its_joint_is_refused(first_joint, elements, lean):
    """A vertical link turns about itself on an axis z, which moves its end nowhere: a pull along y was not followed."""
    model = Mrfe(first_joint=first_joint, elements=elements)
    cable = Wire(from_="bob", to="post", length=2.0, material=STEEL, model=model)
    bob = Body(mass=1.0, point=True, position=(lean, 0.0, -1.9))
    scene = Scene(bodies={"bob": bob}, robots={"post": Robot(position=(0, 0, 0))}, wires={"c": cable})
    if (first_joint, elements, lean) == ("zy", 1, 0.0):
        with pytest.raises(SceneError, match=r"wires\.c: one element cannot move sideways where it starts") as refused:
            scene.check_start()
        assert "--project" not in str(refused.value)
    else:
        scene.check_start()


def test_a_zy_first_joint_away_from_the_vertical_is_warned_about():
    def start(x: float) -> None:
        cable = Mrfe(first_joint="zy")
        wire = Wire(from_="post", to="bob", length=2.0, material=STEEL, model=cable)
        bob = Body(mass=1.0, point=True, position=(x, 0.0, -1.0))
        Scene(bodies={"bob": bob}, robots={"post": Robot(position=(0, 0, 0))}, wires={"c": wire}).check_start()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        start(np.tan(np.radians(19.0)))
    with pytest.warns(SceneWarning, match="wire 'c': its first joint zy .* 21 degrees"):
        start(np.tan(np.radians(21.0)))


@pytest.mark.parametrize(("reach", "gravity", "flat"), [(2.0, 9.81, True), (1.999, 9.81, False), (2.0, 0.0, False)])
def test_a_weight_between_hard_wires_in_one_line_is_warned_about(reach, gravity, flat):
    """Nothing but sag lets wires across a weight bear it."""
    robots = {"a": Robot(position=(-reach, 0, 0)), "b": Robot(position=(2.0, 0, 0))}
    wires = {name: Wire(from_=name, to="bob", length=2.0) for name in robots}
    bodies = {"bob": Body(mass=1.0, point=True)}
    scene = Scene(bodies=bodies, robots=robots, wires=wires, gravity=(0.0, 0.0, -gravity))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        scene.check_start()
    assert [str(one.message)[:55] for one in told] == flat * ["body 'bob' starts between wires 'a' and 'b' in one line"]


def _level(n: int, soft: str = "", **held: tuple[float, float, float]) -> list[str]:
    """What is said of n weights a metre apart in a level line, on hard wires (but one) between them and to posts."""
    bodies = {f"b{i}": Body(mass=1.0, point=True, position=(float(i), 0.0, 0.0)) for i in range(n)}
    wires = {f"w{i}": Wire(from_=f"b{i}", to=f"b{i + 1}", length=1.0) for i in range(n - 1)}
    robots = {name: Robot(position=at) for name, at in held.items()}
    ends = {"first": "b0", "last": f"b{n - 1}"}
    wires |= {name: Wire(from_=name, to=ends[name], length=1.0) for name in robots}
    if soft:
        wires[soft] = wires[soft].replace(model="elastic", material=STEEL)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        Scene(bodies=bodies, robots=robots, wires=wires).check_start()
    return [str(one.message) for one in told]


def test_a_level_chain_is_warned_of_once_and_only_where_both_its_ends_are_held():
    """With a loose end it starts to fall with tensions as small as one likes."""
    first, last = (-1.0, 0.0, 0.0), (30.0, 0.0, 0.0)
    assert _level(2, first=first) == _level(30, first=first) == []
    assert _level(30, soft="w9", first=first, last=last) == []  # one that stretches lets all sag
    (told,) = _level(30, first=first, last=last)
    assert told.startswith("bodies 'b0', 'b1', 'b2', 'b3', 'b4', 'b5', ... and 'b29' start between wires ")


@pytest.mark.parametrize(
    ("degrees", "back", "motion", "branches"),
    [
        (0.0, False, None, (2, 1)),
        (1e-9, False, None, (2, 1)),
        (0.0, True, None, (2, 1)),
        (0.0, False, "0.1*t", (1, 0)),
        (0.01, False, None, None),
        (60.0, False, None, None),
        (60.0, False, "0.1*t", None),
    ],
)
def test_a_four_bar_folded_flat_is_warned_about(degrees, back, motion, branches):
    """A parallelogram of bars of 1 m and 2 m can open as one or as a crossed one, unless it is open already."""
    u = np.array([np.cos(np.radians(degrees)), 0.0, np.sin(np.radians(degrees))])
    turn = (float(np.cos(np.radians(degrees) / 2)), 0.0, -float(np.sin(np.radians(degrees) / 2)), 0.0)
    across = np.array([-2.0 if back else 2.0, 0.0, 0.0])
    bar = Body(mass=1.0, shape={"box": [1, 0.1, 0.1]}, points={"s": (-0.5, 0, 0), "e": (0.5, 0, 0)})
    coupler = Body(mass=2.0, shape={"box": [2, 0.1, 0.1]}, points={"s": (-1, 0, 0), "e": (1, 0, 0)})
    bodies = {
        "a": bar.replace(position=tuple(0.5 * u), quaternion=turn),
        "b": coupler.replace(position=tuple(u + 0.5 * across), quaternion=(0, 0, 0, 1) if back else (1, 0, 0, 0)),
        "c": bar.replace(position=tuple(across + 0.5 * u), quaternion=turn),
    }
    robots = {"g": Robot(position=(0, 0, 0)), "h": Robot(position=tuple(across))}
    ends = {"j0": ("g", "a.s"), "j1": ("a.e", "b.s"), "j2": ("b.e", "c.e"), "j3": ("h", "c.s")}
    joints = {name: Joint(kind="revolute", from_=one, to=to, axis=(0, 1, 0)) for name, (one, to) in ends.items()}
    joints["j0"] = joints["j0"].replace(motion=motion)
    scene = Scene(bodies=bodies, robots=robots, joints=joints)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        scene.check_start()
    says = "joints 'j0', 'j1', 'j2', 'j3': the mechanism starts where its motion branches"
    assert [str(one.message).startswith(says) for one in told] == [True] * (branches is not None)
    if branches:
        assert "in {} independent ways there, in {} nearby".format(*branches) in str(told[0].message)


def test_an_elastic_ground_may_be_entered():
    ground = Ground(height=0.5, contacts=("bob",), spring=Spring(stiffness=1e3))
    bob = {"bob": Body(mass=1.0, point=True)}
    Scene(bodies=bob, ground=ground).check_start()
    with pytest.raises(SceneError, match=r"0\.5 m below the ground"):
        Scene(bodies=bob, ground=ground.replace(spring=None)).check_start()


@pytest.mark.parametrize("turned", [(1, 0, 0, 0), (0.9, 0.3, 0.2, 0.1)])
@pytest.mark.parametrize("shape", [{"box": [1.2, 0.6, 0.2]}, {"cylinder": [0.3, 0.5]}])
def test_a_shape_of_which_the_ground_knows_the_centre_alone_is_warned_about(shape, turned):
    body = Body(mass=20.0, shape=shape, quaternion=turned, points={"foot": (0.1, 0, 0)})
    assert body.shape is not None
    # how far it reaches down, found from the corners of its box, or from many points of its rims
    angles = np.linspace(0.0, 2.0 * np.pi, 3601)
    rim = np.stack([0.3 * np.cos(angles), 0.3 * np.sin(angles), 0.25 + 0.0 * angles], axis=1)
    points = box_corners(body) if body.shape.box else np.concatenate([rim, rim * [1, 1, -1]])
    reach = -(np.array(points) @ body.rotation_matrix().T)[:, 2].min()

    def start(height: float, *contacts: str, **ground: Any) -> None:
        plane = Ground(height=height, contacts=contacts, **ground)
        Scene(bodies={"sled": body}, ground=plane).check_start()

    for height in (-20.0, -reach * (1.0 + 1e-5), -0.5 * reach, 0.0):  # it lands sooner or later
        told = r"ground\.contacts\[0\]: 'sled' is the centre .* will sink in; (write sled\.corners|give .*: sled\.rim)"
        with pytest.warns(SceneWarning, match=told) as warned:
            start(height, "sled")
    if body.shape.cylinder is not None:  # what is said can be done: the body's lowest point
        named = re.search(r"rim: (\[.*?\])", str(warned[0].message))
        assert named is not None
        sound = body.replace(points={"rim": json.loads(named[1])})
        assert (sound.rotation_matrix() @ sound.points["rim"])[2] == pytest.approx(-reach, abs=1e-4)
        Scene(bodies={"sled": sound}, ground=Ground(contacts=("sled.rim",), height=-1.1 * reach)).check_start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        start(-0.1, "sled", "sled.foot")
        start(-0.1, "sled", spring=Spring(stiffness=1e3))
        start(-reach, "sled.corners" if body.shape.box else "sled.foot")


@pytest.mark.parametrize("more", [{"length": {"start": 4.0, "rate": 0.1}}, {"length": 4.0, "winch": {}}])
def test_a_rubbing_wire_that_is_reeled_at_its_load_is_warned_about_and_the_other_way_round_is_not(more):
    """The length is paid out at ``to``: between the load and its ring nothing would rub."""
    robots = {"drum": Robot(position=(2, 0, 0)), "one": Robot(position=(1, 0, 0)), "two": Robot(position=(0, 0, 0))}
    wire = {"from": "drum", "via": ["one", "two"], "to": "bob", "friction": 0.1, **more}
    scene = Scene(bodies={"bob": Body(mass=1.0, point=True, position=(0, 0, -2))}, robots=robots, wires={"w": wire})
    told = r"wire 'w': .*at its end to, .*load 'bob'; .*at 'drum' write .* from: bob, via: \[two, one\], to: drum"
    with pytest.warns(SceneWarning, match=told):
        scene.check_start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scene.with_values({"wires.w": {**wire, "from": "bob", "via": ["two", "one"], "to": "drum"}}).check_start()
        scene.with_values({"wires.w.friction": 0.0}).check_start()


@pytest.mark.parametrize(("diameter", "length"), [(12.0, 200.0), (0.2, 1.0)])  # 12 mm, and a thread of 0.2 mm
def test_a_diameter_in_millimetres_is_warned_about(diameter, length):
    wire = Wire(from_="bob", to="post", length=length, material=Material(diameter=diameter))
    scene = hung(0.5).replace(wires={"w": wire})
    with pytest.warns(SceneWarning, match=r"wire 'w': its diameter is .* diameters are in m, so that 12 mm are 0.012"):
        scene.check_start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for sound, long in ((1e-3 * diameter, length), (0.3, 200.0), (0.05, 0.4)):  # a hawser, and the end of a strop
            wire = Wire(from_="bob", to="post", length=max(long, 0.5), material=Material(diameter=sound))
            hung(0.5).replace(wires={"w": wire}).check_start()


def test_a_load_that_cannot_reach_is_told():
    scene = Scene(
        bodies={"bob": Body(mass=1.0, point=True, position=(0.1, 0, 0))},
        robots={"a": Robot(position=(-2, 0, 0)), "b": Robot(position=(2, 0, 0))},
        wires={"a": Wire(from_="bob", to="a", length=1.0), "b": Wire(from_="bob", to="b", length=1.0)},
    )
    with pytest.raises(SceneError, match=r"(?s)wires\.b: stretched by 0\.9 m.*No place of the loads was found"):
        scene.project()


def test_a_robot_without_a_place_is_told():
    data = {"motion": {"formula": {"x": "1/t"}}}
    scene = hung(0.0).with_values({"robots.post": data})
    with pytest.raises(SceneError, match="not a finite number"):
        scene.check_start()
    with pytest.raises(SceneError, match="not a finite number"):
        scene.project()


def slide(**joint) -> Scene:
    return Scene(
        bodies={"box": Body(mass=1.0, shape=Shape(box=(0.1, 0.1, 0.1)), position=(0.5, 0.0, 0.0))},
        robots={"post": Robot(position=(0.0, 0.0, 0.0))},
        joints={"rail": Joint(kind="prismatic", from_="post", to="box", **joint)},
    )


def test_a_slide_starts_on_its_axis_and_within_its_limits():
    slide(axis=(1, 0, 0), limits=(0.5, 1.0)).check_start()
    with pytest.raises(SceneError, match=r"joints\.rail: its two ends are 0\.4 m apart across its axis at the start"):
        slide(axis=(3, 4, 0)).check_start()
    with pytest.raises(SceneError, match=r"joints\.rail\.limits: the coordinate lies 0\.1 beyond its limits"):
        slide(axis=(1, 0, 0), limits=(0.6, 1.0)).check_start()
    moved = slide(axis=(3, 4, 0), limits=(0.6, 1.0)).project()
    moved.check_start()
    np.testing.assert_allclose(np.array(moved.bodies["box"].position), 0.6 * np.array([0.6, 0.8, 0.0]), atol=1e-9)


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ({"kind": "revolute"}, "a revolute joint needs an axis"),
        ({"kind": "fixed", "axis": (0, 0, 1)}, "axis: a fixed joint has no axis; leave this out"),
        ({"damping": 1.0}, "damping: a ball joint has no axis"),
        ({"kind": "revolute", "axis": (0, 0, 0)}, "must not be zero"),
        ({"kind": "revolute", "axis": (0, 0, 1), "limits": (1.0, -1.0)}, "the first must be less than the second"),
        ({"kind": "revolute", "axis": (0, 0, 1), "spring": {"stiffness": 0.0}}, "stiffness: must be > 0"),
        ({"kind": "revolute", "axis": (0, 0, 1), "damping": -1.0}, "damping: must be >= 0"),
        ({"kind": "revolute", "axis": (0, 0, 1), "motor": "5*x"}, "unknown name 'x'"),
    ],
)
def test_a_wrong_joint_says_what_is_wrong(joint, message):
    with pytest.raises(SceneError, match=message):
        Joint(from_="a", to="b", **joint)


def test_a_point_mass_has_no_orientation_to_hold():
    def joined(kind: str, end: str, other: str) -> Scene:
        return Scene(
            bodies={"bob": Body(mass=1.0, point=True), "box": Body(mass=1.0, shape=Shape(box=(0.1, 0.1, 0.1)))},
            joints={"j": Joint(kind=kind, from_=end, to=other, axis=None if kind == "fixed" else (0, 0, 1))},
        )

    joined("prismatic", "box", "bob")
    for kind, end, other in (("fixed", "box", "bob"), ("revolute", "bob", "box"), ("prismatic", "bob", "box")):
        with pytest.raises(SceneError, match=r"joints\.j\.(from|to): 'bob' is a point mass"):
            joined(kind, end, other)


@pytest.mark.parametrize("dynamics", ["point-mass", "ground"])
@pytest.mark.parametrize("reduced", [False, True])
def test_a_vehicle_that_cannot_turn_has_no_orientation_to_hold(dynamics, reduced):
    def joined(kind: str, end: str, other: str) -> Scene:
        robot = {"position": [0, 0, 0.2], "dynamics": dynamics}
        axis = None if kind in ("fixed", "ball") else (0, 0, 1)
        return Scene(
            bodies={"box": {"mass": 1.0, "shape": {"box": [0.1, 0.1, 0.1]}, "position": [0, 0, 0.2]}},
            robots={"r": robot},
            joints={"j": Joint(kind=kind, from_=end, to=other, axis=axis, reduced=reduced)},
        )

    joined("ball", "r", "box")
    joined("prismatic", "box", "r")
    for kind, end, other in (("revolute", "r", "box"), ("revolute", "box", "r"), ("prismatic", "r", "box")):
        with pytest.raises(SceneError, match=rf"joints\.j\.(from|to): 'r' is a robot with dynamics: {dynamics}"):
            joined(kind, end, other)
