"""What do scenes cost at the same error, and how much memory do they take? Beside MuJoCo.

Each side takes the largest step of a row of steps with which all bodies are within 1e-4 m of where they should be after
a quarter of a second, and its cheapest method or solver at that: towsim's whole call of ``simulate``, MuJoCo's rollout
alone. Where bodies should be is told by runs in steps of a 64th of a millisecond (SHAKE; Stewart-Trinkle where there is
ground). Memory is what a run of 1000 steps allocates at most: for towsim of Python and numpy, its record included, and
for MuJoCo its model and data, with the states of the rollout.

    python benchmarks/equal_error.py [KIND ...]
"""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import report
from mujoco_scene import SOLVERS, Peer
from scenes import KINDS, of_kinds
from timing import by_turns, timed

import towsim
from towsim.scene import Scene

DURATION, ERROR = 0.25, 1e-4  # s, m
STEPS = tuple(DURATION / 2**k for k in range(4, 15))  # 16 ms to 15 us
FINE = DURATION / 2**14
COLUMNS = (
    *("scene", "size", "towsim", "step ms", "ms", "error m"),
    *("MuJoCo", "step ms", "ms", "error m", "times cheaper", "MB", "MuJoCo's"),
)

Places = Mapping[str, np.ndarray]


class Found(NamedTuple):
    """A way to be near enough: its name, step [s], seconds, and error [m]."""

    name: str
    step: float
    seconds: float
    error: float


def main() -> None:
    arguments = of_kinds(report.parser(__doc__ or ""))
    report.header("mujoco")
    print(f"\n{DURATION:g} s, bodies within {ERROR:g} m at the end; times are the least of the rounds\n")
    rows: list[list[report.Cell]] = []
    for name in arguments.kinds or KINDS:
        kind = KINDS[name]
        for size in kind.sizes[: 1 if arguments.quick else min(2, kind.quick)]:
            rows.append(compare(name, size, kind.build(size), 3 if arguments.quick else 7))
            print(f"        {name} {size}: {rows[-1][10]}", flush=True)
    print()
    report.table(COLUMNS, rows, arguments.csv)


def compare(name: str, size: int, scene: Scene, rounds: int) -> list[report.Cell]:
    """A row of the table."""
    methods = ("stewart-trinkle",) if scene.ground else ("stewart-trinkle", "shake")
    truth = at_the_end(scene, methods[-1], FINE)
    ours = [found for method in methods if (found := coarsest(scene, method, truth))]
    peers = [found for solver in SOLVERS if (found := coarsest_peer(scene, solver, truth))]
    work = {f"towsim {one.name}": partial(timed, partial(run, scene, one.name, one.step)) for one in ours}
    work |= {f"MuJoCo {one.name}": Peer(scene, one.step, steps_of(one.step), one.name) for one in peers}
    seconds = {key: float(spent.min()) for key, spent in by_turns(work, rounds).items()}
    best = cheapest([one._replace(seconds=seconds[f"towsim {one.name}"]) for one in ours])
    peer = cheapest([one._replace(seconds=seconds[f"MuJoCo {one.name}"]) for one in peers])
    return [
        *(name, size, best.name, 1e3 * best.step, 1e3 * best.seconds, best.error),
        *(peer.name, 1e3 * peer.step, 1e3 * peer.seconds, peer.error),
        *(peer.seconds / best.seconds, memory(scene), memory_of_peer(scene)),
    ]


def coarsest(scene: Scene, method: str, truth: Places) -> Found | None:
    """The largest step of a method that is near enough, as are the next two smaller ones."""
    good: list[Found] = []
    for step in STEPS:
        try:
            end = at_the_end(scene, method, step)
        except towsim.SimulationError:
            good = []
            continue
        off = max(math.dist(end[body], place) for body, place in truth.items())
        good = [*good, Found(method, step, math.inf, off)] if off <= ERROR else []
        if len(good) == 3:
            break
    return good[0] if good else None


def coarsest_peer(scene: Scene, solver: str, truth: Places) -> Found | None:
    """The same of a solver of MuJoCo's."""
    good: list[Found] = []
    for step in STEPS:
        peer = Peer(scene, step, steps_of(step), solver)
        peer()
        off = peer.error(peer.steps, dict(truth))
        good = [*good, Found(solver, step, math.inf, off)] if off <= ERROR else []
        if len(good) == 3:
            break
    return good[0] if good else None


def cheapest(found: list[Found]) -> Found:
    """Of several; where there is none, no step, no time and no error."""
    return min(found, key=lambda one: one.seconds, default=Found("none", math.nan, math.nan, math.nan))


def steps_of(step: float) -> int:
    """Number of steps."""
    return round(DURATION / step)


def run(scene: Scene, method: str, step: float) -> towsim.Result:
    """A run of towsim."""
    return towsim.simulate(scene, method=method, step=step, duration=DURATION)


def at_the_end(scene: Scene, method: str, step: float) -> Places:
    """Where the bodies are then."""
    result = run(scene, method, step)
    return dict(zip(result.coords["body"], result["position"].values[-1], strict=True))


def memory(scene: Scene) -> float:
    """The most that a run of 1000 steps takes, all that it makes anew included [MB]."""
    towsim.simulate(scene, step=1e-5, duration=1e-4)  # kernels
    tracemalloc.start()
    towsim.compile(scene, step=1e-3).run(duration=1.0, on_failure="record")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def memory_of_peer(scene: Scene) -> float:
    """Model, data, and the states of as many steps [MB]."""
    peer = Peer(scene, 1e-3, 1, "Newton")
    data = peer.data.nbuffer if hasattr(peer.data, "nbuffer") else 0
    return (peer.model.nbuffer + data + peer.data.maxuse_arena + 1000 * peer.state.nbytes) / 1e6


if __name__ == "__main__":
    main()
