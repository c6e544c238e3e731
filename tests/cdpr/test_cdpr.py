"""Cable robots: kinematics by closed forms and differences, tensions and workspace by another solver's verdicts."""

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import towsim
from towsim import UsageError, cdpr
from towsim.cli import main
from towsim.pictures.cable_robot import plot_tensions, plot_workspace
from towsim.scene import save_scene

_spec = importlib.util.spec_from_file_location("robots_of_others", Path(__file__).with_name("robots.py"))
assert _spec is not None
assert _spec.loader is not None
robots = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = robots
_spec.loader.exec_module(robots)

COGIRO, IPANEMA, PLANAR = robots.COGIRO, robots.IPANEMA, robots.PLANAR
WITH_PULLEYS = cdpr.CableRobot(
    COGIRO.base, COGIRO.platform, mass=90.0, centre=COGIRO.centre, radius=0.15, least=1.0, most=9e3, stiffness=2e5
)


def test_a_cable_over_a_pulley_is_a_tangent_and_an_arc():
    """Level with the pulley's centre, 2 r beyond it: half a turn less the angle arccos(1/2); ℓ = √3 r."""
    r = 0.5
    robot = cdpr.CableRobot([[0, 0, 0]], [[0, 0, 0]], mass=1.0, radius=r)
    assert cdpr.lengths(robot, [3 * r, 0, 0]) == pytest.approx([np.sqrt(3) * r + r * (np.pi - np.pi / 3)], rel=1e-14)


@pytest.mark.parametrize("robot", [COGIRO, WITH_PULLEYS, PLANAR], ids=["points", "pulleys", "planar"])
def test_the_wrench_map_is_minus_the_gradient_of_the_lengths(robot):
    """−Wᵀ = ∂L/∂(x, θ): central differences, whose error is h²/6 of the third derivative, some 1e-9."""
    x, q = np.array([0.3, 0.1, 1.4]), np.array([1.0, 0.1, -0.05, 0.08])
    W, h = cdpr.wrench_map(robot, x, q), 1e-5
    for j in range(6):
        d = h * np.eye(6)[j]
        turn = np.concatenate([[1.0], 0.5 * d[3:]])
        ahead, behind = (
            cdpr.lengths(robot, x + s * d[:3], _product(np.array([1.0, *(s * turn[1:])]), q)) for s in (1, -1)
        )
        assert (ahead - behind) / (2 * h) == pytest.approx(-W[j], abs=1e-8)


@pytest.mark.parametrize("robot", [COGIRO, WITH_PULLEYS], ids=["points", "pulleys"])
def test_forward_kinematics_finds_the_pose_back(robot):
    position, quaternion = robots.some_poses(robot, 20, 1)
    for x, q in zip(position, quaternion, strict=True):
        pose = cdpr.forward(robot, cdpr.lengths(robot, x, q), x + 0.1, q + np.array([0.0, 0.03, -0.03, 0.02]))
        assert pose.residual < 1e-12
        assert pose.position == pytest.approx(x, abs=1e-10)


@pytest.mark.parametrize("robot", [COGIRO, IPANEMA, PLANAR], ids=["cogiro", "ipanema", "planar"])
def test_every_verdict_is_that_of_a_linear_program_and_is_proven(robot):
    position, quaternion = robots.some_poses(robot, 150, 2)
    if robot is PLANAR:
        position[:, 1], quaternion[:, [1, 3]] = 0.0, 0.0
    found = cdpr.workspace(robot, position, quaternion)
    assert not found.undecided.any()
    assert 0 < found.feasible.sum() < len(position)
    for k, (x, q) in enumerate(zip(position, quaternion, strict=True)):
        W, b = cdpr.wrench_map(robot, x, q), -cdpr.weight(robot, x, q)
        bounds = list(zip(robot.least, robot.most, strict=True))
        assert found.feasible[k] == (linprog(np.zeros(len(bounds)), A_eq=W, b_eq=b, bounds=bounds).status == 0)
        if found.feasible[k]:
            assert W @ found.tension[k] == pytest.approx(b, abs=1e-8 * robot.most.max())
            assert ((found.tension[k] >= robot.least) & (found.tension[k] <= robot.most)).all()
            assert found.why(k) == ""
        else:
            s = W.T @ found.farkas[k]
            most = np.maximum(s * robot.least, s * robot.most).sum()
            assert b @ found.farkas[k] > most
            at_limits = np.where(found.binding[k] > 0, robot.most, robot.least)
            none = 1e-9 * np.abs(s).max()  # what counts as no part of a cable in y
            assert s @ at_limits == pytest.approx(most, abs=none * robot.most.sum())
            assert "the cables give too little" in cdpr.tensions(robot, x, q, rule="least").why()
            assert any(name in found.why(k) for name in robot.names)


def test_least_tensions_are_the_pseudoinverse_where_no_limit_is_met():
    free = cdpr.CableRobot(COGIRO.base, COGIRO.platform, mass=COGIRO.mass, centre=COGIRO.centre)
    x = [0.2, -0.3, 2.0]
    t = cdpr.tensions(free, x, rule="least").tension
    assert (t > 0.0).all()
    assert t == pytest.approx(-np.linalg.pinv(cdpr.wrench_map(free, x)) @ cdpr.weight(free, x), rel=1e-9)


@pytest.mark.parametrize("most", [200.0, np.inf])
def test_forces_a_billion_times_larger_are_judged_alike(most):
    base, platform = [[-2, 0, 3], [2, 0, 3], [2, 0, 0], [-2, 0, 0]], [[-0.1, 0, 0.1], [0.1, 0, 0.1], [0.1, 0, -0.1]]
    platform.append([-0.1, 0, -0.1])
    one, all_ = (
        cdpr.CableRobot(base, platform, mass=2 * f, inertia=[f, f, f], least=5 * f, most=most * f) for f in (1.0, 1e9)
    )
    poses = [[0.0, 0, 1.5], [0.5, 0, 1.0]]
    assert cdpr.workspace(one, poses).feasible.all()
    assert cdpr.workspace(all_, poses).feasible.all()
    rule = "centre" if most < np.inf else "least"
    expected = cdpr.tensions(one, poses, rule=rule).tension
    np.testing.assert_allclose(cdpr.tensions(all_, poses, rule=rule).tension / 1e9, expected, rtol=1e-9)


def test_the_centre_is_where_the_gradient_of_the_barrier_is_a_wrench():
    t = cdpr.tensions(COGIRO, [0.5, 0.4, 1.5]).tension
    gradient = 1.0 / (COGIRO.most - t) - 1.0 / (t - COGIRO.least)
    W = cdpr.wrench_map(COGIRO, [0.5, 0.4, 1.5])
    left = gradient - W.T @ np.linalg.lstsq(W.T, gradient, rcond=None)[0]
    assert np.abs(left).max() < 1e-9 * np.abs(gradient).max()


@pytest.mark.parametrize("room", [0.0, 1e-9])
def test_where_one_cable_has_one_tension_the_centre_is_that_of_the_others(room):
    """Their gradient is a wrench of theirs. So it is where that cable has some room, in which rounding shows."""
    free = cdpr.tensions(COGIRO, [0.5, 0.4, 1.5]).tension
    held = 0.9 * free[0]
    least, most = COGIRO.least.copy(), COGIRO.most.copy()
    least[0], most[0] = held, held * (1.0 + room)
    t = cdpr.tensions(replace(COGIRO, least=least, most=most), [0.5, 0.4, 1.5]).tension
    assert t[0] == pytest.approx(held, rel=room + 1e-12)
    gradient = 1.0 / (most[1:] - t[1:]) - 1.0 / (t[1:] - least[1:])
    stretching = np.linalg.svd(cdpr.wrench_map(COGIRO, [0.5, 0.4, 1.5])[:, 1:])[2][6:]
    assert stretching @ gradient == pytest.approx([0.0], abs=1e-9 * np.abs(gradient).max())


@pytest.mark.parametrize("rule", ["centre", "least", "middle", "last"])
def test_tensions_are_continuous_along_a_path(rule):
    """Twice as many poses: half the largest change from one to the next."""
    jumps = []
    for n in (200, 400):
        s = np.linspace(0.0, 1.0, n)[:, None]
        t = cdpr.tensions(COGIRO, [-4.0, -2.5, 1.0] + s * [8.0, 5.0, 2.0], rule=rule)
        assert t.feasible.all()
        jumps.append(np.abs(np.diff(t.tension, axis=0)).max())
    assert jumps[0] / jumps[1] == pytest.approx(2.0, rel=0.1)


def test_what_withstands_the_corners_of_a_set_of_wrenches_withstands_the_set():
    rng = np.random.default_rng(3)
    position, quaternion = robots.some_poses(COGIRO, 60, 4)
    corners = cdpr.box_of_wrenches(force=[80, 80, 0], moment=15)
    assert len(corners) == 4 * 8
    held = cdpr.workspace(COGIRO, position, quaternion, wrenches=corners).feasible
    assert 0 < held.sum() < len(held)
    for k in np.flatnonzero(held)[:10]:
        inside = (2.0 * rng.random((20, 6)) - 1.0) * [80, 80, 0, 15, 15, 15]
        assert cdpr.workspace(COGIRO, position[k], quaternion[k], wrenches=inside).feasible.all()


def test_a_grid_may_pass_through_a_base_point():
    found = cdpr.workspace(PLANAR, [[-1.9, 0.0, 2.9], [0.0, 0.0, 1.5]])
    assert found.undecided.tolist() == [True, False]
    assert found.feasible.tolist() == [False, True]
    assert "no length" in found.why(0)


def test_an_acceleration_is_a_change_of_gravity():
    a = np.array([0.4, -0.3, 1.1])
    other = cdpr.CableRobot(
        COGIRO.base, COGIRO.platform, COGIRO.mass, COGIRO.centre, least=100.0, most=5000.0, gravity=COGIRO.gravity - a
    )
    x = [1.0, 0.5, 1.5]
    expected = cdpr.tensions(other, x).tension
    assert cdpr.tensions(COGIRO, x, acceleration=a).tension == pytest.approx(expected, rel=1e-9)


def test_several_wrenches_or_accelerations_at_one_pose_are_as_many_answers():
    place = [0.0, 0.0, 1.0]
    wrenches = np.zeros((3, 6))
    wrenches[:, 2] = [0.0, -5.0, 5.0]
    for many, ones in (
        (cdpr.tensions(COGIRO, place, rule="least", wrench=wrenches), [{"wrench": one} for one in wrenches]),
        (
            cdpr.tensions(COGIRO, place, rule="least", acceleration=np.eye(3)),
            [{"acceleration": one} for one in np.eye(3)],
        ),
    ):
        alone = [cdpr.tensions(COGIRO, place, rule="least", **one).tension for one in ones]
        np.testing.assert_allclose(many.tension, alone, rtol=1e-12)


def test_a_workspace_tells_which_wrench_with_which_acceleration_cannot_be_given():
    wrenches, accelerations = np.zeros((3, 6)), [[0, 0, 0], [0, 0, 0], [0, 0, -1e3], [0, 0, 0]]
    wrenches[1, 2] = -1.0
    found = cdpr.workspace(COGIRO, [[0, 0, 1.0]], wrenches=wrenches, acceleration=accelerations)
    assert (found.wrench.tolist(), found.acceleration.tolist()) == ([0], [2])
    wrenches[1, 2] = 1e7
    found = cdpr.workspace(COGIRO, [[0, 0, 1.0]], wrenches=wrenches, acceleration=accelerations)
    assert (found.wrench.tolist(), found.acceleration.tolist()) == ([1], [0])
    held = cdpr.workspace(COGIRO, [[0, 0, 1.0]])
    assert (held.wrench.tolist(), held.acceleration.tolist()) == ([-1], [-1])


def test_rays_end_where_the_cable_that_is_named_meets_its_limit():
    """A point on two cables, 2 T sin α = m g: both at the upper limit T where it ends."""
    robot = cdpr.CableRobot([[-1, 0, 0], [1, 0, 0]], np.zeros((2, 3)), mass=1.0, most=40.0, gravity=[0, 0, -10])
    distance, beyond = cdpr.reach(robot, [0, 0, -1], [[0, 0, 1]], most=2.0, precision=1e-9)
    sine = 10.0 / 80.0
    assert distance[0] == pytest.approx(1.0 - sine / np.sqrt(1.0 - sine**2), abs=2e-9)
    assert (beyond.binding == 1).all()
    assert "c1, c2 at the upper limit" in beyond.why(0)


def test_a_ray_ends_between_neighbouring_numbers_where_no_precision_is_too_fine():
    robot = cdpr.CableRobot([[0, 0, 0]], [[0, 0, 0]], 2.0, inertia=[0, 0, 0], most=100.0)
    coarse, _ = cdpr.reach(robot, [0, 0, -1], [[0, 0, 1]], most=2.0, precision=1e-9)
    fine, _ = cdpr.reach(robot, [0, 0, -1], [[0, 0, 1]], most=2.0, precision=1e-300)  # it went on for ever
    np.testing.assert_allclose(fine, coarse, atol=1e-9)


def test_where_rounding_leaves_a_pose_open_no_cable_is_said_to_have_no_length():
    """Just beyond the face, to 1e-12 m, where the surplus of a proof is less than what counts as one."""
    _, beyond = cdpr.reach(PLANAR, [0, 0, 1.5], [[1, 0, 0]], most=3.0, precision=1e-12)
    assert beyond.undecided.all()
    assert (cdpr.lengths(PLANAR, beyond.position) > 1.0).all()
    assert "neither tensions nor a proof" in beyond.why(0)
    assert "cable 'c1' has no length" in cdpr.workspace(PLANAR, [-1.9, 0.0, 2.9]).why(0)


def test_a_path_that_leaves_the_workspace_is_refused_with_the_cables_at_their_limits():
    t = np.linspace(0.0, 2.0, 21)
    path = np.stack([0 * t, 0 * t, 1.5 + 0.3 * t**2], axis=1)  # the nearer to the frame, the flatter
    with pytest.raises(UsageError, match=r"hold the platform at t = .* s: .*force 0, 0, 1;.*c1, c2 at the upper limit"):
        cdpr.to_scene(replace(PLANAR, mass=10.0), t, path)


@pytest.mark.parametrize("robot", [COGIRO, WITH_PULLEYS], ids=["points", "pulleys"])
def test_stiffness_is_the_change_of_wrench_of_elastic_cables(robot):
    """Central differences of the wrench at constant unstrained lengths; K is symmetric where forces balance."""
    x, q, h = np.array([0.4, -0.2, 1.6]), np.array([1.0, 0.05, 0.02, -0.04]), 1e-6
    t = cdpr.tensions(robot, x, q).tension
    K = cdpr.stiffness(robot, x, q, tension=t)
    unstrained = cdpr.lengths(robot, x, q) / (1.0 + t / robot.stiffness)

    def wrench(d):
        at = x + d[:3], _product(np.array([1.0, *(0.5 * d[3:])]), q)
        pull = robot.stiffness * (cdpr.lengths(robot, *at) / unstrained - 1.0)
        return cdpr.wrench_map(robot, *at) @ pull + cdpr.weight(robot, *at)

    numeric = np.stack([(wrench(-h * e) - wrench(h * e)) / (2 * h) for e in np.eye(6)], axis=1)
    assert pytest.approx(numeric, abs=1e-6 * np.abs(numeric).max()) == K
    assert pytest.approx(K.T, abs=1e-8 * np.abs(K).max()) == K


def test_distances_of_cables_are_those_of_segments():
    crossing = cdpr.CableRobot([[-1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, -1, 1]], mass=1.0)
    apart = cdpr.clearance(crossing, [0.0, 0.0, 0.0])
    assert apart.distance == pytest.approx([1.0])  # across each other, a metre apart in height
    aside = cdpr.CableRobot([[-1, 0, 0], [3, 4, 0]], [[0, 0, 0], [3, 9, 0]], mass=1.0)
    assert cdpr.clearance(aside, [0.0, 0.0, 0.0]).distance == pytest.approx([5.0])  # end to end
    box = cdpr.clearance(cdpr.CableRobot([[0, 0, 5]], [[0, 0, -0.5]], mass=1.0), [0, 0, 0], box=[1, 1, 1])
    assert box.inside == pytest.approx([1.0])  # from the bottom through the whole box


def test_a_scene_of_a_robot_is_the_robot():
    path = [[0.0, 0.0, 1.5], [0.2, 0.0, 1.6]]
    scene = cdpr.to_scene(PLANAR, [0.0, 1.0], path)
    again = cdpr.from_scene(scene, least=5.0, most=200.0)
    assert again.names == PLANAR.names
    for field in ("base", "platform", "mass", "stiffness", "inertia", "gravity"):
        assert np.asarray(getattr(again, field)) == pytest.approx(np.asarray(getattr(PLANAR, field)))


def test_a_scene_of_a_point_platform_is_that_platform():
    base = [[-5, -3, 3], [5, -3, 3], [5, 3, 3], [-5, 3, 3]]
    point = cdpr.CableRobot(
        base, np.full((4, 3), 0.1), centre=[0.1, 0.1, 0.1], mass=2.0, least=1.0, most=90.0, stiffness=1e5
    )
    scene = cdpr.to_scene(point, [0.0, 1.0], [[0.0, 0.0, 1.0], [0.2, 0.0, 1.1]])
    again = cdpr.from_scene(scene, least=1.0, most=90.0)
    assert scene.bodies["platform"].point
    assert again.inertia is None
    for field in ("base", "mass", "stiffness"):
        assert np.asarray(getattr(again, field)) == pytest.approx(np.asarray(getattr(point, field)))
    path = again, [0.0, 1.0], [[0.1, 0.1, 1.1], [0.3, 0.1, 1.2]]  # its origin is the centre now
    for name, wire in cdpr.to_scene(*path).wires.items():
        assert wire.length_at(np.ones(1))[0] == pytest.approx(scene.wires[name].length_at(np.ones(1))[0])
    with pytest.raises(UsageError, match="a platform of some extent needs its inertia"):
        cdpr.to_scene(replace(PLANAR, inertia=None), [0.0, 1.0], [[0.0, 0.0, 1.5], [0.2, 0.0, 1.6]])
    with pytest.raises(UsageError, match=r"damping must be >= 0 N s, got -1\.0"):
        cdpr.to_scene(PLANAR, [0.0, 1.0], [[0.0, 0.0, 1.5], [0.2, 0.0, 1.6]], damping=-1.0)


def test_the_command_line_judges_a_slice_of_a_scene_file(tmp_path, capsys):
    scene = cdpr.to_scene(PLANAR, [0.0, 1.0], [[0.0, 0.0, 1.5], [0.2, 0.0, 1.6]])
    save_scene(scene, tmp_path / "robot.yaml")
    words = ["workspace", str(tmp_path / "robot.yaml"), "--least", "5", "--points", "21", "--json"]
    assert main([*words, "--most", "200", "-o", str(tmp_path / "space.png")]) == 0
    told = json.loads(capsys.readouterr().out)
    space = cdpr.workspace(PLANAR, cdpr.grid(np.linspace(-2, 2, 21), 0.0, np.linspace(0, 3, 21)))
    held = int(space.feasible.sum())
    assert told == {"flat": "y", "at": 0.0, "poses": 441, "held": held, "why_not_here": ""}
    assert 0 < told["held"] < 441
    assert (tmp_path / "space.png").stat().st_size > 10_000
    assert main([*words, "--most", "4"]) == 2
    assert main([*words, "--most", "200", "--flat", "x"]) == 2
    assert "no extent along y" in capsys.readouterr().err
    assert main([*words, "--most", "200", "--points", "1"]) == 2
    assert "two --points along each axis, or more" in capsys.readouterr().err
    assert main([*words, "--most", "200", "--points", "10000000"]) == 1  # 728 TiB, more than addresses reach
    assert "there is not enough memory: Unable to allocate" in capsys.readouterr().err


def test_no_cable_of_a_planar_robot_gives_anything_across_its_plane(tmp_path, capsys):
    across = cdpr.workspace(PLANAR, [0.0, 0.0, 1.5], wrenches=cdpr.box_of_wrenches(force=[0, 20, 0]))
    assert across.why(0) == "along the wrench direction (force 0, 1, 0; moment 0, 0, 0) no cable gives anything"
    assert not across.binding.any()
    save_scene(cdpr.to_scene(PLANAR, [0.0, 1.0], [[0.0, 0.0, 1.5], [0.2, 0.0, 1.6]]), tmp_path / "robot.yaml")
    words = ["workspace", str(tmp_path / "robot.yaml"), "--most", "200", "--points", "5", "--withstand"]
    assert main([*words, "20"]) == 0
    assert f"not held where it is declared, 0, 0, 1.5 m: {across.why(0)}" in capsys.readouterr().out
    assert main([*words, "20,0,20"]) == 0
    told = capsys.readouterr()
    assert "not held" not in told.out
    assert "against the first of 4 loads" in told.out
    assert "--withstand 20,0,20 --points 5 -o workspace.png" in told.err


def test_a_place_is_drawn_as_held_where_all_its_orientations_are():
    x, z = [-1.0, 0.0, 1.0], [1.0, 2.0]
    turns = [[1, 0, np.tan(0.05 * k), 0] for k in (-1, 0, 1)]
    places = cdpr.grid(x, 0.0, z)
    spaces = [cdpr.workspace(PLANAR, places, turn) for turn in turns]
    assert len({tuple(one.feasible) for one in spaces}) > 1
    largest = np.max([one.tension.max(axis=1) for one in spaces], axis=0)  # NaN where one is not held
    for order in ([0, 1, 2], [2, 1, 0]):
        space = cdpr.workspace(PLANAR, np.tile(places, (3, 1)), np.repeat([turns[k] for k in order], 6, axis=0))
        ax = plot_workspace(space).axes[0]
        drawn = ax.collections[0].get_array().filled(np.nan)
        np.testing.assert_array_equal(drawn, largest.reshape(3, 2).T)
        assert f"{np.isfinite(largest).sum()} of 6 places held with all of 3 orientations" in ax.get_title()
    nothing = plot_workspace(cdpr.workspace(PLANAR, cdpr.grid(x, 0.0, [4.0, 5.0])))
    assert len(nothing.axes) == 1  # no scale of tensions that are not there


@pytest.mark.slow
def test_a_planar_robot_flies_a_circle_with_the_tensions_that_were_planned():
    """From geometry to motion: a circle of 0.8 m in 4 s, within 0.1 mm and 1 N: the spline between the 81 poses."""
    t, path = robots_circle()
    scene = cdpr.to_scene(PLANAR, t, path, damping=50.0)
    result = towsim.simulate(scene, method="shake")
    rows = np.rint(t / scene.run.step).astype(int)
    assert np.abs(result["position"].sel(body="platform").values[rows] - path).max() < 1e-4
    tension = result["tension"].values
    assert 5.0 < tension.min() < tension.max() < 200.0
    planned = cdpr.tensions(PLANAR, path, acceleration=_acceleration(t, path)).tension
    assert np.abs(tension[rows[1:-1]] - planned[1:-1]).max() < 1.0


def test_robots_that_carry_a_load_pull_as_was_planned():
    """Three robots on cables of 1 m: their pulls balance weight and acceleration, and lean as asked."""
    holds = 0.3 * np.array([[1.0, 0.0, 0.0], [-0.5, 0.9, 0.0], [-0.5, -0.9, 0.0]])
    load = cdpr.CableRobot(np.ones((3, 3)) + holds, holds, mass=3.0, least=1.0, most=60.0)
    t = np.linspace(0.0, 2.0, 21)
    path = np.stack([0.3 * np.sin(t), 0.0 * t, 0.1 * t], axis=1)
    at = cdpr.carriers(load, t, path, length=1.0, spread=holds + RISE)
    lines = at - (path[:, None] + holds)
    assert np.linalg.norm(lines, axis=-1) == pytest.approx(np.ones((21, 3)))
    for k, a in enumerate(_acceleration(t, path)):
        u = lines[k].T
        W = np.concatenate([u, np.cross(holds, lines[k]).T])
        b = np.concatenate([3.0 * (a - load.gravity), np.zeros(3)])
        force = np.linalg.lstsq(W, b, rcond=None)[0]
        assert (force > 1.0).all()
        assert np.abs(W @ force - b).max() < 1e-9
    with pytest.raises(UsageError, match="'c1' would bear"):
        cdpr.carriers(cdpr.CableRobot(load.base, holds, 3.0, most=5.0), t, path, length=1.0, spread=holds + RISE)
    for length in (-1.0, [0.0, 1.0, 1.0], [1.0, np.nan, 1.0]):
        with pytest.raises(UsageError, match="lengths must be finite and > 0, got"):
            cdpr.carriers(load, t, path, length=length, spread=holds + RISE)
    with pytest.raises(UsageError, match="lengths must be 3 numbers"):
        cdpr.carriers(load, t, path, length=[1.0, 1.0], spread=holds + RISE)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"platform": [[0, 0, 0]]},
            r"platform must have shape \(4, 3\), got \(1, 3\): base has 4 points, one for each",
        ),
        ({"least": [5.0, 5.0, -1.0, 5.0]}, "least of cable 'c3' must be not negative"),
        ({"most": 4.0}, "most of cable 'c1' must be no less than its least tension, got 4"),
        ({"mass": np.nan}, "mass must be finite"),
        ({"base": [[0, 0, np.inf]] * 4}, "base must be finite"),
        ({"names": ("a", "a", "b", "c")}, "names must be 4 different ones"),
        ({"stiffness": 0.0}, "stiffness of cable 'c1' must be positive"),
        ({"gravity": -9.81}, r"gravity must have shape \(3,\), got \(\)"),
        ({"inertia": [1, -1, 1]}, "inertia must be symmetric, and about no axis negative"),
        ({"inertia": [[1e-9, 5e-9, 0], [0, 1e-9, 0], [0, 0, 1e-9]]}, "inertia must be symmetric"),
        ({"inertia": "light"}, "inertia must be numbers, got 'light'"),
        ({"names": "abcd"}, "names must be a list"),
        ({"names": [1, 2, 3, 4]}, "names must be texts"),
    ],
)
def test_a_robot_that_makes_no_sense_is_refused_with_the_cables_name(change, words):
    given = {"base": PLANAR.base, "platform": PLANAR.platform, "mass": 2.0, "least": 5.0, "most": 200.0}
    with pytest.raises(UsageError, match=words):
        cdpr.CableRobot(**{**given, **change})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: cdpr.tensions(COGIRO, np.zeros((2, 3)), wrench=np.zeros((3, 6))),
            r"\(3, 6\).* each of the poses \(2,\)",
        ),
        (lambda: cdpr.box_of_wrenches(force=[1, 2]), r"force of a box must be one number or three.* \[1, 2\]"),
        (lambda: cdpr.tensions(COGIRO, [[0, 0, 1.0]] * 2).why(), r"poses are \(2,\): give the index of one, got \(\)"),
        (lambda: cdpr.tensions(COGIRO, [[0, 0, 1.0]] * 2).why(7), "index of one, got 7"),
        (lambda: cdpr.tensions(COGIRO, [0, 0, 1.0]).why(1), "there is one pose: leave the index out, got 1"),
        (lambda: cdpr.workspace(COGIRO, [[0, 0, 1.0]]).why(7), "index of one, got 7"),
        (lambda: cdpr.workspace(COGIRO, [0, 0, 1.0], wrenches=np.zeros((0, 6))), r"wrenches must be one or more rows"),
        (lambda: cdpr.workspace(COGIRO, [0, 0, 1.0], wrenches=np.zeros((2, 3, 6))), r"got shape \(2, 3, 6\)"),
        (
            lambda: cdpr.workspace(COGIRO, [0, 0, 1.0], acceleration=np.zeros((0, 3))),
            "accelerations must be one or more",
        ),
        (lambda: cdpr.grid("a", 0, 0), "an axis of a grid must be numbers, got 'a'"),
        (lambda: cdpr.grid(0, [[0, 1]], 0), "a row of them"),
        (lambda: plot_workspace(cdpr.workspace(COGIRO, np.zeros((0, 3)))), "without poses"),
        (lambda: plot_tensions(cdpr.tensions(COGIRO, 3 * [[0, 0, 1.0]]), [0, 1], names=COGIRO.names), r"times \(2,\)"),
        (lambda: plot_tensions(cdpr.tensions(COGIRO, [0, 0, 1.0]), [0], names=("a",)), "1 names do not go with"),
        (lambda: cdpr.reach(COGIRO, [0, 0, 1.0], [[1, 0, 0]], most=-1), "most must be > 0 m, got -1"),
        (lambda: cdpr.reach(COGIRO, [0, 0, 1.0], [[1, 0, 0]], most=1, precision=0), "precision must be > 0 m, got 0"),
        (lambda: cdpr.reach(COGIRO, [0, 0, 1.0], [[0, 0, 0]], most=1), "none of them zero"),
        (lambda: plot_workspace(cdpr.tensions(COGIRO, [0, 0, 1.0])), "a Workspace is needed"),
        (lambda: plot_tensions(COGIRO, [0], names=COGIRO.names), "Tensions are needed"),
        (lambda: cdpr.clearance(COGIRO, [0, 0, 1.0], box=[1, 0, 1]), r"box must be three edges > 0 m, got \[1, 0, 1\]"),
        (lambda: cdpr.clearance(COGIRO, [0, 0, 1.0], box=[1, 1, 1], middle="x"), "middle must be numbers"),
        (lambda: cdpr.forward(COGIRO, np.ones(8), [[0, 0, 1.0]] * 2), r"starts at one pose, got \(2,\)"),
        (lambda: cdpr.carriers(COGIRO, [0, 1, 2], [[0, 0, 1.0]] * 2, length=1, spread=0), r"as many poses; got \(3,\)"),
        (lambda: cdpr.carriers(COGIRO, [1, 0], [[0, 0, 1.0]] * 2, length=1, spread=0), "times of a path must rise"),
        (lambda: cdpr.reach(COGIRO, [[0, 0, 1.0]], [[1, 0, 0]], most=1), r"three numbers; got shape \(1, 3\)"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(call, words):
    with pytest.raises(UsageError, match=words):
        call()


def test_what_cannot_be_done_says_so():
    with pytest.raises(UsageError, match="did you mean 'centre'"):
        cdpr.tensions(PLANAR, [0, 0, 1.5], rule="center")
    with pytest.raises(UsageError, match="'c1' has no length"):
        cdpr.lengths(PLANAR, [-1.9, 0.0, 2.9])
    with pytest.raises(UsageError, match=r"positions must be finite; got \[0\.0, nan, 2\.9\]"):
        cdpr.lengths(PLANAR, [0.0, np.nan, 2.9])
    for wrong in (np.nan, np.inf, 1e200):  # of the last, the square is infinite
        with pytest.raises(UsageError, match="quaternions must be finite, and none of them zero; got"):
            cdpr.lengths(PLANAR, [0.0, 0.0, 1.5], [1.0, wrong, 0.0, 0.0])
    with pytest.raises(UsageError, match="positions must be numbers, got 'x'"):
        cdpr.lengths(PLANAR, "x")
    with pytest.raises(UsageError, match=r"cannot hold the platform at t = 1 s"):
        cdpr.to_scene(PLANAR, [0.0, 1.0], [[0, 0, 1.5], [0, 0, 4.0]])
    with pytest.raises(UsageError, match="have no stiffness"):
        cdpr.stiffness(IPANEMA, [0, 0, 1], tension=np.ones(8))
    stiff = replace(PLANAR, stiffness=2e4)
    none = cdpr.tensions(stiff, [[0, 0, 1.5], [0, 0, 3.2]]).tension
    with pytest.raises(
        UsageError, match=r"that of cable 'c1' at pose \[1\] is nan, as where no tensions hold the pose"
    ):
        cdpr.stiffness(stiff, [[0, 0, 1.5], [0, 0, 3.2]], tension=none)
    for wrong in ("-2", "inf"):
        with pytest.raises(UsageError, match=f"tensions must be finite and >= 0, that of cable 'c3' is {wrong}$"):
            cdpr.stiffness(stiff, [0, 0, 1.5], tension=[1, 1, float(wrong), 1])
    with pytest.raises(
        UsageError, match=r"tensions \(2, 4\) must be a row for each of the poses \(3,\), or one for all"
    ):
        cdpr.stiffness(stiff, [[0, 0, 1.5]] * 3, tension=np.ones((2, 4)))


RISE = np.array([0.0, 0.0, 0.6])


def robots_circle():
    t = np.linspace(0.0, 4.0, 81)
    s = t / 4.0
    angle = 2.0 * np.pi * s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
    return t, np.stack([0.8 * np.sin(angle), 0.0 * t, 1.5 - 0.8 * np.cos(angle)], axis=1)


def _acceleration(t, x):
    from scipy.interpolate import CubicSpline

    return CubicSpline(t, x, bc_type="clamped")(t, 2)


def _product(p, q):
    p0, p1, q0, q1 = p[0], p[1:], q[0], q[1:]
    return np.array([p0 * q0 - p1 @ q1, *(p0 * q1 + q0 * p1 + np.cross(p1, q1))])
