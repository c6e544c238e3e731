"""The one call: statuses are true, the guard refuses, messages say which."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import solvers
from solvers import Status

METHODS = solvers.available()


def two_wires(speed_left=-0.25, speed_right=0.5):
    """A load between two kinematic robots in line that drive apart."""
    G = np.array([[-1.0, 1.0]])
    return solvers.LCP.from_wires([0.5], G, [0.0], [speed_left, -speed_right], names=["left", "right"])


@pytest.mark.parametrize("method", METHODS)
def test_impossible_pull_is_refused_with_wire_names_and_speed(method):
    s = solvers.solve(two_wires(), method)
    assert s.status is Status.INFEASIBLE
    assert s.message.endswith("wires left and right are driven apart at 0.75 m/s")
    proof = s.certificate
    assert proof.speed == pytest.approx(0.75)
    assert proof.y == pytest.approx([1, 1])
    assert sorted(proof.names) == ["left", "right"]
    assert np.all(np.isnan(s.z))


@pytest.mark.parametrize("method", METHODS)
def test_parallel_wires_share_velocity_but_not_tension(method):
    p = solvers.LCP.from_wires([0.5], np.array([[1.0, 1.0]]), [-2.0], [0.0, 0.0], names=["a", "b"])
    s = solvers.solve(p, method)
    assert s.solved
    assert s.v == pytest.approx([0.0], abs=1e-9)
    assert s.z.sum() == pytest.approx(4.0)
    assert s.z_unique is False
    assert s.certificate.rank == 1
    assert s.certificate.residual == s.residual <= 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_semidefinite_only_methods_refuse_other_matrices(method):
    skew = solvers.LCP([[1.0, 2.0], [-2.0, 1.0]], [-1.0, 1.0])
    indefinite = solvers.LCP([[1.0, 2.0], [2.0, 1.0]], [-1.0, -1.0])
    for p in (skew, indefinite):
        s = solvers.solve(p, method)
        if method != "auto" and solvers.backends.registry.BUILT_IN[method].needs_psd:
            assert s.status is Status.UNSUPPORTED
            assert "symmetric" in s.message or "semidefinite" in s.message
        else:
            assert s.status in (Status.SOLVED, Status.ITERATION_LIMIT, Status.NO_CONCLUSION)
            assert not s.solved or p.residual(s.z) <= 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_named(method, bad):
    M = np.eye(3)
    s = solvers.solve(solvers.LCP(M, [1.0, bad, 1.0], names=["a", "b", "c"]), method)
    assert s.status is Status.INVALID
    assert "q[1]" in s.message
    assert "b" in s.message
    M[2, 1] = bad
    s = solvers.solve(solvers.LCP(M, [1.0, 1.0, 1.0]), method)
    assert s.status is Status.INVALID
    assert "M[2, 1]" in s.message


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(solvers.ProblemError, match="2 x 2"):
        solvers.LCP(np.eye(3), [1.0, 2.0])
    with pytest.raises(solvers.ProblemError, match="mask"):
        solvers.MLCP(np.eye(2), [1.0, 2.0], np.array([True]))
    with pytest.raises(solvers.ProblemError, match="names"):
        solvers.LCP(np.eye(2), [1.0, 2.0], names=["a"])
    with pytest.raises(solvers.ProblemError, match="start"):
        solvers.solve(solvers.LCP(np.eye(2), [1.0, 2.0]), "pgs", start=[1.0])
    with pytest.raises(solvers.ProblemError, match="velocities"):
        solvers.LCP.from_wires(np.ones(2), np.ones((3, 1)), np.ones(2), [1.0])


def test_unknown_methods_and_options_are_named():
    p = solvers.LCP(np.eye(2), [-1.0, 2.0])
    with pytest.raises(solvers.ProblemError, match="active-set"):
        solvers.solve(p, "lemkee")
    with pytest.raises(solvers.ProblemError, match="relaxation"):
        solvers.solve(p, "pgs", omega=1.5)
    with pytest.raises(solvers.ProblemError, match="no options"):
        solvers.solve(p, relaxation=1.5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("power", [-30, 30])
def test_units_do_not_change_the_answer(method, power):
    M = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 1.0]])
    q = np.array([-1.0, -2.0, 1.0])
    z = solvers.solve(solvers.LCP(M, q), "enumerate").z
    s = np.array([2.0**power, 1.0, 2.0**-power])
    for unit in (2.0**power, 2.0**-power):
        other = solvers.solve(solvers.LCP(M * s * s[:, None], unit * s * q), method)
        assert other.solved
        assert other.z * s / unit == pytest.approx(z, rel=1e-8)


@pytest.mark.parametrize("method", METHODS)
def test_redundant_rods_that_agree_are_solved_and_contradictions_refused(method):
    G = np.array([[1.0, 1.0, -1.0], [0.0, 0.0, 0.5]])
    free = [True, True, False]
    agree = solvers.MLCP.from_wires([1.0, 2.0], G, [1.0, -3.0], [0.5, 0.5, 0.0], free=free)
    s = solvers.solve(agree, method)
    assert s.solved
    assert s.w[:2] == pytest.approx([0, 0], abs=1e-8)
    against = solvers.MLCP.from_wires([1.0, 2.0], G, [1.0, -3.0], [0.5, 0.75, 0.0], free=free)
    s = solvers.solve(against, method)
    assert s.status is Status.INFEASIBLE
    assert s.certificate.speed == pytest.approx(0.25)


def test_block_form_is_the_step_in_velocities_and_impulses():
    """[M -G; G' 0] with v free gives the same step as the Schur complement."""
    M, G = np.diag([2.0, 2.0, 0.1]), np.array([[1.0, 0.6], [0.0, 0.8], [0.2, -0.1]])
    v, b = np.array([0.1, -0.4, 0.3]), np.array([-0.2, 0.05])
    blocks = solvers.MLCP.from_blocks(M, -G, G.T, np.zeros((2, 2)), -M @ v, b)
    schur = solvers.solve(solvers.LCP.from_wires(1 / np.diag(M), G, v, b))
    for method in ("auto", "lemke", "pgs", "newton", "enumerate"):
        s = solvers.solve(blocks, method)
        assert s.solved, s.message
        assert s.z[:3] == pytest.approx(schur.v, abs=1e-8)
        assert s.z[3:] == pytest.approx(schur.z, abs=1e-8)
    assert "eliminated" in solvers.solve(blocks, "pgs").message


def test_auto_says_which_methods_it_tried():
    # The N-matrix of Cottle, Pang & Stone: Lemke's method ends on a ray though a solution exists.
    s = solvers.solve(solvers.LCP([[-1.0, 2.0], [2.0, -1.0]], [-1.0, -1.0]))
    assert s.solved
    assert "lemke: no_conclusion" in s.message


def test_ray_of_a_problem_that_is_not_monotone_concludes_nothing():
    s = solvers.solve(solvers.LCP([[-1.0, 2.0], [2.0, -1.0]], [-1.0, -1.0]), "lemke")
    assert s.status is Status.NO_CONCLUSION
    assert "ray" in s.message


@pytest.mark.parametrize("method", METHODS)
def test_empty_problem_is_solved(method):
    s = solvers.solve(solvers.LCP(np.zeros((0, 0)), []), method)
    assert s.solved
    assert s.z.shape == (0,)
    assert s.z_unique is True


def test_pgs_reports_its_limit_honestly():
    n = 200
    M = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    q = np.zeros(n)
    q[0] = -1.0
    s = solvers.solve(solvers.LCP(M, q), "pgs", max_iterations=3)
    assert s.status in (Status.ITERATION_LIMIT, Status.SOLVED)
    assert s.solved == (solvers.LCP(M, q).residual(s.z) <= 1e-9)
    assert s.iterations == 3


def test_pgs_that_diverges_stops_and_says_so():
    """By 9 a sweep, to 1e308 after some 324; at z = 0 there is a solution, which it runs away from."""
    problem = solvers.LCP([[1.0, -3.0], [-3.0, 1.0]], [1.0, 1.0])
    s = solvers.solve(problem, "pgs", start=[10.0, 10.0], log=True)
    assert s.status is Status.NO_CONCLUSION
    assert s.iterations == len(s.log["residual"]) < 400
    assert f"pgs diverged: after {s.iterations} sweeps z is beyond all floats" in s.message
    assert solvers.solve(problem, "pgs").solved
    none = solvers.solve(solvers.LCP(problem.M, [-1.0, -1.0]), "pgs")
    assert none.status is Status.INFEASIBLE
    assert none.iterations < 400


def test_relaxation_changes_the_number_of_sweeps():
    n = 20
    M = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    p = solvers.LCP(M, -np.ones(n))
    plain, over = (solvers.solve(p, "pgs", relaxation=r) for r in (1.0, 1.7))
    assert plain.solved
    assert over.solved
    assert over.iterations < 0.5 * plain.iterations


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_osqp_solves_both_forms(form):
    p = solvers.LCP.from_wires([0.5, 0.5, 30.0], [[0.6, -0.6], [0.8, 0.8], [0.1, 0.1]], [0, -1.0, 0], [0.0, 0.0])
    s = solvers.solve(p, "osqp", form=form)
    assert s.solved
    assert s.v == pytest.approx(solvers.solve(p, "enumerate").v, abs=1e-9)


def test_importing_solvers_stays_light():
    code = (
        "import solvers, sys; print([m for m in ('numba', 'scipy', 'osqp', 'cvxpy', 'clarabel') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("method", ["auto", "active-set", "pgs"])
def test_entries_that_nothing_multiplies_must_be_numbers_in_every_storage(method):
    for M in (
        np.array([[1.0, np.nan], [np.nan, 1.0]]),
        solvers.Envelope(np.array([1.0, np.nan, 1.0]), np.array([0, 1, 3])),
    ):
        s = solvers.solve(solvers.LCP(M, [1.0, 1.0]), method)
        assert s.status is Status.INVALID
        assert "M[" in s.message


@pytest.mark.parametrize("method", METHODS)
def test_redundant_wires_that_differ_by_a_billionth_are_solved_exactly(method):
    """Load shared by all leaves w = -6e-9 on the shortest wire; in truth the three longer ones are slack."""
    G = np.array([[1.0, 1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]])
    p = solvers.LCP.from_wires([1.0, 0.5], G, [-2.0, -1.0], [0.0, 6e-9, 8e-9, 1e-8, 0.0])
    s = solvers.solve(p, method)
    assert s.solved, s.message
    assert s.residual <= 1e-12
    assert s.w == pytest.approx([0.0, 6e-9, 8e-9, 1e-8, 0.0], abs=1e-14)
    assert s.z == pytest.approx([2.0, 0.0, 0.0, 0.0, 2.0], abs=1e-7)
