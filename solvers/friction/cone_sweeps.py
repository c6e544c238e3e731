"""Block Gauss–Seidel for contacts on the exact Coulomb cone: contact by contact, each solved exactly.

One contact by itself, w = B p + b with B (3×3) positive definite, is open (b_n ≥ 0, p = 0), or sticks
(p = −B⁻¹ b inside the cone), or slips along d = (cos θ, sin θ) with

    p_n = −b_n/(B_nn + μ B_nt·d),   p_t = μ p_n d,   w_t ∥ −d

which makes one equation in θ, a trigonometric polynomial of degree two. It is scanned for a change of sign, so that no
root is missed for a bad start, and bisected.

Slow (its speed is that of Gauss–Seidel), but it never leaves the cones and it needs no factorisation.
Source: Jourdan, Alart & Jean, Comput. Methods Appl. Mech. Eng. 155 (1998); the quartic: Bonnefon & Daviet (2011).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import atan2, cos, inf, pi, sin

import numpy as np

from solvers.active_set.basis import FREE, UNILATERAL
from solvers.active_set.envelope import entry, multiply
from solvers.friction.bands import clipped, tension
from solvers.friction.cone import CONE, Cones, cone_scales, natural_residual
from solvers.kernels.compiled import kernel, part
from solvers.status import ACCEPT, INVALID, ITERATION_LIMIT, SOLVED

SCAN = 24
BISECTIONS = 52


@part(forceinline=False)
def add_to_rates(val, ptr, w, i, change):
    """w += A e_i × change."""
    end = ptr[i + 1] - 1
    first = i - (end - ptr[i])
    for k in range(first, i + 1):
        w[k] += val[end - (i - k)] * change
    for k in range(i + 1, w.size):
        at = ptr[k + 1] - 1 - (k - i)
        if at >= ptr[k]:
            w[k] += val[at] * change


@part()
def stuck(B, b):
    """p = −B⁻¹ b for B = (nn, n1, n2, 11, 12, 22), by LDLᵀ; p_n = −inf where B is singular."""
    nn, n1, n2, aa, ab, bb = B
    l1, l2 = n1 / nn, n2 / nn
    d1 = aa - l1 * n1
    m = ab - l1 * n2
    if not d1 > 1e-13 * aa:
        return -inf, 0.0, 0.0
    l3 = m / d1
    d2 = bb - l2 * n2 - l3 * m
    if not d2 > 1e-13 * bb:
        return -inf, 0.0, 0.0
    y0 = -b[0]
    y1 = -b[1] - l1 * y0
    y2 = -b[2] - l2 * y0 - l3 * y1
    z = y2 / d2
    y = y1 / d1 - l3 * z
    return y0 / nn - l1 * y - l2 * z, y, z


@part(forceinline=False)
def slip_at(B, b, mu, angle):
    """Direction, normal impulse, and w_t × (cross d, along d), for a slip impulse along d at this angle."""
    nn, n1, n2, aa, ab, bb = B
    c, s = cos(angle), sin(angle)
    below = nn + mu * (n1 * c + n2 * s)
    p = -b[0] / below if below > 0.0 else inf
    # Times ``below``, so that there is no pole.
    w1 = b[1] * below - b[0] * (n1 + mu * (aa * c + ab * s))
    w2 = b[2] * below - b[0] * (n2 + mu * (ab * c + bb * s))
    return c, s, p, c * w2 - s * w1, c * w1 + s * w2


@part(forceinline=False)
def contact_alone(B, b, mu, start):
    """The impulse of one contact, everything else given; ``start``: angle at which to look first for a slip."""
    if b[0] >= 0.0:
        return 0.0, 0.0, 0.0
    x, y, z = stuck(B, b)
    if x > 0.0 and y * y + z * z <= mu * mu * x * x:
        return x, y, z
    step = 2.0 * pi / SCAN
    for k in range(SCAN):  # nearest first: 0, 1, −1, 2, −2, ...
        left = start + step * (((k + 1) // 2) * (1 if k % 2 == 1 else -1) - 0.5)
        right = left + step
        g_left = slip_at(B, b, mu, left)[3]
        g_right = slip_at(B, b, mu, right)[3]
        if (g_left <= 0.0) == (g_right <= 0.0):
            continue
        for _ in range(BISECTIONS):
            middle = 0.5 * (left + right)
            if (slip_at(B, b, mu, middle)[3] <= 0.0) == (g_left <= 0.0):
                left = middle
            else:
                right = middle
        c, s, p, _, along = slip_at(B, b, mu, 0.5 * (left + right))
        if p < inf and along <= 0.0:
            return p, mu * p * c, mu * p * s
    # No slip in sight (a normal that friction jams, or a root of rounding size): without friction.
    return -b[0] / B[0], 0.0, 0.0


@part(forceinline=False)
def sweep(val, ptr, kind, cones, z, w):
    """One pass over all rows and contacts; z and w = A z + q are updated."""
    for i in range(z.size):
        a = val[ptr[i + 1] - 1]
        if (kind[i] == UNILATERAL or kind[i] == FREE) and a > 0.0:
            new = z[i] - w[i] / a
            if kind[i] == UNILATERAL and new < 0.0:
                new = 0.0
            if new != z[i]:
                add_to_rates(val, ptr, w, i, new - z[i])
                z[i] = new
    for c in range(cones.mu.size):
        i, s, t = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if kind[i] != CONE or not val[ptr[i + 1] - 1] > 0.0:
            continue
        B = (
            entry(val, ptr, i, i),
            entry(val, ptr, i, s),
            entry(val, ptr, i, t),
            entry(val, ptr, s, s),
            entry(val, ptr, s, t),
            entry(val, ptr, t, t),
        )
        b = (
            w[i] - B[0] * z[i] - B[1] * z[s] - B[2] * z[t],
            w[s] - B[1] * z[i] - B[3] * z[s] - B[4] * z[t],
            w[t] - B[2] * z[i] - B[4] * z[s] - B[5] * z[t],
        )
        start = atan2(z[t], z[s]) if z[s] != 0.0 or z[t] != 0.0 else atan2(-b[2], -b[1])
        p = contact_alone(B, b, cones.mu[c], start)
        for k in range(3):
            row = cones.row[c, k]
            if p[k] != z[row]:
                add_to_rates(val, ptr, w, row, p[k] - z[row])
                z[row] = p[k]
    for c in range(cones.bands.low.size):
        t = cones.bands.row[c, 0]
        a = val[ptr[t + 1] - 1]
        new = clipped(cones.bands, c, tension(cones.bands, c, z), z[t] - w[t] / (a if a > 0.0 else 1.0))
        if new != z[t]:
            add_to_rates(val, ptr, w, t, new - z[t])
            z[t] = new


@kernel()
def cone_sweeps(
    val: np.ndarray,
    ptr: np.ndarray,
    q: np.ndarray,
    kind: np.ndarray,
    cones: Cones,
    z: np.ndarray,
    w: np.ndarray,
    d: np.ndarray,
    limit: int,
    target: float,
) -> tuple[int, int, float]:
    """Sweep until the residual is below ``target``, at most ``limit`` times; arguments else as for ``cone_newton``."""
    scale = cone_scales(val, ptr, q, kind, cones, d)
    if not scale < inf:
        return INVALID, 0, np.nan
    if scale == 0.0:
        for i in range(q.size):
            z[i] = w[i] = 0.0
        return SOLVED, 0, 0.0
    multiply(val, ptr, q, z, w)
    residual = inf
    done = 0
    while done < limit and residual > target:
        sweep(val, ptr, kind, cones, z, w)
        done += 1
        if done % 8 == 0 or done == limit:
            multiply(val, ptr, q, z, w)  # w without what the updates rounded
            residual = natural_residual(kind, cones, d, z, w) / scale
    return SOLVED if residual <= ACCEPT else ITERATION_LIMIT, done, residual
