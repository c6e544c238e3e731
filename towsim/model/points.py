"""Attachment points of wires, joints, cables and contacts, each listed once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from towsim.model.arrays import Floats, Ints
from towsim.scene import Scene
from towsim.scene.contacts import touches


class _Touch(NamedTuple):
    """Where a span touches a wheel: moves about the point that carries that."""

    point: int
    wheel: int
    side: int


class _Point(NamedTuple):
    """A point of a node (−1: none) or a robot (−1: none), and what it is called there."""

    node: int
    robot: int
    name: tuple[str, str] | int | _Touch | None  # body and point, number of a contact, touch, or the node's origin


class PointTable:
    """Attachment points by what they are called; where they are on their bodies is a number (see ``local``)."""

    def __init__(self, scene: Scene) -> None:
        self._body = {name: i for i, name in enumerate(scene.bodies)}
        self._robot = {name: i for i, name in enumerate(scene.robots)}
        self._index: dict[_Point, int] = {}
        self._points: list[_Point] = []
        self._used: set[int] = set()

    def of(self, end: str) -> int:
        """Index of the point that a wire's or joint's end names."""
        return self._use(self.end(end))

    def end(self, end: str) -> int:
        """The same for the end of a straight wire, which is not ``used`` by that."""
        if end in self._robot:
            return self._at(_Point(-1, self._robot[end], None))
        body, _, point = end.partition(".")
        return self._at(_Point(self._body[body], -1, (body, point) if point else None))

    def corner(self, body: str, contact: int) -> int:
        """Index of the corner of a body's box that is the scene's contact of this number."""
        return self._use(self._at(_Point(self._body[body], -1, contact)))

    def touch(self, point: int, wheel: int, side: int) -> int:
        """Index of where the span before (side 0) or behind (1) touches a wheel that this point carries."""
        at = self._points[self._use(point)]
        return self._use(self._at(_Point(at.node, at.robot, _Touch(point, wheel, side))))

    def origin(self, node: int) -> int:
        """Index of the origin of a node."""
        return self._use(self._at(_Point(node, -1, None)))

    def _use(self, point: int) -> int:
        self._used.add(point)
        return point

    def _at(self, point: _Point) -> int:
        if point not in self._index:
            self._index[point] = len(self._points)
            self._points.append(point)
        return self._index[point]

    def node(self, point: int) -> int:
        """Node of a point, −1 on a robot."""
        return self._points[point].node

    def robot(self, point: int) -> int:
        """Robot of a point, −1 on a node."""
        return self._points[point].robot

    def nodes(self) -> tuple[Ints, Ints]:
        """Node and robot of each point, −1 for none."""
        return np.array([p.node for p in self._points], np.int64), np.array([p.robot for p in self._points], np.int64)

    @property
    def used(self) -> list[int]:
        """Points that something needs besides straight wires."""
        return sorted(self._used)

    def local(self, scene: Scene) -> Floats:
        """Where the points (np, 3) of a scene of this structure are, from their nodes' origins, body axes [m]."""
        contacts = [touch.offset for touch in touches(scene)] if scene.ground is not None else []
        out = np.zeros((len(self._points), 3))
        for i, (_, _, name) in enumerate(self._points):
            if isinstance(name, _Touch):
                out[i] = out[name.point]  # listed before
            elif isinstance(name, tuple):
                out[i] = scene.bodies[name[0]].points[name[1]]
            elif name is not None:
                out[i] = contacts[name]
        return out
