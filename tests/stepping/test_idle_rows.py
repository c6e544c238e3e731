"""Wires that act on nothing as things are: straight through a bead, or at the axis of a reduced joint."""

import numpy as np
import pytest

import towsim
from tests.stepping.conftest import beside
from towsim.scene import scene_from_data, scene_from_text

H, G = 1e-3, 9.81


@pytest.mark.filterwarnings("ignore::towsim.errors.SceneWarning")  # weight crosses the line, by rounding errors
@pytest.mark.parametrize("slack", [0.2, 0.0])
@pytest.mark.parametrize("method", ["stewart-trinkle", "shake", "bdf2"])
def test_a_bead_falls_along_a_straight_rope_until_its_wire_holds_it(method, slack):
    """Whatever the direction, whose rounding errors are all that the rope has across: it falls half a metre."""
    rng = np.random.default_rng(2)
    for down in [(0.0, 0.0, -1.0), *rng.normal(size=(4, 3))]:
        u, c = np.asarray(down) / np.linalg.norm(down), rng.normal(size=3)
        scene = scene_from_data(
            {
                "gravity": (G * u).tolist(),
                "bodies": {"bead": {"mass": 1.0, "point": True, "position": c.tolist()}},
                "robots": {"top": {"position": (c - u).tolist()}, "end": {"position": (c + 2.0 * u).tolist()}},
                "wires": {
                    "hold": {"from": "bead", "to": "top", "length": 1.5},
                    "guide": {"from": "top", "via": ["bead"], "to": "end", "length": 3.0 + slack + 1e-12},
                },
            }
        )
        fall = towsim.simulate(scene, duration=0.2, step=H, method=method)
        np.testing.assert_allclose((fall["position"].values[-1, 0] - c) @ u, 0.5 * G * 0.2**2, rtol=6e-3)  # O(h)
        run = towsim.simulate(scene, duration=0.8, step=H, method=method)
        np.testing.assert_allclose(run["position"].values[-1, 0], c + 0.5 * u, atol=2e-5)
        assert run["energy"].values.max() <= run["energy"].values[0] + 1e-9
        assert run["gap"].values.min() > -2e-5


REDUCED = """
bodies: {b: {mass: 1, inertia: [.06, .06, .09], position: [.3, .1, 0], points: {p: [-.3, -.1, 0]}}}
robots: {j: {position: [0, 0, 0]}, r: {position: [.6, -.3, 1.8]}}
joints: {k: {kind: ball, from: j, to: b.p, reduced: true}}
wires:
  hold: {from: b, to: r, length: 1.95}
"""


@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_a_slack_wire_at_the_pivot_of_a_reduced_joint_changes_nothing(method):
    with_idle = scene_from_text(REDUCED + "  idle: {from: b.p, to: r, length: 5}\n")
    found, plain = (
        towsim.simulate(scene, duration=1.0, step=H, method=method) for scene in (with_idle, scene_from_text(REDUCED))
    )
    for name in ("position", "velocity"):
        np.testing.assert_allclose(found[name].values, plain[name].values, atol=1e-11)


def test_a_contact_at_the_pivot_of_a_reduced_joint_makes_no_energy():
    scene = scene_from_text("""
bodies: {b: {mass: 1, inertia: [.06, .06, .09], position: [.3, .1, .3], points: {p: [-.3, -.1, 0], q: [.3, .1, .05]}}}
robots: {j: {position: [0, 0, .3]}}
joints: {k: {kind: ball, from: j, to: b.p, reduced: true}}
ground: {friction: 0.4, contacts: [b.q, b.p]}
""")
    energy = towsim.simulate(beside(scene, "wheel"), duration=1.0, step=H)["energy"].values
    assert np.diff(energy).max() < 1e-9 * energy[0]
    assert energy[-1] < 0.6 * energy[0]  # its end came down on the ground
