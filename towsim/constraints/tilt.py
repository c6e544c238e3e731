"""Tilts: a direction t of A and a direction b of B stay perpendicular. Two make a hinge, three tie an orientation.

Law       φ = t·b = 0
Rate      φ̇ = (t × b)·(ω_A − ω_B)
Row       torque +t × b at A, −t × b at B
Bias      φ/h; robots do not turn
Impulse   a pure couple p (t × b), of any sign

Source: the "dot-1" constraint of Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), ch. 9.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.model.sides import put_side
from towsim.model.vectors import at3, at9, cross, dot, mul, scale


@part(forceinline=False)
def in_world(R, node, u):
    """World axes of a vector u given in those of a node; −1: it is in world axes."""
    return mul(at9(R, node), u) if node >= 0 else u


@part()
def tilt_gaps(tilts, R, gap):
    """Cosines φ [-] between the directions, for the rotations R (nb, 3, 3), written to the tilts' rows."""
    for i in range(tilts.row.shape[0]):
        t = in_world(R, tilts.node_a[i], at3(tilts.t, i))
        gap[tilts.row[i]] = dot(t, in_world(R, tilts.node_b[i], at3(tilts.b, i)))


@part()
def tilt_rows(tilts, R, J, rate):
    """Write the sides' directions into J and 0 into the tilts' rows of rate."""
    zero = (0.0, 0.0, 0.0)
    for i in range(tilts.row.shape[0]):
        t = in_world(R, tilts.node_a[i], at3(tilts.t, i))
        couple = cross(t, in_world(R, tilts.node_b[i], at3(tilts.b, i)))
        if tilts.side_a[i] >= 0:
            put_side(J, tilts.side_a[i], zero, couple)
        if tilts.side_b[i] >= 0:
            put_side(J, tilts.side_b[i], zero, scale(-1.0, couple))
        rate[tilts.row[i]] = 0.0
