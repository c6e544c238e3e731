"""How many short tows a second does a sweep run, on one process and on two, and where does the time of one go?

A tow is 100 steps of four robots that carry a box: another mass of it each time, another way of the robots, another
length of the wires (and with it other places of the robots); the scene is built and checked for each.

    python benchmarks/sweep_rate.py [--runs 4000]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import towsim
from towsim.cli.sweep import Target
from towsim.sweep import sweep

FIXED = {"duration": 0.1, "step": 1e-3, "method": "stewart-trinkle"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=4000)
    runs = parser.parse_args().runs
    build = Target("four-robots-box", None, FIXED)
    one = build({"mass": 2.0}, 0)[0]
    towsim.simulate(one, **FIXED)  # kernels

    print(f"{'a run of 100 steps':<34} median ms")
    for what, call in {
        "build and check the scene": lambda mass: build({"mass": mass}, 0),
        "simulate the same scene, lean": lambda _: towsim.simulate(one, **FIXED, lean=True),
        "simulate it with its provenance": lambda _: towsim.simulate(one, **FIXED),
        "steps alone (1e5 of them / 1000)": None,
    }.items():
        if call is None:
            start = time.perf_counter()
            towsim.simulate(one, **{**FIXED, "duration": 100.0}, record_every=1000)
            print(f"{what:<34} {time.perf_counter() - start:9.3f}")
            continue
        spent = []
        for k in range(200):
            start = time.perf_counter()
            call(1.0 + 0.01 * k)
            spent.append(time.perf_counter() - start)
        print(f"{what:<34} {1e3 * np.median(spent):9.3f}")

    print(f"\n{'other':<10} {'processes':<10} {'runs/s':>8} {'scaling':>8}")
    for what, (low, high) in {"mass": (1.0, 10.0), "lift": (0.3, 0.6), "length": (0.9, 1.1)}.items():
        first = None
        for processes in (1, 2):
            some = {what: f"{low}:{high}:64"}
            sweep(build, some, metrics=["max_tension"], processes=processes)  # processes start
            axes = {what: f"{low}:{high}:{runs}"}
            found = sweep(build, axes, metrics=["max_tension"], processes=processes)
            rate = found.attrs["runs_per_second"]
            first = first or rate
            print(f"{what:<10} {processes:<10} {rate:>8.0f} {rate / first:>8.2f}")


if __name__ == "__main__":
    main()
