"""w = 0 on up to six rows of a full triangle: many wires on one body, whose rank is six at most.

Of n wires a basis has no more than six rows, so that all but the reading of their columns is the same small amount of
work for every n. The rows at work, with q beside them, are copied to a block of a fixed size and eliminated there,
which LLVM does in vectors; then w = A z + q is formed column by column. Rows that depend on others, and more than six,
are left to :mod:`solvers.envelope`. Unsigned indices, as numba asks of every other whether it counts from the end.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from solvers.basis import DEPENDENT
from solvers.compiled import part

SIX = 6
# Numbers in a row of the block: six of A, q, and one that fills two vectors.
WIDE = 8
# Numbers of memory that the block takes; a workspace has them for five rows and more.
BLOCK = SIX * WIDE


@part()
def is_full(ptr):
    """Whether an envelope is a full triangle."""
    n = ptr.size - 1
    return ptr[n] == n * (n + 1) // 2


@part()
def solve_few(val, q, taut, z, w, rows, before, block):
    """z with w = A z + q = 0 on the rows in ``taut``; False, and only scratch touched, if that is not for here.

    Parameters
    ----------
    val : full lower triangle of A by rows
    q, taut, z, w : (n,); z and w out
    rows : (n,) out, row of each position
    before : (n + 1,) out, number of rows in ``taut`` before row i
    block : (BLOCK,) scratch
    """
    n, zero, one = np.uint64(q.size), np.uint64(0), np.uint64(1)
    six, wide = np.uint64(SIX), np.uint64(WIDE)
    rank = zero
    for i in range(zero, n):
        before[i] = rank
        rows[rank] = i
        rank += np.uint64(taut[i])
    before[n] = rank
    if rank > six:
        return False
    for k in range(six * wide):
        block[k] = 0.0
    for k in range(zero, rank):
        row = np.uint64(rows[k])
        low = row * (row + one) // np.uint64(2)
        for m in range(zero, k + one):
            block[m * wide + k] = val[low + np.uint64(rows[m])]
        block[k * wide + six] = -q[row]
    # The upper triangle is eliminated; what comes to stand below it is not read.
    for k in range(zero, rank):
        row = np.uint64(rows[k])
        pivot = block[k * wide + k]
        if not pivot > DEPENDENT * val[row * (row + np.uint64(3)) // np.uint64(2)]:
            return False
        inverse = 1.0 / pivot
        block[k * wide + six + one] = inverse
        for m in range(k + one, rank):
            f = block[k * wide + m] * inverse
            for j in range(zero, wide):
                block[m * wide + j] -= f * block[k * wide + j]
    for i in range(zero, n):
        z[i] = 0.0
        w[i] = q[i]
    for done in range(zero, rank):
        last = rank - one - done
        x = block[last * wide + six] * block[last * wide + six + one]
        for m in range(zero, last):
            block[m * wide + six] -= block[m * wide + last] * x
        row = np.uint64(rows[last])
        z[row] = x
        at = row * (row + one) // np.uint64(2)
        for j in range(zero, row):
            w[j] += val[at + j] * x
        for i in range(row, n):
            at += i
            w[i] += val[at] * x
    return True
