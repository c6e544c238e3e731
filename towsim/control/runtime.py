"""The controllers and sensors of a run under way: what is due is sampled, judged and held."""

# mypy: allow-untyped-calls, allow-untyped-defs
from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

import numpy as np

from towsim.compiled import kernel
from towsim.control.actuators import Held, Inputs, hold, make_inputs, start_steady
from towsim.control.laws import make_tasks
from towsim.control.plant import WINCH, plant_of
from towsim.control.seen import make_measured, make_sensors, sense
from towsim.control.task import Control, Function, Task
from towsim.errors import SimulationError
from towsim.model.arrays import Drive, Floats, State
from towsim.model.compile import Compiled

FASTEST, WILDEST = 340.0, 1000.0
"""Speed [m/s] and angular velocity [rad/s] at which a controlled body has surely diverged."""


@kernel()
def judge(measured, reference, bodies, devices, lost):
    """First body that is farther than ``lost`` from its reference, or wild: its place in ``bodies``, or −1; the error.

    Vehicles that have failed (devices: a number of their command, −1 for none) are not judged.
    """
    for i in range(bodies.shape[0]):
        if devices[i] >= 0 and not measured.alive[devices[i]]:
            continue
        b = bodies[i]
        error = speed = spin = 0.0
        for j in range(3):
            error += (measured.position[b, j] - reference[i, 0, j]) ** 2
            speed += measured.velocity[b, j] ** 2
            spin += measured.angular_velocity[b, j] ** 2
        if not (error <= lost * lost and speed <= FASTEST * FASTEST and spin <= WILDEST * WILDEST):
            return i, math.sqrt(error), math.sqrt(speed), math.sqrt(spin)
    return -1, 0.0, 0.0, 0.0


class Geometry(Protocol):
    """What sensors need of the steppers' scratch: rotations and inverse inertias (nb, 3, 3) at the state."""

    @property
    def R(self) -> Floats:
        """Rotations."""

    @property
    def Y(self) -> Floats:
        """Inverse inertias, world axes."""


class Runtime:
    """Sensors, controllers and actuators of a run.

    Attributes
    ----------
    held : what they keep; with ``measured`` and the tasks' memories all that changes
    channels : names of the readings
    failure : why the run must stop, once it must
    """

    def __init__(self, compiled: Compiled, step: float, own: Mapping[str, Control | Function] | None = None) -> None:
        self.plant = plant_of(compiled)
        self.devices = self.plant.devices
        self.sensors, self.channels = make_sensors(compiled, self.plant, step)
        self.tasks = make_tasks(compiled, self.plant, step, own)
        self.measured = make_measured(self.plant)
        self.bodies, self.step = compiled.model.bodies, step
        na, nd = len(self.plant.actuators), len(self.devices.kind)
        self.held = Held(np.zeros(na), np.zeros(na), np.zeros(nd), np.zeros(len(self.channels)))
        self.sampled = np.full(1, -1)
        self.failure: SimulationError | None = None
        self._periods = sorted({int(n) for n in self.sensors.every} | {task.every for task in self.tasks})
        self._drums = [(int(d), int(self.devices.place[d])) for d in np.flatnonzero(self.devices.kind == WINCH)]
        for d, _ in self._drums:
            name = self.plant.actuators[self.devices.first[d]].removesuffix(".rate")
            self.held.length[d] = float(compiled.scene.wires[name].length_at(np.zeros(1))[0][0])

    def due(self, step: int) -> bool:
        """Whether something is to be sampled before this step, and was not yet."""
        return self.sampled[0] < step and any(step % every == 0 for every in self._periods)

    def next_after(self, step: int) -> int:
        """The next step before which something is to be sampled."""
        return min((step // every + 1) * every for every in self._periods) if self._periods else step + (1 << 40)

    def references(self, first: int, time: Floats) -> list[Floats]:
        """For each task its references at the steps of a block that begins with step ``first``, where it is due."""
        return [task.references(time[-first % task.every :: task.every]) for task in self.tasks]

    def sample(
        self,
        first: int,
        k: int,
        t: float,
        references: list[Floats],
        state: State,
        work: Geometry,
        p: Floats,
        drive: Drive,
    ) -> bool:
        """Sample what is due before step ``first + k`` of a block; False if the run must stop, see ``failure``."""
        step = first + k
        sense(
            self.sensors, state.q, state.v, work.R, work.Y, self.bodies.gravity, self.bodies.rotates, p, drive.length,
            drive.feed, self.devices.fails, k, step, t, self.step, self.measured, self.held.reading,
        )  # fmt: skip
        for task, reference in zip(self.tasks, references, strict=True):
            if step % task.every == 0 and not self._call(task, t, reference[(k - -first % task.every) // task.every]):
                return False
        if self.sampled[0] < 0:
            start_steady(self.devices, self.held)
        self.sampled[0] = step
        return True

    def _call(self, task: Task, t: float, reference: Floats) -> bool:
        lost, error, speed, spin = judge(self.measured, reference, task.bodies, task.devices, task.lost)
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
            task.function(t, self.measured, reference, task.memory, command)
        except Exception as error_:
            self.failure = SimulationError(
                f"at t = {t:.6g} s controller {task.name!r} raised {type(error_).__name__}: {error_}", time=t
            )
            self.failure.__cause__ = error_
            return False
        if not math.isfinite(command[task.command].sum() if task.own else command.sum()):
            wrong = [int(i) for i in task.command if not math.isfinite(command[i])]
            names = ", ".join(f"{self.plant.actuators[i]} = {command[i]}" for i in wrong) or "numbers too large to add"
            self.failure = SimulationError(
                f"at t = {t:.6g} s controller {task.name!r} commands {names}; commands must be finite", time=t
            )
            self.held.command[~np.isfinite(self.held.command)] = 0.0
            return False
        if task.own:
            self.held.command[task.command] = command[task.command]
        return True

    def hold(self, drive: Drive, time: Floats, k: int, stop: int, out: Inputs) -> None:
        """Fill drive and record from sample k to sample ``stop``."""
        hold(
            self.devices, self.held, drive.load, drive.length, drive.length_rate, drive.feed, drive.feed_rate, time,
            self.step, k, stop, out,
        )  # fmt: skip

    def keep(self, drive: Drive, inputs: Inputs, row: int) -> None:
        """The run went on to this row of a block."""
        self.held.actuation[:] = inputs.actuation[row]
        for d, place in self._drums:
            self.held.length[d] = drive.length[row, place] if place >= 0 else drive.feed[row, -1 - place]

    def inputs(self, rows: int) -> Inputs:
        """A record of so many rows."""
        return make_inputs(self.held, rows)
