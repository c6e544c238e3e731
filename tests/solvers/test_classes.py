"""Classes of matrices against their definitions, and what they promise against enumeration."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

import solvers
from solvers import Status


def small_matrices(count=150):
    rng = np.random.default_rng(0)
    for _ in range(count):
        n = int(rng.integers(1, 5))
        K = rng.integers(-2, 3, (n, n)).astype(float)
        yield (K, K - K.T, K @ K.T, np.tril(K) + 2 * np.eye(n), np.abs(K))[int(rng.integers(5))]


@cache
def classified():
    """Small matrices and their classes, which several tests look at."""
    return [(M, solvers.classify(M)) for M in small_matrices()]


def minors(M):
    n = len(M)
    return [np.linalg.det(M[np.ix_(c, c)]) for k in range(1, n + 1) for c in combinations(range(n), k)]


def test_p_and_p0_are_signs_of_principal_minors():
    for M, c in classified():
        m = np.array(minors(M))
        assert c.p == bool(np.all(m > 1e-9)), M
        assert c.p0 == bool(np.all(m > -1e-9)), M
        for name, bound in (("p", 1e-9), ("p0", -1e-9)):
            if name in c.witness:
                rows = c.witness[name]
                assert np.linalg.det(M[np.ix_(rows, rows)]) <= bound


NAMED = {"symmetric", "psd", "pd", "z", "p", "p0", "copositive", "copositive_plus", "column_adequate", "row_adequate"}
NAMED |= {"column_sufficient", "row_sufficient"}


def test_witnesses_do_what_they_are_shown_for():
    for M, c in classified():
        size = np.abs(M).max() + 1.0
        if "psd" in c.witness:
            x = c.witness["psd"]
            assert x @ M @ x < 0
        if "copositive" in c.witness:
            x = c.witness["copositive"]
            assert np.all(x >= 0)
            assert x @ M @ x < 0
        if "copositive_plus" in c.witness:
            x = c.witness["copositive_plus"]
            assert np.all(x >= 0)
            assert not c.copositive or x @ M @ x == pytest.approx(0.0, abs=1e-9 * size)
            assert c.copositive or x @ M @ x < 0
            assert np.abs((M + M.T) @ x).max() > 1e-6
        false = {name for name in c.witness.keys() | NAMED if getattr(c, name) is False}
        assert false == c.witness.keys(), M
        for side, A in (("column", M), ("row", M.T)):
            if f"{side}_adequate" in c.witness:
                x = c.witness[f"{side}_adequate"]
                assert np.all(x * (A @ x) <= 1e-9 * size)
                assert np.abs(A @ x).max() > 1e-6
            if f"{side}_sufficient" in c.witness:
                x = c.witness[f"{side}_sufficient"]
                assert np.all(x * (A @ x) <= 1e-7 * size * np.abs(x).max() ** 2)
                assert (x * (A @ x)).min() < -1e-8


def test_sufficient_matrices_have_no_whole_vector_that_breaks_their_rule():
    """x∘(Mx) ≤ 0 only where it is zero; and sufficient matrices are P0."""
    X = np.stack(np.meshgrid(*[np.arange(-3, 4)] * 4), axis=-1).reshape(-1, 4)
    given = [[[2, -2, -1, 0], [-1, 4, -1, -2], [-1, 0, 1, -1], [0, -2, -2, 4]], [[0, -2, -1], [-2, 2, -1], [0, -1, 3]]]
    for M, c in [*((M, solvers.classify(M)) for M in map(np.array, given)), *classified()]:
        x = X[:, : len(M)]
        for said, A in ((c.column_sufficient, M), (c.row_sufficient, M.T)):
            products = x * (x @ A.T)
            assert not said or not np.any((products.max(axis=1) <= 0.0) & (products.min(axis=1) < 0.0)), M
            assert not said or c.p0, M


OF_SIGNS = ("p", "p0", "column_adequate", "row_adequate", "column_sufficient", "row_sufficient")


def test_classes_by_signs_are_those_of_the_matrix_in_any_units():
    """Minors of D M E, and with z = E z' the products z∘(Mz), have the signs of those of M for all D, E > 0."""
    rng = np.random.default_rng(4)
    bad = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0]])
    for M in (bad, *small_matrices(80)):
        d, e = (2.0 ** rng.integers(-24, 25, len(M)) for _ in range(2))
        c, scaled = solvers.classify(M), solvers.classify(M * d[:, None] * e)
        for name in OF_SIGNS:
            assert getattr(scaled, name) == getattr(c, name), (name, M, d, e)
        for side, A in (("column", M), ("row", M.T)):
            for name in ("adequate", "sufficient"):
                x = scaled.witness.get(f"{side}_{name}")
                if x is not None:
                    x = x * (e if side == "column" else d)
                    products, own = x * (A @ x), np.abs(x) * (np.abs(A) @ np.abs(x))
                    assert np.all(products <= 1e-9 * own.max())
                    assert name == "adequate" or products.min() < -1e-9 * own.max()


def test_a_block_that_does_not_meet_another_is_judged_alone():
    for big in (1.0, 1e6, 1e9):
        M = np.zeros((5, 5))
        M[:3, :3], M[3:, 3:] = [[1, 1, 0], [1, 1, 0], [2, 0, 0]], [[1, big], [0, 1]]
        assert solvers.classify(M).column_adequate is False, big


def test_a_matrix_that_is_not_p0_is_not_sufficient():
    M = np.array([[8.0, -(2.0**-9)], [2.0**16, -8.0]])
    c = solvers.classify(M)
    assert (c.p0, c.column_sufficient, c.row_sufficient) == (False, False, False)
    x = c.witness["column_sufficient"]
    assert (x * (M @ x)).max() <= 0.0 > (x * (M @ x)).min()


def test_minors_of_triangular_matrices_are_positive_whatever_else_is_in_them():
    """Each minor is the product of its diagonal; lengths of rows do not count."""
    M = np.diag([1e-5, 3e-5, 2.0, 6e4]) + np.triu(np.full((4, 4), -3e5), 1)
    assert solvers.classify(M).p


def test_copositive_matrices_have_no_falling_direction_on_a_grid():
    rng = np.random.default_rng(1)
    X = rng.random((4000, 4)) * (rng.random((4000, 4)) < 0.7)
    for M, c in classified():
        x = X[:, : len(M)]
        if c.copositive:
            assert np.einsum("ki,ij,kj->k", x, M, x).min() >= -1e-9, M


def test_w_is_unique_for_every_q_if_and_only_if_column_adequate():
    """Ingleton 1966: a second w is shown where not; else all bases of random problems give one w."""
    rng = np.random.default_rng(2)
    shown = 0
    for M, c in classified():
        if c.column_adequate:
            for _ in range(5):
                q = rng.integers(-2, 3, len(M)).astype(float)
                found = [solvers.solve(solvers.LCP(M, q), method) for method in ("enumerate", "lemke", "newton")]
                w = [s.w for s in found if s.solved]
                assert all(np.abs(w[0] - other).max() < 1e-6 for other in w[1:])
        else:
            problem, one, other = c.two_solutions()
            assert problem.residual(one) <= 1e-9
            assert problem.residual(other) <= 1e-9
            assert np.abs(problem.w(one) - problem.w(other)).max() > 1e-6
            shown += 1
    assert shown > 20


def test_p_promises_one_solution_and_sufficiency_that_feasible_is_solvable():
    rng = np.random.default_rng(3)
    for M, c in classified():
        for q in rng.integers(-2, 3, (3, len(M))).astype(float):
            if c.p or c.row_sufficient or c.copositive_plus:
                s = solvers.solve(solvers.LCP(M, q), "enumerate")
                assert s.solved or (not c.p and s.status is Status.INFEASIBLE), M


@pytest.mark.parametrize("n", [3, 40])
def test_wires_are_adequate_m_matrices_of_every_size_are_found(n):
    G = np.random.default_rng(n).normal(size=(2, n))
    c = solvers.classify(G.T @ G)
    assert (c.psd, c.pd, c.column_adequate, c.w_unique, c.p, c.method) == (True, False, True, True, False, "active-set")
    poisson = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    poisson[0, 1] = -0.5
    c = solvers.classify(poisson)
    assert (c.z, c.m_matrix, c.p, c.symmetric) == (True, True, True, False)
    assert "one solution for every q" in str(c)


def test_analysis_of_all_solutions_does_not_contradict_itself():
    definite = solvers.LCP([[1.0, 2.0], [-2.0, 1.0]], [-1.0, -1.0])
    a = solvers.analyse(definite, solvers.solve(definite))
    assert (a.w_unique, a.z_unique, a.dimension) == (True, True, 0)
    assert "need not" not in a.text
    p_matrix = solvers.LCP([[1.0, -3.0], [0.0, 1.0]], [-1.0, -1.0])
    a = solvers.analyse(p_matrix, solvers.solve(p_matrix))
    assert (a.w_unique, a.z_unique) == (True, True)
    skew = solvers.LCP([[0.0, -1.0], [1.0, 0.0]], [1.0, 0.0])
    a = solvers.analyse(skew, solvers.solve(skew))
    assert a.w_unique is False
    assert a.null_space.shape == (2, 0)  # M y = 0 has no solution but 0
    assert "move" not in a.text
    assert skew.residual(a.other) <= 1e-9


def test_dimension_of_the_solutions_is_less_than_that_of_the_null_space_on_the_border():
    """Two opposed wires just taut, z = w = 0: stretching both is free, pushing is not. With one bar it is none."""
    M = np.array([[1.0, -1.0], [-1.0, 1.0]])
    a = solvers.analyse(solvers.LCP(M, [0.0, 0.0]), solvers.solve(solvers.LCP(M, [0.0, 0.0])))
    assert (a.null_space.shape[1], a.dimension, a.z_unique) == (1, 1, False)
    same = np.ones((2, 2))
    p = solvers.LCP(same, [0.0, 0.0])
    a = solvers.analyse(p, solvers.solve(p))
    assert (a.null_space.shape[1], a.dimension, a.z_unique) == (1, 0, True)
