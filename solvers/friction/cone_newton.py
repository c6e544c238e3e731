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

Contacts that depend on each other cannot always all stick. Two corners of an edge keep their distance as the body does:
A has a null vector y on their rows, a force within the edge. Where the edge is not level their rows ask for a bit more,
ε = yᵀq ≠ 0, and no z has w = 0. The law has a solution: the force within the edge grows until a corner is at the limit
of friction, and slips at a speed of the size of ε. The steps above go there by ε/r each, which may be never. So where
Newton's method ends close to a solution, or all else has failed, *proximal points* follow: z moves to the z⁺ of

    w = (A + ρ D) z⁺ + q − ρ D z        D = diag(A)

by Newton's method, which finds it, as there no rows depend on each other; ρ falls as long as it does. At the least ρ, a
tenth of ACCEPT, what is left of w in A itself, ρ D (z⁺ − z), passes unless z moves by several times max|q/d|.

Sources: Alart & Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991); Rockafellar, Monotone operators and the proximal
point algorithm, SIAM J. Control Optim. 14 (1976) 877-898.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from solvers.active_set.basis import FREE, UNILATERAL
from solvers.active_set.envelope import multiply
from solvers.active_set.skyline import add_column, factor_lu, order_in, rotate, spread, substitute_lu
from solvers.friction.bands import tension
from solvers.friction.cone import (
    CONE,
    OPEN,
    SLIP,
    STICK,
    Cones,
    cone_scales,
    contact,
    into_the_cones,
    natural_residual,
    of_the_rows,
)
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
# Residual from which Newton's method, when it ends, is near enough for proximal points at once.
CLOSE = 1e-4
# The ρ of the first problem, in shares of the residual and at most; the least one; the one at which it is given up.
AHEAD, FIRST, LEAST, MOST = 100.0, 1e-3, 1e-10, 1e3
# Factors of ρ behind a problem that was solved, to INNER, and one that was not; factorisations in all.
LESS, MORE, INNER, ENOUGH = 0.3, 10.0, 1e-10, 500


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
    best: Any  # (n,) z of the least residual
    centre: Any  # (n,) z that a proximal point is near to


def workspace(n: int, nnz: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays ``work, iwork`` for problems of up to n rows and nnz envelope entries."""
    return np.zeros(2 * nnz + 7 * n), np.zeros(6 * n, np.int64)


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
            add_column(ptr, last, L, U, wire, ratio[t], t)
            for b in range(c - 1, -1, -1):
                if bands.row[b, 1] != wire:
                    break
                if state[bands.row[b, 0]] != OPEN:
                    add_column(ptr, last, L, U, bands.row[b, 0], ratio[t], t)


@part()
def _touch(ptr, q, kind, cones, d, z, w, room, smooth):
    """States of the contacts: open, sticking, or sliding along (D_s, D_t), into whose axes L and z are turned."""
    last, state, L, D, x, compliance = room.last, room.state, room.L, room.D, room.x, room.compliance
    for k in range(cones.mu.size):
        i, s, t = cones.row[k, 0], cones.row[k, 1], cones.row[k, 2]
        if kind[i] != CONE:
            continue
        now, most, y1, y2, c = contact(cones.mu[k], d[i], (z[i], z[s], z[t]), (w[i], w[s], w[t]))
        if smooth >= 0.0:
            now = min(now, STICK)
        state[i] = state[s] = state[t] = now
        if now == SLIP:
            D[s] = y1
            D[t] = y2
            rotate(ptr, last, L, s, t, y1, y2)
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
            add_column(ptr, last, L, U, i, cones.mu[c], s)
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
    _by_rows(cones, state, z, w)
    return rank


@part()
def _by_rows(cones, state, z, w):
    """z by rows again, of what slips: ``linearise`` has left directions and ratios in w, and z in axes of its own."""
    for c in range(cones.mu.size):
        i, s, t = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if state[i] == SLIP:
            z[s], z[t] = of_the_rows(w[i], w[s], cones.mu[c] * z[i], z[t])
    for c in range(cones.bands.low.size):
        t = cones.bands.row[c, 0]
        if w[t] != 0.0:
            z[t] = w[t] * tension(cones.bands, c, z)


@part(forceinline=False)
def _step_near(val, ptr, q, kind, cones, d, z, w, room, rho):
    """As ``newton_step`` for A + ρ D and q − ρ D centre, whose rates w are."""
    state, order, x, centre = room.state, room.order, room.x, room.centre
    rank = linearise(val, ptr, q, kind, cones, d, z, w, room, -1.0, rho)
    for i in range(q.size):
        z[i] = centre[i] if state[i] != OPEN else 0.0
    for c in range(cones.mu.size):
        i, s, t = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if state[i] == SLIP:
            z[t] = w[i] * centre[t] - w[s] * centre[s]
    for k in range(rank):
        i = order.rows[k]
        x[k] = room.compliance[i] + rho * d[i] * d[i] * z[i]
    substitute_lu(order, rank, room.L, room.U, room.D, x)
    for k in range(rank):
        z[order.rows[k]] = x[k]
    _by_rows(cones, state, z, w)


@part(forceinline=False)
def _point_near(val, ptr, q, kind, cones, d, z, w, room, rho, scale):
    """z of A + ρ D and q − ρ D centre, by Newton's method from the centre: (whether it is solved, factorisations)."""
    centre, least, stalled = room.centre, inf, 0
    for i in range(q.size):
        z[i] = centre[i]
    multiply(val, ptr, q, z, w)
    for k in range(NEWTON_STEPS):
        _step_near(val, ptr, q, kind, cones, d, z, w, room, rho)
        multiply(val, ptr, q, z, w)
        for i in range(q.size):
            w[i] += rho * d[i] * d[i] * (z[i] - centre[i])
        residual = natural_residual(kind, cones, d, z, w) / scale
        if residual <= TARGET or stalled >= PATIENCE or not residual < inf:
            return residual <= INNER, k + 1
        stalled = 0 if residual < 0.5 * least else stalled + 1
        least = min(least, residual)
    return False, NEWTON_STEPS


@part(forceinline=False)
def _by_points(val, ptr, q, kind, cones, d, z, w, room, least, scale):
    """Proximal points from ``room.best``, the best of which is left there and in z: (factorisations, its residual)."""
    best, centre = room.best, room.centre
    rho, done = min(FIRST, AHEAD * least), 0
    for i in range(q.size):
        centre[i] = best[i]
    while least > TARGET and rho <= MOST and done < ENOUGH:
        good, more = _point_near(val, ptr, q, kind, cones, d, z, w, room, rho, scale)
        done += more
        if not good:
            rho *= MORE
            continue
        multiply(val, ptr, q, z, w)
        residual = natural_residual(kind, cones, d, z, w) / scale
        for i in range(q.size):
            centre[i] = z[i]
            if residual < least:
                best[i] = z[i]
        if residual >= least and rho == LEAST:
            break
        least = min(least, residual)
        rho = max(LESS * rho, LEAST)
    for i in range(q.size):
        z[i] = best[i]
    into_the_cones(kind, cones, z)
    multiply(val, ptr, q, z, w)
    return done, natural_residual(kind, cones, d, z, w) / scale


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
            now, _, turned[s], turned[t], turned[i] = contact(cones.mu[k], d[i], (z[i], z[s], z[t]), (w[i], w[s], w[t]))
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
    """A Newton step's room in the scratch of ``workspace``, and the scales d (n,)."""
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
        rest[5 * n : 6 * n],
        rest[6 * n : 7 * n],
    )
    return room, rest[:n]


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
    room, d = room_of(work, iwork, n, ptr[n])
    last, best = room.last, room.best
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
            for i in range(n):
                z[i] = best[i]
            if into_the_cones(kind, cones, z) or not residual <= least_residual:
                multiply(val, ptr, q, z, w)
                least_residual = natural_residual(kind, cones, d, z, w) / scale
        if least_residual > ACCEPT and (attempt == len(VISCOUS) or (attempt == 0 and least_residual < CLOSE)):
            more, least_residual = _by_points(val, ptr, q, kind, cones, d, z, w, room, least_residual, scale)
            iterations += more
        if least_residual <= ACCEPT:
            return SOLVED, iterations, least_residual
    return ITERATION_LIMIT, iterations, least_residual
