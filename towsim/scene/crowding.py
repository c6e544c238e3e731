"""Vehicles that a law holds so close to each other that their rotors would meet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from towsim.scene.control_checks import lifting_wires
from towsim.scene.controllers import Carry
from towsim.scene.expand import vertical

if TYPE_CHECKING:
    from towsim.scene.scene import Scene


def crowded(scene: Scene) -> Iterator[str]:
    """The closest vehicles, if their rotors would meet above a load on wires straight up, where its law wants them.

    Vehicle i then is at ρ_i + l_i e above the centre of the load, and its rotors within its arm of that, level.
    """
    for name, law in scene.controllers.items():
        if not isinstance(law, Carry) or scene.bodies[law.load].point or law.spread:
            continue
        load, up = scene.bodies[law.load], np.array(vertical(scene))
        places = {}
        for vehicle in law.vehicles:
            wire = scene.wires[lifting_wires(scene, vehicle, law.load)[0]]
            _, _, point = (wire.to if wire.from_ == vehicle else wire.from_).partition(".")
            places[vehicle] = np.array(load.points[point] if point else (0.0, 0.0, 0.0)) + wire.length_at_start() * up
        between = {
            pair: float(np.linalg.norm(places[pair[0]] - places[pair[1]])) for pair in combinations(law.vehicles, 2)
        }
        one, other = min(between, key=between.__getitem__)
        apart, reach = between[one, other], _arm(scene, one) + _arm(scene, other)
        if apart < reach:
            yield (
                f"controller {name!r} will hold {one!r} and {other!r} {apart:.3g} m apart, and their arms together are "
                f"{reach:.3g} m: wires to points of a body hang straight down; let them lean (spread: 0.4), or take "
                "points farther apart"
            )


def _arm(scene: Scene, vehicle: str) -> float:
    """Distance of a quadcopter's rotors from its centre [m]."""
    rotors = scene.bodies[vehicle].rotors if vehicle in scene.bodies else None
    return scene.robots[vehicle].vehicle.arm if rotors is None else rotors.arm
