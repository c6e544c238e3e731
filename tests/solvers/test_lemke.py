"""The compiled Lemke kernel: pivots by the book, ties without cycling, rays that prove."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solvers import status
from solvers.backends.lemke import RAY, lemke, workspace
from solvers.kernels.tell import Told


def run(M, q, limit=10_000):
    M, q = np.array(M, float), np.array(q, float)
    z, w = np.empty(len(q)), np.empty(len(q))
    told = Told(np.empty((0, 3)), np.zeros(3, np.int64), 0)
    return (*lemke(M, q, z, w, *workspace(len(q)), limit, told, np.empty(0)), z, w)


def test_textbook_example():
    """Murty, Linear Complementarity (1988), example 2.8."""
    M = [[1, 0, 0, 0], [2, 1, 0, 0], [2, 2, 1, 0], [2, 2, 2, 1]]
    code, _, residual, z, _ = run(M, [-8, -12, -14, -15])
    assert code == status.SOLVED
    assert residual == 0
    assert z == pytest.approx([8, 0, 0, 0])


def test_murty_takes_two_to_the_n_pivots():
    n = 10
    M = np.eye(n) + 2 * np.tril(np.ones((n, n)), -1)
    code, iterations, _, _, _ = run(M, -np.ones(n))
    assert (code, iterations) == (status.SOLVED, 2**n)


def test_limit_is_kept():
    n = 10
    M = np.eye(n) + 2 * np.tril(np.ones((n, n)), -1)
    code, iterations, residual, _, _ = run(M, -np.ones(n), limit=100)
    assert (code, iterations) == (status.ITERATION_LIMIT, 100)
    assert np.isnan(residual)


def test_ray_of_a_monotone_problem_is_a_farkas_vector():
    G = np.array([[1.0, -1.0, 0.3]])
    M, q = G.T @ G, np.array([-1.0, -0.5, 2.0])
    code, _, _, y, slope = run(M, q)
    assert code == RAY
    assert np.all(y >= 0)
    assert slope == pytest.approx([0, 0, 0], abs=1e-14)
    assert q @ y < 0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_bad_numbers_are_invalid(bad):
    assert run([[1.0, bad], [0, 1]], [-1, -1])[0] == status.INVALID
    assert run([[1.0, 0], [0, 1]], [-1, bad])[0] == status.INVALID


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2**32 - 1))
@example(422)  # degenerate: a z that should be zero is rounding, in a row whose q is zero
def test_ties_do_not_cycle_on_copositive_plus_matrices(seed):
    """Semidefinite M plus a skew part, small integers: many ties; Lemke solves it or a ray proves infeasibility."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    J, K = rng.integers(-1, 2, (n, n)), rng.integers(-1, 2, (n, n))
    M, q = (J @ J.T + K - K.T).astype(float), -rng.integers(0, 2, n).astype(float)
    code, _, residual, z, w = run(M, q)
    if code == status.SOLVED:
        assert residual <= 1e-9
        assert np.all(z >= 0)
        assert w == pytest.approx(M @ z + q)
    else:
        assert code == RAY
        assert np.max(M.T @ z) <= 1e-9
        assert q @ z < 0
