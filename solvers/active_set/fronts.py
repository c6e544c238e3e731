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
from solvers.kernels.lanes import WIDTH, along
from solvers.matrix import Array

FAST = {"contract", "reassoc"}
"""Sums here may be taken in any order: they are long, and judged by A itself afterwards."""


class Factors(NamedTuple):
    """What a factorisation writes: L by fronts, reciprocal pivots by place (0: skipped), and scratch."""

    L: Array  # (column[S] + room,) columns of the fronts, one front after the other, and room for tiles beyond
    D: Array  # (n,)
    stack: Array  # (tree.room + room,) what fronts pass on
    share: Array  # (4 n,) multipliers of a tile, four a pivot
    x: Array  # (n,) by place
    t: Array  # (n,)


def room(tree: Tree) -> Factors:
    """Arrays for a tree."""
    n, beyond = len(tree.row), WIDTH * tree.tall.max(initial=0)
    L, stack = np.zeros(tree.column[-1] + beyond), np.zeros(tree.room[0] + beyond)
    return Factors(L, np.zeros(n), stack, np.zeros(WIDTH * n), np.zeros(n), np.zeros(n))


@part(forceinline=False)
def _take(L, columns, D, begun, count, own, inner, y, at, length):
    """Take from column ``own`` of a front what pivots ``begun`` to ``count`` − 1 leave in it, from row ``inner`` on.

    y[at] is the number in that row;  length : of what is left of the column, filled up to a multiple of four
    """
    x, to = along(L), along(y)
    for k in range(begun, count):
        c = columns[k] + inner
        a = L[columns[k] + own] * D[k]
        for i in range(0, length, WIDTH):
            to[at + i] = to[at + i] - a * x[c + i]


@part(forceinline=False)
def _take_four(L, columns, D, count, inner, y, at, tall, length, share):
    """As ``_take`` from four columns, of all pivots before: by tiles of eight rows, which stay in registers.

    What is not there of the four is written to all the same, beyond the front, where nothing stands yet; and so is what
    is above the diagonals.

    tall : from a column of y to the next;  share : scratch, four numbers a pivot
    """
    x, to, of = along(L), along(y), along(share)
    for k in range(count):
        of[WIDTH * k] = x[columns[k] + inner] * D[k]
    p, q, r, s = at, at + tall, at + 2 * tall, at + 3 * tall
    for i in range(0, length - WIDTH, 2 * WIDTH):
        j = i + WIDTH
        a, b, c, d, e, f, g, h = to[p + i], to[p + j], to[q + i], to[q + j], to[r + i], to[r + j], to[s + i], to[s + j]
        for k in range(count):
            u, v, m = x[columns[k] + inner + i], x[columns[k] + inner + j], WIDTH * k
            a, b = a - share[m] * u, b - share[m] * v
            c, d = c - share[m + 1] * u, d - share[m + 1] * v
            e, f = e - share[m + 2] * u, f - share[m + 2] * v
            g, h = g - share[m + 3] * u, h - share[m + 3] * v
        to[p + i], to[p + j], to[q + i], to[q + j], to[r + i], to[r + j], to[s + i], to[s + j] = a, b, c, d, e, f, g, h
    if length & WIDTH:
        i = length - WIDTH
        a, c, e, g = to[p + i], to[q + i], to[r + i], to[s + i]
        for k in range(count):
            u, m = x[columns[k] + inner + i], WIDTH * k
            a, c, e, g = a - share[m] * u, c - share[m + 1] * u, e - share[m + 2] * u, g - share[m + 3] * u
        to[p + i], to[q + i], to[r + i], to[s + i] = a, c, e, g


@kernel()
def factor(val, ptr, tree, active, tol, m, columns, pivots):
    """LDLᵀ of the active rows; returns how many are accepted.

    Parameters
    ----------
    val, ptr : envelope of A, entries but those of the tree are zero
    tree : :class:`Tree`;  active : (n,) bool;  tol : as of ``envelope.factor``
    m : :class:`Factors`, out
    columns, pivots : (n,) int and float scratch: where columns of L of a front begin that count, and 1/D of these
    """
    L, D, stack = m.L, m.D, m.stack
    top = rank = filled = 0
    for s in range(tree.size.size):
        first, size, begin = tree.first[s], tree.size[s], tree.column[s]
        p = tree.first[s + 1] - first
        u = size - p
        tall, wide = tree.tall[s], tree.wide[s]
        bottom = own = top
        for i in range(begin, tree.column[s + 1]):
            L[i] = 0.0
        while filled < tree.fill.shape[0] and tree.fill[filled, 1] < tree.column[s + 1]:
            L[tree.fill[filled, 1]] = val[tree.fill[filled, 0]]
            filled += 1
        for j in range(u):
            for i in range(own + j * wide + (j & -WIDTH), own + j * wide + wide):
                stack[i] = 0.0
        # The children's shares stand on top of the stack, the last one uppermost.
        c = s - 1 if s > 0 and tree.parent[s - 1] == s else -1
        while c >= 0:
            uc = tree.under[c + 1] - tree.under[c]
            bottom -= uc * tree.wide[c]
            _add(stack, bottom, uc, tree.wide[c], tree.inside, tree.under[c], L, begin, tall, p, own, wide)
            c = tree.elder[c]
        count = taken = 0
        for k in range(p):
            row = tree.row[first + k]
            column, block = begin + k * tall, k & -WIDTH
            if k == block:
                _take_four(L, columns, pivots, count, k, L, column + k, tall, tall - k, m.share)
                taken = count
            if active[row]:
                _take(L, columns, pivots, taken, count, k, block, L, column + block, tall - block)
                d = L[column + k]
                if d > tol * val[ptr[row + 1] - 1]:
                    D[first + k] = pivots[count] = 1.0 / d
                    columns[count] = column
                    count += 1
                    continue
            D[first + k] = 0.0
            for i in range(column + block, column + tall):
                L[i] = 0.0
        if count > 0:
            for j in range(0, u, WIDTH):
                _take_four(L, columns, pivots, count, p + j, stack, own + j * wide + j, wide, wide - j, m.share)
            for k in range(count):
                for i in range(columns[k], columns[k] + tall):
                    L[i] *= pivots[k]
        rank += count
        if bottom < own:
            for j in range(u):
                for i in range(j * wide + j, j * wide + u):
                    stack[bottom + i] = stack[own + i]
        top = bottom + u * wide
    return rank


@part(forceinline=False)
def _add(stack, at, uc, high, inside, begin_inside, L, begin, tall, p, own, wide):
    """Add a child's share (uc columns of ``high`` numbers at stack[at]) to its parent's columns of L, and its share."""
    for j in range(uc):
        column, begun = inside[begin_inside + j], at + j * high + j
        if column < p:
            _scatter(L, begin + column * tall, inside, begin_inside + j, stack, begun, uc - j)
        else:
            _scatter(stack, own + (column - p) * wide - p, inside, begin_inside + j, stack, begun, uc - j)


@part()
def _scatter(y, base, inside, first, x, begin, length):
    """y[base + inside[first + i]] += x[begin + i]."""
    for i in range(length):
        y[base + inside[first + i]] += x[begin + i]


@part(forceinline=False, fastmath=FAST)
def _less(y, at, x, begin, length, a):
    """y[at + i] −= a x[begin + i]."""
    for i in range(length):
        y[at + i] -= a * x[begin + i]


@part(forceinline=False, fastmath=FAST)
def _dot(x, i, y, length):
    s = 0.0
    for k in range(length):
        s += x[i + k] * y[k]
    return s


@kernel()
def multiply(val, ptr, tree, q, z, w):
    """w = A z + q; w may be q."""
    for i in range(q.size):
        w[i] = q[i] + val[ptr[i + 1] - 1] * z[i]
    for e in range(tree.entry.shape[0]):
        i, j, a = tree.entry[e, 0], tree.entry[e, 1], val[tree.entry[e, 2]]
        w[i] += a * z[j]
        w[j] += a * z[i]


@kernel()
def solve_rows(tree, m, b, z):
    """z with A z = b on the rows that are factored, 0 on all others; z may be b."""
    for k in range(b.size):
        m.x[k] = b[tree.row[k]]
    solve(tree, m)
    for k in range(b.size):
        z[tree.row[k]] = m.x[k]


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
                column = begin + k * tree.tall[s]
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
                column = begin + k * tree.tall[s]
                y = x[first + k] - _dot(L, column + p, t, size - p)
                for i in range(k + 1, p):
                    y -= L[column + i] * x[first + i]
                x[first + k] = y
