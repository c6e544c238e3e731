"""Up to four rows in registers, by pairs or by single pivots: w = 0 on those in the set, z = 0 on the others."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.compiled import kernel
from solvers.four import solve_four


@kernel()
def four(val, q, taut, z, w, before):
    solve_four(val, q, taut, z, w, before)


def solve(A, q, taut):
    n = len(q)
    z, w, before = np.empty(n), np.empty(n), np.empty(n + 1, np.int64)
    four(A[np.tril_indices(n)], q, taut, z, w, before)
    return z, w, before


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("spread", [1.0, 1e-2, 1e-4])
def test_as_dense_algebra_on_the_rows_in_the_set(n, spread):
    """From far from dependent (pairs) to nearly so (single pivots)."""
    rng = np.random.default_rng(n)
    for _ in range(50):
        J = np.ones((n, 6)) + spread * rng.normal(size=(n, 6))
        A, q, taut = J @ J.T, rng.normal(size=n), rng.random(n) < 0.8
        z, w, before = solve(A, q, taut)
        expected = np.zeros(n)
        expected[taut] = np.linalg.solve(A[np.ix_(taut, taut)], -q[taut])
        largest = np.abs(expected).max(initial=1.0)
        cond = np.linalg.cond(A[np.ix_(taut, taut)]) if taut.any() else 1.0
        np.testing.assert_allclose(z, expected, atol=1e-15 * cond * largest)
        np.testing.assert_allclose(w, A @ z + q, atol=1e-13 * largest * A.max())
        assert (before == np.concatenate([[0], np.cumsum(taut)])).all()


def test_a_row_that_depends_on_others_is_left_out():
    J = np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    q = np.array([1.0, 2.0, 3.0, 4.0])
    z, w, before = solve(J @ J.T, q, np.ones(4, bool))
    np.testing.assert_allclose(z, [-1, -2, 0, -4], atol=1e-15)
    np.testing.assert_allclose(w, 0.0, atol=1e-14)
    assert before.tolist() == [0, 1, 2, 2, 3]
