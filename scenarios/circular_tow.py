"""A robot circles with a load on a long wire: the load settles on a circle of its own, lagging behind."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


def steady_radius(robot_radius: float, length: float, mass: float, gravity: float, drag: float, rate: float) -> float:
    """Radius of the load's circle [m]: the smallest that fits, which is the stable one of a slow tow.

    The wire's force on the load is −m ω² r along its radius, c ω r along its path and m g upwards; the wire leads
    along that force to the robot, whose distance from the axis is given. Bisection: the distance grows with r.
    """

    def distance(r: float) -> float:
        radial, along = -mass * rate**2 * r, drag * rate * r
        total = math.sqrt(radial**2 + along**2 + (mass * gravity) ** 2)
        return math.hypot(r + length * radial / total, length * along / total)

    low, high = 0.0, robot_radius + length
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if distance(middle) < robot_radius else (low, middle)
    return high


@scenario(
    "circular-tow",
    topic="Towing",
    duration=10.0,
    step=1e-3,
    summary="A robot circles; the load on its wire circles steadily too.",
)
def circular_tow(
    *,
    mass: float = 5.0,
    drag: float = 3.0,
    length: float = 6.0,
    radius: float = 4.0,
    period: float = 8.0,
) -> Scene:
    """A load in steady circular tow, as behind an aeroplane that circles, with linear drag.

    Parameters
    ----------
    mass : mass of the load [kg]
    drag : linear drag coefficient of the load [N s/m]
    length : length of the wire [m]
    radius : radius of the robot's circle [m]
    period : time of one turn [s]
    """
    from towsim.scene import scene_from_data

    g, rate = 9.81, 2.0 * math.pi / period
    r = steady_radius(radius, length, mass, g, drag, rate)
    radial, along = -mass * rate**2 * r, drag * rate * r
    total = math.sqrt(radial**2 + along**2 + (mass * g) ** 2)
    # The load starts on the x axis, the robot where the wire's force points.
    x, y = r + length * radial / total, length * along / total
    return scene_from_data(
        {
            "name": "circular-tow",
            "description": circular_tow.summary,
            "bodies": {
                "load": {
                    "mass": mass,
                    "point": True,
                    "position": [r, 0.0, -length * mass * g / total],
                    "velocity": [0.0, rate * r, 0.0],
                    "drag": {"linear": drag},
                }
            },
            "robots": {
                "robot": {
                    "motion": {
                        "circle": {
                            "center": [0.0, 0.0, 0.0],
                            "radius": radius,
                            "period": period,
                            "phase": math.atan2(y, x),
                        }
                    }
                }
            },
            "wires": {"wire": {"from": "load", "to": "robot", "length": length}},
            "run": {"duration": 10.0, "step": 1e-3},
        }
    )


@circular_tow.check
def _(result: Result) -> list[Check]:
    scene = _laws.declared(result)
    load, circle = scene.bodies["load"], scene.robots["robot"].motion.circle  # type: ignore[union-attr]
    assert circle is not None
    mass, g, c = load.mass, -scene.gravity[2], load.drag.linear
    assert isinstance(c, float)  # the same along all axes
    rate = 2.0 * math.pi / circle.period  # type: ignore[operator]
    length = float(result["length"].values[0, 0])
    r = steady_radius(circle.radius, length, mass, g, c, rate)
    force = math.sqrt((mass * rate**2 * r) ** 2 + (c * rate * r) ** 2 + (mass * g) ** 2)
    position = result["position"].values[:, 0]
    # A first-order step learns of the path's curvature from the gap that the steps before it have left.
    tension = result["tension"].values[4:-1, 0]
    radius = np.hypot(position[:, 0], position[:, 1])
    return [
        _laws.solved(result),
        _laws.stretch(result),
        Check.below(
            "radius against the steady one", np.abs(radius - r).max(), _laws.error_limit(result, rate * r), "m"
        ),
        Check.below(
            "tension against the steady one",
            np.abs(tension - force).max(),
            _laws.error_limit(result, rate * force),
            "N",
        ),
        _laws.energy(result, rate * force * r),
    ]
