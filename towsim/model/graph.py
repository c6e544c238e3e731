"""How robots, wires, joints and attachment points hang together, and the shortest paths between robots.

A path runs over wires (their lengths), joints, and through rigid bodies (distances of attachment points). Elastic wires
and mrfe cables stretch, so no path runs over them.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from towsim.model.arrays import Floats, Ints, Model
from towsim.model.switches import Owner


class Edge(NamedTuple):
    """Leads to another point: over a wire (its index, or −1), a joint, or through the body that carries both."""

    to: int
    wire: int
    owner: Owner | None  # wire or joint that it needs


class Path(NamedTuple):
    """The shortest way from one robot to another, no third one between: what it runs over, and its rigid part [m]."""

    robots: tuple[int, int]
    wires: tuple[int, ...]
    joints: tuple[str, ...]
    rigid: float


@dataclass(frozen=True, eq=False, slots=True)
class Graph:
    """Attachment points of a scene, which robots some of them are, and the edges of each.

    Attributes
    ----------
    robot : robot of each point that is one
    edges : of each point
    """

    robot: dict[int, int]
    edges: dict[int, list[Edge]]

    def paths(self, length: Sequence[float], local: Floats, absent: frozenset[Owner]) -> list[Path]:
        """The shortest path (Dijkstra's) of every pair of robots that wires lead to, without what is absent.

        length : of each wire [m];  local : where each point is on its body, body axes [m]
        absent : wires and joints that no path may use
        """
        at = local.tolist()
        found = (path for start in self.robot for path in self._from(start, length, at, absent))
        return [path for path in found if path.robots[0] < path.robots[1]]

    def least(self, length: Sequence[float]) -> dict[int, float]:
        """For each robot a length that no path from it can be shorter than, nor half of one to another robot.

        length : the least of each wire [m]
        """
        out = {}
        for point, robot in self.robot.items():
            ways = [(edge.to in self.robot, length[edge.wire] if edge.wire >= 0 else 0.0) for edge in self.edges[point]]
            out[robot] = min((0.0 if straight else first for straight, first in ways), default=np.inf)
        return out

    def _from(
        self, start: int, length: Sequence[float], local: list[list[float]], absent: frozenset[Owner]
    ) -> Iterator[Path]:
        best = {start: 0.0}
        heap = [(0.0, start, Path((self.robot[start], -1), (), (), 0.0))]
        while heap:
            far, at, path = heapq.heappop(heap)
            if far > best[at]:
                continue
            (first, _), wires, joints, rigid = path
            if at in self.robot and at != start:
                yield Path((first, self.robot[at]), wires, joints, rigid)
                continue  # a path through a third robot is two paths
            for to, wire, owner in self.edges[at]:
                if owner in absent:
                    continue
                through_body = math.dist(local[at], local[to]) if owner is None else 0.0
                step = length[wire] if wire >= 0 else through_body
                if far + step < best.get(to, np.inf):
                    best[to] = far + step
                    over = (*wires, wire) if wire >= 0 else wires
                    through = (*joints, owner[1]) if owner is not None and wire < 0 else joints
                    heapq.heappush(heap, (far + step, to, Path((first, -1), over, through, rigid + through_body)))


def make_graph(model: Model, massless: Sequence[str], joints: Sequence[str], ball_joints: Ints) -> Graph:
    """The graph of a model, whose wires and joints are called so; ``ball_joints`` as in ``Compiled``."""
    edges: dict[int, list[Edge]] = defaultdict(list)

    def connect(a: int, b: int, wire: int, owner: Owner | None) -> None:
        edges[int(a)].append(Edge(int(b), wire, owner))
        edges[int(b)].append(Edge(int(a), wire, owner))

    for i, (a, b) in enumerate(zip(model.wires.a, model.wires.b, strict=True)):
        if not model.wires.elastic[i]:
            connect(a, b, i, ("wire", massless[i]))
    for j, a, b in zip(ball_joints, model.balls.a, model.balls.b, strict=False):  # then cables' ends
        connect(a, b, -1, ("joint", joints[j]))
    for body in range(len(model.bodies.mass)):
        for a, b in combinations(np.flatnonzero(model.points.node == body).tolist(), 2):
            connect(b, a, -1, None)
    return Graph({k: int(r) for k, r in enumerate(model.points.robot) if r >= 0}, edges)
