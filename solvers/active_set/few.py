"""w = 0 on up to six rows of a full triangle: many wires on one body, whose rank is six at most.

Of n wires a basis has no more than six rows, so that all but the reading of their columns is the same small amount of
work for every n. The rows at work, with q beside them, are eliminated in vector registers, always six of them: less
work than loops that stop at the rank. They are put together there as well; what is written number by number and read
as a vector waits until it is in memory. ``few_pull`` confirms a set that holds, and is all that most steps need. Rows
that depend on others, and more than six, are left to :mod:`solvers.active_set.envelope`. Unsigned indices, as numba
asks of every other whether it counts from the end.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt

import numpy as np

from solvers.active_set.basis import DEPENDENT, UNILATERAL
from solvers.active_set.envelope import BLOCK
from solvers.active_set.pivoting import WRONG, forgiven
from solvers.kernels.compiled import part
from solvers.kernels.lanes import along, below, lane, lanes, larger

SIX = 6
# Numbers in a row: six of A, q, and one that fills two vectors.
WIDE = 8
assert BLOCK == SIX * WIDE


@part()
def highest(x):
    """The largest of four lanes."""
    return max(max(lane(x, 0), lane(x, 1)), max(lane(x, 2), lane(x, 3)))


@part()
def is_full(ptr):
    """Whether an envelope is a full triangle."""
    n = ptr.size - 1
    return ptr[n] == n * (n + 1) // 2


@part()
def position(rows, k, rank):
    """(whether there is one, row, how many entries of A are before it) at position k; row 0 beyond the rank."""
    if k < rank:
        row = np.uint64(rows[k])
        return True, row, row * (row + np.uint64(1)) // np.uint64(2)
    return False, np.uint64(0), np.uint64(0)


@part()
def off(there, x):
    """An entry beside the diagonal, or the right-hand side: 0 where the row is not there."""
    return x if there else 0.0


@part()
def on(there, x):
    """An entry of the diagonal: 1 where the row is not there."""
    return x if there else 1.0


@part()
def beside(val, q, rows, rank):
    """A on the rows at work with -q beside it: six rows of two lanes each, those beyond the rank of the unit matrix."""
    t0, i0, l0 = position(rows, 0, rank)
    t1, i1, l1 = position(rows, 1, rank)
    t2, i2, l2 = position(rows, 2, rank)
    t3, i3, l3 = position(rows, 3, rank)
    t4, i4, l4 = position(rows, 4, rank)
    t5, i5, l5 = position(rows, 5, rank)
    a00, a11, a22 = on(t0, val[l0 + i0]), on(t1, val[l1 + i1]), on(t2, val[l2 + i2])
    a33, a44, a55 = on(t3, val[l3 + i3]), on(t4, val[l4 + i4]), on(t5, val[l5 + i5])
    a10, a20, a30 = off(t1, val[l1 + i0]), off(t2, val[l2 + i0]), off(t3, val[l3 + i0])
    a40, a50, a21 = off(t4, val[l4 + i0]), off(t5, val[l5 + i0]), off(t2, val[l2 + i1])
    a31, a41, a51 = off(t3, val[l3 + i1]), off(t4, val[l4 + i1]), off(t5, val[l5 + i1])
    a32, a42, a52 = off(t3, val[l3 + i2]), off(t4, val[l4 + i2]), off(t5, val[l5 + i2])
    a43, a53, a54 = off(t4, val[l4 + i3]), off(t5, val[l5 + i3]), off(t5, val[l5 + i4])
    return (
        (lanes(a00, a10, a20, a30), lanes(a40, a50, off(t0, -q[i0]), 0.0)),
        (lanes(a10, a11, a21, a31), lanes(a41, a51, off(t1, -q[i1]), 0.0)),
        (lanes(a20, a21, a22, a32), lanes(a42, a52, off(t2, -q[i2]), 0.0)),
        (lanes(a30, a31, a32, a33), lanes(a43, a53, off(t3, -q[i3]), 0.0)),
        (lanes(a40, a41, a42, a43), lanes(a44, a54, off(t4, -q[i4]), 0.0)),
        (lanes(a50, a51, a52, a53), lanes(a54, a55, off(t5, -q[i5]), 0.0)),
    )


@part()
def place(i, k):
    """Where A_ik is in a full triangle."""
    high, low = (k, i) if k > i else (i, k)
    return high * (high + np.uint64(1)) // np.uint64(2) + low


@part()
def products(R, z):
    """A z of the rows at work in the first six of eight lanes."""
    (r0, r1, r2, r3, r4, r5), (z0, z1, z2, z3, z4, z5) = R, z
    return (
        ((z0 * r0[0] + z1 * r1[0]) + (z2 * r2[0] + z3 * r3[0])) + (z4 * r4[0] + z5 * r5[0]),
        ((z0 * r0[1] + z1 * r1[1]) + (z2 * r2[1] + z3 * r3[1])) + (z4 * r4[1] + z5 * r5[1]),
    )


@part()
def times_less(p, row, f, other):
    """p row - f other."""
    return p * row[0] - f * other[0], p * row[1] - f * other[1]


@part()
def entry(row, k):
    """Number k of a row of eight."""
    return lane(row[0], k) if k < 4 else lane(row[1], k - 4)


@part()
def eliminate(R):
    """(whether no row depends on those before it, z): the solution of six rows with their right-hand side beside.

    Rows are multiplied with pivots, in place of pivot rows with their inverse: the divisions, which take longest, wait
    for each other no more. Row k is that of A after k rows then, times the product c of the pivots before it (Bareiss
    1968, division-free). That grows as the 32nd power of A's entries; what leaves the range of doubles is not good.
    """
    r0, r1, r2, r3, r4, r5 = R
    a1, a2, a3, a4, a5 = entry(r1, 1), entry(r2, 2), entry(r3, 3), entry(r4, 4), entry(r5, 5)
    p0 = entry(r0, 0)
    r1, r2 = times_less(p0, r1, entry(r0, 1), r0), times_less(p0, r2, entry(r0, 2), r0)
    r3, r4 = times_less(p0, r3, entry(r0, 3), r0), times_less(p0, r4, entry(r0, 4), r0)
    r5 = times_less(p0, r5, entry(r0, 5), r0)
    p1 = entry(r1, 1)
    r2, r3 = times_less(p1, r2, entry(r1, 2), r1), times_less(p1, r3, entry(r1, 3), r1)
    r4, r5 = times_less(p1, r4, entry(r1, 4), r1), times_less(p1, r5, entry(r1, 5), r1)
    p2 = entry(r2, 2)
    r3, r4 = times_less(p2, r3, entry(r2, 3), r2), times_less(p2, r4, entry(r2, 4), r2)
    r5 = times_less(p2, r5, entry(r2, 5), r2)
    p3 = entry(r3, 3)
    r4, r5 = times_less(p3, r4, entry(r3, 4), r3), times_less(p3, r5, entry(r3, 5), r3)
    p4 = entry(r4, 4)
    r5 = times_less(p4, r5, entry(r4, 5), r4)
    p5 = entry(r5, 5)
    c2 = p0 * p1
    c3 = c2 * p2
    c4 = c3 * p3
    good = (p0 > 0.0) & (p1 > DEPENDENT * (p0 * a1)) & (p2 > DEPENDENT * (c2 * a2)) & (p3 > DEPENDENT * (c3 * a3))
    good &= (p4 > DEPENDENT * (c4 * a4)) & (p5 > DEPENDENT * (c4 * p4 * a5))

    d0, d1, d2, d3, d4 = 1.0 / p0, 1.0 / p1, 1.0 / p2, 1.0 / p3, 1.0 / p4
    z5 = entry(r5, 6) / p5
    z4 = d4 * entry(r4, 6) - (d4 * entry(r4, 5)) * z5
    z3 = d3 * entry(r3, 6) - (d3 * entry(r3, 5)) * z5 - (d3 * entry(r3, 4)) * z4
    z2 = d2 * entry(r2, 6) - (d2 * entry(r2, 5)) * z5 - (d2 * entry(r2, 4)) * z4 - (d2 * entry(r2, 3)) * z3
    y1 = d1 * entry(r1, 6) - (d1 * entry(r1, 5)) * z5 - (d1 * entry(r1, 4)) * z4
    z1 = y1 - (d1 * entry(r1, 3)) * z3 - (d1 * entry(r1, 2)) * z2
    y0 = d0 * entry(r0, 6) - (d0 * entry(r0, 5)) * z5 - (d0 * entry(r0, 4)) * z4 - (d0 * entry(r0, 3)) * z3
    return good, (y0 - (d0 * entry(r0, 2)) * z2 - (d0 * entry(r0, 1)) * z1, z1, z2, z3, z4, z5)


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
    n, zero = np.uint64(q.size), np.uint64(0)
    rank = zero
    for i in range(zero, n):
        before[i] = rank
        rows[rank] = i
        rank += np.uint64(taut[i])
    before[n] = rank
    if rank > np.uint64(SIX):
        return False
    R = beside(val, q, rows, rank)
    good, x = eliminate(R)
    if not good:
        return False
    found, rates = along(block), np.uint64(WIDE)
    found[0], found[4] = lanes(x[0], x[1], x[2], x[3]), lanes(x[4], x[5], 0.0, 0.0)
    found[8], found[12] = products(R, x)
    for i in range(zero, n):
        if not taut[i]:
            z[i] = 0.0
            total = q[i]
            for k in range(zero, rank):
                total += val[place(i, np.uint64(rows[k]))] * block[k]
            w[i] = total
    for k in range(zero, rank):
        row = np.uint64(rows[k])
        z[row] = block[k]
        w[row] = q[row] + block[rates + k]
    return True


@part()
def four_rows(val, q, i):
    """(A_ii, q_i) of four rows from the i-th on, the last one in place of those behind it."""
    one, last = np.uint64(1), np.uint64(q.size) - np.uint64(1)
    j, k, m = min(i + one, last), min(i + np.uint64(2), last), min(i + np.uint64(3), last)
    return (
        lanes(val[corner(i)], val[corner(j)], val[corner(k)], val[corner(m)]),
        lanes(q[i], q[j], q[k], q[m]),
    )


@part()
def corner(i):
    """Where A_ii is in a full triangle."""
    return i * (i + np.uint64(3)) // np.uint64(2)


@part()
def few_pull(val, ptr, q, kind, taut, z, w, rows, noise):
    """(residual, rank, max q² / A_ii) if the rows in the set, six at most, pull, and w ≥ 0 on the others; or else -1.

    As nearly every step of a load on many wires asks for it: then this is all. What is out of the ordinary (rows that
    are not unilateral, NaN, numbers whose squares leave the range of doubles, dependent rows) is left to others.

    Parameters
    ----------
    as of ``solvers.active_set.loop``; rows : (n,) scratch
    """
    n, zero = np.uint64(q.size), np.uint64(0)
    no = -1.0, 0, 0.0
    if not is_full(ptr):
        return no
    rank = zero
    plain = True
    for i in range(zero, n):
        rows[rank] = i
        rank += np.uint64(taut[i])
        plain &= kind[i] == UNILATERAL
    if not plain or rank > np.uint64(SIX):
        return no

    sizes, least = lanes(0.0, 0.0, 0.0, 0.0), lanes(-inf, -inf, -inf, -inf)
    for i in range(zero, n, np.uint64(4)):
        a, given = four_rows(val, q, i)
        if not (below(a, 1e100) and below(-a, -1e-100)):
            return no
        sizes, least = larger(given * given / a, sizes), larger(-a, least)
    scale = highest(sizes)
    if not 1e-200 < scale < 1e200:
        return no

    R = beside(val, q, rows, rank)
    good, (z0, z1, z2, z3, z4, z5) = eliminate(R)
    if not (good and z0 >= 0.0 and z1 >= 0.0 and z2 >= 0.0 and z3 >= 0.0 and z4 >= 0.0 and z5 >= 0.0):
        return no
    r0, r1, r2, r3, r4, r5 = R
    low, high = products(R, (z0, z1, z2, z3, z4, z5))
    w0, w1, w2 = lane(low, 0) - entry(r0, 6), lane(low, 1) - entry(r1, 6), lane(low, 2) - entry(r2, 6)
    w3, w4, w5 = lane(low, 3) - entry(r3, 6), lane(high, 0) - entry(r4, 6), lane(high, 1) - entry(r5, 6)
    left, other = lanes(w0, w1, w2, w3), lanes(w4, w5, 0.0, 0.0)
    a, b = lanes(entry(r0, 0), entry(r1, 1), entry(r2, 2), entry(r3, 3)), lanes(entry(r4, 4), entry(r5, 5), 1.0, 1.0)
    worst = highest(larger(left * left / a, other * other / b))

    i0, i1, i2 = position(rows, 0, rank)[1], position(rows, 1, rank)[1], position(rows, 2, rank)[1]
    i3, i4, i5 = position(rows, 3, rank)[1], position(rows, 4, rank)[1], position(rows, 5, rank)[1]
    for i in range(zero, n):
        if not taut[i]:
            total = (val[place(i, i0)] * z0 + val[place(i, i1)] * z1) + val[place(i, i2)] * z2
            total += (val[place(i, i3)] * z3 + val[place(i, i4)] * z4) + val[place(i, i5)] * z5
            total += q[i]
            z[i], w[i] = 0.0, total
            if not 0.0 <= total < inf:
                if not -inf < total < 0.0:  # NaN, too
                    return no
                worst = max(worst, total * total / val[corner(i)])
    if not worst <= WRONG * WRONG * scale and not worst <= forgiven(scale, -highest(least), noise):
        return no
    for k, x, rate in ((0, z0, w0), (1, z1, w1), (2, z2, w2), (3, z3, w3), (4, z4, w4), (5, z5, w5)):
        if k < rank:
            row = np.uint64(rows[k])
            z[row], w[row] = x, rate
    return sqrt(worst / scale), int(rank), scale


@part()
def factor_few(val, rows, rank, block):
    """Eliminate A on the rows at work in the block, its upper triangle, the reciprocal pivots in the last column."""
    zero, one, wide, last = np.uint64(0), np.uint64(1), np.uint64(WIDE), np.uint64(SIX + 1)
    for k in range(zero, rank):
        row = np.uint64(rows[k])
        low = row * (row + one) // np.uint64(2)
        for m in range(zero, k + one):
            block[m * wide + k] = val[low + np.uint64(rows[m])]
    for k in range(zero, rank):
        inverse = 1.0 / block[k * wide + k]
        block[k * wide + last] = inverse
        for m in range(k + one, rank):
            f = block[k * wide + m] * inverse
            for j in range(m, rank):
                block[m * wide + j] -= f * block[k * wide + j]


@part(forceinline=False)
def exchange_few(val, kind, taut, z, w, inverse, rows, rank, block):
    """One step of descent from what ``solve_few`` found: the worst row in, the first z to reach zero on the way out.

    Where the rank is six the row that comes in depends on those at work, and only this tells which one it replaces
    (Lawson & Hanson 1974, ch. 23, extended to singular A). Rows with z < 0 leave before any comes in. False, and
    nothing changed, if there is no such step.

    Parameters
    ----------
    val, kind, taut, z, w, rows, rank : as ``solve_few`` left them
    block : (BLOCK,) scratch
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
    # c = A_BB⁻¹ A_Bi by elimination, in the last column but one; s is what is left of A_ii.
    factor_few(val, rows, at, block)
    s = diagonal = val[corner(enters)]
    for k in range(zero, at):
        block[k * wide + six] = val[place(enters, np.uint64(rows[k]))]
    for k in range(zero, at):
        f = block[k * wide + six] * block[k * wide + last]
        s -= f * block[k * wide + six]
        for m in range(k + one, at):
            block[m * wide + six] -= f * block[k * wide + m]
    step = -w[enters] / s if s > DEPENDENT * diagonal else inf
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
