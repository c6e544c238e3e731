"""Wires over rings and pulleys: one tension from end to end. Both methods."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import towsim
from towsim.scene import Scene, scene_from_data

G = 9.81
METHODS = ("stewart-trinkle", "shake")


def bob(mass: float, *position: float) -> dict[str, object]:
    return {"mass": mass, "point": True, "position": list(position)}


def atwood(m1: float, m2: float) -> Scene:
    return scene_from_data(
        {
            "bodies": {"a": bob(m1, -0.2, 0, -1), "b": bob(m2, 0.2, 0, -1)},
            "robots": {"left": {"position": [-0.2, 0, 0]}, "right": {"position": [0.2, 0, 0]}},
            "wires": {"rope": {"from": "a", "via": ["left", "right"], "to": "b", "length": 2.4}},
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_an_atwood_machine_falls_with_the_difference_over_the_sum_of_its_masses(
    method: str, simulate: Callable
) -> None:
    m1, m2, h = 1.0, 1.5, 1e-3
    result = simulate(atwood(m1, m2), method, duration=0.5, step=h)
    a = (m2 - m1) / (m1 + m2) * G
    z = result["position"].values[:, :, 2]
    late = 0.5 * a * h * result.time if method == "stewart-trinkle" else 0.0  # symplectic Euler from rest
    np.testing.assert_allclose(z[:, 0] + 1.0 - late, 0.5 * a * result.time**2, atol=1e-9)
    np.testing.assert_allclose(z.sum(axis=1), -2.0, atol=1e-9)
    np.testing.assert_allclose(result["tension"].values[2:-1, 0], 2 * m1 * m2 / (m1 + m2) * G, rtol=1e-8)


def tackle(parts: int, load: float, pull: float) -> Scene:
    """A block-and-tackle whose load hangs on so many parts of the rope; a counterweight hangs on its free end.

    The rope begins at the ceiling (even) or at the load (odd). Sheaves stand 1 cm apart, the load hangs 50 m below.
    """
    width, deep = 0.01, 50.0
    lower = [f"load.s{k}" for k in range((parts + 1) // 2)]
    upper = [f"t{k}" for k in range((parts + 1) // 2)]
    start, via = ("anchor", []) if parts % 2 == 0 else (lower[0], [upper[0]])
    for k in range(parts % 2, len(lower)):
        via += [lower[k], upper[k]]
    robots = {"anchor": {"position": [-width, 0, 0]}}
    robots |= {name: {"position": [width * (2 * k + 1), 0, 0]} for k, name in enumerate(upper)}
    points = {f"s{k}": [width * 2 * k, 0, 0] for k in range(len(lower))}
    out = width * (2 * len(upper) - 1)
    length = parts * np.hypot(deep, width) + deep
    return scene_from_data(
        {
            "bodies": {
                "load": {"mass": load, "inertia": [1e9, 1e9, 1e9], "position": [0, 0, -deep], "points": points},
                "weight": bob(pull, out, 0, -deep),
            },
            "robots": robots,
            "wires": {"rope": {"from": start, "via": via, "to": "weight", "length": length}},
        }
    )


@pytest.mark.parametrize("parts", [2, 3, 4, 5, 6])
def test_a_block_and_tackle_multiplies_the_pull_by_its_parts(parts: int, simulate: Callable) -> None:
    """The counterweight sinks n times as fast as the load rises: a = (n m − M)/(M + n² m) g."""
    load, pull, t = 100.0, 60.0, 0.3
    result = simulate(tackle(parts, load, pull), "shake", duration=t, step=1e-3)
    z = result["position"].values[-1, :, 2] + 50.0
    a = (parts * pull - load) / (load + parts**2 * pull) * G
    # The parts of the rope slant by 0.01/50.
    assert z[0] == pytest.approx(0.5 * a * t**2, rel=1e-6)
    assert z[1] == pytest.approx(-parts * 0.5 * a * t**2, rel=1e-6)
    tension = result["tension"].values[1:-1, 0]
    np.testing.assert_allclose(tension, load * (G + a) / parts, rtol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_ring_that_slides_on_a_wire_follows_its_ellipse(method: str, simulate: Callable, order: Callable) -> None:
    """A bead on a wire between two posts stays on an ellipse: against Lagrange's equation in its parameter."""
    c, L, h = 0.6, 2.0, 1e-3
    a, b = L / 2, np.sqrt((L / 2) ** 2 - c**2)
    start = -0.3
    scene = scene_from_data(
        {
            "bodies": {"ring": bob(1.0, a * np.cos(start), 0, b * np.sin(start))},
            "robots": {"p": {"position": [-c, 0, 0]}, "q": {"position": [c, 0, 0]}},
            "wires": {"w": {"from": "p", "via": ["ring"], "to": "q", "length": L}},
        }
    )

    def rates(_: float, y: np.ndarray) -> list[float]:
        s, k = np.sin(y[0]), np.cos(y[0])
        metric = a**2 * s**2 + b**2 * k**2
        return [y[1], -((a**2 - b**2) * s * k * y[1] ** 2 + G * b * k) / metric]

    errors = []
    for step in (2 * h, h):
        result = simulate(scene, method, duration=1.0, step=step)
        u = solve_ivp(rates, (0, 1), [start, 0], "DOP853", result.time, rtol=1e-11, atol=1e-12).y[0]
        path = np.stack([a * np.cos(u), 0 * u, b * np.sin(u)], axis=1)
        errors.append(float(np.abs(result["position"].values[:, 0] - path).max()))
        assert result.events.select("slack").to_dicts() == []
    assert order(errors) == pytest.approx({"stewart-trinkle": 1.0, "shake": 2.0}[method], abs=0.15)
    assert errors[1] < {"stewart-trinkle": 2e-2, "shake": 5e-5}[method]


@pytest.mark.parametrize("method", METHODS)
def test_a_wire_through_points_of_one_body_twice_makes_no_momentum(method: str, simulate: Callable) -> None:
    """Two tumbling bodies laced together by one wire that passes each of them twice."""
    points = {"p": [0.2, 0.1, 0.0], "q": [-0.1, 0.2, 0.1]}
    bodies = {
        name: {
            "mass": 1.0 + k,
            "inertia": [0.02, 0.05, 0.06],
            "position": [1.0 * k, 0, 0],
            "points": points,
            "velocity": [0.3 - k, 0.2, 0.1],
            "angular_velocity": [1.0, 2.0 * k, -1.0],
        }
        for k, name in enumerate("ab")
    }
    scene = scene_from_data(
        {
            "gravity": [0, 0, 0],
            "bodies": bodies,
            "wires": {"lace": {"from": "a.p", "via": ["b.q", "a.q"], "to": "b.p", "length": 3.2}},
        }
    )
    result = simulate(scene, method, duration=3.0, step=1e-3)
    assert len(result.events.select("jerk")) >= 1
    from scipy.spatial.transform import Rotation

    P, H = np.zeros(3), np.zeros(3)
    for name, body in scene.bodies.items():
        x, v = result["position"].sel(body=name).values, result["velocity"].sel(body=name).values
        R = Rotation.from_quat(result["quaternion"].sel(body=name).values, scalar_first=True)
        spin = R.apply(result["angular_velocity"].sel(body=name).values, inverse=True)
        P = P + body.mass * v
        H = H + body.mass * np.cross(x, v) + R.apply(spin @ body.inertia_matrix())
    assert np.abs(P - P[0]).max() < 1e-12
    assert np.abs(H - H[0]).max() < 1e-11


def test_every_back_end_and_both_loops_move_an_atwood_machine_alike(simulate: Callable) -> None:
    scene = atwood(1.0, 1.5)
    reference = simulate(scene, "stewart-trinkle", duration=0.1)
    for options in ({"loop": "python"}, {"solver": "lemke"}, {"solver": "pgs"}, {"form": "mlcp"}):
        result = simulate(scene, "stewart-trinkle", duration=0.1, **options)
        np.testing.assert_allclose(result["position"].values, reference["position"].values, atol=1e-9)


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        ({"from": "a", "via": ["left", "left"], "to": "b"}, "passes 'left' twice in a row"),
        ({"from": "left", "via": ["right"], "to": "far"}, "passes no points that can move apart"),
        ({"from": "a", "via": ["lft"], "to": "b"}, "unknown body or robot 'lft'"),
        ({"from": "a", "via": ["left", "twin"], "to": "b"}, "its points 'left' and 'twin' lie in one place"),
        ({"from": "a", "via": ["left", "right"], "to": "b", "length": 2.0}, r"over left, right is 2\.4 m long"),
        (
            {"from": "a", "via": ["left"], "to": "b", "model": {"spring": {"stiffness": 1.0}}},
            "via: is for rigid, elastic and mrfe wires",
        ),
    ],
)
def test_a_wrong_route_says_what_is_wrong(wire: dict[str, object], message: str) -> None:
    with pytest.raises(towsim.SceneError, match=message):
        scene_from_data(
            {
                "bodies": {"a": bob(1.0, -0.2, 0, -1), "b": bob(1.0, 0.2, 0, -1)},
                "robots": {
                    "left": {"position": [-0.2, 0, 0]},
                    "twin": {"position": [-0.2, 0, 0]},
                    "right": {"position": [0.2, 0, 0]},
                    "far": {"position": [5, 0, 0]},
                },
                "wires": {"w": {"length": 2.4} | wire},
            }
        ).check_start()


def test_a_path_over_rings_is_projected_to_its_length() -> None:
    scene = atwood(1.0, 1.5).with_values({"wires.rope.length": 2.2})
    moved = scene.project()
    moved.check_start()
    assert moved.bodies["a"].position[2] == pytest.approx(-0.88, abs=1e-9)  # the lighter one moves more
    assert moved.bodies["b"].position[2] == pytest.approx(-0.92, abs=1e-9)
