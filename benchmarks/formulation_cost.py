"""What does a body more cost in each formulation? Chains of n links on ball joints; a table of steps' costs per body.

Smooth formulations take classical Runge–Kutta steps (four evaluations), the methods of ``simulate`` one problem a step:
with a joint's rows, and (``reduced joints``) in joint coordinates. ``exponent`` is the slope of log cost over log n in
the upper half: 1 for a recursion, 3 for a dense factorisation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import report

import towsim
from towsim.formulations import Kkt, MomentumStates, Reduced, Rsslm, case, scene_tree
from towsim.scene import Scene

SIZES = (8, 16, 32, 64)
STEP, STEPS = 1e-3, 40
RECURSIVE = ("reduced", "momentum", "rsslm", "stewart-trinkle", "shake", "stewart-trinkle, reduced joints")
SMOOTH = {"reduced": Reduced, "momentum": MomentumStates, "rsslm": Rsslm, "kkt": Kkt}


def main() -> None:
    arguments = report.parser(__doc__ or "").parse_args()
    report.header()
    rounds = 3 if arguments.quick else 9
    cost: dict[str, list[float]] = {}
    for n in SIZES:
        for name, run in runs(case("chain", n=n)).items():
            cost.setdefault(name, []).append(min(run() for _ in range(rounds)))
    rows: list[list[report.Cell]] = []
    slopes = {}
    for name, seconds in cost.items():
        half = len(SIZES) // 2
        slopes[name] = float(np.polyfit(np.log(SIZES[half - 1 :]), np.log(seconds[half - 1 :]), 1)[0])
        rows.append([name, *(1e6 * s / n for s, n in zip(seconds, SIZES, strict=True)), slopes[name]])
    columns = ("formulation", *(f"us a body, n={n}" for n in SIZES), "exponent")
    report.table(columns, rows, arguments.csv)
    print()
    for name in RECURSIVE:
        report.verdict(f"{name}: cost grows with the power", slopes[name], 1.15, "(1 is linear)")


def runs(scene: Scene) -> dict[str, Callable[[], float]]:
    """For each formulation a function that takes steps and returns the seconds of one."""
    tree = scene_tree(scene).tree
    reduced = scene.with_values({f"joints.{name}.reduced": True for name in scene.joints})
    found: dict[str, Callable[[], float]] = {}
    for name, kind in SMOOTH.items():
        system = kind(tree)
        system.run(2 * STEP, STEP)
        found[name] = lambda system=system: _per_step(system.run(STEPS * STEP, STEP, every=STEPS))  # type: ignore[misc]
    for name, one, method in (
        ("stewart-trinkle", scene, "stewart-trinkle"),
        ("shake", scene, "shake"),
        ("stewart-trinkle, reduced joints", reduced, "stewart-trinkle"),
    ):
        found[name] = lambda one=one, method=method: _stepped(one, method)  # type: ignore[misc]
    return found


def _per_step(motion: object) -> float:
    return float(motion.seconds / motion.steps)  # type: ignore[attr-defined]


def _stepped(scene: Scene, method: str) -> float:
    result = towsim.simulate(scene, method=method, step=STEP, duration=10 * STEPS * STEP, record_every=STEPS)
    return float(result.attributes["wall_time"]) / (10 * STEPS)


if __name__ == "__main__":
    main()
