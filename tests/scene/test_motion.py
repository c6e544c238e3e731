"""Robots go where they are told, and their velocity and acceleration are the exact derivatives of that."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from towsim.errors import SceneError
from towsim.scene import (
    Axes,
    Circle,
    Length,
    LengthPoints,
    Motion,
    Profile,
    Robot,
    Sampled,
    Waypoints,
    Wire,
    load_scene,
    save_scene,
    scene_from_data,
)
from towsim.scene.piecewise import through

T = (0.5, 1.0, 2.5, 3.0)
P = ((0.0, 0.0, 1.0), (1.0, -0.5, 1.5), (1.2, 2.0, 1.5), (0.0, 2.0, 1.0))
DENSE = np.linspace(0.0, 4.0, 4001)


def waypoints(**options) -> Robot:
    return Robot(motion=Motion(waypoints=Waypoints(t=T, position=P, **options)))


MOTIONS = {
    "quintic": waypoints(),
    "quintic with velocity": waypoints(velocity=((0, 0, 0), (1, 1, 0), (0, -1, 0.5), (0, 0, 0))),
    "cubic": waypoints(kind="cubic"),
    "samples": Robot(motion=Motion(samples=Sampled(t=T, position=P))),
    "circle": Robot(
        motion=Motion(circle=Circle(center=(1, 2, 3), radius=0.5, period=2.0, phase=0.3, normal=(1, 1, 1)))
    ),
    "formula": Robot(motion=Motion(formula=Axes(x="sin(t)", y=2.0, z="t**2"))),
    "velocity profile": Robot(motion=Motion(profile=Profile(start=(1, 2, 3), t=T, velocity=P))),
    "acceleration profile": Robot(
        motion=Motion(profile=Profile(start=(1, 2, 3), t=T, acceleration=P, start_velocity=(0, 1, 0)))
    ),
    "post": Robot(position=(1.0, 2.0, 3.0)),
}


@pytest.mark.parametrize("name", MOTIONS)
def test_velocity_and_acceleration_are_the_derivatives_of_position(name):
    # Integrating the acceleration and the velocity by Simpson's rule gives back velocity and position.
    # Between knots all are smooth; h⁴ f⁗ of these motions leaves 1e-9.
    knots = np.array([0.0, *T, 4.0])
    for a, b in pairwise(knots):
        t = np.linspace(a + 1e-9, b - 1e-9, 2001)
        x, v, acceleration = MOTIONS[name].sample(t)
        h = (t[-1] - t[0]) / 2000
        for low, high in ((x, v), (v, acceleration)):
            integral = h / 3 * (high[0] + high[-1] + 4 * high[1:-1:2].sum(axis=0) + 2 * high[2:-1:2].sum(axis=0))
            np.testing.assert_allclose(low[-1] - low[0], integral, atol=1e-9)


@pytest.mark.parametrize("name", MOTIONS)
def test_samples_are_contiguous_and_do_not_depend_on_the_block(name):
    whole = MOTIONS[name].sample(DENSE)
    for part in (slice(0, 1), slice(7, 7), slice(400, 1200), slice(3990, 4001)):
        for all_of_it, block in zip(whole, MOTIONS[name].sample(DENSE[part]), strict=True):
            assert block.dtype == np.float64
            assert block.flags.c_contiguous
            assert block.shape == (len(DENSE[part]), 3)
            # The last bits of a matrix product may depend on its number of rows.
            np.testing.assert_allclose(block, all_of_it[part], rtol=1e-14, atol=1e-13)
    order = np.random.default_rng(1).permutation(len(DENSE))
    for ascending, shuffled in zip(whole, MOTIONS[name].sample(DENSE[order]), strict=True):
        np.testing.assert_allclose(shuffled, ascending[order], rtol=1e-14, atol=1e-13)


@pytest.mark.parametrize("name", ["quintic", "quintic with velocity", "cubic", "samples"])
def test_waypoints_are_met_and_the_robot_holds_still_outside(name):
    robot = MOTIONS[name]
    np.testing.assert_allclose(robot.sample(np.array(T))[0], P, atol=1e-15)
    x, v, acceleration = robot.sample(np.array([-1.0, 0.0, 0.49, 3.0, 1e6]))
    np.testing.assert_array_equal(x, [P[0]] * 3 + [P[-1]] * 2)
    assert not v.any()
    assert not acceleration.any()


def test_a_profile_has_the_velocities_it_was_told_and_goes_on_with_the_last():
    robot = MOTIONS["velocity profile"]
    x, v, _ = robot.sample(np.array([*T, 5.0]))
    np.testing.assert_allclose(v, [*P, P[-1]], atol=1e-14)
    np.testing.assert_allclose(x[0], [1, 2, 3], atol=1e-15)
    mean = 0.5 * (np.array(P[1:]) + np.array(P[:-1])) * np.diff(T)[:, None]
    np.testing.assert_allclose(x[3:], x[0] + mean.sum(axis=0) + [[0] * 3, 2.0 * np.array(P[-1])], atol=1e-14)
    np.testing.assert_allclose(MOTIONS["acceleration profile"].sample(np.array(T))[2][:-1], P[:-1], atol=1e-14)
    np.testing.assert_allclose(robot.motion.kinks(2.6), [0.5, 1.0, 2.5])
    with pytest.raises(SceneError, match="exactly one of velocity"):
        Profile(start=(0, 0, 0), t=T)
    with pytest.raises(SceneError, match="start_velocity: is for acceleration"):
        Profile(start=(0, 0, 0), t=T, velocity=P, start_velocity=(1, 0, 0))


def test_a_quintic_rests_at_every_waypoint_or_passes_as_told():
    _, v, acceleration = waypoints().sample(np.array(T))
    np.testing.assert_allclose(v, 0, atol=1e-13)
    np.testing.assert_allclose(acceleration, 0, atol=1e-12)
    _, v, acceleration = MOTIONS["quintic with velocity"].sample(np.array(T[:3]))
    np.testing.assert_allclose(v, [(0, 0, 0), (1, 1, 0), (0, -1, 0.5)], atol=1e-13)
    np.testing.assert_allclose(acceleration, 0, atol=1e-12)


def test_the_rest_to_rest_quintic_is_the_minimum_jerk_curve():
    robot = Robot(motion=Motion(waypoints=Waypoints(t=(0, 2), position=((0, 0, 0), (3, 0, 0)))))
    t = np.linspace(0, 2, 11)
    s = t / 2
    np.testing.assert_allclose(robot.sample(t)[0][:, 0], 3 * (10 * s**3 - 15 * s**4 + 6 * s**5), atol=1e-15)
    assert robot.sample(np.array([1.0]))[1][0, 0] == pytest.approx(3 * 1.875 / 2, rel=1e-15)


def test_a_cubic_has_continuous_acceleration_and_starts_at_rest():
    before, after = (waypoints(kind="cubic").sample(np.array(T[1:3]) + d) for d in (-1e-9, 1e-9))
    for low, high in zip(before, after, strict=True):
        np.testing.assert_allclose(low, high, atol=1e-6)  # 2e-9 s times the largest jerk
    np.testing.assert_allclose(waypoints(kind="cubic").sample(np.array([T[0]]))[1], 0, atol=1e-14)


def test_a_sampled_motion_converges_with_the_fourth_order():
    errors = []
    for n in (21, 41):
        t = np.linspace(0, 3, n)
        position = [(float(np.sin(2 * x)), 0.0, 1.0) for x in t]
        robot = Robot(motion=Motion(samples=Sampled(t=tuple(t), position=tuple(position))))
        dense = np.linspace(0, 2.999, 500)
        errors.append(np.abs(robot.sample(dense)[0][:, 0] - np.sin(2 * dense)).max())
    assert 12 < errors[0] / errors[1] < 30  # 2⁴ and a bit: the ends are the worst part
    assert errors[1] < 1e-4


def test_a_circle_turns_about_its_normal():
    circle = MOTIONS["circle"].motion.circle
    x, v, acceleration = circle.sample(np.linspace(0, 5, 50))
    normal, arm = np.ones(3) / np.sqrt(3), x - [1, 2, 3]
    np.testing.assert_allclose(np.linalg.norm(arm, axis=1), 0.5, rtol=1e-14)
    np.testing.assert_allclose(arm @ normal, 0, atol=1e-14)
    np.testing.assert_allclose(v, np.pi * np.cross(normal, arm), atol=1e-14)
    np.testing.assert_allclose(acceleration, -(np.pi**2) * arm, atol=1e-13)
    plain = Circle(center=(0, 0, 0), radius=2.0, rate=-0.5)
    np.testing.assert_allclose(plain.sample(np.array([0.0, np.pi]))[0], [[2, 0, 0], [0, -2, 0]], atol=1e-15)


@pytest.mark.parametrize(
    ("rows", "name"),
    [("t,x,y,z\n0,0,0,1\n1,1,0,1\n2,1,1,1\n", "plain"), ("z, y, x, t\n1,0,0,0\n\n# note\n1,0,1,1\n1,1,1,2\n", "mixed")],
)
def test_a_csv_motion_is_read_and_saved_with_its_samples(tmp_path, rows, name):
    (tmp_path / "path.csv").write_text(rows)
    (tmp_path / "a.yaml").write_text("bodies: {bob: {mass: 1, point: true}}\nrobots: {r: {motion: {csv: path.csv}}}\n")
    scene = load_scene(tmp_path / "a.yaml")
    assert scene.robots["r"].motion.samples.position[1] == (1.0, 0.0, 1.0)
    (tmp_path / "elsewhere").mkdir()
    save_scene(scene, tmp_path / "elsewhere" / "b.yaml")
    assert load_scene(tmp_path / "elsewhere" / "b.yaml") == scene


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0,0,0,1\n1,1,0\n", "path.csv:2: needs four columns"),
        ("0,0,0,1\n1,one,0,0\n", "path.csv:2: needs four finite numbers t, x, y, z, got"),
        ("0,0,0,1\n1,nan,0,0\n", "path.csv:2: needs four finite numbers"),
        ("0,0,0,1\n0,1,0,0\n", "path.csv:2: times must increase"),
        (
            "time,x,y,z\n0,0,0,1\n",
            "path.csv:1: needs a header line with t, x, y, z, or none, got .'time', 'x', 'y', 'z'",
        ),
        ("t;x;y;z\n0;0;0;1\n", "path.csv:1: needs columns separated by commas"),
        ("t,x,y,z,x\n0,0,0,1,7\n1,0,0,1,8\n", "path.csv:1: column x is there twice; leave one out"),
        ('0,0,0,1\n1,"0,5",0,1\n', "path.csv:2: needs columns .* and numbers with a decimal point, got"),
        ("t,x,y,z\n", "path.csv: at least 2 rows of numbers are needed, got 0"),
        ("", "path.csv: at least 2 rows"),
        (None, "no such file"),
        (b"\xff\xfe\x00", "cannot read"),
    ],
)
def test_a_bad_csv_is_refused_with_its_line(tmp_path, content, message):
    if content is not None:
        (tmp_path / "path.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    data = {"bodies": {"bob": {"mass": 1, "point": True}}, "robots": {"r": {"motion": {"csv": "path.csv"}}}}
    with pytest.raises(SceneError, match=message):
        scene_from_data(data, folder=tmp_path)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Waypoints(t=(0,), position=((0, 0, 0),)), "at least 2"),
        (lambda: Waypoints(t=(0, 1), position=((0, 0, 0),)), "of one length, got 2 and 1"),
        (lambda: Waypoints(t=(0, 2, 1), position=((0, 0, 0),) * 3), r"t\[2\]: times must increase"),
        (lambda: Waypoints(t=(0, 1), position=((0, 0, 0), (0, 0))), r"position: must be a list|position\[1\]"),
        (lambda: waypoints(kind="cubic", velocity=P), "only kind: quintic"),
        (lambda: waypoints(kind="linear"), "'quintic' or 'cubic', got 'linear'"),
        (lambda: Motion(), "exactly one of waypoints, circle, formula, samples"),
        (lambda: Robot(), "exactly one of position, motion"),
        (lambda: Robot(position=(0, 0, 0), motion=MOTIONS["circle"].motion), "got position and motion"),
        (lambda: Circle(center=(0, 0, 0), radius=1.0), "exactly one of period, rate"),
        (lambda: Circle(center=(0, 0, 0), radius=1.0, rate=1.0, normal=(0, 0, 0)), "normal: must not be zero"),
        (lambda: Circle(center=(0, 0, 0), radius=0.0, rate=1.0), "radius: must be > 0 m"),
    ],
)
def test_bad_motions_are_refused(build, message):
    with pytest.raises(SceneError, match=message):
        build()


def test_winch_programmes():
    t = np.array([0.0, 1.0, 3.0])
    cases = {
        1.5: ([1.5] * 3, [0] * 3),
        Length(start=2.0, rate=-0.5): ([2, 1.5, 0.5], [-0.5] * 3),
        Length(start=2.0): ([2] * 3, [0] * 3),
        Length(formula="2 + 0.1*sin(t)"): (2 + 0.1 * np.sin(t), 0.1 * np.cos(t)),
        Length(waypoints=LengthPoints(t=(0, 2), length=(1.0, 2.0))): ([1, 1.5, 2], [0, 1.875 / 2, 0]),
        Length(waypoints=LengthPoints(t=(0, 2), length=(1.0, 2.0), kind="cubic")): ([1, 1.5, 2], [0, 0.75, 0]),
    }
    for programme, (length, rate) in cases.items():
        got = Wire(from_="a", to="b", length=programme).length_at(t)
        np.testing.assert_allclose(got[0], length, rtol=1e-14)
        np.testing.assert_allclose(got[1], rate, rtol=1e-14, atol=1e-14)
        assert all(array.flags.c_contiguous for array in got)


@pytest.mark.parametrize("kind", ["quintic", "cubic"])
def test_an_instant_alone_gives_the_bits_that_it_gives_among_others(kind):
    """A run that goes on, or is stepped by hand, samples other lists of instants than one that never stopped."""
    curve = through((0.0, 1.3, 4.0), ((6.0, 0.1), (3.0, -0.7), (5.5, 0.3)), kind)
    t = np.linspace(-0.1, 4.2, 1301)
    whole = curve.sample(t)
    for k in range(0, len(t), 13):
        for among, alone in zip(whole, curve.sample(t[k : k + 1]), strict=True):
            assert among[k].tobytes() == alone[0].tobytes()
