"""Sides of rows as kernels keep them: force and torque at a node in J, and the velocity they cause there in W.

Both are kept by fours, the first numbers of four sides, then their second ones, and so on: the sides of a body follow
each other, and four of them go through the formulas at once (see ``solvers.kernels.lanes``).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.fours import number_of
from solvers.kernels.lanes import WIDTH
from towsim.model.vectors import dot


@part()
def component(s, c):
    """Where component c of side s is in J and W."""
    return number_of(None, s, 6) + WIDTH * c


@part()
def force(J, s):
    """The force of side s, or of the four that begin with it."""
    i = number_of(J, s, 6)
    return J[i], J[i + WIDTH], J[i + 2 * WIDTH]


@part()
def torque(J, s):
    """The torque of side s, or of the four that begin with it."""
    i = number_of(J, s, 6)
    return J[i + 3 * WIDTH], J[i + 4 * WIDTH], J[i + 5 * WIDTH]


@part()
def put_side(J, s, f, t):
    """Write force and torque of side s, or of the four that begin with it."""
    i = number_of(J, s, 6)
    J[i] = f[0]
    J[i + WIDTH] = f[1]
    J[i + 2 * WIDTH] = f[2]
    J[i + 3 * WIDTH] = t[0]
    J[i + 4 * WIDTH] = t[1]
    J[i + 5 * WIDTH] = t[2]


@part(forceinline=False)
def along_side(J, s, f, t):
    """Product of side s, or of each of four, with a force and a torque, or with velocities."""
    return dot(force(J, s), f) + dot(torque(J, s), t)
