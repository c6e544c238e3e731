"""Coulomb friction as a linear complementarity problem: the polyhedral cone of Stewart & Trinkle.

A contact has a normal row n and two tangent rows t₁, t₂. With m directions d_k = cos(2πk/m) t₁ + sin(2πk/m) t₂,
impulses β_k ≥ 0 along them and σ ≥ 0, the slip rate when positive,

    0 ≤ p_n ⟂ ρ_n ≥ 0
    0 ≤ β_k ⟂ d_k·slip + σ ≥ 0
    0 ≤ σ   ⟂ μ p_n − Σ β_k ≥ 0

The block of μ and ones makes the matrix non-symmetric: w need not be unique.

Source: Stewart & Trinkle, Int. J. Numer. Methods Eng. 39 (1996), with the names of Anitescu & Potra (1997).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from towsim.model.arrays import Contacts, Flags, Floats


@dataclass(frozen=True, slots=True)
class Polyhedral:
    """A problem with friction in LCP form, and the way back.

    Attributes
    ----------
    M, q : (N, N), (N,) the problem
    free : (N,) which of its rows are bilateral
    lift : (nr, N) impulses of the rows, p = lift z
    names : (N,) names of the unknowns
    """

    M: Floats
    q: Floats
    free: Flags
    lift: Floats
    names: tuple[str, ...]


def polyhedral(
    A: Floats, q: Floats, free: Flags, names: tuple[str, ...], contacts: Contacts, directions: int
) -> Polyhedral:
    """Replace the tangent rows of all contacts by ``directions`` impulses and a slip rate each.

    Parameters
    ----------
    A, q, free, names : (nr, nr), (nr,) the problem of all rows, tangents included
    contacts : the contacts; those without tangent rows are left alone
    directions : number of friction directions, at least 3
    """
    rubbing = np.flatnonzero(contacts.row[:, 1] >= 0)
    tangents = contacts.row[rubbing, 1:].ravel()
    kept = np.setdiff1d(np.arange(len(q)), tangents)
    nr, n, m = len(q), len(kept), directions
    size = n + len(rubbing) * (m + 1)
    lift = np.zeros((nr, size))
    lift[kept, np.arange(n)] = 1.0
    coupling = np.zeros((size, size))
    where = {int(row): i for i, row in enumerate(kept)}
    angle = 2.0 * np.pi * np.arange(m) / m
    labels = [names[row] for row in kept]
    for k, c in enumerate(rubbing):
        normal, first, second = (int(r) for r in contacts.row[c])
        beta = slice(n + k * (m + 1), n + k * (m + 1) + m)
        sigma = beta.stop
        lift[first, beta] = np.cos(angle)
        lift[second, beta] = np.sin(angle)
        coupling[beta, sigma] = 1.0
        coupling[sigma, beta] = -1.0
        coupling[sigma, where[normal]] = contacts.friction[c]
        labels += [f"{names[normal]} direction {i}" for i in range(m)] + [f"{names[normal]} slip"]
    unilateral = np.zeros(size - n, np.bool_)
    return Polyhedral(
        M=lift.T @ A @ lift + coupling,
        q=lift.T @ q,
        free=np.concatenate([free[kept], unilateral]),
        lift=lift,
        names=tuple(labels),
    )
