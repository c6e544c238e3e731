"""The reference load: a box on wires from its top, carried by robots that all make the same move.

Every wire leaves the vertical by ``angle``; its azimuth is turned from the radial one by plus or minus ``turn``.
Radial wires would meet in one point: three rows then say all there is to say, and the rest chatter.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scenarios import _laws
from scenarios.registry import Check

if TYPE_CHECKING:
    from towsim import Result, Scene

SIZE = (0.4, 0.3, 0.2)
TOP = 0.5 * SIZE[2]
Attachment = tuple[float, float, float]
"""Place x, y on the top [m] and azimuth of the wire [rad]."""


def three(turn: float) -> list[Attachment]:
    """Two wires in front, turned inwards, and one behind, where the moments about the y axis are in balance.

    With azimuths ±α in front, the horizontal forces ask for T₂ = 2 T₀ cos α, the moments for x₂ T₂ = −2 x₀ T₀.
    """
    x, y = 0.18, 0.15
    azimuth = math.atan2(y, x) - math.radians(turn)
    return [(x, y, azimuth), (x, -y, -azimuth), (-x / math.cos(azimuth), 0.0, math.pi)]


def four(turn: float) -> list[Attachment]:
    """One wire from each corner, turned so that both vertical planes of the box stay planes of symmetry."""
    return [
        (x, y, math.atan2(y, x) + math.radians(turn) * math.copysign(1.0, x * y))
        for x, y in ((0.2, 0.15), (-0.2, 0.15), (-0.2, -0.15), (0.2, -0.15))
    ]


def eight(turn: float) -> list[Attachment]:
    """Two wires from each corner, one turned each way."""
    return [pair for one, other in zip(four(turn), four(-turn), strict=True) for pair in (one, other)]


def box_on_wires(
    name: str,
    description: str,
    attachments: list[Attachment],
    *,
    mass: float,
    length: float,
    angle: float,
    lift: float,
    carry: float,
    travel: float,
    lean: float,
) -> Scene:
    """The scene; see ``four-robots-box`` for the parameters."""
    from towsim.scene import scene_from_data

    points, robots, wires = {}, {}, {}
    slope, tilt = math.radians(angle), math.radians(lean)
    for i, (x, y, azimuth) in enumerate(attachments):
        e, n, u = math.sin(slope) * math.cos(azimuth), math.sin(slope) * math.sin(azimuth), math.cos(slope)
        n, u = n * math.cos(tilt) - u * math.sin(tilt), n * math.sin(tilt) + u * math.cos(tilt)
        start = [x + length * e, y + length * n, TOP + length * u]
        end = [start[0] + carry, start[1], start[2] + lift]
        points[f"p{i}"] = [x, y, TOP]
        robots[f"r{i}"] = {"motion": {"waypoints": {"t": [0.0, travel], "position": [start, end], "kind": "quintic"}}}
        wires[f"w{i}"] = {"from": f"box.p{i}", "to": f"r{i}", "length": length}
    return scene_from_data(
        {
            "name": name,
            "description": description,
            "bodies": {"box": {"mass": mass, "shape": {"box": list(SIZE)}, "points": points}},
            "robots": robots,
            "wires": wires,
            "run": {"duration": 5.0, "step": 1e-3},
        }
    )


def checks(result: Result, shares: list[float] | None) -> list[Check]:
    """Laws for every move of the box, and the tensions at the start if it starts in equilibrium.

    Parameters
    ----------
    shares : tensions in equilibrium, in any unit; None if they are not unique: then only their sum is checked
    """
    scene, h = _laws.declared(result), _laws.spacing(result)
    weight = scene.bodies["box"].mass * -scene.gravity[2]
    rate = 2.0 * weight  # forces change by their size in about half a second
    found = [
        _laws.solved(result),
        _laws.stretch(result),
        _laws.momentum(result, ["box"], rate),
        _laws.energy(result, rate),
    ]
    n = np.array([_laws.direction(result, scene, wire)[0] for wire in scene.wires])
    w = np.ones(len(n)) if shares is None else np.array(shares)
    if np.abs(w @ n[:, :2]).max() > 1e-9 * w.sum():
        return found  # leaned: not an equilibrium
    tension = result["tension"].values[_laws.first_row(result)]
    # While the robots gather way, no wire feels more than the mass times their acceleration after a step.
    off = scene.bodies["box"].mass * np.linalg.norm(scene.robots["r0"].sample(np.array([h]))[2]) + 1e-9 * weight
    if shares is None:
        return [*found, Check.close("vertical force at the start", tension @ n[:, 2], weight, off * len(n), "N")]
    expected = weight * w / (w @ n[:, 2])
    return [
        *found,
        *(
            Check.close(f"tension of {wire} at the start", tension[i], expected[i], off, "N")
            for i, wire in enumerate(scene.wires)
        ),
    ]
