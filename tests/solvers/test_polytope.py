"""The set of all solutions: corners and centre of wires whose sets are known by hand, random ones by their laws."""

from math import sqrt

import numpy as np
import pytest

import solvers


def hung(n, weight=6.0):
    """A point mass on n vertical wires: {z ≥ 0, Σ z = weight}, a simplex."""
    return solvers.LCP.from_wires([0.5], np.ones((1, n)), [-weight * 0.5], np.zeros(n))


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_wires_side_by_side_share_a_weight_as_a_simplex(n):
    problem = hung(n)
    found = solvers.polytope(problem, solvers.solve(problem))
    assert found.dimension == n - 1
    assert sorted(map(tuple, found.vertices.round(9))) == sorted(map(tuple, 6.0 * np.eye(n)))
    assert found.centre == pytest.approx(np.full(n, 6.0 / n))
    # The inner radius of a simplex with edges a = 6 sqrt(2): a / sqrt(2 n (n - 1)).
    assert found.radius == pytest.approx(6.0 / sqrt(n * (n - 1)) if n > 1 else 0.0)


@pytest.mark.parametrize("seed", range(6))
def test_corners_are_solutions_with_as_many_zeros_and_the_set_lies_between_them(seed):
    rng = np.random.default_rng(seed)
    d = rng.normal(size=(3, 6))
    d[2] = np.abs(d[2]) + 0.5  # all pull upwards: bounded
    d /= np.linalg.norm(d, axis=0)
    problem = solvers.LCP.from_wires(np.ones(3), d, -d @ rng.uniform(0.2, 1.0, 6), np.zeros(6))
    solution = solvers.solve(problem)
    found = solvers.polytope(problem, solution)
    analysis = solvers.analyse(problem, solution)
    assert found.dimension == analysis.dimension == 3
    for z in found.vertices:
        assert problem.residual(z) < 1e-12
        assert np.sum(z < 1e-9) >= 3
    assert found.vertices.min(axis=0) == pytest.approx(analysis.low, abs=1e-7)  # two linear programs a row
    assert found.vertices.max(axis=0) == pytest.approx(analysis.high, abs=1e-7)
    assert problem.residual(found.centre) < 1e-9
    # Every point of the ball in the set's own directions is a solution; nothing of a larger one need be.
    N = np.linalg.svd(d)[2][3:]
    for _ in range(20):
        step = rng.normal(size=3)
        z = found.centre + found.radius * (step / np.linalg.norm(step)) @ N
        assert z.min() > -1e-9
        assert problem.residual(np.maximum(z, 0.0)) < 1e-8
    touched = np.isclose(found.centre, found.radius * np.linalg.norm(N, axis=0), atol=1e-9)
    assert touched.sum() >= 4  # a largest ball is held by one face more than its dimensions


def test_opposed_wires_make_no_polytope():
    """Two wires up, two down: what the lower ones add the upper ones must bear, without end."""
    up_down = np.array([[1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0]])
    problem = solvers.LCP.from_wires([1.0, 1.0], up_down, [-1.0, 0.0], np.zeros(4))
    with pytest.raises(solvers.ProblemError, match="has no bound: z may grow along"):
        solvers.polytope(problem, solvers.solve(problem))


def test_what_is_no_polytope_is_refused():
    problem = solvers.LCP([[1.0, 2.0], [0.0, 1.0]], [-1.0, -1.0])
    with pytest.raises(solvers.ProblemError, match="symmetric semidefinite"):
        solvers.polytope(problem, solvers.solve(problem))
