"""A scene under way whose vehicles and winches are commanded: blocks pause where something is to be sampled.

The kernels of a step know nothing of control. They read loads, lengths and feeds from the drive, and these are filled
from one sample to the next (zero-order hold) with what the held commands do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from solvers.kernels.handle import Handle
from towsim.control.actuators import Inputs, filled
from towsim.control.plant import WINCH
from towsim.control.runtime import Runtime
from towsim.control.task import Control, Function
from towsim.methods import loop
from towsim.methods.block import Ahead, Block, Steps, UnderWay, times
from towsim.methods.dialogue import Solve
from towsim.methods.method import Method
from towsim.methods.stepper import Stepper
from towsim.methods.work import Record
from towsim.model.arrays import Drive, Floats
from towsim.model.compile import Compiled


class _Holding(NamedTuple):
    """What controllers and actuators fill of the block that is under way.

    Attributes
    ----------
    record : of the block
    inputs, block : what was commanded and read, row by row; with the parts of the drive that are filled
    references : of each task, where it is due
    """

    record: Record
    inputs: Inputs
    block: Handle
    references: list[Floats]


class _Foreseen(NamedTuple):
    """What will be known if no command changes.

    Attributes
    ----------
    ahead, block : what is known, and its handle
    steps : the last ones that were asked for
    part : the same, as they were told: what follows them is not held yet
    """

    ahead: Ahead
    block: Handle
    steps: Steps
    part: Steps


class ControlledStepper(Stepper):
    """Advances a compiled scene with controllers in steps of h. Parameters as for ``Stepper``.

    controllers : of the user's own, see ``simulate``
    by_hand : whether what no controller commands may be commanded by hand
    """

    def __init__(
        self,
        compiled: Compiled,
        method: Method,
        step: float,
        *,
        controllers: Mapping[str, Control | Function] | None = None,
        by_hand: bool = False,
        **options: Any,
    ) -> None:
        self._own, self._by_hand = controllers, by_hand
        super().__init__(compiled, method, step, **options)

    def _begin(self) -> None:
        super()._begin()
        self.control = self.runtime(self.compiled)
        work, p = self.work, self.state.p if self.method.staggered else self.work.p
        self.control.watch(self.state, work.R, work.Y, self.compiled.model.bodies, p, work.off, self.h)
        self._inputs = self.control.inputs(0)
        self._reels = bool((self.control.devices.kind == WINCH).any())
        self.depart()

    def runtime(self, compiled: Compiled, carried: Callable[[Any], Any] | None = None) -> Runtime:
        """Controllers at the start of a scene of the same structure; ``carried``: see ``Runtime``."""
        more = {} if carried is None else {"carried": carried}
        lead = 0.5 * self.h if self.method.staggered else self.h
        return Runtime(compiled, self.h, self._own, lead=lead, by_hand=self._by_hand, **more)

    def depart(self) -> None:
        """As of ``Stepper``; what was held in the steps since belongs to the results that share it."""
        super().depart()
        self._ahead: Ahead | None = None
        self._holding: _Holding | None = None
        self._foreseen: _Foreseen | None = None

    def written(self) -> Iterator[tuple[str, np.ndarray]]:
        """As ``Stepper.written``, with what controllers and actuators keep."""
        yield from super().written()
        yield from self.control.written()  # which is made anew at every start

    def ahead(self, n: int, *, more: bool = False) -> Steps:
        """The next n steps, and what will be known of them if no command changes."""
        steps, before = super().ahead(n, more=more), self._foreseen
        ahead, row, stop = steps
        if before is not None and before.ahead is ahead:
            block = before.block
        else:
            block = filled(ahead.drive, ahead.time, self.control.inputs(len(ahead.time)))
        self.control.hold(block, row, stop)
        # Lengths of wires on winches change what robots can reach, which is looked at in all that is told.
        part = Steps(ahead.part(row, stop), 0, n) if self._reels else steps
        self._foreseen = _Foreseen(ahead, block, steps, part)
        return part

    def _look_ahead(self, steps: int) -> Ahead:
        """As of ``Stepper``, to be filled with what is held."""
        time, driver = times(self.done, steps, self.h), self.compiled.driver
        drive = self.known(time)
        return Ahead(driver, driver.told, self.done, time, drive, drive)

    def drive(self, steps: int) -> tuple[Floats, Drive]:
        """As ``Stepper.drive``, with what is held."""
        if steps:
            return self.ahead(steps).known()
        time, drive = super().drive(0)
        self.control.hold(filled(drive, time, self.control.inputs(1)), 0, 0)
        return time, drive

    @property
    def loaded(self) -> bool:
        """Never known: controllers have kernels of their own."""
        return False

    def load(self) -> Drive:
        """As ``Stepper.load``, with the controllers."""
        drive = self.drive(0)[1] if super().loaded else super().load()
        self.control.load(drive, filled(drive, np.zeros(1), self.control.inputs(1)))
        return drive

    def run(self, steps: Steps, solve: Solve | None = None, *, close: bool = False) -> Block:
        """As ``Stepper.run``, with what was commanded and read; the kick of the last row is left to ``close``."""
        seen = self._foreseen
        if seen is not None and steps.ahead is seen.part.ahead:
            row = seen.steps.row - seen.part.row
            steps = Steps(seen.ahead, row + steps.row, row + steps.stop)
        return self._told(super().run(steps, solve))

    def begin(self) -> None:
        """Begin the next step, with the commands that belong to it."""
        time, drive = self.drive(1)
        self.control.sample(self.done, 0, float(time[0]), self.control.references(self.done, time[:1]), drive)
        super().begin()

    def close(self, solve: Solve | None, behind: Solve) -> Block:
        """As ``Stepper.close``, with what is held."""
        return self._told(super().close(solve, behind))

    def _last_two(self) -> tuple[Floats, Drive]:
        """As ``Stepper._last_two``, with what is held now, by which winches go on."""
        time, drive = self._end()
        self._inputs = self.control.inputs(2)
        block = filled(drive, time, self._inputs)
        self.control.hold(block, 1, 1)
        self.control.reel_on(block)
        return time, drive

    def start_row(self) -> Block:
        """As ``Stepper.start_row``, with what is held."""
        return self._now(super().start_row())

    def empty(self) -> Block:
        """As ``Stepper.empty``."""
        return super().empty()._replace(inputs=self.control.inputs(0))

    def _told(self, block: Block) -> Block:
        return block._replace(inputs=self._inputs)

    def _now(self, block: Block) -> Block:
        inputs = self.control.inputs(len(block.time))
        time, drive = super().drive(0)
        self.control.hold(filled(drive, time, inputs), 0, 0)
        return block._replace(inputs=inputs)

    def _advance(self, under_way: UnderWay, stop: int, *, close: bool) -> tuple[int, int, int]:
        """As of ``Stepper``, from sample to sample; that of the end is taken here, wherever a block ends."""
        time, drive, dialogue = under_way.block.time, under_way.block.drive, under_way.dialogue
        if self.done == 0:  # sensors need the geometry of the start
            self._row(time, drive)
        begun = self.done - under_way.row
        if self._holding is None or self._holding.record is not under_way.record:
            inputs = self.control.inputs(len(time))
            references = self.control.references(begun, time)
            self._holding = _Holding(under_way.record, inputs, filled(drive, time, inputs), references)
        _, self._inputs, block, references = self._holding
        found = from_sample_to_sample(self.control, begun, under_way.row, stop, block, references, dialogue.advance)
        self.failure = self.control.failure
        return found


def from_sample_to_sample(
    control: Runtime,
    begun: int,
    k: int,
    last: int,
    block: Handle,
    references: list[Floats],
    advance: Callable[[int, int], tuple[int, int, int]],
) -> tuple[int, int, int]:
    """On from row k of a block to row ``last``: the row reached, why it ended, and a solver's status.

    begun : steps before the block;  block : handle of ``Filled``;  references : of each task, where it is due
    advance : goes on from one row to another, with what is held
    """
    while True:
        if not control.sample(begun, k, float(block.time[k]), references, block):
            control.hold(block, k, k)
            return k, loop.LOST, 0
        stop = min(last, control.next_after(begun + k) - begun)
        control.hold(block, k, stop)
        if k == last:
            return last, loop.GOOD, 0
        good, reason, code = advance(k, stop)
        control.keep(block, good)
        if reason != loop.GOOD:
            return good, reason, code
        k = good
