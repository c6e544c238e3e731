"""One scalar condition on where a scene starts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from towsim.scene.base import Loc

Array = NDArray[np.float64]
TOLERANCE = 1e-9
"""Of values, relative to the length that they are measured by."""


class Row(NamedTuple):
    """One scalar condition value ≥ 0 (or = 0 when ``equal``), linear in small moves of the bodies."""

    loc: Loc
    value: float
    scale: float
    equal: bool
    sides: tuple[tuple[str, Array, Array], ...]  # body, arm from its centre (3,), gradient at that point (3,)

    @property
    def broken(self) -> float:
        """By how much it is violated, 0 within the tolerance."""
        amount = abs(self.value) if self.equal else -self.value
        return amount if amount > TOLERANCE * self.scale else 0.0

    @property
    def closed(self) -> bool:
        """Whether it is zero, within the tolerance."""
        return abs(self.value) <= TOLERANCE * self.scale
