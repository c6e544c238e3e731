"""Massive wires over rings and pulleys: the spans of each (see scene/expand), rows, how lengths begin to change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from towsim.model.arrays import FREE, Floats, Flow, Ints, pack
from towsim.model.cables import Cable, CableTable
from towsim.model.layout import Layout, Stack
from towsim.model.points import PointTable
from towsim.model.wheels import DeclaredWheels

LEAST = 1e-3
"""Length of a span that has run out, relative to the wire's."""


@dataclass(frozen=True)
class Ring:
    """What a massive wire passes, at the end of one of its spans and at the beginning of the next.

    cables : numbers of the two spans; None for what is not there, where the wire ends at a wheel
    row, point, nodes : its declared row, its point, and the nodes of the row's sides
    wheel : whether it is a wheel
    """

    cables: tuple[int | None, int | None]
    row: int
    point: int
    nodes: tuple[int, int, int]
    wheel: bool = False


class Routes:
    """The massive wires over rings and pulleys of an expanded scene.

    Attributes
    ----------
    routes : numbers of the spans of each, in order
    """

    def __init__(self, table: CableTable) -> None:
        self.table, self.routes = table, table.routes

    @cached_property
    def spans(self) -> Ints:
        """Numbers of all spans (m,)."""
        return np.array([c for route in self.routes for c in route], np.int64)

    def start(self) -> tuple[Floats, Floats]:
        """Lengths of the spans (m,), and flows at both their ends (2 m,), as the ends begin to move apart."""
        length, flows = [], []
        for route in self.routes:
            cables = [self.table.cables[c] for c in route]
            passed = np.concatenate([[0.0], -np.cumsum([cable.rate for cable in cables])])
            passed[-1] = 0.0
            for cable, (begin, end) in zip(cables, pairwise(passed), strict=True):
                flows += [begin, end] if self.forward(cable.name) else [-end, -begin]
            length += [cable.length for cable in cables]
        return np.array(length, float), np.array(flows, float)

    def forward(self, name: str) -> bool:
        """Whether the root of a span is at its beginning."""
        cable = self.table.cables[self.table.names.index(name)]
        return cable.root == cable.wire.from_

    def _turned(self, cable: Cable) -> bool:
        """Whether the tip of a span is at a pulley that a robot carries, and its root is not at a robot."""
        scene = self.table.scene
        wheel = cable.tip in scene.pulleys and scene.carrier(cable.tip) in scene.robots
        return wheel and not cable.free and scene.carrier(cable.root) not in scene.robots

    def declare(self, stack: Stack, points: PointTable, wheels: DeclaredWheels, tip: int) -> list[Ring]:
        """Declare the rows of rings and wheels; returns those of the flow. ``tip`` : node of the first cable's tip."""
        rings = []
        for route in self.routes:
            for before, behind in pairwise(route):
                place = self.table.cables[before].wire.to
                if place not in self.table.scene.pulleys:
                    point = points.of(place)
                    nodes = (tip + before, tip + behind, points.node(point))
                    row = stack.add(FREE, list(nodes), self.table.cables[before].name)
                    rings.append(Ring((before, behind), row, point, nodes))
        return rings + [Ring(*one, wheel=True) for one in wheels.declare(stack, tip)]

    def arrays(
        self, rings: list[Ring], layout: Layout, closures: tuple[Ints, Ints], sides: Ints, offsets: tuple[int, int]
    ) -> Flow | None:
        """The arrays for the kernels; None without such wires.

        closures : ball joints at the tips and roots of all cables;  sides : as of ``Cables``
        offsets : places of the first length in q, and of the first flow in v
        """
        if not self.routes:
            return None
        spans, m = self.spans.tolist(), len(self.spans)
        q, v = offsets[0] + np.arange(m), offsets[1] + 2 * np.arange(m)
        free = np.zeros((m, 2), np.bool_)
        end, at_tip, through, closure, side, carrier = [], [], [], [], [], []
        for ring in rings:
            numbers = [-1 if c is None else spans.index(c) for c in ring.cables]
            tips = [
                c is not None and self.forward(self.table.cables[c].name) == (j == 0) for j, c in enumerate(ring.cables)
            ]
            for i, tip in zip(numbers, tips, strict=True):
                if i >= 0:
                    free[i, int(tip)] = True
            end.append(numbers)
            at_tip.append(tips)
            through.append([-1 if i < 0 else v[i] + tip for i, tip in zip(numbers, tips, strict=True)])
            closure.append(
                [-1 if c is None else closures[0 if tip else 1][c] for c, tip in zip(ring.cables, tips, strict=True)]
            )
            *pair, third = layout.sides(ring.row, list(ring.nodes))
            side.append(pair)
            carrier.append(third)
        flow: Flow = pack(
            Flow,
            cable=spans,
            q=q,
            v=v,
            free=free,
            turned=np.array([self._turned(self.table.cables[c]) for c in spans], np.bool_),
            row=[layout.place[ring.row] for ring in rings],
            wheel=np.array([ring.wheel for ring in rings], np.bool_),
            end=end,
            at_tip=np.array(at_tip, np.bool_),
            sign=np.where(at_tip, 1.0, -1.0),
            through=through,
            side=side,
            closure=closure,
            point=[ring.point for ring in rings],
            carrier=carrier,
            sides=sides[np.isin(sides[:, 1], spans)],
        )
        return flow

    def places(self, offsets: tuple[int, int]) -> Ints:
        """Places (n, 6) of the wheels: see ``DeclaredWheels.arrays``; −1 for none."""
        spans, found = self.spans.tolist(), []
        for k, wheel in enumerate(self.table.wheels):
            pair, long = [-1, -1], [-1, -1]
            for side, c, end in wheel.sides:
                pair[side] = offsets[1] + 2 * spans.index(c) + end
                long[side] = offsets[0] + spans.index(c)
            found.append([*pair, offsets[0] + len(spans) + k, offsets[1] + 2 * len(spans) + k, *long])
        return np.array(found, np.int64).reshape(-1, 6)

    def speeds(self, flows: Floats) -> Floats:
        """Speeds of the wires on the wheels (n,), from what flows at the ends of the spans (2 m,)."""
        found = []
        for wheel, (before, behind, *_) in zip(self.table.wheels, self.places((0, 0)).tolist(), strict=True):
            signs = [1.0 if end else -1.0 for end in wheel.ends]
            block = wheel.pulley.swivel is None
            found.append(0.5 * (signs[0] * flows[before] - signs[1] * flows[behind]) if block else 0.0)
        return np.array(found, float)

    def numbers(self) -> dict[str, np.ndarray]:
        """The numbers of ``arrays``, by their place in ``Cables``."""
        if not self.routes:
            return {}
        whole = [sum(self.table.cables[c].length for c in route) for route in self.routes for _ in route]
        return {"flow.least": LEAST * np.array(whole)}
