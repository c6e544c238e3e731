"""The loop over a block of steps, compiled: problem, solution, state, again.

A step that cannot be solved, or that would stretch a wire beyond the limit, ends the block; the caller learns the
number of good steps and why, and takes it from there. A problem that the loop does not solve itself (it needs a
search, or was asked for) is handed out as UNDECIDED: its answer goes to ``work``, and the loop is called to go on.

There is one kernel, whatever is asked of it: another one would be compiled of the same parts again.

Arguments that are None (no cables, no friction, no SHAKE) make numba leave out their branches: only what a scene needs
is compiled.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from solvers.kernels.compiled import kernel, part
from towsim.constraints.switch import mend, overload
from towsim.dynamics.cables import locate_cables
from towsim.methods import shake, stewart_trinkle
from towsim.methods.geometry import geometry
from towsim.methods.impulses import note_jumps, tell_apart
from towsim.methods.recording import record_cables, record_pose, record_rates
from towsim.methods.solve import cone_newton, count_held, warm_start
from towsim.methods.watch import after_break, break_step, slack_step
from towsim.methods.work import EVENT_ROOM, GAPS, STEP

if TYPE_CHECKING:
    from solvers.friction.cone import Cones
    from solvers.kernels.handle import Handle
    from towsim.methods.work import Record, Work
    from towsim.model.arrays import Cables, Drive, Floats, Ints, Model, State

GOOD, UNSOLVED, STRETCHED, FULL, NOT_FINITE, UNDECIDED, STRAINED, LOST = 0, 1, 2, 3, 4, 5, 6, 7

SOLVE, ASK, CLOSE = 0, 1, 2
"""What to do: solve the problems here, or hand all of them out; CLOSE is added for the kick of SHAKE's last row."""


EPSILON = 2.0**-52
"""From 1 to the next number."""


@part()
def bounds(model, drive, q, h, share, work):
    """What holds for a block: the largest stretch allowed of each wire, and the rounding errors of ψ/h.

    A gap is a difference of numbers of the size of positions and lengths.

    share : stretch allowed, of a wire's length
    """
    extent = 1e-9
    for i in range(drive.robot.shape[1]):
        for j in range(3):
            extent = max(extent, abs(drive.robot[0, i, j]))
    for i in range(q.shape[0]):
        extent = max(extent, abs(q[i]))
    for i in range(drive.length.shape[1]):
        length = drive.length[0, i]
        extent = max(extent, abs(length))
        work.limit[i] = math.inf if model.wires.elastic[i] else share * length
    work.noise[GAPS] = 4.0 * EPSILON * extent / h


@part()
def begin_block(model, cables, drive, h, share, state, work, record):
    """Bring the geometry to the state, and make row 0 from it: forces and accelerations are not known there (NaN)."""
    if cables is not None:
        locate_cables(
            cables, state.q, state.v, drive.robot[0], drive.robot_rate[0], drive.feed[0], drive.feed_rate[0], work
        )
    bounds(model, drive, state.q, h, share, work)
    geometry(model, state.q, drive.robot[0], drive.length[0], work)
    record_pose(model.bodies, state.q, work.gap, record, 0)
    record_rates(model.bodies, state.v, state.v, 0.0, 1.0, 1.0, work.Y, record, 0)
    for i in range(model.bodies.mass.shape[0]):
        for j in range(3):
            record.acceleration[0, i, j] = math.nan
            record.angular_acceleration[0, i, j] = math.nan
    for i in range(work.p.shape[0]):
        record.force[0, i] = math.nan
        record.impulse[0, i] = 0.0
    record.residual[0] = math.nan
    if cables is not None:
        record_cables(model, cables, drive, 0, state.q, state.v, math.nan, work, record.cables, 0)
        for c in range(cables.tip.shape[0]):
            for j in range(3):
                record.cables.exit_force[0, c, j] = math.nan


@part()
def span_of(order2, h, first):
    """Duration of the kick: h, and h/2 for SHAKE's first."""
    return 0.5 * h if order2 is not None and first else h


@part()
def begin_step(model, cables, drive, k, h, order1, order2, first, closing, state, work, record):
    """Write the problem of the step, or of the kick of the last row, to ``work`` (A, q, its rounding)."""
    noise = work.noise[GAPS]
    work.noise[STEP] = shake.ROUNDINGS * noise if order2 is not None else noise
    mend(model.switches, model.rows, work)
    if order2 is not None and closing:
        geometry(model, state.q, drive.robot[k], drive.length[k], work)
        if drive.kink[k]:
            note_jumps(model, drive, k, work)
        record_pose(model.bodies, state.q, work.gap, record, k)
        shake.foresee_drive(drive, k, h, work)
        robot, length = work.robot_ahead, work.length_ahead
        if shake.begin(model, drive, k, robot, length, h, h, state, noise, work):
            work.noise[STEP] = 0.0
        return
    if order2 is not None:
        if first:  # an attempt before may have left the geometry of the pose it predicted
            geometry(model, state.q, drive.robot[k], drive.length[k], work)
            for i in range(work.gap.shape[0]):
                work.closing[i] = work.gap[i] / h
    if drive.kink[k]:
        note_jumps(model, drive, k, work)
    if order2 is not None:
        robot, length = drive.robot[k + 1], drive.length[k + 1]
        if shake.begin(model, drive, k, robot, length, h, span_of(order2, h, first), state, noise, work):
            work.noise[STEP] = 0.0
    if order1 is not None:
        stewart_trinkle.begin(model, cables, drive, k, h, state.q, state.v, noise, work)


@part()
def end_step(model, cables, drive, k, t, h, order1, order2, first, state, work, record, watch):
    """Apply the impulses, advance, record; returns GOOD or why the step is refused."""
    span = span_of(order2, h, first)
    break_step(model.switches, work, k + 1, t if order2 is not None else t + h, watch)
    if order2 is not None:
        shake.end(model, drive, k, h, span, first, state, work, record, watch, t)
    if order1 is not None:
        stewart_trinkle.end(model, cables, drive, k, h, state, work, record, watch, t + h)
    for i in range(work.limit.shape[0]):
        gap = work.gap[model.wires.row[i]]
        if not gap >= -work.limit[i]:
            return STRETCHED if gap == gap else NOT_FINITE
    for i in range(model.bodies.mass.shape[0]):
        x = state.q[7 * i] + state.q[7 * i + 1] + state.q[7 * i + 2] + state.q[7 * i + 6]
        if not abs(x) < 1e12:
            return NOT_FINITE
    if cables is not None:
        for i in range(cables.q[0], state.q.shape[0]):
            if not abs(state.q[i]) < 1e12:
                return NOT_FINITE
        for i in range(cables.v[0], state.v.shape[0]):
            if not abs(state.v[i]) < 1e12:
                return NOT_FINITE
    slack_step(model, work, drive.length[k + 1], span, t + h, watch)
    after_break(model.switches, work, state.p, watch)
    return GOOD


@part()
def broke_in_step(model, drive, k, h, order2, first, work, watch):
    """Whether wires broke under the impulses in ``work``: then the problem has changed and is to be solved again."""
    return overload(
        model.switches, model.routes, model.rows, drive.length[k], h, span_of(order2, h, first), work, watch
    )  # fmt: skip


@part()
def note(model, cones, residual, iterations, rank, scale, work, scratch, counts, record, row):
    """Record how the step was solved in row ``row``; rank of the solver's basis and scale of q: −1 if not known."""
    record.residual[row] = residual
    record.iterations[row] = iterations
    held, of_held = count_held(
        work.A, model.rows.envelope, work.kind, cones, work.q, work.p, work.w, rank, scale, work.known,
        work.mask, scratch, counts,
    )  # fmt: skip
    record.rank[row] = of_held
    record.unique[row] = of_held == held


class Steady(NamedTuple):
    """What the loop gets once a run."""

    model: Model
    cables: Cables | None
    cones: Cones | None  # of the friction
    order1: bool | None  # True for Stewart-Trinkle, None for SHAKE
    order2: bool | None  # the other way round
    share: float  # stretch at which a step is refused, of a wire's length
    state: State
    work: Work
    scratch: Floats  # the solvers' memory
    counts: Ints
    watch: Handle  # of a Watch


class Given(NamedTuple):
    """What the loop gets once a block."""

    drive: Drive
    time: Floats  # (K+1,) [s]
    h: float  # step [s]
    first: bool  # whether the block begins the run
    record: Record


@kernel()
def run_block(steady, given, task, begun, solved, last):
    """Run from sample ``begun`` to sample ``last``; returns (good steps, reason to stop, problems solved, detail).

    The detail is a pair; after UNSOLVED it begins with the solver's status. UNDECIDED hands a problem out: when it was
    not asked for, the detail says where ``active_set.search`` has to take over. The block goes on once impulses
    and rates are in ``work.p`` and ``work.w``, and residual, iterations and rank (−1: not known) in ``work.answer``.

    Parameters
    ----------
    steady, given : handles of ``Steady`` and ``Given``
    task : SOLVE or ASK; with CLOSE, GOOD says that the kick of the last row is in row ``last``
    begun, solved : 0, 0; after UNDECIDED the step under way, and how many of its problems are solved
    """
    return _run(
        steady.model, steady.cables, steady.cones, steady.order1, steady.order2, steady.share, steady.state,
        steady.work, steady.scratch, steady.counts, steady.watch, given.drive, given.time, given.h, given.first,
        given.record, task, begun, solved, last,
    )  # fmt: skip


@part()
def _run(
    model, cables, cones, order1, order2, share, state, work, scratch, counts, watch, drive, time, h, first, record,
    task, begun, solved, last,
):  # fmt: skip
    """As ``run_block``; what is None is left out of the code."""
    if begun == 0 and solved == 0:
        begin_block(model, cables, drive, h, share, state, work, record)
    residual, iterations, rank, scale = work.answer[0], int(work.answer[1]), int(work.answer[2]), -1.0
    row_of = 0 if order2 is not None else 1
    k, attempt, stop = begun, solved, last + 1 if task & CLOSE else last
    while k < stop:  # one loop for steps and attempts: what does not change is then worked out once a block
        closing = k == last
        start = first and k == 0 and not closing
        # No impulses are known yet to predict SHAKE's first pose with: it is solved twice.
        attempts = 2 if order2 is not None and start else 1
        if attempt < attempts or (not closing and broke_in_step(model, drive, k, h, order2, start, work, watch)):
            if attempt < attempts:
                if order2 is not None and attempt > 0:
                    for i in range(work.impulse.shape[0]):
                        work.impulse[i] = 0.0  # those of a step before
                    shake.guess(model, 1.0, state, work)
                begin_step(model, cables, drive, k, h, order1, order2, start, closing, state, work, record)
            if task & ASK:
                return k, UNDECIDED, attempt, (0, 0)
            if cones is None:
                residual, iterations, rank, known, scale = warm_start(
                    work.A, model.rows.envelope, work.q, work.kind, work.p, work.w, work.taut, scratch, counts,
                    work.noise[STEP],
                )  # fmt: skip
                if residual < 0.0:
                    return k, UNDECIDED, attempt, (iterations, known)
            else:
                status, iterations, residual = cone_newton(
                    work.A, model.rows.envelope, work.q, work.kind, cones, work.p, work.w, scratch
                )
                rank, scale = -1, -1.0
                if status != 0:
                    return k, UNSOLVED, 0, (status, 0)
            attempt += 1
            continue
        row = k + row_of
        note(model, cones, residual, iterations, rank, scale, work, scratch, counts, record, row)
        tell_apart(model, order1, start, drive.kink[k], state.v, work, scratch, counts)
        if order2 is not None and closing:
            shake.end_last(model, k, h, state, work, record)
            break
        reason = end_step(
            model, cables, drive, k, time[k], h, order1, order2, start, state, work, record, watch
        )  # fmt: skip
        if reason != GOOD:
            return k, reason, 0, (0, 0)
        k, attempt = k + 1, 0
        if watch.found[0] >= EVENT_ROOM:
            return k, FULL, 0, (0, 0)
    return last, GOOD, 0, (0, 0)
