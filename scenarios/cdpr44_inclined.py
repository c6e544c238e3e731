"""The 4-4 cable-driven parallel robot with quadcopters that start beside the platform (section 4.3, second start)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _cdpr44, scenario
from scenarios.cdpr44_quadcopters import descents, flying, level, lift_off, sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from towsim import Result, Scene

LIFT_OFF, DESCENTS = 0.888, (4.834, 5.239)
"""From an index-1 DAE solution at rtol 1e-8 [s], axes zy; the paper prints no numbers of this case."""


@scenario(
    "cdpr44-inclined",
    topic="Cable-driven robots",
    duration=6.0,
    step=1e-3,
    method="bdf3",
    summary="As cdpr44-quadcopters, but the quadcopters start beside the platform, on inclined cables.",
)
def cdpr44_inclined(*, elements: int = 5, axes: str = "zy", failure: float = 3.0) -> Scene:
    """Case 4.3 of Mamidi & Bandyopadhyay (Robotica 2024) with the second start.

    The paper's figure 25 prints no numbers: here the exit points are (0, 0, 0.4), (1.4, 0, 0.4) and so on, exactly
    0.75 m from the corners, and the springs of the joints are at rest there.

    Parameters
    ----------
    elements : elements of each cable
    axes : first joint of each cable: zy (as in the paper's code), yx, or ball
    failure : time at which the first quadcopter loses all its thrust [s]
    """
    return flying("cdpr44-inclined", cdpr44_inclined.summary, _cdpr44.ASIDE, elements, axes, failure)


@cdpr44_inclined.check
def _(result: Result) -> list[Check]:
    from scenarios._laws import declared

    scene = declared(result)
    found = [*_cdpr44.whole(result), level(result)]
    rotors = scene.bodies["quadcopter1"].rotors
    if _cdpr44.published(scene) != "zy" or result.time[-1] < 5.5 or rotors is None or rotors.failure_times()[0] != 3.0:
        return found
    up, down = lift_off(result), descents(result, 3.0)
    found.append(Check.close("lift-off", up[0] if len(up) else np.nan, LIFT_OFF, 0.002, "s"))
    for k, expected in enumerate(DESCENTS):
        at = down[k] if len(down) > k else np.nan
        found.append(Check.close(f"the platform begins to fall ({k + 1})", at, expected, 0.003, "s"))
    return found


@cdpr44_inclined.drawing
def _(result: Result, figure: Figure | None = None) -> Figure:
    return sheet(result, figure, {})
