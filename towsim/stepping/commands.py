"""Robots and forces that are commanded while a run goes on, in place of or besides what the scene declares."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.model.arrays import FORCE, MOMENT, THRUST, TORQUE, Drive, Floats, Loads, pack
from towsim.model.compile import Compiled
from towsim.model.drive import Driver
from towsim.quote import show
from towsim.suggest import is_one_of, unknown

KINDS = (FORCE, TORQUE, THRUST, MOMENT)
"""Loads of each body that takes commands: force and torque in world axes, force and torque in body axes."""


class Commands(Driver):
    """A scene's driver, with commands on top.

    Parameters
    ----------
    driver : what the scene declares
    robots : names of all robots
    bodies : names of the bodies on which forces may be commanded
    """

    commanded = True

    def __init__(self, driver: Driver, robots: tuple[str, ...], bodies: tuple[str, ...]) -> None:
        self._driver, self._robots_by_name, self._bodies = driver, robots, bodies
        self._motion: dict[int, tuple[float, Floats, Floats, Floats]] = {}
        self._force: Floats = np.zeros((len(KINDS) * len(bodies), 3))

    @property
    def given(self) -> bool:
        """Whether there is any command."""
        return bool(self._motion) or bool(self._force.any())

    def clear(self) -> None:
        """Take all commands back."""
        self._motion.clear()
        self._force[:] = 0.0

    def memory(self) -> Any:
        """All commands, for ``recall``."""
        return dict(self._motion), self._force.copy()

    def recall(self, memory: Any) -> None:
        """Give the commands that ``memory`` was taken of."""
        self._motion, force = dict(memory[0]), memory[1]
        self._force[:] = force

    def kinks(self, duration: float) -> Floats:
        """See ``Driver``; commands begin where a block does, and need no kink."""
        return self._driver.kinks(duration)

    def sample(self, t: Floats) -> Drive:
        """See ``Driver``."""
        drive = self._driver.sample(t)
        for robot in self._motion:
            drive.robot[:, robot], drive.robot_rate[:, robot] = self._steered(robot, t)
        if len(self._force):
            load = np.concatenate([drive.load, np.broadcast_to(self._force, (len(t), *self._force.shape))], axis=1)
            drive = drive._replace(load=load)
        return drive

    def _steered(self, robot: int, t: Floats) -> tuple[Floats, Floats]:
        """Positions and velocities (n, 3) of a robot under command."""
        since, position, velocity, acceleration = self._motion[robot]
        tau = (t - since)[:, None]
        return position + velocity * tau + 0.5 * acceleration * tau**2, velocity + acceleration * tau

    def blank(self, rows: int) -> Drive:
        """See ``Driver``."""
        drive = self._driver.blank(rows)
        return drive._replace(load=np.zeros((rows, drive.load.shape[1] + len(self._force), 3)))

    def steer(self, name: str, time: float, velocity: Any, acceleration: Any) -> bool:
        """Command a robot from ``time`` [s] on; returns whether its velocity jumps there."""
        if not is_one_of(name, self._robots_by_name):
            raise UsageError(unknown("robot", name, self._robots_by_name))
        robot = self._robots_by_name.index(name)
        now = np.array([time])
        if robot in self._motion:
            position, rate = self._steered(robot, now)
        else:
            drive = self._driver.sample(now)
            position, rate = drive.robot[:, robot].copy(), drive.robot_rate[:, robot].copy()
        before = rate[0]
        after = before if velocity is None else vector("velocity", velocity)
        pull = np.zeros(3) if acceleration is None else vector("acceleration", acceleration)
        self._motion[robot] = (time, position[0], after, pull)
        return bool((after != before).any())

    def push(self, name: str, force: Any, torque: Any, *, body_axes: bool) -> None:
        """Command force and torque on a body, in world or body axes, until further notice."""
        if not is_one_of(name, self._bodies):
            known = unknown("body with commanded forces", name, self._bodies) if self._bodies else "no forces"
            raise UsageError(f"{known}; declare them: Simulation(..., forces=[{show(name)}])")
        first = len(KINDS) * self._bodies.index(name)
        self._force[first : first + len(KINDS)] = 0.0
        k = first + (2 if body_axes else 0)
        self._force[k], self._force[k + 1] = vector("force", force), vector("torque", torque)


def with_commands(compiled: Compiled, bodies: tuple[str, ...]) -> tuple[Compiled, Commands]:
    """A compiled scene that takes commands, on forces of some bodies too."""
    scene = compiled.scene
    for name in bodies:
        if not is_one_of(name, scene.bodies):
            raise UsageError(unknown("body", name, scene.bodies))
    index = np.repeat([list(scene.bodies).index(name) for name in bodies], len(KINDS)).astype(np.int64)
    loads = compiled.model.loads
    loads = pack(
        Loads,
        body=np.append(loads.body, index),
        kind=np.append(loads.kind, np.tile(KINDS, len(bodies)).astype(np.int64)),
        at=np.append(loads.at, np.zeros((len(index), 3)), axis=0),
    )
    commands = Commands(compiled.driver, tuple(scene.robots), bodies)
    return replace(compiled, model=compiled.model._replace(loads=loads), driver=commands), commands


def vector(what: str, value: Any) -> Floats:
    """Three finite numbers, copied. Raises UsageError."""
    try:
        array = np.array(value, float)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.shape != (3,) or not np.isfinite(array).all():
        raise UsageError(f"{what} must be three finite numbers, got {show(value)}")
    return array
