"""What a plan asks of a run: its cost, goals and limits, with exact derivatives, by one run in duals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from towsim.errors import SceneError, SimulationError, UsageError
from towsim.fitting.idle import asides, sizes, unmoved
from towsim.fitting.knobs import Free, knobs, told
from towsim.fitting.limits import Bound, limit_of
from towsim.fitting.log import Column, column_of
from towsim.fitting.optimum import independent, slope_left
from towsim.fitting.predict import pick
from towsim.fitting.trials import EnoughError, LostError, Warned, trial, warn
from towsim.given import a_number
from towsim.model.arrays import Floats, Ints
from towsim.run.gradient import Cost, gradient
from towsim.run.rated import Rated
from towsim.run.sensitivities import Sensitivities, sensitivities
from towsim.scene import Scene

HELD = 1e-6
"""What is no passing of a limit, of its range."""

FLAT = 1e-9
"""What numbers change a goal of one unit, of what they change others, if they change it by rounding only."""

BEYOND = 1e9
"""Cost of numbers with which a run cannot go on."""

FAR, AWAY = 1e6, 12
"""Of the numbers' sizes, how far from the first guess a search is lost; after so many such trials in turn it ends.

A line search takes ten trials, and its first one may be as far as a cost is steep.
"""


class Asked:
    """Cost and constraints of one run in duals, which all of SciPy's callbacks share; x are the free numbers."""

    def __init__(
        self,
        scene: Scene,
        free: Free,
        goal: Mapping[str, float],
        limits: Mapping[str | Cost, tuple[Bound, Bound]],
        cost: Cost | None,
        of: Sequence[str],
        bounds: Mapping[str, tuple[float, float]],
        progress: Callable[[int, float], None] | None,
    ) -> None:
        self.scene, self.cost, self.progress, self.runs = scene, cost, progress, 0
        self.wanted = knobs(scene, [], free, (), bounds)
        if any(knob.lag or knob.offsets for knob in self.wanted):
            raise UsageError("a plan has no sensors: offsets and lags are for identify")
        self.goal = {column_of(title, "goal"): a_number(f"goal {title}", value) for title, value in goal.items()}
        if len(self.goal) > len(self.wanted):
            raise UsageError(
                f"{len(self.goal)} goals cannot be reached by {len(self.wanted)} free numbers; free more of them, or "
                "leave out goals that follow from others"
            )
        self.limits = [limit_of(what, pair) for what, pair in limits.items()]
        called = [limit.name for limit in self.limits]
        if len(set(called)) < len(called):
            twice = next(name for name in called if called.count(name) > 1)
            raise UsageError(f"limits: two are called {twice}; give their functions names of their own")
        columns = [limit.of for limit in self.limits if isinstance(limit.of, Column)]
        asked = [column.variable for column in (*self.goal, *columns)]
        self.of = tuple(dict.fromkeys([*asked, *of])) or ("position",)
        self.paths = list(dict.fromkeys(path for knob in self.wanted for path in knob.along))
        self.along = [knob.wanted for knob in self.wanted]
        self.start = np.array([knob.start for knob in self.wanted])
        self.size = sizes(self.wanted, self.start)
        self.options: dict[str, Any] = {}
        self.most_runs = math.inf
        self.rows = np.empty(0, int)
        self._last: tuple[Floats, Sensitivities] | None = None
        self._failed: Floats | None = None
        self._cost: tuple[float, Floats] = (0.0, np.empty(0))  # of the last run that there is
        self._warned: Warned = []  # of the last run
        self._away = 0  # trials in turn that were far away
        self._good = self.start  # numbers of the last run that could go on
        self._why = ""  # another one could not

    def scene_at(self, x: Floats) -> Scene:
        """The scene with the numbers x."""
        from towsim.scene.parameters import Parameters

        parameters = Parameters(self.scene)
        values = dict.fromkeys(self.paths, 0.0)
        for one, knob in zip(x, self.wanted, strict=True):
            for path, weight in knob.along.items():
                values[path] += weight * (float(one) - knob.start)
        for path in values:
            values[path] += float(parameters[path])
        return self.scene.with_values(values)

    def run(self, x: Floats) -> Sensitivities:
        """The run with the numbers x, in duals."""
        if self._last is None or not np.array_equal(self._last[0], x):
            if self.runs >= self.most_runs:
                raise EnoughError
            self._away = self._away + 1 if (np.abs(x - self.start) > FAR * self.size).any() else 0
            if self._away > AWAY and self.most_runs < math.inf:
                self._why = ""  # of numbers that say nothing
                raise LostError
            self.runs += 1
            try:
                with trial() as self._warned:
                    found = sensitivities(self.scene_at(x), self.along, self.of, **self.options)
                    self.check(found)
                self._good = x.copy()
            except (SceneError, SimulationError, UsageError) as error:
                self._why = told([knob.name for knob in self.wanted], x, error, taut=self.options["taut"])
                if self._last is None:
                    warn(self._warned)
                    if isinstance(error, SceneError):
                        raise SceneError(self._why) from None
                    raise
                found = self._last[1]  # a step too far: the search takes a shorter one
                self._failed = x.copy()
            self._last = x.copy(), found
            if self.progress is not None:
                self.progress(self.runs, self.value(x)[0])
        return self._last[1]

    def check(self, run: Sensitivities) -> None:
        """Refuse a run of which something that is asked for is no number, or has no slope."""
        asked = []
        for one in self.goal:
            end, slope = (pick(of[one.variable], one, "goal").values[-1:] for of in (run.result, run))
            asked.append((f"goal {one}", end, slope, run.time[-1:]))
        for limit in self.limits:
            of_run, rows = limit.series(run), np.isfinite(limit.bounds(run.time)).any(axis=0)
            asked.append((f"limits: {limit.name}", of_run.value[rows], of_run.rate[rows], run.time[rows]))
        if self.cost is not None:
            now, slope = self._cost = gradient(self.cost, run)
            asked.append(("the cost", np.array([now]), slope[None], np.empty(0)))
        for name, values, rates, time in asked:
            lost = np.flatnonzero(~(np.isfinite(values) & np.isfinite(rates).all(axis=1)))
            if len(lost):
                i = lost[0]
                lacks = "has no derivative" if np.isfinite(values[i]) else f"is {values[i]:g}"
                at = f" at {time[i]:g} s" if len(time) else ""
                raise UsageError(f"{name} {lacks}{at}, so that nothing leads a search on from there")

    def failed(self, x: Floats) -> bool:
        """Whether there is no run with the numbers x, which were tried last."""
        return self._failed is not None and np.array_equal(self._failed, x)

    def value(self, x: Floats) -> tuple[float, Floats]:
        """Cost and its gradient; of a run that cannot go on a cost that no search accepts."""
        self.run(x)
        if self.failed(x):
            return BEYOND, np.zeros(len(x))
        if self.cost is None:
            off = (x - self.start) / self.size
            return 0.5 * float(off @ off), off / self.size
        cost, slope = self._cost
        return cost, slope.copy()  # a search may write to it

    def missed(self, x: Floats) -> tuple[Floats, Floats]:
        """By how much the goals are missed, and the Jacobian of that."""
        run = self.run(x)
        off = [pick(run.result[one.variable], one, "goal").values[-1] - value for one, value in self.goal.items()]
        rates = [pick(run[one.variable], one, "goal").values[-1] for one in self.goal]
        return np.array(off), np.array(rates).reshape(-1, len(x))

    def independent(self, x: Floats) -> Ints:
        """Which goals the others follow from, as the height of what hangs at rest does from its place; ascending."""
        if not self.goal:
            return np.empty(0, np.int64)
        rows = self.missed(x)[1] * self.size
        length = np.linalg.norm(rows, axis=1)
        largest = [max(length[[of.variable == one.variable for of in self.goal]]) for one in self.goal]
        return independent(rows / np.fmax(largest, FLAT * length.max() or 1.0)[:, None])

    def margin(self, x: Floats) -> tuple[Floats, Floats]:
        """Distances from the limits at the samples, over the bounds' size, and their Jacobian."""
        run, off, rates = self.run(x), [np.empty(0)], [np.empty((0, len(x)))]
        for limit in self.limits:
            of_run, rows = limit.series(run), self.rows
            for sign, bound in zip((1.0, -1.0), limit.bounds(run.time), strict=True):
                asked, scale = rows[np.isfinite(bound[rows])], sign / self.unit_of(bound)
                off.append(scale * (of_run.value[asked] - bound[asked]))
                rates.append(scale * of_run.rate[asked])
        return np.concatenate(off), np.concatenate(rates)

    @staticmethod
    def unit_of(bound: Floats) -> float:
        """The largest of a bound's values: of tensions and distances in one list none shall outweigh the others."""
        return float(np.abs(bound[np.isfinite(bound)]).max(initial=0.0)) or 1.0

    def refuse_idle(self, x: Floats) -> None:
        """Refuse free numbers on which nothing depends that is asked for: they would stay, or run away."""
        idle, told = self.idle(self.run(x)), False
        for there in asides(self.wanted, x) if idle.any() else ():
            self.runs += 1
            try:
                with trial():
                    run = sensitivities(self.scene_at(there), self.along, self.of, **self.options)
                idle &= self.idle(run)
                told = True
            except (SceneError, SimulationError, UsageError):
                continue
        if told and idle.any():
            name = self.wanted[int(np.argmax(idle))].name
            raise UsageError(f"{name} changes nothing of what is asked for; leave it out, or ask for more")

    def idle(self, run: Sensitivities) -> np.ndarray:
        """Which free numbers change nothing in a run that is asked for, but by rounding; (n,)."""
        asked = [
            Rated(pick(run.result[of.variable], of, "goal").values, pick(run[of.variable], of, "goal").values[-1])
            for of in self.goal
        ]
        for limit in self.limits:
            of_run, rows = limit.series(run), np.isfinite(limit.bounds(run.time)).any(axis=0)
            asked.append(Rated(of_run.value[rows], of_run.rate[rows]))
        if self.cost is not None:
            asked.append(Rated(*gradient(self.cost, run)))
        idle = np.ones(len(self.wanted), bool)
        for one in asked:
            idle &= unmoved(np.asarray(one.value), one.rate, self.size)
        return idle

    @property
    def bounds(self) -> Any:
        """Of numbers over their size."""
        from scipy.optimize import Bounds

        return Bounds(*(np.array([(k.low, k.high) for k in self.wanted]) / self.size[:, None]).T)

    def left(self, x: Floats) -> float:
        """What is missed of goals and passed of limits, all in all, as the optimiser counts it."""
        if self.failed(x):
            return math.inf
        missed = np.abs(self.missed(x)[0]).sum() if self.goal else 0.0
        return float(missed - np.minimum(self.margin(x)[0], 0.0).sum())

    def steep(self, x: Floats, tolerance: float) -> float:
        """Slope of the cost, in numbers over their size, that neither goals, limits nor bounds reached bear."""
        size, (off, rates) = self.size, self.margin(x)
        levels = self.missed(x)[1][self.independent(x)]
        room = np.array([(x_i - k.low, k.high - x_i) for x_i, k in zip(x, self.wanted, strict=True)]) / size[:, None]
        ends = [sign * np.eye(len(x))[at < tolerance] for sign, at in zip((1.0, -1.0), room.T, strict=True)]
        walls = np.concatenate([rates[off < tolerance] * size, *ends])
        return slope_left(self.value(x)[1] * size, levels * size, walls)

    def margins(self, x: Floats) -> dict[str, _Margin]:
        """Distance from the nearer limit in every row of the run."""
        run, found = self.run(x), {}
        for limit in self.limits:
            values, (low, high) = limit.series(run).value, limit.bounds(run.time)
            units = self.unit_of(low), self.unit_of(high)
            found[limit.name] = _Margin(
                np.minimum(values - low, high - values), np.where(values - low < high - values, *units)
            )
        return found

    def beyond(self, x: Floats, tolerance: float) -> np.ndarray:
        """Rows in which a limit is passed by most, of those that follow each other."""
        rows = [np.empty(0, int)]
        for margin, unit in self.margins(x).values():
            wide = np.pad(margin, 1, constant_values=np.inf)
            lowest = (margin <= wide[:-2]) & (margin <= wide[2:])
            size = np.abs(margin[np.isfinite(margin)]).max(initial=0.0)
            rows.append(np.flatnonzero(lowest & (margin < -np.maximum(HELD * size, tolerance * unit))))
        return np.concatenate(rows)


class _Margin(NamedTuple):
    """Distance from the nearer limit, and the unit of that limit; (rows,) each."""

    nearer: Floats
    unit: Floats
