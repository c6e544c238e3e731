"""Which forces statics does not determine: hard wires, feet and joints that can share the loads in other ways, too.

Rows that are closed and do not yield bear p + d as well as p where

    Jᵀ d = 0,    d_i ≥ 0 for those that bear nothing and act one way only

A convex cone of such d: what any of them moves, one in its interior moves. Which of the one-sided rows can come to bear
something `solvers.halfspaces` tells; with these let go and the others left out, d is any of the null space.

Feet are taken to bear any force along the ground: right at the very limit of friction more would be determined.

Source: statically indeterminate structures, as polyhedral cones: Cottle, Pang & Stone, The Linear Complementarity
Problem (1992), section 3.4.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from solvers.halfspaces import lifted
from towsim.model.arrays import Flags, Floats
from towsim.statics.friction import OPEN
from towsim.statics.search import Found
from towsim.statics.system import System

DEPENDENT = 1e-9
"""Singular values of the rows, relative to the largest, that count as none; and shares of a row in what they leave."""


def undetermined(system: System, found: Found, bears: Flags) -> tuple[str, ...]:
    """Names of the wires, contacts and joints whose forces are not the only ones at this rest.

    Parameters
    ----------
    bears : (m,) which of the active rows do, above rounding
    """
    look = found.look
    lengths = np.where(system.moves % 6 < 3, 1.0, 1.0 / system.size)
    J = look.J * lengths
    closed = (look.sigma == 0.0) & (look.free | bears | (np.abs(look.gap) <= OPEN * system.size))
    closed &= (np.abs(J) > 0.0).any(axis=1)  # what only what is held could move
    rows = np.flatnonzero(closed)
    J = J[rows] / np.linalg.norm(J[rows], axis=1, keepdims=True)
    shares = _shares(J, one_way=~(look.free | bears)[rows])
    return tuple(dict.fromkeys(system.rowed.owners[i] for i in system.rows[rows[shares]]))


def _shares(J: Floats, one_way: Flags) -> Flags:
    """Which of the rows (m, n) have a part in some d of the cone; those of ``one_way`` have d ≥ 0."""
    kept = np.ones(len(J), np.bool_)
    if one_way.any() and null_space(J.T, rcond=DEPENDENT).shape[1]:
        kept[one_way] = lifted(np.eye(len(J))[one_way], J.T)[0]
    found = np.zeros(len(J), np.bool_)
    if kept.any():
        found[kept] = np.linalg.norm(null_space(J[kept].T, rcond=DEPENDENT), axis=1) > DEPENDENT
    return found
