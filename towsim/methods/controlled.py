"""A scene under way whose vehicles and winches are commanded: blocks pause where something is to be sampled.

See ``towsim.control.sampled``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from solvers.kernels.compiled import load
from solvers.kernels.entry import Way, way
from solvers.kernels.handle import Handle
from towsim.control.actuators import Inputs, filled
from towsim.control.plant import WINCH
from towsim.control.runtime import Runtime, Sampled
from towsim.control.sampled import run_block, write_row
from towsim.control.task import Control, Function
from towsim.methods import loop
from towsim.methods.block import Ahead, Block, Steps, UnderWay, times
from towsim.methods.dialogue import Called, Solve
from towsim.methods.method import Method
from towsim.methods.stepper import LOOPS, Stepper
from towsim.methods.work import Record, Work, make_record
from towsim.model.arrays import Bodies, Drive, Floats, State
from towsim.model.compile import Compiled


def watch(control: Runtime, method: Method, state: State, work: Work, bodies: Bodies) -> None:
    """Say what controllers see of a run.

    The impulses of the last step are ``work.p``; SHAKE's first kick lasts half a step, so what it says of a whole one
    is taken, which is what it expects next, and impacts stand apart.
    """
    p, impact = (state.p, work.impulse) if method.staggered else (work.p, np.zeros_like(work.p))
    control.watch(state, work.R, work.Y, bodies, p, impact, work.off)


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
        watch(self.control, self.method, self.state, self.work, self.compiled.model.bodies)
        self._inputs = self.control.inputs(0)
        self._reels = bool((self.control.devices.kind == WINCH).any())
        self.depart()

    def runtime(self, compiled: Compiled, carried: Callable[[Any], Any] | None = None) -> Runtime:
        """Controllers at the start of a scene of the same structure; ``carried``: see ``Runtime``."""
        more = {} if carried is None else {"carried": carried}
        middle = 0.5 * self.h if self.method.staggered else self.h
        return Runtime(compiled, self.h, self._own, middle=middle, by_hand=self._by_hand, **more)

    def depart(self) -> None:
        """As of ``Stepper``; what was held in the steps since belongs to the results that share it."""
        super().depart()
        self._ahead: Ahead | None = None
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
        sampled = self._sampled(np.zeros(1), drive, make_record(self.compiled, 0))
        load(run_block, sampled.run, sampled.block, False, 0, 0, 0)
        return drive

    def run(self, steps: Steps, solve: Solve | None = None, *, close: bool = False) -> Block:
        """As ``Stepper.run``, with what was commanded and read; the kick of the last row is left to ``close``."""
        seen = self._foreseen
        if seen is not None and steps.ahead is seen.part.ahead:
            row = seen.steps.row - seen.part.row
            steps = Steps(seen.ahead, row + steps.row, row + steps.stop)
        return super().run(steps, solve)._replace(inputs=self._inputs)

    def begin(self) -> None:
        """Begin the next step, with the commands that belong to it."""
        time, drive = self.drive(1)
        self._sampled(time, drive, make_record(self.compiled, 1))(0, 0, 0)
        self.failure = self.control.failure
        super().begin()

    def close(self, solve: Solve | None, behind: Solve) -> Block:
        """As ``Stepper.close``, with what is held."""
        return super().close(solve, behind)._replace(inputs=self._closing)

    def _last_two(self) -> tuple[Floats, Drive]:
        """As ``Stepper._last_two``, with what is held now, by which winches go on."""
        time, drive = self._end()
        self._closing = self.control.inputs(2)
        self.control.hold_at_the_end(filled(drive, time, self._closing))
        return time, drive

    def sample(self) -> None:
        """Sample what is due now, unless it was; a law that cannot be asked here stops the run where it begins."""
        if self.control.failure is None:
            time, drive = self.drive(0)
            self._sampled(time, drive, make_record(self.compiled, 0))(0, 0, 0)
            self.control.failure = None

    def start_row(self) -> Block:
        """As ``Stepper.start_row``, with what is held."""
        return self._now(super().start_row())

    def empty(self) -> Block:
        """As ``Stepper.empty``."""
        return super().empty()._replace(inputs=self.control.inputs(0))

    def _now(self, block: Block) -> Block:
        inputs = self.control.inputs(len(block.time))
        time, drive = super().drive(0)
        self.control.hold(filled(drive, time, inputs), 0, 0)
        return block._replace(inputs=inputs)

    def keep(self) -> Callable[[], None]:
        """As ``Stepper.keep``, with what controllers keep."""
        undo, arrays = super().keep(), [array for _, array in self.control.written()]
        before = [array.copy() for array in arrays]

        def undo_all() -> None:
            undo()
            for array, values in zip(arrays, before, strict=True):
                array[...] = values

        return undo_all

    def _begun(self, steps: Steps, n: int, solve: Solve | None, *, close: bool) -> UnderWay:
        """As of ``Stepper``; the loop pauses where something is sampled, the end of the block included."""
        found = super()._begun(steps, n, solve, close=close)
        sampled, asked = self._sampled(found.block.time, found.block.drive, found.record), solve is not None
        self._inputs = sampled.block.filled.out

        def call(k: int, solved: int, stop: int, *, ask: bool = asked) -> Called:
            k, reason, solved, detail = sampled(k, solved, stop, ask=ask)
            if reason >= 0:
                return k, reason, solved, detail
            self.failure = self.control.failure
            return k, loop.LOST, 0, 0

        found.dialogue.call = call
        return found

    def _sampled(self, time: Floats, drive: Drive, record: Record) -> Sampled:
        """The loop over a block that begins here."""
        self.leave()
        block = self._block_arrays(loop.BlockArrays(drive, time, self.anew, record))
        full = filled(drive, time, self.control.inputs(len(time)), first=self.anew)
        return self._over(block, full, np.array([self.done]), self.references(self.done, time))

    @property
    def by_address(self) -> bool:
        """As of ``Stepper``; not where lengths that are commanded change what robots reach."""
        among = self._reels and len(self.compiled.scene.robots) > 1
        return self.control.compiled and self.large is None and not among

    def way(self, block: Handle, inputs: Inputs, *of: Any) -> Way:
        """As of ``Stepper``.

        inputs : room for what is commanded and read;  of : as of ``Runtime.over``, from the third on
        """
        sampled = self._over(block, filled(block.drive, block.time, inputs, first=block.first), *of)
        return way(run_block, write_row, sampled.run, sampled.block, sampled)

    def references(self, first: int, time: Floats) -> list[Floats]:
        """As of ``Stepper``."""
        return self.control.references(first, time)

    def _over(self, block: Handle, full: Handle, *of: Any) -> Sampled:
        """As of ``Runtime.over``."""
        return self.control.over(LOOPS[self.method.name].run_block, self.run_arrays, block, full, *of)
