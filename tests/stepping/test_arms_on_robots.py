"""What carries an arm: a robot, however it is declared and commanded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from towsim import Scene, Simulation, simulate

METHODS = pytest.mark.parametrize("method", ["stewart-trinkle", "shake"])

POST = {"position": [0, 0, 0]}


def pendulum(robot: dict[str, Any], *, reduced: bool = True, gravity: float = -9.81) -> Scene:
    """A rod of 1 kg and 0.1 kg m² on a ball joint, 1 m below a robot."""
    return Scene(
        gravity=[0, 0, gravity],
        bodies={"A": {"mass": 1.0, "inertia": [0.1] * 3, "position": [0, 0, -1], "points": {"o": [0, 0, 1]}}},
        robots={"r": robot},
        joints={"j": {"from": "r", "to": "A.o", "reduced": reduced}},
    )


@METHODS
def test_an_arm_moves_as_its_robot_does_whatever_ran_before(method: str) -> None:
    """A post and a robot that moves are of one structure, so that the runs share arrays."""
    moving = pendulum({"motion": {"formula": {"x": "0.2*(1 - cos(3*t))"}}})

    def end(scene: Scene) -> np.ndarray:
        return simulate(scene, duration=0.5, step=1e-3, method=method)["position"].values[-1, 0]

    before = end(moving)
    assert np.array_equal(end(pendulum(POST)), [0, 0, -1])
    assert np.array_equal(end(moving), before)
    by_rows = end(pendulum({"motion": {"formula": {"x": "0.2*(1 - cos(3*t))"}}}, reduced=False))
    np.testing.assert_allclose(before, by_rows, atol=2e-4)


@METHODS
def test_an_arm_goes_with_a_post_that_is_steered(method: str) -> None:
    """It hangs back as one held by rows does, to O(h), and its joint stays closed."""
    apart = []
    for h in (2e-3, 1e-3):
        ends = []
        for reduced in (False, True):
            sim = Simulation(pendulum(POST, reduced=reduced), step=h, method=method)
            sim.steer("r", acceleration=[0.5, 0.2, 0])
            sim.step(round(1.0 / h))
            ends.append(sim["position"].values[0])
        assert sim["joint_gap"].values[0] < 1e-13
        apart.append(float(np.abs(ends[0] - ends[1]).max()))
    assert ends[0][0] > 0.1
    assert apart[1] < 2e-5
    assert apart[1] < 0.6 * apart[0]
