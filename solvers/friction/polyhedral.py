"""Coulomb friction as a linear complementarity problem: the polyhedral cone of Stewart & Trinkle.

A contact has a normal row n and two tangent rows t₁, t₂. With m directions d_k = cos(2πk/m) t₁ + sin(2πk/m) t₂,
impulses β_k ≥ 0 along them and σ ≥ 0, the slip rate when positive,

    0 ≤ p_n ⟂ ρ_n ≥ 0
    0 ≤ β_k ⟂ d_k·slip + σ ≥ 0
    0 ≤ σ   ⟂ μ p_n − Σ β_k ≥ 0

A wire that rubs (see :mod:`.bands`) has a tension T_i for each of its parts, and slips s_i⁺, s_i⁻ ≥ 0 over each
point that it bends around, which pass it on from one part to the next:

    0 ≤ T_i  ⟂ ρ_i − s_i⁺ + s_i⁻ + s_{i−1}⁺ − s_{i−1}⁻ ≥ 0
    0 ≤ s_i⁺ ⟂ (1 + high) T_i − T_{i+1} ≥ 0,    0 ≤ s_i⁻ ⟂ T_{i+1} − (1 − low) T_i ≥ 0

The polygon of the d_k lies inside the circle: friction falls short of μ p_n by up to 1 − cos(π/m). The block of μ and
ones makes the matrix non-symmetric: w need not be unique.

Source: Stewart & Trinkle, Int. J. Numer. Methods Eng. 39 (1996), with the names of Anitescu & Potra (1997).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.friction.bands import Bands
from solvers.matrix import Array
from solvers.problem import MLCP

SPARSE = 600
"""Rows beyond which M is sparse: dense pivots cost n², sparse ones what is in their columns."""


@dataclass(frozen=True, slots=True)
class Polyhedral:
    """A problem with friction in LCP form, and the way back.

    Attributes
    ----------
    problem : the LCP, N rows
    lift : (n, N) sparse, impulses of the original rows, p = lift z
    """

    problem: MLCP
    lift: Any


def polyhedral(
    A: Any,
    q: Array,
    free: Array,
    contacts: Array,
    mu: Array,
    bands: Bands,
    names: tuple[str, ...],
    directions: int,
) -> Polyhedral:
    """Replace the tangent rows of all contacts by ``directions`` impulses and a slip rate each, and add bands' slips.

    Parameters
    ----------
    A, q, free, names : (n, n) sparse, (n,) the problem of all rows, tangents included
    contacts, mu : (k, 3) normal and tangents, (k,) coefficient of friction
    bands : (m,) of wires that rub
    directions : number of friction directions, at least 3
    """
    k, m = len(mu), directions
    kept = np.setdiff1d(np.arange(len(q)), contacts[:, 1:].ravel())
    n = len(kept)
    slips = n + k * (m + 1)
    size = slips + 2 * len(bands.low)
    where = np.full(len(q), -1)
    where[kept] = np.arange(n)
    angle = 2.0 * np.pi * np.arange(m) / m
    lift, coupling = Entries((len(q), size)), Entries((size, size))
    lift.add(kept, np.arange(n), 1.0)
    labels = [names[row] for row in kept]
    beta, sigma = (n + np.arange(k * (m + 1)).reshape(k, m + 1)[:, part] for part in (slice(m), slice(m, None)))
    normal, first, second = (contacts[:, i : i + 1] for i in range(3))
    lift.add(first, beta, np.cos(angle))
    lift.add(second, beta, np.sin(angle))
    coupling.add(beta, sigma, 1.0)
    coupling.add(sigma, beta, -1.0)
    coupling.add(sigma, where[normal], mu[:, None])
    for row in normal.ravel().tolist():
        labels += [f"{names[row]} direction {i}" for i in range(m)] + [f"{names[row]} slip"]
    before = -1
    for c, (row, wire) in enumerate(bands.row.tolist()):
        if c == 0 or bands.row[c - 1, 1] != wire:
            before = where[wire]
        after, plus, minus = where[row], slips + 2 * c, slips + 2 * c + 1
        lift.add(row, before, -1.0)  # z_t = T_i+1 − T_i
        coupling.add([before, after], plus, [-1.0, 1.0])
        coupling.add([before, after], minus, [1.0, -1.0])
        coupling.add(plus, [before, after], [1.0 + bands.high[c], -1.0])
        coupling.add(minus, [before, after], [-(1.0 - bands.low[c]), 1.0])
        labels += [f"{names[wire]} slip {sign}" for sign in "+-"]
        before = after
    L = lift.sparse()
    M = L.T @ A @ L + coupling.sparse()
    bilateral = np.concatenate([free[kept], np.zeros(size - n, np.bool_)])
    return Polyhedral(MLCP(M if size > SPARSE else M.toarray(), L.T @ q, bilateral, names=labels), L)


class Entries:
    """Entries of a sparse matrix, as they are added."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.shape = shape
        self.parts: list[tuple[Array, Array, Array]] = []

    def add(self, row: Any, column: Any, value: Any) -> None:
        """Add values at rows and columns, which are broadcast against each other."""
        parts = np.broadcast_arrays(*(np.atleast_1d(x) for x in (row, column, value)))
        self.parts.append((parts[0].ravel(), parts[1].ravel(), parts[2].ravel()))

    def sparse(self) -> Any:
        """The matrix by rows."""
        import scipy.sparse as sp

        row, column, value = (np.concatenate(x) for x in zip(*self.parts, strict=True)) if self.parts else ([],) * 3
        return sp.csr_array((np.asarray(value, float), (np.asarray(row, int), np.asarray(column, int))), self.shape)
