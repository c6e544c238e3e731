"""Classes of matrices: which a square M belongs to, with a witness, and what that says of w = M z + q, 0 ≤ w ⟂ z ≥ 0.

A matrix class is a promise for every q. With α an index set, M_αα a principal submatrix, and z∘(Mz) taken row by row:

    P            all principal minors > 0                      one solution for every q          (CPS 3.3)
    P0           all principal minors ≥ 0
    Z, M-matrix  M_ij ≤ 0 beside the diagonal; and P           least element of the feasible set (CPS 3.11)
    copositive   zᵀMz ≥ 0 for z ≥ 0;  plus: zᵀMz = 0 ⟹ (M + Mᵀ)z = 0     feasible ⟹ solvable for plus (CPS 3.8)
    column sufficient   z∘(Mz) ≤ 0 ⟹ z∘(Mz) = 0                solutions form a convex set       (CPS 3.5)
    column adequate     z∘(Mz) ≤ 0 ⟹ Mz = 0                    w is unique for every q           (Ingleton; CPS 3.4)

So w, and with it the motion, is unique whatever happens if and only if M is column adequate: of symmetric matrices
exactly the semidefinite ones are, of others P-matrices and more. A second w shows itself by its witness z: with z⁺ and
z⁻ its parts, q = (Mz)⁺ − M z⁺ (row by row where it must) has the solutions z⁺ and z⁻ with w⁺ − w⁻ = M z ≠ 0.

Decided exactly, to rounding, by enumerating principal submatrices up to ``LARGEST_P`` rows. Sufficiency and adequacy
take a linear program for each of the 3ⁿ sign patterns up to ``LARGEST_SIGNS`` rows. Beyond, what follows from other
classes is told, and the rest is None. Minors, sufficiency and adequacy are those of the matrix in any units of its rows
and columns, so that each block is judged in the units that suit it best (``_evened``).

Sources: Cottle, Pang & Stone (CPS), The Linear Complementarity Problem (1992), chapter 3; Ingleton, Proc. London Math.
Soc. 16 (1966) 519-536 (w is unique); Cottle, Pang & Venkateswaran, Linear Algebra Appl. 114/115 (1989) 231-249
(sufficient).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers.given import OURS, wrong
from solvers.matrix import Array
from solvers.problem import LCP, MLCP, ProblemError, numbers

LARGEST_P = 12
"""Most rows of which all principal submatrices are looked at (4095)."""

LARGEST_SIGNS = 6
"""Most rows of which all sign patterns are tried by linear programs."""

INSTEAD = {
    "MCP": "the LCP behind its bounds is its .reduced, and its matrix .M",
    "Coulomb": "its matrix is .M, and an LCP with polygons for its circles .polyhedral(8).problem",
}
"""What to classify of problems that are no LCP."""

INFEASIBLE = 2
"""Status of ``linprog`` that there is no solution."""

ZERO = 1e-11
"""Share of a determinant's terms, or of the largest eigenvalue, below which it is rounding."""

NOISE = 1e-14
"""Share of what a determinant could be (Hadamard) that elimination makes of one that is zero."""


@dataclass(frozen=True, eq=False)
class Classes:
    """To which classes a matrix belongs: True, False, or None where that was not decided.

    Attributes
    ----------
    symmetric : M = Mᵀ
    psd, pd : zᵀMz ≥ 0, > 0 for all z ≠ 0 (M need not be symmetric)
    p, p0, z, m_matrix, copositive, copositive_plus : see the head of :mod:`solvers.uniqueness.classes`
    column_adequate, row_adequate, column_sufficient, row_sufficient : the same; row: of Mᵀ
    witness : for what is False: row numbers of a principal minor, a pair of rows, or a vector
    """

    M: Array
    symmetric: bool
    psd: bool
    pd: bool
    p: bool | None
    p0: bool | None
    z: bool
    m_matrix: bool
    copositive: bool | None
    copositive_plus: bool | None
    column_adequate: bool | None
    row_adequate: bool | None
    column_sufficient: bool | None
    row_sufficient: bool | None
    witness: dict[str, Any]

    @property
    def w_unique(self) -> bool | None:
        """Whether w is unique for every q: column adequacy."""
        return self.column_adequate

    @property
    def z_unique(self) -> bool | None:
        """Whether z exists and is unique for every q: P."""
        return self.p

    @property
    def method(self) -> str:
        """The back-end that is right for it."""
        if self.symmetric and self.psd:
            return "active-set"
        if len(self.M) > mx.SMALL:
            return "newton"
        if self.p or self.row_sufficient or self.copositive_plus:
            return "lemke"
        return "auto"

    def two_solutions(self) -> tuple[LCP, Array, Array]:
        """A problem with this M whose two solutions z have different w.

        Raises ``ProblemError`` if M is column adequate, so that there is none, or none is known.
        """
        x = self.witness.get("column_adequate")
        if x is None:
            raise ProblemError("M is column adequate, or not known not to be: there is no second w to be shown")
        one, other = np.maximum(x, 0.0), np.maximum(-x, 0.0)
        a, b = self.M @ one, self.M @ other
        q = np.where(x > 0.0, -a, np.where(x < 0.0, -b, np.maximum(-a, -b)))
        return LCP(self.M, q), one, other

    def __str__(self) -> str:
        say = {True: "yes", False: "no", None: "not decided"}
        lines = []
        for name in NAMES:
            given = self.witness.get(name)
            lines.append(f"{NAMES[name]:<19}{say[getattr(self, name)]:<13}{_shown(name, given)}".rstrip())
        lines += ["", *self._says()]
        return "\n".join(lines)

    def _says(self) -> Iterator[str]:
        if self.p:
            yield "one solution for every q (P)"
        elif self.psd or self.copositive_plus or self.row_sufficient:
            yield "a solution exists whenever z ≥ 0 with w ≥ 0 does (feasible is enough)"
        else:
            yield "a feasible problem need not have a solution"
        yield {
            True: "w is unique for every q (column adequate)",
            False: "w is not unique for some q (not column adequate); two_solutions() shows one",
            None: "whether w is unique for every q was not decided",
        }[self.column_adequate]
        if self.p is False:
            yield "z is not unique for some q (not P)"
        if self.column_sufficient:
            yield "all solutions of a problem form a convex set (column sufficient)"
        yield f"solver: {self.method}"


NAMES = {
    "symmetric": "symmetric",
    "psd": "semidefinite",
    "pd": "definite",
    "p": "P",
    "p0": "P0",
    "z": "Z",
    "m_matrix": "M-matrix",
    "copositive": "copositive",
    "copositive_plus": "copositive-plus",
    "column_sufficient": "column sufficient",
    "row_sufficient": "row sufficient",
    "column_adequate": "column adequate",
    "row_adequate": "row adequate",
}


def _shown(name: str, witness: Any) -> str:
    if witness is None:
        return ""
    if name in ("p", "p0"):
        return f"principal minor of rows {', '.join(map(str, witness))}"
    if name in ("z", "symmetric"):
        return f"entry {witness[0]}, {witness[1]}"
    shown = np.round(witness / (np.abs(witness).max() or 1.0), 6) + 0.0  # of any length
    return "z = " + np.array2string(shown, separator=", ", max_line_width=10_000)


def classify(M: Any) -> Classes:
    """The classes of a square matrix, with witnesses.

    Parameters
    ----------
    M : (n, n), or an LCP without free rows; dense, sparse or Envelope, at most ``solvers.matrix.DENSE_LIMIT`` rows

    Raises ``ProblemError`` for what is no square matrix of finite numbers, or a problem with free rows.
    """
    if isinstance(M, MLCP):
        if M.free.any():
            raise ProblemError("classify takes problems without free rows: the classes are those of LCPs")
        M = M.M
    elif type(M).__name__ in OURS:
        raise wrong("classify", "a matrix or an LCP", M, INSTEAD)
    elif not mx.is_sparse(M) and not isinstance(M, mx.Envelope):
        M = numbers("M", M, np.asarray)
        if M.ndim != 2 or M.shape[0] != M.shape[1]:
            raise ProblemError(f"M must be a square matrix, got shape {M.shape}")
    problem = LCP(M, np.zeros(M.shape[0]))
    if problem.invalid:
        raise ProblemError(problem.invalid)
    original = mx.to_dense(problem.M)
    s = np.exp2(-np.round(np.log2(problem.sizes)))
    A, n = mx.scaled(original, s), len(original)
    known: dict[str, Any] = {}
    witness: dict[str, Any] = {}

    def put(name: str, answer: bool | None, shown: Any = None) -> None:
        known[name] = answer
        if answer is False and shown is not None:
            witness[name] = shown

    off = np.abs(A - A.T)
    put("symmetric", problem.symmetric, divmod(int(off.argmax()), n) if n else None)
    value, vector = np.linalg.eigh(0.5 * (A + A.T)) if n else (np.ones(1), np.ones((1, 1)))
    small = ZERO * max(1.0, float(np.abs(value).max(initial=0.0)))
    put("psd", bool(value[0] >= -small), s * vector[:, 0] if n else None)
    put("pd", bool(value[0] > small), s * vector[:, 0] if n else None)
    beside = A - np.diag(np.diag(A))
    put("z", bool(np.all(beside <= 0.0)), divmod(int(beside.argmax()), n) if n else None)
    put("m_matrix", known["z"] and _is_m(A))

    minors = list(_minors(A)) if n <= LARGEST_P else None
    put("p", *_p(known, minors, 1.0))
    put("p0", *_p(known, minors, 0.0))
    for side, B in (("column", A), ("row", A.T)):
        falling = _falling(B, witness["p0"]) if "p0" in witness else None
        answer, x = (False, falling) if falling is not None else _adequate(known, B, minors)
        put(f"{side}_adequate", answer, None if x is None else s * x)
        answer, x = (False, falling) if falling is not None else _sufficient(known, B, answer, vector[:, 0])
        put(f"{side}_sufficient", answer, None if x is None else s * x)
    answer, x = _copositive(known, 0.5 * (A + A.T))
    put("copositive", answer, None if x is None else s * x)
    answer, x = _copositive_plus(known, 0.5 * (A + A.T), x)
    put("copositive_plus", answer, None if x is None else s * x)
    return Classes(M=original, witness=witness, **known)


def is_p(M: Array) -> bool:
    """Whether all principal minors are positive; M has at most ``LARGEST_P`` rows."""
    return all(minor > ZERO for _, minor in _minors(M))


def _minors(A: Array) -> Iterator[tuple[tuple[int, ...], float]]:
    """(rows, principal minor in shares of its terms a_ij C_ij of one row, the mean of all rows), small ones first."""
    n = len(A)
    for size in range(1, n + 1):
        chosen = np.array(list(combinations(range(n), size)))
        blocks, _ = _evened(A[chosen[:, :, None], chosen[:, None, :]])
        minors = np.linalg.det(blocks)
        solid = np.abs(minors) > NOISE * np.sqrt((blocks**2).sum(axis=2)).prod(axis=1)
        minors[~solid] = 0.0
        terms = np.abs(np.linalg.inv(blocks[solid]) * np.swapaxes(blocks[solid], 1, 2)).sum(axis=(1, 2))
        minors[solid] = size * np.sign(minors[solid]) / terms
        yield from zip(map(tuple, chosen.tolist()), minors.tolist(), strict=True)


def _evened(blocks: Array) -> tuple[Array, Array]:
    """D B E and the diagonals of E, for blocks B (.., n, n): D, E > 0 that bring the entries closest to size 1.

    The signs of principal minors, and with z = E z' those of z∘(Bz), are the same for all such D and E, so that none
    of them may count in a verdict. Σ (log|B_ij| + r_i + c_j)² over the entries that are not 0 is least (Curtis &
    Reid 1972), to powers of two, by which nothing is rounded.
    """
    there = (blocks != 0.0).astype(float)
    size = np.log2(np.abs(np.where(blocks != 0.0, blocks, 1.0)))
    n = blocks.shape[-1]
    normal = np.zeros((*blocks.shape[:-2], 2 * n, 2 * n))
    normal[..., :n, n:], normal[..., n:, :n] = there, np.swapaxes(there, -1, -2)
    index = np.arange(2 * n)
    normal[..., index, index] = normal.sum(axis=-1) + 1e-6  # where r + t, c − t do as well, the least
    sums = np.concatenate([size.sum(axis=-1), size.sum(axis=-2)], axis=-1)
    power = np.exp2(np.round(np.linalg.solve(normal, -sums[..., None])[..., 0]))
    return power[..., :n, None] * blocks * power[..., None, n:], power[..., n:]


def _is_m(A: Array) -> bool:
    """Whether a Z-matrix is a nonsingular M-matrix: some x > 0 has A x > 0 (CPS 3.11)."""
    try:
        x = np.linalg.solve(A, np.ones(len(A)))
    except np.linalg.LinAlgError:
        return False
    return bool(np.all(x > 0.0) and np.all(A @ x > 0.5))


def _p(known: dict[str, Any], minors: list[tuple[tuple[int, ...], float]] | None, strict: float) -> tuple[Any, Any]:
    if known["pd"] or known["m_matrix"] or (not strict and (known["psd"] or known.get("p"))):
        return True, None
    if known["symmetric"] and minors is None:
        return (known["pd"] if strict else known["psd"]), None
    if minors is None:
        return None, None
    for rows, minor in minors:
        if minor <= ZERO * (1.0 if strict else -1.0):
            return False, rows
    return True, None


def _falling(A: Array, rows: tuple[int, ...]) -> Array:
    """x with x∘(Ax) ≤ 0 and not all zero, of rows whose principal minor is negative.

    Of a block with a negative determinant an odd number of eigenvalues is negative: A x = λ x there.
    """
    index, x = list(rows), np.zeros(len(A))
    block, E = _evened(A[np.ix_(index, index)])
    value, vector = np.linalg.eig(block)
    real = np.abs(value.imag) <= 1e-9 * np.abs(value).max()
    x[index] = E * vector[:, int(np.where(real, value.real, np.inf).argmin())].real
    return x


def _adequate(known: dict[str, Any], A: Array, minors: list[tuple[tuple[int, ...], float]] | None) -> tuple[Any, Any]:
    """Column adequate, of a P0-matrix: where a principal minor is zero its columns of A are dependent (CPS 3.4)."""
    if known["p"] or (known["symmetric"] and known["psd"]):
        return True, None
    if minors is None:
        return (False if known["symmetric"] else None), None
    for rows, minor in minors:
        if minor > ZERO:
            continue
        index, x = list(rows), np.zeros(len(A))
        block, E = _evened(A[np.ix_(index, index)])
        y = np.linalg.svd(block)[2][-1]
        y[np.abs(y) <= 1e-12 * np.abs(y).max()] = 0.0
        columns = A[:, index] * E
        if (np.abs(columns @ y) > 1e-8 * np.abs(columns).max(axis=1)).any():  # each row by its own size
            x[index] = E * y
            return False, x
    return True, None


def _sufficient(known: dict[str, Any], A: Array, adequate: bool | None, least: Array) -> tuple[Any, Any]:
    """Column sufficient: no x whose x∘(Ax) is ≤ 0 and not all zero.

    least : eigenvector of the least eigenvalue λ of the symmetric part; of a symmetric A it has x∘(Ax) = λ x∘x
    """
    if adequate or known["psd"]:
        return True, None
    if known["symmetric"]:
        return False, least
    n, settled = len(A), True
    if n > LARGEST_SIGNS:
        return None, None
    from scipy.optimize import linprog

    for signs in product((0.0, 1.0, -1.0), repeat=n):
        rows = np.flatnonzero(signs)
        if not rows.size or signs[rows[0]] < 0.0:  # x and -x say the same
            continue
        sigma = np.array(signs)[rows]
        block, E = _evened(A[np.ix_(rows, rows)])
        B = block * sigma * sigma[:, None]
        # Any multiple of x does as well, so that y ≥ 1 stands for y > 0, and a fall by at least 1 for any.
        fall = B.sum(axis=0)
        answer = linprog(np.ones(rows.size), np.vstack([B, fall]), np.r_[np.zeros(rows.size), -1.0], bounds=(1.0, None))
        if answer.x is not None and fall @ answer.x < -1e-7 * answer.x.max():
            x = np.zeros(n)
            x[rows] = sigma * E * answer.x
            return False, x
        settled = settled and answer.status == INFEASIBLE
    return (True if settled else None), None


def _copositive(known: dict[str, Any], S: Array) -> tuple[Any, Any]:
    """No principal submatrix has a negative determinant and an inverse ≤ 0 (Hadeler 1983, theorem 2)."""
    if known["psd"] or bool(np.all(S >= 0.0)):
        return True, None
    n = len(S)
    if np.diag(S).min() < 0.0:
        return False, np.eye(n)[int(np.diag(S).argmin())]
    if n > LARGEST_P:
        return None, None
    for rows, minor in _minors(S):
        if minor < -ZERO:
            index = list(rows)
            inverse = np.linalg.inv(S[np.ix_(index, index)])
            if np.all(inverse <= 1e-12 * np.abs(inverse).max()):
                x = np.zeros(n)
                x[index] = -inverse.sum(axis=1)
                return False, x
    return True, None


def _copositive_plus(known: dict[str, Any], S: Array, against: Array | None) -> tuple[Any, Any]:
    """Copositive, and S x = 0 wherever x ≥ 0 has xᵀS x = 0; there S x = 0 on the rows of x, and ≥ 0 elsewhere.

    against : witness that S is not copositive
    """
    if not known["copositive"]:
        return known["copositive"], against
    n = len(S)
    if known["psd"]:
        return True, None
    if n > LARGEST_P:
        return None, None
    from scipy.optimize import linprog

    for rows, minor in _minors(S):
        if abs(minor) > ZERO:
            continue
        index = np.array(rows)
        others = np.setdiff1d(np.arange(n), index)
        B = S[np.ix_(index, index)]
        slope = S[np.ix_(others, index)].sum(axis=0)
        answer = linprog(-slope, A_eq=B, b_eq=np.zeros(index.size), bounds=(0.0, 1.0))
        if answer.x is not None and answer.fun < -1e-9:
            x = np.zeros(n)
            x[index] = answer.x
            return False, x
    return True, None
