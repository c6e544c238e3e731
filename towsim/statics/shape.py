"""What the search for a massive cable's shape writes, is asked for and answers (see cable)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from towsim.model.arrays import Floats

U, V, D, Y = 0, 3, 6, 7
"""Columns of the scratch row of a joint: u, ṽ, pivot, right sides (that of r, then three of J)."""
WIDTH = 11

TIP, STIFFNESS, UNSTABLE, ERROR, STEPS = 0, 3, 12, 13, 14
"""Columns of a cable's answer: force on its tip (3), ∂F/∂x_B (3, 3), unstable directions, error, steps."""
ANSWER = 15


class Scratch(NamedTuple):
    """What a sweep writes."""

    links: Floats  # (ne, 10) direction and axes of an element, its length
    joints: Floats  # (3 ne + nk, WIDTH)
    S: Floats  # (3, 3)
    Z: Floats  # (3, 3)
    z: Floats  # (3, 4) sums of ṽ y/D
    C: Floats  # (3, 3)
    y: Floats  # (3,)
    stiff: Floats  # (3, 3)
    kept: Floats  # (3 ne + 7 nk,) coordinates before a step


class Hold(NamedTuple):
    """What a shape is sought for."""

    root: tuple[float, float, float]
    tip: tuple[float, float, float]
    link: float  # half an element [m]
    w: tuple[float, float, float]  # its weight [N]
    F: tuple[float, float, float]  # force on the tip [N]
    gap: tuple[float, float, float]  # from the tip to where it is held [m]
    loose: bool  # whether nothing but F holds the tip
    size: float  # of couples [N m]


def make_scratch(elements: int, cables: int) -> Scratch:
    """Scratch for so many elements and cables."""
    shapes = (elements, 10), (3 * elements + cables, WIDTH), (3, 3), (3, 3), (3, 4), (3, 3), (3,), (3, 3)
    every: tuple[tuple[int, ...], ...] = (*shapes, (3 * elements + 7 * cables,))
    return Scratch(*map(np.zeros, every))
