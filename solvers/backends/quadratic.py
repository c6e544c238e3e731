"""The quadratic programs behind a symmetric semidefinite (M)LCP.

dual form    min ½ zᵀM z + qᵀz              over z ≥ 0 on unilateral rows
primal form  min ½ (v - v_free)ᵀ H (v - v_free)   over Gᵀv + bias ≥ 0 (= 0 on free rows),   H = Minv⁻¹

The primal one is what wires give: sparse H and G even where M is full, and multipliers z. A wire that gives is held by
a spring of its own: w = Gᵀv + bias + sqrt(compliance) s at the cost of ½ s², which makes s = sqrt(compliance) z.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from solvers import matrix as mx
from solvers.matrix import Array
from solvers.problem import MLCP


class Primal(NamedTuple):
    """min ½ xᵀP x over rows x + bias ≥ 0; x: v - v_free scaled by the square roots of the inertia, then the springs."""

    P: Any
    rows: Any
    bias: Array


def primal(problem: MLCP) -> Primal | None:
    """Primal form with P = I: x = L⁻¹ (v - v_free), Minv = L Lᵀ; None without factors.

    Minv may be singular (bodies that nothing moves): x has the size of v and those directions do not act.
    """
    wires = problem.wires
    if wires is None:
        return None
    import scipy.sparse as sp

    if wires.Minv.ndim == 1:
        L: Any = sp.diags_array(np.sqrt(np.maximum(wires.Minv, 0.0)))
    else:
        value, vector = np.linalg.eigh(wires.Minv)
        L = vector * np.sqrt(np.maximum(value, 0.0))
    rows = sp.csc_array(mx.to_sparse(wires.G).T @ L)
    if wires.compliance is not None:
        springs = np.flatnonzero(wires.compliance)
        rows = sp.hstack([rows, sp.diags_array(np.sqrt(wires.compliance), format="csc")[:, springs]], format="csc")
    return Primal(sp.eye_array(rows.shape[1], format="csc"), rows, problem.q)
