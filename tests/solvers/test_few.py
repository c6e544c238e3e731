"""Up to six rows of many wires on one body in registers: w = 0 on those in the set, z = 0 on the others."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.active_set.basis import FREE, OFF, UNILATERAL
from solvers.active_set.few import BLOCK, are_few, few_pull, solve_few
from solvers.kernels.compiled import kernel


@kernel()
def few(val, q, taut, z, w, rows, before, block):
    return solve_few(val, q, taut, z, w, rows, before, block)


@kernel()
def so_few(ptr, taut):
    return are_few(ptr, taut)


def solve(A, q, taut):
    """Whether it was solved, z, w, and the number of rows before each."""
    n = len(q)
    z, w, before = np.empty(n), np.empty(n), np.empty(n + 1, np.int64)
    rows = np.full(n, n + 1000)  # positions behind the last row are not to be read
    good = few(A[np.tril_indices(n)], q, taut, z, w, rows, before, np.full(BLOCK, np.nan))
    return good, z, w, before


@kernel()
def pulled(val, ptr, q, kind, taut, z, w, rows, noise):
    return few_pull(val, ptr, q, kind, taut, z, w, rows, noise)


def pull(A, q, taut, kind=UNILATERAL, noise=0.0):
    """(residual, rank, scale, z, w) of ``few_pull``."""
    n = len(q)
    i = np.arange(n + 1)
    z, w, kinds = np.empty(n), np.empty(n), np.resize(np.asarray(kind, np.int8), n)
    rows = np.full(n, n + 1000)  # positions behind the last row are not to be read
    return *pulled(A[np.tril_indices(n)], i * (i + 1) // 2, q, kinds, taut, z, w, rows, noise), z, w


def some_rows(rng, n, rank):
    taut = np.zeros(n, bool)
    taut[rng.choice(n, rank, replace=False)] = True
    return taut


@pytest.mark.parametrize(
    ("n", "rank"), [(n, rank) for n in (1, 2, 3, 4, 5, 6, 7, 8, 13, 40) for rank in range(min(n, 6) + 1)]
)
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
    ptr = np.arange(10) * np.arange(1, 11) // 2
    assert so_few(ptr, np.arange(9) < 6)
    assert not so_few(ptr, np.arange(9) < 7)
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


def answered(rng, n, rank):
    """(A, q, set, z, w) of a problem whose answer is known: rows in the set pull, all others are slack."""
    J, taut = rng.normal(size=(n, 6)), some_rows(rng, n, rank)
    A, z, w = J @ J.T, np.where(taut, rng.uniform(0.1, 1.0, n), 0.0), np.where(taut, 0.0, rng.uniform(0.1, 1.0, n))
    return A, w - A @ z, taut, z, w


@pytest.mark.parametrize(
    ("n", "rank"), [(n, rank) for n in (1, 2, 3, 4, 5, 6, 7, 8, 13, 40) for rank in range(min(n, 6) + 1)]
)
def test_a_set_that_holds_is_confirmed_at_once(n, rank):
    rng = np.random.default_rng(200 * n + rank)
    for _ in range(20):
        A, q, taut, expected, rates = answered(rng, n, rank)
        cond = np.linalg.cond(A[np.ix_(taut, taut)]) if rank else 1.0
        if cond > 1e3:  # the judge forgives 1e-12
            continue
        residual, found, scale, z, w = pull(A, q, taut)
        assert 0.0 <= residual < 1e-12
        assert found == rank
        np.testing.assert_allclose(z, expected, atol=1e-14 * cond)
        np.testing.assert_allclose(w, rates, atol=1e-14 * cond * A.max())
        sizes = q * q / A.diagonal()
        np.testing.assert_allclose(scale, sizes[q < 0.0].max(initial=0.0) or sizes.max(), rtol=1e-14)


@pytest.mark.parametrize("rank", [0, 3, 6])
@pytest.mark.parametrize("n", [6, 8, 11])
def test_a_set_that_does_not_hold_or_is_out_of_the_ordinary_is_left_to_others(n, rank):
    rng = np.random.default_rng(n + rank)
    A, q, taut, z, w = answered(rng, n, rank)
    assert pull(A, q, taut)[0] >= 0.0
    out, strange = [], [np.nan, np.inf, -np.inf]
    for i in range(n):
        one = np.arange(n) == i
        out += [pull(A, np.where(one, x, q), taut) for x in strange]
        out += [pull(np.where(np.outer(one, one), x, A), q, taut) for x in (0.0, -1.0, *strange)]
        out += [pull(A, q, taut, kind=np.where(one, kind, UNILATERAL)) for kind in (FREE, OFF)]
        wrong = w - A @ (np.where(one, -0.1, z) if taut[i] else z) - (0.0 if taut[i] else np.where(one, 2.0 * w, 0.0))
        out += [pull(A, wrong, taut)]  # a row that pushes, or one that would stretch
        pair = np.outer(one, taut & ~one)  # an entry between two rows that are not in the set is not looked at
        out += [pull(np.where(pair | pair.T, x, A), q, taut) for x in strange if pair.any()]
    out += [pull(A * 1e-102, q, taut), pull(A * 1e102, q, taut), pull(A, q * 1e-101, taut), pull(A, q * 1e101, taut)]
    if n > 6:
        out += [pull(A + np.eye(n), q, np.arange(n) < 7)]
    if rank > 1:
        out += [pull(np.ones((n, n)) + np.diag(np.where(taut, 0.0, 1.0)), -np.ones(n), taut)]
    assert [one[0] for one in out] == [-1.0] * len(out)


def test_rates_below_zero_are_forgiven_as_far_as_the_rounding_of_q_goes():
    A, q, taut, _, w = answered(np.random.default_rng(0), 8, 4)
    idle = np.flatnonzero(~taut)[0]
    d = np.sqrt(A.diagonal())
    q[idle] -= w[idle] + 1e-11 * d[idle]
    assert pull(A, q, taut)[0] == -1.0
    assert pull(A, q, taut, noise=1e-12 * d.min())[0] == -1.0
    residual, _, scale, _, w = pull(A, q, taut, noise=1e-10 * d.min())
    np.testing.assert_allclose(w[idle], -1e-11 * d[idle], rtol=1e-4)
    np.testing.assert_allclose(residual, 1e-11 / np.sqrt(scale), rtol=1e-4)
    assert pull(A, q, taut, noise=1.0)[0] >= 0.0
    q[idle] -= 1e-8 * d[idle] * np.sqrt(scale)
    assert pull(A, q, taut, noise=1.0)[0] == -1.0, "never more than the judge accepts"


@pytest.mark.parametrize("power", range(-60, 61, 5))
def test_at_any_scale_the_answer_is_right_or_left_to_others(power):
    A, q, taut, expected, _ = answered(np.random.default_rng(3), 8, 6)
    cond = np.linalg.cond(A[np.ix_(taut, taut)])
    good, z, *_ = solve(A * 10.0**power, q * 10.0**power, taut)
    assert good or abs(power) >= 5, "pivots grow as the 32nd power"
    if good:
        np.testing.assert_allclose(z, expected, atol=1e-14 * cond)
    residual, _, _, z, _ = pull(A * 10.0**power, q * 10.0**power, taut)
    assert residual == -1.0 or good
    if residual >= 0.0:
        np.testing.assert_allclose(z, expected, atol=1e-14 * cond)
