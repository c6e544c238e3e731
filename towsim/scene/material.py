"""What a wire is made of: mass, stiffness and damping of its cross-section, from material data or given.

Where a massive cable needs figures that a rigid or an elastic wire does not, there are defaults:

    diameter            d = √(4 m/(π ρ)), the solid round section of the mass per length m, of the declared density or
                        of steel, ρ = 7850 kg/m³ (EN 1993-1-1, 3.2.6)
    bending stiffness   EI = EA d²/16 · (δ/d)² with δ = d/16: the wires of a stranded rope, of some diameter δ (6×19:
                        d/16, EN 12385-4), slide on each other. That is the least that such a rope has, Σ E π δ⁴/64;
                        without sliding it would be EA d²/16 (Costello, Theory of Wire Rope, 1997; Papailiou, IEEE
                        Trans. Power Delivery 12, 1997)
    damping             none, as with elastic wires
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from towsim.scene.base import Declared
from towsim.scene.quantity import Quantity


class Section(NamedTuple):
    """A wire's cross-section, per length of the unstrained wire; NaN for what was not declared."""

    diameter: float  # d [m]
    mass_per_length: float  # ρA [kg/m]
    axial_stiffness: float  # EA [N]
    bending_stiffness: float  # EI [N m²]
    axial_damping: float  # ηA [N s]
    bending_damping: float  # ηI [N m² s]

    def lacks(self, *needed: str) -> list[str]:
        """Which of the needed figures are not known, each with the ways to give it."""
        return [WAYS[name] for name in needed if math.isnan(getattr(self, name))]


WAYS = {
    "mass_per_length": "mass_per_length (or density and diameter)",
    "axial_stiffness": "axial_stiffness (or youngs_modulus and diameter)",
}

STEEL = 7850.0
"""Density of what a wire is taken to be made of where neither that nor its diameter is declared [kg/m³]."""

FINENESS = 16.0
"""Diameter of a rope over that of its wires, where its bending stiffness is not declared."""


class Material(Declared):
    """Material data of a solid round wire (A = π d²/4, I = π d⁴/64), or the figures themselves, which take precedence.

    Damping has the form of the stiffness: stress = E ε + η ε̇ with the damping modulus η. A massive cable (model: mrfe)
    needs mass_per_length and axial_stiffness, or what they follow from; for the rest there are defaults: d of a solid
    section of that mass and density (7850 kg/m³, steel), EI = EA d²/4096 of a rope whose wires, of d/16, slide on each
    other, and no damping.
    """

    diameter: (
        Annotated[float, Quantity("diameter d of the cross-section (default √(4 m/(π ρ)))", "m", above=0.0)] | None
    ) = None
    density: Annotated[float, Quantity("density ρ (default of d: 7850)", "kg/m³", above=0.0)] | None = None
    youngs_modulus: Annotated[float, Quantity("Young's modulus E", "Pa", above=0.0)] | None = None
    damping_modulus: Annotated[float, Quantity("damping modulus η", "Pa s", least=0.0)] | None = None
    mass_per_length: Annotated[float, Quantity("mass per length", "kg/m", above=0.0)] | None = None
    axial_stiffness: Annotated[float, Quantity("axial stiffness EA", "N", above=0.0)] | None = None
    bending_stiffness: (
        Annotated[float, Quantity("bending stiffness EI (default EA d²/4096)", "N m²", least=0.0)] | None
    ) = None
    axial_damping: Annotated[float, Quantity("axial damping ηA (default 0)", "N s", least=0.0)] | None = None
    bending_damping: Annotated[float, Quantity("bending damping ηI (default 0)", "N m² s", least=0.0)] | None = None

    def section(self) -> Section:
        """The cross-section, with the defaults of this module."""
        known = self._known_diameter()
        area, second_moment = 0.25 * math.pi * known**2, math.pi / 64.0 * known**4
        mass = _either(self.mass_per_length, self.density, area)
        stiffness = _either(self.axial_stiffness, self.youngs_modulus, area)
        diameter = math.sqrt(4.0 * mass / (math.pi * STEEL)) if math.isnan(known) else known
        sliding = stiffness * (0.25 * diameter / FINENESS) ** 2
        return Section(
            diameter=diameter,
            mass_per_length=mass,
            axial_stiffness=stiffness,
            bending_stiffness=_either(self.bending_stiffness, self.youngs_modulus, second_moment, sliding),
            axial_damping=_either(self.axial_damping, self.damping_modulus or 0.0, area, 0.0),
            bending_damping=_either(self.bending_damping, self.damping_modulus or 0.0, second_moment, 0.0),
        )

    def _known_diameter(self) -> float:
        """The diameter, declared or of the solid section of the declared mass and density [m]; else NaN."""
        if self.diameter is not None:
            return self.diameter
        if self.mass_per_length is None or self.density is None:
            return math.nan
        return math.sqrt(4.0 * self.mass_per_length / (math.pi * self.density))


def _either(given: float | None, modulus: float | None, moment: float, unknown: float = math.nan) -> float:
    if given is not None:
        return given
    return unknown if modulus is None or math.isnan(moment) else modulus * moment
