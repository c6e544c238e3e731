"""Loads at rest, lifted or towed steadily: tensions by statics and by Newton's law. Both methods."""

import numpy as np
import pytest
from scipy.optimize import fsolve

import towsim
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
G = 9.81
SETTLED = 4
"""First row to judge: SHAKE's first kick predicts the pose without an impulse, which its next two make up for, and
Stewart–Trinkle learns of curvature and acceleration from the gaps that its first steps leave."""

RNG = np.random.default_rng(20)


def run(bodies, robots, wires, *, duration, step, method, **scene):
    data = {"bodies": bodies, "robots": robots, "wires": wires, **scene}
    return towsim.simulate(scene_from_data(data), duration=duration, step=step, method=method)


def limit(method, step, first, second):
    """Error bound: ``first`` · h or ``second`` · h², by the order of the method."""
    return first * step if method == "stewart-trinkle" else second * step**2


def hung(ends, posts, body, **options):
    """A body named b on straight taut wires from its points ``ends`` (n, 3) to ``posts`` (n, 3), at rest."""
    names = [f"p{i}" for i in range(len(ends))]
    point = body.get("point", False)
    if not point:
        body = body | {"points": {name: list(end) for name, end in zip(names, ends, strict=True)}}
    wires = {
        name: {"from": "b" if point else f"b.{name}", "to": name, "length": float(np.linalg.norm(post - end))}
        for name, end, post in zip(names, ends, posts, strict=True)
    }
    robots = {name: {"position": [float(x) for x in post]} for name, post in zip(names, posts, strict=True)}
    return run({"b": body}, robots, wires, **options)


@pytest.mark.parametrize("method", METHODS)
def test_lift_at_constant_acceleration(method):
    """T = m (g + a) on one wire, and the sum of what hangs below on each wire of a chain."""
    a, masses, h = 2.5, [2.0, 0.5, 3.0], 1e-3
    bodies = {f"b{k}": {"mass": m, "point": True, "position": [0, 0, -1.0 - k]} for k, m in enumerate(masses)}
    wires = {f"w{k}": {"from": f"b{k}", "to": f"b{k - 1}" if k else "r", "length": 1.0} for k in range(3)}
    robot = {"r": {"motion": {"formula": {"z": f"0.5*{a}*t**2"}}}}
    result = run(bodies, robot, wires, duration=1.0, step=h, method=method)
    expected = (G + a) * np.cumsum(masses[::-1])[::-1]
    assert result["tension"].values[SETTLED:-1] == pytest.approx(np.tile(expected, (996, 1)), rel=1e-9)
    lifted = result["position"].values[:, :, 2] - result["position"].values[0, :, 2]
    assert np.abs(lifted - 0.5 * a * result.time[:, None] ** 2).max() < 1.5 * h * h * a + 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_statics_of_a_tripod(method):
    """T = m g / (3 cos α)."""
    m, slope, L = 4.0, np.radians(35.0), 1.2
    azimuth = 2 * np.pi / 3 * np.arange(3)
    ends = np.zeros((3, 3))
    posts = L * np.stack([np.sin(slope) * np.cos(azimuth), np.sin(slope) * np.sin(azimuth), [np.cos(slope)] * 3], 1)
    result = hung(ends, posts, {"mass": m, "point": True}, duration=1.0, step=1e-2, method=method)
    assert result["tension"].values[SETTLED:] == pytest.approx(m * G / (3 * np.cos(slope)), rel=1e-9)
    assert np.abs(result["position"].values[SETTLED:]).max() < 1e-12
    assert result["rank"].values[1:].min() == 3


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", range(5))
def test_statics_of_a_load_on_three_wires(case, method):
    """Σ T n = m g z for any three directions around the vertical: the tensions are unique and solve a 3×3 system."""
    m = RNG.uniform(0.1, 100.0)
    azimuth = 2 * np.pi / 3 * np.arange(3) + RNG.uniform(-0.4, 0.4, 3)
    n = np.stack([np.cos(azimuth), np.sin(azimuth), RNG.uniform(0.3, 3.0, 3)], 1)
    posts = n * RNG.uniform(0.2, 3.0, (3, 1))
    n /= np.linalg.norm(n, axis=1)[:, None]
    expected = np.linalg.solve(n.T, [0, 0, m * G])
    assert expected.min() > 0.0
    result = hung(np.zeros((3, 3)), posts, {"mass": m, "point": True}, duration=0.3, step=1e-2, method=method)
    assert result["tension"].values[SETTLED:] == pytest.approx(np.tile(expected, (27, 1)), rel=1e-8)
    assert result["tension_unique"].values[1:].all()


@pytest.mark.parametrize("method", METHODS)
def test_statics_of_a_point_on_four_wires_is_a_matter_of_their_sum(method):
    """Four wires to a point have rank three: the tensions are not unique and said not to be; their resultant is m g."""
    m, slope, L = 4.0, np.radians(35.0), 1.2
    azimuth = 0.2 + np.pi / 2 * np.arange(4)
    n = np.stack([np.sin(slope) * np.cos(azimuth), np.sin(slope) * np.sin(azimuth), [np.cos(slope)] * 4], 1)
    result = hung(np.zeros((4, 3)), L * n, {"mass": m, "point": True}, duration=0.5, step=1e-2, method=method)
    tension = result["tension"].values[SETTLED:]
    assert np.abs(tension @ n - [0, 0, m * G]).max() < 1e-8
    assert tension.min() >= 0.0
    assert (result["rank"].values[1:] == 3).all()
    assert not result["tension_unique"].values[1:].any()


@pytest.mark.parametrize("method", METHODS)
def test_statics_of_a_box_on_four_wires(method):
    """A box whose centre of mass is off the middle: wires at its corners bear by the lever rule."""
    m, a, b, dx, dy = 6.0, 0.4, 0.3, 0.1, -0.05  # half edges, place of the centre
    corners = np.array([[a, b], [-a, b], [-a, -b], [a, -b]])
    ends = np.c_[corners - [dx, dy], np.full(4, 0.2)]
    posts = ends + np.array([0, 0, 1.0])
    result = hung(ends, posts, {"mass": m, "inertia": [0.3, 0.4, 0.5]}, duration=1.0, step=1e-2, method=method)
    tension = result["tension"].values[SETTLED:]
    # Vertical wires: rank three, so only the resultants are determined.
    assert np.abs(tension.sum(axis=1) - m * G).max() < 1e-8
    assert np.abs(tension @ ends[:, :2]).max() < 1e-8
    assert np.abs(result["position"].values).max() < 1e-10


@pytest.mark.parametrize("method", METHODS)
def test_statics_of_a_body_on_six_wires(method):
    """Six wires of rank six: the tensions are unique and solve a 6×6 system of forces and moments."""
    m = 5.0
    corner = np.repeat(2 * np.pi / 3 * np.arange(3), 2)
    side = np.tile([1.0, -1.0], 3)
    ends = np.stack([0.3 * np.cos(corner + 0.2 * side), 0.3 * np.sin(corner + 0.2 * side), np.full(6, 0.1)], 1)
    posts = np.stack([0.8 * np.cos(corner + 0.8 * side), 0.8 * np.sin(corner + 0.8 * side), np.full(6, 1.3)], 1)
    ends[:, 0] += 0.02  # not symmetric about the centre of mass
    n = (posts - ends) / np.linalg.norm(posts - ends, axis=1)[:, None]
    wrench = np.concatenate([n, np.cross(ends, n)], axis=1)
    expected = np.linalg.solve(wrench.T, [0, 0, m * G, 0, 0, 0])
    assert expected.min() > 0.1
    result = hung(ends, posts, {"mass": m, "inertia": [0.1, 0.2, 0.25]}, duration=0.5, step=1e-2, method=method)
    assert result["tension"].values[SETTLED:] == pytest.approx(np.tile(expected, (47, 1)), rel=1e-7)
    assert (result["rank"].values[1:] == 6).all()
    assert result["tension_unique"].values[1:].all()


@pytest.mark.parametrize("method", METHODS)
def test_steady_circular_tow_with_quadratic_drag(method):
    """In the turning frame the wire bears centrifugal force, drag and weight; the load lags behind the robot."""
    m, k, L, radius, rate, h = 2.0, 0.3, 3.0, 2.0, 1.2, 1e-3

    def force(r):
        return np.array([-m * rate**2 * r, k * (rate * r) ** 2, m * G])  # radial, along, up

    def misfit(r):
        pull = force(r[0])
        robot = np.array([r[0], 0.0]) + L * pull[:2] / np.linalg.norm(pull)
        return np.hypot(*robot) - radius

    (r,) = fsolve(misfit, 2.5, xtol=1e-13)
    pull = force(r)
    total = np.linalg.norm(pull)
    robot = np.array([r, 0.0, 0.0]) + L * np.array([pull[0], pull[1], pull[2]]) / total
    load = {"mass": m, "point": True, "position": [r, 0, 0], "velocity": [0, rate * r, 0], "drag": {"quadratic": k}}
    circle = {"center": [0, 0, robot[2]], "radius": radius, "rate": rate, "phase": np.arctan2(robot[1], robot[0])}
    result = run(
        {"b": load},
        {"r": {"motion": {"circle": circle}}},
        {"w": {"from": "b", "to": "r", "length": L}},
        duration=12.0,
        step=h,
        method=method,
    )
    position, angle = result["position"].values[:, 0], rate * result.time
    steady = np.stack([r * np.cos(angle), r * np.sin(angle), 0 * angle], 1)
    assert np.abs(position - steady).max() < limit(method, h, 2 * rate * r, 3 * rate**2 * r)
    assert np.abs(result["tension"].values[SETTLED:-1] - total).max() < limit(method, h, 2 * rate * total, 5 * total)


@pytest.mark.parametrize("method", METHODS)
def test_a_straight_tow_against_drag_bears_the_drag(method):
    """At constant speed v a sled of linear drag c on wires at ±α bears T = c v / (2 cos α)."""
    c, v, alpha, L = 30.0, 0.7, np.radians(30.0), 2.0
    x, y = L * np.cos(alpha), L * np.sin(alpha)
    result = run(
        {"b": {"mass": 10.0, "point": True, "velocity": [v, 0, 0], "drag": {"linear": c}}},
        {name: {"motion": {"formula": {"x": f"{x} + {v}*t", "y": s * y}}} for name, s in (("p", 1), ("n", -1))},
        {name: {"from": "b", "to": name, "length": L} for name in ("p", "n")},
        gravity=[0, 0, 0],
        duration=2.0,
        step=1e-2,
        method=method,
    )
    assert result["tension"].values[SETTLED:] == pytest.approx(c * v / (2 * np.cos(alpha)), rel=1e-9)
    assert np.abs(result["position"].values[:, 0, 0] - v * result.time)[SETTLED:].max() < 1e-11
