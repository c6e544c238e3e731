"""How steep a cost is where constraints hold: zero at an optimum (Karush, Kuhn and Tucker)."""

from __future__ import annotations

import numpy as np

from towsim.model.arrays import Floats


def slope_left(slope: Floats, levels: Floats, walls: Floats) -> float:
    """The length of what is left of a gradient when constraints bear all of it that they can.

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
