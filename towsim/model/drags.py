"""Drags of their own of a scene's bodies as numbers (see dynamics/bodies)."""

from __future__ import annotations

import numpy as np

from towsim.model.arrays import Drags, Floats, Numbers, pack
from towsim.scene import Scene

LAWS = ("linear", "quadratic", "angular", "angular_quadratic")


def drag_arrays(scene: Scene) -> Drags:
    """Which bodies have one."""
    drags: Drags = pack(Drags, body=[i for i, body in enumerate(scene.bodies.values()) if body.drag.own])
    return drags


def drag_numbers(scene: Scene) -> Numbers:
    """Points and coefficients, one along each of the body's axes."""
    own = [body.drag for body in scene.bodies.values() if body.drag.own]

    def rows(values: list[object]) -> Floats:
        return np.array([np.broadcast_to(np.array(value, float), 3) for value in values]).reshape(-1, 3)

    found = {f"drags.{law}": rows([getattr(drag, law) for drag in own]) for law in LAWS}
    return found | {"drags.at": rows([drag.at or 0.0 for drag in own])}
