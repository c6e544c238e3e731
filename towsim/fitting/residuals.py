"""Residuals of logs and their Jacobian: what runs predict of what was logged, with one set of numbers.

    r = (y(θ, t − τ) + b − measured) / σ

with numbers θ of the scene, offsets b and the lag τ of sensors. A run is as long as its lag asks for: no row is
compared with what a run has not reached. Before its start, of which nothing is known, a run is as at its start: so r
has no jumps while a search tries τ, and rows with t < τ are left out once it has found one (``leave_out``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from towsim.errors import SceneError, SimulationError, UsageError
from towsim.fitting.doubts import check_clock, check_times, check_units
from towsim.fitting.first_rows import lacking
from towsim.fitting.idle import asides, sizes, unmoved
from towsim.fitting.knobs import Knob, told
from towsim.fitting.log import Column, Log, nearer
from towsim.fitting.predict import pick
from towsim.fitting.trials import trial, warn
from towsim.methods.method import method_for
from towsim.model.arrays import Flags, Floats
from towsim.results.variables import VARIABLES
from towsim.run.options import positive
from towsim.run.sensitivities import Sensitivities, sensitivities
from towsim.scene import Scene
from towsim.scene.parameters import Parameters
from towsim.suggest import unknown

ROUND = 1e-3
"""Share of a step by which times are told apart."""


def _weights(logs: Sequence[Log], noise: Mapping[str, float]) -> dict[str, float]:
    """1/σ of each variable that is logged."""
    logged = dict.fromkeys(column.variable for log in logs for column in log.columns)
    for name in noise:
        if name not in logged:
            raise UsageError(unknown("logged variable", name, logged))
    if (noise or len({VARIABLES[name].unit for name in logged}) > 1) and not all(name in noise for name in logged):
        missing = next(name for name in logged if name not in noise)
        raise UsageError(
            f"columns of several variables are weighed by their noise: give that of {missing!r}, "
            f"in {VARIABLES[missing].unit}"
        )
    return {name: 1.0 / positive(f"noise of {name}", noise.get(name, 1.0)) for name in logged}


class Residuals:
    """Residuals of all logs and their Jacobian, by numbers."""

    def __init__(
        self,
        scenes: Sequence[Scene],
        logs: Sequence[tuple[str, Log]],
        wanted: Sequence[Knob],
        noise: Mapping[str, float],
        options: Mapping[str, Any],
        progress: Callable[[int, float], None] | None,
    ) -> None:
        self.scenes, self.logs, self.wanted, self.noise = scenes, logs, wanted, noise
        self.weights = _weights([log for _, log in logs], noise)
        self.options = options
        self.progress, self.runs = progress, 0
        self.columns = [(i, knob) for knob in wanted if knob.own for i in range(len(logs))]
        self.shared = [knob for knob in wanted if not knob.own]
        names = [knob.name for knob in self.shared]
        names += [f"{knob.name}@{i + 1}" if len(logs) > 1 else knob.name for i, knob in self.columns]
        self.names = tuple(names)
        self.all_knobs = [*self.shared, *(knob for _, knob in self.columns)]
        self.starts = np.array([*(k.start for k in self.shared), *(self._start(i, k) for i, k in self.columns)])
        self.steps = [float(options.get("step") or one.run.step) for one in scenes]
        name, controllers = options.get("method"), options.get("controllers")
        self.methods = [method_for(one, name, h, controllers) for one, h in zip(scenes, self.steps, strict=True)]
        self.since = [0.0] * len(logs)  # when rows begin to count [s]
        runs = list(enumerate(zip(scenes, self.methods, self.steps, strict=True)))
        self.lacking = {(i, one): lacking(*run, one) for i, run in runs for one in logs[i][1].columns}
        for i, (name, log) in enumerate(logs):
            check_times(log, scenes[i].run.duration, self.steps[i], name)
            for column in log.columns:
                if not self.counts(i, column).any():
                    raise UsageError(f"{name}: {column} has no row but the first ones, in which runs lack something")
        self._count()
        self._tried = {self._rows()}
        self._last: tuple[Floats, Floats, Floats] | None = None
        self.why, self._refused = "", -1  # with some numbers there is no run, after so many that were
        if len(self.kinds) <= len(self.names):
            raise UsageError(f"{len(self.kinds)} values are logged, too few for {len(self.names)} numbers")

    def _count(self) -> None:
        """Note which variable each residual is of, as integers, and what was read, over the noise."""
        kinds = {name: j for j, name in enumerate(self.weights)}
        read = [
            (kinds[one.variable], self.weights[one.variable] * x[self.counts(i, one)])
            for i, (_, log) in enumerate(self.logs)
            for one, x in log.columns.items()
        ]
        self.kinds = np.repeat([kind for kind, _ in read], [len(x) for _, x in read])
        self.readings = np.concatenate([x for _, x in read])

    def counts(self, i: int, column: Column) -> np.ndarray:
        """Which rows of log i count, bool: none from before the start, or in which the method lacks something."""
        log = self.logs[i][1]
        begun = log.time >= self.since[i] + (self.lacking[i, column] - ROUND) * self.steps[i]
        counted: np.ndarray = np.isfinite(log.columns[column]) & begun
        return counted

    def leave_out(self, x: Floats) -> bool:
        """Leave out what sensors read before the start, with the lags in x; whether other rows count than ever before.

        As long as more values are left than numbers, and some of each column.
        """
        before = self.since
        self.since = [max(self._lag(i, x), 0.0) for i in range(len(self.logs))]
        self._count()
        left = [self.counts(i, one).any() for i, (_, log) in enumerate(self.logs) for one in log.columns]
        if not all(left) or len(self.kinds) <= len(self.names) or self._rows() in self._tried:
            self.since = before
            self._count()
            return False
        self._last = None
        self._tried.add(self._rows())
        return True

    def _rows(self) -> tuple[int, ...]:
        """How many rows of each column count."""
        return tuple(int(self.counts(i, one).sum()) for i, (_, log) in enumerate(self.logs) for one in log.columns)

    def _lag(self, i: int, x: Floats) -> float:
        """That of log i [s]."""
        return next((float(x[j]) for j, knob in self.own(i) if knob.lag), 0.0)

    def left_out(self) -> Iterator[str]:
        """Sentences on rows that do not count though there are numbers in them."""
        for i, (name, log) in enumerate(self.logs):
            method, step = self.methods[i], self.steps[i]
            begun = log.time >= self.since[i] - ROUND * step
            if not begun.all():
                first = f"rows before {self.since[i]:.4g} s are left out"
                yield f"{name}: {first}: the lag is as long, and a run has no past"
            lost = [one for one, x in log.columns.items() if (begun & np.isfinite(x) & ~self.counts(i, one)).any()]
            for rows, read in sorted({(self.lacking[i, one], one.variable == "reading") for one in lost}):
                mine = [one for one in lost if (self.lacking[i, one], one.variable == "reading") == (rows, read)]
                first = f"rows before {self.since[i] + rows * step:.4g} s are left out of {', '.join(map(str, mine))}"
                learns = f"{method.name} lacks there what it learns in its first step"
                yield f"{name}: {first}: {'sensors read no whole force there yet' if read else learns}"

    def _start(self, i: int, knob: Knob) -> float:
        """First value of what each log has for itself: that of its own scene."""
        start = _value(self.scenes[i], knob.name) if knob.name in knob.along else knob.start
        knob.check(start)
        return start

    def own(self, i: int) -> list[tuple[int, Knob]]:
        """Columns of the Jacobian, and the knobs, that log i depends on."""
        mine = [(j + len(self.shared), knob) for j, (log, knob) in enumerate(self.columns) if log == i]
        return [*enumerate(self.shared), *mine]

    def scene_at(self, i: int, x: Floats) -> Scene:
        """Scene of log i with the numbers x."""
        mine = self.own(i)
        moved = {knob.name: float(x[j]) for j, knob in mine if knob.name in knob.along}
        for j, knob in mine:
            for path, weight in knob.along.items():
                if path != knob.name:  # a direction, which begins at 0
                    moved[path] = moved.get(path, _value(self.scenes[i], path)) + weight * float(x[j])
        return self.scenes[i].with_values(moved) if moved else self.scenes[i]

    def evaluate(self, x: Floats) -> tuple[Floats, Floats]:
        """Residuals and Jacobian, of one run in duals per log; infinite ones where there is no run: a step too far."""
        if self._last is not None and np.array_equal(self._last[0], x):
            return self._last[1:]
        try:
            with trial() as warned:
                residuals, jacobian = self._of_runs(x)
        except (SceneError, SimulationError, UsageError) as error:
            if self._refused != self.runs:  # the first of those in turn: steps that are shortened end in rounding
                self.why = told(self.names, x, error, taut=bool(self.options.get("taut")))
                self._refused = self.runs
            if self._last is None:
                warn(warned)
                if isinstance(error, SceneError):
                    raise SceneError(self.why) from None
                raise
            return np.full_like(self._last[1], np.inf), self._last[2]
        self.runs += 1
        self._last = x.copy(), residuals, jacobian
        if self.progress is not None:
            self.progress(self.runs, float(np.sqrt(np.mean(self._last[1] ** 2))))
        return self._last[1:]

    def refuse_idle(self) -> None:
        """Refuse numbers that change nothing of what is logged: at the first guess a search cannot tell which way."""
        idle = self._idle(self.starts)
        if not idle.any():
            return
        first = int(np.argmax(idle))
        for there in asides(self.all_knobs, self.starts):
            if np.isfinite(self.evaluate(there)[0]).all() and not self._idle(there)[first]:
                raise UsageError(
                    f"{self.names[first]} changes nothing of what is logged at the first guess, though elsewhere it "
                    "does: which way to go cannot be told there; begin with another one"
                )
        raise UsageError(f"{self.names[first]} changes nothing of what is logged; leave it out, or log more")

    def _idle(self, x: Floats) -> Flags:
        """Which numbers change what is predicted by no more than rounding, (numbers,)."""
        residuals, jacobian = self.evaluate(x)
        return unmoved(residuals + self.readings, jacobian, sizes(self.all_knobs, self.starts))

    def _of_runs(self, x: Floats) -> tuple[Floats, Floats]:
        residuals, jacobian = [], []
        for i, (name, log) in enumerate(self.logs):
            for column, r, rates in self._of_log(i, name, log, x):
                good, weight = self.counts(i, column), self.weights[column.variable]
                if not np.isfinite(r[good]).all():
                    at = log.time[good][~np.isfinite(r[good])][0]
                    raise UsageError(
                        f"{name}: {column} is logged at {at:g} s, where a run has none; leave that cell empty"
                    )
                residuals.append(weight * r[good])
                jacobian.append(weight * rates[good])
        return np.concatenate(residuals), np.concatenate(jacobian)

    def _of_log(self, i: int, name: str, log: Log, x: Floats) -> Iterator[tuple[Column, Floats, Floats]]:
        """For each column: fitted − measured (n,), and its derivatives (n, parameters)."""
        mine = self.own(i)
        moving = [(j, knob) for j, knob in mine if knob.along]
        lag = self._lag(i, x)
        step = self.steps[i]
        rows = max(self.lacking[i, column] for column in log.columns)
        steps = max(rows + 1, math.ceil((log.time[-1] - min(lag, 0.0)) / step - 1e-9))
        wanted = list(dict.fromkeys(column.variable for column in log.columns))
        options: dict[str, Any] = {**self.options, "step": step, "duration": steps * step}
        along = [knob.wanted for _, knob in moving]
        found = sensitivities(_quiet(self.scene_at(i, x)), along, wanted, some=False, **options)
        fitted: dict[Column, tuple[Floats, Floats]] = {}
        for column in log.columns:
            values, slopes, rates = _at(found, column, log.time - lag, name, self.lacking[i, column])
            total = np.zeros((len(log.time), len(self.names)))
            total[:, [j for j, _ in moving]] = rates
            for j, knob in mine:
                total[:, j] += knob.offsets.get(column, 0.0)
                values = values + knob.offsets.get(column, 0.0) * x[j]
                if knob.lag:
                    total[:, j] -= slopes
            fitted[column] = values, total
        predicted = {column: values for column, (values, _) in fitted.items()}
        measured = nearer(log.columns, predicted)
        if self.runs == 0:
            check_units(log, predicted, self.noise, name)
            for column, values in predicted.items():
                check_clock(column, measured[column], values, log, self.scenes[i].run.duration, name)
        for column, (values, total) in fitted.items():
            yield column, np.where(self.counts(i, column), values - measured[column], np.nan), total

    def left(self, x: Floats) -> dict[str, dict[str, Floats]]:
        """Measured − fitted, by log and column; with the warnings of these runs."""
        return {
            name: {str(column): -r for column, r, _ in self._of_log(i, name, log, x)}
            for i, (name, log) in enumerate(self.logs)
        }


def _quiet(scene: Scene) -> Scene:
    """The scene whose sensors add no noise: what is in a log is not that of the scene's seed."""
    noises = {f"sensors.{name}.{noise}": 0.0 for name in scene.sensors for noise in ("noise", "turn_noise")}
    return scene.with_values(noises) if noises else scene


def _value(scene: Scene, path: str) -> float:
    """The number behind a path."""
    return float(Parameters(scene)[path])


def _at(found: Sensitivities, column: Column, times: Floats, name: str, lacking: int) -> tuple[Floats, Floats, Floats]:
    """What a run predicts for a column at some times, between its rows along straight lines: values, slopes, rates.

    The first rows, if they lack something, are on the line through the next two: a lag may lead there.
    """
    clock, series = found.time, _led_back(pick(found.result[column.variable], column, name).values, lacking)
    k = np.clip(np.searchsorted(clock, times, "right") - 1, 0, len(clock) - 2)
    share = np.clip((times - clock[k]) / (clock[k + 1] - clock[k]), 0.0, 1.0)
    inside = (times >= clock[0]) & (times <= clock[-1])
    slopes = np.where(inside, (series[k + 1] - series[k]) / (clock[k + 1] - clock[k]), 0.0)
    values = series[k] + share * (series[k + 1] - series[k])
    rates = np.zeros((len(times), len(found.parameters)))
    if found.parameters:
        all_rates = _led_back(pick(found[column.variable], column, name).values, lacking)
        rates = all_rates[k] + share[:, None] * (all_rates[k + 1] - all_rates[k])
    return values, slopes, rates


def _led_back(series: Floats, lacking: int) -> Floats:
    """The series with its first rows on the line through the next two."""
    if not lacking:
        return series
    back = np.arange(lacking, 0, -1).reshape(-1, *[1] * (series.ndim - 1))
    first, second = series[lacking], series[lacking + 1]
    return np.concatenate([first - back * (second - first), series[lacking:]])
