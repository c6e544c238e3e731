"""How a slack cable starts: at rest, by the balance of its elements, whatever the span."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import special_ortho_group

import towsim
from towsim.model.hanging import hang

ROPE = {
    "diameter": 0.01,
    "mass_per_length": 0.2,
    "axial_stiffness": 2e4,
    "bending_stiffness": 0.0,
    "axial_damping": 400.0,
}


def test_elements_reach_from_end_to_end_and_what_each_bears_carries_its_weight():
    """N_i t_i − N_{i+1} t_{i+1} = Le ρ g with N_i = EA ε_i, in spans wide and narrow, of cables stiff and soft."""
    draw = np.random.default_rng(5)
    pushed = 0
    for k in range(600):
        n, length = int(draw.integers(3, 60)), 10.0 ** draw.uniform(-2.0, 3.0)
        span = draw.normal(size=3) * [1.0, 1.0, 1.0 if k % 3 else 1e-2] * (1.0 if k % 5 else [1e-2, 1e-2, 1.0])
        span *= length * draw.uniform(0.05, 0.999) / np.linalg.norm(span)
        turn, heavy = special_ortho_group.rvs(3, random_state=draw), 10.0 ** draw.uniform(-2.0, 3.0)
        if k % 7 == 0:
            span[:2] = 0.0  # one end right above the other
        span, weight = turn @ span, turn @ [0.0, 0.0, -heavy]
        stiffness = heavy * length * 10.0 ** draw.uniform(1.0, 6.0)
        along, extension = hang(span, length, n, stiffness, weight, turn @ [1.0, 0.0, 0.0])
        size = length / n
        reached = ((size + extension)[:, None] * along).sum(axis=0)
        np.testing.assert_allclose(np.linalg.norm(along, axis=1), 1.0, rtol=1e-12)
        # Forces that nearly vanish turn by rounding of the larger ones.
        np.testing.assert_allclose(reached, span, rtol=0, atol=1e-10 * length)
        force = (stiffness * extension / size)[:, None] * along
        np.testing.assert_allclose(force[:-1] - force[1:], [size * weight] * (n - 1), atol=1e-9 * np.abs(force).max())
        pushed += int((extension < 0.0).sum())
        assert (extension < 0.0).sum() <= 1
    assert pushed > 50  # loops that are narrower than an element


def line(first_joint: str, x: float, y: float, elements: int) -> towsim.Scene:
    """A line hangs in a loop from a robot to a heavy load right below or a little aside."""
    model = {"mrfe": {"elements": elements, "first_joint": first_joint}}
    return towsim.scene.scene_from_data(
        {
            "robots": {"eye": {"position": [0.0, 0.0, 2.0]}, "top": {"position": [x, y, 3.0]}},
            "bodies": {"load": {"mass": 50.0, "point": True, "position": [x, y, 1.1]}},
            "wires": {
                "hold": {"from": "load", "to": "top", "length": 1.9},
                "line": {"from": "eye", "to": "load", "length": 1.4, "model": model, "material": ROPE},
            },
        }
    )


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (0.05, 0.0), (0.0, 0.1), (0.2, 0.2)])
@pytest.mark.parametrize("first_joint", ["ball", "zy"])
def test_it_starts_at_rest_in_a_loop_narrower_than_an_element_and_above_itself(first_joint, x, y):
    run = towsim.simulate(line(first_joint, x, y, 6), duration=0.2, step=1e-3)
    place = run["node_position"].values
    np.testing.assert_allclose(place[0, 0, -1], [x, y, 1.1], rtol=0, atol=1e-12)
    # It falls by 0.2 m in that time if nothing bears it; its weight moves the load by what the wires give way.
    np.testing.assert_allclose(place, np.broadcast_to(place[0], place.shape), rtol=0, atol=1e-4)
