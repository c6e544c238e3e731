"""Momentum states: integrate the joints' momenta, solve for their rates.

The state is (q, p), and p_k is what the motion of all that hangs on joint k contributes along its axis a_k:

    slide   p_k = a_k · P_k      P_k = Σ m v                          linear momentum, outboard
    turn    h_k = a_k · H_k      H_k = Σ (I ω + (x − x_k) × m v)      angular momentum about the joint, outboard

By virtual work p = Xᵀ 𝓜 X u = M(q) u: the joint momenta are the generalised momenta ∂T/∂u, and Newton's and Euler's
laws for all outboard bodies at once give their rates without a single acceleration. Ṗ_k = F_k; about a point that
moves with v_k, Ḣ_k = T_k − v_k × P_k; the axis itself turns with its carrier, ȧ_k = ω_k × a_k. So, with the joint's own
drive, spring and damper τ_k,

    ṗ_k = τ_k + a_k · (F_k − ω_k × P_k),      ḣ_k = τ_k + a_k · (T_k − v_k × P_k − ω_k × H_k)

where F_k and T_k hold outer forces only: what acts between two outboard bodies cancels. (The slides print the first
without −ω_k × P_k: that is right for an axis that does not turn.) Where Kane's equations have the time derivatives of
partial velocities, here is one vector product. These terms are ∂T/∂q: momenta of inner joints are no constants.

One pass outwards (frames), one inwards and one outwards (u from p, see dynamics/tree), one outwards (ω, v), one inwards
(P, H, F, T): linear in the number of joints.

A free link keeps its linear momentum in inertial axes, and its angular momentum about the *origin* instead of about
itself. Their rates are then the outer force and its torque alone, and exactly zero without: a free chain's total
momentum does not change by a single bit, however many steps are taken and however inaccurate they are.

Source: Stoneking, Linear Momentum States for Translational Joints in Momentum State Dynamics (2010): {H_k}, {P_k},
p = Δᵀ P, "Solve for u, s"; rates checked against ∂T/∂q.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from towsim.formulations.links import tree_state
from towsim.formulations.motion import Recursive
from towsim.model.arrays import Floats
from towsim.model.trees import Tree


class MomentumStates(Recursive):
    """A tree in joint momenta: y = (q, p), q̇ = u(q, p), ṗ from the outboard momenta."""

    name: ClassVar[str] = "momentum"
    momentum: ClassVar[bool | None] = True

    def start(self) -> Floats:
        """Coordinates and momenta of the start."""
        return np.concatenate([self.tree.start, joint_momenta(self.tree, self.tree.start, self.tree.rate)])

    def joints(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """Coordinates and rates: the momenta solved for u."""
        self.rate(t, y)
        return y[: self.tree.nq].copy(), self._u.copy()


def joint_momenta(tree: Tree, q: Floats, u: Floats, t: float = 0.0) -> Floats:
    """Joint momenta p (n,) at the coordinates q (nq,) and rates u (n,), from the outboard momenta H_k, P_k.

    p = M(q) u on a base that stands still; of a free link, angular momentum about the origin.
    """
    return tree_state(tree, t, q, u)[1]


def joint_rates(tree: Tree, q: Floats, p: Floats, t: float = 0.0) -> Floats:
    """Rates u (n,) of the joints that have the momenta p (n,) at the coordinates q (nq,): the inverse of the above."""
    return MomentumStates(tree).joints(t, np.concatenate([q, p]))[1]
