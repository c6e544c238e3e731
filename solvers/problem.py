"""Linear complementarity problems, mixed ones, and those of wires that keep their factors.

    w = M z + q,    0 ≤ w ⟂ z ≥ 0;    free (bilateral) rows: w_i = 0, z_i of any sign

The residual belongs to the problem, and judges row by row. With s_i = |q_i| + Σ_j |M_ij z_j|, the size of what w_i is
the sum of, it is the largest |min(ζ_i, w_i/s_i)|, of free rows |w_i|/s_i, where ζ_i = max_j |M_ji| z_i / s_j is the
share of z_i in the row that feels it most. So it has no unit, no row lends its size to others that have nothing to do
with it, and units of rows and columns, and their order, make no difference. |w_i|/s_i is the least relative change of
the entries of M and q that makes w_i zero (componentwise backward error; Oettli & Prager, Numer. Math. 6 (1964) 405).
No s_i is taken for less than 1e-6 of the largest q of the rows that it is connected with and that push, as all z come
with rounding, unless row i of M is zero. Free rows push, and those with q < 0: a wire that opens gives no z its size,
however large its q is beside its row of M.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers import matrix as mx
from solvers.described import described
from solvers.matrix import FLOAT, Array, Matrix
from solvers.quote import shorten, show

if TYPE_CHECKING:
    from solvers.scaled import Scaled

ARRAY = np.ndarray

EQUILIBRATIONS = 20
"""Each halves the exponents of what is left to be scaled away."""

LEAST = 1e-6
"""Share of the q of connected rows that a row's size is never taken to be less than."""

MOST = np.finfo(float).max


class ProblemError(ValueError):
    """The parts of a problem do not fit together."""

    def __init__(self, message: str) -> None:
        super().__init__(shorten(message))


@dataclass(frozen=True, slots=True, eq=False)
class Wires:
    """Where M and q come from: v = v_free + Minv G z, w = Gᵀ v + bias + compliance z.

    Attributes
    ----------
    Minv : (m,) or (m, m), inverse inertia, positive semidefinite
    G : (m, n), one column per wire: the generalised direction in which its impulse acts; dense or sparse
    v_free : (m,) velocity without impulses
    bias : (n,) rate of slackening apart from v
    compliance : (n,) ≥ 0, rate at which a unit of impulse lets a wire give; None if no wire gives
    """

    Minv: Array
    G: Matrix
    v_free: Array
    bias: Array
    compliance: Array | None = None

    def velocity(self, z: Array) -> Array:
        """Body velocity v under the impulses z."""
        p = np.asarray(self.G @ z)
        return np.asarray(self.v_free + (self.Minv * p if self.Minv.ndim == 1 else self.Minv @ p))


class MLCP:
    """Mixed problem: w = M z + q, w_i = 0 on free rows, 0 ≤ w ⟂ z ≥ 0 on the others.

    Parameters
    ----------
    M : (n, n) dense array, SciPy sparse, or ``solvers.Envelope``
    q : (n,)
    free : (n,) bool mask or list of row numbers; default none
    names : (n,) names of the rows for messages
    rate : (n,) what of q is the rate at which rows are driven, as ∂ψ/∂t of wires; ``Farkas.speed`` is made of it

    Raises ``ProblemError`` if shapes do not fit. Numbers that are not finite are reported by ``solve`` as ``invalid``.
    """

    kind_of_row = "row"
    mixed = False
    """Whether free rows were given."""
    wires: Wires | None = None
    rate: Array | None = None
    _names: Sequence[str] | None = None
    kept: dict[str, Any] | None = None
    """What back-ends keep of this M, by their names; None until it was first solved with."""

    def __init__(
        self,
        M: Any,
        q: Any,
        free: Any = None,
        *,
        names: Sequence[str] | None = None,
        wires: Wires | None = None,
        rate: Any = None,
    ) -> None:
        # Asked first what mostly is so: a function call costs a tenth of solving four rows.
        if type(M) is not np.ndarray or M.dtype is not FLOAT:
            M = numbers("M", M, mx.as_matrix)
        if type(q) is not np.ndarray or q.dtype is not FLOAT:
            q = numbers("q", q, np.asarray)
        n = q.size
        if q.ndim != 1:
            raise ProblemError(f"q must be a vector, got shape {q.shape}")
        if M.shape != (n, n):
            if n or not isinstance(M, np.ndarray) or M.size:
                raise ProblemError(f"M must be {n} x {n} to fit q of length {n}, got shape {M.shape}")
            M = np.zeros((0, 0))
        self.M: Matrix = M
        self.q: Array = q
        self.n: int = n
        if free is not None:
            self.free = _mask(free, n)
            self.mixed = True
        if names is not None:
            if len(names) != n:
                raise ProblemError(f"{n} names are needed, one per row, got {len(names)}")
            self._names = names
        if wires is not None:
            self.wires = wires
        if rate is not None:
            self.rate = np.asarray(numbers("rate", rate, np.asarray))
            if self.rate.shape != (n,):
                raise ProblemError(f"rate must have length {n}, got shape {self.rate.shape}")

    def __repr__(self) -> str:
        return described(self, {"": ["free" if free else "" for free in self.free]} if self.mixed else {})

    @classmethod
    def from_blocks(cls, A: Any, C: Any, D: Any, B: Any, a: Any, b: Any) -> MLCP:
        """From  A u + C z + a = 0,  w = D u + B z + b,  0 ≤ w ⟂ z ≥ 0;  the unknowns are (u, z), u free."""
        a, b = np.atleast_1d(np.asarray(a, float)), np.atleast_1d(np.asarray(b, float))
        if any(mx.is_sparse(X) for X in (A, B, C, D)):
            import scipy.sparse as sp

            M: Any = sp.block_array([[A, C], [D, B]], format="csr")
        else:
            A, C, D, B = (np.asarray(X, float) for X in (A, C, D, B))
            for name, X, shape in (
                ("A", A, (a.size, a.size)),
                ("C", C, (a.size, b.size)),
                ("D", D, (b.size, a.size)),
                ("B", B, (b.size, b.size)),
            ):
                if X.shape != shape:
                    raise ProblemError(f"block {name} must have shape {shape} to fit a and b, got {X.shape}")
            M = np.block([[A, C], [D, B]])
        return MLCP(M, np.concatenate([a, b]), np.arange(a.size + b.size) < a.size)

    @classmethod
    def from_wires(
        cls,
        Minv: Any,
        G: Any,
        v_free: Any,
        bias: Any,
        *,
        compliance: Any = None,
        free: Any = None,
        names: Sequence[str] | None = None,
        rate: Any = None,
    ) -> MLCP:
        """M = Gᵀ Minv G + diag(compliance), q = Gᵀ v_free + bias, keeping the factors; shapes as in :class:`Wires`.

        Raises ``ProblemError`` if shapes do not fit, or a compliance is negative.
        """
        Minv, v_free, bias = (np.asarray(x, float) for x in (Minv, v_free, bias))
        G = mx.as_matrix(G)
        m, n = v_free.size, bias.size
        if Minv.shape not in ((m,), (m, m)) or G.shape != (m, n):
            raise ProblemError(
                f"{m} velocities and {n} wires need Minv of shape {(m,)} or {(m, m)} and G of shape {(m, n)}, "
                f"got {Minv.shape} and {G.shape}"
            )
        if compliance is not None:
            compliance = np.asarray(compliance, float)
            if compliance.shape != (n,):
                raise ProblemError(f"{n} compliances are needed, one per wire, got shape {compliance.shape}")
            if np.any(compliance < 0):
                i = int(compliance.argmin())
                raise ProblemError(f"compliance[{i}] must be at least 0, got {compliance[i]}")
        if mx.is_sparse(G):
            import scipy.sparse as sp

            X = G.multiply(Minv[:, None]) if Minv.ndim == 1 else sp.csr_array(Minv) @ G
            M: Any = sp.csr_array(G.T @ X)
            if compliance is not None:
                M = sp.csr_array(M + sp.diags_array(compliance))
        else:
            M = G.T @ (Minv[:, None] * G if Minv.ndim == 1 else Minv @ G)
            M = 0.5 * (M + M.T)
            if compliance is not None:
                M[np.diag_indices(n)] += compliance
        wires = Wires(Minv, G, v_free, bias, compliance)
        problem = MLCP(M, G.T @ v_free + bias, free, names=names, wires=wires, rate=rate)
        problem.kind_of_row = "wire"
        return problem

    def with_q(self, q: Any) -> MLCP:
        """The same matrix with another q (factors of wires are dropped); what is known of M is shared."""
        other = MLCP.__new__(type(self))
        other.__dict__.update({k: v for k, v in self.__dict__.items() if k not in _DEPENDS_ON_Q})
        other.q = np.asarray(q, dtype=float)
        other.wires = None
        if other.q.shape != (self.n,):
            raise ProblemError(f"q must have length {self.n}, got shape {other.q.shape}")
        return other

    @cached_property
    def free(self) -> Array:
        """(n,) bool, rows with w_i = 0 and z_i of any sign."""
        return np.zeros(self.n, bool)

    @property
    def names(self) -> Sequence[str]:
        """Names of the rows, "row 0", "row 1", ... unless given."""
        if self._names is None:
            self._names = [f"{self.kind_of_row} {i}" for i in range(self.n)]
        return self._names

    @cached_property
    def d(self) -> Array:
        """sqrt(M_ii), 1 where that is not positive."""
        a = mx.diagonal(self.M)
        return np.sqrt(np.where((a > 0) & np.isfinite(a), a, 1.0))

    @cached_property
    def sizes(self) -> Array:
        """Like d, but rows without a positive M_ii get what makes their largest entry 1 (Ruiz's equilibration)."""
        d = self.d
        rest = ~(mx.diagonal(self.M) > 0)
        if not rest.any():
            return d
        d = d.copy()
        for _ in range(EQUILIBRATIONS):
            largest = mx.largest(self.M, 1.0 / d)[rest] / d[rest]
            largest[largest == 0.0] = 1.0
            d[rest] *= np.sqrt(largest)
            if np.all(np.abs(np.log2(largest)) < 1.0):
                break
        return d

    @cached_property
    def scale(self) -> float:
        """max|q/d|, or 1 if q = 0."""
        return float(np.abs(self.q / self.d).max(initial=0.0)) or 1.0

    @cached_property
    def entries(self) -> mx.Matrix:
        """|M_ij|; what is rounding beside sqrt(M_ii M_jj), as between wires at right angles, is taken for more."""
        return mx.sizes(self.M)

    def row_sizes(self, z: Array) -> Array:
        """s = |q| + |M| |z|, the size of what each w_i is the sum of, see the head of this module."""
        return np.asarray(np.maximum(np.abs(self.q) + mx.product(self.entries, np.abs(z)), self._least_size))

    @cached_property
    def _least_size(self) -> Array:
        return self._least(self.scaled.largest / self.scaled.row)

    def _least(self, q: Array) -> Array:
        """Share of the largest q of its block that a row is at least the size of."""
        return np.where(mx.largest_across(self.M, np.ones(self.n)) > 0.0, LEAST * q, 0.0)

    def set_least(self, q: Array) -> None:
        """Say what the largest q of each row's block is, which it would take a scaling of its own to find."""
        self._least_size = self._least(q)

    @cached_property
    def pushes(self) -> Array:
        """(n,) bool, rows that are free or close: what the others have to do, they do because of these."""
        return np.asarray(self.free | (self.q < 0.0))

    @cached_property
    def blocks(self) -> Array:
        """(n,) number of the block of each row; rows of different blocks have nothing to do with each other."""
        return mx.blocks(self.M)

    @cached_property
    def still(self) -> Array:
        """(n,) whether a row's block has no q but 0: z = 0 solves it, and any rounding of z is as large as its w."""
        return np.asarray(np.bincount(self.blocks, self.q != 0.0)[self.blocks] == 0.0)

    @cached_property
    def invalid(self) -> str:
        """What is not finite and where; empty if all is well."""
        finite = np.isfinite(self.q)
        if not finite.all():
            i = int(finite.argmin())
            return f"q[{i}] is {self.q[i]} ({self.names[i]}); every number must be finite"
        if self._bad_entry:
            i, j, x = self._bad_entry
            return f"M[{i}, {j}] is {x} ({self.names[i]}); every number must be finite"
        return ""

    @cached_property
    def _bad_entry(self) -> tuple[int, int, float] | None:
        x = mx.values(self.M)
        if np.isfinite(x).all():
            return None
        k = int(np.flatnonzero(~np.isfinite(np.ravel(x)))[0])
        if isinstance(self.M, np.ndarray):
            return k // self.n, k % self.n, float(self.M.flat[k])
        if isinstance(self.M, mx.Envelope):
            row, col = self.M.columns()
        else:
            C = self.M.tocoo()
            row, col = C.row, C.col
        return int(row[k]), int(col[k]), float(x[k])

    @cached_property
    def symmetric(self) -> bool:
        """Whether M = Mᵀ to rounding, in whatever unit."""
        return isinstance(self.M, mx.Envelope) or mx.is_symmetric(self.M, self.sizes)

    @cached_property
    def envelope(self) -> mx.Envelope:
        """Envelope of a symmetric M."""
        return mx.to_envelope(self.M)

    @cached_property
    def psd(self) -> bool:
        """Whether M is symmetric and positive semidefinite, to 1e-10 of the diagonal (known for wires)."""
        if self.wires is not None and self.wires.Minv.ndim == 1:
            return bool(np.all(self.wires.Minv >= 0))
        if not self.symmetric:
            return False
        from solvers.active_set.envelope import is_semidefinite

        E = mx.scaled(self.envelope, 1.0 / self.sizes)
        return is_semidefinite(E.val, E.ptr, 1e-10)

    def w(self, z: Array) -> Array:
        """M z + q."""
        return np.asarray(mx.product(self.M, z) + self.q)

    @np.errstate(over="ignore", divide="ignore", invalid="ignore")  # what is beyond all floats is found to be so
    def residual(self, z: Array, w: Array | None = None) -> float:
        """Residual of z, see the head of this module; infinite if anything is not finite."""
        w = self.w(z) if w is None else w
        if not (np.isfinite(z).all() and np.isfinite(w).all()):
            return float("inf")
        zeta, r = self.shares(z, w)
        r = np.where(self.free, r, np.minimum(zeta, r))
        return float(np.abs(r).max(initial=0.0)) if np.isfinite(r).all() else float("inf")

    @np.errstate(over="ignore", divide="ignore", invalid="ignore")
    def shares(self, z: Array, w: Array) -> tuple[Array, Array]:
        """(ζ, w/s), see the head of this module: z and w without units; of a column of zeros ζ is the sign of z.

        Of a z_i > 0 that entries of M beyond the range of floats make felt ζ is infinite.
        """
        s = self.row_sizes(z)
        inverse = np.where(s > 0.0, np.minimum(1.0 / np.where(s > 0.0, s, 1.0), MOST), 0.0)
        felt = mx.largest_below(self.entries, inverse)
        return np.multiply(z, felt, out=np.sign(z), where=(felt > 0.0) & (z != 0.0)), w * inverse

    @cached_property
    def scaled(self) -> Scaled:
        """This problem in units in which diagonal and q are of order 1."""
        from solvers.scaled import Scaled

        return Scaled(self)


class LCP(MLCP):
    """w = M z + q, 0 ≤ w ⟂ z ≥ 0; parameters as in :class:`MLCP`."""

    def __init__(
        self, M: Any, q: Any, *, names: Sequence[str] | None = None, wires: Wires | None = None, rate: Any = None
    ) -> None:
        if (
            names is None and wires is None and rate is None and type(M) is ARRAY and type(q) is ARRAY
        ):  # half the time of what follows
            line = q.shape
            if M.dtype is FLOAT and q.dtype is FLOAT and len(line) == 1 and M.shape == line + line and line[0]:
                self.M = M
                self.q = q
                self.n = line[0]
                return
        MLCP.__init__(self, M, q, None, names=names, wires=wires, rate=rate)


_DEPENDS_ON_Q = {"q", "_least_size", "pushes", "scale", "invalid", "scaled", "wires", "rate"}


def numbers(what: str, given: Any, read: Callable[[Any], Any]) -> Any:
    """What is given, as an array of floats; ProblemError if it is none."""
    try:
        if not (mx.is_sparse(given) or isinstance(given, mx.Envelope)):
            given = np.asarray(given)
            if given.dtype.kind not in "fiubO":  # of complex numbers, half would be lost
                raise TypeError
            given = np.asarray(given, dtype=float)
        return read(given)
    except (TypeError, ValueError, OverflowError):
        raise ProblemError(f"{what} must be an array of numbers, got {show(given)}") from None


def _mask(free: Any, n: int) -> Array:
    try:
        free = np.asarray(free)
        if free.dtype != bool:
            free = free.astype(np.int64, casting="unsafe" if not free.size else "same_kind")
    except (TypeError, ValueError, OverflowError):
        raise ProblemError(f"free must be a mask or row numbers, got {show(free)}") from None
    if free.dtype == bool:
        if free.shape != (n,):
            raise ProblemError(f"the mask of free rows must have length {n}, got shape {free.shape}")
        return np.array(free)
    mask = np.zeros(n, bool)
    rows = free.astype(int).ravel()
    if rows.size and not (rows.min() >= -n and rows.max() < n):
        raise ProblemError(f"free rows must be row numbers below {n}, got {show(rows.tolist())}")
    mask[rows] = True
    return mask
