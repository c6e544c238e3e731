"""A clamped beam under a force at its free end: the deflection of the beam theory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario
from towsim.errors import UsageError

if TYPE_CHECKING:
    from towsim import Result, Scene

EI, LINE, ETA = 2.0, 0.2, 0.15
"""Bending stiffness [N m²], mass per length [kg/m], bending damping of a rod of 1 m [N m² s]."""


@scenario(
    "cantilever",
    topic="Massive cables",
    duration=6.0,
    step=2e-3,
    method="bdf3",
    summary="A rod clamped at one end is bent by a force at the other.",
)
def cantilever(*, length: float = 1.0, force: float = 0.1, elements: int = 20) -> Scene:
    """A massive elastic rod without gravity, as an mrfe cable: clamped in a wall, a small weight on its other end.

    The force on the weight grows over the first second. At rest F L³/(3 EI) is the deflection, F L²/(2 EI) the slope.

    Parameters
    ----------
    length : length of the rod [m]
    force : force across its end, for a small deflection [N]
    elements : number of elements
    """
    from towsim.scene import scene_from_data

    if elements < 1:
        raise UsageError(f"cantilever: elements must be 1 or more, got {elements}")
    return scene_from_data(
        {
            "name": "cantilever",
            "description": cantilever.summary,
            "gravity": [0.0, 0.0, 0.0],
            "robots": {"wall": {"position": [0.0, 0.0, 0.0]}},
            "bodies": {
                "weight": {
                    "mass": 0.01,
                    "point": True,
                    "position": [length, 0.0, 0.0],
                    "force": {"z": f"{-force!r}*(t**2*(3 - 2*t) if t < 1 else 1)"},
                }
            },
            "wires": {
                "rod": {
                    "from": "wall",
                    "to": "weight",
                    "length": length,
                    "material": {
                        "diameter": 0.02,
                        "mass_per_length": LINE,
                        "axial_stiffness": 1e6,
                        "axial_damping": 1e4,
                        "bending_stiffness": EI,
                        "bending_damping": ETA * length**3,  # a long rod comes to rest in the same time
                    },
                    "model": {"mrfe": {"elements": elements, "first_joint": "yx", "from_end": "clamped"}},
                }
            },
            "run": {"duration": 6.0, "step": 2e-3, "method": "bdf3"},
        }
    )


@cantilever.check
def _(result: Result) -> list[Check]:
    from towsim.scene import Mrfe

    scene = _laws.declared(result)
    rod = scene.wires["rod"]
    assert isinstance(rod.length, float)
    assert isinstance(rod.model, Mrfe)
    n, length, stiffness = rod.model.elements, rod.length, rod.section().bending_stiffness
    force = float(scene.bodies["weight"].force.at(np.array([scene.run.duration]))[0, 2])
    node = result["node_position"].sel(cable="rod").values[-1]
    deflection, slope = force * length**3 / (3.0 * stiffness), force * length**2 / (2.0 * stiffness)
    # Hinges at 0 (half an element), Le, 2 Le, ..: the trapezoidal rule of ∫(L − x)²/EI, exact to 1/2n²; large ones bend
    # less, by the square of the slope.
    bound = 1.2 * (0.5 / n**2 + slope**2) + 1e-4
    along = np.linspace(0.0, length, n + 1)
    shape = force * along**2 * (3.0 * length - along) / (6.0 * stiffness)
    kinetic = np.abs(result["velocity"].sel(body="weight").values[-1]).max()
    return [
        _laws.solved(result),
        Check.close("deflection, F L³/(3 EI)", node[-1, 2], deflection, bound * abs(deflection), "m"),
        Check.close(
            "slope at the end, F L²/(2 EI)",
            (node[-1, 2] - node[-2, 2]) / (length / n),
            slope,
            (1.0 / n + bound) * abs(slope),
            "rad",
        ),
        Check.below("line against the beam's", np.abs(node[:, 2] - shape).max(), bound * abs(deflection), "m"),
        Check.below("speed at the end: it has come to rest", kinetic, 1e-3 * abs(deflection), "m/s"),
        Check.close(
            "force in the wall",
            result["exit_force"].sel(cable="rod").values[-1, 2],
            -force,
            1e-3 * abs(force),
            "N",
        ),
    ]
