"""Least and largest values of a table's columns, and how many rows the largest lasts, in one pass each."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf

from solvers.kernels.compiled import kernel, part

CHUNK = 64
"""Rows after which a new least value is looked for: where it stands is of no interest before."""


@kernel()
def fold(table, low, at, high):
    """Lower ``low`` and raise ``high`` to what the columns of ``table`` hold; NaN (does not apply) is passed over.

    Parameters
    ----------
    table : (n, m)
    low, high : (m,) so far, updated
    at : (m,) out: row of a new least value, untouched where there is none
    """
    n, m = table.shape
    for i in range(0, m, 4):  # four columns side by side: a comparison waits for the one before in its own only
        a, b, c, d = i, min(i + 1, m - 1), min(i + 2, m - 1), min(i + 3, m - 1)
        for begin in range(0, n, CHUNK):
            end = min(begin + CHUNK, n)
            la = lb = lc = ld = inf
            ha = hb = hc = hd = -inf
            for k in range(begin, end):
                la, ha = _wider(table[k, a], la, ha)
                lb, hb = _wider(table[k, b], lb, hb)
                lc, hc = _wider(table[k, c], lc, hc)
                ld, hd = _wider(table[k, d], ld, hd)
            _keep(table, begin, a, la, ha, low, at, high)
            _keep(table, begin, b, lb, hb, low, at, high)
            _keep(table, begin, c, lc, hc, low, at, high)
            _keep(table, begin, d, ld, hd, low, at, high)


@part()
def _wider(x, low, high):
    """The range (low, high) with x in it."""
    return (x if x < low else low), (x if x > high else high)


@part()
def _keep(table, begin, i, least, most, low, at, high):
    """Take over the range of column i in the rows from ``begin`` on."""
    if least < low[i]:
        low[i] = least
        k = begin
        while table[k, i] != least:
            k += 1
        at[i] = k
    high[i] = max(high[i], most)


@kernel()
def peaks(table, time, past, high, when, rows, still, total, count):
    """How long the largest value of each column lasts: the rows about it with more than half of it.

    Parameters
    ----------
    table : (n, m); NaN is passed over
    time : (n,) [s]
    past : (k, m) the last rows before, the latest one last; updated. No more of those before a peak are counted.
    high, when : (m,) the largest value so far, and at what time; updated
    rows : (m,) how many rows it lasts;  still : (m,) 1 while it does; updated
    total, count : (m,) sum and number of all values above zero; updated
    """
    n, m = table.shape
    back = past.shape[0]
    for k in range(n):
        for i in range(m):
            x = table[k, i]
            if x > 0.0:
                total[i] += x
                count[i] += 1.0
            if x > high[i]:
                high[i], when[i], rows[i], still[i] = x, time[k], 1.0, 1.0
                j = back - 1
                while j >= 0 and past[j, i] > 0.5 * x:
                    rows[i] += 1.0
                    j -= 1
            elif still[i] > 0.0:
                if x > 0.5 * high[i]:
                    rows[i] += 1.0
                else:
                    still[i] = 0.0
            for j in range(back - 1):
                past[j, i] = past[j + 1, i]
            past[back - 1, i] = x
