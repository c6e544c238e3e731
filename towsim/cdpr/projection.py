"""The point of a polytope of tensions that is closest to a reference, or its analytic centre; or a proof
that it is empty.

    T = {t : W t = b,  l ≤ t ≤ h}

*Projection*: min ½|t − c|² over T has the dual  min φ(y) = Σ θ_i(w_i·y) − b·y  with  θ_i'(s) = clip(c_i + s, l_i, h_i),
w_i the columns of W; then t = clip(c + Wᵀ y). φ is convex and piecewise quadratic, so Newton's method with exact
searches along its directions ends in few steps. The solution is Lipschitz in W, b and c as long as T has a point with
full rank of W on what is strictly inside: along a path, tensions have no jumps.

*Proof*: y with  b·y > Σ max(l_i w_i·y, h_i w_i·y)  (Farkas): no tensions between the limits have as much of the wrench
along y as b has. Where T is empty φ falls without bound, and a direction along which it does is such a y.

*Analytic centre*: min −Σ log(t − l) + log(h − t) over T, by Newton's method from the middle of the limits (infeasible
start, Boyd & Vandenberghe, *Convex Optimization*, 10.3). It is unique and smooth in W and b where T has an inside.
A cable whose limits agree has one tension and no logarithm: the centre is that of what the others can do.

Source of the dual Newton method: Li & Swetits (1997) on strictly convex separable quadratic programs.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

import numpy as np

from solvers.kernels.compiled import kernel, part

FEASIBLE, EMPTY, OPEN = 0, 1, 2
"""Verdicts: tensions were found, a Farkas vector was found, or neither (within the iterations)."""

TOLERANCE = 1e-10
"""Wrench that is left, relative to the sizes that cancel in it, at which tensions balance it."""

MOST = 80
"""Newton steps; some five are usual."""

ROUNDED = 1e-8
"""Newton decrement, squared, below which only rounding keeps it from falling, as it does between limits that are close:
Newton's method squares it in each step there."""


@part()
def solve_symmetric(H, x, m):
    """x := H⁻¹ x by Cholesky's method, in place, for a positive definite H (m, m)."""
    for j in range(m):
        for i in range(j):
            H[j, j] -= H[j, i] * H[j, i]
        H[j, j] = math.sqrt(max(H[j, j], 1e-300))
        for k in range(j + 1, m):
            for i in range(j):
                H[k, j] -= H[k, i] * H[j, i]
            H[k, j] /= H[j, j]
    for j in range(m):
        for i in range(j):
            x[j] -= H[j, i] * x[i]
        x[j] /= H[j, j]
    for j in range(m - 1, -1, -1):
        for i in range(j + 1, m):
            x[j] -= H[i, j] * x[i]
        x[j] /= H[j, j]


@part()
def surplus(W, b, low, high, y):
    """b·y − max {(W t)·y : l ≤ t ≤ h}, relative to the sizes of its terms: > 0 proves that there are no tensions."""
    m, n = W.shape
    most, size = 0.0, 0.0
    for i in range(n):
        s = 0.0
        for j in range(m):
            s += W[j, i] * y[j]
        bound = high[i] if s > 0.0 else low[i]
        if s != 0.0:
            most += s * bound
            size += abs(s * bound)
    b_y = 0.0
    for j in range(m):
        b_y += b[j] * y[j]
        size += abs(b[j] * y[j])
    return (b_y - most) / size if size > 0.0 else 0.0


@part()
def along(W, s, low, high, c, d, slope, rest):
    """Step length that minimises φ from s = Wᵀ y along d, whose slope there is ``rest`` < 0; inf if there is none.

    slope : (n,) w_i·d, written
    """
    m, n = W.shape
    for i in range(n):
        slope[i] = 0.0
        for j in range(m):
            slope[i] += W[j, i] * d[j]
    at = 0.0
    while True:
        following, curve = math.inf, 0.0
        for i in range(n):
            if slope[i] == 0.0:
                continue
            enter = (low[i] - c[i] - s[i]) / slope[i]
            leave = (high[i] - c[i] - s[i]) / slope[i]
            if enter > leave:
                enter, leave = leave, enter
            if enter <= at < leave:
                curve += slope[i] * slope[i]
            for end in (enter, leave):
                if at < end < following:
                    following = end
        if curve > 0.0 and at - rest / curve <= following:
            return at - rest / curve
        if following == math.inf:
            return math.inf
        rest += curve * (following - at)
        at = following


@part()
def project(W, b, low, high, c, t, y, H, d, s, slope):
    """Write the tensions closest to c, or a Farkas vector y; returns the verdict."""
    m, n = W.shape
    trace, size = 0.0, 0.0
    for j in range(m):
        y[j] = 0.0
        size = max(size, abs(b[j]))
        for i in range(n):
            trace += W[j, i] * W[j, i]
    for _ in range(MOST):
        terms = size
        for j in range(m):
            d[j] = b[j]
            for k in range(m):
                H[j, k] = 1e-12 * trace if j == k else 0.0
        for i in range(n):
            s[i] = 0.0
            for j in range(m):
                s[i] += W[j, i] * y[j]
            t[i] = min(max(c[i] + s[i], low[i]), high[i])
            terms = max(terms, abs(t[i]))
            inside = low[i] < c[i] + s[i] < high[i]
            for j in range(m):
                d[j] -= W[j, i] * t[i]
                if inside:
                    for k in range(j + 1):
                        H[j, k] += W[j, i] * W[k, i]
        left = 0.0
        for j in range(m):
            left = max(left, abs(d[j]))
        if left <= TOLERANCE * terms:
            return FEASIBLE
        if surplus(W, b, low, high, y) > TOLERANCE:
            return EMPTY
        for j in range(m):
            slope[j] = d[j]
        solve_symmetric(H, d, m)
        rest = 0.0
        for j in range(m):
            rest -= slope[j] * d[j]
        step = along(W, s, low, high, c, d, slope, rest)
        if surplus(W, b, low, high, d) > TOLERANCE:
            for j in range(m):
                y[j] = d[j]
            return EMPTY
        if step == math.inf:
            return OPEN
        for j in range(m):
            y[j] += step * d[j]
    return OPEN


@part()
def push_inside(W, b, low, high, t, H, x, s, g):
    """Move t to the analytic centre; returns whether there is an inside, and Newton's method got there."""
    m, n = W.shape
    for i in range(n):
        t[i] = 0.5 * (low[i] + high[i])
    full, decrement = False, math.inf
    for _ in range(MOST):
        for j in range(m):
            x[j] = -b[j]
            for k in range(j + 1):
                H[j, k] = 0.0
        for i in range(n):
            g[i], s[i] = 0.0, 0.0
            if high[i] - low[i] > TOLERANCE * high[i]:
                below, above = t[i] - low[i], high[i] - t[i]
                g[i] = 1.0 / above - 1.0 / below
                s[i] = 1.0 / (1.0 / (below * below) + 1.0 / (above * above))
            for j in range(m):
                x[j] += W[j, i] * (t[i] - s[i] * g[i])
                for k in range(j + 1):
                    H[j, k] += W[j, i] * s[i] * W[k, i]
        trace = 0.0
        for j in range(m):
            trace += H[j, j]
        for j in range(m):
            H[j, j] += 1e-13 * trace
        solve_symmetric(H, x, m)
        longest, before, decrement = math.inf, decrement, 0.0
        for i in range(n):
            step = -g[i]
            for j in range(m):
                step -= W[j, i] * x[j]
            decrement += step * step * s[i]
            step *= s[i]
            if step > 0.0:
                longest = min(longest, (high[i] - t[i]) / step)
            elif step < 0.0:
                longest = min(longest, (low[i] - t[i]) / step)
            g[i] = step
        length = 1.0 if full and decrement < 0.25 else 1.0 / (1.0 + math.sqrt(decrement))
        length = min(1.0 if 0.99 * longest >= 1.0 and not full else length, 0.99 * longest)
        full = full or length == 1.0
        for i in range(n):
            t[i] += length * g[i]
        if full and (decrement < 1e-20 or before <= decrement < ROUNDED):
            return True
    return False


@kernel()
def distribute(W, b, low, high, c, centre, follow, t, y, verdict, scratch):
    """Tensions, or Farkas vectors, of many poses.

    Parameters
    ----------
    W, b : (N, m, n), (N, m);  low, high : (n,);  c : (n,) reference of the projection
    centre : whether to give analytic centres where there is an inside
    follow : whether the reference of each pose is what was found for the one before
    t, y, verdict : (N, n), (N, m), (N,), written
    scratch : from ``scratch_of``
    """
    room, square = scratch
    n = c.size
    for k in range(W.shape[0]):
        one = t[k]
        reference = room[3, :n]
        if k == 0 or not follow:
            for i in range(n):
                reference[i] = c[i]
        verdict[k] = project(W[k], b[k], low, high, reference, one, y[k], square, room[0], room[1], room[2])
        if verdict[k] != FEASIBLE:
            continue
        if centre:
            for i in range(n):
                reference[i] = one[i]
            if not push_inside(W[k], b[k], low, high, one, square, room[0], room[1], room[2]):
                for i in range(n):
                    one[i] = reference[i]
        if follow:
            for i in range(n):
                reference[i] = one[i]


@kernel()
def admit(W, b, low, high, c, t, y, verdict, which, scratch):
    """Whether tensions balance every wrench of a set, pose by pose.

    Parameters
    ----------
    W : (N, m, n);  b : (N, w, m) the wrenches that the cables have to give;  low, high, c : (n,)
    t : (N, n) tensions for the first wrench;  y, which : (N, m), (N,) Farkas vector and number of the first wrench that
        cannot be given;  verdict : (N,);  all written
    scratch : from ``scratch_of``
    """
    room, square = scratch
    n = c.size
    for k in range(W.shape[0]):
        verdict[k], which[k] = FEASIBLE, -1
        for v in range(b.shape[1]):
            tensions = t[k] if v == 0 else room[3, :n]
            found = project(W[k], b[k, v], low, high, c, tensions, y[k], square, room[0], room[1], room[2])
            if found != FEASIBLE:
                verdict[k], which[k] = found, v
                break
        if verdict[k] == FEASIBLE:
            for j in range(b.shape[2]):
                y[k, j] = 0.0


def scratch_of(m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Scratch of the kernels for n cables and m components of a wrench."""
    return np.zeros((4, max(m, n))), np.zeros((m, m))
