"""The polyhedral cone {c : B c ≥ 0, E c = 0}: which rows of B can it lift above zero?

A sum of its members lifts every row that any of them lifts, so that one linear program answers for all rows,

    max Σ tᵢ,    t ≤ B c,    E c = 0,    0 ≤ t ≤ 1,

in which each tᵢ ends at 1 or at 0. What no member lifts is zero on the whole cone.

Source: strictly complementary solutions of linear programs: Goldman & Tucker, in Linear Inequalities and Related
Systems (1956), corollary 2A.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from solvers.matrix import Array

FAR = 1e6
"""Members that would be so much larger than what they lift come of rounding: rows oppose others (rows of length 1)."""

NOTHING = 1e-12
"""Rows below this share of the longest are rounding of zero, and lift nothing."""


def lifted(B: Any, E: Any = None) -> tuple[Array, Array]:
    """Which rows of B have (B c)ᵢ > 0 for some c with B c ≥ 0 and E c = 0, and one c that lifts all of these.

    Parameters
    ----------
    B, E : (m, n), (k, n), dense or SciPy's sparse arrays; E may be absent

    Returns
    -------
    (m,) bool, and (n,); nothing and zeros where the program finds no end within its tolerance
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, csr_array, diags_array, eye_array, hstack

    B = csr_array(B, dtype=float)
    m, n = B.shape
    length = np.sqrt(np.asarray(B.power(2).sum(axis=1)))
    rows = np.flatnonzero(length > NOTHING * length.max(initial=0.0))
    up, c = np.zeros(m, np.bool_), np.zeros(n)
    k = len(rows)
    if not k:
        return up, c
    held = {} if E is None else {"A_eq": hstack([E, coo_array((E.shape[0], k))]), "b_eq": np.zeros(E.shape[0])}
    answer = linprog(
        np.repeat([0.0, -1.0], [n, k]),
        A_ub=hstack([diags_array(-1.0 / length[rows]) @ B[rows], eye_array(k)]),
        b_ub=np.zeros(k),
        bounds=[(-FAR, FAR)] * n + [(0.0, 1.0)] * k,
        **held,
    )
    if answer.status == 0:
        up[rows], c = answer.x[n:] > 0.5, answer.x[:n]
    return up, c
