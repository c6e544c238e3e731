"""Equilibria: laws of statics, slack branches, stability, several equilibria, and runs that stay where they start."""

import math
import warnings

import numpy as np
import pytest
from scipy.optimize import brentq

import scenarios
import towsim
from towsim.scene import Scene, scene_from_data, scene_from_text

HANGING_BOX = """
schema: 1
bodies:
  box: {mass: 2, shape: {box: [0.6, 0.4, 0.2]}, position: [0.02, 0.03, 0.05],
        points: {a: [0.3, 0.2, 0.1], b: [0.3, -0.2, 0.1], c: [-0.3, -0.2, 0.1], d: [-0.3, 0.2, 0.1]}}
robots: {A: {position: [0.6, 0.5, 2]}, B: {position: [0.6, -0.5, 2]}, C: {position: [-0.6, -0.5, 2]},
         D: {position: [-0.6, 0.5, 2]}}
wires:
  a: {from: A, to: box.a, length: 2.0}
  b: {from: B, to: box.b, length: 2.0}
  c: {from: C, to: box.c, length: 2.1}
"""
ONE_MORE = "  d: {from: D, to: box.d, length: 2.3}\n"


def frozen(scene: Scene) -> Scene:
    """The scene with its robots, winches and motors standing still as they are at t = 0."""
    robots = {name: one.replace(motion=None, position=tuple(one.start())) for name, one in scene.robots.items()}
    wires = {name: one.replace(length=one.length_at_start()) for name, one in scene.wires.items()}
    bodies = {name: one.replace(velocity=(0.0, 0.0, 0.0)) for name, one in scene.bodies.items()}
    joints = {name: one.replace(motor=0.0) for name, one in scene.joints.items()}
    return scene.replace(robots=robots, wires=wires, bodies=bodies, joints=joints, start="equilibrium")


def drift(scene: Scene, method: str, steps: int = 200, step: float = 1e-3) -> tuple[float, float]:
    """How far, and how fast, anything has moved after some steps from rest [m or 1, m/s]."""
    sim = towsim.Simulation(scene, method=method, step=step)
    before = sim["position"].values.copy(), np.nan_to_num(sim["quaternion"].values)
    sim.step(steps)
    after = sim["position"].values, np.nan_to_num(sim["quaternion"].values)
    return (
        float(max(np.abs(a - b).max() for a, b in zip(after, before, strict=True))),
        float(np.abs(sim["velocity"].values).max()),
    )


@pytest.mark.parametrize("wires", [HANGING_BOX, HANGING_BOX + ONE_MORE], ids=["three", "four, one slack"])
def test_a_box_on_wires_hangs_where_forces_and_moments_balance(wires):
    one = towsim.equilibrium(scene_from_text(wires))
    R = rotation(one.quaternion[0])
    force, moment = np.array([0.0, 0.0, -2 * 9.81]), np.zeros(3)
    for name, wire in one.scene.wires.items():
        arm = R @ np.array(one.scene.bodies["box"].points[name])
        along = np.array(one.scene.robots[wire.from_].position) - one.position[0] - arm
        far = np.linalg.norm(along)
        assert far <= float(wire.length) + 1e-12
        assert name in one.slack or far == pytest.approx(float(wire.length), abs=1e-12)
        force += one.tension[name] * along / far
        moment += np.cross(arm, one.tension[name] * along / far)
    assert np.abs(force).max() < 1e-11
    assert np.abs(moment).max() < 1e-11
    assert one.slack == (("d",) if "d:" in wires.split("wires:")[1] else ())
    assert one.stability == "stable"


def rotation(q):
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_a_box_at_rest_stays_there_to_rounding(method):
    moved, speed = drift(scene_from_text(HANGING_BOX).replace(start="equilibrium"), method)
    assert moved < 1e-12
    assert speed < 1e-11  # some 1e-15 m / h


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four-robots-box", "payload-chain", "slewing-crane", "cdpr44-kinematic"])
def test_scenarios_at_rest_stay_there_to_rounding(name):
    moved, speed = drift(frozen(scenarios.get(name).build()), "stewart-trinkle", 100)
    assert moved < 2e-12
    assert speed < 1e-9


def test_winches_at_a_tension_hold_a_weight_where_the_forces_close_a_triangle():
    """Two ropes at 8 and 7 N on a weight of 9.81 N, one of them elastic: directions by the law of cosines."""
    scene = scene_from_text("""
bodies: {ring: {mass: 1.0, point: true, position: [0.1, 0, -0.4]}}
robots: {a: {position: [-1, 0, 0]}, b: {position: [1, 0, 0]}}
wires: {l: {from: a, to: ring, length: 1.0},
        r: {from: b, to: ring, length: 1.5, model: elastic, material: {axial_stiffness: 1000}}}
""")
    left, right, weight = 8.0, 7.0, 9.81
    one = towsim.equilibrium(scene, tension={"l": left, "r": right})
    up = [np.arccos((a**2 + weight**2 - b**2) / (2 * a * weight)) for a, b in ((left, right), (right, left))]
    depth = 2.0 / (np.tan(up[0]) + np.tan(up[1]))
    assert one.position[0] == pytest.approx([depth * np.tan(up[0]) - 1.0, 0.0, -depth], abs=1e-12)
    assert one.length["l"] == pytest.approx(depth / np.cos(up[0]), rel=1e-12)
    assert one.length["r"] == pytest.approx(depth / np.cos(up[1]) / (1.0 + right / 1000), rel=1e-12)
    wires = {name: wire.replace(length=one.length[name]) for name, wire in scene.wires.items()}
    again = towsim.equilibrium(scene.replace(wires=wires))
    assert again.tension == pytest.approx({"l": left, "r": right}, rel=1e-9)
    # 4 N cannot hold 9.81 N:
    with pytest.raises(towsim.SceneError, match=r"ring.*ask for tensions that bear the loads"):
        towsim.equilibrium(scene, tension={"l": 2.0, "r": 2.0})
    with pytest.raises(towsim.UsageError, match="wire 'l' must be a number >= 0 N, got -1"):
        towsim.equilibrium(scene, tension={"l": -1})


def test_elastic_wires_stretch_by_their_load():
    scene = scene_from_text("""
schema: 1
bodies: {ball: {mass: 3, point: true, position: [0, 0, 0]}}
robots: {hook: {position: [0, 0, 2]}}
wires: {w: {from: hook, to: ball, length: 1.5, model: elastic, material: {axial_stiffness: 1000}}}
""")
    one = towsim.equilibrium(scene)
    assert one.tension["w"] == pytest.approx(3 * 9.81, rel=1e-12)
    assert 2.0 - one.position[0, 2] == pytest.approx(1.5 * (1 + 3 * 9.81 / 1000), rel=1e-12)
    assert one.curvature[-1] == pytest.approx(1000 / 1.5 / 3, rel=1e-7)  # of the bounce


PENDULUM = """
schema: 1
bodies: {rod: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, %s], quaternion: [%s, 0, %s, 0],
               points: {end: [0, 0, 1]}}}
robots: {pin: {position: [0, 0, 0]}}
joints: {pin: {kind: revolute, from: pin, to: rod.end, axis: [0, 1, 0]}}
"""


def test_the_sign_of_the_energy_s_curvature_tells_a_hanging_rod_from_a_standing_one():
    hanging = towsim.equilibrium(scene_from_text(PENDULUM % (-1, 1, 0)))
    standing = towsim.equilibrium(scene_from_text(PENDULUM % (1, 0, 1)))
    assert (hanging.stability, standing.stability) == ("stable", "unstable")
    assert hanging.curvature == pytest.approx([9.81 / 1.1], rel=1e-7)  # m g l / (I + m l²)
    assert standing.curvature == pytest.approx([-9.81 / 1.1], rel=1e-7)


def test_a_rod_that_a_weak_spring_holds_up_leans_to_either_side():
    """k θ = m g l sin θ with k < m g l: upright is unstable, and both sides are stable (Euler's buckling)."""
    text = PENDULUM % (1, 0, 1)
    scene = scene_from_text(text.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], spring: {stiffness: 5}"))
    lean = brentq(lambda angle: 5 * angle - 9.81 * np.sin(angle), 1.0, 3.0)
    found = towsim.equilibria(scene, starts=8)
    assert [one.stability for one in found] == ["stable", "stable", "unstable"]
    assert sorted(one.joints["pin"] for one in found) == pytest.approx([-lean, 0.0, lean], abs=1e-10)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("  c: {from: C, to: box.c, length: 2.1}\n  b: {from: B, to: box.b, length: 2.0}\n", None),
        ("", "'box' falls"),
    ],
)
def test_what_nothing_holds_falls_by_name(change, said):
    text = HANGING_BOX[: HANGING_BOX.index("wires:")] + (f"wires:\n{change}" if change else "")
    if said is None:
        assert towsim.equilibrium(scene_from_text(text)).error < 1e-10
        return
    with pytest.raises(towsim.SceneError, match=said):
        towsim.equilibrium(scene_from_text(text))
    with pytest.raises(towsim.SceneError, match=said):
        towsim.simulate(scene_from_text(text + "start: equilibrium\n"), duration=0.01)


def test_a_hull_on_its_mast_lies_in_the_current_and_rings_about_it():
    """I θ̈ + c a² θ̇ + c a V θ = 0: drag c across the hull, at a behind the mast, in a current V."""
    scene = scene_from_text("""
wind: [2, 0, 0]
bodies: {hull: {mass: 1000, inertia: [30, 30, 40], quaternion: [0.9, 0, 0, 0.4358898943540674],
                drag: {linear: [0, 20, 0], at: [1.5, 0, 0]}}}
robots: {mast: {position: [0, 0, 0]}}
joints: {mast: {kind: revolute, from: mast, to: hull, axis: [0, 0, 1]}}
""")
    one = towsim.equilibrium(scene)
    assert one.joints["mast"] == pytest.approx(-2 * np.arccos(0.9), abs=1e-12)
    found = towsim.modes(scene)
    omega = np.sqrt(20 * 1.5 * 2 / 40)
    assert found.frequency[0] * 2 * np.pi == pytest.approx(omega, rel=1e-9)
    assert found.damping[0] == pytest.approx(20 * 1.5**2 / 40 / (2 * omega), rel=1e-9)


SLOPE = """
schema: 1
bodies: {box: {mass: 1, shape: {box: [0.4, 0.4, 0.2]}, position: [0, 0, 0.1]}}
gravity: [%s, 0, -9.81]
ground: {height: 0, friction: 0.5, contacts: [box.corners]}
"""


def test_a_box_stands_within_the_friction_cone_and_slides_beyond():
    one = towsim.equilibrium(scene_from_text(SLOPE % 4.8))
    total = sum(one.contact.values())
    assert total == pytest.approx([-4.8, 0.0, 9.81], abs=1e-6)
    assert all(np.hypot(*force[:2]) <= 0.5 * force[2] + 1e-9 for force in one.contact.values())
    assert not any(one.contact[f"box.corners{i}"].any() for i in range(4, 8))  # those of the lid, in the air
    with pytest.raises(towsim.SceneError, match="it slides"):
        towsim.equilibrium(scene_from_text(SLOPE % 5.0))


def test_a_box_in_the_air_lands_on_a_slope_where_friction_holds_it_and_slides_beyond():
    """tan α = 0.2 < μ: friction holds it on the face with which it lands, parallel to the slope."""
    tipped = """
bodies: {box: {mass: 2.0, shape: {box: [0.4, 0.3, 0.2]}, position: [0, 0, 1.0]}}
ground: {normal: [0.2, 0, 1], contacts: [box.corners], friction: 0.5}
"""
    found = towsim.equilibrium(scene_from_text(tipped))
    assert found.stability == "stable"
    assert sum(found.contact.values()) == pytest.approx([0, 0, 2.0 * 9.81], abs=1e-8)
    assert 2.0 * np.degrees(np.arccos(found.quaternion[0, 0])) == pytest.approx(np.degrees(np.arctan(0.2)))
    with pytest.raises(towsim.SceneError, match="it slides"):
        towsim.equilibrium(scene_from_text(tipped.replace("0.5}", "0.1}")))


@pytest.mark.parametrize(("pull", "friction", "end"), [(7.0, 0.9, ""), (7.7, 0.9, "tips"), (7.0, 0.2, "slides")])
def test_a_box_that_is_pulled_at_its_lid_tips_about_an_edge_or_slides(pull, friction, end):
    """It tips from m g a/2h on (7.36 N: a = 0.3 m wide, pulled h = 0.6 m up), and slides from μ m g on."""
    box = {"mass": 3.0, "shape": {"box": [0.3, 0.4, 0.6]}, "position": [0, 0, 0.3]}
    box |= {"thrust": {"x": pull, "at": [0, 0, 0.3]}}
    scene = scene_from_data({"bodies": {"b": box}, "ground": {"friction": friction, "contacts": ["b.corners"]}})
    if not end:
        total = sum(towsim.equilibrium(scene).contact.values())
        assert total == pytest.approx([-pull, 0.0, 3.0 * 9.81], abs=1e-6)
        return
    with pytest.raises(towsim.SceneError, match=f"it {end}"):
        towsim.equilibrium(scene)


@pytest.mark.parametrize("aside", [0.0, 0.3])
def test_a_winch_whose_torque_balances_the_load_is_in_neutral_equilibrium(aside):
    """n τ/r = m g: at rest at any height, at the one near the start; a hundred millionth more hauls the load in."""
    text = f"""
bodies: {{load: {{mass: 10.0, point: true, position: [{aside}, 0, -2]}}}}
robots: {{crane: {{position: [0, 0, 0]}}}}
drums: {{d: {{at: crane, radius: 0.1, inertia: 0.05, gear: 10, motor_inertia: 2e-4, torque: 0.981, rope: 5}}}}
wires: {{w: {{from: load, to: crane, length: {np.hypot(aside, 2.0)}, drum: d}}}}
"""
    found = towsim.equilibrium(scene_from_text(text))
    assert found.stability == "neutral"
    assert found.tension["w"] == pytest.approx(98.1)
    assert found.position[0] == pytest.approx([0, 0, -2], abs=0.05)
    more = towsim.equilibrium(scene_from_text(text.replace("0.981", "0.98100001")))
    assert more.position[0] == pytest.approx([0, 0, -0.01], abs=1e-9)  # the drum's shortest


def test_a_hard_line_without_sag_is_warned_of_and_one_with_sag_pulls_as_its_angle_says():
    def line(length):
        half = {"length": length}
        return scene_from_data(
            {
                "bodies": {"load": {"mass": 10.0, "point": True, "position": [0, 0, 0]}},
                "robots": {"a": {"position": [-1, 0, 0]}, "b": {"position": [1, 0, 0]}},
                "wires": {"l": {"from": "a", "to": "load", **half}, "r": {"from": "load", "to": "b", **half}},
            }
        )

    with pytest.warns(towsim.errors.SceneWarning, match="wire 'l' pulls .* as long as its span"):
        towsim.equilibrium(line(1.0))
    with warnings.catch_warnings(action="error"):
        pull = towsim.equilibrium(line(1.001)).tension["l"]
    assert pull == pytest.approx(0.5 * 98.1 * 1.001 / np.sqrt(1.001**2 - 1.0), rel=1e-9)


def test_wires_too_short_for_where_they_are_fixed_are_told():
    short = HANGING_BOX.replace("length: 2.0", "length: 0.3").replace("length: 2.1", "length: 0.3")
    with pytest.raises(towsim.SceneError, match="'a', 'b', 'c' cannot be met"):
        towsim.equilibrium(scene_from_text(short))


@pytest.mark.slow
@pytest.mark.parametrize("name", scenarios.names())
def test_every_scenario_has_an_equilibrium(name):
    one = towsim.equilibrium(scenarios.get(name).build())
    assert one.error < 1e-9  # what rounding errors of stiff cables leave


def bars(angle: float) -> str:
    """Three links of 1 m, hinged to each other and to two posts, the outer ones this far from the horizontal [rad]."""
    c, s, half = math.cos(angle), math.sin(angle), (math.cos(0.5 * angle), math.sin(0.5 * angle))
    link = "{mass: 1, shape: {box: [1, 0.05, 0.05]}, position: [%r, 0, %r], quaternion: [%r, 0, %r, 0], points: %s}"
    points = "{l: [-0.5, 0, 0], r: [0.5, 0, 0]}"
    a = link % (0.5 * c, -0.5 * s, half[0], half[1], points)
    b = link % (c + 0.5, -s, 1.0, 0.0, points)
    d = link % (1.5 * c + 1.0, -0.5 * s, half[0], -half[1], points)
    hinge = "{kind: revolute, from: %s, to: %s, axis: [0, 1, 0]}"
    ends = [("p", "a.l"), ("a.r", "b.l"), ("b.r", "c.l"), ("q", "c.r")]
    return f"""
bodies: {{a: {a}, b: {b}, c: {d}}}
robots: {{p: {{position: [0, 0, 0]}}, q: {{position: [{2.0 * c + 1.0}, 0, 0]}}}}
joints: {{{", ".join(f"j{i}: {hinge % pair}" for i, pair in enumerate(ends))}}}
"""


def test_a_mechanism_at_a_singular_place_is_warned_of_and_one_that_sags_is_not():
    """Three links in one line bear nothing across it with finite forces (second-order rigidity)."""
    with pytest.warns(towsim.errors.SceneWarning, match="joint 'j.' bears .* singular place"):
        towsim.equilibrium(scene_from_text(bars(0.0)))
    with warnings.catch_warnings(action="error"):
        found = towsim.equilibrium(scene_from_text(bars(0.1)))
        towsim.simulate(scene_from_text(bars(0.1)), duration=0.001)
    assert found.position[1] == pytest.approx([np.cos(0.1) + 0.5, 0.0, -np.sin(0.1)], abs=1e-9)
    with pytest.warns(
        towsim.errors.SceneWarning, match="singular place that it cannot leave: .* in 2 independent ways"
    ):
        towsim.simulate(scene_from_text(bars(0.0)), duration=0.001)


PULLEYS = """
bodies: {load: {mass: 10, point: true, position: [2, 0, -2]}}
robots: {hook: {position: [0, 0, -2]}, tip: {position: [0.5, 0, 1]}, tip2: {position: [0.7, 0, 1]}}
pulleys: {one: {at: tip, radius: 0.2}, two: {at: tip2, radius: 0.2}}
wires: {w: {from: hook, to: load, via: [one, two], length: 9}}
"""


def test_pulleys_inside_each_other_are_told_at_rest_and_at_the_start():
    scene = scene_from_text(PULLEYS)
    said = r"'one' and 'two' are inside each other at the start: 0\.2 m apart, they need 0\.4 m"
    for find in (towsim.equilibrium, towsim.modes, lambda one: towsim.simulate(one, duration=0.1)):
        with pytest.raises(towsim.SceneError, match=said) as told:
            find(scene)
        assert "finite" not in str(told.value)


def test_a_wire_that_breaks_at_less_than_it_bears_at_rest_is_told():
    text = """
bodies: {load: {mass: 10, point: true, position: [0, 0, -2]}}
robots: {crane: {position: [0, 0, 0]}}
wires: {w: {from: load, to: crane, length: 2, break: {tension: %s}}}
"""
    with pytest.warns(towsim.errors.SceneWarning, match="wire 'w' bears 98.1 N at rest, and breaks at 80 N"):
        towsim.equilibrium(scene_from_text(text % 80))
    with warnings.catch_warnings(action="error"):
        towsim.equilibrium(scene_from_text(text % 100))


def test_what_hangs_out_of_balance_is_told_by_the_force_that_is_missing_most():
    """An Atwood machine: the heavier side runs down until the lighter one is at the ring."""
    scene = scene_from_text("""
bodies: {a: {mass: 2, point: true, position: [-0.1, 0, -2]}, b: {mass: 3, point: true, position: [0.1, 0, -2]}}
robots: {top: {position: [0, 0, 0]}}
wires: {rope: {from: a, to: b, via: [top], length: 4.005}}
""")
    with pytest.raises(
        towsim.SceneError, match=r"no rest .* its start: forces missed .* at body '[ab]' by \S+ N along z"
    ):
        towsim.equilibrium(scene)
