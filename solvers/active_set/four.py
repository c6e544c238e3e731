"""w = 0 on some of up to four rows, in registers: what most steps of a towed load solve.

A = L D Lᵀ without lists of rows, loops or branches: a row that is left out (not in the set, or dependent on those
before it) gets the reciprocal pivot 0, and thereby drops out of the factors, and z = 0, by itself. Where all rows are
in the set and far from dependent, two pairs are eliminated in place of four rows: half as long a chain of divisions.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import sqrt

from solvers.active_set.basis import DEPENDENT, UNILATERAL
from solvers.active_set.pivoting import WRONG
from solvers.kernels.compiled import part
from solvers.kernels.lanes import lane, lanes

FOUR = 4

CLEAR = 1e-3
"""Share of a diagonal entry above which what is left of it by elimination is far from nothing."""


@part()
def inverse_pivot(pivot, diagonal, chosen):
    """1/pivot, or 0 for a row that is not chosen or depends on those before it."""
    return 1.0 / pivot if chosen and pivot > DEPENDENT * diagonal else 0.0


@part()
def triangle(val, ptr, memory):
    """The full lower triangle of up to four rows: ``val``, or a copy with the zeros that its envelope leaves out.

    memory : (10,) scratch
    """
    n = ptr.size - 1
    if ptr[n] == n * (n + 1) // 2:
        return val
    at = 0
    for i in range(n):
        for back in range(i, -1, -1):
            k = ptr[i + 1] - 1 - back
            memory[at] = val[k] if k >= ptr[i] else 0.0
            at += 1
    return memory


@part()
def by_pairs(A, q):
    """(whether no row is near to dependent, z with A z + q = 0): two rows, then what they leave of the others.

    A : lower triangle of four rows;  q : four numbers
    """
    (a00, a10, a11, a20, a21, a22, a30, a31, a32, a33), (q0, q1, q2, q3) = A, q
    no = False, (0.0, 0.0, 0.0, 0.0)
    det = a00 * a11 - a10 * a10
    if not det > CLEAR * a00 * a11:
        return no
    r = 1.0 / det
    g20, g21 = r * (a20 * a11 - a21 * a10), r * (a21 * a00 - a20 * a10)
    g30, g31 = r * (a30 * a11 - a31 * a10), r * (a31 * a00 - a30 * a10)
    s22, s32, s33 = a22 - g20 * a20 - g21 * a21, a32 - g30 * a20 - g31 * a21, a33 - g30 * a30 - g31 * a31
    rest = s22 * s33 - s32 * s32
    if not (s22 > CLEAR * a22 and s33 > CLEAR * a33 and rest > CLEAR * s22 * s33):
        return no
    y2, y3 = g20 * q0 + g21 * q1 - q2, g30 * q0 + g31 * q1 - q3
    s = 1.0 / rest
    z2, z3 = s * (s33 * y2 - s32 * y3), s * (s22 * y3 - s32 * y2)
    y0, y1 = -q0 - a20 * z2 - a30 * z3, -q1 - a21 * z2 - a31 * z3
    return True, (r * (a11 * y0 - a10 * y1), r * (a00 * y1 - a10 * y0), z2, z3)


@part()
def by_rows(A, q, chosen):
    """(z, which rows were accepted): A z + q = 0 on the chosen rows that do not depend on those before them."""
    (a00, a10, a11, a20, a21, a22, a30, a31, a32, a33), (q0, q1, q2, q3) = A, q
    d0 = inverse_pivot(a00, a00, chosen[0])
    l10, l20, l30 = a10 * d0, a20 * d0, a30 * d0
    d1 = inverse_pivot(a11 - l10 * a10, a11, chosen[1])
    u21, u31 = a21 - l20 * a10, a31 - l30 * a10
    l21, l31 = u21 * d1, u31 * d1
    d2 = inverse_pivot(a22 - l20 * a20 - l21 * u21, a22, chosen[2])
    u32 = a32 - l30 * a20 - l31 * u21
    l32 = u32 * d2
    d3 = inverse_pivot(a33 - l30 * a30 - l31 * u31 - l32 * u32, a33, chosen[3])

    y0 = -q0
    y1 = -q1 - l10 * y0
    y2 = -q2 - l20 * y0 - l21 * y1
    y3 = -q3 - l30 * y0 - l31 * y1 - l32 * y2
    z3 = y3 * d3
    z2 = y2 * d2 - l32 * z3
    z1 = y1 * d1 - l21 * z2 - l31 * z3
    z0 = y0 * d0 - l10 * z1 - l20 * z2 - l30 * z3
    return (z0, z1, z2, z3), (d0 > 0.0, d1 > 0.0, d2 > 0.0, d3 > 0.0)


@part()
def taken(val, q, taut):
    """(A, q, which rows are in the set) of one to four rows; a missing one is not, its diagonal that of row 0."""
    n = q.size
    a00, q0, chosen0 = val[0], q[0], taut[0]
    a10, a20, a21, a30, a31, a32 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    a11, a22, a33 = a00, a00, a00
    q1, q2, q3 = 0.0, 0.0, 0.0
    chosen1, chosen2, chosen3 = False, False, False
    if n > 1:
        a10, a11, q1, chosen1 = val[1], val[2], q[1], taut[1]
    if n > 2:
        a20, a21, a22, q2, chosen2 = val[3], val[4], val[5], q[2], taut[2]
    if n > 3:
        a30, a31, a32, a33, q3, chosen3 = val[6], val[7], val[8], val[9], q[3], taut[3]
    A = a00, a10, a11, a20, a21, a22, a30, a31, a32, a33
    return A, (q0, q1, q2, q3), (chosen0, chosen1, chosen2, chosen3)


@part()
def rates(A, q, z):
    """A z + q."""
    (a00, a10, a11, a20, a21, a22, a30, a31, a32, a33), (q0, q1, q2, q3), (z0, z1, z2, z3) = A, q, z
    return (
        q0 + a00 * z0 + a10 * z1 + a20 * z2 + a30 * z3,
        q1 + a10 * z0 + a11 * z1 + a21 * z2 + a31 * z3,
        q2 + a20 * z0 + a21 * z1 + a22 * z2 + a32 * z3,
        q3 + a30 * z0 + a31 * z1 + a32 * z2 + a33 * z3,
    )


@part()
def put(x, out):
    """Write the first of four numbers to a vector of one to four."""
    out[0] = x[0]
    if out.size > 1:
        out[1] = x[1]
    if out.size > 2:
        out[2] = x[2]
    if out.size > 3:
        out[3] = x[3]


@part()
def every(n, facts):
    """Whether the first n of four facts, one to four of them, are true."""
    return facts[0] and (facts[1] or n < 2) and (facts[2] or n < 3) and (facts[3] or n < 4)


@part()
def highest(x):
    """The largest of four lanes."""
    return max(max(lane(x, 0), lane(x, 1)), max(lane(x, 2), lane(x, 3)))


@part()
def all_pull(val, ptr, q, kind, taut, z, w):
    """(residual, max q² / A_ii) of z with w = A z + q = 0, if up to four rows all pull, as the set says; or else -1.

    As nearly every step of a load on few wires asks for it: then this is all. What is out of the ordinary (rows that
    are not unilateral, NaN, numbers whose squares leave the range of doubles, dependent rows) is left to others, and
    nothing is written.
    """
    n, no = q.size, (-1.0, 0.0)
    if not (0 < n <= FOUR and ptr[n] == n * (n + 1) // 2):
        return no
    A, b, chosen = taken(val, q, taut)
    expected = every(n, chosen)
    for i in range(n):
        expected &= kind[i] == UNILATERAL
    if not expected:
        return no
    clear, solution = by_pairs(A, b)
    if not (clear and every(n, (solution[0] > 0.0, solution[1] > 0.0, solution[2] > 0.0, solution[3] > 0.0))):
        return no
    found = rates(A, b, solution)
    a, given, left = lanes(A[0], A[2], A[5], A[9]), lanes(b[0], b[1], b[2], b[3]), lanes(*found)
    inverse = 1.0 / a
    scale, worst = highest(given * given * inverse), highest(left * left * inverse)
    if not (-highest(-a) > 1e-100 and highest(a) < 1e100 and 1e-200 < scale < 1e200 and worst <= WRONG * WRONG * scale):
        return no
    put(solution, z)
    put(found, w)
    return sqrt(worst / scale), scale


@part()
def solve_four(val, q, taut, z, w, before):
    """z with w = A z + q = 0 on the rows in ``taut`` that do not depend on those before them.

    val : full lower triangle of A by rows, n = 1 to 4 of them;  q, taut : (n,);  z, w : (n,) out
    before : (n + 1,) out, number of accepted rows before row i (as of ``solvers.active_set.envelope.factor``)
    """
    n = q.size
    A, b, chosen = taken(val, q, taut)
    kept = chosen
    clear, found = False, (0.0, 0.0, 0.0, 0.0)
    if every(n, chosen):
        clear, found = by_pairs(A, b)
    if not clear:
        found, kept = by_rows(A, b, chosen)
    put(found, z)
    put(rates(A, b, found), w)
    before[0], before[1] = 0, int(kept[0])
    if n > 1:
        before[2] = before[1] + int(kept[1])
    if n > 2:
        before[3] = before[2] + int(kept[2])
    if n > 3:
        before[4] = before[3] + int(kept[3])
