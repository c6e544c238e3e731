"""What carries an arm: a robot, however it is declared and commanded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from towsim import Batch, Scene, Simulation, compile, simulate

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


MOTIONS = {
    "at a sample": {"formula": {"x": "0.5*max(t - 0.1, 0)"}},
    "between samples": {"formula": {"x": "0.5*max(t - 0.1003, 0)"}},
    "within less than a step": {
        "profile": {
            "start": [0, 0, 0],
            "t": [0, 0.1, 0.1000001, 0.3],
            "velocity": [[0, 0, 0], [0, 0, 0], [0.5, 0, 0], [0.5, 0, 0]],
        }
    },
}


@METHODS
@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("h", [1e-3, 1e-4])
def test_a_jump_of_its_robots_velocity_strikes_an_arm_at_its_pivot(method: str, motion: str, h: float) -> None:
    """Of Δ = 0.5 m/s at 1 m from the centre I ω = m (Δ − ω l) l, wherever in a step the robot jumps.

    A jump between samples acts in two kicks, between which the arm turns: O(h²).
    """
    result = simulate(pendulum({"motion": MOTIONS[motion]}, gravity=0.0), duration=0.3, step=h, method=method)
    assert result["angular_velocity"].values[-1, 0, 1] == pytest.approx(0.5 / 1.1, abs=0.01 * h**2 + 1e-12)


@METHODS
def test_an_arm_whose_robot_is_steered_to_a_velocity_is_struck_at_its_pivot(method: str) -> None:
    """At the start and on the way, by itself and among the copies of a batch: as by a motion that is declared."""
    scene = pendulum(POST, gravity=0.0)
    sim, batch = Simulation(scene, step=1e-3, method=method), Batch(scene, 3, step=1e-3, method=method)
    for stepped in (sim, batch):
        stepped.steer("r", velocity=[0, 0.5, 0])
        stepped.step(100)
        stepped.steer("r", velocity=[0.5, 0.5, 0])
        stepped.step(100)
    declared = pendulum({"motion": {"formula": {"x": "0.5*max(t - 0.1, 0)", "y": "0.5*t"}}}, gravity=0.0)
    declared = declared.with_values(
        {"bodies.A.velocity": [0, 0.5 / 11, 0], "bodies.A.angular_velocity": [-0.5 / 1.1, 0, 0]}
    )
    end = simulate(declared, duration=0.2, step=1e-3, method=method)["position"].values[-1]
    np.testing.assert_allclose(sim["position"].values, end, atol=1e-12)
    for copy in batch["position"].values:
        assert np.array_equal(copy, sim["position"].values)


def hoist(motion: dict[str, Any], *, reduced: bool = True, **more: Any) -> Scene:
    """A body of 2 kg below a robot, on a joint, and a load of 1 kg below that, on a wire."""
    return Scene(
        bodies={
            "A": {"mass": 2.0, "inertia": [0.1] * 3, "position": [0, 0, -1], "points": {"o": [0, 0, 1]}},
            "load": {"mass": 1.0, "point": True, "position": [0, 0, -2]},
        },
        robots={"r": motion},
        wires={"w": {"from": "A", "to": "load", "length": 1.0}},
        joints={"j": {"from": "r", "to": "A.o", "reduced": reduced}},
        **more,
    )


@METHODS
@pytest.mark.parametrize("kink", [0.1, 0.1003])
@pytest.mark.parametrize("h", [1e-3, 1e-4])
def test_what_a_robot_that_jumps_passes_on_through_an_arm_is_an_impulse_and_no_force(
    method: str, kink: float, h: float
) -> None:
    """P = m Δ of all that hangs on a joint or wire, beside their weights: the same numbers as with rows."""
    motion = {"motion": {"formula": {"z": f"0.5*max(t - {kink}, 0)"}}}
    told = []
    for reduced in (False, True):
        result = simulate(hoist(motion, reduced=reduced), duration=0.2, step=h, method=method)
        np.testing.assert_allclose(result["joint_reaction"].values[:, 0, 2], 3.0 * 9.81, rtol=1e-6)
        np.testing.assert_allclose(result["tension"].values, 9.81, rtol=1e-6)
        assert result["joint_impulse"].values[:, 0, 2].sum() == pytest.approx(3.0 * 0.5, rel=1e-6)
        assert np.nansum(result["impulse"].values) == pytest.approx(1.0 * 0.5, rel=1e-6)
        told.append([(one.kind, one.time, one.impulse, one.energy_lost) for one in result.events])
    assert [one[0] for one in told[0]] == [one[0] for one in told[1]]
    np.testing.assert_allclose([one[1:] for one in told[1]], [one[1:] for one in told[0]], atol=1e-6)


@METHODS
def test_the_first_step_of_a_robot_that_is_steered_under_an_arm_is_an_impulse(method: str) -> None:
    sim = Simulation(hoist(POST), step=1e-3, method=method)
    sim.steer("r", velocity=[0, 0, 0.5])
    sim.step(100)
    result = sim.result()
    np.testing.assert_allclose(result["joint_reaction"].values[1:, 0, 2], 3.0 * 9.81, rtol=1e-6)
    np.testing.assert_allclose(result["tension"].values[1:], 9.81, rtol=1e-6)
    assert np.nansum(result["impulse"].values) == pytest.approx(0.5, rel=1e-6)


@pytest.mark.slow
def test_derivatives_go_through_the_jump_of_a_robot_under_an_arm() -> None:
    """Of how fast it goes on: those of runs, of motions, forces and impulses on both sides of the jump."""

    def scene(a: float) -> Scene:
        law = {"x": "a*max(t - 0.0503, 0) + t**2", "z": "0.1*a*max(t - 0.0503, 0)"}
        moved = hoist({"motion": {"formula": law}}, parameters={"a": a})
        return moved.with_values({"wires.w.break.tension": 1e6})  # a law that others have, whose loop is compiled

    of, d = ["position", "velocity", "joint_reaction", "joint_impulse"], 1e-5
    found = compile(scene(0.5), step=1e-3, method="shake").sensitivities(["parameters.a"], of, duration=0.1)
    runs = [simulate(scene(a), duration=0.1, step=1e-3, method="shake") for a in (0.5 + d, 0.5 - d)]
    for name in of:
        expected = (runs[0][name].values - runs[1][name].values) / (2.0 * d)
        mine = found[name].sel(parameter="parameters.a").values
        np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-4 * np.nanmax(np.abs(expected)), err_msg=name)
