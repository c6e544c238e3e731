"""The set of all tensions: its shadow, and where the back-ends land in it."""

import numpy as np
import pytest

import solvers
import towsim
from towsim.analysis import landings, shadow, suspension
from towsim.errors import SceneError, UsageError

METHODS = ("active-set", "lemke", "pgs", "newton", "osqp", "interior-point")


def hung(n, weight=6.0):
    return solvers.LCP.from_wires([0.5], np.ones((1, n)), [-weight], np.zeros(n))


def analysed(problem):
    return solvers.analyse(problem, solvers.solve(problem))


def area(corners):
    x, y = corners.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@pytest.mark.parametrize("n", [3, 4, 6])
def test_three_or_more_parallel_wires_cast_a_triangle(n):
    """Two of n tensions that add up to the weight 12: T1 + T2 ≤ 12."""
    problem = hung(n)
    seen = shadow(problem, analysed(problem), (0, 1))
    assert area(seen.corners) == pytest.approx(72, rel=1e-5)  # positive: counter-clockwise
    assert {tuple(np.round(c, 4) + 0.0) for c in seen.corners} == {(0.0, 0.0), (12.0, 0.0), (0.0, 12.0)}
    assert not seen.cut


def test_two_wires_cast_a_segment_and_one_solution_a_point():
    segment = shadow(hung(2), analysed(hung(2)))
    assert sorted(np.round(segment.corners, 4).tolist()) == [[0, 12], [12, 0]]
    single = solvers.LCP(np.eye(2), [-1.0, -2.0])
    assert shadow(single, analysed(single)).corners == pytest.approx(np.array([[1.0, 2.0]]))


def test_a_set_without_bound_is_cut_and_says_so():
    problem = solvers.LCP.from_wires([1.0], [[1.0, -1.0]], [0.0], [-1.0, 1.0])
    seen = shadow(problem, analysed(problem))
    assert seen.cut
    assert seen.corners.max() == pytest.approx(4.0, abs=1e-3)


def test_corners_of_the_shadow_of_a_suspension_are_its_ranges():
    problem = towsim.step_problem(suspension(8))
    analysis = analysed(problem)
    seen = shadow(problem, analysis)
    i, j = seen.rows
    size = analysis.high.max()
    for axis, row in ((0, i), (1, j)):
        assert seen.corners[:, axis].min() == pytest.approx(analysis.low[row], abs=1e-5 * size)
        assert seen.corners[:, axis].max() == pytest.approx(analysis.high[row], abs=1e-5 * size)


def test_shadow_needs_a_convex_set_and_two_rows():
    general = solvers.LCP([[1.0, 2.0], [-2.0, 1.0]], [-1.0, 1.0])
    with pytest.raises(UsageError, match="convex"):
        shadow(general, analysed(general))
    for rows in ((0, 0), (0, 3), (-1, 0)):
        with pytest.raises(UsageError, match="rows"):
            shadow(hung(3), analysed(hung(3)), rows)


def test_back_ends_share_w_and_v_but_not_tensions():
    problem = towsim.step_problem(suspension(8))
    found = landings(problem, METHODS, starts=6)
    assert all(one.status == "solved" for one in found.found)
    # Accepted residuals are 1e-9 of max|q/d|, and q is a velocity of 0.01 m/s here.
    assert max(one.distance_w for one in found.found) < 1e-10
    assert max(one.distance_v for one in found.found) < 1e-10
    by_name = {one.name: one for one in found.found}
    size = found.analysis.high.max()
    starts = np.array([one.z for one in found.found if one.name.startswith("pgs")])
    assert len(starts) == 7
    assert np.abs(starts - starts[0]).max() > 0.05 * size
    assert by_name["lemke"].vertex
    assert by_name["active-set"].vertex
    assert not by_name["interior-point"].vertex
    least = np.linalg.norm(found.analysis.least_norm)
    assert all(np.linalg.norm(one.z) >= least * (1 - 1e-7) for one in found.found)


def test_every_landing_lies_in_the_shadow():
    problem = towsim.step_problem(suspension(8))
    found = landings(problem, METHODS, starts=6)
    seen = shadow(problem, found.analysis)
    i, j = seen.rows
    a, b = seen.corners, np.roll(seen.corners, -1, axis=0)
    size = np.abs(a).max()
    for one in found.found:
        x, y = one.z[i] - a[:, 0], one.z[j] - a[:, 1]
        assert np.all((b - a)[:, 0] * y - (b - a)[:, 1] * x >= -1e-5 * size**2)  # to the left of every edge


def test_an_impossible_problem_is_not_compared_but_explained():
    problem = solvers.LCP.from_wires([1.0], [[1.0, -1.0]], [0.0], [-1.0, -1.0], names=["left", "right"])
    with pytest.raises(UsageError, match="driven apart at 2 m/s"):
        landings(problem, METHODS)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"methods": "pgs"}, r"methods must be a list, such as \['pgs'\]"),
        ({"starts": 2.5}, r"starts must be a whole number >= 0, got 2\.5"),
        ({"starts": -1}, "starts must be a whole number >= 0, got -1"),
        ({"seed": "x"}, "seed must be a whole number"),
    ],
)
def test_landings_refuse_nonsense(change, words):
    with pytest.raises(UsageError, match=words):
        landings(towsim.step_problem(suspension(8)), **change)


@pytest.mark.parametrize("rows", [(0, 0), (0, 8), (-1, 2), (0,), (0.5, 1), ([0], 1), ("wire0", "wire1"), 3])
def test_a_shadow_falls_on_two_rows_of_the_problem(rows):
    problem = towsim.step_problem(suspension(8))
    analysis = solvers.analyse(problem, solvers.solve(problem))
    with pytest.raises(UsageError, match=r"rows must be (two different numbers from 0 to 7|a list), got"):
        shadow(problem, analysis, rows)


@pytest.mark.parametrize(
    ("wires", "twist", "rank"),
    [(2, 0.0, 2), (3, 0.0, 3), (4, 40.0, 4), (6, 40.0, 6), (7, 40.0, 6), (8, 40.0, 6), (12, 40.0, 6), (12, 0.0, 3)],
)
def test_six_rows_that_differ_hold_a_box_at_rest(wires, twist, rank):
    """Without twist all wires meet in one point, and three rows say all there is to say."""
    scene = suspension(wires, twist=twist)
    scene.check_start()
    problem = towsim.step_problem(scene)
    solution = solvers.solve(problem)
    assert solution.certificate.rank <= rank
    assert solvers.analyse(problem, solution, ranges=False).rank == rank
    assert solution.v == pytest.approx(np.zeros(6), abs=1e-12)


def test_suspension_refuses_nonsense():
    with pytest.raises(UsageError, match="wires"):
        suspension(0)
    with pytest.raises(SceneError):
        suspension(8, mass=-1.0)
