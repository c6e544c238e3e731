"""Friction as a force in a step with an impact, p = P + h λ (see towsim.methods.impulses): it obeys its law.

Tangents t of a contact with the normal n, and differences of tension t of a wire that rubs on what it passes, where B
pulls:

    |λ_t| ≤ μ λ_n,     −low λ_B ≤ λ_t ≤ high λ_B

What slides has p_t on its bound. The bounds are cones, so those parts of it that are within theirs are on them, too:

    λ_t = p_t λ_n / p_n,     P_t = p_t P_n / p_n

What sticks is solved for as other held rows are, and brought to its bound where forces alone would make it slide.

Source: Moreau (1988); bounds of wires: solvers.friction.bands.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from solvers.kernels.compiled import part, shared

STILL = 1e-9
"""w²/A_ii of what does not slide, as a share squared of the largest q²/A_ii of what acts: answers are as exact as that.

Rows that do not act have no part in it, as slack wires, whose q is their slack over the step, nor has what nothing
couples.
"""


@part()
def hold_what_sticks(model, work):
    """Hold tangents of contacts, and bands of wires, that do not slide in the step; no others."""
    bound = work.change
    bound_rates(model.rows, work, bound)
    row = model.contacts.row
    for c in range(row.shape[0]):
        if row[c, 1] >= 0:
            n, s, t = row[c, 0], row[c, 1], row[c, 2]
            work.held[s] = work.p[n] > 0.0 and still(model, work, s, bound) and still(model, work, t, bound)
            work.held[t] = work.held[s]
    hold_bands(model.routes, model, work, bound)


@part(forceinline=False)
def bound_rates(rows, work, bound):
    """Write w²/A_ii of what does not slide to ``bound``, row by row: it is the same in rows that something couples."""
    for k in range(rows.parts.shape[0] - 1):
        most = 0.0
        for i in range(rows.parts[k], rows.parts[k + 1]):
            size = work.A[rows.envelope[i + 1] - 1]
            if work.p[i] != 0.0 and size > 0.0:
                most = max(most, STILL * STILL * work.q[i] * work.q[i] / size)
        for i in range(rows.parts[k], rows.parts[k + 1]):
            bound[i] = most


@part()
def hold_bands(routes, model, work, bound):
    """As ``hold_what_sticks``, of wires."""
    if routes is not None:
        for c in range(routes.rubbing.shape[0]):
            i = routes.rubbing[c, 0]
            work.held[i] = work.p[routes.rubbing[c, 1]] > 0.0 and still(model, work, i, bound)


@part()
def still(model, work, i, bound):
    """Whether row i has no rate after the step."""
    return work.w[i] * work.w[i] <= bound[i] * work.A[model.rows.envelope[i + 1] - 1]


@part()
def rubs(model):
    """Whether anything has friction."""
    found = rubbing_wires(model.routes)
    for c in range(model.contacts.row.shape[0]):
        found |= model.contacts.row[c, 1] >= 0
    return found


@part()
def rubbing_wires(routes):
    """Whether wires rub on what they pass."""
    return routes is not None and routes.rubbing.shape[0] > 0


@shared
@part()
def rub(model, work):
    """Bring h λ of friction, in ``work.force``, to its law."""
    row, force, p = model.contacts.row, work.force, work.p
    for c in range(row.shape[0]):
        if row[c, 1] >= 0:
            n, s, t = row[c, 0], row[c, 1], row[c, 2]
            if work.held[s]:
                size = math.hypot(force[s], force[t])
                grip = max(model.contacts.friction[c], math.hypot(p[s], p[t]) / p[n])  # a polygon reaches beyond μ
                scale = min(1.0, grip * max(force[n], 0.0) / size) if size > 0.0 else 1.0
                force[s], force[t] = scale * force[s], scale * force[t]
            else:
                force[s], force[t] = scaled(p[s], force[n], p[n]), scaled(p[t], force[n], p[n])
    rub_wires(model.routes, work)


@part()
def rub_wires(routes, work):
    """As ``rub``, of wires."""
    if routes is not None:
        pull, whole = 0.0, 0.0
        for c in range(routes.rubbing.shape[0]):
            i, wire = routes.rubbing[c, 0], routes.rubbing[c, 1]
            if c == 0 or routes.rubbing[c - 1, 1] != wire:
                pull, whole = max(work.force[wire], 0.0), work.p[wire]
            if work.held[i]:
                work.force[i] = max(-routes.bound[0, c] * pull, min(work.force[i], routes.bound[1, c] * pull))
            else:
                work.force[i] = scaled(work.p[i], pull, whole)
            pull, whole = pull + work.force[i], whole + work.p[i]


@part()
def scaled(p, force, whole):
    """p force/whole, 0 where nothing presses."""
    return p * (force / whole) if whole > 0.0 else 0.0 * p
