"""A chain of boxes, each hung below the one before, lifted and carried by one robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario
from towsim.errors import UsageError

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "payload-chain",
    topic="Lifting with several robots",
    duration=5.0,
    step=1e-3,
    summary="A robot lifts and carries n boxes, hung one below the other.",
)
def payload_chain(
    *,
    n: int = 8,
    mass: float = 1.0,
    size: float = 0.2,
    length: float = 0.5,
    lift: float = 0.5,
    carry: float = 1.0,
    travel: float = 2.0,
) -> Scene:
    """A robot over n cubes in a row: wire k, counted from above, bears n − k of them.

    Parameters
    ----------
    n : number of boxes
    mass : mass of each [kg]
    size : edge of each [m]
    length : length of each wire [m]
    lift : height gained by the robot [m]
    carry : distance gone by the robot along x [m]
    travel : time it takes, from rest to rest [s]
    """
    from towsim.scene import scene_from_data

    if not n >= 1:
        raise UsageError(f"payload-chain: n must be 1 or more, got {n}")
    half = 0.5 * size
    points = {"top": [0.0, 0.0, half], "bottom": [0.0, 0.0, -half]}
    bodies, wires, z = {}, {}, 0.0
    for k in range(n):
        z -= length + half
        bodies[f"b{k}"] = {"mass": mass, "shape": {"box": [size] * 3}, "position": [0.0, 0.0, z], "points": points}
        wires[f"w{k}"] = {"from": f"b{k}.top", "to": f"b{k - 1}.bottom" if k else "robot", "length": length}
        z -= half
    way = {"t": [0.0, travel], "position": [[0.0, 0.0, 0.0], [carry, 0.0, lift]], "kind": "quintic"}
    return scene_from_data(
        {
            "name": "payload-chain",
            "description": payload_chain.summary,
            "bodies": bodies,
            "robots": {"robot": {"motion": {"waypoints": way}}},
            "wires": wires,
            "run": {"duration": 5.0, "step": 1e-3},
        }
    )


@payload_chain.check
def _(result: Result) -> list[Check]:
    scene = _laws.declared(result)
    masses = np.array([body.mass for body in scene.bodies.values()])
    weight = -scene.gravity[2] * masses.sum()
    below = -scene.gravity[2] * np.cumsum(masses[::-1])[::-1]
    first = result["tension"].values[_laws.first_row(result)]
    gathering = np.linalg.norm(scene.robots["robot"].sample(np.array([_laws.spacing(result)]))[2]) / -scene.gravity[2]
    return [
        _laws.solved(result),
        _laws.stretch(result),
        Check.below("tensions at the start", np.abs(first / below - 1.0).max(), gathering + 1e-9),
        _laws.momentum(result, (*scene.bodies,)[:: max(1, len(masses) // 4)], 2.0 * weight),
        _laws.energy(result, 2.0 * weight),
    ]
