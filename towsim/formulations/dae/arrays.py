"""The arrays of the DAE: sub-systems, the closures that join them, and what is known at one instant.

The state is y = (q, u): seven coordinates (position, quaternion) and six rates (velocity, angular velocity, world axes)
per body, then the coordinates and rates of the cables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from towsim.model.arrays import Flags, Floats, Ints

ROBOT, BODY, EXIT, TIP = 0, 1, 2, 3
"""What an end sits on: a kinematic robot, a point of a body, the exit point or the tip of a cable."""

MASS, RADIUS, EA, EI, AXIAL, BENDING, HINGE = 0, 1, 2, 3, 4, 5, 6
"""Columns of ``Chains.section``."""


class Chains(NamedTuple):
    """Cables, each with its exit point as coordinates of its own: q_j = [b, q_1, ..., q_3n] (Eq. 7).

    A ball first joint has a unit quaternion as coordinates and an angular velocity (world axes) as rates.
    """

    elements: Ints  # (nk,)
    q: Ints  # (nk+1,) first coordinate of each cable in y
    u: Ints  # (nk+1,) first rate of each cable in y
    ball: Flags  # (nk,) ball first joint, else two revolutes
    frame: Floats  # (nk, 4) root frame, a unit quaternion: its z axis is the direction of the cable at rest
    axis: Floats  # (nk, 2, 3) axes of the first joint's revolutes: in the root frame, and after the first one
    rest: Floats  # (nk, n, 2) rest angles of the elements' revolutes [rad]
    section: (
        Floats  # (nk, 7) ρA [kg/m], radius [m], EA [N], EI [N m²], ηA [N s], ηI [N m² s], share of the first spring
    )


class Solids(NamedTuple):
    """Bodies, and the known forces on them. A point mass never turns: its inverse inertia is zero."""

    mass: Floats  # (nb,)
    inertia: Floats  # (nb, 2, 3, 3) body axes, and its inverse
    drag: Floats  # (nb, 2) linear, quadratic
    load: Ints  # (nl, 2) body and kind: FORCE, THRUST, TORQUE or MOMENT
    load_at: Floats  # (nl, 3)


BOTH = 2.0
"""Of a spring that always acts, and pulls and pushes."""


class Springs(NamedTuple):
    """Elastic contacts with the ground, then elastic wires and springs: they push or pull while they are strained."""

    end: Ints  # (ns, 2, 2) of the ends A and B: ROBOT or BODY, index; B of a contact is ROBOT, −1
    at: Floats  # (ns, 2, 3) point of a body, body axes; of a contact's B the radius of its sphere
    law: Floats  # (ns, 3) stiffness, damping, 1 if the force may change its sign, or BOTH; of wires times length
    ground: Floats  # (4,) normal and height


class Closures(NamedTuple):
    """Conditions η = p_B − p_A = 0, three rows each: ball joints and the ends of the cables."""

    end: Ints  # (n, 2, 2) of the ends A and B: ROBOT, BODY, EXIT or TIP, and its index
    at: Floats  # (n, 2, 3) point of a body, body axes


class System(NamedTuple):
    """All that does not change with time."""

    chains: Chains
    solids: Solids
    springs: Springs
    closures: Closures
    gravity: Floats  # (3,)


class Known(NamedTuple):
    """What is known at one instant."""

    robot: Floats  # (nr, 3, 3) position, velocity, acceleration
    length: Floats  # (nk, 3) unstrained length of a cable, its rate, its second derivative
    pull: Floats  # (nk, 3) force on the free end of a cable
    load: Floats  # (nl, 3)
    wire: Floats  # (ns, 2) length of an elastic wire and its rate; 1 and 0 for contacts
    wind: Floats  # (3,)


class Work(NamedTuple):
    """What one evaluation leaves behind."""

    S: Floats  # (nk, m, 6) joint twists: linear at the exit point, angular
    link: Floats  # (nk, 2n, 17) mass, first moment, inertia, force, moment of a link about the exit point; its energy
    M: Floats  # (nk, m, m) generalised inertia, then its Cholesky factor
    a: Floats  # (nk, m) free accelerations M⁻¹ f
    J: Floats  # (nk, 6, m) Jacobian of exit point and tip
    W: Floats  # (nk, 6, m) M⁻¹ Jᵀ, row by row
    E: Floats  # (nk, 6, 6) J M⁻¹ Jᵀ
    tip: Floats  # (nk, 3, 3) tip: position from the exit point, velocity, acceleration at q̈ = 0
    node: Floats  # (nk, n+1, 3) ends of the elements, from the exit point
    R: Floats  # (nb, 2, 3, 3) rotation of a body, and its inverse inertia in world axes
    solid: Floats  # (nb, 6) free accelerations of the bodies
    arm: Floats  # (n, 2, 3) arms of the closures' ends on bodies
    eta: Floats  # (n, 3, 3) η, η̇ and the residual acceleration ψ
    A: Floats  # (3n, 3n) then its Cholesky factor
    lam: Floats  # (3n,) λ: force on end B, −λ on end A
    strain: Floats  # (ns, 3) of the springs: strain, its rate, force


def make_work(system: System) -> Work:
    """Room for one evaluation."""
    chains, n = system.chains, len(system.closures.end)
    nk, nb = len(chains.elements), len(system.solids.mass)
    m = int(np.diff(chains.u).max(initial=0))
    e = int(chains.elements.max(initial=0))
    zeros = np.zeros
    return Work(
        S=zeros((nk, m, 6)),
        link=zeros((nk, 2 * e, 17)),
        M=zeros((nk, m, m)),
        a=zeros((nk, m)),
        J=zeros((nk, 6, m)),
        W=zeros((nk, 6, m)),
        E=zeros((nk, 6, 6)),
        tip=zeros((nk, 3, 3)),
        node=zeros((nk, e + 1, 3)),
        R=zeros((nb, 2, 3, 3)),
        solid=zeros((nb, 6)),
        arm=zeros((n, 2, 3)),
        eta=zeros((n, 3, 3)),
        A=zeros((3 * n, 3 * n)),
        lam=zeros(3 * n),
        strain=zeros((len(system.springs.end), 3)),
    )
