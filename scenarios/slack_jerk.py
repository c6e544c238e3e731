"""A slack wire tightens with a jerk: the plastic impulse and its loss of energy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "slack-jerk",
    topic="Limits: slack, jerks, refusal",
    duration=1.0,
    step=1e-3,
    summary="A robot jerks a resting load into motion with a slack wire.",
)
def slack_jerk(*, mass: float = 4.0, speed: float = 1.5, slack: float = 0.5, length: float = 1.0) -> Scene:
    """A robot flies off at constant speed v; when the slack is used up, the load is at its speed at once.

    The wire is plastic: the impulse is m v (in two steps, 4 + 2 N s). Of the robot's work m v² half is lost (Carnot),
    and the kinetic energy of the load *rises* by the other half.

    Parameters
    ----------
    mass : mass of the load [kg]
    speed : speed of the robot [m/s]
    slack : how far it gets before the wire is taut; at most twice the length [m]
    length : length of the wire [m]
    """
    from towsim.scene import scene_from_data

    return scene_from_data(
        {
            "name": "slack-jerk",
            "description": slack_jerk.summary,
            "gravity": [0.0, 0.0, 0.0],
            "bodies": {"load": {"mass": mass, "point": True}},
            "robots": {"robot": {"motion": {"formula": {"x": f"{length - slack!r} + {speed!r}*t"}}}},
            "wires": {"wire": {"from": "load", "to": "robot", "length": length}},
            "run": {"duration": 1.0, "step": 1e-3},
        }
    )


@slack_jerk.check
def _(result: Result) -> list[Check]:
    scene, h = _laws.declared(result), _laws.step_of(result)
    mass, length = scene.bodies["load"].mass, result["length"].values[0, 0]
    start, velocity, _ = scene.robots["robot"].sample(np.zeros(1))
    speed, taut_at = velocity[0, 0], (length - start[0, 0]) / velocity[0, 0]
    jerks = result.events.select("jerk", "wire")
    found = [_laws.solved(result), Check.close("number of jerks", float(len(jerks)), 1.0, 0.0)]
    if not len(jerks):
        return found
    jerk = jerks[0]
    return [
        *found,
        Check.close("time of the jerk", jerk.time, taut_at, 2.0 * h, "s"),
        Check.below("duration of the jerk: two steps", jerk.duration, 2.0 * h, "s"),
        # Exact but for rounding: all happens on one line.
        Check.close("impulse m v", jerk.impulse, mass * speed, 1e-9 * mass * speed, "N s"),
        Check.close("energy lost, m v²/2", jerk.energy_lost, 0.5 * mass * speed**2, 1e-9 * mass * speed**2, "J"),
        Check.close("speed at the end", result["velocity"].values[-1, 0, 0], speed, 1e-9 * speed, "m/s"),
        _laws.stretch(result),
    ]
