"""What a solution leaves open: is w unique, is z, and which z are possible.

Symmetric semidefinite M: all solutions share w (and v), and they are the polyhedron {z0 + N c ≥ 0} with N the null
space of M on the rows where w = 0. Its directions are the internal stretching forces of a redundant suspension.
Other M: w need not be unique. If M is a P-matrix (as when M + Mᵀ is positive definite) there is one solution; if M + Mᵀ
is semidefinite, the solutions are the polyhedron {z ≥ 0, w ≥ 0, (M + Mᵀ)(z - z0) = 0, qᵀ(z - z0) = 0} and linear
programs look for another w or z; else all complementary bases are tried where there are few rows, those that are
singular by linear programs. A second solution that is found is shown. What holds for every q is told by
:func:`solvers.classify`.

Source: Cottle, Pang & Stone, The Linear Complementarity Problem (1992), sections 3.1 and 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers.given import expect, expect_solution
from solvers.halfspaces import lifted
from solvers.matrix import Array
from solvers.problem import LCP, MLCP, ProblemError
from solvers.solution import Solution
from solvers.uniqueness.ranges import dimension, idle_rows, null_space, taut_rows

OTHERS = {
    "Coulomb": "it is for solvers.analyse_coulomb",
    "MCP": "the MLCP behind its bounds is its .reduced",
}
"""What to do with problems of other kinds."""

LARGEST = 1500
"""Largest number of rows that is analysed (dense singular values)."""


@dataclass(frozen=True, eq=False)
class Analysis:
    """What is known about all solutions of a problem, from one of them.

    Attributes
    ----------
    w_unique, z_unique : True, False, or None where it was not decided
    rank : of the columns of M of the rows where w = 0; with the number of ``null_space`` it makes the number of rows
    taut : (n,) bool, rows where w = 0
    null_space : (n, k) directions y on those rows with M y = 0, each scaled to max|y| = 1, largest entry positive
    dimension : of the set of all z (of the largest of its parts, where it is not convex), None if not known. Less than
        k where rows on the border hold directions back, more where w is not unique
    least_norm : (n,) the z of least Euclidean norm, None for M that is not symmetric semidefinite
    low, high : (n,) range of every z_i over all solutions (infinite: unbounded), None if not asked for or not known
    direction : (n,) a y ≥ 0 along which z may grow without bound, None if there is none
    borderline : (n,) bool, unilateral rows with z = 0 and w = 0
    other : (n,) another solution with a different w, None if none was found
    names : of the rows
    text : the same in words
    """

    w_unique: bool | None
    z_unique: bool | None
    rank: int
    taut: Array
    null_space: Array
    dimension: int | None
    least_norm: Array | None
    low: Array | None
    high: Array | None
    direction: Array | None
    borderline: Array
    other: Array | None
    names: tuple[str, ...]
    text: str

    def table(self) -> str:
        """Null space, and ranges if known, one line per row with w = 0."""
        head = ["row"] + [f"stretch {k + 1}" for k in range(self.null_space.shape[1])]
        known = self.low is not None and self.high is not None
        lines = [head + (["min", "max"] if known else [])]
        for i in np.flatnonzero(self.taut):
            line = [self.names[i]] + [f"{x:+.4f}" for x in self.null_space[i]]
            if self.low is not None and self.high is not None:
                line += [f"{self.low[i]:.6g}", f"{self.high[i]:.6g}"]
            lines.append(line)
        width = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))]
        return "\n".join(
            "  ".join(x.ljust(k) if c == 0 else x.rjust(k) for c, (x, k) in enumerate(zip(line, width, strict=True)))
            for line in lines
        )

    def __str__(self) -> str:
        return self.text


def analyse(problem: MLCP, solution: Solution | None = None, *, ranges: bool = True, rounding: float = 0.0) -> Analysis:
    """Analyse the set of all solutions.

    Parameters
    ----------
    problem : at most ``LARGEST`` rows
    solution : a solved one of it; None: what ``solve(problem)`` gives
    ranges : also compute [min, max] of every z_i (two linear programs per row with w = 0)
    rounding : a w up to here counts as 0 [the unit of q]; of a run's step what rounding of gaps makes of rates

    Raises ``ProblemError`` for what is no LCP or MLCP, a solution that is none of it or not solved, or too many rows.
    """
    expect(MLCP, "analyse", "an LCP or MLCP", problem, OTHERS)
    if solution is None:
        from solvers.interface import solve

        solution = solve(problem)
    expect_solution(Solution, "analyse", "solvers.solve", solution, problem.n)
    if not solution.solved:
        raise ProblemError(f"only a solved problem can be analysed; this one is {solution.status}: {solution.message}")
    if problem.n > LARGEST:
        raise ProblemError(f"analyse takes at most {LARGEST} rows, got {problem.n}")
    z, w = solution.z, solution.w
    taut = taut_rows(problem, z, w) | (np.abs(w) <= rounding)
    borderline = taut & idle_rows(problem, z, w)
    _, N = null_space(problem, taut)
    rank = int(taut.sum()) - N.shape[1]
    least = low = high = direction = other = extent = None
    w_unique: bool | None
    z_unique: bool | None
    if problem.psd:
        w_unique = True
        extent = dimension(problem, N, borderline)
        z_unique = extent == 0
        basis = np.linalg.qr(N)[0] if N.size else N
        basis[np.abs(basis) < 1e-12] = 0.0
        least = _least_norm(problem, z, basis, taut)
        direction = _unbounded(problem, basis, taut)
        if ranges:
            low, high = _ranges(problem, z, basis, taut)
    else:
        from solvers.uniqueness.second_solution import second_solution

        w_unique, z_unique, other, extent = second_solution(problem, z, w)
    shown = _normalised(N)
    facts = w_unique, z_unique, rank, int(taut.sum()), extent
    text = _words(problem, facts, shown, borderline, direction, other)
    names = tuple(problem.names)
    return Analysis(
        w_unique, z_unique, rank, taut, shown, extent, least, low, high, direction, borderline, other, names, text
    )


def _normalised(N: Array) -> Array:
    if not N.size:
        return N
    # Reduced echelon form: each direction then involves few rows and can be read.
    R = N.T.copy()
    for k in range(len(R)):
        rest = np.abs(R[k:])
        i, j = divmod(int(np.argmax(rest)), rest.shape[1])
        R[[k, k + i]] = R[[k + i, k]]
        R[k] /= R[k, j]
        for m in range(len(R)):
            if m != k:
                R[m] -= R[m, j] * R[k]
    R[np.abs(R) < 1e-12 * np.abs(R).max()] = 0.0
    largest = np.argmax(np.abs(R), axis=1)
    return np.asarray((R / R[np.arange(len(R)), largest][:, None]).T)


def _least_norm(problem: MLCP, z: Array, N: Array, taut: Array) -> Array:
    """min ½|z + N c|² over z + N c ≥ 0, by its own LCP: with P = N Nᵀ,  x = (z - P z) + P m ≥ 0 ⟂ m ≥ 0."""
    if not N.size:
        return z
    from solvers.interface import solve

    bound = np.flatnonzero(taut & ~problem.free)
    base = z - N @ (N.T @ z)
    dual = solve(LCP(N[bound] @ N[bound].T, base[bound]))
    if not dual.solved:
        return z
    m = np.zeros(problem.n)
    m[bound] = dual.z
    x = base + N @ (N.T @ m)
    return np.asarray(np.where(problem.free, x, np.maximum(x, 0.0)))


def _unbounded(problem: MLCP, N: Array, taut: Array) -> Array | None:
    """A y = N c ≥ 0 (free rows: any sign), or None."""
    if not N.size:
        return None
    bound = np.flatnonzero(taut & ~problem.free)
    free_only = N[bound]
    _, S, Vt = np.linalg.svd(free_only) if bound.size else (None, np.zeros(0), np.eye(N.shape[1]))
    idle = Vt[int(np.sum(S > 1e-10)) :]
    if len(idle):
        y = N @ idle[0]
        return np.asarray(y / y[np.argmax(np.abs(y))])
    up, c = lifted(free_only)
    if not up.any():
        return None
    y = N @ c
    return np.asarray(y / np.abs(y).max())


def _ranges(problem: MLCP, z: Array, N: Array, taut: Array) -> tuple[Array, Array]:
    low, high = z.copy(), z.copy()
    if not N.size:
        return low, high
    from scipy.optimize import linprog

    bound = np.flatnonzero(taut & ~problem.free)
    # In units in which M and q are of order 1, so that the program sees such numbers.
    unit = problem.scaled.retrieve(np.ones(problem.n))
    z, N = z / unit, np.linalg.qr(N / unit[:, None])[0]
    size = max(float(np.abs(z).max()), 1e-300)
    for i in np.flatnonzero(np.abs(N).max(axis=1) > 1e-12):
        for sign, side in ((1.0, low), (-1.0, high)):
            answer = linprog(
                sign * N[i], A_ub=-N[bound], b_ub=np.maximum(z[bound], 0.0) / size, bounds=(None, None), method="highs"
            )
            side[i] = -sign * np.inf if answer.x is None else unit[i] * (z[i] + size * float(N[i] @ answer.x))
    for side in (low, high):
        side[bound] = np.maximum(side[bound], 0.0)
        side[np.abs(side) < 1e-12 * size * unit] = 0.0
    return low, high


def _words(
    problem: MLCP,
    facts: tuple[bool | None, bool | None, int, int, int | None],
    N: Array,
    borderline: Array,
    direction: Array | None,
    other: Array | None,
) -> str:
    w_unique, z_unique, rank, count, extent = facts
    say = {True: "unique", False: "not unique", None: "not known to be unique"}
    lines = [f"w is {say[w_unique]}, z is {say[z_unique]}; rank {rank} on {count} rows with w = 0"]
    if w_unique is None:
        lines.append("M is not symmetric positive semidefinite, so w need not be unique")
    elif not w_unique:
        lines.append("which is possible as M is not symmetric positive semidefinite")
    if other is not None:
        lines.append(f"a second solution with another {'w' if w_unique is False else 'z'} was found")
    if N.size:
        k = N.shape[1]
        lines.append(
            f"{k} internal stretching forces that move nothing"
            if k > 1
            else "1 internal stretching force that moves nothing"
        )
        if extent is not None and extent < k:
            lines.append(f"of which z = 0 on the border leaves a set of all z of dimension {extent}")
    if extent is not None and extent > N.shape[1]:
        lines.append(f"the set of all z has dimension {extent}; along it w changes")
    if borderline.any():
        rows = ", ".join(problem.names[i] for i in np.flatnonzero(borderline)[:6])
        lines.append(f"on the border (z = 0 and w = 0): {rows}")
    if direction is not None:
        rows = ", ".join(problem.names[i] for i in np.flatnonzero(np.abs(direction) > 1e-9)[:6])
        lines.append(f"z may grow without bound along {rows}")
    return "\n".join(lines)
