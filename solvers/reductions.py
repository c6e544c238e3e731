"""MLCP -> LCP by eliminating the free rows, with the way back.

    A u + C z + a = 0,   w = D u + B z + b        (u: free rows, scaled problem)
    u = -A⁺ (C z + a),   M = B - D A⁺ C,  q = b - D A⁺ a

A may be singular (rods that say the same twice). With N spanning the null space of Aᵀ and V that of A, this is exact
if Nᵀ C = 0 and D V = 0, as it always is for symmetric semidefinite matrices: then Nᵀ a = 0 says that the rods agree,
and if they do not, N Nᵀ a proves infeasibility. The rank is read off the singular values.
"""

from __future__ import annotations

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import LCP, MLCP

# Singular values of a redundant block are some eps of the largest; entries are scaled to order 1.
RANK = 1e-12
WELL_CONDITIONED = 1e8


class IrreducibleError(ValueError):
    """The free rows cannot be eliminated: they constrain z in another way than through their own unknowns."""


def _inverse(A: Array) -> tuple[Array, Array, Array]:
    """(A⁺, null vectors of Aᵀ, null vectors of A), as columns."""
    try:
        X = np.linalg.inv(A)
    except np.linalg.LinAlgError:
        pass
    else:
        # The norms bound the ratio of the singular values, which take ten times as long.
        if np.abs(A).sum(axis=0).max() * np.abs(X).sum(axis=0).max() < WELL_CONDITIONED:
            return X, np.zeros((len(A), 0)), np.zeros((len(A), 0))
    U, S, Vt = np.linalg.svd(A)
    r = int(np.count_nonzero(float(S[0]) * RANK < S)) if S[0] > 0 else 0
    return (Vt[:r].T / S[:r]) @ U[:, :r].T, U[:, r:], Vt[r:].T


class EliminateFree:
    """The LCP in the unilateral rows alone.

    Attributes
    ----------
    problem : the reduced LCP
    contradiction : (n,) y that proves the free rows inconsistent, or None

    Raises ``IrreducibleError`` if the block of free rows is singular and its null space meets the other rows.
    """

    def __init__(self, original: MLCP) -> None:
        f = self.free = original.free
        M = mx.to_dense(original.M)
        A, C, D, B = M[np.ix_(f, f)], M[np.ix_(f, ~f)], M[np.ix_(~f, f)], M[np.ix_(~f, ~f)]
        a, b = original.q[f], original.q[~f]
        pinv, N, V = _inverse(A)
        size = max(float(np.abs(M).max(initial=0.0)), 1e-300)
        # What the null spaces leave of C and D is rounding of the entries divided by the smallest kept singular value.
        if max(np.abs(N.T @ C).max(initial=0.0), np.abs(D @ V).max(initial=0.0)) > 1e-9 * size:
            raise IrreducibleError("the free rows are singular by themselves and tied to the others")
        self._AC, self._Aa, self._back = pinv @ C, pinv @ a, (D @ pinv).T
        lost = N @ (N.T @ a)
        self.contradiction: Array | None = None
        if np.abs(lost).max(initial=0.0) > 1e-12 * max(float(np.abs(a).max()), 1e-300):
            self.contradiction = np.zeros(original.n)
            self.contradiction[f] = -lost
        # Where free rows leave nothing of a row, what is left is rounding; scaled up it would look like data.
        eps = 8 * original.n * np.finfo(float).eps
        size_D = np.abs(D) @ np.abs(pinv)
        reduced = B - D @ self._AC
        reduced[np.abs(reduced) <= eps * (np.abs(B) + size_D @ np.abs(C))] = 0.0
        q = b - D @ self._Aa
        q[np.abs(q) <= eps * (np.abs(b) + size_D @ np.abs(a))] = 0.0
        if "psd" in original.__dict__ and original.psd:
            reduced = 0.5 * (reduced + reduced.T)
        self.problem = LCP(reduced, q, names=[original.names[i] for i in np.flatnonzero(~f).tolist()])

    def retrieve(self, z: Array) -> Array:
        """(u, z) of the mixed problem, in its order."""
        full = np.empty(self.free.size)
        full[~self.free] = z
        full[self.free] = -(self._AC @ z + self._Aa)
        return full

    def retrieve_farkas(self, y: Array) -> Array:
        """Farkas vector of the mixed problem: (Mᵀy) = 0 on the free rows."""
        full = np.empty(self.free.size)
        full[~self.free] = y
        full[self.free] = -self._back @ y
        return full
