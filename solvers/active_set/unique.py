"""Is the answer z of a semidefinite problem the only one? Asked where rows with w = 0 depend on each other.

All answers share w. So another one is z + d with A d = 0, d = 0 on rows with w > 0 and d_i ≥ 0 where z_i = 0 (of free
rows d has any sign): z is the only one if and only if d = 0 alone is so. Let P be the active rows, free or with
z_i > 0, and Z the others with w = 0. Rows P that depend on each other leave a d. If they do not, d_P follows from d_Z,

    S d_Z = 0,   d_Z ≥ 0,     S = A_ZZ − A_ZP A_PP⁻¹ A_PZ

and such a d_Z ≠ 0 exists if and only if no x ≥ 0 has S x ≥ 1 (Gordan; S is semidefinite), which the criss-cross method
tells in finitely many pivots. Where rank A_PP = rank A on P and Z, S = 0, and nothing is to be asked.

Sources: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), section 3.4; den Hertog, Roos & Terlaky,
Linear Algebra Appl. 187 (1993) 1-14 (criss-cross on sufficient matrices).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import sqrt

from solvers.active_set.basis import DEPENDENT, product, rank_of, solve_on
from solvers.active_set.envelope import entry, memory
from solvers.kernels.compiled import kernel, part

NOT_UNIQUE, UNIQUE, UNKNOWN = 0, 1, -1

MOST = 64
"""Rows without impulse that may be asked about."""


@kernel()
def only_answer(large, val, ptr, held, works, rank, table, work, iwork):
    """UNIQUE, NOT_UNIQUE, or UNKNOWN where there is no room to tell.

    Parameters
    ----------
    large : as of ``rank_of``
    val, ptr : envelope of A, semidefinite
    held : (n,) bool, rows with w = 0
    works : (n,) bool, of these the free ones and those with z > 0
    rank : of A on the held rows
    table : scratch, m (m + 1) numbers for m held rows that do not work
    work, iwork : from ``active_set.envelope.workspace``, overwritten
    """
    n = held.size
    count = 0
    pulling = 0
    for i in range(n):
        count += held[i]
        pulling += works[i]
    if rank == count:
        return UNIQUE
    if pulling >= rank or rank_of(large, val, ptr, works, work, iwork) < pulling:
        return NOT_UNIQUE
    size = count - pulling
    if size * (size + 1) > table.size:
        return UNKNOWN
    _fill(large, val, ptr, held, works, pulling, size, table, work, iwork)
    return _cross(table, size)


@part()
def _fill(large, val, ptr, held, works, pulling, size, table, work, iwork):
    """Write S in units of sqrt(A_ii), and −1 beside it; the active rows are factored."""
    m = memory(ptr, work, iwork)
    x, column = m.x, m.y
    a = 0
    for i in range(held.size):
        if held[i] and not works[i]:
            for j in range(held.size):
                column[j] = entry(val, ptr, i, j)
            solve_on(large, ptr, column, pulling, x, work, iwork)
            for j in range(held.size):
                x[j] = -x[j]
            product(large, val, ptr, column, x, column)
            b = 0
            for j in range(held.size):
                if held[j] and not works[j]:
                    scale = val[ptr[i + 1] - 1] * val[ptr[j + 1] - 1]
                    table[a * (size + 1) + b] = column[j] / sqrt(scale) if scale > 0.0 else column[j]
                    b += 1
            table[a * (size + 1) + size] = -1.0
            a += 1


@part()
def _cross(T, m):
    """UNIQUE if there is x ≥ 0 with S x ≥ 1, else NOT_UNIQUE; T: rows of S and −1, a dictionary w = S z − 1."""
    wide = m + 1
    for _ in range(50 + 20 * m):
        row = -1
        for i in range(m):
            if T[i * wide + m] < -DEPENDENT:
                row = i
                break
        if row < 0:
            return UNIQUE
        if T[row * wide + row] > DEPENDENT:
            _pivot(T, m, row, row)
            continue
        column = -1
        for j in range(m):
            if j != row and T[row * wide + j] > DEPENDENT:
                column = j
                break
        if column < 0:
            return NOT_UNIQUE
        _pivot(T, m, row, column)
        _pivot(T, m, column, row)
        for j in range(wide):  # each pair in its own place again: the least number decides
            T[row * wide + j], T[column * wide + j] = T[column * wide + j], T[row * wide + j]
        for i in range(m):
            T[i * wide + row], T[i * wide + column] = T[i * wide + column], T[i * wide + row]
    return UNKNOWN


@part()
def _pivot(T, m, row, column):
    """Exchange the basic variable of a row with the other one of a column."""
    wide = m + 1
    inverse = 1.0 / T[row * wide + column]
    for j in range(wide):
        T[row * wide + j] *= -inverse
    T[row * wide + column] = inverse
    for i in range(m):
        if i != row:
            f = T[i * wide + column]
            T[i * wide + column] = 0.0 * f
            for j in range(wide):
                T[i * wide + j] += f * T[row * wide + j]
