"""Objects that every formulation knows: scenes with names for ``towsim compare``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.given import a_whole_number
from towsim.scene import Scene, scene_from_data
from towsim.suggest import unknown

ROD = 0.5
"""Length of a chain's links [m]."""


def spring_arm() -> Scene:
    """A mass on a spring along an arm that turns freely about the vertical."""
    omega, start = 3.0, 0.5
    return scene_from_data(
        {
            "name": "spring-arm",
            "description": "A mass on a spring along an arm that turns freely about the vertical.",
            "bodies": {
                "arm": {"mass": 2.0, "inertia": [0.02, 0.3, 0.3], "angular_velocity": [0, 0, omega]},
                "mass": {
                    "mass": 0.5,
                    "shape": {"sphere": 0.05},
                    "position": [start, 0, 0],
                    "velocity": [0.2, omega * start, 0],
                    "angular_velocity": [0, 0, omega],
                },
            },
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": {
                "hub": {"kind": "revolute", "from": "post", "to": "arm", "axis": [0, 0, 1]},
                "rail": {
                    "kind": "prismatic",
                    "from": "arm",
                    "to": "mass",
                    "axis": [1, 0, 0],
                    "spring": {"stiffness": 40.0, "rest": 0.4},
                },
            },
            "run": {"duration": 1.0, "step": 4e-3},
        }
    )


def chain(n: int = 3) -> Scene:
    """n rods on ball joints, hanging from a post: they swing as one, but for the last, which is thrown across.

    Raises UsageError for n < 1.
    """
    a_whole_number("chain: n", n, 1)
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}
    down = np.array([0.0, 0.0, -ROD])
    for k in range(n):
        swing = np.array([0.0, 1.5, 0.0])
        spin = np.array([1.0, 3.5, 0.5]) if k == n - 1 else swing
        bodies[f"rod{k}"] = {
            "mass": 1.0,
            "inertia": [0.022, 0.022, 0.01],
            "position": ((k + 0.5) * down).tolist(),
            "velocity": (np.cross(swing, k * down) + np.cross(spin, 0.5 * down)).tolist(),
            "angular_velocity": spin.tolist(),
            "points": {"top": [0, 0, 0.5 * ROD], "bottom": [0, 0, -0.5 * ROD]},
        }
        joints[f"ball{k}"] = {"from": f"rod{k - 1}.bottom" if k else "post", "to": f"rod{k}.top"}
    return scene_from_data(
        {
            "name": "chain",
            "description": f"{n} rods on ball joints, hanging from a post in a slanting field.",
            "gravity": [3, 0, -9],
            "bodies": bodies,
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": joints,
            "run": {"duration": 1.0, "step": 4e-3},
        }
    )


def slider_boom() -> Scene:
    """A slider on a spring along a boom that swings under its weight, about an oblique axis."""
    return scene_from_data(
        {
            "name": "slider-boom",
            "description": "A slider on a spring along a boom that swings under its weight.",
            "bodies": {
                "boom": {
                    "mass": 1.5,
                    "inertia": [0.01, 0.12, 0.12],
                    "position": [0.5, 0, 0],
                    "points": {"hinge": [-0.5, 0, 0], "rail": [-0.5, 0, 0.05]},
                },
                "slider": {"mass": 0.6, "shape": {"box": [0.1, 0.08, 0.06]}, "position": [0.7, 0, 0.05]},
            },
            "robots": {"post": {"position": [0, 0, 0]}},
            "joints": {
                "hinge": {"kind": "revolute", "from": "post", "to": "boom.hinge", "axis": [0, 4, 3]},
                "rail": {
                    "kind": "prismatic",
                    "from": "boom.rail",
                    "to": "slider",
                    "axis": [1, 0, 0],
                    "spring": {"stiffness": 60.0, "rest": 0.65},
                },
            },
            "run": {"duration": 1.0, "step": 4e-3},
        }
    )


def cable(elements: int = 5) -> Scene:
    """One cable of the 4-4 robot with a bob for its share of the platform; the exit point moves as a robot."""
    return scene_from_data(
        {
            "name": "cable",
            "description": "One cable of the 4-4 robot, with a bob, carried by an exit point that moves.",
            "bodies": {"bob": {"mass": 0.125, "point": True, "position": [0, 0, -0.75]}},
            "robots": {"exit": {"motion": {"formula": {"x": "0.1*(1 - cos(3*t))", "y": "0", "z": "0"}}}},
            "wires": {
                "w": {
                    "from": "exit",
                    "to": "bob",
                    "length": 0.75,
                    "material": {
                        "diameter": 4e-3,
                        "density": 5305.0,
                        "youngs_modulus": 1.39e11,
                        "damping_modulus": 2.87e9,
                    },
                    "model": {"mrfe": {"elements": elements, "first_joint": "yx", "from_end": "guided"}},
                }
            },
            "run": {"duration": 1.0, "step": 4e-3},
        }
    )


CASES: dict[str, Callable[..., Scene]] = {
    "spring-arm": spring_arm,
    "chain": chain,
    "slider-boom": slider_boom,
    "cable": cable,
}


def case(name: str, **parameters: Any) -> Scene:
    """A case by its name.

    Raises
    ------
    UsageError : there is no such case, it has no such parameter, or the parameter's value is wrong
    """
    if name not in CASES:
        raise UsageError(unknown("case", name, CASES))
    known = inspect.signature(CASES[name]).parameters
    for one in parameters:
        if one not in known:
            raise UsageError(f"{name}: {unknown('parameter', one, known)}")
    try:
        return CASES[name](**parameters)
    except TypeError as error:
        raise UsageError(f"{name}: {error}") from None
