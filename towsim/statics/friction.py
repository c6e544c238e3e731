"""Whether friction can hold what stands: forces within the cones that balance the loads.

    f + Jᵀp = 0,    0 ≤ p_n ⟂ ψ,    ‖p_t‖ ≤ μ p_n  for each foot

Of all such p the one of least norm is taken, in units of the scene: a quadratic program over second-order cones K.
Where there is none, −f is outside of the cone JᵀK. Then the force that is left when most is borne,

    r = f + Jᵀp,    ‖r‖ = min over p in K,    J r in K*,    f·r = ‖r‖² > 0

is a move in which the loads do work, and no force within the cones does any against it, p·(J r) ≥ 0: a proof, which is
checked. (K* of a foot: it is lifted by μ times what it slides, or more.)

Source: Moreau (1962), decomposition by a cone and its polar; Lobo, Vandenberghe, Boyd & Lebret (1998), second-order
cone programs; Goulart & Chen (2024), Clarabel.
"""

from __future__ import annotations

from dataclasses import dataclass

import clarabel
import numpy as np
from scipy import sparse

from towsim.errors import SceneError
from towsim.model.arrays import Floats, Ints
from towsim.statics.measure import largest_load, measures
from towsim.statics.search import Found
from towsim.statics.system import System

TOLERANCE, MISSED = 1e-12, 1e-9
"""Asked of the cone program; and what balance and cones may be missed by, relative to the loads."""
PROVEN = 1e3
"""Forces, relative to the loads, up to which a proof has to exclude all."""
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
    load = largest_load(system, found.look)
    units = measures(system, found.look, load)
    look, z = units.of(found.look), units.multipliers(p)
    known = (look.sigma > 0.0) | (~look.free & (look.gap > OPEN))  # springs pull as they are stretched
    z[known & (look.sigma == 0.0)] = 0.0
    at = np.cumsum(~known) - 1
    able = ~known[rows[:, 0]]
    balance = _Balance(look.force + look.J[known].T @ z[known], look.J[~known], look.free[~known], at[rows[able]])
    held = balance.least(mu[able])
    name = f"scene {system.compiled.declared.name!r} is not at rest where it stands"
    names = ", ".join(repr(system.rowed.contacts[foot]) for foot in feet)
    if held is None:
        held, slides = balance.most(mu[able])
        if held is None and not slides:
            raise SceneError(
                f"{name}: {names} are so close to what friction can hold that neither forces were found with which it "
                "does, nor a proof that there are none"
            )
    if held is None:
        rough, tips = balance.most(np.maximum(mu[able], ROUGH))
        if rough is None and tips:
            raise SceneError(f"{name}: no friction could hold {names}, as feet do not pull; it tips over")
        raise SceneError(f"{name}: friction cannot hold {names}, whatever the feet bear; it slides")
    z[~known] = held
    return np.asarray(z * units.energy / units.row)


@dataclass(frozen=True)
class _Balance:
    """Loads and rows without dimensions.

    Attributes
    ----------
    force : (n,) loads;  J : (m, n) rows that may bear them;  free : (m,) of them, those that hold both ways
    feet : (k, 3) rows of feet: normal, two tangents
    """

    force: Floats
    J: Floats
    free: np.ndarray
    feet: Ints

    def least(self, mu: Floats) -> Floats | None:
        """The multipliers of least norm that balance the loads within the cones; None if these were not found."""
        n, m = len(self.force), len(self.J)
        A, cones = self._cones(mu)
        balance = sparse.csc_matrix(self.J.T)
        P, q = sparse.identity(m, format="csc"), np.zeros(m)
        b = np.concatenate([-self.force, np.zeros(A.shape[0])])
        z, _ = _solved(P, q, sparse.vstack([balance, A]), b, [clarabel.ZeroConeT(n), *cones])
        return self._judged(z, mu)

    def most(self, mu: Floats) -> tuple[Floats | None, bool]:
        """Multipliers within the cones that leave least of the loads, if that is none; or whether proof forbids it."""
        n, m = len(self.force), len(self.J)
        A, cones = self._cones(mu)
        left = sparse.block_diag([-sparse.identity(1), -self.J.T])
        P, q = sparse.csc_matrix((m + 1, m + 1)), np.zeros(m + 1)
        q[0] = 1.0
        wide = sparse.hstack([sparse.csc_matrix((A.shape[0], 1)), A])
        b = np.concatenate([[0.0], self.force, np.zeros(A.shape[0])])
        both, dual = _solved(P, q, sparse.vstack([left, wide]), b, [clarabel.SecondOrderConeT(n + 1), *cones])
        held = self._judged(both[1:], mu)
        d = -dual[1 : n + 1]
        w = self.J @ d
        normal, tangents = self.feet[:, 0], self.feet[:, 1:]
        works = np.where(self.free, -np.abs(w), w)
        works[tangents] = 0.0
        works[normal] = w[normal] - mu * np.linalg.norm(w[tangents], axis=1)
        return held, held is None and bool(self.force @ d > -PROVEN * np.minimum(works, 0.0).sum())

    def _judged(self, z: Floats, mu: Floats) -> Floats | None:
        """Multipliers, if they balance the loads within the cones."""
        if not np.isfinite(z).all():
            return None
        slid = np.linalg.norm(z[self.feet[:, 1:]], axis=1) - mu * z[self.feet[:, 0]]
        missed = [np.abs(self.force + self.J.T @ z).max(), slid.max(initial=0.0), -z[~self.free].min(initial=0.0)]
        return z if max(missed) <= MISSED else None

    def _cones(self, mu: Floats) -> tuple[sparse.csc_matrix, list[object]]:
        """A and cones with −A z in these: what only pulls, and feet within their friction."""
        alone = ~self.free
        alone[self.feet[:, 0]] = False
        single = np.flatnonzero(alone)
        rows = np.concatenate([single, self.feet.ravel()])
        sizes = np.ones((len(mu), 3))
        sizes[:, 0] = mu
        values = -np.concatenate([np.ones(len(single)), sizes.ravel()])
        A = sparse.csc_matrix((values, (np.arange(len(rows)), rows)), shape=(len(rows), len(self.J)))
        pulls: list[object] = [clarabel.NonnegativeConeT(len(single))] if len(single) else []
        return A, pulls + [clarabel.SecondOrderConeT(3)] * len(mu)


def _solved(
    P: sparse.csc_matrix, q: Floats, A: sparse.spmatrix, b: Floats, cones: list[object]
) -> tuple[Floats, Floats]:
    """x of least ½ xᵀP x + qᵀx with b − A x in the cones, and its multipliers, as Clarabel gives them."""
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = TOLERANCE
    answer = clarabel.DefaultSolver(P, q, sparse.csc_matrix(A), b, cones, settings).solve()
    return np.asarray(answer.x), np.asarray(answer.z)


def _evenly(found: Found) -> Floats:
    """The multipliers of least norm, if no wire would have to push then: redundant rows share alike."""
    look, p = found.look, found.p
    share = (look.sigma == 0.0) & (look.free | (p > 0.0))
    if not share.any():
        return p
    rest = look.force + look.J[~share].T @ p[~share]
    even = p.copy()
    even[share] = np.linalg.lstsq(look.J[share].T, -rest, rcond=1e-10)[0]
    small = 1e-12 * float(np.abs(p).max())
    pulls = look.free[share] | (even[share] >= -small)
    missed = float(np.abs(look.J[share].T @ even[share] + rest).max())
    if pulls.all() and missed <= max(small, 10.0 * float(np.abs(look.force + look.J.T @ p).max())):
        return np.where(look.free, even, np.maximum(even, 0.0))
    return p
