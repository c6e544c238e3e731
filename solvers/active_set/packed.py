"""The back-end ``active-set``: the kernel called from Python, all of a call in one crossing, M kept for the next one.

What a call from Python costs before anything is solved is more than a problem of 16 rows takes, so as little as
possible is done there: one kernel reads M, packs it as an envelope, solves, and judges. All of its scratch is one block
of memory. For a problem that is solved again, or with another q, one is kept with M packed in it (``MLCP.kept``).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.active_set.basis import judge, measure
from solvers.active_set.envelope import BLOCK, ROOM, equals_transpose, floats, memory, pack, workspace
from solvers.active_set.guess import guess
from solvers.active_set.loop import search, search_and_tell, warm_start
from solvers.backends.lemke import in_block
from solvers.kernels.compiled import kernel, part
from solvers.log import KEPT, Callback, Notes
from solvers.matrix import Array, Envelope
from solvers.solution import Answer
from solvers.status import ACCEPT, CODES, INFEASIBLE, INVALID, SOLVED, Status

if TYPE_CHECKING:
    from solvers.problem import MLCP

Raw = tuple[int, int, float, Array, Array]
"""Status code, iterations, residual, z, w; see :func:`solvers.active_set.loop.active_set`."""

NAME = "active-set"
"""Under which the memory of a problem is kept."""

ASYMMETRIC, BY_LEMKE = -1, -2
"""Returned by the kernel instead of a status: nothing was done, or Lemke's method has solved it."""

WARM, PACK = 1, 2
"""What the kernel is asked for, as one integer: numba takes 100 ns to make out a bool."""

EACH = 7 + ROOM + 6
"""Numbers of memory for each row, besides two for each entry: 7 + ROOM vectors, five of integers, two of flags."""

FIXED = BLOCK + 3
"""Numbers of memory whatever the number of rows."""

empty = np.empty
LINE = 8
"""Numbers in a line of the cache."""

_NO_ROWS, _NO_MATRIX = np.zeros(0, bool), np.zeros((0, 0))

# One block for whatever is solved once, as fresh memory costs more than solving in it. Nobody else is in the kernel
# meanwhile: it keeps the interpreter's lock.
_KEPT = 1000
_block, _block_rows = np.empty(0), -1


class Packed:
    """Memory for one symmetric M and all that is solved with it. Not for two threads at once.

    block : see ``_solve``
    order : (n,) rows of M in stored order, or None
    ready : whether the block holds M
    """

    __slots__ = ("block", "order", "ready")

    def __init__(self, n: int, nnz: int) -> None:
        self.block = np.empty(2 * nnz + EACH * n + FIXED)
        self.order: Array | None = None
        self.ready = False

    @classmethod
    def of_envelope(cls, E: Envelope, free: Array) -> Packed:
        """An envelope and the mask of free rows."""
        n, nnz = len(free), len(E.val)
        new = cls(n, nnz)
        integers, flags = 5 * n + 2, (n + 3) // 4
        new.block[: n + 1].view(np.int64)[:] = E.ptr
        new.block[integers : integers + flags].view(np.int8)[:n] = free if E.order is None else free[E.order]
        new.block[integers + flags :][:nnz] = E.val
        new.order, new.ready = E.order, True
        return new

    def solve(self, problem: MLCP, q: Array, z: Array, what: int, run: Any = None) -> Raw | None:
        """Run the kernel; z holds the start if WARM, and is written to. None if M is not symmetric."""
        order, w = self.order, np.empty(len(q))
        if order is not None:
            q, z = q[order], z[order]
        M = _NO_MATRIX if self.ready else _plain(problem.M)
        what += 0 if self.ready else PACK
        code, iterations, residual = (run or _solve)(M, q, problem.free, z, w, self.block, what)
        self.ready = code not in (ASYMMETRIC, BY_LEMKE)
        if order is not None:
            x, y = z, w
            z, w = np.empty(len(q)), np.empty(len(q))
            z[order], w[order] = x, y
        return None if code == ASYMMETRIC else (code, iterations, residual, z, w)


def _new(problem: MLCP) -> Packed | None:
    """Memory to solve the problem in again and again; None for a sparse M that is not symmetric or not finite."""
    if isinstance(problem.M, np.ndarray):
        return Packed(problem.n, problem.n * (problem.n + 1) // 2)
    # The kernel reads no entries between rows that bear nothing; those must be numbers, too.
    return None if problem._bad_entry or not problem.symmetric else Packed.of_envelope(problem.envelope, problem.free)


def solve(
    problem: MLCP,
    start: Array | None = None,
    *,
    log: bool = False,
    callback: Callback | None = None,
) -> Answer:
    """Back-end: the kernel on the problem's envelope; a start marks the rows whose z is not zero as active.

    With ``log`` or ``callback`` the set of the start (or none) is searched from at once, without the guesses that are
    tried first otherwise. A row a factorisation: the ``stage``, the rows in the ``basis``, the ``wrong`` signs of its z
    and w, and the ``objective`` ½ zᵀM z + qᵀz.
    """
    notes = Notes(("stage", "basis", "wrong", "objective"), log, callback)
    kernel = _Timed(search_and_tell if notes.wanted else _solve)
    raw = _searched(problem, start, notes, kernel) if notes.wanted else solved(problem, start, kernel)
    # Symmetric to the guard's rounding, and not to the kernel's, which has no scale?
    if raw is None or raw[0] == BY_LEMKE:
        return Answer(None, Status.UNSUPPORTED, 0, message="M is not symmetric to rounding")
    code, iterations, _, z, _ = raw
    if code == INFEASIBLE:
        return Answer(None, Status.INFEASIBLE, iterations, y=z, log=notes.log(), seconds=kernel.seconds)
    found = z if code != INVALID and not notes.stopped else None
    return Answer(found, CODES[code], iterations, None, notes.message, notes.log(), kernel.seconds)


STAGES = ("block", "block, from all", "descent", "descent, stricter")


def _searched(problem: MLCP, start: Array | None, notes: Notes, run: _Timed) -> Raw:
    """What the search alone says, each factorisation told of."""
    E, n = problem.envelope, problem.n
    order = np.arange(n) if E.order is None else E.order
    z, w, taut = np.empty(n), np.empty(n), np.zeros(n, bool) if start is None else start[order] != 0.0
    told = notes.told(KEPT, 4, lambda row: (STAGES[int(row[0])], int(row[1]), int(row[2]), float(row[3])))
    scratch, kind = workspace(n, len(E.val)), problem.free[order].astype(np.int8)
    code, iterations, residual, _ = run(E.val, E.ptr, problem.q[order], kind, z, w, taut, scratch, told)
    notes.settle()
    back = np.argsort(order)
    return code, iterations, residual, z[back], w[back]


class _Timed:
    """A kernel, and how long its call took [s]."""

    seconds = 0.0

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel

    def __call__(self, *arguments: Any) -> Any:
        begin = perf_counter()
        found = self.kernel(*arguments)
        self.seconds = perf_counter() - begin
        return found


def solved(problem: MLCP, start: Any = None, run: Any = None) -> Raw | None:
    """What the active-set kernel says of a problem; None if M is not symmetric, or an entry is not finite.

    A dense M without free rows that is not symmetric goes to Lemke's method in the same call: BY_LEMKE, or None if that
    comes to no solution. A dense M is packed anew in the first call; from the second on it is kept. ``run`` is called
    in place of the kernel.
    """
    M, q, n = problem.M, _plain(problem.q), problem.n
    if start is None:
        z, what = empty(n), 0
    else:
        z, what = np.array(start, dtype=float, order="C"), WARM
    kept = problem.kept
    if kept is None:
        if isinstance(M, np.ndarray):
            raw = once(problem, M, q, z, what, run)
            return None if raw[0] == ASYMMETRIC else raw
        kept = problem.kept = {}
    if NAME not in kept:
        kept[NAME] = _new(problem)
    packed = kept[NAME]
    return None if packed is None else packed.solve(problem, q, z, what, run)


def once(problem: MLCP, M: Array, q: Array, z: Array | None = None, what: int = 0, run: Any = None) -> Raw:
    """Solve with a dense M that nothing is known of, in the one block for such; ASYMMETRIC if that is not for here."""
    problem.kept = {}
    if not (M.flags.carray and q.flags.carray):
        M, q = _plain(M), _plain(q)
    n = problem.n
    z, w = empty(n) if z is None else z, empty(n)
    block = _block if n <= _block_rows else _new_block(n)
    free = problem.free if problem.mixed else _NO_ROWS
    code, iterations, residual = (run or _solve)(M, q, free, z, w, block, what + PACK)
    return code, iterations, residual, z, w


def _new_block(n: int) -> Array:
    """Memory for n rows, kept if that is not more than 8 MB."""
    global _block, _block_rows
    size = n * (n + EACH + 1) + FIXED
    room = np.empty(size + LINE)
    first = -(room.ctypes.data // room.itemsize) % LINE  # at the beginning of a line of the cache: a third faster
    block = room[first : first + size]
    if n <= _KEPT:
        _block, _block_rows = block, n
    return block


def _plain(x: Array) -> Array:
    """x as the one kind of array the kernel is compiled for: contiguous and writable."""
    return x if x.flags.carray else np.array(x, order="C")


@kernel()
def _solve(M, q, free, z, w, block, what):
    """The stages of ``active_set`` on q and M, or on what an earlier call left of M in the block (without PACK).

    Parameters
    ----------
    M : (n, n), read with PACK only
    q : (n,)
    free : (n,) bool, or empty for none
    z, w : (n,) out; with WARM z comes as a start whose nonzero rows are taken as active
    what : sum of PACK and WARM
    block : ptr (n + 1 integers), integer scratch (4 n + 1), kinds and active rows (2 n bytes), val, scratch

    Returns
    -------
    status, iterations, residual : as of ``active_set``; ASYMMETRIC or BY_LEMKE if M is not symmetric
    """
    n = q.size
    integers, flags = 5 * n + 2, (n + 3) // 4
    index = block[:integers].view(np.int64)
    rows = block[integers : integers + flags].view(np.int8)
    rest = block[integers + flags :]
    ptr, kind, taut = index[: n + 1], rows[:n], rows[n : 2 * n].view(np.bool_)
    if what & PACK:
        if not equals_transpose(M):
            if free.any() or n > _KEPT:
                return ASYMMETRIC, 0, np.nan
            code, spent, residual = in_block(M, q, z, w, block)
            return BY_LEMKE if code == SOLVED else ASYMMETRIC, spent, residual
        pack(M, rest, ptr)
        for i in range(n):
            kind[i] = 0
        for i in range(free.size):
            kind[i] = free[i]
    nnz = ptr[n]
    val, work = rest[:nnz], rest[nnz : nnz + floats(n, nnz)]
    m = memory(ptr, work, index[n + 1 :])
    guessed = 0
    if what & WARM:
        for i in range(n):
            taut[i] = z[i] != 0.0
    elif n > 0:
        guessed = int(guess(val, ptr, q, kind, taut, m))
    residual, spent, _, _ = warm_start(val, ptr, None, q, kind, z, w, taut, work, index[n + 1 :], 0.0)
    spent += guessed
    if residual >= 0.0 and measure(val, ptr, q, kind, 0.0, m):
        residual, far = judge(val, ptr, q, kind, z, w, m)
        if residual <= ACCEPT and not far:
            _without_signs_of_zero(z, w)
            return SOLVED, spent, residual
    code, spent, residual, _ = search(val, ptr, q, kind, z, w, taut, (work, index[n + 1 :]), 0.0, spent)
    _without_signs_of_zero(z, w)
    return code, spent, residual


@part()
def _without_signs_of_zero(z, w):
    """−0 becomes 0."""
    for i in range(z.size):
        z[i] += 0.0
        w[i] += 0.0
