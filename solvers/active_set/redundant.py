"""What to do where rows of a large problem's active set depend on each other, by z that no motion feels.

A skipped row s and the rows a before it make a null vector: n_s = 1, n_a = −A_aa⁻¹ A_as, A n = 0. So z + t n leaves
A z as it is, and n·w = n·q whatever z: with w = 0 on all others, w_s = n·q. The t for which no z is negative are an
interval. Where w_s is rounding, the rows agree and all of it is solutions: the middle is taken, as at its ends z of
many rows may vanish at once. Otherwise one row more than s must part, w_i = n·q / n_i > 0: of those with the sign of
n·q the first whose z vanishes, as in the walks of ``pivoting.descend``. Without it the rest is independent.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf

from solvers.active_set.basis import UNILATERAL, wrong_rate
from solvers.active_set.envelope import entry
from solvers.active_set.fronts import multiply, solve_rows
from solvers.kernels.compiled import part

ALONE, MOVED, PARTED = 0, 1, 2

NOTHING = 1e-13
"""Share of n_s up to which an entry of n is rounding."""


@part(forceinline=False)
def settle(val, ptr, large, q, kind, z, w, taut, limit, m):
    """MOVED: z and w are others; PARTED: a row has left ``taut``; ALONE: nothing is gained.

    large : with the factors of the rows that are taut, of which ``m.before`` tells the accepted ones; z, w are theirs
    limit : what w² / A_ii may be;  m : Memory, of which y is overwritten
    """
    n, y, before, moved = q.size, m.y, m.before, False
    for s in range(n):
        if not taut[s] or before[s + 1] > before[s]:
            continue
        for j in range(n):
            y[j] = -entry(val, ptr, s, j)
        solve_rows(large.tree, large.factors, y, y)
        y[s] = 1.0
        wrong = wrong_rate(val, ptr, q, z, w, s, limit)
        low, high, first, last = -inf, inf, -1, -1
        for i in range(n):
            if kind[i] != UNILATERAL or not abs(y[i]) > NOTHING:
                continue
            t = -z[i] / y[i]
            if y[i] > 0.0 and t > low:
                low, first = t, i
            elif y[i] < 0.0 and t < high:
                high, last = t, i
        if not low <= high:
            return ALONE
        if wrong:
            leaving = first if w[s] > 0.0 else last
            if leaving < 0:
                return ALONE
            taut[leaving] = False
            return PARTED
        t = 0.5 * (low + high) if low > -inf and high < inf else min(max(0.0, low), high)
        for i in range(n):
            z[i] += t * y[i]
        moved = True
    multiply(val, ptr, large.tree, q, z, w)
    return MOVED if moved else ALONE
