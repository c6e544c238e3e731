"""Two tugs tow a barge across a current; it settles where the drag of the water and the pull of the lines balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario("barge-tow", topic="Towing", duration=600.0, step=2e-2, summary="Two tugs tow a barge across a current.")
def barge_tow(
    *,
    mass: float = 8e5,
    length: float = 50.0,
    drag: float = 2e4,
    line: float = 80.0,
    spread: float = 40.0,
    speed: float = 2.0,
    ramp: float = 60.0,
    current: float = 0.5,
) -> Scene:
    """A barge afloat (no gravity), welded of a fore and an aft body, each with quadratic drag in the moving water.

    At constant speed the lines' pull equals the drag Σ c |u| u, u = velocity through the water, and the hull, towed at
    its bow, points along u.

    Parameters
    ----------
    mass : mass of the barge [kg]
    length : length of the barge [m]
    drag : quadratic drag coefficient of either half [N s²/m²]
    line : length of the tow lines [m]
    spread : distance of the tugs [m]
    speed : final speed of the tugs [m/s]
    ramp : time in which they reach it [s]
    current : speed of the water to port (y) [m/s]
    """
    from towsim.scene import scene_from_data

    half = {
        "mass": 0.5 * mass,
        "shape": {"box": [0.5 * length, 0.25 * length, 0.1 * length]},
        "drag": {"quadratic": drag},
    }
    quarter = 0.25 * length
    ahead = 2.0 * quarter + float(np.sqrt(line**2 - 0.25 * spread**2))
    s = f"(t/{ramp!r})"
    path = f"{ahead!r} + {speed!r}*({ramp!r}*({s}**3 - 0.5*{s}**4) if t < {ramp!r} else t - 0.5*{ramp!r})"
    return scene_from_data(
        {
            "name": "barge-tow",
            "description": barge_tow.summary,
            "gravity": [0.0, 0.0, 0.0],
            "wind": [0.0, current, 0.0],
            "bodies": {
                "fore": half
                | {
                    "position": [quarter, 0.0, 0.0],
                    "points": {"bow": [quarter, 0.0, 0.0], "seam": [-quarter, 0.0, 0.0]},
                },
                "aft": half | {"position": [-quarter, 0.0, 0.0], "points": {"seam": [quarter, 0.0, 0.0]}},
            },
            "robots": {
                "port": {"motion": {"formula": {"x": path, "y": 0.5 * spread}}},
                "starboard": {"motion": {"formula": {"x": path, "y": -0.5 * spread}}},
            },
            "wires": {
                "port": {"from": "fore.bow", "to": "port", "length": line},
                "starboard": {"from": "fore.bow", "to": "starboard", "length": line},
            },
            "joints": {"weld": {"kind": "fixed", "from": "fore.seam", "to": "aft.seam"}},
            "run": {"duration": 600.0, "step": 2e-2},
        }
    )


@barge_tow.check
def _(result: Result) -> list[Check]:
    scene, time = _laws.declared(result), result.time
    water = np.array(scene.wind)
    pull = np.sum([_laws.pulls(result, scene, wire)[0][1] for wire in scene.wires], axis=0)
    drag, momentum = np.zeros((len(time), 3)), np.zeros((len(time), 3))
    for name, body in scene.bodies.items():
        velocity = result["velocity"].sel(body=name).values
        through = velocity - water
        drag -= body.drag.quadratic * np.linalg.norm(through, axis=1)[:, None] * through
        momentum += body.mass * velocity
    force = pull + drag
    force[0] = force[1]
    integral = np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(time)[:, None], axis=0)
    scale = float(np.linalg.norm(drag[-1]))
    # Integrated by trapezoids, half of an impulse is a step late.
    jerk = max((event.impulse for event in result.events if event.kind in ("taut", "jerk")), default=0.0)
    found = [
        _laws.solved(result),
        Check.below("drift of the weld", result["joint_gap"].values.max(), 1e-2 * _laws.spacing(result), "m"),
        Check.below(
            "error of momentum",
            np.abs(momentum[1:] - momentum[0] - integral).max(),
            _laws.error_limit(result, 10.0 * scale) + 1.5 * jerk,
            "N s",
        ),
        # The size of quadratic drag is that of the velocity a step before.
        Check.below(
            "the weld carries the aft drag",
            np.abs(
                result["joint_reaction"].values[2:-1, 0]
                + result["joint_impulse"].values[2:-1, 0] / _laws.step_of(result)
                - scene.bodies["aft"].mass * result["acceleration"].sel(body="aft").values[2:-1]
                + _drag_of(result, scene, "aft")[2:-1]
            ).max(),
            np.abs(np.diff(_drag_of(result, scene, "aft"), axis=0)).max() + 1e-6 * scale,
            "N",
        ),
    ]
    if time[-1] < 590.0:
        return found
    through = result["velocity"].sel(body="fore").values[-1] - water
    bow = _laws.turned(result["quaternion"].sel(body="fore").values[-1:], np.array([1.0, 0.0, 0.0]))[0]
    off = np.arctan2(np.cross(through, bow)[2], through @ bow)
    return [
        *found,
        Check.close("pull against drag in the end", np.linalg.norm(pull[-1]), scale, 2e-2 * scale, "N"),
        Check.close("heading along the velocity through the water", off, 0.0, 2e-2, "rad"),
    ]


def _drag_of(result: Result, scene: Scene, name: str) -> np.ndarray:
    """Drag on one body (time, 3) [N]."""
    body, through = scene.bodies[name], result["velocity"].sel(body=name).values - np.array(scene.wind)
    size = np.linalg.norm(through, axis=1)[:, None]
    return np.asarray(np.multiply(body.drag.quadratic, -size * through))
