"""Whether friction can hold what stands: forces within the cones that balance the loads.

    f + Jᵀp = 0,    0 ≤ p_n ⟂ ψ,    ‖p_t‖ ≤ μ p_n  for each foot

The cones are taken from inside, as pyramids of 32 edges, so that what is found is right; what is missed is the last
half per cent of μ. Then this is a linear program.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from towsim.errors import SceneError
from towsim.model.arrays import Floats, Ints
from towsim.statics.search import Found
from towsim.statics.system import System

EDGES = 32
MISSED = 1e-7
"""Residual of the balance that is allowed, relative to the loads: that of the linear program."""
ROUGH = 100.0
"""Friction with which nothing slides. Without a limit, feet 1e-6 rad off the ground are wedged in by 1e6 weights."""
OPEN = 1e-7
"""Gap, relative to the length, from which a row is open, and bears nothing."""


def share_of_feet(system: System, found: Found) -> Floats:
    """Multipliers of the active rows with which every foot holds: those found, or others.

    Raises
    ------
    SceneError : there are none; names what slides, or tips over, as it would with any friction
    """
    p = _evenly(found)
    feet = system.stuck
    if not len(feet):
        return p
    contacts = system.model.contacts
    place = {int(row): i for i, row in enumerate(system.rows)}
    rows = np.array([[place[int(row)] for row in contacts.row[foot]] for foot in feet])
    mu = contacts.friction[feet]
    tangent = np.hypot(p[rows[:, 1]], p[rows[:, 2]])
    if (tangent <= mu * p[rows[:, 0]] + 1e-12 * np.abs(p).max()).all():
        return p
    held = _balance(system, found, p, _pyramids(rows, mu, len(p)))
    if held is not None:
        return held
    names = ", ".join(repr(system.rowed.contacts[foot]) for foot in feet)
    name = f"scene {system.compiled.declared.name!r} is not at rest where it stands"
    if _balance(system, found, p, _pyramids(rows, np.maximum(mu, ROUGH), len(p))) is None:
        raise SceneError(f"{name}: no friction could hold {names}, as feet do not pull; it tips over")
    raise SceneError(f"{name}: friction cannot hold {names}, whatever the feet bear; it slides")


def _pyramids(rows: Ints, mu: Floats, n: int) -> Floats:
    """A (feet · EDGES, n) with A p ≤ 0 where forces of feet, in ``rows`` (feet, 3), are within their cones."""
    angles = 2.0 * np.pi * np.arange(EDGES) / EDGES
    inner = np.cos(np.pi / EDGES)
    A = np.zeros((len(rows) * EDGES, n))
    for k, ((normal, one, two), share) in enumerate(zip(rows, mu, strict=True)):
        block = slice(k * EDGES, (k + 1) * EDGES)
        A[block, one], A[block, two], A[block, normal] = np.cos(angles), np.sin(angles), -inner * share
    return A


def _balance(system: System, found: Found, p: Floats, A: Floats) -> Floats | None:
    """Multipliers with A p ≤ 0 that balance the loads, least in sum; None where there are none."""
    look = found.look
    size = max(float(np.abs(look.force).max()), 1e-300)
    bounds: list[tuple[float | None, float | None]] = [(None if free else 0.0, None) for free in look.free]
    for i in np.flatnonzero(~look.free & (look.gap > OPEN * system.size)):
        bounds[i] = (0.0, 0.0)
    soft = look.sigma > 0.0
    for i in np.flatnonzero(soft):
        bounds[i] = (p[i] / size, p[i] / size)  # springs pull as they are stretched
    cost = np.where(look.free, 0.0, 1.0)
    answer = linprog(cost, A_ub=A, b_ub=np.zeros(len(A)), A_eq=look.J.T, b_eq=-look.force / size, bounds=bounds)
    if answer.status != 0 or np.abs(look.J.T @ answer.x + look.force / size).max() > MISSED:
        return None
    return np.asarray(size * answer.x)


def _evenly(found: Found) -> Floats:
    """The multipliers of least norm, if no wire would have to push then: redundant rows share alike."""
    look, p = found.look, found.p
    share = (look.sigma == 0.0) & (look.free | (p > 0.0))
    if not share.any():
        return p
    rest = look.force + look.J[~share].T @ p[~share]
    even = p.copy()
    even[share] = np.linalg.lstsq(look.J[share].T, -rest, rcond=1e-10)[0]
    pulls = look.free[share] | (even[share] >= 0.0)
    missed = float(np.abs(look.J[share].T @ even[share] + rest).max())
    small = 1e-12 * float(np.abs(p).max())
    return even if pulls.all() and missed <= max(small, 10.0 * float(np.abs(look.force + look.J.T @ p).max())) else p
