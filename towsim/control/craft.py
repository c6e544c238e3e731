"""The vehicles that a law commands, as arrays: what they weigh, what they can, and where their commands stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from towsim.control.plant import Plant
from towsim.model.arrays import Flags, Floats, Floats2, Floats3, Floats33, Ints, pack
from towsim.scene import Scene


class Craft(NamedTuple):
    """Vehicles, and what their attitude controllers keep."""

    body: Ints  # (n,)
    first: Ints  # (n,) first number of its command
    flies: Flags  # (n,) a quadcopter, or something that is pushed
    mass: Floats  # (n,) [kg]
    moments: Floats3  # (n, 3) principal moments [kg m²]
    geometry: Floats2  # (n, 2) arm, moment ratio [m]
    limit: Floats  # (n,) of the whole force [N]
    wanted: Floats33  # (n, 3, 3) attitude that was asked for last
    turn: Floats3  # (n, 3) its angular velocity, body axes [rad/s]
    begun: Flags  # (n,) whether there was one


def make_craft(scene: Scene, plant: Plant, names: Sequence[str]) -> Craft:
    """Vehicles of an expanded scene by name."""
    n = len(names)
    bodies = [scene.bodies[name] for name in names]
    geometry, limit = np.ones((n, 2)), np.full(n, np.inf)
    for i, body in enumerate(bodies):
        if body.rotors is not None:
            geometry[i] = body.rotors.arm, body.rotors.moment_ratio
            limit[i] = np.inf if body.rotors.max_thrust is None else 4.0 * body.rotors.max_thrust
        elif body.actuator is not None:
            limit[i] = body.actuator.max_force
    craft: Craft = pack(
        Craft,
        body=[plant.body(name) for name in names],
        first=[plant.owned(name)[0] for name in names],
        flies=[body.rotors is not None for body in bodies],
        mass=[body.mass for body in bodies],
        moments=np.array([np.diag(body.inertia_matrix()) for body in bodies]).reshape(-1, 3),
        geometry=geometry,
        limit=limit,
        wanted=np.zeros((n, 3, 3)),
        turn=np.zeros((n, 3)),
        begun=np.zeros(n, np.bool_),
    )
    return craft
