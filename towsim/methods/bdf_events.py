"""Events of a multistep run: wires that tighten or slacken, springs that touch or part, located by bisection.

The pattern of held rows and touching springs is watched. Where it changes in a step, the step is tried again at half
its size, until the change is bracketed; from there the history starts anew.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.methods.contact_events import note_contacts
from towsim.methods.history import BRACKET, COUNT, EVENTS, HEAD, HIGH, LOW, NEXT, SHARE, TIME
from towsim.methods.impulses import closing, impacts
from towsim.methods.watch import jerk_step
from towsim.model.arrays import FREE, OFF, UNILATERAL

LOCATED = 1e-5
"""Width of the bracket in which an event counts as located, relative to the full step."""

RESTARTS = 64
"""Events that are located between two recorded instants; further ones are only started from."""

CLOSING = 2
"""Steps in which a row that has closed removes its gap and its rate."""

TOUCH = 1e-12
"""Gap below which a spring touches at the start [m]."""

SMOOTH, AGAIN, LOCATED_HERE = 0, 1, 2


@part(forceinline=False)
def touch_at_start(rows, springs, past, work):
    """Note which springs touch; those that push and pull always do."""
    if springs is not None:
        for i in range(past.touching.shape[0]):
            past.touching[i] = work.gap[springs.row[i]] <= TOUCH or rows.kind[springs.row[i]] == FREE


@part()
def gap_after(model, past, work, row):
    """Gap of a row after the step under way, to first order in d: φ* + b J d [m]."""
    moved = work.w[row] - work.bias[row] - model.rows.compliance[row] * work.p[row]
    return work.gap[row] + past.clock[SHARE] * moved


@part()
def crosses(model, springs, past, work, i):
    """Whether spring i closes or opens in the step under way; one that pushes and pulls does neither."""
    gap = gap_after(model, past, work, springs.row[i])
    if model.rows.kind[springs.row[i]] == FREE:
        return False
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


@part(forceinline=False)
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
def bracketed(past, same, h):
    """What to make of the step under way: SMOOTH, to be tried AGAIN, or an event LOCATED_HERE, at its end.

    same : whether the pattern is that of the last start
    """
    clock, place = past.clock, past.place
    size = clock[NEXT] - clock[TIME]
    if place[COUNT] <= 1 and place[BRACKET] == 0:
        return SMOOTH
    if not same and place[EVENTS] < RESTARTS:
        if place[BRACKET] == 0:
            place[BRACKET] = 1
            clock[LOW] = 0.0
            clock[HIGH] = size
            return AGAIN
        clock[HIGH] = size
        return AGAIN if clock[HIGH] - clock[LOW] > LOCATED * h else LOCATED_HERE
    if place[BRACKET] == 1:
        if size < clock[HIGH]:
            clock[LOW] = size
            if clock[HIGH] - size <= LOCATED * h:
                clock[LOW] = clock[HIGH]
            return AGAIN
        return LOCATED_HERE  # it was there before: more wires than are needed may bear a load in many ways
    return SMOOTH


@part(forceinline=False)
def note_impacts(run, changed):
    """Write what of the step's impulses is an impact to ``work.impulse``, and add it up until it is recorded.

    Rates φ*/b are removed, and velocities jump, in the step in which a row begins to act, which goes on for as long as
    that is located to, and in the first one after it or a kink, of order 1.

    changed : whether it is one of these
    """
    model, work = run.model, run.work
    young = closing(model, CLOSING, work)
    for i in range(work.p.shape[0]):
        work.smooth[i] = work.q[i] - (work.bias[i] if model.rows.compliance[i] == 0.0 else 0.0)
    if changed and young:
        impacts(model, work, run.scratch, run.counts)
    for i in range(work.p.shape[0]):
        work.passed[i] += work.impulse[i]


@part(forceinline=False)
def note_events(run, kinked):
    """Tell the watch over wires and contacts of the step under way, with the impulses of its duration in place of b."""
    model, past, work, watch = run.model, run.past, run.work, run.watch
    if model.wires.row.shape[0] > 0 or model.contacts.point.shape[0] > 0:
        size = past.clock[NEXT] - past.clock[TIME]
        share = size / past.clock[SHARE]
        for i in range(work.p.shape[0]):
            work.p[i] *= share
        before = past.v[past.place[HEAD]]
        jerk_step(model, kinked, work, before, work.v_new, past.clock[NEXT], watch)
        note_contacts(watch.contacts, model, work, before, work.v_new, run.h, past.clock[NEXT], watch)
        for i in range(work.p.shape[0]):
            work.p[i] /= share


@part()
def spring_compliance(model, springs, past, work):
    """Kinds and compliances of the rows of springs: switched off while they do not touch."""
    if springs is not None:
        b = past.clock[SHARE]
        for i in range(springs.row.shape[0]):
            row = springs.row[i]
            per = 1.0 / past.known.length[0, springs.wire[i]] if springs.wire[i] >= 0 else 1.0
            model.rows.compliance[row] = 0.0
            work.kind[row] = OFF
            if past.touching[i]:
                model.rows.compliance[row] = 1.0 / (b * per * (springs.damping[i] + b * springs.stiffness[i]))
                work.kind[row] = FREE if springs.pulls[i] else UNILATERAL


@part()
def spring_bias(model, springs, past, work):
    """Bias (k φ* + c φ̇*)/(c + b k) of the rows of springs that touch."""
    if springs is not None:
        b, nb = past.clock[SHARE], model.bodies.mass.shape[0]
        for i in range(springs.row.shape[0]):
            if past.touching[i]:
                row = springs.row[i]
                rate = work.rate[row]
                for s in range(model.rows.ptr[row], model.rows.ptr[row + 1]):
                    n = model.rows.node[s]
                    if n < nb:
                        for j in range(3):
                            rate += work.J[s, j] * past.v_star[6 * n + j] + work.J[s, 3 + j] * past.spin[n, j]
                k, c = springs.stiffness[i], springs.damping[i]
                work.bias[row] = (k * work.gap[row] + c * rate) / (c + b * k)
