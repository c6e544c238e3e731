"""Two robots pull a load apart: an impossible pull, which has to be refused."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "pulled-apart",
    topic="Limits: slack, jerks, refusal",
    duration=2.0,
    step=1e-3,
    summary="Two robots fly apart with one load between them: refused, by names, speed and time.",
    on_failure="record",
)
def pulled_apart(
    *, mass: float = 1.0, length: float = 1.0, apart: float = 1.6, speed: float = 0.4, aside: float = 0.1
) -> Scene:
    """A load hangs between two robots that fly apart, not quite on one line, until the wires are used up.

    Once the robots are two lengths apart no motion of the load satisfies both wires. Tensions grow without bound just
    before; the run has to end there, with the wires' names and the speed at which they are driven apart.

    Parameters
    ----------
    mass : mass of the load [kg]
    length : length of each wire [m]
    apart : distance of the robots at the start, less than two lengths [m]
    speed : speed of each robot [m/s]
    aside : of this, the part of the left robot that leads upwards [m/s]
    """
    from towsim.scene import scene_from_data

    half = 0.5 * apart
    away = math.sqrt(speed**2 - aside**2)
    return scene_from_data(
        {
            "name": "pulled-apart",
            "description": pulled_apart.summary,
            "bodies": {"load": {"mass": mass, "point": True, "position": [0.0, 0.0, -math.sqrt(length**2 - half**2)]}},
            "robots": {
                "left": {"motion": {"formula": {"x": f"-{half!r} - {away!r}*t", "z": f"{aside!r}*t"}}},
                "right": {"motion": {"formula": {"x": f"{half!r} + {speed!r}*t"}}},
            },
            "wires": {
                "left": {"from": "load", "to": "left", "length": length},
                "right": {"from": "load", "to": "right", "length": length},
            },
            "run": {"duration": 2.0, "step": 1e-3},
        }
    )


@pulled_apart.check
def _(result: Result) -> list[Check]:
    scene, h = _laws.declared(result), _laws.step_of(result)
    refused = result.events.select("infeasible")
    found = [Check.close("refusals", float(len(refused)), 1.0, 0.0)]
    if not len(refused):
        return found
    # By geometry: when the robots' distance exceeds the length of both wires, and how fast it grows then.
    time = np.arange(0.0, 10.0, 0.1 * h)
    (left, v_left, _), (right, v_right, _) = (scene.robots[name].sample(time) for name in ("left", "right"))
    distance = np.linalg.norm(right - left, axis=1)
    k = int(np.argmax(distance > result["length"].values[0].sum()))
    speed = float((v_right - v_left)[k] @ (right - left)[k] / distance[k])
    said = re.search(r"driven apart at ([-+.e\d]+) m/s", refused[0].note)
    named = {"left", "right"} == set(refused[0].subject.split(", "))
    return [
        *found,
        Check.close("both wires are named", float(named), 1.0, 0.0),
        Check.close("time of the refusal", refused[0].time, time[k], 2.0 * h, "s"),
        Check.close("speed told", float(said[1]) if said else math.nan, speed, 0.05 * speed, "m/s"),
        Check.close("rows that are not finite", float((~np.isfinite(result["position"].values)).sum()), 0.0, 0.0),
        # Refused, not stretched: what little a wire may give stays below a thousandth of its length.
        Check.below("worst stretch", -float(result["gap"].min()), 1e-3 * float(result["length"].values[0].min()), "m"),
    ]
