"""Massless wires: their rows, straight ones four at a time, and what is known of their ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solvers.kernels.lanes import WIDTH
from towsim.model.arrays import TANGENT, UNILATERAL, Ends, Floats, Fours, Numbers, Wires, pack
from towsim.model.layout import Layout, Stack
from towsim.model.points import PointTable
from towsim.scene.wires import Wire

STRAIGHT = "straight wire"
"""The law by which straight wires are grouped."""


class DeclaredWire(NamedTuple):
    """A massless wire whose rows are declared.

    Attributes
    ----------
    points, nodes : those that it passes, from end to end; a straight one's near end first (see constraints/wire)
    row, bands : its row, and those of its friction
    """

    name: str
    points: tuple[int, ...]
    nodes: tuple[int, ...]
    row: int
    bands: tuple[int, ...]

    @property
    def straight(self) -> bool:
        """Whether it passes nothing between its ends."""
        return len(self.points) == 2


def declare_wire(stack: Stack, name: str, wire: Wire, at: Sequence[int], points: PointTable) -> DeclaredWire:
    """Declare the row of a wire between the points ``at`` and, if it rubs, one for each point that it passes."""
    if len(at) == 2:
        at = sorted(at, key=lambda end: (points.node(end) < 0, points.node(end)))
    nodes = [points.node(point) for point in at]
    row = stack.add(UNILATERAL, nodes, name, STRAIGHT if len(at) == 2 else "")
    passed = len(at) - 2 if wire.friction > 0.0 else 0
    return DeclaredWire(
        name, tuple(at), tuple(nodes), row, tuple(stack.add(TANGENT, nodes, name) for _ in range(passed))
    )


def wire_fours(wires: Sequence[DeclaredWire], layout: Layout) -> list[list[int]]:
    """The straight wires of each group of rows, in the order of the rows; the last one stands for those missing."""
    wire_of = {wire.row: i for i, wire in enumerate(wires) if wire.straight}
    groups = [[wire_of[row] for row in rows] for rows in layout.groups if rows[0] in wire_of]
    return [group + group[-1:] * (WIDTH - len(group)) for group in groups]


def wire_arrays(
    wires: Sequence[DeclaredWire],
    ends: Sequence[Sequence[int]],
    elastic: list[bool],
    layout: Layout,
    points: PointTable,
) -> Wires:
    """The arrays for the kernels, without the numbers; ``ends``: points A and B of each wire, as declared."""
    fours = wire_fours(wires, layout)
    first = [wires[four[0]] for four in fours]
    there = [[float(i == 0 or four[i] != four[i - 1]) for i in range(WIDTH)] for four in fours]
    near, far = (
        pack(
            Ends,
            node=[wire.nodes[end] for wire in first],
            robot=[max(points.robot(wires[i].points[end]), 0) for four in fours for i in four],
            block=[layout.sides(wire.row, list(wire.nodes))[end] // WIDTH for wire in first],
        )
        for end in (0, 1)
    )
    packed: Wires = pack(
        Wires,
        a=[a for a, *_ in ends],
        b=[b for *_, b in ends],
        row=[layout.place[wire.row] for wire in wires],
        elastic=elastic,
        fours=pack(
            Fours,
            wire=[i for four in fours for i in four],
            row=[layout.place[wire.row] for wire in first],
            there=np.reshape(there, (-1, WIDTH)),
            near=near,
            far=far,
        ),
    )
    return packed


def wire_numbers(wires: Sequence[DeclaredWire], layout: Layout, points: PointTable, local: Floats) -> Numbers:
    """Where the ends of the straight wires are on their bodies; of robots' ends zero."""
    fours = wire_fours(wires, layout)
    at = np.array([[wires[i].points for i in four] for four in fours], np.int64).reshape(-1, WIDTH, 2)
    near, far = (local[at[:, :, end]].swapaxes(1, 2) for end in (0, 1))
    return {"wires.fours.near.local": near, "wires.fours.far.local": far}
