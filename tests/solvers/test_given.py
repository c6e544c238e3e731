"""What is given in place of a problem, a solution, a start or rows is told in words, with what to call instead."""

import numpy as np
import pytest

import solvers
from solvers import ProblemError

M, q = np.eye(3), -np.ones(3)
LCP, MCP = solvers.LCP(M, q), solvers.MCP(M, q, -1.0, 1.0)
COULOMB = solvers.Coulomb(M, q, [[0, 1, 2]], [0.5])
PLAIN, RUBBING = solvers.solve(LCP), solvers.solve_coulomb(COULOMB)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: solvers.solve(COULOMB), "got a Coulomb; it is for solvers.solve_coulomb"),
        (lambda: solvers.solve_coulomb(LCP), "got an LCP; it is for solvers.solve"),
        (lambda: solvers.solve_coulomb(solvers.MLCP(M, q, [0])), "got an MLCP; it is for solvers.solve"),
        (lambda: solvers.solve_coulomb(None), "solve_coulomb takes a Coulomb, got None"),
        (lambda: solvers.analyse(COULOMB), "got a Coulomb; it is for solvers.analyse_coulomb"),
        (lambda: solvers.analyse(MCP), r"got an MCP; the MLCP behind its bounds is its \.reduced"),
        (lambda: solvers.analyse(LCP, RUBBING), "the solution that solvers.solve gives .* got a CoulombSolution"),
        (lambda: solvers.analyse(solvers.LCP(np.eye(2), -np.ones(2)), PLAIN), "of 2 rows, got one of 3 rows"),
        (lambda: solvers.analyse_coulomb(LCP, PLAIN), "got an LCP; it is for solvers.analyse"),
        (lambda: solvers.analyse_coulomb(COULOMB, None), "solution that solvers.solve_coulomb gives .* got None"),
        (lambda: solvers.analyse_coulomb(COULOMB, PLAIN), "got a Solution"),
        (lambda: solvers.polytope(LCP, None), "the solution that solvers.solve gives of the problem, got None"),
        (lambda: solvers.polytope(COULOMB, PLAIN), "it is for solvers.analyse_coulomb"),
        (lambda: solvers.classify(COULOMB), r"got a Coulomb; its matrix is \.M"),
        (lambda: solvers.classify(MCP), r"its matrix \.M"),
        (lambda: solvers.classify("P"), "M must be an array of numbers"),
        (lambda: solvers.save("never.npz", {"a": COULOMB}), "save takes LCPs and MLCPs, got a Coulomb"),
        (lambda: solvers.save("never.npz", LCP), "save takes problems by their labels, .* got an LCP"),
        (lambda: solvers.benchmark([LCP]), "benchmark takes problems by their labels"),
        (lambda: solvers.benchmark({}), "benchmark takes one problem or more, got none"),
        (lambda: solvers.load(__file__), r"test_given\.py: problems are in \.npz, \.json and \.mtx files"),
        (lambda: solvers.benchmark({"a": None}), "benchmark takes LCPs and MLCPs, got None"),
    ],
)
def test_another_problem_is_refused_with_what_to_call_instead(call, told):
    with pytest.raises(ProblemError, match=told):
        call()


def test_what_is_advised_takes_the_problem():
    assert solvers.analyse(MCP.reduced).w_unique
    assert solvers.classify(MCP.reduced).psd
    assert solvers.classify(COULOMB.M).pd
    assert solvers.classify(COULOMB.polyhedral(8).problem).copositive is not False
    assert solvers.analyse_coulomb(COULOMB, RUBBING).w_unique is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"contacts": [[0, 1, 2.9]]}, r"contacts\[0\] must be row numbers, got \[0\.0, 1\.0, 2\.9\]"),
        ({"contacts": [[0, 1, np.nan]]}, r"contacts\[0\] must be row numbers"),
        ({"contacts": [[0, 1]]}, r"contacts must have shape \(k, 3\), got \(1, 2\)"),
        ({"contacts": [["a", 1, 2]]}, "contacts must be an array of numbers"),
        ({"contacts": None}, r"contacts must have shape \(k, 3\)"),
        ({"mu": "rough"}, "mu must be an array of numbers, got"),
        ({"bands": [[1, 0]]}, "takes solvers.friction.bands.Bands"),
    ],
)
def test_rows_of_contacts_are_whole_numbers(change, told):
    with pytest.raises(ProblemError, match=told):
        solvers.Coulomb(**({"M": M, "q": q, "contacts": [[0, 1, 2]], "mu": [0.5]} | change))


def test_whole_numbers_in_floats_are_rows():
    assert solvers.Coulomb(M, q, [[0.0, 1.0, 2.0]], [0.5]).contacts.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ([0.0, np.nan, 0.0], r"start\[1\] is nan; every number must be finite"),
        ([0.0, 0.0, np.inf], r"start\[2\] is inf"),
        (["a", "b", "c"], "start must be an array of numbers"),
        ([1j, 0.0, 0.0], "start must be an array of numbers"),
        ([[0.0, 0.0, 0.0]], r"start must have length 3, got shape \(1, 3\)"),
    ],
)
def test_a_start_is_finite_numbers_for_every_method(start, told):
    for method in solvers.available():
        for problem in (LCP, MCP):
            with pytest.raises(ProblemError, match=told):
                solvers.solve(problem, method, start)
    for method in ("auto", "cone-newton", "cone-sweeps"):
        with pytest.raises(ProblemError, match=told):
            solvers.solve_coulomb(COULOMB, method, start)


def test_a_diagonal_that_a_method_does_not_take_is_told_by_the_name_of_the_row():
    bounded = solvers.solve(np.eye(2), [-1.0, -1.0], "pgs", lower=[0, 0], upper=[1, 1])
    assert bounded.status == "unsupported"
    assert "that of row 0 at most is 0" in bounded.message
    assert "a row with two bounds has one more, 'at most'" in bounded.message
    assert "M[" not in bounded.message
    # The first row has no room and is left out: the number of the second one is the user's all the same.
    bad = solvers.solve([[1.0, 0.0], [0.0, np.nan]], [-1.0, -1.0], lower=[0, 0], upper=[0, 1])
    assert bad.status == "invalid"
    assert bad.message == "M[1, 1] is nan (row 1); every number must be finite"
    # Row 0 is eliminated: the row that is meant is the second one of what is left.
    named = solvers.MLCP(np.diag([1.0, 2.0, -3.0]), [-1.0, -1.0, -1.0], [0], names=["rod", "left", "right"])
    assert "that of right is < 0" in solvers.solve(named, "pgs").message
