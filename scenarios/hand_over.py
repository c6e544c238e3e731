"""A payload is handed from one robot to another: a second wire takes it over, and the first one lets go."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "hand-over",
    topic="Lifting with several robots",
    duration=9.0,
    step=1e-3,
    summary="One robot hands its payload to another, which carries it away.",
)
def hand_over(
    *,
    mass: float = 3.0,
    length: float = 1.0,
    aside: float = 0.4,
    carry: float = 2.0,
    drag: float = 0.5,
) -> Scene:
    """The payload hangs from the giver; the taker hooks on with a slack wire, rises until it bears the whole weight,
    the giver's slack wire is let go, and the taker carries the payload away.

    Parameters
    ----------
    mass : mass of the payload [kg]
    length : length of both wires [m]
    aside : distance of the robots [m]; less than the length
    carry : how far the taker carries the payload [m]
    drag : linear drag coefficient of the payload [N s/m]
    """
    from towsim.scene import scene_from_data

    # Below the taker, the payload is on the giver's wire at its limit when the taker is at √(L² − a²) below L.
    high = length - math.sqrt(length**2 - aside**2)
    low, top = -0.3 * length, high + 0.2 * length
    taker = [[aside, 0.0, low], [aside, 0.0, low], [aside, 0.0, top], [aside, 0.0, top], [aside + carry, 0.0, top]]
    return scene_from_data(
        {
            "name": "hand-over",
            "description": hand_over.summary,
            "bodies": {
                "payload": {"mass": mass, "point": True, "position": [0.0, 0.0, -length], "drag": {"linear": drag}}
            },
            "robots": {
                "giver": {"position": [0.0, 0.0, 0.0]},
                "taker": {"motion": {"waypoints": {"t": [0.0, 0.5, 4.0, 5.0, 8.0], "position": taker}}},
            },
            "wires": {
                "given": {"from": "payload", "to": "giver", "length": length, "detach": 4.5},
                "taken": {"from": "payload", "to": "taker", "length": length, "attach": 0.25},
            },
            "run": {"duration": 9.0, "step": 1e-3},
        }
    )


@hand_over.check
def _(result: Result) -> list[Check]:
    scene, time = _laws.declared(result), result.time
    payload, wires = scene.bodies["payload"], scene.wires
    weight = payload.mass * -scene.gravity[2]
    given, taken = (result["tension"].sel(wire=name).values for name in ("given", "taken"))
    detach, attach = wires["given"].detach, wires["taken"].attach
    assert detach is not None  # the scenario gives both
    assert attach is not None
    first, h = _laws.first_row(result), _laws.step_of(result)
    words = [event.note.split()[-1] for event in result.events.select("user")]
    due = [word for word, at in (("attached", attach), ("detached", detach)) if at < time[-1] - h]
    length = float(wires["taken"].length_at(np.zeros(1))[0][0])
    hangs = result["position"].values[:, 0] - result["robot_position"].sel(robot="taker").values
    late = time > detach
    return [
        _laws.solved(result),
        Check.close("attached, then detached", float(words[: len(due)] == due), 1.0, 0.0),
        Check.close("the giver bears the weight first", given[first + 1], weight, 1e-6 * weight, "N"),
        Check.below(
            "the taker's wire before it hooks on",
            np.abs(taken[first:][time[first:] <= attach]).max(initial=0.0),
            0.0,
            "N",
        ),
        Check.below(
            "the giver's wire as it lets go", np.abs(given[np.abs(time - detach) < 5.5 * h]).max(initial=0.0), 0.0, "N"
        ),
        Check.below(
            "payload off the taker's wire",
            np.abs(np.linalg.norm(hangs[late], axis=1) - length).max(initial=0.0),
            30.0 * _laws.spacing(result) ** 2,
            "m",
        ),
        _laws.momentum(result, ["payload"], 4.0 * weight),
        _laws.energy(result, 4.0 * weight),
    ]
