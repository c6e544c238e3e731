"""Contacts of one rigid body whose rows contradict each other a little: what they share grows until one slips."""

import numpy as np
import pytest

from solvers import Coulomb, solve_coulomb

AXES = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # normal, tangents


def rows(arms):
    """J (3k, 6) of contacts at arms (k, 3) from the centre of mass."""
    return np.vstack([np.hstack([AXES, np.cross(arm, AXES)]) for arm in arms])


def defects(problem, z):
    """Of all contacts: how far the impulse is out of the cone, and what is missing of 0 ≤ p_n ⟂ w_n ≥ 0 and of friction
    opposite to slip, μ p_n ‖w_t‖ + p_t · w_t; from M itself."""
    p, w = z.reshape(-1, 3), (np.asarray(problem.M) @ z + problem.q).reshape(-1, 3)
    bound, slip = problem.mu * p[:, 0], np.linalg.norm(w[:, 1:], axis=1)
    return (
        np.maximum(np.linalg.norm(p[:, 1:], axis=1) - bound, -p[:, 0]).max(),
        np.maximum(np.abs(p[:, 0] * w[:, 0]), -w[:, 0]).max(),
        np.abs(bound * slip + (p[:, 1:] * w[:, 1:]).sum(axis=1)).max(),
    )


@pytest.mark.parametrize("method", ["auto", "cone-newton"])
@pytest.mark.parametrize("short", [1e-4, 1e-6, 1e-7, 3e-8, 1e-8, 4e-9, -1e-7])
def test_corners_of_an_edge_that_cannot_both_stick_part_at_the_rate_that_is_asked_for(method, short):
    """w₂ − w₁ along the edge is ``short`` whatever the impulses: one sticks, the other slips at that speed."""
    J = rows([[-0.2, 0.1, -0.1], [0.2, 0.1, -0.1]])
    inverse = np.diag([1.0, 1.0, 1.0, 60.0, 50.0, 40.0])
    ask = np.zeros(6)
    ask[[1, 4]] = -0.5 * short, 0.5 * short
    # One corner comes down faster than the other: its friction bears more.
    q = J @ [0.1, 0.05, -1.0, 0.2, 0.3, 0.1] + ask
    problem = Coulomb(J @ inverse @ J.T, q, [[0, 1, 2], [3, 4, 5]], [0.6, 0.6])
    y = np.array([0.0, 1.0, 0.0, 0.0, -1.0, 0.0])
    assert np.abs(problem.M @ y).max() < 1e-14 * np.abs(problem.M).max()

    answer = solve_coulomb(problem, method)
    assert answer.solved
    assert max(defects(problem, answer.z)) <= 1e-10
    w = problem.M @ answer.z + problem.q
    assert w[4] - w[1] == pytest.approx(short, abs=1e-14)
    p = answer.z.reshape(2, 3)
    use = np.linalg.norm(p[:, 1:], axis=1) / (0.6 * p[:, 0])
    slip = np.linalg.norm(w.reshape(2, 3)[:, 1:], axis=1)
    assert use.max() == pytest.approx(1.0, abs=1e-9)
    assert use.min() < 0.99
    assert slip[use.argmin()] < 1e-12
    # The force within the edge pulls the corners to where they shall not part.
    assert (p[0, 1] - p[1, 1]) * short > 0.0


@pytest.mark.parametrize("tilt", [1e-3, 1e-4, 1e-5, 1e-6])
@pytest.mark.parametrize("corners", [4, 8])
def test_a_face_that_lands_not_quite_level_is_solved(corners, tilt):
    """Rows ask each contact down by its gap in one step; turned level, a face is no longer as long as its shadow."""
    rng = np.random.default_rng(7)
    h = 1e-3
    for _ in range(25):
        face = np.column_stack([rng.uniform(-0.3, 0.3, (corners, 2)), np.full(corners, -0.1)])
        a, b = rng.normal(size=2) * tilt
        arms = face @ np.array([[1.0, 0.0, -b], [0.0, 1.0, a], [b, -a, 1.0]])  # turned, but for tilt²
        gap = arms[:, 2] - arms[:, 2].min()
        J = rows(arms)
        speed = 3.0 * gap.max() / h + rng.uniform(0.0, 0.3)
        q = J @ (speed * np.r_[rng.normal(size=2) * 0.1, -1.0, rng.normal(size=3) * 0.3])
        q[::3] += gap / h
        problem = Coulomb(
            J @ np.diag([0.5, 0.5, 0.5, 20.0, 15.0, 10.0]) @ J.T,
            q,
            np.arange(3 * corners).reshape(-1, 3),
            np.full(corners, rng.uniform(0.3, 0.9)),
        )
        answer = solve_coulomb(problem, "cone-newton")
        assert answer.solved
        assert answer.residual == problem.residual(answer.z) <= 1e-9
        size = np.abs(problem.q).max() * max(1.0, np.abs(answer.z).max())
        assert max(defects(problem, answer.z)) <= 1e-8 * size
