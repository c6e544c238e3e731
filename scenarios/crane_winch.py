"""A crane hoists a load with its winch while the trolley travels: a pendulum that is shortened and carried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "crane-winch",
    topic="Cranes, winches and tackles",
    duration=8.0,
    step=1e-3,
    summary="A crane hoists a load by its winch while the trolley travels.",
)
def crane_winch(
    *,
    mass: float = 500.0,
    length: float = 6.0,
    hoist: float = 3.0,
    hoist_time: float = 4.0,
    travel: float = 5.0,
    travel_start: float = 2.0,
    travel_time: float = 4.0,
) -> Scene:
    """A load hangs from a trolley; the winch hauls in, and the trolley starts before it is done.

    Until then the wire bears m (g − L̈); afterwards the load swings as L θ̈ = −g sin θ − 2 L̇ θ̇ − ẍ cos θ says.

    Parameters
    ----------
    mass : mass of the load [kg]
    length : length of the wire at the start [m]
    hoist : length hauled in [m]
    hoist_time : time for that, from the start [s]
    travel : way of the trolley [m]
    travel_start : time at which it starts [s]
    travel_time : time it takes [s]
    """
    from towsim.scene import scene_from_data

    return scene_from_data(
        {
            "name": "crane-winch",
            "description": crane_winch.summary,
            "bodies": {"load": {"mass": mass, "point": True, "position": [0.0, 0.0, -length]}},
            "robots": {
                "trolley": {
                    "motion": {
                        "waypoints": {
                            "t": [travel_start, travel_start + travel_time],
                            "position": [[0.0, 0.0, 0.0], [travel, 0.0, 0.0]],
                            "kind": "quintic",
                        }
                    }
                }
            },
            "wires": {
                "rope": {
                    "from": "load",
                    "to": "trolley",
                    "length": {"waypoints": {"t": [0.0, hoist_time], "length": [length, length - hoist]}},
                }
            },
            "run": {"duration": 8.0, "step": 1e-3},
        }
    )


@crane_winch.check
def _(result: Result) -> list[Check]:
    scene = _laws.declared(result)
    trolley, weight = scene.robots["trolley"], scene.bodies["load"].mass * -scene.gravity[2]
    position, tension = result["position"].values[:, 0], result["tension"].values[:, 0]
    theory = swing(scene, result.time)
    astray = np.hypot(position[:, 0] - theory[:, 0], position[:, 2] - theory[:, 1]).max()
    fastest = np.linalg.norm(np.diff(theory, axis=0), axis=1).max(initial=0.0) / _laws.spacing(result)
    found = [
        _laws.solved(result),
        _laws.stretch(result),
        # Where it should be a fifth of a step later or earlier.
        Check.below("path against the equation of the pendulum", astray, _laws.error_limit(result, 0.2 * fastest), "m"),
        _laws.energy(result, 3.0 * weight),
    ]
    first = _laws.first_row(result)
    still = np.flatnonzero(trolley.sample(result.time)[1][:, 0] == 0.0)
    still = still[(still == np.arange(len(still))) & (still >= first)][:-1]  # the rows before it starts
    if len(still):
        rate = scene.wires["rope"].length_at(result.time)[1]
        expected = weight - scene.bodies["load"].mass * np.gradient(rate, result.time)[still]
        # L̈ changes by up to 60 ΔL/t³ per second, and a tension may be that of two steps earlier.
        late = 2.0 * np.abs(np.diff(expected)).max() + 1e-3 * _laws.spacing(result) * weight
        found.append(Check.below("hoisting, T = m (g − L̈)", np.abs(tension[still] - expected).max(), late, "N"))
    return found


def swing(scene: Scene, time: np.ndarray) -> np.ndarray:
    """Path (n, 2) of the load in x and z [m] from the equation of the pendulum, by an adaptive method of order 8."""
    from scipy.integrate import solve_ivp

    g, trolley, rope = -scene.gravity[2], scene.robots["trolley"], scene.wires["rope"]

    def rates(t: float, y: np.ndarray) -> list[float]:
        now = np.array([t])
        (length,), (rate,) = rope.length_at(now)
        push = trolley.sample(now)[2][0, 0]
        return [y[1], -(g * np.sin(y[0]) + 2.0 * rate * y[1] + push * np.cos(y[0])) / length]

    theta = solve_ivp(rates, (time[0], time[-1]), [0.0, 0.0], "DOP853", time, rtol=1e-10, atol=1e-12, max_step=0.05).y[
        0
    ]
    length, pivot = rope.length_at(time)[0], trolley.sample(time)[0][:, 0]
    return np.stack([pivot + length * np.sin(theta), -length * np.cos(theta)], axis=1)
