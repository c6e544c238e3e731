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

import numpy as np

from solvers.friction.bands import Bands
from solvers.matrix import Array
from solvers.problem import MLCP


@dataclass(frozen=True, slots=True)
class Polyhedral:
    """A problem with friction in LCP form, and the way back.

    Attributes
    ----------
    problem : the LCP, N rows
    lift : (n, N) impulses of the original rows, p = lift z
    """

    problem: MLCP
    lift: Array


def polyhedral(
    A: Array,
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
    A, q, free, names : (n, n), (n,) the problem of all rows, tangents included
    contacts, mu : (k, 3) normal and tangents, (k,) coefficient of friction
    bands : (m,) of wires that rub
    directions : number of friction directions, at least 3
    """
    k, m = len(mu), directions
    kept = np.setdiff1d(np.arange(len(q)), contacts[:, 1:].ravel())
    n = len(kept)
    slips = n + k * (m + 1)
    size = slips + 2 * len(bands.low)
    lift = np.zeros((len(q), size))
    lift[kept, np.arange(n)] = 1.0
    coupling = np.zeros((size, size))
    where = {int(row): i for i, row in enumerate(kept)}
    angle = 2.0 * np.pi * np.arange(m) / m
    labels = [names[row] for row in kept]
    for c, (normal, first, second) in enumerate(contacts.tolist()):
        beta = slice(n + c * (m + 1), n + c * (m + 1) + m)
        sigma = beta.stop
        lift[first, beta] = np.cos(angle)
        lift[second, beta] = np.sin(angle)
        coupling[beta, sigma] = 1.0
        coupling[sigma, beta] = -1.0
        coupling[sigma, where[normal]] = mu[c]
        labels += [f"{names[normal]} direction {i}" for i in range(m)] + [f"{names[normal]} slip"]
    before = -1
    for c, (row, wire) in enumerate(bands.row.tolist()):
        if c == 0 or bands.row[c - 1, 1] != wire:
            before = where[wire]
        after, plus, minus = where[row], slips + 2 * c, slips + 2 * c + 1
        lift[row, before] = -1.0  # z_t = T_i+1 − T_i
        coupling[[before, after], plus] = -1.0, 1.0
        coupling[[before, after], minus] = 1.0, -1.0
        coupling[plus, [before, after]] = 1.0 + bands.high[c], -1.0
        coupling[minus, [before, after]] = -(1.0 - bands.low[c]), 1.0
        labels += [f"{names[wire]} slip {sign}" for sign in "+-"]
        before = after
    bilateral = np.concatenate([free[kept], np.zeros(size - n, np.bool_)])
    return Polyhedral(MLCP(lift.T @ A @ lift + coupling, lift.T @ q, bilateral, names=labels), lift)
