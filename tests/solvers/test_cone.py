"""Coulomb's law on the circular cone: closed forms, random problems against the law itself, and the polygon's limit."""

import numpy as np
import pytest

import solvers
from solvers import Coulomb, ProblemError, Status, solve_coulomb
from solvers.friction.bands import Bands

METHODS = ("cone-newton", "cone-sweeps")


def broken(problem, z):
    """By how much z breaks Coulomb's law, written down condition by condition; impulses and rates of order 1."""
    M = np.asarray(problem.M)
    w = M @ z + problem.q
    worst = 0.0
    tangents = set(problem.contacts[:, 1:].ravel().tolist())
    for i in set(range(problem.n)) - tangents:
        worst = max(worst, abs(w[i])) if problem.free[i] else max(worst, -z[i], -w[i], min(z[i], w[i]))
    for (n, s, t), mu in zip(problem.contacts, problem.mu, strict=True):
        friction, slip = z[[s, t]], w[[s, t]]
        size, speed = np.linalg.norm(friction), np.linalg.norm(slip)
        worst = max(worst, size - mu * z[n])
        worst = max(worst, abs(friction @ slip + mu * z[n] * speed))  # opposite to the slip, and of full size
    return worst


def random_problem(rng, bodies=2, contacts=2, wires=1, free=1, mu=0.5):
    """Rows of random directions on a few bodies of six degrees of freedom."""
    n = 3 * contacts + wires + free
    J = rng.normal(size=(n, 6 * bodies))
    return Coulomb(
        J @ J.T,
        J @ rng.normal(size=6 * bodies),
        np.arange(3 * contacts).reshape(-1, 3),
        np.full(contacts, mu),
        np.arange(n) >= n - free,
    )


@pytest.mark.parametrize("method", METHODS)
def test_one_contact_is_open_sticks_or_slips(method):
    mass, mu = 2.0, 0.5
    for v, expected in (
        ([1.0, 3.0, 0.0], [0.0, 0.0, 0.0]),  # leaves
        ([-1.0, 0.3, 0.4], [2.0, -0.6, -0.8]),  # stops: ‖p_t‖ = m ‖v_t‖ ≤ μ p_n
        ([-1.0, 3.0, 4.0], [2.0, -0.6, -0.8]),  # slips: μ p_n against v_t
    ):
        answer = solve_coulomb(Coulomb(np.eye(3) / mass, v, [[0, 1, 2]], [mu]), method)
        assert answer.solved
        np.testing.assert_allclose(answer.z, expected, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_answer_obeys_coulombs_law(method):
    rng = np.random.default_rng(1)
    for k in range(40):
        problem = random_problem(rng, mu=(0.1, 0.5, 1.2)[k % 3], contacts=1 + k % 3, wires=k % 4)
        answer = solve_coulomb(problem, method)
        assert answer.solved, k
        assert answer.residual <= 1e-9
        size = max(1.0, np.abs(answer.z).max()) * np.abs(problem.M).max()
        assert broken(problem, answer.z) < 1e-8 * size


def test_more_contacts_than_degrees_of_freedom_are_solved():
    rng = np.random.default_rng(2)
    for contacts in (3, 4, 8):
        problem = random_problem(rng, bodies=1, contacts=contacts, wires=2, free=0)
        answer = solve_coulomb(problem)
        assert answer.solved
        assert broken(problem, answer.z) < 1e-8 * np.abs(problem.M).max() * max(1.0, np.abs(answer.z).max())


def test_dependent_rows_share_their_load():
    """A box at rest on its four corners: each bears a quarter, none is picked out."""
    c = np.array([[0.2, 0.1], [0.2, -0.1], [-0.2, 0.1], [-0.2, -0.1]])
    J = np.zeros((12, 3))  # heave and two tilts; tangents move with nothing but a little of each
    J[::3] = np.column_stack([np.ones(4), c])
    J[1::3, 1], J[2::3, 2] = 0.1, 0.1
    problem = Coulomb(J @ J.T, J @ [-1.0, 0.0, 0.0], np.arange(12).reshape(4, 3), np.full(4, 0.5))
    answer = solve_coulomb(problem)
    np.testing.assert_allclose(answer.z[::3], 0.25, rtol=1e-7)  # rounding over the proximal term, 1e-16/1e-8


def test_a_polygon_of_more_directions_comes_closer_to_the_circle():
    """The distance falls with the square of the number of directions: 1 − cos(π/m)."""
    rng = np.random.default_rng(5)
    problem = random_problem(rng, bodies=2, contacts=2, wires=1, free=0, mu=0.3)
    exact = problem.w(solve_coulomb(problem).z)
    size = np.abs(exact).max()
    away = []
    for m in (4, 8, 16, 32, 64, 128):
        flat = problem.polyhedral(m)
        answer = solvers.solve(flat.problem, "lemke")
        assert answer.solved
        away.append(np.abs(problem.w(flat.lift @ answer.z) - exact).max() / size)
    assert away[0] > 1e-2  # it slips: four directions are seen
    assert away[-1] < 1e-3
    assert away[-1] < away[0] / 100


def test_the_same_answer_from_any_start_when_friction_is_weak():
    """With μ so small that the problem stays monotone, w is unique."""
    rng = np.random.default_rng(6)
    for _ in range(5):
        problem = random_problem(rng, contacts=3, mu=0.02)
        one = solve_coulomb(problem)
        two = solve_coulomb(problem, start=rng.normal(size=problem.n))
        np.testing.assert_allclose(problem.w(one.z), problem.w(two.z), atol=1e-7)


def test_storage_makes_no_difference():
    import scipy.sparse as sp

    rng = np.random.default_rng(7)
    problem = random_problem(rng, contacts=3)
    other = Coulomb(sp.csr_array(problem.M), problem.q, problem.contacts, problem.mu, problem.free)
    np.testing.assert_allclose(solve_coulomb(other).w, solve_coulomb(problem).w, atol=1e-9)


def test_a_contradiction_is_proved():
    """Two wires pull one body apart; a contact beside them does not help."""
    n = np.array([[1.0, 0, 0], [-1.0, 0, 0], [0, 0, 1.0], [1.0, 0, 0], [0, 1.0, 0]])
    problem = Coulomb(n @ n.T, [-1.0, -1.0, -1.0, 0.0, 0.0], [[2, 3, 4]], [0.5], names=("w", "e", "n", "s", "t"))
    answer = solve_coulomb(problem)
    assert answer.status is Status.INFEASIBLE
    assert answer.farkas is not None
    assert set(answer.farkas.names) == {"w", "e"}
    y = answer.farkas.y
    assert (y >= 0).all()
    assert np.abs(problem.M @ y).max() < 1e-9
    assert problem.q @ y < 0


def test_a_lying_iterate_is_not_called_solved():
    """Sweeps that end early say so, with the residual of what they give."""
    from solvers.friction import coulomb

    rng = np.random.default_rng(8)
    problem = random_problem(rng, bodies=6, contacts=11, wires=2, free=0, mu=0.9)
    limit, coulomb.MOST_SWEEPS = coulomb.MOST_SWEEPS, 2
    try:
        answer = solve_coulomb(problem, "cone-sweeps")
    finally:
        coulomb.MOST_SWEEPS = limit
    assert answer.status is Status.ITERATION_LIMIT
    assert answer.residual > 1e-9
    assert answer.residual == problem.residual(answer.z)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mu": [0.0]}, "mu must be > 0"),
        ({"contacts": [[0, 1, 1]]}, "different rows"),
        ({"contacts": [[0, 1, 3]]}, "different rows"),
        ({"free": [True, False, False]}, "marked as free"),
        ({"q": [np.nan, 0, 0]}, "q"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    given = {"M": np.eye(3), "q": np.zeros(3), "contacts": [[0, 1, 2]], "mu": [0.5]} | change
    with pytest.raises(ProblemError, match=message):
        Coulomb(**given)


def test_an_unknown_method_is_refused_by_name():
    with pytest.raises(ProblemError, match="'lemke'"):
        solve_coulomb(Coulomb(np.eye(3), np.zeros(3), [[0, 1, 2]], [0.5]), "lemke")


def test_rounding_in_single_precision_is_symmetrised_with_a_note():
    """Rows of two bodies, each entry a sum of 12 products in single precision, M_ij and M_ji in another order."""
    rng = np.random.default_rng(3)
    f = np.float32
    J, y = rng.normal(size=(12, 12)).astype(f), rng.uniform(0.5, 2.0, 12).astype(f)
    M = np.zeros((12, 12))
    for i in range(12):
        for j in range(12):
            order = rng.permutation(12)
            M[i, j] = np.add.accumulate((J[i, order] * y[order] * J[j, order]).astype(f))[-1]
    assert np.abs(M - M.T).max() > 0.0
    rows, mu, q = np.arange(12).reshape(4, 3), np.full(4, 0.5), rng.normal(size=12)
    s = solve_coulomb(Coulomb(M, q, rows, mu))
    assert s.solved
    assert "solved with (M + Mᵀ)/2" in s.message
    assert s.z == pytest.approx(solve_coulomb(Coulomb(0.5 * (M + M.T), q, rows, mu)).z, abs=1e-9)


@pytest.mark.parametrize("skew", [1e-5, 1e-3, 3e-2])
def test_a_matrix_that_is_not_symmetric_is_solved_as_it_is(skew):
    """Coulomb's law is held by w = M z + q with that very M."""
    import scipy.sparse as sp

    rng = np.random.default_rng(4)
    for _ in range(4):
        even = random_problem(rng, bodies=3, contacts=4, wires=2, free=1)
        d = np.sqrt(np.diag(even.M))
        K = np.triu(rng.uniform(-1.0, 1.0, even.M.shape), 1)
        M = even.M + skew * (K - K.T) * np.outer(d, d)
        problem = Coulomb(M, even.q, even.contacts, even.mu, even.free)
        s = solve_coulomb(problem)
        assert s.solved
        assert s.message == ""
        assert broken(problem, s.z) < 1e-8 * np.abs(M).max() * max(1.0, np.abs(s.z).max())
        # Of the symmetric part it is no solution.
        assert even.residual(s.z) > 1e-2 * skew
        again = solve_coulomb(Coulomb(sp.csr_array(M), even.q, even.contacts, even.mu, even.free))
        assert again.w == pytest.approx(s.w, abs=1e-7)


def test_a_matrix_that_is_not_symmetric_may_have_more_contacts_than_freedoms():
    """Only its skew part tells how impulses are shared that the bodies do not feel."""
    rng = np.random.default_rng(0)
    for contacts in (6, 12, 30):
        even = random_problem(rng, bodies=2, contacts=contacts, wires=0, free=0)
        d = np.sqrt(np.diag(even.M))
        K = np.triu(rng.uniform(-1.0, 1.0, even.M.shape), 1)
        problem = Coulomb(even.M + 2e-3 * (K - K.T) * np.outer(d, d), even.q, even.contacts, even.mu)
        s = solve_coulomb(problem)
        assert s.solved
        assert broken(problem, s.z) < 1e-8 * np.abs(problem.M).max() * max(1.0, np.abs(s.z).max())


def test_what_needs_a_symmetric_matrix_says_so():
    M = np.eye(4) + 0.01 * np.triu(np.ones((4, 4)), 1)
    problem = Coulomb(M, -np.ones(4), [[0, 1, 2]], [0.5])
    with pytest.raises(ProblemError, match="cone-sweeps needs a symmetric M"):
        solve_coulomb(problem, "cone-sweeps")
    bands = Bands(np.array([[1, 0]]), np.array([0.1]), np.array([0.1]))
    with pytest.raises(ProblemError, match=r"need a symmetric M; this one differs from its transpose by 1.0e-02"):
        Coulomb(M, -np.ones(4), np.empty((0, 3)), [], bands=bands)
