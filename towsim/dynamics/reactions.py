"""What the joints of arms do to their bodies, which no row tells: the balance of each body's momentum.

    F = (m Δv − h f − Σ J_sᵀ p)/h,    T = (Δℓ − h τ − ..)/h        for the force and torque of all joints at a body

Of the rows' impacts π the joints pass on 𝓜 X z − Jᵀ π, z = (M + ..)⁻¹ Xᵀ Jᵀ π: an impulse, and no part of the force.

Source: Newton and Euler, over one step.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.dynamics.arms import motion, respond
from towsim.dynamics.tree import clear, velocities
from towsim.model.sides import component
from towsim.model.vectors import at9, mul, rotated


@part()
def strike_arms(arms, bodies, impulse, work):
    """What the joints pass on of the rows' impacts, to ``struck``: impulses that bodies get beside those of the rows.

    To be called between a kick and the next pose, whose motions of links it leaves undefined.
    """
    if arms is not None:
        own, hit = work.forest, False
        for k in range(arms.side.shape[0]):
            hit = hit or impulse[arms.row[k]] != 0.0
        clear(own.struck, 0, 6)
        if hit:
            clear(own.strike, 0, 6)
            for k in range(arms.side.shape[0]):
                for j in range(6):
                    own.strike[arms.body[arms.at[k]], j] += impulse[arms.row[k]] * work.J[component(arms.side[k], j)]
            respond(arms, own.strike, own)
            for i in range(own.ahead.shape[0]):
                own.ahead[i] = 0.0
            velocities(arms.tree, own.ahead, own.z, own.s)
            for i in range(arms.body.shape[0]):
                body = arms.body[i]
                speed, spin = motion(arms, i, own.s)
                ell = mul(rotated(at9(work.R, body), at9(bodies.inertia, body)), spin)
                for j in range(3):
                    own.struck[i, j] = (bodies.mass[body] + own.brake[i]) * speed[j] - own.strike[body, j]
                    own.struck[i, 3 + j] = ell[j] - own.strike[body, 3 + j]


@part()
def record_arms(arms, bodies, v, span, work, record, row):
    """What the joints do to the bodies: what their momenta gain in a kick beside what loads and rows give.

    v : velocities and momenta before; those after are in ``work.v_new``
    """
    if arms is not None:
        own = work.forest
        for i in range(arms.body.shape[0]):
            body = arms.body[i]
            for j in range(6):
                gain = work.v_new[6 * body + j] - v[6 * body + j]
                if j < 3:
                    gain *= bodies.mass[body] + own.brake[i]
                    record.impulse[row, i, j] = own.struck[i, j]
                rest = gain - span * work.f[body, j] - work.wrench[body, j] - own.struck[i, j]
                record.force[row, i, j] = rest / span
