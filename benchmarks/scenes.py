"""What does a step of the scenes that users build cost, and how exact is it? Beside MuJoCo on the same scene.

Every kind of scene grows: boxes joined by wires, swarms, nets, hubs, boxes that rub on the ground, towers, bridges,
mobiles. A ratio is the time of MuJoCo's cheapest setting that stretches no wire by more than 2e-5 m (or, where there is
none, of the one with the least error, marked *), over that of one call of ``simulate``, everything included (``again``:
of a call right after another one, which finds its code and memory in the caches, as the first one, after MuJoCo's, does
not; ``loop``: of the compiled loop alone). Errors are the largest distance of a body at the end from a run of SHAKE
with a quarter of the step. ``exponent`` is the slope of log cost over log size from the row before.

    python benchmarks/scenes.py [KIND ...] [--full]
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import report
from timing import block_clock, by_turns, timed

import towsim
from towsim.scene import Scene, scene_from_data

STEP = 1e-3  # s
TAUT = 2e-5  # m, what MuJoCo may stretch a wire
COLUMNS = (
    "scene",
    "size",
    "call µs",
    "loop µs",
    "MuJoCo µs",
    "by",
    "call",
    "again",
    "loop",
    "asked",
    "exponent",
    "stretch m",
    "MuJoCo's",
    "error m",
    "MuJoCo's",
)

Data = dict[str, Any]
BOX = {"mass": 2.0, "shape": {"box": [0.4, 0.3, 0.2]}}
CORNERS = {f"c{i}": [x, y, 0.1] for i, (x, y) in enumerate([(0.2, 0.15), (-0.2, 0.15), (-0.2, -0.15), (0.2, -0.15)])}


class Kind(NamedTuple):
    """Scenes of one kind: how one of a size is built, its sizes, steps, and the ratio to MuJoCo that is asked.

    quick : how many of the sizes are run without ``--full``
    """

    build: Callable[[int], Scene]
    sizes: tuple[int, ...]
    steps: tuple[int, ...]
    asked: tuple[float, ...]
    quick: int


def carried(start: Iterable[float], far: float = 0.2) -> Data:
    """A robot that moves on by so much and up by 0.1 m in half a second."""
    x, y, z = (float(a) for a in start)
    return {"motion": {"waypoints": {"t": [0.0, 0.5], "position": [[x, y, z], [x + far, y, z + 0.1]]}}}


def lift(name: str, at: tuple[float, float, float], far: float = 0.2) -> tuple[Data, Data]:
    """Robots and wires of 1 m that hold a box at its four upper corners, each leaning 20° and turned by ±40°."""
    robots, wires = {}, {}
    for i, corner in enumerate(CORNERS.values()):
        azimuth = math.atan2(corner[1], corner[0]) + math.radians(40.0) * (-1) ** i
        way = (0.34202014332566871 * math.cos(azimuth), 0.34202014332566871 * math.sin(azimuth), 0.93969262078590843)
        robots[f"{name}r{i}"] = carried(np.add(np.add(at, corner), way), far)
        wires[f"{name}w{i}"] = {"from": f"{name}.c{i}", "to": f"{name}r{i}", "length": 1.0}
    return robots, wires


def swarm(n: int) -> Scene:
    """Boxes apart, each on four wires."""
    return boxes(n, joined=False)


def boxes(n: int, *, joined: bool = True) -> Scene:
    """Boxes in a row, each on four wires and joined to the next by two; those in front go farther."""
    out: Data = {"bodies": {}, "robots": {}, "wires": {}}
    for k in range(n):
        at = (1.5 * k, 0.0, 0.0)
        out["bodies"][f"b{k}"] = BOX | {"position": at, "points": CORNERS}
        robots, wires = lift(f"b{k}", at, 0.2 + 0.2 * k / n if joined else 0.2)
        out["robots"] |= robots
        out["wires"] |= wires
        if joined and k:
            for i, j in ((1, 0), (2, 3)):
                out["wires"][f"j{k}{i}"] = {"from": f"b{k}.c{i}", "to": f"b{k - 1}.c{j}", "length": 1.105}
    return scene_from_data(out)


def net(n: int) -> Scene:
    """n × n masses of 0.1 kg with drag 0.5 N s/m in a frame of 4 n robots, sagging by a tenth; every wire is taut."""

    def place(i: int, j: int) -> list[float]:
        x, y = (2.0 * (k + 1) / (n + 1) - 1.0 for k in (i, j))
        return [0.05 * n * x, 0.05 * n * y, -0.01 * n * (1.0 - x * x) * (1.0 - y * y)]

    out: Data = {"bodies": {}, "robots": {}, "wires": {}}
    for i in range(-1, n + 1):
        for j in range(-1, n + 1):
            inside = 0 <= i < n, 0 <= j < n
            if all(inside):
                mass = {"mass": 0.1, "point": True, "drag": {"linear": 0.5}, "position": place(i, j)}
                out["bodies"][f"m{i}_{j}"] = mass
            elif any(inside):
                out["robots"][f"m{i}_{j}"] = carried(place(i, j))
            for way, k, m, wired in (("x", i - 1, j, inside[1]), ("y", i, j - 1, inside[0])):
                if wired and min(k, m) >= -1:
                    length = math.dist(place(i, j), place(k, m))
                    out["wires"][f"{way}{i}_{j}"] = {"from": f"m{i}_{j}", "to": f"m{k}_{m}", "length": length}
    return scene_from_data(out)


def hub(n: int) -> Scene:
    """A box on four wires, and n masses below it, each on a wire of its own."""
    robots, wires = lift("hub", (0.0, 0.0, 0.0))
    points, bodies = dict(CORNERS), {}
    side = math.ceil(math.sqrt(n))
    for k in range(n):
        x, y = 0.4 * (k % side + 0.5) / side - 0.2, 0.3 * (k // side + 0.5) / side - 0.15
        points[f"p{k}"] = [x, y, -0.1]
        bodies[f"m{k}"] = {"mass": 0.05, "point": True, "position": [1.2 * x, 1.2 * y, -0.5]}
        length = math.dist(points[f"p{k}"], [1.2 * x, 1.2 * y, -0.5])
        wires[f"h{k}"] = {"from": f"hub.p{k}", "to": f"m{k}", "length": length}
    bodies["hub"] = BOX | {"points": points}
    return scene_from_data({"bodies": bodies, "robots": robots, "wires": wires})


def dragged(n: int) -> Scene:
    """Boxes on three feet each, one behind the other, towed by a robot over ground with friction 0.4."""
    points = {
        "front": [0.2, 0, 0],
        "back": [-0.2, 0, 0],
        "f0": [0.2, 0, -0.1],
        "f1": [-0.2, 0.15, -0.1],
        "f2": [-0.2, -0.15, -0.1],
    }
    box = {"mass": 5.0, "shape": {"box": [0.4, 0.3, 0.2]}, "points": points}
    ends = ["robot", *(f"b{k}.back" for k in range(n - 1))]
    way = {"t": [0.0, 2.5], "position": [[0.7, 0.0, 0.1], [1.7, 0.5, 0.1]]}
    return scene_from_data(
        {
            "bodies": {f"b{k}": box | {"position": [-0.9 * k, 0.0, 0.1]} for k in range(n)},
            "robots": {"robot": {"motion": {"waypoints": way}}},
            "wires": {f"w{k}": {"from": f"b{k}.front", "to": end, "length": 0.5} for k, end in enumerate(ends)},
            "ground": {"friction": 0.4, "contacts": [f"b{k}.f{i}" for k in range(n) for i in range(3)]},
        }
    )


def tower(n: int) -> Scene:
    """n boxes one below the other on four wires each, the first on robots."""
    robots, wires = lift("b0", (0.0, 0.0, 0.0))
    feet = {f"f{i}": [x, y, -z] for i, (x, y, z) in enumerate(CORNERS.values())}
    bodies = {f"b{k}": BOX | {"position": [0.0, 0.0, -0.7 * k], "points": CORNERS | feet} for k in range(n)}
    for k in range(1, n):
        wires |= {f"b{k}w{i}": {"from": f"b{k}.c{i}", "to": f"b{k - 1}.f{i}", "length": 0.5} for i in range(4)}
    return scene_from_data({"bodies": bodies, "robots": robots, "wires": wires})


def bridge(n: int) -> Scene:
    """n panels (boxes) of a deck between two cables of n + 1 masses each, which hang from four robots."""
    out: Data = {"bodies": {}, "robots": {}, "wires": {}}
    sag = [0.5 * (2.0 * i / n - 1.0) ** 2 * 0.1 * n for i in range(n + 1)]  # a parabola, 1:20
    for side, y in (("l", 0.5), ("r", -0.5)):
        for i in range(n + 1):
            place = [0.5 * i, y, 1.0 + sag[i]]
            out["bodies"][f"{side}{i}"] = {"mass": 0.5, "point": True, "position": place}
            if i:
                gap = math.hypot(0.5, sag[i] - sag[i - 1])
                out["wires"][f"{side}{i}c"] = {"from": f"{side}{i}", "to": f"{side}{i - 1}", "length": gap}
        for i, x in ((0, -0.5), (n, 0.5 * n + 0.5)):
            end = [x, y, 1.0 + sag[i] + sag[0] - sag[1]]
            out["robots"][f"{side}{i}r"] = carried(end)
            gap = math.dist(end, out["bodies"][f"{side}{i}"]["position"])
            out["wires"][f"{side}{i}r"] = {"from": f"{side}{i}", "to": f"{side}{i}r", "length": gap}
    corners = {"la": [-0.2, 0.5, 0], "lb": [0.2, 0.5, 0], "ra": [-0.2, -0.5, 0], "rb": [0.2, -0.5, 0]}
    for k in range(n):
        place = [0.5 * k + 0.25, 0.0, 0.0]
        out["bodies"][f"d{k}"] = {"mass": 2.0, "shape": {"box": [0.4, 1.0, 0.05]}, "position": place, "points": corners}
        for corner, (x, y, _) in corners.items():
            node = f"{corner[0]}{k + (corner[1] == 'b')}"
            gap = math.dist(out["bodies"][node]["position"], [place[0] + x, y, 0.0])
            out["wires"][f"d{k}{corner}"] = {"from": f"d{k}.{corner}", "to": node, "length": gap}
    return scene_from_data(out)


def mobile(n: int) -> Scene:
    """n bars, each hung by its middle from an end of the bar above."""
    out: Data = {"bodies": {}, "robots": {"r": carried((0.0, 0.0, 0.3))}, "wires": {}}
    place: dict[int, tuple[float, float, float]] = {}
    for k in range(n):
        half = 0.1 * n / 2.0 ** math.floor(math.log2(k + 1)) + 0.02
        points = {"top": [0, 0, 0.01], "a": [-half, 0, 0], "b": [half, 0, 0]}
        above, end = (k - 1) // 2, "ab"[(k + 1) % 2]
        if k:
            x, y, z = place[above]
            reach = 0.1 * n / 2.0 ** math.floor(math.log2(above + 1)) + 0.02
            place[k] = x + (reach if end == "b" else -reach), y, z - 0.31
        else:
            place[k] = 0.0, 0.0, -0.01
        shape = {"mass": 0.5, "shape": {"box": [2 * half, 0.02, 0.02]}}
        out["bodies"][f"b{k}"] = shape | {"points": points, "position": place[k]}
        out["wires"][f"w{k}"] = {"from": f"b{k}.top", "to": f"b{above}.{end}" if k else "r", "length": 0.3}
    return scene_from_data(out)


KINDS = {
    "boxes": Kind(boxes, (1, 2, 5, 20), (5000, 2000, 1000, 500), (12, 10, 8, 8), 3),
    "swarm": Kind(swarm, (8, 64, 512), (1000, 200, 50), (10, 10, 10), 2),
    "net": Kind(net, (10, 20, 40, 60), (300, 200, 100, 50), (5, 5, 4, 3), 2),
    "hub": Kind(hub, (16, 64, 256), (1000, 300, 100), (5, 5, 5), 2),
    "dragged": Kind(dragged, (1, 5, 20), (500, 200, 100), (3, 3, 3), 2),
    "tower": Kind(tower, (5, 20), (1000, 300), (8, 8), 1),
    "bridge": Kind(bridge, (20, 77), (500, 200), (8, 8), 1),
    "mobile": Kind(mobile, (15, 63), (1000, 500), (8, 8), 1),
}
"""Kinds of scene; a bridge of 77 panels has 233 bodies."""


def of_kinds(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments of a benchmark of some kinds of scenes, or of all."""
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; all unless given")
    arguments = parser.parse_args()
    unknown = [kind for kind in arguments.kinds if kind not in KINDS]
    if unknown:
        parser.error(f"there is no kind {unknown[0]!r}; they are {', '.join(KINDS)}")
    return arguments


def main() -> None:
    parser = report.parser(__doc__ or "")
    parser.add_argument("--full", action="store_true", help="all sizes, and more rounds (many minutes)")
    arguments = of_kinds(parser)
    report.header("mujoco")
    print(f"\n{STEP:g} s a step, Stewart-Trinkle; times a step, the least of the rounds; ratios to MuJoCo's cheapest\n")
    rows: list[list[report.Cell]] = []
    for name in arguments.kinds or KINDS:
        kind = KINDS[name]
        count = len(kind.sizes) if arguments.full or arguments.kinds else kind.quick
        for size, steps, asked in list(zip(kind.sizes, kind.steps, kind.asked, strict=True))[:count]:
            row = measure(name, kind.build(size), size, steps, asked, 7 if arguments.full else 3)
            if rows and rows[-1][0] == name:
                row[10] = math.log(float(row[2]) / float(rows[-1][2])) / math.log(size / float(rows[-1][1]))
            rows.append(row)
            print(f"        {name} {size}: {row[6]:.3g}, again {row[7]:.3g}", flush=True)
    print()
    report.table(COLUMNS, rows, arguments.csv)
    print()
    for row in rows:
        report.verdict(f"{row[0]} {row[1]}, call", float(row[6]), float(row[9]), "times", at_least=True)


def measure(name: str, scene: Scene, size: int, steps: int, asked: float, rounds: int) -> list[report.Cell]:
    """A row of the table."""
    run = partial(towsim.simulate, scene, step=STEP, duration=steps * STEP)
    finer = towsim.simulate if scene.ground else partial(towsim.simulate, method="shake")
    fine = finer(scene, step=STEP / 4, duration=steps * STEP)
    result = run()
    with block_clock() as clock:
        work = {"call": partial(timed, run), "again": partial(timed, run), "loop": partial(clock.during, run)}
        peers = _peers(scene, steps)
        seconds = by_turns(work | peers, rounds)
    cost = {key: 1e6 * float(spent.min()) / steps for key, spent in seconds.items()}
    truth = dict(zip(result.coords["body"], fine["position"].values[-1], strict=True))
    stretch = {key: peer.stretch() for key, peer in peers.items()}
    away = {key: peer.error(steps, truth) for key, peer in peers.items()}
    good = [key for key in peers if stretch[key] <= TAUT]
    limits = [key for key in peers if key != "spring"]  # springs too stiff for a scene run away
    best = min(good, key=cost.__getitem__) if good else min(limits, key=away.__getitem__, default="")
    theirs = cost.get(best, math.nan)
    places = zip(result["position"].values[-1], truth.values(), strict=True)
    ours = max(math.dist(place, true) for place, true in places)
    return [
        *(name, size, cost["call"], cost["loop"], theirs, best + ("" if good else "*")),
        *(theirs / cost["call"], theirs / cost["again"], theirs / cost["loop"], asked, ""),
        *(-float(result["gap"].values.min()), stretch.get(best, math.nan), ours, away.get(best, math.nan)),
    ]


def _peers(scene: Scene, steps: int) -> dict[str, Any]:
    try:
        from mujoco_scene import SOLVERS, Peer
    except ImportError:
        print("MuJoCo is not installed")
        return {}
    return {solver: Peer(scene, STEP, steps, solver) for solver in SOLVERS}


if __name__ == "__main__":
    main()
