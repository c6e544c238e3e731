"""A guess of the active set where there is none: rows join one by one, the most violated first.

Each row that joins costs one column of its Schur complement, after which w is what it would be with w = 0 on all rows
that joined (a Cholesky factorisation that w itself pivots). At the end rows with z < 0 are dropped, and the rest tried
again. Unlike a method that walks (Lawson & Hanson) this may leave a wrong set; it is a guess, judged by who asked.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.active_set.basis import DEPENDENT, FREE, OFF, UNILATERAL
from solvers.kernels.compiled import part

# Share of max|q/d| beyond which a negative w counts.
WRONG = 1e-12
# How often wrong ones are dropped.
PASSES = 4


@part(forceinline=False)
def guess(val, ptr, q, kind, taut, m):
    """Put the guess into ``taut``; False if there is none.

    Parameters
    ----------
    val, ptr : envelope of A, its diagonal positive but on rows switched off
    m : Memory; as many rows may join as its ``columns`` have room for
    """
    n, inverse, w, s, t, C, D, rows = q.size, m.x, m.y, m.t, m.u, m.columns, m.D, m.rows
    most = C.size // n
    forced = 0
    least = 0.0
    for i in range(n):
        inverse[i] = 1.0 / val[ptr[i + 1] - 1] if kind[i] != OFF else 0.0
        least = max(least, q[i] * q[i] * inverse[i])
        if kind[i] == FREE:
            if forced == most:
                return False
            rows[forced] = i
            forced += 1
    least *= WRONG * WRONG
    for _ in range(PASSES):
        rank = 0
        tried = 0
        for i in range(n):
            w[i] = q[i]
            s[i] = val[ptr[i + 1] - 1]
            taut[i] = False
        while rank < most:
            row = -1
            if tried < forced:
                row = rows[tried]
                tried += 1
            else:
                worst = least
                for i in range(n):
                    if w[i] < 0.0 and kind[i] == UNILATERAL and not taut[i]:
                        r = w[i] * w[i] * inverse[i]
                        if r > worst:
                            worst = r
                            row = i
                if row < 0:
                    break
            pivot = s[row]
            taut[row] = True
            if not pivot * inverse[row] > DEPENDENT:
                continue
            # The column of the Schur complement: A's, less what the rows that joined before make of it.
            column = C[rank * n : rank * n + n]
            low = ptr[row]
            first = row + 1 - (ptr[row + 1] - low)
            for j in range(first):
                column[j] = 0.0
            for j in range(first, row + 1):
                column[j] = val[low + j - first]
            for j in range(row + 1, n):
                at = ptr[j + 1] - 1 - (j - row)
                column[j] = val[at] if at >= ptr[j] else 0.0
            for k in range(rank):
                f = C[k * n + row] * D[k]
                if f != 0.0:
                    for j in range(n):
                        column[j] -= f * C[k * n + j]
            D[rank] = 1.0 / pivot
            f = w[row] * D[rank]
            for j in range(n):
                w[j] -= f * column[j]
                s[j] -= column[j] * column[j] * D[rank]
            w[row] = 0.0
            t[rank] = -f
            rows[rank] = row
            rank += 1
        wrong = False
        for k in range(rank - 1, -1, -1):
            f = 0.0
            for j in range(k + 1, rank):
                f += C[k * n + rows[j]] * t[j]
            t[k] -= f * D[k]
        for i in range(n):
            taut[i] = False
        forced = 0
        for k in range(rank):
            if t[k] < 0.0 and kind[rows[k]] == UNILATERAL:
                wrong = True
            else:
                taut[rows[k]] = True
                rows[forced] = rows[k]
                forced += 1
        if not wrong:
            break
    return forced > 0
