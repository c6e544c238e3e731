"""The shared scene: a box on wires, lifted and carried by robots, and a fine-step solution to hold others against."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import towsim
from towsim.scene import scene_from_data

Array = NDArray[np.float64]
Point = tuple[float, float, float]

SIDES = (0.4, 0.3, 0.2)  # m
MASS = 2.0  # kg
LENGTH = 1.0  # m
TILT = math.radians(20.0)  # of a wire from the vertical
TURN = math.radians(40.0)  # of a wire's azimuth from radial, by turns to either side
LEAN = math.radians(5.0)  # start off equilibrium
CARRY, LIFT, MOVE_TIME = 1.0, 0.5, 2.0  # m, m, s; one quintic
DURATION = 5.0  # s
GRID = 0.01  # s; errors are the largest over these instants, which all steps used here meet

_X, _Y, _Z = (0.5 * side for side in SIDES)
_TOP = {
    3: ((_X, _Y), (-_X, _Y), (0.0, -_Y)),
    4: ((_X, _Y), (-_X, _Y), (-_X, -_Y), (_X, -_Y)),
    # Corners and mid-sides: rank 6, tensions not unique, and no need for a wire to go slack on this path.
    8: ((_X, _Y), (0.0, _Y), (-_X, _Y), (-_X, 0.0), (-_X, -_Y), (0.0, -_Y), (_X, -_Y), (_X, 0.0)),
}
WIRES = tuple(_TOP)


def lean(wires: int) -> float:
    """Lean that starts the scene off equilibrium [rad]; eight wires hold the box, they cannot let it swing."""
    return 0.0 if wires == 8 else LEAN


def attachments(wires: int) -> list[Point]:
    """Where the wires leave the top of the box, body axes [m]."""
    return [(x, y, _Z) for x, y in _TOP[wires]]


def anchors(wires: int) -> list[Point]:
    """Where the robots hold the wires at t = 0 [m]; the box is at the origin, every wire just taut.

    Radially symmetric wires meet in one point, lose rank and chatter; therefore the turns. All wires then lean
    towards +x by ``lean(wires)``.
    """
    cos, sin = math.cos(lean(wires)), math.sin(lean(wires))
    out = []
    for i, (x, y, z) in enumerate(attachments(wires)):
        azimuth = math.atan2(y, x) + (TURN if i % 2 == 0 else -TURN)
        dx, dy, dz = math.sin(TILT) * math.cos(azimuth), math.sin(TILT) * math.sin(azimuth), math.cos(TILT)
        out.append((x + LENGTH * (cos * dx + sin * dz), y + LENGTH * dy, z + LENGTH * (cos * dz - sin * dx)))
    return out


def travel(t: Array) -> Array:
    """How far the robots have moved at the times t (n,) [s]: (n, 3) [m]."""
    s = np.clip(t / MOVE_TIME, 0.0, 1.0)
    return np.outer(s**3 * (10.0 - 15.0 * s + 6.0 * s * s), [CARRY, 0.0, LIFT])


def carried_box(wires: int) -> towsim.Scene:
    """A 2 kg box on 3, 4 or 8 wires of 1 m; the robots lift it 0.5 m and carry it 1 m in 2 s."""
    points = {f"p{i}": list(p) for i, p in enumerate(attachments(wires))}
    robots = {
        f"r{i}": {"motion": {"waypoints": {"t": [0.0, MOVE_TIME], "position": [[x, y, z], [x + CARRY, y, z + LIFT]]}}}
        for i, (x, y, z) in enumerate(anchors(wires))
    }
    return scene_from_data(
        {
            "name": f"box-{wires}",
            "bodies": {"box": {"mass": MASS, "shape": {"box": list(SIDES)}, "points": points}},
            "robots": robots,
            "wires": {f"w{i}": {"from": f"box.p{i}", "to": f"r{i}", "length": LENGTH} for i in range(wires)},
            "run": {"duration": DURATION, "step": 1e-3},
        }
    )


def on_grid(step: float) -> int:
    """Steps between two instants of the grid."""
    every = round(GRID / step)
    if not math.isclose(every * step, GRID, rel_tol=1e-9):
        raise ValueError(f"the step must divide {GRID:g} s, got {step:g}")
    return every


@dataclass(frozen=True)
class Reference:
    """Positions (n, 3) [m] on the grid, without t = 0; how sure they are [m]; the order seen between three steps."""

    position: Array
    uncertainty: float
    order: float

    def error(self, position: Array) -> float:
        """Largest distance [m] of positions (n, 3) on the grid."""
        return float(np.linalg.norm(position - self.position, axis=1).max())


def positions(scene: towsim.Scene, method: str, step: float) -> Array:
    """Positions of the box on the grid, without t = 0, (n, 3) [m]."""
    result = towsim.simulate(scene, method=method, step=step, record_every=on_grid(step))
    return np.asarray(result["position"].values[1:, 0])


def reference(wires: int, finest: float = 5e-5) -> Reference:
    """SHAKE at three small steps h, 2h, 4h; the uncertainty is what Richardson's rule says is left at h.

    Without a clear order (differences down at rounding, as when eight wires leave the box no freedom) it is the larger
    of the two differences.
    """
    scene = carried_box(wires)
    coarse, middle, fine = (positions(scene, "shake", k * finest) for k in (4, 2, 1))
    first = float(np.linalg.norm(middle - coarse, axis=1).max())
    second = float(np.linalg.norm(fine - middle, axis=1).max())
    order = math.log2(first / second) if first > 0.0 < second else math.nan
    clear = order > 1.0
    return Reference(fine, second / (2.0**order - 1.0) if clear else max(first, second), order)
