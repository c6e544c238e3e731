"""Wires: hard, massless, unilateral; four at a time.

Law       ψ = L − ‖p‖ ≥ 0,   λ ≥ 0,   ψ λ = 0;   p = p_far − p_near
Rate      ψ̇ = L̇ + n·ṗ_near − n·ṗ_far,   n = p / ‖p‖
Row       +n at the near end, −n at the far one (torque about the node: arm × force)
Bias      ψ/h + ∂ψ/∂t;   ∂ψ/∂t = L̇ + n·ṗ_near − n·ṗ_far over the ends that are robots
Impulse   +n p on the near end, −n p on the far one: a wire pulls, it never pushes

The ends of a wire are alike. Its *near* one is on a body where one is; so four wires of one group of rows are all near
one node, and far on another or on robots (node −1).

Source: Stewart–Trinkle velocity-level discretisation of ψ_w in the notes on towed bodies; both ends are taken at the
same instant.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from solvers.kernels.compiled import part
from solvers.kernels.lanes import WIDTH, along, inverse_above, lanes, root
from towsim.model.vectors import add, at3, at9, cross, dot, mul, put6, scale, sub


@part()
def picked(x, which, i):
    """Of a vector the numbers of four wires, from the i-th of ``which`` on: in most scenes four neighbours."""
    if which[i + 3] == which[i] + np.uint64(3):
        return along(x)[which[i]]
    return lanes(x[which[i]], x[which[i + 1]], x[which[i + 2]], x[which[i + 3]])


@part()
def of_robots(x, robot, i):
    """What is known (n_robots, 3) of the robots of four wires."""
    a, b, c, d = robot[i], robot[i + 1], robot[i + 2], robot[i + 3]
    return (
        lanes(x[a, 0], x[b, 0], x[c, 0], x[d, 0]),
        lanes(x[a, 1], x[b, 1], x[c, 1], x[d, 1]),
        lanes(x[a, 2], x[b, 2], x[c, 2], x[d, 2]),
    )


@part()
def ends(end, g, q, R, robot):
    """Where the ends of four wires are, and their arms from the node's origin (of robots' ends: zero)."""
    n = end.node[g]
    if n < 0:
        zero = lanes(0.0, 0.0, 0.0, 0.0)
        return of_robots(robot, end.robot, WIDTH * g), (zero, zero, zero)
    arm = mul(at9(R, n), at3(along(end.local), g))
    return add((q[7 * n], q[7 * n + 1], q[7 * n + 2]), arm), arm


@part()
def wire_gaps(wires, q, R, robot, length, J, gap):
    """Gaps ψ [m] at the positions q and rotations R, and the sides' directions J there; None: they stay."""
    fours, out = wires.fours, along(gap)
    for g in range(fours.row.shape[0]):
        L = picked(length, fours.wire, WIDTH * g)
        near, near_arm = ends(fours.near, g, q, R, robot)
        far, far_arm = ends(fours.far, g, q, R, robot)
        p = sub(far, near)
        distance = root(dot(p, p))
        out[fours.row[g]] = L - distance
        if J is not None:
            # Where both ends meet there is no direction: n = 0 and the wire is slack. So it is in lanes without a wire.
            n = scale(along(fours.there)[g, 0] * inverse_above(distance, 1e-12 * L), p)
            if fours.near.block[g] >= 0:
                put6(along(J), fours.near.block[g], n, cross(near_arm, n))
            if fours.far.block[g] >= 0:
                put6(along(J), fours.far.block[g], scale(-1.0, n), cross(n, far_arm))


@part()
def wire_rates(wires, robot_rate, length_rate, J, rate):
    """∂ψ/∂t [m/s]; of wires between robots, which act on nothing, L̇."""
    fours, out = wires.fours, along(rate)
    for g in range(fours.row.shape[0]):
        drift = picked(length_rate, fours.wire, WIDTH * g)
        if fours.far.node[g] < 0 and fours.near.block[g] >= 0:
            drift = drift - dot(at3(along(J), fours.near.block[g]), of_robots(robot_rate, fours.far.robot, WIDTH * g))
        out[fours.row[g]] = drift
