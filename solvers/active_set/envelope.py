"""Symmetric matrices in lower envelope storage: product, and LDLᵀ on a subset of rows that skips dependent ones.

Row i holds its columns first_i..i at ``val[ptr[i]:ptr[i+1]]``, first_i = i + 1 - (ptr[i+1] - ptr[i]). The dense lower
triangle is the case first_i = 0; a chain has short rows, and everything here costs what the envelope holds.

Factors keep the same envelope. Accepted rows are numbered 0, 1, ... in their order ("positions"); the factor's row
of position k has the entries for positions head[k]..k-1 at L[base[k] + position].
Source: George & Liu, Computer Solution of Large Sparse Positive Definite Systems (1981), ch. 4 (envelope method).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.active_set.abreast import accept, alike, four_rows, next_alike, rows_abreast
from solvers.kernels.compiled import kernel, part
from solvers.kernels.fours import width
from solvers.kernels.indices import piece

BLOCK = 48
"""Numbers of the block in which few rows are solved, see :mod:`solvers.active_set.few`."""

# Rows that a guess may join (see ``guess``): more than six wires of a body, all of a short chain.
ROOM = 32


class Memory(NamedTuple):
    """What a factorisation writes, and the scratch around it; n rows, nnz entries in the envelope.

    Attributes
    ----------
    d : (n,) sqrt(A_ii), and what stands for it where A_ii is not positive (see ``measure``)
    D : (n,) reciprocal pivots, by position
    L : (nnz,) unit lower factor; for a skipped row its coefficients on the rows before it
    rows : (n,) row of each position
    before : (n + 1,) number of accepted rows before row i; row i is accepted if before[i + 1] > before[i]
    head, base : (n,) see the head of this module
    least : (n,) what w_i² / A_ii may be as rounding of the rows that i is connected with
    u, x, y, t : (n,) scratch
    block : (BLOCK,) scratch of few rows
    columns : (n r,) scratch of a guess that may join r rows
    """

    d: np.ndarray
    D: np.ndarray
    u: np.ndarray
    x: np.ndarray
    y: np.ndarray
    t: np.ndarray
    least: np.ndarray
    block: np.ndarray
    L: np.ndarray
    columns: np.ndarray
    rows: np.ndarray
    head: np.ndarray
    base: np.ndarray
    before: np.ndarray


@part()
def floats(n, nnz):
    """Length of ``work`` for n rows and nnz entries in the envelope."""
    room = min(n, ROOM) if ROOM * nnz >= n * n else 0
    return nnz + (7 + room) * n + BLOCK


@part()
def memory(ptr, work, iwork):
    """:class:`Memory` in the arrays from ``workspace``."""
    n = ptr.size - 1
    block = 7 * n + BLOCK
    end = block + ptr[n]
    return Memory(
        d=piece(work, 0, n),
        D=piece(work, n, 2 * n),
        u=piece(work, 2 * n, 3 * n),
        x=piece(work, 3 * n, 4 * n),
        y=piece(work, 4 * n, 5 * n),
        t=piece(work, 5 * n, 6 * n),
        least=piece(work, 6 * n, 7 * n),
        block=piece(work, 7 * n, block),
        L=piece(work, block, end),
        columns=piece(work, end, work.size),
        rows=piece(iwork, 0, n),
        head=piece(iwork, n, 2 * n),
        base=piece(iwork, 2 * n, 3 * n),
        before=piece(iwork, 3 * n, 4 * n + 1),
    )


def workspace(n: int, nnz: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays ``work, iwork`` for problems of n rows and nnz envelope entries, of which ``memory`` makes a Memory."""
    return np.zeros(getattr(floats, "py_func", floats)(n, nnz)), np.zeros(4 * n + 1, np.int64)


@part()
def entry(val, ptr, i, j):
    """A_ij of an envelope."""
    row, column = max(i, j), min(i, j)
    at = ptr[row + 1] - 1 - (row - column)
    return val[at] if at >= ptr[row] else 0.0 * val[ptr[row + 1] - 1]


@kernel()
def multiply(val, ptr, q, z, w):
    """w = A z + q.

    Parameters
    ----------
    val, ptr : envelope of A
    q, z : (n,); a z of value zero is not left out, as it may have derivatives
    w : (n,) out
    """
    for i in range(q.size):
        w[i] = q[i]
    for i in range(q.size):
        end, x = ptr[i + 1] - 1, z[i]
        at = end - i  # of column 0, were it there
        s = val[end] * x
        for j in range(ptr[i] - at, i):
            s += val[at + j] * z[j]
            w[j] += val[at + j] * x
        w[i] += s


@part(forceinline=False)
def multiply_active(val, ptr, q, z, w, rows, before):
    """w = A z + q where z is zero outside the accepted rows of a factorisation (see ``factor``).

    First the accepted rows, as columns of the upper triangle: contiguous, so they run in vectors; then every row's
    entries below them.
    """
    n = q.size
    for i in range(n):
        w[i] = q[i]
    for k in range(before[n]):
        row = rows[k]
        x = z[row]
        low = ptr[row]
        length = ptr[row + 1] - low
        first = row + 1 - length
        for j in range(length):
            w[first + j] += val[low + j] * x
    for i in range(n):
        low = ptr[i]
        first = i + 1 + low - ptr[i + 1]
        s = w[i]
        for k in range(before[first], before[i]):
            row = rows[k]
            s += val[low + row - first] * z[row]
        w[i] = s


SHORT = 12
"""Terms up to which a sum is formed one after the other: those of a chain, or of the rows of two bodies. Rows that have
no more positions before them are eliminated by lanes; what they keep has room in a block."""

LONG = 32
"""Positions before a row from which on rows are eliminated by fours, where they begin in one column."""


@part(forceinline=False, fastmath={"contract", "reassoc"})
def dot(x, i, y, j, length):
    """Σ x[i + k] y[j + k] over k < length, in whatever order is fastest.

    Alone here additions may change places: a long sum whose terms wait for each other takes most of a factorisation.
    """
    s = 0.0
    for k in range(length):
        s += x[i + k] * y[j + k]
    return s


@part(forceinline=False, fastmath={"contract", "reassoc"})
def over_pivots(L, at, D, begin, end, u):
    """Bring what L holds of a row to u, and put u D in its place; returns Σ u² D."""
    s = 0.0
    for k in range(begin, end):
        a = L[at + k]
        x = a * D[k]
        u[k] = a
        L[at + k] = x
        s += a * x
    return s


@part(forceinline=False)
def factor(val, ptr, active, start, tol, m):
    """LDLᵀ of the active rows and columns; rows before ``start`` are taken as factored already.

    Parameters
    ----------
    val, ptr : envelope of A, not modified
    active : (n,) bool, rows that belong to the sub-matrix
    start : first row whose membership changed (0: all)
    tol : a pivot at or below tol * A_ii marks a dependent row, which is skipped
    m : :class:`Memory`; L, D, rows, before, head and base are written, u is scratch

    Returns
    -------
    first dependent row at or after start, or -1
    """
    L, D, u, rows, before, head, base = m.L, m.D, m.u, m.rows, m.before, m.head, m.base
    n = active.size
    c = before[start] if start > 0 else 0
    dependent = -1
    ahead, there = start, 0 * n  # rows before ``ahead`` have their u at positions before ``there`` in L already
    done = start  # rows before it are eliminated
    for i in range(start, n):
        if i < done:
            continue
        before[i] = c
        if not active[i]:
            continue
        low = ptr[i]
        end = ptr[i + 1] - 1
        first = i - (end - low)
        c0 = before[first]
        if c - c0 <= SHORT and width(val) > 1:
            i1 = next_alike(ptr, active, i, first)
            if i1 > i:
                i2 = next_alike(ptr, active, i1, first)
                i3 = next_alike(ptr, active, i2, first) if i2 > i1 else i2
                c, missed = rows_abreast(val, ptr, (i, i1, i2, i3), first, c0, c, tol, m)
                done = i3 + 1
                dependent = missed if dependent < 0 else dependent
                continue
        at = low - c0
        a = val[end]
        pivot = a
        begin = c0
        if c - c0 >= LONG:
            if i >= ahead and alike(ptr, active, i):
                four_rows(val, ptr, i, first, c0, c, m)
                ahead, there = i + 4, c
            if i < ahead:
                begin = there
                pivot -= over_pivots(L, at, D, c0, begin, u)
        for k in range(begin, c):
            s = val[low + rows[k] - first]
            other, j0 = base[k], max(c0, head[k])
            if k - j0 > SHORT:
                s -= dot(u, j0, L, other + j0, k - j0)
            else:
                for j in range(j0, k):
                    s -= u[j] * L[other + j]
            u[k] = s
            x = s * D[k]
            L[at + k] = x
            pivot -= s * x
        if pivot > tol * a:
            accept(i, pivot, c0, c, at, m)
            c += 1
        elif dependent < 0:
            dependent = i
    before[n] = c
    return dependent


@kernel(inline="always")
def substitute(m, rank, x):
    """Solve (L D Lᵀ) x = b in place; x holds b by position (length rank)."""
    L, head, base = m.L, m.head, m.base
    for k in range(rank):
        s, j0 = x[k], head[k]
        if k - j0 > SHORT:
            s -= dot(L, base[k] + j0, x, j0, k - j0)
        else:
            for j in range(j0, k):
                s -= L[base[k] + j] * x[j]
        x[k] = s
    for k in range(rank):
        x[k] *= m.D[k]
    back_substitute(m, rank, x)


@part()
def back_substitute(m, rank, x):
    """Solve Lᵀ x = b in place; x holds b by position (length rank)."""
    L, head, base = m.L, m.head, m.base
    for k in range(rank - 1, 0, -1):
        s = x[k]
        for j in range(head[k], k):
            x[j] -= L[base[k] + j] * s


@part()
def _rounding(a, b):
    """1e-13 d_i d_j, what A_ij and A_ji may differ by; squares would vanish or overflow."""
    return 1e-13 * (np.sqrt(abs(a)) * np.sqrt(abs(b)))


@kernel()
def equals_transpose(A: np.ndarray) -> bool:
    """Whether A is symmetric to rounding; NaN and infinity are not. A is contiguous."""
    flat, n, tile = A.reshape(A.size), A.shape[0], 16
    for j in range(1, n):  # most others show it at once
        difference = flat[j] - flat[j * n]
        if difference != 0.0 and not abs(difference) <= _rounding(flat[0], flat[j * n + j]):
            return False
    # Tile by tile, so that columns are read from cache, too; a difference may be zero, NaN, or rounding.
    different = False
    for row in range(0, n, tile):
        below = min(row + tile, n)
        for column in range(0, below, tile):
            for i in range(row, below):
                for j in range(column, i if i < column + tile else column + tile):
                    different |= flat[i * n + j] - flat[j * n + i] != 0.0
    if different:
        for i in range(n):
            for j in range(i):
                if not abs(A[i, j] - A[j, i]) <= _rounding(A[i, i], A[j, j]):
                    return False
    return True


@kernel()
def pack(A: np.ndarray, val: np.ndarray, ptr: np.ndarray) -> None:
    """Fill val (n (n + 1) / 2,) and ptr (n + 1,) with the envelope of the lower triangle of A, which is contiguous."""
    flat, n = A.reshape(A.size), A.shape[0]
    at = 0
    ptr[0] = 0
    for i in range(n):
        first = 0
        while first < i and flat[i * n + first] == 0.0:
            first += 1
        for j in range(first, i + 1):
            val[at + j - first] = flat[i * n + j]
        at += i + 1 - first
        ptr[i + 1] = at


def from_dense(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Envelope ``(val, ptr)`` of a symmetric dense matrix; reads the lower triangle."""
    n = len(A)
    val, ptr = np.empty(n * (n + 1) // 2), np.empty(n + 1, np.int64)
    pack(np.ascontiguousarray(A, dtype=float), val, ptr)
    return val[: ptr[n]], ptr


def is_semidefinite(val: np.ndarray, ptr: np.ndarray, shift: float) -> bool:
    """Whether A + shift max(A_ii) I has positive pivots only; scale A to a diagonal of order 1 first."""
    n = len(ptr) - 1
    if n == 0:
        return True
    val = val.copy()
    val[ptr[1:] - 1] += shift * max(float(val[ptr[1:] - 1].max()), 1e-300)
    return bool(_factor_all(val, ptr, np.ones(n, bool), *workspace(n, len(val))) < 0)


@kernel()
def _factor_all(val, ptr, active, work, iwork):
    return factor(val, ptr, active, 0, 0.0, memory(ptr, work, iwork))
