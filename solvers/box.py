"""Complementarity between bounds: w = M z + q, lower ≤ z ≤ upper, w ≥ 0 where z = lower, ≤ 0 where z = upper, else 0.

With s_i = −1 where only the upper bound is finite, z = bound + S x, x ≥ 0 (free where no bound is); where both are, λ ≥
0 is the multiplier of the upper one:

    S w + λ = S M S x + S (q + M bound) + λ ≥ 0  ⟂  x ≥ 0,      (upper − lower) − x ≥ 0  ⟂  λ ≥ 0

Rows with lower = upper are left out. So one or no bound a row leaves M as it is, symmetric or not, and two add a skew
part, which leaves it semidefinite. z solves the one if and only if x and λ = max(0, −w) where x = upper − lower solve
the other, so verdicts and proofs are those of this MLCP.

Source: Dirkse & Ferris, The PATH solver, Optim. Methods Softw. 5 (1995) 123-156 (mixed complementarity problem).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers.described import described
from solvers.matrix import Array
from solvers.problem import MLCP, ProblemError
from solvers.quote import number, show
from solvers.solution import Solution
from solvers.status import Status


class MCP:
    """A problem with bounds on z.

    Parameters
    ----------
    M : (n, n) dense array, SciPy sparse, or ``solvers.Envelope``
    q : (n,)
    lower, upper : (n,) or one number for all; −inf and inf where there is no bound
    names : (n,) names of the rows for messages

    Raises ``ProblemError`` if shapes do not fit, or a lower bound is above its upper one.
    """

    kind_of_row = "row"
    wires = None

    def __init__(
        self, M: Any, q: Any, lower: Any = 0.0, upper: Any = np.inf, *, names: Sequence[str] | None = None
    ) -> None:
        plain = MLCP(M, q, names=names)
        self.M, self.q, self.n, self.names = plain.M, plain.q, plain.n, plain.names
        self.lower, self.upper = (_bound(name, x, self.n) for name, x in (("lower", lower), ("upper", upper)))
        wrong = ~(self.lower <= self.upper) | (self.lower == np.inf) | (self.upper == -np.inf)
        if wrong.any():
            i = int(wrong.argmax())
            raise ProblemError(
                f"lower[{i}] <= upper[{i}] is needed ({self.names[i]}), -inf and inf where there is no bound; "
                f"got {self.lower[i]} and {self.upper[i]}"
            )

    def __repr__(self) -> str:
        bounds = {"lower": self.lower, "upper": self.upper}
        return described(self, {name: [number(x) for x in bound] for name, bound in bounds.items()})

    @cached_property
    def invalid(self) -> str:
        """What of M and q is not finite and where; empty if all is well."""
        return MLCP(self.M, self.q, names=self.names).invalid

    @cached_property
    def _rows(self) -> tuple[Array, Array, Array, Array]:
        """Rows of x, their signs, all rows' offsets, and which rows of x have two bounds."""
        below, above = np.isfinite(self.lower), np.isfinite(self.upper)
        offset = np.where(below, self.lower, np.where(above, self.upper, 0.0))
        kept = np.flatnonzero(self.lower < self.upper)
        return kept, np.where(~below & above, -1.0, 1.0)[kept], offset, (below & above)[kept]

    @cached_property
    def reduced(self) -> MLCP:
        """The MLCP in x and λ, see the head of this module."""
        kept, sign, offset, two = self._rows
        q = np.concatenate([sign * (self.q + mx.product(self.M, offset))[kept], (self.upper - self.lower)[kept][two]])
        names = [str(self.names[i]) for i in kept] + [f"{self.names[i]} at most" for i in kept[two]]
        free = np.concatenate([np.isinf(self.lower[kept]) & np.isinf(self.upper[kept]), np.zeros(int(two.sum()), bool)])
        if isinstance(self.M, np.ndarray):
            inner: Any = self.M[np.ix_(kept, kept)] * sign * sign[:, None]
            upper = np.eye(len(kept))[:, two]
            M: Any = np.block([[inner, upper], [-upper.T, np.zeros((upper.shape[1],) * 2)]])
        else:
            import scipy.sparse as sp

            inner = sp.diags_array(sign) @ mx.to_sparse(self.M)[kept][:, kept] @ sp.diags_array(sign)
            upper = sp.eye_array(len(kept), format="csc")[:, np.flatnonzero(two)]
            M = sp.block_array([[inner, upper], [-upper.T, None]], format="csr") if two.any() else sp.csr_array(inner)
        return MLCP(M, q, free, names=names)

    def w(self, z: Array) -> Array:
        """M z + q."""
        return np.asarray(mx.product(self.M, z) + self.q)

    def residual(self, z: Array, w: Array | None = None) -> float:
        """Residual of the reduced problem (see :class:`MLCP`) at z; infinite if a fixed row is not at its bound."""
        _, _, offset, _ = self._rows
        fixed = self.lower == self.upper
        return self.reduced.residual(self.reduce(z)) if np.all(z[fixed] == offset[fixed]) else float("inf")

    def reduce(self, z: Array) -> Array:
        """(x, λ) of z."""
        kept, sign, offset, two = self._rows
        z = np.asarray(z, float)
        high = z >= self.upper
        return np.concatenate([sign * (z - offset)[kept], np.where(high, np.maximum(-self.w(z), 0.0), 0.0)[kept][two]])

    def retrieve(self, x: Array) -> Array:
        """z of (x, λ); within the bounds to the last digit."""
        kept, sign, offset, two = self._rows
        z = offset.copy()
        z[kept] += sign * x[: len(kept)]
        top = kept[two][x[len(kept) :] > 0.0]
        z[top] = self.upper[top]
        return np.asarray(np.clip(z, self.lower, self.upper))

    def shares(self, z: Array, w: Array) -> tuple[Array, Array]:
        """z and w in units of the largest z, and of what each w is the sum of."""
        size = np.abs(self.q) + mx.product(mx.sizes(self.M), np.abs(z))
        return z / (np.abs(z).max(initial=0.0) or 1.0), w / np.where(size > 0.0, size, 1.0)


@dataclass(eq=False, repr=False)
class BoxSolution(Solution):
    """Checked answer to an :class:`MCP`; as :class:`Solution`, with the one of the reduced problem behind it.

    Attributes
    ----------
    reduced : solution of ``problem.reduced``, to which ``certificate`` and ``farkas`` belong
    """

    reduced: Solution | None = None

    @cached_property
    def active(self) -> Array:
        """(n,) bool, rows with z strictly between its bounds."""
        bounds: Any = self.problem
        return np.asarray((self.z > bounds.lower) & (self.z < bounds.upper))

    @cached_property
    def certificate(self) -> Any:
        """Proof of what ``status`` claims, of the reduced problem."""
        return None if self.reduced is None else self.reduced.certificate

    @cached_property
    def z_unique(self) -> bool | None:
        """Whether z is the only solution; None if that was not decided."""
        return None if self.reduced is None else self.reduced.z_unique


def boxed(problem: MCP, reduced: Solution) -> BoxSolution:
    """The solution of a problem with bounds, of that of its reduced form."""
    z = w = np.full(problem.n, np.nan)
    status, message, residual = reduced.status, reduced.message, reduced.residual
    if np.isfinite(reduced.z).all():
        z = problem.retrieve(reduced.z) + 0.0
        w = problem.w(z) + 0.0
        residual = problem.residual(z, w)
        if status is Status.SOLVED and not residual <= 1e-9:
            status, message = (
                Status.NO_CONCLUSION,
                "bounds and z differ by more orders of magnitude than a float holds",
            )
    elif status is Status.UNSUPPORTED and problem._rows[3].any():
        message += "; a row with two bounds has one more, 'at most', which is skew to it and 0 on the diagonal"
    return BoxSolution(
        z,
        w,
        status,
        residual,
        reduced.iterations,
        reduced.method,
        message,
        problem,  # type: ignore[arg-type]
        reduced.farkas,
        reduced.log,
        reduced.seconds,
        reduced.unpolished,
        reduced.exhausted,
        reduced,
    )


def _bound(name: str, given: Any, n: int) -> Array:
    try:
        bound = np.array(np.broadcast_to(np.asarray(given, float), (n,)))
    except (TypeError, ValueError):
        raise ProblemError(f"{name} must be a number or {n} numbers, got {show(given)}") from None
    if np.isnan(bound).any():
        raise ProblemError(f"{name}[{int(np.isnan(bound).argmax())}] is not a number")
    return bound
