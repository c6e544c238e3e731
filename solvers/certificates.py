"""Proofs: what stands behind ``solved``, and Farkas vectors that stand behind ``infeasible``.

If y ≥ 0 (free rows: any sign), Mᵀy ≤ 0 (= 0 on free rows) and qᵀy < 0, then no z can exist: w ≥ 0 would give
0 ≤ yᵀw = (Mᵀy)ᵀz + qᵀy < 0. For wires Mᵀy = 0 means G y = 0: tensions y balance, and -qᵀy is the speed at which the
ends of those wires are driven apart.

Checked in numbers without units: *margin* = -qᵀy / |q|ᵀy must exceed what is accepted as a residual, and
*gap* = max (Mᵀy)_i / (|M|ᵀ|y|)_i (|.| on free rows) must be below 1e-12 margin. What is left of a gap means that in a
solution, if there were one, the terms M_ij z_j would have to be 1e12 times what they balance; where it is no more than
rounding makes of Mᵀy = 0, 1e8 times: a small contradiction in q could not be told at all otherwise. (In units in which
M is of order 1, |M|ᵀ|y| is not taken for less than 1e-6 of the largest y: all y come with rounding. Nor is |q|ᵀ|y| then
for less than 1e-6 of the largest y times the largest q: what makes qᵀy must not be smaller than what no gap tells.)

A y may be the sum of several contradictions, and then blames rows that are in none, or in another one. It is reduced to
an extreme ray of the cone of all such y: as few rows as contradict each other (Carathéodory). Fewer rows do not. Where
there are several such rays, the one with the largest -qᵀy / Σ|y| is told (in units in which M is of order 1), whatever
method found that there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers import matrix as mx
from solvers.problem import LEAST
from solvers.status import ACCEPT, FARKAS_GAP, ROUNDED_GAP, ROUNDED_SHARE

LARGEST = 120
"""Most rows in a contradiction that is reduced to an extreme ray (dense singular values)."""

if TYPE_CHECKING:
    from solvers.matrix import Array
    from solvers.problem import MLCP


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Farkas:
    """Checked proof that a problem has no solution.

    Attributes
    ----------
    y : (n,) scaled to max|y| = 1, an extreme ray of its cone if the problem is not too large
    margin, gap : see the head of this module [-]
    fall : -qᵀy, by how much the rows with w ≥ 0 ask for more than there is [unit of q]
    speed : -rateᵀy [unit of q] of a problem that knows the ``rate`` at which its rows are driven, else -qᵀy. In a time
        step of wires: how fast their ends part at its end [m/s], without what gaps add over the step
    names : rows that contradict each other, largest part first
    """

    y: Array
    margin: float
    gap: float
    fall: float
    speed: float
    names: tuple[str, ...]
    kind_of_row: str

    def __repr__(self) -> str:
        return f"<Farkas: {self}>"

    def __str__(self) -> str:
        many = len(self.names) != 1
        rows = listed(self.names, self.kind_of_row)
        if self.kind_of_row == "wire" and self.speed > 0.5 * self.fall:  # else gaps make most of the contradiction
            return f"{rows} {'are' if many else 'is'} driven apart at {self.speed:.6g} m/s"
        return f"{rows} cannot be satisfied{' together' if many else ''}: short by {self.fall:.6g}"


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """What was checked of a solution.

    Attributes
    ----------
    residual : scaled residual, recomputed from M, z and q
    active : (n,) bool, active rows: free ones, and those where d z > w/d
    rank : rank of M on the active rows
    condition : ratio of its largest to its smallest nonzero singular value (scaled rows)
    """

    residual: float
    active: Array
    rank: int
    condition: float


@dataclass(frozen=True, slots=True, eq=False)
class Exhausted:
    """All complementary bases were tried, and none gives a solution, though z ≥ 0 with w ≥ 0 exist.

    Attributes
    ----------
    bases : how many there are, two to the number of unilateral rows
    margin : what the best of them misses a sign, or an equation, by, in units in which M and q are of order 1
    feasible : (n,) a z with all signs right
    """

    bases: int
    margin: float
    feasible: Array

    def __str__(self) -> str:
        return f"all {self.bases} complementary bases were tried, and the best misses a sign by {self.margin:.2g}"


def listed(names: tuple[str, ...], kind: str, most: int = 6) -> str:
    """ "wires left and right", cut after ``most`` names."""
    bare = [n.removeprefix(kind + " ") for n in names]
    shown = bare[:most] + ([f"{len(bare) - most} more"] if len(bare) > most else [])
    text = shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]
    return f"{kind}{'s' if len(names) > 1 else ''} {text}"


def check(problem: MLCP, y: Array) -> Farkas | None:
    """The proof that y gives, or None if it gives none."""
    if y.shape != (problem.n,) or not np.all(np.isfinite(y)):
        return None
    y = np.where(problem.free, y, np.maximum(y, 0.0))
    largest = np.max(np.abs(y), initial=0.0)
    if not largest > 0:
        return None
    y = y / largest
    slope = mx.product(problem.M, y, transposed=True)
    slope = np.where(problem.free, np.abs(slope), np.maximum(slope, 0.0))
    scaled = problem.scaled
    size = mx.product(problem.entries, np.abs(y), transposed=True)
    least = LEAST * np.abs(y / scaled.row).max()
    size = np.maximum(size, least / scaled.column)
    gap = float(np.max(slope / np.where(size > 0.0, size, 1.0), initial=0.0))
    fall, q = -float(problem.q @ y), np.abs(problem.q)
    margin = fall / (max(float(q @ np.abs(y)), least * np.max((q * scaled.row)[y != 0.0])) or 1.0)
    if not (margin > ACCEPT and gap <= max(FARKAS_GAP * margin, min(ROUNDED_GAP, ROUNDED_SHARE * margin))):
        return None
    weight = np.abs(problem.d * y)
    order = np.argsort(-np.round(weight / weight.max(), 6), kind="stable")
    names = tuple(problem.names[i] for i in order if y[i] != 0.0)
    speed = fall if problem.rate is None else -float(problem.rate @ y)
    return Farkas(y, margin, gap, fall, speed, names, problem.kind_of_row)


def sharpened(problem: MLCP, y: Array) -> Farkas | None:
    """Like ``check``, of the extreme ray that is told of this problem, or else of one that y leads to."""
    proof = _refined(problem, y)
    if proof is None or problem.n > LARGEST or _is_only(problem):
        return proof
    return find(problem) or proof


def _is_only(problem: MLCP) -> bool:
    """Whether M is semidefinite and its null space a line, so that there is no other ray."""
    return problem.psd and len(_null_space(mx.to_dense(problem.scaled.problem.M))) == 1


def _refined(problem: MLCP, y: Array) -> Farkas | None:
    """Like ``check``, of an extreme ray that y leads to; errors of y vanish on the way.

    Walking along any v with vᵀM = 0 on the rows of y (and where Mᵀy = 0) and qᵀv = 0 changes no contradiction, until
    the first y_i becomes zero. When no such v is left, y is the one null vector itself, to rounding.
    """
    proof = check(problem, y)
    if not np.all(np.isfinite(y)) or np.count_nonzero(y) > LARGEST:
        return proof
    scaled = problem.scaled
    y = np.where(problem.free, y, np.maximum(y, 0.0)) / scaled.row
    if not np.max(np.abs(y), initial=0.0) > 0:
        return proof
    y = y / np.max(np.abs(y))
    # Iterative answers are good to about 1e-5; what is smaller belongs to the support or the binding rows.
    for small in (1e-9, 1e-5):
        ray = _extreme(problem, y, small)
        better = None if ray is None else check(problem, scaled.retrieve_farkas(ray))
        if better is not None:
            return better
    return proof


def _extreme(problem: MLCP, y: Array, small: float) -> Array | None:
    """An extreme ray of the cone, reached from y in scaled units; None if there is none near to y."""
    P = problem.scaled.problem
    T, q, free = mx.to_sparse(P.M).T.tocsr(), P.q, P.free
    y = np.where(np.abs(y) > small, y, 0.0)
    for _ in range(2 * P.n + 1):  # each round leaves a row out, or makes another slope binding
        rows = np.flatnonzero(y)
        if not rows.size:
            return None
        B = T[:, rows]
        binding = free | (np.abs(B @ y[rows]) <= 10.0 * small)
        N = _null_space(B[np.flatnonzero(binding)].toarray())
        x = N.T @ (N @ y[rows])
        fall = float(q[rows] @ x)
        if not fall < 0.0:
            return None
        if len(N) > 1:
            # Of the plane of directions that leave qᵀy as it is, any one.
            plane = N - np.outer(N @ q[rows], x) / fall
            v = plane[int(np.argmax(np.abs(plane).max(axis=1)))]
            x = x + _step(x, v, ~free[rows], B[np.flatnonzero(~binding)])
        y = np.zeros(P.n)
        y[rows] = np.where(np.abs(x) > 1e-12 * np.abs(x).max(), x, 0.0)
        if len(N) == 1:
            return y
    return None


def _null_space(A: Array) -> Array:
    """(k, n) orthonormal vectors v with A v = 0."""
    A = A[np.any(A != 0.0, axis=1)]
    if not len(A):
        return np.eye(A.shape[1])
    _, S, Vt = np.linalg.svd(A)
    return np.asarray(Vt[int(np.count_nonzero(1e-10 * S[0] < S)) :])


def _step(x: Array, v: Array, one_sided: Array, B: Any) -> Array:
    """The multiple of v, of either sign, up to which x + it stays in {x_i ≥ 0 where one-sided, B x ≤ 0}."""
    for direction in (v, -v):
        falls, ahead = one_sided & (direction < -1e-12), B @ direction
        rises = ahead > 1e-12
        ends = [np.maximum(x[falls], 0.0) / -direction[falls], np.maximum(-(B @ x)[rises], 0.0) / ahead[rises]]
        if falls.any() or rises.any():
            return np.asarray(float(np.concatenate(ends).min()) * direction)
    i = int(np.argmax(np.abs(v)))  # a line that lies in the cone
    return np.asarray(-x[i] / v[i] * v)


def _with_columns(T: Any, free: Array) -> Any:
    """T with the columns of the free rows, with the other sign, behind it."""
    import scipy.sparse as sp

    return sp.hstack([T, -T[:, np.flatnonzero(free)]], format="csr")


def find(problem: MLCP) -> Farkas | None:
    """Look for a Farkas vector by linear programming (SciPy's HiGHS): min qᵀy with Σ|y| ≤ 1, Mᵀy ≤ 0.

    A corner of that set is on an extreme ray. Large problems have -1 ≤ y ≤ 1 in place of the sum, a full row.
    """
    from scipy.optimize import linprog

    scaled = problem.scaled
    P = scaled.problem
    if P.invalid:  # numbers beyond all floats, in these units
        return None
    T = mx.to_sparse(P.M).T.tocsr()
    free = P.free
    small = P.n <= LARGEST
    q, bound = P.q, None
    if small:  # free y in two parts
        q, T, bound = np.r_[q, -q[free]], _with_columns(T, free), np.ones((1, P.n + int(free.sum())))
    rows, ends = T[~free], np.zeros(int((~free).sum()))
    if bound is not None:
        rows, ends = np.vstack([rows.toarray(), bound]), np.r_[ends, 1.0]
    answer = linprog(
        q,
        A_ub=rows if rows.shape[0] else None,
        b_ub=ends if rows.shape[0] else None,
        A_eq=T[free] if free.any() else None,
        b_eq=np.zeros(int(free.sum())) if free.any() else None,
        bounds=(0.0, None) if small else np.column_stack([np.where(free, -1.0, 0.0), np.ones(P.n)]),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if answer.x is None or not answer.fun < 0:
        return None
    y = np.array(answer.x[: P.n])
    y[free] -= answer.x[P.n :] if small else 0.0
    return _refined(problem, scaled.retrieve_farkas(y))


def prove(problem: MLCP, residual: float, active: Array) -> Proof:
    """Rank and condition of M on the active rows; of large problems the rank only (condition NaN)."""
    from solvers.uniqueness.ranges import rank_on

    rank, condition = rank_on(problem, active)
    return Proof(residual, active, rank, condition)
