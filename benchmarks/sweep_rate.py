"""How many short tows a second does a sweep run, on one process and on two, and where does the time of one go?

A tow is 100 steps of four robots that carry a box: another mass of it each time, another way of the robots, another
length of the wires (and with it other places of the robots), another point of the box that holds a wire, another drag.
Or 100 steps of a load on an elastic wire, of another stiffness each time. The scene is built and checked for each.

    python benchmarks/sweep_rate.py [--runs 4000]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import towsim
from towsim.cli.sweep import Target
from towsim.sweep import sweep
from towsim.sweep.run import OfScene

FIXED = {"duration": 0.1, "step": 1e-3, "method": "stewart-trinkle"}

SOFT = {"model": "elastic", "material": {"axial_stiffness": 1e4, "axial_damping": 10.0}}
HOIST = {
    "bodies": {"load": {"mass": 2.0, "point": True}},
    "robots": {"crane": {"position": [0.0, 0.0, 1.0]}},
    "wires": {"rope": {"from": "load", "to": "crane", "length": 1.0, **SOFT}},
}

BUILT, FOUR, ONE = "built by parameters", "four robots by path", "one wire by path"

CASES = {
    "mass": (BUILT, "mass", 1.0, 10.0),
    "way": (BUILT, "lift", 0.3, 0.6),
    "length": (BUILT, "length", 0.9, 1.1),
    "point": (FOUR, "bodies.box.points.p0.2", 0.1, 0.103),
    "drag": (FOUR, "bodies.box.drag.linear", 0.0, 2.0),
    "stiffness": (ONE, "wires.rope.material.axial_stiffness", 1e3, 1e5),
}
"""What differs: how scenes are made, the parameter, and its range."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=4000)
    runs = parser.parse_args().runs
    build = Target("four-robots-box", None, FIXED)
    one = build({"mass": 2.0}, 0)[0]
    towsim.simulate(one, **FIXED)  # kernels

    print(f"{'a run of 100 steps':<34} median ms")
    scenes = [build({"mass": 1.0 + 0.01 * k}, 0)[0] for k in range(400)]
    for what, call in {
        "build and check the scene": lambda mass: build({"mass": mass}, 0),
        "simulate with its provenance": lambda _: towsim.simulate(one, **FIXED),
        "simulate, lean": lambda _: towsim.simulate(one, **FIXED, lean=True),
        "simulate_many, of 400": None,
        "steps alone (1e5 of them / 1000)": None,
    }.items():
        spent = []
        for k in range(200 if call is not None else 3):
            start = time.perf_counter()
            if call is not None:
                call(1.0 + 0.01 * k)
            elif "many" in what:
                list(towsim.simulate_many(scenes, **FIXED))
            else:
                towsim.simulate(one, **{**FIXED, "duration": 100.0}, record_every=1000)
            spent.append(time.perf_counter() - start)
        runs_each = 1 if call is not None else 400 if "many" in what else 1000
        print(f"{what:<34} {1e3 * np.median(spent) / runs_each:9.3f}")

    print(f"\n{'other':<10} {'method':<16} {'processes':<10} {'runs/s':>8} {'scaling':>8}")
    for method in ("stewart-trinkle", "shake"):
        options = {**FIXED, "method": method}
        made = {
            BUILT: Target("four-robots-box", None, options),
            FOUR: OfScene(build({}, 0)[0], options),
            ONE: OfScene(towsim.Scene(**HOIST), options),
        }
        for what, (how, key, low, high) in CASES.items():
            first = None
            for processes in (1, 2):
                tries, all_runs = ({key: f"{low}:{high}:{n}"} for n in (64, runs))
                sweep(made[how], tries, metrics=["max_tension"], processes=processes)  # processes start
                found = sweep(made[how], all_runs, metrics=["max_tension"], processes=processes)
                rate = found.attrs["runs_per_second"]
                first = first or rate
                print(f"{what:<10} {method:<16} {processes:<10} {rate:>8.0f} {rate / first:>8.2f}")


if __name__ == "__main__":
    main()
