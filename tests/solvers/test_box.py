"""Bounds on z: against a trial of all states of all rows; and what else a call may ask for."""

from __future__ import annotations

import sys
import types
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

import solvers
from solvers import Status
from solvers.backends import registry


def solutions(M, q, lower, upper):
    """Corners of all parts of the set of solutions: each row at its lower bound, at its upper one, or with w = 0."""
    n = len(q)
    for state in product((-1, 0, 1), repeat=n):
        state = np.array(state)
        if np.isinf(lower[state < 0]).any() or np.isinf(upper[state > 0]).any():
            continue
        low = np.where(state > 0, upper, lower)
        high = np.where(state < 0, lower, upper)
        A = np.vstack([-M[state < 0], M[state > 0]])
        b = np.concatenate([q[state < 0], -q[state > 0]])
        answer = linprog(np.zeros(n), A, b, M[state == 0], -q[state == 0], np.column_stack([low, high]), method="highs")
        if answer.x is not None:
            yield answer.x


def drawn(rng):
    n = int(rng.integers(1, 4))
    K = rng.integers(-2, 3, (n, n)).astype(float)
    M = (K, K @ K.T, np.eye(n) + K - K.T)[int(rng.integers(3))]
    lower = rng.choice([-np.inf, -1.0, 0.0], n)
    upper = np.maximum(lower, 0.0) + rng.choice([0.0, 1.0, 2.0, np.inf], n)
    return M, rng.integers(-3, 4, n).astype(float), lower, upper


@pytest.mark.parametrize("method", ["auto", "lemke", "newton", "enumerate"])
def test_verdicts_between_bounds_are_those_of_all_states(method):
    rng = np.random.default_rng(5)
    told = dict.fromkeys(Status, 0)
    for _ in range(60):
        M, q, lower, upper = drawn(rng)
        s = solvers.solve(M.tolist(), q.tolist(), method, lower=lower.tolist(), upper=upper.tolist())
        told[s.status] += 1
        exists = next(solutions(M, q, lower, upper), None) is not None
        if s.solved:
            assert exists
            w = M @ s.z + q
            assert s.w == pytest.approx(w, abs=1e-12)
            assert ((lower <= s.z) & (s.z <= upper)).all()
            assert np.abs(s.z - np.clip(s.z - w, lower, upper)).max() < 1e-8  # the natural map
            assert s.problem.residual(s.z) <= 1e-9
        if s.status in (Status.INFEASIBLE, Status.NO_SOLUTION):
            assert not exists
            assert s.certificate is not None
        if method in ("auto", "enumerate"):
            assert s.solved is exists, s.message
    assert told[Status.SOLVED] > 30


def test_a_motor_turns_as_its_torque_allows():
    """z is a torque between ±2 that holds w = z + q at rest if it can."""
    problem = solvers.MCP(np.eye(3), [-1.0, -5.0, 7.0], -2.0, 2.0, names=["held", "overrun", "driven"])
    s = solvers.solve(problem)
    assert s.z == pytest.approx([1.0, 2.0, -2.0])
    assert s.w == pytest.approx([0.0, -3.0, 5.0])
    assert s.z_unique
    assert s.active.tolist() == [True, False, False]
    assert "overrun" in repr(s)
    assert repr(problem).split("\n")[0] == "<MCP of 3 rows: held, overrun, driven>"
    assert solvers.solve(problem, start=s.z).solved


def test_sparse_bounds_and_one_sided_ones_keep_a_symmetric_matrix():
    import scipy.sparse as sp

    n = 50
    M = sp.diags_array([-np.ones(n - 1), 2.0 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1], format="csr")
    above = solvers.MCP(M, np.ones(n), -np.inf, -3.0)  # a string under its weight, and a ceiling
    assert above.reduced.symmetric
    both = solvers.MCP(M, np.ones(n), -20.0, -3.0)
    for problem in (above, both):
        s = solvers.solve(problem)
        assert s.solved
        assert np.abs(s.z - np.clip(s.z - s.w, problem.lower, problem.upper)).max() < 1e-9
    assert 10 < np.count_nonzero(s.z == -20.0) < n  # it lies on the floor


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"lower": [0, 1], "upper": [1, 0]}, r"lower\[1\] <= upper\[1\]"),
        ({"lower": [0, np.nan]}, r"lower\[1\] is not a number"),
        ({"upper": [1, 2, 3]}, "a number or 2 numbers"),
        ({"lower": np.inf}, "lower"),
        ({"upper": 1, "free": [0]}, "give free, or lower and upper"),
    ],
)
def test_bounds_that_make_no_sense_are_told(bounds, message):
    with pytest.raises(solvers.ProblemError, match=message):
        solvers.solve(np.eye(2), [1, 1], **bounds)


def test_another_covering_vector_takes_another_path_to_the_same_solution():
    rng = np.random.default_rng(0)
    B = rng.normal(size=(6, 6))
    M, q = B @ B.T + 2.0 * (B - B.T) + np.eye(6), rng.normal(size=6)
    first = solvers.solve(M, q, "lemke", log=True)
    paths = {tuple(first.log["enters"])}
    for _ in range(6):
        s = solvers.solve(M, q, "lemke", covering=rng.uniform(0.01, 1.0, 6), log=True)
        assert s.z == pytest.approx(first.z, abs=1e-12)
        paths.add(tuple(s.log["enters"]))
    assert len(paths) > 1
    # z0 covers row i alone at first: the row with the least q_i / d_i leaves, in whatever units.
    d = np.where(np.arange(6) == int(np.argmax(q < 0.0)), 1e-3, 1.0)
    leaves = solvers.solve(M, q, "lemke", covering=d, log=True).log["leaves"][0]
    assert leaves == f"w row {int(np.argmin(q / d))}"
    for wrong in (np.ones(5), -np.ones(6), "none"):
        with pytest.raises(solvers.ProblemError, match="covering must be 6 numbers > 0"):
            solvers.solve(M, q, "lemke", covering=wrong)


def test_auto_takes_a_tolerance_and_nothing_else():
    M, q = [[2.0, 1.0], [0.5, 2.0]], [-5.0, -4.0]
    assert solvers.solve(M, q, tolerance=1e-6).solved
    rng = np.random.default_rng(1)
    B = rng.normal(size=(12, 12))
    s = solvers.solve(B @ B.T + B - B.T, -np.ones(12), tolerance=1e-30)  # more than doubles can
    assert s.residual > 1e-30
    assert s.status is Status.NO_CONCLUSION
    for wrong in (0.0, -1.0, 1.0, "small", True):
        with pytest.raises(solvers.ProblemError, match="tolerance must be"):
            solvers.solve(M, q, tolerance=wrong)
    with pytest.raises(solvers.ProblemError, match="no options but tolerance"):
        solvers.solve(M, q, relaxation=1.0)


@pytest.mark.parametrize("broken", ["no backend", "no module", "no function"])
def test_a_broken_entry_point_is_named_and_left_out(monkeypatch, broken):
    module = types.ModuleType("hollow_solver")
    monkeypatch.setitem(sys.modules, "hollow_solver", module)
    loaded = {
        "no backend": object(),
        "no module": solvers.Backend("there_is_no_such_module"),
        "no function": solvers.Backend("hollow_solver"),
    }[broken]
    point = types.SimpleNamespace(name="hollow", value="hollow:backend", load=lambda: loaded)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    registry.backends.cache_clear()
    try:
        with pytest.warns(UserWarning, match="'hollow' of hollow:backend is left out"):
            assert "hollow" not in solvers.available()
        assert solvers.solve([[1.0]], [-1.0], "lemke").solved
    finally:
        registry.backends.cache_clear()
