"""Rows of an LDLᵀ factorisation that begin in one column, eliminated four at a time, as ``envelope.factor`` does one.

Most of what a row costs alone is finding where the numbers are. Short rows, such as those of the wires of one body, go
by lanes, a row in each (``rows_abreast``). Of long ones, such as those of a net, sums are formed for four rows and four
columns at once (``four_rows``), and each row ends as it does alone.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from numba.extending import overload

from solvers.kernels.compiled import PART, part
from solvers.kernels.dual import Carrying
from solvers.kernels.lanes import WIDTH, along, lane, lanes


@part()
def alike(ptr, active, i):
    """Whether this row and the next three are active and begin in the same column: each is one entry longer."""
    if i + 4 > active.size:
        return False
    size = ptr[i + 1] - ptr[i]
    if (
        ptr[i + 2] - ptr[i + 1] != size + 1
        or ptr[i + 3] - ptr[i + 2] != size + 2
        or ptr[i + 4] - ptr[i + 3] != size + 3
    ):
        return False
    return active[i + 1] and active[i + 2] and active[i + 3]


@part(forceinline=False)
def four_rows(val, ptr, i, first, c0, c, m):
    """u of four rows that begin in one column at positions c0 to c − 1, to where their rows of L are to be.

    The rows of L are gone through once for all four: large ones come from far away.
    """
    L, rows, head, base = m.L, m.rows, m.head, m.base
    p0, p1, p2, p3 = ptr[i], ptr[i + 1], ptr[i + 2], ptr[i + 3]
    at = p0 - c0, p1 - c0, p2 - c0, p3 - c0
    k = c0
    while k < c:
        j = max(c0, head[k])
        begin = at[0] + j, at[1] + j, at[2] + j, at[3] + j
        if k + 4 <= c and max(max(head[k + 1], head[k + 2]), head[k + 3]) <= j:
            b = base[k], base[k + 1], base[k + 2], base[k + 3]
            of = sixteen_dots(L, begin, L, (b[0] + j, b[1] + j, b[2] + j, b[3] + j), k - j)
            for r in range(4):
                place = ptr[i + r] - first
                a = val[place + rows[k]], val[place + rows[k + 1]], val[place + rows[k + 2]], val[place + rows[k + 3]]
                s0, s1, s2, s3 = in_turn(a, of[r], L, b, k)
                L[at[r] + k], L[at[r] + k + 1], L[at[r] + k + 2], L[at[r] + k + 3] = s0, s1, s2, s3
            k += 4
            continue
        s = four_dots(L, begin, L, base[k] + j, k - j)
        for r in range(4):
            L[at[r] + k] = val[ptr[i + r] - first + rows[k]] - s[r]
        k += 1


@part()
def in_turn(a, s, L, b, k):
    """a − s at four positions from k on, each less what those before it take away; b : where their rows of L are."""
    s0 = a[0] - s[0]
    s1 = a[1] - s[1] - s0 * L[b[1] + k]
    s2 = a[2] - s[2] - (s0 * L[b[2] + k] + s1 * L[b[2] + k + 1])
    s3 = a[3] - s[3] - ((s0 * L[b[3] + k] + s1 * L[b[3] + k + 1]) + s2 * L[b[3] + k + 2])
    return s0, s1, s2, s3


@part(forceinline=False, fastmath={"contract", "reassoc"})
def four_dots(x, i, y, j, length):
    """``dot`` of four pieces of x, which begin at the places i, with one of y."""
    i0, i1, i2, i3 = i
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for k in range(length):
        a = y[j + k]
        s0 += x[i0 + k] * a
        s1 += x[i1 + k] * a
        s2 += x[i2 + k] * a
        s3 += x[i3 + k] * a
    return s0, s1, s2, s3


@part(forceinline=False, fastmath={"contract", "reassoc"})
def sixteen_dots(x, i, y, j, length):
    """``dot`` of four pieces of x with four of y, which begin at the places i and j: by pieces of x."""
    i0, i1, i2, i3 = i
    j0, j1, j2, j3 = j
    s00, s01, s02, s03 = 0.0, 0.0, 0.0, 0.0
    s10, s11, s12, s13 = 0.0, 0.0, 0.0, 0.0
    s20, s21, s22, s23 = 0.0, 0.0, 0.0, 0.0
    s30, s31, s32, s33 = 0.0, 0.0, 0.0, 0.0
    for k in range(length):
        a, b, c, d = y[j0 + k], y[j1 + k], y[j2 + k], y[j3 + k]
        p = x[i0 + k]
        s00 += p * a
        s01 += p * b
        s02 += p * c
        s03 += p * d
        p = x[i1 + k]
        s10 += p * a
        s11 += p * b
        s12 += p * c
        s13 += p * d
        p = x[i2 + k]
        s20 += p * a
        s21 += p * b
        s22 += p * c
        s23 += p * d
        p = x[i3 + k]
        s30 += p * a
        s31 += p * b
        s32 += p * c
        s33 += p * d
    return (s00, s01, s02, s03), (s10, s11, s12, s13), (s20, s21, s22, s23), (s30, s31, s32, s33)


@part()
def accept(i, pivot, c0, c, at, m):
    """Give row i, which does not depend on those before it, position c; its reciprocal pivot."""
    m.rows[c] = i
    m.head[c] = c0
    m.base[c] = at
    m.D[c] = inverse = 1.0 / pivot
    return inverse


@part()
def next_alike(ptr, active, i, first):
    """The next active row, if it begins in the same column as row i; or else i."""
    n = i + 1
    while n < active.size and not active[n]:
        n += 1
    return n if n < active.size and n + 1 - (ptr[n + 1] - ptr[n]) == first else i


@part()
def count_before(i, last, c, m):
    """Note that c rows were accepted before those from i + 1 to the last one."""
    n = i + 1
    while n < last:
        m.before[n] = c
        n += 1
    m.before[last] = c


def rows_abreast(val, ptr, some, first, c0, c, tol, m):
    """Eliminate four active rows which begin in one column, at position c0, by lanes.

    As ``factor`` does it, with a row in each lane. There may be two or three rows: the last one is there again then.

    Returns
    -------
    positions taken after them, and the first dependent row or -1
    """
    L, D, rows, head, base, u = m.L, m.D, m.rows, m.head, m.base, along(m.block)
    i0, i1, i2, i3 = some
    a0, a1, a2, a3 = ptr[i0] - first, ptr[i1] - first, ptr[i2] - first, ptr[i3] - first
    b0, b1, b2, b3 = ptr[i0] - c0, ptr[i1] - c0, ptr[i2] - c0, ptr[i3] - c0
    d0, d1, d2, d3 = val[a0 + i0], val[a1 + i1], val[a2 + i2], val[a3 + i3]
    s0 = lanes(d0, val[a1 + i0], val[a2 + i0], val[a3 + i0])
    s1 = lanes(0.0, d1, val[a2 + i1], val[a3 + i1])
    s2 = lanes(0.0, 0.0, d2, val[a3 + i2])
    s3 = lanes(0.0, 0.0, 0.0, d3)
    for k in range(c0, c):
        n, other = rows[k], base[k]
        s = lanes(val[a0 + n], val[a1 + n], val[a2 + n], val[a3 + n])
        for j in range(max(c0, head[k]), k):
            s -= u[WIDTH * (j - c0)] * L[other + j]
        u[WIDTH * (k - c0)] = s
        f = s * D[k]
        f0, f1, f2, f3 = lane(f, 0), lane(f, 1), lane(f, 2), lane(f, 3)
        L[b0 + k], L[b1 + k], L[b2 + k], L[b3 + k] = f0, f1, f2, f3
        s0, s1, s2, s3 = s0 - s * f0, s1 - s * f1, s2 - s * f2, s3 - s * f3
    dependent = -1
    if lane(s0, 0) > tol * d0:
        f = s0 * accept(i0, lane(s0, 0), c0, c, b0, m)
        f1, f2, f3 = lane(f, 1), lane(f, 2), lane(f, 3)
        L[b1 + c], L[b2 + c], L[b3 + c] = f1, f2, f3
        s1, s2, s3 = s1 - s0 * f1, s2 - s0 * f2, s3 - s0 * f3
        c += 1
    else:
        dependent = i0
    count_before(i0, i1, c, m)
    if lane(s1, 1) > tol * d1:
        f = s1 * accept(i1, lane(s1, 1), c0, c, b1, m)
        f2, f3 = lane(f, 2), lane(f, 3)
        L[b2 + c], L[b3 + c] = f2, f3
        s2, s3 = s2 - s1 * f2, s3 - s1 * f3
        c += 1
    elif dependent < 0:
        dependent = i1
    if i2 > i1:
        count_before(i1, i2, c, m)
        if lane(s2, 2) > tol * d2:
            f3 = lane(s2, 3) * accept(i2, lane(s2, 2), c0, c, b2, m)
            L[b3 + c] = f3
            s3 = s3 - s2 * f3
            c += 1
        elif dependent < 0:
            dependent = i2
    if i3 > i2:
        count_before(i2, i3, c, m)
        if lane(s3, 3) > tol * d3:
            accept(i3, lane(s3, 3), c0, c, b3, m)
            c += 1
        elif dependent < 0:
            dependent = i3
    return c, dependent


@overload(rows_abreast, jit_options=PART)
def _(val, ptr, some, first, c0, c, tol, m):
    if isinstance(val.dtype, Carrying):  # such numbers are wide as they are: each row goes alone
        return lambda val, ptr, some, first, c0, c, tol, m: (c, -1)
    return rows_abreast
