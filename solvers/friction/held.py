"""Which rows of a solved problem are held, and the rank of A on them: whether multipliers are unique."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set.basis import FREE, UNILATERAL, rank_of, row_size
from solvers.friction.cone import CONE
from solvers.kernels.compiled import part
from solvers.status import ACCEPT

TINY = 1e-300

NEGLIGIBLE = 1e-18
"""Share of max q² / A_ii below which w² / A_ii is zero: accepted answers are exact to 1e-9, the judge's bound."""

NEAR = 1e6
"""Times as much is worth a look at the terms that w is the sum of, of which w is judged to be a share."""


@part()
def count_held(rows, cones, step, basis, scale, work, iwork):
    """Number of rows that are held (free, or w = 0; tangents of contacts that stick), and the rank of A on them.

    The rank is factored anew only when the held rows, or the rank of the solver's basis, are not those of the step
    before.

    rows : with ``envelope``, that of A
    step : with A, kind, q, p, w of the solved problem; ``mask`` (n,) and ``known`` (2,) keep the held rows,
        the rank of the basis and that of A from step to step
    cones : of the friction, None without
    basis : rank of the solver's basis; when it has all held rows, nothing needs to be factored
    scale : max q² / A_ii, or −1 to have it found
    work, iwork : from ``active_set.envelope.workspace``, overwritten
    """
    val, ptr, kind, q, p, w = step.A, rows.envelope, step.kind, step.q, step.p, step.w
    known, mask = step.known, step.mask
    n = q.size
    bound = _rounding(val, ptr, q) if cones is not None else NEGLIGIBLE * scale
    held = 0
    changed = basis != known[0]
    for i in range(n):
        if cones is not None and kind[i] == CONE:
            continue
        now = kind[i] == FREE or (kind[i] == UNILATERAL and p[i] > 0.0)
        if kind[i] == UNILATERAL and not now:
            if bound < 0.0:
                bound = _rounding(val, ptr, q)
            now = w[i] <= 0.0 or (
                w[i] * w[i] <= NEAR * bound * val[ptr[i + 1] - 1] and w[i] <= ACCEPT * row_size(val, ptr, q, p, i)
            )
        changed |= now != mask[i]
        mask[i] = now
        held += now
    if cones is not None:
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
    known[0] = basis
    if held == basis:
        known[1] = held
    elif changed:
        known[1] = rank_of(val, ptr, mask, work, iwork)
    return held, known[1]


@part()
def _rounding(val, ptr, q):
    """Square of the largest w/d that counts as zero."""
    scale = 0.0
    for i in range(q.size):
        scale = max(scale, q[i] * q[i] / max(val[ptr[i + 1] - 1], TINY))
    return NEGLIGIBLE * scale
