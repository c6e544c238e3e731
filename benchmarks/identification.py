"""How often are the true numbers inside the intervals that ``towsim.identify`` gives?

    python benchmarks/identification.py [--repeats 1000]

A body that hangs on two wires and is swung by one of its robots; a gyroscope and two load cells are logged for 0.6 s,
with noise of 0.02 rad/s and 0.1 N. Mass, linear drag and the place of the centre of mass (by which the points where the
wires hold move in its frame) are found in each of many logs. Asked: in 95 ± 2 % of 1000 repeats, each of them.
"""

from __future__ import annotations

import time

import numpy as np
from report import header, parser, verdict

import towsim
from towsim.scene import scene_from_data

NOISE = {"angular_velocity": 0.02, "tension": 0.1}
DURATION, STEP, EVERY = 0.6, 1e-2, 1

CENTRE = [
    {f"centre {axis}": {f"bodies.load.position.{i}": 1.0} | {f"bodies.load.points.{point}.{i}": -1.0 for point in "pq"}}
    for i, axis in enumerate("xyz")
]
FREE = ["bodies.load.mass", "bodies.load.drag.linear", *CENTRE]


PLACE = np.array([0.55, 0.3, 0.95])
POINTS = {"p": np.array([0.1, 0.0, 0.05]), "q": np.array([-0.1, 0.02, 0.05])}
ROBOTS = {"p": np.array([0.0, 0.0, 2.0]), "q": np.array([1.0, 0.5, 2.0])}


def scene(mass: float, drag: float, centre: np.ndarray) -> towsim.Scene:
    """The body as it hangs, wherever in it its centre of mass is."""
    path = {"x": "0.1*(1-cos(4*t))", "y": "0.1*(1-cos(5*t))", "z": 2.0}
    return scene_from_data(
        {
            "name": "swing",
            "robots": {"p": {"motion": {"formula": path}}, "q": {"position": ROBOTS["q"].tolist()}},
            "bodies": {
                "load": {
                    "mass": mass,
                    "inertia": [0.02, 0.03, 0.04],
                    "position": (PLACE + centre).tolist(),
                    "points": {name: (point - centre).tolist() for name, point in POINTS.items()},
                    "drag": {"linear": drag},
                }
            },
            "wires": {
                name: {
                    "from": name,
                    "to": f"load.{name}",
                    "length": float(np.linalg.norm(ROBOTS[name] - PLACE - point)) + 1e-12,
                }
                for name, point in POINTS.items()
            },
            "run": {"step": STEP, "duration": DURATION, "method": "shake"},
        }
    )


def main() -> None:
    """Print how often each number is inside."""
    options = parser(__doc__ or "")
    options.add_argument("--repeats", type=int, default=1000)
    given = options.parse_args()
    repeats = 100 if given.quick else given.repeats
    header("scipy")
    mass, drag, centre = 1.3, 0.8, np.array([0.01, -0.015, 0.02])
    truth = np.array([mass, drag, *centre])
    names = ["mass", "drag", "centre x", "centre y", "centre z"]
    run = towsim.simulate(scene(mass, drag, centre))
    clean = {
        f"angular_velocity[load,{axis}]": run["angular_velocity"].values[::EVERY, 0, i] for i, axis in enumerate("xyz")
    }
    clean |= {f"tension[{wire}]": run["tension"].sel(wire=wire).values[::EVERY] for wire in "pq"}
    first, inside, runs = scene(1.25, 0.7, np.zeros(3)), np.zeros((repeats, 5), bool), 0
    begin = 0.0
    for i in range(repeats):
        draw = np.random.default_rng(i)
        noisy = {
            title: values + NOISE[title.partition("[")[0]] * draw.standard_normal(len(values))
            for title, values in clean.items()
        }
        found = towsim.identify(first, towsim.Log(run.time[::EVERY], noisy), FREE, noise=NOISE)
        low, high = found.interval.T
        inside[i], runs = (low <= truth) & (truth <= high), runs + found.runs
        begin = begin or time.perf_counter()  # the first one compiles
    seconds = time.perf_counter() - begin
    print(found)
    print(f"{len(run.events)} events of wires in the run")
    print(f"{repeats} repeats, {runs / repeats:.1f} runs and {1e3 * seconds / max(repeats - 1, 1):.0f} ms each")
    for name, share in zip(names, inside.mean(axis=0), strict=True):
        verdict(f"{name}: off 95 %, inside in {share:.1%}", 100.0 * abs(share - 0.95), 2.0, "%")


if __name__ == "__main__":
    main()
