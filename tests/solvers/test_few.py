"""Up to six rows of many wires on one body in registers: w = 0 on those in the set, z = 0 on the others."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.compiled import kernel
from solvers.few import BLOCK, solve_few


@kernel()
def few(val, q, taut, z, w, rows, before, block):
    return solve_few(val, q, taut, z, w, rows, before, block)


def solve(A, q, taut):
    """Whether it was solved, z, w, and the number of rows before each."""
    n = len(q)
    z, w, before = np.empty(n), np.empty(n), np.empty(n + 1, np.int64)
    rows = np.full(n, n + 1000)  # positions behind the last row are not to be read
    good = few(A[np.tril_indices(n)], q, taut, z, w, rows, before, np.full(BLOCK, np.nan))
    return good, z, w, before


def some_rows(rng, n, rank):
    taut = np.zeros(n, bool)
    taut[rng.choice(n, rank, replace=False)] = True
    return taut


@pytest.mark.parametrize(("n", "rank"), [(n, rank) for n in (5, 6, 7, 8, 13, 40) for rank in range(min(n, 6) + 1)])
def test_as_dense_algebra_on_the_rows_in_the_set(n, rank):
    rng = np.random.default_rng(100 * n + rank)
    for _ in range(20):
        J = rng.normal(size=(n, 6))
        A, q, taut = J @ J.T, rng.normal(size=n), some_rows(rng, n, rank)
        good, z, w, before = solve(A, q, taut)
        assert good
        expected = np.zeros(n)
        expected[taut] = np.linalg.solve(A[np.ix_(taut, taut)], -q[taut])
        largest = np.abs(expected).max(initial=1.0)
        cond = np.linalg.cond(A[np.ix_(taut, taut)]) if rank else 1.0
        np.testing.assert_allclose(z, expected, atol=1e-14 * cond * largest)
        np.testing.assert_allclose(w, A @ z + q, atol=1e-13 * largest * A.max())
        assert (before == np.concatenate([[0], np.cumsum(taut)])).all()


@pytest.mark.parametrize("last", range(1, 6))
def test_rows_that_depend_on_those_before_them_are_not_for_here(last):
    rng = np.random.default_rng(last)
    J = rng.normal(size=(9, 6))
    J[last] = J[:last].sum(axis=0)
    good, *_ = solve(J @ J.T, rng.normal(size=9), np.arange(9) <= last)
    assert not good


def test_neither_are_more_than_six_nor_numbers_that_are_none():
    J = np.random.default_rng(0).normal(size=(9, 9))
    A, q = J @ J.T, np.ones(9)
    assert not solve(A, q, np.arange(9) < 7)[0]
    for at in range(6):
        spoiled = A.copy()
        spoiled[at, at] = np.nan
        assert not solve(spoiled, q, np.arange(9) < 6)[0]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_wrong_with_rows_that_are_not_in_the_set_stays_there(bad):
    rng = np.random.default_rng(1)
    J = rng.normal(size=(8, 6))
    A, q, taut = J @ J.T, rng.normal(size=8), np.arange(8) > 4
    spoiled, wrong = A.copy(), q.copy()
    spoiled[0], spoiled[:, 0], wrong[0] = bad, bad, bad
    good, z, w, _ = solve(spoiled, wrong, taut)
    assert good
    expected, rates = solve(A, q, taut)[1:3]
    np.testing.assert_array_equal(z, expected)
    np.testing.assert_array_equal(w[1:], rates[1:])
    assert not np.isfinite(w[0])
