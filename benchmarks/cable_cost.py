"""What do massive cables cost? The paper's two cases, cost against elements, and MuJoCo on the same robot.

Case K: a platform on four cables whose exit points move (section 4.2 of the paper; 2261 s there). Case D: quadcopters
carry it and fail at 3 s (section 4.3; 13800 s there). A run is one call of ``simulate``, everything included, kernels
compiled before. Errors are the platform's largest distance, every 0.1 s, from BDF4 at h = 2.5e-4.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import report
from numpy.typing import NDArray
from timing import block_clock, by_turns, timed

import scenarios
import towsim
from towsim.scene import Scene, scene_from_data

Array = NDArray[np.float64]

GRID, FINE = 0.1, 2.5e-4  # s
RUNS = (("bdf4", GRID / 6), ("bdf4", 1e-2), ("bdf3", 1e-2), ("bdf3", 5e-3), ("bdf3", 1e-3), ("bdf2", 5e-3))
CASES = {
    "K": ("cdpr44-kinematic", 2261.0, 1e-4, 8e-3, *RUNS),
    "D": ("cdpr44-quadcopters", 13800.0, 1e-3, 10e-3, *RUNS),
}
"""Scenario, the paper's time [s], error allowed [m], time allowed [s], methods and steps."""

GROWTH = (5, 20, 80, 320, 1000)
PEERS = {5: 3.0, 20: 8.0, 80: 30.0}
"""Elements of a cable, and how much cheaper than MuJoCo a step is to be."""


def main() -> None:
    parser = report.parser(__doc__ or "")
    parser.add_argument("--case", choices=[*CASES], help="only this case of the paper")
    arguments = parser.parse_args()
    report.header("mujoco")
    rounds = 3 if arguments.quick else 15
    for case in [arguments.case] if arguments.case else CASES:
        _case(case, rounds)
    if not arguments.case:
        _growth(max(3, rounds // 3))
        _peer(max(3, rounds // 3))
        _rest(2 * rounds)


def platform(scene: Scene, step: float, method: str, duration: float) -> Array:
    """Places of the platform on the grid, (n, 3) [m]."""
    result = towsim.simulate(scene, step=step, method=method, duration=duration)
    return result["position"].sel(body="platform").values[:: round(GRID / step)]


def _case(case: str, rounds: int) -> None:
    name, published, accuracy, budget, *runs = CASES[case]
    scene = scenarios.get(name).build()
    print(f"\nCase {case}, {name}, 6 s of motion")
    truth = platform(scene, FINE, "bdf4", 6.0)
    with block_clock() as clock:
        work: dict[str, Callable[[], float]] = {}
        for method, step in runs:
            run = partial(towsim.simulate, scene, step=step, method=method)
            work[f"{method} {step:g}"] = partial(timed, run)
            work[f"{method} {step:g} loop"] = partial(clock.during, run)
        seconds = by_turns(work, rounds)
    rows: list[list[report.Cell]] = []
    cheapest = np.inf
    for method, step in runs:
        error = float(np.linalg.norm(platform(scene, step, method, 6.0) - truth, axis=1).max())
        whole, loop = seconds[f"{method} {step:g}"], seconds[f"{method} {step:g} loop"]
        if error <= accuracy:
            cheapest = min(cheapest, float(whole.min()))
        times = (1e3 * whole.min(), 1e3 * float(np.median(whole)), 1e3 * loop.min())
        rows.append([method, step, *(float(t) for t in times), 1e6 * float(loop.min()) * step / 6.0, error])
    report.table(("method", "h s", "run ms", "median", "loop ms", "us a step", "error m"), rows)
    report.verdict(f"case {case} within {accuracy:g} m", 1e3 * cheapest, 1e3 * budget, "ms")
    print(f"        {published / cheapest:.3g} times faster than the {published:g} s of the paper, on another machine")


def _growth(rounds: int) -> None:
    print("\nCase K with other numbers of elements, bdf3, h = 1e-2 s")
    rows: list[list[report.Cell]] = []
    with block_clock() as clock:
        for elements in GROWTH:
            scene = scenarios.get("cdpr44-kinematic").build(elements=elements)
            run = partial(towsim.simulate, scene, step=1e-2, method="bdf3", duration=3.0)
            seconds = by_turns({"loop": partial(clock.during, run)}, rounds)["loop"]
            result = run()
            cost = float(seconds.min()) / 300
            lowest = float(result["position"].sel(body="platform").values[:, 2].min())
            rows.append(
                [elements, 1e6 * cost, 1e9 * cost / (4 * elements), float(np.nanmax(result["e1"].values)), lowest]
            )
    report.table(("elements", "us a step", "ns/element", "e1 m", "lowest z m"), rows)
    per = {int(row[0]): float(row[2]) for row in rows}
    report.verdict("a step per element, 320 elements", per[320], 200.0, "ns")
    report.verdict("the same, 1000 to 80 elements", per[1000] / per[80], 1.25, "times")


def _peer(rounds: int) -> None:
    try:
        from mujoco_robot import Rollout
    except ImportError:
        print("\nMuJoCo is not installed")
        return
    print("\nBeside MuJoCo (discrete), 2.5 s without ground, h = 1e-3 s; errors against BDF4 at h = 2.5e-4")
    rows: list[list[report.Cell]] = []
    ratios = {}
    for elements in PEERS:
        scene = scenarios.get("cdpr44-kinematic").build(elements=elements).replace(ground=None)
        truth = platform(scene, FINE, "bdf4", 2.5)
        peers = {solver: Rollout(scene, elements, 1e-3, 2.5, solver) for solver in ("PGS", "Newton")}
        work: dict[str, Callable[[], float]] = {f"MuJoCo {solver}": peer for solver, peer in peers.items()}
        with block_clock() as clock:
            for method in ("bdf1", "bdf3"):
                run = partial(towsim.simulate, scene, step=1e-3, method=method, duration=2.5)
                work[method] = partial(timed, run)
                work[f"{method} loop"] = partial(clock.during, run)
            seconds = by_turns(work, rounds)
        for name, spent in seconds.items():
            if name.startswith("MuJoCo"):
                places = peers[name.split()[1]].position[round(GRID / 1e-3) - 1 :: round(GRID / 1e-3)]
                error = float(np.linalg.norm(places - truth[1:], axis=1).max())
            else:
                error = float(np.linalg.norm(platform(scene, 1e-3, name.split()[0], 2.5) - truth, axis=1).max())
            rows.append([elements, name, 1e6 * float(spent.min()) / 2500, 1e6 * float(np.median(spent)) / 2500, error])
        fastest = np.minimum(seconds["MuJoCo PGS"], seconds["MuJoCo Newton"])
        ratios[elements] = float(np.median(fastest / seconds["bdf3"]))
    report.table(("elements", "what", "us a step", "median", "error m"), rows)
    for elements, ratio in ratios.items():
        report.verdict(f"MuJoCo over a bdf3 call, {elements} elements", ratio, PEERS[elements], "times", at_least=True)


def _rest(rounds: int) -> None:
    line = {"mass_per_length": 100.0, "axial_stiffness": 5e8, "diameter": 0.1, "bending_stiffness": 1e-3}
    scene = scene_from_data(
        {
            "robots": {"a": {"position": [0, 0, 0]}, "b": {"position": [120, 0, 30]}},
            "wires": {
                "line": {"from": "a", "to": "b", "length": 130, "material": line, "model": {"mrfe": {"elements": 200}}}
            },
        }
    )
    seconds = by_turns({"rest": partial(timed, partial(towsim.equilibrium, scene))}, rounds)["rest"]
    print()
    report.verdict("equilibrium of a cable of 200 elements", 1e3 * float(seconds.min()), 10.0, "ms")


if __name__ == "__main__":
    main()
