"""Rows that change sides: those that push and should pull leave the active set, those that others violate join it."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set.basis import UNILATERAL, wrong_impulse, wrong_rate
from solvers.kernels.compiled import part

# How far a z may be below zero for its row to be tried without, as a multiple of what w may.
SLIGHT = 64.0

# Of an exchange without a new minimum of wrong signs (see ``pivoting.PATIENCE``), where rows only join: z stays above
# zero, and the objective falls.
JOINING = 0.2


@part()
def exchange(val, ptr, q, kind, z, w, taut, before, limit, fewest, best):
    """Exchange the rows that have the wrong sign.

    Where they are no fewer than ever before, only the one that is farthest off (see ``pivoting.block``): exchanges of
    all of them would take turns.

    best : (n,) out; 1 for the rows of the set with the fewest wrong signs

    Returns
    -------
    how many have the wrong sign, the first exchanged, whether a row leaves, whether rows are dependent
    """
    wrong, farthest, row, chosen, leaving = 0, 0.0, 0, 0, False
    for i in range(kind.size):
        chosen += taut[i]
        if kind[i] == UNILATERAL and works(val, ptr, q, z, w, before, limit, i) != taut[i]:
            a = val[ptr[i + 1] - 1]
            size = z[i] * z[i] * a if before[i + 1] > before[i] else w[i] * w[i] / a
            if wrong == 0 or size > farthest:
                farthest, row = size, i
            wrong += 1
            leaving |= taut[i]
    if wrong > 0 and wrong >= fewest:
        taut[row] = not taut[row]
        return wrong, row, leaving, chosen > before[kind.size]
    first = kind.size
    for i in range(kind.size):
        best[i] = 1.0 if taut[i] else 0.0
        if kind[i] == UNILATERAL:
            acts = works(val, ptr, q, z, w, before, limit, i)
            if acts != taut[i]:
                taut[i] = acts
                first = min(first, i)
    return wrong, first, leaving, chosen > before[kind.size]


@part()
def hand_out(taut, best):
    """Go back to the set with the fewest wrong signs."""
    for i in range(taut.size):
        taut[i] = best[i] == 1.0


@part(forceinline=False)
def works(val, ptr, q, z, w, before, limit, i):
    """Whether row i acts as it seems from the signs of its z or w."""
    if before[i + 1] > before[i]:
        return z[i] >= 0.0 or not wrong_impulse(val, ptr, q, z, i, SLIGHT * limit)
    return w[i] < 0.0 and wrong_rate(val, ptr, q, z, w, i, limit)
