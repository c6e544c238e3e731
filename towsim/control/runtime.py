"""The controllers and sensors of a run under way: what is due is sampled, judged and held."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from solvers.kernels.entry import address_of
from solvers.kernels.handle import Handle
from towsim.arena import leaves
from towsim.control.actuators import Acting, Held, Inputs, hold, make_inputs, obey, reel_on
from towsim.control.calls import ASKED, MOST, UNSOUND, Call, Judged, Told, called, judge, look, unsound
from towsim.control.laws import make_tasks
from towsim.control.plant import WINCH, plant_of
from towsim.control.sampled import LAW, ROW, SampledBlock, Sampling, run_block
from towsim.control.seen import Measured, Sight, make_measured, make_sensors
from towsim.control.task import Control, Function, Task
from towsim.errors import SimulationError
from towsim.model.arrays import Bodies, Flags, Floats, Ints, State
from towsim.model.compile import Compiled
from towsim.quote import show
from towsim.suggest import unknown


def _as_they_are(arrays: Any) -> Any:
    return arrays


def _not_measured(error: Exception) -> str | None:
    """What a law, in Python or compiled, asks for that is not measured; None if that is not what is wrong."""
    if isinstance(error, AttributeError) and isinstance(error.obj, Measured):
        return error.name
    found = re.search(rf"Unknown attribute '(\w+)' of type {Measured.__name__}-", str(error))
    return found[1] if found and isinstance(error, NumbaError) else None


def _in_a_table(memory: Any) -> Any:
    """What a law keeps, as the compiled loop hands it on; None if it is nothing that kernels get by address."""
    if not isinstance(memory, tuple):
        return memory if isinstance(memory, np.ndarray) and memory.flags.c_contiguous else None
    try:
        return Handle(memory)
    except (AttributeError, TypeError):  # of a tuple without names, say
        return None


class Runtime:
    """Sensors, controllers and actuators of a run.

    Parameters
    ----------
    compiled, step, own, by_hand : the scene, h [s], and see ``ControlledStepper``
    middle : time from the start of a step to the velocities that it moves with, as of ``Acting``
    carried : makes of tuples of arrays those that the run is in; arrays of duals, say

    Attributes
    ----------
    held : what they keep; with ``measured`` and the tasks' memories all that changes
    channels : names of the readings
    failure : why the run must stop, once it must
    """

    def __init__(
        self,
        compiled: Compiled,
        step: float,
        own: Mapping[str, Control | Function] | None = None,
        *,
        middle: float,
        by_hand: bool = False,
        carried: Callable[[Any], Any] = _as_they_are,
    ) -> None:
        self.plant = plant_of(compiled)
        self.devices = carried(self.plant.devices)
        sensors, self.channels = make_sensors(compiled, self.plant, step)
        self.sensors = carried(sensors)
        tasks = make_tasks(compiled, self.plant, step, own, by_hand=by_hand)
        self.tasks = [replace(task, memory=carried(task.memory)) for task in tasks]
        self.measured = carried(make_measured(self.plant))
        na, nd = len(self.plant.actuators), len(self.devices.kind)
        held = Held(np.zeros(na), np.zeros(na), np.zeros(nd), np.zeros(len(self.channels)), np.full(na, np.nan))
        for d in np.flatnonzero(self.devices.kind == WINCH):
            name = self.plant.actuators[self.devices.first[d]].removesuffix(".rate")
            held.length[d] = compiled.scene.wires[name].length_at_start()
        self.held = carried(held)._replace(by_hand=held.by_hand)
        self.sampled, self.at = np.full(1, -1), np.zeros(2, np.int64)
        self._sampling: Handle | None = None
        self._entries: list[Callable[..., Any]] = []  # whose addresses are in it
        self.failure: SimulationError | None = None
        self._periods = sorted({int(n) for n in self.sensors.every} | {task.every for task in self.tasks})
        self._step, self._middle = step, middle
        self._sight: Handle | None = None

    @cached_property
    def _acting(self) -> Handle:
        return Handle(Acting(self.devices, self.held, self._step, self._middle))

    @cached_property
    def _calls(self) -> list[Handle]:
        """What laws are called with."""
        seen, held = Handle(self.measured), self.held
        motions = [len(task.motions) if task.own else 0 for task in self.tasks]
        return [
            Handle(
                Call(
                    Judged(self.measured, task.bodies, task.devices, held.by_hand, float(task.lost)),
                    Handle(Measured(*(array.copy() for array in self.measured))) if task.own else seen,
                    np.zeros((n, 3, 3), held.command.dtype),
                    _in_a_table(task.memory),
                    held.command,
                    held.command.copy(),
                    task.command,
                )
            )
            for task, n in zip(self.tasks, motions, strict=True)
        ]

    @property
    def compiled(self) -> bool:
        """Whether all laws are compiled."""
        return all(called(task.function) for task in self.tasks)

    def numbers(self) -> Iterator[tuple[str, np.ndarray]]:
        """What actuators and sensors are, by a path such as ``devices.limit``."""
        yield from leaves("devices", self.devices)
        yield from leaves("sensors", self.sensors._replace(before=None))

    def written(self) -> Iterator[tuple[str, np.ndarray]]:
        """All that changes from sample to sample, with what the laws keep, their gains included."""
        yield from leaves("held", self.held)
        yield from leaves("measured", self.measured)
        yield from leaves("before", self.sensors.before)
        yield from leaves("sampled", self.sampled)
        for k, task in enumerate(self.tasks):
            yield from leaves(f"task{k}", task.memory)

    def watch(self, state: State, R: Floats, Y: Floats, bodies: Bodies, p: Floats, impact: Floats, off: Flags) -> None:
        """Say what there is to be seen of a run, see ``Sight``."""
        times = self.devices.fails, self._step, self._step - self._middle
        self._sight = Handle(
            Sight(self.sensors, state, R, Y, bodies, p, impact, off, *times, self.measured, self.held.reading)
        )

    def over(
        self,
        loop: Callable[..., Any],
        run: Handle,
        block: Handle,
        filled: Handle,
        begun: Ints,
        references: list[np.ndarray],
        told_from: Ints | None = None,
    ) -> Sampled:
        """The loop over a block, of whose method this is the loop, and what that gets.

        filled : handle of ``Filled``;  begun : (1,) steps before the block
        references : of each task, where it is due from step ``told_from`` (1,) on, the block's beginning by default
        """
        entry = address_of(loop, run, block, False, 0, 0, 1)
        return Sampled(self, entry, run, block, filled, begun, references, begun if told_from is None else told_from)

    def calls(self) -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
        """The kernels that call the laws of the scene, and such arguments as they are called with."""
        found = []
        for task, call in zip(self.tasks, self._calls, strict=True):
            if not task.own:
                told = Handle(Told(np.zeros(1), task.references(np.zeros(1))))
                found += [(one, (call, told, False, 0, 0, 0)) for one in called(task.function)]
        return found

    def sampling(self, entry: int, run: Handle, told: list[Handle]) -> Handle:
        """What ``sampled.run_block`` gets of a run by a method's loop at this address.

        told : what each law is told in a block
        """
        if self._sampling is None or (self._sampling.entry, self._sampling.run) != (entry, run.address):
            laws = [
                (task.every, call.address, *self._entries_of(task, call, one))
                for task, call, one in zip(self.tasks, self._calls, told, strict=True)
            ]
            self._sampling = Handle(
                Sampling(
                    entry,
                    run.address,
                    np.array(laws, np.int64).reshape(-1, 5),
                    np.array(self._periods, np.int64),
                    self._sight,
                    self._acting,
                    self.sampled,
                    self.at,
                )
            )
        return self._sampling

    def _entries_of(self, task: Task, call: Handle, told: Handle) -> list[int]:
        """Addresses of a task's calls; all 0 if it is to be called from Python, which says what is wrong with it."""
        functions, found = called(task.function) if call.memory is not None else (), [0] * MOST
        with suppress(NumbaError):
            found[: len(functions)] = [address_of(one, call, told, False, 0, 0, 0) for one in functions]
        self._entries += functions
        return found

    def references(self, first: int, time: Floats) -> list[Floats]:
        """For each task its references at the steps of a block that begins with step ``first``, where it is due."""
        return [task.references(time[-first % task.every :: task.every]) for task in self.tasks]

    def command(self, owner: str, given: Floats | None) -> None:
        """Command a vehicle, body or winch by hand from now on; None gives it back to its controller."""
        places = self.plant.owned(owner)
        self.held.by_hand[places] = np.nan if given is None else given
        if self.sampled[0] >= 0:  # or else what acts begins with the first sample
            obey(self._acting)

    def call(self, law: int, t: float, reference: Floats) -> bool:
        """Call a law from Python; False if the run must stop, see ``failure``."""
        task, call = self.tasks[law], self._calls[law]
        place, error, speed, spin = judge(call.judged, reference)
        if place >= 0:
            name = self.plant.bodies[task.bodies[place]]
            return self._fail(
                t,
                f"{name!r} is out of control: {error:.3g} m from where it should be, at {speed:.3g} "
                f"m/s, turning at {spin:.3g} rad/s; controller {task.name!r} is unstable, or asks for more than its "
                f"actuators give{self._failed(task.command, t)} (see the variables command and actuation)",
            )
        command = call.own
        command[...] = self.held.command
        if task.own:
            look(call, reference)
            reference = call.reference
        measured = call.measured if hasattr(task.function, "py_func") else call.measured.value
        try:
            function: Callable[..., object] = task.function  # which should return nothing
            answer = function(t, measured, reference, task.memory, command)
        except Exception as error_:
            return self.raised(law, t, error_)
        if answer is not None:
            return self._fail(
                t,
                f"controller {task.name!r} returned {show(answer)}, which nobody reads; have it write "
                "to command instead, and return nothing",
            )
        if unsound(command, task.command):
            return self.refuse(law, t)
        self.held.command[task.command] = command[task.command]
        return True

    def raised(self, law: int, t: float, error: Exception) -> bool:
        """Stop the run, as a law raised an error."""
        asked, name = _not_measured(error), self.tasks[law].name
        told = f" raised {type(error).__name__}: {error}"
        if asked is not None:
            told = f": {unknown('attribute of measured', asked, Measured._fields)}"
        self._fail(t, f"controller {name!r}{told}")
        assert self.failure is not None
        self.failure.__cause__ = error
        return False

    def refuse(self, law: int, t: float) -> bool:
        """Stop the run, as a law's commands are not finite."""
        task = self.tasks[law]
        command = self._calls[law].own if task.own else self.held.command
        wrong = [int(i) for i in task.command if not math.isfinite(command[i])]
        names = ", ".join(f"{self.plant.actuators[i]} = {command[i]}" for i in wrong)
        self._fail(t, f"controller {task.name!r} commands {names}; commands must be finite{self._unread()}")
        self.held.command[~np.isfinite(self.held.command)] = 0.0
        return False

    def _fail(self, t: float, why: str) -> bool:
        self.failure = SimulationError(f"at t = {t:.6g} s {why}", time=t)
        return False

    def _failed(self, numbers: Ints, t: float) -> str:
        """Which actuators of these numbers have failed by now."""
        names, fails = self.plant.actuators, self.plant.devices.fails  # plain numbers, whatever those of the run are
        gone = [f"{names[i]} from {fails[i]:g} s on" for i in numbers if fails[i] <= t]
        return f", of which these have failed: {', '.join(gone)}" if gone else ""

    def _unread(self) -> str:
        """What to say of tensions that a law cannot have read yet, if it reads any."""
        wires = [
            name for name, tension in zip(self.plant.wires, self.measured.tension, strict=True) if math.isnan(tension)
        ]
        if not wires:
            return ""
        return (
            f" (if it reads tensions: measured.tension of wire {wires[0]!r} is NaN until there is one, at the end "
            "of the first step)"
        )

    def hold(self, block: Handle, k: int, stop: int) -> None:
        """Fill drive and record of a block (see ``filled``) from sample k to sample ``stop``."""
        hold(self._acting, block, k, stop, False)

    def hold_at_the_end(self, block: Handle) -> None:
        """Fill row 1 of a block of one step for the kick of SHAKE's last row: winches go on as they are held there."""
        hold(self._acting, block, 1, 1, True)
        reel_on(self._acting, block)

    def inputs(self, rows: int) -> Inputs:
        """A record of so many rows."""
        return make_inputs(self.held, rows)


class Sampled:
    """The loop over a block that pauses where something is sampled; made by ``Runtime.over``."""

    def __init__(
        self,
        control: Runtime,
        entry: int,
        run: Handle,
        block: Handle,
        filled: Handle,
        begun: Ints,
        references: list[np.ndarray],
        told_from: Ints,
    ) -> None:
        self._control, self._references = control, references
        self._shown = run, block  # whose addresses the loop has
        self._told = [Handle(Told(filled.time, one)) for one in references]
        self.run = control.sampling(entry, run, self._told)
        told = np.array([one.address for one in self._told], np.int64)
        self.block = Handle(SampledBlock(block.address, begun, told_from, filled, told))

    def __call__(self, k: int, solved: int, stop: int, *, ask: bool = False) -> tuple[int, int, int, int]:
        """From row k to row ``stop``, as a method's loop; a negative reason if the run must stop, see ``failure``."""
        control, at = self._control, self._control.at
        while True:
            try:
                found: tuple[int, int, int, int] = run_block(self.run, self.block, ask, k, solved, stop)
            except Exception as error:
                control.raised(int(at[LAW]), self._time, error)
                return self._stopped(ASKED)
            k, reason, solved, law = found
            if reason >= 0:
                return found
            if reason == UNSOUND:
                control.refuse(law, self._time)
            elif control.call(law, self._time, self._reference(law)):
                solved = -1 - law
                continue
            return self._stopped(reason)

    def _stopped(self, reason: int) -> tuple[int, int, int, int]:
        row = int(self._control.at[ROW])
        self._control.hold(self.block.filled, row, row)
        return row, reason, 0, 0

    @property
    def _time(self) -> float:
        return float(self.block.filled.time[self._control.at[ROW]])

    def _reference(self, law: int) -> np.ndarray:
        every, step = self._control.tasks[law].every, int(self.block.begun[0] + self._control.at[ROW])
        one: np.ndarray = self._references[law][step // every - -(-int(self.block.told_from[0]) // every)]
        return one
