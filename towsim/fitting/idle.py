"""Numbers on which nothing depends: for good, or where a search begins.

A derivative may be zero by chance, by symmetry or for an amplitude of zero, and with what only pulls on one side. So
numbers are looked at elsewhere, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from towsim.fitting.knobs import Knob
from towsim.model.arrays import Flags, Floats

UNMOVED = 1e-12
"""What a number of the first guess changes, of the size of what is asked for, if it changes it by rounding only."""

ROUNDING = 1e-12
"""Numbers below are as good as 0, such as a place at cos 90°, or the velocity of what hangs at rest."""

ASIDE, GOLDEN = (0.1, -0.1, 1.0), 0.618
"""Where else that is looked at, of the numbers' sizes, and the share of it by which each number goes farther."""


def sizes(knobs: Sequence[Knob], start: Floats) -> Floats:
    """Sizes of numbers (n,): of those of a list that of its largest; of 0, 1, and of what is rounding beside that."""
    lists = [knob.name.rstrip(".0123456789") for knob in knobs]
    largest: dict[str, float] = {}
    for whole, value in zip(lists, start, strict=True):
        largest[whole] = max(largest.get(whole, 0.0), abs(float(value)))
    return np.array([largest[whole] if largest[whole] > ROUNDING else 1.0 for whole in lists])


def without_rounding(start: Floats) -> Floats:
    """A first guess (n,) whose zeros are zeros: SciPy's first step is as long as the guess."""
    return np.where(np.abs(start) > ROUNDING, start, 0.0)


def unmoved(values: Floats, rates: Floats, size: Floats) -> Flags:
    """Which numbers (n,) change values, whose derivatives are the rates (.., n), by no more than rounding."""
    changed = np.abs(rates.reshape(-1, len(size))).max(axis=0, initial=0.0) * size
    found: Flags = changed <= UNMOVED * np.abs(values).max(initial=0.0)
    return found


def asides(knobs: Sequence[Knob], start: Floats) -> Iterator[Floats]:
    """Numbers of no symmetry to the first guess, within bounds."""
    farther = 1.0 + np.arange(len(start)) * GOLDEN % 1.0
    for far in ASIDE:
        aside = start + far * sizes(knobs, start) * farther
        yield np.clip(aside, [knob.low for knob in knobs], [knob.high for knob in knobs])
