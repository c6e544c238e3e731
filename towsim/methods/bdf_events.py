"""Events of a multistep run: wires that tighten or slacken, springs that touch or part, located within a step.

The pattern of held rows and touching springs is watched. Where it changes in a step, the step is tried again at half
its size, until the change is bracketed, and then where it is; from there the history starts anew.

**The start.** In the first step from there, of order 1, velocities jump; nothing is located in it, and while something
that comes to act in it still closes at its end, the next one is a first step again. From the second step on every jump
is located, as no polynomial may go through it. A step of order 1 ends with the velocity of its middle, v⁺ = (q⁺ − q)/b,
so that a row which turns parts there as fast as ½ b J̇ v. In the step that follows, the first of order 2, this looks
like an acceleration ½ J̇ v b/b', by which a row may seem to let go that goes on to push: it is watched as before.

**The instant.** A row or a spring i changes its part within the bracket, of a step under way to t. With θ for all that
the step depends on, let

    g(t, θ) = b p_i  of a row that begins to act,  w_i/b  of one that ceases to,  the gap of a spring that changes

of the step to t, as it is with the pattern behind the event (b: the step's share, by which ∂g/∂t hardly depends on the
step: p_i is a gap over b, w_i a force times b, both but for an inverse mass). It vanishes at the event. By Newton's
iteration

    t ← t − g(t, θ)/s + ε,      s = (g(t + δ) − g(t))/δ

with one slope s, each pass of which takes the step to t again: the error is multiplied by 1 − g_t/s, of order δ. It
ends ε behind the event, so that every pass has the pattern that g is for. Where a jerk lets other rows go, they still
act at first, while its impulse is less than what they bear in a step: the bracket is as narrow as that layer then, and
δ shorter. Thus t is a smooth function of θ, as long as the same events follow each other. In numbers that carry
derivatives it carries them, found by the same passes, ∂g/∂t ṫ + ∂g/∂θ θ̇ = 0. All that moves with t moves on with it:
sizes of steps, weights, known motions. That is the
saltation of the state, S = D R + (f⁺ − D R f⁻) ṫ, with no formula of its own.

Where no pass stays in the bracket, as where several rows meet, the event stays where bisection has it; that there is no
slope is told. So it does at a sample: of a row that begins to act there are one-sided derivatives then, which is told;
one that ceases to act does so at the sample before, if its force in a smaller step is none.

Source: derivatives of an iteration (piggyback): Griewank & Walther, Evaluating Derivatives (2008), ch. 15; saltation:
Aizerman & Gantmakher (1958).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set.implicit import tell
from solvers.kernels.compiled import part
from solvers.kernels.dual import value
from towsim.methods.history import (
    AT,
    BRACKET,
    COUNT,
    END,
    EVENTS,
    FIRST,
    GROWN,
    HEAD,
    HERE,
    HIGH,
    LOW,
    NEXT,
    ORDER,
    SAME,
    SAMPLE,
    SHARE,
    SLOPE,
    STAGE,
    TIME,
    TOLD,
    WHICH,
    weights,
)
from towsim.methods.watch import row_rate
from towsim.methods.work import STEP
from towsim.model.arrays import FREE, OFF, UNILATERAL
from towsim.model.sides import along_side
from towsim.model.vectors import at3

LOCATED = 1e-5
"""Width of the bracket to which bisection goes, relative to the full step."""

APART = 1e-3
"""δ, of the step under way."""

CLOSEST = 1e-8
"""The same where other rows would change their parts, too."""

LAYER = 1e-4 * LOCATED
"""Width of the bracket where the impulse of a row lets others go, once it is more than what they bear in a step."""

PASSES = 4
"""Of Newton's iteration: what is left is δ⁴."""

BEHIND = 1e-7
"""ε, of the full step: more than what a pass leaves of the bracket, LOCATED δ."""

NEAR = 2.0 * LOCATED
"""How far a sample is away at least, of the full step."""

LEFT = LOCATED / FIRST
"""Share of a row's rate that a first step after an event leaves, if that was bracketed: its gap over the step."""

SEEK, PROBE, PASS = 0, 1, 2
"""Stages: none is bracketed yet, the step to t + δ is under way, that of the first pass is."""

RESTARTS = 64
"""Events that are located between two samples; of further ones those are in which velocities jump."""

ROUNDINGS = 100.0
"""Rate of a row that may be rounding, in allowances for that of ψ/b."""

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
    """Whether the same unilateral rows are held, and the same springs touch, as at the last start.

    No row lets go in the first step of order 2 (see the head).
    """
    same = True
    rises = past.place[ORDER] == 2 and past.place[GROWN] == 1
    for i in range(work.p.shape[0]):
        if work.kind[i] == UNILATERAL:
            same = same and ((work.p[i] > 0.0) == past.pattern[i] or (past.pattern[i] and rises))
    return same and same_touch(model, model.springs, past, work)


@part()
def begins(past, work, i):
    """Whether row i, a unilateral one, begins to act in the step under way."""
    return work.kind[i] == UNILATERAL and work.p[i] > 0.0 and not past.pattern[i]


@part()
def closes(model, work, v, i):
    """Speed at which row i closes at the velocities v, 0 of what is rounding [m/s]."""
    speed = -value(row_rate(model, work, v, i))
    return speed if speed > ROUNDINGS * work.rounding[STEP] else 0.0


@part()
def changes(springs, model, past, work):
    """How many unilateral rows and springs have changed their parts in the step under way."""
    n = 0
    for i in range(work.p.shape[0]):
        n += work.kind[i] == UNILATERAL and (work.p[i] > 0.0) != past.pattern[i]
    if springs is not None:
        for i in range(past.touching.shape[0]):
            n += crosses(model, springs, past, work, i)
    return n


@part(forceinline=False)
def hits(model, past, work):
    """Whether a row begins to act in the step under way that it closes: velocities jump.

    Where more rows than are needed bear a load, rows begin to act that do not close.
    """
    return cause(model, past, work, None) >= 0


@part(forceinline=False)
def still_closes(model, past, work):
    """Whether a row that begins to act in a first step still closes at its end: the next one is a jump, too.

    A first step, in which nothing is located, takes away the gap of what comes to act in its midst, and so only a part
    of its rate: that of the gap over the step is left.
    """
    before, found = past.v[past.place[HEAD]], False
    for i in range(work.p.shape[0]):
        if begins(past, work, i) and model.rows.compliance[i] == 0.0:
            left = value(work.closing[i])
            least = max(ROUNDINGS * work.rounding[STEP], LEFT * closes(model, work, before, i))
            found = found or left > least
    return found


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
def bracketed(past, same, hit, alone, h):
    """What to make of the step under way: SMOOTH, to be tried AGAIN, or an event LOCATED_HERE, at its end.

    What changes in the first step after a start does so by the event there; in the second, rows may still let go.

    same : whether the pattern is that of the last start;  hit : whether velocities jump
    alone : whether nothing but one row or spring has changed its part
    """
    clock, place = past.clock, past.place
    size = clock[NEXT] - clock[TIME]
    if place[BRACKET] == 0 and (place[GROWN] == 0 or (place[COUNT] <= 1 and not hit)):
        return SMOOTH
    if not same and (hit or place[EVENTS] < RESTARTS):
        if place[BRACKET] == 0:
            place[BRACKET] = 1
            clock[LOW] = 0.0
            clock[HIGH] = size
            return AGAIN
        clock[HIGH] = size
        close = LOCATED if alone or not hit else LAYER
        return AGAIN if clock[HIGH] - clock[LOW] > close * h else LOCATED_HERE
    if place[BRACKET] == 1:
        if size < clock[HIGH]:
            clock[LOW] = size
            if clock[HIGH] - size <= LOCATED * h:
                clock[LOW] = clock[HIGH]
            return AGAIN
        return LOCATED_HERE  # it was there before: more wires than are needed may bear a load in many ways
    return SMOOTH


@part()
def step_to_event(past):
    """Let the step under way end at the instant that is being located, if there is one."""
    if past.place[STAGE] != SEEK:
        place, t = past.place, past.clock[END]
        past.clock[NEXT] = t
        past.clock[SHARE] = weights(past.time, place[HEAD], place[ORDER], t, past.e, past.w)


@part()
def located(run, block):
    """What to make of the step under way: SMOOTH, to be tried AGAIN, or an event LOCATED_HERE, at its end.

    Notes whether the pattern is the SAME as at the last start.
    """
    past = run.past
    same = same_pattern(run.model, past, run.work)
    past.place[SAME] = same
    if past.place[STAGE] == SEEK:
        hit = not same and hits(run.model, past, run.work)
        alone = same or changes(run.model.springs, run.model, past, run.work) == 1
        event = bracketed(past, same, hit, alone, run.h)
        if event == LOCATED_HERE and not same:  # otherwise nothing changes: it was there before
            event = begin_event(run, block.time[past.place[SAMPLE] + 1])
    else:
        event = next_pass(run)
    forget_degenerate(run.values, past, event)
    return event


@part(forceinline=False)
def begin_event(run, end):
    """Note the event at the end of the step under way; the step to t + δ is the next one, unless it is at a sample."""
    clock, place, model, work = run.past.clock, run.past.place, run.model, run.work
    place[WHICH] = what_changes(model.springs, model, run.past, work, run.values)
    near = min(clock[NEXT] - clock[TIME], end - clock[NEXT])
    if near <= NEAR * run.h:
        row = row_of(model.springs, work, place[WHICH])
        if work.p[row] > 0.0:
            tell_too(run.values, run.past, row)
        return LOCATED_HERE
    clock[HERE] = crossing(model.springs, model, run.past, work, place[WHICH])
    clock[AT] = value(clock[NEXT])
    clock[END] = clock[AT] + APART * (value(clock[NEXT]) - value(clock[TIME]))
    place[STAGE] = PROBE
    return AGAIN


@part(forceinline=False)
def next_pass(run):
    """Take what the step under way tells of g, and say what comes next."""
    clock, place = run.past.clock, run.past.place
    if place[STAGE] == PASS + PASSES:
        place[STAGE] = SEEK
        return LOCATED_HERE
    g = crossing(run.model.springs, run.model, run.past, run.work, place[WHICH])
    if place[STAGE] == PROBE:
        apart, alone = clock[END] - clock[AT], changes(run.model.springs, run.model, run.past, run.work) == 1
        if not alone and apart > CLOSEST * (clock[AT] - clock[TIME]):
            clock[END] = clock[AT] + 0.125 * apart
            return AGAIN
        change = value(g) - value(clock[HERE])
        slope = (value(clock[END]) - value(clock[AT])) / change if change != 0.0 else 0.0
        # Where rows are redundant another basis may bear the load in the step to t + δ: g is another function there.
        clock[SLOPE] = slope if abs(slope * value(clock[HERE])) <= NEAR * run.h else 0.0
        if clock[SLOPE] == 0.0:
            tell_too(run.values, run.past, row_of(run.model.springs, run.work, place[WHICH]))
        clock[END] = clock[AT]
    else:
        clock[END] += BEHIND * run.h - g * clock[SLOPE]
        if abs(value(clock[END]) - value(clock[AT])) > LOCATED * run.h:
            clock[END] = clock[AT] + (clock[END] - value(clock[END]))  # to the bit
    place[STAGE] += 1
    return AGAIN


@part()
def what_changes(springs, model, past, work, values):
    """The row or spring that changes its part in the step under way; others that do are told as degenerate.

    One that begins to act, and closes, is the cause of whatever its impulse lets others do, which are not told. Springs
    are counted behind the rows.
    """
    row = cause(model, past, work, values)
    if row >= 0:
        return row
    found, n = -1, work.p.shape[0]
    for i in range(n):
        if work.kind[i] == UNILATERAL and (work.p[i] > 0.0) != past.pattern[i]:
            if found >= 0:
                tell_too(values, past, i)
            else:
                found, row = i, i
    if springs is not None:
        for i in range(past.touching.shape[0]):
            if crosses(model, springs, past, work, i) and springs.row[i] != row:
                if found >= 0:
                    tell_too(values, past, springs.row[i])
                else:
                    found, row = n + i, springs.row[i]
    return found


@part()
def cause(model, past, work, values):
    """The row that begins to act in the step under way, and closes, or −1; others that do so are told as degenerate."""
    before, found = past.v[past.place[HEAD]], -1
    for i in range(work.p.shape[0]):
        if begins(past, work, i) and model.rows.compliance[i] == 0.0 and closes(model, work, before, i) > 0.0:
            if found >= 0:
                tell_too(values, past, i)
            else:
                found = i
    return found


@part()
def crossing(springs, model, past, work, which):
    """g of the step under way; before the event, where the row still has its old part, what is below zero there."""
    n = work.p.shape[0]
    if springs is not None and which >= n:
        return gap_after(model, past, work, springs.row[which - n])
    b, p, w, own = past.clock[SHARE], work.p[which], work.w[which], work.A[model.rows.envelope[which + 1] - 1]
    if past.pattern[which]:
        return -own * p / b if p > 0.0 else w / b
    return b * p if p > 0.0 else -b * w / own


@part()
def row_of(springs, work, which):
    """The row that g is of."""
    n = work.p.shape[0]
    if springs is not None and which >= n:
        return springs.row[which - n]
    return which


@part()
def tell_too(values, past, row):
    """Tell a row that changes with another one, or at a sample."""
    if values is not None:
        values.found[0] = past.place[TOLD]
        tell(values, past.place[SAMPLE], row)
        past.place[TOLD] = values.found[0]


@part()
def forget_degenerate(values, past, event):
    """Rows that are degenerate in trials of an event are so by its nature, and are not told."""
    if values is not None:
        if event != SMOOTH:
            values.found[0] = past.place[TOLD]
        past.place[TOLD] = values.found[0]


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
                for m in range(model.rows.ptr[row], model.rows.ptr[row + 1]):
                    s = model.rows.side[m]
                    n = model.rows.node[s]
                    if n < nb:
                        v = past.v_star[6 * n], past.v_star[6 * n + 1], past.v_star[6 * n + 2]
                        rate += along_side(work.J, s, v, at3(past.spin, n))
                k, c = springs.stiffness[i], springs.damping[i]
                work.bias[row] = (k * work.gap[row] + c * rate) / (c + b * k)
