"""What a block of a run with derivatives gets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.kernels.handle import Handle


class Known(NamedTuple):
    """What a block gets, in the numbers of the run.

    Attributes
    ----------
    arrays : handle of ``BlockArrays``, which blocks of a size share
    filled : handle of what controllers and actuators fill of it, ``Filled``; None without them
    references : of each controller, where it is due
    """

    arrays: Handle
    filled: Handle | None
    references: list[np.ndarray]
