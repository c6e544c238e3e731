"""Four rotors of a quadcopter: thrusts along the body's z axis, yaw moments, failures."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, StrictInt, model_validator

from towsim.scene.base import Declared, outlines, problem
from towsim.scene.formula import formula
from towsim.scene.motion import inside
from towsim.scene.quantity import NONE, Expression, Quantity, list_schema

Array = NDArray[np.float64]
Thrust = float | str

COMMANDED = "commanded"
"""In place of thrusts that are known beforehand: a controller gives them."""

COUNT = 4
ALL = (1, 2, 3, 4)

ROUNDED_UP = 1.0 + 1e-15
"""A step time k h may fall short of the instant that it means by some roundings."""


class _Thrusts(Expression):
    """One thrust for all rotors, or a list of four; each a number or a formula in t; or that it is commanded."""

    def read(self, value: Any, parameters: Mapping[str, float] = NONE) -> Any:
        if isinstance(value, str) and value == COMMANDED:
            return value
        if not isinstance(value, list | tuple):
            return super().read(value, parameters)
        if len(value) != COUNT:
            raise problem(f"must be one thrust or a list of {COUNT}, got {len(value)}")
        return tuple(super(_Thrusts, self).read(item, parameters) for item in value)

    def schema(self) -> dict[str, Any]:
        one = super().schema()
        return {"anyOf": [one, list_schema(one, COUNT)]}


class Failure(Declared):
    """From ``time`` on the named rotors give no thrust; without names all four (the vehicle)."""

    time: Annotated[float, Quantity("time of the failure", "s", least=0.0)]
    rotors: tuple[StrictInt, ...] = Field(default=ALL, description="which rotors fail, of 1, 2, 3, 4")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.rotors or not set(self.rotors) <= set(ALL) or len(set(self.rotors)) != len(self.rotors):
            raise problem(f"must be different numbers from 1 to {COUNT}, got {list(self.rotors)}", "rotors")
        return self


class Rotors(Declared):
    """Rotors 1 to 4 on the body axes +x, +y, −x, −y at the distance ``arm``.

    Each pushes along body z with its thrust T and turns the body about z by ±κ T, κ = ``moment_ratio``: + for
    rotors 1 and 3, − for 2 and 4. Thrusts that are ``commanded`` by a controller stay in 0 .. ``max_thrust`` and follow
    with the time constant ``lag``.
    """

    arm: Annotated[float, Quantity("distance of a rotor's axis from the centre", "m", above=0.0)]
    moment_ratio: Annotated[float, Quantity("yaw moment over thrust", "m", least=0.0)] = 0.0
    thrust: Annotated[
        Thrust | tuple[Thrust, Thrust, Thrust, Thrust],
        _Thrusts("thrust of every rotor, or a list of four; numbers or formulas in t; or: commanded", "N"),
    ]
    max_thrust: (
        Annotated[
            float,
            Quantity("largest thrust of a commanded rotor; named laws ask for at most 0.9 of all four", "N", above=0.0),
        ]
        | None
    ) = None
    lag: Annotated[float, Quantity("time constant of commanded rotors", "s", least=0.0)] = 0.0
    failures: tuple[Failure, ...] = Field(default=(), description="what fails, and when")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.commanded and (self.max_thrust is not None or self.lag > 0.0):
            what = "lag" if self.max_thrust is None else "max_thrust"
            raise problem("is for rotors with thrust: commanded; leave it out, or command them", what)
        return self

    def outlined(self) -> Hashable:
        """As of all things, but for thrusts, which are known at every instant, and the lag, which may be zero."""
        apart = "thrust", "lag"
        return Rotors, self.commanded, *outlines(self, [name for name in Rotors.model_fields if name not in apart])

    @property
    def commanded(self) -> bool:
        """Whether a controller gives the thrusts."""
        return self.thrust == COMMANDED

    def failure_times(self) -> tuple[float, ...]:
        """When each rotor fails for the first time [s]; infinite if never."""
        return tuple(min((f.time for f in self.failures if n in f.rotors), default=np.inf) for n in ALL)

    def thrusts_at(self, t: Array, known: dict[str | float, Array] | None = None) -> Array:
        """Thrust of each rotor (n, 4) [N] at the times ``t`` (n,) [s]; zero from its failure on.

        known : values at these times of formulas, looked up and added to: rotors often share one
        """
        if self.commanded:
            return np.zeros((len(t), COUNT))
        known = {} if known is None else known
        given = self.thrust if isinstance(self.thrust, tuple) else (self.thrust,) * COUNT
        T = np.empty((len(t), COUNT))
        for i, (f, fails) in enumerate(zip(given, self.failure_times(), strict=True)):
            if f not in known:
                known[f] = formula(f).value(t) if isinstance(f, str) else np.full(len(t), f)
            T[:, i] = known[f]
            if fails < np.inf:
                T[t * ROUNDED_UP >= fails, i] = 0.0
        return T

    def wrench_at(self, t: Array, known: dict[str | float, Array] | None = None) -> Array:
        """Force [N] at the centre and torque [N m], (n, 2, 3), along the body axes, at the times ``t`` (n,)."""
        # Rotors stand along x, y, −x, −y; the moments of opposite ones cancel exactly.
        x, y, x_too, y_too = self.thrusts_at(t, known).T
        along_x, along_y = x + x_too, y + y_too
        wrench = np.zeros((len(t), 2, 3))
        wrench[:, 0, 2] = along_x + along_y
        wrench[:, 1, 0], wrench[:, 1, 1] = self.arm * (y - y_too), self.arm * (x_too - x)
        wrench[:, 1, 2] = self.moment_ratio * (along_x - along_y)
        return wrench

    def kinks(self, until: float) -> Array:
        """Times in (0, until) [s] at which a thrust or some derivative of it jumps."""
        given = self.thrust if isinstance(self.thrust, tuple) else () if self.commanded else (self.thrust,)
        found = [formula(f).kinks(until) for f in given if isinstance(f, str)]
        return np.unique(np.concatenate([inside(self.failure_times(), until), *found]))
