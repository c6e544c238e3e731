"""What does control cost, and how well does it follow? Named laws, and one law in Python and compiled, h = 1 ms.

``real time`` is simulated time over the time that the whole ``simulate()`` took. A sample costs the same whatever it
stands for (sensors, law, actuators, the way into and out of the compiled loop), so that rates decide; the step itself
is the line ``no control``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numba
import numpy as np
import report
from timing import by_turns, timed

import scenarios
import towsim
from towsim import Control, Result
from towsim.scene import Scene

STEP, DURATION = 1e-3, 10.0
RATES = (100.0, 250.0, 500.0, 1000.0)
EIGHT = {"formula": {"x": "0.9*sin(0.8*t)", "y": "0.9*sin(0.8*t)*cos(0.8*t)", "z": 1}}
"""A figure of eight, flown at up to 1.02 m/s."""

COLUMNS = ("scene", "controller", "rate Hz", "µs a step", "median", "µs a sample", "real time", "rms error m")


def spring(t, measured, reference, memory, command):  # type: ignore[no-untyped-def]
    """Both vehicles follow their paths as if on springs, and carry half of the load each."""
    for i in range(2):
        for j in range(3):
            error = measured.position[i + 1, j] - reference[i, 0, j]
            rate = measured.velocity[i + 1, j] - reference[i, 1, j]
            command[3 * i + j] = 2.0 * (reference[i, 2, j] - 20.0 * error - 9.0 * rate)
        command[3 * i + 2] += 2.5 * 9.81


def scenes(rate: float) -> dict[str, Scene]:
    """The shipped laws at a rate."""
    box = scenarios.get("quadcopters-carry-box").build(failure=0.0)
    load = scenarios.get("slung-load-gust").build()
    rates = {"controllers.fleet.rate": rate, "sensors": {}}
    return {
        "carry: box on four quadcopters": box.with_values(rates),
        "slung-load: in a gust": load.with_values({"controllers.hold.rate": rate, "sensors": {}}),
    }


def eights() -> dict[str, tuple[Scene, str, float]]:
    """The shipped laws on a figure of eight: scene, load, and the error that is allowed [m]."""
    box = scenarios.get("quadcopters-carry-box").build(failure=0.0)
    bob = scenarios.get("slung-load-gust").build(mass=0.5, length=1.0, wind=0.0, gust=0.0, turbulence=0.0)
    drone = {
        "motion": {"formula": {"x": "0.72*t", "y": "0.72*t", "z": 2}},  # where it starts, and how fast
        "dynamics": "quadcopter",
        "vehicle": {"mass": 1.5},
    }
    law = {"law": "slung-load", "vehicle": "helicopter", "load": "load", "path": EIGHT}
    load = {"mass": 0.5, "point": True, "position": [0, 0, 1], "velocity": [0.72, 0.72, 0]}
    slung = bob.with_values({"robots.helicopter": drone, "controllers.hold": law, "bodies.load": load})
    return {
        "a slung load": (slung, "load", 0.02),
        "a box on four quadcopters": (box.with_values({"controllers.fleet.path": EIGHT}), "box", 0.05),
    }


def main() -> None:
    options = report.parser(__doc__ or "").parse_args()
    report.header()
    print(f"h = {STEP:g} s, {DURATION:g} s of simulated time; error of the load (own law: of the vehicles)\n")
    runs: dict[tuple[str, str, float], tuple[Callable[[], Result], Scene]] = {}
    for rate in RATES:
        for name, scene in scenes(rate).items():
            runs[name, "named law", rate] = partial(towsim.simulate, scene, duration=DURATION, step=STEP), scene
    plain = scenarios.get("kinematic-versus-dynamic").build(dynamics="kinematic")
    runs["two vehicles, one load", "no control", 0.0] = partial(towsim.simulate, plain, duration=DURATION), plain
    moved = scenarios.get("kinematic-versus-dynamic").build(dynamics="point-mass")
    for rate in RATES:
        for word, law in (("own, compiled", numba.njit(spring)), ("own, Python", spring)):
            own = {"both": Control(law, rate, vehicles=("east", "west"))}
            run = partial(towsim.simulate, moved, duration=DURATION, step=STEP, controllers=own)
            runs["two vehicles, one load", word, rate] = run, moved
    started = time.process_time(), time.perf_counter()
    candidates = {str(key): partial(timed, run) for key, (run, _) in runs.items()}
    seconds = by_turns(candidates, 3 if options.quick else 9)
    cores = (time.process_time() - started[0]) / (time.perf_counter() - started[1])
    base = seconds[str(("two vehicles, one load", "no control", 0.0))].min()
    rows: list[list[report.Cell]] = []
    for key, (run, scene) in runs.items():
        spent = seconds[str(key)]
        samples = key[2] * DURATION
        sample = (spent.min() - base) / samples * 1e6 if samples else 0.0
        steps = DURATION / STEP * 1e-6
        rows.append(
            [
                *key,
                spent.min() / steps,
                float(np.median(spent)) / steps,
                sample,
                DURATION / spent.min(),
                error(run(), scene),
            ]
        )
    report.table(COLUMNS, rows, options.csv)
    print("\ncopies together (``Batch``), at 250 Hz: µs a copy and step, with so many steps a call")
    box = scenes(250.0)["carry: box on four quadcopters"]
    for n in (1, 16, 256):
        batch = towsim.Batch(box, n, step=STEP)
        spent = by_turns(
            {str(k): partial(timed, partial(_together, batch, k)) for k in (1, 10, 100)}, 3 if options.quick else 9
        )
        told = "  ".join(f"{k}: {1e6 * float(one.min()) / (100 * n):.2f}" for k, one in spent.items())
        print(f"{n:>6} copies  {told}")
    print("\nfigure of eight, up to 1.02 m/s: rms error from 6 s on, when those who start at rest have caught up")
    for name, (scene, load, most) in eights().items():
        flown = towsim.simulate(scene, duration=20.0, step=STEP)
        path = next(iter(scene.controllers.values())).path.sample(flown.time)[0]  # type: ignore[union-attr]
        off = np.linalg.norm(flown["position"].sel(body=load).values - path, axis=1)[flown.time > 6.0]
        report.verdict(f"figure of eight, {name}", float(np.sqrt(np.mean(off**2))), most, "m")
    print(f"\nthreads   one; times are processor time; the process had {cores:.2f} cores on average\n")
    for row in rows:
        if row[1] != "no control":
            least = 1.0 if row[1] == "own, Python" else 20.0
            report.verdict(f"{row[0]}, {row[1]}, {row[2]:g} Hz", float(row[6]), least, "times real time", at_least=True)


def _together(batch: towsim.Batch, k: int) -> None:
    """A hundred steps from the start, k a call."""
    batch.reset()
    for _ in range(100 // k):
        batch.step(k)


def error(result: Result, scene: Scene) -> float:
    """Root of the mean square of the distance from the path [m]."""
    paths = {law.load: law.path for law in scene.controllers.values()} or dict(scene.robots)  # type: ignore[union-attr]
    paths = {name: path for name, path in paths.items() if name in result.coords["body"]}
    if not paths:
        return 0.0
    off = [result["position"].sel(body=name).values - path.sample(result.time)[0] for name, path in paths.items()]
    return float(np.sqrt(np.mean(np.sum(np.square(off), axis=2))))


if __name__ == "__main__":
    main()
