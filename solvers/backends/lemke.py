"""Lemke's method with lexicographic ties for dense LCPs with any square M, compiled.

    w = M z + q + z0 d,   0 ≤ w ⟂ z ≥ 0,   z0 ≥ 0, driven to zero by complementary pivots; d > 0, all ones unless given

The tableau is the compact exchange form, one column per nonbasic variable and one for q. Ties are broken by the rows
of the basis inverse (its columns are the columns of w_1..w_n, unit vectors while basic), so no basis is met twice.
A ray ends the run without a solution. Its z-part y satisfies y ≥ 0, Mᵀy ≤ 0, qᵀy < 0 when M is positive semidefinite
(a proof of infeasibility, to be checked by the caller); for other M it proves nothing.

In floats ties are known only as far as the pivots before them are exact. Where d is all ones, equal or dependent rows
meet at one z0 throughout, as those of several contacts of one body do. Of so many ties the rule may want a pivot that
is hardly more than rounding. After it x that are zero no longer are, ties are missed, and a run goes in circles, or
ends on a ray, or at a point, that is none. So a run that comes to nothing is repeated with a random covering vector (of
a fixed seed), for which such rows hardly ever tie: what is known of the method holds for every d > 0. What the first
run found is kept unless the second one finds more. This holds for the dense tableau: the sparse back-end breaks ties
generically already.

Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), sections 4.4 (the method) and
4.9 (ties).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import frexp, inf, sqrt
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from solvers.active_set.basis import FAR, SHORT
from solvers.certificates import check
from solvers.kernels.compiled import kernel, part
from solvers.kernels.lanes import along
from solvers.kernels.tell import Told, tell
from solvers.log import Callback, Notes
from solvers.matrix import SMALL, to_dense
from solvers.solution import Answer
from solvers.status import ACCEPT, CODES, INVALID, ITERATION_LIMIT, NO_CONCLUSION, RAY, SOLVED, Status

if TYPE_CHECKING:
    from solvers.problem import MLCP

# Pivots below this share of their column's largest entry are rounding; the data are scaled to order 1.
PIVOT = 1e-10
# Ratios closer than this (the data are scaled to order 1) are a tie.
TIE = 1e-12
# Residual from which a point is no solution at all; what is nearer to one is polished.
ASTRAY = 1e-3
# Prime modulo which, and a generator by which, numbers of variables are mixed.
PRIME, GENERATOR = 2**31 - 1, 48271
# Entries of the last vertex below this (the data are scaled to order 1) may be rounding of zero.
ROUNDED = 1e-14


def workspace(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scratch ``tableau, index, line`` for a problem of n rows; rows of the tableau are a multiple of four long."""
    wide = (n + 5) // 4 * 4
    return np.zeros((n + 1, wide)), np.zeros(5 * n + 2, np.int64), np.zeros(wide + 2 * n)


@kernel()
def _exchange(T, row, col, basic, nonbasic, where, line):
    """Swap the basic variable of a row with the nonbasic one of a column.

    By fours; the pivot row is taken from a copy, so that it need not be read again and again.
    """
    flat, n, wide = T.reshape(T.size), basic.size, T.shape[1]
    fours, pivots = along(flat), along(line)
    base = row * wide
    inverse = 1.0 / flat[base + col]
    for j in range(0, wide, 4):
        pivots[j] = fours[base + j] * inverse
    line[col] = inverse
    i = 0
    while i < n:  # four rows at once, as their ends cost more than what is between them
        a, left = i * wide, n - i
        b, c, d = (a + wide, a + 2 * wide, a + 3 * wide) if left >= 4 else (a, a, a)
        e, f, g, h = flat[a + col], flat[b + col], flat[c + col], flat[d + col]
        flat[a + col] = flat[b + col] = flat[c + col] = flat[d + col] = 0.0
        if left >= 4:
            for j in range(0, wide, 4):
                x = pivots[j]
                fours[a + j] = fours[a + j] - e * x
                fours[b + j] = fours[b + j] - f * x
                fours[c + j] = fours[c + j] - g * x
                fours[d + j] = fours[d + j] - h * x
            i += 4
        else:
            for j in range(0, wide, 4):
                fours[a + j] = fours[a + j] - e * pivots[j]
            i += 1
    for j in range(0, wide, 4):
        fours[base + j] = pivots[j]
    entering, leaving = nonbasic[col], basic[row]
    basic[row], nonbasic[col] = entering, leaving
    where[entering] = -1 - row
    where[leaving] = col


@kernel()
def _leaving_row(T, col, basic, where, tie, column, ratio):
    """Row of the lexicographically smallest ratio in a column, -1 if there is none (a ray)."""
    n = basic.size
    z0 = 2 * n
    largest = 0.0
    for i in range(n):
        column[i] = T[i, col]
        largest = max(largest, abs(column[i]))
    small = PIVOT * largest
    least = inf
    for i in range(n):
        ratio[i] = inf
        if column[i] > small:
            ratio[i] = T[i, n + 1] / column[i]
            least = min(least, ratio[i])
    if least == inf:
        return -1
    count = 0
    most = least + TIE * max(1.0, abs(least))
    for i in range(n):
        if ratio[i] <= most:
            if basic[i] == z0:
                return i
            tie[count] = i
            count += 1
    # Columns of the basis inverse in turn, until one row is left.
    for k in range(n):
        if count == 1:
            break
        at = where[k]
        least = inf
        for c in range(count):
            i = tie[c]
            entry = T[i, at] if at >= 0 else (1.0 if at == -1 - i else 0.0)
            least = min(least, entry / column[i])
        kept = 0
        for c in range(count):
            i = tie[c]
            entry = T[i, at] if at >= 0 else (1.0 if at == -1 - i else 0.0)
            if entry / column[i] <= least + TIE * max(1.0, abs(least)):
                tie[kept] = i
                kept += 1
        count = kept
    return tie[0]


@part()
def _key(variable):
    """A number for each variable, mixed so that no law relates them: sums of these tell bases apart."""
    x = variable + 1
    for _ in range(3):
        x = x * GENERATOR % PRIME
        x ^= x >> 15
    return x


@kernel()
def _copy(M, T, factor):
    """Write -M to the tableau, rows and columns multiplied by powers of two; False if a number is not finite."""
    n, wide = M.shape[0], T.shape[1]
    given, flat = M.reshape(M.size), T.reshape(T.size)
    finite = True
    for i in range(n):
        f, here, there = -factor[i], i * n, i * wide
        for j in range(n):
            x = given[here + j]
            finite &= abs(x) < inf
            flat[there + j] = (x * f) * factor[j]
        for j in range(n, wide):
            flat[there + j] = 0.0
    return finite


@part()
def _fill(M, q, cover, z, w, T, factor, basic, nonbasic, where):
    """Write the tableau: max|q/d|, infinite if something is not finite or too large, and the row of the first pivot."""
    n = q.size
    # Scaled by powers of two, which costs no accuracy; they are kept in the spare last row of the tableau.
    scale = 0.0
    for i in range(n):
        a = M[i, i]
        T[n, i] = 1.0
        if not 0.25 <= a < 16.0 and 0.0 < a < inf:
            T[n, i] = 2.0 ** (frexp(sqrt(a))[1] - 1)
        if not abs(q[i]) < inf:
            return inf, 0
        scale = max(scale, abs(q[i]) / T[n, i])
        z[i] = 0.0
        w[i] = q[i]
        factor[i] = 1.0 / T[n, i]
    if not _copy(M, T, factor):
        return inf, 0
    first = 0
    for i in range(n):
        T[i, n] = -cover[i] / T[n, i] if cover.size else -1.0
        T[i, n + 1] = q[i] / T[n, i] / scale
        if q[i] < 0.0 and T[i, n + 1] == 0.0:
            return inf, 0
        if T[i, n + 1] * T[first, n] >= T[first, n + 1] * T[i, n]:
            first = i  # q_i / d_i is least; the last of equal ones is the lexicographic minimum
        basic[i] = i
        nonbasic[i] = n + i
        where[i] = -1 - i
        where[n + i] = i
    nonbasic[n] = 2 * n
    where[2 * n] = n
    return scale, first


@kernel()
def lemke(
    M: np.ndarray,
    q: np.ndarray,
    z: np.ndarray,
    w: np.ndarray,
    tableau: np.ndarray,
    index: np.ndarray,
    line: np.ndarray,
    limit: int,
    told: Told,
    cover: np.ndarray,
) -> tuple[int, int, float]:
    """Solve 0 ≤ M z + q ⟂ z ≥ 0, and judge the answer by w = M z + q computed from M itself.

    Parameters
    ----------
    M : (n, n), any; not modified
    q : (n,)
    z, w : (n,) out; after RAY z is the z-part of the ray (max d z = 1) and w is M z; NaN where a basis was met twice
    tableau, index, line : scratch from ``workspace``
    limit : largest number of pivots
    told : of each pivot the variable that enters, the one that leaves (w_i: i, z_i: n + i, z0: 2 n), and z0 after it
    cover : (n,) the covering vector d > 0, of the scaled rows; or empty for ones

    Returns
    -------
    status : SOLVED, RAY, ITERATION_LIMIT, NO_CONCLUSION (answer not accurate enough, or a basis met twice) or INVALID
        (not finite)
    iterations : pivots
    residual : as in ``solvers.problem``, or more; inf where z may have run away along a ray, NaN without an answer
    """
    n, wide = q.size, tableau.shape[1]
    T = tableau
    basic = index[:n]
    nonbasic = index[n : 2 * n + 1]
    tie = index[2 * n + 1 : 3 * n + 1]
    where = index[3 * n + 1 : 5 * n + 2]  # of variable w_i: i, z_i: n + i, z0: 2 n; column, or -1 - row if basic
    scale, first = _fill(M, q, cover, z, w, T, line, basic, nonbasic, where)
    if not scale < inf:
        return INVALID, 0, np.nan
    if scale == 0.0 or T[first, n + 1] >= 0.0:
        return SOLVED, 0, 0.0

    row, col, path = first, n, told.path
    iterations = 0
    before = told.state[0] if len(path) > 0 else 0
    basis, mark, next_mark = 0, -1, 1  # Brent: of bases in a circle, one with a power of two for its number comes again
    status = ITERATION_LIMIT
    while iterations < limit:
        leaving = basic[row]
        basis += _key(nonbasic[col]) - _key(leaving)
        if basis == mark:
            for i in range(n):
                z[i] = w[i] = np.nan
            return NO_CONCLUSION, iterations, np.nan
        if iterations == next_mark:
            mark, next_mark = basis, 2 * next_mark
        entry = before + iterations
        if entry < len(path):
            path[entry, 0] = nonbasic[col]
            path[entry, 1] = leaving
        _exchange(T, row, col, basic, nonbasic, where, line)
        if entry < len(path):
            at = where[2 * n]
            path[entry, 2] = T[-1 - at, n + 1] * scale if at < 0 else 0.0
        iterations += 1
        ends = tell(told)
        if leaving == 2 * n:
            status = SOLVED
            break
        if ends:
            break
        col = where[leaving + n if leaving < n else leaving - n]
        row = _leaving_row(T, col, basic, where, tie, line[wide : wide + n], line[wide + n :])
        if row < 0:
            # Where q contradicts itself by less than may be accepted, the point that the ray leaves is a solution.
            status = SOLVED if T[-1 - where[2 * n], n + 1] <= ACCEPT else RAY
            break

    if status == ITERATION_LIMIT:
        return status, iterations, np.nan
    # The point, or the direction of the ray.
    largest = 0.0
    for i in range(n):
        k = basic[i] - n
        if 0 <= k < n:
            z[k] = max(T[i, n + 1] * scale if status == SOLVED else -T[i, col], 0.0)
    if status == RAY and n <= nonbasic[col] < 2 * n:
        z[nonbasic[col] - n] = 1.0
    for i in range(n):
        largest = max(largest, z[i])
    for i in range(n):
        z[i] /= T[n, i] if status == SOLVED else T[n, i] * max(largest, 1e-300)
    size, felt = line[:n], line[n : 2 * n]
    _rates(M, q, z, w, size, 0.0 if status == RAY else 1.0)
    if status == RAY:
        return status, iterations, np.nan
    residual = _judged(M, q, z, w, size, felt)
    if residual > ACCEPT:
        # At a degenerate vertex what should be zero may be rounding, which a row without a q of its own would feel.
        for i in range(n):
            if z[i] * T[n, i] <= ROUNDED * scale:
                z[i] = 0.0
        _rates(M, q, z, w, size, 1.0)
        residual = _judged(M, q, z, w, size, felt)
    return SOLVED if residual <= ACCEPT else NO_CONCLUSION, iterations, residual


@part(forceinline=False, fastmath={"contract", "reassoc"})
def _rates(M, q, z, w, size, share):
    """w = M z + share q, and the size |M| z + |q| of what each is the sum of; sums in whatever order is fastest."""
    n = q.size
    flat = M.reshape(M.size)
    for i in range(n):
        here, a, b = i * n, 0.0, 0.0
        for j in range(n):
            x = flat[here + j] * z[j]
            a += x
            b += abs(x)
        w[i] = share * q[i] + a
        size[i] = abs(q[i]) + b


@part(forceinline=False)
def _judged(M, q, z, w, size, felt):
    """Residual of a solution as in ``solvers.problem``, or more; inf where z may have run away along a ray.

    As every s_i is taken for what it is, and not for more beside rows with a larger q, it is never less than that one.

    Parameters
    ----------
    M : (n, n), contiguous
    q, z, w, size : (n,), of ``_rates``
    felt : (n,) scratch
    """
    n = q.size
    flat = M.reshape(M.size)
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(q[i]))
        felt[i] = 0.0
    for i in range(n):
        if size[i] > 0.0:
            inverse, here = 1.0 / size[i], i * n
            for j in range(n):
                x = abs(flat[here + j]) * inverse
                felt[j] = x if x > felt[j] else felt[j]
    worst = 0.0
    for i in range(n):
        if not size[i] < inf:
            return inf
        rate = w[i] / size[i] if size[i] > 0.0 else 0.0
        share = z[i] * felt[i] if felt[i] > 0.0 and z[i] != 0.0 else z[i]  # 0 times what may be infinite is 0
        worst = max(worst, abs(min(share, rate)))
        own = abs(q[i]) if abs(q[i]) > 0.0 else largest
        if -w[i] > SHORT * own and size[i] > FAR * own:
            return inf
    return worst


@part()
def in_block(M, q, z, w, block):
    """Solve and judge in the memory of ``active_set.packed``: (SOLVED or another status, pivots, residual)."""
    n = q.size
    wide = (n + 5) // 4 * 4
    size, integers, line = (n + 1) * wide, 5 * n + 2, wide + 2 * n
    tableau = block[:size].reshape((n + 1, wide))
    index = block[size : size + integers].view(np.int64)
    start = (size + integers + 7) // 8 * 8  # lines of the cache, as the block and the rows of the tableau
    scratch = block[start : start + line]
    nothing = block[:0]
    limit = max(100 * n, int(1e10 / (n + 2) ** 2))
    told = Told(nothing.reshape((0, 3)), index[:2], 0 * n)
    return lemke(M, q, z, w, tableau, index, scratch, limit, told, nothing)


def _went_astray(problem: MLCP, code: int, z: np.ndarray) -> bool:
    """Whether a run came to nothing: to a ray that proves nothing, a circle, or a point that is no solution."""
    if code == RAY:
        return check(problem, z) is None
    return code == NO_CONCLUSION and bool(np.isnan(z).any() or not problem.residual(z) < ASTRAY)


def solve(
    problem: MLCP,
    start: np.ndarray | None = None,
    *,
    max_iterations: int | None = None,
    covering: np.ndarray | None = None,
    log: bool = False,
    callback: Callback | None = None,
) -> Answer:
    """Back-end: the kernel on a dense copy, or sparse factors; ``start`` is not used.

    The default limit of pivots is what takes about ten seconds, at least 100 n. ``covering`` is the vector d > 0, one
    number for each row, with which w is lifted; another one takes another path. Where none was given and the run, with
    all ones, comes to nothing, it is repeated with a random covering vector (of a fixed seed) while pivots are left. If
    that finds no more, the answer is the first run's, and so are the pivots. This holds for the dense tableau: the
    sparse back-end breaks ties generically already. The log has the variable that enters the basis and the one that
    leaves it in each pivot, and the artificial variable z0 that is driven to zero.
    """
    n = problem.n
    notes = Notes(("enters", "leaves", "z0"), log, callback)
    variables = [f"{x} {name}" for x in "wz" for name in problem.names] + ["z0"] if notes.wanted else []

    def read(row: np.ndarray) -> tuple[str, str, float]:
        return variables[int(row[0])], variables[int(row[1])], float(row[2])

    z: np.ndarray | None
    ray: np.ndarray | None = None
    if not isinstance(problem.M, np.ndarray) and n > SMALL:
        from solvers.backends.lemke_sparse import pivots

        def note(*row: float) -> bool:
            return notes.wanted and notes(*read(np.array(row)))

        begin = perf_counter()
        code, iterations, z = pivots(problem, max_iterations, note, covering)
        seconds = perf_counter() - begin
    else:
        limit = max(100 * n, int(1e10 / (n + 2) ** 2)) if max_iterations is None else max_iterations
        z, w = np.empty(n), np.empty(n)
        M, scratch, told = np.ascontiguousarray(to_dense(problem.M)), workspace(n), notes.told(limit, 3, read)
        begin = perf_counter()
        cover = np.zeros(0) if covering is None else np.ascontiguousarray(covering)
        code, iterations, _ = lemke(M, problem.q, z, w, *scratch, limit, told, cover)
        if covering is None and iterations < limit and not notes.stopped and _went_astray(problem, code, z):
            cover, other = np.random.default_rng(0).uniform(0.5, 1.0, n), np.empty(n)
            again, more, _ = lemke(M, problem.q, other, w, *scratch, limit - iterations, told, cover)
            if again in (SOLVED, RAY, NO_CONCLUSION) and not _went_astray(problem, again, other):
                ray = z if code == RAY and again == NO_CONCLUSION else None  # of use if that point is no solution
                code, iterations, z = again, iterations + more, other
        seconds = perf_counter() - begin
        notes.settle(iterations)
    if code == RAY:
        z, ray = None, z
    elif code not in (SOLVED, NO_CONCLUSION) or (z is not None and np.isnan(z).any()):
        z = None
    message = notes.message if ray is None else "Lemke's method ended on a ray"
    status = Status.NO_CONCLUSION if code == RAY else CODES[code]
    return Answer(z, status, iterations, ray, message, notes.log(), seconds)
