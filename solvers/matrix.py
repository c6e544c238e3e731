"""One square matrix in three storages: dense array, SciPy sparse, symmetric envelope; the operations problems need."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray
Matrix: TypeAlias = Any
"""ndarray, ``scipy.sparse`` array or matrix (held as CSR), or :class:`Envelope`."""

FLOAT = np.dtype(float)

DENSE_LIMIT = 4000
"""Largest order that is turned into a dense array (128 MB)."""

COSTLY = 3e10
"""Products beyond which factors are costly, some ten seconds; a plane mesh of 1e5 points takes 1e10."""

NEAR_ROOT = 1e-3
"""Root of the share of sqrt(M_ii M_jj) below which an entry may be all rounding: 1e-6, as residuals are 1e-9."""

SYMMETRIC = 1e-13
"""Share of an entry by which M_ij and M_ji may differ, in the best units of rows, if M is to be taken for symmetric."""

SMALL = 200
"""Up to this order a dense copy is faster than what SciPy's sparse arrays spend on each call (tens of µs)."""


@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """Symmetric matrix in lower envelope storage, see :mod:`solvers.active_set.envelope`.

    With ``order`` (n,) stored row k is row ``order[k]`` of the matrix.
    """

    val: Array
    ptr: Array
    order: Array | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(n, n)."""
        return len(self.ptr) - 1, len(self.ptr) - 1

    def columns(self) -> tuple[Array, Array]:
        """Row and column number of every stored entry; not to be written to."""
        row, col = _columns(np.ascontiguousarray(self.ptr, np.int64).tobytes())
        return (row, col) if self.order is None else (self.order[row], self.order[col])


@lru_cache(maxsize=4)
def _columns(ptr: bytes) -> tuple[Array, Array]:
    # Remembered, as every step of a time loop has the same pattern.
    end = np.frombuffer(ptr, np.int64)
    length = np.diff(end)
    row = np.repeat(np.arange(len(length)), length)
    return row, np.arange(end[-1]) - end[1:][row] + 1 + row


def is_sparse(M: Matrix) -> bool:
    """Whether M is a SciPy sparse array or matrix (without importing SciPy)."""
    return type(M).__module__.startswith("scipy.sparse")


def as_matrix(M: Any) -> Matrix:
    """M as float array, CSR array or Envelope; one without rows is an array."""
    if isinstance(M, Envelope):
        return M
    if is_sparse(M) and not any(M.shape):
        return np.zeros((0, 0))
    if is_sparse(M):
        import scipy.sparse as sp

        return sp.csr_array(M, dtype=float)
    return np.asarray(M, dtype=float)


def diagonal(M: Matrix) -> Array:
    """The diagonal, as a new array."""
    if isinstance(M, Envelope):
        return _in_order(M, M.val[M.ptr[1:] - 1])
    return np.array(M.diagonal(), dtype=float)


def values(M: Matrix) -> Array:
    """All stored entries."""
    if isinstance(M, Envelope):
        return M.val
    return M.data if is_sparse(M) else M  # type: ignore[no-any-return]


def product(M: Matrix, x: Array, *, transposed: bool = False) -> Array:
    """M x or Mᵀ x."""
    if isinstance(M, Envelope):
        from solvers.active_set.envelope import multiply

        x = np.ascontiguousarray(x if M.order is None else x[M.order], dtype=float)
        y = np.empty(len(x))
        multiply(M.val, M.ptr, np.zeros(len(x)), x, y)
        return _in_order(M, y)
    return np.asarray((M.T if transposed else M) @ x)


def largest(M: Matrix, s: Array) -> Array:
    """The larger of max_j |M_ij| s_j and max_j |M_ji| s_j."""
    if isinstance(M, Envelope):
        return _largest_of(M, s)
    A: Any = np.abs(M) if isinstance(M, np.ndarray) else abs(to_sparse(M))
    if isinstance(M, np.ndarray):
        return np.asarray(np.maximum((A * s).max(axis=1, initial=0.0), (A.T * s).max(axis=1, initial=0.0)))
    sides = [B.multiply(s[None, :]).max(axis=1).toarray().ravel() for B in (A.tocsr(), A.T.tocsr())]
    return np.asarray(np.maximum(*sides))


def largest_across(M: Matrix, s: Array) -> Array:
    """max_j |M_ij| s_j."""
    if isinstance(M, np.ndarray):
        return np.asarray((np.abs(M) * s).max(axis=1, initial=0.0))
    if isinstance(M, Envelope):
        return _largest_of(M, s)
    return np.asarray(abs(to_sparse(M)).multiply(s[None, :]).tocsr().max(axis=1).toarray().ravel())


def largest_below(M: Matrix, s: Array) -> Array:
    """max_i |M_ij| s_i."""
    if isinstance(M, np.ndarray):
        return np.asarray((np.abs(M) * s[:, None]).max(axis=0, initial=0.0))
    if isinstance(M, Envelope):
        return _largest_of(M, s)
    return np.asarray(abs(to_sparse(M)).multiply(s[:, None]).tocsr().max(axis=0).toarray().ravel())


def _largest_of(E: Envelope, s: Array) -> Array:
    row, col = E.columns()
    size, most = np.abs(E.val), np.zeros(E.shape[0])
    np.maximum.at(most, row, size * s[col])
    np.maximum.at(most, col, size * s[row])
    return most


def sizes(M: Matrix) -> Matrix:
    """|M_ij|, at least 1e-6 sqrt(M_ii M_jj) where M_ij is not zero; as M is stored."""
    d = NEAR_ROOT * np.sqrt(np.maximum(diagonal(M), 0.0))
    if isinstance(M, np.ndarray):
        return np.where(M != 0.0, np.maximum(np.abs(M), d * d[:, None]), 0.0)
    if isinstance(M, Envelope):
        row, col = M.columns()
        return Envelope(np.where(M.val != 0.0, np.maximum(np.abs(M.val), d[row] * d[col]), 0.0), M.ptr, M.order)
    import scipy.sparse as sp

    row = np.repeat(np.arange(M.shape[0]), np.diff(M.indptr))
    data = np.where(M.data != 0.0, np.maximum(np.abs(M.data), d[row] * d[M.indices]), 0.0)
    return sp.csr_array((data, M.indices, M.indptr), shape=M.shape)


def blocks(M: Matrix) -> Array:
    """(n,) number of the connected block of each row: M_ij = M_ji = 0 between different blocks."""
    n = M.shape[0]
    M = to_dense(M) if n <= SMALL else M
    if isinstance(M, np.ndarray):
        if n == 0 or (M[0] != 0.0).all():  # one row that meets all others
            return np.zeros(n, int)
        M = (M != 0.0) | (M.T != 0.0)
        if n <= SMALL:
            least, row = np.arange(n), np.arange(n)
            while True:  # the least row that each one meets, and the least that this one meets
                met = np.minimum(least, np.where(M, least, n).min(axis=1))
                met = met[met]
                if (met == least).all():
                    return np.asarray((np.cumsum(least == row) - 1)[least])
                least = met
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(to_sparse(M) != 0.0, directed=True, connection="weak")[1])


def scaled(M: Matrix, s: Array, t: Array | None = None) -> Matrix:
    """diag(s) M diag(t), t = s unless given (of an envelope it is s)."""
    if isinstance(M, Envelope):
        row, col = M.columns()
        return Envelope(M.val * s[row] * s[col], M.ptr, M.order)
    t = s if t is None else t
    if is_sparse(M):
        import scipy.sparse as sp

        return sp.csr_array(sp.diags_array(s) @ M @ sp.diags_array(t))
    return M * t * s[:, None]


def is_symmetric(M: Matrix, d: Array) -> bool:
    """Whether M equals its transpose to rounding, entries measured by d_i d_j."""
    if isinstance(M, Envelope):
        return True
    # Products such as GᵀM⁻¹G round each entry by a few eps of d_i d_j.
    if is_sparse(M):
        import scipy.sparse as sp

        C = sp.coo_array(M - M.T)
        return bool(np.all(np.abs(C.data) <= 1e-13 * d[C.row] * d[C.col]))
    return bool((np.abs(M - M.T) <= 1e-13 * d * d[:, None]).all())


def symmetrizer(M: Matrix) -> Array | None:
    """(n,) d > 0 for which d_i M_ij is symmetric to rounding; None if there is none, as for most M, or M is large.

    d follows from row to row, d_j = d_i M_ij / M_ji, along a tree of rows that meet; all other entries have to agree.
    """
    if M.shape[0] > DENSE_LIMIT:
        return None
    if isinstance(M, np.ndarray) and not (np.sign(M) == np.sign(M.T)).all():  # as of nearly all
        return None
    import scipy.sparse as sp
    from scipy.sparse.csgraph import breadth_first_order

    A = sp.coo_array(to_sparse(M))
    beside = (A.row != A.col) & (A.data != 0.0)
    row, col, data = A.row[beside], A.col[beside], A.data[beside]
    forth, back = np.lexsort((col, row)), np.lexsort((row, col))
    if not (np.array_equal(row[forth], col[back]) and np.array_equal(col[forth], row[back])):
        return None
    row, col, ratio = row[forth], col[forth], data[forth] / data[back]
    if not (ratio > 0.0).all():
        return None
    n, d = M.shape[0], np.ones(M.shape[0])
    first = np.unique(blocks(M), return_index=True)[1]  # a row of each block; the n-th meets them
    steps = sp.csr_array((np.r_[ratio, np.ones(len(first))], (np.r_[row, np.full(len(first), n)], np.r_[col, first])))
    steps.resize(n + 1, n + 1)
    order, before = breadth_first_order(steps, n)
    d = np.ones(n + 1)
    for j in order[1:].tolist():
        d[j] = d[before[j]] * steps[before[j], j]
    agree = np.abs(d[row] * data[forth] - d[col] * data[back]) <= SYMMETRIC * np.abs(d[row] * data[forth])
    return d[:n] if agree.all() and np.isfinite(d).all() and d.min() > 0.0 else None


def to_dense(M: Matrix) -> Array:
    """M as a dense array; MemoryError beyond ``DENSE_LIMIT``."""
    n = M.shape[0]
    if isinstance(M, np.ndarray):
        return M
    if n > DENSE_LIMIT:
        raise MemoryError(f"a dense copy of a {n} x {n} matrix was asked for; the limit is {DENSE_LIMIT}")
    if isinstance(M, Envelope):
        A = np.zeros((n, n))
        row, col = M.columns()
        A[row, col] = A[col, row] = M.val
        return A
    return np.asarray(to_sparse(M).toarray())


def to_sparse(M: Matrix) -> Any:
    """M as a CSR array."""
    import scipy.sparse as sp

    if isinstance(M, Envelope):
        row, col = M.columns()
        off = row != col
        both = np.concatenate([row, col[off]]), np.concatenate([col, row[off]])
        return sp.csr_array((np.concatenate([M.val, M.val[off]]), both), shape=M.shape)
    return M if is_sparse(M) else sp.csr_array(M)


def _in_order(E: Envelope, x: Array) -> Array:
    """What belongs to the stored rows, by row of the matrix."""
    if E.order is None:
        return x
    y = np.empty(len(x))
    y[E.order] = x
    return y


def _profile(M: Matrix) -> tuple[Array, Array]:
    """Rows of a sparse symmetric M in reverse Cuthill-McKee order, and the first column of each in that order."""
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    order = np.asarray(reverse_cuthill_mckee(M, symmetric_mode=True), dtype=np.int64)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    C = M.tocoo()
    first = np.arange(len(order))
    np.minimum.at(first, place[C.row], place[C.col])
    return order, first


def envelope_size(M: Matrix) -> int:
    """Entries of the envelope of a sparse symmetric M."""
    _, first = _profile(M)
    return int((np.arange(1, len(first) + 1) - first).sum())


def costly_factors(M: Matrix) -> bool:
    """Whether factors of a sparse M take minutes, as of random graphs and large spatial meshes, in any order.

    They take as many products as rows times the square of the mean width of the envelope, or several times fewer.
    """
    A = abs(to_sparse(M))
    return bool(envelope_size((A + A.T).tocsr()) ** 2 > COSTLY * M.shape[0])


def to_envelope(M: Matrix) -> Envelope:
    """A symmetric M as an envelope; sparse ones in reverse Cuthill-McKee order."""
    if isinstance(M, Envelope):
        return M
    if not is_sparse(M):
        from solvers.active_set.envelope import from_dense

        return Envelope(*from_dense(M))
    order, first = _profile(M)
    P = M[order][:, order].tocoo()
    n = M.shape[0]
    keep = P.row >= P.col
    row, col, data = P.row[keep], P.col[keep], P.data[keep]
    ptr = np.concatenate([[0], np.cumsum(np.arange(1, n + 1) - first)]).astype(np.int64)
    val = np.zeros(ptr[-1])
    val[ptr[1:][row] - 1 - (row - col)] = data
    return Envelope(val, ptr, order)
