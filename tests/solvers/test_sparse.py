"""Large sparse problems that are not symmetric: options, M-matrices. Small here; dense ways take minutes at 1e5."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import solvers
from solvers import matrix as mx


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


def test_where_factors_would_fill_up_the_equations_are_iterated():
    """A random graph has no order of little fill: factors of this one take a minute."""
    rng = np.random.default_rng(5)
    n = 10_000
    off = -sp.random_array((n, n), density=3.0 / n, rng=rng).tocsr()
    M = sp.csr_array(off + sp.diags_array(0.1 - np.asarray(off.sum(axis=1))))
    assert mx.costly_factors(M)
    s = solvers.solve(M, rng.normal(size=n))
    assert (s.status, s.method) == ("solved", "newton")
    assert s.residual < 1e-14


def chain(bodies):
    """Point masses on a line of wires in the plane, in velocities (free) and impulses."""
    rng = np.random.default_rng(6)
    wires = bodies - 1
    d = rng.normal(size=(wires, 2))
    d /= np.linalg.norm(d, axis=1)[:, None]
    column = np.repeat(np.arange(wires), 2)
    row = (2 * np.arange(wires)[:, None] + [0, 1]).ravel()
    G = sp.csr_array((np.r_[d.ravel(), -d.ravel()], (np.r_[row, row + 2], np.r_[column, column])), (2 * bodies, wires))
    mass, v = rng.uniform(0.5, 2.0, 2 * bodies), rng.normal(size=2 * bodies)
    none = sp.csr_array((wires, wires))
    return solvers.MLCP.from_blocks(sp.diags_array(mass), -G, G.T, none, -mass * v, rng.uniform(-0.1, 1.0, wires))


def test_free_rows_of_sparse_problems_stay_in_the_basis():
    problem = chain(120)
    cover = np.random.default_rng(7).uniform(0.5, 2.0, problem.n)
    dense = solvers.solve(solvers.MLCP(problem.M.toarray(), problem.q, problem.free), "lemke")
    for options in ({}, {"covering": cover}, {"log": True}):
        s = solvers.solve(problem, "lemke", **options)
        assert s.solved
        assert "eliminated" not in s.message
        assert s.z == pytest.approx(dense.z, abs=1e-12)
    large = solvers.solve(chain(1500), "lemke")  # 4499 rows, of which 3000 are free: no dense copy is possible
    assert large.solved
    assert large.residual < 1e-14


def test_rods_that_say_the_same_twice_are_eliminated_and_contradictions_shown():
    n = 250
    M = sp.lil_array(np.eye(n))
    M[0, 1] = M[1, 0] = 1.0
    same = solvers.solve(solvers.MLCP(M, -np.ones(n), [0, 1]), "lemke")
    assert same.solved
    assert "eliminated" in same.message
    other = solvers.solve(solvers.MLCP(M, np.r_[-1.0, -2.0, -np.ones(n - 2)], [0, 1]), "lemke")
    assert other.status == "infeasible"
    assert other.farkas.names == ("row 0", "row 1")


def test_a_problem_without_rows_is_solved_whatever_its_matrix_is():
    for M in (np.zeros((0, 0)), sp.csr_array((0, 0))):
        assert solvers.solve(M, np.zeros(0)).status == "solved"
    for M in (np.eye(2), sp.csr_array(np.eye(2))):  # bounds that meet leave no row
        fixed = solvers.solve(M, [1.0, 2.0], lower=[1.0, 3.0], upper=[1.0, 3.0])
        np.testing.assert_array_equal(fixed.z, [1.0, 3.0])
