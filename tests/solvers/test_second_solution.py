"""Friction breaks w-uniqueness: the analysis says so, and shows a second solution."""

import numpy as np
import pytest

import solvers
import towsim
from solvers import Coulomb, ProblemError, analyse_coulomb, solve_coulomb
from towsim.scene import scene_from_data

H = 1e-3


def painleve_rod():
    """A slender rod slides on an end that is about to leave the ground; μ = 2 > (1 + 3 cos²θ)/(3 sin θ cos θ)."""
    tilt = np.arctan(0.5)  # from the vertical, against the motion
    arm = -0.5 * np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    return scene_from_data(
        {
            "bodies": {
                "rod": {
                    "mass": 1.0,
                    "inertia": [1 / 12, 1 / 12, 1e-3],
                    "position": [float(x) for x in -arm],
                    "quaternion": [float(np.cos(tilt / 2)), 0.0, float(np.sin(tilt / 2)), 0.0],
                    "velocity": [-1.0, 0.0, 0.02],
                    "points": {"end": [0, 0, -0.5]},
                }
            },
            "ground": {"friction": 2.0, "contacts": ["rod.end"]},
            "run": {"duration": 0.1, "step": H},
        }
    )


def rod_problem():
    """The rod's contact by itself: A_nn + μ A_nt·d = 1.6 − 2 × 1.2 < 0."""
    A = [[1.6, -1.2, 0.0], [-1.2, 3.4, 0.0], [0.0, 0.0, 3.4]]
    return Coulomb(A, [0.02 - 9.81 * H, -1.0, 0.0], [[0, 1, 2]], [2.0])


def test_painleves_rod_leaves_or_jams_on_the_polygon():
    problem = towsim.step_problem(painleve_rod())
    solution = solvers.solve(problem)
    analysis = solvers.analyse(problem, solution)
    assert analysis.w_unique is False
    assert analysis.other is not None
    assert problem.residual(analysis.other) <= 1e-9
    one, two = problem.w(solution.z), problem.w(analysis.other)
    assert np.abs(one - two).max() > 1e-3
    assert "not unique" in str(analysis)
    # It jams, or leaves and bears nothing: both are honest answers. What is shown may be either of them, or one that
    # jams as well, and slides in another direction of the polygon.
    leaves = np.zeros(problem.n)
    leaves[-1] = -problem.q[1:-1].min()  # the slip speed
    assert problem.residual(leaves) <= 1e-9
    assert max(solution.z[0], analysis.other[0]) > 1e-9


def test_painleves_rod_leaves_or_jams_on_the_cone():
    problem = rod_problem()
    solution = solve_coulomb(problem)
    analysis = analyse_coulomb(problem, solution)
    assert analysis.w_unique is False
    other = analysis.other
    assert problem.residual(other) <= 1e-9
    jammed = max(solution.z, other, key=lambda z: z[0])
    np.testing.assert_allclose(jammed, np.linalg.solve(problem.M, -problem.q), atol=1e-9)  # it stops at once
    assert min(solution.z[0], other[0]) == 0.0  # it leaves
    # And a third one, in which it goes on sliding while it is pressed: 0 = q_n + (1.6 − 2.4) p_n.
    normal = (0.02 - 9.81 * H) / 0.8
    third = np.array([normal, 2.0 * normal, 0.0])
    assert problem.residual(third) < 1e-12
    assert problem.w(third)[1] < -0.9


def test_four_feet_share_their_load_in_many_ways():
    """A box turns on four feet: another share of the weight is another friction, and another motion."""
    feet = np.array([[0.2, 0.15], [-0.2, 0.15], [-0.2, -0.15], [0.2, -0.15]])
    rows = []
    for x, y in feet:
        for direction in np.eye(3)[[2, 0, 1]]:
            rows.append([*direction, *np.cross([x, y, -0.1], direction)])
    J, inertia = np.array(rows), np.array([2.0] * 3 + [0.02, 0.033, 0.042])
    free = np.array([0.3, 0.1, -9.81 * H, 0.0, 0.0, 2.0])
    problem = Coulomb((J / inertia) @ J.T, J @ free, np.arange(12).reshape(4, 3), np.full(4, 0.5))
    solution = solve_coulomb(problem)
    analysis = analyse_coulomb(problem, solution)
    assert analysis.z_unique is False
    assert analysis.w_unique is False
    assert problem.residual(analysis.other) <= 1e-9


def test_where_nothing_else_is_found_nothing_is_claimed():
    problem = Coulomb(np.eye(3), [-1.0, 0.3, 0.1], [[0, 1, 2]], [0.2])
    analysis = analyse_coulomb(problem, solve_coulomb(problem))
    assert analysis.w_unique is None
    assert analysis.other is None


def test_only_solutions_are_analysed():
    n = np.array([[1.0, 0, 0], [-1.0, 0, 0], [0, 0, 1.0], [1.0, 0, 0], [0, 1.0, 0]])
    problem = Coulomb(n @ n.T, [-1.0, -1.0, -1.0, 0.0, 0.0], [[2, 3, 4]], [0.5])
    with pytest.raises(ProblemError, match="only a solved problem"):
        analyse_coulomb(problem, solve_coulomb(problem))


def test_with_friction_a_solution_exists_and_w_differs_between_two():
    """Copositive (Stewart & Trinkle; Anitescu & Potra), not adequate: Painlevé's rod leaves the ground, or jams."""
    flat = rod_problem().polyhedral(4).problem
    assert solvers.classify(flat.M).copositive
    one = solvers.solve(flat)
    found = solvers.analyse(flat, one)
    assert found.w_unique is False
    assert np.abs(flat.w(one.z) - flat.w(found.other)).max() > 1e-3
    assert max(flat.residual(one.z), flat.residual(found.other)) <= 1e-9
