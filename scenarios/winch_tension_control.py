"""A ship that heaves keeps the tension of a rope to the sea bed by its winch, until the winch jams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario
from scenarios._fleet import rope

if TYPE_CHECKING:
    from towsim import Result, Scene

STIFFNESS = 2000.0
"""Of the mooring [N/m]."""


@scenario(
    "winch-tension-control",
    topic="Cranes, winches and tackles",
    duration=40.0,
    step=2e-3,
    summary="A heaving ship keeps the tension of its rope with a winch, until it jams.",
)
def winch_tension_control(
    *,
    tension: float = 200.0,
    heave: float = 0.5,
    period: float = 10.0,
    gain: float = 0.005,
    jam: float = 32.0,
    model: str = "rigid",
) -> Scene:
    """A buoy lies between the ship's rope and an elastic mooring. The winch has to follow the ship's speed v:

    v = k e + ρ k ∫e dt: the tension is off by v/(k |1 + ρ/(jω)|), which for the default values is 7.8 N, where a winch
    at rest would have the mooring stretched by the whole heave, 1000 N.

    Parameters
    ----------
    tension : wanted [N]
    heave : amplitude of the ship [m]
    period : of the ship [s]
    gain : k of the winch [m/s per N]
    jam : time at which the winch jams; 0: never [s]
    model : of the rope: rigid, elastic, mrfe
    """
    from towsim.scene import scene_from_data

    slack = tension / STIFFNESS
    winch = {"max_rate": 2.0, "lag": 0.05} | ({"jam": jam} if jam > 0.0 else {})
    mooring = {"axial_stiffness": STIFFNESS * 5.0, "axial_damping": 500.0}
    motion = {"formula": {"z": f"10 + {heave!r}*sin({2.0 * np.pi / period!r}*t)"}}
    return scene_from_data(
        {
            "name": "winch-tension-control",
            "description": winch_tension_control.summary,
            "bodies": {"buoy": {"mass": 5.0, "point": True, "force": {"z": 49.05}, "drag": {"linear": 20.0}}},
            "robots": {"ship": {"motion": motion}, "anchor": {"position": [0, 0, -5.0 - slack]}},
            "wires": {
                "rope": rope(model, **{"from": "buoy", "to": "ship", "length": 10.0, "winch": winch}),
                "mooring": {"from": "buoy", "to": "anchor", "length": 5.0, "model": "elastic", "material": mooring},
            },
            "controllers": {
                "keep": {
                    "law": "winch",
                    "wire": "rope",
                    "mode": "tension",
                    "target": tension,
                    "gain": gain,
                    "restoring": 5.0,
                }
            },
            "run": {"duration": 40.0, "step": 2e-3},
        }
    )


@winch_tension_control.check
def _(result: Result) -> list[Check]:
    scene, time = _laws.written(result), result.time
    law, winch = scene.controllers["keep"], scene.wires["rope"].winch
    speed = scene.robots["ship"].sample(time)[1][:, 2]
    acceleration = scene.robots["ship"].sample(time)[2][:, 2]
    omega = float(np.abs(acceleration).max() / np.abs(speed).max())
    jam = np.inf if winch is None or winch.jam is None else winch.jam
    error = np.abs(result["tension"].sel(wire="rope").values - law.target)  # type: ignore[union-attr]
    settled = (time > 10.0) & (time < jam)
    expected = np.abs(speed).max() / (law.gain * np.hypot(1.0, law.restoring / omega))  # type: ignore[union-attr]
    found = [
        _laws.solved(result),
        # What the formula leaves out: the lag of 50 ms, the mooring's own give.
        Check.close("tension off by v/(k |1 + ρ/(jω)|)", error[settled].max(), expected, 0.1 * expected, "N"),
    ]
    if jam < time[-1] - 2.0:
        stuck = time > jam + 1.0
        length = result["length"].sel(wire="rope").values
        found += [
            Check.below("change of length of a jammed winch", np.ptp(length[stuck]), 1e-9, "m"),
            Check.above("error once it is jammed, over that before", error[stuck].max() / expected, 10.0),
        ]
    return found
