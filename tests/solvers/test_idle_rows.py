"""Rows that act by rounding errors only, as of a rope that passes straight through a bead, give no other its size."""

import numpy as np
import pytest

import solvers
from solvers import certificates
from solvers.friction.polyhedral import Entries

EXACT = ("auto", "active-set", "newton", "enumerate")


@pytest.mark.parametrize("method", solvers.available())
def test_a_row_of_rounding_errors_does_not_make_others_small(method):
    M, q = np.array([[0.6, -7e-18], [-7e-18, 2.9e-33]]), np.array([-0.9157, 3079.0])
    problem = solvers.MLCP(M, q)
    assert problem.residual(np.zeros(2)) > 0.1
    solution = solvers.solve(problem, method)
    if method in EXACT or solution.status == "solved":
        np.testing.assert_allclose(solution.w, [0.0, 3079.0], atol=1e-6)
        assert abs(solution.z[0] - 0.9157 / 0.6) < 1e-6


@pytest.mark.parametrize("size", [1e-9, 1e-12, 1e-16, 0.0])
@pytest.mark.parametrize("method", EXACT)
def test_problems_beside_such_a_row_are_solved_as_without_it(method, size):
    rng = np.random.default_rng(5)
    for _ in range(60):
        n = int(rng.integers(2, 7))
        B = rng.normal(size=(n, int(rng.integers(2, 7))))
        B[-1] *= size
        M, z = B @ B.T, np.maximum(rng.normal(size=n), 0.0)
        z[-1] = 0.0
        q = np.where(z > 0.0, 0.0, rng.random(n)) - M @ z
        q[-1] = 1e3 * rng.random() + 1.0
        solution, alone = solvers.solve(solvers.MLCP(M, q), method), solvers.solve(solvers.MLCP(M[:-1, :-1], q[:-1]))
        assert solution.status == "solved"
        assert solution.z[-1] == 0.0
        np.testing.assert_allclose((M @ solution.z + q)[:-1], alone.w, atol=1e-9 * np.abs(q[:-1]).max())


def test_no_proof_is_sought_where_z_is_zero(monkeypatch):
    """A contact in the air, whose tangents ask for nothing: no z can have run away there."""
    sought = []
    monkeypatch.setattr(certificates, "sharpened", lambda problem, y: sought.append(y))
    monkeypatch.setattr(certificates, "find", sought.append)
    for q in ([1, 0, 0, -1, 0.3, 0], [1, 0, 0, 1, 0.3, 0], [1e-3, 0, 0, -1, 0.2, 0.1], [1, 0, 0, -1, 0, 0]):
        contacts = solvers.Coulomb(np.diag([1.0, 2, 2, 1, 2, 2]), q, [[0, 1, 2], [3, 4, 5]], [0.5, 0.5])
        solution = solvers.solve(contacts.polyhedral(8).problem, "lemke")
        assert solution.solved
    assert not sought


def test_rows_of_a_polygon_are_written_for_all_contacts_at_once(monkeypatch):
    """As many calls for ten contacts as for one: a step's problem is made anew in each step."""
    calls, add = [], Entries.add
    monkeypatch.setattr(Entries, "add", lambda self, *entries: calls.append(1) or add(self, *entries))
    counts = []
    for k in (1, 10):
        calls.clear()
        contacts = np.arange(3 * k).reshape(k, 3)
        flat = solvers.Coulomb(np.eye(3 * k), -np.ones(3 * k), contacts, np.full(k, 0.5)).polyhedral(4)
        counts.append(len(calls))
        one = np.arange(k)[:, None]
        beta, sigma = k + 5 * one + np.arange(4), k + 5 * one + 4
        assert (flat.problem.M[beta, sigma] == 1).all()
        assert (flat.problem.M[sigma, beta] == -1).all()
        assert (flat.problem.M[sigma, one] == 0.5).all()
    assert counts[0] == counts[1]
