"""Wheels that massless wires turn in small motions about rest: frequencies, transfer of robots' accelerations."""

import numpy as np
import pytest
from scipy.linalg import eigh

import towsim
from towsim.scene import scene_from_text

RADIUS, INERTIA = 0.2, 0.06
WHEEL = INERTIA / RADIUS**2
LENGTH = 2.0 + np.pi * RADIUS


def hoist(ends: str, bodies: str, more: str = "", robots: str = "", length: float = LENGTH) -> towsim.Scene:
    return scene_from_text(f"""
bodies: {{{bodies}}}
robots: {{top: {{position: [0, 0, 0]}}{robots}}}
pulleys: {{wheel: {{at: top, radius: {RADIUS}, inertia: {INERTIA}}}}}
wires:
  rope: {{{ends}, via: [wheel], length: {length}{more}}}
""")


def test_two_weights_and_a_wheel_on_an_elastic_wire_ring_as_a_chain_of_three():
    """In line with the wire, with k = EA/L over the share of each part."""
    weights = "a: {mass: 2, point: true, position: [-0.2, 0, -1]}, b: {mass: 2, point: true, position: [0.2, 0, -1]}"
    for stiffness in (4e3, 4e5):
        scene = hoist("from: a, to: b", weights, f", model: elastic, material: {{axial_stiffness: {stiffness}}}")
        k = stiffness / (0.5 * LENGTH)
        chain = np.array([[k, -k, 0], [-k, 2 * k, -k], [0, -k, k]])
        exact = np.sqrt(eigh(chain, np.diag([2.0, WHEEL, 2.0]), eigvals_only=True)[1:]) / (2 * np.pi)
        assert towsim.modes(scene).frequency[-2:] == pytest.approx(exact, rel=1e-9)


def test_a_weight_on_a_spring_hauls_another_one_and_the_wheel():
    """Rigid wire: ω² = k/(m₁ + m₂ + I/r²)."""
    scene = scene_from_text(f"""
bodies: {{a: {{mass: 2, point: true, position: [-0.2, 0, -1]}}, b: {{mass: 3, point: true, position: [0.2, 0, -1]}}}}
robots: {{top: {{position: [0, 0, 0]}}, floor: {{position: [0.2, 0, -2]}}}}
pulleys: {{wheel: {{at: top, radius: {RADIUS}, inertia: {INERTIA}}}}}
wires:
  rope: {{from: a, via: [wheel], to: b, length: {LENGTH}}}
  spring: {{from: floor, to: b, length: 1, model: {{spring: {{stiffness: 500}}}}}}
""")
    found = towsim.modes(scene)
    exact = np.sqrt(500 / (5.0 + WHEEL)) / (2 * np.pi)
    assert np.abs(found.frequency - exact).min() < 1e-6 * exact


@pytest.mark.parametrize("model", ["rigid", "elastic"])
def test_who_hauls_feels_the_load_and_the_wheel(model):
    """A robot that goes down with 1 m/s² feels m + I/r² more; where the wire stretches, when it does so slowly."""
    scene = hoist(
        "from: hand, to: load",
        "load: {mass: 3, point: true, position: [0.2, 0, -1]}",
        f", model: {model}, material: {{axial_stiffness: 4e3}}",
        ", hand: {position: [-0.2, 0, -1]}",
    )
    A, B, C, D = towsim.linearize(scene, inputs=["robots.hand.z"], outputs=["wires.rope.tension"])
    slow = 0.02j  # of a resonance of 23 rad/s: 1e-6
    response = C @ np.linalg.solve(slow * np.eye(len(A)) - A, B) + D
    assert response[0, 0] == pytest.approx(-(3.0 + WHEEL), rel=1e-5)


@pytest.mark.parametrize("input", ["robots.hand.z", "wires.rope.length"])
def test_dampers_of_both_parts_answer_the_rates_of_hand_and_length(input):
    """Of hand h, wheel w, load x: T₁ = g₁ (w - h), T₂ = g₂ (x - w - L), g = (k + c s)/share, and softer."""
    scene = hoist(
        "from: hand, to: load",
        "load: {mass: 3, point: true, position: [0.2, 0, -1]}",
        ", model: elastic, material: {axial_stiffness: 4e3, axial_damping: 60}",
        ", hand: {position: [-0.2, 0, -1]}",
    )
    A, B, C, D = towsim.linearize(scene, inputs=[input], outputs=["wires.rope.tension"])
    far = np.array([1.0, -towsim.equilibrium(scene).position[0, 2]])
    k, c, softer = 4e3 / LENGTH, 60 / LENGTH, 3.0 * 9.81 / LENGTH  # EA/L falls with L by T/L
    stretch = np.array([[1.0, 0.0], [-1.0, 1.0]])  # of both parts by w and x
    for s in (1j, 20j, 300j):
        g = (k + c * s) * far.sum() / far
        known = np.array([-g[0], 0.0]) if input == "robots.hand.z" else np.array([0.0, -g[1]]) - softer
        moved = np.linalg.solve(np.diag([WHEEL, 3.0]) * s**2 + stretch.T @ np.diag(g) @ stretch, -stretch.T @ known)
        exact = (g[0] * moved[0] + known[0]) / s**2  # of an acceleration of 1
        found = C @ np.linalg.solve(s * np.eye(len(A)) - A, B) + D
        assert found[0, 0] == pytest.approx(exact, rel=1e-7)
