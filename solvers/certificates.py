"""Proofs: what stands behind ``solved``, and Farkas vectors that stand behind ``infeasible``.

If y ≥ 0 (free rows: any sign), Mᵀy ≤ 0 (= 0 on free rows) and qᵀy < 0, then no z can exist: w ≥ 0 would give
0 ≤ yᵀw = (Mᵀy)ᵀz + qᵀy < 0. For wires Mᵀy = 0 means G y = 0: tensions y balance, and -qᵀy is the speed at which the
ends of those wires are driven apart.

Checked in numbers, with d = sqrt(M_ii) and y scaled to max|d y| = 1: *margin* = -qᵀy / max|q/d| must exceed what is
accepted as a residual, and *gap* = max (Mᵀy)_i/d_i (|.| on free rows) must be below 1e-8 margin. What is left of a gap
means that a solution, if there were one, would need impulses beyond 1e8 times max|q/d|. A row with M_ii = 0 has no d of
its own, so that nobody knows what is a small impulse there: (Mᵀy)_i must be small beside the terms it is the sum of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solvers import matrix as mx
from solvers.status import ACCEPT, FARKAS_GAP

if TYPE_CHECKING:
    from solvers.matrix import Array
    from solvers.problem import MLCP


@dataclass(frozen=True, slots=True, eq=False)
class Farkas:
    """Checked proof that a problem has no solution.

    Attributes
    ----------
    y : (n,) scaled to max|y| = 1
    margin, gap : see the head of this module [-]
    speed : -qᵀy, for wires the rate at which they are driven apart [unit of q]
    names : rows that contradict each other, largest part first
    """

    y: Array
    margin: float
    gap: float
    speed: float
    names: tuple[str, ...]
    kind_of_row: str

    def __str__(self) -> str:
        many = len(self.names) != 1
        rows = listed(self.names, self.kind_of_row)
        if self.kind_of_row == "wire":
            return f"{rows} {'are' if many else 'is'} driven apart at {self.speed:.6g} m/s"
        return f"{rows} cannot be satisfied{' together' if many else ''}: short by {self.speed:.6g}"


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """What was checked of a solution.

    Attributes
    ----------
    residual : scaled residual, recomputed from M, z and q
    active : (n,) bool, rows with z at work: free rows, and those where d z > w/d
    rank : rank of M on the active rows
    condition : ratio of its largest to its smallest nonzero singular value (scaled rows)
    """

    residual: float
    active: Array
    rank: int
    condition: float


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
    largest = np.max(np.abs(problem.d * y), initial=0.0)
    if not largest > 0:
        return None
    y = y / largest
    slope = mx.product(problem.M, y, transposed=True) / problem.d
    slope = np.where(problem.free, np.abs(slope), slope)
    gap = float(np.max(slope, initial=0.0))
    margin = -float(problem.q @ y) / problem.scale
    if not (margin > ACCEPT and gap <= FARKAS_GAP * margin):
        return None
    unknown = (mx.diagonal(problem.M) <= 0) & (slope > 0)
    if unknown.any() and np.any(slope[unknown] > FARKAS_GAP * (mx.terms(problem.M, y) / problem.d)[unknown]):
        return None
    weight = np.abs(problem.d * y)
    order = np.argsort(-np.round(weight, 6), kind="stable")
    rows = [i for i in order if weight[i] > 1e-6]  # below: rounding of the solver
    y = y / np.max(np.abs(y))
    return Farkas(y, margin, gap, -float(problem.q @ y), tuple(problem.names[i] for i in rows), problem.kind_of_row)


def sharpened(problem: MLCP, y: Array) -> Farkas | None:
    """Like ``check``; a y with errors in Mᵀy is first projected onto those that vanish where that should."""
    proof = check(problem, y)
    if (proof is not None and proof.gap <= 1e-14) or problem.n > mx.DENSE_LIMIT or not np.all(np.isfinite(y)):
        return proof
    scaled = problem.scaled
    y = np.where(problem.free, y, np.maximum(y, 0.0)) / scaled.s
    if not np.max(np.abs(y), initial=0.0) > 0:
        return proof
    y = y / np.max(np.abs(y))
    T = mx.to_dense(scaled.problem.M).T
    # Iterative answers are good to about 1e-5; what is smaller belongs to the support or the binding rows.
    support = np.abs(y) > 1e-5
    binding = problem.free | (np.abs(T @ y) < 1e-4)
    y = np.where(support, y, 0.0)
    y[support] -= np.linalg.lstsq(T[np.ix_(binding, support)], T[binding] @ y, rcond=1e-10)[0]
    return check(problem, scaled.retrieve_farkas(y)) or proof


def find(problem: MLCP) -> Farkas | None:
    """Look for a Farkas vector by linear programming (SciPy's HiGHS): min qᵀy with -1 ≤ y ≤ 1, Mᵀy ≤ 0."""
    from scipy.optimize import linprog

    scaled = problem.scaled
    P = scaled.problem
    if P.invalid:  # numbers beyond all floats, in these units
        return None
    T = mx.to_sparse(P.M).T.tocsr()
    free = P.free
    answer = linprog(
        P.q,
        A_ub=T[~free] if not free.all() else None,
        b_ub=np.zeros(int((~free).sum())) if not free.all() else None,
        A_eq=T[free] if free.any() else None,
        b_eq=np.zeros(int(free.sum())) if free.any() else None,
        bounds=np.column_stack([np.where(free, -1.0, 0.0), np.ones(P.n)]),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if answer.x is None or not answer.fun < 0:
        return None
    return sharpened(problem, scaled.retrieve_farkas(np.asarray(answer.x)))


def prove(problem: MLCP, residual: float, active: Array) -> Proof:
    """Rank and condition of M on the active rows; of large problems the rank only (condition NaN)."""
    from solvers.uniqueness.ranges import rank_on

    rank, condition = rank_on(problem, active)
    return Proof(residual, active, rank, condition)
