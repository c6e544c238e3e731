"""The log of a method is what it did: replayed by hand, it leads to the same answer."""

from time import perf_counter

import numpy as np
import pytest

import solvers
from solvers import log as log_module

METHODS = ("active-set", "lemke", "pgs", "newton", "osqp", "interior-point", "enumerate")
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
    # Of a P-matrix z0 falls all the way (Cottle, Pang & Stone, section 4.4).
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
    for method in METHODS:
        with_log, without = (solvers.solve(problem, method, log=asked) for asked in (True, False))
        assert with_log.z == pytest.approx(without.z, abs=1e-12)
        assert without.log is None
        assert len(with_log.log) > 0


def pivoting_by_blocks(problem):
    """(rows active, wrong signs, objective) after each factorisation, from no active rows on, until none is wrong."""
    M, q, n = problem.M, problem.q, problem.n
    active, fewest = np.zeros(n, bool), n + 1
    while True:
        z = np.zeros(n)
        z[active] = np.linalg.solve(M[np.ix_(active, active)], -q[active])
        w = M @ z + q
        wrong = np.where(active, z < 0.0, w < -1e-12)
        yield active.sum(), wrong.sum(), 0.5 * z @ M @ z + q @ z
        if not wrong.any():
            return
        if wrong.sum() < fewest:
            active, fewest = active ^ wrong, wrong.sum()
        else:  # the one that is farthest off
            d = np.sqrt(np.diag(M))
            row = np.argmax(np.where(wrong, np.where(active, abs(z) * d, abs(w) / d), 0.0))
            active[row] = not active[row]


def test_the_active_set_writes_down_each_factorisation():
    rng = np.random.default_rng(0)
    G = rng.normal(size=(12, 8))
    problem = solvers.LCP(G @ G.T + 0.1 * np.eye(12), np.random.default_rng(1).normal(size=12))
    s = solvers.solve(problem, "active-set", log=True)
    expected = np.array([*pivoting_by_blocks(problem.scaled.problem)])
    assert s.iterations == len(s.log) == len(expected) > 3
    assert set(s.log["stage"]) == {"block"}
    assert s.log["basis"].tolist() == expected[:, 0].tolist()
    assert s.log["wrong"].tolist() == expected[:, 1].tolist()
    np.testing.assert_allclose(s.log["objective"], expected[:, 2], rtol=1e-10)


def test_enumeration_writes_down_every_basis_that_was_tried():
    log = solvers.solve(solvers.LCP([[2, 1], [1, 2]], [-5, -4], names=["a", "b"]), "enumerate", log=True).log
    assert log["active"].tolist() == ["none", "a", "b", "a, b"]
    assert log["misses"][:3].min() > 0.1
    assert log["misses"][3] < 1e-15


def test_interior_points_come_down_a_central_path():
    log = solvers.solve(definite(), "interior-point", log=True).log
    assert np.all(np.diff(log["mu"]) < 0)
    assert log["gap"][-1] < 1e-10


def test_osqp_goes_on_from_slice_to_slice():
    s = solvers.solve(definite(), "osqp", log=True, tolerance=1e-13)
    assert s.log["iteration"].tolist() == [50 * (k + 1) for k in range(len(s.log) - 1)] + [s.iterations]
    assert len(s.log) > 1
    assert s.log["primal"][-1] < 1e-3 * s.log["primal"][0]


@pytest.mark.parametrize("method", METHODS)
def test_a_callback_sees_what_the_log_has_and_may_end_the_method(method):
    problem = definite()
    options = {"tolerance": 1e-13} if method == "osqp" else {}
    log = solvers.solve(problem, method, log=True, **options).log
    seen = []
    s = solvers.solve(problem, method, callback=lambda k, row: seen.append((k, row)), **options)
    assert s.solved
    assert [k for k, _ in seen] == [*range(1, len(log) + 1)]
    assert [row for _, row in seen] == [{name: log[name][k] for name in log.columns} for k in range(len(log))]

    seen.clear()
    s = solvers.solve(problem, method, log=True, callback=lambda k, row: seen.append(k) or k == 1, **options)
    assert seen == [1]
    assert len(s.log) == 1
    assert s.status in ("solved", "iteration_limit")  # a z that was on its way may turn out to be exact once polished
    assert s.message == "stopped by the callback after iteration 1"


@pytest.mark.parametrize("method", METHODS)
def test_what_a_callback_raises_is_raised(method):
    with pytest.raises(ZeroDivisionError):
        solvers.solve(definite(), method, callback=lambda k, row: 1 / 0)


def test_a_callback_of_sparse_pivots():
    import scipy.sparse as sp

    n = 210
    problem = solvers.LCP(2.5 * sp.eye_array(n, format="csr") - sp.eye_array(n, k=1, format="csr"), -np.ones(n))
    seen = []
    s = solvers.solve(problem, "lemke", callback=lambda k, row: seen.append(row["z0"]) or k == 20)
    assert s.status == "iteration_limit"
    assert len(seen) == 20


def test_a_run_that_is_stopped_shows_what_it_did_until_then():
    n = 10
    murty = np.eye(n) + 2 * np.tril(np.ones((n, n)), -1)  # 2^10 pivots
    solution = solvers.solve(murty, -np.ones(n), "lemke", log=True, max_iterations=100)
    assert solution.status == "iteration_limit"
    assert len(solution.log) == 100
    assert "... 76 more" in str(solution.log)


def test_what_was_not_written_down_is_counted(monkeypatch):
    monkeypatch.setattr(log_module, "KEPT", 2)
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
        ("cvxpy", {"log": True}, "does not tell its iterations, so that it takes no log"),
        ("cvxpy", {"callback": print}, "does not tell its iterations, so that it takes no callback"),
        ("pgs", {"callback": 3}, "callback of 'pgs' must be a function of .iteration, row., got 3"),
        ("auto", {"log": 1}, "must be True or False, got 1"),
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


@pytest.mark.parametrize("M", [[[2.0, 1.0], [1.0, 2.0]], [[2.0, 1.0], [0.5, 2.0]]])
def test_auto_passes_the_log_and_the_callback_on(M):
    q, rows = [-5.0, -4.0], []
    logged = solvers.solve(M, q, log=True, callback=lambda k, row: rows.append(row))
    named = solvers.solve(M, q, logged.method, log=True)
    assert logged.solved
    assert str(logged.log) == str(named.log)
    assert [list(row.values()) for row in rows] == [list(row) for row in zip(*named.log.columns.values(), strict=True)]
    stopped = solvers.solve(M, q, callback=lambda k, row: True)
    assert (stopped.status, stopped.method, stopped.iterations) == ("iteration_limit", logged.method, 1)
    assert "stopped by the callback" in stopped.message
