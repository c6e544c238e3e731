"""The solution of a complementarity problem whose numbers carry derivatives: the implicit rule on its active set.

    A_aa z_a = −q_a    ⟹    A_aa ż_a = −(Ȧ z + q̇)_a,    ż = 0 elsewhere            (a: the rows of the answer's basis)

The problem is solved by the values alone, pivoting and all; what is differentiated is its solution, with the factor of
the rows that it ends with. That is one Newton step z_a ← z_a − A_aa⁻¹ (A z + q)_a in duals or recorded numbers. Where z
is not unique, a are the rows that bear something in the answer of least norm, which is what is recorded
(``solvers.active_set.least_norm``).

Where a row without impulse has no rate either, the solution has one-sided derivatives only: the row may come to act on
one side, and be idle on the other. Such rows are told, and the derivatives are those of the side on which the row does
what it does here.

Source: implicit function theorem on the active set; directional derivatives of strongly regular complementarity
problems: Robinson (1980).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.core import types
from numba.extending import overload

from solvers.active_set.basis import FREE, OFF, UNILATERAL
from solvers.active_set.envelope import memory, multiply, substitute, workspace
from solvers.active_set.least_norm import MOST, bearing
from solvers.active_set.loop import warm_start
from solvers.kernels.compiled import PART, part
from solvers.kernels.dual import value

ROOM = 256
"""Degenerate rows that are told of a block; what is beyond is counted."""

NEGLIGIBLE = 1e-18
"""Share of max q² / A_ii below which w² / A_ii and z² A_ii are zero: accepted answers are exact to 1e-9."""


class Values(NamedTuple):
    """The values of a problem in duals, and what its solution by values needs."""

    A: np.ndarray  # (nnz,)
    q: np.ndarray  # (n,)
    z: np.ndarray  # (n,)
    w: np.ndarray  # (n,)
    scratch: np.ndarray
    degenerate: np.ndarray  # (ROOM, 2) int: step, row
    idle: np.ndarray  # (n,) bool: which rows have neither impulse nor rate
    held: np.ndarray  # (n,) bool: which are held where impulses are of least norm
    found: np.ndarray  # (3,) degenerate rows; first step whose solution is not unique and matters, −1: none; directions
    null: np.ndarray  # (MOST, n) of what the problem does not see, in the numbers of the run; see ``least_norm``
    mu: np.ndarray  # of contacts with friction
    low: np.ndarray  # bounds of bands
    high: np.ndarray


def make_values(n: int, nnz: int, scratch: int = 0, contacts: int = 0, bands: int = 0) -> Values:
    """Room for problems of n rows, whose envelope has nnz entries.

    scratch : what a solver needs at least;  contacts, bands : with friction
    """
    return Values(
        np.zeros(nnz),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.zeros(max(scratch, len(workspace(n, nnz)[0]))),
        np.zeros((ROOM, 2), np.int64),
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.zeros(3, np.int64),
        np.zeros((MOST, n)),
        np.zeros(contacts),
        np.zeros(bands),
        np.zeros(bands),
    )


def solve_as_typed(values, k, rows, step, scratch, rounding):
    """As ``warm_start``; of duals with the solution's derivatives.

    values : room for the values of duals, None with plain numbers;  k : step of the block
    rows : with ``envelope``, that of A, and ``parts``;  step : with A, q, kind, and p, w, taut, which are written to
    """
    return _plainly(rows, step, scratch, rounding)


@part()
def _plainly(rows, step, scratch, rounding):
    problem = step.A, rows.envelope, rows.parts, step.q, step.kind
    return warm_start(*problem, step.p, step.w, step.taut, scratch[0], scratch[1], rounding)


@overload(solve_as_typed, inline="always", jit_options=PART)
def _(values, k, rows, step, scratch, rounding):
    def solve(values, k, rows, step, scratch, rounding):
        return _plainly(rows, step, scratch, rounding)

    def differentiate(values, k, rows, step, scratch, rounding):
        return _by_values(values, k, rows, step, scratch, value(rounding))

    return solve if values == types.none else differentiate


@part(forceinline=False)
def _by_values(values, k, rows, step, scratch, rounding):
    """Solve by values, and differentiate the solution."""
    val, ptr, q, kind, z, w, taut = step.A, rows.envelope, step.q, step.kind, step.p, step.w, step.taut
    n = q.size
    for i in range(val.size):
        values.A[i] = value(val[i])
    for i in range(n):
        values.q[i], values.z[i] = value(q[i]), value(z[i])
    problem = values.A, ptr, rows.parts, values.q, kind
    found = warm_start(*problem, values.z, values.w, taut, values.scratch, scratch[1], rounding)
    if found[0] >= 0.0:
        for i in range(n):
            z[i] = values.z[i]
        hold_at_rest(rows.parts, values.q, kind, taut)
        multiply(val, ptr, q, z, w)
        tell_degenerate(values, k, ptr, kind)
        _implicit(values, val, ptr, kind, z, w, taut, scratch[0], scratch[1])
        multiply(val, ptr, q, z, w)
    return found


@part()
def hold_at_rest(parts, q, kind, taut):
    """Mark the free rows of parts in which nothing acts, q = 0: their impulse is zero, but not its derivative."""
    if parts is None:
        _hold_if_at_rest(q, kind, taut, 0, q.size)
    else:
        for k in range(parts.size - 1):
            _hold_if_at_rest(q, kind, taut, parts[k], parts[k + 1])


@part()
def _hold_if_at_rest(q, kind, taut, first, last):
    rest = True
    for i in range(first, last):
        rest &= q[i] == 0.0 or kind[i] == OFF
    for i in range(first, last):
        taut[i] = taut[i] or (rest and kind[i] == FREE)


@part()
def _implicit(values, val, ptr, kind, z, w, taut, work, iwork):
    """z_a ← z_a − A_aa⁻¹ w_a in duals, w = A z + q with z as yet without derivatives; values stay.

    a : rows that bear something in the answer of least norm; those of the basis, where it is unique
    """
    m, x = memory(ptr, values.scratch, iwork), memory(ptr, work, iwork).u
    bearing(values, val, ptr, kind, taut, z, m, x)
    rank = m.before[z.size]
    for j in range(rank):
        rate = w[m.rows[j]]
        x[j] = rate - value(rate)
    substitute(m, rank, x)
    for j in range(rank):
        z[m.rows[j]] -= x[j]


@part()
def tell_degenerate(values, k, ptr, kind):
    """Note the unilateral rows that have neither impulse nor rate, beyond rounding; ``idle`` marks them."""
    scale = 0.0
    for i in range(kind.size):
        if values.z[i] == 0.0:  # what is idle does not tell how exact the others are
            continue
        scale = max(scale, values.q[i] * values.q[i] / values.A[ptr[i + 1] - 1])
    bound = NEGLIGIBLE * scale
    for i in range(kind.size):
        values.idle[i] = False
        if kind[i] == UNILATERAL:
            a, z, w = values.A[ptr[i + 1] - 1], values.z[i], values.w[i]
            if z * z * a <= bound and w * w <= bound * a:
                values.idle[i] = True
                tell(values, k, i)


@part()
def tell(values, k, row):
    """Note a row that is at the border between two branches."""
    at = values.found[0]
    if at < ROOM:
        values.degenerate[at, 0] = k
        values.degenerate[at, 1] = row
    values.found[0] = at + 1
