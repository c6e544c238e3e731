"""``plan``: which robots' paths, lengths or starts take a load to a goal, within limits all the way.

    minimise  c(θ)    with  y(θ, T) = goal,    low ≤ y(θ, t) ≤ high  at samples of the run

over numbers θ of the scene, by direct single shooting: SciPy's sequential quadratic programming on the values and exact
derivatives of the discrete run (``towsim.run.sensitivities``). Steps that pass a limit between the samples join them,
and the search goes on (the exchange method of semi-infinite programming). Without a cost of one's own it is the plan
that changes the first guess least, c = ½ Σ ((θ − θ₀)/s)², which also chooses among the many plans that reach a goal.

Source: direct shooting: Betts, Practical Methods for Optimal Control (2010), ch. 4; SLSQP: Kraft (1988).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from towsim.errors import UsageError
from towsim.fitting.knobs import Free, knobs
from towsim.fitting.log import Column, column_of
from towsim.fitting.predict import pick
from towsim.model.arrays import Floats
from towsim.quote import show
from towsim.run.gradient import Cost, gradient
from towsim.run.options import SteppedFor, checked, takes
from towsim.run.sensitivities import Sensitivities, sensitivities
from towsim.run.setup import count_steps
from towsim.scene import Scene

SAMPLES = 60
"""Instants at which limits are asked for at first, unless said otherwise."""

MOST_ROUNDS, HELD = 8, 1e-6
"""Searches, each with the steps at which the one before passed a limit; and what is no passing, of a limit's range."""


@dataclass(frozen=True)
class Plan:
    """What was found; ``print`` it for a table.

    Attributes
    ----------
    scene : with the numbers found, to be run
    names, values, start : of the numbers; (n,) each
    cost : what was minimised
    missed : by how much each goal is missed, in its unit
    margin : least distance from each limit over all steps of the run, below zero beyond it
    runs : runs in duals
    converged, message : how SciPy's optimiser ended
    """

    scene: Scene = field(repr=False)
    names: tuple[str, ...]
    values: Floats
    start: Floats
    cost: float
    missed: Mapping[str, float]
    margin: Mapping[str, float]
    runs: int
    converged: bool
    message: str

    def __str__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = [f"{'':{width}}  {'first guess':>13}  {'found':>13}"]
        for name, start, value in zip(self.names, self.start, self.values, strict=True):
            lines.append(f"{name:{width}}  {start:13.7g}  {value:13.7g}")
        lines += [f"goal {name}: missed by {by:.3g}" for name, by in self.missed.items()]
        lines += [f"limit of {name}: least margin {by:.3g}" for name, by in self.margin.items()]
        state = "converged" if self.converged else "NOT converged"
        lines.append(f"cost {self.cost:.6g}; {state} after {self.runs} runs: {self.message}")
        return "\n".join(lines)


@takes(SteppedFor)
def plan(
    scene: Scene,
    free: Free,
    goal: Mapping[str, float],
    limits: Mapping[str, tuple[float, float]] | None = None,
    *,
    cost: Cost | None = None,
    of: tuple[str, ...] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
    samples: int = SAMPLES,
    most_runs: int = 200,
    tolerance: float = 1e-9,
    taut: bool = False,
    progress: Callable[[int, float], None] | None = None,
    **options: Unpack[SteppedFor],
) -> Plan:
    """Find numbers with which a run ends where it should, and keeps within limits on the way.

    Parameters
    ----------
    scene : with a first guess of what is free
    free : paths of numbers, such as ``robots.crane.motion.waypoints.position.1.0``, and directions, as of ``identify``
    goal : what the run's end should be, by title: ``{"position[load,x]": 2.0, "velocity[load,x]": 0.0}``
    limits : least and largest value over the run, such as ``{"tension[left]": (0.5, 40.0)}``; infinite for none
    cost : to be minimised, a function of the run as of ``Model.gradient``; ``of`` names the variables that it looks at
    bounds : least and largest value of free numbers
    samples : instants, evenly over the run, at which limits are asked for at first; then also where they are passed
    most_runs, tolerance : the search ends after so many runs, or when the cost changes by less
    taut : as of ``identify``
    progress : called with (runs, cost) after every run
    options : as of ``simulate``, by name

    Returns
    -------
    Plan : look at ``converged``, ``missed`` and ``margin``

    Raises
    ------
    UsageError : a name or a number that does not fit, by name
    SimulationError : a run cannot go on with numbers that the search has tried
    """
    if not goal and not limits and cost is None:
        raise UsageError("nothing is asked for: give a goal, limits or a cost")
    if not (isinstance(samples, int) and samples >= 2):
        raise UsageError(f"samples must be a whole number, at least 2, got {show(samples)}")
    given = checked(options, SteppedFor)
    step, duration = given["step"] or scene.run.step, given["duration"] or scene.run.duration
    search = _Search(scene, free, goal, limits or {}, cost, of, bounds or {}, progress)
    search.options = {**options, "step": step, "duration": duration, "taut": taut}
    search.rows = np.unique(np.linspace(0, count_steps(duration, step), samples).round().astype(int))
    return search.go(most_runs, tolerance)


class _Search:
    """Cost and constraints of one run in duals, which all of SciPy's callbacks share."""

    def __init__(
        self,
        scene: Scene,
        free: Free,
        goal: Mapping[str, float],
        limits: Mapping[str, tuple[float, float]],
        cost: Cost | None,
        of: tuple[str, ...],
        bounds: Mapping[str, tuple[float, float]],
        progress: Callable[[int, float], None] | None,
    ) -> None:
        self.scene, self.cost, self.progress, self.runs = scene, cost, progress, 0
        self.wanted = knobs(scene, [], free, (), bounds)
        if any(knob.lag or knob.offsets for knob in self.wanted):
            raise UsageError("a plan has no sensors: offsets and lags are for identify")
        self.goal = {column_of(title, "goal"): float(value) for title, value in goal.items()}
        self.limits = {column_of(title, "limits"): _pair(title, pair) for title, pair in limits.items()}
        asked = [column.variable for column in (*self.goal, *self.limits)]
        self.of = tuple(dict.fromkeys([*asked, *of])) or ("position",)
        self.paths = list(dict.fromkeys(path for knob in self.wanted for path in knob.along))
        self.weights = np.array([[knob.along.get(path, 0.0) for path in self.paths] for knob in self.wanted])
        self.start = np.array([knob.start for knob in self.wanted])
        self.size = np.where(self.start == 0.0, 1.0, np.abs(self.start))
        self.options: dict[str, Any] = {}
        self.rows = np.empty(0, int)
        self._last: tuple[Floats, Sensitivities] | None = None

    def scene_at(self, x: Floats) -> Scene:
        """The scene with the numbers x."""
        from towsim.scene.parameters import Parameters

        parameters = Parameters(self.scene)
        values = dict.fromkeys(self.paths, 0.0)
        for number, knob in zip(x, self.wanted, strict=True):
            for path, weight in knob.along.items():
                values[path] += weight * (float(number) - knob.start)
        for path in values:
            whole, _, index = path.rpartition(".")
            values[path] += float(parameters[path] if path in parameters else parameters[whole][int(index)])
        return self.scene.with_values(values)

    def run(self, x: Floats) -> Sensitivities:
        """The run with the numbers x, in duals."""
        if self._last is None or not np.array_equal(self._last[0], x):
            found = sensitivities(self.scene_at(x), self.paths, self.of, **self.options)
            self.runs += 1
            self._last = x.copy(), found
            if self.progress is not None:
                self.progress(self.runs, self.value(x)[0])
        return self._last[1]

    def value(self, x: Floats) -> tuple[float, Floats]:
        """Cost and its gradient."""
        if self.cost is None:
            off = (x - self.start) / self.size
            return 0.5 * float(off @ off), off / self.size
        found, slope = gradient(self.cost, self.run(x))
        return found, self.weights @ slope

    def missed(self, x: Floats) -> tuple[Floats, Floats]:
        """By how much the goals are missed, and the Jacobian of that."""
        run = self.run(x)
        off = [pick(run.result[one.variable], one, "goal").values[-1] - value for one, value in self.goal.items()]
        rates = [pick(run[one.variable], one, "goal").values[-1] for one in self.goal]
        return np.array(off), np.array(rates).reshape(-1, len(self.paths)) @ self.weights.T

    def margin(self, x: Floats) -> tuple[Floats, Floats]:
        """Distances from the limits at the samples, and their Jacobian."""
        run, off, rates = self.run(x), [np.empty(0)], [np.empty((0, len(self.paths)))]
        for column, (low, high) in self.limits.items():
            values = pick(run.result[column.variable], column, "limits").values[self.rows]
            slopes = pick(run[column.variable], column, "limits").values[self.rows]
            for sign, bound in ((1.0, low), (-1.0, high)):
                if math.isfinite(bound):
                    off.append(sign * (values - bound))
                    rates.append(sign * slopes)
        return np.concatenate(off), np.concatenate(rates) @ self.weights.T

    def go(self, most_runs: int, tolerance: float) -> Plan:
        """Search, ask for the limits at steps beyond them as well, search again; tell what was found."""
        x, off = self.start, np.empty(0)
        for _ in range(MOST_ROUNDS):
            found = self.minimise(x, most_runs - self.runs, tolerance)
            x = found.x * self.size
            beyond = self.beyond(x)
            if not len(beyond) or self.runs >= most_runs or not found.success:
                break
            self.rows = np.union1d(self.rows, beyond)
        if self.goal:
            off = self.missed(x)[0]
        return Plan(
            scene=self.scene_at(x),
            names=tuple(knob.name for knob in self.wanted),
            values=x,
            start=self.start,
            cost=self.value(x)[0],
            missed={str(column): abs(float(by)) for column, by in zip(self.goal, off, strict=True)},
            margin={str(column): float(by.min()) for column, by in self.margins(x).items()},
            runs=self.runs,
            converged=bool(found.success),
            message=str(found.message),
        )

    def minimise(self, x: Floats, most: int, tolerance: float) -> Any:
        """SciPy's answer, in numbers over their size, from x on."""
        from scipy.optimize import minimize

        scale, asked = self.size, [("eq", self.missed)] if self.goal else []
        asked += [("ineq", self.margin)] if self.limits else []
        return minimize(
            lambda y: self.value(y * scale)[0],
            x / scale,
            jac=lambda y: self.value(y * scale)[1] * scale,
            bounds=[(k.low / s, k.high / s) for k, s in zip(self.wanted, scale, strict=True)],
            constraints=[
                {"type": kind, "fun": _at(both, 0, scale), "jac": _at(both, 1, scale)} for kind, both in asked
            ],
            method="SLSQP",
            options={"maxiter": max(most, 1), "ftol": tolerance},
        )

    def margins(self, x: Floats) -> dict[Column, Floats]:
        """Distance from the nearer limit in every row of the run."""
        run, found = self.run(x), {}
        for column, (low, high) in self.limits.items():
            values = pick(run.result[column.variable], column, "limits").values
            found[column] = np.minimum(values - low, high - values)
        return found

    def beyond(self, x: Floats) -> np.ndarray:
        """Rows in which a limit is passed by most, of those that follow each other."""
        rows = [np.empty(0, int)]
        for margin in self.margins(x).values():
            wide = np.pad(margin, 1, constant_values=np.inf)
            lowest = (margin <= wide[:-2]) & (margin <= wide[2:])
            rows.append(np.flatnonzero(lowest & (margin < -HELD * np.abs(margin).max())))
        return np.concatenate(rows)


def _at(both: Callable[[Floats], tuple[Floats, Floats]], which: int, scale: Floats) -> Callable[[Floats], Floats]:
    """A constraint's values (0), or its Jacobian (1), in scaled numbers."""
    return (lambda y: both(y * scale)[1] * scale) if which else (lambda y: both(y * scale)[0])


def _pair(title: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = (float(one) for one in pair)
    except (TypeError, ValueError):
        raise UsageError(
            f"limits: {title}: two numbers are needed, the least and the largest, got {show(pair)}"
        ) from None
    if not low < high:
        raise UsageError(f"limits: {title}: the least, {low:g}, must be below the largest, {high:g}")
    return low, high
