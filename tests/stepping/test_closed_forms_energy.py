"""No energy out of nothing: what a scene without losses has at the start it has after many swings.

The error comes and goes with the swing, O(h) for Stewart–Trinkle and O(h²) for SHAKE; it does not grow with time.
"""

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
G = 9.81


def bob():
    """A pendulum that circles and swings in space: it is smooth, and never slack."""
    return {
        "bodies": {"b": {"mass": 2.0, "point": True, "position": [0.8, 0.0, -0.6], "velocity": [0.0, 1.2, 0.0]}},
        "robots": {"post": {"position": [0, 0, 0]}},
        "wires": {"w": {"from": "b", "to": "post", "length": 1.0}},
    }


def spinning_box():
    """A box that swings and turns on one wire from a point of its top, with three different moments of inertia."""
    return {
        "bodies": {
            "b": {
                "mass": 2.0,
                "shape": {"box": [0.4, 0.3, 0.2]},
                "position": [0.3, 0.0, -1.0],
                "velocity": [0.0, 0.5, 0.0],
                "angular_velocity": [0.0, 0.0, 3.0],
                "points": {"p": [0.0, 0.0, 0.1]},
            }
        },
        "robots": {"post": {"position": [0, 0, 0]}},
        "wires": {"w": {"from": "b.p", "to": "post", "length": float(np.hypot(0.3, 0.9))}},
    }


def energy(result, inertia):
    from scipy.spatial.transform import Rotation

    R = Rotation.from_quat(result["quaternion"].values[:, 0], scalar_first=True)
    spin = R.apply(result["angular_velocity"].values[:, 0], inverse=True)
    kinetic = np.sum(result["velocity"].values[:, 0] ** 2, axis=1) + np.sum(spin**2 * inertia, axis=1) / 2.0
    return kinetic + 2.0 * G * result["position"].values[:, 0, 2]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("made", [bob, spinning_box])
def test_the_error_of_energy_has_the_order_of_the_method_and_does_not_grow(made, method):
    scene = scene_from_data(made())
    body = scene.bodies["b"]
    inertia = np.diag(body.inertia_matrix())
    worst = []
    for h in (4e-3, 2e-3):
        result = towsim.simulate(scene, duration=40.0, step=h, method=method)
        assert result.events.select("slack").to_dicts() == []
        found = energy(result, inertia)
        error = found[4:-1] - found[0]  # SHAKE's last velocity is from half a kick of another kind
        worst.append(np.abs(error).max())
        early, late = error[: len(error) // 4], error[-(len(error) // 4) :]
        # Growth over some twenty swings would show in the last quarter: it is no more than what comes and goes.
        assert np.abs(late).max() < 1.2 * np.abs(early).max()
        assert abs(late.mean() - early.mean()) < 0.2 * worst[-1]
    order = 1.0 if method == "stewart-trinkle" else 2.0
    assert np.log2(worst[0] / worst[1]) == pytest.approx(order, abs=0.15)
    assert worst[1] < (25.0 * 2e-3 if order == 1.0 else 100.0 * 2e-3**2)  # gravity's power is some 25 W


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_thousand_swings_keep_their_height(method):
    """Planar pendulum from 60°: the turning points after 2000 s are those of the beginning."""
    start = np.radians(60.0)
    data = bob()
    data["bodies"]["b"] |= {"position": [np.sin(start), 0, -np.cos(start)], "velocity": [0, 0, 0]}
    result = towsim.simulate(scene_from_data(data), duration=2000.0, step=4e-3, method=method)
    z = result["position"].values[:, 0, 2]
    swing = 600  # rows: more than a period
    assert z[:swing].max() == pytest.approx(z[-swing:].max(), abs=2e-3 if method == "stewart-trinkle" else 2e-5)
