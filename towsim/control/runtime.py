"""The controllers and sensors of a run under way: what is due is sampled, judged and held."""

# mypy: allow-untyped-calls, allow-untyped-defs
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from solvers.kernels.compiled import kernel, load
from solvers.kernels.dual import value
from solvers.kernels.handle import Handle
from towsim.arena import leaves
from towsim.control.actuators import Acting, Held, Inputs, hold, keep, make_inputs, reel_on, start_steady
from towsim.control.laws import make_tasks
from towsim.control.plant import WINCH, plant_of
from towsim.control.seen import Measured, Sight, make_measured, make_sensors, sense
from towsim.control.task import Control, Function, Task
from towsim.errors import SimulationError
from towsim.model.arrays import Bodies, Drive, Flags, Floats, Ints, State
from towsim.model.compile import Compiled
from towsim.quote import show

FASTEST, WILDEST = 340.0, 1000.0
"""Speed [m/s] and angular velocity [rad/s] at which a controlled body has surely diverged."""


class Judged(NamedTuple):
    """What a controller is judged by."""

    measured: Measured
    bodies: Ints  # (n,) that should follow a reference each
    devices: Ints  # (n,) numbers of their commands, -1 for none
    by_hand: Floats  # see Held; vehicles that are commanded by hand, or have failed, are not judged
    lost: float  # distance at which they are lost [m]


@kernel()
def judge(judged, reference):
    """First body that is farther than ``lost`` from its reference, or wild: its place in ``bodies``, or −1; the error.

    judged : handle of ``Judged``
    """
    measured, bodies, devices, lost = judged.measured, judged.bodies, judged.devices, judged.lost
    by_hand = judged.by_hand
    for i in range(bodies.shape[0]):
        if devices[i] >= 0 and not (measured.alive[devices[i]] and math.isnan(by_hand[devices[i]])):
            continue
        b = bodies[i]
        error = speed = spin = 0.0
        for j in range(3):
            error += (value(measured.position[b, j]) - value(reference[i, 0, j])) ** 2
            speed += value(measured.velocity[b, j]) ** 2
            spin += value(measured.angular_velocity[b, j]) ** 2
        if not (error <= lost * lost and speed <= FASTEST * FASTEST and spin <= WILDEST * WILDEST):
            return i, math.sqrt(error), math.sqrt(speed), math.sqrt(spin)
    return -1, 0.0, 0.0, 0.0


@kernel()
def unsound(command, places):
    """Whether one of these commands is not finite."""
    total = 0.0
    for i in range(places.shape[0]):
        total += 0.0 * value(command[places[i]])
    return total != 0.0


class _Call(NamedTuple):
    """A task, what it is judged by, and two of its arguments: as handles, if its function is compiled."""

    task: Task
    judged: Handle
    measured: Any
    memory: Any


def _as_they_are(arrays: Any) -> Any:
    return arrays


class Runtime:
    """Sensors, controllers and actuators of a run.

    Parameters
    ----------
    compiled, step, own, by_hand : the scene, h [s], and see ``ControlledStepper``
    lead : time from the start to the method's first velocities, as of ``Acting``
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
        lead: float,
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
        self.sampled = np.full(1, -1)
        self.failure: SimulationError | None = None
        self._periods = sorted({int(n) for n in self.sensors.every} | {task.every for task in self.tasks})
        self._step, self._lead = step, lead
        self._sight: Handle | None = None

    @cached_property
    def _acting(self) -> Handle:
        return Handle(Acting(self.devices, self.held, self._step, self._lead))

    @cached_property
    def _calls(self) -> list[_Call]:
        seen = Handle(self.measured)
        return [self._prepared(task, seen) for task in self.tasks]

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

    def watch(self, state: State, R: Floats, Y: Floats, bodies: Bodies, p: Floats, off: Flags, h: float) -> None:
        """Say what there is to be seen of a run, see ``Sight``."""
        reading = self.held.reading
        sight = Sight(self.sensors, state, R, Y, bodies, p, off, self.devices.fails, h, self.measured, reading)
        self._sight = Handle(sight)

    def _prepared(self, task: Task, seen: Handle) -> _Call:
        judged = Handle(Judged(self.measured, task.bodies, task.devices, self.held.by_hand, float(task.lost)))
        if not hasattr(task.function, "py_func"):
            return _Call(task, judged, self.measured, task.memory)
        return _Call(task, judged, seen, task.memory if task.own else Handle(task.memory))

    def load(self, drive: Drive, block: Handle) -> None:
        """Compile or fetch what a sample calls, without a sample."""
        load(sense, self._sight, drive.length, drive.feed, 0, 0, 0.0)
        load(keep, self._acting, block, 0)
        load(start_steady, self._acting)
        for call in self._calls:
            reference = np.zeros((len(call.task.motions), 3, 3))
            load(judge, call.judged, reference)
            load(unsound, self.held.command, call.task.command)
            with suppress(NumbaError):  # of the user's own: told when it is called
                load(call.task.function, 0.0, call.measured, reference, call.memory, self.held.command)

    def due(self, step: int) -> bool:
        """Whether something is to be sampled before this step, and was not yet."""
        return self.sampled[0] < step and (step == 0 or 0 in [step % every for every in self._periods])

    def next_after(self, step: int) -> int:
        """The next step before which something is to be sampled."""
        return min([step - step % every + every for every in self._periods], default=step + (1 << 40))

    def references(self, first: int, time: Floats) -> list[Floats]:
        """For each task its references at the steps of a block that begins with step ``first``, where it is due."""
        return [task.references(time[-first % task.every :: task.every]) for task in self.tasks]

    def sample(self, first: int, k: int, t: float, references: list[Floats], drive: Drive | Handle) -> bool:
        """Sample what is due before step ``first + k`` of a block; False if the run must stop, see ``failure``."""
        step = first + k
        if not self.due(step):
            return True
        sense(self._sight, drive.length, drive.feed, k, step, t)
        for call, reference in zip(self._calls, references, strict=True):
            every = call.task.every
            if step % every == 0 and not self._call(call, t, reference[(k - -first % every) // every]):
                return False
        self._obey()
        if self.sampled[0] < 0:
            start_steady(self._acting)
        self.sampled[0] = step
        return True

    def command(self, owner: str, given: Floats | None) -> None:
        """Command a vehicle, body or winch by hand from now on; None gives it back to its controller."""
        places = self.plant.owned(owner)
        self.held.by_hand[places] = np.nan if given is None else given
        if self.sampled[0] >= 0:  # or else what acts begins with the first sample
            self._obey()

    def _obey(self) -> None:
        """What is commanded by hand takes the place of what controllers command."""
        given = ~np.isnan(self.held.by_hand)
        self.held.command[given] = self.held.by_hand[given]

    def _call(self, call: _Call, t: float, reference: Floats) -> bool:
        task = call.task
        lost, error, speed, spin = judge(call.judged, reference)
        if lost >= 0:
            name = self.plant.bodies[task.bodies[lost]]
            self.failure = SimulationError(
                f"at t = {t:.6g} s {name!r} is out of control: {error:.3g} m from where it should be, at {speed:.3g} "
                f"m/s, turning at {spin:.3g} rad/s; controller {task.name!r} is unstable, or asks for more than its "
                "actuators give (see the variables command and actuation)",
                time=t,
            )
            return False
        command = self.held.command.copy() if task.own else self.held.command
        try:
            function: Callable[..., object] = task.function  # which should return nothing
            answer = function(t, call.measured, reference, call.memory, command)
        except Exception as error_:
            self.failure = SimulationError(
                f"at t = {t:.6g} s controller {task.name!r} raised {type(error_).__name__}: {error_}", time=t
            )
            self.failure.__cause__ = error_
            return False
        if answer is not None:
            self.failure = SimulationError(
                f"at t = {t:.6g} s controller {task.name!r} returned {show(answer)}, which nobody reads; have it write "
                "to command instead, and return nothing",
                time=t,
            )
            return False
        if unsound(command, task.command):
            wrong = [int(i) for i in task.command if not math.isfinite(command[i])]
            names = ", ".join(f"{self.plant.actuators[i]} = {command[i]}" for i in wrong)
            self.failure = SimulationError(
                f"at t = {t:.6g} s controller {task.name!r} commands {names}; commands must be finite{self._unread()}",
                time=t,
            )
            self.held.command[~np.isfinite(self.held.command)] = 0.0
            return False
        if task.own:
            self.held.command[task.command] = command[task.command]
        return True

    def _unread(self) -> str:
        """What to say of tensions that a law cannot have read yet."""
        wires = [
            name for name, tension in zip(self.plant.wires, self.measured.tension, strict=True) if math.isnan(tension)
        ]
        if not wires:
            return ""
        return f" (measured.tension of wire {wires[0]!r} is NaN until it is read, first at the end of the first step)"

    def hold(self, block: Handle, k: int, stop: int) -> None:
        """Fill drive and record of a block (see ``filled``) from sample k to sample ``stop``."""
        hold(self._acting, block, k, stop)

    def reel_on(self, block: Handle) -> None:
        """Let winches go on behind a block of one step as they are held there, for the kick of SHAKE's last row."""
        reel_on(self._acting, block)

    def keep(self, block: Handle, row: int) -> None:
        """The run went on to this row of a block."""
        keep(self._acting, block, row)

    def inputs(self, rows: int) -> Inputs:
        """A record of so many rows."""
        return make_inputs(self.held, rows)
