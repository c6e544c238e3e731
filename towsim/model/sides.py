"""Sides of rows, four of them a block: how J and W (number of blocks, 6, 4) are read and written.

A block is what the rows of one group have at one node (see constraints/rows). Its first three rows are the forces of
four sides at a unit impulse, the others their torques; ``along(J)[b, j]`` are four numbers at a time. A side is named
by a number, 4 b + its lane.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from solvers.kernels.compiled import part
from towsim.model.arrays import Floats, Ints, Rows


@part()
def put_side(J, side, force, torque):
    """Write the force and torque of one side."""
    b, lane = side >> 2, side & 3
    for j in range(3):
        J[b, j, lane] = force[j]
        J[b, 3 + j, lane] = torque[j]


@part()
def force_of(J, side):
    """Force of one side."""
    b, lane = side >> 2, side & 3
    return J[b, 0, lane], J[b, 1, lane], J[b, 2, lane]


@part()
def torque_of(J, side):
    """Torque of one side."""
    b, lane = side >> 2, side & 3
    return J[b, 3, lane], J[b, 4, lane], J[b, 5, lane]


def jacobian(rows: Rows, J: Floats, bodies: int) -> Floats:
    """The directions of all rows at the bodies, (nr, 6 nb)."""
    out = np.zeros((len(rows.kind), 6 * bodies))
    for group, (first, stop) in enumerate(zip(rows.first, rows.first[1:], strict=False)):
        for block in range(rows.ptr[group], rows.ptr[group + 1]):
            if rows.node[block] < bodies:
                place = slice(6 * rows.node[block], 6 * rows.node[block] + 6)
                out[first:stop, place] += J[block, :, : stop - first].T
    return out


def nodes_of(rows: Rows, row: int) -> Ints:
    """Nodes on which a row acts."""
    group = rows.group[row]
    nodes: Ints = rows.node[rows.ptr[group] : rows.ptr[group + 1]]
    return nodes
