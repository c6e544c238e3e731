"""An independent twin: the step of Stewart and Trinkle as the theory page has it, differentiated by complex steps.

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


def _scene():
    values = NUMBERS
    path = {"x": "0.3*sin(2*t)", "y": 0.0, "z": "2+0.2*sin(3*t)"}
    load = {
        "mass": values["bodies.load.mass"],
        "point": True,
        "position": [values["bodies.load.position.0"], 0.1, values["bodies.load.position.2"]],
        "velocity": [0.1, values["bodies.load.velocity.1"], 0.0],
        "drag": {
            "linear": values["bodies.load.drag.linear"],
            "quadratic": values["bodies.load.drag.quadratic"],
        },
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
        t = k * H
        ends = np.array([[0.3 * np.sin(2 * t), 0.0, 2 + 0.2 * np.sin(3 * t)], [1.0, 0.5, 2.0]])
        rates = np.array([[0.6 * np.cos(2 * t), 0.0, 0.6 * np.cos(3 * t)], [0.0, 0.0, 0.0]])
        away = x - ends
        distance = np.sqrt((away * away).sum(axis=1))  # not of absolute values: it is differentiated
        n = away / distance[:, None]
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
