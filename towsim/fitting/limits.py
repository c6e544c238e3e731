"""What is to keep between two bounds in every row of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from towsim.errors import UsageError
from towsim.fitting.log import Column, column_of
from towsim.fitting.predict import pick
from towsim.given import numbers
from towsim.model.arrays import Floats
from towsim.quote import show
from towsim.run.gradient import Cost, measured
from towsim.run.rated import Rated
from towsim.run.sensitivities import Sensitivities

Bound = float | Callable[[Floats], Any]
"""A number, or one for each time [s]: where it is infinite nothing is asked for."""


class Limit(NamedTuple):
    """A column or a function of a run, and its bounds.

    Attributes
    ----------
    name : in what is told
    of : a column, or a function of the run
    low, high : bounds
    lacking : how many first rows of the run lack something of the column: nothing is asked of them
    """

    name: str
    of: Column | Cost
    low: Bound
    high: Bound
    lacking: int = 0

    def series(self, run: Sensitivities) -> Rated:
        """The values over the run, with their derivatives."""
        if not isinstance(self.of, Column):
            return measured(self.of, run, self.name)
        values, rates = (pick(one[self.of.variable], self.of, "limits").values for one in (run.result, run))
        return Rated(values, rates)

    def bounds(self, time: Floats) -> tuple[Floats, Floats]:
        """Both bounds at each time."""
        low, high = (self._at(time, bound) for bound in (self.low, self.high))
        if not (low < high).all():
            raise UsageError(f"limits: {self.name}: the least must be below the largest at every time")
        asked = np.arange(len(time)) >= self.lacking
        return np.where(asked, low, -np.inf), np.where(asked, high, np.inf)

    def _at(self, time: Floats, bound: Bound) -> Floats:
        found = numbers(f"limits: {self.name}: a bound", bound(time) if callable(bound) else bound)
        if found.shape not in ((), time.shape):
            raise UsageError(
                f"limits: {self.name}: a bound must give {len(time)} numbers, one a time, got {show(found)}"
            )
        return np.broadcast_to(found, time.shape)


def limit_of(what: str | Cost, pair: Any) -> Limit:
    """The limit of a title or a function, and (least, largest)."""
    column = what if callable(what) else column_of(what, "limits")
    name = getattr(what, "__name__", repr(what)) if callable(what) else str(column)
    try:
        low, high = (one if callable(one) else float(one) for one in pair)
    except (TypeError, ValueError):
        raise UsageError(
            f"limits: {name}: two bounds are needed, the least and the largest, got {show(pair)}"
        ) from None
    if not (callable(low) or callable(high) or low < high):
        raise UsageError(f"limits: {name}: the least, {low:g}, must be below the largest, {high:g}")
    return Limit(name, column, low, high)
