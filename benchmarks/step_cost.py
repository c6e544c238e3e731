"""What does a step cost, and how exact is it? Box on 3, 4 and 8 wires, 5 s, beside MuJoCo's native rollout.

towsim's cost, all per step: ``call`` is the whole ``simulate()`` divided by its steps (declared scene in, Result out)
right after a rollout of MuJoCo's, ``again`` the same called once more at once, when the caches are not MuJoCo's,
``slope`` what a further step costs (a long run less a short one), ``loop`` the compiled block loop alone. MuJoCo's is
its rollout alone, called once more at once: no model compilation, nothing of Python between steps. A result is summed
up when its summary or its rows are first asked for: ``summary`` is what that costs once, per step.
Times are least and median of the rounds; ratios are medians of the ratios within a round.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import boxes
import numpy as np
import report
from boxes import Array
from mujoco_box import VARIANTS, Rollout, Variant
from timing import block_clock, by_turns, timed, warm

import towsim

STEP = 1e-3
SHORT, LONG = 1.0, 11.0  # s, for the slope
METHODS = {"stewart-trinkle": 2e-6, "shake": 1e-7}  # and the stretch allowed [m]
BUDGET = {3: 350.0, 4: 350.0, 8: 600.0}  # ns
ACCEPTABLE = 2e-5  # m, stretch of a MuJoCo variant that counts as a peer: ten times what is asked of towsim
COLUMNS = (
    "wires",
    "what",
    "call ns",
    "again ns",
    "median",
    "slope ns",
    "median",
    "summary",
    "loop ns",
    "median",
    "error m",
    "stretch m",
)


def main() -> None:
    options = report.parser(__doc__ or "")
    options.add_argument("--wires", type=int, nargs="+", choices=boxes.WIRES, default=boxes.WIRES)
    arguments = options.parse_args()
    report.header("mujoco")
    print(
        f"h = {STEP:g} s, {boxes.DURATION:g} s; errors: largest distance of the box's centre every {boxes.GRID:g} s\n"
    )
    rows: list[list[report.Cell]] = []
    judgements: list[Callable[[], None]] = []
    started = time.process_time(), time.perf_counter()
    for wires in arguments.wires:
        rows += _measure(wires, 7 if arguments.quick else 31, judgements)
    cores = (time.process_time() - started[0]) / (time.perf_counter() - started[1])
    report.table(COLUMNS, rows, arguments.csv)
    print(f"\nthreads   one; times are processor time; the process had {cores:.2f} cores on average\n")
    for judge in judgements:
        judge()


def _measure(wires: int, rounds: int, judgements: list[Callable[[], None]]) -> list[list[report.Cell]]:
    """Rows of the table for one number of wires; what is to be judged is added to ``judgements``."""
    scene, truth = boxes.carried_box(wires), boxes.reference(wires)
    print(f"{wires} wires: reference (SHAKE) sure to {truth.uncertainty:.1e} m, order seen {truth.order:.2f}")
    peers = {variant: Rollout(wires, variant, STEP) for variant in VARIANTS}
    with block_clock() as clock:
        candidates: dict[str, Callable[[], float]] = {v.name: warm(peer) for v, peer in peers.items()}
        for method in METHODS:
            run = partial(towsim.simulate, scene, step=STEP, method=method)
            candidates[method] = partial(_after, next(iter(peers.values())), run)
            candidates[method + " again"] = partial(timed, run)
            candidates[method + " summary"] = partial(_summed_up, run)
            candidates[method + " short"] = partial(timed, partial(run, duration=SHORT))
            candidates[method + " long"] = partial(timed, partial(run, duration=LONG))
            candidates[method + " loop"] = partial(clock.during, run)
        seconds = by_turns(candidates, rounds)
    steps = boxes.DURATION / STEP
    rows: list[list[report.Cell]] = []
    for method, allowed in METHODS.items():
        call, again, loop = (seconds[method + kind] / steps * 1e9 for kind in ("", " again", " loop"))
        short, long = seconds[method + " short"], seconds[method + " long"]
        further = (LONG - SHORT) / STEP / 1e9
        slope = np.array([(long.min() - short.min()) / further, float(np.median(long - short)) / further])
        result = towsim.simulate(scene, step=STEP, method=method)
        stretch = max(0.0, -float(result["gap"].values.min()))
        error = truth.error(boxes.positions(scene, method, STEP))
        summary = float(seconds[method + " summary"].min()) / steps * 1e9
        costs = float(call.min()), *_pair(again), *(float(x) for x in slope), summary, *_pair(loop)
        rows.append([wires, method, *costs, error, stretch])
        for kind, value in (("call", call.min()), ("again", again.min()), ("slope", slope[0]), ("loop", loop.min())):
            what = f"{wires} wires, {method}, {kind} per step"
            judgements.append(partial(report.verdict, what, float(value), BUDGET[wires], "ns"))
        judgements.append(partial(report.verdict, f"{wires} wires, {method}, stretch", stretch, allowed, "m"))
        own = {
            kind: seconds[name]
            for kind, name in (("call", method), ("again", method + " again"), ("loop", method + " loop"))
        }
        judgements.append(partial(_ratios, wires, method, peers, seconds, own))
    for variant, peer in peers.items():
        cost = seconds[variant.name] / steps * 1e9
        rows.append(
            [wires, variant.name, "", "", "", "", "", "", *_pair(cost), truth.error(peer.position), peer.stretch]
        )
    return rows


def _summed_up(run: Callable[[], towsim.Result]) -> float:
    """Seconds that the first summary of a result takes."""
    return timed(run().summary)


def _after(peer: Rollout, run: Callable[[], object]) -> float:
    """Seconds of a run when the caches are MuJoCo's."""
    peer()
    return timed(run)


def _pair(costs: Array) -> tuple[float, float]:
    return float(costs.min()), float(np.median(costs))


def _ratios(
    wires: int, method: str, peers: dict[Variant, Rollout], seconds: dict[str, Array], own: dict[str, Array]
) -> None:
    """Ratios to every MuJoCo variant whose stretch is acceptable; judged is the cheapest in which the robots move.

    The same scene is one whose robots move. That all move alike here lets ``frame`` hold them still: cheaper, and a
    different scene; its ratios are shown beside the others.
    """
    good = [variant for variant, peer in peers.items() if peer.stretch <= ACCEPTABLE]
    ratios = {(v, kind): float(np.median(seconds[v.name] / spent)) for v in good for kind, spent in own.items()}
    print(f"{wires} wires, {method}, MuJoCo / {', '.join(own)}:")
    for variant in good:
        print(f"    {'  '.join(f'{ratios[variant, kind]:6.1f}' for kind in own)}  {variant.name}")
    moving = [variant for variant in good if variant.robots != "frame"]
    if not moving:
        print(f"no MuJoCo variant with moving robots stretches less than {ACCEPTABLE:g} m")
        return
    best = min(moving, key=lambda variant: float(np.median(seconds[variant.name])))
    for kind in own:
        what = f"{wires} wires, {method}, MuJoCo ({best.name}) / {kind}"
        report.verdict(what, ratios[best, kind], 10.0, "times", at_least=True)


if __name__ == "__main__":
    main()
