"""A symmetric matrix made ready for the active-set kernel: envelope, kinds of rows and scratch, kept between calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solvers.active_set import active_set, workspace
from solvers.envelope import pack
from solvers.matrix import Array, Envelope

if TYPE_CHECKING:
    from solvers.problem import MLCP


class Packed:
    """Arguments of ``active_set`` that depend on M and the free rows alone.

    Not for two threads at once: the scratch is shared.
    """

    __slots__ = ("envelope", "iwork", "kind", "work")

    def __init__(self, envelope: Envelope, free: Array) -> None:
        self.envelope = envelope
        self.kind = free.astype(np.int8) if envelope.order is None else free[envelope.order].astype(np.int8)
        self.work, self.iwork = workspace(len(free), len(envelope.val))

    def solve(self, q: Array, start: Array | None) -> tuple[int, int, float, Array, Array]:
        """Run the kernel: (status code, iterations, residual, z, w); see :func:`solvers.active_set.active_set`."""
        E = self.envelope
        n = len(q)
        z, w = np.empty(n), np.empty(n)
        taut = np.zeros(n, np.bool_) if start is None else start != 0.0
        if E.order is None:
            code, iterations, residual, _ = active_set(E.val, E.ptr, q, self.kind, z, w, taut, self.work, self.iwork)
            return code, iterations, residual, z, w
        order, x, y = E.order, np.empty(n), np.empty(n)
        code, iterations, residual, _ = active_set(
            E.val, E.ptr, q[order], self.kind, x, y, taut[order], self.work, self.iwork
        )
        z[order], w[order] = x, y
        return code, iterations, residual, z, w


def packed(problem: MLCP) -> Packed | None:
    """The problem's M packed, or None if it is not symmetric (or not finite)."""
    if not isinstance(problem.M, np.ndarray):
        # The kernel reads no entries between rows that bear nothing; those must be numbers, too.
        return None if problem._bad_entry or not problem.symmetric else Packed(problem.envelope, problem.free)
    n = problem.n
    val, ptr = np.empty(n * (n + 1) // 2), np.empty(n + 1, np.int64)
    if not pack(np.ascontiguousarray(problem.M), val, ptr):
        return None
    return Packed(Envelope(val[: ptr[n]], ptr), problem.free)
