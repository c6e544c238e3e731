"""Coulomb's law on the circular cone: projection, natural map, and the contact of three rows as kernels know it.

A contact has a normal row and two tangent rows. With K = {‖p_t‖ ≤ μ p_n} and De Saxcé's rate w̃ = w + μ ‖w_t‖ e_n,

    K ∋ p ⟂ w̃ ∈ K*       that is   0 ≤ p_n ⟂ w_n ≥ 0,  ‖p_t‖ ≤ μ p_n,  p_t = −μ p_n w_t/‖w_t‖ where it slips

so p solves the contact exactly when p = Π_K(p − w̃): the *natural map* that judges every answer. Maximum dissipation
over the cone itself, which the polyhedral law of Stewart & Trinkle approaches as its directions grow.

Source: De Saxcé & Feng, Math. Comput. Modelling 28 (1998); Acary & Brogliato, Numerical Methods for Nonsmooth Dynamical
Systems (2008), chapter 13.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from solvers.active_set.basis import FREE, UNILATERAL, push
from solvers.friction.bands import Bands, band_defect, into_the_bands
from solvers.kernels.compiled import kernel, part

CONE = 3
"""Kind of the three rows of a contact, and of a band's row, beside UNILATERAL, FREE and OFF."""

OPEN, STICK, SLIP = 0, 1, 2
"""States of a contact in a Newton step."""

LAST_BITS = 4.0 * 2.0**-52
"""Share of a number that rounding changes: four units of its last place."""


class Cones(NamedTuple):
    """What rubs in a problem: the contacts with friction, and the wires on what they bend around."""

    row: np.ndarray  # (k, 3) normal, first and second tangent
    mu: np.ndarray  # (k,) coefficient of friction
    bands: Bands


@part()
def project(mu, n, a, b):
    """Nearest point of the cone ‖(a, b)‖ ≤ μ n."""
    t = sqrt(a * a + b * b)
    if t <= mu * n:
        return n, a, b
    if mu * t <= -n:
        return 0.0, 0.0, 0.0
    x = (n + mu * t) / (1.0 + mu * mu)
    y = mu * x / t
    return x, y * a, y * b


@part()
def cone_defect(mu, d, p, w):
    """Size of d p − Π_K(d p − w̃/d) of one contact; p and w are triples (normal, tangents)."""
    slip = mu * sqrt(w[1] * w[1] + w[2] * w[2])
    n, a, b = project(mu, d * p[0] - (w[0] + slip) / d, d * p[1] - w[1] / d, d * p[2] - w[2] / d)
    x, y, z = d * p[0] - n, d * p[1] - a, d * p[2] - b
    return sqrt(x * x + y * y + z * z)


@part()
def contact(mu, d, p, w):
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


@part(forceinline=False)
def natural_residual(kind, cones, d, z, w):
    """Largest defect of all rows: |min(d z, w/d)|, |w/d| on free rows, the cone's on contacts; inf if not finite."""
    worst = 0.0
    for i in range(z.size):
        r = 0.0
        if kind[i] == UNILATERAL:
            a = d[i] * z[i]
            b = w[i] / d[i]
            r = abs(a) if a < b else abs(b)
        elif kind[i] == FREE:
            r = abs(w[i]) / d[i]
        worst = max(worst, r)
        if not abs(w[i]) < inf:
            return inf
    for c in range(cones.mu.size):
        i, j, k = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if kind[i] == CONE:
            worst = max(worst, cone_defect(cones.mu[c], d[i], (z[i], z[j], z[k]), (w[i], w[j], w[k])))
    for c in range(cones.bands.low.size):
        worst = max(worst, band_defect(cones.bands, c, d, z, w))
    return worst


@part(forceinline=False)
def cone_scales(val, ptr, q, kind, cones, d):
    """Fill d with sqrt(A_ii), 1 where it is 0, the largest of its three on a contact; returns max|q/d|, NaN if bad.

    That is the largest one of rows that push (see ``basis.push``), or, where none does, of all: a contact that opens
    does not.
    """
    for i in range(q.size):
        a = val[ptr[i + 1] - 1]
        if not (abs(a) < inf and abs(q[i]) < inf):
            return np.nan
        d[i] = sqrt(a) if a > 0.0 else 1.0
    for c in range(cones.mu.size):
        i, j, k = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        d[i] = d[j] = d[k] = max(d[i], d[j], d[k])
    scale = 0.0
    for i in range(q.size):
        if kind[i] != CONE:
            scale = max(scale, push(kind[i], q[i]) / d[i])
    for c in range(cones.mu.size):
        i, j, k = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        if q[i] < 0.0 or kind[i] != CONE:
            scale = max(scale, max(abs(q[i]), abs(q[j]), abs(q[k])) / d[i])
    for c in range(cones.bands.low.size):
        i = cones.bands.row[c, 0]
        scale = max(scale, abs(q[i]) / d[i])
    if scale > 0.0:
        return scale
    for i in range(q.size):
        scale = max(scale, abs(q[i]) / d[i])
    return scale


@part(forceinline=False)
def into_the_cones(kind, cones, z):
    """Clip impulses that are on the wrong side of their bounds; returns whether any was by more than a last bit."""
    changed = False
    for i in range(z.size):
        if kind[i] == UNILATERAL and z[i] < 0.0:
            z[i] = 0.0
            changed = True
    for c in range(cones.mu.size):
        i, j, k = cones.row[c, 0], cones.row[c, 1], cones.row[c, 2]
        most = cones.mu[c] * max(z[i], 0.0)
        size = sqrt(z[j] * z[j] + z[k] * z[k])
        if z[i] < 0.0 or size > most:
            z[i] = max(z[i], 0.0)
            cut = most / size if size > 0.0 else 0.0
            z[j] *= cut
            z[k] *= cut
            changed |= cut < 1.0 - LAST_BITS
    return into_the_bands(cones.bands, z) or changed


@kernel()
def judge_cone(
    diagonal: np.ndarray,
    ends: np.ndarray,
    q: np.ndarray,
    kind: np.ndarray,
    cones: Cones,
    z: np.ndarray,
    w: np.ndarray,
    d: np.ndarray,
) -> float:
    """Residual of z with w = A z + q by the natural map over max|q/d|; writes the scales d.

    diagonal, ends : of A, and 0, 1, .. n (the envelope of a diagonal matrix)
    """
    scale = cone_scales(diagonal, ends, q, kind, cones, d)
    worst = natural_residual(kind, cones, d, z, w)
    return worst / scale if scale > 0.0 else worst  # type: ignore[no-any-return]
