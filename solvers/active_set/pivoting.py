"""How the active set is searched: block pivoting, and descent by single exchanges.

See :mod:`solvers.active_set.loop`.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt

from solvers.active_set.basis import (
    FREE,
    OFF,
    ROUNDED,
    ROUNDED_SIZE,
    STRICTLY_DEPENDENT,
    UNILATERAL,
    minimise_on,
    size_of_entry,
    wrong_impulse,
    wrong_rate,
)
from solvers.active_set.envelope import back_substitute, multiply
from solvers.kernels.compiled import part
from solvers.kernels.tell import tell
from solvers.status import ACCEPT, INFEASIBLE, ITERATION_LIMIT, NO_CONCLUSION

# What a ray may miss A y ≤ 0 by, in shares of its margin: rows within DEPENDENT of others count as dependent here. In a
# step of time wires that need terms 1e8 times what they balance are driven apart; ``certificates`` asks for more.
RAY_GAP = 1e-8

# Exchanges that may pass without a new minimum of wrong signs; each is of a single row.
PATIENCE = 4
# 0 * n stands for 0 in what goes to ``minimise_on``: numba would compile it anew for every literal.


@part()
def forgiven(scale, least, rounding):
    """What w² / A_ii may be where w < 0, of max q² / A_ii, the least A_ii and the rounding errors that q came with."""
    return max(ROUNDED * ROUNDED * scale, min(rounding * rounding / least, ACCEPT * ACCEPT * scale))


@part()
def _note(told, z, w, q, wrong, m):
    """Tell of one factorisation: stage, rows in the basis, wrong signs, ½ zᵀA z + qᵀz; whether the search is to end."""
    if told is None:
        return False
    row = told.state[0]
    if row < len(told.path):
        value = 0.0
        for i in range(q.size):
            value += 0.5 * z[i] * (w[i] + q[i])
        told.path[row, 0], told.path[row, 1] = told.state[2], m.before[q.size]
        told.path[row, 2], told.path[row, 3] = wrong, value
    return tell(told)


@part()
def _wrong_signs(told, val, ptr, q, kind, z, w, m):
    """How many signs are wrong; 0 where nobody is told."""
    wrong = 0
    if told is not None:
        for i in range(q.size):
            if kind[i] == UNILATERAL and m.before[i + 1] > m.before[i]:
                wrong += z[i] < 0.0 and wrong_impulse(val, ptr, q, z, i, m.least[i])
            elif kind[i] == UNILATERAL or (kind[i] == FREE and m.before[i + 1] == m.before[i]):
                wrong += (w[i] < 0.0 or kind[i] == FREE) and wrong_rate(val, ptr, q, z, w, i, m.least[i])
    return wrong


@part(inline="always")
def block(val, ptr, q, kind, z, w, active, tol, m, told):
    """Block pivoting from the given active set.

    All rows with a wrong sign are exchanged, or only the one that is farthest off, where they are no fewer than before.
    Source: Júdice & Pires, Computers & Operations Research 21 (1994), with that row in place of the last one.

    Returns (no wrong sign left, dependent rows met, factorisations).
    """
    n, before = q.size, m.before
    fewest = n + 1
    patience = PATIENCE
    iterations, start = 0, 0 * n
    singular = False
    while True:
        dependent = minimise_on(val, ptr, q, z, w, active, start, tol, m)
        iterations += 1
        singular |= dependent >= 0
        wrong = 0
        movable = 0
        chosen = 0
        for i in range(n):
            if kind[i] == OFF:
                continue
            chosen += active[i]
            accepted = before[i + 1] > before[i]
            if kind[i] == FREE:
                if not accepted and wrong_rate(val, ptr, q, z, w, i, m.least[i]):
                    wrong += 1
            elif accepted:
                if z[i] < 0.0 and wrong_impulse(val, ptr, q, z, i, m.least[i]):
                    wrong += 1
                    movable += 1
            elif w[i] < 0.0 and wrong_rate(val, ptr, q, z, w, i, m.least[i]):
                wrong += 1
                if not active[i]:
                    movable += 1
        ends = _note(told, z, w, q, wrong, m)
        if wrong == 0:
            return True, singular, iterations
        if ends:
            return False, singular, iterations
        fewer = wrong < fewest
        if fewer:
            fewest = wrong
            patience = PATIENCE
        else:
            # Exchanges of whole blocks rarely settle which of many dependent rows belong in the basis.
            patience -= PATIENCE if singular else 1
        if patience <= 0 or movable == 0 or chosen > 2 * before[n]:
            for i in range(n):
                active[i] = before[i + 1] > before[i]
            return False, singular, iterations
        start, farthest, row = n, 0.0, 0
        for i in range(n):
            if kind[i] == UNILATERAL and _acts(val, ptr, q, z, w, i, m) != active[i]:
                size = abs(z[i]) * m.d[i] if before[i + 1] > before[i] else abs(w[i]) / m.d[i]
                if start == n or size > farthest:
                    farthest, row = size, i
                start = min(start, i)
        if not fewer and start < n:
            active[row], start = not active[row], row
            continue
        for i in range(start, n):
            if kind[i] == UNILATERAL:
                active[i] = _acts(val, ptr, q, z, w, i, m)


@part(forceinline=False)
def _acts(val, ptr, q, z, w, i, m):
    """Whether row i acts as it seems from the signs of its z or w."""
    if m.before[i + 1] > m.before[i]:
        return z[i] >= 0.0 or not wrong_impulse(val, ptr, q, z, i, m.least[i])
    return w[i] < 0.0 and wrong_rate(val, ptr, q, z, w, i, m.least[i])


@part(inline="always")
def _worst_row(val, ptr, q, kind, z, w, active, m):
    """Inactive row with the most wrong w, or -1."""
    limit, d = 0.0, m.d
    row = 0 * q.size - 1
    for i in range(q.size):
        if active[i] or kind[i] == OFF:
            continue
        r = -w[i] / d[i] if kind[i] == UNILATERAL else abs(w[i]) / d[i]
        if r > limit and wrong_rate(val, ptr, q, z, w, i, m.least[i]):
            limit = r
            row = i
    return row


@part(inline="always")
def _null_direction(ptr, row, sign, dependent, m):
    """m.y with A y = 0 that a dependent row makes with the accepted rows before it, scaled to y[row] = sign."""
    L, x, y, rows, before = m.L, m.x, m.y, m.rows, m.before
    for i in range(y.size):
        y[i] = 0.0
    rank = before[dependent]
    first = dependent + 1 - (ptr[dependent + 1] - ptr[dependent])
    c0 = before[first]
    for k in range(c0):
        x[k] = 0.0
    for k in range(c0, rank):
        x[k] = -L[ptr[dependent] + k - c0]
    back_substitute(m, rank, x)
    for k in range(rank):
        y[rows[k]] = x[k]
    y[dependent] = 1.0
    factor_ = sign / y[row]
    for i in range(y.size):
        y[i] *= factor_


@part(inline="always")
def _certify(val, ptr, q, kind, y, gap, size, m):
    """Whether y proves that there is no solution (see ``certificates``); max|d y| = 1 and gap = A y then."""
    n, d, least = q.size, m.d, m.least
    largest = 0.0
    for i in range(n):
        if kind[i] == UNILATERAL and y[i] < 0.0:
            y[i] = 0.0
        largest = max(largest, abs(y[i]) * d[i])
    if not 0.0 < largest < inf:
        return False
    fall = 0.0
    terms = 0.0
    rounding = 0.0
    for i in range(n):
        y[i] /= largest
        fall -= q[i] * y[i]
        rounding += sqrt(least[i]) * d[i] * abs(y[i])
        terms += abs(q[i] * y[i])
        gap[i] = 0.0
        size[i] = ROUNDED_SIZE * d[i]
    multiply(val, ptr, gap, y, gap)
    for i in range(n):
        low, end = ptr[i], ptr[i + 1] - 1
        first = i - (end - low)
        size[i] += abs(val[end] * y[i])
        for j in range(first, i):
            a = size_of_entry(val[low + j - first], d[i], d[j])
            size[i] += a * abs(y[j])
            size[j] += a * abs(y[i])
    worst = 0.0
    for i in range(n):
        if kind[i] == UNILATERAL:
            worst = max(worst, gap[i] / size[i])
        elif kind[i] == FREE:
            worst = max(worst, abs(gap[i]) / size[i])
    margin = fall / terms if terms > 0.0 else 0.0
    return margin > ACCEPT and fall > rounding and worst <= RAY_GAP * margin


@part(inline="always")
def descend(val, ptr, q, kind, z, w, active, most, tol, m, told):
    """Single exchanges from a feasible z; returns (status, iterations), NO_CONCLUSION: nothing wrong, to be judged."""
    n, d, before, y, t = q.size, m.d, m.before, m.y, m.t
    iterations = 0
    # A feasible start: drop what is negative until nothing is.
    start = 0 * n
    while True:
        minimise_on(val, ptr, q, z, w, active, start, tol, m)
        iterations += 1
        if _note(told, z, w, q, _wrong_signs(told, val, ptr, q, kind, z, w, m), m):
            return ITERATION_LIMIT, iterations
        start = n
        for i in range(n):
            if before[i + 1] == before[i]:
                active[i] = False
            elif kind[i] == UNILATERAL and z[i] < 0.0:
                active[i] = False
                start = min(start, i)
        if start == n:
            break
    while iterations < most:
        row = _worst_row(val, ptr, q, kind, z, w, active, m)
        if row < 0:
            return NO_CONCLUSION, iterations
        sign = -1.0 if kind[row] == FREE and w[row] > 0.0 else 1.0
        active[row] = True
        start = row
        # t is the minimiser on the active rows; z walks towards it.
        while True:
            dependent = minimise_on(val, ptr, q, t, w, active, start, tol, m)
            iterations += 1
            if _note(told, t, w, q, _wrong_signs(told, val, ptr, q, kind, t, w, m), m):
                return ITERATION_LIMIT, iterations
            start = n
            if dependent >= 0 and active[row] and z[row] == 0.0:
                _null_direction(ptr, row, sign, dependent, m)
                step = inf
            else:
                for i in range(n):
                    y[i] = t[i] - z[i]
                step = 1.0
            leaving = -1
            small = 0.0
            for i in range(n):
                small = max(small, abs(y[i]) * d[i])
            small *= STRICTLY_DEPENDENT
            for i in range(n):
                if active[i] and kind[i] == UNILATERAL and y[i] * d[i] < -small and z[i] < -step * y[i]:
                    step = -z[i] / y[i]
                    leaving = i
            if leaving < 0:
                if step == inf:
                    if _certify(val, ptr, q, kind, y, t, m.x, m):
                        for i in range(n):
                            z[i] = y[i]
                            w[i] = t[i]
                        return INFEASIBLE, iterations
                    # Neither a way down nor a proof: rounding decides. The answer may still be accurate enough.
                    multiply(val, ptr, q, z, w)
                    return NO_CONCLUSION, iterations
                for i in range(n):
                    z[i] = t[i]
                    if before[i + 1] == before[i]:
                        active[i] = False
                break
            if iterations >= most:
                return ITERATION_LIMIT, iterations
            for i in range(n):
                if active[i]:
                    z[i] += step * y[i]
                    if kind[i] == UNILATERAL and (i == leaving or z[i] <= 0.0):
                        z[i] = 0.0
                        if i != row or leaving == row:
                            active[i] = False
                            start = min(start, i)
    return ITERATION_LIMIT, iterations
