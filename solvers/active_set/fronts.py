"""LDLᵀ of the active rows of a large sparse matrix, front by front (multifrontal), in an order found once.

A front holds the columns of L of its pivots, by columns, and what they leave to the rows below: F ← F − L D Lᵀ, which
its parent adds to its own. As in ``envelope.factor`` a row that is not active, or depends on those before it, is
skipped: its column of L is zero, and so is its reciprocal pivot.

Source: Duff & Reid, ACM TOMS 9 (1983) 302-325; Liu, SIAM Review 34 (1992) 82-109.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.active_set.elimination import Tree
from solvers.kernels.compiled import kernel, part
from solvers.matrix import Array

FAST = {"contract", "reassoc"}
"""Sums here may be taken in any order: they are long, and judged by A itself afterwards."""


class Factors(NamedTuple):
    """What a factorisation writes: L by fronts, reciprocal pivots by place (0: skipped), and scratch."""

    L: Array
    D: Array  # (n,)
    stack: Array
    x: Array  # (n,) by place
    t: Array  # (n,)


def room(tree: Tree) -> Factors:
    """Arrays for a tree."""
    n = len(tree.row)
    return Factors(np.empty(tree.column[-1]), np.zeros(n), np.empty(tree.room[0] + 1), np.zeros(n), np.zeros(n))


@part(forceinline=False, fastmath=FAST)
def _less(y, at, x, begin, length, a):
    """y[at + i] −= a x[begin + i]."""
    for i in range(length):
        y[at + i] -= a * x[begin + i]


@part(forceinline=False, fastmath=FAST)
def _less_four(y, at, x, begin, length, a):
    """y[at + i] −= Σ a_k x[begin_k + i] over four columns."""
    b0, b1, b2, b3 = begin[0], begin[1], begin[2], begin[3]
    for i in range(length):
        y[at + i] -= (a[0] * x[b0 + i] + a[1] * x[b1 + i]) + (a[2] * x[b2 + i] + a[3] * x[b3 + i])


@part(forceinline=False)
def _take(L, D, places, count, begin, size, inner, y, at):
    """Take from column ``inner`` of a front, at y[at], what its first ``count`` pivots that count leave in it."""
    k = 0
    length = size - inner
    while k + 4 <= count:
        c0, c1, c2, c3 = (
            begin + places[k] * size + inner,
            begin + places[k + 1] * size + inner,
            begin + places[k + 2] * size + inner,
            begin + places[k + 3] * size + inner,
        )
        a = (L[c0] * D[k], L[c1] * D[k + 1], L[c2] * D[k + 2], L[c3] * D[k + 3])
        _less_four(y, at, L, (c0, c1, c2, c3), length, a)
        k += 4
    while k < count:
        c0 = begin + places[k] * size + inner
        _less(y, at, L, c0, length, L[c0] * D[k])
        k += 1


@kernel()
def factor(val, ptr, tree, active, tol, m, places, pivots):
    """LDLᵀ of the active rows; returns how many are accepted.

    Parameters
    ----------
    val, ptr : envelope of A, entries but those of the tree are zero
    tree : :class:`Tree`;  active : (n,) bool;  tol : as of ``envelope.factor``
    m : :class:`Factors`, out
    places, pivots : (n,) int and float scratch
    """
    L, D, stack = m.L, m.D, m.stack
    for i in range(L.size):
        L[i] = 0.0
    for e in range(tree.fill.shape[0]):
        L[tree.fill[e, 1]] = val[tree.fill[e, 0]]
    top = 0
    rank = 0
    for s in range(tree.size.size):
        first, size, begin = tree.first[s], tree.size[s], tree.column[s]
        p = tree.first[s + 1] - first
        u = size - p
        bottom = own = top
        for j in range(u):
            for i in range(own + j * u + j, own + j * u + u):
                stack[i] = 0.0
        # The children's shares stand on top of the stack, the last one uppermost.
        c = s - 1 if s > 0 and tree.parent[s - 1] == s else -1
        while c >= 0:
            uc = tree.under[c + 1] - tree.under[c]
            bottom -= uc * uc
            _add(stack, bottom, uc, tree.inside, tree.under[c], L, begin, size, p, own, u)
            c = tree.elder[c]
        count = 0
        for k in range(p):
            row = tree.row[first + k]
            column = begin + k * size
            if active[row]:
                _take(L, pivots, places, count, begin, size, k, L, column + k)
                d = L[column + k]
                if d > tol * val[ptr[row + 1] - 1]:
                    D[first + k] = pivots[count] = 1.0 / d
                    places[count] = k
                    count += 1
                    continue
            D[first + k] = 0.0
            for i in range(column + k, column + size):
                L[i] = 0.0
        if count > 0:
            for j in range(u):
                _take(L, pivots, places, count, begin, size, p + j, stack, own + j * u + j)
            for k in range(count):
                column = begin + places[k] * size
                for i in range(column + places[k] + 1, column + size):
                    L[i] *= pivots[k]
        rank += count
        if bottom < own:
            for j in range(u):
                for i in range(j * u + j, j * u + u):
                    stack[bottom + i] = stack[own + i]
        top = bottom + u * u
    return rank


@part(forceinline=False)
def _add(stack, at, uc, inside, begin_inside, L, begin, size, p, own, u):
    """Add a child's share (uc × uc at stack[at]) to its parent's columns of L, and to what it passes on."""
    for j in range(uc):
        column = inside[begin_inside + j]
        if column < p:
            _scatter(L, begin + column * size, inside, begin_inside + j, stack, at + j * uc + j, uc - j)
        else:
            _scatter(stack, own + (column - p) * u - p, inside, begin_inside + j, stack, at + j * uc + j, uc - j)


@part()
def _scatter(y, base, inside, first, x, begin, length):
    """y[base + inside[first + i]] += x[begin + i]."""
    for i in range(length):
        y[base + inside[first + i]] += x[begin + i]


@part(forceinline=False, fastmath=FAST)
def _dot(x, i, y, length):
    s = 0.0
    for k in range(length):
        s += x[i + k] * y[k]
    return s


@kernel()
def solve(tree, m):
    """Solve L D Lᵀ x = b in place; m.x holds b by place, and then x, zero where a row was skipped."""
    L, D, x, t = m.L, m.D, m.x, m.t
    for s in range(tree.size.size):
        first, size, begin, under = tree.first[s], tree.size[s], tree.column[s], tree.under[s]
        p = tree.first[s + 1] - first
        for i in range(size):
            t[i] = 0.0
        for k in range(p):
            y = x[first + k] - t[k]
            x[first + k] = y
            if D[first + k] != 0.0:
                column = begin + k * size
                _less(t, k + 1, L, column + k + 1, size - k - 1, -y)
        for i in range(size - p):
            x[tree.below[under + i]] -= t[p + i]
    for i in range(x.size):
        x[i] *= D[i]
    for s in range(tree.size.size - 1, -1, -1):
        first, size, begin, under = tree.first[s], tree.size[s], tree.column[s], tree.under[s]
        p = tree.first[s + 1] - first
        for i in range(size - p):
            t[i] = x[tree.below[under + i]]
        for k in range(p - 1, -1, -1):
            if D[first + k] != 0.0:
                column = begin + k * size
                y = x[first + k] - _dot(L, column + p, t, size - p)
                for i in range(k + 1, p):
                    y -= L[column + i] * x[first + i]
                x[first + k] = y
