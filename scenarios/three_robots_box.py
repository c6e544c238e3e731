"""Three robots lift a box and carry it away: three wires, three swinging motions left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _box, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "three-robots-box",
    topic="Lifting with several robots",
    duration=5.0,
    step=1e-3,
    summary="Three robots lift a box and carry it away: three wires, three swinging motions left.",
)
def three_robots_box(
    *,
    mass: float = 2.0,
    length: float = 1.0,
    angle: float = 20.0,
    turn: float = 40.0,
    lift: float = 0.5,
    carry: float = 1.0,
    travel: float = 2.0,
    lean: float = 0.0,
) -> Scene:
    """A box on three wires, carried as in ``four-robots-box``; it keeps three degrees of freedom and swings.

    The wire behind bears T₂ = 2 cos α of what each of those in front bears (α: their azimuth).

    Parameters
    ----------
    mass : mass of the box [kg]
    length : length of every wire [m]
    angle : of every wire from the vertical at the start [deg]
    turn : of every wire's azimuth from radial, to either side [deg]
    lift : height gained by the robots [m]
    carry : distance gone by the robots along x [m]
    travel : time they take, from rest to rest [s]
    lean : of all wires together about the x axis; with 0 the box starts in equilibrium [deg]
    """
    return _box.box_on_wires(
        "three-robots-box",
        three_robots_box.summary,
        _box.three(turn),
        mass=mass,
        length=length,
        angle=angle,
        lift=lift,
        carry=carry,
        travel=travel,
        lean=lean,
    )


@three_robots_box.check
def _(result: Result) -> list[Check]:
    scene = _laws.declared(result)
    front = _laws.direction(result, scene, "w0")[0]
    cosine = float(front[0] / np.hypot(front[0], front[1]))
    return _box.checks(result, [1.0, 1.0, 2.0 * cosine])
