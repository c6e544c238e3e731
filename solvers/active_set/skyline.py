"""LU of some rows of a matrix with a symmetric envelope, without pivoting: as LDLᵀ in ``envelope``, for A ≠ Aᵀ.

Row i of the strictly lower part and column i of the strictly upper part share one profile, the diagonal stands at the
end of the lower one. What is zero outside the envelope stays zero, and chains cost O(n). As there, rows that take part
are numbered 0, 1, ... ("positions"); a factor's row stands where the matrix had it, without entries of those left out.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.active_set.envelope import SHORT, dot
from solvers.kernels.compiled import part
from solvers.kernels.indices import piece


class Order(NamedTuple):
    """Which rows a factorisation has, in n rows; see the head of ``envelope``.

    Attributes
    ----------
    rows : (n,) row of each position
    before : (n,) positions before row i
    head, base : (n,) of position k: its first entry is for position head[k], and that for j is at base[k] + j
    """

    rows: np.ndarray
    before: np.ndarray
    head: np.ndarray
    base: np.ndarray


@part()
def order_in(work, n):
    """An ``Order`` of n rows in the first 4 n numbers of ``work``."""
    return Order(piece(work, 0, n), piece(work, n, 2 * n), piece(work, 2 * n, 3 * n), piece(work, 3 * n, 4 * n))


@part(forceinline=False)
def factor_lu(ptr, n, active, L, U, D, least, order):
    """L and U (envelope profile) are overwritten by factors of the active rows and columns; returns how many there are.

    active : (n,) what is not 0 takes part
    D : (n,) out, reciprocal pivots by position
    least : (n,) pivots of rows smaller than this in size are replaced by it
    order : out
    """
    rows, before, head, base = order.rows, order.before, order.head, order.base
    rank = 0
    for i in range(n):
        before[i] = rank
        if not active[i]:
            continue
        low, end = ptr[i], ptr[i + 1] - 1
        first = i - (end - low)
        c0 = before[first]
        at = low - c0
        for j in range(c0, rank):
            entry, other, j0 = low + rows[j] - first, base[j], max(c0, head[j])
            s = t = 0.0
            if j - j0 > SHORT:
                s = dot(L, at + j0, U, other + j0, j - j0)
                t = dot(L, other + j0, U, at + j0, j - j0)
            else:
                for k in range(j0, j):
                    s += L[at + k] * U[other + k]
                    t += L[other + k] * U[at + k]
            L[at + j], U[at + j] = (L[entry] - s) * D[j], U[entry] - t
        pivot = L[end] - dot(L, at + c0, U, at + c0, rank - c0)
        if abs(pivot) < least[i]:
            pivot = least[i]
        D[rank], rows[rank], head[rank], base[rank] = 1.0 / pivot, i, c0, at
        rank += 1
    return rank


@part(forceinline=False)
def substitute_lu(order, rank, L, U, D, x):
    """Solve L U x = b in place; x holds b by position."""
    head, base = order.head, order.base
    for k in range(rank):
        at, j0 = base[k], head[k]
        s = x[k]
        if k - j0 > SHORT:
            s -= dot(L, at + j0, x, j0, k - j0)
        else:
            for j in range(j0, k):
                s -= L[at + j] * x[j]
        x[k] = s
    for k in range(rank - 1, -1, -1):
        at = base[k]
        y = x[k] * D[k]
        x[k] = y
        for j in range(head[k], k):
            x[j] -= U[at + j] * y


@part()
def spread(active, rank, x):
    """Bring numbers x by position to the places of their rows, in place; 0 of rows that do not take part."""
    k = rank
    for back in range(x.size):
        i = x.size - 1 - back
        if active[i]:
            k -= 1
            x[i] = x[k]
        else:
            x[i] = 0.0


@part()
def rotate(ptr, last, S, s, t, c, sn):
    """Turn rows and columns s, t of a symmetric lower envelope into d = (c, sn) and e = (−sn, c).

    last : (n,) last row whose envelope reaches a column
    """
    low, high = min(s, t), max(s, t)
    st = ptr[high + 1] - 1 - (high - low)
    ss, tt = ptr[s + 1] - 1, ptr[t + 1] - 1
    a, b, m = S[ss], S[tt], S[st]
    S[ss] = c * c * a + 2.0 * c * sn * m + sn * sn * b
    S[tt] = sn * sn * a - 2.0 * c * sn * m + c * c * b
    S[st] = (c * c - sn * sn) * m + c * sn * (b - a)
    for j in range(ptr[low + 1] - 1 - ptr[low], -1, -1):  # columns before both
        if j > 0:
            x, y = S[ptr[low + 1] - 1 - j], S[ptr[high + 1] - 1 - j - (high - low)]
            if s < t:
                S[ptr[low + 1] - 1 - j] = c * x + sn * y
                S[ptr[high + 1] - 1 - j - (high - low)] = -sn * x + c * y
            else:
                S[ptr[low + 1] - 1 - j] = -sn * y + c * x
                S[ptr[high + 1] - 1 - j - (high - low)] = c * y + sn * x
    for i in range(low + 1, last[low] + 1):
        if i == high:
            continue
        at = ptr[i + 1] - 1 - i
        if at + low < ptr[i]:
            continue
        # Row ``high`` may come after i: then its column i is the entry.
        y_at = at + high if i > high else ptr[high + 1] - 1 - (high - i)
        x_at = at + low
        x, y = S[x_at], S[y_at]
        if s < t:
            S[x_at], S[y_at] = c * x + sn * y, -sn * x + c * y
        else:
            S[x_at], S[y_at] = -sn * y + c * x, c * y + sn * x


@part()
def add_column(ptr, last, L, U, to, mu, source):
    """Column ``to`` += mu × column ``source`` of the matrix with lower part L (diagonal in it) and upper part U."""
    for i in range(source + 1 - (ptr[source + 1] - ptr[source]), last[source] + 1):
        at = ptr[i + 1] - 1 - i
        if i >= source:
            if at + source < ptr[i]:
                continue
            x = L[at + source]
        else:
            up = ptr[source + 1] - 1 - (source - i)
            if up < ptr[source]:
                continue
            x = U[up]
        if i >= to:
            L[at + to] += mu * x
        else:
            U[ptr[to + 1] - 1 - (to - i)] += mu * x
