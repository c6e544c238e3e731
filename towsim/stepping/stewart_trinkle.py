"""The Stewart–Trinkle step: velocity level, order 1; one complementarity problem a step.

    M v⁺ − M v − h f − Jᵀ p = 0
    0 ≤ p ⟂ ψ/h + J v⁺ + ∂ψ/∂t ≥ 0          (free rows: = 0)
    u⁺ = u + h V v⁺                           (bodies: x⁺ = x + h v⁺, q⁺ = q ∘ exp(h Ω))

Rows, forces and ∂ψ/∂t are those of the beginning of the step, robots' included. What a wire may stretch is the Taylor
remainder of ψ over one step, ½h²|ψ̈|, and the next step takes it back: it does not add up.

Source: Stewart & Trinkle (1996) with ψ_w of the notes on towed bodies; the LCP is the Schur complement of the MLCP.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from towsim.compiled import part
from towsim.constraints.elastic import euler_bias, euler_compliance
from towsim.constraints.rows import assemble, inverse_inertia_times, row_rates, wrenches
from towsim.dynamics.bodies import advance, free_motion, kick
from towsim.dynamics.mrfe import advance_cables, free_cables, kick_cables
from towsim.stepping.geometry import geometry, row_directions
from towsim.stepping.recording import record_pose, record_rates, record_rows
from towsim.stepping.watch import jerk_step


@part()
def linear_problem(model, drive, k, h, v, v_drag, theta, work):
    """Free motion over a step of h, the rows' directions, and A = J Y Jᵀ: what both steppers share."""
    nb = model.bodies.mass.shape[0]
    free_motion(
        model.bodies, model.loads, drive.load[k], drive.wind[k], v, v_drag, work.R, work.Y, h, theta,
        work.minv, work.f, work.u,
    )  # fmt: skip
    row_directions(model, drive.robot_rate[k], drive.length_rate[k], work)
    inverse_inertia_times(model.rows, work.minv, work.Y, work.tip, nb, work.J, work.W)
    assemble(model.rows, work.J, work.W, work.A)


@part()
def begin(model, cables, drive, k, h, q, v, work):
    """Write the step's problem 0 ≤ A p + q ⟂ p ≥ 0 to ``work``; drive sample k is the beginning of the step."""
    for i in range(model.bodies.mass.shape[0]):
        for j in range(3):
            work.v_drag[i, j] = v[6 * i + j]
    if cables is not None:
        nb = model.bodies.mass.shape[0]
        free_cables(
            cables, nb, model.bodies.gravity, q, v, drive.robot[k], drive.robot_rate[k],
            drive.robot_rate[k + 1], h, work.cable, work.tip, work.u,
        )  # fmt: skip
    euler_compliance(model.springs, h * h, h, drive.length[k], model.rows, work)
    linear_problem(model, drive, k, h, v, work.v_drag, 1.0, work)
    frequency = 1.0 / h
    for i in range(work.bias.shape[0]):
        work.bias[i] = frequency * work.gap[i] + work.rate[i]
    euler_bias(model.springs, h, model.rows, work)
    row_rates(model.rows, work.J, work.u, work.bias, work.q)


@part()
def end(model, cables, drive, k, h, state, work, record, watch, time):
    """Apply the impulses ``work.p``, advance the state to drive sample k+1, and record it in row k+1."""
    q, v = state.q, state.v
    wrenches(model.rows, work.J, work.p, work.wrench)
    kick(model.bodies, v, work.u, work.f, work.minv, work.wrench, h, work.v_new)
    jerk_step(model, work, v, work.v_new, h, time, watch)
    advance(model.bodies, q, work.v_new, work.R, h, q)
    if cables is not None:
        kick_cables(cables, model.bodies.mass.shape[0], v, work.wrench, h, work.cable, work.v_new)
        advance_cables(cables, model.bodies.mass.shape[0], q, work.v_new, h)
    geometry(model, cables, q, drive.robot[k + 1], drive.length[k + 1], work)
    record_pose(model.bodies, q, work.gap, record, k + 1)
    record_rates(model.bodies, v, work.v_new, 0.0, 1.0, h, work.Y, record, k + 1)
    record_rows(work.p, h, record, k + 1)
    for i in range(v.shape[0]):
        v[i] = work.v_new[i]
