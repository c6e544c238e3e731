"""Planar towing of a sliding load by several robots, slowly: the problem of Cheng, Fink, Kumar & Pang.

Without inertia, among all twists (u, ω) that keep the wires whole the load takes the one that friction resists least:

    min Σ μ N_i ‖u_i(u, ω)‖    subject to    n_j·u_j(u, ω) ≥ n_j·v_j    for every taut wire j

a convex program in three unknowns, solved here with SciPy at poses of the run. The wires pull at the height of the
feet, so that the loads N_i are those of statics.
"""

import numpy as np
import pytest
from scipy.optimize import minimize

import towsim
from towsim.scene import scene_from_data

MU, LENGTH, SPEED = 0.5, 0.6, 0.05
FEET = {"f0": [0.2, 0.05, -0.02], "f1": [-0.2, 0.15, -0.02], "f2": [-0.1, -0.15, -0.02]}
EYES = {"e0": [0.2, 0.15, -0.02], "e1": [0.2, -0.15, -0.02], "e2": [-0.2, -0.15, -0.02]}
HEADINGS = {2: (15.0, -40.0), 3: (12.0, -8.0, -35.0)}


def tow(robots, speed=SPEED):
    bodies = {
        "plate": {"mass": 4.0, "shape": {"box": [0.4, 0.3, 0.04]}, "position": [0, 0, 0.02], "points": FEET | EYES}
    }
    hands, wires = {}, {}
    for i, heading in enumerate(HEADINGS[robots]):
        c, s = float(np.cos(np.radians(heading))), float(np.sin(np.radians(heading)))
        x, y, _ = EYES[f"e{i}"]
        path = {"x": f"{x + LENGTH * c!r} + {speed * c!r}*t", "y": f"{y + LENGTH * s!r} + {speed * s!r}*t"}
        hands[f"r{i}"] = {"motion": {"formula": path}}
        wires[f"w{i}"] = {"from": f"plate.e{i}", "to": f"r{i}", "length": LENGTH}
    scene = scene_from_data(
        {
            "bodies": bodies,
            "robots": hands,
            "wires": wires,
            "ground": {"friction": MU, "contacts": [f"plate.{foot}" for foot in FEET]},
            "run": {"duration": 0.4 / speed, "step": 2e-3},
        }
    )
    return scene, towsim.simulate(scene)


def loads():
    """Loads of the three feet from statics [N]."""
    x = np.array(list(FEET.values()))[:, :2]
    return np.linalg.solve(np.vstack([np.ones(3), x.T]), [4.0 * 9.81, 0.0, 0.0])


def least_friction(arms, N, pulls):
    """The twist (u_x, u_y, ω) of least dissipation; pulls: (arm, n, n·v) of every taut wire."""

    def velocity(twist, arm):
        return twist[:2] + twist[2] * np.array([-arm[1], arm[0]])

    def dissipation(twist):
        slip = [np.sqrt((velocity(twist, arm) ** 2).sum() + 1e-14) for arm in arms]
        return float(N @ slip) / N.sum()

    rules = [{"type": "ineq", "fun": lambda twist, a=arm, n=n, v=v: n @ velocity(twist, a) - v} for arm, n, v in pulls]
    best = None
    for start in ([1.0, 0.0, 0.0], [0.5, -0.5, 0.5], [0.5, 0.5, -0.5]):
        answer = minimize(
            dissipation, start, constraints=rules, method="SLSQP", options={"ftol": 1e-12, "maxiter": 500}
        )
        kept = all(rule["fun"](answer.x) > -1e-8 for rule in rules)
        if kept and (best is None or answer.fun < best.fun):
            best = answer
    assert best is not None
    return best.x


@pytest.mark.parametrize("robots", [2, 3])
def test_a_slow_load_moves_as_friction_resists_least(robots):
    scene, result = tow(robots)
    assert (result["status"].values == 0).all()
    N = loads()
    names = list(scene.wires)
    compared = 0
    for k in range(len(result.time) // 5, len(result.time), len(result.time) // 6):
        q = result["quaternion"].values[k, 0]
        yaw = 2.0 * np.arctan2(q[3], q[0])
        R = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
        arms = [R @ np.array(foot[:2]) for foot in FEET.values()]
        pulls = []
        for i in range(len(names)):
            arm = R @ np.array(EYES[f"e{i}"][:2])
            apart = result["robot_position"].values[k, i, :2] - result["position"].values[k, 0, :2] - arm
            n = apart / np.linalg.norm(apart)
            heading = np.radians(HEADINGS[robots][i])
            if result["tension"].values[k - 5 : k + 1, i].min() > 0.0:
                pulls.append((arm, n, n @ [np.cos(heading), np.sin(heading)]))
        twist = least_friction(arms, N, pulls)
        v, w = result["velocity"].values[k, 0] / SPEED, result["angular_velocity"].values[k, 0] / SPEED
        np.testing.assert_allclose([v[0], v[1], 0.2 * w[2]], [twist[0], twist[1], 0.2 * twist[2]], atol=1e-2)
        compared += 1
    assert compared >= 4


def test_the_feet_bear_what_statics_says():
    _, result = tow(2)
    np.testing.assert_allclose(result["contact_force"].values[-1, :, 2], loads(), rtol=1e-3)
