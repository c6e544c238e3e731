"""A problem in other units is the same problem: at no scale of M and q is a claim wrong."""

import numpy as np
import pytest

import solvers

METHODS = [name for name in solvers.available() if name != "cvxpy"]
SCALES = (-300, -200, -155, -150, -100, 0, 100, 150, 155, 200, 300)


def problems():
    """Symmetric, far from symmetric, and almost symmetric positive definite matrices; with and without a free row."""
    rng = np.random.default_rng(1)
    for n in (2, 4, 7):
        B, K, q = rng.normal(size=(n, n)), rng.normal(size=(n, n)), rng.normal(size=n)
        for skew in (0.0, 2.0, 1e-6):
            for free in (np.zeros(n, bool), np.arange(n) == 0):
                yield B @ B.T + np.eye(n) + skew * (K - K.T), q, free


def scaled_residual(M, q, free, z, e, f):
    """max |min(z, w)|, |w| on free rows, of the problem at scale one."""
    z = z * 10.0 ** (e / 2) / 10.0**f * 10.0 ** (e / 2)
    w = M @ z + q
    return np.abs(np.where(free, w, np.minimum(z, w))).max()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_no_claim_is_wrong_at_any_scale(method):
    solved = 0
    for M, q, free in problems():
        for e in SCALES:
            for f in {0, e}:
                solution = solvers.solve(solvers.MLCP(M * 10.0**e, q * 10.0**f, free), method)
                assert solution.status != "infeasible"
                if solution.status == "solved":
                    solved += 1
                    assert scaled_residual(M, q, free, solution.z, e, f) < 1e-6, (e, f)
    assert solved > 20


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-150, 1e150, 1e200, 1e300])
def test_a_matrix_that_is_not_symmetric_is_not_taken_for_one(scale):
    M = np.array([[1.0, 0.5], [-0.5, 1.0]]) * scale
    problem = solvers.LCP(M, -np.array([1.0, 1.0]))
    assert not problem.symmetric
    solution = solvers.solve(problem)
    assert solution.status == "solved"
    np.testing.assert_allclose(solution.z * scale, [0.4, 1.2], rtol=1e-9)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("method", ["auto", "lemke"])
def test_an_entry_that_overflows_beside_its_q_is_judged_by_z_and_w(method):
    for q, status in (4e-301, "solved"), (-4e-301, "no_conclusion"):  # z = 2e-450 is no float
        problem = solvers.LCP([[2e149]], [q])
        solution = solvers.solve(problem, method)
        assert solution.status == status
        assert solution.residual == problem.residual(np.zeros(1)) == (q < 0)


@pytest.mark.parametrize("scale", [1.0, 1e149, 1e299])
@pytest.mark.parametrize("method", ["auto", "lemke"])
def test_a_negative_q_is_not_scaled_away(method, scale):
    """z = 0 is no solution, however far the units of rows with and without a diagonal are apart."""
    M = np.array([[-6.3, -1.8, -17.0], [3.3, 1.7, 1.4], [13.0, -5.9, 4.0]]) * scale
    assert solvers.solve(M, np.array([2.4, -3.6, 11.0]) * scale, method).status == "infeasible"


@pytest.mark.parametrize("method", ["auto", "lemke", "active-set"])
def test_a_negative_q_whose_z_is_no_float_is_not_called_solved(method):
    """z is q/M = 1e-600, and rounds to zero; so does w in units of √M in which one may judge it."""
    problem = solvers.LCP(np.array([[1.3, 0.4], [0.9, 0.3]]) * 1e300, np.array([-1.0, -1.0]) * 1e-300)
    solution = solvers.solve(problem, method)
    assert solution.status == "no_conclusion"
    assert solution.residual == pytest.approx(1.0)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_entries_whose_ratio_is_no_float_are_judged_in_silence():
    problem = solvers.LCP([[1.0, 1e300], [1e-300, 1.0]], [1.0, 1.0])
    assert problem.residual(np.zeros(2)) == 0.0


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1.0, 1e20])
def test_symmetry_is_in_no_unit_without_a_diagonal_either(scale):
    skew = np.array([[0.0, 1.0], [-1.0, 0.0]]) * scale
    assert not solvers.LCP(skew, np.ones(2)).symmetric
    assert solvers.LCP(np.abs(skew), np.ones(2)).symmetric


@pytest.mark.parametrize("method", METHODS)
def test_zero_has_no_sign(method):
    s = solvers.solve([[3.0, 0.0], [0.0, 1.0]], [-1.0, -0.0], method, free=[1])
    assert not np.signbit(s.z).any()
    assert not np.signbit(s.w[1])


def test_infinity_in_half_a_matrix_is_found_even_where_z_is_zero():
    M = np.eye(3)
    M[2] = np.inf
    for q in (np.zeros(3), np.ones(3), -np.ones(3)):
        assert solvers.solve(solvers.LCP(M, q)).status == "invalid"


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_numbers_too_far_apart_for_a_float_are_no_solution():
    rng = np.random.default_rng(2)
    for n in (1, 3, 6):
        B = rng.normal(size=(n, n))
        for M in (B @ B.T, B):
            solution = solvers.solve(solvers.LCP(M * 1e-150, -np.ones(n) * 1e300))
            assert solution.status != "solved"


@pytest.mark.parametrize("method", ["auto", "enumerate", "cvxpy", "interior-point", "osqp", "pgs"])
def test_a_block_on_which_nothing_acts_is_still_and_disturbs_no_other(method):
    """Rounding of its z would be as large as its w; a welded barge between two hawsers (rows 2 and 3 act alone)."""
    M = np.diag([5.0e-6, 1.7e-5, 1.9e-5, 9.2e-8, 2.87e-6, 2.87e-6])
    M[4:, :2] = [[2.42e-6, -8.75e-7], [2.42e-6, 8.75e-7]]
    M[:2, 4:] = M[4:, :2].T
    M[4, 5] = M[5, 4] = 1.81e-6
    free = np.arange(6) < 4
    solution = solvers.solve(solvers.MLCP(M, np.array([0.0, 0.0, 0.0, 0.0, 3.10e-5, -3.15e-5]), free), method)
    assert solution.solved
    assert solution.z[2:4].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("size", [1.0, 1e-16, 1e-32])
@pytest.mark.parametrize("method", [name for name in METHODS if name in ("auto", "active-set", "lemke", "enumerate")])
@pytest.mark.parametrize(
    ("M", "q", "free", "solved"),
    [
        ([[2.0, -2.0], [-2.0, 0.0]], [-2.0, -3.0], [], False),  # w₁ = −2 z₀ − 3
        ([[2.0, 1.0], [1.0, 0.0]], [-2.0, -3.0], [1], True),  # z = (3, −4)
        ([[2.0, 1.0], [1.0, 0.0]], [-2.0, 3.0], [1], False),  # z₀ = −3
    ],
)
def test_a_row_without_a_diagonal_has_no_unit_of_its_own(method, M, q, free, solved, size):
    """Symmetric and indefinite: what is left of such a row counts beside its own terms, however small they are."""
    solution = solvers.solve(solvers.MLCP(size * np.array(M), q, free=free), method)
    if solution.status == "solved":
        assert solved
        np.testing.assert_allclose(size * solution.z, [3.0, -4.0], rtol=1e-12)
    else:
        assert not solved or method != "auto"


def test_units_of_rows_and_columns_make_no_difference_to_what_is_unique():
    rng, decided = np.random.default_rng(3), 0
    for _ in range(150):
        n = int(rng.integers(2, 5))
        M, q = rng.integers(-3, 4, (n, n)).astype(float), rng.integers(-2, 3, n).astype(float)
        plain = solvers.solve(M, q)
        if not plain.solved:
            continue
        known = solvers.analyse(plain.problem, plain, ranges=False)
        D, E = 10.0 ** rng.integers(-4, 5, (2, n))
        problem = solvers.LCP(D[:, None] * M * E, D * q)
        found = solvers.analyse(problem, ranges=False)
        facts = [(one.w_unique, one.z_unique) for one in (known, found)]
        assert all(a is None or b is None or a == b for a, b in zip(*facts, strict=True)), (M, q, D, E)
        decided += None not in facts[0] + facts[1]
    assert decided > 60
