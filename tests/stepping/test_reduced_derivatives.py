"""Derivatives of runs in joint coordinates: differences of runs, and the same mechanism held by rows."""

from __future__ import annotations

import numpy as np
import pytest

import towsim
from tests.stepping.conftest import beside
from tests.stepping.test_reduced_joints import chain, crane
from towsim.errors import UsageError

OF = ["position", "quaternion", "velocity", "angular_velocity"]
LUFFING = {"luffing": {"bodies.jib.angular_velocity.1": 1.0, "bodies.jib.velocity.2": -0.4}}
"""A direction in which the jib turns about its hinge."""

OF_CRANE = {
    "bodies.boom.mass": 1e-2,
    "bodies.jib.shape.box.0": 1e-3,
    "bodies.jib.drag.linear": 1e-2,
    "bodies.jib.drag.angular": 1e-2,
    "bodies.jib.points.tip.0": 1e-5,
    "joints.slew.spring.stiffness": 1.0,
    "joints.slew.damping": 1e-1,
    "wires.rope.length": 1e-5,
    "gravity.2": 1e-2,
    "luffing": 1e-5,
}
OF_CHAIN = {
    "bodies.second.mass": 1e-3,
    "bodies.third.shape.box.0": 1e-3,
    "joints.rail.spring.rest": 1e-3,
    "gravity.0": 1e-2,
}


def _crane(reduced):
    """The load begins a millimetre above its place: its rope jerks, and is taut from then on."""
    drag = {"bodies.jib.drag.linear": 4.0, "bodies.jib.drag.angular": 2.0}
    return crane(reduced).with_values(drag | {"bodies.load.position.2": -0.599})


def _wanted(reaches):
    return [LUFFING if path == "luffing" else path for path in reaches]


def _difference(model, path, reach, duration, of):
    """Central difference of order four; the same wires act in all of these runs."""
    runs = []
    for k in (1, -1, 2, -2):
        values = {}
        for one, weight in LUFFING.get(path, {path: 1.0}).items():
            whole, _, index = one.rpartition(".")
            value = model.parameters[one] if one in model.parameters else model.parameters[whole][int(index)]
            values[one] = value + k * reach * weight
        runs.append(towsim.simulate(model.scene.with_values(values), duration=duration, **model.options))
    acting = [run["tension"].values > 0.0 for run in runs if "tension" in run]
    assert all(np.array_equal(one, acting[0]) for one in acting), "the reach is too large: another active set"
    a, b, c, d = ([run[name].values for name in of] for run in runs)
    return [(8.0 * (p - q) - (r - s)) / (12.0 * reach) for p, q, r, s in zip(a, b, c, d, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])
def test_derivatives_in_joint_coordinates_are_those_of_runs(method):
    """1e-7 of the largest: differences of runs lose less, in reaches that keep the step of the jerk."""
    for scene, reaches in ((_crane(True), OF_CRANE), (chain(True), OF_CHAIN)):
        scene = beside(scene, "wheel") if method == "stewart-trinkle" else scene
        model = towsim.compile(scene, step=1e-3, method=method)
        found = model.sensitivities(_wanted(reaches), OF, duration=0.3)
        for path, reach in reaches.items():
            for name, expected in zip(OF, _difference(model, path, reach, 0.3, OF), strict=True):
                mine = found[name].sel(parameter=path).values
                scale = np.abs(expected).max()
                np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-7 * scale, err_msg=f"{path} {name}")


@pytest.mark.parametrize(
    "path",
    ["bodies.jib.position.2", "bodies.jib.points.a.0", "bodies.boom.points.b.0", "bodies.jib.angular_velocity.1"],
)
def test_what_takes_the_ends_of_a_joint_apart_has_no_derivative(path):
    """A run refuses any such change; a derivative of 0, or of 1 for one of the bodies, was told."""
    with pytest.raises(UsageError, match=f"parameter {path} moves one side of joint 'luff'"):
        towsim.compile(_crane(True), step=1e-3).sensitivities([path], OF, duration=0.01)


@pytest.mark.slow
def test_backwards_they_are_those_forwards():
    """Through the jerk of the rope: to the rounding of sums of 300 rows."""
    model = towsim.compile(_crane(True), step=1e-3, method="shake")

    def cost(run):
        return np.sum(run["position"] ** 2) + np.sum(run["angular_velocity"])

    (value, slopes), (same, back) = (
        model.gradient(cost, _wanted(OF_CRANE), of=["position", "angular_velocity"], duration=0.3, mode=mode)
        for mode in ("forward", "reverse")
    )
    assert same == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(back, slopes, rtol=1e-11)


@pytest.mark.slow
def test_they_are_those_of_the_same_mechanism_held_by_rows():
    """SHAKE is of order two in both, and so are their derivatives: they part by O(h²)."""
    reaches, apart = [path for path in OF_CRANE if path != "luffing"], []
    for h in (2e-3, 1e-3):
        reduced, rows = (
            towsim.compile(crane(way), step=h, method="shake").sensitivities(reaches[4:], ["position"], duration=0.4)
            for way in (True, False)
        )
        mine, other = (one["position"].values[-1] for one in (reduced, rows))
        apart.append(np.abs(mine - other).max(axis=(0, 1)) / np.abs(other).max(axis=(0, 1)))
    assert apart[1].max() < 1e-4
    np.testing.assert_allclose(apart[0] / apart[1], 4.0, rtol=0.2)
