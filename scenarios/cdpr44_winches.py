"""The 4-4 cable-driven parallel robot with moving exit points and winches at once (section 4.4 of the paper)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _cdpr44, _laws, scenario

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from towsim import Result, Scene

LEAN = (0.24, -0.08)
"""How far each exit point stands outside its corner along x and y [m]."""

HEIGHT = 0.2 + math.sqrt(_cdpr44.LENGTH**2 - LEAN[0] ** 2 - LEAN[1] ** 2)
EXITS = tuple(
    (_cdpr44.HOME[0] + (0.3 + LEAN[0]) * x, _cdpr44.HOME[1] + (0.4 + LEAN[1]) * y, HEIGHT) for x, y in _cdpr44.SIDES
)


@scenario(
    "cdpr44-winches",
    topic="Cable-driven robots",
    duration=6.0,
    step=1e-3,
    method="bdf3",
    summary="Exit points carry a platform on four massive cables, and winches change the cables' lengths meanwhile.",
)
def cdpr44_winches(*, elements: int = 5, axes: str = "zy") -> Scene:
    """Case 4.4 of Mamidi & Bandyopadhyay (Robotica 2024): exit points along Eq. 21 and feed rates of Eq. 26 together.

    The paper does not print its start. From exit points as in cdpr44-inclined the cables, 0.691, 0.638, 0.596 and
    0.569 m long at 6 s, could no longer span their distances after 4 s. Here each exit point stands 0.24 m outside its
    corner in x and 0.08 m inside in y, so that the cables lean by 20° and always reach: even the shortest is longer
    than the 0.25 m that it has to span across. (Cables that lean along the platform's diagonals would be stiff against
    each other: as rods they bear 30 N, and their lengths do not change alike.)

    Parameters
    ----------
    elements : elements of each cable
    axes : first joint of each cable: zy (as in the paper's code), yx, or ball
    """
    return _cdpr44.robot44(
        "cdpr44-winches",
        cdpr44_winches.summary,
        elements=elements,
        axes=axes,
        ends=[f"exit{k}" for k in (1, 2, 3, 4)],
        robots=_cdpr44.moving(EXITS),
        bodies={},
        lengths=[{"formula": f"0.75 + (sin(pi*t/5 + {k}*pi/10) - sin({k}*pi/10))/10"} for k in range(4)],
    )


@cdpr44_winches.check
def _(result: Result) -> list[Check]:
    found = _cdpr44.whole(result, after=0.1)  # the winches start at once: an impact at t = 0
    force = result["tip_force"].values[..., 2]
    lifted = (result.time > 0.5) & (result.time < 5.9)
    if lifted.any():  # the paper: all the cables pull the platform during the operation
        found.append(Check.above("least pull of a cable upwards after 0.5 s", force[lifted].min(), 0.0, "N"))
    found.append(Check.below("axial stretch of a cable", _cdpr44.extension(result), 5e-6, "m"))
    length = result["length"].values
    k = np.arange(4)
    omega = math.pi / 5.0
    expected = 0.75 + (np.sin(omega * result.time[:, None] + k * math.pi / 10) - np.sin(k * math.pi / 10)) / 10.0
    found.append(Check.below("lengths against the feed rates of Eq. 26", np.abs(length - expected).max(), 1e-12, "m"))
    span = _laws.spans(result)
    found.append(Check.below("span beyond the cable's length", (span - length).max(), 1e-5, "m"))
    return found


@cdpr44_winches.drawing
def _(result: Result, figure: Figure | None = None) -> Figure:
    from scenarios import _cdpr44_figures as figures

    cables = result.coords["cable"]
    lengths = result["length"].sel(wire=cables).values
    return figures.draw(
        result,
        [
            figures.Panel("28: unstrained lengths", "m", lengths, ("l1", "l2", "l3", "l4")),
            *figures.configuration(result, 29),
            *figures.validation(result, 31, 33),
            *figures.forces(result, 32, 34),
        ],
        figure,
    )
