"""The scene file of the design loads unchanged, and saving is exact."""

from __future__ import annotations

import numpy as np
import pytest

from towsim.scene import Scene, load_scene, save_scene, scene_from_text, scene_to_text

LIFT = """\
schema: 1
name: lift
gravity: [0, 0, -9.81]
bodies:
  box:  {mass: 2.0, shape: {box: [0.4, 0.3, 0.2]}, position: [0, 0, 0.0], points: {left: [-0.2, 0, 0.1], right: [0.2, 0, 0.1]}, drag: {linear: 0.1, quadratic: 0.0}}
  bob:  {mass: 0.3, point: true, position: [0, 0, -0.6]}
  gyro: {mass: 1.0, inertia: [0.02, 0.05, 0.06], position: [3, 0, 0], quaternion: [1, 0, 0, 0], angular_velocity: [3, 4, 5], force: {z: "9.81*1.0"}}
robots:
  east: {motion: {waypoints: {t: [0, 2], position: [[0.2, 0, 1.1], [1.2, 0, 1.6]], kind: quintic}}}
  west: {motion: {formula: {x: "-0.2 + 0.5*(1 - cos(t))", y: "0", z: "1.1"}}}
  post: {position: [0, 0, -0.1]}
wires:
  e: {from: box.right, to: east, length: 1.01}
  w: {from: box.left,  to: west, length: {start: 1.01, rate: -0.02}}
  b: {from: bob, to: box, length: 0.7}
run: {duration: 2.0, step: 1e-3, method: stewart-trinkle, solver: auto}
"""  # noqa: E501


@pytest.fixture
def lift() -> Scene:
    return scene_from_text(LIFT)


def test_the_file_of_the_design_declares_what_it_says(lift):
    assert lift.run.step == 1e-3
    assert lift.run.method == "stewart-trinkle"
    box = lift.bodies["box"]
    np.testing.assert_allclose(np.diag(box.inertia_matrix()), 2 / 12 * np.array([0.13, 0.2, 0.25]), rtol=1e-15)
    assert lift.attachment("box.right") == ("box", False, (0.2, 0.0, 0.1))
    assert lift.attachment("post") == ("post", True, (0.0, 0.0, 0.0))
    length, rate = lift.wires["w"].length_at(np.array([0.0, 2.0]))
    np.testing.assert_allclose(length, [1.01, 0.97], rtol=1e-15)
    assert list(rate) == [-0.02, -0.02]
    np.testing.assert_allclose(lift.bodies["gyro"].force.at(np.array([0.0, 1.0])), [[0, 0, 9.81]] * 2)
    lift.check_start()


def test_a_saved_scene_loads_equal(lift, tmp_path):
    save_scene(lift, tmp_path / "lift.yaml")
    assert load_scene(tmp_path / "lift.yaml") == lift
    assert scene_to_text(load_scene(tmp_path / "lift.yaml")) == scene_to_text(lift)
