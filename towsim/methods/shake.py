"""The unilateral SHAKE step: order 2, no drift, one complementarity problem a step.

Poses live at the steps t_n, velocities v_{n−½} between them. With rows J, forces f and A = J Y Jᵀ at (u_n, t_n):

    û     = pose after the step with the impulses p̂ of the step before, and of joints their wrenches ŝ
    b     = ψ(û, t_{n+1})/h − A p̂ − J M⁻¹ ŝ
    0 ≤ p ⟂ A p + b ≥ 0                       (free rows: = 0)
    v_{n+½} = v_{n−½} + M⁻¹(h f + Jᵀ p),      u_{n+1} = u_n + h V v_{n+½}

so that ψ(u_{n+1}, t_{n+1}) is what A, taken at u_n, misses of p − p̂: of order h⁴ in smooth motion. The first kick lasts
h/2 and starts from v₀. Velocity at t_n is the mean of v_{n−½} and v_{n+½}; tension is p over the kick's duration. So
the last row of a run needs a kick as well, after which nothing moves. What is known of t_{n+1}, beyond the end, is
foreseen from the last two samples by Hermite's cubic, x_{n+1} = 5x_{n−1} − 4x_n + h (2ẋ_{n−1} + 4ẋ_n), of order h⁴.

Wrenches of joints are guessed as such, p̂ is 0 on their rows: joints that are redundant may brace each other with any
impulses, which would do no work now but would tear at them at the next pose, by more than is left to satisfy.

Source: SHAKE (Ryckaert, Ciccotti & Berendsen 1977; symplectic: Leimkuhler & Skeel 1994) with the wire's
complementarity in place of the equality. Arms, of reduced joints, are kicked and foreseen in their coordinates
(dynamics/arms).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import value
from towsim.constraints.elastic import kick_bias, kick_compliance, remember
from towsim.constraints.joint import begin_coordinates, end_coordinates, springs_at_midpoint
from towsim.constraints.rows import row_rates, wrenches
from towsim.constraints.switch import mend, pass_on
from towsim.dynamics.arms import (
    advance_arms,
    bases_of_kick,
    foresee_arms,
    half_way_of_arms,
    kick_arms,
    mean_motion_of_arms,
)
from towsim.dynamics.bodies import advance, foresee, has_own, kick
from towsim.dynamics.reactions import jump_arms, record_arms, strike_arms
from towsim.methods.contact_events import note_contacts, note_limits
from towsim.methods.geometry import geometry, predicted_gaps
from towsim.methods.impulses import jumps, known, note_jumps, tell_apart, wires_break
from towsim.methods.linear import drag_at, linear_problem
from towsim.methods.loop import FULL, GOOD, begin_block, decide, judge, note, record_least_norm, rounding_of_gaps
from towsim.methods.recording import record_gaps, record_pose, record_rates, record_rows
from towsim.methods.watch import after_break, break_step, jerk_step, slack_step
from towsim.methods.work import EVENT_ROOM, GAPS, STEP
from towsim.model.arrays import FREE, OFF

CLOSING = 6
"""Steps in which a row that has closed removes its gap and its rate, ringing."""

ROUNDINGS = 2.0
"""What is allowed for the rounding errors of a predicted gap, in allowances for those of a gap.

It is extrapolated from three, 3 ψ_n − 3 ψ_{n−1} + ψ_{n−2}.
"""

REST, LEVEL = 100.0, 10.0
"""Speed below which a body may be at rest, and rate of a row that is then 0, in allowances for rounding errors of ψ/h.

Wires that take turns because of rounding errors move a load by several allowances a step.
"""


@kernel(pieces=("drift", "kicked", "begin_block", "begin", "linear_problem", "note", "tell_apart", "decide"))
def run_block(run, block, ask, k, solved, stop):
    """Kicks k to ``stop`` − 1, and the drift after each; arguments and result as of ``stewart_trinkle.run_block``.

    A block of K steps has kicks 0 to K. The last one, of the last row, moves nothing, and is for the end of a run.
    """
    if k == 0 and solved == 0:
        begin_block(run, block)
    steps = block.time.shape[0] - 1
    while k < stop:
        # No impulses are known yet to predict the first pose with: it is solved twice.
        problems = 2 if block.first and k == 0 else 1
        if solved < problems or (
            k < steps and wires_break(run.model.switches, run, block, k, span_of(run, block, k), CLOSING)
        ):
            if solved < problems:
                begin(run, block, k, solved)
            found, detail = decide(run, ask, k)
            if found != GOOD:
                return k, found, solved, detail
            solved += 1
            continue
        take(run, block, k)
        kicked(run, block, k)
        if k == steps:
            return k, GOOD, 0, 0
        drift(run, block, k)
        found, taut = judge(run, None, block.drive.length[k], block.drive.feed[k], span_of(run, block, k))
        if found != GOOD:
            return k, found, 0, 0
        after_step(run, block, k, taut)
        k, solved = k + 1, 0
        if run.watch.found[0] >= EVENT_ROOM:
            return k, FULL, 0, 0
    return stop, GOOD, 0, 0


@part()
def span_of(run, block, k):
    """Time for which kick k acts [s]: half a step at the start of a run."""
    return 0.5 * run.h if block.first and k == 0 else run.h


@part()
def begin(run, block, k, solved):
    """Write the problem of kick k to ``work``; ``solved``: of the first kick's two problems."""
    model, work, drive, h = run.model, run.work, block.drive, run.h
    q, v, p = run.state.q, run.state.v, run.state.p
    span, steps = span_of(run, block, k), block.time.shape[0] - 1
    mend(model.switches, model.rows, work)
    rounding_of_gaps(model, drive, k, q, h, work)
    if span < h or k == steps:  # an attempt before may have left the geometry of the pose it predicted
        geometry(model, q, drive.robot[k], drive.length[k], work)
        record_pose(model.bodies, q, block.record, k)
        record_gaps(work.gap, block.record, k)
    if k == 0:
        begin_gaps(span < h, h, work)
    if span < h:
        first_guess(run, solved)
    if drive.kink[k]:
        note_jumps(model, drive, k, work)
    robot, length = work.robot_ahead, work.length_ahead
    if k == steps:
        foresee_drive(drive, k, h, work)
    else:
        robot, length = drive.robot[k + 1], drive.length[k + 1]
    kick_compliance(model.springs, h, drive.length[k], model.rows, work)
    bases_of_kick(model.arms, drive, k, robot, span, h, work)
    drag_velocity(run, drive, k, span)
    linear_problem(run, None, drive, k, span, 0.5)
    if drive.kink[k]:
        jump_arms(model.arms, work)
    predict(model, p, work)
    kick(model.bodies, v, work, span)
    foresee(model.bodies, q, work.v_new, work.R, work.Y, h, work.q_new, work.turn)
    foresee_arms(model.arms, model.bodies, robot, span, h, q, v, work)
    begin_coordinates(model.joints, work)
    # What is needed of lever arms at t_n is in J and W already.
    predicted_gaps(model, work.q_new, robot, length, work)
    exact = rates_to_expect(model, p, h, work.rounding[GAPS], work)
    work.rounding[STEP] = 0.0 if exact else ROUNDINGS * work.rounding[GAPS]
    kick_bias(model.springs, h, model.rows, p, work)
    springs_at_midpoint(model.joints, model.rows, h, span < h, p, work)


@part()
def take(run, block, k):
    """Note how problem k was solved, and what of its impulses is of impacts."""
    note(run, run.cones, block.record, k)
    tell_apart(run, block, k, CLOSING)


@part()
def kicked(run, block, k):
    """Velocities after the kick ``work.p``, in ``work.v_new``; record velocities and tensions of t_k in row k."""
    model, work, v, span = run.model, run.work, run.state.v, span_of(run, block, k)
    pass_on(model.switches, work)
    wrenches(model.rows, work.J, work.p, work.wrench)
    kick(model.bodies, v, work, span)
    kick_arms(model.arms, model.bodies, work.p, span, v, work)
    strike_arms(model.arms, model.bodies, work.impulse, work)
    robot = work.robot_ahead if k == block.time.shape[0] - 1 else block.drive.robot[k + 1]
    mean_motion_of_arms(model.arms, model.bodies, robot, run.h, run.state.q, work)
    before = 1.0 if span < run.h else 0.5
    record_rates(model.bodies, v, work.v_new, before, 1.0 - before, span, work.Y, block.record, k)
    record_arms(model.arms, model.bodies, v, span, work, block.record.arms, k)
    record_rows(work.p, work.impulse, 1.0 / span, block.record, k)
    record_least_norm(run.values, work, block.record, k)


@part()
def drift(run, block, k):
    """Advance the pose with the velocities after kick k, and record it in row k+1."""
    model, work, drive, h, q, v = run.model, run.work, block.drive, run.h, run.state.q, run.state.v
    break_step(model.switches, model, work, v, work.v_new, k + 1, block.time[k], run.watch)
    jerk_step(model, jumps(block, k), work, v, work.v_new, block.time[k], run.watch)
    note_contacts(run.watch.contacts, model, work, v, work.v_new, h, block.time[k], run.watch)
    note_limits(run.watch.limits, model, work, v, work.v_new, block.time[k], run.watch)
    guess(model, h / span_of(run, block, k), run.state, work)
    remember(model.springs, work)
    advance(model.bodies, q, work.v_new, work.R, h, q)
    advance_arms(model.arms, drive.robot[k + 1], h, q, work)
    for i in range(v.shape[0]):
        v[i] = work.v_new[i]
    geometry(model, q, drive.robot[k + 1], drive.length[k + 1], work)
    frequency = 1.0 / h
    for i in range(work.rho.shape[0]):
        rate = frequency * work.gap[i]
        work.rho[i] = rate - work.closing[i]
        work.closing[i] = rate
        block.record.gap[k + 1, i] = work.gap[i]
    end_coordinates(model.joints, work)
    record_pose(model.bodies, q, block.record, k + 1)


@part()
def after_step(run, block, k, taut):
    """As ``stewart_trinkle.after_step``."""
    span = span_of(run, block, k)
    if not taut:
        slack_step(run.model, run.work, block.drive.length[k + 1], span, block.time[k] + run.h, run.watch)
    after_break(run.model.switches, run.model.rows, run.work, run.state.p, run.watch)


@part()
def begin_gaps(first, h, work):
    """Gaps of the pose at hand, of all rows at the ``first`` kick and of those that have no step before."""
    for i in range(work.gap.shape[0]):
        if first or not known(work.rho[i]):
            work.closing[i] = work.gap[i] / h


@part()
def first_guess(run, solved):
    """What the first kick's two problems begin with: no impulses, then those of the first one."""
    work = run.work
    if solved > 0:
        for i in range(work.impulse.shape[0]):
            work.impulse[i] = 0.0  # those of a step before
        guess(run.model, 1.0, run.state, work)


@part()
def drag_velocity(run, drive, k, span):
    """Velocities at the middle of the kick, for what is not linear in drag: from a kick with the last impulses."""
    quadratic = has_own(run.model.drags)
    for i in range(run.model.bodies.mass.shape[0]):
        quadratic = quadratic or run.model.bodies.drag[i, 1] != 0.0
    drag_at(run.model, run.state.v, run.work)
    if quadratic:
        half_way(run, drive, k, span)


@part(forceinline=False)
def half_way(run, drive, k, span):
    """Write the mean velocity of a kick with the impulses of the step before to ``work.v_drag``."""
    model, work, v = run.model, run.work, run.state.v
    linear_problem(run, None, drive, k, span, 0.5)
    wrenches(model.rows, work.J, run.state.p, work.wrench)
    kick(model.bodies, v, work, span)
    for i in range(model.bodies.mass.shape[0]):
        for j in range(6):
            work.v_drag[i, j] = 0.5 * (v[6 * i + j] + work.v_new[6 * i + j])
    half_way_of_arms(model.arms, model.bodies, run.state.p, span, v, work)


@part()
def guess(model, scale, state, work):
    """Take the step's impulses, without impacts and times ``scale``, for those to expect in the next one."""
    for i in range(work.p.shape[0]):
        state.p[i] = scale * (work.p[i] - work.impulse[i])
    if model.balls.a.shape[0] > 0 or model.joints is not None:
        for i in range(work.p.shape[0]):
            work.w[i] = state.p[i] if rigid_joint(model.rows, i) else 0.0
        wrenches(model.rows, work.J, work.w, work.carried)


@part()
def rigid_joint(rows, i):
    """Whether row i belongs to a joint, and is not a spring or damper of it."""
    return rows.kind[i] == FREE and rows.compliance[i] == 0.0


@part()
def predict(model, p, work):
    """Wrenches on the nodes in ``work.wrench`` and rates of the rows in ``work.bias`` of the impulses to expect."""
    jointed = model.balls.a.shape[0] > 0 or model.joints is not None
    for i in range(p.shape[0]):
        work.w[i] = 0.0 if jointed and rigid_joint(model.rows, i) else p[i]
        work.q[i] = model.rows.compliance[i] * work.w[i]
    wrenches(model.rows, work.J, work.w, work.wrench)
    if jointed:
        for k in range(work.wrench.shape[0]):
            for j in range(6):
                work.wrench[k, j] += work.carried[k, j]
    row_rates(model.rows, work.W, work.wrench, work.q, work.bias)  # J Y = Wᵀ


@part()
def at_rest(model, rounding, work):
    """Whether nothing moves but by rounding errors: no robot or winch, and no body after the predicted step."""
    for i in range(work.rate.shape[0]):
        if work.rate[i] != 0.0:
            return False
    for i in range(model.bodies.mass.shape[0]):
        for j in range(3):
            speed, spin = abs(work.v_new[6 * i + j]), model.bodies.norm[i] * abs(work.v_new[6 * i + 3 + j])
            if not (speed <= REST * rounding and spin <= REST * rounding):
                return False
    return True


@part()
def rates_to_expect(model, p, h, rounding, work):
    """Write q from predicted gaps; returns whether it is free of rounding errors of positions.

    Where all is at rest, a row whose predicted gap and rate are of rounding size is taken at velocity level: q = J u +
    ∂ψ/∂t there, in which no positions are subtracted. A load on more wires than it needs stays where it is then, and
    nothing need be allowed for; by gaps, wires would take turns at pulling it by 1e-15 m. In motion it is the gaps that
    take back what positions are rounded by. Derivatives are those of the predicted gap in either case.
    """
    frequency = 1.0 / h
    rest = at_rest(model, rounding, work)
    if rest:
        row_rates(model.rows, work.J, work.u, work.rate, work.w)
    exact = rest
    for i in range(work.q.shape[0]):
        rate = frequency * work.gap[i]
        work.q[i] = rate - work.bias[i]
        if rest and work.kind[i] != OFF:
            level = abs(rate) <= LEVEL * rounding and model.rows.compliance[i] == 0.0
            if level:
                level = abs(work.w[i] + work.bias[i]) <= LEVEL * rounding
                moved = work.q[i] - value(work.q[i])
                work.q[i] = value(work.w[i]) + moved if level else work.q[i]
            exact &= level or (rate > LEVEL * rounding and p[i] == 0.0)  # or slack, as expected
    return exact


@part()
def foresee_drive(drive, k, h, work):
    """Write where robots will be and how long wires after sample k, the last one, to ``work``.

    What jumps has the mean rate of the step to come, and goes on with it, as winches under command do.
    """
    for i in range(work.robot_ahead.shape[0]):
        for j in range(3):
            x, v = drive.robot, drive.robot_rate
            if drive.robot_jump[k - 1, i, j] != 0.0 or drive.robot_jump[k, i, j] != 0.0:
                work.robot_ahead[i, j] = x[k, i, j] + h * v[k, i, j]
            else:
                work.robot_ahead[i, j] = cubic(x[k - 1, i, j], x[k, i, j], v[k - 1, i, j], v[k, i, j], h)
    for i in range(work.length_ahead.shape[0]):
        x, v = drive.length, drive.length_rate
        if drive.length_jump[k - 1, i] != 0.0 or drive.length_jump[k, i] != 0.0:
            work.length_ahead[i] = x[k, i] + h * v[k, i]
        else:
            work.length_ahead[i] = cubic(x[k - 1, i], x[k, i], v[k - 1, i], v[k, i], h)


@part()
def cubic(before, now, rate_before, rate_now, h):
    """Hermite's cubic through values and rates a step ago and now, a step from now."""
    return now + h * rate_now + (5.0 * (before - now) + h * (2.0 * rate_before + 3.0 * rate_now))
