"""A look in units of the scene's own length and force: what is solved then does not depend on how large the scene is.

    d = U y,    ψ = R g,    p = E R⁻¹ z        E = force · length

with U the length for moves along and 1 for turns, R the length for rows of lengths and 1 for rows of angles. So

    K d = f + Jᵀp,  ψ + J d + σ p      become      (U K U / E) y = U f / E + (R⁻¹ J U)ᵀ z,  g + R⁻¹ J U y + E R⁻² σ z
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from towsim.model.arrays import Floats
from towsim.statics.ends import axial

if TYPE_CHECKING:
    from towsim.statics.system import Look, System

STIFFNESS_SHARE = 1e-6
"""Forces count from this share of stiffness × length on: rounding errors of places make some 1e-16 of it."""


@dataclass(frozen=True)
class Measures:
    """Units of a look.

    Attributes
    ----------
    move : (n,) of moves [m or 1]
    row : (m,) of gaps [m or 1]
    energy : force times length [J]
    """

    move: Floats
    row: Floats
    energy: float

    def of(self, look: Look) -> Look:
        """The look without dimensions."""
        K = look.geometric
        return replace(
            look,
            force=self.move * look.force / self.energy,
            J=look.J * self.move / self.row[:, None],
            gap=look.gap / self.row,
            sigma=look.sigma * self.energy / self.row**2,
            geometric=None if K is None else self.both(K),
        )

    def both(self, K: Floats) -> Floats:
        """A stiffness (n, n) without dimensions, or what a rate squared makes one of."""
        return self.move[:, None] * K * self.move / self.energy

    def multipliers(self, p: Floats) -> Floats:
        """Multipliers (m,) without dimensions."""
        return p * self.row / self.energy


def length_of(system: System) -> float:
    """A length of the scene [m]: of the shortest wire; without wires, the farthest of a body's points, or else 1 m."""
    points, rowed = system.model.points, system.rowed
    wires = system.still.length[: len(rowed.massless)]  # given coordinates of joints stand behind them
    arms = np.linalg.norm(points.local[points.node >= 0], axis=1)
    far = max(float(arms.max(initial=0.0)), float(system.model.contacts.radius.max(initial=0.0)))
    return float(min([*wires, *(cable.length for cable in rowed.table.cables)], default=far or 1.0))


def rounding(system: System) -> float:
    """Of places: between numbers as large as the farthest coordinate [m]."""
    return float(np.spacing(np.abs(system.work.P).max(initial=0.0)))


def measures(system: System, look: Look, force: float) -> Measures:
    """Units for a look, of the scene's length and of a force [N]. Rows that only turns change are of angles."""
    turns = system.moves % 6 >= 3
    along = look.J[:, ~turns].any(axis=1)
    return Measures(np.where(turns, 1.0, system.size), np.where(along, system.size, 1.0), force * system.size)


def largest_load(system: System, look: Look) -> float:
    """A force of the scene [N]: the largest weight or load."""
    bodies = system.model.bodies
    turns = system.moves % 6 >= 3
    g = float(np.linalg.norm(bodies.gravity))
    moves = np.ix_(system.moves[~turns], system.moves[~turns])
    feed = np.empty(0) if system.cables is None else system.feed
    stiff = float(np.abs(system.still.K[moves]).max(initial=0.0)) + float(axial(system.cables, feed).max(initial=0.0))
    acting = np.abs(look.force) / np.where(turns, system.size, 1.0)
    forces = [float(acting.max(initial=0.0)), g * float(bodies.mass.max(initial=0.0))]
    return max(*forces, STIFFNESS_SHARE * stiff * system.size) or 1.0
