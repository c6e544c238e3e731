"""Least and largest values of a table's columns, in one pass."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from towsim.compiled import kernel


@kernel()
def fold(table, low, at, high):
    """Lower ``low`` and raise ``high`` to what the columns of ``table`` hold; NaN (does not apply) is passed over.

    Parameters
    ----------
    table : (n, m)
    low, high : (m,) so far, updated
    at : (m,) out: row of a new least value, untouched where there is none
    """
    for k in range(table.shape[0]):
        for i in range(table.shape[1]):
            x = table[k, i]
            if x < low[i]:
                low[i] = x
                at[i] = k
            if x > high[i]:
                high[i] = x
