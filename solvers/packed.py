"""A symmetric matrix made ready for the active-set kernel: envelope, kinds of rows and scratch, kept between calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solvers.active_set import active_set, workspace
from solvers.basis import ROOM
from solvers.compiled import kernel
from solvers.envelope import LEAN, pack
from solvers.matrix import Array, Envelope

if TYPE_CHECKING:
    from solvers.problem import MLCP

Raw = tuple[int, int, float, Array, Array]
"""Status code, iterations, residual, z, w; see :func:`solvers.active_set.active_set`."""


class Packed:
    """Arguments of ``active_set`` that depend on M and the free rows alone.

    Not for two threads at once: the scratch is shared.
    """

    __slots__ = ("envelope", "iwork", "kind", "work")

    def __init__(self, envelope: Envelope, free: Array) -> None:
        self.envelope = envelope
        self.kind = free.astype(np.int8) if envelope.order is None else free[envelope.order].astype(np.int8)
        self.work, self.iwork = workspace(len(free), len(envelope.val))

    def solve(self, q: Array, start: Array | None) -> Raw:
        """Run the kernel."""
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


def at_once(problem: MLCP, start: Array | None) -> Raw | None:
    """Pack a dense M and solve, in one call of compiled code; None if M is not symmetric.

    What a call from Python costs before anything is solved is more than a problem of 16 rows takes.
    """
    n = problem.n
    nnz = n * (n + 1) // 2
    zw, memory, index = np.empty((2, n)), np.empty(2 * nnz + (6 + min(n, ROOM)) * n), np.empty(5 * n + 2, np.int64)
    taut = np.zeros(n, np.bool_) if start is None else start != 0.0
    code, iterations, residual = _at_once(
        np.ascontiguousarray(problem.M), problem.q, problem.free, zw, taut, memory, index
    )
    return None if code < 0 else (code, iterations, residual, zw[0], zw[1])


@kernel(**LEAN)
def _at_once(
    M: Array, q: Array, free: Array, zw: Array, taut: Array, memory: Array, index: Array
) -> tuple[int, int, float]:
    n = q.size
    nnz = n * (n + 1) // 2
    val = memory[:nnz]
    ptr = index[: n + 1]
    if not pack(M, val, ptr):
        return -1, 0, np.nan
    work = memory[nnz:]
    room = min(n, ROOM) if ROOM * ptr[n] >= n * n else 0
    code, iterations, residual, _ = active_set(
        val, ptr, q, free.view(np.int8), zw[0], zw[1], taut, work[: ptr[n] + (6 + room) * n], index[n + 1 :], 0.0
    )
    return code, iterations, residual
