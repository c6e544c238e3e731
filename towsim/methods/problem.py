"""The complementarity problem of one step, as an object to solve or to study.

    LCP    0 ≤ p ⟂ A p + q ≥ 0,   A = J M⁻¹ Jᵀ,   q = J (v + h M⁻¹ f) + ψ/h + ∂ψ/∂t
    MLCP   [0; ρ] = [M −Jᵀ; J 0] [v⁺; p] + [−M v − h f; ψ/h + ∂ψ/∂t],   0 ≤ p ⟂ ρ ≥ 0

Rows of joints are free in both. M holds what is implicit in the velocities too (drag).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solvers import LCP, MLCP, Coulomb, Envelope, Wires
from solvers.active_set.envelope import multiply
from solvers.friction.bands import Bands
from solvers.matrix import to_dense
from towsim.constraints.elastic import BILATERAL
from towsim.errors import UsageError
from towsim.methods.solve import friction_cones
from towsim.model.arrays import FREE, OFF, Floats, jacobian

if TYPE_CHECKING:
    from solvers.friction.polyhedral import Polyhedral
    from towsim.methods.stepper import Stepper

DENSE_BODIES = 40
"""Up to so many bodies the factors (M⁻¹, J) go with the problem, for back-ends that solve it in v."""


def lcp(stepper: Stepper, *, factors: bool = True) -> MLCP:
    """The step's problem in the impulses; ``stepper`` must have begun the step. Rows that are off are left out.

    Without ``factors`` (M⁻¹, J) it takes half the time; back-ends that solve in v, and ``Solution.v``, need them.
    """
    work, rows = stepper.work, stepper.compiled.model.rows
    on = work.kind != OFF
    if not on.all():
        part = to_dense(Envelope(work.A, rows.envelope))[np.ix_(on, on)]
        names = [owner for owner, there in zip(stepper.compiled.owners, on, strict=True) if there]
        return MLCP(part, work.q[on], work.kind[on] == BILATERAL, names=names, rate=work.rate[on])
    free = work.kind == BILATERAL
    wires = None
    few = len(stepper.compiled.model.bodies.mass) <= DENSE_BODIES
    model = stepper.compiled.model
    formed = not stepper.compiled.cable_names and model.arms is None and model.sheaves is None
    if factors and few and formed:
        dof = _dofs(stepper)
        wires = Wires(
            _inverse_inertia(stepper)[np.ix_(dof, dof)],
            _jacobian(stepper)[:, dof].T,
            _free(stepper)[dof],
            _bias(stepper),
            rows.compliance.copy() if rows.compliance.any() else None,
        )
    matrix = Envelope(work.A.copy(), rows.envelope)
    kind = MLCP if free.any() else LCP
    problem: MLCP = (
        MLCP(matrix, work.q.copy(), free, names=stepper.compiled.owners, wires=wires, rate=work.rate.copy())
        if kind is MLCP
        else LCP(matrix, work.q.copy(), names=stepper.compiled.owners, wires=wires, rate=work.rate.copy())
    )
    if not len(stepper.compiled.model.contacts.point):
        problem.kind_of_row = "wire"
    return problem


def with_friction(stepper: Stepper) -> Polyhedral:
    """The step's problem with the contacts' friction cones as polyhedra, and the way back to the rows."""
    return coulomb(stepper).polyhedral(stepper.directions)


def coulomb(stepper: Stepper) -> Coulomb:
    """The step's problem with the contacts' friction on exact cones."""
    work, rows = stepper.work, stepper.compiled.model.rows
    cones = friction_cones(stepper.compiled.model)
    assert cones is not None  # there is friction
    matrix = Envelope(work.A.copy(), rows.envelope)
    owners = stepper.compiled.owners
    bands = Bands(*(part.copy() for part in cones.bands))
    free, rate = rows.kind == FREE, work.rate.copy()
    return Coulomb(matrix, work.q.copy(), cones.row, cones.mu, free, bands=bands, names=owners, rate=rate)


def mlcp(stepper: Stepper) -> MLCP:
    """The step's problem in [v⁺; p]; velocities are named ``body.vx`` .. ``body.wz``, rows that are off left out.

    Raises
    ------
    UsageError : the scene has MRFE cables, reduced joints or wheels (their inertia is never formed) or friction
    """
    model = stepper.compiled.model
    if stepper.compiled.cable_names or stepper.friction or model.arms is not None or model.sheaves is not None:
        raise UsageError(
            "the [v; p] form is for bodies, wires and joints; "
            "use form='lcp' with mrfe cables, reduced joints, wheels that wires turn, or friction"
        )
    work, on, dof = stepper.work, stepper.work.kind != OFF, _dofs(stepper)
    inertia = _inertia(stepper)[np.ix_(dof, dof)]
    J = _jacobian(stepper)[np.ix_(on, dof)]
    M = np.block([[inertia, -J.T], [J, np.diag(model.rows.compliance[on])]])
    q = np.concatenate([-inertia @ _free(stepper)[dof], _bias(stepper)[on]])
    names = [
        f"{body}.{axis}" for body in stepper.compiled.scene.bodies for axis in ("vx", "vy", "vz", "wx", "wy", "wz")
    ]
    owners = [owner for owner, there in zip(stepper.compiled.owners, on, strict=True) if there]
    free = np.concatenate([np.ones(len(dof), np.bool_), work.kind[on] == BILATERAL])
    rate = np.concatenate([np.zeros(len(dof)), work.rate[on]])
    return MLCP(M, q, free, names=[names[i] for i in dof] + owners, rate=rate)


def rates_after(stepper: Stepper) -> Floats:
    """w = A p + q of the impulses in ``work.p`` (nr,)."""
    work, w = stepper.work, np.empty(len(stepper.work.q))
    multiply(work.A, stepper.compiled.model.rows.envelope, work.q, work.p, w)
    return w


def _dofs(stepper: Stepper) -> np.ndarray:
    """Velocities that exist: a point mass has no angular ones."""
    rotates = stepper.compiled.model.bodies.rotates
    return np.flatnonzero(np.stack([np.ones_like(rotates)] * 3 + [rotates] * 3, axis=1).ravel())


def _inverse_inertia(stepper: Stepper) -> Floats:
    work, nb = stepper.work, len(stepper.compiled.model.bodies.mass)
    out = np.zeros((6 * nb, 6 * nb))
    for i in range(nb):
        out[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = np.eye(3) * work.minv[i]
        out[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = work.Y[i]
    return out


def _inertia(stepper: Stepper) -> Floats:
    """Inverse of ``_inverse_inertia``, body by body: their scales may differ by more than one factorisation bears."""
    model, work = stepper.compiled.model, stepper.work
    nb = len(model.bodies.mass)
    out = np.zeros((6 * nb, 6 * nb))
    for i in range(nb):
        out[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = np.eye(3) / work.minv[i]
        if model.bodies.rotates[i]:
            inverse = np.linalg.inv(work.Y[i])
            out[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = 0.5 * (inverse + inverse.T)
    return out


def _jacobian(stepper: Stepper) -> Floats:
    model = stepper.compiled.model
    return jacobian(model.rows, stepper.work.J, len(model.bodies.mass))


def _free(stepper: Stepper) -> Floats:
    return stepper.work.u[: len(stepper.compiled.model.bodies.mass)].ravel()


def _bias(stepper: Stepper) -> Floats:
    """q without the free motion: ψ/h + ∂ψ/∂t for Stewart–Trinkle, its counterpart for SHAKE."""
    return stepper.work.q - _jacobian(stepper) @ _free(stepper)
