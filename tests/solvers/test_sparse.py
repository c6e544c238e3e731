"""Large sparse problems that are not symmetric: options, M-matrices. Small here; dense ways take minutes at 1e5."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import solvers


def american_put(n, strike=100.0, rate=0.05, volatility=0.2, step=1.0 / 12.0):
    """One implicit step of Black & Scholes before expiry: (problem for the value above the payoff, prices, payoff).

    u = value − payoff ≥ 0 and u + step L (u + payoff) ≥ payoff, L upwind in the drift: an M-matrix, not symmetric.
    """
    S = np.linspace(0.0, 3.0 * strike, n + 2)[1:-1]
    h = S[1] - S[0]
    spread, drift = 0.5 * volatility**2 * S**2 / h**2, rate * S / h
    L = sp.diags_array([-spread[1:], 2.0 * spread + drift + rate, -(spread + drift)[:-1]], offsets=[-1, 0, 1])
    M = sp.csr_array(sp.eye_array(n) + step * L)
    payoff = np.maximum(strike - S, 0.0)
    q = M @ payoff - payoff
    q[0] -= step * spread[0] * strike  # the value at S = 0 is the strike
    return solvers.LCP(M, q), S, payoff


@pytest.mark.parametrize("n", [150, 400])
def test_an_american_put_is_exercised_below_one_price_and_held_above(n):
    problem, S, payoff = american_put(n)
    s = solvers.solve(problem)
    assert s.solved
    held = s.z > 0.0
    first = int(np.argmax(held))
    assert 50.0 < S[first] < 100.0
    assert held[first:-1].all()
    assert (problem.M @ (s.z + payoff))[held] == pytest.approx(payoff[held], abs=1e-9)
    dense = solvers.solve(solvers.LCP(problem.M.toarray(), problem.q), "lemke")
    assert s.z == pytest.approx(dense.z, abs=1e-9)


def test_sparse_m_matrices_have_one_solution_and_it_is_found():
    rng = np.random.default_rng(4)
    n = 600
    off = -sp.random_array((n, n), density=0.01, rng=rng).tocsr()
    off.setdiag(0.0)
    M = off + sp.diags_array(0.1 - np.asarray(off.sum(axis=1)))
    q = rng.normal(size=n)
    s = solvers.solve(solvers.LCP(M, q))
    assert s.solved
    assert s.method == "newton"
    assert np.abs(np.minimum(s.z, M @ s.z + q)).max() < 1e-9
    dense = solvers.solve(solvers.LCP(M.toarray(), q), "lemke")
    assert s.z == pytest.approx(dense.z, abs=1e-8)
