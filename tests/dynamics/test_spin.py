"""The implicit midpoint rotation solves its equation to rounding, whatever the inertia and the speed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from towsim.compiled import kernel
from towsim.dynamics.spin import ROUGHLY, TO_ROUNDING, midpoint_spin, newton_spin

COMPACT, FLAT, ROD, NEEDLE = (0.1, 0.2, 0.25), (1.0, 1.0, 2.0), (1e-3, 1.0, 1.0), (1e-6, 1.0, 1.0)


@kernel()
def spin(inertia, inertia_inv, norm, momentum, h):
    return midpoint_spin(inertia, inertia_inv, norm, momentum, h, TO_ROUNDING)


@kernel()
def rough_spin(inertia, inertia_inv, norm, momentum, h):
    return midpoint_spin(inertia, inertia_inv, norm, momentum, h, ROUGHLY)


@pytest.mark.parametrize("step", [1e-5, 1e-4, 1e-3, 1e-2, 0.1])
@pytest.mark.parametrize(
    ("principal", "askew"), [(COMPACT, True), (COMPACT, False), (FLAT, True), (ROD, False), (NEEDLE, False)]
)
def test_momentum_half_way_is_that_of_the_spin(principal, askew, step):
    """I Ω = exp(−½h Ω) Π. What is wrong with Ω turns the body by less than what its quaternion is rounded to."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        turn = Rotation.random(random_state=rng).as_matrix() if askew else np.eye(3)
        inertia = turn @ np.diag(principal) @ turn.T
        inertia = 0.5 * (inertia + inertia.T)
        inverse = turn @ np.diag(1.0 / np.array(principal)) @ turn.T
        norm = np.abs(inverse).sum(axis=1).max()
        momentum = inertia @ rng.normal(size=3) * 10.0 ** rng.uniform(-2.0, 0.5)
        omega = np.array(spin(tuple(inertia.ravel()), tuple(inverse.ravel()), norm, tuple(momentum), step))
        off = inertia @ omega - Rotation.from_rotvec(-0.5 * step * omega).apply(momentum)
        # Newton's method stops at 1e-14 of the momentum; for a needle what is passed on stops at less than 5e-13.
        rounding = 1e-15 * max(principal) * np.linalg.norm(omega) + 5e-13 * np.linalg.norm(momentum)
        assert np.linalg.norm(off) <= rounding or step * np.linalg.norm(inverse @ off) <= 1e-16


@kernel()
def newton(inertia, inertia_inv, momentum, h):
    return newton_spin(inertia, inertia_inv, momentum, h)


@pytest.mark.parametrize("fast", [0.01, 0.1, 1.0, 10.0, 100.0])
def test_where_a_single_term_of_the_series_vanishes_it_is_not_taken_for_its_end(fast):
    """A body (1, 1/2, 9/7) that turns about (1, 1, 0) has x3 = 0, and x4 is not."""
    principal, momentum = np.array([1.0, 0.5, 9.0 / 7.0]), fast * np.array([1.0, 1.0, 0.0])
    arguments = tuple(np.diag(principal).ravel()), tuple(np.diag(1.0 / principal).ravel())
    omega = spin(*arguments, 2.0, tuple(momentum), 0.01)
    np.testing.assert_allclose(omega, newton(*arguments, tuple(momentum), 0.01), atol=2e-15 * fast, rtol=1e-13)


def test_a_rough_spin_is_off_by_1e_12_rad_at_most():
    """ROUGHLY allows 1e-12 rad, at every speed up to that beyond which it is exact."""
    rng = np.random.default_rng(2)
    principal, errors = np.array(COMPACT), []
    inertia, inverse = tuple(np.diag(principal).ravel()), tuple(np.diag(1.0 / principal).ravel())
    for size in np.geomspace(1e-5, 1e-2, 400):  # ε
        momentum = rng.normal(size=3)
        momentum *= size / (0.5e-3 * 10.0 * np.linalg.norm(momentum))
        arguments = inertia, inverse, 10.0, tuple(momentum), 1e-3
        errors.append(1e-3 * np.linalg.norm(np.subtract(rough_spin(*arguments), spin(*arguments))))
    assert max(errors) <= 1e-12
    assert max(errors) >= 1e-15  # or else terms are found that nobody asked for
