"""The linearly implicit BDF-p step in delta form, on the position level; p = 1..4, one complementarity problem a step.

Through the last p states and the new one at t goes a polynomial; its derivative at t gives, for any spacing in time,

    q⁺ = Q + b v⁺,   v⁺ = V + b a⁺,      Q = Σ w_i q_i,  V = Σ w_i v_i

and a polynomial through the last p velocities alone predicts v* = Σ e_i v_i, q* = Q + b v*, a* = (v* − V)/b. Then

    (M + b C + b² K) d − Jᵀ p = b (f − C v* − K (q* − q₀) − M a*),   v⁺ = v* + d,   q⁺ = q* + b d
    0 ≤ p ⟂ J d + φ(q*, t)/b ≥ 0     (free rows: = 0),      force = p/b

with M, f, J at the starred state. Forces with springs and dampers of their own (elastic ground) are rows with a
compliance: from λ = −(k φ + c φ̇) at the end of the step,

    J d + p/(b (c + b k)) + (k φ* + c φ̇*)/(c + b k) = 0

A step starts anew (BDF1, then BDF2 in steps that double, then up to order p) at the start, at known kinks, and where
the pattern of held rows or touching springs changes; such an event is located by bisection of the step, and then by
Newton's iteration (methods/bdf_events).

In a first step φ*/b is what the row's gap and its rate at the beginning ask for, and ½ b of what accelerations of known
motions and the turning of the row add. The former is an impact, whatever the step; the latter is a force, of which
there is none where nothing jumps. So rates are taken where the step begins, as methods/impulses has them.

Source: BDF with variable coefficients (Hairer & Wanner II, ch. III.5 of vol. I); linearly implicit on index-3 DAEs.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import moves, value
from towsim.constraints.rows import let_idle, row_rates, wrenches
from towsim.dynamics.cables import kick_cables, locate_cables, respond
from towsim.dynamics.delta import correct_bodies, free_bodies, move_cables, predict_bodies
from towsim.methods.bdf_events import (
    AGAIN,
    LOCATED_HERE,
    ROUNDINGS,
    SMOOTH,
    adopt,
    located,
    spring_bias,
    spring_compliance,
    step_to_event,
    still_closes,
    touch_at_start,
)
from towsim.methods.contact_events import has_limits, note_contacts, note_limits
from towsim.methods.geometry import gaps, geometry, row_directions
from towsim.methods.history import (
    COUNT,
    EVENTS,
    GROWN,
    HEAD,
    MOST,
    NEXT,
    ORDER,
    SAME,
    SAMPLE,
    SHARE,
    SIZE,
    TIME,
    blend,
    choose_step,
    know,
    remember,
    start_anew,
)
from towsim.methods.impulses import HELD, between_bodies, closing, impacts
from towsim.methods.linear import matrix
from towsim.methods.loop import (
    FULL,
    GOOD,
    begin_block,
    decide,
    judge,
    note,
    record_least_norm,
    rounding_of_gaps,
)
from towsim.methods.recording import record_cables, record_gaps, record_pose, record_rates, record_rows
from towsim.methods.watch import jerk_step, row_rate, slack_step
from towsim.methods.work import EVENT_ROOM, GAPS, STEP

if TYPE_CHECKING:
    from solvers.active_set.implicit import Values
    from towsim.methods.history import Multistep
    from towsim.methods.work import Record, Watch, Work
    from towsim.model.arrays import Cables, Drive, Flags, Floats, Ints, State
    from towsim.model.model import Model

BEGIN, SOLVED, GO_ON = 0, 1, 2
"""How the loop is entered: at the block's beginning, after UNDECIDED, or after FULL."""

CLOSING = 2
"""Steps in which a row that has closed removes its gap and its rate."""


class RunArrays(NamedTuple):
    """What the loop gets once a run: as of ``loop.RunArrays``, and the history."""

    model: Model
    cables: Cables | None
    cones: None  # no friction
    large: None  # nor many rows
    order: int
    h: float  # full step [s]
    share: float  # stretch at which a step is refused, of a wire's length
    state: State
    past: Multistep
    work: Work
    scratch: Floats  # the active-set solver's memory
    counts: Ints
    watch: Watch
    values: Values | None  # where the numbers above are duals; None of plain ones


class BlockArrays(NamedTuple):
    """What the loop gets once a block. Samples need not be equidistant: two belong to one instant at a kink."""

    drive: Drive
    time: Floats  # (K+1,) instants of the samples [s]
    fresh: Flags  # (K+1,) samples at which the history ends
    row: Ints  # (K+1,) row in which the state at each sample is recorded, −1 for none
    anew: bool  # whether the block begins without a history
    first: bool  # whether it begins the run
    record: Record


@kernel(vectorise=True, pieces=("begin_run", "begin", "correct", "end", "located", "free_cables", "decide"))
def run_block(run, block, ask, entry, stop):
    """Run to sample ``stop``; returns (samples reached, reason to stop, 0, a number more).

    UNDECIDED hands a problem out, as in ``stewart_trinkle.run_block``. FULL asks for the events to be taken from the
    watch: many steps may lie between two samples, so that the loop stops for it in their midst, and goes on from there.

    Parameters
    ----------
    run, block : handles of ``RunArrays`` and ``BlockArrays``
    ask : whether all problems are handed out
    entry : BEGIN, SOLVED or GO_ON
    stop : sample at which the loop ends
    """
    past = run.past
    if entry == BEGIN:
        begin_run(run, block)
    while past.place[SAMPLE] < stop:
        if entry != SOLVED:
            begin(run, block)
            found, detail = decide(run, ask, past.place[SAMPLE])
            if found != GOOD:
                return past.place[SAMPLE], found, 0, detail
        entry = GO_ON
        correct(run)
        event = located(run, block)
        if event == AGAIN:
            continue
        end(run, block, event)
        known = past.known
        found, _ = judge(run, run.cables, known.length[0], known.feed[0], run.h)
        if found != GOOD:
            return past.place[SAMPLE], found, 0, 0
        if run.watch.found[0] >= EVENT_ROOM:
            return past.place[SAMPLE], FULL, 0, 0
    return past.place[SAMPLE], GOOD, 0, 0


@part(forceinline=False)
def begin(run, block):
    """Choose the next step, and write its problem to ``work`` (A, q)."""
    model, cables, past, work, state = run.model, run.cables, run.past, run.work, run.state
    next_instant(run, block)
    b, known = past.clock[SHARE], past.known
    rounding_of_gaps(model, known, 0, state.q, run.h, work)
    predict(run, cables)
    free_bodies(model.bodies, model.loads, known.load[0], known.wind[0], b, past.v_star, work)
    free_cables(run, cables)
    gaps(model, past.q_star, known.robot[0], known.length[0], work)
    row_directions(model, known.robot_rate[0], known.length[0], known.length_rate[0], work)
    spring_compliance(model, model.springs, past, work)
    matrix(model, cables, work)
    let_idle(model, work.A)
    frequency = 1.0 / b
    work.rounding[STEP] = work.rounding[GAPS] * run.h * frequency
    for i in range(work.bias.shape[0]):
        work.bias[i] = frequency * work.gap[i]
    spring_bias(model, model.springs, past, work)
    row_rates(model.rows, work.J, work.u, work.bias, work.q)


@part(forceinline=False)
def correct(run):
    """State after the step under way, from its impulses ``work.p``, into ``work.q_new`` and ``work.v_new``."""
    model, past, work = run.model, run.past, run.work
    b = past.clock[SHARE]
    wrenches(model.rows, work.J, work.p, work.wrench)
    correct_bodies(model.bodies, b, past, work)
    kick_cables(run.cables, None, model.rows, b, past.v_star, work)
    move_cables(run.cables, b, past.Q, work.v_new, work.q_new)


@part(forceinline=False)
def end(run, block, event):
    """Keep the step under way; record it where it reaches a sample, and start anew where something has happened."""
    model, past, work, state = run.model, run.past, run.work, run.state
    clock, place, known = past.clock, past.place, past.known
    k, same = place[SAMPLE], place[SAME] != 0
    reached, started = clock[NEXT] >= block.time[k + 1], place[GROWN] == 0
    anew = event == LOCATED_HERE or (started and not same and still_closes(model, past, work))
    if event != SMOOTH or not same:
        adopt(model, past, work)
    note_impacts(run, started, same)
    note_events(run, started, block.drive.kink[k])
    keep(state, past, work)
    if reached and block.row[k + 1] >= 0:
        record(run, block.record, block.row[k + 1])
        slack_step(model, work, known.length[0], run.h, clock[TIME], run.watch)
    if anew:
        place[EVENTS] += 1
        start_anew(past, clock[TIME], state, known.robot_rate[0], known.feed_rate[0], run.h)
    elif started:
        # Velocities may have jumped in this step: the state before it is no history to build on.
        place[COUNT] = 0
        remember(past, clock[TIME], state.q, state.v, known.robot_rate[0], known.feed_rate[0])
        clock[SIZE] *= 0.5
    if reached:
        place[SAMPLE] = k + 1
        place[EVENTS] = 0


@part(forceinline=False)
def begin_run(run, block):
    """Make row 0 from the state, and start anew from there unless the history goes on."""
    past = run.past
    begin_block(run, block)
    past.place[SAMPLE] = 0
    if block.anew:
        past.place[EVENTS] = 0
        if block.first:
            touch_at_start(run.model.rows, run.model.springs, past, run.work)
        start_anew(past, block.time[0], run.state, block.drive.robot_rate[0], block.drive.feed_rate[0], run.h)


@part()
def next_instant(run, block):
    """Choose the next step, and bring the known motions to its end."""
    past, drive, time = run.past, block.drive, block.time
    k = past.place[SAMPLE]
    if block.fresh[k + 1]:
        k += 1
        past.place[SAMPLE] = k
        start_anew(past, time[k], run.state, drive.robot_rate[k], drive.feed_rate[k], run.h)
    choose_step(past, run.order, run.h, time[k + 1])
    step_to_event(past)
    if past.place[GROWN] == 0:
        rates_at_start(run, block, k)
    know(drive, time, k, past.clock[NEXT], past.known)


@part(forceinline=False)
def rates_at_start(run, block, k):
    """Rates of all rows where a first step begins, by how much they jump there, and gaps over b.

    Before t = 0 all is at rest. Otherwise a rate has jumped by what it is more than at the end of the step before: as
    known motions have a kink, or a state was set by hand. Where neither is the case that is nothing, to the bit, though
    velocities at that end obey no row, only positions do.
    """
    past, work, state, known = run.past, run.work, run.state, run.past.known
    started, b = past.clock[TIME], past.clock[SHARE]
    for i in range(work.jump.shape[0]):
        work.jump[i] = 0.0
    if value(started) > 0.0:
        before = (past.place[HEAD] - 1) % MOST
        rates(run, past.q[before], past.v[before], work.jump)
    know(block.drive, block.time, k, started, known)
    rates(run, state.q, state.v, work.rho)
    for i in range(work.jump.shape[0]):
        work.jump[i] = work.rho[i] - work.jump[i]
        work.closing[i] = work.gap[i] / b


@part(forceinline=False)
def rates(run, q, v, out):
    """Write the rates of all rows in a state, with what is known in ``past.known``, to ``out``."""
    model, work, known = run.model, run.work, run.past.known
    locate_cables(run.cables, q, v, (known.robot[0], known.robot_rate[0], known.feed[0], known.feed_rate[0]), work)
    geometry(model, q, known.robot[0], known.length[0], work)
    row_directions(model, known.robot_rate[0], known.length[0], known.length_rate[0], work)
    for i in range(out.shape[0]):
        out[i] = row_rate(model, work, v, i)


@part()
def predict(run, cables):
    """Starred state, history sums and rates for the step under way; rotations and inverse inertias go to ``work``."""
    past, work, bodies = run.past, run.work, run.model.bodies
    b = past.clock[SHARE]
    blend(past.e, past.v, past.v_star)
    blend(past.w, past.v, past.V)
    blend(past.w, past.q, past.Q)
    frequency = 1.0 / b
    for i in range(bodies.mass.shape[0]):
        for j in range(7 * i + 3, 7 * i + 7):
            past.guess[j] = (
                past.e[0] * past.q[0, j]
                + past.e[1] * past.q[1, j]
                + past.e[2] * past.q[2, j]
                + past.e[3] * past.q[3, j]
            )
    for i in range(past.V.shape[0]):
        work.cable.rate[i] = frequency * (past.v_star[i] - past.V[i])
    predict_bodies(bodies, b, past, work)
    if cables is not None:
        move_cables(cables, b, past.Q, past.v_star, past.q_star)
        known, scratch, w = past.known, work.cable, past.w
        for i in range(scratch.robot_acceleration.shape[0]):
            for j in range(3):
                sums = 0.0
                for n in range(MOST):
                    sums += w[n] * past.robot_rate[n, i, j]
                scratch.robot_acceleration[i, j] = frequency * (known.robot_rate[0, i, j] - sums)
        for c in range(scratch.feed_acceleration.shape[0]):
            sums = 0.0
            for n in range(MOST):
                sums += w[n] * past.feed_rate[n, c]
            scratch.feed_acceleration[c] = frequency * (known.feed_rate[0, c] - sums)


@part()
def free_cables(run, cables):
    """Free motions d of the cables' ends, and their inverse inertias, at the starred state."""
    if cables is not None:
        past, state, known = run.past, run.state, run.past.known
        motions = known.robot[0], known.robot_rate[0], known.feed[0], known.feed_rate[0], known.exit_force[0]
        states = past.q_star, past.v_star, past.q_star, state.q, state.v
        respond(cables, run.model.bodies.gravity, states, motions, past.clock[SHARE], run.work)


@part(forceinline=False)
def note_impacts(run, started, same):
    """Write what of the step's impulses is an impact to ``work.impulse``, and add it up until it is recorded.

    Rates are removed, and velocities jump, in the step in which a row begins to act, which goes on for as long as that
    is located to, and in the first one after it or a kink, of order 1. That one begins with them: what else φ*/b has,
    ½ b of accelerations and of turning, is a force. What has acted all along removes only what has jumped.

    started : whether it is a first step;  same : whether the same rows act as before
    """
    model, work = run.model, run.work
    sudden = started and jumps(model, work)
    young = closing(model, CLOSING, work)
    for i in range(work.p.shape[0]):
        work.smooth[i] = work.q[i]
        if model.rows.compliance[i] == 0.0:
            if started and between_bodies(model, i):
                work.smooth[i] -= work.closing[i] + work.rho[i] if 0 < work.age[i] <= CLOSING else work.jump[i]
            elif started or work.age[i] == 1:
                work.smooth[i] -= work.bias[i]
    if sudden or (young and (started or not same)):
        impacts(model, work, run.large, run.scratch, run.counts, run.values is not None)
        run.watch.calm[0] = False  # taut wires may be jerked
    for i in range(work.p.shape[0]):
        work.passed[i] += work.impulse[i]
        work.jump[i] = 0.0  # all of it is passed on here: nothing is left for a second step


@part(forceinline=False)
def jumps(model, work):
    """Whether the rate of a row that acts jumps where a first step begins, or that of a joint with other numbers."""
    found = False
    for i in range(work.p.shape[0]):
        held = work.kind[i] == HELD
        if model.rows.compliance[i] == 0.0 and (held or work.p[i] > 0.0) and between_bodies(model, i):
            sudden = abs(value(work.jump[i])) > ROUNDINGS * work.rounding[STEP]
            found = found or sudden or (held and moves(work.jump[i]))
    return found


@part(forceinline=False)
def note_events(run, started, kinked):
    """Tell the watch over wires and contacts of the step under way, with the impulses of its duration in place of b.

    Whether an impact is a jerk of a taut wire is judged by what forces do in a full step, however short this one is.

    started : whether it is a first step, before which rates are those where it begins
    kinked : whether rates of known motions jump there
    """
    model, past, work, watch = run.model, run.past, run.work, run.watch
    if model.wires.row.shape[0] > 0 or model.contacts.point.shape[0] > 0 or has_limits(watch.limits):
        size = past.clock[NEXT] - past.clock[TIME]
        share = size / past.clock[SHARE]
        before = past.v[past.place[HEAD]]
        for i in range(work.p.shape[0]):
            work.p[i] = work.impulse[i] + share * (work.p[i] - work.impulse[i])
            work.smooth[i] *= run.h / past.clock[SHARE]
            if started:
                work.rate[i] += work.rho[i] - row_rate(model, work, before, i)
        coarse = work.rounding[GAPS]
        work.rounding[GAPS] = coarse * run.h / past.clock[SHARE]  # gaps are divided by b
        jerk_step(model, started and kinked, work, before, work.v_new, past.clock[NEXT], watch)
        note_contacts(watch.contacts, model, work, before, work.v_new, run.h, past.clock[NEXT], watch)
        note_limits(watch.limits, model, work, before, work.v_new, past.clock[NEXT], watch)
        work.rounding[GAPS] = coarse
        for i in range(work.p.shape[0]):
            work.p[i] = work.impulse[i] + (work.p[i] - work.impulse[i]) / share


@part()
def keep(state, past, work):
    """The step under way becomes the newest state."""
    t = past.clock[NEXT]
    for i in range(state.q.shape[0]):
        state.q[i] = work.q_new[i]
    for i in range(state.v.shape[0]):
        state.v[i] = work.v_new[i]
    past.clock[SIZE] = t - past.clock[TIME]
    past.clock[TIME] = t
    past.place[GROWN] = past.place[ORDER]
    remember(past, t, state.q, state.v, past.known.robot_rate[0], past.known.feed_rate[0])


@part(forceinline=False)
def record(run, out, row):
    """Record the state, and what the step to it has found, in row ``row``."""
    model, past, work, q, v = run.model, run.past, run.work, run.state.q, run.state.v
    b, known = past.clock[SHARE], past.known
    locate_cables(run.cables, q, v, (known.robot[0], known.robot_rate[0], known.feed[0], known.feed_rate[0]), work)
    geometry(model, q, known.robot[0], known.length[0], work)
    record_pose(model.bodies, q, out, row)
    record_gaps(work.gap, out, row)
    record_rates(model.bodies, past.V, v, 0.0, 1.0, b, work.Y, out, row)
    record_rows(work.p, work.impulse, 1.0 / b, out, row)
    for i in range(work.passed.shape[0]):
        out.impulse[row, i] = work.passed[i]
        work.passed[i] = 0.0
    record_least_norm(run.values, work, out, row)
    record_cables(run.cables, model, known, 0, q, v, b, work, out, row)
    note(run, None, out, row)
