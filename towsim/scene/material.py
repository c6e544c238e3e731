"""What a wire is made of: mass, stiffness and damping of its cross-section, from material data or given."""

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
    "diameter": "diameter",
    "mass_per_length": "mass_per_length (or density and diameter)",
    "axial_stiffness": "axial_stiffness (or youngs_modulus and diameter)",
    "bending_stiffness": "bending_stiffness (or youngs_modulus and diameter)",
}


class Material(Declared):
    """Material data of a solid round wire (A = π d²/4, I = π d⁴/64), or the figures themselves, which take precedence.

    Damping has the form of the stiffness: stress = E ε + η ε̇ with the damping modulus η.
    """

    diameter: Annotated[float, Quantity("diameter d of the solid cross-section", "m", above=0.0)] | None = None
    density: Annotated[float, Quantity("density ρ", "kg/m³", above=0.0)] | None = None
    youngs_modulus: Annotated[float, Quantity("Young's modulus E", "Pa", above=0.0)] | None = None
    damping_modulus: Annotated[float, Quantity("damping modulus η", "Pa s", least=0.0)] | None = None
    mass_per_length: Annotated[float, Quantity("mass per length", "kg/m", above=0.0)] | None = None
    axial_stiffness: Annotated[float, Quantity("axial stiffness EA", "N", above=0.0)] | None = None
    bending_stiffness: Annotated[float, Quantity("bending stiffness EI", "N m²", least=0.0)] | None = None
    axial_damping: Annotated[float, Quantity("axial damping ηA", "N s", least=0.0)] | None = None
    bending_damping: Annotated[float, Quantity("bending damping ηI", "N m² s", least=0.0)] | None = None

    def section(self) -> Section:
        """The cross-section; damping that is not declared is zero."""
        diameter = math.nan if self.diameter is None else self.diameter
        area, second_moment = 0.25 * math.pi * diameter**2, math.pi / 64.0 * diameter**4
        return Section(
            diameter=diameter,
            mass_per_length=_either(self.mass_per_length, self.density, area),
            axial_stiffness=_either(self.axial_stiffness, self.youngs_modulus, area),
            bending_stiffness=_either(self.bending_stiffness, self.youngs_modulus, second_moment),
            axial_damping=_either(self.axial_damping, self.damping_modulus or 0.0, area, 0.0),
            bending_damping=_either(self.bending_damping, self.damping_modulus or 0.0, second_moment, 0.0),
        )


def _either(given: float | None, modulus: float | None, moment: float, unknown: float = math.nan) -> float:
    if given is not None:
        return given
    return unknown if modulus is None or math.isnan(moment) else modulus * moment
