"""The active set of a large sparse problem, warm-started: stages 1 and 3 of :mod:`solvers.active_set.loop`, by fronts.

Block pivoting changes many rows at once and factors anew: an order that is found once makes that cheap. What this does
not settle is left to the search in the envelope.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.active_set.basis import DEPENDENT
from solvers.active_set.elimination import Tree, plan
from solvers.active_set.envelope import memory
from solvers.active_set.fronts import Factors, factor, room, solve
from solvers.active_set.loop import accept, exchange, hand_out, right, sizes
from solvers.active_set.pivoting import PATIENCE, forgiven
from solvers.kernels.compiled import kernel, part

__all__ = ["Large", "large", "warm_start_large"]


class Large(NamedTuple):
    """A large problem's order, and room for its factors."""

    tree: Tree
    factors: Factors


def large(ptr: np.ndarray, at: np.ndarray) -> Large | None:
    """Order and room for problems with entries at places ``at`` of an envelope; None where the envelope serves."""
    tree = plan(ptr, at)
    return None if tree is None else Large(tree, room(tree))


@kernel()
def warm_start_large(val, ptr, large, q, kind, z, w, taut, work, iwork, rounding):
    """As ``warm_start``: (residual, factorisations, rank); a residual of -1 says that the search has to take over.

    large : :class:`Large`, of which the factors are overwritten
    """
    m = memory(ptr, work, iwork)
    n, spent, patience, fewest = q.size, 0, PATIENCE, q.size + 1
    residual, limit = -3.0, 0.0
    while residual < 0.0:
        if residual == -2.0:
            wrong, _, dependent = exchange(val, ptr, q, kind, z, w, taut, m.before, limit, fewest, m.t)
            fewer = wrong < fewest
            if wrong == 0 or not (fewer or (patience > 0 and not dependent)):
                hand_out(taut, m.t)
                return -1.0, spent, 0
            fewest, patience = min(wrong, fewest), PATIENCE if fewer else patience - 1
        spent += 1
        scale, least = sizes(val, ptr, q, kind, taut, m.x)
        if scale < 0.0 or spent > n + PATIENCE:
            return -1.0, spent, 0
        _minimise(val, ptr, large.tree, q, z, w, taut, large.factors, m)
        limit = forgiven(scale, least, rounding)
        residual = right(val, ptr, q, kind, z, w, taut, scale, limit, m.x)
    return residual, spent, accept(taut, m.before)


@part()
def _minimise(val, ptr, tree, q, z, w, taut, factors, m):
    """z with w = 0 on the active rows, and w = A z + q; ``m.before`` tells which rows were accepted."""
    n, x = q.size, factors.x
    factor(val, ptr, tree, taut, DEPENDENT, factors, m.rows, m.u)
    for k in range(n):
        x[k] = -q[tree.row[k]]
    solve(tree, factors)
    for k in range(n):
        z[tree.row[k]] = x[k]
        m.head[tree.row[k]] = factors.D[k] != 0.0
    m.before[0] = 0
    for i in range(n):
        m.before[i + 1] = m.before[i] + m.head[i]
        w[i] = q[i] + val[ptr[i + 1] - 1] * z[i]
    for e in range(tree.entry.shape[0]):
        i, j, a = tree.entry[e, 0], tree.entry[e, 1], val[tree.entry[e, 2]]
        w[i] += a * z[j]
        w[j] += a * z[i]
