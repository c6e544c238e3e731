"""What do 10, 30 and 100 rows of joints cost, and how exact are they? A chain of rods on hinges, beside MuJoCo.

Rods of 0.1 m hang in a row from a post by revolute joints whose axes are x and y by turns (5 rows each), start askew by
0.5 rad and swing for 1 s. towsim keeps six velocities a rod and solves for the joints' impulses; MuJoCo has hinges in
reduced coordinates, which need no rows (``hinges``), or free bodies tied by equality constraints of the stiffness
1/h² and damping 1/h, two points a hinge (``connect``), which is the same formulation as here. Errors are the largest
distance of any rod's centre, every 0.01 s, from SHAKE with a sixteenth of the step; drift is how far joints open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import mujoco
import numpy as np
import report
from mujoco import mjtState
from mujoco_native import Array, Native
from timing import block_clock, by_turns, timed

import towsim
from towsim.scene import Scene, scene_from_data

STEP, DURATION, GRID = 1e-3, 1.0, 0.01  # s
LENGTH, RADIUS, MASS, LEAN = 0.1, 0.01, 0.2, 0.5  # m, m, kg, rad
RODS = (2, 6, 20)
METHODS = ("stewart-trinkle", "shake")
COLUMNS = ("rows", "what", "call ns", "median", "loop ns", "median", "error m", "drift m")
DOWN = np.array([np.sin(LEAN), 0.0, -np.cos(LEAN)])
TURN = (np.cos(0.5 * LEAN), 0.0, -np.sin(0.5 * LEAN), 0.0)
INERTIA = (*(MASS / 12.0 * (3.0 * RADIUS**2 + LENGTH**2),) * 2, 0.5 * MASS * RADIUS**2)


def main() -> None:
    arguments = report.parser(__doc__ or "").parse_args()
    report.header("mujoco")
    print(f"h = {STEP:g} s, {DURATION:g} s; processor time per step; loop: the compiled block loop alone\n")
    rows: list[list[report.Cell]] = []
    for rods in RODS:
        rows += _measure(rods, 5 if arguments.quick else 21)
    report.table(COLUMNS, rows, arguments.csv)


def _measure(rods: int, rounds: int) -> list[list[report.Cell]]:
    scene = chain(rods)
    truth = _centres(scene, "shake", STEP / 16)[0]
    peers = {(kind, integrator): Peer(rods, kind, integrator) for kind, integrator in VARIANTS}
    candidates: dict[str, Callable[[], float]] = {f"{kind} {how}": peer for (kind, how), peer in peers.items()}
    with block_clock() as clock:
        for method in METHODS:
            run = partial(towsim.simulate, scene, step=STEP, method=method)
            candidates[method] = partial(timed, run)
            candidates[method + " loop"] = partial(clock.during, run)
        seconds = by_turns(candidates, rounds)
    cost = {name: spent / round(DURATION / STEP) * 1e9 for name, spent in seconds.items()}
    table: list[list[report.Cell]] = []
    for method in METHODS:
        centres, drift = _centres(scene, method, STEP)
        call, loop = cost[method], cost[method + " loop"]
        table.append([5 * rods, method, *_pair(call), *_pair(loop), float(np.abs(centres - truth).max()), drift])
    for (kind, how), peer in peers.items():
        error = float(np.abs(peer.centres() - truth).max())
        table.append([5 * rods, f"MuJoCo {kind} {how}", "", "", *_pair(cost[f"{kind} {how}"]), error, ""])
    return table


def chain(rods: int) -> Scene:
    """The scene for towsim."""
    bodies = {
        f"r{i}": {
            "mass": MASS,
            "inertia": list(INERTIA),
            "position": list((i + 0.5) * LENGTH * DOWN),
            "quaternion": list(TURN),
            "points": {"top": [0, 0, 0.5 * LENGTH], "end": [0, 0, -0.5 * LENGTH]},
        }
        for i in range(rods)
    }
    joints = {
        f"j{i}": {
            "kind": "revolute",
            "from": f"r{i - 1}.end" if i else "post",
            "to": f"r{i}.top",
            "axis": [0, 1, 0] if i % 2 == 0 else [np.cos(LEAN), 0.0, np.sin(LEAN)],
        }
        for i in range(rods)
    }
    run = {"duration": DURATION, "step": STEP}
    return scene_from_data(
        {"bodies": bodies, "robots": {"post": {"position": [0, 0, 0]}}, "joints": joints, "run": run}
    )


def _centres(scene: Scene, method: str, step: float) -> tuple[Array, float]:
    """Centres of the rods on the grid (n, rods, 3), without t = 0, and the worst drift [m]."""
    result = towsim.simulate(scene, step=step, method=method)
    every = round(GRID / step)
    return result["position"].values[every::every], float(result["joint_gap"].values.max())


VARIANTS = (
    ("hinges", "Euler"),
    ("hinges", "implicitfast"),
    ("hinges", "RK4"),
    ("connect", "Euler"),
    ("connect", "discrete"),
)


class Peer(Native):
    """A native rollout of the chain in MuJoCo on one thread."""

    def __init__(self, rods: int, kind: str, integrator: str) -> None:
        kicked = slice(None) if integrator == "Euler" else None
        super().__init__(_xml(rods, kind, integrator), DURATION, kicked=kicked)

    def centres(self) -> Array:
        """Centres of the rods on the grid (n, rods, 3), without t = 0 [m]."""
        every = round(GRID / STEP)
        out = []
        for state in self.state[every - 1 :: every]:
            mujoco.mj_setState(self.model, self.data, state, mjtState.mjSTATE_FULLPHYSICS)
            mujoco.mj_kinematics(self.model, self.data)
            out.append(self.data.xipos[1:].copy())
        return np.array(out)


def _xml(rods: int, kind: str, integrator: str) -> str:
    inertial = f'<inertial pos="0 0 0" mass="{MASS}" diaginertia="{_row(INERTIA)}"/>'
    axes = ["0 1 0" if i % 2 == 0 else "1 0 0" for i in range(rods)]  # in the rods' own axes
    if kind == "hinges":
        nested = ""
        for i in reversed(range(rods)):
            place = f'pos="0 0 {-LENGTH}"' if i else f'pos="{_row(0.5 * LENGTH * DOWN)}" quat="{_row(TURN)}"'
            hinge = f'<joint type="hinge" axis="{axes[i]}" pos="0 0 {0.5 * LENGTH}"/>'
            nested = f"<body {place}>{inertial}{hinge}{nested}</body>"
        bodies, ties = nested, ""
    else:
        bodies = "".join(
            f'<body name="r{i}" pos="{_row((i + 0.5) * LENGTH * DOWN)}" quat="{_row(TURN)}"><freejoint/>'
            f"{inertial}</body>"
            for i in range(rods)
        )
        ties = ""
        for i in range(rods):
            axis = np.array([float(x) for x in axes[i].split()])
            for side in (-0.5, 0.5):
                anchor = np.array([0.0, 0.0, 0.5 * LENGTH]) + side * LENGTH * axis
                other = f'body2="r{i - 1}"' if i else ""
                stiff = f'solref="{-1.0 / STEP**2!r} {-1.0 / STEP!r}" solimp="0.9999 0.9999 0.001 0.5 2"'
                ties += f'<connect body1="r{i}" {other} anchor="{_row(anchor)}" {stiff}/>'
    return f"""
<mujoco>
  <option timestep="{STEP!r}" integrator="{integrator}" solver="Newton" iterations="100" tolerance="1e-12"
          gravity="0 0 -9.81"><flag contact="disable" island="disable" eulerdamp="disable"/></option>
  <worldbody>{bodies}</worldbody>
  <equality>{ties}</equality>
</mujoco>"""


def _pair(costs: Array) -> tuple[float, float]:
    return float(costs.min()), float(np.median(costs))


def _row(numbers: object) -> str:
    return " ".join(repr(float(x)) for x in np.asarray(numbers))


if __name__ == "__main__":
    main()
