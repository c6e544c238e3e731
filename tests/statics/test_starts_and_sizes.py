"""Rest where friction is only just enough, from starts that are far off, and of scenes that are large or small."""

import numpy as np
import pytest

import towsim
from towsim.scene import Scene, scene_from_data, scene_from_text

SLOPE = 0.4


def sloping_box(friction: float, azimuth: float, size: float = 1.0) -> Scene:
    """A box on a slope that falls towards an azimuth, flat enough not to tip."""
    sine, cosine = np.sin(SLOPE), np.cos(SLOPE)
    normal = np.array([sine * np.cos(azimuth), sine * np.sin(azimuth), cosine])
    axis = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    return scene_from_data(
        {
            "bodies": {
                "box": {
                    "mass": 2.0,
                    "shape": {"box": [size, 0.8 * size, 0.5 * size]},
                    "position": (0.25 * size * normal).tolist(),
                    "quaternion": [float(np.cos(SLOPE / 2)), *(np.sin(SLOPE / 2) * axis).tolist()],
                }
            },
            "ground": {"normal": normal.tolist(), "friction": friction, "contacts": ["box.corners"]},
        }
    )


@pytest.mark.parametrize("azimuth", [0.0, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("size", [1.0, 1e-3])
def test_a_box_holds_on_a_slope_from_its_tangent_on_whichever_way_that_falls(azimuth: float, size: float):
    """Coulomb: at the least friction, μ = tan of the slope, each foot's force is plumb, and thus on its cone."""
    rest = towsim.equilibrium(sloping_box(np.tan(SLOPE) * (1.0 + 1e-6), azimuth, size))
    np.testing.assert_allclose(sum(rest.contact.values()), [0.0, 0.0, 2.0 * 9.81], atol=1e-7)
    normal = np.array(rest.scene.planes[0].normal)
    for force in rest.contact.values():
        bears = force @ normal
        assert np.linalg.norm(force - bears * normal) <= np.tan(SLOPE) * (1.0 + 1e-6) * bears + 1e-7
    with pytest.raises(towsim.SceneError, match=r"friction cannot hold .*, whatever the feet bear; it slides"):
        towsim.equilibrium(sloping_box(np.tan(SLOPE) * (1.0 - 1e-6), azimuth, size))


@pytest.mark.parametrize("azimuth", [0.0, 0.2, np.pi / 4, 1.2])
def test_a_push_is_held_up_to_friction_times_weight_from_all_sides(azimuth: float):
    box = sloping_box(0.3, 0.0).bodies["box"].replace(position=(0.0, 0.0, 0.25), quaternion=(1.0, 0.0, 0.0, 0.0))
    level = Scene(bodies={"box": box}, ground={"friction": 0.3, "contacts": ["box.corners"]})
    most = 0.3 * 2.0 * 9.81 * np.array([np.cos(azimuth), np.sin(azimuth)])

    def pushed(share: float) -> Scene:
        x, y = (share * most).tolist()
        return level.with_values({"bodies.box.force": {"x": x, "y": y}})

    held = towsim.equilibrium(pushed(1.0 - 1e-6))
    np.testing.assert_allclose(sum(held.contact.values())[:2], -(1.0 - 1e-6) * most, atol=1e-7)
    with pytest.raises(towsim.SceneError, match="it slides"):
        towsim.equilibrium(pushed(1.0 + 1e-6))


def test_what_friction_holds_is_shared_with_the_least_norm():
    """Beyond the cones of an even share there are many; the least one has the symmetry of the box."""
    rest = towsim.equilibrium(sloping_box(np.tan(SLOPE) * 1.05, 0.0))
    upper = [force for force in rest.contact.values() if 0.0 < np.linalg.norm(force) < 2.0 * 9.81 / 4]
    assert len(upper) == 2
    np.testing.assert_allclose(upper[0], upper[1] * [1.0, -1.0, 1.0], atol=1e-7)


def test_points_inside_a_pulley_and_pulleys_inside_each_other_are_refused_at_rest_as_they_are_in_runs():
    scene = scene_from_text("""
bodies: {b: {mass: 2, point: true, position: [-0.2, 0, -2.2]}}
robots: {r: {position: [0, 0, 0]}, q: {position: [0.1, 0, 0]}, o: {position: [1, 0, 0.2]}}
pulleys: {p: {at: r, radius: 0.2}, s: {at: q, radius: 0.2}}
wires: {w: {from: b, via: [p], to: q, length: 3}}
""")
    for via, end, told in (
        (["p"], "q", "'q' is inside pulley 'p' at the start: 0.1 m from its centre"),
        (["p", "s"], "o", "pulleys 'p' and 's' are inside each other at the start: 0.1 m apart"),
    ):
        inside = scene.with_values({"wires.w.via": via, "wires.w.to": end})
        with pytest.raises(towsim.SceneError, match=told):
            towsim.equilibrium(inside)
        with pytest.raises(towsim.SceneError, match=told):
            inside.check_start()
    stretched = inside.with_values({"robots.o.position": [1, 0, -1]})
    with pytest.raises(towsim.SceneError, match=r"are inside each other at the start: 0\.1 m"):
        towsim.equilibrium(stretched)


def towed(length: float, friction: float = 0.5) -> Scene:
    return scene_from_data(
        {
            "bodies": {
                "box": {
                    "mass": 20.0,
                    "shape": {"box": [1.0, 1.0, 1.0]},
                    "position": [0.0, 0.0, 0.5],
                    "points": {"lug": [0.5, 0.0, 0.0]},
                }
            },
            "robots": {"tug": {"position": [3.0, 0.0, 0.5]}},
            "wires": {"line": {"from": "box.lug", "to": "tug", "length": length}},
            "ground": {"friction": friction, "contacts": ["box.corners"]},
        }
    )


@pytest.mark.parametrize("short", [1e-4, 1e-3, 0.1, 0.5])
def test_wires_that_are_too_short_draw_feet_along_the_ground_which_then_stand(short: float):
    rest = towsim.equilibrium(towed(2.5 - short))
    np.testing.assert_allclose(rest.position[0], [short, 0.0, 0.5], atol=1e-9)
    np.testing.assert_allclose(sum(rest.contact.values()), [0.0, 0.0, 20.0 * 9.81], atol=1e-6)
    assert rest.stability == "stable"


def counterweight(size: float = 1.0, mass: float = 1.0, gravity: float = 9.81, length: float = 3.2) -> Scene:
    """A box on a rough floor, with a wire over a ring to a weight that hangs."""

    def long(*x: float) -> list[float]:
        return [size * one for one in x]

    return scene_from_data(
        {
            "gravity": [0.0, 0.0, -gravity],
            "bodies": {
                "box": {
                    "mass": 20.0 * mass,
                    "shape": {"box": long(1.0, 1.0, 0.5)},
                    "position": long(0.0, 0.0, 0.25),
                    "points": {"eye": long(0.5, 0.0, 0.1)},
                },
                "weight": {"mass": 3.0 * mass, "point": True, "position": long(3.0, 0.0, -1.0)},
            },
            "robots": {"ring": {"position": long(2.0, 0.2, 0.35)}},
            "wires": {"wire": {"from": "box.eye", "via": ["ring"], "to": "weight", "length": size * length}},
            "ground": {"friction": 0.4, "contacts": ["box.corners"]},
        }
    )


def test_feet_stay_where_they_stand_if_a_wire_can_be_drawn_tight_without_them():
    rest = towsim.equilibrium(counterweight(length=2.0))
    np.testing.assert_allclose(rest.position[0], [0.0, 0.0, 0.25], atol=1e-12)
    assert rest.tension["wire"] == pytest.approx(3.0 * 9.81)


def test_scenes_that_differ_in_units_of_length_mass_and_time_come_to_rest_in_the_same_steps():
    """Buckingham: nothing without dimensions depends on the units."""
    here = towsim.equilibrium(counterweight())
    for size, mass, gravity in ((1e-3, 1e-9, 9.81), (0.05, 1.0, 9.81), (1e-3, 1.0, 9.81e-3), (1e3, 1e9, 1e-3)):
        rest = towsim.equilibrium(counterweight(size, mass, gravity))
        assert rest.steps == here.steps
        np.testing.assert_allclose(rest.position / size, here.position, atol=1e-9)
        assert rest.tension["wire"] == pytest.approx(3.0 * mass * gravity)
        assert rest.stability == here.stability


def arm(size: float) -> Scene:
    """A column that slews and a jib that luffs on springs, with a box on two wires."""
    return scene_from_text(f"""
bodies:
  column: {{mass: 300, inertia: {[50 * size**2, 40 * size**2, 60 * size**2]}, position: [0, 0, {2 * size}],
    points: {{foot: [0, 0, {-2 * size}], top: [0, 0, {2 * size}]}}}}
  jib: {{mass: 300, inertia: {[5 * size**2, 400 * size**2, 400 * size**2]}, position: [{2 * size}, 0, {4 * size}],
    points: {{root: [{-2 * size}, 0, 0], tip: [{2 * size}, 0, 0]}}}}
  load: {{mass: 50, shape: {{box: [{size}, {0.5 * size}, {0.3 * size}]}}, position: [{4 * size}, 0, {0.85 * size}],
    points: {{a: [{0.3 * size}, 0, {0.15 * size}], b: [{-0.3 * size}, 0, {0.15 * size}]}}}}
robots: {{base: {{position: [0, 0, 0]}}}}
joints:
  slew: {{kind: revolute, from: base, to: column.foot, axis: [0, 0, 1], spring: {{stiffness: {1e3 * size}, rest: 0.2}}}}
  luff: {{kind: revolute, from: column.top, to: jib.root, axis: [0, 1, 0], spring: {{stiffness: {5e4 * size}}}}}
wires: {{a: {{from: load.a, to: jib.tip, length: {3 * size}}}, b: {{from: load.b, to: jib.tip, length: {3.1 * size}}}}}
""")


def test_an_arm_a_thousand_times_larger_comes_to_rest_as_the_small_one_does():
    """Rows that hold directions bear torques, rows that hold places forces: these differ by a length."""
    here, large = towsim.equilibrium(arm(1.0)), towsim.equilibrium(arm(1e3))
    np.testing.assert_allclose(large.position / 1e3, here.position, atol=1e-9)
    for name, pull in here.tension.items():
        assert large.tension[name] == pytest.approx(pull, rel=1e-9)
    assert abs(large.steps - here.steps) <= 3  # as a load that spins freely is turned to and fro by rounding


@pytest.mark.parametrize("aside", [0.0, 3.0])
@pytest.mark.parametrize("length", [0.2, 1e-3])
def test_a_load_is_drawn_to_a_wire_that_is_thousands_of_times_shorter_than_the_way(length: float, aside: float):
    rest = towsim.equilibrium(
        scene_from_data(
            {
                "bodies": {"load": {"mass": 2.0, "point": True, "position": [aside, 0.0, -30.0]}},
                "robots": {"post": {"position": [0.0, 0.0, 0.0]}},
                "wires": {"wire": {"from": "load", "to": "post", "length": length}},
            }
        )
    )
    np.testing.assert_allclose(rest.position[0], [0.0, 0.0, -length], atol=1e-9 * length)
    assert rest.steps < 20


def test_a_short_wire_elsewhere_does_not_shorten_the_steps_of_a_long_pendulum():
    rest = towsim.equilibrium(
        scene_from_text("""
bodies: {far: {mass: 2, point: true, position: [10, 0, 0.1]}, near: {mass: 1, point: true, position: [30, 0, -0.003]}}
robots: {r: {position: [0, 0, 0]}, q: {position: [30, 0.005, 0]}}
wires: {long: {from: far, to: r, length: 10}, short: {from: near, to: q, length: 0.01}}
""")
    )
    np.testing.assert_allclose(rest.position, [[0.0, 0.0, -10.0], [30.0, 0.005, -0.01]], atol=1e-9)


def test_a_ropeway_hangs_alike_at_coordinates_of_a_map():
    """Places there are rounded by a nanometre, and EA/L makes a third of a millinewton of that."""
    at = []
    for x, y, z in ((0.0, 0.0, 0.0), (4.5e5, 5.4e6, 300.0)):
        rope = {
            "from": "valley",
            "via": ["carriage"],
            "to": "mountain",
            "length": 110,
            "material": {
                "mass_per_length": 1.6,
                "diameter": 0.02,
                "axial_stiffness": 2e7,
                "bending_stiffness": 10,
            },
            "model": {"mrfe": {"elements": 40}},
        }
        carriage = {"mass": 400, "point": True, "position": [x + 40, y, z + 8]}
        robots = {"valley": {"position": [x, y, z]}, "mountain": {"position": [x + 100, y + 5, z + 40]}}
        scene = scene_from_data({"bodies": {"carriage": carriage}, "robots": robots, "wires": {"rope": rope}})
        at.append(towsim.equilibrium(scene).position[0] - (x, y, z))
    np.testing.assert_allclose(at[1], at[0], rtol=0, atol=1e-4)  # at most: the rope lies flat there


@pytest.mark.parametrize("far", [0.0, 4.5e5])
def test_feet_in_the_air_hold_nothing_wherever_the_scene_is(far):
    """A box that hangs a tenth of a millimetre above rough ground swings as freely at coordinates of a map."""
    box = {"mass": 10, "shape": {"box": [1, 1, 1]}, "position": [far, 0, 0.5001], "points": {"t": [0, 0, 0.5]}}
    scene = scene_from_data(
        {
            "bodies": {"box": box},
            "robots": {"r": {"position": [far, 0, 5]}},
            "wires": {"w": {"from": "r", "to": "box.t", "length": 3.9999}},
            "ground": {"friction": 0.5, "contacts": ["box.corners"]},
        }
    )
    assert towsim.equilibrium(scene).undetermined == ()
    np.testing.assert_allclose(towsim.modes(scene).frequency[1:3], 0.23396, rtol=1e-4)  # a double pendulum's


@pytest.mark.parametrize("aside", [1.0, 0.3])
def test_a_box_that_its_wire_only_just_lets_stand_is_drawn_along_the_ground_and_stands_there(aside):
    """The wire is as long as the robot is high above it: under it, to rounding, is the one place on the ground."""
    box = {"mass": 10, "shape": {"box": [1, 1, 1]}, "position": [0, 0, 0.5], "points": {"t": [0, 0, 0.5]}}
    scene = scene_from_data(
        {
            "bodies": {"box": box},
            "robots": {"r": {"position": [aside, 0, 5]}},
            "wires": {"w": {"from": "r", "to": "box.t", "length": 4}},
            "ground": {"friction": 0.5, "contacts": ["box.corners"]},
        }
    )
    rest = towsim.equilibrium(scene)
    assert rest.stability == "stable"  # its feet hold it
    np.testing.assert_allclose(
        rest.position[0], (aside, 0, 0.5), rtol=0, atol=1e-4
    )  # a gap of a few 1e-12 is 1e-5 aside


def test_what_is_told_of_a_contact_is_what_motions_go_by():
    """A ladder at a rough wall: its load may be shared in many ways; what bears there is not let go of elsewhere."""
    half, lean = np.hypot(1.0, 1.5), 0.5 * np.arctan2(1.0, 1.5)
    rod = {
        "mass": 10,
        "inertia": [5, 5, 0.1],
        "position": [1, 0, 1.5],
        "quaternion": [np.cos(lean), 0, -np.sin(lean), 0],
        "points": {"foot": [0, 0, -half], "top": [0, 0, half]},
    }
    ground = [
        {"friction": 0.5, "contacts": ["rod.foot"]},
        {"normal": [1, 0, 0], "friction": 0.5, "contacts": ["rod.top"]},
    ]
    scene = scene_from_data({"bodies": {"rod": rod}, "ground": ground})
    rest, motions = towsim.equilibrium(scene), towsim.modes(scene)
    bears = {name for name, force in rest.contact.items() if np.linalg.norm(force) > 1.0}
    assert len(bears) == 2
    assert not bears & {*motions.slack, *motions.kept}
