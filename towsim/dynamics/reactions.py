"""What the joints of arms do to their bodies, which no row tells: the balance of each body's momentum.

    F = (m Δv − h f − Σ J_sᵀ p)/h,    T = (Δℓ − h τ − ..)/h        for the force and torque of all joints at a body

Of the rows' impacts π, and where a base jumps by Δ, the joints pass on 𝓜 (X z + Δ) − Jᵀ π: an impulse, and no part of
the force. z = (M + ..)⁻¹ Xᵀ (Jᵀ π − 𝓜 Δ) are the rates that the joints gain by it. Without π it is what rows meet with.

Source: Newton and Euler, over one step.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.dynamics.arms import motion, respond
from towsim.dynamics.tree import clear, velocities
from towsim.model.sides import component, force, torque
from towsim.model.vectors import at9, dot, mul, rotated


@part(forceinline=False)
def jump_arms(arms, work):
    """Rates of rows that bodies of arms gain as their bases jump, before any row acts, to ``work.jolt``.

    Needs ``begin_arms``.
    """
    if arms is not None:
        for i in range(work.jolt.shape[0]):
            work.jolt[i] = 0.0
        clear(work.forest.strike, 0, 6)
        strike(arms, work.forest)
        for k in range(arms.side.shape[0]):
            side = arms.side[k]
            speed, spin = motion(arms, arms.at[k], work.forest.s)
            work.jolt[arms.row[k]] += dot(force(work.J, side), speed) + dot(torque(work.J, side), spin)


@part()
def strike_arms(arms, bodies, impulse, work):
    """What joints pass on of the impacts of rows and bases, to ``struck``: what bodies get beside the rows' impulses.

    To be called between a kick and the next pose, whose motions of links it leaves undefined.
    """
    if arms is not None:
        own, hit = work.forest, False
        for k in range(arms.side.shape[0]):
            hit = hit or impulse[arms.row[k]] != 0.0
        for b in range(arms.robot.shape[0]):
            for j in range(3):
                hit = hit or own.jump[b, j] != 0.0
        clear(own.struck, 0, 6)
        if hit:
            clear(own.strike, 0, 6)
            for k in range(arms.side.shape[0]):
                for j in range(6):
                    own.strike[arms.body[arms.at[k]], j] += impulse[arms.row[k]] * work.J[component(arms.side[k], j)]
            strike(arms, own)
            for i in range(arms.body.shape[0]):
                body = arms.body[i]
                speed, spin = motion(arms, i, own.s)
                ell = mul(rotated(at9(work.R, body), at9(bodies.inertia, body)), spin)
                for j in range(3):
                    own.struck[i, j] = (bodies.mass[body] + own.brake[i]) * speed[j] - own.strike[body, j]
                    own.struck[i, 3 + j] = ell[j] - own.strike[body, 3 + j]


@part(forceinline=False)
def strike(arms, own):
    """Motions of the links, and ``own.z``, that the impacts ``own.strike`` and jumps of the bases give them at once."""
    for b in range(arms.robot.shape[0]):
        for j in range(3):
            own.ahead[9 * b + j] = 0.0
            own.ahead[9 * b + 3 + j] = own.ahead[9 * b + 6 + j] = own.jump[b, j]
    respond(arms, own.strike, own.ahead, 6, own)
    velocities(arms.tree, own.ahead, own.z, own.s)


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
