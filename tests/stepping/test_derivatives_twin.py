"""Independent twins: the steps of both methods as the theory pages have them, differentiated by complex steps.

f(θ + iε) = f(θ) + iε f′(θ) + O(ε²): with ε = 1e-200 the imaginary part is the derivative to rounding, without a
difference (Squire & Trapp, SIAM Review 40, 1998). Which wires act is decided by the real parts.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data

H, STEPS, TINY = 1e-3, 1200, 1e-200

THROWN = 800
"""Steps of SHAKE, until the load falls into the slack wire."""

NUMBERS = {
    "bodies.load.mass": 1.2,
    "bodies.load.drag.linear": 0.3,
    "bodies.load.drag.quadratic": 0.1,
    "wires.left.length": 1.15,
    "wires.right.length": 1.3,
    "bodies.load.position.0": 0.4,
    "bodies.load.position.2": 1.0,
    "bodies.load.velocity.1": 0.4,
}


def _scene(values=NUMBERS):
    path = {"x": "0.3*sin(2*t)", "y": 0.0, "z": "2+0.2*sin(3*t)"}
    load = {
        "mass": values["bodies.load.mass"],
        "point": True,
        "position": [values["bodies.load.position.0"], 0.1, values["bodies.load.position.2"]],
        "velocity": [values.get(f"bodies.load.velocity.{i}", usual) for i, usual in enumerate((0.1, 0.0, 0.0))],
        "drag": {kind: values.get(f"bodies.load.drag.{kind}", 0.0) for kind in ("linear", "quadratic")},
    }
    return scene_from_data(
        {
            "name": "twin",
            "robots": {"a": {"motion": {"formula": path}}, "b": {"position": [1.0, 0.5, 2.0]}},
            "bodies": {"load": load},
            "wires": {
                "left": {"from": "a", "to": "load", "length": values["wires.left.length"]},
                "right": {"from": "b", "to": "load", "length": values["wires.right.length"]},
            },
        }
    )


def _twin(values):
    """Places and velocities after each step, and which wires act in it, of a point mass on two wires."""
    m, c1, c2, *lengths = (values[name] for name in list(NUMBERS)[:5])
    x = np.array([values["bodies.load.position.0"], 0.1, values["bodies.load.position.2"]], complex)
    v = np.array([0.1, values["bodies.load.velocity.1"], 0.0], complex)
    places, speeds, acting = [], [], []
    for k in range(STEPS):
        ends, rates = _ends(k * H)
        distance, n = _along(x, ends)
        heavy = m + H * (c1 + c2 * np.sqrt((v * v).sum()))
        free = (m * v + H * m * np.array([0.0, 0.0, -9.81])) / heavy
        q = -n @ free + (np.array(lengths) - distance) / H + (n * rates).sum(axis=1)
        A = n @ n.T / heavy
        p, on = _solved(A, q)
        v = free - n.T @ p / heavy
        x = x + H * v
        places.append(x)
        speeds.append(v)
        acting.append(on)
    return np.array(places), np.array(speeds), acting


def _ends(t):
    """Places and velocities of the two robots."""
    places = np.array([[0.3 * np.sin(2 * t), 0.0, 2 + 0.2 * np.sin(3 * t)], [1.0, 0.5, 2.0]])
    return places, np.array([[0.6 * np.cos(2 * t), 0.0, 0.6 * np.cos(3 * t)], [0.0, 0.0, 0.0]])


def _along(x, ends):
    """Distances of the load from the robots, and directions."""
    away = x - ends
    distance = np.sqrt((away * away).sum(axis=1))  # not of absolute values: it is differentiated
    return distance, away / distance[:, None]


def _solved(A, q):
    """The complementary solution, by trying every active set on the real parts."""
    for on in product((False, True), repeat=2):
        some, p = np.flatnonzero(on), np.zeros(2, complex)
        if len(some):
            p[some] = np.linalg.solve(A[np.ix_(some, some)], -q[some])
        w = A @ p + q
        if (p.real >= 0.0).all() and (w.real[~np.array(on)] >= 0.0).all():
            return p, on
    raise AssertionError("no complementary solution")


@pytest.fixture(scope="module")
def found():
    model = towsim.compile(_scene(), step=H, method="stewart-trinkle")
    return model.sensitivities([*NUMBERS], ["position", "velocity"], duration=STEPS * H)


def test_the_twin_takes_the_same_steps(found):
    places, speeds, acting = _twin(NUMBERS)
    np.testing.assert_allclose(found.result["position"].values[1:, 0], places.real, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.result["velocity"].values[1:, 0], speeds.real, rtol=0, atol=1e-8)
    assert len(set(acting)) >= 3  # none, one, and both wires
    assert {"jerk", "slack"} <= {event.kind for event in found.result.events}


@pytest.mark.parametrize("path", NUMBERS)
def test_derivatives_through_slack_and_taut_are_those_of_the_twin(found, path):
    places, speeds, _ = _twin({**NUMBERS, path: NUMBERS[path] + 1j * TINY})
    for name, values in (("position", places), ("velocity", speeds)):
        expected = values.imag / TINY
        mine = found[name].sel(parameter=path).values[1:, 0]
        np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-7 * np.abs(expected).max(), err_msg=name)


def _taut_start():
    """Numbers with which both wires are taut at the start without a jerk, whose impulse would predict nothing."""
    x = np.array([0.4, 0.1, 1.0])
    ends, rates = _ends(0.0)
    distance, n = _along(x, ends)
    vx, vy = np.linalg.solve(n[:, :2], (n * rates).sum(axis=1) - n[:, 2])
    return {
        "bodies.load.mass": 1.2,
        "bodies.load.drag.linear": 0.3,
        "wires.left.length": float(distance[0]),
        "wires.right.length": float(distance[1]),
        "bodies.load.position.0": 0.4,
        "bodies.load.position.2": 1.0,
        "bodies.load.velocity.0": float(vx),
        "bodies.load.velocity.1": float(vy),
        "bodies.load.velocity.2": 1.0,
    }


TAUT = _taut_start()


def _shake_twin(values):
    """Places after each step, forces of each kick, and which wires act in it, of a point mass on two wires."""
    m, c, *lengths = (values[name] for name in list(TAUT)[:4])
    x = np.array([values["bodies.load.position.0"], 0.1, values["bodies.load.position.2"]], complex)
    v = np.array([values[f"bodies.load.velocity.{i}"] for i in range(3)], complex)
    expected, places, forces, acting = np.zeros(2, complex), [], [], []
    for k in range(THROWN):
        span = H if k else 0.5 * H
        _, n = _along(x, _ends(k * H)[0])
        heavy = m + 0.5 * span * c
        free = ((m - 0.5 * span * c) * v + span * m * np.array([0.0, 0.0, -9.81])) / heavy
        A = n @ n.T / heavy
        for _ in range(1 if k else 2):  # nothing predicts the first kick: it is solved twice
            ahead = x + H * (free - n.T @ expected / heavy)
            distance, _ = _along(ahead, _ends((k + 1) * H)[0])
            expected, on = _solved(A, (np.array(lengths) - distance) / H - A @ expected)
        v = free - n.T @ expected / heavy
        x = x + H * v
        places.append(x)
        forces.append(expected / span)
        acting.append(on)
        expected = expected * (H / span)
    return np.array(places), np.array(forces), acting


def test_derivatives_of_shake_are_those_of_its_twin():
    """Both wires pull, then the load is thrown up and the second one goes slack."""
    model = towsim.compile(_scene(TAUT), step=H, method="shake")
    found = model.sensitivities([*TAUT], ["position", "tension"], duration=THROWN * H)
    places, forces, acting = _shake_twin(TAUT)
    np.testing.assert_allclose(found.result["position"].values[1:, 0], places.real, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.result["tension"].values[:-1], forces.real, rtol=0, atol=1e-5)
    assert set(acting) == {(True, True), (True, False)}
    assert "jerk" not in {event.kind for event in found.result.events}
    for path in TAUT:
        places, forces, _ = _shake_twin({**TAUT, path: TAUT[path] + 1j * TINY})
        for values, mine in ((places, found["position"].values[1:, 0]), (forces, found["tension"].values[:-1])):
            expected = values.imag / TINY
            tolerance = 1e-7 * np.abs(expected).max()
            np.testing.assert_allclose(
                mine[..., list(TAUT).index(path)], expected, rtol=0, atol=tolerance, err_msg=path
            )
