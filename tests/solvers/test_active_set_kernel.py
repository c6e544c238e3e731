"""The compiled active set: what it calls solved is solved, what it calls infeasible is proved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import status
from solvers.active_set.envelope import from_dense
from solvers.active_set.loop import active_set, workspace


def run(A, q, kind=None, taut=None):
    A, q = np.asarray(A, float), np.asarray(q, float)
    n = len(q)
    val, ptr = from_dense(A)
    kind = np.zeros(n, np.int8) if kind is None else np.asarray(kind, np.int8)
    taut = np.zeros(n, bool) if taut is None else taut
    z, w = np.empty(n), np.empty(n)
    code, iterations, residual, rank = active_set(val, ptr, q, kind, z, w, taut, *workspace(n, len(val)))
    return code, z, w, taut, iterations, residual, rank


def residual_of(A, q, kind, z, w):
    d = np.sqrt(np.where(np.diag(A) > 0, np.diag(A), 1.0))
    on = kind != 2
    r = np.where(kind == 1, np.abs(w) / d, np.abs(np.minimum(d * z, w / d)))
    size = np.abs(q / d)
    return np.max(r[on], initial=0) / (np.max(size[on & ((kind == 1) | (q < 0))], initial=0) or np.max(size[on]))


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32 - 1))
def test_verdict_on_random_semidefinite_problems_holds_numerically(seed):
    rng = np.random.default_rng(seed)
    n, r = rng.integers(1, 13), rng.integers(1, 7)
    J = rng.integers(-3, 4, (n, r)) * 2.0 ** rng.integers(-10, 11, (n, 1))
    A = J @ J.T
    kind = rng.choice([0, 0, 0, 1, 2], n).astype(np.int8)
    q = (J @ rng.integers(-4, 5, r) if rng.random() < 0.5 else rng.integers(-4, 5, n)).astype(float)
    if rng.random() < 0.3:
        q = np.minimum(q, 0.0)
    if not np.any(q[kind != 2]):
        kind[0], q[:] = 0, 1.0
    code, z, w, _, _, residual, _ = run(A, q, kind, rng.random(n) < 0.5)
    if code == status.SOLVED:
        assert np.allclose(w, A @ z + q, rtol=1e-10, atol=1e-10 * np.abs(A).max() * np.abs(z).max())
        assert residual_of(A, q, kind, z, A @ z + q) <= 1e-9
        assert residual <= 1e-9
        assert np.all(z[kind == 0] >= 0)
        assert np.all(z[kind == 2] == 0)
    else:
        # Integer data times powers of two: every null direction is exact to rounding, so a proof must be found.
        assert code == status.INFEASIBLE
        d = np.sqrt(np.where(np.diag(A) > 0, np.diag(A), 1.0))
        assert np.all(z[kind == 0] >= 0)
        assert np.all(z[kind == 2] == 0)
        gap = (A @ z) / d
        assert max(np.max(gap[kind == 0], initial=0), np.max(np.abs(gap[kind == 1]), initial=0)) <= 1e-8
        assert q @ z < 0


def test_good_guess_needs_one_factorisation():
    A = np.array([[2.0, 1, 0], [1, 2, 1], [0, 1, 2]])
    q = np.array([-1.0, 2, -1])
    taut = run(A, q)[3]
    code, z, _, _, iterations, residual, rank = run(A, q, taut=taut.copy())
    assert (code, iterations, rank) == (status.SOLVED, 1, 2)
    assert residual < 1e-15
    assert z == pytest.approx([0.5, 0, 0.5])


def test_redundant_rods_agree_or_contradict():
    A, kind = np.ones((3, 3)), np.array([1, 1, 0], np.int8)
    code, z, w, *_ = run(A, [-2, -2, -2], kind)
    assert code == status.SOLVED
    assert z.sum() == pytest.approx(2)
    assert w == pytest.approx([0, 0, 0], abs=1e-15)
    code, y, *_ = run(A, [-2, -3, -2], kind)
    assert code == status.INFEASIBLE
    assert y[0] + y[1] + y[2] == pytest.approx(0, abs=1e-12)
    assert y @ [-2, -3, -2] < 0


@pytest.mark.parametrize("n", [10, 1000, 10_000])
def test_chain_pulled_at_its_head_moves_as_one(n):
    """n equal bodies and n - 1 wires in line, the first runs ahead at speed n: all end at speed 1."""
    m = n - 1
    val = np.full(2 * m - 1, -1.0)
    val[::2] = 2.0
    ptr = np.concatenate([[0], np.arange(1, 2 * m, 2)])
    q = np.zeros(m)
    q[0] = -float(n)
    z, w, taut = np.empty(m), np.empty(m), np.zeros(m, bool)
    code, iterations, residual, rank = active_set(
        val, ptr, q, np.zeros(m, np.int8), z, w, taut, *workspace(m, len(val))
    )
    assert (code, rank) == (status.SOLVED, m)
    assert residual < 1e-11
    assert iterations < 20
    assert z == pytest.approx(np.arange(n - 1, 0, -1), rel=1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_bad_numbers_are_never_solved(bad):
    assert run(np.eye(2), [bad, 1.0])[0] == status.INVALID
    assert run(np.diag([bad, 1.0]), [-1.0, -1.0])[0] != status.SOLVED
    A = np.array([[1.0, bad], [bad, 1.0]])
    assert run(A, [-1.0, -1.0])[0] != status.SOLVED
    for guess in ([False, True], [True, False], [True, True]):
        for M, q in ((np.eye(2), [bad, -1.0]), (np.diag([bad, 1.0]), [-1.0, -1.0]), (A, [-1.0, -1.0])):
            assert run(M, q, taut=np.array(guess))[0] != status.SOLVED


@pytest.mark.parametrize("n", [4, 8, 16, 32, 64])
def test_wires_on_one_body_are_guessed_right_from_nothing(n):
    """No search: one factorisation shows that some row is active, one makes the guess, one shows that it is right."""
    rng = np.random.default_rng(n)
    needed = []
    for _ in range(50):
        J = rng.normal(size=(n, 6))
        q = J @ rng.normal(size=6) + np.where(rng.random(n) < 0.3, rng.random(n), 0.0)
        code, z, w, _, iterations, _, _ = run(J @ J.T, q)
        assert code == status.SOLVED
        assert residual_of(J @ J.T, q, np.zeros(n, np.int8), z, w) <= 1e-9
        needed.append(iterations)
    assert np.median(needed) <= 3


@pytest.mark.parametrize("n", [40, 400])
def test_all_wires_of_a_chain_are_taken_at_once_if_its_first_one_is_pulled(n):
    """n masses below each other that fall together: z = n, n − 1, .. 1 impulses. One by one it would take n turns."""
    A = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    A[0, 0], q = 1.0, np.zeros(n)
    q[0] = -1.0
    code, z, _, _, iterations, _, _ = run(A, q)
    assert (code, iterations) == (status.SOLVED, 2)
    np.testing.assert_allclose(z, np.arange(n, 0, -1), rtol=1e-9)


def test_a_wire_that_is_let_out_leaves_the_set_without_a_guess():
    """Five wires that share bodies with their neighbours; the last one was taut."""
    J = np.array([[1.0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0.5, 1, 0], [0, 0, 0, 0.5, 1]])
    A, q = J @ J.T, -np.array([1.0, 2.0, 3.0, 2.0, 1.0])
    code, _, _, taut, _, _, _ = run(A, q)
    assert (code, taut.all()) == (status.SOLVED, True)
    q[4] = 3.0
    code, z, w, _, iterations, _, _ = run(A, q, taut=taut)
    assert (code, iterations) == (status.SOLVED, 2)
    assert residual_of(A, q, np.zeros(5, np.int8), z, w) <= 1e-9


def test_guess_with_free_and_switched_off_rows_ends_right():
    rng = np.random.default_rng(1)
    for _ in range(200):
        n = int(rng.integers(2, 12))
        J = rng.normal(size=(n, 4))
        A, kind = J @ J.T, rng.choice([0, 0, 1, 2], n).astype(np.int8)
        q = J @ rng.normal(size=4)
        code, z, *_ = run(A, q, kind)
        assert code == status.SOLVED
        if np.any(q[kind != 2]):
            assert residual_of(A, q, kind, z, A @ z + q) <= 1e-9


@pytest.mark.parametrize("n", [5, 6, 40])
def test_kept_set_is_confirmed_in_one_factorisation_with_free_and_switched_off_rows(n):
    rng = np.random.default_rng(n)
    for _ in range(50):
        J = rng.normal(size=(n, 5))
        A, kind = J @ J.T, np.zeros(n, np.int8)
        kind[rng.permutation(n)[:3]] = [1, 1, 2]
        q = J @ rng.normal(size=5)
        taut = run(A, q, kind)[3]
        code, z, w, again, iterations, residual, rank = run(A, 1.001 * q, kind, taut.copy())
        assert (code, iterations, rank) == (status.SOLVED, 1, taut.sum())
        assert np.all(again == taut)
        assert np.all(z[~taut] == 0)
        assert w == pytest.approx(A @ z + 1.001 * q, abs=1e-12)
        assert residual == pytest.approx(residual_of(A, 1.001 * q, kind, z, w), abs=1e-17)
        assert residual <= 1e-12


def test_chain_whose_set_changes_a_little_needs_two_factorisations():
    """One shows which wires have the wrong sign, one that they were all: no search."""
    n = 500
    A = 4 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    q = -np.ones(n)
    taut = run(A, q)[3]
    q[100::200] = 1.5
    code, z, w, again, iterations, _, _ = run(A, q, taut=taut.copy())
    assert (code, iterations) == (status.SOLVED, 2)
    assert np.any(again != taut)
    assert w == pytest.approx(A @ z + q, abs=1e-12)
    assert residual_of(A, q, np.zeros(n, np.int8), z, w) <= 1e-12


@pytest.mark.parametrize("n", [8, 40, 150])
def test_set_of_a_step_ago_is_mended_row_by_row(n):
    """On a body of rank six: a wire goes slack, and another takes its place; each costs one factorisation."""
    rng = np.random.default_rng(n)
    J, phase = rng.normal(size=(n, 6)), rng.uniform(0.0, 2.0 * np.pi, 6)
    slack = np.where(rng.random(n) < 0.3, 0.1 * rng.random(n), 0.0)
    taut = np.zeros(n, bool)
    needed = []
    for k in range(1500):
        q = J @ np.sin(0.005 * k + phase) + slack
        before = taut.copy()
        code, z, w, taut, iterations, _, _ = run(J @ J.T, q, taut=taut)
        assert code == status.SOLVED
        assert residual_of(J @ J.T, q, np.zeros(n, np.int8), z, w) <= 1e-9
        if np.any(before) and np.any(before != taut):
            needed.append(iterations)
    assert len(needed) > 5
    assert max(needed) <= 3
