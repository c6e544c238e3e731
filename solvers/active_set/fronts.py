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
    return Factors(
        np.empty(tree.column[-1] + 3 * tree.size.max()),
        np.zeros(n),
        np.empty(tree.room[0] + 3 * tree.size.max()),
        np.zeros(n),
        np.zeros(n),
    )


@part(forceinline=False, fastmath=FAST)
def _less(y, at, x, begin, length, a):
    """y[at + i] −= a x[begin + i]."""
    for i in range(length):
        y[at + i] -= a * x[begin + i]


@part(forceinline=False, fastmath=FAST)
def _less_four(y, at, stride, x, begin, length, a):
    """y[at + j stride + i] −= Σ a_kj x[begin_k + i] over four columns k, of four columns j."""
    b0, b1, b2, b3 = begin
    y0, y1, y2, y3 = at, at + stride, at + 2 * stride, at + 3 * stride
    (a00, a01, a02, a03), (a10, a11, a12, a13), (a20, a21, a22, a23), (a30, a31, a32, a33) = a
    for i in range(length):
        p, q, r, s = x[b0 + i], x[b1 + i], x[b2 + i], x[b3 + i]
        y[y0 + i] -= (a00 * p + a10 * q) + (a20 * r + a30 * s)
        y[y1 + i] -= (a01 * p + a11 * q) + (a21 * r + a31 * s)
        y[y2 + i] -= (a02 * p + a12 * q) + (a22 * r + a32 * s)
        y[y3 + i] -= (a03 * p + a13 * q) + (a23 * r + a33 * s)


@part()
def _four(L, at, d):
    return L[at] * d, L[at + 1] * d, L[at + 2] * d, L[at + 3] * d


@part(forceinline=False)
def _take_four(L, D, places, count, begin, size, inner, y, at, stride):
    """Take from four columns of a front, from ``inner`` on, what its first ``count`` pivots that count leave in them.

    y[at] is the first number of the first of them on the diagonal, and ``stride`` leads to the next; above their
    diagonals they are overwritten by anything.
    """
    for k in range(0, count, 4):
        last = min(count - 1, k + 3)
        k1, k2 = min(k + 1, last), min(k + 2, last)
        c0, c1 = begin + places[k] * size + inner, begin + places[k1] * size + inner
        c2, c3 = begin + places[k2] * size + inner, begin + places[last] * size + inner
        d1 = D[k1] if k + 1 < count else 0.0
        d2 = D[k2] if k + 2 < count else 0.0
        d3 = D[last] if k + 3 < count else 0.0
        a = _four(L, c0, D[k]), _four(L, c1, d1), _four(L, c2, d2), _four(L, c3, d3)
        _less_four(y, at, stride, L, (c0, c1, c2, c3), size - inner, a)


@part()
def _take(L, D, places, begun, count, begin, size, inner, y, at):
    """Take from column ``inner`` of a front, at y[at], what its pivots ``begun`` to ``count`` − 1 leave in it."""
    for k in range(begun, count):
        c = begin + places[k] * size + inner
        _less(y, at, L, c, size - inner, L[c] * D[k])


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
    top = rank = filled = 0
    for s in range(tree.size.size):
        first, size, begin = tree.first[s], tree.size[s], tree.column[s]
        p = tree.first[s + 1] - first
        u = size - p
        bottom = own = top
        for i in range(begin, tree.column[s + 1]):
            L[i] = 0.0
        while filled < tree.fill.shape[0] and tree.fill[filled, 1] < tree.column[s + 1]:
            L[tree.fill[filled, 1]] = val[tree.fill[filled, 0]]
            filled += 1
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
        count = taken = 0
        for k in range(p):
            row = tree.row[first + k]
            column = begin + k * size
            if k % 4 == 0:
                _take_four(L, pivots, places, count, begin, size, k, L, column + k, size)
                taken = count
            if active[row]:
                _take(L, pivots, places, taken, count, begin, size, k, L, column + k)
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
            for j in range(0, u, 4):
                _take_four(L, pivots, places, count, begin, size, p + j, stack, own + j * u + j, u)
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
