"""Towers of boxes on each other, four contacts a storey: what a level bears is the weight above it."""

import numpy as np
import pytest
import scipy.sparse as sp

import solvers

BOXES, SIDE, HIGH, G, H = 125, 0.2, 1e-3, 9.81, 1e-2  # flat ones: a tower of cubes would topple on a slope
MU = 0.5


def tower(boxes, *, slope=0.0, push=0.0, seed=0):
    """Boxes of 1 kg at rest; the problem of a step of H on a slope, with pushes of random size at random ends.

    push : size of the pushes, in shares of g
    """
    corner = np.array([[SIDE, SIDE], [-SIDE, SIDE], [-SIDE, -SIDE], [SIDE, -SIDE]])
    row, column, value = [], [], []
    for box in range(boxes):
        for c in range(4):
            for d in range(3):
                direction = np.eye(3)[(2, 0, 1)[d]]
                for body, sign, z in ((box, 1.0, -HIGH), (box - 1, -1.0, HIGH)):
                    if body >= 0:  # the first one stands on the ground
                        row += [12 * box + 3 * c + d] * 6
                        column += range(6 * body, 6 * body + 6)
                        value += [*(sign * direction), *(sign * np.cross([*corner[c], z], direction))]
    J = sp.csr_array((value, (row, column)), shape=(12 * boxes, 6 * boxes))
    inertia = np.array([SIDE**2 + HIGH**2, SIDE**2 + HIGH**2, 2 * SIDE**2]) / 3.0
    v = np.zeros((boxes, 6))
    v[:, 2], v[:, 0] = -G * H * np.cos(slope), G * H * np.sin(slope)
    v += push * G * H * np.random.default_rng(seed).normal(size=v.shape)
    M = sp.csr_array(J.multiply(np.tile([1.0, 1.0, 1.0, *(1.0 / inertia)], boxes)[None, :]) @ J.T)
    return solvers.Coulomb(M, J @ v.ravel(), np.arange(12 * boxes).reshape(-1, 3), np.full(4 * boxes, MU))


def borne(z):
    """Normal and tangential impulse of each storey, of shape (boxes, 3)."""
    return z.reshape(-1, 4, 3).sum(axis=1)


def above(boxes):
    return np.arange(boxes, 0, -1)


@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_a_tower_of_500_contacts_stands_where_friction_holds_it(slope):
    """Up to tan(slope) = μ nothing moves, on the circular cone as on its polygon, and each level bears all above it."""
    problem = tower(BOXES, slope=slope)
    exact = solvers.solve_coulomb(problem)
    flat = problem.polyhedral(8)
    polygon = solvers.solve(flat.problem)
    assert exact.solved, exact.message
    assert polygon.solved, polygon.message
    assert flat.problem.n == 5000
    for z in (exact.z, flat.lift @ polygon.z):
        weight = G * H * above(BOXES)
        np.testing.assert_allclose(borne(z)[:, 0], weight * np.cos(slope), rtol=1e-7)
        np.testing.assert_allclose(borne(z)[:, 1], -weight * np.sin(slope), rtol=1e-7, atol=1e-7)
        assert np.abs(problem.w(z)).max() < 1e-9


def test_on_a_steep_slope_it_slides_as_one_with_every_level_at_its_limit():
    """tan(slope) > μ: the lowest level slips by (sin − μ cos) g, and the others are on the border of slip."""
    slope = 0.6
    problem = tower(BOXES, slope=slope)
    exact = solvers.solve_coulomb(problem)
    assert exact.solved, exact.message
    np.testing.assert_allclose(exact.w[1:12:3], H * G * (np.sin(slope) - MU * np.cos(slope)), rtol=1e-7)
    assert np.abs(exact.w[12:]).max() < 1e-8
    np.testing.assert_allclose(borne(exact.z)[:, 1], -MU * borne(exact.z)[:, 0], rtol=1e-6)


@pytest.mark.parametrize("directions", [4, 8])
def test_a_tower_that_is_shaken_is_solved_by_sparse_pivots_as_by_dense_ones(directions):
    """Thousands of pivots with many ties; what M and q say of the answer counts, whoever gave it."""
    problem = tower(16, push=0.3)
    flat = problem.polyhedral(directions).problem
    dense = solvers.LCP(sp.csr_array(flat.M).toarray(), flat.q)
    sparse = solvers.LCP(sp.csr_array(flat.M), flat.q)
    for one in (dense, sparse):
        s = solvers.solve(one, "lemke")
        assert s.solved, s.message
        assert s.iterations > 100
        w = dense.M @ s.z + dense.q
        assert np.abs(np.minimum(s.z, w)).max() < 1e-9


def test_sparse_pivots_end_on_a_ray_that_proves_that_there_is_no_solution():
    """A ring of rows that pull each other apart, in a problem of many: skew parts make M copositive-plus."""
    rng = np.random.default_rng(3)
    n = 300
    J = sp.random_array((n, n), density=0.01, rng=rng).tocsr() + sp.eye_array(n)
    K = sp.random_array((n, n), density=0.01, rng=rng).tocsr()
    M = sp.block_diag([J @ J.T + K - K.T, np.array([[1.0, -1.0], [-1.0, 1.0]])], format="csr")
    q = np.append(rng.normal(size=n), [1.0, -2.0])
    s = solvers.solve(solvers.LCP(M, q), "lemke")
    assert s.status == "infeasible"
    assert set(s.farkas.names) == {"row 300", "row 301"}
    assert solvers.solve(solvers.LCP(M, np.append(q[:n], [2.0, -1.0])), "lemke").solved


def test_sparse_pivots_are_written_down_as_dense_ones_are():
    rng = np.random.default_rng(5)
    n = 210
    J = sp.random_array((n, n), density=0.02, rng=rng).tocsr() + 2.0 * sp.eye_array(n)
    problem = solvers.LCP(sp.csr_array(J @ J.T), rng.normal(size=n))
    s = solvers.solve(problem, "lemke", log=True)
    dense = solvers.solve(solvers.LCP(problem.M.toarray(), problem.q), "lemke", log=True)
    assert s.solved
    for name in ("enters", "leaves"):  # no ties here, so the path is the same
        assert s.log[name].tolist() == dense.log[name].tolist()
    np.testing.assert_allclose(s.log["z0"], dense.log["z0"], atol=1e-10)
    assert solvers.solve(problem, "lemke", max_iterations=3).status == "iteration_limit"
