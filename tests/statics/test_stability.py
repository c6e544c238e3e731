"""Whether a rest is stable: where loads have no potential, where nothing sets a scale, and where rows hold one side."""

import numpy as np
import pytest

import scenarios
import towsim
from towsim.scene import scene_from_text

HULL = """
gravity: [0, 0, 0]
wind: [1, 0, 0]
bodies:
  hull: {mass: 100, shape: {box: [3, 1, 1]}, position: %s, quaternion: [0, 0, 0, 1], points: {bow: [1.5, 0, 0]},
         drag: {linear: [10, 100, 100], at: [%r, 0, 0], angular: 0.001}}
robots: {tug: {position: [0, 0, 0]}}
wires: {tow: {from: tug, to: hull.bow, length: 3}}
"""


@pytest.mark.parametrize(("at", "flutters"), [(0.0, True), (-0.1, True), (-0.5, False)])
def test_a_hull_on_its_tow_in_a_current_flutters_or_not_as_its_motion_in_the_plane_does(at, flutters):
    """In q = (y, s), s a turn about z, with bow y - c s and drag at y - h s, T = 10 N of the drag along the hull:

    M q'' = -T/L bow bow.q - (0, c T s) - C d (w s + d.q') + (T s, 0)
    """
    c, L, T, C, w = 1.5, 3.0, 10.0, 100.0, 1.0
    M = np.diag([100.0, 100.0 * (3**2 + 1) / 12.0])
    bow, d = np.array([1.0, -c]), np.array([1.0, -at])
    K = T / L * np.outer(bow, bow) + C * w * np.outer(d, [0.0, 1.0]) + np.array([[0.0, -T], [0.0, c * T]])
    D = C * np.outer(d, d) + np.diag([0.0, 0.001])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    expected = np.linalg.eigvals(A)
    scene = scene_from_text(HULL % ([4.5, 0, 0], at))
    found, rest = towsim.modes(scene), towsim.equilibrium(scene)
    for value in expected[expected.imag >= 0.0]:
        assert np.abs(found.eigenvalue - value).min() < 1e-7 * abs(value)
    assert flutters == (expected.real > 0.0).any() == (found.growing > 0)
    assert rest.stability == ("unstable" if flutters else "neutral")  # it rolls freely


def test_a_hull_is_found_at_rest_in_a_current_from_aside():
    """It trails straight behind the tow: x = L + c, T = (drag along the hull) w."""
    rest = towsim.equilibrium(scene_from_text(HULL % ([4.3, 0.5, 0], -0.5)))
    np.testing.assert_allclose(rest.position, [[4.5, 0, 0]], atol=1e-9)
    assert rest.tension["tow"] == pytest.approx(10.0, rel=1e-9)


def test_a_thrust_that_turns_with_its_body_leaves_a_hanging_box_at_rest_where_all_motions_decay():
    scene = scene_from_text("""
bodies:
  a: {mass: 1, shape: {box: [1, 1, 1]}, position: [0, 0, -1.5], thrust: {x: 3, at: [0, 0, 0.2]},
      points: {t: [0, 0, 0.5]}, drag: {linear: 0.3, angular: 0.3}}
robots: {q: {position: [0, 0, 0]}}
wires: {w: {from: q, to: a.t, length: 1}}
""")
    found = towsim.modes(scene)
    assert (found.eigenvalue.real <= 0.0).all()
    assert (towsim.equilibrium(scene).stability, found.growing) == ("neutral", 0)  # it turns about the vertical


@pytest.mark.parametrize("degrees", [30.0, 60.0, 120.0, 150.0])
def test_a_trolley_on_a_level_rail_is_in_neutral_equilibrium_in_every_direction(degrees):
    c, s = float(np.cos(np.radians(degrees))), float(np.sin(np.radians(degrees)))
    scene = scene_from_text(f"""
bodies: {{a: {{mass: 2, shape: {{box: [1, 1, 1]}}, position: [1, 2, 3]}}}}
robots: {{r: {{position: [0.3, 0.7, 3]}}}}
joints: {{j: {{kind: prismatic, from: r, to: a, axis: [{c}, {s}, 0]}}}}
""")
    assert towsim.equilibrium(scene).stability == "neutral"
    assert towsim.modes(scene).eigenvalue.tolist() == [0.0]


def test_a_point_in_a_groove_moves_freely_along_it():
    scene = scene_from_text("""
bodies: {a: {mass: 2, point: true, position: [0.3, 0.1, 2]}}
ground: [{normal: [1, 0, 1], contacts: [a]}, {normal: [-1, 0, 2], contacts: [a]}]
""")
    assert towsim.equilibrium(scene).stability == "neutral"
    assert towsim.modes(scene).eigenvalue.tolist() == [0.0]


@pytest.mark.parametrize("far", [0.0, 5.4e6])
def test_a_free_swivel_is_no_oscillation_however_far_from_the_origin(far):
    scene = scene_from_text(f"""
bodies: {{b: {{mass: 2, point: true, position: [{far + 0.3}, 0, -1]}}}}
robots: {{r: {{position: [{far}, 0, 0]}}}}
pulleys: {{p: {{at: r, radius: 0.1, swivel: [0, 0, 1]}}}}
wires: {{w: {{from: p, to: b, length: 3}}}}
""")
    found = towsim.modes(scene)
    assert found.frequency == pytest.approx([0.0, 0.304169], rel=1e-4)  # g/l in its plane, and free about the swivel
    assert towsim.equilibrium(scene).stability == "neutral"


def mast(guys: int, longer: float = 0.0, wire: str = "") -> towsim.Scene:
    """A mast of 10 m on a ball joint, with guys to a circle of 5 m around its foot."""
    turns = [2.0 * np.pi * i / guys for i in range(guys)]
    posts = "\n".join(f"  g{i}: {{position: [{5 * np.cos(a)}, {5 * np.sin(a)}, 0]}}" for i, a in enumerate(turns))
    length = float(np.hypot(5, 10) + longer)
    wires = "\n".join(f"  w{i}: {{from: mast.top, to: g{i}, length: {length!r}{wire}}}" for i in range(guys))
    points = "points: {foot: [0, 0, -5], top: [0, 0, 5]}"
    return scene_from_text(f"""
bodies: {{mast: {{mass: 100, inertia: [800, 800, 10], position: [0, 0, 5], {points}}}}}
robots:
  base: {{position: [0, 0, 0]}}
{posts}
joints: {{foot: {{kind: ball, from: base, to: mast.foot}}}}
wires:
{wires}
""")


def test_a_mast_on_guys_that_are_just_taut_stands_and_on_one_guy_or_slack_ones_falls():
    for guys in (3, 4):
        scene = mast(guys)
        rest, found = towsim.equilibrium(scene), towsim.modes(scene)
        names = tuple(f"w{i}" for i in range(guys))
        assert (rest.stability, rest.slack, rest.at_length) == ("neutral", names, names)  # it spins freely
        assert (found.eigenvalue.tolist(), found.kept) == ([0.0], names)
        assert "at its length, without tension" in rest.table()
        assert "kept there" in found.table()
    for scene in (mast(1), mast(4, 1e-3)):
        found = towsim.modes(scene)
        assert (towsim.equilibrium(scene).stability, found.growing) == ("unstable", 2)


def test_elastic_guys_that_are_just_taut_are_the_limit_of_those_that_pull_a_little():
    wire = ", model: elastic, material: {axial_stiffness: 1e6}"
    just, pulled = mast(4, 0.0, wire), mast(4, -1e-9, wire)
    assert towsim.equilibrium(just).stability == towsim.equilibrium(pulled).stability == "neutral"
    np.testing.assert_allclose(towsim.modes(just).frequency, towsim.modes(pulled).frequency, rtol=1e-6)


@pytest.mark.parametrize(
    ("wires", "EA", "stability"),
    [("lr", None, "stable"), ("l", None, "unstable"), ("lr", 1e3, "stable"), ("lr", 20.0, "unstable")],
)
def test_what_stands_on_a_strut_is_stable_if_its_energy_rises_wherever_just_taut_wires_let_it_go(wires, EA, stability):
    """Energy ½ (k y² - m g (x² + y²)/h), with k h > m g, where rigid wires let it go: y ≥ 2|x|.

    Elastic wires (EA/2 each) are stretched by (2|x| - y)/√5: from the corner of both, 4/5 EA/2 > m g/h is asked for.
    """
    a, b = 4.0 / np.sqrt(5.0), 2.0 / np.sqrt(5.0)
    model = "" if EA is None else f", model: elastic, material: {{axial_stiffness: {EA}}}"
    scene = scene_from_text(f"""
bodies: {{m: {{mass: 10, point: true, position: [0, 0, 0]}}}}
robots:
  foot: {{position: [0, 0, -1]}}
  aside: {{position: [0, -1, 0]}}
  l: {{position: [{-a}, {b}, 0]}}
  r: {{position: [{a}, {b}, 0]}}
wires:
  strut: {{from: foot, to: m, length: 1.00981, model: {{spring: {{stiffness: 1e4}}}}}}
  side: {{from: aside, to: m, length: 1, model: {{spring: {{stiffness: 400}}}}}}
""")
    taut = {
        one: scene_from_text(f"""
bodies: {{m: {{mass: 10, point: true}}}}
robots: {{{one}: {{position: [1, 0, 0]}}}}
wires: {{{one}: {{from: {one}, to: m, length: 2{model}}}}}
""").wires[one]
        for one in wires
    }
    scene = scene.replace(wires={**scene.wires, **taut})
    found = towsim.modes(scene)
    assert towsim.equilibrium(scene).stability == stability
    assert found.growing == (stability == "unstable")


def test_taglines_to_both_sides_that_are_just_taut_let_a_load_swing_across_them_alone():
    scene = scene_from_text("""
bodies: {b: {mass: 20, point: true, position: [0, 0, -3]}}
robots: {r: {position: [0, 0, 0]}, e: {position: [4, 0, -3]}, w: {position: [-4, 0, -3]}}
wires: {hoist: {from: r, to: b, length: 3}, e: {from: e, to: b, length: 4}, w: {from: w, to: b, length: 4}}
""")
    found = towsim.modes(scene)
    assert found.frequency == pytest.approx([np.sqrt(9.81 / 3.0) / (2 * np.pi)], rel=1e-8)
    assert (found.most, found.kept) == (("b, along y",), ("e", "w"))


def test_as_many_motions_grow_as_the_stiffness_with_cables_hanging_by_themselves_has_negative_eigenvalues():
    """Haynsworth: the inertia of K is that of the cables with their ends held, and of what they leave to the bodies."""
    scene = scenarios.get("cdpr44-quadcopters").build()
    rest, found = towsim.equilibrium(scene), towsim.modes(scene)
    assert found.growing == (rest.curvature < -1e-3).sum() == 6
    assert (found.eigenvalue.real > 0.0).tolist() == [True] * 6 + [False] * 6
    assert found.table().splitlines()[-1] == "unstable: 6 of the motions grow"
