"""Massive wires over pulleys with a radius: catenaries that leave circles at tangents, swivels, carriages, the ring."""

import numpy as np
import pytest
from scipy.optimize import fsolve

import towsim
from towsim.scene import scene_from_text

WEIGHT, AXIAL = 9.81, 2e4
"""Of the line: N/m and N."""

RADIUS = 0.3
ACROSS, AWAY = "from: a\n    via: [wheel]\n    to: b", "from: wheel\n    to: b"


def line(ends: str, elements: int, length: float) -> str:
    return f"""
wires:
  line:
    {ends}
    length: {length}
    material: {{mass_per_length: 1, diameter: 0.01, axial_stiffness: {AXIAL}, bending_stiffness: 1e-5}}
    model: {{mrfe: {{elements: {elements}}}}}
"""


def over_a_block(elements: int, length: float = 6.5, radius: float = RADIUS) -> towsim.Scene:
    return scene_from_text(f"""
robots: {{a: {{position: [0, 0, 0]}}, top: {{position: [2, 0, 2]}}, b: {{position: [4.5, 0, 0]}}}}
pulleys: {{wheel: {{at: top, radius: {radius}}}}}
{line(ACROSS, elements, length)}""")


def from_a_swivel(elements: int) -> towsim.Scene:
    return scene_from_text(f"""
robots: {{a: {{position: [0, 0, 2]}}, b: {{position: [4, 0, 1]}}}}
pulleys: {{wheel: {{at: a, radius: {RADIUS}, swivel: [0, 0, 1]}}}}
{line(AWAY, elements, 5.2)}""")


def carriage(elements: int, radius: float = 0.2, force: str = "", via: str = "wheel") -> towsim.Scene:
    return scene_from_text(f"""
bodies: {{carriage: {{mass: 5, point: true, position: [1.95, 0, -1]{force}}}}}
robots: {{a: {{position: [0, 0, 0]}}, b: {{position: [5, 0, 1]}}}}
pulleys: {{wheel: {{at: carriage, radius: {radius}}}}}
{line(ACROSS.replace("wheel", via), elements, 6.0)}""")


def reach(H: float, V: float, length: float) -> np.ndarray:
    """x and z from the beginning to the end of an elastic catenary with the force (H, V) on its end (Irvine 1981)."""
    low = V - WEIGHT * length
    across = H / WEIGHT * (np.arcsinh(V / H) - np.arcsinh(low / H)) + H * length / AXIAL
    up = (np.hypot(H, V) - np.hypot(H, low)) / WEIGHT + length / AXIAL * (V - 0.5 * WEIGHT * length)
    return np.array([across, up])


def head(pull: float, z: float) -> float:
    """What is the same all along an elastic wire without friction: d(T + T²/2EA) = (1 + T/EA) dT = w dz."""
    return pull + pull**2 / (2.0 * AXIAL) - WEIGHT * z


def unstrained(arc: float, *pulls: float) -> float:
    """Length of wire on an arc that stretches evenly, by the mean of the tensions at its ends."""
    return arc / np.sqrt(1.0 + 2.0 * np.mean([head(pull, 0.0) for pull in pulls]) / AXIAL)


def test_two_catenaries_leave_a_block_at_tangents_with_the_weight_on_it_between_their_tensions():
    """An independent closed form: eight equations for the forces, lengths and angles; errors of order 1/n²."""
    top, a, b, length = np.array([2.0, 2.0]), np.zeros(2), np.array([4.5, 0.0]), 6.5

    def closed(u):
        H1, V1, H2, V2, first, second, *angles = u
        normal = [np.array([np.sin(angle), np.cos(angle)]) for angle in angles]
        meet, leave = (top + RADIUS * n for n in normal)
        low = V2 - WEIGHT * second
        lies = unstrained(RADIUS * (angles[1] - angles[0]), np.hypot(H1, V1), np.hypot(H2, low))
        return [
            *(a + reach(H1, V1, first) - meet),
            *(leave + reach(H2, V2, second) - b),
            normal[0] @ (H1, V1),
            normal[1] @ (H2, low),
            head(np.hypot(H1, V1), meet[1]) - head(np.hypot(H2, low), leave[1]),
            first + lies + second - length,
        ]

    errors = []
    for n in (100, 200):
        spans = towsim.equilibrium(over_a_block(n)).cables
        first, second = spans["line.1"], spans["line.2"]  # the root of the second is at b
        ends = first.nodes[-1, [0, 2]] - top, second.nodes[-1, [0, 2]] - top
        np.testing.assert_allclose(np.linalg.norm(ends, axis=1), RADIUS, rtol=1e-12)
        angles = [np.arctan2(*end) for end in ends]
        lies = unstrained(RADIUS * (angles[1] - angles[0]), first.tension, second.tension)
        assert first.length + second.length + lies == pytest.approx(length, rel=1e-7)  # tensions are to 1/n² of V′
        guess = [*first.tip_force[[0, 2]], *second.root_force[[0, 2]], first.length, second.length, *angles]
        size = [*[first.tension] * 4, first.length, first.length, 1.0, 1.0]
        errors.append(float(np.abs((guess - fsolve(closed, guess, xtol=1e-13)) / size).max()))
    assert errors[1] < 3e-5
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.1)


def test_a_catenary_leaves_a_swivel_at_a_tangent():
    """The wire comes up along z, turns by β on the wheel and hangs to b; errors of order 1/n²."""

    def closed(u):
        H, V, beta, length = u
        low = V - WEIGHT * length
        leave = np.array([RADIUS * (1.0 - np.cos(beta)), 2.0 + RADIUS * np.sin(beta)])
        hangs = *(leave + reach(H, V, length) - (4.0, 1.0)), H * np.cos(beta) - low * np.sin(beta)
        return [*hangs, length + unstrained(RADIUS * beta, np.hypot(H, low)) - 5.2]

    errors = []
    for n in (50, 100):
        hung = towsim.equilibrium(from_a_swivel(n)).cables["line.1"]
        x, z = hung.nodes[-1, [0, 2]] - (RADIUS, 2.0)
        guess = [*hung.root_force[[0, 2]], np.arctan2(z, -x), hung.length]  # the root is at b
        lies = unstrained(RADIUS * guess[2], float(np.linalg.norm(hung.tip_force)))
        assert hung.length == pytest.approx(5.2 - lies, rel=1e-7)
        errors.append(float(np.abs((guess - fsolve(closed, guess, xtol=1e-13)) / [20.0, 20.0, 1.0, 5.2]).max()))
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.3)


def test_the_carriage_bears_its_weight_and_that_of_what_lies_on_its_wheel():
    found = towsim.equilibrium(carriage(48))
    assert found.stability == "stable"
    first, second = found.cables["line.1"], found.cables["line.2"]
    borne = first.root_force + second.root_force  # at a and at b
    np.testing.assert_allclose(borne, [0.0, 0.0, WEIGHT * (6.0 + 5.0)], rtol=0, atol=1e-9)


def test_its_curvature_is_that_of_its_moves_under_small_forces():
    """Central differences, to 1e-5 for the elements: touching points move, and lie in planes that lean with it."""
    soft, push = np.zeros((3, 3)), 1e-3
    for j, axis in enumerate("xyz"):
        ends = [
            towsim.equilibrium(carriage(48, force=f", force: {{{axis}: {sign * push}}}")).position[0]
            for sign in (1, -1)
        ]
        soft[:, j] = (ends[0] - ends[1]) / (2.0 * push)
    expected = np.sort(1.0 / np.linalg.eigvals(soft).real) / 5.0
    np.testing.assert_allclose(towsim.equilibrium(carriage(48)).curvature, expected, rtol=2e-5)


def test_a_small_wheel_is_a_ring():
    """The carriage hangs lower by the radius, and the rest by its order."""
    place = towsim.equilibrium(carriage(48, via="carriage")).position[0]
    off = [towsim.equilibrium(carriage(48, radius)).position[0] - place for radius in (2e-3, 2e-4)]
    assert np.abs(off[1]).max() < 3e-4
    np.testing.assert_allclose(off[0], 10.0 * off[1], rtol=0, atol=1e-5)


def test_a_block_under_a_wire_that_hangs_below_it_is_told():
    scene = over_a_block(30, length=9.0).with_values({"robots.top.position": [2.2, 0, -0.5]})
    with pytest.raises(towsim.SceneError, match="'line' does not lie on pulley 'wheel' as it hangs"):
        towsim.equilibrium(scene)


def test_what_massive_wires_on_pulleys_are_not_for_is_told():
    scene = from_a_swivel(20)
    with pytest.raises(towsim.SceneError, match="leaves pulley 'wheel' along its groove; take that end as ball"):
        scene.with_values({"wires.line.model": {"mrfe": {"elements": 20, "from_end": "clamped"}}})
    with pytest.raises(towsim.UsageError, match="wire 'line' is a massive cable over rings or pulleys, whose slipping"):
        towsim.modes(scene)
    with pytest.raises(towsim.UsageError, match="method 'bdf2' takes no massive cables over rings"):
        towsim.simulate(scene, duration=0.1, method="bdf2")
