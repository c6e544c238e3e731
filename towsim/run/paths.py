"""Refusal by geometry: robots that known motions drive farther apart than wires and loads between them can span.

Whatever the loads do, the distance of two robots cannot exceed the length of a path of wires, joints and bodies between
them; when it does, no motion of the loads keeps the wires whole. At the beginning of a block shortest paths (Dijkstra)
are found, by the lengths that hold then, and followed through the block: a longer path than the shortest of a later
instant only makes the test more lenient.

Most paths need no look. At the beginning of the block every wire reaches from end to end, so that the rest of a path is
no shorter than the straight line, and a path of length l that has come to x has at least l − |x − r| to spare, r the
robot that it began at. In the block two robots gain no more distance than both stray from their common motion, and the
path loses no more than wires are reeled in. A path that has more than that to spare is left at once: only those that
are all but straight are followed to another robot, and the cost is linear in the size of the scene.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from solvers.kernels.aside import Call
from solvers.kernels.compiled import kernel, part
from solvers.kernels.handle import Handle
from towsim.model.arrays import Drive, Floats, Ints
from towsim.model.compile import Compiled
from towsim.model.graph import Graph
from towsim.model.switches import Owner
from towsim.model.vectors import add, at3, dot, mul, norm, put3, rotation, sub

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


class Search(NamedTuple):
    """What the search reads besides the motions, and its scratch.

    Attributes
    ----------
    graph, node, robot, local : the scene's graph, and node, robot and place of its points
    closed : (n owners,) wires and joints that no path may use
    place : (np, 3) where points are now;  stray : (n robots,) how far each strays from the first one's motion
    reeled : (nw,) how much shorter each wire becomes
    best, through : (np,) length of the shortest path found to each point, and the edge that it comes by
    heap : (ne + 1,) points whose edges wait for their turn;  key : their lengths
    seen : (np,) points that a path has come to
    trail : (np,) edges of the path that is out of reach, from its end;  told : (1,) how many they are
    """

    graph: Graph
    node: Ints
    robot: Ints
    local: Floats
    closed: np.ndarray
    place: Floats
    stray: Floats
    reeled: Floats
    best: Floats
    through: Ints
    heap: Ints
    key: Floats
    seen: Ints
    trail: Ints
    told: Ints


@kernel()
def first_beyond(drive, now, step, q, search):
    """First sample at which robots are farther apart than a path between them, and which: (−1, −1, −1) if none are.

    drive, search : handles;  now : sample to begin with;  step : between samples [s];  q : pose of the bodies now
    """
    last = drive.robot.shape[0] - 1
    strays(drive, now, last, search)
    return beyond(drive, now, last, step, q, search)


@part(forceinline=False)
def beyond(drive, now, last, step, q, search):
    """The same from one sample to another, once it is known how far robots ``stray``."""
    graph, robot, best = search.graph, search.robot, search.best
    locate(drive, now, q, search)
    spare, most = room_to_stray(drive, now, search)
    for i in range(best.shape[0]):
        best[i] = math.inf
    found, one, other = last + 1, -1, -1
    for start in range(robot.shape[0]):
        r = robot[start]
        if r < 0:
            continue
        waiting, count = push(search, 0, 0.0, start), 1
        best[start], search.through[start], search.seen[0] = 0.0, -1, start
        while waiting > 0:
            far, at, waiting = pop(search, waiting)
            if far > best[at]:
                continue
            s = robot[at]
            if s >= 0 and at != start:  # a path through a third robot is two paths
                away = norm(sub(at3(search.place, at), at3(search.place, start)))
                if r < s and not far - away > search.stray[r] + search.stray[s] + spare:
                    sample = follow(drive, now, step, search, start, at, found)
                    if sample < found:
                        found, one, other = sample, start, at
                continue
            for e in range(graph.ptr[at], graph.ptr[at + 1]):
                to, wire, owner = graph.to[e], graph.wire[e], graph.owner[e]
                if owner >= 0 and search.closed[owner]:
                    continue
                longer = far + edge(drive, now, search, at, to, wire, owner)
                away = norm(sub(at3(search.place, to), at3(search.place, start)))
                if longer < best[to] and not longer - away > search.stray[r] + most + spare:
                    if best[to] == math.inf:
                        search.seen[count] = to
                        count += 1
                    best[to], search.through[to] = longer, e
                    waiting = push(search, waiting, longer, to)
        if one == start:
            tell(search, start, other)
        for i in range(count):
            best[search.seen[i]] = math.inf
    if one < 0:
        return -1, -1, -1
    return found, one, other


@part(forceinline=False)
def locate(drive, now, q, search):
    """Where points are now."""
    for i in range(search.node.shape[0]):
        k = search.node[i]
        if k < 0:
            put3(search.place, i, at3(drive.robot[now], search.robot[i]))
        elif 7 * k + 6 < q.shape[0]:
            x = (q[7 * k], q[7 * k + 1], q[7 * k + 2])
            R = rotation((q[7 * k + 3], q[7 * k + 4], q[7 * k + 5], q[7 * k + 6]))
            put3(search.place, i, add(x, mul(R, at3(search.local, i))))


@part(forceinline=False)
def edge(drive, now, search, a, b, wire, owner):
    """Length of an edge: of the wire, of the way through a body, or nothing over a joint."""
    if wire >= 0:
        return drive.length[now, wire]
    return norm(sub(at3(search.local, b), at3(search.local, a))) if owner < 0 else 0.0


@part(forceinline=False)
def strays(drive, now, last, search):
    """How far each robot strays from its place now, seen from the first one, and how much wires are reeled in [m]."""
    robot, length, stray, reeled = drive.robot, drive.length, search.stray, search.reeled
    for i in range(stray.shape[0]):
        stray[i] = 0.0
    for i in range(reeled.shape[0]):
        reeled[i] = 0.0
    for k in range(now + 1, last + 1):
        way = at3(robot[k], 0) if stray.shape[0] else (0.0, 0.0, 0.0)
        for i in range(1, stray.shape[0]):
            off = sub(sub(at3(robot[k], i), way), sub(at3(robot[now], i), at3(robot[now], 0)))
            stray[i] = max(stray[i], dot(off, off))
        for i in range(reeled.shape[0]):
            reeled[i] = max(reeled[i], length[now, i] - length[k, i])
    for i in range(stray.shape[0]):
        stray[i] = math.sqrt(stray[i])


@part(forceinline=False)
def room_to_stray(drive, now, search):
    """(what is reeled in and what wires and joints fail to reach now, in all; the farthest that a robot strays) [m]."""
    graph, stray, reeled = search.graph, search.stray, search.reeled
    spare, most = 0.0, 0.0
    for i in range(stray.shape[0]):
        most = max(most, stray[i])
    for i in range(reeled.shape[0]):
        spare += reeled[i]
    for a in range(search.node.shape[0]):
        for e in range(graph.ptr[a], graph.ptr[a + 1]):
            b, owner = graph.to[e], graph.owner[e]
            if a < b and owner >= 0 and not search.closed[owner]:
                missing = norm(sub(at3(search.place, b), at3(search.place, a))) - edge(
                    drive, now, search, a, b, graph.wire[e], owner
                )
                spare += missing if not missing <= 0.0 else 0.0  # what is no number leaves all paths to be looked at
    return spare, most


@part()
def push(search, n, far, point):
    """Add a point to a heap of n; returns n + 1."""
    key, heap = search.key, search.heap
    i = n
    while i > 0 and key[(i - 1) // 2] > far:
        key[i], heap[i] = key[(i - 1) // 2], heap[(i - 1) // 2]
        i = (i - 1) // 2
    key[i], heap[i] = far, point
    return n + 1


@part()
def pop(search, n):
    """Take the nearest point from a heap of n: (its length, the point, n − 1)."""
    key, heap = search.key, search.heap
    far, point = key[0], heap[0]
    n -= 1
    last, other = key[n], heap[n]
    i = 0
    while 2 * i + 1 < n:
        child = 2 * i + 1
        if child + 1 < n and key[child + 1] < key[child]:
            child += 1
        if key[child] >= last:
            break
        key[i], heap[i] = key[child], heap[child]
        i = child
    key[i], heap[i] = last, other
    return far, point, n


@part(forceinline=False)
def follow(drive, now, step, search, start, end, last):
    """First sample before ``last`` at which robots are farther apart than the path found between them, else ``last``.

    Far from the limit a stride is passed over: no speed met there could take them beyond.
    """
    robot, length, graph, through = drive.robot, drive.length, search.graph, search.through
    r, s = search.robot[start], search.robot[end]
    begin = now
    while begin < last:
        stop = min(begin + STRIDE, robot.shape[0])
        speed = fastest(drive.robot_rate, r, begin, stop) + fastest(drive.robot_rate, s, begin, stop)
        at = end
        while through[at] >= 0:
            e = through[at]
            if graph.wire[e] >= 0:
                most = 0.0
                for k in range(begin, stop):
                    most = max(most, abs(drive.length_rate[k, graph.wire[e]]))
                speed += most
            at = back(search, at)
        for k in range(begin, min(stop, last)):
            reach = 0.0
            at = end
            while through[at] >= 0:
                e, before = through[at], back(search, at)
                wire = graph.wire[e]
                reach += length[k, wire] if wire >= 0 else edge(drive, now, search, before, at, -1, graph.owner[e])
                at = before
            distance = norm(sub(at3(robot[k], s), at3(robot[k], r)))
            if k == begin and distance + 2.0 * speed * STRIDE * step < reach:
                break
            if distance > reach * (1.0 + TOLERANCE):
                return k
        begin = stop
    return last


@part()
def fastest(rate, i, begin, stop):
    """Largest speed of a robot from sample to sample."""
    square = 0.0
    for k in range(begin, stop):
        v = at3(rate[k], i)
        square = max(square, dot(v, v))
    return math.sqrt(square)


@part()
def back(search, at):
    """The point before this one on the path found to it."""
    graph, e = search.graph, search.through[at]
    low, high = 0, graph.ptr.shape[0] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if graph.ptr[middle] <= e:
            low = middle
        else:
            high = middle
    return low


@part(forceinline=False)
def tell(search, start, end):
    """Write the edges of the path found to ``search.trail``, and how many they are to ``search.told``."""
    count, at = 0, end
    while at != start:
        search.trail[count] = search.through[at]
        count += 1
        at = back(search, at)
    search.told[0] = count


class Paths:
    """The paths between the robots of a scene, looked at block by block."""

    def __init__(self, compiled: Compiled) -> None:
        model = compiled.model
        self._owners = compiled.owned
        self._robots = tuple(compiled.scene.robots)
        self._wires = compiled.massless
        n, wires, robots = len(model.points.node), len(model.wires.a), len(self._robots)
        edges = len(compiled.graph.to)
        self._search = Search(
            graph=compiled.graph,
            node=model.points.node,
            robot=model.points.robot,
            local=model.points.local,
            closed=np.zeros(len(self._owners), bool),
            place=np.zeros((n, 3)),
            stray=np.zeros(robots),
            reeled=np.zeros(wires),
            best=np.zeros(n),
            through=np.zeros(n, np.int64),
            heap=np.zeros(edges + n + 1, np.int64),
            key=np.zeros(edges + n + 1),
            seen=np.zeros(n, np.int64),
            trail=np.zeros(n, np.int64),
            told=np.zeros(1, np.int64),
        )
        self.handle = Handle(self._search)
        self._drive: Handle | None = None  # of the last samples
        self._absent: frozenset[Owner] = frozenset()
        # What was looked at, from which row on, and what was seen.
        self._looked: tuple[Drive, float, frozenset[Owner], int, int, bytes, Overreach | None] | None = None

    def overreach(
        self, drive: Drive, q: Floats, step: float, absent: frozenset[Owner] = frozenset(), row: int = 0, moved: int = 0
    ) -> Overreach | None:
        """The first of the drive's samples, ``step`` seconds apart, at which two robots are too far apart, or None.

        row : sample from which on is looked, and counted
        q : pose of the bodies there
        absent : wires and joints that may not be counted on, such as those that can break
        moved : commands of motions that are in the drive
        """
        if not len(self._search.graph.to):
            return None
        now = b"" if row else q.tobytes() + self._search.local.tobytes() + drive.length[0].tobytes()
        looked = self._looked
        if (
            looked is None
            or looked[0].robot_rate is not drive.robot_rate  # or else the same sampling
            or looked[1:4] != (step, absent, moved)
            or not (row >= looked[4] if row else (0, now) == looked[4:6])
        ):
            self._looked = looked = drive, step, absent, moved, row, now, self._look(drive, q, step, absent, row)
        first = looked[6]
        return first if first is None or not row else replace(first, sample=first.sample - row)

    def _look(self, drive: Drive, q: Floats, step: float, absent: frozenset[Owner], row: int) -> Overreach | None:
        """As ``overreach``, with samples counted from the first one."""
        if absent != self._absent:
            self._search.closed[:] = [owner in absent for owner in self._owners]
            self._absent = absent
        kernel, arguments = self.call(drive, q, step, row)
        k, one, other = kernel(*arguments)
        if k < 0:
            return None
        return self._overreach(drive, int(k), int(one), int(other))

    def call(self, drive: Drive, q: Floats, step: float, row: int = 0) -> Call:
        """The kernel that looks, and its arguments."""
        if self._drive is None or not self._drive.show(drive):
            self._drive = Handle(drive)
        return first_beyond, (self._drive, row, step, q, self.handle)

    def _overreach(self, drive: Drive, k: int, one: int, other: int) -> Overreach:
        """What is to be told of two robots, given by their points, that are too far apart at sample k."""
        search, graph = self._search, self._search.graph
        r, s = int(search.robot[one]), int(search.robot[other])
        edges = search.trail[: search.told[0]][::-1]
        wires = graph.wire[edges][graph.wire[edges] >= 0]
        owners = [self._owners[i] for i in graph.owner[edges] if i >= 0]
        inner = edges[graph.owner[edges] < 0]
        begin = np.searchsorted(graph.ptr, inner, side="right") - 1
        rigid = float(np.linalg.norm(search.local[graph.to[inner]] - search.local[begin], axis=1).sum())
        apart = drive.robot[k, s] - drive.robot[k, r]
        distance = float(np.linalg.norm(apart))
        rate = drive.robot_rate[k, s] - drive.robot_rate[k, r]
        speed = float(apart @ rate / distance - drive.length_rate[k, wires].sum())
        excess = distance - float(drive.length[k, wires].sum()) - rigid
        names = tuple(self._wires[i] for i in wires)
        joints = tuple(name for kind, name in owners if kind == "joint")
        return Overreach(k, (self._robots[r], self._robots[s]), names, joints, speed, excess)
