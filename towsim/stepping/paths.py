"""Refusal by geometry: robots that known motions drive farther apart than wires and loads between them can span.

Between two robots a path runs over wires (their lengths) and through rigid bodies (distances of attachment points).
Elastic wires and mrfe cables stretch, so no path runs over them. Whatever the loads do, the robots' distance cannot
exceed the length of the shortest path; when it does, no motion of the loads keeps the wires whole. The path is found at
the beginning of a block, with the lengths that hold then, and followed through the block: a longer path than the
shortest of a later instant only makes the test more lenient.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from towsim.compiled import kernel
from towsim.model.arrays import Drive, Floats, Ints
from towsim.model.compile import Compiled
from towsim.model.vectors import at3, norm, sub

TOLERANCE = 1e-9
"""Relative excess that is still rounding."""

STRIDE = 64
"""Samples between two looks, as long as nothing is near its limit (with twice the speeds met on the way)."""


@dataclass(frozen=True, slots=True)
class Overreach:
    """Robots that are farther apart than a path of wires between them.

    Attributes
    ----------
    sample : first drive sample at which they are
    robots, wires : their names
    speed : rate at which distance outgrows the path there [m/s]
    excess : distance minus length of the path [m]
    """

    sample: int
    robots: tuple[str, str]
    wires: tuple[str, ...]
    speed: float
    excess: float


@kernel()
def first_beyond(robot, robot_rate, length, length_rate, step, r, s, wires, span):
    """First sample at which robots r and s are farther apart than the wires' lengths and the rigid span, or −1.

    Far from the limit, the next samples are skipped that no speed of the stride to come could take beyond it.
    """
    n = robot.shape[0]
    k = 0
    while k < n:
        reach = span
        for i in wires:
            reach += length[k, i]
        distance = norm(sub(at3(robot[k], s), at3(robot[k], r)))
        if distance > reach * (1.0 + TOLERANCE):
            return k
        end = min(k + STRIDE, n)
        fastest = 0.0
        for m in range(k, end):
            rate = norm(at3(robot_rate[m], s)) + norm(at3(robot_rate[m], r))
            for i in wires:
                rate += abs(length_rate[m, i])
            fastest = max(fastest, rate)
        k = end if distance + 2.0 * fastest * STRIDE * step < reach else k + 1
    return -1


class Paths:
    """The graph of robots, attachment points, wires and joints of a scene."""

    def __init__(self, compiled: Compiled) -> None:
        model = compiled.model
        self._pairs: list[tuple[int, int, Ints, float]] = []
        self._known = False
        self._robots = tuple(compiled.scene.robots)
        self._wires = compiled.massless
        points = model.points
        self._of_robot = {int(r): k for k, r in enumerate(points.robot) if r >= 0}
        # Edges from point to point: (other point, wire or −1, fixed length).
        self._edges: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
        for i, (a, b) in enumerate(zip(model.wires.a, model.wires.b, strict=True)):
            if model.wires.elastic[i]:
                continue
            self._edges[int(a)].append((int(b), i, 0.0))
            self._edges[int(b)].append((int(a), i, 0.0))
        for a, b in zip(model.balls.a, model.balls.b, strict=True):
            self._edges[int(a)].append((int(b), -1, 0.0))
            self._edges[int(b)].append((int(a), -1, 0.0))
        on_node = defaultdict(list)
        for k, node in enumerate(points.node):
            if 0 <= node < len(model.bodies.mass):
                on_node[int(node)].append(k)
        for ks in on_node.values():
            for a in ks:
                for b in ks:
                    if a != b:
                        span = float(np.linalg.norm(points.local[a] - points.local[b]))
                        self._edges[a].append((b, -1, span))

    def overreach(self, drive: Drive, step: float) -> Overreach | None:
        """The first of the drive's samples, ``step`` seconds apart, at which two robots are too far apart, or None."""
        if not self._known or drive.length_rate.any():
            self._pairs = [
                (r, s, np.array(wires, np.int64), span)
                for r, start in self._of_robot.items()
                for s, wires, span in self._shortest(start, drive.length[0])
                if s > r
            ]
            self._known = True
        first: Overreach | None = None
        for r, s, wires, span in self._pairs:
            k = first_beyond(drive.robot, drive.robot_rate, drive.length, drive.length_rate, step, r, s, wires, span)
            if k >= 0 and (first is None or k < first.sample):
                apart = drive.robot[k, s] - drive.robot[k, r]
                distance = float(np.linalg.norm(apart))
                speed = self._speed(drive, k, r, s, wires, apart, distance)
                names = tuple(self._wires[i] for i in wires)
                excess = distance - float(drive.length[k, wires].sum()) - span
                first = Overreach(int(k), (self._robots[r], self._robots[s]), names, speed, excess)
        return first

    @staticmethod
    def _speed(drive: Drive, k: int, r: int, s: int, wires: Ints, apart: Floats, distance: float) -> float:
        rate = drive.robot_rate[k, s] - drive.robot_rate[k, r]
        return float(apart @ rate / distance - drive.length_rate[k, wires].sum())

    def _shortest(self, start: int, length: Floats) -> Iterator[tuple[int, tuple[int, ...], float]]:
        """For every other robot that wires lead to: its index, the wires of the shortest path, its rigid part."""
        robot_at = {k: r for r, k in self._of_robot.items()}
        best = {start: 0.0}
        heap: list[tuple[float, int, tuple[int, ...], float]] = [(0.0, start, (), 0.0)]
        while heap:
            far, at, wires, span = heapq.heappop(heap)
            if far > best[at]:
                continue
            if at in robot_at and at != start:
                yield robot_at[at], wires, span
                continue  # a path through a third robot is two paths
            for other, wire, fixed in self._edges[at]:
                step = float(length[wire]) if wire >= 0 else fixed
                if far + step < best.get(other, np.inf):
                    best[other] = far + step
                    heapq.heappush(heap, (far + step, other, (*wires, wire) if wire >= 0 else wires, span + fixed))
