"""Piecewise polynomials that stand still outside their knots, sampled fast together with their derivatives.

On segment i, with s = (t − t_i)/Δ_i:  f = Σ c_k sᵏ,  f′ = Σ k c_k sᵏ⁻¹/Δ,  f″ = Σ k (k−1) c_k sᵏ⁻²/Δ².
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Samples = tuple[Array, Array, Array]


class Piecewise:
    """Polynomials between knots.

    Parameters
    ----------
    knots : (K,) strictly increasing times [s]
    coefficients : (K-1, order, dim) c_k of each segment in the normalised time s in [0, 1]
    last : (dim,) value from the last knot on
    """

    def __init__(self, knots: Array, coefficients: Array, last: Array) -> None:
        segments, order, dim = coefficients.shape
        hold = np.zeros((order, segments + 2, dim))  # with a segment at rest before and one behind
        hold[:, 1:-1] = coefficients.swapaxes(0, 1)
        hold[0, 0], hold[0, -1] = coefficients[0, 0], last
        self.knots = knots
        self.origin = np.concatenate((knots[:1], knots))
        self.rate = np.ones(segments + 2)
        self.rate[1:-1] /= knots[1:] - knots[:-1]
        r, (first, second) = self.rate[:, None], _factors(order)
        # (order, segments, dim) each
        self.tables = hold, hold[1:] * first * r, hold[2:] * second * r * r

    def sample(self, t: Array) -> Samples:
        """f, f′, f″, each (n, dim) and C-contiguous, at the times ``t`` (n,) [s]."""
        n = len(t)
        out = tuple(np.empty((n, table.shape[2])) for table in self.tables)
        first, last = np.searchsorted(self.knots, t[[0, -1]], side="right") if n else (0, 0)
        # Few segments in ascending times: one after the other. Otherwise every time looks up its own.
        if 32 * (last - first) <= n and bool((t[1:] >= t[:-1]).all()):
            edges = np.searchsorted(t, self.knots[first:last], side="left")
            for i, (a, b) in enumerate(pairwise((0, *edges, n)), start=first):
                self._segment(i, t[a:b], tuple(array[a:b] for array in out))
        else:
            self._gather(t, out)
        return out[0], out[1], out[2]

    def _segment(self, i: int, t: Array, out: tuple[Array, ...]) -> None:
        s = ((t - self.origin[i]) * self.rate[i])[:, None]
        for result, table in zip(out, self.tables, strict=True):
            result[:] = table[-1, i]
            for coefficients in table[-2::-1, i]:  # Horner's rule: one instant or many, the same bits
                result *= s
                result += coefficients

    def _gather(self, t: Array, out: tuple[Array, ...]) -> None:
        i = np.searchsorted(self.knots, t, side="right")
        s = ((t - self.origin[i]) * self.rate[i])[:, None]
        for result, table in zip(out, self.tables, strict=True):
            table[-1].take(i, axis=0, out=result, mode="clip")
            for coefficients in table[-2::-1]:
                result *= s
                result += coefficients.take(i, axis=0, mode="clip")


@lru_cache(maxsize=16)
def _factors(order: int) -> tuple[Array, Array]:
    """Factors k and k (k − 1) that a polynomial's coefficients get in its first and second derivative."""
    k = np.arange(1.0, order)[:, None, None]
    return k, (k * (k - 1.0))[1:]


AT_REST = np.array([0.0, 0.0, 0.0, 10.0, -15.0, 6.0])[:, None]
"""Coefficients of a quintic from 0 to 1 that is at rest at both ends."""


def quintic(t: Array, x: Array, v: Array | None = None) -> Piecewise:
    """Quintic Hermite segments: values ``x``, rates ``v`` (K, dim; else 0), zero second derivative at every knot."""
    d = x[1:] - x[:-1]
    c = d[:, None] * AT_REST
    c[:, 0] = x[:-1]
    if v is not None:
        span = (t[1:] - t[:-1])[:, None]
        v0, v1 = v[:-1] * span, v[1:] * span
        c[:, 1] = v0
        c[:, 3] -= 6.0 * v0 + 4.0 * v1
        c[:, 4] += 8.0 * v0 + 7.0 * v1
        c[:, 5] -= 3.0 * v0 + 3.0 * v1
    return Piecewise(t, c, x[-1])


def cubic(t: Array, x: Array, *, ends: Literal["clamped", "not-a-knot"]) -> Piecewise:
    """C² cubic spline; ``ends`` is "clamped" (at rest) or "not-a-knot"."""
    from scipy.interpolate import CubicSpline

    c = CubicSpline(t, x, bc_type=ends).c[::-1].swapaxes(0, 1)  # (K-1, 4, dim), rising powers of t − t_i
    return Piecewise(t, c * np.diff(t)[:, None, None] ** np.arange(c.shape[1])[:, None], x[-1])


def extremes(curve: Piecewise) -> tuple[Array, Array]:
    """The least and the greatest value (K-1, dim) of a curve of cubics on each of its segments."""
    c = curve.tables[0][:, 1:-1]
    with np.errstate(all="ignore"):  # where c₁ + 2 c₂ s + 3 c₃ s² = 0; what is no number is none inside
        q = -c[2] - np.copysign(np.sqrt(c[2] * c[2] - 3.0 * c[1] * c[3]), c[2])
        s = np.stack([q / (3.0 * c[3]), c[1] / q])
    s = np.clip(np.nan_to_num(s, nan=0.0), 0.0, 1.0)
    inner = ((c[3] * s + c[2]) * s + c[1]) * s + c[0]
    values = np.concatenate([c[:1], c.sum(axis=0)[None], inner])
    return values.min(axis=0), values.max(axis=0)


Rows = tuple[tuple[float, ...], ...]


@lru_cache(maxsize=256)
def integrated(
    start: tuple[float, ...], t: tuple[float, ...], rate: Rows | None, second: Rows | None, first: tuple[float, ...]
) -> tuple[Piecewise, Array, Array]:
    """The curve that begins at ``start``, and its rates at the first and the last of the times.

    rate, second : its first or second derivative (K, dim) at the times ``t``, linear between them; one is None
    first : with ``second`` the first derivative at the first time
    """
    times = np.array(t)
    d = np.diff(times)[:, None]
    if second is None:
        v = np.array(rate)
        terms = [v[:-1] * d, 0.5 * np.diff(v, axis=0) * d]
    else:
        a = np.array(second)
        v = np.array(first) + np.concatenate([np.zeros((1, a.shape[1])), np.cumsum(0.5 * (a[1:] + a[:-1]) * d, axis=0)])
        terms = [v[:-1] * d, 0.5 * a[:-1] * d * d, np.diff(a, axis=0) * d * d / 6.0]
    x = np.array(start) + np.concatenate([np.zeros((1, v.shape[1])), np.cumsum(sum(terms), axis=0)])
    return Piecewise(times, np.stack([x[:-1], *terms], axis=1), x[-1]), v[0], v[-1]


@lru_cache(maxsize=256)
def through(t: tuple[float, ...], x: Rows, kind: str, velocity: Rows | None = None) -> Piecewise:
    """The curve of a kind ("quintic", "cubic", "samples") through points ``x`` (K, dim) at the times ``t``."""
    return side_by_side(t, (x,), kind, None if velocity is None else (velocity,))


def side_by_side(t: tuple[float, ...], x: Sequence[Rows], kind: str, velocity: Sequence[Rows] | None) -> Piecewise:
    """The same for several lists ``x`` (m, K, dim) of points, as one curve of m dim coordinates."""
    times = np.array(t)

    def columns(lists: Sequence[Rows]) -> Array:
        return np.array(lists).swapaxes(0, 1).reshape(len(times), -1)

    if kind == "quintic":
        return quintic(times, columns(x), None if velocity is None else columns(velocity))
    return cubic(times, columns(x), ends="clamped" if kind == "cubic" else "not-a-knot")
