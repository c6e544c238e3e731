"""Wires through rings and over pulleys: one tension from end to end, without friction.

Law       ψ = L − Σ ‖p_j+1 − p_j‖ ≥ 0 over the points p_0 = A, .. p_m = B that the wire passes,   λ ≥ 0,   ψ λ = 0
Rate      ψ̇ = L̇ + Σ n_j·(ṗ_j − ṗ_j+1),   n_j = (p_j+1 − p_j)/‖p_j+1 − p_j‖
Row       n_j − n_j−1 at point j (n_0 at A, −n_m−1 at B): what the two parts of the wire pull together
Bias      ψ/h + ∂ψ/∂t;   ∂ψ/∂t = L̇ + Σ (n_j − n_j−1)·ṗ_j over the points that are robots
Impulse   p (n_j − n_j−1) on each point

A wire of ``wires`` with a route keeps its row; what is written there for a straight one is overwritten.

Source: the wire's law with the length of a polygon for the distance of the ends.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from towsim.compiled import part
from towsim.constraints.rows import put_side
from towsim.model.vectors import at3, cross, dot, norm, scale, sub


@part()
def towards(P, a, b, length):
    """Unit vector from point a to point b; zero where they meet, as measured by the wire's length."""
    d = sub(at3(P, b), at3(P, a))
    distance = norm(d)
    return scale(1.0 / distance if distance > 1e-12 * length else 0.0, d)


@part()
def route_gaps(routes, P, length, gap):
    """Gaps ψ [m] of the wires with a route, at the points P (np, 3)."""
    if routes is not None:
        for i in range(routes.wire.shape[0]):
            psi = length[routes.wire[i]]
            for k in range(routes.first[i], routes.first[i + 1] - 1):
                psi -= norm(sub(at3(P, routes.point[k + 1]), at3(P, routes.point[k])))
            gap[routes.row[i]] = psi


@part()
def route_rows(routes, points, P, arm, robot_rate, length, length_rate, J, rate):
    """Write the sides' directions into J and ∂ψ/∂t [m/s] into the rows of rate."""
    if routes is not None:
        for i in range(routes.wire.shape[0]):
            w = routes.wire[i]
            r = length_rate[w]
            before = (0.0, 0.0, 0.0)
            for k in range(routes.first[i], routes.first[i + 1]):
                at = routes.point[k]
                after = (0.0, 0.0, 0.0)
                if k + 1 < routes.first[i + 1]:
                    after = towards(P, at, routes.point[k + 1], length[w])
                d = sub(after, before)
                if routes.side[k] >= 0:
                    put_side(J, routes.side[k], d, cross(at3(arm, at), d))
                else:
                    r += dot(d, at3(robot_rate, points.robot[at]))
                before = after
            rate[routes.row[i]] = r
