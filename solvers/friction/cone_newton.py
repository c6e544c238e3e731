"""Newton's method for contacts on the exact Coulomb cone, beside unilateral and free rows, warm-started and compiled.

    w = A z + q;   rows: 0 ≤ w ⟂ z ≥ 0, or w = 0 (free);   contacts: see :mod:`solvers.friction.cone`

The map of Alart & Curnier says what each row does, from y = z − ρ w with ρ = 1/A_ii:

    open   y_n ≤ 0           p = 0
    stick  ‖y_t‖ ≤ μ y_n     w_n = w_t = 0
    slip   otherwise         w_n = 0,  p_t = μ p_n d + p_e e,  w_e + c p_e = 0,   d = y_t/‖y_t‖ ⟂ e

    band   as stick between its bounds, else z_t = r B, r one of the bounds' ratios (see :mod:`solvers.friction.bands`)

with c = (‖y_t‖ − μ y_n)/(ρ μ y_n), which is ‖w_t‖/‖p_t‖ at a solution: the slip direction may turn. Trial directions
(n + μ d, e), test directions (n, e): one linear system with the envelope of A, symmetric but for μ d. It is solved with
r_i = REGULAR × A_ii on the diagonal and r z on the right (a proximal step): rows that depend on each other, as on a box
on four corners, share their load as in the step before, and the iteration still ends at A itself. The step is taken
up to PASSES times more with the same factors, each leaving a share REGULAR of what it moves to the next, so that r may
be large: rounding moves what dependent rows share by ε/r, which tears a contact at its limit from slipping to sticking
and back.

In smooth motion such a step leaves a residual of some 1e-10, and a second one, with the factors of the first, rounding.

Newton is local: a box that is towed slowly may turn about any point, and the slip directions with it. Where it does not
end, *viscous* steps from z = 0 bring it closer: every closed contact yields in both tangents with the compliance
max(‖w_t‖, ε)/(μ y_n) of the step before, ε falling geometrically. Each is a symmetric system (Kačanov's iteration for
friction that is smooth below the slip speed ε).

Source: Alart & Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from solvers.active_set.basis import FREE, UNILATERAL
from solvers.active_set.envelope import multiply
from solvers.active_set.skyline import factor_lu, order_in, spread, substitute_lu
from solvers.friction.bands import tension
from solvers.friction.cone import CONE, Cones, cone_scales, into_the_cones, natural_residual
from solvers.kernels.compiled import kernel, part
from solvers.status import ACCEPT, INVALID, ITERATION_LIMIT, SOLVED

REGULAR, PASSES = 1e-4, 2
# What a pass more may leave undone, as a residual.
NOTHING = 1e-15
# Residual at which Newton has nothing left to gain; accepted is what passes ACCEPT.
TARGET = 1e-12
# Below this the slip directions have turned too little since the last factorisation for another one; what a step
# without one must leave at most of the residual.
NEAR, FALL = 1e-8, 0.1
NEWTON_STEPS = 20
# Newton steps after the best one when it is given up; the last attempt goes on.
PATIENCE = 6
# Viscous steps before each further attempt, with the factor from ε to the next ε; the first one in shares of max|q/d|.
VISCOUS = ((6, 0.1), (60, 0.7), (300, 0.92))
SMOOTH = 0.1

OPEN, STICK, SLIP = 0, 1, 2


class Room(NamedTuple):
    """What a Newton step writes besides its answer."""

    last: Any  # (n,) last row whose envelope reaches this column
    state: Any  # (n,) OPEN, STICK or SLIP
    order: Any  # of the rows that are not open
    L: Any  # (nnz,) factors
    U: Any
    D: Any  # (n,)
    x: Any
    least: Any  # (n,) pivots below it are zero
    compliance: Any  # (n,)


def workspace(n: int, nnz: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays ``work, iwork`` for problems of up to n rows and nnz envelope entries."""
    return np.zeros(2 * nnz + 7 * n), np.zeros(6 * n, np.int64)


@part()
def _rotate(ptr, last, S, s, t, c, sn):
    """Turn rows and columns s, t of a symmetric lower envelope into d = (c, sn) and e = (−sn, c)."""
    low, high = min(s, t), max(s, t)
    st = ptr[high + 1] - 1 - (high - low)
    ss, tt = ptr[s + 1] - 1, ptr[t + 1] - 1
    a, b, m = S[ss], S[tt], S[st]
    S[ss] = c * c * a + 2.0 * c * sn * m + sn * sn * b
    S[tt] = sn * sn * a - 2.0 * c * sn * m + c * c * b
    S[st] = (c * c - sn * sn) * m + c * sn * (b - a)
    for j in range(ptr[low + 1] - 1 - ptr[low], -1, -1):  # columns before both
        if j > 0:
            x, y = S[ptr[low + 1] - 1 - j], S[ptr[high + 1] - 1 - j - (high - low)]
            if s < t:
                S[ptr[low + 1] - 1 - j] = c * x + sn * y
                S[ptr[high + 1] - 1 - j - (high - low)] = -sn * x + c * y
            else:
                S[ptr[low + 1] - 1 - j] = -sn * y + c * x
                S[ptr[high + 1] - 1 - j - (high - low)] = c * y + sn * x
    for i in range(low + 1, last[low] + 1):
        if i == high:
            continue
        at = ptr[i + 1] - 1 - i
        if at + low < ptr[i]:
            continue
        # Row ``high`` may come after i: then its column i is the entry.
        y_at = at + high if i > high else ptr[high + 1] - 1 - (high - i)
        x_at = at + low
        x, y = S[x_at], S[y_at]
        if s < t:
            S[x_at], S[y_at] = c * x + sn * y, -sn * x + c * y
        else:
            S[x_at], S[y_at] = -sn * y + c * x, c * y + sn * x


@part()
def _add_column(ptr, last, L, U, to, mu, source):
    """Column ``to`` += mu × column ``source`` of the matrix with lower part L (diagonal in it) and upper part U."""
    for i in range(source + 1 - (ptr[source + 1] - ptr[source]), last[source] + 1):
        at = ptr[i + 1] - 1 - i
        if i >= source:
            if at + source < ptr[i]:
                continue
            x = L[at + source]
        else:
            up = ptr[source + 1] - 1 - (source - i)
            if up < ptr[source]:
                continue
            x = U[up]
        if i >= to:
            L[at + to] += mu * x
        else:
            U[ptr[to + 1] - 1 - (to - i)] += mu * x


@part()
def _grip(bands, d, z, w, state, ratio, compliance, smooth):
    """States of the bands; of those that slip the ratio z_t/B."""
    for c in range(bands.low.size):
        t, wire = bands.row[c, 0], bands.row[c, 1]
        if state[wire] == OPEN:
            continue
        most = tension(bands, c, z) - min(w[wire] / (d[wire] * d[wire]), 0.0)
        if most <= 0.0:
            continue
        y = z[t] - w[t] / (d[t] * d[t])
        bound = bands.high[c] if y > 0.0 else -bands.low[c]
        state[t] = STICK
        if smooth >= 0.0:
            compliance[t] = max(abs(w[t]), smooth * d[t]) / max(abs(bound) * most, 1e-300)
        elif abs(y) > abs(bound) * most:
            state[t] = SLIP
            ratio[t] = bound


@part()
def _tie(ptr, last, bands, state, ratio, L, U):
    """Columns of the bands that slip go to what they are proportional to, the last of a wire first."""
    for back in range(bands.low.size):
        c = bands.low.size - 1 - back
        t, wire = bands.row[c, 0], bands.row[c, 1]
        if state[t] == SLIP:
            _add_column(ptr, last, L, U, wire, ratio[t], t)
            for b in range(c - 1, -1, -1):
                if bands.row[b, 1] != wire:
                    break
                if state[bands.row[b, 0]] != OPEN:
                    _add_column(ptr, last, L, U, bands.row[b, 0], ratio[t], t)


@part()
def _contact(mu, d, p, w):
    """(state, μ y_n, direction of y_t, c) of a contact; p and w are triples (normal, tangents)."""
    rho = 1.0 / (d * d)
    most = mu * (p[0] - rho * w[0])
    if not most > 0.0:
        return OPEN, 0.0, 0.0, 0.0, 0.0
    y1, y2 = p[1] - rho * w[1], p[2] - rho * w[2]
    size = sqrt(y1 * y1 + y2 * y2)
    if size <= most:
        return STICK, most, 0.0, 0.0, 0.0
    return SLIP, most, y1 / size, y2 / size, (size - most) / (rho * most)


@part()
def of_the_rows(y1, y2, along, across):
    """What the two tangent rows of a contact have of numbers along and across its slip, whose direction is (y1, y2)."""
    return y1 * along - y2 * across, y2 * along + y1 * across


@part()
def _touch(ptr, q, kind, cones, d, z, w, room, smooth):
    """States of the contacts: open, sticking, or sliding along (D_s, D_t), into whose axes L and z are turned."""
    last, state, L, D, x, compliance = room.last, room.state, room.L, room.D, room.x, room.compliance
    for k in range(cones.mu.size):
        i, s, t = cones.row[k, 0], cones.row[k, 1], cones.row[k, 2]
        if kind[i] != CONE:
            continue
        now, most, y1, y2, c = _contact(cones.mu[k], d[i], (z[i], z[s], z[t]), (w[i], w[s], w[t]))
        if smooth >= 0.0:
            now = min(now, STICK)
        state[i] = state[s] = state[t] = now
        if now == SLIP:
            D[s] = y1
            D[t] = y2
            _rotate(ptr, last, L, s, t, y1, y2)
            x[t] = y2 * q[s] - y1 * q[t]
            compliance[t] = c
            z[t], z[s] = -y2 * z[s] + y1 * z[t], y1 * z[s] + y2 * z[t]
        elif now == STICK and smooth >= 0.0:
            slip = sqrt(w[s] * w[s] + w[t] * w[t])
            compliance[s] = compliance[t] = max(slip, smooth * d[i]) / most


@part(forceinline=False)
def linearise(val, ptr, q, kind, cones, d, z, w, room, smooth, regular):
    """Factor the linear system of the states that z and w call for, into ``room``; both are overwritten.

    Returns how many rows it has: what is open, and the impulse along a slip, have none. ``room.compliance`` is then its
    right side, and z what it was in the axes along and across the slip. Where a contact slips, w has its direction in
    place of the first two rates; of a band that slips z_t/B.

    smooth : slip speed ε of a viscous step, in units of the scaled rates w/d; negative for a Newton step
    regular : what is added to the diagonal, as a share of it
    """
    last, state, L, U, D = room.last, room.state, room.L, room.U, room.D
    x, least, compliance = room.x, room.least, room.compliance
    given = compliance  # the right side without r z, once the compliance is in L
    n = q.size
    for k in range(ptr[n]):
        L[k] = val[k]
    for i in range(n):
        least[i] = 1e-14 * d[i] * d[i]
        compliance[i] = 0.0
        x[i] = -q[i]
        state[i] = STICK if kind[i] == FREE else OPEN
        if kind[i] == UNILATERAL and z[i] * d[i] > w[i] / d[i]:
            state[i] = STICK
    _touch(ptr, q, kind, cones, d, z, w, room, smooth)
    _grip(cones.bands, d, z, w, state, D, compliance, smooth)
    for k in range(ptr[n]):
        U[k] = L[k]
    for i in range(n):
        L[ptr[i + 1] - 1] += regular * d[i] * d[i] + compliance[i]
        given[i] = x[i]
    for c in range(cones.mu.size):
        i, s = cones.row[c, 0], cones.row[c, 1]
        if state[i] == SLIP:
            _add_column(ptr, last, L, U, i, cones.mu[c], s)
            state[s] = OPEN
            w[i], w[s], w[cones.row[c, 2]] = D[s], D[cones.row[c, 2]], 0.0  # kept there: D is about to be written
    _tie(ptr, last, cones.bands, state, D, L, U)
    for c in range(cones.bands.low.size):
        t = cones.bands.row[c, 0]
        w[t] = 0.0
        if state[t] == SLIP:
            state[t] = OPEN
            w[t] = D[t]
    return factor_lu(ptr, n, state, L, U, D, least, room.order)


@part(forceinline=False)
def newton_step(val, ptr, q, kind, cones, d, z, w, room, smooth, scale):
    """Replace z by the solution of the linear system of the states that z and w call for; returns how many rows it has.

    smooth : as above
    scale : max|q/d|, beside which what a pass more would move is nothing or not
    """
    state, order, x, given = room.state, room.order, room.x, room.compliance
    rank = linearise(val, ptr, q, kind, cones, d, z, w, room, smooth, REGULAR)
    for i in range(q.size):
        if state[i] == OPEN:
            z[i] = 0.0
    for _ in range(1 + PASSES):
        for k in range(rank):
            i = order.rows[k]
            x[k] = given[i] + REGULAR * d[i] * d[i] * z[i]
        substitute_lu(order, rank, room.L, room.U, room.D, x)
        moved = 0.0
        for k in range(rank):
            i = order.rows[k]
            moved = max(moved, abs(d[i] * (x[k] - z[i])))
            z[i] = x[k]
        if REGULAR * moved <= NOTHING * scale:
            break
    for c in range(cones.mu.size):
        i, s, t = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if state[i] == SLIP:
            z[s], z[t] = of_the_rows(w[i], w[s], cones.mu[c] * z[i], z[t])
    for c in range(cones.bands.low.size):
        t = cones.bands.row[c, 0]
        if w[t] != 0.0:
            z[t] = w[t] * tension(cones.bands, c, z)
    return rank


@part(forceinline=False)
def refine(val, ptr, q, kind, cones, d, z, w, room, rank):
    """A step from z by the factor of the step before; False, and z as it was, if rows are in other states since.

    Only the factor is old (the simplified method of Newton): the error falls by how much the slip directions, which are
    those of z and w, have turned since. Bands are not refined.
    """
    state, order, x, turned, n = room.state, room.order, room.x, room.compliance, q.size
    if cones.bands.low.size > 0:
        return False
    for i in range(n):
        x[i] = 0.0
        if kind[i] == UNILATERAL and (z[i] * d[i] > w[i] / d[i]) != (state[i] == STICK):
            return False
    for k in range(cones.mu.size):
        i, s, t = cones.row[k, 0], cones.row[k, 1], cones.row[k, 2]
        if kind[i] == CONE:
            now, _, turned[s], turned[t], turned[i] = _contact(
                cones.mu[k], d[i], (z[i], z[s], z[t]), (w[i], w[s], w[t])
            )
            if now != state[i]:
                return False
    _slide(cones, state, turned, x, z)
    multiply(val, ptr, q, z, w)
    for k in range(cones.mu.size):
        i, s, t = cones.row[k, 0], cones.row[k, 1], cones.row[k, 2]
        if state[i] == SLIP:
            y1, y2 = turned[s], turned[t]
            w[t] = (y1 * w[t] - y2 * w[s]) + turned[i] * (y1 * z[t] - y2 * z[s])
    for _ in range(PASSES):
        for k in range(rank):
            i = order.rows[k]
            x[k] = w[i] + REGULAR * d[i] * d[i] * x[k]
        substitute_lu(order, rank, room.L, room.U, room.D, x)
    spread(state, rank, x)
    _slide(cones, state, turned, x, z)
    for i in range(n):
        if state[i] == STICK:
            z[i] -= x[i]
    return True


@part()
def _slide(cones, state, turned, x, z):
    """Of contacts that slip, z less x (along the normal, and across the slip), along the slip what friction allows."""
    for k in range(cones.mu.size):
        i, s, t = cones.row[k, 0], cones.row[k, 1], cones.row[k, 2]
        if state[i] == SLIP:
            y1, y2 = turned[s], turned[t]
            z[i] -= x[i]
            z[s], z[t] = of_the_rows(y1, y2, cones.mu[k] * z[i], y1 * z[t] - y2 * z[s] - x[t])


@part()
def room_of(work, iwork, n, nnz):
    """A Newton step's room in the scratch of ``workspace``, the scales d (n,), and n numbers more."""
    rest = work[2 * nnz :]
    room = Room(
        iwork[:n],
        iwork[n : 2 * n],
        order_in(iwork[2 * n :], n),
        work[:nnz],
        work[nnz : 2 * nnz],
        rest[n : 2 * n],
        rest[2 * n : 3 * n],
        rest[3 * n : 4 * n],
        rest[4 * n : 5 * n],
    )
    return room, rest[:n], rest[5 * n : 6 * n]


@kernel()
def cone_newton(
    val: np.ndarray,
    ptr: np.ndarray,
    q: np.ndarray,
    kind: np.ndarray,
    cones: Cones,
    z: np.ndarray,
    w: np.ndarray,
    work: np.ndarray,
    iwork: np.ndarray,
) -> tuple[int, int, float]:
    """Solve, and judge the answer by w = A z + q computed from A itself.

    Parameters
    ----------
    val, ptr : envelope of A (see ``solvers.active_set.envelope``), symmetric positive semidefinite; not modified
    q : (n,)
    kind : (n,) int8; 0 unilateral, 1 free, 2 switched off, 3 one of the three rows of a contact
    cones : the contacts
    z : (n,) in: a guess (the impulses of the step before), out: the answer, or the best that was met
    w : (n,) out
    work, iwork : scratch from ``workspace``

    Returns
    -------
    status : SOLVED, ITERATION_LIMIT or INVALID (q or diagonal not finite)
    iterations : factorisations
    residual : of z by the natural map over max|q/d| (see ``judge_cone``)
    """
    n = q.size
    room, d, best = room_of(work, iwork, n, ptr[n])
    last = room.last
    scale = cone_scales(val, ptr, q, kind, cones, d)
    if not scale < inf:
        return INVALID, 0, np.nan
    for i in range(n):
        best[i] = 0.0
        last[i] = i
        first = i + 1 - (ptr[i + 1] - ptr[i])
        last[first] = max(last[first], i)
        if kind[i] == 2:
            z[i] = 0.0
    for i in range(1, n):
        last[i] = max(last[i], last[i - 1])
    if scale == 0.0:
        for i in range(n):
            z[i] = w[i] = 0.0
        return SOLVED, 0, 0.0
    iterations = rank = 0
    residual = least_residual = inf
    near = NEAR
    for attempt in range(1 + len(VISCOUS)):
        viscous = 0
        smooth = SMOOTH * scale
        fall = 1.0
        if attempt > 0:
            viscous, fall = VISCOUS[attempt - 1]
            for i in range(n):
                z[i] = 0.0
        multiply(val, ptr, q, z, w)
        stalled = 0
        for k in range(viscous + NEWTON_STEPS):
            if residual < near and refine(val, ptr, q, kind, cones, d, z, w, room, rank):
                near = FALL * residual
            else:
                yields = smooth if k < viscous else -1.0
                rank = newton_step(val, ptr, q, kind, cones, d, z, w, room, yields, scale)
                smooth *= fall
                iterations += 1
                near = NEAR
            multiply(val, ptr, q, z, w)
            if k < viscous - 1:
                continue
            residual = natural_residual(kind, cones, d, z, w) / scale
            if residual < least_residual:
                stalled = 0 if residual < 0.5 * least_residual else stalled + 1
                least_residual = residual
                for i in range(n):
                    best[i] = z[i]
            else:
                stalled += 1
            turns = stalled >= PATIENCE and attempt < len(VISCOUS)
            if residual <= TARGET or not residual < inf or turns or (stalled >= 2 and least_residual <= ACCEPT):
                break
        if least_residual <= ACCEPT:
            break
    for i in range(n):
        z[i] = best[i]
    if into_the_cones(kind, cones, z) or not residual <= least_residual:
        multiply(val, ptr, q, z, w)
        least_residual = natural_residual(kind, cones, d, z, w) / scale
    return SOLVED if least_residual <= ACCEPT else ITERATION_LIMIT, iterations, least_residual
