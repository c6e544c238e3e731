"""Envelope storage: the same matrix as the dense one, and an LDLᵀ that skips what depends on other rows."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from solvers import matrix as mx
from solvers.active_set.basis import minimise, rank_in_envelope, workspace
from solvers.active_set.envelope import from_dense, is_semidefinite, multiply


def banded(n, seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n))
    A = np.triu(np.tril(A @ A.T + n * np.eye(n), 2), -2)
    A[n // 2, : n // 2] = A[: n // 2, n // 2] = 0.0  # a row that starts at its own diagonal
    return A


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_storages_hold_the_same_matrix(n):
    A = banded(n, n)
    E = mx.Envelope(*from_dense(A))
    z = np.linspace(-1, 1, n)
    assert mx.to_dense(E) == pytest.approx(A)
    assert mx.diagonal(E) == pytest.approx(np.diag(A))
    assert mx.product(E, z) == pytest.approx(A @ z)
    w = np.empty(n)
    multiply(E.val, E.ptr, np.ones(n), z, w)
    assert w == pytest.approx(A @ z + 1)
    s = np.linspace(0.5, 2, n)
    assert mx.to_dense(mx.scaled(E, s)) == pytest.approx(A * np.outer(s, s))
    S = mx.to_envelope(sp.csr_array(A))
    assert mx.to_dense(mx.Envelope(S.val, S.ptr)) == pytest.approx(A[np.ix_(S.order, S.order)])
    for B in (S, mx.Envelope(S.val, S.ptr, np.roll(S.order, 1))):
        D = mx.to_dense(B)
        assert mx.to_sparse(B).toarray() == pytest.approx(D)
        assert mx.diagonal(B) == pytest.approx(np.diag(D))
        assert mx.product(B, z) == pytest.approx(D @ z)
        assert mx.to_dense(mx.scaled(B, s)) == pytest.approx(D * np.outer(s, s))
    assert mx.to_dense(S) == pytest.approx(A)


@pytest.mark.parametrize("seed", range(5))
def test_factorisation_solves_on_any_subset(seed):
    rng = np.random.default_rng(seed)
    n = 20
    A = banded(n, seed)
    active = rng.random(n) < 0.6
    q, z, w = rng.normal(size=n), np.empty(n), np.empty(n)
    val, ptr = from_dense(A)
    assert minimise(val, ptr, q, active, z, w, *workspace(n, len(val))) == active.sum()
    want = np.zeros(n)
    want[active] = np.linalg.solve(A[np.ix_(active, active)], -q[active])
    assert z == pytest.approx(want)
    assert w == pytest.approx(A @ want + q)


@pytest.mark.parametrize("r", [1, 3, 6])
def test_rank_is_counted_and_dependent_rows_stay_out(r):
    J = np.random.default_rng(r).normal(size=(30, r))
    val, ptr = from_dense(J @ J.T)
    assert rank_in_envelope(mx.Envelope(val, ptr), np.ones(30, bool)) == r


@pytest.mark.parametrize(("wide", "share"), [(0, 1.0), (0, 0.7), (40, 1.0), (40, 0.9)])
def test_rows_by_fours_are_eliminated_as_one_by_one(wide, share):
    """Long rows that begin in one column, with some in their midst that are not active or depend on others."""
    n = 150
    rng = np.random.default_rng(n + wide)
    J = rng.normal(size=(n, n))
    J[60] = J[20] + J[33]  # a panel that loses a row
    J[101:104] = J[[3, 70, 90]]
    A = J @ J.T
    if wide:
        A = np.triu(np.tril(J @ J.T + 20 * n * np.eye(n), wide), -wide)
    active = rng.random(n) < share
    active[[3, 20, 33, 60, 70, 90, 101, 102, 103]] = True
    q, z, w = A @ rng.normal(size=n), np.empty(n), np.empty(n)
    val, ptr = from_dense(A)
    dependent = 0 if wide else 4
    assert minimise(val, ptr, q, active, z, w, *workspace(n, len(val))) == active.sum() - dependent
    assert not z[~active].any()
    assert np.abs(w[active]).max() < 1e-9 * np.abs(q).max()
    assert w == pytest.approx(A @ z + q, abs=1e-9 * np.abs(q).max())


def test_semidefinite_is_told_from_indefinite():
    for A, answer in (
        (np.ones((3, 3)), True),
        (np.zeros((2, 2)), True),
        (np.array([[1.0, 2.0], [2.0, 1.0]]), False),
        (np.array([[0.0, 1.0], [1.0, 5.0]]), False),
        (-np.eye(1), False),
    ):
        assert is_semidefinite(*from_dense(A), 1e-10) is answer


def test_dense_copy_of_a_huge_matrix_is_refused():
    with pytest.raises(MemoryError, match="limit"):
        mx.to_dense(sp.eye_array(100_000).tocsr())
