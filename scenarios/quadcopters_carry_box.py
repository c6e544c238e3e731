"""Four quadcopters carry a box along waypoints; one of them fails, and the others keep it in the air."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scenarios import Check, _laws, scenario
from scenarios._fleet import astray, rms, rope

if TYPE_CHECKING:
    from towsim import Result, Scene

RELEASE = 0.1
"""A vehicle that has failed lets go of its wire after this time [s]."""

RECOVERY, SWAY = 6.0, 26.0
"""Time after which the box must be at rest on three wires [s]; one that is lighter than a vehicle sways longer."""

CORNERS = ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))
SLOPE = 0.3


@scenario(
    "quadcopters-carry-box",
    topic="Flying vehicles",
    duration=20.0,
    step=1e-3,
    summary="Four quadcopters carry a box along waypoints; one fails and the others keep it.",
)
def quadcopters_carry_box(
    *, mass: float = 1.6, length: float = 1.0, failure: float = 11.0, model: str = "rigid"
) -> Scene:
    """The law ``carry``: least-norm tensions for the wrench of the load, wires held in direction, attitudes below.

    The first quadcopter loses all thrust and lets go of its wire (which only a rigid wire can: with others nothing
    fails). Three wires that pull upwards hold a load only if its centre is below their triangle: the box tilts until
    the middle of the three lugs left stands above its centre, by atan(0.141/0.35) = 22°.

    Parameters
    ----------
    mass : mass of the box; one of less than 1 kg sways longer after the failure, give it 40 s; one of 0.7 kg sways too
        far, and one of 0.5 kg is lost [kg]
    length : length of the wires [m]
    failure : time at which the first quadcopter fails; 0: never; at 8.8 s, as the box is about to stop, the opposite
        wire goes slack as well, and the box sways by 0.6 m from then on [s]
    model : of the wires: rigid, elastic, mrfe
    """
    from towsim.scene import scene_from_data

    fails = failure > 0.0 and model == "rigid"
    points, robots, wires = {}, {}, {}
    up = length / np.hypot(1.0, SLOPE)
    for i, (x, y) in enumerate(CORNERS, start=1):
        lug = np.array([0.3 * x, 0.3 * y, 0.35])
        place = lug + up * np.array([SLOPE * x / np.sqrt(2.0), SLOPE * y / np.sqrt(2.0), 1.0]) + [0, 0, 1]
        name = f"quadcopter{i}"
        vehicle: dict[str, Any] = {"mass": 1.0, "max_thrust": 8.0, "drag": {"linear": 0.1}}
        wire = rope(model, **{"from": f"box.lug{i}", "to": name, "length": length})
        if fails and i == 1:
            vehicle["failures"] = [{"time": failure}]
            wire["cut"] = failure + RELEASE
        points[f"lug{i}"] = lug.tolist()
        robots[name] = {"position": place.tolist(), "dynamics": "quadcopter", "vehicle": vehicle}
        wires[f"wire{i}"] = wire
    stops = [[0, 0, 1], [2, 0, 2], [2, 2, 2], [0, 2, 1.5]]
    law = {
        "law": "carry",
        "vehicles": list(robots),
        "load": "box",
        "path": {"waypoints": {"t": [0, 3, 6, 9], "position": stops}},
        "spread": SLOPE,
    }
    return scene_from_data(
        {
            "name": "quadcopters-carry-box",
            "description": quadcopters_carry_box.summary,
            "bodies": {
                "box": {"mass": mass, "shape": {"box": [0.6, 0.6, 0.3]}, "position": [0, 0, 1], "points": points}
            },
            "robots": robots,
            "wires": wires,
            "controllers": {"fleet": law},
            "sensors": {f"cell{i}": {"kind": "load-cell", "of": f"wire{i}"} for i in (1, 2, 3, 4)},
            "ground": {"contacts": list(robots)},
            "run": {"duration": 20.0, "step": 1e-3},
        }
    )


@quadcopters_carry_box.check
def _(result: Result) -> list[Check]:
    scene, time = _laws.declared(result), result.time
    rotors = scene.bodies["quadcopter1"].rotors
    fails = min(rotors.failure_times()) if rotors is not None else np.inf
    error, flown = astray(result, "box", "fleet"), time < fails
    found = [
        _laws.solved(result),
        Check.below("rms error of the box along its waypoints", rms(error[flown]), 0.05, "m"),
    ]
    if not fails < time[-1]:
        return found
    corners = np.array([[x, y, -0.15] for x in (-0.3, 0.3) for y in (-0.3, 0.3)])
    q = result["quaternion"].sel(body="box").values
    height = result["position"].sel(body="box").values[:, 2]
    lowest = min(float((height + _laws.turned(q, corner)[:, 2]).min()) for corner in corners)
    found += [
        Check.below("largest error after the failure", error[~flown].max(), 0.2, "m"),
        Check.above("height of the lowest corner above the ground", lowest, 0.3, "m"),
    ]
    late = time > fails + RECOVERY
    if late.any():
        tension = result["tension"].values[late][:, 1:].mean(axis=0)
        weight = scene.bodies["box"].mass * 9.81
        slanted = np.hypot(1.0, SLOPE) * weight / 3.0
        found += [
            Check.below("rms error once it has recovered", rms(error[late]), 0.05, "m"),
            Check.close(
                "tension of the three, a third of the weight on a slope", tension.mean(), slanted, 0.1 * slanted, "N"
            ),
        ]
    light = scene.bodies["box"].mass < scene.bodies["quadcopter1"].mass
    if time[-1] > fails + (SWAY if light else RECOVERY):  # a law of rest
        tilt, rest = np.arccos(1.0 - 2.0 * np.sum(q[-1, 1:3] ** 2)), np.arctan2(np.hypot(0.1, 0.1), 0.35)
        found.append(Check.close("tilt on three wires", np.degrees(tilt), np.degrees(rest), 3.0, "°"))
    return found
