"""Linear complementarity problems, mixed ones, and those of wires that keep their factors.

    w = M z + q,    0 ≤ w ⟂ z ≥ 0;    free (bilateral) rows: w_i = 0, z_i of any sign

The residual belongs to the problem: with d = sqrt(M_ii) (1 where that is not positive) it is
max|min(d z, w/d)| / max|q/d|, and |w_i|/d_i on free rows; it does not change with the units of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array, Matrix
from solvers.quote import shorten, show

EQUILIBRATIONS = 20
"""Each halves the exponents of what is left to be scaled away."""


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

    Raises ``ProblemError`` if shapes do not fit. Numbers that are not finite are reported by ``solve`` as ``invalid``.
    """

    kind_of_row = "row"
    wires: Wires | None = None
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
    ) -> None:
        # Asked first what mostly is so: a function call costs a tenth of solving four rows.
        if type(M) is not np.ndarray or M.dtype is not mx.FLOAT:
            M = _numbers("M", M, mx.as_matrix)
        if type(q) is not np.ndarray or q.dtype is not mx.FLOAT:
            q = _numbers("q", q, np.asarray)
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
        if names is not None:
            if len(names) != n:
                raise ProblemError(f"{n} names are needed, one per row, got {len(names)}")
            self._names = names
        if wires is not None:
            self.wires = wires

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:6])
        return f"<{type(self).__name__} of {self.n} rows{': ' if self.n else ''}{shown}{', ...' if self.n > 6 else ''}>"

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
        problem = MLCP(M, G.T @ v_free + bias, free, names=names, wires=Wires(Minv, G, v_free, bias, compliance))
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
        """Whether M = Mᵀ to rounding."""
        return isinstance(self.M, mx.Envelope) or mx.is_symmetric(self.M, self.d)

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

    def residual(self, z: Array, w: Array | None = None) -> float:
        """Scaled residual of z, see the head of this module; infinite if anything is not finite."""
        w = self.w(z) if w is None else w
        if not (np.isfinite(z).all() and np.isfinite(w).all()):
            return float("inf")
        r = w / self.d
        r = np.where(self.free, r, np.minimum(self.d * z, r))
        return float(np.abs(r).max(initial=0.0)) / self.scale

    @cached_property
    def scaled(self) -> Scaled:
        """This problem in units in which diagonal and q are of order 1."""
        return Scaled(self)


class LCP(MLCP):
    """w = M z + q, 0 ≤ w ⟂ z ≥ 0; parameters as in :class:`MLCP`."""

    def __init__(self, M: Any, q: Any, *, names: Sequence[str] | None = None, wires: Wires | None = None) -> None:
        MLCP.__init__(self, M, q, None, names=names, wires=wires)


class Scaled:
    """``problem`` with rows and columns divided by powers of two near ``sizes``, and q normalised; the way is exact."""

    def __init__(self, original: MLCP) -> None:
        self.s = np.exp2(-np.round(np.log2(original.sizes)))
        largest = float(np.abs(original.q / original.sizes).max(initial=0.0)) or 1.0
        self.size = 2.0 ** np.round(np.log2(largest))
        s, size = self.s, self.size
        wires = original.wires
        if wires is not None:
            G = wires.G.multiply(s[None, :]).tocsr() if mx.is_sparse(wires.G) else wires.G * s
            give = None if wires.compliance is None else wires.compliance * s * s
            wires = Wires(wires.Minv, G, wires.v_free / size, wires.bias * s / size, give)
        self.problem = MLCP(
            mx.scaled(original.M, s), original.q * s / size, original.free, names=original._names, wires=wires
        )
        self.problem.kind_of_row = original.kind_of_row
        for known in ("symmetric", "psd"):
            if known in original.__dict__:
                self.problem.__dict__[known] = original.__dict__[known]

    def retrieve(self, z: Array) -> Array:
        """z of the original problem."""
        return np.asarray(z * self.s * self.size)

    def retrieve_farkas(self, y: Array) -> Array:
        """Farkas vector of the original problem."""
        return np.asarray(y * self.s)

    def start(self, z: Array) -> Array:
        """A start vector in the scaled units."""
        return np.asarray(z / (self.s * self.size))


_DEPENDS_ON_Q = {"q", "scale", "invalid", "scaled", "wires"}


def _numbers(what: str, given: Any, read: Callable[[Any], Any]) -> Any:
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
