"""What of the impulses of a multistep run is an impact, and what the watch is told of it.

In the step in which a row begins to act, and in the first one after that or a kink, velocities jump. In a first step,
of order 1, φ*/b is what the row's gap and its rate at the beginning ask for, and ½ b of what accelerations of known
motions and the turning of the row add. The former is an impact, whatever the step; the latter is a force, of which
there is none where nothing jumps. So rates are taken where the step begins, as :mod:`towsim.methods.impulses` has them.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from solvers.kernels.dual import moves, value
from towsim.dynamics.cables import locate_cables
from towsim.methods.bdf_events import ROUNDINGS
from towsim.methods.contact_events import has_limits, note_contacts, note_limits
from towsim.methods.geometry import geometry, row_directions
from towsim.methods.history import HEAD, MOST, NEXT, SHARE, TIME, know
from towsim.methods.impulses import HELD, between_bodies, closing, impacts
from towsim.methods.watch import jerk_step, row_rate
from towsim.methods.work import GAPS, STEP

CLOSING = 2
"""Steps in which a row that has closed removes its gap and its rate."""


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
