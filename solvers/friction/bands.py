"""Bands: rows whose impulse stays between bounds in proportion to others. A wire that rubs on what it bends around.

A wire bends around points i = 1 .. k and has the tension T_i before and T_i+1 behind each. With friction the capstan
equation bounds their ratio, and friction opposes the wire's slip:

    e^{−c} T_i ≤ T_i+1 ≤ e^{c} T_i,   c = μ θ      (Euler & Eytelwein; θ: the angle by which it bends)

In rows: the wire's own row bears T_1, from end to end; row t_i bears z_t = T_i+1 − T_i and pulls on all behind point i.
With B_i = T_1 + Σ_{j<i} z_tj, which is T_i, the law is

    −low B ≤ z_t ≤ high B,   low = 1 − e^{−c},   high = e^{c} − 1
    w_t ≥ 0 at the lower bound, w_t ≤ 0 at the upper, w_t = 0 between

so z solves a band exactly when z_t = Π(z_t − w_t), the projection on [−low B, high B] with B ≥ 0 given: the bounds are
not varied, as Coulomb's are not.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import part


class Bands(NamedTuple):
    """The bands of a problem; those of one wire follow each other, in its order."""

    row: np.ndarray  # (m, 2) of z_t, and of the wire
    low: np.ndarray  # (m,) 1 − e^{−c}
    high: np.ndarray  # (m,) e^{c} − 1


def no_bands() -> Bands:
    """Bands of a problem that has none."""
    return Bands(np.empty((0, 2), np.int64), np.empty(0), np.empty(0))


@part()
def before(bands, c, z):
    """The sum B of the wire's own row and of the bands before band c."""
    wire = bands.row[c, 1]
    total = z[wire]
    for b in range(c - 1, -1, -1):
        if bands.row[b, 1] != wire:
            break
        total += z[bands.row[b, 0]]
    return total


@part()
def tension(bands, c, z):
    """T before the point of band c: the wire's impulse with what the bands before add, at least 0."""
    return max(before(bands, c, z), 0.0)


@part()
def clipped(bands, c, T, x):
    """Nearest number to x between the bounds of band c."""
    return min(max(x, -bands.low[c] * T), bands.high[c] * T)


@part()
def band_defect(bands, c, d, z, w):
    """Size of d z_t − Π(d z_t − w_t/d) of band c."""
    t = bands.row[c, 0]
    x = d[t] * z[t]
    return abs(x - clipped(bands, c, d[t] * tension(bands, c, z), x - w[t] / d[t]))


@part()
def into_the_bands(bands, z):
    """Clip impulses to their bounds; returns whether any was beyond."""
    changed = False
    for c in range(bands.low.shape[0]):
        t = bands.row[c, 0]
        x = clipped(bands, c, tension(bands, c, z), z[t])
        changed = changed or x != z[t]
        z[t] = x
    return changed
