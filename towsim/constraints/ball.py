"""Ball joints (point-to-point): two points stay together.

Law       φ = p_A − p_B = 0 (three rows, world axes)
Rate      φ̇ = ṗ_A − ṗ_B
Row k     +e_k at A, −e_k at B, both in the place p_B: an open joint makes no couple
Bias      φ/h + ∂φ/∂t over the ends that are robots
Impulse   +e_k p_k on A, −e_k p_k on B, any sign

Source: the point-to-point constraint of the notes on constraints, at velocity level.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.model.sides import put_side
from towsim.model.vectors import add, at3, cross, scale, sub


@part()
def ball_gaps(balls, P, gap):
    """Separations φ (nr,) [m] of the joints' points P (np, 3), written to the joints' rows."""
    for j in range(balls.a.shape[0]):
        for k in range(3):
            gap[balls.row[j, k]] = P[balls.a[j], k] - P[balls.b[j], k]


@part()
def ball_rows(balls, points, P, arm, robot_rate, J, rate):
    """Write the sides' directions into J and ∂φ/∂t [m/s] into the joints' rows of rate."""
    for j in range(balls.a.shape[0]):
        a, b = balls.a[j], balls.b[j]
        r_a = add(at3(arm, a), sub(at3(P, b), at3(P, a)))
        for k in range(3):
            e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            r = 0.0
            if balls.side_a[j, k] >= 0:
                put_side(J, balls.side_a[j, k], e, cross(r_a, e))
            elif points.robot[a] >= 0:
                r += robot_rate[points.robot[a], k]
            if balls.side_b[j, k] >= 0:
                m = scale(-1.0, e)
                put_side(J, balls.side_b[j, k], m, cross(at3(arm, b), m))
            elif points.robot[b] >= 0:
                r -= robot_rate[points.robot[b], k]
            rate[balls.row[j, k]] = r
