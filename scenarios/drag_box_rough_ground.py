"""Two robots tow a box over rough ground: it sticks, slips, turns, and stays where they leave it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene

SIZE = (0.4, 0.3, 0.2)
FEET = {"front": [0.2, 0.0, -0.1], "left": [-0.2, 0.15, -0.1], "right": [-0.2, -0.15, -0.1]}
EYES = {"eye-left": [0.2, 0.15, 0.0], "eye-right": [0.2, -0.15, 0.0]}


@scenario(
    "drag-box-rough-ground",
    topic="Towing",
    duration=6.0,
    step=1e-3,
    summary="Two robots tow a box over rough ground: stick, slip, turn, stop.",
    solvers=("auto", "cone-newton", "cone-sweeps", "lemke"),
)
def drag_box_rough_ground(
    *,
    mass: float = 5.0,
    friction: float = 0.4,
    length: float = 0.8,
    slack: float = 0.02,
    ahead: float = 0.8,
    turn: float = 50.0,
) -> Scene:
    """A box on three feet, a wire from each front edge to a robot at the same height.

    The robots take up the slack (the box sticks), tow straight (it slips), then the left one leads on along an arc
    around the right one (it turns) and stops (it sticks). Three feet bear loads that statics determines; on four, the
    loads and with them the motion would not be unique.

    Parameters
    ----------
    mass : mass of the box [kg]
    friction : coefficient of friction [-]
    length : length of the wires [m]
    slack : of the wires at the start [m]
    ahead : way of both robots straight on [m]
    turn : angle of the left robot's arc [deg]
    """
    from towsim.scene import scene_from_data

    x = 0.2 + length - slack
    z = 0.5 * SIZE[2]
    right = [[x, -0.15, z], [x, -0.15, z], [x + ahead, -0.15, z]]
    left = [[px, -py, pz] for px, py, pz in right]
    radius = 0.3 + 0.5 * length
    last = [
        [x + ahead + radius * math.sin(a), -0.15 + 0.3 * math.cos(a) + (radius - 0.3) * (math.cos(a) - 1.0), z]
        for a in (math.radians(0.5 * turn), math.radians(turn))
    ]
    return scene_from_data(
        {
            "name": "drag-box-rough-ground",
            "description": drag_box_rough_ground.summary,
            "bodies": {
                "box": {"mass": mass, "shape": {"box": list(SIZE)}, "position": [0.0, 0.0, z], "points": FEET | EYES}
            },
            "robots": {
                "left": {"motion": {"waypoints": {"t": [0.0, 0.5, 2.5, 3.5, 4.5], "position": left + last}}},
                "right": {"motion": {"waypoints": {"t": [0.0, 0.5, 2.5], "position": right}}},
            },
            "wires": {
                "left": {"from": "box.eye-left", "to": "left", "length": length},
                "right": {"from": "box.eye-right", "to": "right", "length": length},
            },
            "ground": {"friction": friction, "contacts": [f"box.{foot}" for foot in FEET]},
            "run": {"duration": 6.0, "step": 1e-3},
        }
    )


@drag_box_rough_ground.check
def _(result: Result) -> list[Check]:
    scene, events = _laws.declared(result), result.events
    mass, mu = scene.bodies["box"].mass, scene.planes[0].friction
    weight = mass * -scene.gravity[2]
    force = result["contact_force"].values[1:]
    normal, tangential = force[:, :, 2], np.linalg.norm(force[:, :, :2], axis=2)
    speed = np.linalg.norm(result["velocity"].values[:, 0], axis=1)
    taut = np.flatnonzero(np.nan_to_num(result["tension"].values).max(axis=1) > 0.0)
    way = np.linalg.norm(result["position"].values[:, 0, :2] - result["position"].values[0, 0, :2], axis=1)
    yaw = 2.0 * np.arctan2(result["quaternion"].values[-1, 0, 3], result["quaternion"].values[-1, 0, 0])
    h = _laws.spacing(result)
    slip = np.array(
        [_laws.foot_velocity(result, scene, "box", np.array(scene.bodies["box"].points[foot])) for foot in FEET]
    ).transpose(1, 0, 2)[1:]
    fast = np.linalg.norm(slip, axis=2) > 0.05  # directions there are known to h × acceleration / speed
    against = np.einsum("tck,tck->tc", force, slip) + mu * normal * np.linalg.norm(slip, axis=2)
    return [
        _laws.solved(result),
        _laws.stretch(result),
        Check.below("way before a wire is taut", float(way[: taut[0]].max()), 1e-9, "m"),
        Check.above("events of slip", float(len(events.select("slip"))), 1.0),
        Check.above("events of stick", float(len(events.select("stick"))), 1.0),
        Check.above("way of the box", float(way[-1]), 0.3, "m"),
        Check.above("turned by", abs(math.degrees(yaw)), 10.0, "deg"),
        Check.below("friction beyond the cone", float((tangential - mu * normal).max()), 1e-6 * weight, "N"),
        Check.below("friction not against the slip", float(np.abs(against[fast]).max()), 40.0 * h * weight, "W"),
        _laws.momentum(result, ["box"], weight),
        Check.below("speed at the end", float(speed[-1]), 1e-9, "m/s"),
        Check.close("weight on the feet at the end", float(normal[-1].sum()), weight, 0.2 * weight, "N"),
        Check.below("into the ground", -float(result["contact_gap"].values.min()), 10.0 * h * h, "m"),
    ]
