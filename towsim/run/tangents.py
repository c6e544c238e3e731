"""A run in duals (``solvers.kernels.dual``): derivatives forwards, in up to seven directions side by side.

They begin with the seeds of the scene's numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvers.kernels.dual import DIRECTIONS, duals, parts
from solvers.kernels.dual import values as plain_values
from towsim.methods.stepper import Stepper
from towsim.model.arrays import Floats
from towsim.run.carried import Carried
from towsim.run.known import Known
from towsim.run.seeds import Seed, rates_of_springs


class Tangents(Carried):
    """A run in duals.

    Parameters
    ----------
    stepper : at the start of the scene; nothing is written to it
    seeds : up to seven directions
    """

    convert = staticmethod(duals)
    plain = staticmethod(plain_values)

    def __init__(self, stepper: Stepper, seeds: Sequence[Seed]) -> None:
        assert len(seeds) <= DIRECTIONS
        self._moved: list[set[str]] = [set() for _ in seeds]  # fields of known motions that have had derivatives
        super().__init__(stepper, seeds)
        places = dict((*self.numbers(), *self.written()))
        for i, seed in enumerate(seeds, 1):
            for path, rate in seed.begun().items():
                if path in places:
                    parts(places[path])[..., i] = rate
            for row, softer in rates_of_springs(self.compiled.model, seed, self.h, stepper.method.staggered):
                parts(self.model.rows.compliance)[row, i] = softer

    def seeded(self, known: Known, of_drive: list[dict[str, Floats]], of_references: list[list[Floats]]) -> Known:
        """See ``Carried``."""
        for i, fields in enumerate(of_drive, 1):
            self._moved[i - 1] |= fields.keys()
            for name in self._moved[i - 1]:
                parts(getattr(known.arrays.drive, name))[..., i] = fields.get(name, 0.0)  # 0: of a block before
        for i, rates in enumerate(of_references, 1):
            for reference, rate in zip(known.references, rates, strict=False):  # or none
                parts(reference)[..., i] = rate
        return known
