"""What acts on the bodies of a scene at rest, and how that changes as they move: from the model that the steppers read.

    G = f + Jᵀ p,      K = −∂G/∂x at constant p,      ψ,  J = ∂ψ/∂x

with the applied forces f, the rows' gaps ψ and directions J (constraints/), and the multipliers p in place of impulses.
x are small moves of the bodies: six a body, a translation and a rotation vector in world axes. K is the geometric
stiffness, of second order in the gaps; it is found by central differences of G, the model's own laws, to some 1e-10.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

from solvers.kernels.compiled import kernel, part
from towsim.constraints.joint import motors
from towsim.constraints.rows import wrenches
from towsim.dynamics.bodies import drag_impulses, free_motion
from towsim.dynamics.wheels import weigh_wheels
from towsim.methods.geometry import geometry, row_directions
from towsim.model.arrays import Floats, Floats3, Floats6, Ints2
from towsim.model.vectors import exponential, quaternion_product


class Still(NamedTuple):
    """What is known of the instant, with all rates zero, and the state that is looked at."""

    robot: Floats3  # (n_robots, 3) [m]
    length: Floats  # (nw,) [m]
    load: Floats3  # (nl, 3)
    wind: Floats  # (3,)
    motor: Floats  # (nm,)
    no_rate: Floats3  # (n_robots, 3) zeros
    no_feed: Floats  # (nw,) zeros
    glue: Ints2  # (m, 2) points at cables' ends, and the points to which they are closed
    q: Floats  # (nq,)
    q_moved: Floats  # (nq,)
    v: Floats  # (nv,) zeros
    p: Floats  # (nr,)
    G: Floats6  # (nb, 6)
    K: Floats  # (6 nb, 6 nb)


@part(forceinline=False)
def forces(model, still, q, work):
    """Geometry, rows and forces at the coordinates q, to ``work``; the sums f + Jᵀ p stand in ``work.u``."""
    geometry(model, q, still.robot, still.length, work)
    for i in range(still.glue.shape[0]):
        for j in range(3):
            work.P[still.glue[i, 0], j] = work.P[still.glue[i, 1], j]
    free_motion(model.bodies, model.loads, still.load, still.wind, still.v, 1.0, 0.0, work)
    drag_impulses(model.drags, still.wind, 1.0, work)
    row_directions(model, still.no_rate, still.length, still.no_feed, work)
    motors(model.joints, model.points, still.motor, 1.0, work)
    wrenches(model.rows, work.J, still.p, work.wrench)
    for i in range(model.bodies.mass.shape[0]):
        for j in range(6):
            work.u[i, j] = work.f[i, j] + work.wrench[i, j]
    weigh_wheels(model.wheels, model.points, model.bodies.gravity, q, work)


@kernel()
def forces_at(model, still, work, step, length):
    """G at ``still.q``; K by differences over turns by ``step`` > 0 [rad] and moves by as much of a ``length`` [m].

    Geometry and rows are in ``work``.
    """
    nb = model.bodies.mass.shape[0]
    if step > 0.0:
        for i in range(still.q.shape[0]):
            still.q_moved[i] = still.q[i]
        for i in range(nb):
            for j in range(6):
                k, move = 6 * i + j, step * length if j < 3 else step
                for side in range(2):
                    shift(still.q, still.q_moved, i, j, move if side == 0 else -move)
                    forces(model, still, still.q_moved, work)
                    sign = -0.5 / move if side == 0 else 0.5 / move
                    for a in range(nb):
                        for b in range(6):
                            value = sign * work.u[a, b]
                            still.K[6 * a + b, k] = value if side == 0 else still.K[6 * a + b, k] + value
                for b in range(7):
                    still.q_moved[7 * i + b] = still.q[7 * i + b]
    forces(model, still, still.q, work)
    for a in range(nb):
        for b in range(6):
            still.G[a, b] = work.u[a, b]


@part()
def shift(q, out, i, j, step):
    """Pose of body i, moved by ``step`` along, or turned about, world axis j (− 3)."""
    if j < 3:
        out[7 * i + j] = q[7 * i + j] + step
    else:
        turn = exponential((step if j == 3 else 0.0, step if j == 4 else 0.0, step if j == 5 else 0.0))
        k = 7 * i + 3
        p = quaternion_product(turn, (q[k], q[k + 1], q[k + 2], q[k + 3]))
        for b in range(4):
            out[k + b] = p[b]
