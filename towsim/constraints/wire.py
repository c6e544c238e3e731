"""Wires: hard, massless, unilateral.

Law       ψ = L − ‖p_AB‖ ≥ 0,   λ ≥ 0,   ψ λ = 0;   p_AB = p_B − p_A
Rate      ψ̇ = L̇ + n·ṗ_A − n·ṗ_B,   n = p_AB / ‖p_AB‖
Row       +n at A, −n at B (torque about the node: arm × force)
Bias      ψ/h + ∂ψ/∂t;   ∂ψ/∂t = L̇ + n·ṗ_A − n·ṗ_B over the ends that are robots
Impulse   +n p on A, −n p on B: a wire pulls, it never pushes

Source: Stewart–Trinkle velocity-level discretisation of ψ_w in the notes on towed bodies; both ends are taken at the
same instant.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.model.vectors import at3, cross, norm, put3, put6, scale, sub


@part()
def wire_gaps(wires, P, length, n, gap):
    """Directions n (nw, 3; or None) from A to B, and gaps ψ [m] in the wires' rows of gap, at the points P (np, 3).

    Where both ends meet there is no direction: n = 0 and the wire is slack.
    """
    for i in range(wires.a.shape[0]):
        p_AB = sub(at3(P, wires.b[i]), at3(P, wires.a[i]))
        distance = norm(p_AB)
        gap[wires.row[i]] = length[i] - distance
        if n is not None:
            put3(n, i, scale(1.0 / distance if distance > 1e-12 * length[i] else 0.0, p_AB))


@part()
def wire_rows(wires, points, n, arm, robot_rate, length_rate, J, rate):
    """Write the sides' directions into J and ∂ψ/∂t of wire i [m/s] into rate[wires.row[i]]."""
    for i in range(wires.a.shape[0]):
        a, b = wires.a[i], wires.b[i]
        d = at3(n, i)
        r = length_rate[i]
        if wires.side_a[i] >= 0:
            put6(J, wires.side_a[i], d, cross(at3(arm, a), d))
        elif points.robot[a] >= 0:
            v = at3(robot_rate, points.robot[a])
            r += d[0] * v[0] + d[1] * v[1] + d[2] * v[2]
        if wires.side_b[i] >= 0:
            m = scale(-1.0, d)
            put6(J, wires.side_b[i], m, cross(at3(arm, b), m))
        elif points.robot[b] >= 0:
            v = at3(robot_rate, points.robot[b])
            r -= d[0] * v[0] + d[1] * v[1] + d[2] * v[2]
        rate[wires.row[i]] = r
