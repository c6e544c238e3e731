"""Events of the wires: when they become taut, with which impulse and loss, and when they become slack.

A wire is *slack* once its gap has passed the hysteresis; the first impulse after that begins a *jerk*, which lasts
until the wire's rate ψ̇ is zero (a plastic jerk takes two steps: the first brings the gap to zero, the second the rate;
SHAKE rings for some more). The impacts of these steps (see :mod:`towsim.methods.impulses`) are summed, and the energy
lost is Carnot's ½ Σ P |ψ̇⁻ + ψ̇⁺|, which for one wire is ½ P |ψ̇⁻| of the whole. A closing after slack is a jerk, whatever
its speed, and so is the impact on a taut wire where a robot's velocity, or the rate of a length, jumps, or where it
stops more than forces make in a step. A wire that was at its length from the start is jerked where it is driven apart
faster than its own acceleration has made it in the step before, as it is where a velocity jumps; otherwise, or if it is
elastic, it only becomes *taut*. Gaps below the hysteresis do not make a wire slack, so chatter at the border is no
event.

Hysteresis: 1e-4 of the length + 2 h² g, g = 9.81 m/s²: twice what free fall opens in two steps.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import kernel, part
from towsim.constraints.switch import JERK, SLACK, TAUT
from towsim.dynamics.sheaves import rate_at_sheaves
from towsim.model.arrays import OFF_COMPLIANCE
from towsim.model.sides import force, torque
from towsim.model.vectors import at9, dot, mul

BREAK = 4
"""Besides the phases, what may be reported."""

RELATIVE_GAP = 1e-4
GAP_OF_STEP = 2.0 * 9.81  # × h²
STEPS, MOST = 2, 6  # that a jerk takes, and with SHAKE at most
LEFT = 1e-2  # of the rate of a jerk that counts as zero
ROUNDINGS = 100.0  # allowances for those of ψ/h


@part(forceinline=False)
def row_rate(model, work, v, row):
    """Rate J u + ∂ψ/∂t of a row at the velocities and momenta v [m/s]. Sides of bodies and wheels only."""
    rows, J, total = model.rows, work.J, work.rate[row]
    for i in range(rows.ptr[row], rows.ptr[row + 1]):
        s = rows.side[i]
        b = rows.node[s]
        if b < model.bodies.mass.shape[0]:
            k = 6 * b
            total += dot(force(J, s), (v[k], v[k + 1], v[k + 2]))
            if model.bodies.rotates[b]:
                total += dot(torque(J, s), mul(at9(work.Y, b), (v[k + 3], v[k + 4], v[k + 5])))
    return total + rate_at_sheaves(model.sheaves, rows, row, J, v)


@part()
def jerk_step(model, kinked, work, v_old, v_new, time, watch):
    """Before the state advances: add this step's impacts to the jerks under way, begin new ones, end finished ones.

    kinked : whether rates jump at its beginning, as of known motions, which jerks wires that are taut
    time : end of the step, at which its impulse is recorded [s]
    """
    if watch.calm[0] and not kinked:  # in nearly every step there is nothing to do
        return
    if kinked:
        for i in range(model.wires.row.shape[0]):
            jerk_at_kink(model, work, v_old, i, time, watch)
    for i in range(model.wires.row.shape[0]):
        row = model.wires.row[i]
        if watch.phase[i] == TAUT:
            if model.wires.elastic[i] or not struck(model, work, row):
                continue
            begin_jerk(watch, i, rate_of_all(model, work, v_old, row), time)
        pulls = work.p[row] > 0.0 or parts_pull(model.sheaves, work, row)
        if watch.phase[i] == SLACK:
            before = rate_of_all(model, work, v_old, row)
            if not pulls:
                watch.rate[i] = before
                continue
            watch.since[i] = time
            watch.impulse[i] = 0.0
            watch.energy[i] = 0.0
            if model.wires.elastic[i]:  # it is pulled taut without an impact
                report(watch, i, TAUT, time)
                watch.phase[i] = TAUT
                continue
            # Not slack to speak of: is it driven apart faster than one or two steps have made it?
            jump = jump_of_all(model.sheaves, work, row) if kinked else 0.0
            made = abs(before - jump - watch.rate[i]) if watch.rate[i] == watch.rate[i] else 0.0
            watch.hard[i] |= -before > 2.5 * made + ROUNDINGS * work.rounding[0]
            watch.phase[i] = JERK
            watch.rate[i] = before
        if pulls:
            watch.impulse[i] += work.impulse[row]
            watch.energy[i] += lost(model, work, v_old, v_new, row, work.impulse[row])
            watch.energy[i] += lost_behind(model.sheaves, model, work, v_old, v_new, row)
            watch.energy[i] += lost_by_rubbing(model.routes, model, work, v_old, v_new, row)
        watch.until[i] = time
        after = rate_of_all(model, work, v_new, row)
        age = youngest(model.sheaves, work, row)
        over = age == MOST or (age >= STEPS and after >= LEFT * watch.rate[i])
        if age > MOST:  # it was taut when it was struck
            over = work.impulse[row] == 0.0
        if over or not pulls:
            finish(watch, i)


@part()
def lost(model, work, v_old, v_new, row, impulse):
    """Energy lost in a step by an impact along a row [J]."""
    return 0.5 * impulse * abs(row_rate(model, work, v_old, row) + row_rate(model, work, v_new, row))


@part()
def parts_pull(sheaves, work, row):
    """Whether a part of a wire behind the first one, whose row this is, pulls."""
    pulls = False
    if sheaves is not None:
        for j in range(sheaves.parts[row, 0], sheaves.parts[row, 1]):
            pulls |= work.p[sheaves.row[j]] > 0.0
    return pulls


@part()
def rate_of_all(model, work, v, row):
    """Rate of the gap of a wire, whose first part has this row, with that of the parts behind it [m/s]."""
    return row_rate(model, work, v, row) + rates_behind(model.sheaves, model, work, v, row)


@part()
def rates_behind(sheaves, model, work, v, row):
    """Rates of the gaps of these parts together [m/s]."""
    total = 0.0
    if sheaves is not None:
        for j in range(sheaves.parts[row, 0] + 1, sheaves.parts[row, 1]):
            total += row_rate(model, work, v, sheaves.row[j])
    return total


@part()
def jump_of_all(sheaves, work, row):
    """By how much the rate of a wire, whose first part has this row, jumps [m/s]."""
    total = work.jump[row]
    if sheaves is not None:
        for j in range(sheaves.parts[row, 0] + 1, sheaves.parts[row, 1]):
            total += work.jump[sheaves.row[j]]
    return total


@part()
def lost_behind(sheaves, model, work, v_old, v_new, row):
    """Energy lost in the impacts of these parts [J]."""
    total = 0.0
    if sheaves is not None:
        for j in range(sheaves.parts[row, 0] + 1, sheaves.parts[row, 1]):
            n = sheaves.row[j]
            total += lost(model, work, v_old, v_new, n, work.impulse[n])
    return total


@part()
def lost_by_rubbing(routes, model, work, v_old, v_new, row):
    """Energy lost in the impacts of a wire's friction on what it passes [J]."""
    total = 0.0
    if routes is not None:
        for c in range(routes.rubbing.shape[0]):
            if routes.rubbing[c, 1] == row:
                n = routes.rubbing[c, 0]
                rates = row_rate(model, work, v_old, n) + row_rate(model, work, v_new, n)
                total -= 0.5 * work.impulse[n] * rates
    return total


@part()
def youngest(sheaves, work, row):
    """Steps for which all parts of a wire have acted."""
    age = work.age[row]
    if sheaves is not None:
        for j in range(sheaves.parts[row, 0], sheaves.parts[row, 1]):
            age = min(age, work.age[sheaves.row[j]])
    return age


@part()
def jerk_at_kink(model, work, v_old, i, time, watch):
    """Begin the jerk of a taut wire, or add what falls to this step of a jump that is passed on in two.

    Of ½ (P₁ + P₂) (a₁ + a₂), the loss for two parts a of the jump, the steps by themselves have ½ P₁ a₁ and ½ P₂ a₂.
    The rest, ½ (P₁ a₂ + P₂ a₁), is P₂ a₁ where one row's rate jumps, as A is symmetric: so it is behind wheels.
    """
    row = model.wires.row[i]
    if watch.phase[i] == JERK and work.jump[row] < 0.0:
        watch.energy[i] += 0.5 * (watch.impulse[i] * abs(work.jump[row]) + work.impulse[row] * abs(watch.rate[i]))
    elif watch.phase[i] == JERK:
        watch.energy[i] += abs(watch.rate[i]) * struck_behind(model.sheaves, work, row)
    elif watch.phase[i] == TAUT and work.impulse[row] > 0.0:
        begin_jerk(watch, i, rate_of_all(model, work, v_old, row), time)


@part()
def struck_behind(sheaves, work, row):
    """Impacts on those of these parts whose rates jump [N s]."""
    total = 0.0
    if sheaves is not None:
        for j in range(sheaves.parts[row, 0] + 1, sheaves.parts[row, 1]):
            if work.jump[sheaves.row[j]] < 0.0:
                total += work.impulse[sheaves.row[j]]
    return total


@part()
def struck(model, work, row):
    """Whether an impact, as elsewhere that of a load on the ground, passes on more in a row that acts than forces do.

    And more than forces would make there, as where others bear the load, and than what undoes rounding errors of ψ/h.
    """
    P, stops = work.impulse[row], work.A[model.rows.envelope[row + 1] - 1] * work.impulse[row]
    return work.p[row] - P < P and stops > abs(work.smooth[row]) and beyond_rounding(work, stops)


@part()
def beyond_rounding(work, rate):
    """Whether a rate is more than rounding errors of ψ/h make [m/s]."""
    return rate > ROUNDINGS * work.rounding[0]


@part()
def begin_jerk(watch, i, rate, time):
    """A taut wire is jerked."""
    leave(watch, i, JERK)
    watch.since[i] = time
    watch.impulse[i] = 0.0
    watch.energy[i] = 0.0
    watch.rate[i] = rate
    watch.hard[i] = True


@part()
def leave(watch, i, phase):
    """Wire i is no longer taut."""
    watch.phase[i] = phase
    watch.calm[0] = False


@part()
def finish(watch, i):
    """Wire i is taut: its jerk, if it was one, is over."""
    jerked = watch.hard[i] and watch.impulse[i] > 0.0
    report(watch, i, JERK if jerked else TAUT, watch.until[i])
    watch.phase[i] = TAUT


@kernel()
def finish_all(watch, first, stop):
    """Report the jerks of a range of wires that are still under way."""
    for i in range(first, stop):
        if watch.phase[i] == JERK:
            finish(watch, i)


@part()
def hysteresis(h):
    """Gap that no wire is slack below, for steps of h [m]."""
    return GAP_OF_STEP * h * h


@part()
def slack_step(model, work, length, h, time, watch):
    """After the state advanced: report wires whose gap has passed the hysteresis.

    Where all wires are taut, were so, and are open by less than ``hysteresis``, there is nothing to do.
    """
    least, calm = hysteresis(h), True
    for i in range(model.wires.row.shape[0]):
        row = model.wires.row[i]
        gap = work.gap[row]
        loose = work.p[row] == 0.0 and not parts_pull(model.sheaves, work, row)
        if gap > least and gap > least + RELATIVE_GAP * length[i] and loose:
            if watch.phase[i] == TAUT:
                leave(watch, i, SLACK)
                watch.since[i] = time
                watch.impulse[i] = 0.0
                watch.energy[i] = 0.0
                report(watch, i, SLACK, time)
            watch.hard[i] = True
        elif watch.phase[i] == TAUT:
            watch.hard[i] = False
        calm &= watch.phase[i] == TAUT and not watch.hard[i]
    watch.calm[0] = calm


@part()
def report(watch, i, kind, time):
    """Note an event of wire i that ended now: since when, what, whose, impulse, energy lost, until when."""
    k = watch.found[0]
    watch.event[k, 0] = watch.since[i]
    watch.event[k, 1] = kind
    watch.event[k, 2] = i
    watch.event[k, 3] = watch.impulse[i]
    watch.event[k, 4] = watch.energy[i]
    watch.event[k, 5] = time
    watch.found[0] = k + 1


@part()
def break_step(switches, model, work, v_old, v_new, row, time, watch):
    """Before the state advances: report the wires that broke, with what they passed on and what it cost.

    row : of the record, from which the wires are no more
    """
    if switches is not None:
        for k in range(switches.row.shape[0]):
            if work.cap[k] >= 0.0:
                i = switches.wire[k]
                work.broken[k] = row
                if watch.phase[i] != JERK:
                    watch.since[i] = time
                    watch.impulse[i] = 0.0
                    watch.energy[i] = 0.0
                watch.impulse[i] += work.snap[k]
                watch.energy[i] += lost(model, work, v_old, v_new, switches.row[k], work.snap[k])
                report(watch, i, BREAK, time)
                watch.phase[i] = TAUT  # of a wire that acts nowhere there are no rates to look at


@part()
def after_break(switches, rows, work, p, watch):
    """After the state advanced: wires that broke are slack for good, and predict nothing.

    What stops the drum of a wire that broke is no more, either.
    """
    if switches is not None:
        for k in range(switches.row.shape[0]):
            row = switches.row[k]
            if work.cap[k] >= 0.0:
                work.cap[k] = -1.0
                p[row] = 0.0
                leave(watch, switches.wire[k], SLACK)
            if work.off[switches.lead[k]] and not work.off[k]:
                work.off[k] = True
                work.taut[row] = False
                p[row] = 0.0
                rows.compliance[row] = OFF_COMPLIANCE
