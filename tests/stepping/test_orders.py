"""Observed order of convergence in smooth motion, and how stretch goes with the step. Both methods.

Every scene starts off equilibrium: from rest in equilibrium even Stewart–Trinkle's *positions* are of order 2, because
its velocities are then those of the middle of each step.

Errors are against SHAKE with a step sixteen times finer than the finest one judged.
"""

from itertools import pairwise

import numpy as np
import pytest

import scenarios
import towsim
from towsim.scene import scene_from_data

METHODS = ("stewart-trinkle", "shake")
ORDER = {"stewart-trinkle": 1.0, "shake": 2.0}


def tumbling():
    """A body of three different moments tumbles on two wires, one to a moving robot.

    They hold it near its centre of mass, so that they stay taut while it turns by more than five radians.
    """
    points = {"p": [0.03, 0.01, 0.02], "n": [-0.02, 0.01, -0.02]}
    body = {
        "mass": 2.0,
        "inertia": [0.02, 0.05, 0.06],
        "position": [0.0, 0.0, -1.0],
        "points": points,
        "quaternion": [0.9, 0.2, -0.3, 0.1],
    }
    scene = scene_from_data({"bodies": {"b": body}})
    R = scene.bodies["b"].rotation_matrix()
    ends = {name: R @ np.array(at) + [0, 0, -1.0] for name, at in points.items()}
    posts = {"p": np.array([0.4, 0.2, 0.1]), "n": np.array([-0.5, -0.1, 0.0])}
    n = {name: (posts[name] - ends[name]) / np.linalg.norm(posts[name] - ends[name]) for name in posts}
    # Start velocity: tumbling, made tangential to both wires.
    J = np.array([[*n[name], *np.cross(ends[name] - [0, 0, -1.0], n[name])] for name in posts])
    wish = np.array([0.2, 0.3, 0.0, 3.0, -4.0, 5.0])
    start = wish - J.T @ np.linalg.solve(J @ J.T, J @ wish)
    body |= {"velocity": start[:3].tolist(), "angular_velocity": start[3:].tolist()}
    x, y, z = posts["p"]
    move = {"x": f"{x} + 0.1*sin(t)**2", "y": float(y), "z": f"{z} + 0.1*(1 - cos(2*t))"}
    return scene_from_data(
        {
            "bodies": {"b": body},
            "robots": {"p": {"motion": {"formula": move}}, "n": {"position": posts["n"].tolist()}},
            "wires": {
                name: {"from": f"b.{name}", "to": name, "length": float(np.linalg.norm(posts[name] - ends[name]))}
                for name in posts
            },
        }
    )


SCENES = {
    "three-robots-box": lambda: scenarios.get("three-robots-box").build(lean=5.0),
    "four-robots-box": lambda: scenarios.get("four-robots-box").build(lean=5.0),
    "chain in a gust": lambda: (
        scenarios.get("payload-chain").build(n=3).with_values({"bodies.b1.force": {"x": 2.0, "y": -1.0}})
    ),
    "crane in a gust": lambda: (
        scenarios.get("crane-winch").build(hoist_time=2.0).with_values({"bodies.load.force": {"y": 900.0}})
    ),
    "tumbling": tumbling,
}
DURATION = 0.8
STEPS = (8e-3, 4e-3, 2e-3)


def poses(scene, step, method):
    """Positions and quaternions at ten common times (10, nb, 7); stretch of the first step, and after the third."""
    result = towsim.simulate(scene, duration=DURATION, step=step, method=method)
    assert result.events.select("slack").to_dicts() == []  # smooth: the order is that of the method
    every = round(DURATION / 10 / step)
    both = np.concatenate([result["position"].values, result["quaternion"].values], axis=2)
    gap = result["gap"].values
    return both[every::every], -float(gap[1].min()), -float(gap[3:].min())


@pytest.fixture(scope="module", params=SCENES)
def case(request):
    scene = SCENES[request.param]()
    return scene, poses(scene, STEPS[-1] / 16, "shake")[0]


@pytest.mark.parametrize("method", METHODS)
def test_the_observed_order_is_the_declared_one(case, method):
    scene, reference = case
    errors = [np.abs(poses(scene, h, method)[0] - reference).max() for h in STEPS]
    orders = [np.log2(a / b) for a, b in pairwise(errors)]
    assert orders[-1] == pytest.approx(ORDER[method], abs=0.1), errors
    assert orders[0] == pytest.approx(ORDER[method], abs=0.3), errors  # a coarse step is farther from the limit


@pytest.mark.parametrize("method", METHODS)
def test_stretch_goes_with_the_square_of_the_step_or_its_fourth_power(case, method):
    """SHAKE's very first step knows no impulse to predict with, and may stretch by O(h³)."""
    scene, _ = case
    first, stretch = np.array([poses(scene, h, method)[1:] for h in STEPS]).T
    if stretch[0] < 1e-10:  # the crane's load moves so smoothly that SHAKE leaves nothing but rounding
        assert stretch.max() < 1e-10
        return
    assert np.log2(stretch[0] / stretch[1]) == pytest.approx(2 * ORDER[method], abs=0.35), stretch
    assert first[1] <= max(first[0] / 7.0 if method == "shake" else first[0] / 3.5, 1e-13), first


@pytest.mark.parametrize(("method", "bound"), [("stewart-trinkle", 2e-6), ("shake", 1e-7)])
@pytest.mark.parametrize("name", ["three-robots-box", "four-robots-box", "eight-wires-box"])
def test_the_reference_boxes_stay_within_their_stretch_bound(name, method, bound):
    """h = 1e-3, from equilibrium and from 5° beside it."""
    for lean in (0.0, 5.0):
        result = towsim.simulate(scenarios.get(name).build(lean=lean), duration=5.0, step=1e-3, method=method)
        assert -result["gap"].values.min() <= bound
        assert -result["gap"].values.min() == result.summary().stretch


@pytest.mark.parametrize("case", ["tumbling", "winch"])
def test_the_last_row_of_shake_is_of_order_2_as_those_before_it(case):
    """Velocity and tension at the end of a run, and of a simulation by hand, against those of a fine run there."""
    if case == "winch":
        scene = scenarios.get("crane-winch").build()
        scene = scene.with_values({"robots.trolley.motion.waypoints.t": [0.0, 3.0]})
    else:
        scene = tumbling()
    end, wire = 0.8, next(iter(scene.wires))
    fine = towsim.simulate(scene, method="shake", step=end / 6400, duration=end)
    velocity, tension = [], []
    for n in (40, 80, 160):
        run = towsim.simulate(scene, method="shake", step=end / n, duration=end)
        sim = towsim.Simulation(scene, method="shake", step=end / n)
        sim.step(n)
        assert sim["tension"].sel(wire=wire).item() == run["tension"].sel(wire=wire).values[-1]
        velocity.append(np.abs(run["velocity"].values[-1] - fine["velocity"].values[-1]).max())
        tension.append(abs(run["tension"].sel(wire=wire).values[-1] - fine["tension"].sel(wire=wire).values[-1]))
    for errors in (velocity, tension):
        orders = [np.log2(a / b) for a, b in pairwise(errors)]
        assert min(orders) > 1.7, (errors, orders)
