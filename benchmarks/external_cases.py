"""Does towsim meet what others have published? Cases of other programs and papers, run here, and the differences.

Each line: what is compared, the largest difference over the instants that are tabled, and what was asked. Sources stand
with the cases; figures only were taken over. Exit code 1 if a difference is larger than asked.

    python benchmarks/external_cases.py            all; about a minute with the kernels' compilation
    python benchmarks/external_cases.py bar        those whose name contains "bar"
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.signal import savgol_filter
from scipy.special import ellipj, ellipk

import towsim
from scenarios import get
from scenarios.cdpr44_kinematic import deviation
from scenarios.cdpr44_quadcopters import descents, lift_off
from towsim.analysis.verify import verify
from towsim.analysis.verify_case import BUILT_IN, load_case
from towsim.scene import scene_from_data

TESTS = Path(__file__).parents[1] / "tests"


@dataclass(frozen=True)
class Case:
    """A published case: where it is from, what is asked, and how it is run: largest difference, figures."""

    name: str
    source: str
    quantity: str
    unit: str
    asked: float
    run: Callable[[], float]


ADAMS = "MSC ADAMS, as published with Project Chrono (data/testing/joints, BSD-3)"
BODY = {"mass": 1.0, "inertia": [0.04, 0.1, 0.1]}
"""g = 9.80665 m/s² along −z, from rest."""

REACHED = {
    "distance": [(0, -0.9565450, -1.756423), (0, -1.933289, -0.5122448), (0, 1.911804, -0.5873727),
                 (0, 1.075668, -1.686101), (0, -1.999998, -0.002779575)],
    "distance, off centre": [(0, 3.815725, -1.196875), (0, 1.588488, -3.670108), (0, -2.461107, -3.151656),
                             (0, -3.933407, -0.6840368)],
    "spring": [(0, -0.5973274, -2.189069), (0, -1.983834, -0.3247606), (0, 1.553452, -1.561142),
               (0, 1.785007, -1.105278), (0, -1.945198, -0.7674010)],
    "level revolute": [(-0.892381, 0, -1.78988), (-1.95112, 0, -0.439479), (1.86917, 0, -0.711481),
                       (1.29696, 0, -1.52246), (-1.99968, 0, -0.0355587)],
    "revolute": [(1.04210, 3.41390, 1.58610), (-1.0, 2.00063, 2.99937), (0.87380, 3.41140, 1.58860),
                 (3.0, 2.00251, 2.99749), (1.20996, 3.40640, 1.59360)],
    "ball": [(0.107619, 2.0, 1.21012), (-0.951117, 2.0, 2.56052), (2.86917, 2.0, 2.28852),
             (2.29696, 2.0, 1.47754), (-0.999684, 2.0, 2.96444)],
    "prismatic": [(3.0, -0.451662, 0.548338), (3.0, -7.80665, -6.80665), (3.0, -20.065, -19.065),
                  (3.0, -37.2266, -36.2266), (3.0, -59.2916, -58.2916)],
}  # fmt: skip
"""Place of the body's centre [m] after 1, 2, 3, 4 and 5 s; off centre after 0.5 .. 2 s: later the rod pushes."""


def adams(kind: str) -> float:
    """A body on a rigid wire or a spring; or on a hinge, a ball joint or a slide, turned about x by −45 degrees."""
    wired = kind in ("distance", "distance, off centre", "spring")
    anchor = np.zeros(3) if wired or kind == "level revolute" else np.array([1.0, 2.0, 3.0])
    scene = {"gravity": [0, 0, -9.80665], "robots": {"world": {"position": anchor.tolist()}}}
    if wired:
        start = {"position": [0, 2, 0], "points": {"end": [0, 0, 0]}}
        if kind == "distance, off centre":
            s = np.sqrt(0.5)
            start = {"position": [0, 4, 0], "points": {"end": [2, 0, 0]}, "quaternion": [s, 0, 0, -s]}
        model = {"spring": {"stiffness": 100.0, "damping": 5.0}} if kind == "spring" else "rigid"
        scene["wires"] = {"rod": {"from": "body.end", "to": "world", "length": 2.0, "model": model}}
    else:
        turn = np.radians(-90 if kind == "level revolute" else -45)
        start = {"position": (anchor + np.array([2, 0, 0])).tolist(), "points": {"end": [-2, 0, 0]}}
        start["quaternion"] = [np.cos(turn / 2), np.sin(turn / 2), 0, 0]
        joint = {"from": "world", "to": "body.end", "kind": kind.split()[-1]}
        if kind != "ball":
            joint["axis"] = [0, -np.sin(turn), np.cos(turn)]
        scene["joints"] = {"joint": joint}
    scene["bodies"] = {"body": BODY | start}
    times = np.linspace(0.0, 2.0 if kind == "distance, off centre" else 5.0, len(REACHED[kind]) + 1)[1:]
    step = 1e-4 if wired else 2e-4
    result = towsim.simulate(scene_from_data(scene), duration=times[-1], step=step, method="shake", record_every=100)
    reached = [result["position"].sel(body="body", time=t).values for t in times]
    return float(np.abs(np.array(reached) - REACHED[kind]).max())


def built_in(name: str, quantity: str) -> float:
    """The largest error of a quantity in a case of ``towsim verify``."""
    case = load_case(BUILT_IN / f"{name}.yaml")
    return max(finding.error for finding in verify(case) if finding.quantity.startswith(quantity))


def pendulum() -> float:
    """A point on a wire of 1 m, let go level: sin(θ/2) = k sn(K − ω t, k), θ from the vertical; k² = ½."""
    scene = {
        "bodies": {"bob": {"mass": 1.0, "point": True, "position": [-1, 0, 0]}},
        "robots": {"pivot": {"position": [0, 0, 0]}},
        "wires": {"wire": {"from": "bob", "to": "pivot", "length": 1.0}},
    }
    result = towsim.simulate(scene_from_data(scene), duration=10.0, step=1e-4, method="shake", record_every=100)
    half = np.arcsin(np.sqrt(0.5) * ellipj(ellipk(0.5) - np.sqrt(9.81) * result.time, 0.5)[0])
    exact = np.stack([-np.sin(2 * half), 0 * half, -np.cos(2 * half)], axis=1)
    return float(np.abs(result["position"].sel(body="bob").values - exact).max())


LINES = np.loadtxt(TESTS / "statics" / "catenaries.csv", delimiter=",", usecols=range(1, 9))
"""Ends, length [m], EA [N], weight [N/m]; pulls of the ends: across, up at b, up at a [N]."""


def hung(length: float, top: tuple[float, float, float], material: dict[str, float], g: float, n: int) -> np.ndarray:
    """Pulls (across, up at the top, up at the bottom) of a line of n elements between the origin and ``top``."""
    scene = {
        "gravity": [0, 0, -g],
        "robots": {"a": {"position": [0, 0, 0]}, "b": {"position": list(top)}},
        "wires": {
            "line": {"from": "a", "to": "b", "length": length, "material": material, "model": {"mrfe": {"elements": n}}}
        },
    }
    one = towsim.equilibrium(scene_from_data(scene)).cables["line"]
    return np.array([one.tip_force[0], one.tip_force[2], one.root_force[2]])


def catenaries() -> float:
    """Six heavy, elastic lines of 200 elements at rest beside the closed form, relative to the pull at the top."""
    worst = 0.0
    for x, z, length, stiffness, weight, *expected in LINES:
        line = {
            "mass_per_length": weight / 9.81,
            "axial_stiffness": stiffness,
            "diameter": 0.1,
            "bending_stiffness": 1e-3,
        }
        off = np.abs(hung(length, (x, 0, z), line, 9.81, 200) - expected).max()
        worst = max(worst, float(off / np.hypot(*expected[:2])))
    return worst


def jumper() -> float:
    """Pulls of the ends of a flexible jumper at rest; its weight in water by a smaller g."""
    line = {"mass_per_length": 165.0, "axial_stiffness": 5e8, "diameter": 0.396, "bending_stiffness": 120.8e3}
    g = 9.807 * (1.0 - 1000.0 * np.pi * 0.396**2 / 4.0 / 165.0)
    return float(np.abs(hung(170.0, (100, 0, 50), line, g, 200) - [11400.0, 45710.0, 24040.0]).max())


def robotica_lift() -> float:
    """Largest error of the platform's place in x and y; in z the paper's figure cannot be met (see the gallery)."""
    one = get("cdpr44-kinematic")
    result = towsim.simulate(one.build(), **one.defaults)
    return float(np.abs(np.abs(deviation(result)[0]).max(axis=0)[:2] - [4.46e-2, 3.30e-2]).max())


def robotica_flight() -> float:
    """When the platform lifts off, and when it begins to fall after a quadcopter has failed."""
    one = get("cdpr44-quadcopters")
    result = towsim.simulate(one.build(), **one.defaults)
    return float(np.abs(np.array([lift_off(result)[0], descents(result, 3.0)[0]]) - [0.48, 4.21]).max())


FLIGHTS = sorted((TESTS / "fitting" / "data" / "flights").glob("*.csv.gz"))


def flight(path: Path) -> towsim.Identification:
    """Two quadrotors carry a load on two cords: three numbers, fitted to a log of 7.4 s, from one start.

    The robots go along their measured paths, smoothed; the cords are as long as the median of the measured distances;
    the load starts as the smoothed log has it. Free are its drag, its speed across the cords, and how far its marker
    sits beside it in that direction.
    """
    data = np.loadtxt(path, delimiter=",")
    time, (a, b, load) = data[:, 0], np.split(data[:, 1:], 3, axis=1)

    def smooth(x: np.ndarray, order: int = 0) -> np.ndarray:
        return savgol_filter(x, 31, 3, deriv=order, delta=0.01, axis=0)

    lengths = [float(np.median(np.linalg.norm(load - robot, axis=1))) for robot in (a, b)]
    normal = np.cross(a - b, [0.0, 0.0, 1.0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    body = {"mass": 0.010, "point": True, "drag": {"linear": 1e-3}}
    body |= {"position": smooth(load)[0].tolist(), "velocity": smooth(load, 1)[0].tolist()}
    scene = {
        "robots": {
            name: {"motion": {"samples": {"t": time.tolist(), "position": smooth(robot).tolist()}}}
            for name, robot in (("a", a), ("b", b))
        },
        "bodies": {"load": body},
        "wires": {name: {"from": name, "to": "load", "length": n} for name, n in zip("ab", lengths, strict=True)},
    }
    log = towsim.Log(time, {f"position[load,{axis}]": load[:, i] for i, axis in enumerate("xyz")})
    # The log does not tell how far the marker sits beside the load; so the load starts beside the marker.
    offset = {f"offset.position[load,{axis}]": normal[:, i] for i, axis in enumerate("xy")}
    offset |= {f"bodies.load.position.{i}": -normal[0, i] for i in range(2)}
    speed = {f"bodies.load.velocity.{i}": normal[0, i] for i in range(2)}
    free = ["bodies.load.drag.linear", {"offset": offset}, {"speed": speed}]
    return towsim.identify(scene_from_data(scene), log, free, taut=True, step=5e-3, method="shake")


def left(found: towsim.Identification) -> float:
    """Root mean square of the distance between the load that is logged and the load that is computed [m]."""
    return float(np.sqrt(sum(x**2 for x in found.rms["log"].values())))


ROBOTICA = "Mamidi & Bandyopadhyay, Robotica 2024, doi:10.1017/S026357472400047X"
MOORPY = "MoorPy, tests/test_catenary.py (NREL, BSD-3)"
IFTOMM = "IFToMM library of computational benchmarks"
CASES = (
    Case("wire-pendulum", f"{ADAMS}: Distance_Case01", "place of the body", "m", 3e-6, lambda: adams("distance")),
    Case("rod", f"{ADAMS}: Distance_Case03", "place of the body", "m", 3e-6, lambda: adams("distance, off centre")),
    Case("hinge", f"{ADAMS}: Revolute_Case01", "place of the body", "m", 2e-5, lambda: adams("level revolute")),
    Case("skewed-hinge", f"{ADAMS}: Revolute_Case02", "place of the body", "m", 2e-5, lambda: adams("revolute")),
    Case("ball-joint", f"{ADAMS}: Spherical_Case02", "place of the body", "m", 2e-5, lambda: adams("ball")),
    Case("slide", f"{ADAMS}: Prismatic_Case02", "place of the body", "m", 2e-4, lambda: adams("prismatic")),
    Case("spring", f"{ADAMS}: TranSpring_Case02", "place of the body", "m", 1e-5, lambda: adams("spring")),
    Case("pendulum", f"{IFTOMM}, A01: elliptic functions", "place over 10 s", "m", 1e-6, pendulum),
    Case(
        "four-bars",
        f"{IFTOMM}, A02: Exudyn, extrapolated",
        "B0 at 10 s",
        "m",
        1e-5,
        lambda: 2.0 * built_in("four-bars", "position"),  # B0 is as far from the pin as its upright is long
    ),
    Case(
        "squeezer",
        f"{IFTOMM}, A03: test set of Bari",
        "crank at 0.03 s",
        "rad",
        1e-5,
        lambda: built_in("andrews-squeezer", "joint_position"),
    ),
    Case("bricard", f"{IFTOMM}, A04: Exudyn", "start of bar 3, to 10 s", "m", 1e-5, lambda: built_in("bricard", "gap")),
    Case(
        "governor",
        f"{IFTOMM}, A05: its equations by Radau",
        "slider at 0.5 s",
        "m",
        1e-6,
        lambda: built_in("flyball-governor", "position"),
    ),
    Case("catenaries", f"{MOORPY}, six lines: closed form at 40 digits", "pulls of both ends", "1", 1e-4, catenaries),
    Case("jumper", "Lowe & Langley, OMAE 2006, static ends", "pulls of both ends", "N", 50.0, jumper),
    Case(
        "real-flights",
        f"IMRCLab/col-trans (MIT), motion capture of {len(FLIGHTS)} flights",
        "rms of the worst",
        "m",
        4e-3,
        lambda: max(left(flight(path)) for path in FLIGHTS),
    ),
    Case("cdpr44-lift", f"{ROBOTICA}, section 4.2", "largest error in x, y", "m", 2e-4, robotica_lift),
    Case("cdpr44-flight", f"{ROBOTICA}, section 4.3", "lift-off, descent", "s", 1e-2, robotica_flight),
)


def main() -> int:
    """Run the cases and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("only", nargs="?", default="", help="cases whose name contains this")
    chosen = [case for case in CASES if parser.parse_args().only in case.name]
    failed = 0
    print(f"{'case':<14} {'quantity':<22} {'difference':>11} {'asked':>8}  source")
    for case in chosen:
        found = case.run()
        failed += not found <= case.asked
        verdict = "" if found <= case.asked else "  MISSED"
        print(
            f"{case.name:<14} {case.quantity:<22} {found:>9.1e} {case.unit} {case.asked:>8.0e}  {case.source}{verdict}"
        )
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
