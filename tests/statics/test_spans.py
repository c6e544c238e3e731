"""Massive wires over rings: catenaries in closed form, slipping, and what is refused."""

import numpy as np
import pytest
from scipy.optimize import fsolve

import towsim
from towsim.scene import scene_from_text

WEIGHT, AXIAL, LENGTH = 9.81, 2e4, 6.0
"""Of the line: N/m, N and m."""


def line(at: str, elements: int, length: float = LENGTH) -> str:
    return f"""
wires:
  line:
    from: a
    via: [{at}]
    to: b
    length: {length}
    material: {{mass_per_length: 1, diameter: 0.01, axial_stiffness: {AXIAL}, bending_stiffness: 1e-5}}
    model: {{mrfe: {{elements: {elements}}}}}
"""


def over_a_ring(elements: int, length: float = 6.5, x: float = 2.0) -> towsim.Scene:
    return scene_from_text(f"""
robots: {{a: {{position: [0, 0, 0]}}, ring: {{position: [{x}, 0, 2]}}, b: {{position: [4, 0, 0]}}}}
{line("ring", elements, length)}""")


def with_a_carriage(elements: int, force: str = "") -> towsim.Scene:
    return scene_from_text(f"""
bodies: {{carriage: {{mass: 5, point: true, position: [2.2, 0, -0.5]{force}}}}}
robots: {{a: {{position: [0, 0, 0]}}, b: {{position: [5, 0, 1]}}}}
{line("carriage", elements)}""")


def reach(H: float, V: float, length: float) -> tuple[float, float]:
    """x and z from the beginning to the end of an elastic catenary with the force (H, V) on its end (Irvine 1981)."""
    low = V - WEIGHT * length
    across = H / WEIGHT * (np.arcsinh(V / H) - np.arcsinh(low / H)) + H * length / AXIAL
    up = (np.hypot(H, V) - np.hypot(H, low)) / WEIGHT + length / AXIAL * (V - 0.5 * WEIGHT * length)
    return across, up


def test_tensions_on_both_sides_of_a_ring_are_one_and_the_spans_are_catenaries_of_its_height():
    """T₁ = T₂ at the ring, where both spans share the length as two closed forms do; errors of order 1/n².

    Rest is where the energy of the elements is stationary, so that T₁ = T₂ has that error, too.
    """
    x, length = 1.5, 6.0

    def closed(u):
        H1, V1, H2, V2, L1 = u
        low2 = V2 - WEIGHT * (length - L1)
        first, second = reach(H1, V1, L1), reach(H2, V2, length - L1)
        return [
            first[0] - x,
            first[1] - 2.0,
            second[0] - (4.0 - x),
            second[1] + 2.0,
            np.hypot(H1, V1) - np.hypot(H2, low2),
        ]

    errors, apart = [], []
    for n in (100, 200):
        spans = towsim.equilibrium(over_a_ring(n, length, x)).cables
        first, second = spans["line.1"], spans["line.2"]
        apart.append(np.linalg.norm(first.tip_force) / np.linalg.norm(second.root_force) - 1.0)
        assert first.length + second.length == pytest.approx(length, rel=1e-14)
        guess = [*first.tip_force[[0, 2]], *second.tip_force[[0, 2]], first.length]
        size = [*[np.linalg.norm(first.tip_force)] * 4, first.length]
        errors.append(float(np.abs((guess - fsolve(closed, guess, xtol=1e-13)) / size).max()))
    assert errors[1] < 3e-5
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.1)
    assert abs(apart[1]) < 1e-5
    assert apart[0] / apart[1] == pytest.approx(4.0, abs=0.1)


def test_a_carriage_on_a_heavy_line_stands_where_two_catenaries_bear_it_and_its_stiffness_is_that_of_its_moves():
    def closed(u):
        H1, V1, H2, V2, L1, x, z = u
        low2 = V2 - WEIGHT * (LENGTH - L1)
        first, second = reach(H1, V1, L1), reach(H2, V2, LENGTH - L1)
        return [
            first[0] - x,
            first[1] - z,
            x + second[0] - 5.0,
            z + second[1] - 1.0,
            np.hypot(H1, V1) - np.hypot(H2, low2),
            H1 - H2,
            V1 - low2 + 5 * 9.81,
        ]

    errors = []
    for n in (50, 100, 200):  # the first two share their elements alike
        found = towsim.equilibrium(with_a_carriage(n))
        assert found.stability == "stable"
        first, second = found.cables["line.1"], found.cables["line.2"]  # the root of the second is at b
        place = found.position[0, [0, 2]]
        guess = [*first.tip_force[[0, 2]], *second.root_force[[0, 2]], first.length, *place]
        errors.append(float(np.abs(np.array(guess) - fsolve(closed, guess, xtol=1e-13))[4:].max()))
    assert errors[2] < 1e-5
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.1)
    # It gives way to small forces as its curvature says: central differences, to 2e-5 for the elements.
    soft, push = np.zeros((3, 3)), 1e-3
    for j, axis in enumerate("xyz"):
        ends = [
            towsim.equilibrium(with_a_carriage(50, f", force: {{{axis}: {sign * push}}}")).position[0]
            for sign in (1, -1)
        ]
        soft[:, j] = (ends[0] - ends[1]) / (2.0 * push)
    expected = np.sort(1.0 / np.linalg.eigvals(soft).real) / 5.0
    np.testing.assert_allclose(towsim.equilibrium(with_a_carriage(50)).curvature, expected, rtol=2e-5)


def test_a_slack_line_runs_off_to_one_side_until_that_is_taut_and_standing_on_the_ridge_is_unstable():
    ridge = towsim.equilibrium(over_a_ring(40, 12.0))
    assert ridge.stability == "unstable"
    assert ridge.cables["line.1"].length == pytest.approx(6.0, rel=1e-12)
    off = towsim.equilibrium(over_a_ring(40, 12.0, 1.999))
    assert off.stability == "stable"
    short, long = sorted(one.length for one in off.cables.values())
    assert short == pytest.approx(np.hypot(2.0, 2.0), rel=0.02)
    assert short + long == pytest.approx(12.0, rel=1e-14)


def test_three_spans_share_one_length():
    scene = scene_from_text(f"""
robots: {{a: {{position: [0, 0, 0]}}, b: {{position: [4, 0, 0]}},
          r: {{position: [1, 0, 2]}}, s: {{position: [3, 1, 1]}}}}
{line("r, s", 60, 6.8)}""")
    found = towsim.equilibrium(scene)
    first, second, third = (found.cables[f"line.{k}"] for k in (1, 2, 3))
    ends = [first.tip_force, second.root_force, second.tip_force, third.root_force]
    pull = np.linalg.norm(ends, axis=1)
    np.testing.assert_allclose(pull[[0, 2]], pull[[1, 3]], rtol=2e-4)  # of 60 elements, order 1/n²
    assert first.length + second.length + third.length == pytest.approx(6.8, rel=1e-14)
    # Along one wire without friction the tension goes with the height: T = T₀ + w z, and some strain.
    ends = np.linalg.norm([first.root_force, second.root_force, second.tip_force, third.tip_force], axis=1)
    np.testing.assert_allclose(ends - ends[0], WEIGHT * np.array([0.0, 2.0, 1.0, 0.0]), rtol=0, atol=0.05)


def test_what_massive_wires_over_rings_are_not_for_is_told():
    scene = over_a_ring(20)
    with pytest.raises(towsim.UsageError, match="wire 'line' is a massive cable over rings or pulleys, whose slipping"):
        towsim.modes(scene)
    with pytest.raises(towsim.SceneError, match="with friction it is for rigid wires"):
        scene.with_values({"wires.line.friction": 0.2})
    with pytest.raises(towsim.SceneError, match="has both ends held"):
        scene.with_values({"wires.line.from": "free"})
