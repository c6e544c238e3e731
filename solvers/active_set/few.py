"""w = 0 on up to six rows of a full triangle: many wires on one body, whose rank is six at most.

Of n wires a basis has no more than six rows, so that all but the reading of their columns is the same small amount of
work for every n. ``few_pull`` confirms a set that holds, and is all that most steps need: rows are eliminated by pairs,
in registers, four of them or six (those beyond the rank are of the unit matrix). A pair is one division, and divisions
that wait for each other are what takes longest. Where a pair is near to dependent, or the set does not hold,
``solve_few`` goes row by row. Rows that depend on others, and more than six, are left to
:mod:`solvers.active_set.envelope`.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt

from solvers.active_set.basis import DEPENDENT, UNILATERAL, WRONG
from solvers.active_set.envelope import BLOCK
from solvers.active_set.pivoting import forgiven
from solvers.kernels.compiled import part
from solvers.kernels.fours import highest
from solvers.kernels.lanes import below, lanes, larger, not_negative

FOUR, SIX = 4, 6
# Numbers in a row of the block: six of A, one beside them, and the reciprocal pivot, the last one.
WIDE, LAST = 8, 7
assert BLOCK == SIX * WIDE

CLEAR = 1e-2
"""Share of a diagonal entry above which what is left of it by elimination is far from nothing."""


@part()
def is_full(ptr):
    """Whether an envelope is a full triangle."""
    n = ptr.size - 1
    return ptr[n] - ptr[0] == n * (n + 1) // 2


@part()
def are_few(ptr, taut):
    """Whether an envelope is a full triangle, of which six rows at most are active."""
    if not is_full(ptr):
        return False
    active = 0
    for i in range(taut.size):
        active += taut[i]
    return active <= SIX


@part()
def position(rows, k, rank):
    """(whether there is one, row, how many entries of A are before it) at position k; row 0 beyond the rank."""
    if k < rank:
        row = rows[k]
        return True, row, (row * (row + 1)) >> 1
    return False, 0, 0


@part()
def off(there, x):
    """An entry beside the diagonal, or the right-hand side: 0 where the row is not there."""
    return x if there else 0.0


@part()
def on(there, x):
    """An entry of the diagonal: 1 where the row is not there."""
    return x if there else 1.0


@part()
def four_of(val, q, rows, rank):
    """(A, q) of up to four active rows: a lower triangle by rows, and a vector."""
    t0, i0, l0 = position(rows, 0, rank)
    t1, i1, l1 = position(rows, 1, rank)
    t2, i2, l2 = position(rows, 2, rank)
    t3, i3, l3 = position(rows, 3, rank)
    return (
        *(on(t0, val[l0 + i0]), off(t1, val[l1 + i0]), on(t1, val[l1 + i1])),
        *(off(t2, val[l2 + i0]), off(t2, val[l2 + i1]), on(t2, val[l2 + i2])),
        *(off(t3, val[l3 + i0]), off(t3, val[l3 + i1]), off(t3, val[l3 + i2]), on(t3, val[l3 + i3])),
    ), (off(t0, q[i0]), off(t1, q[i1]), off(t2, q[i2]), off(t3, q[i3]))


@part()
def two_more(val, q, rows, rank):
    """(A, q) of a fifth and a sixth row: what they have in the columns of the four, their own triangle, and q."""
    _, i0, _ = position(rows, 0, rank)
    _, i1, _ = position(rows, 1, rank)
    _, i2, _ = position(rows, 2, rank)
    _, i3, _ = position(rows, 3, rank)
    t4, i4, l4 = position(rows, 4, rank)
    t5, i5, l5 = position(rows, 5, rank)
    return (
        (off(t4, val[l4 + i0]), off(t4, val[l4 + i1]), off(t4, val[l4 + i2]), off(t4, val[l4 + i3])),
        (off(t5, val[l5 + i0]), off(t5, val[l5 + i1]), off(t5, val[l5 + i2]), off(t5, val[l5 + i3])),
        (on(t4, val[l4 + i4]), off(t5, val[l5 + i4]), on(t5, val[l5 + i5])),
        (off(t4, q[i4]), off(t5, q[i5])),
    )


@part()
def beside(val, rows, rank, i):
    """Entries of row i, which is not active, in the columns of the active rows; any number beyond the rank."""
    low = (i * (i + 1)) >> 1
    a = column(val, rows, 0, rank, i, low), column(val, rows, 1, rank, i, low), column(val, rows, 2, rank, i, low)
    b = column(val, rows, 3, rank, i, low), column(val, rows, 4, rank, i, low), column(val, rows, 5, rank, i, low)
    return a, b


@part()
def column(val, rows, k, rank, i, low):
    """Entry of row i in the column of the row at position k; low: how many entries of A are before row i."""
    _, row, before = position(rows, k, rank)
    return val[low + row if row < i else before + i]


@part()
def two(A, q):
    """(whether neither row is near to dependent, z with A z + q = 0) of two rows; A: a, b, c of [[a, b], [b, c]]."""
    (a, b, c), (q0, q1) = A, q
    det = a * c - b * b
    r = 1.0 / det
    return (a > 0.0) & (det > CLEAR * (a * c)), (r * (b * q1 - c * q0), r * (b * q0 - a * q1))


@part()
def four(A, q):
    """The same of four rows: with z = g for q = a column beside the pair, what the pair leaves of the others."""
    (a00, a10, a11, a20, a21, a22, a30, a31, a32, a33), (q0, q1, q2, q3) = A, q
    pair = a00, a10, a11
    good, (g20, g21) = two(pair, (a20, a21))
    _, (g30, g31) = two(pair, (a30, a31))
    s22, s32, s33 = a22 + (g20 * a20 + g21 * a21), a32 + (g30 * a20 + g31 * a21), a33 + (g30 * a30 + g31 * a31)
    clear, (z2, z3) = two((s22, s32, s33), (q2 + (g20 * q0 + g21 * q1), q3 + (g30 * q0 + g31 * q1)))
    good &= clear & (s22 > CLEAR * a22) & (s33 > CLEAR * a33)
    _, (z0, z1) = two(pair, (q0 + (a20 * z2 + a30 * z3), q1 + (a21 * z2 + a31 * z3)))
    return good, (z0, z1, z2, z3)


@part()
def six(A, q, more):
    """The same of six rows, the last pair first; ``more`` as of ``two_more``."""
    (a00, a10, a11, a20, a21, a22, a30, a31, a32, a33), (q0, q1, q2, q3) = A, q
    (b0, b1, b2, b3), (c0, c1, c2, c3), pair, (q4, q5) = more
    good, (g0, h0) = two(pair, (b0, c0))
    _, (g1, h1) = two(pair, (b1, c1))
    _, (g2, h2) = two(pair, (b2, c2))
    _, (g3, h3) = two(pair, (b3, c3))
    s00, s10, s11 = a00 + (g0 * b0 + h0 * c0), a10 + (g1 * b0 + h1 * c0), a11 + (g1 * b1 + h1 * c1)
    s20, s21, s22 = a20 + (g2 * b0 + h2 * c0), a21 + (g2 * b1 + h2 * c1), a22 + (g2 * b2 + h2 * c2)
    s30, s31 = a30 + (g3 * b0 + h3 * c0), a31 + (g3 * b1 + h3 * c1)
    s32, s33 = a32 + (g3 * b2 + h3 * c2), a33 + (g3 * b3 + h3 * c3)
    clear, z = four(
        (s00, s10, s11, s20, s21, s22, s30, s31, s32, s33),
        (q0 + (g0 * q4 + h0 * q5), q1 + (g1 * q4 + h1 * q5), q2 + (g2 * q4 + h2 * q5), q3 + (g3 * q4 + h3 * q5)),
    )
    good &= clear & (s00 > CLEAR * a00) & (s11 > CLEAR * a11) & (s22 > CLEAR * a22) & (s33 > CLEAR * a33)
    z0, z1, z2, z3 = z
    b = (b0 * z0 + b1 * z1) + (b2 * z2 + b3 * z3)
    c = (c0 * z0 + c1 * z1) + (c2 * z2 + c3 * z3)
    _, (z4, z5) = two(pair, (q4 + b, q5 + c))
    return good, (z0, z1, z2, z3, z4, z5)


@part()
def rates_of_four(A, q, z):
    """A z + q."""
    (a00, a10, a11, a20, a21, a22, a30, a31, a32, a33), (q0, q1, q2, q3), (z0, z1, z2, z3) = A, q, z
    return (
        (q0 + a00 * z0) + (a10 * z1 + a20 * z2) + a30 * z3,
        (q1 + a10 * z0) + (a11 * z1 + a21 * z2) + a31 * z3,
        (q2 + a20 * z0) + (a21 * z1 + a22 * z2) + a32 * z3,
        (q3 + a30 * z0) + (a31 * z1 + a32 * z2) + a33 * z3,
    )


@part()
def solution(val, q, rows, rank):
    """(whether no row is near to dependent, z, w, diagonal of A) of the active rows, six numbers each."""
    A, b = four_of(val, q, rows, rank)
    a = A[0], A[2], A[5], A[9]
    if rank <= FOUR:
        good, z = four(A, b)
        return good, (*z, 0.0, 0.0), (*rates_of_four(A, b, z), 0.0, 0.0), (*a, 1.0, 1.0)
    more = two_more(val, q, rows, rank)
    good, (z0, z1, z2, z3, z4, z5) = six(A, b, more)
    (b0, b1, b2, b3), (c0, c1, c2, c3), (a44, a54, a55), (q4, q5) = more
    w0, w1, w2, w3 = rates_of_four(A, b, (z0, z1, z2, z3))
    w = (
        *(w0 + (b0 * z4 + c0 * z5), w1 + (b1 * z4 + c1 * z5), w2 + (b2 * z4 + c2 * z5), w3 + (b3 * z4 + c3 * z5)),
        (q4 + (a44 * z4 + a54 * z5)) + ((b0 * z0 + b1 * z1) + (b2 * z2 + b3 * z3)),
        (q5 + (a54 * z4 + a55 * z5)) + ((c0 * z0 + c1 * z1) + (c2 * z2 + c3 * z3)),
    )
    return good, (z0, z1, z2, z3, z4, z5), w, (*a, a44, a55)


@part()
def place(i, k):
    """Where A_ik is in a full triangle."""
    high, low = (k, i) if k > i else (i, k)
    return ((high * (high + 1)) >> 1) + low


@part()
def solve_few(val, q, taut, z, w, rows, before, block):
    """z with w = A z + q = 0 on the rows in ``taut``; False, and only scratch touched, if one depends on others.

    Parameters
    ----------
    val : full lower triangle of A by rows
    q, taut, z, w : (n,); z and w out; six rows at most are in ``taut``
    rows : (n,) out, row of each position
    before : (n + 1,) out, number of rows in ``taut`` before row i
    block : (BLOCK,) scratch
    """
    n = q.size
    rank = 0
    for i in range(n):
        before[i] = rank
        rows[rank] = i
        rank += taut[i]
    before[n] = rank
    if not factor_few(val, rows, rank, block):
        return False
    for k in range(rank):
        block[k * WIDE + SIX] = -q[rows[k]]
    for k in range(rank):
        f = block[k * WIDE + SIX] * block[k * WIDE + LAST]
        for m in range(k + 1, rank):
            block[m * WIDE + SIX] -= f * block[k * WIDE + m]
    for i in range(n):
        z[i], w[i] = 0.0, q[i]
    for back in range(rank - 1, -1, -1):
        x = block[back * WIDE + SIX] * block[back * WIDE + LAST]
        z[rows[back]] = x
        for m in range(back):
            block[m * WIDE + SIX] -= block[m * WIDE + back] * x
    for i in range(n):
        for k in range(rank):
            row = rows[k]
            w[i] += val[place(i, row)] * z[row]
    return True


@part()
def four_rows(val, q, i):
    """(A_ii, q_i) of four rows from the i-th on, the last one in place of those behind it."""
    last = q.size - 1
    j, k, m = min(i + 1, last), min(i + 2, last), min(i + 3, last)
    return (
        lanes(val[corner(i)], val[corner(j)], val[corner(k)], val[corner(m)]),
        lanes(q[i], q[j], q[k], q[m]),
    )


@part(forceinline=False)
def of_slack(val, q):
    """Max q² / A_ii where no row pushes."""
    scale = 0.0
    for i in range(q.size):
        scale = max(scale, q[i] * q[i] / val[corner(i)])
    return scale


@part()
def corner(i):
    """Where A_ii is in a full triangle."""
    return (i * (i + 3)) >> 1


@part()
def few_pull(val, ptr, q, kind, taut, z, w, rows, noise):
    """(residual, rank, max q² / A_ii) if the rows in the set, six at most, pull, and w ≥ 0 on the others; or else -1.

    As nearly every step of a load on many wires asks for it: then this is all. What is out of the ordinary (rows that
    are not unilateral, NaN, numbers whose squares leave the range of doubles, dependent rows) is left to others.

    Parameters
    ----------
    as of ``solvers.active_set.loop``; rows : (n,) scratch
    """
    n = q.size
    no = -1.0, 0, 0.0
    if not is_full(ptr):
        return no
    rank = 0
    plain = True
    for i in range(n):
        rows[rank] = i
        rank += taut[i]
        plain &= kind[i] == UNILATERAL
    if not plain or rank > SIX:
        return no

    sizes, least = lanes(0.0, 0.0, 0.0, 0.0), lanes(-inf, -inf, -inf, -inf)
    i = 0
    while i < n:
        a, given = four_rows(val, q, i)
        if not (below(a, 1e100) and below(-a, -1e-100)):
            return no
        pushing = not_negative(-given)
        sizes, least = larger(pushing * pushing / a, sizes), larger(-a, least)
        i += 4
    scale = highest(sizes)
    if scale == 0.0:
        scale = of_slack(val, q)
    if not 1e-200 < scale < 1e200:
        return no

    good, (z0, z1, z2, z3, z4, z5), (w0, w1, w2, w3, w4, w5), (a0, a1, a2, a3, a4, a5) = solution(val, q, rows, rank)
    if not (good and z0 >= 0.0 and z1 >= 0.0 and z2 >= 0.0 and z3 >= 0.0 and z4 >= 0.0 and z5 >= 0.0):
        return no
    left, other = lanes(w0, w1, w2, w3), lanes(w4, w5, 0.0, 0.0)
    worst = highest(larger(left * left / lanes(a0, a1, a2, a3), other * other / lanes(a4, a5, 1.0, 1.0)))

    limit = forgiven(scale, -highest(least), noise)
    for i in range(n):
        if not taut[i]:
            (b0, b1, b2), (b3, b4, b5) = beside(val, rows, rank, i)
            total = ((b0 * z0 + b1 * z1) + b2 * z2) + ((b3 * z3 + b4 * z4) + b5 * z5) + q[i]
            z[i], w[i] = 0.0, total
            if not 0.0 <= total < inf:
                if not -inf < total < 0.0:  # NaN, too
                    return no
                size = abs(q[i]) + (abs(b0) * z0 + abs(b1) * z1)
                size += (abs(b2) * z2 + abs(b3) * z3) + abs(b4) * z4
                size += abs(b5) * z5
                if total < -WRONG * size and not total * total <= limit * val[corner(i)]:
                    return no
                worst = max(worst, total * total / val[corner(i)])
    if not worst <= WRONG * WRONG * scale and not worst <= limit:
        return no
    for k, x, rate in ((0, z0, w0), (1, z1, w1), (2, z2, w2), (3, z3, w3), (4, z4, w4), (5, z5, w5)):
        if k < rank:
            row = rows[k]
            z[row], w[row] = x, rate
    return sqrt(worst / scale), int(rank), scale


@part()
def factor_few(val, rows, rank, block):
    """Eliminate A on the active rows in the block, its upper triangle, the reciprocal pivots in the last column.

    False if a row depends on those before it.
    """
    for k in range(rank):
        low = corner(rows[k]) - rows[k]
        for m in range(k + 1):
            block[m * WIDE + k] = val[low + rows[m]]
    for k in range(rank):
        if not block[k * WIDE + k] > DEPENDENT * val[corner(rows[k])]:
            return False
        inverse = 1.0 / block[k * WIDE + k]
        block[k * WIDE + LAST] = inverse
        for m in range(k + 1, rank):
            f = block[k * WIDE + m] * inverse
            for j in range(m, rank):
                block[m * WIDE + j] -= f * block[k * WIDE + j]
    return True


@part(forceinline=False)
def exchange_few(val, kind, taut, z, w, inverse, rows, rank, block):
    """One step of descent from what ``solve_few`` found: the worst row in, the first z to reach zero on the way out.

    Where the rank is six the row that comes in depends on the active ones, and only this tells which one it replaces
    (Lawson & Hanson 1974, ch. 23, extended to singular A). Rows with z < 0 leave before any comes in. False, and
    nothing changed, if there is no such step.

    Parameters
    ----------
    val, kind, taut, z, w, rows, rank : as ``solve_few`` left them
    block : (BLOCK,) scratch
    inverse : (n,) 1 / A_ii
    """
    n = taut.size
    left = False
    chosen = 0
    for i in range(n):
        chosen += taut[i]
    if rank == 0 or chosen != rank:  # where rows depend on others, the envelope was asked, not the block
        return False
    for k in range(rank):
        row = rows[k]
        if kind[row] == UNILATERAL and z[row] < 0.0:
            taut[row] = False
            left = True
    if left:
        return True
    worst = 0.0
    enters = leaves = n
    for i in range(n):
        if w[i] < 0.0 and kind[i] == UNILATERAL and not taut[i] and w[i] * w[i] * inverse[i] > worst:
            worst = w[i] * w[i] * inverse[i]
            enters = i
    if enters == n:
        return False
    # c = A_BB⁻¹ A_Bi by elimination, in the last column but one; s is what is left of A_ii.
    factor_few(val, rows, rank, block)
    s = diagonal = val[corner(enters)]
    for k in range(rank):
        block[k * WIDE + SIX] = val[place(enters, rows[k])]
    for k in range(rank):
        f = block[k * WIDE + SIX] * block[k * WIDE + LAST]
        s -= f * block[k * WIDE + SIX]
        for m in range(k + 1, rank):
            block[m * WIDE + SIX] -= f * block[k * WIDE + m]
    step = -w[enters] / s if s > DEPENDENT * diagonal else inf
    for back in range(rank - 1, -1, -1):
        c = block[back * WIDE + SIX] * block[back * WIDE + LAST]
        for m in range(back):
            block[m * WIDE + SIX] -= block[m * WIDE + back] * c
        row = rows[back]
        if kind[row] == UNILATERAL and c > 0.0 and z[row] < step * c:
            step = z[row] / c
            leaves = row
    if step == inf:
        return False
    taut[enters] = True
    if leaves < n:
        taut[leaves] = False
    return True
