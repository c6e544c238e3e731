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

from solvers.kernels.compiled import part
from solvers.kernels.lanes import WIDTH, along, inverse_above, lanes, root
from towsim.model.vectors import add, at3, at9, cross, dot, mul, put3, put6, scale, sub


@part()
def picked(x, which, i):
    """Of a vector the numbers of four wires, from the i-th of ``which`` on."""
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
def wire_gaps(wires, q, R, robot, length, span, gap):
    """Gaps ψ [m] at the positions q and rotations R; with ``span`` also n and the arms of the ends, else None."""
    fours, out = wires.fours, along(gap)
    for g in range(fours.row.shape[0]):
        L = picked(length, fours.wire, WIDTH * g)
        near, near_arm = ends(fours.near, g, q, R, robot)
        far, far_arm = ends(fours.far, g, q, R, robot)
        p = sub(far, near)
        distance = root(dot(p, p))
        out[fours.row[g]] = L - distance
        if span is not None:
            # Where both ends meet there is no direction: n = 0 and the wire is slack.
            put3(along(span.n), g, scale(inverse_above(distance, 1e-12 * L), p))
            put3(along(span.near), g, near_arm)
            put3(along(span.far), g, far_arm)


@part()
def wire_rows(wires, span, robot_rate, length_rate, J, rate):
    """Write the sides' directions into J and ∂ψ/∂t [m/s] into rate."""
    fours, directions, out = wires.fours, along(J), along(rate)
    for g in range(fours.row.shape[0]):
        n, i = at3(along(span.n), g), WIDTH * g
        there = along(fours.there)[g, 0]  # lanes without a wire write zeros
        force, drift = scale(there, n), picked(length_rate, fours.wire, i)
        if fours.near.block[g] >= 0:
            put6(directions, fours.near.block[g], force, cross(at3(along(span.near), g), force))
        else:
            drift = drift + dot(n, of_robots(robot_rate, fours.near.robot, i))
        if fours.far.block[g] >= 0:
            back = scale(-1.0, force)
            put6(directions, fours.far.block[g], back, cross(at3(along(span.far), g), back))
        else:
            drift = drift - dot(n, of_robots(robot_rate, fours.far.robot, i))
        out[fours.row[g]] = drift
