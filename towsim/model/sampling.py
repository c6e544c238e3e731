"""Piecewise polynomials, sampled by a kernel straight into a drive: robots that pass points at the same times."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any

import numpy as np

from solvers.kernels.aside import Call
from solvers.kernels.compiled import kernel, part
from towsim.model.arrays import Floats, Ints
from towsim.scene.piecewise import Piecewise

CHUNK = 128
"""Samples at a time: what is evaluated stays next to the core, and is long enough for its vectors."""

WIDTH = 8
"""Coordinates at a time: a row of a drive of many robots is gone to once for so many numbers, a line of memory."""


@kernel()
def sample_polynomials(t, knots, origin, speed, value, slope, column, scratch, out, out_rate):
    """Values and rates at ascending times, by Horner's rule in the normalised time of each segment.

    Parameters
    ----------
    t : (n,) ascending [s];  knots : (K,) [s]
    origin, speed : (K+1,) start and reciprocal duration of each segment, the two at rest outside included
    value, slope : (order, K+1, dim) coefficients of value and rate, rising powers
    column : (dim,) where each of the coordinates goes
    scratch : (1 + WIDTH, CHUNK)
    out, out_rate : (n, ≥ dim) out; where all rest, rates are left as they are: zero
    """
    s, x = scratch[0], scratch[1:]
    segment = begin = 0
    while begin < t.size:
        while segment < knots.size and t[begin] >= knots[segment]:
            segment += 1
        n = 1
        while n < min(CHUNK, t.size - begin) and (segment == knots.size or t[begin + n] < knots[segment]):
            n += 1
        if segment == 0 or segment == knots.size:
            for k in range(begin, begin + n):
                for j in range(value.shape[2]):
                    out[k, column[j]] = value[0, segment, j]
        else:
            for k in range(n):
                s[k] = (t[begin + k] - origin[segment]) * speed[segment]
            for first in range(0, value.shape[2], WIDTH):
                last = min(first + WIDTH, value.shape[2])
                moves = False
                for j in range(first, last):
                    _horner(value, segment, j, s, n, x[j - first])
                    moves |= not _rests(slope, segment, j)
                _put(x, column, first, last, n, begin, out)
                if moves:
                    for j in range(first, last):
                        _horner(slope, segment, j, s, n, x[j - first])
                    _put(x, column, first, last, n, begin, out_rate)
        begin += n


@part()
def _rests(slope, segment, j):
    """Whether coordinate j does not change in a segment, as many do of robots that move along axes."""
    rests = True
    for power in range(slope.shape[0]):
        rests &= slope[power, segment, j] == 0.0
    return rests


@part()
def _horner(table, segment, j, s, n, x):
    """x = the polynomial at s, for the first n of them."""
    for k in range(n):
        x[k] = table[table.shape[0] - 1, segment, j]
    for power in range(table.shape[0] - 2, -1, -1):
        c = table[power, segment, j]
        for k in range(n):
            x[k] = x[k] * s[k] + c


@part()
def _put(x, column, first, last, n, begin, out):
    """Write n samples of the coordinates from ``first`` to ``last`` to rows of ``out`` from ``begin`` on."""
    for k in range(n):
        for j in range(first, last):
            out[begin + k, column[j]] = x[j - first, k]


def sample_into(curve: Piecewise, t: Floats, column: Ints, out: Floats, out_rate: Floats) -> None:
    """Write values and rates of a curve at the ascending times t (n,) to those columns (dim,) of ``out`` (n, ≥ dim).

    ``out_rate`` comes with zeros.
    """
    sample_polynomials(*_arguments(curve, t, column, out, out_rate))


def call(curve: Piecewise, column: Ints) -> Call:
    """The kernel of ``sample_into``, and such arguments as it is called with."""
    return sample_polynomials, _arguments(curve, np.zeros(1), column, np.zeros((1, 1)), np.zeros((1, 1)))


def _arguments(curve: Piecewise, t: Floats, column: Ints, out: Floats, out_rate: Floats) -> tuple[Any, ...]:
    value, slope, _ = curve.tables
    times = t.view()
    times.flags.writeable = False  # as most are: kernels are compiled for one kind of array
    scratch = np.empty((1 + WIDTH, CHUNK))
    return times, curve.knots, curve.origin, curve.rate, value, slope, column, scratch, out, out_rate
