"""Up to four rows in registers, by pairs or by single pivots: w = 0 on those in the set, z = 0 on the others."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.active_set.basis import FREE, OFF, UNILATERAL
from solvers.active_set.four import all_pull, solve_four
from solvers.kernels.compiled import kernel


@kernel()
def pulled(val, ptr, q, kind, taut, z, w):
    return all_pull(val, ptr, q, kind, taut, z, w)


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


def pull(A, q, kind=UNILATERAL, taut=True):
    """(residual, z, w, scale) of ``all_pull``; z and w are 7 where it has written nothing."""
    n = len(q)
    i = np.arange(n + 1)
    z, w = np.full(n, 7.0), np.full(n, 7.0)
    kinds, chosen = (np.resize(np.asarray(x, t), n) for x, t in ((kind, np.int8), (taut, bool)))
    residual, scale = pulled(A[np.tril_indices(n)], i * (i + 1) // 2, q, kinds, chosen, z, w)
    return residual, z, w, scale


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_rows_that_all_pull_are_solved_at_once(n):
    rng = np.random.default_rng(n)
    for _ in range(50):
        J = np.eye(n, 6) + 0.2 * rng.normal(size=(n, 6))  # far from dependent
        A, expected = J @ J.T * 10.0 ** rng.integers(-20, 20), rng.uniform(1e-3, 1.0, n)
        residual, z, w, scale = pull(A, -A @ expected)
        assert 0.0 <= residual < 1e-14
        np.testing.assert_allclose(scale, ((A @ expected) ** 2 / A.diagonal()).max(), rtol=1e-14)
        np.testing.assert_allclose(z, expected, rtol=1e-12)
        np.testing.assert_allclose(w, A @ z - A @ expected, atol=1e-15 * A.max())
    assert pull(np.eye(n), -np.ones(n))[0] == 0.0


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("last", range(4))
def test_what_is_out_of_the_ordinary_is_left_to_others_untouched(n, last):
    last = min(last, n - 1)
    A, q, one = np.eye(n) + 0.1, -np.ones(n), np.arange(n) == last
    assert pull(A, q)[0] >= 0.0
    strange = [np.nan, np.inf, -np.inf]
    cases = [(A, np.where(one, x, q)) for x in (1.0, 0.0, 1e300, *strange)]
    cases += [(np.where(np.outer(one, one), x, A), q) for x in (0.0, -1.0, *strange)]
    cases += [(A * 1e-101, q), (A * 1e101, q), (A, q * 1e-101), (A, q * 1e101), (np.ones((n, n)) - np.eye(n), q)]
    if n > 1:
        cases += [(np.ones((n, n)), q)]
    answers = [pull(*case) for case in cases]
    answers += [pull(A, q, kind=np.where(one, x, UNILATERAL)) for x in (FREE, OFF)]
    answers += [pull(A, q, taut=~one)]
    for residual, z, w, _ in answers:
        assert residual == -1.0
        assert (z == 7.0).all()
        assert (w == 7.0).all()
