"""Attachment points of wires, joints and contacts, each listed once."""

from __future__ import annotations

import numpy as np

from towsim.model.arrays import Points, pack
from towsim.scene import Scene
from towsim.scene.contacts import touches


class PointTable:
    """Attachment points, each listed once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._body = {name: i for i, name in enumerate(scene.bodies)}
        self._robot = {name: i for i, name in enumerate(scene.robots)}
        self._index: dict[tuple[int, int, tuple[float, ...]], int] = {}
        self._keys: list[tuple[int, int, tuple[float, ...]]] = []

    def of(self, end: str) -> int:
        """Index of the point that a wire's or joint's end names."""
        if end in self._robot:
            return self.at(-1, self._robot[end], (0.0, 0.0, 0.0))
        body, _, point = end.partition(".")
        local = self._scene.bodies[body].points[point] if point else (0.0, 0.0, 0.0)
        return self.on_body(body, local)

    def on_body(self, body: str, local: tuple[float, ...]) -> int:
        """Index of a point of a body."""
        return self.at(self._body[body], -1, local)

    def at(self, node: int, robot: int, local: tuple[float, ...]) -> int:
        """Index of a point on a node or a robot."""
        key = (node, robot, local)
        if key not in self._index:
            self._index[key] = len(self._keys)
            self._keys.append(key)
        return self._index[key]

    def node(self, point: int) -> int:
        """Node of a point, −1 on a robot."""
        return self._keys[point][0]

    def robot(self, point: int) -> int:
        """Robot of a point, −1 on a node."""
        return self._keys[point][1]

    def arrays(self) -> Points:
        """All points."""
        keys = self._keys
        points: Points = pack(
            Points,
            node=np.array([k[0] for k in keys], np.int64),
            robot=np.array([k[1] for k in keys], np.int64),
            local=np.array([k[2] for k in keys], float).reshape(-1, 3),
        )
        return points


def listed(scene: Scene) -> tuple[PointTable, tuple[int, ...]]:
    """The points of a scene without cables, and the index of each in the order in which it is compiled.

    Scenes with the same indices differ in where the points of their bodies are, and in nothing else about them.
    """
    table = PointTable(scene)
    ends = [end for joint in scene.joints.values() for end in (joint.from_, joint.to)]
    ends += [end for wire in scene.wires.values() for end in wire.ends]
    index = [table.of(end) for end in ends]
    return table, (*index, *(table.on_body(touch.body, touch.offset) for touch in touches(scene)))
