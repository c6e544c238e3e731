"""Blocks of steps: the rows of one that are complete, and why it ended."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from towsim.methods.work import Record
from towsim.model.arrays import Drive, Floats, Ints
from towsim.results import Event

if TYPE_CHECKING:
    from towsim.control.actuators import Inputs

NO_EVENTS = np.empty((0, 6))


class Block(NamedTuple):
    """Rows of a block that are complete, and why it ended.

    Attributes
    ----------
    time : (n,) [s]
    first, stop : the rows' range in ``record``
    record, drive : what the kernels wrote and read; row k of both belongs to the same instant
    lag : rows by which a step's forces are recorded after the pose they belong to
    angle : (na,) coordinates of joints with an axis at the block's end, turns counted
    reason : GOOD, or why the next step was not taken (see methods/loop)
    code : a solver's status
    steps : steps taken
    events : (n, 6) what the watch over wires and contacts has found
    switched : changes by schedule at the block's beginning
    gone : (n,) row from which each of the rows that can be off is
    inputs : what was commanded and read, of a scene with controllers
    closed : whether the last row is that of the kick of SHAKE's last row
    """

    time: Floats
    first: int
    stop: int
    record: Record
    drive: Drive
    lag: int
    angle: Floats
    reason: int = 0
    code: int = 0
    steps: int = 0
    events: np.ndarray = NO_EVENTS
    switched: tuple[Event, ...] = ()
    gone: Ints | None = None
    inputs: Inputs | None = None
    closed: bool = False


@lru_cache(maxsize=4)
def times(done: int, steps: int, h: float) -> Floats:
    """Times of the next steps, this instant first; not to be written to."""
    time: Floats = np.arange(done, done + steps + 1, dtype=np.float64) * h
    time.flags.writeable = False
    return time
