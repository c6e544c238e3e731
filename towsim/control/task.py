"""A controller in a run: what it is called with, how often, and what it may command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.given import a_number
from towsim.model.arrays import Floats, Ints, Ints2
from towsim.quote import show
from towsim.scene import Motion, Robot

ARGUMENTS = ("t", "measured", "reference", "memory", "command")

Function = Callable[[float, Any, Floats, Any, Floats], None]
"""``controller(t, measured, reference, memory, command)``: writes to ``memory`` and to its own part of ``command``.

Parameters
----------
t : time [s]
measured : see ``Measured``
reference : (n, 3, 3) declared position, velocity and acceleration of each of its n vehicles (of the load, for laws that
    carry one) [m, m/s, m/s²]; for a winch's law its target is reference[0, 0, 0]
memory : what it keeps, an array or a NamedTuple of arrays
command : see ``Plant.actuators``, as it is held; what it writes beyond its own part is not taken over

All arrays are written again for the next sample: copy what is to be kept.
"""


@dataclass(frozen=True)
class Control:
    """A controller of one's own: ``towsim.simulate(scene, controllers={"drone": Control(function, rate=200.0)})``.

    Parameters
    ----------
    function : ``function(t, measured, reference, memory, command)``, plain Python or compiled by ``numba.njit``
    rate : samples a second [Hz]; None: at every step
    memory : what it keeps from sample to sample: an array, or a NamedTuple of arrays; every run begins with a copy. One
        of whole numbers, for counters and places, cuts off what is written
    vehicles : what it commands: vehicles, bodies, wires with a winch; by default what its name says

    Raises
    ------
    UsageError : rate or memory is something else
    """

    function: Function
    rate: float | None = None
    memory: Any = field(default_factory=lambda: np.zeros(0))
    vehicles: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.rate is not None and not a_number("rate", self.rate) > 0.0:
            raise UsageError(f"rate must be a finite number > 0 Hz, got {show(self.rate)}")
        if not _arrays_only(self.memory):
            raise UsageError(
                f"memory must be an array, or a NamedTuple of arrays, got {show(self.memory)}; "
                "take np.zeros(1) for one number"
            )


def _arrays_only(memory: Any) -> bool:
    """Whether this is an array, or a tuple of such."""
    return isinstance(memory, np.ndarray) or (isinstance(memory, tuple) and all(map(_arrays_only, memory)))


@dataclass
class Task:
    """A controller of a run.

    Attributes
    ----------
    name : its name;  every : steps between two samples
    function, memory : see ``Control``
    motions : whose positions, velocities and accelerations it follows
    bodies : the body that should follow each of them
    devices : (n, 2) its actuators, from one to before another, whose failure excuses it; −1 for none
    command : (n,) the numbers that it may command
    lost : error at which the run is given up [m]
    own : whether it is the user's own, who may write anywhere
    """

    name: str
    every: int
    function: Function
    memory: Any
    motions: tuple[Motion | Robot, ...]
    bodies: Ints
    devices: Ints2
    command: Ints
    lost: float
    own: bool = False

    def references(self, t: Floats) -> Floats:
        """Positions, velocities and accelerations (n, motions, 3, 3) at the times t (n,) [s]."""
        out = np.zeros((len(t), len(self.motions), 3, 3))
        for i, motion in enumerate(self.motions):
            for j, values in enumerate(motion.sample(t)):
                out[:, i, j] = values
        return out


def steps_between(what: str, rate: float | None, step: float) -> int:
    """Steps between two samples at a rate [Hz].

    Raises
    ------
    UsageError : not a whole number; says which rates and steps would do
    """
    if rate is None:
        return 1
    ratio = 1.0 / (rate * step)
    if not ratio < 1e15:
        raise UsageError(f"{what} is sampled every {1.0 / rate:.6g} s, too rarely for steps of {step:.6g} s")
    count = round(ratio)
    if count < 1 or abs(ratio - count) > 1e-6 * ratio:
        near = max(count, 1)
        raise UsageError(
            f"{what} is sampled every {1.0 / rate:.6g} s, which is not a whole number of steps of {step:.6g} s; "
            f"take rate {1.0 / (near * step):.6g}, or a step of {1.0 / (rate * max(np.ceil(ratio - 1e-6), 1)):.6g} s"
        )
    return count
