"""The implicit midpoint rotation solves its equation to rounding, whatever the inertia and the speed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solvers.kernels.compiled import kernel
from towsim.dynamics.spin import LARGEST, ROUGHLY, midpoint_spin, newton_spin, series

COMPACT, FLAT, ROD, NEEDLE = (0.1, 0.2, 0.25), (1.0, 1.0, 2.0), (1e-3, 1.0, 1.0), (1e-6, 1.0, 1.0)


@kernel()
def spin(inertia, inertia_inv, norm, momentum, h):
    return midpoint_spin(inertia, inertia_inv, norm, momentum, h)


@kernel()
def terms(inertia_inv, norm, momentum, h, enough):
    return series(inertia_inv, None, norm, momentum, h, enough)


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


def body_and_momentum(rng):
    """Inverse of principal moments that obey the triangle inequality, the largest 1, and a direction."""
    shares = np.abs(rng.normal(size=3)) ** rng.choice([1, 2, 4]) if rng.random() < 0.5 else np.array([1.0, 1.0, 0.0])
    inertia = shares.sum() - shares
    direction = rng.normal(size=3)
    return inertia.min() / inertia, direction / np.linalg.norm(direction)


@pytest.mark.parametrize(("count", "enough"), [(3, (1.0, 1.0, 1.0)), (4, (0.0, 1.0, 1.0)), (5, (0.0, 0.0, 1.0))])
def test_no_body_has_larger_terms(count, enough):
    """What three, four and five terms leave out is LARGEST of its order, and there are bodies that have it."""
    rng, size, left_out = np.random.default_rng(2), 0.01, []
    for _ in range(4000):
        inverse, direction = body_and_momentum(rng)
        arguments = tuple(np.diag(inverse).ravel()), 1.0, tuple(size * direction), 2.0, enough
        exact = newton(tuple(np.diag(1.0 / inverse).ravel()), arguments[0], tuple(size * direction), 2.0)
        left_out.append(np.linalg.norm(np.subtract(terms(*arguments)[0], exact)) / size ** (count + 1))
    # The terms beyond add a share of ε; Newton's method stops at 1e-16, which is 0.003 of the last one.
    assert 0.95 * LARGEST[count - 3] <= max(left_out) <= LARGEST[count - 3] * (1.0 + 2.0 * size)


def test_a_rough_spin_is_off_by_1e_12_rad_at_most():
    """ROUGHLY allows 1e-12 rad, at every speed up to that beyond which it is not settled."""
    rng, h, errors = np.random.default_rng(3), 1e-3, []
    for size in np.geomspace(1e-4, 2e-2, 4000):  # ε
        inverse, direction = body_and_momentum(rng)
        momentum = tuple(direction * size / (0.5 * h))
        arguments = tuple(np.diag(1.0 / inverse).ravel()), tuple(np.diag(inverse).ravel())
        omega, settled = terms(arguments[1], 1.0, momentum, h, ROUGHLY)
        errors.append(h * np.linalg.norm(np.subtract(omega, spin(*arguments, 1.0, momentum, h))) if settled else 0.0)
    assert 5e-13 <= max(errors) <= 1.02e-12
    assert errors[-1] == 0.0
