"""Wires through rings and over pulleys: one tension from end to end, or friction on what they pass.

Law       ψ = L − Σ ‖p_j+1 − p_j‖ ≥ 0 over the points p_0 = A, .. p_m = B that the wire passes,   λ ≥ 0,   ψ λ = 0
Rate      ψ̇ = L̇ + Σ n_j·(ṗ_j − ṗ_j+1),   n_j = (p_j+1 − p_j)/‖p_j+1 − p_j‖
Row       n_j − n_j−1 at point j (n_0 at A, −n_m−1 at B): what the two parts of the wire pull together
Bias      ψ/h + ∂ψ/∂t;   ∂ψ/∂t = L̇ + Σ (n_j − n_j−1)·ṗ_j over the points that are robots
Impulse   p (n_j − n_j−1) on each point

Pulleys with a radius have tangents and arcs in place of corners (see ``pulley``). A wire of ``wires`` with a route
keeps its row; what is written there for a straight one is overwritten.

With friction the tension T_i of each part is its own (see ``bands``). The wire's row bears T_1; one more for
each point i that it passes bears T_i+1 − T_i, on all that comes behind:

Law       e^{−μθ_i} ≤ T_i+1/T_i ≤ e^{μθ_i}; the wire slips over the point only at a bound, towards the larger tension
Rate      speed at which the wire is paid out behind the point, L̇ − d/dt Σ_{j≥i} ‖p_j+1 − p_j‖ (it sticks while 0)
Row       n_j − n_j−1 at the points j behind i, n_i at i itself
Bias      the rate's known part; there is no position to come back to
Angle     θ_i between n_i−1 and n_i, and full turns

Source: the wire's law with the length of a polygon for the distance of the ends; Euler and Eytelwein's capstan.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part
from towsim.constraints.pulley import leaves, meets, wind
from towsim.model.sides import put_side
from towsim.model.vectors import ROUNDINGS, add, at3, cross, dot, extent, norm, scale, sub, without_rounding


@part()
def towards(P, a, b, length):
    """Unit vector from point a to point b; zero where they meet, as measured by the wire's length."""
    return direction(sub(at3(P, b), at3(P, a)), length)


@part()
def direction(d, length):
    """d as a unit vector, or zero where it is nothing to the wire's length."""
    distance = norm(d)
    return scale(1.0 / distance if distance > 1e-12 * length else 0.0, d)


@part()
def turn(before, after):
    """What two parts of a wire pull together, from their directions: nothing where it passes straight through."""
    d = sub(after, before)
    if extent(d) > ROUNDINGS:
        return d
    return without_rounding(d[0], 1.0), without_rounding(d[1], 1.0), without_rounding(d[2], 1.0)


@part()
def straight(routes, k, P):
    """The straight part behind the k-th of all routes' points, to the next one."""
    a = add(at3(P, routes.point[k]), leaves(routes, k))
    return sub(add(at3(P, routes.point[k + 1]), meets(routes, k + 1)), a)


@part()
def route_gaps(routes, points, P, R, length, gap):
    """Gaps ψ [m] of the wires with a route, at the points P (np, 3) and with the bodies' rotations R."""
    if routes is not None:
        for i in range(routes.wire.shape[0]):
            wind(routes, points, i, P, R)
            psi = length[routes.wire[i]]
            for k in range(routes.first[i], routes.first[i + 1] - 1):
                psi -= norm(straight(routes, k, P))
            for k in range(routes.first[i], routes.first[i + 1]):
                psi -= routes.arc[k]
            gap[routes.row[i]] = psi
        for c in range(routes.rubbing.shape[0]):
            gap[routes.rubbing[c, 0]] = 0.0


@part()
def route_rows(routes, rows, points, P, arm, robot_rate, length, length_rate, J, rate):
    """Write the sides' directions into J, ∂ψ/∂t [m/s] into the rows of rate, and the bounds of the friction."""
    if routes is not None:
        for i in range(routes.wire.shape[0]):
            w = routes.wire[i]
            r = length_rate[w]
            before = (0.0, 0.0, 0.0)
            for k in range(routes.first[i], routes.first[i + 1]):
                at = routes.point[k]
                after = (0.0, 0.0, 0.0)
                if k + 1 < routes.first[i + 1]:
                    after = direction(straight(routes, k, P), length[w])
                d = turn(before, after)
                if routes.side[k] >= 0:
                    on_wheel = sub(cross(leaves(routes, k), after), cross(meets(routes, k), before))
                    side = rows.side[rows.ptr[routes.row[i]] + routes.side[k]]
                    put_side(J, side, d, add(cross(at3(arm, at), d), on_wheel))
                else:
                    r += dot(d, at3(robot_rate, points.robot[at]))
                before = after
            rate[routes.row[i]] = r
            if routes.friction[i] > 0.0:
                rub(routes, rows, i, points, P, arm, robot_rate, length[w], length_rate[w], J, rate)


@part(forceinline=False)
def rub(routes, rows, i, points, P, arm, robot_rate, length, length_rate, J, rate):
    """The rows of the friction of route i."""
    first, last = routes.first[i], routes.first[i + 1] - 1
    for bend in range(first + 1, last):
        c = routes.band[bend]
        row = routes.rubbing[c, 0]
        r = length_rate
        before = (0.0, 0.0, 0.0)
        for k in range(first, last + 1):
            at = routes.point[k]
            after = (0.0, 0.0, 0.0)
            if bend <= k < last:
                after = towards(P, at, routes.point[k + 1], length)
            d = turn(before, after)
            if routes.side[k] >= 0:
                put_side(J, rows.side[rows.ptr[row] + routes.side[k]], d, cross(at3(arm, at), d))
            else:
                r += dot(d, at3(robot_rate, points.robot[at]))
            before = after
        rate[row] = r
        a = towards(P, routes.point[bend - 1], routes.point[bend], length)
        b = towards(P, routes.point[bend], routes.point[bend + 1], length)
        angle = math.atan2(norm(cross(a, b)), dot(a, b)) + routes.turns[i]
        routes.bound[0, c] = -math.expm1(-routes.friction[i] * angle)
        routes.bound[1, c] = math.expm1(routes.friction[i] * angle)
