"""Rows that act by rounding errors only, as of a rope that passes straight through a bead, give no other its size."""

import numpy as np
import pytest

import solvers

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
