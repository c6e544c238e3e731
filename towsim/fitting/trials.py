"""Runs with numbers that a search tries: what they warn of is told for those only that it ends with."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

Warned = list[warnings.WarningMessage]


@contextmanager
def trial() -> Iterator[Warned]:
    """Keep what is warned of inside, for ``warn``; numbers may overflow, as far away ones do."""
    with np.errstate(all="ignore"), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        yield warned


def warn(warned: Sequence[warnings.WarningMessage]) -> None:
    """Warn of what was kept."""
    for one in warned:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)


class SettledError(Exception):
    """No more is to be gained, at these numbers over their size."""


class EnoughError(Exception):
    """As many runs as allowed were made."""


class LostError(Exception):
    """Trials are farther and farther away, or no closer to what is asked for."""
