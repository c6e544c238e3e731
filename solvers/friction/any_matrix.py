"""Newton's method for contacts on the exact cone where M is not symmetric; the formulas of :mod:`.cone_newton`.

With z = T u (of a contact that slips the normal impulse acts along n + μ d, the second tangent along e) and S the test
directions (n, e), a step solves on the active rows

    (S M T + diag(c + r)) u = r u⁻ − S q,   r = REGULAR × diagonal (a proximal step)

in SciPy's sparse LU. From afar such steps go astray; so they solve a row of problems that are better behaved, each from
the answer before (the proximal point method): with D the diagonal of M, z is the solution z⁺ of

    w = (M + ρ D) z⁺ + q − ρ D z

where ρ falls as long as Newton's method solves them, and grows where it does not. As ρ → 0, or z⁺ = z, M is left.

Source: Rockafellar, Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14 (1976) 877-898.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from solvers.active_set.basis import FREE, UNILATERAL
from solvers.friction.cone_newton import TARGET
from solvers.matrix import Array

REGULAR = 1e-8
STEPS = 30
"""Newton steps from one start."""

FIRST, LEAST, MOST = 1e-3, 1e-8, 1e3
"""The ρ to begin with, the least one, and the one at which it is given up."""

INNER = 1e-10
"""Residual up to which such a problem counts as solved."""

FALL, RISE = 0.3, 10.0
"""Factors of ρ after a problem that was solved, and after one that was not."""

PATIENCE = 3000
"""Newton steps in all."""

Judge = Callable[[Array, Array], tuple[float, Array]]


def newton_on_any(
    M: Any, q: Array, kind: Array, contacts: Array, mu: Array, start: Array, judge: Judge
) -> tuple[Array, int]:
    """(z, Newton steps); z is the best that was met.

    Parameters
    ----------
    M : (n, n) sparse
    kind : (n,) UNILATERAL, FREE, or neither for rows of contacts
    start : (n,) z to start from
    judge : (z, w) -> residual by the natural map, and the scales d
    """
    import scipy.sparse as sp

    D = sp.diags_array(M.diagonal())
    z, best, rho, count = start, start, FIRST, 0
    least, _ = judge(z, M @ z + q)
    while least > TARGET and rho <= MOST and count < PATIENCE:
        new, left, steps = _newton((M + rho * D).tocsr(), q - rho * (D @ z), kind, contacts, mu, z, judge)
        count += steps + 1
        if left > INNER:
            rho *= RISE
            continue
        z, rho = new, max(FALL * rho, LEAST)
        residual, _ = judge(z, M @ z + q)
        if residual < least:
            best, least = z, residual
        elif rho == LEAST:
            break
    return best, count


def _newton(
    M: Any, q: Array, kind: Array, contacts: Array, mu: Array, z: Array, judge: Judge
) -> tuple[Array, float, int]:
    w = M @ z + q
    least, d = judge(z, w)
    best, stalled = z, 0
    for k in range(STEPS):
        if least <= TARGET or stalled > 5:
            return best, least, k
        new = _step(M, q, kind, contacts, mu, d, z, w)
        if new is None or not np.isfinite(new).all():
            return best, least, k + 1
        z, w = new, M @ new + q
        residual, _ = judge(z, w)
        stalled = 0 if residual < 0.5 * least else stalled + 1
        if residual < least:
            best, least = z, residual
    return best, least, STEPS


def _step(M: Any, q: Array, kind: Array, contacts: Array, mu: Array, d: Array, z: Array, w: Array) -> Array | None:
    """The solution of the linear system of the states that z and w call for; None if it is singular."""
    import scipy.sparse as sp
    from scipy.sparse.linalg import splu

    n, (i, s, t) = len(q), contacts.T
    y = z - w / d**2
    most, size = mu * y[i], np.hypot(y[s], y[t])
    touches = most > 0.0
    slips = touches & (size > most)
    active = (kind == FREE) | ((kind == UNILATERAL) & (y > 0.0))
    active[contacts[touches & ~slips]] = True
    i, s, t, mu, most, size = (x[slips] for x in (i, s, t, mu, most, size))
    active[i] = active[t] = True
    d1, d2 = y[s] / size, y[t] / size
    keep = np.ones(n)
    keep[s] = keep[t] = 0.0
    test = sp.diags_array(keep) + sp.coo_array((np.r_[-d2, d1], (np.r_[t, t], np.r_[s, t])), shape=(n, n))
    trial = test.T + sp.coo_array((np.r_[mu * d1, mu * d2], (np.r_[s, t], np.r_[i, i])), shape=(n, n))
    give = np.zeros(n)
    give[t] = (size - most) / most * d[i] ** 2
    r = REGULAR * d**2
    rows = np.flatnonzero(active)
    A = (test @ M @ trial + sp.diags_array(give + r)).tocsr()[rows][:, rows]
    u = np.zeros(n)
    if rows.size:
        try:
            u[rows] = splu(A.tocsc()).solve((r * (test @ z) - test @ q)[rows])
        except RuntimeError:  # exactly singular
            return None
    return np.asarray(trial @ u)
