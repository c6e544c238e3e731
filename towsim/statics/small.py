"""Small motions about rest: M ÿ + D ẏ + K y = 0 in coordinates that nothing holds; which are free, and which grow.

With y = V x, of masses one, the matrices are those of ẍ + D ẋ + K x = 0. Loads with a potential make K symmetric; when
D takes energy away too, as many motions grow as K has negative eigenvalues, all without oscillating, whatever M and D
are. (λ² + λ D + K rises with λ > 0 from K to infinity, and passes zero once for each; no other λ has a positive real
part.) Without a potential, as under drag in a current or a thrust that turns with its body, K has no such sign: what
grows are the λ with a positive real part, real ones (divergence) and others (flutter).

What moves freely is K x = 0, to within the doubt that rounding leaves: |uᵀ δK x| ≤ (q·|V u|)(q·|V x|) with the doubts
q² of the moves (see verdict). These x are taken out before eigenvalues are sought, with the rates that nothing brakes,
so that no double zero is left for rounding to split. Doubts move a λ by |wᴴ δA x|/|wᴴ x|.

Source: Thomson and Tait (1879), Chetaev (1946); Bolotin, Nonconservative Problems of the Theory of Elastic Stability
(1963); Stewart & Sun, Matrix Perturbation Theory (1990), ch. IV.2 (simple eigenvalues).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cholesky, eig, eigh, qr, solve_triangular, svd

from towsim.model.arrays import Floats

ROUND = 1e-14
"""Rounding of eigenvalues of K, relative to the largest."""

UNBRAKED = 1e-12
"""Brakes of this size, and asymmetries and signs of D, relative to the largest, are rounding errors."""

ALIKE = 1e-8
"""By how much of themselves rates λ may differ to be alike: any mixture of their motions is one, too."""

UNDAMPED = 1e-13
"""Real parts of this size, relative to the largest eigenvalue, are rounding errors."""


@dataclass(frozen=True)
class Small:
    """Small motions, with coordinates of masses one.

    Attributes
    ----------
    V : (n, r) moves of the coordinates
    D, K : (r, r)
    doubt : (n,) q of the head
    """

    V: Floats
    D: Floats
    K: Floats
    doubt: Floats

    @classmethod
    def of(cls, M: Floats, D: Floats, K: Floats, Z: Floats, doubt: Floats) -> Small:
        """Of matrices (n, n) of the moves, of which Z (n, r) are left free."""
        V = Z
        if Z.shape[1]:
            V = solve_triangular(cholesky(Z.T @ M @ Z, lower=True), Z.T, lower=True).T
        return cls(V, V.T @ D @ V, V.T @ K @ V, doubt)

    @cached_property
    def potential(self) -> bool:
        """Whether K is that of a potential, and D takes energy away."""
        if not len(self.K):
            return True
        q = self._doubt(np.eye(len(self.K)))
        apart, scale = np.abs(self.K - self.K.T), float(np.abs(self.D).max())
        if (apart > 2.0 * np.outer(q, q) + ROUND * np.abs(self.K).max()).any():
            return False
        skew = np.abs(self.D - self.D.T).max()
        return scale == 0.0 or bool(
            skew <= UNBRAKED * scale and np.linalg.eigvalsh(0.5 * (self.D + self.D.T))[0] >= -UNBRAKED * scale
        )

    @cached_property
    def curved(self) -> tuple[Floats, Floats, np.ndarray]:
        """Eigenvalues of the symmetric part of K, ascending, their coordinates, and which of them are in doubt."""
        c, x = eigh(0.5 * (self.K + self.K.T)) if len(self.K) else (np.zeros(0), self.K)
        return c, x, np.abs(c) <= self._doubt(x) ** 2 + ROUND * np.abs(c).max(initial=0.0)

    @property
    def stability(self) -> str:
        """One of "stable", "neutral" and "unstable"."""
        if self.potential:
            c, _, doubted = self.curved
            return "unstable" if (c[~doubted] < 0.0).any() else "neutral" if doubted.any() else "stable"
        value, _ = self.eigen()
        return "unstable" if (value.real > 0.0).any() else "neutral" if (value == 0.0).any() else "stable"

    @property
    def loose(self) -> bool:
        """Whether anything moves freely."""
        return bool(self._split()[0].shape[1])

    def eigen(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues λ, one of each pair, and their moves (n, m); λ = 0 of what moves freely."""
        free, held, K = self._split()
        zero = np.zeros(free.shape[1], complex)
        if self.potential and not np.any(self.D):
            c = np.einsum("im,ij,jm->m", held, K, held)
            value = np.where(c > 0.0, 1j * np.sqrt(np.abs(c)), np.sqrt(np.abs(c)) + 0j)
            return np.concatenate([zero, value]), np.hstack([_plain(self.V @ free), _apart(value, self.V @ held)])
        value, x = self._damped(free, held, K)
        return np.concatenate([zero, value]), np.hstack([_plain(self.V @ free), _apart(value, self.V @ x)])

    def _doubt(self, x: np.ndarray) -> Floats:
        return np.asarray(self.doubt @ np.abs(self.V @ x))

    def _split(self) -> tuple[Floats, Floats, Floats]:
        """Coordinates of what moves freely and of the rest, orthonormal, and K, which is none on the former."""
        if self.potential:
            c, x, doubted = self.curved
            return x[:, doubted], x[:, ~doubted], (x * np.where(doubted, 0.0, c)) @ x.T
        u, size, x = svd(self.K)
        x = x.T
        doubted = size <= self._doubt(u) * self._doubt(x) + ROUND * size.max()
        return x[:, doubted], x[:, ~doubted], (u * np.where(doubted, 0.0, size)) @ x.T

    def _damped(self, free: Floats, held: Floats, K: Floats) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues but those of ``free``, one of each pair, and their coordinates."""
        free = free @ np.linalg.svd(self.D @ free, full_matrices=False)[2].T
        braked = np.linalg.norm(self.D @ free, axis=0) > UNBRAKED * np.abs(self.D).max()
        slow, idle = free[:, braked], free[:, ~braked]
        h, s = held.shape[1], slow.shape[1]
        live = np.hstack([held, slow])
        A = np.zeros((2 * h + s, 2 * h + s))
        A[:h, h : 2 * h] = np.eye(h)
        A[h:, :h], A[h:, h:] = -live.T @ K @ held, -live.T @ self.D @ live
        value, left, right = eig(A, left=True) if len(A) else (np.zeros(0, complex), A, A)
        fastest = float(np.abs(value).max(initial=0.0))
        least = UNDAMPED * fastest
        some = (value.imag > 0.0) | (
            (value.imag == 0.0) & (np.abs(value) > least)
        )  # the others are brakes that are none
        value, left, right = value[some], left[:, some], right[:, some]
        value.real[np.abs(value.real) <= least] = 0.0
        if self.potential:
            growing = int((self.curved[0][~self.curved[2]] < 0.0).sum())
            may = np.isin(np.arange(len(value)), np.argsort(-value.real, kind="stable")[:growing])
        else:
            wide = np.abs(np.einsum("im,im->m", left.conj(), right))
            moved = self._doubt(live @ left[h:]) * self._doubt(held @ right[:h])
            may = value.real * wide > least * wide + moved
        value.real[~may] = np.minimum(value.real[~may], 0.0)
        far = np.where(value != 0.0, value, 1.0)
        x = held @ right[:h] + slow @ (right[2 * h :] / far)
        pull = -(K @ held @ right[:h] + self.D @ live @ right[h:])
        return value, x + idle @ (idle.T @ pull / far**2)


def _plain(moves: np.ndarray) -> np.ndarray:
    """Moves that mix the given ones, in each of which one moves by one that rests in the others."""
    count = moves.shape[1]
    if not count:
        return moves
    lead = np.sort(qr(moves.T, mode="r", pivoting=True)[1][:count])
    return np.asarray(np.linalg.solve(moves[lead].T, moves.T).T)


def _apart(value: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """Moves (n, m) of motions of which several are alike, as a pendulum's along x and y are: those that do not mix."""
    found, left = moves.copy(), np.ones(len(value), np.bool_)
    for one in value:
        alike = np.flatnonzero(left & (np.abs(value - one) <= ALIKE * np.abs(one)))
        left[alike] = False
        if len(alike) > 1 and np.linalg.cond(moves[:, alike]) < 1.0 / ALIKE:
            found[:, alike] = _plain(moves[:, alike])
    return found
