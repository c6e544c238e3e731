"""Sides of rows, four of them a block: how J and W (number of blocks, 6, 4) are read and written.

A block is what the rows of one group have at one node (see constraints/rows). Its first three rows are the forces of
four sides at a unit impulse, the others their torques; ``along(J)[b, j]`` are four numbers at a time. A side is named
by a number, 4 b + its lane.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part


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
