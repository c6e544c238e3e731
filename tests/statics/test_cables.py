"""Hanging cables: the elastic catenary, its order in the number of elements, and a jumper with bending stiffness.

The closed form at 40 digits is Irvine's elastic catenary (Cable Structures, 1981), see ``catenaries.csv``.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import fsolve

import towsim
from towsim.scene import scene_from_data, scene_from_text

G = 9.81
TABLE = Path(__file__).with_name("catenaries.csv").read_text().splitlines()
ROWS = {name: [float(number) for number in numbers] for name, *numbers in (line.split(", ") for line in TABLE[3:])}


def line(row: str, elements: int) -> towsim.Scene:
    x, z, length, stiffness, weight, *_ = ROWS[row]
    return scene_from_text(f"""
schema: 1
robots: {{a: {{position: [0, 0, 0]}}, b: {{position: [{x}, 0, {z}]}}}}
wires:
  line:
    from: a
    to: b
    length: {length}
    material:
      {{mass_per_length: {weight / G}, diameter: 0.01, axial_stiffness: {stiffness}, bending_stiffness: 1e-3}}
    model: {{mrfe: {{elements: {elements}}}}}
""")


def errors(row: str, elements: int) -> np.ndarray:
    one = towsim.equilibrium(line(row, elements)).cables["line"]
    H, V_b, V_a = ROWS[row][5:]
    found = np.array([one.tip_force[0], one.tip_force[2], one.root_force[2]])
    return np.abs(found - [H, V_b, V_a]) / np.hypot(H, V_b)


@pytest.mark.parametrize("row", ROWS)
def test_the_elastic_catenary_is_met_with_200_elements_and_its_error_falls_with_their_square(row):
    coarse, fine = errors(row, 100), errors(row, 200)
    assert fine.max() < 1e-4  # 1.1e-5 at most
    assert coarse.max() / fine.max() == pytest.approx(4.0, abs=0.05)


def test_the_elastic_catenary_by_its_own_formula_and_with_gravity_aslant():
    """x, z at the end of the line from H, V (Irvine 1981), solved here, and in axes turned by 30 degrees."""
    x, z, length, stiffness, weight, *_ = ROWS["shallow"]

    def ends(force):
        H, V = force
        low = V - weight * length
        across = H / weight * (np.arcsinh(V / H) - np.arcsinh(low / H)) + H * length / stiffness
        along = (np.hypot(H, V) - np.hypot(H, low)) / weight + length / stiffness * (V - 0.5 * weight * length)
        return across - x, along - z

    H, V = fsolve(ends, (7e4, 3.4e4), xtol=1e-13)
    assert pytest.approx(ROWS["shallow"][5:7], rel=1e-9) == (H, V)  # the table, found once more
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    scene = line("shallow", 100)
    robots = {
        name: one.replace(
            position=(c * one.position[0] - s * one.position[2], 1.0, s * one.position[0] + c * one.position[2])
        )
        for name, one in scene.robots.items()
    }
    turned = towsim.equilibrium(scene.replace(robots=robots, gravity=(s * G, 0.0, -c * G))).cables["line"].tip_force
    straight = towsim.equilibrium(scene).cables["line"].tip_force
    back = [c * turned[0] + s * turned[2], turned[1], -s * turned[0] + c * turned[2]]
    np.testing.assert_allclose(back, straight, rtol=0, atol=1e-9 * np.linalg.norm(straight))


def test_a_flexible_jumper_pulls_on_its_ends_as_published():
    """Lowe & Langley (OMAE 2006): 45.71 kN up at the top, 24.04 kN down below, 11.40 kN across; weight in water."""
    g = 9.807 * (1.0 - 1000.0 * np.pi * 0.396**2 / 4.0 / 165.0)
    scene = scene_from_text(f"""
schema: 1
gravity: [0, 0, {-g}]
robots: {{bottom: {{position: [-100, 0, -55]}}, top: {{position: [0, 0, -5]}}}}
wires:
  jumper:
    from: bottom
    to: top
    length: 170
    material: {{mass_per_length: 165, diameter: 0.396, axial_stiffness: 5e8, bending_stiffness: 120.8e3}}
    model: {{mrfe: {{elements: 100}}}}
""")
    found = towsim.equilibrium(scene)
    one = found.cables["jumper"]
    assert found.stability == "stable"
    assert np.abs(one.tip_force[[0, 2]] - [11400.0, 45710.0]).max() < 50.0
    assert np.abs(one.root_force[[0, 2]] - [-11400.0, 24040.0]).max() < 50.0


def test_bending_stiffness_is_felt_as_the_clamped_beam_says():
    """A light clamped rod with a weight at its tip sinks by P l³ / 3EI (Euler and Bernoulli)."""
    scene = scene_from_text("""
schema: 1
gravity: [0, 0, -1]
bodies: {weight: {mass: 1e-3, point: true, position: [1, 0, 0]}}
robots: {wall: {position: [0, 0, 0]}}
wires:
  rod:
    from: wall
    to: weight
    length: 1
    material: {mass_per_length: 1e-9, diameter: 0.01, axial_stiffness: 1e6, bending_stiffness: 2}
    model: {mrfe: {elements: 50, from_end: clamped}}
""")
    sunk = -towsim.equilibrium(scene).position[0, 2]
    assert sunk == pytest.approx(1e-3 / 6.0 * (1.0 + 0.5 / 50**2), rel=1e-6)  # the trapezoidal rule's error


def test_a_load_rests_on_stiff_cables_alike_in_all_directions_of_the_compass() -> None:
    """A scene that is turned about the vertical rests as turned, though the search meets ridges of the cables' roll."""
    rope = {"diameter": 0.01, "mass_per_length": 0.2, "axial_stiffness": 3000, "bending_stiffness": 0.02}
    points = {"p0": [0.132, -0.049, -0.051], "p1": [0.016, -0.114, -0.101], "p2": [-0.068, -0.017, -0.167]}
    robots = {"r0": [-0.601, -1.267, 1.363], "r1": [-1.1, -1.108, 0.681], "r2": [-0.581, 0.998, 1.22]}
    cable = {"material": rope, "model": {"mrfe": {"elements": 5}}}
    found = []
    for degrees in (0, 30, 90, 180):
        a = np.radians(degrees)
        turn = np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
        box = {"mass": 4.011, "inertia": [0.05, 0.06, 0.07], "points": points}
        scene = scene_from_data(
            {
                "bodies": {
                    "box": box | {"quaternion": [np.cos(a / 2), 0.0, 0.0, np.sin(a / 2)]},
                    "bob": {"mass": 0.663, "point": True, "position": [0, 0, -0.7]},
                },
                "robots": {name: {"position": (turn @ place).tolist()} for name, place in robots.items()},
                "wires": {
                    "w0": {"from": "r0", "to": "box.p0", "length": 2.1053, **cable},
                    "w1": {"from": "r1", "to": "box.p1", "length": 1.7711, **cable},
                    "w2": {"from": "box.p2", "to": "r2", "length": 1.6143, "model": {"spring": {"stiffness": 37.4}}},
                    "wb": {"from": "bob", "to": "box", "length": 0.75},
                },
            }
        )
        rest = towsim.equilibrium(scene)
        assert rest.stability == "stable", degrees
        found.append(rest.position[0] @ turn)
    np.testing.assert_allclose(found, [found[0]] * 4, rtol=0, atol=1e-12)
