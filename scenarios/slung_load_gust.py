"""A helicopter holds a slung load in place through a gust and turbulence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario
from scenarios._fleet import astray, rms, rope

if TYPE_CHECKING:
    from towsim import Result, Scene

DRAG = 0.4
"""Linear drag of the load [N s/m]."""

START, LASTING = 4.0, 2.0


@scenario(
    "slung-load-gust",
    topic="Flying vehicles",
    duration=20.0,
    step=1e-3,
    summary="A vehicle holds a slung load in place through wind, a gust and turbulence.",
)
def slung_load_gust(
    *,
    mass: float = 3.0,
    length: float = 3.0,
    wind: float = 3.0,
    gust: float = 8.0,
    turbulence: float = 0.5,
    seed: int = 1,
    model: str = "rigid",
) -> Scene:
    """The law ``slung-load`` steers the load, not the vehicle: the vehicle gives way so that the load need not.

    In steady wind the wire leans by atan(c v/(m g)), and the integral of the law finds that out. The gust has the shape
    1 − cosine, the turbulence Dryden's spectra.

    Parameters
    ----------
    mass : mass of the load [kg]
    length : length of the wire [m]
    wind : steady wind along x [m/s]
    gust : peak of the gust from 4 s to 6 s, along x [m/s]
    turbulence : standard deviation of the turbulence [m/s]
    seed : of the turbulence and of the sensor's noise
    model : of the wire: rigid, elastic, mrfe
    """
    from towsim.scene import scene_from_data

    vehicle = {"mass": 8.0, "arm": 0.5, "max_thrust": 60.0, "lag": 0.03, "drag": {"linear": 0.3}}
    air = {
        "x": wind,
        "gusts": [{"start": START, "duration": LASTING, "velocity": [gust, 0, 0]}],
        "turbulence": {
            "intensity": [turbulence, turbulence, turbulence],
            "airspeed": max(abs(wind), 1.0),
            "seed": seed,
        },
    }
    return scene_from_data(
        {
            "name": "slung-load-gust",
            "description": slung_load_gust.summary,
            "wind": air,
            "bodies": {"load": {"mass": mass, "point": True, "drag": {"linear": DRAG}}},
            "robots": {"helicopter": {"position": [0, 0, length], "dynamics": "quadcopter", "vehicle": vehicle}},
            "wires": {"rope": rope(model, **{"from": "load", "to": "helicopter", "length": length})},
            "controllers": {
                "hold": {
                    "law": "slung-load",
                    "vehicle": "helicopter",
                    "load": "load",
                    "path": {"formula": {"x": 0.0}},
                    "bandwidth": 1.2,
                    "integral": 0.5,
                    "wire_bandwidth": 3.0,
                    "attitude_bandwidth": 14.0,
                }
            },
            "sensors": {"cell": {"kind": "load-cell", "of": "rope", "noise": 0.1}},
            "seed": seed,
            "run": {"duration": 20.0, "step": 1e-3},
        }
    )


@slung_load_gust.check
def _(result: Result) -> list[Check]:
    scene, time = _laws.declared(result), result.time
    error = astray(result, "load", "hold")
    wind = scene.wind_at(time)
    load, velocity = scene.bodies["load"], result["velocity"].sel(body="load").values
    gust = float(np.abs(wind[:, 0]).max())
    found = [
        _laws.solved(result),
        # The gust would carry a free load away by F t²/(2 m); the law gives back nine tenths of it.
        Check.below("largest error", error.max(), 0.05 * DRAG * gust * LASTING**2 / load.mass + 0.15, "m"),
    ]
    late = time > START + LASTING + 6.0
    if not late.any():
        return found
    lean = _laws.direction(result, scene, "rope")[late].mean(axis=0)
    push = (load.drag.linear * (wind - velocity))[late].mean(axis=0)
    expected = np.arctan2(push[0], load.mass * 9.81)
    return [
        *found,
        Check.below("rms error after the gust", rms(error[late]), 0.15, "m"),
        Check.close("mean lean, atan(drag/weight)", -np.arctan2(lean[0], lean[2]), expected, 0.01, "rad"),
        Check.close("reading of the load cell", *_reading(result, late), 0.05, "N"),
    ]


def _reading(result: Result, rows: np.ndarray) -> tuple[float, float]:
    """Means of what the load cell reads, and of the tension."""
    return (
        float(result["reading"].sel(channel="cell.tension").values[rows].mean()),
        float(result["tension"].values[rows, 0].mean()),
    )
