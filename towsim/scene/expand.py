"""A scene in which dynamic robots are bodies, and points that robots carry are robots: all that follows knows only
bodies, and points that move as they are told.
"""

from __future__ import annotations

import numpy as np

from towsim.scene.base import FrozenDict
from towsim.scene.ground import Ground
from towsim.scene.scene import Scene


def expand(scene: Scene) -> Scene:
    """The scene itself, or one whose dynamic robots are bodies of the same names, after all others.

    The point "bow" of a robot "ship" is a robot "ship.bow", after the ship itself. A ground vehicle stands on a plane
    of its own, across gravity, at the height at which it starts. Controllers and sensors are left out: they belong to
    the scene as it was declared.
    """
    scene = with_points(scene)
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


def with_points(scene: Scene) -> Scene:
    """The scene with the points of its robots as robots of their own; itself if there are none."""
    if not any(robot.points for robot in scene.robots.values()):
        return scene
    robots = {}
    for name, robot in scene.robots.items():
        robots[name] = robot.replace(points={}, orientation=None) if robot.points else robot
        robots |= {f"{name}.{point}": one for point, one in robot.carried().items()}
    return scene.model_copy(update={"robots": FrozenDict(robots)})  # a dot is in no name that is declared


def vertical(scene: Scene) -> tuple[float, float, float]:
    """The direction against gravity; world z without gravity."""
    g = np.array(scene.gravity)
    size = float(np.linalg.norm(g))
    x, y, z = -g / size if size > 0.0 else (0.0, 0.0, 1.0)
    return float(x) + 0.0, float(y) + 0.0, float(z) + 0.0
