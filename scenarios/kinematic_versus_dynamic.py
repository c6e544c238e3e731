"""The same tow twice: robots that follow their paths whatever happens, and vehicles that have to work for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scenarios import Check, _laws, scenario
from scenarios._fleet import rope

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from towsim import Result, Scene

ROBOTS = ("east", "west")


@scenario(
    "kinematic-versus-dynamic",
    topic="Flying vehicles",
    duration=10.0,
    step=1e-3,
    summary="Two vehicles carry a load away; what kinematic robots would do differently is drawn.",
)
def kinematic_versus_dynamic(
    *,
    dynamics: str = "quadcopter",
    mass: float = 1.0,
    distance: float = 4.0,
    time: float = 4.0,
    model: str = "rigid",
) -> Scene:
    """A load hangs on two robots that fly the same way, 1.6 m apart, from rest to rest.

    One word, ``dynamics``, makes them kinematic or gives them a mass of 2 kg, limits, a lag, and a controller that
    tracks the very same path. The check runs the kinematic tow beside the other one.

    Parameters
    ----------
    dynamics : kinematic, point-mass or quadcopter
    mass : mass of the load [kg]
    distance : how far they fly [m]
    time : how long they take [s]
    model : of the wires: rigid, elastic, mrfe
    """
    from towsim.scene import scene_from_data

    height = 2.0
    robots: dict[str, Any] = {}
    for name, y in zip(ROBOTS, (0.8, -0.8), strict=True):
        stops = {"t": [1.0, 1.0 + time], "position": [[0, y, height], [distance, y, height + 0.5]]}
        robots[name] = {"motion": {"waypoints": stops}, "dynamics": dynamics}
    hang = float(np.sqrt(1.5**2 - 0.8**2))
    return scene_from_data(
        {
            "name": "kinematic-versus-dynamic",
            "description": kinematic_versus_dynamic.summary,
            "bodies": {
                "load": {"mass": mass, "point": True, "position": [0, 0, height - hang], "drag": {"linear": 0.2}}
            },
            "robots": robots,
            "wires": {name: rope(model, **{"from": "load", "to": name, "length": 1.5}) for name in ROBOTS},
            "run": {"duration": 10.0, "step": 1e-3},
        }
    )


def kinematic_twin(result: Result) -> Result:
    """The same run with kinematic robots, at the same instants."""
    import towsim

    scene = _laws.written(result).with_values({f"robots.{name}.dynamics": "kinematic" for name in ROBOTS})
    method = str(result.provenance["options"]["method"])
    return towsim.simulate(scene, duration=float(result.time[-1]), step=_laws.step_of(result), method=method)


@kinematic_versus_dynamic.check
def _(result: Result) -> list[Check]:
    scene, time = _laws.written(result), result.time
    twin = kinematic_twin(result)
    rows = np.searchsorted(twin.time, time - 0.5 * _laws.step_of(result))
    apart = _apart(result, twin, "load", rows)
    found = [_laws.solved(result)]
    if not scene.robots["east"].dynamic:
        return [*found, Check.below("difference from itself", apart.max(), 1e-9, "m")]
    behind = max(float(_behind(result, name).max()) for name in ROBOTS)
    found += [
        # 60 N of thrust each for 2.5 kg and 2 m/s²: nothing saturates, and the paths are kept within decimetres.
        Check.below("largest error of a vehicle", behind, 0.2, "m"),
        Check.below("largest difference of the load", apart.max(), 0.3, "m"),
        Check.above("difference of the load: it is not nothing", apart.max(), 1e-3, "m"),
    ]
    if "tip_force" not in result:  # massive cables sag: their pull is not along the line of their ends
        # Forces change by up to the weight in a tenth of a second at the start.
        rate = 3.0 * 9.81 * _laws.declared(result).bodies["load"].mass
        found.append(_laws.momentum(result, ["load"], rate))
    return found


def _apart(result: Result, twin: Result, body: str, rows: np.ndarray) -> np.ndarray:
    a, b = result["position"].sel(body=body).values, twin["position"].sel(body=body).values[rows]
    return np.asarray(np.linalg.norm(a - b, axis=1))


def _behind(result: Result, name: str) -> np.ndarray:
    """Distances (time,) of a vehicle from its declared path [m]."""
    path = _laws.written(result).robots[name].sample(result.time)[0]
    return np.asarray(np.linalg.norm(result["position"].sel(body=name).values - path, axis=1))


@kinematic_versus_dynamic.drawing
def _(result: Result, figure: Figure | None = None) -> Figure:
    from towsim.pictures.figures import colours, new_figure, style

    twin = kinematic_twin(result)
    rows = np.searchsorted(twin.time, result.time - 0.5 * _laws.step_of(result))
    figure = figure or new_figure(9, 9)
    axes = figure.subplots(4 if "actuation" in result else 3, 1, sharex=True)
    for ax in axes:
        style(ax)
    for i, name in enumerate(ROBOTS):
        colour, line = colours(len(ROBOTS))[i], (i * 5.0, (5.0, 5.0 * i))  # both are seen where they are the same
        if name in result.coords["body"]:
            axes[0].plot(result.time, 1e3 * _behind(result, name), color=colour, linestyle=line, label=name)
        tension, kinematic = (one["tension"].sel(wire=name).values for one in (result, twin))
        axes[2].plot(result.time, tension, color=colour, linestyle=line, label=f"{name}, as it is")
        axes[2].plot(twin.time, kinematic, ":", color=colour, linewidth=1, label=f"{name}, kinematic robots")
    axes[0].set_ylabel("vehicle off its path (mm)")
    axes[1].plot(result.time, 1e3 * _apart(result, twin, "load", rows), color="k")
    axes[1].set_ylabel("load, difference (mm)")
    axes[2].set_ylabel("tension (N)")
    figure.legend(loc="outside lower left", fontsize=8, ncols=4, frameon=False, handles=axes[2].get_lines())
    title = f"{result.attributes['name']}: {kinematic_versus_dynamic.summary}"
    figure.suptitle(title, x=0.01, ha="left", fontsize=10, fontweight="bold")
    if "actuation" in result:
        from towsim.pictures import panels

        panels.actuation(axes[3], result)
    axes[-1].set_xlabel("time (s)")
    axes[-1].set_xlim(result.time[0], result.time[-1])
    return figure
