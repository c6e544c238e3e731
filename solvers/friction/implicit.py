"""The solution of a problem with friction whose numbers carry derivatives: the implicit rule on the branch at hand.

Each row that acts does one thing in the answer, and that is differentiated. With w = A z + q and d = −w_t/‖w_t‖ ⟂ e,

    held    w = 0                                                          (free rows, taut wires, contacts that stick)
    slip    w_n = 0,  p_t = μ p_n d   ⟹   ṗ_d = μ ṗ_n + μ̇ p_n,   ẇ_e + c ṗ_e = 0,   c = ‖w_t‖/(μ p_n)
    band    z_t = r B                 ⟹   ż_t = r Ḃ + ṙ B
    open    z = 0

which is one step of :mod:`solvers.friction.cone_newton` from the answer, by the factor of its linear system, with the
derivatives of A, q, μ and r on the right. What is added to its diagonal, EASE of it, is small, and PASSES take it away:
rows that depend on each other share what they bear more as near as can be to evenly, and A ż is right.

Where rows depend on each other *and* something slips, how they share their load decides how it moves: no derivative is
known, and that is told. Where a contact bears nothing and does not open, where it is at the limit of friction and does
not slip, or a band is, the answer has one-sided derivatives, as told in :mod:`solvers.active_set.implicit`.

Source: implicit function theorem on the branch of the map of Alart & Curnier (1991).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import sqrt

from numba.core import types
from numba.extending import overload

from solvers.active_set.envelope import multiply
from solvers.active_set.implicit import NEGLIGIBLE, tell, tell_degenerate
from solvers.active_set.skyline import spread, substitute_lu
from solvers.friction.bands import Bands, before, tension
from solvers.friction.cone import CONE, SLIP, Cones, cone_scales, of_the_rows
from solvers.friction.cone_newton import cone_newton, linearise, room_of
from solvers.kernels.compiled import PART, part
from solvers.kernels.dual import value
from solvers.status import SOLVED

EASE, PASSES = 1e-9, 3
DEPENDENT, MOVES = 1e-7, 1e-5
"""Share of a diagonal entry below which a pivot is that of a row which depends on others; rate, of that which an
impulse causes by itself, above which what such rows share moves something."""


def cone_newton_as_typed(values, k, rows, step, cones, scratch):
    """As ``cone_newton``; of duals with the solution's derivatives.

    Arguments as of ``solve_as_typed``; rows are those of the friction as well, ``cones``.
    """
    return _plainly(rows, step, cones, scratch)


@part()
def _plainly(rows, step, cones, scratch):
    return cone_newton(step.A, rows.envelope, step.q, step.kind, cones, step.p, step.w, scratch[0], scratch[1])


@overload(cone_newton_as_typed, inline="always", jit_options=PART)
def _(values, k, rows, step, cones, scratch):
    def solve(values, k, rows, step, cones, scratch):
        return _plainly(rows, step, cones, scratch)

    def differentiate(values, k, rows, step, cones, scratch):
        return _by_values(values, k, rows, step, cones, scratch)

    return solve if values == types.none else differentiate


@part(forceinline=False)
def _by_values(values, k, rows, step, cones, scratch):
    """Solve by values, and differentiate the solution."""
    val, ptr, q, kind, z, w = step.A, rows.envelope, step.q, step.kind, step.p, step.w
    n = q.size
    for i in range(val.size):
        values.A[i] = value(val[i])
    for i in range(n):
        values.q[i], values.z[i] = value(q[i]), value(z[i])
    for c in range(cones.mu.size):
        values.mu[c] = value(cones.mu[c])
    for c in range(cones.bands.low.size):
        values.low[c], values.high[c] = value(cones.bands.low[c]), value(cones.bands.high[c])
    plain = Cones(cones.row, values.mu, Bands(cones.bands.row, values.low, values.high))
    found = cone_newton(values.A, ptr, values.q, kind, plain, values.z, values.w, values.scratch, scratch[1])
    if found[0] == SOLVED:
        for i in range(n):
            z[i] = values.z[i]
        tell_degenerate(values, k, ptr, kind)
        _tell_limits(values, k, ptr, kind, plain)
        _implicit(values, k, val, ptr, q, kind, plain, cones, z, w, scratch)
    return found


@part(forceinline=False)
def _implicit(values, k, val, ptr, q, kind, plain, cones, z, w, scratch):
    """Give z, as yet without derivatives, those of the branch that it is on; values stay."""
    n = q.size
    room, d = room_of(values.scratch, scratch[1], n, ptr[n])
    order, x, given = room.order, scratch[0][:n], scratch[0][n : 2 * n]
    cone_scales(values.A, ptr, values.q, kind, plain, d)
    rank = linearise(values.A, ptr, values.q, kind, plain, d, values.z, values.w, room, -1.0, EASE)
    turned = values.w  # directions of what slips, ratios of bands
    if values.found[1] < 0 and _undetermined(values, ptr, plain, d, room, rank):
        values.found[1] = k
    for c in range(cones.mu.size):
        i, s, t = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if room.state[i] == SLIP:
            more = (cones.mu[c] - values.mu[c]) * value(z[i])
            z[s] += turned[i] * more
            z[t] += turned[s] * more
    _to_the_bounds(cones.bands, turned, z)
    multiply(val, ptr, q, z, w)
    for i in range(n):
        given[i] = value(w[i]) - w[i]
    for c in range(cones.mu.size):
        i, s, t = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if room.state[i] == SLIP:
            given[t] = turned[i] * given[t] - turned[s] * given[s]
    for i in range(n):
        x[i] = 0.0
    for _ in range(1 + PASSES):
        for k in range(rank):
            i = order.rows[k]
            x[k] = EASE * d[i] * d[i] * x[k] + given[i]
        substitute_lu(order, rank, room.L, room.U, room.D, x)
    spread(room.state, rank, x)
    _along_and_across(plain, room, turned, x)
    for i in range(n):
        z[i] += x[i]
    _to_the_bounds(cones.bands, turned, z)
    multiply(val, ptr, q, z, w)


@part()
def _to_the_bounds(bands, ratio, z):
    """Give impulses of bands that are at a bound the derivatives of the bound; values stay."""
    for c in range(bands.low.size):
        t = bands.row[c, 0]
        if ratio[t] != 0.0:
            most = tension(bands, c, z) * (bands.high[c] if ratio[t] > 0.0 else -bands.low[c])
            z[t] = value(z[t]) + (most - value(most))


@part()
def _along_and_across(cones, room, turned, x):
    """Bring changes of z of contacts that slip from the axes along and across the slip to those of their rows."""
    for c in range(cones.mu.size):
        i, s, t = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if room.state[i] == SLIP:
            x[s], x[t] = of_the_rows(turned[i], turned[s], cones.mu[c] * x[i], x[t])


@part(forceinline=False)
def _undetermined(values, ptr, cones, d, room, rank):
    """Whether rows depend on each other so that their shares of the load decide how something moves.

    Where a pivot is that of a dependent row, inverse iteration gives a change z of the answer that the linear system
    does not see. It matters if it has rates, A z ≠ 0, and does not if it only braces rows against each other.
    """
    rows, ratio, x, rate, nothing = room.order.rows, values.w, room.x, room.compliance, room.least
    dependent = False
    for k in range(rank):
        i = rows[k]
        dependent = dependent or abs(room.D[k]) * DEPENDENT * d[i] * d[i] > 1.0
        x[k] = (1.0 + 0.618 * (i % 7)) / d[i]
    if not dependent:
        return False
    for _ in range(1 + PASSES):
        size = 0.0
        for k in range(rank):
            x[k] *= EASE * d[rows[k]] * d[rows[k]]
        substitute_lu(room.order, rank, room.L, room.U, room.D, x)
        for k in range(rank):
            size = max(size, abs(d[rows[k]] * x[k]))
        for k in range(rank):
            x[k] /= size
    spread(room.state, rank, x)
    _along_and_across(cones, room, ratio, x)
    for c in range(cones.bands.low.size):
        t = cones.bands.row[c, 0]
        if ratio[t] != 0.0:
            x[t] = ratio[t] * before(cones.bands, c, x)
    for i in range(d.size):
        nothing[i] = 0.0
    multiply(values.A, ptr, nothing, x, rate)
    most = 0.0
    for i in range(d.size):
        most = max(most, abs(rate[i]) / d[i])
    return most > MOVES


@part()
def _tell_limits(values, k, ptr, kind, cones):
    """Note contacts and bands that bear all that friction can and do not slip, and contacts that only touch."""
    z, w, scale = values.z, values.w, 0.0
    for i in range(z.size):
        scale = max(scale, values.q[i] * values.q[i] / values.A[ptr[i + 1] - 1])
    bound = NEGLIGIBLE * scale
    for c in range(cones.mu.size):
        i, s, t = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if kind[i] == CONE:
            a = max(values.A[ptr[i + 1] - 1], values.A[ptr[s + 1] - 1], values.A[ptr[t + 1] - 1])
            slip, spare = w[s] * w[s] + w[t] * w[t], cones.mu[c] * z[i] - sqrt(z[s] * z[s] + z[t] * z[t])
            still, full = slip <= bound * a, spare * spare * a <= bound
            touches = z[i] * z[i] * a <= bound and w[i] * w[i] <= bound * a
            if touches or (full and still and z[i] > 0.0):
                tell(values, k, i)
    for c in range(cones.bands.low.size):
        i, T = cones.bands.row[c, 0], tension(cones.bands, c, z)
        a = values.A[ptr[i + 1] - 1]
        spare = min(cones.bands.high[c] * T - z[i], z[i] + cones.bands.low[c] * T)
        if T > 0.0 and spare * spare * a <= bound and w[i] * w[i] <= bound * a:
            tell(values, k, i)
