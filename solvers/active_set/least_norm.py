"""Impulses of least norm, of those that A does not tell from each other.

    z − Σ n (n·z),    A n = 0,  n·n = 1                (·: over the unilateral rows)

An answer is a basic one: rows that depend on others have no impulse, though they have no rate either, and would bear
their share. So all rows without rate are taken together. Each that depends on the basis a of these adds a direction,

    n = e_i − Σ_a e_a c_a,    A_aa c = A_ai

found by values with the factor that is there; derivatives are those of one Newton step, c ← c − A_aa⁻¹ (A_aa c − A_ai).
They hold as long as the row goes on to depend on the others. Where an impulse of least norm would push, or more than
MOST rows depend on others, the answer stays as it is.

Source: Golub & Pereyra, The differentiation of pseudo-inverses (1973), for a constant rank.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from numba.core import types
from numba.extending import overload

from solvers.active_set.basis import DEPENDENT, UNILATERAL
from solvers.active_set.envelope import entry, factor, substitute
from solvers.kernels.compiled import PART, part
from solvers.kernels.dual import value

MOST = 8
"""Directions for which there is room."""

PUSHES = 1e-9
"""Share of the largest impulse by which one of least norm may be below zero."""


@part()
def across(null, k, kind, z):
    """n·z of direction k."""
    total = 0.0 * z[0]
    for i in range(kind.size):
        if kind[i] == UNILATERAL:
            total += null[k, i] * z[i]
    return total


@part(forceinline=False)
def bearing(values, val, ptr, kind, taut, z, m, x):
    """Mark the rows that bear something in the answer of least norm in ``values.held``, and write the directions.

    values : as of ``solve_as_typed``, with the answer by values and the rows that are ``idle``
    val, ptr : envelope of A;  taut : (n,) basis of the answer z
    m : Memory, by values, whose factor is that of the held rows then;  x : (n,) scratch, as val and z
    """
    n, some = kind.size, False
    for i in range(n):
        values.held[i] = taut[i] or values.idle[i]
        some |= values.held[i] != taut[i]
    factor(values.A, ptr, values.held, 0, DEPENDENT, m)
    values.found[2] = 0
    if not some and m.before[n] == marked(values.held):
        return
    count = unseen(values.null, val, ptr, kind, values.held, m, x)
    least, most = 0.0, 0.0
    for i in range(n):
        x[i] = impulse(values.null, count, kind, z, i)
        if kind[i] == UNILATERAL:
            least, most = min(least, value(x[i])), max(most, value(x[i]))
    if least < -PUSHES * most:
        count = 0
    if some:
        for i in range(n):
            values.held[i] = taut[i] or (count > 0 and values.idle[i] and x[i] > PUSHES * most)
        factor(values.A, ptr, values.held, 0, DEPENDENT, m)
        if count > 0:
            count = unseen(values.null, val, ptr, kind, values.held, m, x)
    values.found[2] = count


@part(forceinline=False)
def unseen(null, val, ptr, kind, held, m, x):
    """Write the directions of the held rows to ``null``; returns how many there are, 0 if there is no room."""
    n, rank, count = kind.size, m.before[kind.size], 0
    for i in range(n):
        if not held[i] or m.before[i + 1] > m.before[i]:
            continue
        if count == MOST:
            return 0
        for j in range(rank):
            x[j] = value(entry(val, ptr, i, m.rows[j]))
        substitute(m, rank, x)
        for j in range(n):
            null[count, j] = 0.0
        null[count, i] = 1.0
        for j in range(rank):
            null[count, m.rows[j]] = -value(x[j])
        for j in range(rank):
            rate = entry(val, ptr, m.rows[j], i)
            for k in range(rank):
                rate += entry(val, ptr, m.rows[j], m.rows[k]) * value(null[count, m.rows[k]])
            x[j] = rate - value(rate)
        substitute(m, rank, x)
        for j in range(rank):
            null[count, m.rows[j]] -= x[j]
        count += orthonormal(null, count, kind)
    return count


@part()
def marked(mask):
    """How many are marked."""
    count = 0
    for i in range(mask.size):
        count += mask[i]
    return count


@part()
def impulse(null, count, kind, z, i):
    """The value of an impulse of least norm."""
    found = value(z[i])
    for k in range(count):
        found -= value(null[k, i]) * value(across(null, k, kind, z))
    return found


@part()
def orthonormal(null, count, kind):
    """Make direction ``count`` orthogonal to those before it, and n·n = 1; returns 0 if it is of free rows alone."""
    for k in range(count):
        along = across(null, k, kind, null[count])
        for i in range(kind.size):
            null[count, i] -= along * null[k, i]
    square = across(null, count, kind, null[count])
    if not square > PUSHES * PUSHES:
        return 0
    size = math.sqrt(square)
    for i in range(kind.size):
        null[count, i] /= size
    return 1


def to_least_norm(values, kind, z):
    """Take away what A does not see of z, a multiple of the answer's kind; with plain numbers z stays as it is.

    values : as of ``solve_as_typed``;  kind : of the rows
    """


@overload(to_least_norm, inline="always", jit_options=PART)
def _(values, kind, z):
    def leave(values, kind, z):
        pass

    def take_away(values, kind, z):
        _take_away(values, kind, z)

    return leave if values == types.none else take_away


@part(forceinline=False)
def _take_away(values, kind, z):
    for k in range(values.found[2]):
        along = across(values.null, k, kind, z)
        for i in range(kind.size):
            z[i] -= along * values.null[k, i]
