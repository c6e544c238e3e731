"""The 4-4 cable-driven parallel robot of Mamidi & Bandyopadhyay (Robotica 2024), and its reference runs.

    python tests/stepping/data/cdpr44.py [NAME ...]       computes them anew, in about ten minutes

Names: kinematic-zy, kinematic-yx (section 4.2; axes of the first joint), quadcopters (4.3, failure at 3 s), inclined
(4.3, second start), winches (4.4: Eq. 21 and feed of Eq. 26 together).
"""

import math
import sys
from pathlib import Path

import numpy as np

import towsim
from towsim.scene import scene_from_data

HERE = Path(__file__).parent
Y0 = math.sqrt(29 / 5) / 4
CENTRE = (0.7, Y0 + 0.4, 0.1)
CORNERS = [(-0.3, -0.4, 0.1), (0.3, -0.4, 0.1), (-0.3, 0.4, 0.1), (0.3, 0.4, 0.1)]
LENGTH = 0.75

ACROSS = (
    "0 if t <= 2 else (t-2)**2*(7-2*t)/(2*sqrt(2)) if t <= 3 else "
    "(82 + t*(t*(21-2*t) - 72))/(2*sqrt(2)) if t <= 4 else 1/sqrt(2)"
)
UP = (
    "t**2*(3-t)/4 if t <= 2 else (2 - sqrt(3)*(t-2)**2*(2*t-7))/2 if t <= 3 else "
    "(2 + sqrt(3) + sqrt(3)*(t-3)**2*(2*t-9))/2 if t <= 4 else (t-6)**2*(t-3)/4"
)
"""Motion of the exit points, Eq. 21."""

OUTWARD = {"kinematic": 0.0, "quadcopters": 0.0, "winches": 0.15}
"""How far the exit points start outside of the corners, in x and y [m]; the cables are straight and unstrained."""

INCLINED = [(0.0, 0.0, 0.4), (1.4, 0.0, 0.4), (0.0, 2 * Y0 + 0.8, 0.4), (1.4, 2 * Y0 + 0.8, 0.4)]

MATERIAL = {
    "mass_per_length": 0.05 / LENGTH,
    "diameter": 4e-3,
    "axial_stiffness": math.pi * 556e3,
    "bending_stiffness": math.pi * 2.224 / 4,
    "axial_damping": math.pi * 1148e1,
    "bending_damping": math.pi * 4.592e-2 / 4,
}


def exits(name):
    """Exit points at the start."""
    if name == "inclined":
        return INCLINED
    out = OUTWARD[name]
    up = math.sqrt(LENGTH**2 - 2 * out**2)
    return [
        (CENTRE[0] + x + math.copysign(out, x), CENTRE[1] + y + math.copysign(out, y), CENTRE[2] + z + up)
        for x, y, z in CORNERS
    ]


def scene(name, first_joint="zy", elements=5):
    """The scene ``kinematic``, ``quadcopters``, ``inclined`` or ``winches``."""
    length, width, height = 0.6, 0.8, 0.2
    bodies = {
        "platform": {
            "mass": 0.5,
            "inertia": [0.5 / 12 * (a * a + b * b) for a, b in ((height, width), (length, height), (length, width))],
            "position": CENTRE,
            "points": {f"corner{k}": place for k, place in enumerate(CORNERS, 1)},
        }
    }
    robots, wires = {}, {}
    for k, (x, y, z) in enumerate(exits(name), 1):
        if name in ("kinematic", "winches"):
            carrier = f"exit{k}"
            robots[carrier] = {
                "motion": {"formula": {"x": f"{x} + ({ACROSS})", "y": f"{y} + ({ACROSS})", "z": f"{z} + ({UP})"}}
            }
        else:
            carrier = f"quadcopter{k}"
            bodies[carrier] = {
                "mass": 0.755,
                "inertia": [5.57e-3, 5.57e-3, 1.05e-2],
                "position": (x, y, z),
                "rotors": {
                    "arm": 0.169,
                    "moment_ratio": 0.1056,
                    "thrust": "2.5*sin(pi*t) if t <= 0.5 else 2.5",
                    "failures": [{"time": 3.0}] if k == 1 else [],
                },
            }
        phase = f"(pi*{(k - 1) / 10})"
        feed = {"formula": f"{LENGTH} + 0.1*(sin(pi/5*t + {phase}) - sin({phase}))"}  # Eq. 26
        wires[f"cable{k}"] = {
            "from": carrier,
            "to": f"platform.corner{k}",
            "length": feed if name == "winches" else LENGTH,
            "material": MATERIAL,
            "model": {"mrfe": {"elements": elements, "first_joint": first_joint, "from_end": "guided"}},
        }
    spring = {"stiffness": 1e3, "damping": 1e2, "pulls": True}
    return scene_from_data(
        {
            "schema": 1,
            "name": f"cdpr44-{name}",
            "bodies": bodies,
            "robots": robots,
            "wires": wires,
            "ground": {"height": 0.1, "contacts": ["platform"], "spring": spring},
            "run": {"duration": 6.0, "step": 0.02, "method": "dae"},
        }
    )


def compute(name):
    """Run a reference and store it, all but times and positions in single precision."""
    kind, _, first_joint = name.partition("-")
    result = towsim.simulate(scene(kind, first_joint or "zy"), rtol=1e-8)
    whole = {"time": result.time, "position": result["position"].values}
    single = {key: result[key].values[:, 0] for key in ("velocity", "acceleration", "quaternion")}
    single |= {key: result[key].values for key in ("tip_force", "exit_force")}
    path = HERE / f"cdpr44-{name}.npz"
    np.savez_compressed(path, **whole, **{key: values.astype(np.float32) for key, values in single.items()})
    worst = {key: float(result[key].values.max()) for key in ("e1", "e2")}
    print(f"{path.name}: {path.stat().st_size} bytes, {result.summary().wall_time:.0f} s, {worst}", flush=True)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or ["kinematic-zy", "kinematic-yx", "quadcopters", "inclined", "winches"]:
        compute(chosen)
