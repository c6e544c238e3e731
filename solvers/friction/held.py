"""Which rows of a solved problem are held, the rank of A on them, and whether the multipliers are unique."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set.basis import FREE, UNILATERAL, push, rank_of, row_size
from solvers.active_set.unique import NOT_UNIQUE, UNIQUE, UNKNOWN, only_answer
from solvers.friction.bands import tension
from solvers.friction.cone import CONE
from solvers.kernels.compiled import part
from solvers.status import ACCEPT

TINY = 1e-300

NEGLIGIBLE = 1e-18
"""Share of max q² / A_ii below which w² / A_ii is zero: accepted answers are exact to 1e-9, the judge's bound."""

NOTHING, NEAR = 1e-12, 1e6
"""Shares of that below which w is rounding, and below which the terms that w is the sum of are looked at."""


STRICTLY = 1.0 - 1e-6
"""Share of the bound of friction up to which a contact that sticks may bear more, and less."""


@part()
def uniqueness(rows, cones, large, step, basis, scale, work, iwork):
    """(whether the multipliers are unique, rank of A on the held rows).

    Held are free rows, those with w = 0, and tangents of contacts that stick. With friction w need not be unique, and
    UNKNOWN is the answer, unless rows whose impulse is strictly within its bounds depend on each other: NOT_UNIQUE.
    Both are found anew only when the rows that are held or work, or the rank of the solver's basis, are not those of
    the step before.

    rows : with ``envelope``, that of A
    step : with A, kind, q, p, w of the solved problem; ``mask``, ``works`` (n,) and ``known`` (3,) keep the rows
        that are held, of these the ones that work, the rank of the basis, that of A and the answer from step to step;
        ``table`` is scratch
    cones : of the friction, None without, or where it is on polygons
    large : as of ``rank_of``
    basis : rank of the solver's basis; when it has all held rows, nothing needs to be factored
    scale : max q² / A_ii, or −1 to have it found
    work, iwork : from ``active_set.envelope.workspace``, overwritten
    """
    val, ptr, kind, q, p, w = step.A, rows.envelope, step.kind, step.q, step.p, step.w
    known, mask, works = step.known, step.mask, step.works
    n = q.size
    if basis == n and cones is None:  # all rows are held, and none depends on others
        known[0] = known[1] = n
        return UNIQUE, n
    bound = _rounding(val, ptr, kind, q) if cones is not None else NEGLIGIBLE * scale
    held = 0
    rubs = False
    changed = basis != known[0]
    for i in range(n):
        if kind[i] == CONE:
            rubs = True
            continue
        now = kind[i] == FREE or (kind[i] == UNILATERAL and p[i] > 0.0)
        if kind[i] == UNILATERAL and not now:
            if bound < 0.0:
                bound = _rounding(val, ptr, kind, q)
            square, share = w[i] * w[i], bound * val[ptr[i + 1] - 1]
            now = w[i] <= ACCEPT * abs(q[i]) or square <= NOTHING * share
            if not now and square <= NEAR * share:
                now = w[i] <= ACCEPT * row_size(val, ptr, q, p, i)
        changed |= now != mask[i]
        mask[i] = now
        held += now
    if cones is not None:
        more, other = _sticking(val, ptr, cones, p, w, bound, mask)
        held += more
        changed |= other
    known[0] = basis
    if held == basis:
        known[1] = held
    elif changed:
        known[1] = rank_of(large, val, ptr, mask, work, iwork)
    rank = known[1]
    if held == rank or (rubs and cones is None):
        return (UNKNOWN if rubs else UNIQUE), rank
    if bound < 0.0:
        bound = _rounding(val, ptr, kind, q)
    pulling = 0
    for i in range(n):
        if kind[i] == CONE and cones is not None:
            continue
        now = mask[i] and (kind[i] == FREE or (kind[i] == UNILATERAL and p[i] * p[i] * val[ptr[i + 1] - 1] > bound))
        changed |= now != works[i]
        works[i] = now
        pulling += now
    if cones is not None:
        more, other = _within(cones, p, mask, works)
        pulling += more
        changed |= other
    if not changed:
        return known[2], rank
    if cones is None:
        known[2] = only_answer(large, val, ptr, mask, works, rank, step.table, work, iwork)
    else:
        found = pulling > rank or rank_of(large, val, ptr, works, work, iwork) < pulling
        known[2] = NOT_UNIQUE if found else UNKNOWN
    return known[2], rank


@part()
def _sticking(val, ptr, cones, p, w, bound, mask):
    """Mark the rows that contacts and bands hold: (how many, whether they are others than before)."""
    held = 0
    changed = False
    for c in range(cones.mu.shape[0]):
        touches = p[cones.row[c, 0]] > 0.0
        slip = 0.0
        for j in range(1, 3):
            i = cones.row[c, j]
            slip += w[i] * w[i] / val[ptr[i + 1] - 1]
        for j in range(3):
            i = cones.row[c, j]
            now = touches and (j == 0 or slip <= 2.0 * bound)
            changed |= now != mask[i]
            mask[i] = now
            held += now
    for c in range(cones.bands.low.shape[0]):
        i = cones.bands.row[c, 0]
        now = p[cones.bands.row[c, 1]] > 0.0 and w[i] * w[i] <= bound * val[ptr[i + 1] - 1]
        changed |= now != mask[i]
        mask[i] = now
        held += now
    return held, changed


@part()
def _within(cones, p, mask, works):
    """Mark the rows of contacts and bands that stick, with impulses strictly within their bounds.

    Returns how many, and whether they are others than before.
    """
    count = 0
    changed = False
    for c in range(cones.mu.shape[0]):
        i, j, k = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        most = STRICTLY * cones.mu[c] * p[i]
        now = mask[i] and mask[j] and mask[k] and p[j] * p[j] + p[k] * p[k] < most * most
        changed |= now != works[i]
        works[i] = works[j] = works[k] = now
        count += 3 * now
    for c in range(cones.bands.low.shape[0]):
        i = cones.bands.row[c, 0]
        T = STRICTLY * tension(cones.bands, c, p)
        now = mask[i] and -cones.bands.low[c] * T < p[i] < cones.bands.high[c] * T
        changed |= now != works[i]
        works[i] = now
        count += now
    return count, changed


@part()
def _rounding(val, ptr, kind, q):
    """Square of the largest w/d that counts as zero."""
    scale = 0.0
    for i in range(q.size):
        pushing = push(kind[i], q[i])
        scale = max(scale, pushing * pushing / max(val[ptr[i + 1] - 1], TINY))
    return NEGLIGIBLE * scale
