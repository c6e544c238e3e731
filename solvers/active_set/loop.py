"""Warm-started active set for symmetric positive semidefinite LCPs with free rows, compiled.

    w = A z + q,    unilateral rows 0 ≤ w ⟂ z ≥ 0,    free rows w = 0,    rows switched off z = 0

that is the KKT system of  min ½ zᵀA z + qᵀz  over z ≥ 0 (z of any sign on free rows).

1. The given set, if w = 0 on it solves the problem, or once a few rows are exchanged: one factorisation, as in most
   steps of a simulation, and in registers for wires on one body (``few``).
2. *A guess* by greedy elimination (:mod:`solvers.active_set.guess`), or all rows, and exchanges.
3. *Block pivoting* (Júdice & Pires 1994; Portugal, Júdice & Vicente 1994): solve on the guessed active set, exchange
   every row that has the wrong sign, repeat; or the one that is farthest off, where that leaves no fewer wrong signs.
   Only rows behind the first exchange are factored again. If the count of wrong signs stalls, a search begins with the
   set that had the fewest: a short descent (5), then block pivoting with refined solutions.
4. If the count stalls again, the same once more from "all rows active" (impulses that run down a chain).
5. *Descent* (the single exchanges of Lawson & Hanson 1974, extended to singular A): stay at a feasible z, let the worst
   row in, walk to the minimum or to the first z that becomes zero. The objective falls strictly, so no basis returns.
   A direction y ≥ 0 with A y = 0 and qᵀy < 0 met on the way proves that no solution exists (Farkas).

A row that depends on the accepted ones is skipped by the factorisation and keeps z = 0: the answer is a basic one, and
n wires on a body of rank r cost n r². LDLᵀ is unchanged by a symmetric scaling, so d = sqrt(A_ii) enters only where
rows are compared and judged.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt

import numpy as np

from solvers.active_set.basis import (
    DEPENDENT,
    FREE,
    OFF,
    STRICTLY_DEPENDENT,
    UNILATERAL,
    WRONG,
    clamp,
    judge,
    measure,
    push,
    wrong_impulse,
    wrong_rate,
)
from solvers.active_set.envelope import ROOM, factor, memory, multiply, multiply_active, substitute, workspace
from solvers.active_set.exchange import JOINING, SLIGHT, exchange, hand_out
from solvers.active_set.few import SIX, are_few, exchange_few, few_pull, is_full, solve_few
from solvers.active_set.guess import guess
from solvers.active_set.pivoting import PATIENCE, block, descend, forgiven
from solvers.kernels.compiled import kernel, part
from solvers.kernels.fours import highest, place_of_four
from solvers.kernels.indices import piece
from solvers.kernels.lanes import WIDTH, along, below, lanes, larger
from solvers.kernels.tell import Told
from solvers.status import ACCEPT, INFEASIBLE, INVALID, ITERATION_LIMIT, NO_CONCLUSION, SOLVED

__all__ = ["FREE", "OFF", "UNILATERAL", "active_set", "workspace"]


HUGE, LEAST = 1e300, 5e-324
"""What takes a z > 0 beyond every w; the least number above zero."""

# Factorisations up to which exchanges are tried before a guess: a set of a step ago is rarely wrong in many rows.
SOON = 2

# Factorisations of a descent that is tried before block pivoting.
SHORT = 7


@part()
def _try(val, ptr, q, kind, z, w, taut, rounding, known, m):
    """(residual of w = 0 on the guessed rows if that solves the problem, what w² / A_ii may be where w < 0).

    In place of the residual -1, or -2 after a factorisation (of rows from ``known`` on), if it does not; -3 when rows
    with a z < 0 of rounding size have left ``taut`` and it is to be tried again (at a degenerate vertex bases would
    take turns for ever).

    Squares stand in for the scaling by d = sqrt(A_ii), so that one root is taken, of the residual: a good guess costs
    only this. Numbers whose squares leave the range of doubles are left to the search, as is everything else that is
    out of the ordinary.
    """
    u, rows, before, n = m.u, m.rows, m.before, q.size
    scale, least, wires = sizes(val, ptr, q, kind, taut, m.x)
    if scale < 0.0:
        return -1.0, 0.0
    few = are_few(ptr, taut)
    if not (few and solve_few(piece(val, ptr[0], val.size), q, taut, z, w, rows, before, m.block)):
        factor(val, ptr, taut, 0 if few else known, DEPENDENT, m)  # few rows were numbered anew
        rank = before[n]
        for k in range(rank):
            u[k] = -q[rows[k]]
        substitute(m, rank, u)
        for i in range(n):
            z[i] = 0.0
        for k in range(rank):
            z[rows[k]] = u[k]
        if 2 * rank > n:
            multiply(val, ptr, q, z, w)
        else:
            multiply_active(val, ptr, q, z, w, rows, before)
    limit = forgiven(scale, least, rounding)
    return right(val, ptr, q, kind, z, w, taut, wires, scale, limit, m.x), limit


@part()
def sizes(val, ptr, q, kind, taut, x):
    """(max q² / A_ii, least A_ii, whether all rows are unilateral), with 1 / A_ii in x. Fits ``taut`` to kind.

    The largest is that of rows that push, or, where none does, of all; -1 if numbers are extraordinary.
    """
    n = q.size
    wires = True
    scale = largest = 0.0
    least = inf
    strange = False
    for i in range(n):
        if kind[i] != UNILATERAL:
            wires = False
            taut[i] = kind[i] == FREE
            if kind[i] == OFF:
                continue
        a = val[ptr[i + 1] - 1]
        strange |= not 1e-100 < a < 1e100
        least = a if a < least else least
        x[i] = 1.0 / a
        size = q[i] * q[i] * x[i]
        strange |= not size < inf
        largest = size if size > largest else largest
        scale = size if size > scale and push(kind[i], q[i]) > 0.0 else scale
    scale = scale if scale > 0.0 else largest
    if strange or not 1e-200 < scale <= largest < 1e200:
        return -1.0, 0.0, wires
    return scale, least, wires


@part()
def right_by_fours(q, z, w, limit, x):
    """(Whether a try is right beyond doubt, max w² / A_ii where w should be zero or is negative), of unilateral rows.

    x : (n,) 1 / A_ii, as from ``sizes``
    """
    fine, worst = True, lanes(0.0, 0.0, 0.0, 0.0)
    i = 0
    while i < q.size:
        k = place_of_four(i, q)
        y, rate, a, inverse = along(z)[k], along(w)[k], along(q)[k], along(x)[k]
        wrong = larger(-rate, -larger(-rate, -HUGE * y))  # |w| where z > 0, and what it is below zero where z = 0
        size = wrong * wrong * inverse
        over = wrong * inverse - WRONG * (larger(a, -a) * inverse + y)
        fine &= below(-larger(-over, limit - size), 0.0) & below(-y, LEAST) & below(y, inf) & below(rate, inf)
        worst = larger(size, worst)
        i += WIDTH
    return fine, highest(worst)


@part()
def right(val, ptr, q, kind, z, w, taut, wires, scale, limit, x):
    """The residual, -2 or -3 of a try, see ``_try``."""
    n = q.size
    if wires and n >= WIDTH:  # most tries are right beyond doubt
        fine, largest = right_by_fours(q, z, w, limit, x)
        if fine:
            return sqrt(largest / scale)
    worst = 0.0
    dropped = False
    for i in range(n):
        # Most rows are idle and slack; NaN is neither.
        if not ((z[i] != 0.0) | (kind[i] != UNILATERAL) | (not 0.0 <= w[i] < inf)) or kind[i] == OFF:
            continue
        if kind[i] == UNILATERAL and z[i] < 0.0:
            if wrong_impulse(val, ptr, q, z, i, SLIGHT * limit):
                return -2.0
            dropped = True
        else:
            if wrong_rate(val, ptr, q, z, w, i, limit):  # NaN, too
                return -2.0
            worst = max(worst, w[i] * w[i] * x[i])
    if dropped:
        for i in range(n):
            if kind[i] == UNILATERAL and z[i] < 0.0:
                taut[i] = False
        return -3.0
    return sqrt(worst / scale)


@part()
def warm_start(val, ptr, parts, q, kind, z, w, taut, work, iwork, rounding):
    """Stages 1 and 2, and exchanges that help, for nearly every step: (residual, factorisations, rank, scale).

    Arguments as those of ``active_set``. A residual of -1 says that the search has to take over, from ``taut``: of the
    sets that were tried the one with the fewest wrong signs. The scale is max q² / A_ii, or -1 where it is not at hand.

    Rows that A does not couple are problems of their own: each part is solved as if it were alone.

    parts : (k + 1,) where parts begin and end that do not couple; None of a problem that is taken as a whole
    """
    return _by_parts(parts, val, ptr, q, kind, z, w, taut, rounding, (ptr, work, iwork))


@part()
def _by_parts(parts, val, ptr, q, kind, z, w, taut, rounding, room):
    """``warm_start`` of each part; of the residuals and the numbers of factorisations the largest."""
    if parts is None:
        return _warm_part(val, val, ptr, q, kind, z, w, taut, rounding, room)
    worst, most, held, largest = 0.0, 0, 0, 0.0
    for k in range(parts.size - 1):
        i, j = parts[k], parts[k + 1]
        own, at, of = piece(val, ptr[i], ptr[j]), piece(ptr, i, j + 1), (piece(q, i, j), piece(kind, i, j))
        answer = piece(z, i, j), piece(w, i, j), piece(taut, i, j)
        residual, spent, rank, scale = _warm_part(own, val, at, *of, *answer, rounding, room)
        if residual < 0.0:
            return -1.0, most + spent, 0, -1.0
        worst, most, held = max(worst, residual), max(most, spent), held + rank
        largest = -1.0 if min(scale, largest) < 0.0 else max(scale, largest)
    return worst, most, held, largest


@part()
def _warm_part(own, val, ptr, q, kind, z, w, taut, rounding, room):
    """``warm_start`` of rows that go together.

    own : their entries of ``val``, as ``ptr`` need not begin with 0
    room : arguments of ``memory``, which takes as long as all of ``few_pull``
    """
    residual, rank, scale = few_pull(own, ptr, q, kind, taut, z, w, room[2], rounding)
    if residual >= 0.0:
        return residual, 1, rank, scale
    residual, spent, rank = _of_any_rows(val, ptr, q, kind, z, w, taut, rounding, room)
    return residual, spent, rank, -1.0


@kernel()
def _of_any_rows(val, ptr, q, kind, z, w, taut, rounding, room):
    """Where there are not few rows, or the set is wrong; a kernel of its own, which is compiled once for all scenes."""
    m = memory(*room)
    residual, limit = _try(val, ptr, q, kind, z, w, taut, rounding, 0, m)
    if residual >= 0.0:  # in most steps of other scenes this is all, without a loop that others would be prepared for
        return residual, 1, accept(taut, m.before)
    return _mend(val, ptr, q, kind, z, w, taut, rounding, residual, limit, m)


@part()
def accept(taut, before):
    """Leave the rows of the answer's basis in ``taut``; returns their number."""
    for i in range(taut.size):
        taut[i] = before[i + 1] > before[i]
    return before[taut.size]


@part()
def _mend(val, ptr, q, kind, z, w, taut, rounding, residual, limit, m):
    """The rest of ``warm_start``, after a first set that was wrong.

    Exchanges go on from there; where they do not help, from a guess, and at last from all rows. A set of which no row
    acts is no beginning: then the guess is the first one or, where it has no room for the rows of a long chain, all.
    """
    n, before = q.size, m.before
    most = m.columns.size // n if n > 0 else 0
    spent, patience = 0, 1.0 * PATIENCE
    fewest = n + 1
    guessed = all_tried = False
    while residual < 0.0:
        if residual == -1.0:
            if not _nothing_to_do(q, kind, z, w, taut):
                return -1.0, spent, 0
            return 0.0, 0, 0
        spent += 1
        few = is_full(ptr) and before[n] <= SIX
        known = 0
        if residual != -3.0 and not (
            few
            and spent <= 2
            and exchange_few(piece(val, ptr[0], val.size), kind, taut, z, w, m.x, m.rows, before[n], m.block)
        ):
            begun, helps = guessed or all_tried, False
            may_guess = not guessed and before[n] < most
            if begun or (before[n] > 0 and (spent <= SOON or not may_guess)):
                wrong, first, leaving, dependent = exchange(val, ptr, q, kind, z, w, taut, before, limit, fewest, m.t)
                fewer = 0 < wrong < fewest
                helps = fewer or (wrong > 0 and patience > 0 and not dependent and (begun or not may_guess))
                if helps:
                    known = 0 if few else first
                    fewest = min(wrong, fewest)
                    patience = 1.0 * PATIENCE if fewer else patience - (1.0 if leaving else JOINING)
            if not helps:
                long = spent == 1 and before[n] == 0 and n > ROOM and not is_full(ptr)
                if may_guess and not long and guess(val, ptr, q, kind, taut, m):
                    guessed = True
                    spent += 1
                elif not all_tried:
                    all_tried = True
                    for i in range(n):
                        taut[i] = True  # but rows that are off, see ``sizes``
                else:
                    hand_out(taut, m.t)
                    return -1.0, spent, 0
                fewest, patience = n + 1, 1.0 * PATIENCE  # what a guess has written to is where the best set was
        residual, limit = _try(val, ptr, q, kind, z, w, taut, rounding, known, m)
    return residual, spent + 1, accept(taut, before)


@part()
def _nothing_to_do(q, kind, z, w, taut):
    """Whether q = 0, which z = 0 solves."""
    for i in range(q.size):
        if not (q[i] == 0.0 or kind[i] == OFF):
            return False
    for i in range(q.size):
        z[i] = 0.0
        w[i] = q[i]
        taut[i] = False
    return True


@part()
def _search(val, ptr, q, kind, z, w, taut, m, begin, told):
    """Stages 3 to 5, from the guess in ``taut``; return value of ``active_set``.

    begin : 0, or −1 for a short descent before block pivoting: from a set that block pivoting has found
    """
    n, before = q.size, m.before
    status = NO_CONCLUSION
    residual = np.nan
    singular = False
    iterations = 0
    for stage in range(begin, 4):
        if told is not None:
            told.state[2] = stage
        if 0 <= stage < 2:
            if stage == 1:
                if singular:
                    continue
                for i in range(n):
                    taut[i] = kind[i] != OFF
            good, singular, more = block(val, ptr, q, kind, z, w, taut, DEPENDENT, m, told)
            status = NO_CONCLUSION if good else ITERATION_LIMIT
        else:
            tol = DEPENDENT if stage <= 2 else STRICTLY_DEPENDENT
            most = SHORT if stage < 0 else min(50 + 5 * n, 3000)
            status, more = descend(val, ptr, q, kind, z, w, taut, most, tol, m, told)
        iterations += more
        if told is not None and told.state[1] != 0 and status == ITERATION_LIMIT:
            return status, iterations, np.nan, before[n]
        if status == INFEASIBLE:
            return status, iterations, np.nan, before[n]
        if status == NO_CONCLUSION:
            clamp(val, ptr, q, kind, z, w)
            residual, far = judge(val, ptr, q, kind, z, w, m)
            if residual <= ACCEPT and not far:
                for i in range(n):
                    taut[i] = before[i + 1] > before[i]
                return SOLVED, iterations, residual, before[n]
    return status, iterations, residual, before[n]


@kernel()
def search(
    val: np.ndarray,
    ptr: np.ndarray,
    q: np.ndarray,
    kind: np.ndarray,
    z: np.ndarray,
    w: np.ndarray,
    taut: np.ndarray,
    scratch: tuple[np.ndarray, np.ndarray],
    rounding: float,
    spent: int,
) -> tuple[int, int, float, int]:
    """Stages 3 to 5 of ``active_set``, after ``spent`` factorisations.

    Compiled only when it is called for.
    """
    m = memory(ptr, scratch[0], scratch[1])
    if not _ready(val, ptr, q, kind, taut, rounding, m):
        return INVALID, 0, np.nan, 0
    status, iterations, residual, rank = _search(val, ptr, q, kind, z, w, taut, m, -1, None)
    return status, iterations + spent, residual, rank


@kernel()
def search_and_tell(
    val: np.ndarray,
    ptr: np.ndarray,
    q: np.ndarray,
    kind: np.ndarray,
    z: np.ndarray,
    w: np.ndarray,
    taut: np.ndarray,
    scratch: tuple[np.ndarray, np.ndarray],
    told: Told,
) -> tuple[int, int, float, int]:
    """``search`` with nothing spent, and exact q.

    told : of each factorisation the stage (0 block pivoting, 1 again from all rows, 2 descent, 3 again with dependent
        rows told apart more strictly), the rows in the basis, the wrong signs of its z and w, and ½ zᵀA z + qᵀz
    """
    m = memory(ptr, scratch[0], scratch[1])
    if not _ready(val, ptr, q, kind, taut, 0.0, m):
        return INVALID, 0, np.nan, 0
    return _search(val, ptr, q, kind, z, w, taut, m, 0, told)  # type: ignore[no-any-return]


@part()
def _ready(val, ptr, q, kind, taut, rounding, m):
    """Measure the rows, and mark those that are active whatever the set; False if a number is not finite."""
    if not measure(val, ptr, q, kind, rounding, m):
        return False
    for i in range(q.size):
        if kind[i] != UNILATERAL:
            taut[i] = kind[i] == FREE
    return True


@kernel()
def active_set(
    val: np.ndarray,
    ptr: np.ndarray,
    q: np.ndarray,
    kind: np.ndarray,
    z: np.ndarray,
    w: np.ndarray,
    taut: np.ndarray,
    work: np.ndarray,
    iwork: np.ndarray,
    rounding: float = 0.0,
) -> tuple[int, int, float, int]:
    """Solve, and judge the answer by w = A z + q computed from A itself.

    Parameters
    ----------
    val, ptr : envelope of A (see ``solvers.active_set.envelope``), symmetric positive semidefinite; not modified
    q : (n,)
    kind : (n,) int8; 0 unilateral, 1 free, 2 switched off
    z, w : (n,) out; after INFEASIBLE z is the Farkas vector y (y ≥ 0, A y = 0, qᵀy < 0, max d y = 1) and w is A y
    taut : (n,) bool; in: guess of the active set, out: the basis of the answer
    work, iwork : scratch from ``workspace``
    rounding : size of the rounding errors that q came with [unit of q]; what is wrong by less is taken

    Returns
    -------
    status : SOLVED, INFEASIBLE, NO_CONCLUSION, ITERATION_LIMIT or INVALID (q or diagonal not finite)
    iterations : factorisations, that of a guess included
    residual : after a search as in ``solvers.problem``, NaN unless judged; of a first guess that is right
        max |w_i/d_i| / max|q/d| of the rows where that should be zero, d = sqrt(A_ii)
    rank : rows in the basis
    """
    residual, spent, rank, _ = warm_start(val, ptr, None, q, kind, z, w, taut, work, iwork, rounding)
    if residual >= 0.0:
        return SOLVED, spent, residual, rank
    return search(val, ptr, q, kind, z, w, taut, (work, iwork), rounding, spent)
