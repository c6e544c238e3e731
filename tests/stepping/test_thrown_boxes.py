"""Boxes thrown on rough ground: corners of an edge or face stick that cannot all stick, as their gaps differ."""

import numpy as np
import pytest

import towsim
from towsim.scene import scene_from_data

SIDES = np.array([0.4, 0.3, 0.2])  # m


def thrown(seed, corners, step):
    """A box at 0.5 m, its first corners contacts, with a turn, a velocity and a spin of chance."""
    rng = np.random.default_rng(seed)
    turn = rng.normal(size=4)
    points = {f"c{i}": 0.5 * SIDES * [(-1) ** i, (-1) ** (i // 2), (-1) ** (i // 4)] for i in range(corners)}
    return scene_from_data(
        {
            "bodies": {
                "box": {
                    "mass": 2.0,
                    "shape": {"box": SIDES.tolist()},
                    "position": [0.0, 0.0, 0.5],
                    "quaternion": (turn / np.linalg.norm(turn)).tolist(),
                    "velocity": rng.uniform(-2.0, 2.0, 3).tolist(),
                    "angular_velocity": rng.uniform(-5.0, 5.0, 3).tolist(),
                    "points": {name: point.tolist() for name, point in points.items()},
                }
            },
            "ground": {"friction": float(rng.uniform(0.5, 0.8)), "contacts": [f"box.{name}" for name in points]},
            "run": {"duration": 1.2, "step": step},
        }
    )


def rotated(quaternion, points):
    """Points (k, 3) turned by unit quaternions (n, 4) w, x, y, z: (n, k, 3)."""
    w, u = quaternion[:, None, :1], quaternion[:, None, 1:]
    return points + 2.0 * np.cross(u, np.cross(u, points) + w * points)


# Of 40 throws each, those that were refused with residuals of 1e-9 to 1e-7.
REFUSED = [(seed, 8, 1e-3) for seed in (8, 22, 25, 33, 37)] + [(seed, 4, 2e-3) for seed in (19, 27, 37)]


@pytest.mark.parametrize(("seed", "corners", "step"), REFUSED)
def test_a_thrown_box_obeys_coulombs_law_and_gains_no_energy(seed, corners, step):
    scene = thrown(seed, corners, step)
    run = towsim.simulate(scene)
    assert (run["status"].values == 0).all()
    assert np.nanmax(run["residual"].values) <= 1e-9
    energy = run["energy"].values
    assert np.diff(energy).max() <= 1e-12 * energy[0]
    assert energy[-1] < energy[0] - 5.0

    # The law from what was recorded: impulses of a step, and the rates that they leave, where the box was as it began.
    points = np.array(list(scene.bodies["box"].points.values()))
    R = rotated(run["quaternion"].values[:, 0], np.eye(3)).transpose(0, 2, 1)
    inertia = 2.0 / 12.0 * np.diag((SIDES**2).sum() - SIDES**2)
    world = R @ inertia @ R.transpose(0, 2, 1)
    momentum = np.einsum("kij,kj->ki", world[1:], run["angular_velocity"].values[1:, 0])
    spin = np.linalg.solve(world[:-1], momentum[:, :, None])[:, None, :, 0]
    arms = points @ R[:-1].transpose(0, 2, 1)
    gap = arms[:, :, 2] + run["position"].values[:-1, 0, None, 2]
    rate = run["velocity"].values[1:, 0, None] + np.cross(spin, arms)
    p = step * np.nan_to_num(run["contact_force"].values[1:]) + run["contact_impulse"].values[1:]
    normal, friction, slip = p[:, :, 2], p[:, :, :2], rate[:, :, :2]
    bears = normal > 0.0
    assert bears.sum() > 100
    bound = scene.ground.friction * normal
    closing = rate[:, :, 2] + gap / step
    assert closing.min() >= -1e-9
    assert np.abs(closing[bears]).max() <= 1e-9
    assert (np.linalg.norm(friction, axis=2) - bound).max() <= 1e-12
    assert np.abs((friction * slip).sum(axis=2) + bound * np.linalg.norm(slip, axis=2)).max() <= 1e-9
