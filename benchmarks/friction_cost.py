"""What does a step with friction cost with 10, 30 and 100 rows, and how exact is it? Beside MuJoCo on the same scene.

A train of boxes on three feet each is towed over rough ground by one robot that leads aside: one wire and three
contacts of three rows per box. MuJoCo gets elliptic cones, spheres of 1 mm as feet, tendons with limits, and the stiff
settings (1/h², 1/h) that take a violation back in one step; its mocap robot is shown one step ahead. Errors are those
of the boxes' places at the end, against towsim with steps 16 times shorter.

    python benchmarks/friction_cost.py [--repeats 20]
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from timing import timed

import towsim
from towsim.scene import Scene, scene_from_data

BOXES = (1, 3, 10)
STEP, DURATION, ARRIVAL = 1e-3, 2.0, 2.5  # s; the train is still under way at the end
SHORT = 0.2  # s; a run of that length is taken off, so that what remains is what further steps cost
FEET = ([0.2, 0.0, -0.1], [-0.2, 0.15, -0.1], [-0.2, -0.15, -0.1])
MASS, SIZE, MU, LENGTH = 5.0, (0.4, 0.3, 0.2), 0.4, 0.5
EYES = {"front": [0.2, 0.0, 0.0], "back": [-0.2, 0.0, 0.0]}
PITCH = SIZE[0] + LENGTH
PATH = ((0.0, 0.0), (1.0, 0.5))
FOOT = 1e-3


def train(boxes: int, step: float) -> Scene:
    """The scene; box 0 leads."""
    start = [0.5 * SIZE[0] + LENGTH, 0.0, 0.1]
    points = EYES | {f"foot{i}": foot for i, foot in enumerate(FEET)}
    shape = {"mass": MASS, "shape": {"box": list(SIZE)}, "points": points}
    wires: dict[str, Any] = {"tow": {"from": "b0.front", "to": "robot", "length": LENGTH}}
    for i in range(1, boxes):
        wires[f"w{i}"] = {"from": f"b{i}.front", "to": f"b{i - 1}.back", "length": LENGTH}
    ways = [[start[0] + x, start[1] + y, start[2]] for x, y in PATH]
    return scene_from_data(
        {
            "bodies": {f"b{i}": shape | {"position": [-i * PITCH, 0.0, 0.1]} for i in range(boxes)},
            "robots": {"robot": {"motion": {"waypoints": {"t": [0.0, ARRIVAL], "position": ways, "kind": "quintic"}}}},
            "wires": wires,
            "ground": {"friction": MU, "contacts": [f"b{i}.foot{k}" for i in range(boxes) for k in range(3)]},
            "run": {"duration": DURATION, "step": step},
        }
    )


def ours(boxes: int, step: float, repeats: int, **options: Any) -> tuple[float, np.ndarray]:
    """Processor seconds of a further step (least of the repeats) and the boxes' places at the end."""
    scene = train(boxes, step)
    run = towsim.simulate(scene, **options)
    short = min(timed(lambda: towsim.simulate(scene, duration=SHORT, **options)) for _ in range(repeats))
    whole = min(timed(lambda: towsim.simulate(scene, **options)) for _ in range(repeats))
    return (whole - short) / round((DURATION - SHORT) / step), run["position"].values[-1]


def mujocos(boxes: int, step: float, repeats: int, solver: str) -> tuple[float, np.ndarray]:
    """The same in MuJoCo, by a native rollout."""
    from mujoco_native import Native

    t = np.arange(1, round(DURATION / step) + 1) * step
    run = Native(xml(boxes, step, solver), DURATION, train(boxes, step).robots["robot"].sample(t)[0])
    best = min(run() for _ in range(repeats))
    return best / run.steps, run.state[-1, 1 : 1 + 7 * boxes].reshape(boxes, 7)[:, :3]


def xml(boxes: int, step: float, solver: str) -> str:
    """The train as a MuJoCo model."""
    a, b, c = (side * side for side in SIZE)
    inertia = " ".join(repr(MASS / 12.0 * sum(pair)) for pair in ((b, c), (a, c), (a, b)))
    feet = "".join(f'<geom type="sphere" size="{FOOT}" pos="{x} {y} {z + FOOT}"/>' for x, y, z in FEET)
    sites = '<site name="{i}front" pos="0.2 0 0"/><site name="{i}back" pos="-0.2 0 0"/>'
    bodies = "".join(
        f'<body pos="{-i * PITCH} 0 0.1"><freejoint/><inertial pos="0 0 0" mass="{MASS}" diaginertia="{inertia}"/>'
        f"{sites.format(i=i)}{feet}</body>"
        for i in range(boxes)
    )
    stiff = f"{-1.0 / step**2!r} {-1.0 / step!r}"
    law = f'limited="true" range="0 {LENGTH}" solreflimit="{stiff}" solimplimit="0.9999 0.9999 0.001 0.5 2"'
    ends = [("0front", "robot")] + [(f"{i}front", f"{i - 1}back") for i in range(1, boxes)]
    tendons = "".join(f'<spatial {law}><site site="{p}"/><site site="{q}"/></spatial>' for p, q in ends)
    return f"""
<mujoco>
  <option timestep="{step!r}" integrator="Euler" solver="{solver}" cone="elliptic" iterations="100"
          tolerance="1e-12" gravity="0 0 -9.81"/>
  <default><geom mass="0" condim="3" friction="{MU} 0 0" solref="{stiff}" solimp="0.9999 0.9999 0.001 0.5 2"
                 contype="1" conaffinity="2"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1" contype="2" conaffinity="1"/>
    <body mocap="true" pos="{0.5 * SIZE[0] + LENGTH} 0 0.1"><site name="robot"/></body>
    {bodies}
  </worldbody>
  <tendon>{tendons}</tendon>
</mujoco>"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=20)
    repeats = parser.parse_args().repeats
    print(f"{'rows':>5}  {'solver':<28} {'µs a step':>10} {'error (m)':>10}")
    for boxes in BOXES:
        _, reference = ours(boxes, STEP / 16, 1)
        lines = [("towsim, exact cone", ours(boxes, STEP, repeats))]
        if boxes <= 3:
            lines.append(("towsim, 8 directions, Lemke", ours(boxes, STEP, 1, friction="polyhedral", solver="lemke")))
        try:
            lines += [(f"MuJoCo, {solver}", mujocos(boxes, STEP, repeats, solver)) for solver in ("Newton", "PGS")]
        except ImportError:
            print("MuJoCo is not installed")
        for name, (seconds, place) in lines:
            error = float(np.linalg.norm(place - reference, axis=1).max())
            print(f"{10 * boxes:>5}  {name:<28} {1e6 * seconds:>10.2f} {error:>10.1e}")


if __name__ == "__main__":
    main()
