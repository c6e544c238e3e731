"""What a back-end answers (unchecked), and what the caller gets (checked)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from solvers.quote import aligned, number
from solvers.status import Status

if TYPE_CHECKING:
    from solvers.certificates import Exhausted, Farkas, Proof
    from solvers.log import Log
    from solvers.matrix import Array
    from solvers.problem import MLCP


SHOWN = 10
"""Rows of a solution that are printed."""

TRACE = 1e-12
"""Share of its row below which a z or w is printed as 0."""


class Answer(NamedTuple):
    """A back-end's own word.

    Attributes
    ----------
    z : (n,) last iterate, None if there is none
    status : what the back-end believes
    iterations : of its own kind (pivots, sweeps, factorisations)
    y : (n,) what may be a Farkas vector
    message : anything a person should know
    log : what was done, iteration by iteration, if asked for
    exhausted : that there is no solution as no basis gives one
    seconds : time in compiled code of the method's own [s], NaN if the whole back-end is to be timed
    """

    z: Array | None
    status: Status
    iterations: int
    y: Array | None = None
    message: str = ""
    log: Log | None = None
    seconds: float = nan
    exhausted: Exhausted | None = None


def printed(solution: Any) -> str:
    """A solution as text: what was found, by which method, and the first rows of z and w, rounding as 0."""
    head = f"<{type(solution).__name__}: {solution.status} by {solution.method}, {solution.iterations} iterations"
    head += ">" if np.isnan(solution.residual) else f", residual {solution.residual:.1e}>"
    lines, problem = [head, *filter(None, [solution.message])], solution.problem
    if solution.solved and problem.n:
        shares = problem.shares(solution.z, solution.w)
        z, w = (np.where(np.abs(s) < TRACE, 0.0, x) for s, x in zip(shares, (solution.z, solution.w), strict=True))
        names = [str(name) for name in problem.names[:SHOWN]]
        lines += aligned([["", "z", "w"], *([name, number(z[i]), number(w[i])] for i, name in enumerate(names))])
        if problem.n > SHOWN:
            lines.append(f"... {problem.n - SHOWN} more")
    return "\n".join(lines)


@dataclass(eq=False, repr=False)
class Solution:
    """Checked answer of :func:`solvers.solve`.

    Attributes
    ----------
    z, w : (n,) multipliers and w = M z + q; NaN if nothing was found. Unless ``status`` is solved they are only the
        best that was met, with ``residual`` as found.
    status : see :class:`solvers.Status`
    residual : scaled residual of z (see ``problem.MLCP``), NaN without z
    iterations : what the method counted
    method : back-end that gave this answer
    message : one sentence or more for a person
    problem : what was solved
    farkas : proof of infeasibility, or None
    exhausted : proof that no basis gives a solution, or None
    log : iterations as a table (:class:`solvers.Log`), if the method was asked for them with ``log=True``, else None
    seconds : time in the algorithm, apart from checks before and behind it [s]; NaN where it was not taken, as for
        ``auto``. Of compiled methods the time in their kernel, of other packages what these tell, else in the back-end
    unpolished : residual of the method's own z, before it was polished; NaN where that is not told
    """

    z: Array
    w: Array
    status: Status
    residual: float
    iterations: int
    method: str
    message: str
    problem: MLCP
    farkas: Farkas | None = None
    log: Log | None = None
    seconds: float = nan
    unpolished: float = nan
    exhausted: Exhausted | None = None

    def __repr__(self) -> str:
        return printed(self)

    @property
    def solved(self) -> bool:
        """Whether z is a solution (residual at most 1e-9)."""
        return self.status is Status.SOLVED

    @cached_property
    def v(self) -> Array | None:
        """Body velocity, for problems of wires; None for others or without z."""
        wires = self.problem.wires
        return None if wires is None or np.isnan(self.residual) else wires.velocity(self.z)

    @cached_property
    def active(self) -> Array:
        """(n,) bool, active rows: free ones, and those with ζ > w/s (see ``problem``)."""
        zeta, r = self.problem.shares(self.z, self.w)
        return np.asarray(self.problem.free | (zeta > r))

    @cached_property
    def certificate(self) -> Proof | Farkas | Exhausted | None:
        """Proof of what ``status`` claims; None where it claims nothing. Computed when first asked for."""
        if self.status is not Status.SOLVED:
            return self.farkas or self.exhausted
        from solvers.certificates import prove

        return prove(self.problem, self.residual, self.active)

    @cached_property
    def z_unique(self) -> bool | None:
        """Whether z is the only solution; None if that was not decided. Computed when first asked for."""
        if self.status is not Status.SOLVED:
            return None
        from solvers.uniqueness.second_solution import z_unique

        return z_unique(self.problem, self.z, self.w)
