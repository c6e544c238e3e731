"""Spans of time with both ends included, whatever k h is rounded to: 9 steps of 1 ms end at 0.009000000000000001 s."""

from __future__ import annotations

import numpy as np

ROUNDING = 1e-12
"""Of the largest recorded time: many roundings, and far less than a step of any run that can be stored."""


def ends(time: np.ndarray, first: float, last: float) -> tuple[float, float]:
    """First and last time that a span includes [s], of recorded times (n,) [s]; ends may be infinite."""
    margin = ROUNDING * float(np.abs(time[[0, -1]]).max()) if len(time) else 0.0
    return first - margin, last + margin


def rows(time: np.ndarray, first: float, last: float) -> tuple[int, int]:
    """First row of a span and the row behind its last one, of recorded times (n,) [s] that rise."""
    first, last = ends(time, first, last)
    return int(np.searchsorted(time, first, "left")), int(np.searchsorted(time, last, "right"))
