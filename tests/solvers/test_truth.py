"""No verdict depends on units, on order, or on rows that have nothing to do with the question."""

from __future__ import annotations

import os

import numpy as np
import pytest

import solvers
from solvers import Status

METHODS = [name for name in solvers.available() if name != "cvxpy"]
CLAIMS = (Status.SOLVED, Status.INFEASIBLE, Status.NO_SOLUTION)
MANY = int(os.environ.get("RANDOM_PROBLEMS", "120"))
"""Problems of the slow test; 10 000 take a quarter of an hour."""


def random_problem(rng, n):
    """Semidefinite of any rank, skew, or anything; whole numbers or not; with free rows now and then."""
    kind = rng.integers(5)
    J = rng.integers(-2, 3, (n, rng.integers(1, n + 1))).astype(float)
    K = rng.integers(-2, 3, (n, n)).astype(float)
    q = rng.integers(-3, 4, n).astype(float)
    if kind == 0:
        M, q = J @ J.T, J @ rng.integers(-3, 4, J.shape[1]) if rng.random() < 0.5 else q
    elif kind == 1:
        M = K
    elif kind == 2:
        M = K - K.T
    elif kind == 3:
        J = rng.normal(size=(n, max(1, n - 1)))
        M, q = J @ J.T, rng.normal(size=n)
    else:
        M, q = rng.normal(size=(n, n)), rng.normal(size=n)
    free = rng.random(n) < (0.25 if rng.random() < 0.3 else 0.0)
    if rng.random() < 0.25:  # rows that coincide, and rows with z = 0 and w = 0
        twin, z = rng.integers(0, n, n), rng.integers(0, 2, n)
        M = M[np.ix_(twin, twin)]
        q = np.where((z > 0) | free, 0, rng.integers(0, 2, n)) - M @ z
    return M, np.asarray(q, float), free


def disguised(rng, M, q, free):
    """The same in other units and another order, with unrelated rows of sizes from 1e-12 to 1e12."""
    n, m = len(q), int(rng.integers(0, 3))
    units = 10.0 ** rng.integers(-5, 6, n)
    A = np.eye(n + m)
    A[:n, :n] = M * units * units[:, None]
    b = np.r_[q * units, 10.0 ** rng.integers(-12, 13, m) * rng.choice([-1.0, 1.0], m)]
    order = rng.permutation(n + m)
    return solvers.MLCP(A[np.ix_(order, order)], b[order], np.r_[free, np.zeros(m, bool)][order])


def agree(seed, count, methods):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        parts = random_problem(rng, int(rng.integers(1, 7)))
        oracle = solvers.solve(solvers.MLCP(*parts), "enumerate")
        problem = disguised(rng, *parts) if rng.random() < 0.5 else solvers.MLCP(*parts)
        for method in methods:
            s = solvers.solve(problem, method)
            assert s.status not in CLAIMS or s.status is oracle.status, (method, parts, s)
            assert method != "auto" or s.status is oracle.status, (parts, s.message)


def test_disguised_problems_keep_the_verdict_of_enumeration():
    agree(1, 40, METHODS)


@pytest.mark.slow
def test_many_problems_keep_the_verdict_of_enumeration():
    agree(2, MANY, METHODS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [1e10, -1e10, 1e-10, -1e-10, 1e12])
def test_rows_that_are_pulled_apart_stay_so_beside_a_row_of_any_size(method, size):
    """w = z_0 + size; w_1 = z_1 − z_2 − 1 and w_2 = −w_1 − 2 cannot both be ≥ 0."""
    s = solvers.solve(solvers.LCP([[1, 0, 0], [0, 1, -1], [0, -1, 1]], [size, -1, -1]), method)
    assert s.status is Status.INFEASIBLE, s.message
    assert s.certificate.names == ("row 1", "row 2")
    assert s.certificate.speed == pytest.approx(2.0)


@pytest.mark.parametrize("method", METHODS)
def test_of_two_contradictions_one_is_shown_whole_and_no_other_row_is_blamed(method):
    pair = np.array([[1.0, -1.0], [-1.0, 1.0]])
    M = np.zeros((5, 5))
    M[:2, :2], M[2:4, 2:4], M[4, 4] = pair, pair, 1.0
    M[4, 0] = M[0, 4] = 0.0
    s = solvers.solve(solvers.LCP(M, [-1, -1, -2, -1, -1]), method)
    assert s.status is Status.INFEASIBLE, s.message
    proof = s.certificate
    assert set(proof.names) in ({"row 0", "row 1"}, {"row 2", "row 3"})
    assert np.count_nonzero(proof.y) == 2
    assert proof.gap <= 1e-15


def test_the_blamed_wires_are_an_extreme_ray_of_many():
    """Three wires in a plane that pull 120° apart, twice over: any three that surround the load do, no more."""
    angle = np.deg2rad([0, 120, 240, 5, 125, 245])
    G = np.array([np.cos(angle), np.sin(angle)])
    s = solvers.solve(solvers.LCP.from_wires([1.0, 1.0], G, [0.0, 0.0], -np.ones(6)))
    assert s.status is Status.INFEASIBLE
    y = s.certificate.y
    assert 2 <= np.count_nonzero(y) <= 3
    assert np.abs(G @ y).max() <= 1e-14
    assert s.certificate.speed == pytest.approx(y.sum())


def test_an_impulse_that_has_run_away_is_no_solution():
    """w = −1 beside terms of 1e26 is nothing to a row's own size; that no solution exists is found all the same."""
    from solvers.guard import judged
    from solvers.solution import Answer

    problem = solvers.LCP([[1, -1], [-1, 1]], [-1, -1])
    assert problem.residual(np.full(2, 1e26)) < 1e-9
    s = judged(problem, "test", Answer(np.full(2, 1e26), Status.SOLVED, 1))
    assert s.status is Status.INFEASIBLE


@pytest.mark.parametrize("share", [1e-3, 1e-5, 1e-7])
def test_a_small_contradiction_does_not_hide_behind_large_impulses(share):
    """Rows that ask for more than each other give: w may miss by 1e-9 of its terms, but not of what q asks."""
    from solvers.guard import judged
    from solvers.solution import Answer

    problem = solvers.LCP([[1, -3], [-3, 9]], [-3 - 3 * share, 9])
    z = np.array([3.0, 0.0]) + np.array([3.0, 1.0]) * 2e9 * share
    assert problem.residual(z) < 1e-9
    s = judged(problem, "test", Answer(z, Status.SOLVED, 1))
    assert s.status is Status.INFEASIBLE
    assert s.farkas.fall == pytest.approx(3 * share, rel=1e-6)


def test_wires_that_nearly_oppose_each_other_may_pull_hard():
    """1e-5 rad from opposite: impulses of 1e10, and a solution; no method says that there is none."""
    a = 1e-5
    G = np.array([[1.0, -np.cos(a)], [0.0, np.sin(a)]])
    problem = solvers.LCP.from_wires([1.0, 1.0], G, [0.0, 0.0], [-1.0, -1.0])
    for method in METHODS:
        s = solvers.solve(problem, method)
        assert s.status is not Status.INFEASIBLE, (method, s.message)
        if method in ("auto", "active-set", "enumerate"):
            assert s.solved, (method, s.message)
            assert s.v[1] == pytest.approx(2.0 / a, rel=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_every_method_tells_the_same_contradiction_with_the_same_speed(seed):
    """Wires around a load that are driven apart in many ways: the speed is that of the ends, whatever the gaps are."""
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(3, 9))  # of 512 bases, for enumeration
    G[:, 8] = -G[:, :3].sum(axis=1)  # all around
    gap, rate = rng.uniform(0.0, 0.3, 9), -rng.uniform(0.5, 2.0, 9)
    problem = solvers.LCP.from_wires([1.0, 2.0, 0.5], G, rng.normal(size=3), gap + rate, rate=rate)
    told = [s.certificate for s in (solvers.solve(problem, m) for m in METHODS) if s.status is Status.INFEASIBLE]
    assert len(told) >= 5
    for proof in told:
        assert proof.y == pytest.approx(told[0].y, abs=1e-9)
        assert proof.speed == pytest.approx(-rate @ proof.y, rel=1e-12)
        assert proof.fall == pytest.approx(-problem.q @ proof.y, rel=1e-12)
        assert np.count_nonzero(proof.y) <= 4


@pytest.mark.parametrize("method", METHODS)
def test_units_of_rows_apart_from_those_of_columns_keep_no_method_from_solving(method):
    rng = np.random.default_rng(8)
    for k in range(6):
        J = rng.integers(-2, 3, (4, 2)).astype(float)
        M, q = J @ J.T, J @ rng.normal(size=2) if k % 2 else np.array([1.0, -1.0, -1.0, -1.0])
        same = solvers.solve(M, q, method)
        row, column = 10.0 ** rng.integers(-6, 7, (2, 4))
        other = solvers.solve(M * row[:, None] * column, q * row, method)
        assert other.status is same.status, (M, q, row, column)
        if method not in ("pgs", "newton"):
            assert other.status in CLAIMS, (M, q)
