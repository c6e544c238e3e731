"""How a slack cable starts: at rest, by the balance of its elements, whatever the span."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from towsim.model.hanging import hang, hang_rates

ROPE = {
    "diameter": 0.01,
    "mass_per_length": 0.2,
    "axial_stiffness": 2e4,
    "bending_stiffness": 0.0,
    "axial_damping": 400.0,
}


def drawn(draw, k):
    """End (2,), length, elements, EA and weight per length of a slack cable; some spans are upright, some taut."""
    n, length = int(draw.integers(3, 60)), 10.0 ** draw.uniform(-2.0, 3.0)
    end = draw.normal(size=2) * [0.0 if k % 7 == 0 else 1e-2 if k % 5 == 0 else 1.0, 1e-2 if k % 3 == 0 else 1.0]
    end *= length * draw.uniform(0.05, 0.999) / np.linalg.norm(end)
    heavy = 10.0 ** draw.uniform(-2.0, 3.0)
    return np.array([abs(end[0]), end[1]]), length, n, heavy * length * 10.0 ** draw.uniform(2.0, 6.0), heavy


def test_elements_reach_from_end_to_end_and_what_each_bears_carries_its_weight():
    """N_i t_i − N_{i+1} t_{i+1} = Le ρ g with N_i = EA ε_i, in loops wide and narrow, of cables stiff and soft."""
    draw, pushed = np.random.default_rng(5), 0
    for k in range(600):
        end, length, n, stiffness, heavy = drawn(draw, k)
        along, extension = hang(end, length, n, stiffness, heavy)
        size = length / n
        reached = ((size + extension)[:, None] * along).sum(axis=0)
        # Forces that nearly vanish turn by rounding of the larger ones.
        np.testing.assert_allclose(reached, end, rtol=0, atol=1e-10 * length)
        np.testing.assert_allclose(np.linalg.norm(along, axis=1), 1.0, rtol=1e-12)
        force = (stiffness * extension / size)[:, None] * along
        weight = [[0.0, size * heavy]] * (n - 1)
        np.testing.assert_allclose(force[:-1] - force[1:], weight, rtol=0, atol=1e-9 * np.abs(force).max())
        assert (extension < 0.0).sum() <= 1
        pushed += int((extension < 0.0).sum())
    assert pushed > 50  # loops that are narrower than an element


def test_its_rates_are_those_of_shapes_beside_each_other():
    draw = np.random.default_rng(6)
    for k in range(100):
        end, length, n, stiffness, heavy = drawn(draw, k)
        end_rate, size_rate = draw.normal(size=2), draw.normal() / n
        shape = hang(end, length, n, stiffness, heavy)
        found = hang_rates(shape, length / n, stiffness, heavy, end_rate, size_rate)
        step = 1e-5 * (length - np.linalg.norm(end))
        forth, back = (
            hang(end + x * step * end_rate, length + x * step * n * size_rate, n, stiffness, heavy) for x in (1.0, -1.0)
        )
        for rate, far, near in zip(found, forth, back, strict=True):
            expected = (far - near) / (2.0 * step)
            np.testing.assert_allclose(rate, expected, rtol=0, atol=2e-4 * max(np.abs(expected).max(), 1e-9 / step))


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


def towed(end: str, stiffness: float, rate: float) -> towsim.Scene:
    """A line of 10 m in a loop between posts 5 m apart, of which one moves, or from which it is reeled out."""
    motion = {"profile": {"start": [5.0, 0.0, 0.0], "t": [0.0, 10.0], "velocity": [[1.0, 0.5, 0.2]] * 2}}
    line = {"from": "still", "to": "moves"} if end == "to" else {"from": "moves", "to": "still"}
    line |= {"length": {"formula": f"10 + {rate}*t"} if rate else 10.0, "model": {"mrfe": {"elements": 10}}}
    line["material"] = {
        "mass_per_length": 1.0,
        "diameter": 0.02,
        "axial_stiffness": stiffness,
        "bending_stiffness": 0.0,
    }
    robots = {"still": {"position": [0.0, 0.0, 0.0]}, "moves": {"motion": motion}}
    return towsim.scene.scene_from_data({"robots": robots, "wires": {"line": line}})


@pytest.mark.parametrize("rate", [0.0, 0.5])
def test_a_slack_line_whose_end_moves_from_the_start_is_not_jerked_however_stiff_it_is(rate):
    """It bears little more than at rest, by the inertia of what moves; stretched at v/n it would bear v √(EA ρ)."""
    at_rest = towsim.simulate(towed("to", 1e5, rate), duration=1e-3, step=1e-3)["tension"].values[0, 0]
    for stiffness in (1e5, 1e7):
        forth, back = (towsim.simulate(towed(end, stiffness, rate), duration=0.2, step=1e-3) for end in ("to", "from"))
        np.testing.assert_allclose(forth["tension"].values, at_rest, rtol=0.05)
        # It is all the same which end is the first one: but for angles, which are those of another chain.
        places = forth["node_position"].values, back["node_position"].values[:, :, ::-1]
        np.testing.assert_allclose(*places, rtol=0, atol=1e-5)


@pytest.mark.parametrize("first_joint", ["ball", "zy"])
def test_a_narrow_loop_that_is_moved_across_its_plane_is_not_jerked(first_joint):
    """The first element of ``zy`` stands nearly upright, and could follow only by spinning about the vertical."""
    motion = {"profile": {"start": [0.0, 0.0, 2.0], "t": [0.0, 10.0], "velocity": [[0.3, 1.5, 0.0]] * 2}}
    scene = line(first_joint, 0.12, 0.03, 11)
    moved = scene.replace(robots={"eye": {"motion": motion}, "top": {"position": [0.12, 0.03, 3.0]}})
    run = towsim.simulate(moved, duration=4e-3, step=2e-4)
    assert run["tension"].sel(wire="line").values[:6].max() < 0.2 * 1.4 * 9.81
