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

from solvers.kernels.compiled import part
from towsim.constraints.axis import SPRING
from towsim.constraints.elastic import midpoint_springs, open_springs
from towsim.constraints.joint import joint_springs, motors, open_joint_springs
from towsim.constraints.rows import (
    assemble,
    gap_rate,
    inverse_inertia_times,
    row_rates,
    wrenches,
)
from towsim.constraints.tow import tow_matrix
from towsim.dynamics.arms import advance_arms, begin_arms, kick_arms
from towsim.dynamics.bodies import advance, free_motion, kick
from towsim.dynamics.cables import advance_cables, kick_cables, locate_cables, respond, responses
from towsim.methods.geometry import geometry, row_directions
from towsim.methods.impact import rebound
from towsim.methods.recording import record_cables, record_pose, record_rates, record_rows
from towsim.methods.touch import touch_step
from towsim.methods.watch import jerk_step, row_rate


@part()
def linear_problem(model, cables, drive, k, h, q, v, v_drag, theta, work):
    """Free motion over a step of h, the rows' directions, and A = J Y Jᵀ: what both steppers share."""
    free_motion(
        model.bodies, model.loads, drive.load[k], drive.wind[k], v, v_drag, work.R, work.Y, h, theta,
        work.minv, work.f, work.u,
    )  # fmt: skip
    row_directions(model, drive.robot_rate[k], drive.length[k], drive.length_rate[k], work)
    responses_and_matrix(model.rows.tow, model.rows.lists, model, cables, work)
    motors(model.joints, model.points, drive.motor[k], h, work)
    begin_arms(model.arms, drive, k, h, q, v, work)


@part()
def responses_and_matrix(tow, lists, model, cables, work):
    """Responses W = Y Jᵀ to unit impulses of the rows, and A = J W."""
    if tow is not None:
        tow_matrix(tow, work.minv, work.Y, work.J, work.W, work.A)
    if lists is not None:
        inverse_inertia_times(model.rows, work.minv, work.Y, model.bodies.mass.shape[0], work.J, work.W)
        if cables is not None:
            responses(cables, work.J, work.cable.H, work.W)
        assemble(model.rows, work.J, work.W, work.A)


@part()
def free_cables(cables, gravity, drive, k, h, q, v, work):
    """Velocities of the cables' ends after a step of h as if nothing were attached, with springs at q + h v."""
    frequency = 1.0 / h
    scratch = work.cable
    for i in range(scratch.robot_acceleration.shape[0]):
        for j in range(3):
            scratch.robot_acceleration[i, j] = frequency * (drive.robot_rate[k + 1, i, j] - drive.robot_rate[k, i, j])
    for c in range(cables.tip.shape[0]):
        scratch.feed_acceleration[c] = frequency * (drive.feed_rate[k + 1, c] - drive.feed_rate[k, c])
    advance_cables(cables, q, v, h, scratch.spring)
    known = drive.robot[k], drive.robot_rate[k], drive.feed[k], drive.feed_rate[k], drive.exit_force[k]
    respond(cables, gravity, q, v, scratch.spring, q, v, known, h, work)
    # The velocities of the ends: what they were, with the known motions of the end of the step, and d.
    locate_cables(
        cables, q, v, drive.robot[k], drive.robot_rate[k + 1], drive.feed[k], drive.feed_rate[k + 1], work
    )  # fmt: skip
    for c in range(cables.tip.shape[0]):
        for j in range(3):
            work.u[cables.tip[c], j] += scratch.tip_rate[c, j]
            if cables.root[c] >= 0:
                work.u[cables.root[c], j] += v[cables.v[c] + j]


@part()
def rates_of_springs(springs, joints, model, v, work):
    """Rates of the springs' rows before the step, by the velocities and momenta v, to ``work.bias``."""
    if springs is not None:
        for i in range(springs.row.shape[0]):
            work.bias[springs.row[i]] = row_rate(model, work, v, springs.row[i])
    if joints is not None:
        for i in range(joints.axes.row.shape[0]):
            row = joints.axes.row[i, SPRING]
            if row >= 0:
                work.bias[row] = row_rate(model, work, v, row)


@part()
def begin(model, cables, drive, k, h, q, v, noise, work):
    """Write the step's problem 0 ≤ A p + q ⟂ p ≥ 0 to ``work``; drive sample k is the beginning of the step."""
    for i in range(model.bodies.mass.shape[0]):
        for j in range(3):
            work.v_drag[i, j] = v[6 * i + j]
    if cables is not None:
        free_cables(cables, model.bodies.gravity, drive, k, h, q, v, work)
    open_springs(model.springs, drive.length[k], model.rows, work)
    open_joint_springs(model.joints, model.rows)
    linear_problem(model, cables, drive, k, h, q, v, work.v_drag, 1.0, work)
    frequency = 1.0 / h
    for i in range(work.bias.shape[0]):
        work.bias[i] = gap_rate(work.gap[i], frequency, noise) + work.rate[i]
    rates_of_springs(model.springs, model.joints, model, v, work)
    midpoint_springs(model.springs, h, model.rows, work)
    joint_springs(model.joints, model.rows, h, work)
    row_rates(model.rows, work.J, work.u, work.bias, work.q)
    rebound(model.restitution, model, h, v, work)


@part()
def end(model, cables, drive, k, h, state, work, record, watch, time):
    """Apply the impulses ``work.p``, advance the state to drive sample k+1, and record it in row k+1."""
    q, v = state.q, state.v
    for i in range(work.p.shape[0]):
        work.rho[i] = work.w[i] - work.bias[i] + work.rate[i]
    wrenches(model.rows, work.J, work.p, work.wrench)
    kick(model.bodies, v, work.u, work.f, work.minv, work.wrench, h, work.v_new)
    kick_arms(model.arms, model.bodies, h, v, work)
    jerk_step(model, drive.kink[k], work, v, work.v_new, time, watch)
    touch_step(watch.touch, model, work, v, work.v_new, h, time, watch)
    advance(model.bodies, q, work.v_new, work.R, h, q)
    if cables is not None:
        kick_cables(cables, h, work)
        for i in range(cables.v[0], v.shape[0]):
            work.v_new[i] = v[i] + work.cable.d[i]
        advance_cables(cables, q, work.v_new, h, q)
        locate_cables(
            cables, q, work.v_new, drive.robot[k + 1], drive.robot_rate[k + 1], drive.feed[k + 1],
            drive.feed_rate[k + 1], work,
        )  # fmt: skip
    advance_arms(model.arms, model.bodies, drive.robot[k + 1], drive.robot_rate[k + 1], h, q, work)
    geometry(model, q, drive.robot[k + 1], drive.length[k + 1], work)
    record_pose(model.bodies, q, work.gap, record, k + 1)
    record_rates(model.bodies, v, work.v_new, 0.0, 1.0, h, work.Y, record, k + 1)
    record_rows(work.p, work.impulse, h, record, k + 1)
    if cables is not None:
        record_cables(model, cables, drive, k + 1, q, work.v_new, h, work, record.cables, k + 1)
    for i in range(v.shape[0]):
        v[i] = work.v_new[i]
