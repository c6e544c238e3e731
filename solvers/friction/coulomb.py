"""Problems with exact Coulomb cones, and the guard around their solvers: no claim that was not checked in numbers.

    w = M z + q;  0 ≤ w ⟂ z ≥ 0;  free rows w = 0;  contacts (normal, two tangents): the cone of :mod:`.cone`;
    wires that rub: the bands of :mod:`solvers.friction.bands`

The residual of z is that of the natural map over max|q/d|, d = sqrt(M_ii), computed from M itself. "infeasible" is said
only with a checked Farkas vector of the rows without the tangents: y ≥ 0, M y = 0, qᵀy < 0 leaves no z, whatever the
friction. A problem with friction need not have one solution: see :func:`solvers.analyse`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers.active_set.basis import FREE, UNILATERAL
from solvers.certificates import Farkas
from solvers.friction.any_matrix import newton_on_any
from solvers.friction.bands import Bands, no_bands
from solvers.friction.cone import CONE, Cones, judge_cone
from solvers.friction.cone_newton import cone_newton, workspace
from solvers.friction.cone_sweeps import cone_sweeps
from solvers.friction.polyhedral import Polyhedral, polyhedral
from solvers.given import PLAIN, expect, rows_of, start_of
from solvers.matrix import Array, Envelope
from solvers.problem import MLCP, ProblemError, numbers
from solvers.quote import number, show
from solvers.solution import printed
from solvers.status import ACCEPT, CODES, Status

DIRECTIONS = (8, 32)
"""Polyhedral cones whose solutions Newton's method starts from where it found none."""

MOST_SWEEPS = 20_000

SINGLE = 32 * 2.0**-24
"""Share of sqrt(M_ii M_jj), 1.9e-6, by which M and Mᵀ may differ by rounding in single precision.

Its unit is u = 2⁻²⁴. Rows of two bodies have M_ij = Σ J_ik y_k J_jk of 12 terms. Each is rounded by two products and
in up to 11 sums, and (1 + u)¹⁴ − 1 < 16 u covers that and the entry's own rounding; by Cauchy and Schwarz the terms
together are no more than sqrt(M_ii M_jj). M_ij and M_ji may be off by that to either side.
"""


class Coulomb:
    """Complementarity with Coulomb friction on circular cones.

    Parameters
    ----------
    M : (n, n) positive semidefinite: dense array, SciPy sparse, or ``solvers.Envelope``
    q : (n,)
    contacts : (k, 3) rows of each contact: normal, first and second tangent (perpendicular, of one scale)
    mu : (k,) coefficients of friction, > 0
    free : (n,) bool mask of bilateral rows; default none
    bands : rows of wires that rub on what they bend around; default none
    names : (n,) names of the rows for messages
    rate : (n,) see :class:`solvers.MLCP`

    An M that differs from its transpose by no more than ``SINGLE`` of sqrt(M_ii M_jj), as by rounding in single
    precision, is taken for ½ (M + Mᵀ); ``note``, and the message of a solution, say so. One that is farther from
    symmetric is solved as it is, by a method of its own (:mod:`.any_matrix`).

    Raises ``ProblemError`` if shapes do not fit, a row is no whole number or in two contacts or bands, there are bands
    and M is not symmetric, or a number is not finite.
    """

    def __init__(
        self,
        M: Any,
        q: Any,
        contacts: Any,
        mu: Any,
        free: Any = None,
        *,
        bands: Bands | None = None,
        names: Sequence[str] | None = None,
        rate: Any = None,
    ) -> None:
        base = MLCP(M, q, free, names=names, rate=rate)
        self.rate = base.rate
        self.M, self.q, self.free, self.n = base.M, base.q, base.free, base.n
        self.names = tuple(base.names)
        self.contacts: Array = rows_of("contacts", contacts, 3)
        self.mu: Array = numbers("mu", mu, np.atleast_1d)
        if self.mu.shape != (len(self.contacts),):
            raise ProblemError(f"{len(self.contacts)} contacts need as many mu, got shape {self.mu.shape}")
        if not ((self.mu > 0.0) & np.isfinite(self.mu)).all():
            raise ProblemError(f"mu must be > 0, got {show(self.mu.tolist())}")
        self.bands = no_bands() if bands is None else _checked_bands(bands, self.n)
        used = np.concatenate([self.contacts.ravel(), self.bands.row[:, 0]])
        if used.size and not (used.min() >= 0 and used.max() < self.n and len(set(used.tolist())) == used.size):
            raise ProblemError(
                f"contacts and bands must be different rows of 0..{self.n - 1}, got {show(self.contacts.tolist())} and "
                f"{show(self.bands.row.tolist())}"
            )
        if set(self.bands.row[:, 1].tolist()) & set(used.tolist()):
            raise ProblemError(
                f"the wire of a band must be a unilateral row, got {show(self.bands.row[:, 1].tolist())}"
            )
        if self.free[used].any() or self.free[self.bands.row[:, 1]].any():
            raise ProblemError("a row of a contact or band is marked as free")
        if base.invalid:
            raise ProblemError(base.invalid)
        self.symmetric, self.note = base.symmetric, ""
        even = base.M if self.symmetric else mx.as_matrix(0.5 * (base.M + base.M.T))
        if not self.symmetric and (off := _asymmetry(base)) <= SINGLE:
            self.symmetric, self.M = True, even
            self.note = f"M differs from its transpose by {off:.1e} of sqrt(M_ii M_jj); solved with (M + Mᵀ)/2"
        if not self.symmetric and len(self.bands.low):
            raise ProblemError(
                f"wires that rub need a symmetric M; this one differs from its transpose by {off:.1e} of "
                "sqrt(M_ii M_jj)"
            )
        envelope = _whole_groups(even, _groups(self.contacts, self.bands))
        self._order = np.arange(self.n) if envelope.order is None else envelope.order
        self._envelope = Envelope(envelope.val, envelope.ptr)
        self._diagonal = mx.diagonal(self.M)
        place = np.argsort(self._order)
        self._cones = Cones(
            np.ascontiguousarray(place[self.contacts]).reshape(-1, 3),
            self.mu,
            self.bands._replace(row=np.ascontiguousarray(place[self.bands.row]).reshape(-1, 2)),
        )
        self.kind = np.full(self.n, UNILATERAL, np.int8)
        self.kind[self.free] = FREE
        self.kind[used] = CONE
        self._kind = self.kind[self._order]

    def __repr__(self) -> str:
        count = f"{len(self.mu)} contact{'' if len(self.mu) == 1 else 's'}"
        size = ", ".join(sorted({number(x) for x in self.mu}, key=float)[:3])
        bands = f", {len(self.bands.low)} bands" if len(self.bands.low) else ""
        return f"<Coulomb of {self.n} rows, {count}{f' (mu {size})' if size else ''}{bands}>"

    def residual(self, z: Array, w: Array | None = None) -> float:
        """Natural-map residual of z."""
        return self.judged(z, self.w(z) if w is None else w)[0]

    def w(self, z: Array) -> Array:
        """M z + q."""
        return np.asarray(mx.product(self.M, z) + self.q)

    def shares(self, z: Array, w: Array) -> tuple[Array, Array]:
        """z and w in units of max|q/d|, each scaled by its d."""
        d = self.judged(z, w)[1]
        unit = np.abs(self.q / d).max(initial=0.0) or 1.0
        return z * d / unit, w / (d * unit)

    def judged(self, z: Array, w: Array) -> tuple[float, Array]:
        """(natural-map residual of z with w, scales d = sqrt(M_ii), one for each contact)."""
        d, cones = np.empty(self.n), Cones(self.contacts, self.mu, self.bands)
        z, w = (np.array(x, float) for x in (z, w))
        return float(judge_cone(self._diagonal, np.arange(self.n + 1), self.q, self.kind, cones, z, w, d)), d

    def polyhedral(self, directions: int) -> Polyhedral:
        """The LCP in which each circle is a polygon."""
        M = mx.to_sparse(self.M)
        return polyhedral(M, self.q, self.free, self.contacts, self.mu, self.bands, self.names, directions)

    def frictionless(self) -> tuple[MLCP, Array]:
        """The problem without its tangents and bands, and the rows that are left."""
        kept = np.setdiff1d(np.arange(self.n), np.concatenate([self.contacts[:, 1:].ravel(), self.bands.row[:, 0]]))
        M = mx.to_dense(self.M)[np.ix_(kept, kept)]
        rate = None if self.rate is None else self.rate[kept]
        return MLCP(M, self.q[kept], self.free[kept], names=[self.names[i] for i in kept], rate=rate), kept


def _asymmetry(problem: MLCP) -> float:
    """Largest |M_ij − M_ji| in shares of sqrt(M_ii M_jj)."""
    import scipy.sparse as sp

    C = sp.coo_array(problem.M - problem.M.T)
    return float((np.abs(C.data) / (problem.d[C.row] * problem.d[C.col])).max(initial=0.0))


def _checked_bands(bands: Bands, n: int) -> Bands:
    expect(Bands, "Coulomb", "solvers.friction.bands.Bands for bands", bands)
    row = rows_of("bands", bands.row, 2)
    low, high = (numbers(name, x, np.atleast_1d) for name, x in (("low", bands.low), ("high", bands.high)))
    if not low.shape == high.shape == (len(row),):
        raise ProblemError(f"{len(row)} bands need as many bounds, got shapes {low.shape} and {high.shape}")
    if row.size and not (row.min() >= 0 and row.max() < n):
        raise ProblemError(f"bands must be rows of 0..{n - 1}, got {show(row.tolist())}")
    if not (((low >= 0.0) & (low < 1.0)).all() and ((high >= 0.0) & np.isfinite(high)).all()):
        raise ProblemError(f"bands need 0 <= low < 1 and high >= 0, got {show(low.tolist())} and {show(high.tolist())}")
    wires = row[:, 1].tolist()
    if any(wire in wires[: i - 1] and wires[i - 1] != wire for i, wire in enumerate(wires) if i):
        raise ProblemError(f"the bands of one wire must follow each other, got wires {show(wires)}")
    return Bands(row, low, high)


def _groups(contacts: Array, bands: Bands) -> list[Array]:
    """Rows that belong together: of each contact, and of each wire that rubs."""
    wires = dict.fromkeys(bands.row[:, 1].tolist())
    return [*contacts, *(np.array([wire, *bands.row[bands.row[:, 1] == wire, 0]]) for wire in wires)]


def _whole_groups(M: mx.Matrix, groups: list[Array]) -> Envelope:
    """M as an envelope in which the rows of a contact or wire, and what couples with them, have one profile."""
    import scipy.sparse as sp
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    n = M.shape[0]
    if isinstance(M, Envelope) and M.order is None:
        first = np.arange(1, n + 1) - np.diff(M.ptr)
        if all(_one_profile(first, rows) for rows in groups):
            return M
    group = np.arange(n)
    for rows in groups:
        group[rows] = rows[0]
    G = sp.csr_array((np.ones(n), (np.arange(n), group)), shape=(n, n))
    S = mx.to_sparse(M)
    pattern = sp.csr_array(G @ (G.T @ (abs(S) + sp.eye_array(n)) @ G) @ G.T)
    pattern.indices, pattern.indptr = pattern.indices.astype(np.int32), pattern.indptr.astype(np.int32)
    order = np.arange(n) if isinstance(M, np.ndarray) else np.asarray(reverse_cuthill_mckee(pattern, True), np.int64)
    place = np.argsort(order)
    P = pattern.tocoo()
    first = np.arange(n)
    np.minimum.at(first, place[P.row], place[P.col])
    ptr = np.concatenate([[0], np.cumsum(np.arange(1, n + 1) - first)]).astype(np.int64)
    E = sp.coo_array(S)
    row, column = place[E.row], place[E.col]
    lower = row >= column
    val = np.zeros(ptr[-1])
    val[ptr[1:][row[lower]] - 1 - (row - column)[lower]] = E.data[lower]
    return Envelope(val, ptr, order)


def _one_profile(first: Array, rows: Array) -> bool:
    """Whether rows of an envelope begin in one column, and no later row begins between them."""
    a, c = rows.min(), rows.max()
    later = first[a + 1 :]
    return bool((first[rows] == first[a]).all() and not ((later > a) & (later <= c)).any())


@dataclass(frozen=True, eq=False, repr=False)
class CoulombSolution:
    """Checked answer to a :class:`Coulomb` problem.

    Attributes
    ----------
    z, w : (n,) impulses and w = M z + q; unless ``status`` is solved only the best that was met
    status : see :class:`solvers.Status`
    residual : of z by the natural map
    iterations : factorisations, or sweeps
    method, message, problem : as for :class:`solvers.Solution`
    farkas : proof of infeasibility, its y belongs to the rows of ``problem`` (0 on tangents), or None
    """

    z: Array
    w: Array
    status: Status
    residual: float
    iterations: int
    method: str
    message: str
    problem: Coulomb
    farkas: Farkas | None = None

    def __repr__(self) -> str:
        return printed(self)

    @property
    def solved(self) -> bool:
        """Whether z is a solution (residual at most 1e-9)."""
        return self.status is Status.SOLVED


Raw = tuple[int, int, Array]


def _newton(problem: Coulomb, start: Array) -> Raw:
    E, n = problem._envelope, problem.n
    z, w = np.ascontiguousarray(start[problem._order], float), np.empty(n)
    code, iterations, _ = cone_newton(
        E.val, E.ptr, problem.q[problem._order], problem._kind, problem._cones, z, w, *workspace(n, len(E.val))
    )
    z = _back(problem, z)
    if not problem.symmetric:
        M = mx.to_sparse(problem.M)
        z, more = newton_on_any(M, problem.q, problem.kind, problem.contacts, problem.mu, z, problem.judged)
        iterations += more
    return code, iterations, z


def _sweeps(problem: Coulomb, start: Array) -> Raw:
    E, n = problem._envelope, problem.n
    z, w = np.ascontiguousarray(start[problem._order], float), np.empty(n)
    code, iterations, _ = cone_sweeps(
        E.val,
        E.ptr,
        problem.q[problem._order],
        problem._kind,
        problem._cones,
        z,
        w,
        np.empty(n),
        MOST_SWEEPS,
        0.1 * ACCEPT,
    )
    return code, iterations, _back(problem, z)


def _back(problem: Coulomb, z: Array) -> Array:
    out = np.empty(problem.n)
    out[problem._order] = z
    return out


METHODS: dict[str, Callable[[Coulomb, Array], Raw]] = {"cone-newton": _newton, "cone-sweeps": _sweeps}
"""Solvers on the exact cone; "auto" tries Newton's method from several starts."""


def solve_coulomb(problem: Coulomb, method: str = "auto", start: Array | None = None) -> CoulombSolution:
    """Solve a problem with friction on the exact cone, and check the answer.

    Parameters
    ----------
    method : "auto", "cone-newton" or "cone-sweeps"
    start : (n,) impulses to start from

    Raises ``ProblemError`` for what is no Coulomb, another method, or a start that is not n finite numbers.
    """
    expect(Coulomb, "solve_coulomb", "a Coulomb", problem, dict.fromkeys(PLAIN, "it is for solvers.solve"))
    if method not in ("auto", *METHODS):
        raise ProblemError(f"friction cones are solved by auto, {', '.join(METHODS)}; got {show(method)}")
    first = np.zeros(problem.n) if start is None else start_of(start, problem.n)
    if method == "cone-sweeps" and not problem.symmetric:
        raise ProblemError("cone-sweeps needs a symmetric M; take auto or cone-newton")
    solve = METHODS["cone-newton" if method == "auto" else method]
    code, iterations, z = solve(problem, first)
    best = _checked(problem, method, z, code, iterations)
    if best.solved:
        return best
    if method == "auto":
        for directions in DIRECTIONS:
            guess = _polygon(problem, directions)
            if guess is not None:
                code, more, z = _newton(problem, guess)
                iterations += more
                again = _checked(problem, method, z, code, iterations)
                if again.solved:
                    return again
    farkas = _contradiction(problem)
    if farkas is not None:
        nan = np.full(problem.n, np.nan)
        message = f"no solution exists: {farkas}"
        return CoulombSolution(
            nan, nan, Status.INFEASIBLE, float("nan"), iterations, method, message, problem, farkas=farkas
        )
    return best


def _checked(problem: Coulomb, method: str, z: Array, code: int, iterations: int) -> CoulombSolution:
    w = problem.w(z) if np.isfinite(z).all() else np.full(problem.n, np.nan)
    residual = problem.residual(z, w) if np.isfinite(w).all() else float("nan")
    if residual <= ACCEPT:
        return CoulombSolution(z, w, Status.SOLVED, residual, iterations, method, problem.note, problem)
    status = CODES[code] if CODES[code] is Status.INVALID else Status.ITERATION_LIMIT
    message = f"{method} stopped after {iterations} iterations at a residual of {residual:.2g}"
    return CoulombSolution(z, w, status, residual, iterations, method, message, problem)


def _polygon(problem: Coulomb, directions: int) -> Array | None:
    """Impulses of the polyhedral problem by Lemke's method, or None."""
    from solvers.interface import solve

    flat = problem.polyhedral(directions)
    answer = solve(flat.problem, "lemke")
    return np.asarray(flat.lift @ answer.z) if answer.solved else None


def _contradiction(problem: Coulomb) -> Farkas | None:
    """Proof that the rows without tangents contradict each other, on all rows; see the head of this module."""
    from dataclasses import replace

    from solvers.interface import solve

    smooth, kept = problem.frictionless()
    answer = solve(smooth)
    if answer.farkas is None:
        return None
    y = np.zeros(problem.n)
    y[kept] = answer.farkas.y
    # Mᵀy must vanish on the tangents, too; for semidefinite M it does where it vanishes on the rows kept.
    slack = np.abs(mx.product(problem.M, y, transposed=True)).max()
    if not slack <= 1e-8 * max(1.0, float(np.abs(mx.values(problem.M)).max())):
        return None
    return replace(answer.farkas, y=y)
