"""The active set of a large sparse problem, warm-started: stages 1 and 3 of :mod:`solvers.active_set.loop`, by fronts.

Block pivoting changes many rows at once and factors anew: an order that is found once makes that cheap. What this does
not settle is left to the search in the envelope.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.active_set.basis import DEPENDENT, UNILATERAL
from solvers.active_set.elimination import Tree, plan
from solvers.active_set.envelope import memory
from solvers.active_set.fronts import Factors, factor, multiply, room, solve_rows
from solvers.active_set.loop import accept, exchange, hand_out, right, sizes, works
from solvers.active_set.pivoting import PATIENCE, forgiven
from solvers.active_set.redundant import ALONE, MOVED, PARTED, settle
from solvers.kernels.compiled import kernel, part

__all__ = ["Large", "large", "warm_start_large"]

FAR_MORE = 8
"""Rows that seem to push, for each that is to come in, from which on these come in by themselves."""


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

    A residual of -1 says that the search has to take over. Where no row is taut, all are tried.

    large : :class:`Large`, of which the factors are overwritten
    known : whether these are of the rows that are taut, and of this A: from a call that solved another q
    """
    m = memory(ptr, work, iwork)
    n, spent, patience, fewest, redundant = q.size, 0, PATIENCE, q.size + 1, False
    residual, limit = -3.0, 0.0
    if not (known or taut.any()):
        taut[:] = True
    while residual < 0.0:
        if residual == -2.0 and patience > 0 and let_in(val, ptr, q, kind, z, w, taut, m.before, limit):
            patience -= 1
        elif residual == -2.0:
            wrong, _, dependent = exchange(val, ptr, q, kind, z, w, taut, m.before, limit, fewest, m.t)
            fewer = wrong < fewest
            if wrong == 0 or not (fewer or (patience > 0 and not dependent)):
                hand_out(taut, m.t)
                return -1.0, spent, 0, redundant
            fewest, patience = min(wrong, fewest), PATIENCE if fewer else patience - 1
        scale, least = sizes(val, ptr, q, kind, taut, m.x)
        if scale < 0.0 or spent > n + PATIENCE:
            return -1.0, spent, 0, redundant
        if not known:
            factor(val, ptr, large.tree, taut, DEPENDENT, large.factors, m.rows, m.u)
            spent += 1
        known = False
        _minimise(val, ptr, large.tree, q, z, w, large.factors, m)
        limit = forgiven(scale, least, rounding)
        residual = right(val, ptr, q, kind, z, w, taut, scale, limit, m.x)
        if m.before[n] < count(taut):
            redundant = True
            if residual == -2.0 and patience > 0:
                found = settle(val, ptr, large, q, kind, z, w, taut, limit, m)
                patience -= found != ALONE
                if found == PARTED:
                    residual = -3.0
                elif found == MOVED:
                    residual = right(val, ptr, q, kind, z, w, taut, scale, limit, m.x)
    return residual, spent, accept(taut, m.before), redundant


@part()
def count(mask):
    """How many are marked."""
    marked = 0
    for i in range(mask.size):
        marked += mask[i]
    return marked


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
