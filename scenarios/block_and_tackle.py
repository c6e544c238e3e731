"""A block-and-tackle: a hauler pulls a heavy load up, with a fraction of its weight and a multiple of its way."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from scenarios import Check, _laws, scenario
from towsim.errors import UsageError

if TYPE_CHECKING:
    from towsim import Result, Scene


@scenario(
    "block-and-tackle",
    topic="Cranes, winches and tackles",
    duration=4.0,
    step=1e-3,
    summary="A hauler lifts a load through a block-and-tackle.",
)
def block_and_tackle(
    *,
    parts: int = 4,
    mass: float = 200.0,
    height: float = 5.0,
    width: float = 0.02,
    haul: float = 4.0,
    travel: float = 3.0,
    friction: float = 0.0,
) -> Scene:
    """A load hangs on several parts of one rope between two blocks; a hauler walks off with the rope's free end.

    All parts bear the same tension: parts · T = m (g + a), and the load rises by the way hauled over the parts. An even
    number of parts begins at the ceiling, an odd one at the load. With friction the tension grows by e^{μθ} from one
    part to the next towards the hauler, and falls when the load is lowered.

    Parameters
    ----------
    parts : parts of the rope that bear the load, from 1 to 20
    mass : mass of the load [kg]
    height : of the upper block above the load at the start [m]
    width : distance of neighbouring sheaves [m]
    haul : way of the hauler [m]; negative lowers the load
    travel : time it takes [s]
    friction : coefficient of the rope on the sheaves, as if they did not turn
    """
    from towsim.scene import scene_from_data

    if not 1 <= parts <= 20:
        raise UsageError(f"parts must be from 1 to 20, got {parts}")
    lower = [f"load.s{k}" for k in range((parts + 1) // 2)]
    upper = [f"t{k}" for k in range((parts + 1) // 2)]
    start, via = ("ceiling", []) if parts % 2 == 0 else (lower[0], [upper[0]])
    for k in range(parts % 2, len(lower)):
        via += [lower[k], upper[k]]
    borne = [
        1 if end == start else 2 for end in lower
    ]  # parts at each sheave of the load, which hangs below their mean
    middle = sum(n * width * 2 * k for k, n in enumerate(borne)) / parts
    out = width * (2 * len(upper) - 1) - middle
    robots: dict[str, object] = {"ceiling": {"position": [-width - middle, 0.0, 0.0]}}
    robots |= {name: {"position": [width * (2 * k + 1) - middle, 0.0, 0.0]} for k, name in enumerate(upper)}
    off = out + 1.0 + max(0.0, -haul)  # a negative way lowers the load
    robots["hauler"] = {
        "motion": {"waypoints": {"t": [0.0, travel], "position": [[off, 0.0, 0.0], [off + haul, 0.0, 0.0]]}}
    }
    points = {f"s{k}": [width * 2 * k - middle, 0.0, 0.0] for k in range(len(lower))}
    ends = [start, *via]
    place = {f"load.{name}": (x, -height) for name, (x, _, _) in points.items()} | {
        name: (robot["position"][0], 0.0)  # type: ignore[index]
        for name, robot in robots.items()
        if name != "hauler"
    }
    path = sum(math.dist(place[a], place[b]) for a, b in pairwise(ends))
    return scene_from_data(
        {
            "name": "block-and-tackle",
            "description": block_and_tackle.summary,
            "bodies": {
                "load": {
                    "mass": mass,
                    "shape": {"box": [1.0, 0.5, 0.5]},
                    "position": [0.0, 0.0, -height],
                    "points": points,
                }
            },
            "robots": robots,
            "wires": {
                "rope": {"from": start, "via": via, "to": "hauler", "length": path + off - out, "friction": friction}
            },
            "run": {"duration": 4.0, "step": 1e-3},
        }
    )


@block_and_tackle.check
def _(result: Result) -> list[Check]:
    scene = _laws.declared(result)
    rope, load, hauler = scene.wires["rope"], scene.bodies["load"], scene.robots["hauler"]
    parts = sum(end.startswith("load") for end in rope.via) * 2 + rope.from_.startswith("load")
    way, _, acceleration = (column[:, 0] for column in hauler.sample(result.time))
    rise = result["position"].values[:, 0, 2] - load.position[2]
    first, h = _laws.first_row(result), _laws.spacing(result)
    common = [
        _laws.solved(result),
        _laws.stretch(result),
    ]
    if rope.friction > 0.0:
        return [*common, _capstan(result, scene, float(way[-1] - way[0]))]
    tension = result["tension"].values[first:-1, 0]
    force = load.mass * (-scene.gravity[2] + acceleration / parts) / parts
    # A tension is that of up to two steps earlier, and starts from the acceleration of the first one.
    late = 2.0 * np.abs(np.diff(force)).max() + 1e-3 * h * force.max() + 1e-6 * force.max()
    # The parts slant by the width over the height that is left: (w/z)² of tension and way.
    left = -load.position[2] - rise.max()
    width = abs(scene.robots["t0"].position[0] - scene.robots["ceiling"].position[0])  # type: ignore[index]
    slant = (width / left) ** 2
    return [
        *common,
        Check.below(
            "rise against way / parts",
            np.abs(rise - (way - way[0]) / parts).max(),
            slant * abs(way[-1] - way[0]) + _laws.error_limit(result, 1.0),
            "m",
        ),
        Check.below(
            "tension against m (g + a) / parts",
            np.abs(tension - force[first:-1]).max(),
            late + 2.0 * slant * force.max(),
            "N",
        ),
    ]


def _capstan(result: Result, scene: Scene, haul: float) -> Check:
    """While the rope moves, tensions of its parts stand in the ratio e^{±μθ}."""
    rope = scene.wires["rope"]
    at = [_laws.place(result, scene, end) for end in rope.ends]
    worst = 0.0
    until = scene.robots["hauler"].motion.waypoints.t[-1]  # type: ignore[union-attr]
    moving = (result.time > 0.25 * until) & (result.time < 0.75 * until)
    for k in range(1, len(at) - 1):
        u, v = at[k] - at[k - 1], at[k + 1] - at[k]
        cosine = np.sum(u * v, axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
        ratio = (
            _laws.part_tension(result, scene, "rope", k)[moving]
            / _laws.part_tension(result, scene, "rope", k - 1)[moving]
        )
        exponent = np.log(ratio) / np.arccos(np.clip(cosine, -1.0, 1.0))[moving]
        worst = max(worst, float(np.abs(exponent - math.copysign(rope.friction, haul)).max()))
    # A ratio belongs to the directions one step before: parts turn by the width over the height, once.
    return Check.below("friction by the tensions' ratios", worst, 1e-3 * rope.friction + _laws.error_limit(result, 1.0))
