"""How exact for how much work? Box on 4 wires (or 3, 8) over a range of steps, beside MuJoCo's best settings.

Work is the processor time of stepping 5 s: towsim's compiled block loop, MuJoCo's rollout. The whole ``simulate()``
call stands beside it. The error is the largest distance of the box's centre from a fine-step solution.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path

import boxes
import report
from mujoco_box import Rollout, Variant
from timing import block_clock, by_turns, timed

import towsim

STEPS = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4)
METHODS = ("stewart-trinkle", "shake")
PEERS = (
    Variant("mocap", "limit", "implicitfast", "Newton", half_kick=False, soft=True),
    Variant("mocap", "limit", "Euler", "Newton"),
    Variant("carrier", "spring", "discrete", "Newton"),
    Variant("frame", "limit", "Euler", "Newton", half_kick=False),
    Variant("frame", "limit", "Euler", "Newton"),
    Variant("frame", "spring", "discrete", "Newton"),
)
ROUNDING = 1e-12  # m; errors below say nothing about the order
COLUMNS = ("what", "h s", "loop ms", "call ms", "error m", "stretch m", "order")
Curves = dict[str, list[tuple[float, float]]]


def main() -> None:
    options = report.parser(__doc__ or "")
    options.add_argument("--wires", type=int, choices=boxes.WIRES, default=4)
    options.add_argument("--plot", type=Path, metavar="FILE.png", help="draw error over work")
    arguments = options.parse_args()
    report.header("mujoco")
    truth = boxes.reference(arguments.wires)
    print(f"{arguments.wires} wires, {boxes.DURATION:g} s; reference (SHAKE) sure to {truth.uncertainty:.1e} m\n")
    rounds = 5 if arguments.quick else 15
    rows = [*_towsim(arguments.wires, truth, rounds), *_mujoco(arguments.wires, truth, rounds)]
    report.table(COLUMNS, _with_order(rows), arguments.csv)
    if arguments.plot is not None:
        _plot(rows, truth.uncertainty, arguments.wires, arguments.plot)


def _towsim(wires: int, truth: boxes.Reference, rounds: int) -> list[list[report.Cell]]:
    scene = boxes.carried_box(wires)
    rows: list[list[report.Cell]] = []
    for method in METHODS:
        for step in STEPS:
            run = partial(towsim.simulate, scene, method=method, step=step)
            with block_clock() as clock:
                seconds = by_turns({"call": partial(timed, run), "loop": partial(clock.during, run)}, rounds)
            error = truth.error(boxes.positions(scene, method, step))
            stretch = max(0.0, -float(run()["gap"].values.min()))
            call, loop = (1e3 * float(seconds[name].min()) for name in ("call", "loop"))
            rows.append([method, step, loop, call, error, stretch])
    return rows


def _mujoco(wires: int, truth: boxes.Reference, rounds: int) -> list[list[report.Cell]]:
    rows: list[list[report.Cell]] = []
    for variant in PEERS:
        for step in STEPS:
            rollout = Rollout(wires, variant, step)
            candidates: dict[str, Callable[[], float]] = {"rollout": rollout}
            seconds = 1e3 * float(by_turns(candidates, rounds)["rollout"].min())
            rows.append(["MuJoCo " + variant.name, step, seconds, "", truth.error(rollout.position), rollout.stretch])
    return rows


def _with_order(rows: list[list[report.Cell]]) -> list[list[report.Cell]]:
    """Append the order seen between a row and the one before."""
    out: list[list[report.Cell]] = []
    for before, row in zip([None, *rows], rows, strict=False):
        order: report.Cell = ""
        if before is not None and before[0] == row[0] and float(row[4]) > ROUNDING:
            order = math.log(float(before[4]) / float(row[4])) / math.log(float(before[1]) / float(row[1]))
        out.append([*row, order])
    return out


def _plot(rows: list[list[report.Cell]], floor: float, wires: int, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    curves: Curves = {}
    for row in rows:
        curves.setdefault(str(row[0]), []).append((float(row[2]), float(row[4])))
    figure, axes = pyplot.subplots(figsize=(8, 6.5), layout="constrained")
    for name, points in curves.items():
        ours = not name.startswith("MuJoCo")
        work, error = zip(*points, strict=True)
        axes.loglog(work, error, "o-" if ours else "s--", label=name, linewidth=2.0 if ours else 1.0, markersize=4)
    axes.axhline(floor, color="0.6", linewidth=0.8)
    axes.text(
        1.0, floor, "uncertainty of the reference ", transform=axes.get_yaxis_transform(), ha="right", va="bottom"
    )
    axes.set_xlabel(f"processor time of stepping {boxes.DURATION:g} s [ms]")
    axes.set_ylabel("largest position error [m]")
    axes.set_title(f"2 kg box on {wires} wires, steps {max(STEPS):g} to {min(STEPS):g} s", loc="left")
    axes.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=2, fontsize=8)
    figure.savefig(path, dpi=150)
    print(f"written   {path}")


if __name__ == "__main__":
    main()
