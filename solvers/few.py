"""w = 0 on up to six rows of a full triangle: many wires on one body, whose rank is six at most.

Of n wires a basis has no more than six rows, so that all but the reading of their columns is the same small amount of
work for every n. The rows at work, with q beside them, are copied to a block of a fixed size and eliminated there,
which LLVM does in vectors; then w = A z + q is formed column by column. Rows that depend on others, and more than six,
are left to :mod:`solvers.envelope`. Unsigned indices, as numba asks of every other whether it counts from the end.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf

import numpy as np

from solvers.basis import DEPENDENT, UNILATERAL
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


@part(forceinline=False)
def exchange_few(val, kind, taut, z, w, inverse, rows, rank, block):
    """One step of descent from what ``solve_few`` found: the worst row in, the first z to reach zero on the way out.

    Where the rank is six the row that comes in depends on those at work, and only this tells which one it replaces
    (Lawson & Hanson 1974, ch. 23, extended to singular A). Rows with z < 0 leave before any comes in. False, and
    nothing changed, if there is no such step.

    Parameters
    ----------
    val, kind, taut, z, w, rows, rank, block : as ``solve_few`` left them
    inverse : (n,) 1 / A_ii
    """
    n, zero, one, wide = np.uint64(taut.size), np.uint64(0), np.uint64(1), np.uint64(WIDE)
    last, at, six = np.uint64(SIX + 1), np.uint64(rank), np.uint64(SIX)
    left = False
    chosen = zero
    for i in range(zero, n):
        chosen += np.uint64(taut[i])
    if rank == 0 or chosen != at:  # where rows depend on others, the envelope was asked, not the block
        return False
    for k in range(zero, at):
        row = np.uint64(rows[k])
        if kind[row] == UNILATERAL and z[row] < 0.0:
            taut[row] = False
            left = True
    if left:
        return True
    worst = 0.0
    enters = leaves = n
    for i in range(zero, n):
        if w[i] < 0.0 and kind[i] == UNILATERAL and not taut[i] and w[i] * w[i] * inverse[i] > worst:
            worst = w[i] * w[i] * inverse[i]
            enters = np.uint64(i)
    if enters == n:
        return False
    # c = A_BB⁻¹ A_Bi by the elimination at hand, in the column of the right-hand side; s is what is left of A_ii.
    corner = val[enters * (enters + np.uint64(3)) // np.uint64(2)]
    s = corner
    for k in range(zero, at):
        high, low = max(enters, np.uint64(rows[k])), min(enters, np.uint64(rows[k]))
        block[k * wide + six] = val[high * (high + one) // np.uint64(2) + low]
    for k in range(zero, at):
        f = block[k * wide + six] * block[k * wide + last]
        s -= f * block[k * wide + six]
        for m in range(k + one, at):
            block[m * wide + six] -= f * block[k * wide + m]
    step = -w[enters] / s if s > DEPENDENT * corner else inf
    for done in range(zero, at):
        back = at - one - np.uint64(done)
        c = block[back * wide + six] * block[back * wide + last]
        for m in range(zero, back):
            block[m * wide + six] -= block[m * wide + back] * c
        row = np.uint64(rows[back])
        if kind[row] == UNILATERAL and c > 0.0 and z[row] < step * c:
            step = z[row] / c
            leaves = row
    if step == inf:
        return False
    taut[enters] = True
    if leaves < n:
        taut[leaves] = False
    return True
