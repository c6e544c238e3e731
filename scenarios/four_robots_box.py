"""Four robots lift a box and carry it away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenarios import Check, _box, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "four-robots-box",
    topic="Lifting with several robots",
    duration=5.0,
    step=1e-3,
    summary="Four robots lift a box and carry it away.",
)
def four_robots_box(
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
    """A box hangs from four robots by one wire at each corner; they lift it and carry it along x, then stand still.

    In equilibrium every wire bears m g / (4 cos angle).

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
        "four-robots-box",
        four_robots_box.summary,
        _box.four(turn),
        mass=mass,
        length=length,
        angle=angle,
        lift=lift,
        carry=carry,
        travel=travel,
        lean=lean,
    )


@four_robots_box.check
def _(result: Result) -> list[Check]:
    return _box.checks(result, [1.0, 1.0, 1.0, 1.0])
