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

from solvers.active_set.implicit import tell
from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import moves
from solvers.kernels.fours import put_all, put_less
from towsim.constraints.axis import SPRING
from towsim.constraints.elastic import NOW, midpoint_springs, open_springs
from towsim.constraints.joint import joint_springs, open_joint_springs
from towsim.constraints.rows import gap_rate, row_rates, wrenches
from towsim.constraints.sheave import move_parts, part_springs
from towsim.constraints.switch import mend, pass_on
from towsim.dynamics.arms import (
    advance_arms,
    bases_of_step,
    kick_arms,
    motion_of_arms,
)
from towsim.dynamics.bodies import advance, kick
from towsim.dynamics.cables import advance_cables, free_cables, kick_cables, locate_cables
from towsim.dynamics.reactions import jump_arms, record_arms, strike_arms
from towsim.dynamics.rings import ring_drift
from towsim.dynamics.sheaves import kick_sheaves, record_sheaves
from towsim.dynamics.wheel_rows import wheel_drift
from towsim.methods.contact_events import note_contacts, note_limits
from towsim.methods.geometry import geometry
from towsim.methods.impact import rebound
from towsim.methods.impulses import jumps, note_jumps, tell_apart, wires_break
from towsim.methods.linear import drag_at, linear_problem
from towsim.methods.loop import FULL, GOOD, begin_block, decide, judge, note, record_least_norm, rounding_of_gaps
from towsim.methods.recording import record_cables, record_gaps, record_pose, record_rates, record_rows
from towsim.methods.watch import after_break, break_step, jerk_step, row_rate, slack_step
from towsim.methods.work import EVENT_ROOM, GAPS, STEP
from towsim.model.arrays import FREE

CLOSING = 3
"""Steps in which a row that has closed removes its gap, its rate, and the gap that turning at new rates makes."""


@kernel(pieces=("end", "begin", "begin_block", "linear_problem", "note", "tell_apart", "decide"))
def run_block(run, block, ask, k, solved, last):
    """Run from sample k to sample ``last``; returns (good steps, why it stops, problems solved, a number more).

    UNDECIDED hands a problem out. The block goes on once impulses and rates are in ``work.p`` and ``work.w``, and how
    they were found in ``work.answer``; see ``loop.solve_problem`` for the number.

    Parameters
    ----------
    run, block : handles of ``RunArrays`` and ``BlockArrays``
    ask : whether all problems are handed out
    k, solved : 0, 0; after UNDECIDED the step under way, and how many of its problems are solved
    """
    if k == 0 and solved == 0:
        begin_block(run, block)
    while k < last:  # one loop for steps and problems: what does not change is then worked out once a block
        if solved == 0 or wires_break(run.model.switches, run, block, k, run.h, CLOSING):  # then without them
            if solved == 0:
                begin(run, block, k)
            found, detail = decide(run, ask, k)
            if found != GOOD:
                return k, found, solved, detail
            solved += 1
            continue
        take(run, block, k)
        end(run, block, k)
        found, taut = judge(run, run.cables, block.drive.length[k], block.drive.feed[k + 1], run.h)
        if found != GOOD:
            return k, found, 0, 0
        after_step(run, block, k, taut)
        k, solved = k + 1, 0
        if run.watch.found[0] >= EVENT_ROOM:
            return k, FULL, 0, 0
    return last, GOOD, 0, 0


@part()
def begin(run, block, k):
    """Write the step's problem 0 ≤ A p + q ⟂ p ≥ 0 to ``work``; drive sample k is the beginning of the step."""
    model, work, drive, h, q, v = run.model, run.work, block.drive, run.h, run.state.q, run.state.v
    mend(model.switches, model.rows, work)
    rounding_of_gaps(model, drive, k, q, h, work)
    work.rounding[STEP] = work.rounding[GAPS]
    if drive.kink[k]:
        note_jumps(model, drive, k, work)
    free_cables(run.cables, model.bodies.gravity, drive, k, h, q, v, work)
    open_springs(model.springs, drive.length[k], model.rows, work)
    part_springs(model.sheaves, work)
    open_joint_springs(model.joints, model.rows)
    drag_at(model, v, work)
    bases_of_step(model.arms, drive, k, h, work)
    linear_problem(run, run.cables, drive, k, h, 1.0)
    if drive.kink[k]:
        jump_arms(model.arms, work)
    frequency = 1.0 / h
    for i in range(work.bias.shape[0]):
        work.closing[i] = gap_rate(work.gap[i], frequency, work.rounding[GAPS])
        work.bias[i] = work.closing[i] + work.rate[i]
    ring_drift(run.cables, model.balls, work)
    wheel_drift(model.wheels, model, drive.robot_rate[k], q, v, h, work)
    rates_of_springs(model.springs, model.joints, model, v, work)
    springs_at_border(run.values, model.springs, h, k, model.rows, work)
    midpoint_springs(model.springs, h, model.rows, work)
    joint_springs(model.joints, model.rows, h, work)
    row_rates(model.rows, work.J, work.u, work.bias, work.q)
    rebound(model.restitution, model, h, v, work)


@part()
def take(run, block, k):
    """Note how problem k was solved, and what of its impulses is of impacts."""
    note(run, run.cones, block.record, k + 1)
    tell_apart(run, block, k, CLOSING)


@part()
def end(run, block, k):
    """Apply the impulses ``work.p``, advance the state to drive sample k+1, and record it in row k+1."""
    model, work, h, q, v = run.model, run.work, run.h, run.state.q, run.state.v
    drive, record, watch, time = block.drive, block.record, run.watch, block.time[k] + run.h
    pass_on(model.switches, work)
    wrenches(model.rows, work.J, work.p, work.wrench)
    kick(model.bodies, v, work, h)
    kick_cables(run.cables, model.wheels, model.rows, h, v, work)
    kick_sheaves(model.sheaves, work)
    kick_arms(model.arms, model.bodies, work.p, h, v, work)
    strike_arms(model.arms, model.bodies, work.impulse, work)
    break_step(model.switches, model, work, v, work.v_new, k + 1, time, watch)
    jerk_step(model, jumps(block, k), work, v, work.v_new, time, watch)
    note_contacts(watch.contacts, model, work, v, work.v_new, h, time, watch)
    note_limits(watch.limits, model, work, v, work.v_new, time, watch)
    move_parts(model.sheaves, model.rows, work, h)
    advance(model.bodies, q, work.v_new, work.R, h, q)
    advance_cables(run.cables, model.wheels, q, work.v_new, h, q)
    known = drive.robot[k + 1], drive.robot_rate[k + 1], drive.feed[k + 1], drive.feed_rate[k + 1]
    locate_cables(run.cables, q, work.v_new, known, work)
    advance_arms(model.arms, drive.robot[k + 1], h, q, work)
    motion_of_arms(model.arms, model.bodies, work)
    geometry(model, q, drive.robot[k + 1], drive.length[k + 1], work)
    record_pose(model.bodies, q, record, k + 1)
    record_sheaves(model.sheaves, model.routes, drive.length[k + 1], work.v_new, record.sheaves, k + 1)
    record_rates(model.bodies, v, work.v_new, 0.0, 1.0, h, work.Y, record, k + 1)
    record_arms(model.arms, model.bodies, v, h, work, record.arms, k + 1)
    record_gaps(work.gap, record, k + 1)
    record_rows(work.p, work.impulse, 1.0 / h, record, k + 1)
    put_less(work.w, work.closing, work.rho)
    record_least_norm(run.values, work, record, k + 1)
    record_cables(run.cables, model, drive, k + 1, q, work.v_new, h, work, record, k + 1)
    put_all(work.v_new, v)


@part()
def after_step(run, block, k, taut):
    """Watch what has become slack, or broken; taut: whether no wire has, or was slack before."""
    if not taut:
        slack_step(run.model, run.work, block.drive.length[k + 1], run.h, block.time[k] + run.h, run.watch)
    after_break(run.model.switches, run.model.rows, run.work, run.state.p, run.watch)


@part()
def springs_at_border(values, springs, h, k, rows, work):
    """Note springs that other numbers have stretched, or slack, where ψ⁻ = 0 now: see ``midpoint_springs``.

    In ``values``, which is None with plain numbers.
    """
    if values is not None and springs is not None:
        for i in range(springs.row.shape[0]):
            row = springs.row[i]
            before = work.spring[i, NOW] - 0.5 * h * work.bias[row]
            if rows.kind[row] != FREE and moves(before) and abs(before) <= work.rounding[GAPS]:
                tell(values, k, row)


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
