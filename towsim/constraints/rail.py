"""Rails: a point B stays in the plane through the point A that is perpendicular to a direction t of A.

Law       φ = t·(p_B − p_A) = 0
Rate      φ̇ = t·(ṗ_B − ṗ_A) + (ω_A × t)·(p_B − p_A)
Row       force −t at A and +t at B, both in the place p_B: no couple is left over
Bias      φ/h + ∂φ/∂t over the ends that are robots
Impulse   p t on B, −p t on A, of any sign

Source: the "dot-2" constraint of Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), ch. 9.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.constraints.tilt import in_world
from towsim.model.sides import put_side
from towsim.model.vectors import add, at3, cross, dot, scale, sub


@part()
def rail_gaps(rails, P, R, gap):
    """Distances φ [m] of the points P (np, 3) from their planes, written to the rails' rows."""
    for i in range(rails.row.shape[0]):
        t = in_world(R, rails.node_a[i], at3(rails.t, i))
        gap[rails.row[i]] = dot(t, sub(at3(P, rails.b[i]), at3(P, rails.a[i])))


@part()
def rail_rows(rails, points, P, R, arm, robot_rate, J, rate):
    """Write the sides' directions into J and ∂φ/∂t [m/s] into the rails' rows of rate."""
    for i in range(rails.row.shape[0]):
        t = in_world(R, rails.node_a[i], at3(rails.t, i))
        rate[rails.row[i]] = slide_row(
            rails.a[i], rails.b[i], t, rails.side_a[i], rails.side_b[i], points, P, arm, robot_rate, J
        )


@part(forceinline=False)
def slide_row(a, b, t, side_a, side_b, points, P, arm, robot_rate, J):
    """Write the gradient of t·(p_B − p_A), t carried by A, to the sides; returns ∂/∂t of it [m/s]."""
    rate = 0.0
    if side_a >= 0:
        r = add(at3(arm, a), sub(at3(P, b), at3(P, a)))
        put_side(J, side_a, scale(-1.0, t), cross(t, r))
    elif points.robot[a] >= 0:
        rate -= dot(t, at3(robot_rate, points.robot[a]))
    if side_b >= 0:
        put_side(J, side_b, t, cross(at3(arm, b), t))
    elif points.robot[b] >= 0:
        rate += dot(t, at3(robot_rate, points.robot[b]))
    return rate
