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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from towsim.compiled import kernel
from towsim.model.arrays import Drive, Floats, Ints
from towsim.model.compile import Compiled
from towsim.model.switches import Owner
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
    robots, wires, joints : names of the robots, and of the wires and joints between them
    speed : rate at which distance outgrows the path there [m/s]
    excess : distance minus length of the path [m]
    """

    sample: int
    robots: tuple[str, str]
    wires: tuple[str, ...]
    joints: tuple[str, ...]
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
        self._pairs: list[tuple[int, int, Ints, tuple[str, ...], float]] = []
        self._looked: tuple[Drive, float, frozenset[Owner], Overreach | None] | None = (
            None  # at last, and what was seen
        )
        self._known: frozenset[Owner] | None = None  # what was absent when the paths were found
        self._length: Floats = np.empty(0)  # and the lengths of the wires
        self._robots = tuple(compiled.scene.robots)
        self._wires = compiled.massless
        points = model.points
        self._of_robot = {int(r): k for k, r in enumerate(points.robot) if r >= 0}
        # Edges from point to point: (other point, wire or −1, joint or "", fixed length).
        self._edges: dict[int, list[tuple[int, int, str, float]]] = defaultdict(list)
        for i, (a, b) in enumerate(zip(model.wires.a, model.wires.b, strict=True)):
            if model.wires.elastic[i]:
                continue
            self._edges[int(a)].append((int(b), i, "", 0.0))
            self._edges[int(b)].append((int(a), i, "", 0.0))
        joints = list(compiled.scene.joints)
        for j, a, b in zip(compiled.ball_joints, model.balls.a, model.balls.b, strict=False):  # then cables' ends
            self._edges[int(a)].append((int(b), -1, joints[j], 0.0))
            self._edges[int(b)].append((int(a), -1, joints[j], 0.0))
        on_node = defaultdict(list)
        for k, node in enumerate(points.node):
            if 0 <= node < len(model.bodies.mass):
                on_node[int(node)].append(k)
        for ks in on_node.values():
            for a in ks:
                for b in ks:
                    if a != b:
                        span = float(np.linalg.norm(points.local[a] - points.local[b]))
                        self._edges[a].append((b, -1, "", span))

    def overreach(self, drive: Drive, step: float, absent: frozenset[Owner] = frozenset()) -> Overreach | None:
        """The first of the drive's samples, ``step`` seconds apart, at which two robots are too far apart, or None.

        absent : wires and joints that may not be counted on, such as those that can break
        """
        if self._looked is not None and self._looked[0] is drive and self._looked[1:3] == (step, absent):
            return self._looked[3]
        if self._known != absent or drive.length_rate.any():
            self._find(drive.length[0], absent)
        first: Overreach | None = None
        for r, s, wires, joints, span in self._pairs:
            k = first_beyond(drive.robot, drive.robot_rate, drive.length, drive.length_rate, step, r, s, wires, span)
            if k >= 0 and (first is None or k < first.sample):
                apart = drive.robot[k, s] - drive.robot[k, r]
                distance = float(np.linalg.norm(apart))
                speed = self._speed(drive, k, r, s, wires, apart, distance)
                names = tuple(self._wires[i] for i in wires)
                excess = distance - float(drive.length[k, wires].sum()) - span
                first = Overreach(int(k), (self._robots[r], self._robots[s]), names, joints, speed, excess)
        self._looked = drive, step, absent, first
        return first

    def memory(self) -> dict[str, list[Any]] | None:
        """For which lengths, and without which wires and joints, the paths were found; None if they never were."""
        if self._known is None:
            return None
        return {"length": self._length.tolist(), "absent": sorted(list(owner) for owner in self._known)}

    def recall(self, memory: Mapping[str, list[Any]] | None) -> None:
        """Find the paths for which ``memory`` was taken; forget them if it is None."""
        self._known = self._looked = None
        if memory is not None:
            self._find(np.array(memory["length"], float), frozenset((kind, name) for kind, name in memory["absent"]))

    def _find(self, length: Floats, absent: frozenset[Owner]) -> None:
        self._pairs = [
            (r, s, np.array(wires, np.int64), joints, span)
            for r, start in self._of_robot.items()
            for s, wires, joints, span in self._shortest(start, length, absent)
            if s > r
        ]
        self._known, self._length = absent, length.copy()

    @staticmethod
    def _speed(drive: Drive, k: int, r: int, s: int, wires: Ints, apart: Floats, distance: float) -> float:
        rate = drive.robot_rate[k, s] - drive.robot_rate[k, r]
        return float(apart @ rate / distance - drive.length_rate[k, wires].sum())

    def _shortest(
        self, start: int, length: Floats, absent: frozenset[Owner]
    ) -> Iterator[tuple[int, tuple[int, ...], tuple[str, ...], float]]:
        """For every other robot that wires lead to: its index, the shortest path's wires, joints and rigid part."""
        robot_at = {k: r for r, k in self._of_robot.items()}
        best = {start: 0.0}
        heap: list[tuple[float, int, tuple[int, ...], tuple[str, ...], float]] = [(0.0, start, (), (), 0.0)]
        while heap:
            far, at, wires, joints, span = heapq.heappop(heap)
            if far > best[at]:
                continue
            if at in robot_at and at != start:
                yield robot_at[at], wires, joints, span
                continue  # a path through a third robot is two paths
            for other, wire, joint, fixed in self._edges[at]:
                if (wire >= 0 and ("wire", self._wires[wire]) in absent) or ("joint", joint) in absent:
                    continue
                step = float(length[wire]) if wire >= 0 else fixed
                if far + step < best.get(other, np.inf):
                    best[other] = far + step
                    via = (*wires, wire) if wire >= 0 else wires
                    heapq.heappush(heap, (far + step, other, via, (*joints, joint) if joint else joints, span + fixed))
