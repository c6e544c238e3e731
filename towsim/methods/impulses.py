"""What of a step's impulses is an impact, and what is the work of forces: p = P + h λ.

A row removes in a step the rate r that it had before, of the gap and of the step before, and what forces and the
turning of the rows add to it, so that q = r + g:

    A_aa P = −r_a,      A_aa h λ = −(q − r)_a,      r = ψ/h + ρ         (a: the rows held in the step)

ρ is the rate J v + ∂ψ/∂t with which the step before ended (Stewart–Trinkle), or its mean rate (SHAKE). In smooth motion
r is of order h²; where a row closes, it is the speed at which it does, whatever the step. So the two are told apart in
the steps in which a row has begun to act, and in those in which its gap, its rate, and the gap that its turning at the
new rates makes are still being removed: three for Stewart–Trinkle, some more for SHAKE, which rings. Where the rate of
a known motion jumps, the jump of ∂ψ/∂t is added to r, and that of J v at an arm whose base jumps, and all rows are as
if they had just begun (see model/jumps); where velocities are given from outside, J v of what they add, and the rows
are to which that adds a rate. Of rows without a step before, ρ is the rate with which the step begins: at the start, of
wires that are attached, and of bodies that are put somewhere. Everywhere else P = 0. λ of a unilateral row is not
negative: where forces alone would part what the impact brings together, the whole impulse is the impact's.

h λ obeys the law of friction (towsim.methods.rubbing), and acts on what is held.

Source: Moreau (1988): of the measure J dp, the atoms are impacts and the density is the force.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set.basis import independence, product, rank_of, solve_on
from solvers.active_set.implicit import tell
from solvers.active_set.least_norm import marked
from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import moves, value
from towsim.constraints.switch import overload, strained
from towsim.methods.geometry import row_directions
from towsim.methods.rubbing import hold_what_sticks, rub, rubs
from towsim.methods.watch import beyond_rounding, row_rate
from towsim.model.arrays import UNILATERAL

HELD = 1
"""The solvers' kind of free rows."""

ROUNDING = 1e-6
"""Share of an impulse below which its impact is none."""

PASSES, EXACT, EASE = 60, 1e-10, 1e-6
"""Most passes of ``solve_held``, the correction with which they end, and what they add to the diagonal, as shares."""

SUDDEN = 100.0
"""Impulses of a step that are looked at, in units of those of the step before and of the weight of all loads."""

CLEAR = 0.5 * EASE
"""What is left of A_ii of a row that is not redundant: passes would come to the same, as (2/3)^PASSES < EXACT."""


@part(forceinline=False)
def note_jumps(model, drive, k, work):
    """Write by how much ∂ψ/∂t of the rows jumps in step k to ``work.jump``, from the geometry at its beginning."""
    row_directions(model, drive.robot_jump[k], drive.length[k], drive.length_jump[k], work)
    for i in range(work.jump.shape[0]):
        work.jump[i] = work.rate[i]


@part()
def jumps(block, k):
    """Whether rates may jump at the beginning of step k: those of known motions, or velocities that were given."""
    return block.drive.kink[k] or (block.first and k == 0)


@part()
def renew(work):
    """All rows are as if they had just begun to act."""
    for i in range(work.age.shape[0]):
        work.age[i] = 0


@part()
def tell_apart(run, block, k, most):
    """Write P of problem k, which is solved, to ``work.impulse``.

    most : steps in which a row that has closed removes its gap and its rate
    """
    first, kinked = block.first and k == 0, block.drive.kink[k]
    if kinked:
        renew(run.work)
    sudden = kinked or snaps(run.model.switches, run.work)
    if first:
        sudden |= take_given(run.model, kinked, run.state.v, run.work)
    moved = first and begins_to_move(run.values, run.model, run.state.v, k, run.work)
    if closing(run.model, most, run.work) or sudden or moved:
        remove_rates(run.model, jumps(block, k), kinked, run.state.v, run.work)
        impacts(run.model, run.work, run.large, run.scratch, run.counts, moved)
        if not sudden:
            spare_others(run.model.rows.parts, most, run.work, moved)
        run.watch.calm[0] = False  # taut wires may be jerked


@part()
def wires_break(switches, run, block, k, span, most):
    """Whether wires break under the impulses of problem k: then it has changed, and is to be solved again.

    span : duration of the kick [s];  most : as of ``tell_apart``
    """
    found = False
    if switches is not None:
        found = strained(switches, run.model.routes, span, run.work, run.watch)
        found = found and break_strained(switches, run, block, k, span, most)
    return found


@part(forceinline=False)
def break_strained(switches, run, block, k, span, most):
    """Break the wires that bear too much.

    Where velocities are given, which is looked at but once, all is taken for impacts: forces are there a step later.
    """
    model, work = run.model, run.work
    given = block.first and k == 0 and (block.drive.kink[k] or not idle(work.given))
    for i in range(work.age.shape[0]):
        work.aged[i] = work.age[i]
        work.impulse[i] = work.p[i]
    if not given:
        tell_apart(run, block, k, most)
    for i in range(work.age.shape[0]):  # which is done once more when the step is solved
        work.age[i] = work.aged[i]
    return overload(switches, model.routes, model.rows, block.drive.length[k], run.h, span, most, work, run.watch)


@part()
def idle(x):
    """Whether all numbers are zero."""
    still = True
    for i in range(x.shape[0]):
        still &= x[i] == 0.0
    return still


@part(forceinline=False)
def take_given(model, kinked, v, work):
    """Add the rates of velocities that were given to ``work.jump``; returns whether joints have such: an impact.

    So is the rate with which joints between bodies begin, as where a motion is given to what is at rest.

    kinked : whether there is a jump of ∂ψ/∂t already
    """
    apart = False
    for i in range(work.p.shape[0]):
        if not kinked:
            work.jump[i] = 0.0
        joint = work.kind[i] == HELD and model.rows.compliance[i] == 0.0
        change = row_rate(model, work, work.given, i) - work.rate[i]
        work.jump[i] += change
        if beyond_rounding(work, abs(change)):
            work.age[i] = 0
        if joint and (known(work.rho[i]) or between_bodies(model, i)):
            rate = change if known(work.rho[i]) else row_rate(model, work, v, i)
            apart |= beyond_rounding(work, abs(rate))
    for j in range(work.given.shape[0]):
        work.given[j] = 0.0
    return apart


@part()
def known(rho):
    """Whether there is a step before, with a rate; it is NaN otherwise."""
    return rho == rho


@part(forceinline=False)
def begins_to_move(values, model, v, k, work):
    """Whether joints that begin at rest have a rate with other numbers: an impact, whose derivative is not zero.

    A wire or contact that pulls or pushes at rest takes such a rate by an impact on one side, by less force on the
    other one: that it is at the border is noted in ``values``, which is None with plain numbers.
    """
    found = False
    if values is not None:
        for i in range(work.p.shape[0]):
            if model.rows.compliance[i] != 0.0 or not (work.kind[i] == HELD or work.p[i] > 0.0):
                continue
            rate = row_rate(model, work, v, i)
            if not moves(rate) or not between_bodies(model, i):
                continue
            if work.kind[i] == HELD:
                found = True
            elif model.rows.kind[i] == UNILATERAL and not beyond_rounding(work, abs(rate)):
                tell(values, k, i)
    return found


@part()
def between_bodies(model, i):
    """Whether all sides of row i are at bodies."""
    rows, of_bodies = model.rows, True
    for k in range(rows.ptr[i], rows.ptr[i + 1]):
        of_bodies &= rows.node[rows.side[k]] < model.bodies.mass.shape[0]
    return of_bodies


@part()
def snaps(switches, work):
    """Whether a wire breaks under an impact."""
    found = False
    if switches is not None:
        for k in range(switches.row.shape[0]):
            found |= work.cap[k] >= 0.0 and work.snap[k] > 0.0
    return found


@part()
def closing(model, most, work):
    """Count the steps for which each row has acted; returns whether one has for less than ``most``: P may not be 0."""
    young = False
    for i in range(work.p.shape[0]):
        work.impulse[i] = 0.0
        pulls = work.p[i] > 0.0 and model.rows.kind[i] == UNILATERAL
        joins = work.kind[i] == HELD and between_bodies(model, i)
        acts = (pulls or joins) and model.rows.compliance[i] == 0.0
        young |= acts and work.age[i] < most
        work.age[i] = work.age[i] + 1 if acts else 0
    return young


@part(forceinline=False)
def spare_others(parts, most, work, moved):
    """P = 0 where nothing couples a row to one that has begun to act: there r is that of smooth motion.

    moved : whether its derivatives are to stay
    """
    for k in range(parts.shape[0] - 1):
        young = False
        for i in range(parts[k], parts[k + 1]):
            young |= 0 < work.age[i] <= most
        for i in range(parts[k], parts[k + 1]):
            if not young:
                work.impulse[i] = rates_only(work.impulse[i]) if moved else 0.0


@part(forceinline=False)
def remove_rates(model, jumps, kinked, v, work):
    """Write q − r, r = ψ/h + ρ, to ``work.smooth``; ρ with what jumps."""
    for i in range(work.p.shape[0]):
        work.smooth[i] = work.q[i]
        rho = work.rho[i]
        if model.rows.compliance[i] == 0.0 and (known(rho) or work.kind[i] != HELD or between_bodies(model, i)):
            rate = rho + (work.jump[i] if jumps else 0.0) if known(rho) else row_rate(model, work, v, i)
            work.smooth[i] -= rate + work.closing[i] + (work.jolt[i] if kinked else 0.0)
            if model.switches is not None:
                work.smooth[i] -= work.snapped[i]


@part(forceinline=False)
def impacts(model, work, large, scratch, counts, moved):
    """Write P to ``work.impulse``; ``work.smooth`` holds q − r.

    moved : whether what is no impact on joints may have derivatives
    """
    n = work.p.shape[0]
    for i in range(n):
        work.held[i] = work.kind[i] == HELD or work.p[i] > 0.0
        work.force[i] = share(work.smooth[i], work.q[i]) * work.p[i]
    hold_what_sticks(model, work)
    apart = True
    again = True
    while again:
        again = False
        apart = solve_held(model, work, large, scratch, counts)
        for i in range(n):
            if work.held[i] and work.force[i] < 0.0 and model.rows.kind[i] == UNILATERAL and work.kind[i] != HELD:
                work.held[i] = False
                work.force[i] = 0.0
                again = True
    for i in range(n):
        if model.rows.kind[i] == UNILATERAL and work.kind[i] != HELD:
            work.force[i] = min(work.force[i], work.p[i])
    rub(model, work)
    for i in range(n):
        impact = work.p[i] - (work.force[i] if apart else 0.0)
        rates = rates_only(impact) if moved and work.kind[i] == HELD else 0.0
        if abs(work.p[i] - impact) <= EXACT * abs(work.p[i]):  # a force that small is rounding
            impact = work.p[i]
        work.impulse[i] = impact if abs(impact) > ROUNDING * abs(work.p[i]) else rates


@part()
def rates_only(x):
    """Zero, with the derivatives of x."""
    return x - value(x)


@part()
def share(some, whole):
    """some/whole, between 0 and 1; all of nothing is 1."""
    if whole == 0.0:
        return 0.0 * some + (1.0 if some == 0.0 else 0.0)
    return min(max(some / whole, 0.0), 1.0)


@part(forceinline=False)
def solve_held(model, work, large, scratch, counts):
    """Write h λ to ``work.force``: A h λ = −(q − r) on the rows that are held; returns whether it was found.

    Rows none of which is redundant, without friction, are solved for at once. Otherwise each pass corrects what is
    held for what the passes before have missed: where rows are redundant h λ stays as near as can be to what it was,
    which is the share of p that q − r has of q. Then friction is brought to its law. Passes grow without end where
    friction alone makes an impact (Painlevé's paradox).
    """
    first, last, ptr = -1.0, 0.0, model.rows.envelope
    if not rubs(model) and independence(large, work.A, ptr, work.held, scratch, counts) > CLEAR:
        for i in range(work.p.shape[0]):
            work.change[i] = -work.smooth[i]
        solve_on(large, ptr, work.change, marked(work.held), work.force, scratch, counts)
        return True
    ease(work.A, ptr, 1.0 + EASE)
    rank = rank_of(large, work.A, ptr, work.held, scratch, counts)
    ease(work.A, ptr, 1.0 / (1.0 + EASE))
    for _ in range(PASSES):
        rub(model, work)
        product(large, work.A, ptr, work.smooth, work.force, work.impulse)
        last = correct(model, work, large, rank, scratch, counts)
        if last <= EXACT:
            return True
        if first < 0.0:
            first = last
    return last < 1.0 + first


@part()
def correct(model, work, large, rank, scratch, counts):
    """One correction of h λ, for the rates in ``work.impulse``; returns its largest share of the largest impulse.

    With B = A + EASE of its diagonal, which is factored, it is −B⁻¹ A B⁻¹ of them: what rates of redundant rows
    contradict each other by, which B⁻¹ makes large, A takes away.
    """
    ptr, n = model.rows.envelope, work.p.shape[0]
    solve_on(large, ptr, work.impulse, rank, work.impulse, scratch, counts)
    for i in range(n):
        work.change[i] = 0.0
    product(large, work.A, ptr, work.change, work.impulse, work.change)
    solve_on(large, ptr, work.change, rank, work.change, scratch, counts)
    change, size = 0.0, 0.0
    for i in range(n):
        work.force[i] -= work.change[i]
        change, size = max(change, abs(value(work.change[i]))), max(size, abs(value(work.p[i])))
    return change / size if size > 0.0 else 0.0


@part()
def ease(A, ptr, factor):
    """Scale the diagonal of A."""
    for i in range(ptr.shape[0] - 1):
        A[ptr[i + 1] - 1] *= factor


@kernel()
def sudden(force, impulse, first, stop, before, h, weight):
    """Row of the first of some steps, recorded in rows ``first`` to ``stop`` − 1, with sudden impulses; −1 for none.

    before : largest impulse of the step before;  weight : of all loads [N], without which all begins with nothing
    """
    for k in range(first, stop):
        most = 0.0
        for i in range(force.shape[1]):
            most = max(most, abs(force[k, i] * h + impulse[k, i]))
        usual = max(before, h * weight)
        if usual > 0.0 and most > SUDDEN * usual:
            return k
        before = most
    return -1
