"""Two robots tow a sled over ice by a bridle; the tensions follow from drag and acceleration alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "two-robots-sled",
    topic="Towing",
    duration=5.0,
    step=1e-3,
    summary="Two robots side by side tow a sled against linear drag.",
)
def two_robots_sled(
    *,
    mass: float = 20.0,
    drag: float = 40.0,
    length: float = 2.0,
    angle: float = 25.0,
    speed: float = 1.0,
    ramp: float = 2.0,
) -> Scene:
    """A point mass in the plane, without gravity, on two wires; the robots gather speed smoothly and keep it.

    The sled cannot but follow, so each wire bears (m a + c v) / (2 cos angle) at every instant.

    Parameters
    ----------
    mass : mass of the sled [kg]
    drag : linear drag coefficient [N s/m]
    length : length of the wires [m]
    angle : of each wire from the direction of travel [deg]
    speed : final speed of the robots [m/s]
    ramp : time in which they reach it [s]
    """
    from towsim.scene import scene_from_data

    ahead, aside = length * math.cos(math.radians(angle)), length * math.sin(math.radians(angle))
    s = f"(t/{ramp!r})"
    path = f"{ahead!r} + {speed!r}*({ramp!r}*({s}**3 - 0.5*{s}**4) if t < {ramp!r} else t - 0.5*{ramp!r})"
    return scene_from_data(
        {
            "name": "two-robots-sled",
            "description": two_robots_sled.summary,
            "gravity": [0.0, 0.0, 0.0],
            "bodies": {"sled": {"mass": mass, "point": True, "drag": {"linear": drag}}},
            "robots": {
                "left": {"motion": {"formula": {"x": path, "y": aside}}},
                "right": {"motion": {"formula": {"x": path, "y": -aside}}},
            },
            "wires": {
                "left": {"from": "sled", "to": "left", "length": length},
                "right": {"from": "sled", "to": "right", "length": length},
            },
            "run": {"duration": 5.0, "step": 1e-3},
        }
    )


@two_robots_sled.check
def _(result: Result) -> list[Check]:
    scene = _laws.declared(result)
    sled, start = scene.bodies["sled"], result["robot_position"].values[0, 0]
    cosine = start[0] / np.hypot(start[0], start[1])
    _, velocity, acceleration = scene.robots["left"].sample(result.time)
    force = (sled.mass * acceleration[:, 0] + sled.drag.linear * velocity[:, 0]) / (2.0 * cosine)
    tension = result["tension"].values[1:-1]
    # A step's tension is that of an instant up to two steps earlier; SHAKE's, at kinks of the force, one beside it.
    late = 2.0 * np.abs(np.diff(force)).max() + 1e-9 * force.max()
    position = result["position"].values[:, 0]
    return [
        _laws.solved(result),
        _laws.stretch(result),
        Check.below("tension against (m a + c v) / 2 cos", np.abs(tension - force[1:-1, None]).max(), late, "N"),
        Check.below("sled off its line", np.abs(position[:, 1:]).max(), 1e-9, "m"),
        Check.close("distance behind the robots", start[0] - position[0, 0], start[0], 1e-9, "m"),
    ]
