"""Goals and slopes where a search ends: which goals others imply, and how steep a cost is where constraints hold."""

from __future__ import annotations

import numpy as np

from towsim.model.arrays import Floats, Ints

DEPENDENT = 1e-3
"""Length of what others leave of a row whose largest like it is one, below which it follows from them.

Heights and their rates follow from other goals by wires, whose rates a step meets to an order of its length only.
"""


def independent(rows: Floats) -> Ints:
    """From which of some gradients (k, n) the others follow, by QR with pivoting; ascending."""
    from scipy.linalg import qr

    _, r, order = qr(rows.T, mode="economic", pivoting=True)
    return np.sort(order[: np.count_nonzero(np.abs(np.diag(r)) > DEPENDENT)])


def slope_left(slope: Floats, levels: Floats, walls: Floats) -> float:
    """The length of what is left of a gradient when constraints bear all of it that they can.

    It is zero at an optimum (Karush, Kuhn and Tucker).

    Parameters
    ----------
    slope : (n,) of the cost
    levels : (k, n) gradients of what is to keep its value
    walls : (m, n) gradients of what has reached its least value, and may only rise
    """
    from scipy.linalg import null_space
    from scipy.optimize import nnls

    along = null_space(levels) if len(levels) else np.eye(len(slope))
    free, walls = slope @ along, walls @ along
    return float(nnls(walls.T, free)[1]) if walls.size else float(np.linalg.norm(free))
