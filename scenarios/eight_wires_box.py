"""Eight wires hold a box: it follows its robots exactly, though the tensions are not unique."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _box, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


OPEN = 5.1e-6
"""Wires longer than their ways by more than this no longer hold the box [m]; aslant, they let it move farther sideways.

At the strongest braking the force leaves the cone of the wires: by default by 0.05 % of the weight, for a tenth of a
second, and some of them open by 5e-6 m; by more where the move is quicker.
"""


@scenario(
    "eight-wires-box",
    topic="Lifting with several robots",
    duration=5.0,
    step=1e-3,
    summary="Eight wires hold a box: it follows its robots exactly, though the tensions are not unique.",
)
def eight_wires_box(
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
    """A box on two wires from each corner, carried as in ``four-robots-box``.

    Eight rows of rank six: the box cannot move against its robots; how the wires share the load is undetermined,
    the sum of their forces is not.

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
        "eight-wires-box",
        eight_wires_box.summary,
        _box.eight(turn),
        mass=mass,
        length=length,
        angle=angle,
        lift=lift,
        carry=carry,
        travel=travel,
        lean=lean,
    )


@eight_wires_box.check
def _(result: Result) -> list[Check]:
    position, robot = result["position"].values[:, 0], result["robot_position"].values[:, 0]
    astray = np.linalg.norm((position - position[0]) - (robot - robot[0]), axis=1)
    held = np.maximum.accumulate(result["gap"].values.max(axis=1)) < OPEN
    row, scene = _laws.first_row(result), _laws.declared(result)
    aslant = min(np.hypot(*_laws.direction(result, scene, wire)[0, :2]) for wire in scene.wires)
    return [
        *_box.checks(result, None),
        # Stretch adds its h².
        Check.below(
            "box astray from its robots while its wires hold it",
            astray[held].max(),
            1.35 * OPEN / aslant + 4.0 * _laws.step_of(result) ** 2,
            "m",
        ),
        Check.close("rank of eight rows", result["rank"].values[row], 6.0, 0.0),
        Check.close("tensions are unique", result["tension_unique"].values[row], 0.0, 0.0),
    ]
