"""A robot that turns carries its points as a rigid body does: p(t) + R(t) r, with exact velocity and acceleration."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import towsim
from towsim.errors import SceneError, UsageError
from towsim.scene import Motion, Robot, Scene, load_scene, save_scene, scene_from_data
from towsim.scene.expand import expand
from towsim.scene.orientation import Orientation, stumpff

ARM = (1.0, -2.0, 0.5)
T = np.linspace(0.05, 2.95, 40)  # between the kinks of the waypoints below
ROWS = [[0.1, 0.0, 0.3], [0.4, -0.2, 2.0], [0.0, 0.5, 4.5]]
TIMES = [0.0, 1.001, 3.0]
TURNS = {
    "angles": {"angles": {"roll": "0.3*sin(t)", "pitch": 0.2, "yaw": "0.5*t - 0.1*t**2"}},
    "rotation vector": {"rotation_vector": {"x": "0.3*sin(t)", "y": "1e-4*t", "z": "2*t"}},
    "quintic angles": {"waypoints": {"t": TIMES, "roll_pitch_yaw": ROWS}},
    "cubic vectors": {"waypoints": {"t": TIMES, "rotation_vector": ROWS, "kind": "cubic"}},
    "samples of quaternions": {
        "waypoints": {"t": TIMES, "quaternion": [[1, 0, 0, 0], [-1, -1, 0.5, 0], [0, 0, 1, 1]], "kind": "samples"}
    },
    "standing": {"quaternion": [1, 2, 3, 4]},
}


@pytest.mark.parametrize("name", TURNS)
def test_velocity_and_acceleration_of_a_carried_point_are_the_derivatives_of_its_place(name):
    turn, h = Orientation(**TURNS[name]), 1e-3

    def slope(k: int) -> np.ndarray:  # central differences of order 4: h⁴/30 of the fifth derivative, below 1e-9 here
        at = [turn.turned(ARM, T + j * h)[k] for j in (-2, -1, 1, 2)]
        return (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * h)

    place, velocity, acceleration = turn.turned(ARM, T)
    np.testing.assert_allclose(slope(0), velocity, atol=1e-8)
    np.testing.assert_allclose(slope(1), acceleration, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(place, axis=1), np.linalg.norm(ARM), rtol=1e-14)
    for block in (slice(0, 1), slice(7, 12)):
        for whole, part in zip((place, velocity, acceleration), turn.turned(ARM, T[block]), strict=True):
            assert np.array_equal(whole[block], part)


def test_roll_pitch_yaw_and_rotation_vectors_mean_what_they_mean_elsewhere():
    rolled, _, _ = Orientation(**TURNS["angles"]).turned(ARM, T)
    angles = np.stack([0.3 * np.sin(T), np.full(len(T), 0.2), 0.5 * T - 0.1 * T**2], axis=1)
    np.testing.assert_allclose(rolled, Rotation.from_euler("xyz", angles).apply(ARM), atol=1e-14)
    vector = np.stack([0.3 * np.sin(T), 1e-4 * T, 2 * T], axis=1)
    turned, _, _ = Orientation(**TURNS["rotation vector"]).turned(ARM, T)
    np.testing.assert_allclose(turned, Rotation.from_rotvec(vector).apply(ARM), atol=1e-14)
    reached, _, _ = Orientation(**TURNS["samples of quaternions"]).turned(ARM, np.array(TIMES))
    quaternions = np.array([[0, 0, 0, 1], [-1, 0.5, 0, -1], [0, 1, 1, 0]])  # SciPy's have w last
    np.testing.assert_allclose(reached, Rotation.from_quat(quaternions).apply(ARM), atol=1e-14)


def test_stumpffs_functions_are_smooth_where_the_series_ends():
    below, above = (np.array(stumpff(np.array([s]), 6)) for s in (4.0, np.nextafter(4.0, 5.0)))
    np.testing.assert_allclose(below, above, rtol=1e-13)  # 1/n! − c_n loses a digit or two there


def slung(robots: dict, end: str) -> Scene:
    return scene_from_data(
        {
            "schema": 1,
            "bodies": {"load": {"mass": 3.0, "point": True, "position": [5.0, 0.0, 1.0]}},
            "robots": robots,
            "wires": {"hoist": {"from": "load", "to": end, "length": 4.0}},
            "run": {"duration": 0.5, "step": 0.01},
        }
    )


def test_the_tip_of_a_slewing_crane_swings_its_load_as_a_robot_on_a_circle_does():
    crane = {
        "position": [0.0, 0.0, 0.0],
        "orientation": {"angles": {"yaw": "0.4*t"}},
        "points": {"tip": [5.0, 0.0, 5.0]},
    }
    circle = {"motion": {"circle": {"center": [0.0, 0.0, 5.0], "radius": 5.0, "rate": 0.4}}}
    slewed = towsim.simulate(slung({"crane": crane}, "crane.tip"))
    towed = towsim.simulate(slung({"tip": circle}, "tip"))
    assert slewed.coords["robot"] == ("crane", "crane.tip")
    np.testing.assert_allclose(slewed["position"], towed["position"], atol=1e-13)
    np.testing.assert_allclose(slewed["tension"], towed["tension"], rtol=1e-10)


def test_points_of_a_frame_that_stands_are_posts():
    robot = Robot(
        position=(1.0, 2.0, 3.0),
        orientation=Orientation(quaternion=(1.0, 0.0, 0.0, 1.0)),  # a quarter turn about z
        points={"hook": (1.0, 0.0, 0.0)},
    )
    np.testing.assert_allclose(robot.carried()["hook"].position, (1.0, 3.0, 3.0), atol=1e-15)


def test_a_ships_file_holds_motion_and_orientation(tmp_path):
    t = np.linspace(0.0, 4.0, 41)
    table = np.stack([0.1 * np.sin(t), t, 0.5 * t, 0 * t, 1 + 0 * t, 0.2 * np.sin(t)], axis=1)
    (tmp_path / "ship.csv").write_text(
        "yaw,t,x,y,z,roll\n" + "\n".join(",".join(map(repr, map(float, row))) for row in table)
    )
    with pytest.raises(SceneError, match="a header line with t, roll, pitch, yaw or t, rx"):
        scene_from_data(slung_by_file(), folder=tmp_path)
    text = (tmp_path / "ship.csv").read_text().replace("roll", "roll,pitch", 1)
    rows = text.splitlines()
    (tmp_path / "ship.csv").write_text("\n".join([rows[0], *(row + ",0.0" for row in rows[1:])]))
    scene = scene_from_data(slung_by_file(), folder=tmp_path)
    place, _, _ = expand(scene).robots["ship.tip"].sample(np.array([2.0]))
    turn = Rotation.from_euler("xyz", [0.2 * np.sin(2.0), 0.0, 0.1 * np.sin(2.0)])
    np.testing.assert_allclose(place[0], np.array([1.0, 0.0, 1.0]) + turn.apply([5.0, 0.0, 4.0]), atol=1e-12)
    save_scene(scene, tmp_path / "saved.yaml")
    assert load_scene(tmp_path / "saved.yaml") == scene


def slung_by_file() -> dict:
    ship = {"motion": {"csv": "ship.csv"}, "orientation": {"csv": "ship.csv"}, "points": {"tip": [5.0, 0.0, 4.0]}}
    return {
        "schema": 1,
        "bodies": {"load": {"mass": 3.0, "point": True, "position": [5.0, 0.0, 1.0]}},
        "robots": {"ship": ship},
        "wires": {"hoist": {"from": "load", "to": "ship.tip", "length": 4.0}},
    }


def test_what_cannot_be_is_refused_by_name():
    tip = {"tip": [5.0, 0.0, 5.0]}
    turning = {"position": [0, 0, 0], "orientation": {"angles": {"yaw": "t"}}, "points": tip}
    with pytest.raises(SceneError, match=r"point of robot 'crane' 'top'.*did you mean 'tip'"):
        slung({"crane": turning}, "crane.top")
    with pytest.raises(SceneError, match="orientation: turns nothing"):
        slung({"crane": turning | {"points": {}}}, "crane")
    with pytest.raises(SceneError, match="is for kinematic robots, and this one is a quadcopter"):
        slung({"crane": {"position": [0, 0, 0], "dynamics": "quadcopter", "points": tip}}, "crane")
    with pytest.raises(SceneError, match="exactly one of quaternion, angles, rotation_vector, waypoints"):
        Orientation()
    with pytest.raises(SceneError, match=r"quaternion\[1\]: must not be zero"):
        Orientation(waypoints={"t": [0, 1], "quaternion": [[1, 0, 0, 0], [0, 0, 0, 0]]})
    data = towsim.scene.data.to_data(slung({"crane": turning}, "crane.tip"))
    data["bodies"]["load"] = {"mass": 1.0, "inertia": [1, 1, 1], "position": [5.0, 0.0, 5.0]}
    with pytest.raises(SceneError, match="robot 'crane' turns, and a fixed joint holds"):
        scene_from_data(data | {"wires": {}, "joints": {"weld": {"kind": "fixed", "from": "load", "to": "crane.tip"}}})


def test_what_carries_points_is_not_steered():
    moving = {"motion": Motion(formula={"x": "t"}), "points": {"tip": (5.0, 0.0, 5.0)}}
    by_hand = towsim.Simulation(slung({"ship": moving}, "ship.tip"))
    for name in ("ship", "ship.tip"):
        with pytest.raises(UsageError, match="'ship' carries points and moves as declared"):
            by_hand.steer(name, velocity=(1.0, 0.0, 0.0))
