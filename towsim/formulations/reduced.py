"""Reduced coordinates of a tree: M_q u̇ = τ − pseudo-forces, by an O(n) recursion.

The links' velocities are legal only if v = X(q) u, so that a joint's reaction, which does no work on legal motions, has
no part in Xᵀ F. Of (d/dt)(𝓜 v) = F that leaves (slides, "Equation of motion")

    Xᵀ 𝓜 X u̇ = Xᵀ (F − 𝓜 Ẋ u − 𝓜̇ X u)

𝓜 Ẋ u are centrifugal and Coriolis forces, 𝓜̇ X u = ω × I ω of every link (𝓜 holds inertias in world axes, which turn) is
the gyroscopic one. Xᵀ F are generalised forces: weights by virtual work, and a joint's drive, spring and damper as they
stand. No row closes a joint, so nothing drifts.

The recursion of dynamics/tree does this without X: accelerations that are there without u̇ outwards, forces and
articulated inertias inwards, u̇ outwards. Weights enter as an acceleration −g of the base.

Source: lecture slides on reduced coordinates (equation of motion, generalised forces); Featherstone.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from towsim.formulations.motion import Recursive
from towsim.model.arrays import Floats


class Reduced(Recursive):
    """A tree in joint coordinates: y = (q, u)."""

    name: ClassVar[str] = "reduced"
    momentum: ClassVar[bool | None] = None

    def start(self) -> Floats:
        """Coordinates and rates of the start."""
        return np.concatenate([self.tree.start, self.tree.rate])

    def joints(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """Coordinates and rates, as they stand."""
        return y[: self.tree.nq].copy(), y[self.tree.nq :].copy()
