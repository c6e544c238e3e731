"""A slewing crane: mast and boom move in joint coordinates and swing a load around on a rope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene

GRAVITY, HEIGHT = 9.81, 4.0


@scenario(
    "slewing-crane",
    topic="Cranes, winches and tackles",
    duration=6.0,
    step=1e-3,
    summary="A crane with mast and boom in joint coordinates swings a load on a rope around.",
)
def slewing_crane(
    *,
    load: float = 100.0,
    boom: float = 200.0,
    reach: float = 5.0,
    rope: float = 2.5,
    torque: float = 2000.0,
    time: float = 4.0,
    stiffness: float = 4e5,
    reduced: bool = True,
) -> Scene:
    """A motor turns the mast and stops it again; the boom gives way on its luffing cylinder, and the load swings.

    Nothing but motor and bearing has a moment about the mast's axis: the angular momentum about it is the integral of
    theirs, however load and boom swing.

    Parameters
    ----------
    load : mass of the load [kg]
    boom : mass of the boom [kg]
    reach : length of the boom [m]
    rope : length of the rope [m]
    torque : largest torque of the motor, which goes as a sine [N m]
    time : until the motor stops [s]
    stiffness : of the boom's bearing against luffing [N m/rad]
    reduced : joint coordinates; false: the same with rows for the joints
    """
    from towsim.scene import scene_from_data

    moment = GRAVITY * (0.5 * boom + load) * reach
    return scene_from_data(
        {
            "name": "slewing-crane",
            "description": slewing_crane.summary,
            "gravity": [0.0, 0.0, -GRAVITY],
            "bodies": {
                "mast": {
                    "mass": 300.0,
                    "shape": {"box": [0.4, 0.4, HEIGHT]},
                    "position": [0.0, 0.0, 0.5 * HEIGHT],
                    "points": {"foot": [0.0, 0.0, -0.5 * HEIGHT], "top": [0.0, 0.0, 0.5 * HEIGHT]},
                },
                "boom": {
                    "mass": boom,
                    "shape": {"box": [reach, 0.3, 0.3]},
                    "position": [0.5 * reach, 0.0, HEIGHT],
                    "points": {"root": [-0.5 * reach, 0.0, 0.0], "tip": [0.5 * reach, 0.0, 0.0]},
                },
                "load": {"mass": load, "point": True, "position": [reach, 0.0, HEIGHT - rope]},
            },
            "robots": {"ground": {"position": [0.0, 0.0, 0.0]}},
            "joints": {
                "slew": {
                    "kind": "revolute",
                    "from": "ground",
                    "to": "mast.foot",
                    "axis": [0.0, 0.0, 1.0],
                    "damping": 50.0,
                    "motor": f"{torque!r}*sin(2*pi*t/{time!r}) if t < {time!r} else 0",
                    "reduced": reduced,
                },
                "luff": {
                    "kind": "revolute",
                    "from": "mast.top",
                    "to": "boom.root",
                    "axis": [0.0, 1.0, 0.0],
                    "spring": {"stiffness": stiffness, "rest": -moment / stiffness},
                    "damping": 0.05 * stiffness,
                    "reduced": reduced,
                },
            },
            "wires": {"rope": {"from": "load", "to": "boom.tip", "length": rope}},
            "run": {"duration": 6.0, "step": 1e-3, "method": "stewart-trinkle"},
        }
    )


@slewing_crane.check
def _(result: Result) -> list[Check]:
    from towsim.scene.formula import formula

    scene = _laws.declared(result)
    slew = scene.joints["slew"]
    angular = np.zeros(len(result.time))
    for name, body in scene.bodies.items():
        x, v = result["position"].sel(body=name).values, result["velocity"].sel(body=name).values
        angular += body.mass * (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])
        if not body.point:
            q = result["quaternion"].sel(body=name).values
            spin = _laws.turned(q * [1, -1, -1, -1], result["angular_velocity"].sel(body=name).values)
            angular += _laws.turned(q, spin @ body.inertia_matrix())[:, 2]
    motor = formula(str(slew.motor)).value(result.time)
    turning = result["joint_velocity"].sel(joint="slew").values
    moment = motor - slew.damping * turning
    radius = float(np.linalg.norm(result["position"].sel(body="boom").values[0, :2]))
    held = 1e-9 if slew.reduced else 1e-3 if not _laws.second_order(result) else 1e-6
    return [
        _laws.solved(result),
        _laws.stretch(result, more=radius * float((turning**2).max())),
        Check.below("openings of the joints", result["joint_gap"].values.max(), held, "m"),
        Check.below(
            "angular momentum about the mast against the moments' integral",
            _laws.largest_error(result, angular, moment),
            _laws.error_limit(result, 2.0 * np.abs(motor).max()),
            "N m s",
        ),
        _laws.momentum(result, ["load"], 2.0 * scene.bodies["load"].mass * GRAVITY, name="m Δv − ∫ F dt of the load"),
    ]
