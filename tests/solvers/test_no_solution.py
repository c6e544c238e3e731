"""A feasible problem without a complementary solution is told to have none, with a proof by all bases."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

import solvers
from solvers import Status


def has_solution(M, q, free):
    """Whether any complementary piece {w = 0 on a, z = 0 elsewhere, signs} is not empty, by linear programs."""
    n = len(q)
    for chosen in product([False, True], repeat=int((~free).sum())):
        a = free.copy()
        a[~free] = chosen
        bounds = [(None, None) if free[i] else (0, None) if a[i] else (0, 0) for i in range(n)]
        if linprog(np.zeros(n), -M[~a], q[~a], M[a], -q[a], bounds, method="highs").x is not None:
            return True
    return False


def test_the_smallest_problem_that_is_feasible_and_has_no_solution():
    """w = (z₁ − 1, z₁ − ½): z₁ ≥ 1 makes w₁ > 0, so z₁ = 0 it would have to be."""
    s = solvers.solve(solvers.LCP([[0.0, 1.0], [0.0, 1.0]], [-1.0, -0.5]))
    assert s.status is Status.NO_SOLUTION
    proof = s.certificate
    assert proof.bases == 4
    assert proof.margin == pytest.approx(0.25)  # z₁ = ¾ misses w₀ ≥ 0, and w₁ = 0, by as much
    assert (s.problem.w(proof.feasible) >= 0.0).all()
    assert "all 4 complementary bases" in s.message


@pytest.mark.parametrize("power", [0, 6])
def test_no_solution_is_said_where_there_is_none_and_nowhere_else(power):
    """In any units: rows and columns of the very problem are scaled."""
    rng = np.random.default_rng(power)
    told = dict.fromkeys(Status, 0)
    for _ in range(100):
        n = int(rng.integers(1, 5))
        M, q = rng.integers(-2, 3, (n, n)).astype(float), rng.integers(-2, 3, n).astype(float)
        free = rng.random(n) < 0.2
        row, column = (10.0 ** rng.integers(-power, power + 1, n) for _ in range(2))
        p = solvers.MLCP(M * column * row[:, None], q * row, free)
        s = solvers.solve(p)
        told[s.status] += 1
        assert s.status in (Status.SOLVED, Status.INFEASIBLE, Status.NO_SOLUTION), s.message
        assert s.solved is has_solution(M, q, free)
        if s.status is Status.NO_SOLUTION:
            z = s.certificate.feasible
            share, rate = p.shares(z, p.w(z))
            assert min(share[~free].min(initial=0.0), rate[~free].min(initial=0.0)) >= -1e-8
            assert np.abs(rate[free]).max(initial=0.0) <= 1e-8
    assert told[Status.NO_SOLUTION] > 2
    assert told[Status.INFEASIBLE] > 10


def test_a_row_of_zeros_is_not_rounding_of_others():
    """w₀ = −1e-6 whatever z is, though the row that z₀ is in has a q of 20."""
    s = solvers.solve(solvers.MLCP([[0.0, 0.0], [-1e6, 10.0]], [-1e-6, 20.0], [0]))
    assert s.status is Status.INFEASIBLE
    assert s.certificate.names == ("row 0",)


def test_blocks_that_are_not_connected_are_decided_one_by_one():
    """More rows than all bases can be tried of, in blocks of which nothing but that finds the solution."""
    rows = np.random.default_rng(0).permutation(20)
    M = np.kron(np.eye(10), np.array([[-1.0, 1.0], [1.0, 0.0]]))[np.ix_(rows, rows)]
    q = np.tile([1.0, -1.0], 10)[rows]
    for method in ("lemke", "newton"):
        assert not solvers.solve(M, q, method).solved
    s = solvers.solve(M, q)
    assert s.solved, s.message
    assert np.abs(np.minimum(s.z, M @ s.z + q)).max() < 1e-9
    assert "solved apart" in s.message

    def beside(B, b):
        return np.block([[M, np.zeros((20, 2))], [np.zeros((2, 20)), B]]), np.append(q, b)

    none = solvers.solve(*beside(np.array([[0.0, 1.0], [0.0, 1.0]]), [-1.0, -0.5]))
    assert none.status is Status.NO_SOLUTION
    assert (none.problem.w(none.certificate.feasible) >= -1e-9).all()
    pulled = solvers.solve(*beside(np.array([[1.0, -1.0], [-1.0, 1.0]]), [-1.0, -1.0]))
    assert pulled.status is Status.INFEASIBLE
    assert set(pulled.farkas.names) == {"row 20", "row 21"}


def test_no_basis_is_tried_in_vain_once_a_proof_stands():
    """w₁₄ = −1 whatever z: each of the 2¹⁴ bases is singular, and a linear program for each took a minute."""
    s = solvers.solve(solvers.LCP(np.zeros((14, 14)), [*np.zeros(13), -1.0]), "enumerate")
    assert s.status is Status.INFEASIBLE
    assert s.iterations < 2**14
