"""Rotors of a quadcopter: thrusts, failures, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from towsim.errors import SceneError
from towsim.scene import Body, Failure, Ground, Rotors, Spring


def test_thrusts_are_one_for_all_or_one_each():
    t = np.array([0.0, 0.25, 1.0])
    one = Rotors(arm=0.2, thrust="2*t").thrusts_at(t)
    np.testing.assert_array_equal(one, np.repeat(2.0 * t[:, None], 4, axis=1))
    each = Rotors(arm=0.2, thrust=(1.0, "t", 3.0, "4")).thrusts_at(t)
    np.testing.assert_array_equal(each, np.stack([np.ones(3), t, np.full(3, 3.0), np.full(3, 4.0)], axis=1))


def test_a_failed_rotor_gives_no_thrust_from_that_instant_on():
    t = np.array([0.0, 1.0 - 1e-12, 10 * 0.1 - 1e-16, 2.0])
    two = Rotors(arm=0.2, thrust=1.0, failures=(Failure(time=1.0, rotors=(2,)), Failure(time=2.0)))
    np.testing.assert_array_equal(two.thrusts_at(t), [[1, 1, 1, 1], [1, 1, 1, 1], [1, 0, 1, 1], [0, 0, 0, 0]])
    assert two.failure_times() == (2.0, 1.0, 2.0, 2.0)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Rotors(arm=0.0, thrust=1.0), "arm: must be > 0 m"),
        (lambda: Rotors(arm=0.1, thrust=(1.0, 2.0)), "thrust: must be one thrust or a list of 4, got 2"),
        (lambda: Rotors(arm=0.1, thrust="x"), "thrust: formula 'x'"),
        (lambda: Rotors(arm=0.1, thrust=1.0, moment_ratio=-0.1), "moment_ratio: must be >= 0 m"),
        (lambda: Failure(time=-1.0), "time: must be >= 0 s"),
        (lambda: Failure(time=1.0, rotors=(0, 5)), r"rotors: must be different numbers from 1 to 4, got \[0, 5\]"),
        (lambda: Failure(time=1.0, rotors=(1, 1)), "must be different numbers"),
        (lambda: Failure(time=1.0, rotors=()), "must be different numbers"),
        (lambda: Body(mass=1.0, point=True, rotors=Rotors(arm=0.1, thrust=1.0)), "rotors: a point mass has no extent"),
        (lambda: Spring(stiffness=-1.0), "stiffness: must be > 0 N/m"),
        (lambda: Ground(friction=0.3, spring=Spring(stiffness=1e3)), "friction: an elastic ground has no friction"),
    ],
)
def test_bad_rotors_and_springs_are_refused(build, message):
    with pytest.raises(SceneError, match=message):
        build()


def test_thrusts_make_a_force_along_z_and_a_torque_about_the_centre():
    # r × T e_z summed, and the drag of the rotors' rotation: + for 1 and 3, − for 2 and 4
    each = Rotors(arm=0.2, moment_ratio=0.1, thrust=(1.0, 2.0, 4.0, 8.0))
    force, torque = each.wrench_at(np.zeros(1))[0]
    np.testing.assert_allclose(force, [0, 0, 15])
    np.testing.assert_allclose(torque, [0.2 * (2 - 8), -0.2 * (1 - 4), 0.1 * (1 - 2 + 4 - 8)])


def test_kinks_are_failures_and_switches_of_the_thrust():
    one = Rotors(arm=0.2, thrust="sin(pi*t) if t < 0.5 else 1", failures=(Failure(time=3.0, rotors=(2,)),))
    np.testing.assert_array_equal(one.kinks(6.0), [0.5, 3.0])
    np.testing.assert_array_equal(one.kinks(3.0), [0.5])
