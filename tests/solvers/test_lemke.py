"""The compiled Lemke kernel: pivots by the book, ties without cycling, rays that prove."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import solvers
import towsim
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
@example(1944)  # bases of small numbers are not taken for each other
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


def step_of_a_box(time):
    box = {"mass": 1.0, "shape": {"box": [0.4, 0.3, 0.2]}, "position": [0, 0, 0.12]}
    box |= {"velocity": [1, 0.3, 0], "angular_velocity": [0.1, 0.2, 0.5]}
    scene = towsim.Scene(bodies={"box": box}, ground={"friction": 0.5, "contacts": ["box.corners"]})
    problem = towsim.step_problem(scene, time=time, friction="polyhedral")
    return problem.M, problem.q


def contacts_with_equal_rows(rng, m=4, directions=8):
    """m random contacts of one body on polygons of friction, each twice, with M = Jᵀ J, of rank 6."""
    J = np.repeat(rng.normal(size=(m, 3, 6)), 2, axis=0)
    angle = 2 * np.pi * np.arange(directions) / directions
    along = [np.cos(angle)[:, None] * J[c, 1] + np.sin(angle)[:, None] * J[c, 2] for c in range(2 * m)]
    rows = np.vstack([J[:, 0], *along])
    n = len(rows)
    M, q = np.zeros((n + 2 * m, n + 2 * m)), np.zeros(n + 2 * m)
    M[:n, :n], q[:n] = rows @ rows.T, rows @ rng.normal(size=6)
    for c in range(2 * m):
        beta = 2 * m + c * directions + np.arange(directions)
        M[beta, n + c], M[n + c, beta], M[n + c, c] = 1.0, -1.0, 0.7
    return M, q


@pytest.mark.parametrize("time", [0.001, 0.002, 0.004])
def test_copies_of_a_problem_with_an_answer_have_one(time):
    """M is copositive, and nothing is driven apart: Lemke's method ends at a solution, whatever ties there are."""
    M, q = step_of_a_box(time)
    for copies in range(1, 6):
        solution = solvers.solve(np.kron(np.eye(copies), M), np.tile(q, copies), "lemke")
        assert solution.solved, (copies, solution.message)


def test_equal_rows_lead_to_no_ray():
    rng = np.random.default_rng(1)
    for _ in range(40):
        M, q = contacts_with_equal_rows(rng)
        solution = solvers.solve(np.kron(np.eye(2), M), np.tile(q, 2), "lemke")
        assert solution.solved, solution.message


def test_a_run_that_is_repeated_is_told_from_end_to_end():
    M, q = step_of_a_box(0.001)
    M, q, told = np.kron(np.eye(2), M), np.tile(q, 2), []
    solution = solvers.solve(M, q, "lemke", log=True)
    solvers.solve(M, q, "lemke", callback=lambda k, row: bool(told.append((k, row["z0"]))))
    assert len(solution.log["z0"]) == solution.iterations == len(told)
    assert solution.log["z0"] == pytest.approx([z0 for _, z0 in told])
    assert solution.log["z0"][-1] == 0


def ray_that_needs_sharpening():
    """Without an answer, M = J Jᵀ with rows of all sizes: the run of ones ends on a ray that is not exact."""
    M = [
        [3e8, 2e5, 1e8, 0, -1e7, -1e7, -2e8, -2e7],
        [2e5, 300, 1e5, 0, 0, -2e4, -1e5, -2e4],
        [1e8, 1e5, 6e8, 0, -2e7, 2e7, 0, 1e7],
        [0, 0, 0, 4e6, -3e6, -1e6, -3e7, -1e6],
        [-1e7, 0, -2e7, -3e6, 4e6, 0, 3e7, 0],
        [-1e7, -2e4, 2e7, -1e6, 0, 4e6, 2e7, 2e6],
        [-2e8, -1e5, 0, -3e7, 3e7, 2e7, 4e8, 2e7],
        [-2e7, -2e4, 1e7, -1e6, 0, 2e6, 2e7, 3e6],
    ]
    q = [-5165.555563868527, -12.415828904338188, -15505.085875731806, -623.1722288159217]
    return M, [*q, 1568.698148492625, 488.3165059049711, 5034.511950198579, -428.97054192826175]


def test_the_ray_of_the_first_run_is_kept_when_pivots_run_out():
    M, q = ray_that_needs_sharpening()
    first = solvers.LCP(M, q).scaled.problem
    assert run(first.M, first.q)[:2] == (RAY, 8)
    for limit in (8, 9, 12, 15, 16, 100):
        solution = solvers.solve(M, q, "lemke", max_iterations=limit, log=True)
        assert (solution.status, solution.iterations) == ("infeasible", 8), limit
        assert len(solution.log["z0"]) == solution.log.iterations == 8


def test_pivots_told_of_both_runs_are_cut_to_the_one_that_is_kept():
    M, q = ray_that_needs_sharpening()
    told = []
    solution = solvers.solve(M, q, "lemke", max_iterations=12, log=True, callback=lambda k, row: bool(told.append(k)))
    assert told == list(range(1, 13))
    assert len(solution.log["z0"]) == solution.iterations < 12


def test_a_circle_is_no_answer(monkeypatch):
    """What the kernel leaves then is NaN, in both runs."""
    from solvers.backends import lemke as module

    def circle(M, q, z, w, *_):
        z[:] = w[:] = np.nan
        return status.NO_CONCLUSION, 3, np.nan

    monkeypatch.setattr(module, "lemke", circle)
    answer = module.solve(solvers.LCP(np.eye(2), [-1.0, -1.0]))
    assert (answer.z, answer.y, answer.status, answer.iterations) == (None, None, "no_conclusion", 3)
