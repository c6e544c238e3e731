"""What the theory says about uniqueness is what the analysis finds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

import solvers


def hung(n, weight=6.0):
    """A point mass that hangs on n vertical wires through one step: tensions add up to the weight."""
    names = [f"wire {c}" for c in "abcdef"[:n]]
    return solvers.LCP.from_wires([0.5], np.ones((1, n)), [-weight], np.zeros(n), names=names)


def test_parallel_wires_have_a_simplex_of_tensions():
    p = hung(3)
    a = solvers.analyse(p, solvers.solve(p))
    assert (a.w_unique, a.z_unique, a.rank) == (True, False, 1)
    assert a.null_space.shape == (3, 2)
    assert p.M @ a.null_space == pytest.approx(np.zeros((3, 2)), abs=1e-12)
    assert a.least_norm == pytest.approx([4, 4, 4])
    assert a.low == pytest.approx([0, 0, 0], abs=1e-9)
    assert a.high == pytest.approx([12, 12, 12])
    assert a.direction is None
    assert "wire a" in a.table()
    assert "2 internal stretching forces" in str(a)


def test_single_wire_is_unique():
    p = hung(1)
    a = solvers.analyse(p, solvers.solve(p))
    assert (a.w_unique, a.z_unique, a.rank) == (True, True, 1)
    assert a.low == a.high == a.least_norm == pytest.approx([12])
    assert a.null_space.shape == (1, 0)


def test_ranges_of_impulses_end_at_zero_and_not_at_rounding():
    """A box hangs on the wires at its four corners: three bear it, whichever they are, so each can be idle."""
    G = np.array([[1.0, 1.0, 1.0, 1.0], [0.3, -0.3, -0.3, 0.3], [0.7, 0.7, -0.7, -0.7]])
    p = solvers.LCP.from_wires(np.array([0.2, 3.0, 1.7]), G, [-0.1, 0.0, 0.0], np.zeros(4))
    a = solvers.analyse(p, solvers.solve(p, "interior-point"))
    assert a.low.tolist() == [0.0] * 4
    assert a.high == pytest.approx([0.25] * 4, rel=1e-9)
    assert "1 internal stretching force that moves nothing" in str(a)
    assert repr(p).split("\n")[0] == "<MLCP of 4 rows: wire 0, wire 1, wire 2, wire 3>"


def test_opposed_wires_can_be_stretched_without_bound():
    p = solvers.LCP.from_wires([1.0], [[1.0, -1.0]], [0.0], [-1.0, 1.0], names=["up", "down"])
    s = solvers.solve(p)
    a = solvers.analyse(p, s)
    assert s.v == pytest.approx([1.0])
    assert a.z_unique is False
    assert a.direction == pytest.approx([1, 1])
    assert a.low == pytest.approx([1, 0], abs=1e-9)
    assert np.all(np.isinf(a.high))


def test_borderline_row_is_named():
    p = solvers.LCP(np.eye(2), [-1.0, 0.0], names=["taut", "edge"])
    a = solvers.analyse(p, solvers.solve(p))
    assert a.borderline.tolist() == [False, True]
    assert "edge" in str(a)
    assert a.z_unique


def test_borderline_row_can_make_tensions_unique():
    """Two parallel wires of which one is just taut but the other one already carries nothing."""
    p = solvers.LCP([[1.0, 1.0], [1.0, 1.0]], [0.0, 0.0])
    a = solvers.analyse(p, solvers.solve(p))
    assert a.z_unique
    assert a.high == pytest.approx([0, 0], abs=1e-12)


def test_linear_program_has_one_optimum_but_many_w():
    """min x1 + x2 over x1 + x2 ≥ 1, x1 ≥ 0: every point of the edge is optimal, with its own slack x1."""
    A, b, c = np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([1.0, 0.0]), np.array([1.0, 1.0])
    M = np.block([[np.zeros((2, 2)), -A.T], [A, np.zeros((2, 2))]])
    p = solvers.LCP(M, np.concatenate([c, -b]))
    s = solvers.solve(p)
    a = solvers.analyse(p, s)
    assert s.solved
    assert a.w_unique is False
    assert a.other is not None
    assert p.residual(a.other) <= 1e-9
    assert np.abs(p.w(a.other) - s.w).max() > 1e-3
    assert "w is not unique" in str(a)
    assert a.dimension == 1


def test_indefinite_problem_shows_two_solutions():
    p = solvers.LCP([[1.0, 2.0], [2.0, 1.0]], [-1.0, -1.0])
    a = solvers.analyse(p, solvers.solve(p))
    assert a.w_unique is False
    assert p.residual(a.other) <= 1e-9


def test_positive_definite_problem_without_symmetry_is_unique():
    p = solvers.LCP([[1.0, 2.0], [-2.0, 1.0]], [-1.0, 1.0])
    a = solvers.analyse(p, solvers.solve(p))
    assert (a.w_unique, a.z_unique) == (True, True)


@pytest.mark.parametrize("seed", range(8))
def test_every_method_lands_in_the_ranges_and_shares_w(seed):
    rng = np.random.default_rng(seed)
    n = 9
    d = rng.normal(size=(n, 3))
    d[:, 2] = np.abs(d[:, 2]) + 1
    d /= np.linalg.norm(d, axis=1)[:, None]
    r = rng.uniform(-0.2, 0.2, (n, 3))
    G = np.vstack([d.T, np.cross(r, d).T])
    p = solvers.LCP.from_wires([0.5] * 3 + [30.0, 40, 50], G, G @ np.zeros(n) + [0, 0, -0.5, 0, 0, 0], -0.01 * d[:, 2])
    s = solvers.solve(p)
    a = solvers.analyse(p, s)
    size = np.abs(s.z).max()
    least = np.linalg.norm(a.least_norm)
    for method in solvers.available():
        other = solvers.solve(p, method)
        if other.solved:
            assert other.w == pytest.approx(s.w, abs=1e-8 * p.scale)
            assert other.v == pytest.approx(s.v, abs=1e-8)
            assert np.all(other.z >= a.low - 1e-6 * size)
            assert np.all(other.z <= a.high + 1e-6 * size)
            assert np.linalg.norm(other.z) >= least * (1 - 1e-7)
    assert p.residual(a.least_norm) <= 1e-9


def test_analysis_needs_a_solution():
    p = solvers.LCP([[0.0]], [-1.0])
    with pytest.raises(solvers.ProblemError, match="infeasible"):
        solvers.analyse(p, solvers.solve(p))


class Everything:
    """All solutions of a small problem: of every complementary basis the polyhedron, by linear programs."""

    def __init__(self, M, q, free):
        self.M, self.q, self.free = M, q, free
        n, rows = len(q), np.flatnonzero(~free)
        low, high, self.dimension = np.full(2 * n, np.inf), np.full(2 * n, -np.inf), -1
        for size in range(len(rows) + 1):
            for chosen in combinations(rows, size):
                a = free.copy()
                a[list(chosen)] = True
                if np.linalg.matrix_rank(M[np.ix_(a, a)], tol=1e-9) == a.sum():  # a point
                    z = np.zeros(n)
                    z[a] = np.linalg.solve(M[np.ix_(a, a)], -q[a])
                    if z[a & ~free].min(initial=0.0) > -1e-9 and (M @ z + q)[~a].min(initial=0.0) > -1e-9:
                        both = np.r_[z, M @ z + q]
                        low, high = np.minimum(low, both), np.maximum(high, both)
                        self.dimension = max(self.dimension, 0)
                    continue
                if self.least(np.zeros(n), a) is None:
                    continue
                for j, c in enumerate(np.vstack([np.eye(n), M])):
                    offset = q[j - n] if j >= n else 0.0
                    low[j] = min(low[j], self.least(c, a) + offset)
                    high[j] = max(high[j], offset - self.least(-c, a))
                # Inequalities that are equations throughout take away their rank.
                rest = np.vstack([np.eye(n)[list(chosen)], M[~a]]), np.r_[np.zeros(size), q[~a]]
                stuck = [c for c, b in zip(*rest, strict=True) if -self.least(-c, a) + b < 1e-7]
                E = np.vstack([M[a], np.eye(n)[~a], *stuck])
                self.dimension = max(self.dimension, n - np.linalg.matrix_rank(E, tol=1e-9))
        self.z_unique, self.w_unique = (bool((high - low < 1e-6)[part].all()) for part in (slice(n), slice(n, None)))

    def least(self, c, a):
        """Least cᵀz on the part where w = 0 on the rows a and z = 0 on the others; None if it is empty."""
        bounds = [(None, None) if self.free[i] else (0, None) if a[i] else (0, 0) for i in range(len(a))]
        answer = linprog(c, -self.M[~a], self.q[~a], self.M[a], -self.q[a], bounds, method="highs")
        return -np.inf if answer.status == 3 else None if answer.x is None else answer.fun


KINDS = ("semidefinite", "definite", "monotone", "skew", "P", "any", "mlcp")


def drawn(kind, rng):
    """M and q in whole numbers, and free rows, mostly with a solution that has rows with z = 0 and w = 0."""
    n = int(rng.integers(1, 5))
    free = rng.random(n) < rng.choice([0.0, 0.3])
    K, J = rng.integers(-1, 2, (n, n)), rng.integers(-1, 2, (n, rng.integers(1, 3)))
    M = {
        "semidefinite": lambda: J @ J.T,
        "definite": lambda: np.eye(n) + K - K.T,
        "monotone": lambda: J @ J.T + K - K.T,
        "skew": lambda: K - K.T,
        "P": lambda: np.tril(2 * K, -1) + np.eye(n),
        "any": lambda: K,
        "mlcp": lambda: np.block([[np.eye(J.shape[1]), -J.T], [J, np.zeros((n, n))]]),
    }[kind]()
    if kind == "mlcp":
        free = np.r_[np.ones(J.shape[1], bool), free]
    z = rng.integers(0, 2, len(M))
    w = np.where((z > 0) | free, 0, rng.integers(0, 2, len(M)))
    q = w - M @ z if rng.random() < 0.8 else rng.integers(-1, 2, len(M))
    return M.astype(float), q.astype(float), free


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_is_what_all_bases_say(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    examined = 0
    for _ in range(20):
        M, q, free = drawn(kind, rng)
        p = solvers.MLCP(M, q, free)
        s = solvers.solve(p)
        if not s.solved:
            continue
        a, all_ = solvers.analyse(p, s), Everything(M, q, free)
        assert (a.w_unique, a.z_unique, a.dimension) == (all_.w_unique, all_.z_unique, all_.dimension), (M, q, free)
        assert np.abs(M @ a.null_space).max(initial=0.0) < 1e-12
        assert a.rank + a.null_space.shape[1] == a.taut.sum()
        assert ("need not be unique" in str(a)) is (a.w_unique is None)
        examined += 1
    assert examined >= 10


def test_a_skew_matrix_moves_what_it_multiplies():
    """w = (−z₁, z₀): z₁ must be zero, z₀ need not be, and w₁ = z₀ goes with it."""
    p = solvers.LCP([[0.0, -1.0], [1.0, 0.0]], [0.0, 0.0])
    a = solvers.analyse(p, solvers.solve(p))
    assert (a.w_unique, a.z_unique, a.rank, a.dimension) == (False, False, 2, 1)
    assert "move" not in str(a)


def test_a_rate_that_rounding_of_gaps_may_have_made_leaves_the_share_of_two_wires_open():
    problem = solvers.LCP([[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0 + 1e-7])
    assert solvers.analyse(problem).z_unique
    analysis = solvers.analyse(problem, rounding=1e-6)
    assert not analysis.z_unique
    assert (analysis.rank, int(analysis.taut.sum())) == (1, 2)


@pytest.mark.parametrize(
    ("M", "q", "unit", "low", "high"),
    [
        (
            [[9.0, 6, 0, -2, 2], [6, 8, 0, -4, -4], [0, 0, 0, 0, 0], [-2, -4, 0, 5, 2], [2, -4, 0, 2, 8]],
            [-24.0, -20, 0, 8, 0],
            [0.001, 10, 0.01, 100, 100],
            [0, 1, 0, 0, 0],
            [2, 11 / 3, np.inf, 2 / 3, 5 / 3],
        ),
        (
            [[5.0, 2, -1, 1], [2, 4, 2, -2], [-1, 2, 2, -2], [1, -2, -2, 2]],
            [-14.0, -12, -2, 2],
            [1000, 0.001, 100, 1],
            [0, 0, 0, 0],
            [10 / 3, 5, np.inf, np.inf],
        ),
    ],
)
def test_ranges_are_the_same_in_other_units(M, q, unit, low, high):
    M, q = np.array(M), np.array(q)
    for s in (np.ones(len(q)), np.array(unit, float)):
        found = solvers.analyse(solvers.LCP(s[:, None] * M * s, s * q))
        np.testing.assert_allclose(found.low * s, low, atol=1e-9)
        np.testing.assert_allclose(found.high * s, high, rtol=1e-9)
