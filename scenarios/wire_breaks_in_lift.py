"""Four robots lift a box; one wire is too weak for it, and the other three catch the load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _box, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "wire-breaks-in-lift",
    topic="Lifting with several robots",
    duration=4.0,
    step=1e-3,
    summary="A wire breaks as four robots lift a box.",
)
def wire_breaks_in_lift(
    *,
    mass: float = 2.0,
    length: float = 1.0,
    lift: float = 0.8,
    travel: float = 2.0,
    strength: float = 5.5,
    drag: float = 1.0,
) -> Scene:
    """The box of ``four-robots-box`` is lifted; the wire w0 bears no more than its breaking tension.

    At rest each wire bears m g / (4 cos 20°); accelerating upwards breaks the weak one, the box drops at that corner,
    jerks the others and swings on them. Impulses and forces stay those of Newton's law all the time.

    Parameters
    ----------
    mass : mass of the box [kg]
    length : length of the wires [m]
    lift : how far the robots rise [m]
    travel : time they take [s]
    strength : tension at which the wire w0 breaks [N]
    drag : linear drag coefficient of the box [N s/m]
    """
    scene = _box.box_on_wires(
        "wire-breaks-in-lift",
        wire_breaks_in_lift.summary,
        _box.four(40.0),
        mass=mass,
        length=length,
        angle=20.0,
        lift=lift,
        carry=0.0,
        travel=travel,
        lean=0.0,
    )
    return scene.with_values(
        {"wires.w0.break": {"tension": strength}, "bodies.box.drag.linear": drag, "run.duration": 4.0}
    )


@wire_breaks_in_lift.check
def _(result: Result) -> list[Check]:
    scene, h = _laws.declared(result), _laws.spacing(result)
    limit = scene.wires["w0"].break_
    assert limit is not None  # the scenario gives it one
    assert limit.tension is not None
    weight = scene.bodies["box"].mass * -scene.gravity[2]
    breaks = result.events.select("break")
    weak = result["tension"].sel(wire="w0").values[_laws.first_row(result) :]
    found = [
        _laws.solved(result),
        Check.close("number of breaks", float(len(breaks)), 1.0, 0.0),
        Check.below("tension of the weak wire", np.nanmax(weak), limit.tension * (1.0 + 1e-12), "N"),
        _laws.stretch(result),
    ]
    if not len(breaks):
        return found
    after = result.time > breaks[0].time + 1.5 * h
    tension = result["tension"].values[after]
    return [
        *found,
        Check.below("tension of the broken wire", np.abs(tension[:, 0]).max(), 0.0, "N"),
        Check.above("tension that the others took over", tension[:, 1:].sum(axis=1).max(), weight, "N"),
        _laws.momentum(result, ["box"], 20.0 * weight),
    ]
