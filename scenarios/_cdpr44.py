"""The 4-4 cable-driven parallel robot of Mamidi & Bandyopadhyay (Robotica 2024): its parts, and laws any run obeys.

A platform (a cuboid) hangs by its four top corners on four massive cables. Numbers that the paper leaves out are those
of the authors' public code (github.com/TejaKrishnaMamidi/rsslm, Type-II/4-4_cdpr).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scenarios import Check, _laws
from towsim.errors import UsageError
from towsim.quote import show

if TYPE_CHECKING:
    from towsim import Result, Scene

Array = NDArray[np.float64]
Point = tuple[float, float, float]

MASS, BOX = 0.5, (0.6, 0.8, 0.2)
Y0 = math.sqrt(29.0 / 5.0) / 4.0
HOME: Point = (0.7, Y0 + 0.4, 0.1)
"""Start of the platform's centre: level, at rest on the ground."""

SIDES = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))
CORNERS = {f"corner{k}": (0.3 * x, 0.4 * y, 0.1) for k, (x, y) in enumerate(SIDES, start=1)}
LENGTH = 0.75
ABOVE: tuple[Point, ...] = tuple((HOME[0] + 0.3 * x, HOME[1] + 0.4 * y, 0.95) for x, y in SIDES)
"""Exit points of vertical cables."""

ASIDE: tuple[Point, ...] = tuple((0.7 + 0.7 * x, (Y0 + 0.4) * (1.0 + y), 0.4) for x, y in SIDES)
"""Exit points of inclined cables, 0.75 m from the corners as well."""

CABLE = {
    "diameter": 4e-3,
    "mass_per_length": 0.05 / LENGTH,
    "axial_stiffness": math.pi * 556e3,
    "axial_damping": math.pi * 1148e1,
    "bending_stiffness": math.pi * 2.224 / 4.0,
    "bending_damping": math.pi * 4.592e-2 / 4.0,
}

GROUND_K, GROUND_C, GRAVITY = 1e3, 1e2, 9.81
AXES = ("zy", "yx", "ball")

RISE = "t**2*(3-t)/4 if t <= 2 else (2-sqrt(3)*(t-2)**2*(2*t-7))/2 if t <= 3 else "
FALL = "(2+sqrt(3)+sqrt(3)*(t-3)**2*(2*t-9))/2 if t <= 4 else (t-6)**2*(t-3)/4 if t <= 6 else 0"
ACROSS = (
    "0 if t <= 2 else (t-2)**2*(7-2*t)/(2*sqrt(2)) if t <= 3 else "
    "(82+t*(t*(21-2*t)-72))/(2*sqrt(2)) if t <= 4 else 1/sqrt(2)"
)
"""Eq. 21 of the paper: the motion of every exit point along z (in two halves), and along x and y."""

KINKS = (0.0, 2.0, 3.0, 4.0, 6.0)


def moving(exits: Sequence[Point]) -> dict[str, Any]:
    """Robots exit1 .. exit4 that carry the exit points along Eq. 21."""
    return {
        f"exit{k}": {
            "motion": {
                "formula": {"x": f"{x!r} + ({ACROSS})", "y": f"{y!r} + ({ACROSS})", "z": f"{z!r} + ({RISE}{FALL})"}
            }
        }
        for k, (x, y, z) in enumerate(exits, start=1)
    }


def robot44(
    name: str,
    description: str,
    *,
    elements: int,
    axes: str,
    ends: Sequence[str],
    robots: dict[str, Any],
    bodies: dict[str, Any],
    lengths: Sequence[object] = (LENGTH,) * 4,
) -> Scene:
    """The scene: platform, ground, and a cable from each of the ``ends`` to a corner.

    Raises
    ------
    UsageError : no element, or axes of another name
    """
    from towsim.scene import scene_from_data

    if elements < 1:
        raise UsageError(f"{name}: elements must be 1 or more, got {elements}")
    if axes not in AXES:
        raise UsageError(f"{name}: axes must be one of {', '.join(AXES)}, got {show(axes)}")
    model = {"mrfe": {"elements": elements, "first_joint": axes, "from_end": "guided"}}
    return scene_from_data(
        {
            "name": name,
            "description": description,
            "gravity": [0.0, 0.0, -GRAVITY],
            "bodies": {
                "platform": {"mass": MASS, "shape": {"box": list(BOX)}, "position": list(HOME), "points": CORNERS},
                **bodies,
            },
            "robots": robots,
            "wires": {
                f"cable{k}": {
                    "from": end,
                    "to": f"platform.corner{k}",
                    "length": length,
                    "material": CABLE,
                    "model": model,
                }
                for k, (end, length) in enumerate(zip(ends, lengths, strict=True), start=1)
            },
            "ground": {
                "height": 0.1,
                "contacts": ["platform"],
                "spring": {"stiffness": GROUND_K, "damping": GROUND_C, "pulls": True},
            },
            "run": {"duration": 6.0, "step": 1e-3, "method": "bdf3"},
        }
    )


def published(scene: Scene) -> str:
    """Axes for which the values of the paper (five elements) hold for this scene, or ""."""
    from towsim.scene import Mrfe

    model = scene.wires["cable1"].model
    assert isinstance(model, Mrfe)
    return model.first_joint if model.elements == 5 else ""


def smooth(result: Result, kinks: Sequence[float] = KINKS, width: float = 0.5) -> NDArray[np.bool_]:
    """Rows that are at least ``width`` steps away from the instants at which the inputs have kinks."""
    away = np.abs(result.time[:, None] - np.array(kinks)).min(axis=1)
    return np.asarray(away > width * _laws.spacing(result))


def ground_force(result: Result) -> Array:
    """Force (time,) of the ground on the platform along z [N]: k (0.1 − z) − c ż while z ≤ 0.1."""
    z, speed = (result[name].sel(body="platform").values[:, 2] for name in ("position", "velocity"))
    return np.where(z <= 0.1, GROUND_K * (0.1 - z) - GROUND_C * speed, 0.0)


def newton(result: Result, after: float = 0.0) -> Check:
    """m Δv of the platform is the integral of the cables' forces, its weight and the ground's, from ``after`` on."""
    force = np.nansum(result["tip_force"].values, axis=1) + MASS * np.array([0.0, 0.0, -GRAVITY])
    ground = ground_force(result)
    force[:, 2] += ground
    momentum = MASS * result["velocity"].sel(body="platform").values
    astray = _laws.largest_error(result, momentum, force, after)
    # Forces jump by some newtons at the kinks of the inputs and where the ground lets go, by more where it is hit.
    jump = 10.0 + float(np.abs(np.diff(ground)).max())
    return Check.below("m Δv − ∫ F dt of the platform", astray, jump * _laws.spacing(result), "N s")


def whole(result: Result, after: float = 0.0) -> list[Check]:
    """Every step solved, every cable closed, the platform's momentum balanced from the time ``after`` on [s]."""
    return [
        _laws.solved(result),
        Check.below("e1, openings of the cables' ends", np.nanmax(result["e1"].values), _opening(result), "m"),
        newton(result, after),
    ]


def _opening(result: Result) -> float:
    """What the closures may be open by: 1e-6 m at a step of 1 ms, of the order of the method."""
    method = str(result.provenance["options"]["method"])
    order = int(method[-1]) if method.startswith("bdf") else 1
    return max(1e-6 * (1e3 * _laws.step_of(result)) ** min(order, 2), 1e-9) * (1.0 if order > 1 else 100.0)


def crossing(time: Array, value: Array, *, rising: bool, after: float = 0.0) -> Array:
    """Instants after ``after`` at which a value passes zero upwards or downwards [s], by linear interpolation."""
    sign = 1.0 if rising else -1.0
    a, b = sign * value[:-1], sign * value[1:]
    at = np.flatnonzero((a <= 0.0) & (b > 0.0) & (time[1:] > after))
    return np.asarray(time[at] + (time[at + 1] - time[at]) * a[at] / (a[at] - b[at]))


def euler_xyz(quaternion: Array) -> Array:
    """Angles α, β, γ (n, 3) [rad] of rotations about x, then the new y, then the new z: R = R_x R_y R_z; continuous."""
    w, x, y, z = quaternion.T
    alpha = np.arctan2(2.0 * (w * x - y * z), 1.0 - 2.0 * (x * x + y * y))
    beta = np.arcsin(np.clip(2.0 * (x * z + w * y), -1.0, 1.0))
    gamma = np.arctan2(2.0 * (w * z - x * y), 1.0 - 2.0 * (y * y + z * z))
    return np.stack([np.unwrap(alpha), beta, np.unwrap(gamma)], axis=1)


def extension(result: Result) -> float:
    """Largest amount by which a cable is longer or shorter than its unstrained length [m]."""
    return float(np.nanmax(np.abs(result["extension"].values)))
