"""A scene with dynamic robots as one in which they are bodies: all that follows knows bodies only."""

from __future__ import annotations

import numpy as np

from towsim.scene.ground import Ground
from towsim.scene.scene import Scene


def expand(scene: Scene) -> Scene:
    """The scene itself, or one whose dynamic robots are bodies of the same names, after all others.

    A ground vehicle stands on a plane of its own, across gravity, at the height at which it starts. Controllers and
    sensors are left out: they belong to the scene as it was declared.
    """
    dynamic = {name: robot for name, robot in scene.robots.items() if robot.dynamic}
    if not dynamic:
        return scene
    bodies = {name: robot.body() for name, robot in dynamic.items()}
    planes = []
    up = vertical(scene)
    for name, robot in dynamic.items():
        if robot.dynamics == "ground":
            height = float(np.dot(up, bodies[name].position))
            planes.append(Ground(height=height, normal=up, contacts=(name,)))
    ground = scene.ground if not planes else (*scene.planes, *planes)
    if isinstance(ground, tuple) and len(ground) == 1:
        ground = ground[0]
    return scene.replace(
        bodies={**scene.bodies, **bodies},
        robots={name: robot for name, robot in scene.robots.items() if not robot.dynamic},
        ground=ground,
        controllers={},
        sensors={},
    )


def vertical(scene: Scene) -> tuple[float, float, float]:
    """The direction against gravity; world z without gravity."""
    g = np.array(scene.gravity)
    size = float(np.linalg.norm(g))
    x, y, z = -g / size if size > 0.0 else (0.0, 0.0, 1.0)
    return float(x) + 0.0, float(y) + 0.0, float(z) + 0.0
