"""A tug tows a barge on a long line that sags between them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario
from towsim.errors import UsageError

if TYPE_CHECKING:
    from towsim import Result, Scene

LINE, EA, EI = 9.0, 6.0e7, 2.0e3
"""A steel wire of 50 mm: mass per length [kg/m], axial [N] and bending stiffness [N m²]."""

BOW, G = 4.0, 9.81


@scenario(
    "towed-cable",
    topic="Towing",
    duration=120.0,
    step=5e-2,
    method="bdf2",
    summary="A tug takes a barge in tow on a line of some hundred metres, in hundreds of elements.",
)
def towed_cable(
    *,
    length: float = 400.0,
    elements: int = 200,
    speed: float = 3.0,
    mass: float = 4e5,
    drag: float = 2e4,
    slack: float = 12.0,
) -> Scene:
    """The line hangs in a catenary between tug and barge; the tug gathers speed over the first minute.

    The weight of the line is that in water; its own resistance is left out.

    Parameters
    ----------
    length : length of the line [m]
    elements : number of its elements
    speed : speed that the tug reaches [m/s]
    mass : mass of the barge [kg]
    drag : resistance of the barge per speed [N s/m]
    slack : length of the line beyond the distance of its ends at the start [m]
    """
    from towsim.scene import scene_from_data

    if elements < 1:
        raise UsageError(f"towed-cable: elements must be 1 or more, got {elements}")
    start = length - slack
    # x(t) = v t²/(2 T) for t < T, then v (t − T/2): uniform acceleration over T = 60 s, started gently over 10 s.
    way = f"{start!r} + {speed!r}*(t**3/3600 if t < 10 else (t - 5)**2/120 + 25/360 if t < 65 else t - 35 + 25/360)"
    return scene_from_data(
        {
            "name": "towed-cable",
            "description": towed_cable.summary,
            "gravity": [0.0, 0.0, -G],
            "bodies": {
                "barge": {
                    "mass": mass,
                    "shape": {"box": [40.0, 12.0, 4.0]},
                    "position": [-20.0, 0.0, 2.0],
                    "points": {
                        "bow": [20.0, 0.0, 2.0],
                        **{f"keel{i}": [18.0 * x, 5.0 * y, -2.0] for i, (x, y) in enumerate(CORNERS)},
                    },
                    "drag": {"linear": drag},
                }
            },
            "robots": {"tug": {"motion": {"formula": {"x": way, "y": 0.0, "z": BOW}}}},
            "wires": {
                "line": {
                    "from": "tug",
                    "to": "barge.bow",
                    "length": length,
                    "material": {
                        "diameter": 0.05,
                        "mass_per_length": LINE,
                        "axial_stiffness": EA,
                        "axial_damping": 0.02 * EA,
                        "bending_stiffness": EI,
                        "bending_damping": 0.02 * EI,
                    },
                    "model": {"mrfe": {"elements": elements}},
                }
            },
            "ground": {"height": 0.0, "contacts": [f"barge.keel{i}" for i in range(4)]},
            "run": {"duration": 120.0, "step": 5e-2, "method": "bdf2"},
        }
    )


CORNERS = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))


def sag(length: float, span: float, pull: float, weight: float) -> float:
    """Depth [m] of a catenary between ends of one height below them; ``pull``: its horizontal force [N].

    Parameters
    ----------
    length, span : of the line and between its ends [m];  weight : per length [N/m]
    """
    a = pull / weight
    return a * (math.cosh(0.5 * span / a) - 1.0)


@towed_cable.check
def _(result: Result) -> list[Check]:
    scene = _laws.declared(result)
    line, barge = scene.wires["line"], scene.bodies["barge"]
    assert isinstance(line.length, float)
    time, weight = result.time, line.section().mass_per_length * G
    pull = result["tip_force"].sel(cable="line").values  # on the barge
    speed = result["velocity"].sel(body="barge").values[:, 0]
    drag = barge.drag.linear
    momentum = _laws.largest_error(result, barge.mass * speed, np.nan_to_num(pull[:, 0]) - drag * speed)
    found = [
        _laws.solved(result),
        Check.below("m Δv − ∫ F dt of the barge along the way", momentum, 1e-3 * barge.mass * speed.max(), "N s"),
        Check.below("e1, openings of the line's ends", np.nanmax(result["e1"].values), 1e-4, "m"),
    ]
    if time[-1] < 100.0:
        return found
    late = time > time[-1] - 20.0
    node = result["node_position"].sel(cable="line").values[late]
    span, depth = node[:, 0, 0] - node[:, -1, 0], node[:, 0, 2] - node[:, :, 2].min(axis=1)
    expected = np.array([sag(line.length, s, h, weight) for s, h in zip(span, pull[late, 0], strict=True)])
    return [
        *found,
        Check.below("sag against the catenary's, last 20 s", np.abs(depth - expected).max(), 0.05 * depth.mean(), "m"),
        Check.below("stretch beyond the line's elasticity", stretch(result, scene), 2e-3, "m"),
    ]


def stretch(result: Result, scene: Scene) -> float:
    """Largest |extension − ∫ T ds/EA| while the pull is steady, over the last 20 s [m].

    In a catenary T² = H² + (w s)², s from its middle, so that the mean of T is H (√(1 + x²) + arsinh(x)/x)/2 with
    x = w L/(2 H).
    """
    line, section = scene.wires["line"], scene.wires["line"].section()
    assert isinstance(line.length, float)
    late = result.time > result.time[-1] - 20.0
    pull = result["tip_force"].sel(cable="line").values[late, 0]
    x = 0.5 * section.mass_per_length * G * line.length / pull
    elastic = 0.5 * pull * (np.hypot(1.0, x) + np.arcsinh(x) / x) * line.length / section.axial_stiffness
    return float(np.abs(result["extension"].sel(cable="line").values[late] - elastic).max())
