"""The active set of a large sparse problem, warm-started: stages 1 and 3 of :mod:`solvers.active_set.loop`, by fronts.

Block pivoting changes many rows at once and factors anew: an order that is found once makes that cheap. What it does
not settle is left to the search in the envelope.

It does not tell which of rows that depend on each other is to part. A skipped row s and the accepted rows a make a null
vector: n_s = 1, n_a = −A_aa⁻¹ A_as, A n = 0. So z + t n leaves A z as it is, and n·w = n·q whatever z: with w = 0 on
all others, w_s = n·q. The t for which no z is negative are an interval. Where w_s is rounding, the rows agree, and any
of these t solves them: the middle is taken, as at the ends z of many rows may vanish at once. Otherwise one row must
part, with w_i = n·q / n_i > 0: of those with the sign of n·q the first whose z vanishes, as in ``pivoting.descend``.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from solvers.active_set.basis import DEPENDENT, UNILATERAL, wrong_rate
from solvers.active_set.elimination import Tree, plan
from solvers.active_set.envelope import entry, memory
from solvers.active_set.exchange import JOINING, exchange, hand_out, works
from solvers.active_set.fronts import Factors, factor, multiply, room, solve_rows
from solvers.active_set.least_norm import marked
from solvers.active_set.loop import accept, right, sizes
from solvers.active_set.pivoting import PATIENCE, forgiven
from solvers.kernels.compiled import kernel, part

__all__ = ["Large", "large", "warm_start_large"]

FAR_MORE = 8
"""Rows that seem to push, for each that is to come in, from which on these come in by themselves."""

ALONE, MOVED, PARTED = 0, 1, 2
"""What ``settle`` does."""

MOST = 16
"""Skipped rows that it looks at: each costs a solution."""

NOTHING = 1e-13
"""Share of n_s up to which an entry of n is rounding."""


class Large(NamedTuple):
    """A large problem's order, and room for its factors."""

    tree: Tree
    factors: Factors


def large(ptr: np.ndarray, at: np.ndarray) -> Large | None:
    """Order and room for problems with entries at places ``at`` of an envelope; None where the envelope serves."""
    tree = plan(ptr, at)
    return None if tree is None else Large(tree, room(tree))


@kernel()
def warm_start_large(val, ptr, large, q, kind, z, w, taut, work, iwork, rounding, known):
    """As ``warm_start``: (residual, factorisations, rank, whether rows were met that depend on each other).

    A residual of -1 says that the search has to take over. Where no row was taut, and exchanges stall, all are tried.

    large : :class:`Large`, of which the factors are overwritten
    known : whether these are of the rows that are taut, and of this A: from a call that solved another q
    """
    m = memory(ptr, work, iwork)
    n, spent, patience, fewest, redundant = q.size, 0, 1.0 * PATIENCE, q.size + 1, False
    residual, limit = -3.0, 0.0
    alone = not taut.any()
    while residual < 0.0:
        if residual == -2.0 and patience > 0 and let_in(val, ptr, q, kind, z, w, taut, m.before, limit):
            patience -= 1
        elif residual == -2.0:
            wrong, _, leaving, dependent = exchange(val, ptr, q, kind, z, w, taut, m.before, limit, fewest, m.t)
            fewer = wrong < fewest
            if wrong > 0 and (fewer or (patience > 0 and not dependent)):
                fewest = min(wrong, fewest)
                patience = 1.0 * PATIENCE if fewer else patience - (1.0 if leaving else JOINING)
            elif alone:
                taut[:], alone, fewest, patience = True, False, n + 1, 1.0 * PATIENCE
            else:
                hand_out(taut, m.t)
                return -1.0, spent, 0, redundant
        scale, least, wires = sizes(val, ptr, q, kind, taut, m.x)
        if scale < 0.0 or spent > n + PATIENCE:
            return -1.0, spent, 0, redundant
        if not known:
            factor(val, ptr, large.tree, taut, DEPENDENT, large.factors, m.rows, m.u)
            spent += 1
        known = False
        _minimise(val, ptr, large.tree, q, z, w, large.factors, m)
        limit = forgiven(scale, least, rounding)
        residual = right(val, ptr, q, kind, z, w, taut, wires, scale, limit, m.x)
        if m.before[n] < marked(taut):
            redundant = True
            if residual == -2.0 and patience > 0:
                found = settle(val, ptr, large, q, kind, z, w, taut, limit, m)
                patience -= found != ALONE
                if found == PARTED:
                    residual = -3.0
                elif found == MOVED:
                    residual = right(val, ptr, q, kind, z, w, taut, wires, scale, limit, m.x)
    return residual, spent, accept(taut, m.before), redundant


@part()
def let_in(val, ptr, q, kind, z, w, taut, before, limit):
    """Let rows come in that others would violate; only where far more seem to push, as they may for want of these."""
    come = go = 0
    for i in range(kind.size):
        if kind[i] == UNILATERAL:
            acts = works(val, ptr, q, z, w, before, limit, i)
            come += acts and not taut[i]
            go += taut[i] and not acts
    if come == 0 or go <= FAR_MORE * come:
        return False
    for i in range(kind.size):
        if kind[i] == UNILATERAL and not taut[i]:
            taut[i] = works(val, ptr, q, z, w, before, limit, i)
    return True


@part(forceinline=False)
def settle(val, ptr, large, q, kind, z, w, taut, limit, m):
    """MOVED: z and w are others; PARTED: a row that depends on others has left ``taut``; ALONE: nothing is gained.

    large : with the factors of the rows that are taut, of which ``m.before`` tells the accepted ones; z, w are theirs
    limit : what w² / A_ii may be;  m : Memory, of which y is overwritten
    """
    n, y, before, moved = q.size, m.y, m.before, False
    if marked(taut) - before[n] > MOST:
        return ALONE
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


@part()
def _minimise(val, ptr, tree, q, z, w, factors, m):
    """z with w = 0 on the active rows, and w = A z + q; ``m.before`` tells which rows were accepted."""
    n = q.size
    for i in range(n):
        w[i] = -q[i]
    solve_rows(tree, factors, w, z)
    multiply(val, ptr, tree, q, z, w)
    for k in range(n):
        m.head[tree.row[k]] = factors.D[k] != 0.0
    m.before[0] = 0
    for i in range(n):
        m.before[i + 1] = m.before[i] + m.head[i]
