"""The tasks of planning: what they ask for is held in the run of the scene that is found."""

import numpy as np
import pytest

import towsim
from scenarios import planning


def test_a_crane_that_hoists_as_it_travels_leaves_no_swing():
    task = planning.shaped_crane()
    first = towsim.simulate(task["scene"], duration=8.0)
    assert np.abs(first["position"].values[first.time > 4.0, 0, 0] - 4.0).max() > 0.05
    found = towsim.plan(**task)
    assert found.converged
    run = towsim.simulate(found.scene, duration=8.0)
    late = run.time > 4.0
    assert np.abs(run["position"].values[late, 0, 0] - 4.0).max() < 1e-9
    lag = run["position"].values[:, 0, 0] - run["robot_position"].values[:, 0, 0]
    assert np.abs(lag).max() < 0.5 * (1.0 + 1e-6)
    assert 1000.0 < run["tension"].values.min() < run["tension"].values.max() < 6000.0


def test_the_least_time_of_a_hoist_is_little_more_than_by_jumps_of_the_acceleration():
    found = planning.shortest(planning.fast_hoist, 2.9, 3.2, within=3e-3)
    least, duration = planning.least_hoist(), found.scene.run.duration
    assert least < duration < 1.03 * least
    run = towsim.simulate(found.scene)
    weight = 981.0
    assert 0.5 * weight * (1 - 1e-5) < run["tension"].values.min()
    assert run["tension"].values.max() < 1.4 * weight * (1 + 1e-5)
    assert run["velocity"].values[:, 0, 2].max() < 4.0 + 1e-4
    assert run["position"].values[-1, 0, 2] == pytest.approx(8.0, abs=1e-6)
    with pytest.raises(towsim.UsageError, match="to begin with"):
        planning.shortest(planning.fast_hoist, 1.0, 2.0)


@pytest.mark.parametrize("hoist", [0.0, 0.5, 3.6])
def test_a_short_hoist_is_all_speeding_up_and_slowing_down(hoist):
    """At half of its top speed on the average, which takes top/0.4 g up and top/0.5 g down."""
    least = planning.least_hoist(hoist)
    top = 2.0 * hoist / least if hoist else 0.0
    assert top < 4.0
    assert least == pytest.approx(top / (0.4 * 9.81) + top / (0.5 * 9.81))


@pytest.mark.slow
def test_a_beam_passes_a_gap_that_is_narrower_than_it_is_long():
    task = planning.beam_through_gap()
    first = towsim.simulate(task["scene"])
    found = towsim.plan(**task, tolerance=1e-7)
    run = towsim.simulate(found.scene)
    assert _clearance(first) < 0.2
    assert _clearance(run) > 0.25 - 1e-4
    np.testing.assert_allclose(run["position"].values[-1, 0, :2], [8.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(run["velocity"].values[-1, 0], 0.0, atol=1e-5)


@pytest.mark.slow
def test_four_carry_a_box_through_a_slalom_with_the_third_wire_slack_for_a_while():
    found = planning.slack_slalom()
    assert found.converged
    run = towsim.simulate(found.scene)
    tension, gap = (run[name].sel(wire="q3").values for name in ("tension", "gap"))
    window = np.abs(run.time - 7.0) <= 0.1
    assert (tension[window] == 0.0).all()
    assert (gap[window] > 0.9e-5).all()
    assert tension[np.abs(run.time - 7.0) > 0.3 + 1e-9].min() > 0.1 - 1e-6
    others = np.stack([run["tension"].sel(wire=name).values for name in ("q1", "q2", "q4")])
    assert 0.3 - 1e-6 < others.min() < others.max() < 15.0
    box = run["position"].sel(body="box").values
    for x, side in ((2.5, 1.0), (4.5, -1.0), (6.5, 1.0)):
        beside = box[np.abs(box[:, 0] - x) < 0.01, 1]
        assert (side * beside).min() > 0.4 - 1e-3
    np.testing.assert_allclose(box[-1, :2], [9.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(run["velocity"].sel(body="box").values[-1, :2], 0.0, atol=1e-6)


def _clearance(run, half=1.5):
    """Least distance of 301 points of the beam from the posts, seen from above."""
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_quat(run["quaternion"].values[:, 0], scalar_first=True)
    along = turn.apply([0.0, 1.0, 0.0])[:, None, :2] * np.linspace(-half, half, 301)[:, None]
    points = run["position"].values[:, 0, None, :2] + along
    return min(np.linalg.norm(points - post, axis=-1).min() for post in ([4.0, 0.6], [4.0, -0.6]))
