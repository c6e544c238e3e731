"""Piecewise polynomials, sampled by a kernel straight into a drive: value and rate, for one robot or wire."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from towsim.compiled import kernel
from towsim.model.arrays import Floats
from towsim.scene.piecewise import Piecewise


@kernel()
def sample_polynomials(t, knots, origin, speed, value, slope, out, out_rate):
    """Values and rates at ascending times, by Horner's rule in the normalised time of each segment.

    Parameters
    ----------
    t : (n,) ascending [s];  knots : (K,) [s]
    origin, speed : (K+1,) start and reciprocal duration of each segment, the two at rest outside included
    value, slope : (order, K+1, dim) coefficients of value and rate, rising powers
    out, out_rate : (n, dim) out, any strides
    """
    dim = value.shape[2]
    i = 0
    for k in range(t.shape[0]):
        while i < knots.shape[0] and t[k] >= knots[i]:
            i += 1
        s = (t[k] - origin[i]) * speed[i]
        resting = i == 0 or i == knots.shape[0]
        for j in range(dim):
            if resting:
                out[k, j] = value[0, i, j]
                out_rate[k, j] = 0.0
                continue
            x = value[value.shape[0] - 1, i, j]
            for m in range(value.shape[0] - 2, -1, -1):
                x = x * s + value[m, i, j]
            v = slope[slope.shape[0] - 1, i, j]
            for m in range(slope.shape[0] - 2, -1, -1):
                v = v * s + slope[m, i, j]
            out[k, j] = x
            out_rate[k, j] = v


def sample_into(curve: Piecewise, t: Floats, out: Floats, out_rate: Floats) -> None:
    """Write values and rates (n, dim) of a curve at the ascending times t (n,)."""
    value, slope, _ = curve.tables
    sample_polynomials(t, curve.knots, curve.origin, curve.rate, value, slope, out, out_rate)
