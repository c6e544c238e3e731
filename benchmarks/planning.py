"""What do exact derivatives save in planning, beside an optimiser without them?

    python benchmarks/planning.py [task ..] [--times 10]

The tasks of ``scenarios.planning``, by ``towsim.plan`` (SLSQP on exact derivatives) and by SciPy's COBYQA, a method of
trust regions for constraints without derivatives, on plain runs of the same scene, with the same cost, goals, limits
and bounds, for so many times the seconds; of its runs the best is told, by misses and excess in SI units. Wall time,
kernels compiled before; the second search of the slalom, with a wire that is slack for a while, is timed without the
first one. ``missed``: the largest miss of a goal; ``beyond``: by how much a limit is passed most, of all
steps of the run, each in its unit.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from report import header
from scipy.optimize import NonlinearConstraint, minimize

import towsim
from scenarios import planning
from towsim.fitting.planning import SAMPLES, _Search
from towsim.run.gradient import Variables

TASKS: dict[str, Callable[[], planning.Task]] = {
    "shaped-crane": planning.shaped_crane,
    "beam-through-gap": planning.beam_through_gap,
    "slalom": planning.slalom,
    "slack-slalom": lambda: planning.slalom(after=towsim.plan(**planning.slalom()).scene),
    "fast-hoist": planning.fast_hoist,
}


class Out(Exception):  # noqa: N818
    """The time is over."""


class Plain:
    """Cost, misses and margins of plain runs, counted, until a time is over; the best of them is kept."""

    def __init__(self, task: planning.Task, seconds: float) -> None:
        self.search = _Search(
            task["scene"],
            task["free"],
            task["goal"],
            task["limits"],
            None,
            task.get("of", ()),
            task.get("bounds", {}),
            None,
        )
        self.rows = np.unique(
            np.linspace(0, round(task["scene"].run.duration / task["scene"].run.step), SAMPLES).astype(int)
        )
        self.until, self.runs, self.last = time.perf_counter() + seconds, 0, (np.empty(0), np.empty(0), np.empty(0))
        self.best: tuple[float, float, float, float] = (np.inf, np.inf, np.inf, np.inf)

    def measured(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Misses of the goals, and margins at the samples."""
        if np.array_equal(self.last[0], y):
            return self.last[1:]
        if time.perf_counter() > self.until:
            raise Out
        x = y * self.search.size
        self.runs += 1
        run = towsim.simulate(self.search.scene_at(x), on_failure="record")
        rates = {name: np.zeros((*run[name].values.shape, 1)) for name in self.search.of}
        seen: Any = _Seen(run, rates)
        missed = np.array([_series(column, seen)[-1] - value for column, value in self.search.goal.items()])
        whole = [np.empty(0)]
        sampled = [np.empty(0)]
        for limit in self.search.limits:
            values, (low, high) = _series(limit.of, seen), limit.bounds(run.time)
            for margin in (values - low, high - values):
                whole.append(margin[np.isfinite(margin)])
                kept = self.rows[self.rows < len(margin)]
                sampled.append(margin[kept][np.isfinite(margin[kept])])
        margins = np.concatenate(sampled)
        beyond = max(0.0, -np.concatenate(whole).min(initial=0.0))
        worst = float(np.abs(missed).max(initial=0.0))
        cost = 0.5 * float(np.sum((y - self.search.start / self.search.size) ** 2))
        self.best = min(self.best, (worst + beyond, worst, beyond, cost))
        self.last = y.copy(), missed, margins
        return missed, margins

    def go(self) -> None:
        """Search until the time is over."""
        search = self.search
        rules = [NonlinearConstraint(lambda y: self.measured(y)[1], 0.0, np.inf)]
        if search.goal:
            rules.append(NonlinearConstraint(lambda y: self.measured(y)[0], 0.0, 0.0))
        start = search.start / search.size
        bounds = [(knob.low / size, knob.high / size) for knob, size in zip(search.wanted, search.size, strict=True)]
        with suppress(Out):
            minimize(
                lambda y: 0.5 * float(np.sum((y - start) ** 2)),
                start,
                method="COBYQA",
                bounds=bounds,
                constraints=rules,
                options={"initial_tr_radius": 0.05, "maxfev": 10**6},
            )


class _Seen(Variables):
    """A plain run, seen as costs and limits see one."""

    def __init__(self, run: towsim.Result, rates: dict[str, np.ndarray]) -> None:
        super().__init__(run, rates)
        self.run = run


def _series(what: Any, seen: _Seen) -> np.ndarray:
    if callable(what):
        return np.asarray(what(seen).value)
    from towsim.fitting.predict import pick

    return np.asarray(pick(seen.run[what.variable], what, "limits").values)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", metavar="task", help=f"of {', '.join(TASKS)}; all unless given")
    parser.add_argument("--times", type=float, default=10.0, help="seconds for COBYQA, in those of plan")
    given = parser.parse_args()
    tasks = given.tasks or [*TASKS]
    for name in tasks:
        if name not in TASKS:
            parser.error(f"no task {name!r}; there are {', '.join(TASKS)}")
    header("scipy")
    print(f"{'task':18} {'numbers':>7} {'':>10} {'runs':>6} {'seconds':>8} {'cost':>10} {'missed':>9} {'beyond':>9}")
    for name in tasks:
        task = TASKS[name]()
        towsim.plan(**{**task, "most_runs": 1})  # compiles
        begin = time.perf_counter()
        plan = towsim.plan(**task)
        seconds = time.perf_counter() - begin
        missed = max(plan.missed.values(), default=0.0)
        beyond = max(0.0, -min(plan.margin.values()))
        told = f"{plan.runs:6d} {seconds:8.1f} {plan.cost:10.3g} {missed:9.1g} {beyond:9.1g}"
        print(f"{name:18} {len(plan.names):7d} {'plan':>10} {told}{'' if plan.converged else '  not converged'}")
        other = Plain(task, given.times * seconds)
        other.go()
        _, missed, beyond, cost = other.best
        told = f"{other.runs:6d} {given.times * seconds:8.1f} {cost:10.3g} {missed:9.1g} {beyond:9.1g}"
        print(f"{'':18} {'':7} {'COBYQA':>10} {told}", flush=True)
    if "fast-hoist" in tasks:
        begin = time.perf_counter()
        least = planning.shortest(planning.fast_hoist, 2.8, 3.2)
        seconds = time.perf_counter() - begin
        print(f"least time of fast-hoist: {least.scene.run.duration:.3f} s, by bisection in {seconds:.1f} s")
        print(f"  with jumps of the acceleration: {planning.least_hoist():.3f} s")


if __name__ == "__main__":
    main()
