"""Refusal by geometry: robots that known motions drive farther apart than wires and loads between them can span.

Whatever the loads do, the distance of two robots cannot exceed the length of the shortest path between them (see
model/graph); when it does, no motion of the loads keeps the wires whole. The path is found at the beginning of a block,
with the lengths that hold then, and followed through the block: a longer path than the shortest of a later instant only
makes the test more lenient.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from solvers.kernels.compiled import kernel
from solvers.kernels.handle import Handle
from towsim.model.arrays import Drive, Floats, Ints
from towsim.model.compile import Compiled
from towsim.model.graph import Graph
from towsim.model.switches import Owner
from towsim.model.vectors import at3, dot, norm, sub

TOLERANCE = 1e-9
"""Relative excess that is still rounding."""

STRIDE = 64
"""Samples between two looks, as long as nothing is near its limit (with twice the speeds met on the way)."""


FEW = 1000
"""Samples of a block up to which looking where all robots stay costs less than a search for paths."""


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


class _Known(NamedTuple):
    """For which paths were found: lengths of wires, where points are on their bodies, and what may not be used."""

    length: tuple[float, ...]
    local: bytes
    absent: frozenset[Owner]


class Found(NamedTuple):
    """Shortest paths between pairs of robots, as the kernel reads them."""

    ends: Ints  # (m, 2) the robots
    span: Floats  # (m,) length of the path's rigid parts [m]
    ptr: Ints  # (m + 1,) its wires are wire[ptr[i] : ptr[i + 1]]
    wire: Ints


@kernel()
def first_beyond(drive, step, found, fastest):
    """First sample at which robots are farther apart than their path, and which pair that is; (−1, −1) if none are.

    Far from its limit a pair is passed over for a stride: no speed met there could take it beyond.

    drive : a handle;  fastest : (n_robots + nw,) scratch
    """
    robot, robot_rate, length, length_rate = drive.robot, drive.robot_rate, drive.length, drive.length_rate
    n, robots = robot.shape[0], robot.shape[1]
    if found.span.shape[0] == 0:
        return -1, -1
    for begin in range(0, n, STRIDE):
        end = min(begin + STRIDE, n)
        for i in range(robots):
            square = 0.0
            for k in range(begin, end):
                rate = at3(robot_rate[k], i)
                square = max(square, dot(rate, rate))
            fastest[i] = math.sqrt(square)
        for i in range(length.shape[1]):
            fastest[robots + i] = 0.0
            for k in range(begin, end):
                fastest[robots + i] = max(fastest[robots + i], abs(length_rate[k, i]))
        first, pair = end, -1
        for c in range(found.span.shape[0]):
            r, s = found.ends[c, 0], found.ends[c, 1]
            wires = found.wire[found.ptr[c] : found.ptr[c + 1]]
            speed = fastest[r] + fastest[s]
            for i in wires:
                speed += fastest[robots + i]
            margin = 2.0 * speed * STRIDE * step
            for k in range(begin, first):
                reach = found.span[c]
                for i in wires:
                    reach += length[k, i]
                distance = norm(sub(at3(robot[k], s), at3(robot[k], r)))
                if k == begin and distance + margin < reach:
                    break
                if distance > reach * (1.0 + TOLERANCE):
                    first, pair = k, c
                    break
        if pair >= 0:
            return first, pair
    return -1, -1


@kernel()
def extent(drive, shortest, room):
    """Least length of each wire (nw,), and the box (2, 3) in which all robots stay, over all samples."""
    robot, length = drive.robot, drive.length
    shortest[:] = math.inf
    for k in range(length.shape[0]):
        for i in range(length.shape[1]):
            shortest[i] = min(shortest[i], length[k, i])
    room[0], room[1] = math.inf, -math.inf
    for k in range(robot.shape[0]):
        for i in range(robot.shape[1]):
            for j in range(3):
                room[0, j] = min(room[0, j], robot[k, i, j])
                room[1, j] = max(room[1, j], robot[k, i, j])


class Paths:
    """The shortest paths between the robots of a scene, as far as a run has needed them."""

    def __init__(self, compiled: Compiled) -> None:
        self._graph = compiled.graph
        self._local = compiled.model.points.local
        self._robots = tuple(compiled.scene.robots)
        self._wires = compiled.massless
        self._looked: tuple[Drive, float, _Known, Overreach | None] | None = None  # and what was seen
        self._known: _Known | None = None

    def overreach(self, drive: Drive, step: float, absent: frozenset[Owner] = frozenset()) -> Overreach | None:
        """The first of the drive's samples, ``step`` seconds apart, at which two robots are too far apart, or None.

        absent : wires and joints that may not be counted on, such as those that can break
        """
        known = self._with(drive.length[0].tolist(), absent)
        looked = self._looked
        if looked is not None and looked[0].robot_rate is drive.robot_rate and looked[1:3] == (step, known):
            return looked[3]  # of the same sampling
        if self._known != known:
            changing = self._known is not None  # paths that are found once serve all blocks of the same lengths
            if changing and len(drive.robot) < FEW and self._far_from_it(drive):
                return None
            self._find(known)
        fastest = np.empty(drive.robot.shape[1] + drive.length.shape[1])
        k, pair = first_beyond(Handle(drive), step, self._found, fastest)
        first = self._overreach(drive, k, pair) if pair >= 0 else None
        self._looked = drive, step, known, first
        return first

    def _far_from_it(self, drive: Drive) -> bool:
        """Whether all robots stay so close together that no path is too short, whichever is the shortest."""
        shortest, room = np.empty(drive.length.shape[1]), np.empty((2, 3))
        extent(Handle(drive), shortest, room)
        least = self._graph.least(shortest.tolist())
        return not least or math.dist(*room.tolist()) < 2.0 * min(least.values())

    def _overreach(self, drive: Drive, k: int, pair: int) -> Overreach:
        """What is to be told of a pair that is too far apart at sample k."""
        found = self._found
        (r, s), wires = found.ends[pair], found.wire[found.ptr[pair] : found.ptr[pair + 1]]
        apart = drive.robot[k, s] - drive.robot[k, r]
        distance = float(np.linalg.norm(apart))
        rate = drive.robot_rate[k, s] - drive.robot_rate[k, r]
        speed = float(apart @ rate / distance - drive.length_rate[k, wires].sum())
        names = tuple(self._wires[i] for i in wires)
        excess = distance - float(drive.length[k, wires].sum() + found.span[pair])
        return Overreach(k, (self._robots[r], self._robots[s]), names, self._joints[pair], speed, excess)

    def memory(self) -> dict[str, list[Any]] | None:
        """For which lengths, and without which wires and joints, the paths were found; None if they never were."""
        if self._known is None:
            return None
        return {
            "length": list(self._known.length),
            "absent": sorted(list(owner) for owner in self._known.absent),
        }

    def recall(self, memory: Mapping[str, list[Any]] | None) -> None:
        """Find the paths for which ``memory`` was taken; forget them if it is None."""
        self._known = self._looked = None
        if memory is not None:
            self._find(self._with(memory["length"], frozenset((kind, name) for kind, name in memory["absent"])))

    def _with(self, length: list[float], absent: frozenset[Owner]) -> _Known:
        return _Known(tuple(length), self._local.tobytes(), absent)

    def _find(self, known: _Known) -> None:
        self._known = known
        self._found, self._joints = _shortest(self._graph, known)


@lru_cache(maxsize=8)
def _shortest(graph: Graph, known: _Known) -> tuple[Found, tuple[tuple[str, ...], ...]]:
    """The shortest paths as arrays, and the joints of each; a scene is often run again."""
    paths = graph.paths(known.length, np.frombuffer(known.local).reshape(-1, 3), known.absent)
    return Found(
        ends=np.array([path.robots for path in paths], np.int64).reshape(-1, 2),
        span=np.array([path.rigid for path in paths], np.float64),
        ptr=np.cumsum([0, *(len(path.wires) for path in paths)]),
        wire=np.array([wire for path in paths for wire in path.wires], np.int64),
    ), tuple(path.joints for path in paths)
