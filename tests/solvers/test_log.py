"""The log of a method is what it did: replayed by hand, it leads to the same answer."""

from time import perf_counter

import numpy as np
import pytest

import solvers
from solvers import log as log_module

NAMES = ["a", "b", "c", "d"]


def definite(seed=0, n=4):
    G = np.random.default_rng(seed).normal(size=(n, n))
    return solvers.LCP(G.T @ G + np.eye(n), -1.0 - np.random.default_rng(seed + 1).uniform(size=n), names=NAMES[:n])


@pytest.mark.parametrize("seed", range(5))
def test_pivots_of_lemke_replayed_lead_to_the_basis_of_the_answer(seed):
    problem = definite(seed)
    solution = solvers.solve(problem, "lemke", log=True)
    log = solution.log
    basis = {f"w {name}" for name in NAMES}
    for k in range(len(log)):
        basis.remove(str(log["leaves"][k]))
        basis.add(str(log["enters"][k]))
        if k + 1 < len(log):  # the complement of what left comes in next
            left = str(log["leaves"][k])
            assert log["enters"][k + 1] == ("z" if left[0] == "w" else "w") + left[1:]
    assert basis == {f"{'z' if z > 0 else 'w'} {name}" for name, z in zip(NAMES, solution.z, strict=True)}
    assert (log["enters"][0], log["leaves"][-1], log["z0"][-1]) == ("z0", "z0", 0.0)
    # Of a P-matrix z0 falls all the way (Cottle, Pang & Stone, theorem 4.4.9).
    assert np.all(np.diff(log["z0"]) < 0)
    assert len(log) == log.iterations == solution.iterations


def test_sweeps_are_those_of_gauss_and_seidel():
    problem = definite()
    P = problem.scaled.problem
    solution = solvers.solve(problem, "pgs", log=True, relaxation=1.2)
    z = np.zeros(P.n)
    for told in solution.log["residual"]:
        worst = 0.0
        for i in range(P.n):
            w = P.M[i] @ z + P.q[i]
            worst = max(worst, abs(min(z[i], w)))
            z[i] = max(0.0, z[i] - 1.2 * w / P.M[i, i])
        assert told == pytest.approx(worst, rel=1e-9, abs=1e-15)  # sums in another order
    assert len(solution.log) == solution.iterations


def test_newton_writes_down_every_iteration():
    solution = solvers.solve(definite(), "newton", log=True)
    residual = solution.log["residual"]
    assert len(residual) == solution.iterations
    assert residual[-1] <= 1e-12 < residual[-2]
    assert np.all((solution.log["step"] > 0) & (solution.log["step"] <= 1))


def test_rounds_of_large_sparse_problems_are_in_the_log():
    import scipy.sparse as sp

    n = 300
    M = sp.csr_array(sp.diags_array([np.full(n, 2.0), -np.ones(n - 1), -0.9 * np.ones(n - 1)], offsets=[0, 1, -1]))
    solution = solvers.solve(solvers.LCP(M, np.sin(np.arange(n) / 9.0) - 0.1), "newton", log=True)
    assert solution.solved
    assert len(solution.log) == solution.iterations > 1
    assert solution.log["residual"][-1] <= 1e-10 < solution.log["residual"][0]


def test_a_log_changes_no_answer_and_is_kept_only_when_asked_for():
    problem = definite()
    for method in ("lemke", "pgs", "newton"):
        with_log, without = (solvers.solve(problem, method, log=asked) for asked in (True, False))
        assert np.array_equal(with_log.z, without.z)
        assert without.log is None


def test_a_run_that_is_stopped_shows_what_it_did_until_then():
    n = 10
    murty = np.eye(n) + 2 * np.tril(np.ones((n, n)), -1)  # 2^10 pivots
    solution = solvers.solve(murty, -np.ones(n), "lemke", log=True, max_iterations=100)
    assert solution.status == "iteration_limit"
    assert len(solution.log) == 100
    assert "... 76 more" in str(solution.log)


def test_what_was_not_written_down_is_counted(monkeypatch):
    monkeypatch.setattr("solvers.backends.pgs.KEPT", 2)
    log = solvers.solve(definite(3), "pgs", log=True).log
    assert len(log) == 2
    assert f"... {log.iterations - 2} more, not written down" in str(log)


def test_table_and_csv_hold_the_same_numbers():
    log = log_module.Log({"residual": [0.5, 0.125], "step": [1.0, 1.0]})
    assert str(log).split() == ["residual", "step", "1", "0.5", "1", "2", "0.125", "1"]
    assert log.to_csv() == "residual,step\n0.5,1.0\n0.125,1.0\n"
    with pytest.raises(solvers.ProblemError, match="no column 'z0'; it has residual, step"):
        log["z0"]


@pytest.mark.parametrize(
    ("method", "options", "says"),
    [
        ("osqp", {"log": True}, "has no option 'log'"),
        ("auto", {"log": True}, "takes no options"),
        ("lemke", {"log": 1}, "must be True or False, got 1"),
    ],
)
def test_a_log_that_cannot_be_is_refused(method, options, says):
    with pytest.raises(solvers.ProblemError, match=says):
        solvers.solve(definite(), method, **options)


@pytest.mark.parametrize("method", ["active-set", "lemke", "pgs", "newton", "osqp", "interior-point", "enumerate"])
def test_time_in_the_algorithm_is_part_of_the_time_of_the_call(method):
    problem = definite()
    solvers.solve(problem, method)
    begin = perf_counter()
    solution = solvers.solve(problem, method)
    assert 0 < solution.seconds < perf_counter() - begin


def test_what_polishing_gained_can_be_seen():
    """Gauss-Seidel was told to stop at a thousandth; on its active set the answer is exact."""
    solution = solvers.solve(definite(), "pgs", tolerance=1e-3)
    assert 1e-9 < solution.unpolished <= 1e-3
    assert solution.residual < 1e-14
