"""A chain that hangs from one end swings in the modes of Bernoulli and Bessel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario
from towsim.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from towsim import Result, Scene

MODES = 12


@scenario(
    "hanging-chain",
    topic="Massive cables",
    duration=8.0,
    step=2e-3,
    method="bdf2",
    summary="A chain hung from one end is let go from a straight, slanted line.",
)
def hanging_chain(*, length: float = 2.0, mass: float = 1.0, angle: float = 1.0, elements: int = 40) -> Scene:
    """A heavy chain without bending stiffness: modes J₀(α_n √(s/L)), s from the free end, at ω_n = ½ α_n √(g/L).

    Parameters
    ----------
    length : length of the chain [m]
    mass : its mass [kg]
    angle : slant of the straight start [°]
    elements : number of elements
    """
    from towsim.scene import scene_from_data

    if elements < 1:
        raise UsageError(f"hanging-chain: elements must be 1 or more, got {elements}")
    slant = math.radians(angle)
    return scene_from_data(
        {
            "name": "hanging-chain",
            "description": hanging_chain.summary,
            "robots": {"hook": {"position": [0.0, 0.0, 0.0]}},
            "wires": {
                "chain": {
                    "from": "free",
                    "exit": [length * math.sin(slant), 0.0, -length * math.cos(slant)],
                    "to": "hook",
                    "length": length,
                    "material": {
                        "diameter": 5e-3,
                        "mass_per_length": mass / length,
                        "axial_stiffness": 1e6,
                        "axial_damping": 1e4,
                        "bending_stiffness": 0.0,
                    },
                    "model": {"mrfe": {"elements": elements}},
                }
            },
            "run": {"duration": 8.0, "step": 2e-3, "method": "bdf2"},
        }
    )


def free_end(scene: Scene, time: NDArray[np.float64]) -> NDArray[np.float64]:
    """Displacement (n,) of the free end [m]: θ L Σ 8 cos(ω_n t)/(α_n³ J₁(α_n)), as 1 − x² = Σ 8 J₀(α_n x)/(α_n³ J₁)."""
    from scipy.special import j1, jn_zeros

    chain = scene.wires["chain"]
    assert isinstance(chain.length, float)
    assert chain.exit is not None
    slant = math.atan2(chain.exit[0], -chain.exit[2])
    alpha = jn_zeros(0, MODES)
    omega = 0.5 * alpha * math.sqrt(-scene.gravity[2] / chain.length)
    return np.asarray(slant * chain.length * np.cos(np.outer(time, omega)) @ (8.0 / (alpha**3 * j1(alpha))))


@hanging_chain.check
def _(result: Result) -> list[Check]:
    from towsim.scene import Mrfe

    scene = _laws.declared(result)
    chain = scene.wires["chain"]
    assert isinstance(chain.length, float)
    assert isinstance(chain.model, Mrfe)
    expected = free_end(scene, result.time)
    swing = float(np.abs(expected).max())
    astray = np.abs(result["exit_position"].sel(cable="chain").values[:, 0] - expected)
    h = _laws.step_of(result) / math.sqrt(chain.length / -scene.gravity[2])
    # Modes of n links differ by O(1/n), of the highest ones above all; the error of their phases grows with time.
    limit = (0.01 + 0.5 / chain.model.elements + 50.0 * h**2) * swing
    weight = chain.section().mass_per_length * chain.length * -scene.gravity[2]
    pull = np.linalg.norm(result["tip_force"].sel(cable="chain").values[1:], axis=1)
    return [
        _laws.solved(result),
        Check.below("free end against the series of Bessel functions", np.sqrt(np.mean(astray**2)), limit, "m"),
        Check.close("mean pull on the hook", np.nanmean(pull), weight, 0.01 * weight, "N"),
    ]
