"""How does a step's cost grow with wires on one body, and with bodies in a chain?

Wires: the top of a disc, every wire to a robot of its own, turned by ±40° from radial; beyond 6 they are redundant.
Chain: bodies one below the other, each on the one above by a wire, the first on a robot that moves off.
Cost is the compiled block loop per step. ``exponent`` is the slope of log cost over log size from the row before;
the fit is over the upper half of the sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import boxes
import numpy as np
import report
from timing import block_clock, by_turns

import towsim
from towsim.scene import scene_from_data

WIRES = (3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
BODIES = (2, 5, 10, 20, 50, 100, 200)
STEP, STEPS = 1e-3, 1000  # the record of a long chain leaves the caches, as it does in a real run
SPACING = 0.5  # m, between bodies of the chain; each is 0.1 m high
COLUMNS = ("scene", "method", "size", "ns per step", "ns per step and size", "exponent", "pivots per step", "rank")


def main() -> None:
    arguments = report.parser(__doc__ or "").parse_args()
    report.header()
    print(f"{STEPS} steps of {STEP:g} s, in the compiled loop, least of the rounds\n")
    rounds = 5 if arguments.quick else 15
    rows: list[list[report.Cell]] = []
    fits: list[Callable[[], None]] = []
    for name, build, sizes in (("wires", wires_on_a_disc, WIRES), ("chain", chain, BODIES)):
        for method in ("stewart-trinkle", "shake"):
            new = _measure(name, build, method, sizes, rounds)
            rows += new
            upper = np.array([[float(row[2]), float(row[3])] for row in new[len(new) // 2 :]])
            exponent = float(np.polyfit(np.log(upper[:, 0]), np.log(upper[:, 1]), 1)[0])
            what = f"{name}, {method}: cost grows with the power"
            if name == "chain":  # 1.1: room for the noise of a fit, not for n log n, whose power here is 1.25
                fits.append(partial(report.verdict, what, exponent, 1.1, "over the upper half"))
            else:
                fits.append(partial(print, f"        {what}: {exponent:.3g} over the upper half (no budget)"))
    report.table(COLUMNS, rows, arguments.csv)
    print()
    for fit in fits:
        fit()


def wires_on_a_disc(wires: int) -> towsim.Scene:
    """A 2 kg disc-topped body on many wires; radius of the points 0.2 m."""
    points, robots = {}, {}
    for i in range(wires):
        around = 2.0 * math.pi * i / wires
        azimuth = around + (boxes.TURN if i % 2 == 0 else -boxes.TURN)
        x, y, z = 0.2 * math.cos(around), 0.2 * math.sin(around), 0.1
        side, up = boxes.LENGTH * math.sin(boxes.TILT), boxes.LENGTH * math.cos(boxes.TILT)
        end = [x + side * math.cos(azimuth), y + side * math.sin(azimuth), z + up]
        points[f"p{i}"], robots[f"r{i}"] = [x, y, z], {"motion": _move(end)}
    return scene_from_data(
        {
            "bodies": {"body": {"mass": boxes.MASS, "shape": {"box": list(boxes.SIDES)}, "points": points}},
            "robots": robots,
            "wires": {f"w{i}": {"from": f"body.p{i}", "to": f"r{i}", "length": boxes.LENGTH} for i in range(wires)},
        }
    )


def chain(bodies: int) -> towsim.Scene:
    """Bodies of 1 kg on one another, hanging from a robot."""
    body = {"mass": 1.0, "shape": {"box": [0.1, 0.2, 0.1]}, "points": {"top": [0, 0, 0.05], "foot": [0, 0, -0.05]}}
    above = ["robot", *(f"b{i}.foot" for i in range(bodies - 1))]
    return scene_from_data(
        {
            "bodies": {f"b{i}": {**body, "position": [0.0, 0.0, -SPACING * i]} for i in range(bodies)},
            "robots": {"robot": {"motion": _move([0.0, 0.0, 0.05 + SPACING - 0.1])}},
            "wires": {
                f"w{i}": {"from": f"b{i}.top", "to": end, "length": SPACING - 0.1} for i, end in enumerate(above)
            },
        }
    )


def _move(start: Sequence[float]) -> dict[str, object]:
    end = [start[0] + boxes.CARRY, start[1], start[2] + boxes.LIFT]
    return {"waypoints": {"t": [0.0, boxes.MOVE_TIME], "position": [list(start), end]}}


def _measure(
    name: str, build: Callable[[int], towsim.Scene], method: str, sizes: Sequence[int], rounds: int
) -> list[list[report.Cell]]:
    runs = {
        str(size): partial(towsim.simulate, build(size), method=method, step=STEP, duration=STEPS * STEP)
        for size in sizes
    }
    with block_clock() as clock:
        seconds = by_turns({size: partial(clock.during, run) for size, run in runs.items()}, rounds)
    rows: list[list[report.Cell]] = []
    before: tuple[int, float] | None = None
    for size in sizes:
        cost = float(seconds[str(size)].min()) / STEPS * 1e9
        exponent: report.Cell = ""
        if before is not None:
            exponent = math.log(cost / before[1]) / math.log(size / before[0])
        result = runs[str(size)]()
        pivots, rank = float(result["iterations"].values[1:].mean()), int(result["rank"].values.max())
        rows.append([name, method, size, cost, cost / size, exponent, pivots, rank])
        before = size, cost
    return rows


if __name__ == "__main__":
    main()
