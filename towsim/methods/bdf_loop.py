"""The loop over a block of BDF steps, compiled; steps are chosen, tried, kept or bracketed.

Samples of known motions need not be equidistant, and two of them may belong to one instant: before and after a kink.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from solvers.kernels.compiled import kernel, part
from towsim.dynamics.cables import extension
from towsim.methods import bdf
from towsim.methods.bdf import (
    BRACKET,
    COUNT,
    EVENTS,
    GROWN,
    HEAD,
    HIGH,
    LOCATED,
    LOW,
    NEXT,
    ORDER,
    RESTARTS,
    SAMPLE,
    SHARE,
    SIZE,
    TIME,
    choose,
    gap_after,
    know,
    remember,
    start_anew,
)
from towsim.methods.impulses import STEPS, grow_older, impacts, renew
from towsim.methods.loop import ASK, FULL, GOOD, NOT_FINITE, STRAINED, STRETCHED, UNDECIDED, note
from towsim.methods.loop import begin_block as locate
from towsim.methods.solve import warm_start
from towsim.methods.touch import touch_step
from towsim.methods.watch import jerk_step, slack_step
from towsim.methods.work import EVENT_ROOM, GAPS
from towsim.model.arrays import UNILATERAL

if TYPE_CHECKING:
    from towsim.methods.bdf import Multistep
    from towsim.methods.work import Record, Watch, Work
    from towsim.model.arrays import Cables, Drive, Flags, Floats, Ints, Model, State

AGAIN, KEPT, REACHED = 0, 1, 2

BEGIN, SOLVED, GO_ON = 0, 1, 2
"""How the loop is entered: at the block's beginning, after UNDECIDED, or after FULL."""

TOUCH = 1e-12
"""Gap below which a spring touches at the start [m]."""


@part()
def touch(springs, past, work):
    """Note which springs touch."""
    if springs is not None:
        for i in range(past.touching.shape[0]):
            past.touching[i] = work.gap[springs.row[i]] <= TOUCH


@part()
def begin_block(model, cables, drive, time, anew, first, h, share, state, past, work, record):
    """Make row 0 from the state, and start anew from there unless the history goes on."""
    locate(model, cables, drive, h, share, state, work, record)
    past.place[SAMPLE] = 0
    if anew:
        past.place[EVENTS] = 0
        if first:
            touch(model.springs, past, work)
        start_anew(past, time[0], state, drive.robot_rate[0], drive.feed_rate[0], h)


@part()
def begin_step(model, cables, drive, time, fresh, order, h, state, past, work):
    """Choose the next step and write its problem to ``work`` (A, q)."""
    k = past.place[SAMPLE]
    if fresh[k + 1]:
        k += 1
        past.place[SAMPLE] = k
        start_anew(past, time[k], state, drive.robot_rate[k], drive.feed_rate[k], h)
        if drive.kink[k]:
            renew(work)
    choose(past, order, h, time[k + 1])
    know(drive, time, k, past.clock[NEXT], past.known)
    bdf.begin(model, cables, state, past, work)


@part()
def crosses(model, springs, past, work, i):
    """Whether spring i closes or opens in the step under way."""
    gap = gap_after(model, past, work, springs.row[i])
    return gap > 0.0 if past.touching[i] else gap < 0.0


@part()
def same_pattern(model, past, work):
    """Whether the same unilateral rows are held, and the same springs touch, as at the last start."""
    same = True
    for i in range(work.p.shape[0]):
        if work.kind[i] == UNILATERAL:
            same = same and (work.p[i] > 0.0) == past.pattern[i]
    return same and same_touch(model, model.springs, past, work)


@part()
def same_touch(model, springs, past, work):
    """Whether the same springs touch."""
    same = True
    if springs is not None:
        for i in range(past.touching.shape[0]):
            same = same and not crosses(model, springs, past, work, i)
    return same


@part()
def adopt(model, past, work):
    """Make the pattern of held rows and of springs that touch the one that is watched."""
    for i in range(work.p.shape[0]):
        past.pattern[i] = work.p[i] > 0.0
    adopt_touch(model, model.springs, past, work)


@part()
def adopt_touch(model, springs, past, work):
    """Watch the springs that touch now."""
    if springs is not None:
        for i in range(past.touching.shape[0]):
            if crosses(model, springs, past, work, i):
                past.touching[i] = not past.touching[i]


@part()
def note_impacts(model, started, work, scratch, counts):
    """Write what of the step's impulses is an impact to ``work.impulse``, and add it up until it is recorded.

    Velocities jump in the first step after an event or a kink, of order 1, whose rates to be removed are φ*/b.
    """
    if grow_older(model, STEPS, work) and started:
        for i in range(work.p.shape[0]):
            work.smooth[i] = work.q[i] - (work.bias[i] if model.rows.compliance[i] == 0.0 else 0.0)
        impacts(model, work, scratch, counts)
    for i in range(work.p.shape[0]):
        work.passed[i] += work.impulse[i]


@part()
def note_events(model, past, kinked, h, work, watch):
    """Tell the watch over wires and contacts of the step under way, with the impulses of its duration in place of b."""
    if model.wires.row.shape[0] > 0 or model.contacts.point.shape[0] > 0:
        size = past.clock[NEXT] - past.clock[TIME]
        share = size / past.clock[SHARE]
        for i in range(work.p.shape[0]):
            work.p[i] *= share
        before = past.v[past.place[HEAD]]
        jerk_step(model, kinked, work, before, work.v_new, past.clock[NEXT], watch)
        touch_step(watch.touch, model, work, before, work.v_new, h, past.clock[NEXT], watch)
        for i in range(work.p.shape[0]):
            work.p[i] /= share


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


@part()
def end_step(model, cables, time, row, kinked, h, state, past, work, scratch, counts, out, watch):
    """Apply the impulses and judge the step: to be tried AGAIN, KEPT, or KEPT and a sample REACHED.

    row : (K+1,) row in which the state at each sample is recorded, −1 for none
    kinked : whether rates of known motions jump at the last sample
    """
    clock, place, known = past.clock, past.place, past.known
    bdf.correct(model, cables, past, work)
    size = clock[NEXT] - clock[TIME]
    same = same_pattern(model, past, work)
    event = False
    if place[COUNT] > 1 or place[BRACKET] == 1:
        if not same and place[EVENTS] < RESTARTS:
            if place[BRACKET] == 0:
                place[BRACKET] = 1
                clock[LOW] = 0.0
                clock[HIGH] = size
                return AGAIN
            clock[HIGH] = size
            if clock[HIGH] - clock[LOW] > LOCATED * h:
                return AGAIN
            event = True
        elif place[BRACKET] == 1:
            if size < clock[HIGH]:
                clock[LOW] = size
                if clock[HIGH] - size <= LOCATED * h:
                    clock[LOW] = clock[HIGH]
                return AGAIN
            event = True  # it was there before: more wires than are needed may bear a load in many ways
    k = place[SAMPLE]
    reached = clock[NEXT] >= time[k + 1]
    started = place[GROWN] == 0
    if event or not same:
        adopt(model, past, work)
    note_impacts(model, started, work, scratch, counts)
    note_events(model, past, kinked and started, h, work, watch)
    keep(state, past, work)
    if reached and row[k + 1] >= 0:
        bdf.record(model, cables, state, past, work, out, row[k + 1])
        slack_step(model, work, known.length[0], h, clock[TIME], watch)
    if event:
        place[EVENTS] += 1
        start_anew(past, clock[TIME], state, known.robot_rate[0], known.feed_rate[0], h)
    elif started:
        # Velocities may have jumped in this step: the state before it is no history to build on.
        place[COUNT] = 0
        remember(past, clock[TIME], state.q, state.v, known.robot_rate[0], known.feed_rate[0])
        clock[SIZE] *= 0.5
    if reached:
        place[SAMPLE] = k + 1
        place[EVENTS] = 0
        return REACHED
    return KEPT


@part()
def sound(model, cables, strain, state, past, work):
    """GOOD, or why the run must stop at this state."""
    if cables is not None:
        for c in range(cables.tip.shape[0]):
            if extension(cables, c, state.q) > strain * past.known.feed[0, c]:
                return STRAINED
    for i in range(work.limit.shape[0]):
        if not work.gap[model.wires.row[i]] >= -work.limit[i]:
            return STRETCHED
    for i in range(state.v.shape[0]):
        if not abs(state.v[i]) < 1e12:
            return NOT_FINITE
    return GOOD


class Steady(NamedTuple):
    """What the loop gets once a run."""

    model: Model
    cables: Cables | None
    order: int
    h: float  # full step [s]
    share: float  # stretch at which a step is refused, of a wire's length
    strain: float  # largest strain of cables allowed
    state: State
    past: Multistep
    work: Work
    scratch: Floats  # the active-set solver's memory
    counts: Ints
    watch: Watch


class Given(NamedTuple):
    """What the loop gets once a block."""

    drive: Drive
    time: Floats  # (K+1,) instants of the samples [s]
    fresh: Flags  # (K+1,) samples at which the history ends
    row: Ints  # (K+1,) row in which the state at each sample is recorded, -1 for none
    anew: bool  # whether the block begins without a history
    first: bool  # whether it begins the run
    record: Record


@kernel(vectorise=True)
def run_block(steady, given, task, entry):
    """Run to the last sample; returns (samples reached, reason to stop, 0, detail).

    UNDECIDED hands a problem out, as in ``stepping.loop.run_block``. FULL asks for the events to be taken from the
    watch: many steps may lie between two samples, so that the loop stops for it in their midst, and goes on from there.

    Parameters
    ----------
    steady, given : handles of ``Steady`` and ``Given``
    task : SOLVE or ASK
    entry : BEGIN, SOLVED or GO_ON
    """
    return _run(
        steady.model, steady.cables, steady.order, steady.h, steady.share, steady.strain, steady.state, steady.past,
        steady.work, steady.scratch, steady.counts, steady.watch, given.drive, given.time, given.fresh, given.row,
        given.anew, given.first, given.record, task, entry,
    )  # fmt: skip


@part()
def _run(
    model, cables, order, h, share, strain, state, past, work, scratch, counts, watch, drive, time, fresh, row, anew,
    first, out, task, entry,
):  # fmt: skip
    """As ``run_block``; what is None is left out of the code."""
    last = time.shape[0] - 1
    if entry == BEGIN:
        begin_block(model, cables, drive, time, anew, first, h, share, state, past, work, out)
    while past.place[SAMPLE] < last:
        residual, iterations, rank = work.answer[0], int(work.answer[1]), int(work.answer[2])
        scale = -1.0
        if entry != SOLVED:
            begin_step(model, cables, drive, time, fresh, order, h, state, past, work)
            if task == ASK:
                return past.place[SAMPLE], UNDECIDED, 0, (0, 0)
            residual, iterations, rank, known, scale = warm_start(
                work.A, model.rows.envelope, work.q, work.kind, work.p, work.w, work.taut, scratch, counts,
                work.noise[GAPS],
            )  # fmt: skip
            if residual < 0.0:
                return past.place[SAMPLE], UNDECIDED, 0, (iterations, known)
        entry = GO_ON
        k = row[past.place[SAMPLE] + 1]
        kinked = drive.kink[past.place[SAMPLE]]
        verdict = end_step(model, cables, time, row, kinked, h, state, past, work, scratch, counts, out, watch)
        if verdict == REACHED and k >= 0:
            note(model, None, residual, iterations, rank, scale, work, scratch, counts, out, k)
        if verdict != AGAIN:
            reason = sound(model, cables, strain, state, past, work)
            if reason != GOOD:
                return past.place[SAMPLE], reason, 0, (0, 0)
            if watch.found[0] >= EVENT_ROOM:
                return past.place[SAMPLE], FULL, 0, (0, 0)
    return last, GOOD, 0, (0, 0)
