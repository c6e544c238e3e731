"""Problems: the residual, scaling, elimination with the way back, back-ends of other distributions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import solvers
from solvers.backends import registry
from solvers.reductions import EliminateFree, IrreducibleError
from solvers.scaled import Scaled


def test_residual_is_the_natural_map_in_shares_of_each_row():
    p = solvers.MLCP([[4.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], [-8.0, 2.0, 1.0], [False, True, False])
    # w_0 = 2 of terms 8 and 10; w_1 = 1 of terms 2 and 1; z_2 acts on nobody, and is wrong as w_2 > 0.
    assert p.residual(np.array([2.5, -2.0, 0.0])) == pytest.approx(2 / 18)
    assert p.residual(np.array([2.0, -1.0, 0.0])) == pytest.approx(1 / 3)
    assert p.residual(np.array([2.0, -2.0, 0.1])) == 1
    assert p.residual(np.array([2.0, -2.0, 0.0])) == 0
    assert p.residual(np.array([np.nan, 0, 0])) == np.inf


@pytest.mark.parametrize("power", [-40, 0, 40])
def test_scaling_is_exact_and_removes_units(power):
    rng = np.random.default_rng(0)
    J = rng.normal(size=(4, 6)) * 2.0 ** rng.integers(-20, 21, (4, 1))
    p = solvers.LCP(J @ J.T, rng.normal(size=4) * 2.0**power)
    s = Scaled(p)
    d = np.sqrt(np.diag(s.problem.M))
    assert np.all((d > 0.7) & (d < 1.5))
    assert 0.3 < np.abs(s.problem.q).max() < 3
    z = rng.normal(size=4)
    assert np.array_equal(s.start(s.retrieve(z)), z)
    assert s.problem.residual(z) == pytest.approx(p.residual(s.retrieve(z)), rel=1e-12)


def test_elimination_of_free_rows_goes_back():
    rng = np.random.default_rng(1)
    J = rng.normal(size=(6, 9))
    p = solvers.MLCP(J @ J.T, rng.normal(size=6), [1, 4])
    reduced = EliminateFree(p)
    z = solvers.solve(reduced.problem).z
    full = reduced.retrieve(z)
    assert p.residual(full) <= 1e-12
    assert full[[0, 2, 3, 5]] == pytest.approx(z)


def test_free_rows_that_bind_other_unknowns_are_not_eliminated():
    p = solvers.MLCP([[0.0, 1.0], [-1.0, 0.0]], [-1.0, 2.0], [0])
    with pytest.raises(IrreducibleError):
        EliminateFree(p)
    s = solvers.solve(p, "lemke")
    assert s.status is solvers.Status.UNSUPPORTED
    s = solvers.solve(p)
    assert s.solved
    assert s.z == pytest.approx([2, 1])


@pytest.mark.parametrize("sparse", [False, True])
def test_wires_keep_their_factors(sparse):
    G = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]])
    Minv = np.diag([1.0, 0.5, 2.0])
    p = solvers.LCP.from_wires(Minv, sp.csr_array(G) if sparse else G, [0.0, 1.0, 3.0], [0.1, 0.2])
    assert solvers.matrix.to_dense(p.M) == pytest.approx(G.T @ Minv @ G)
    assert p.q == pytest.approx(G.T @ [0, 1, 3] + [0.1, 0.2])
    s = solvers.solve(p)
    assert s.w == pytest.approx(G.T @ s.v + [0.1, 0.2])


def test_solution_of_an_ordinary_problem_has_no_velocity():
    assert solvers.solve(solvers.LCP([[1.0]], [-1.0])).v is None


def test_back_ends_of_other_distributions_are_found_and_guarded(monkeypatch):
    """A third party's solver is listed, and its lies are not believed."""
    liar = registry.Backend("liar")
    monkeypatch.setattr(registry, "entry_points", lambda group: [SimpleNamespace(name="liar", load=lambda: liar)])
    module = SimpleNamespace(
        solve=lambda problem, start=None: solvers.Answer(np.ones(problem.n), solvers.Status.SOLVED, 1)
    )
    monkeypatch.setattr(registry, "import_module", lambda name: module)
    registry.backends.cache_clear()
    try:
        assert "liar" in solvers.available()
        # Its answer is polished on the active set it suggests, so only a wrong active set stays wrong.
        s = solvers.solve(solvers.LCP([[1.0, 2.0], [2.0, 1.0]], [1.0, -1.0]), "liar")
        assert s.status is solvers.Status.NO_CONCLUSION
        assert s.residual > 1e-9
    finally:
        registry.backends.cache_clear()


def test_methods_declare_what_they_need():
    for name, backend in registry.BUILT_IN.items():
        assert backend.summary, name
        assert callable(backend.load())
        assert not backend.missing


@pytest.mark.parametrize("method", solvers.available())
@pytest.mark.parametrize("sparse", [False, True])
def test_wires_that_give_share_their_load_by_compliance(method, sparse):
    """A weight on three parallel wires: impulses as 1 / compliance, found in z as in the velocities."""
    give = np.array([1.0, 2.0, 4.0])
    G = np.ones((1, 3))
    p = solvers.LCP.from_wires(
        [0.5], sp.csr_array(G) if sparse else G, [-6.0], np.zeros(3), compliance=give, names=["a", "b", "c"]
    )
    assert solvers.matrix.to_dense(p.M) == pytest.approx(0.5 + np.diag(give))
    s = solvers.solve(p, method)
    assert s.solved, s.message
    assert s.z * give == pytest.approx(np.full(3, s.z[0]), abs=1e-8)
    assert s.w == pytest.approx(np.zeros(3), abs=1e-8)
    assert s.v + give * s.z == pytest.approx(np.zeros(3), abs=1e-8)
    assert s.z_unique is True
    assert s.certificate.rank == 3


def test_compliance_survives_files_and_scaling(tmp_path):
    from solvers import files

    give = np.array([0.0, 2.0**-20])
    p = solvers.LCP.from_wires([1.0, 2.0**-30], [[1.0, 1.0], [1.0, -1.0]], [-1.0, 1.0], [0.0, 0.0], compliance=give)
    files.save(tmp_path / "p.npz", {"p": p})
    other = files.load(tmp_path / "p.npz")["p"]
    assert np.array_equal(other.wires.compliance, give)
    for one in (p, other):
        for method in ("osqp", "interior-point", "cvxpy", "lemke"):
            s = solvers.solve(one, method)
            assert s.solved, s.message
            assert s.w == pytest.approx(solvers.solve(p).w, abs=1e-8)


@pytest.mark.parametrize(
    ("give", "says"), [([1.0], "2 compliances"), ([0.5, -1.0], r"compliance\[1\] must be at least 0, got -1")]
)
def test_bad_compliance_is_refused(give, says):
    with pytest.raises(solvers.ProblemError, match=says):
        solvers.LCP.from_wires([1.0], [[1.0, 1.0]], [-1.0], [0.0, 0.0], compliance=give)


@pytest.mark.parametrize("power", [-30, 30])
@pytest.mark.parametrize("method", ["auto", "lemke"])
def test_units_of_rows_without_diagonal_do_not_matter(method, power):
    """A linear program whose rows and columns have units apart by 2^±30; no diagonal shows them."""
    A, b, c = np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([2.0, 3.0]), np.array([1.0, 1.0])
    M, q = np.block([[np.zeros((2, 2)), -A.T], [A, np.zeros((2, 2))]]), np.concatenate([c, -b])
    unit = 2.0 ** (power * np.array([1.0, -0.5, 0.0, 1.0]))
    s = solvers.solve(solvers.LCP(M * unit * unit[:, None], q * unit), method)
    assert s.solved, s.message
    assert s.z * unit == pytest.approx([0.8, 0.6, 0.4, 0.2])


def test_what_only_units_make_small_is_no_proof():
    """y = (0, 1) nearly satisfies Mᵀy ≤ 0, but z = (2^40, 0) solves the problem."""
    p = solvers.LCP([[0.0, -(2.0**-40)], [2.0**-40, 0.0]], [1.0, -1.0])
    from solvers import certificates

    assert certificates.check(p, np.array([0.0, 1.0])) is None
    s = solvers.solve(p)
    assert s.solved
    assert s.z == pytest.approx([2.0**40, 2.0**40])


def test_small_problems_are_printed_with_their_numbers_and_large_ones_by_name():
    problem = solvers.MLCP([[2.0, -1e-19], [-1.0, 2.0]], [-5.0, -0.0], [1], names=["left", "right"])
    assert repr(problem).split("\n") == [
        "<MLCP of 2 rows: left, right>",
        "        M      q",
        "left    2  0  -5",
        "right  -1  2   0  free",
    ]
    large = solvers.LCP(sp.eye_array(500), -np.ones(500))
    assert repr(large) == "<LCP of 500 rows: row 0, row 1, row 2, row 3, row 4, row 5, ...>"
    contact = solvers.Coulomb(np.eye(3), [-1.0, 0.3, 0.4], [[0, 1, 2]], [0.5])
    assert repr(contact) == "<Coulomb of 3 rows, 1 contact (mu 0.5)>"


@pytest.mark.parametrize("seed", range(4))
def test_rounding_and_minus_zero_are_printed_as_zero(seed):
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(6, 4))
    s = solvers.solve(J @ J.T, J @ rng.normal(size=4))
    contacts = solvers.solve_coulomb(
        solvers.Coulomb(J @ J.T, J @ rng.normal(size=4), [[0, 1, 2], [3, 4, 5]], [0.5, 0.3])
    )
    assert np.any((s.w != 0.0) & (np.abs(s.w) < 1e-14))  # there is rounding
    for text in (repr(s), repr(contacts)):
        numbers = [float(cell) for line in text.split("\n")[2:] for cell in line.split()[2:]]
        assert len(numbers) == 12
        assert all(x == 0.0 or abs(x) > 1e-12 for x in numbers)
        assert "-0 " not in text + " "
