"""What of a step's impulses is an impact, and what is the work of forces: p = P + h λ.

A row removes in a step the rate r that it had before, of the gap and of the step before, and what forces and the
turning of the rows add to it, so that q = r + g:

    A_aa P = −r_a,      A_aa h λ = −(q − r)_a,      r = ψ/h + ρ         (a: the rows held in the step)

ρ is the rate J v + ∂ψ/∂t with which the step before ended (Stewart–Trinkle), or its mean rate (SHAKE). In smooth motion
r is of order h²; where a row closes, it is the speed at which it does, whatever the step. So the two are told apart in
the steps in which a unilateral row has begun to pull or push, and in those in which its gap and rate are still being
removed: two for Stewart–Trinkle, some more for SHAKE, which rings. Where the rate of a known motion
jumps, the jump of ∂ψ/∂t is added to r, and all rows are as if they had just begun (see model/jumps). Everywhere else
P = 0. λ of a unilateral row is not negative: where forces alone would part what the impact brings together, the whole
impulse is the impact's.

Source: Moreau (1988): of the measure J dp, the atoms are impacts and the density is the force.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set.basis import solve_on
from solvers.kernels.compiled import part
from towsim.methods.geometry import row_directions
from towsim.methods.watch import row_rate
from towsim.model.arrays import UNILATERAL

HELD, PUSHES = 1, 0
"""The solvers' kinds of rows: free ones, and unilateral ones without friction."""

ROUNDING = 1e-6
"""Share of an impulse below which its impact is none."""


@part(forceinline=False)
def note_jumps(model, drive, k, work):
    """Write by how much ∂ψ/∂t of the rows jumps in step k to ``work.jump``, from the geometry at its beginning."""
    row_directions(model, drive.robot_jump[k], drive.length[k], drive.length_jump[k], work)
    for i in range(work.jump.shape[0]):
        work.jump[i] = work.rate[i]


@part()
def renew(work):
    """All rows are as if they had just begun to act."""
    for i in range(work.age.shape[0]):
        work.age[i] = 0


@part()
def tell_apart(run, most, first, kinked):
    """Write P of the solved problem in ``work`` to ``work.impulse``.

    most : steps in which a row that has closed removes its gap and its rate
    first : whether there is no ρ yet
    kinked : whether rates of known motions jump in the step
    """
    if kinked:
        renew(run.work)
    if closing(run.model, most, run.work) or kinked:
        remove_rates(run.model, first, kinked, run.state.v, run.work)
        impacts(run.model, run.work, run.scratch, run.counts)


@part()
def closing(model, most, work):
    """Count the steps for which each row has acted; returns whether one has for less than ``most``: P may not be 0."""
    young = False
    for i in range(work.p.shape[0]):
        work.impulse[i] = 0.0
        acts = work.p[i] > 0.0 and model.rows.kind[i] == UNILATERAL and model.rows.compliance[i] == 0.0
        young |= acts and work.age[i] < most
        work.age[i] = work.age[i] + 1 if acts else 0
    return young


@part(forceinline=False)
def remove_rates(model, first, kinked, v, work):
    """Write q − r, r = ψ/h + ρ, to ``work.smooth``; ρ with what jumps."""
    for i in range(work.p.shape[0]):
        work.smooth[i] = work.q[i]
        if model.rows.compliance[i] == 0.0 and not (first and work.kind[i] == HELD):
            rho = row_rate(model, work, v, i) if first else work.rho[i] + (work.jump[i] if kinked else 0.0)
            work.smooth[i] -= rho + work.closing[i]


@part(forceinline=False)
def impacts(model, work, scratch, counts):
    """Write P to ``work.impulse``; ``work.smooth`` holds q − r, and then h λ."""
    n = work.p.shape[0]
    for i in range(n):
        held = work.p[i] > 0.0 if work.kind[i] == PUSHES else work.p[i] != 0.0 and work.mask[i]
        work.held[i] = held or work.kind[i] == HELD
    again = True
    while again:
        again = False
        solve_held(model.rows.envelope, work, scratch, counts)
        for i in range(n):
            if work.force[i] < 0.0 and model.rows.kind[i] == UNILATERAL and work.kind[i] != HELD:
                work.held[i] = False
                again = True
    for i in range(n):
        if model.rows.kind[i] == UNILATERAL and work.kind[i] != HELD:
            work.force[i] = min(work.force[i], work.p[i])
    contacts = model.contacts.row
    for c in range(contacts.shape[0]):
        for k in range(1, 3):
            if contacts[c, k] >= 0 and not work.held[contacts[c, k]]:
                in_proportion(work, contacts[c, k], contacts[c, 0])
    rub(model.routes, work)
    for i in range(n):
        impact = work.p[i] - work.force[i]
        work.impulse[i] = impact if abs(impact) > ROUNDING * abs(work.p[i]) else 0.0


@part()
def rub(routes, work):
    """What wires rub on what they pass."""
    if routes is not None:
        for c in range(routes.rubbing.shape[0]):
            if not work.held[routes.rubbing[c, 0]]:
                in_proportion(work, routes.rubbing[c, 0], routes.rubbing[c, 1])


@part()
def in_proportion(work, i, j):
    """What rubs, row i, is of an impact as far as the row j is that presses it."""
    work.force[i] = work.p[i] * (work.force[j] / work.p[j]) if work.p[j] > 0.0 else work.p[i]


@part()
def solve_held(ptr, work, scratch, counts):
    """Write h λ to ``work.force``, 0 where rows are not held (``work.held``).

    Of h λ and P the one with the smaller rates is solved for, and has 0 on rows that depend on others; so these share
    the other one as they share p.
    """
    n, force, impact = work.p.shape[0], 0.0, 0.0
    for i in range(n):
        if work.held[i]:
            force, impact = max(force, abs(work.smooth[i])), max(impact, abs(work.q[i] - work.smooth[i]))
    gentle = impact < force
    for i in range(n):
        work.force[i] = work.smooth[i] - work.q[i] if gentle else -work.smooth[i]
    solve_on(work.A, ptr, work.force, work.held, work.force, scratch, counts)
    if gentle:
        for i in range(n):
            work.force[i] = work.p[i] - work.force[i] if work.held[i] else 0.0
