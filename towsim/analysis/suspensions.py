"""A box on any number of wires: the smallest scene in which tensions need not be unique."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from towsim.given import a_number, a_whole_number

if TYPE_CHECKING:
    from towsim.scene import Scene

HEIGHT = 0.2


def suspension(
    wires: int = 8,
    *,
    mass: float = 2.0,
    inertia: float = 1.0,
    spread: float = 0.2,
    slope: float = 20.0,
    twist: float = 40.0,
    length: float = 1.0,
    lean: float = 0.0,
) -> Scene:
    """A box that hangs on wires from points on a circle on its top; every wire has a post of its own.

    Wires leave the circle outwards, turned by plus and minus ``twist`` in turn. Six rows that differ hold the box;
    what is more leaves tensions open. Without ``lean`` the start is an equilibrium for four wires and from six on; for
    two, three or five without ``twist`` as well.

    Parameters
    ----------
    wires : how many, at least 1
    mass : of the box [kg]
    inertia : factor on its moments of inertia [-]
    spread : radius of the circle [m]
    slope : of every wire from the vertical [deg]
    twist : of every wire's azimuth from radial [deg]
    length : of every wire [m]
    lean : of all wires together about the x axis [deg]

    Raises
    ------
    UsageError : a number of wires that is not a whole one >= 1; what is no number
    SceneError : another parameter is out of its range
    """
    from towsim.scene import scene_from_data

    a_whole_number("wires", wires, 1)
    sizes = {"mass": mass, "inertia": inertia, "spread": spread, "length": length}
    for name, value in (sizes | {"slope": slope, "twist": twist, "lean": lean}).items():
        a_number(name, value)
    points, robots, declared = {}, {}, {}
    top = 0.5 * HEIGHT
    for i in range(wires):
        place = 2 * math.pi * i / wires
        azimuth = place + math.radians(twist) * (-1) ** i
        e, n, u = _direction(math.radians(slope), azimuth, math.radians(lean))
        x, y = spread * math.cos(place), spread * math.sin(place)
        points[f"p{i}"] = [x, y, top]
        robots[f"post{i}"] = {"position": [x + length * e, y + length * n, top + length * u]}
        declared[f"wire{i}"] = {"from": f"box.p{i}", "to": f"post{i}", "length": length}
    side = 2 * spread
    moments = [inertia * mass / 12 * s for s in (side**2 + HEIGHT**2, side**2 + HEIGHT**2, 2 * side**2)]
    return scene_from_data(
        {
            "name": f"suspension-{wires}",
            "description": f"A box on {wires} wires.",
            "bodies": {"box": {"mass": mass, "inertia": moments, "points": points}},
            "robots": robots,
            "wires": declared,
            "run": {"duration": 1.0, "step": 1e-3},
        }
    )


def _direction(slope: float, azimuth: float, lean: float) -> tuple[float, float, float]:
    e, n, u = math.sin(slope) * math.cos(azimuth), math.sin(slope) * math.sin(azimuth), math.cos(slope)
    return e, n * math.cos(lean) - u * math.sin(lean), n * math.sin(lean) + u * math.cos(lean)
