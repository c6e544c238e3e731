"""How a scene is run unless the call says otherwise."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import model_validator

from towsim.quote import show
from towsim.scene.base import Declared, problem
from towsim.scene.quantity import Quantity, Text

ROUNDED = 1e-9  # what a duration may be short of whole steps by, of a step
MOST_STEPS = 10**9  # some minutes of the fastest scene; beyond it, a typo in step or duration

METHOD = Text("time stepping method", pattern=r"[a-z0-9-]{1,40}", form="a lower-case name such as shake")
SOLVER = Text("back-end for the complementarity problems", pattern=r"[a-z0-9-]{1,40}", form="a name such as auto")


class Run(Declared):
    """What a run takes unless it is told otherwise; methods and solvers by name, see ``towsim.simulate``."""

    duration: Annotated[float, Quantity("simulated time", "s", above=0.0)] = 5.0
    step: Annotated[float, Quantity("time step", "s", above=0.0)] = 1e-3
    method: Annotated[str, METHOD] | None = None
    solver: Annotated[str, SOLVER] = "auto"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.duration < (1.0 - ROUNDED) * self.step:
            raise problem(f"must not exceed the duration {self.duration!r} s, got {show(self.step)} s", "step")
        if self.duration > MOST_STEPS * self.step:
            steps = self.duration / self.step
            raise problem(f"{self.step!r} s needs {steps:.2g} steps, more than {MOST_STEPS:.0e}; enlarge it", "step")
        return self
