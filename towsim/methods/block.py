"""Blocks of steps: the rows of one that are complete, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from towsim.methods.work import Record
from towsim.model.arrays import Drive, Floats, Ints
from towsim.results import Event

if TYPE_CHECKING:
    from towsim.control.actuators import Inputs
    from towsim.methods.dialogue import Dialogue
    from towsim.model.drive import Driver

NO_EVENTS = np.empty((0, 6))


@dataclass(slots=True)
class Ahead:
    """What is known of steps to come: who told, and how many commands are in it.

    Attributes
    ----------
    done : steps that are done at row 0
    time, drive : (K+1,) [s], and what is known then; results share it, to be read only
    written : the same arrays, if later commands may be written there
    last : the last row, K
    """

    driver: Driver
    told: int
    done: int
    time: Floats
    drive: Drive
    written: Drive | None = None
    last: int = field(init=False)

    def __post_init__(self) -> None:
        self.last = len(self.time) - 1

    def up_to_date(self, row: int) -> bool:
        """Whether all commands are known from a row on, the instant at hand; those that are new are written there."""
        driver = self.driver
        if driver.told != self.told:
            if self.written is None or not driver.amend(self.written, self.time, row, self.told):
                return False
            self.told = driver.told
        return True

    def part(self, row: int, stop: int) -> Ahead:
        """From one row to another."""
        if row == 0 and stop == self.last:
            return self
        rows = slice(row, stop + 1)
        drive = Drive._make([one[rows] for one in self.drive])
        return Ahead(self.driver, self.told, self.done + row, self.time[rows], drive)

    def step_to(self, row: int) -> Ahead | None:
        """The step to a row, if there are no new commands and nothing jumps."""
        if not 0 < row <= self.last or self.driver.told != self.told or self.drive.kink[row]:
            return None
        if self.driver.pushed == self.time[row]:  # forces jump: beyond the end, where a run ends there
            return None
        return self.part(row - 1, row)


class Steps(NamedTuple):
    """Some of the steps to come, from one row to another."""

    ahead: Ahead
    row: int
    stop: int

    def known(self) -> tuple[Floats, Drive]:
        """Their times, and what is known of them."""
        part = self.ahead.part(self.row, self.stop)
        return part.time, part.drive


@dataclass(slots=True)
class UnderWay:
    """A block of which some steps are taken, or none yet: the next ones go on in its record.

    Attributes
    ----------
    known, begin : it begins at this row of what is known
    block : what is known of its steps
    row : of the block, at which the state is
    """

    known: Ahead
    begin: int
    block: Ahead
    row: int
    record: Record
    dialogue: Dialogue


class Block(NamedTuple):
    """Rows of a block that are complete, and why it ended.

    Attributes
    ----------
    time : (n,) [s]
    first, stop : the rows' range in ``record``
    record, drive : what the kernels wrote and read; row k of both belongs to the same instant
    lag : rows by which a step's forces are recorded after the pose they belong to
    angle : (na,) coordinates of joints with an axis at the block's end, turns counted
    row : of the state that was reached
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
    row: int = 0
    reason: int = 0
    code: int = 0
    steps: int = 0
    events: np.ndarray = NO_EVENTS
    switched: tuple[Event, ...] = ()
    gone: Ints | None = None
    inputs: Inputs | None = None
    closed: bool = False

    @property
    def whole(self) -> bool:
        """Whether there is no room for more steps in the record."""
        return self.row >= len(self.time) - 1

    def joined(self, other: Block) -> Block | None:
        """This block and the one after it, if that goes on in the same record and nothing is switched in between."""
        if other.record is not self.record or other.first != self.stop or other.switched:
            return None
        if self.gone is not None and other.gone is not None and len(other.gone) and (self.gone != other.gone).any():
            return None
        events = np.concatenate([self.events, other.events]) if len(other.events) else self.events
        return other._replace(first=self.first, steps=self.steps + other.steps, events=events, switched=self.switched)


@lru_cache(maxsize=4)
def times(done: int, steps: int, h: float) -> Floats:
    """Times of the next steps, this instant first; not to be written to."""
    time: Floats = np.arange(done, done + steps + 1, dtype=np.float64) * h
    time.flags.writeable = False
    return time
