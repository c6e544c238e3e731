"""``identify``: which numbers make a scene do what was logged, how well they are known, and which are not.

    minimise  ½ Σ ρ(r²),    r = (y(θ, t − τ) + b − measured) / σ

over numbers θ of the scene, offsets b and the lag τ of sensors, by SciPy's trust-region least squares with the exact
Jacobian ∂r/∂θ of the discrete run (``towsim.run.sensitivities``): one run in duals for every seven numbers gives r and
its Jacobian at once. Near the minimum the errors of θ are normal with the covariance s² (JᵀJ)⁻¹.

Source: Gauss–Newton with a trust region (Branch, Coleman & Li 1999, in SciPy); covariance: Seber & Wild, Nonlinear
Regression (1989), ch. 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from towsim.errors import SceneError, SimulationError, UsageError
from towsim.fitting.judged import errors, leads_on
from towsim.fitting.knobs import Free, Knob, knobs, told
from towsim.fitting.log import Column, Log, read_log
from towsim.fitting.predict import pick
from towsim.given import a_function, a_list, a_mapping, a_number
from towsim.model.arrays import Floats
from towsim.results.variables import VARIABLES
from towsim.run.options import Stepped, checked, positive, takes, whole_number
from towsim.run.sensitivities import Sensitivities, sensitivities
from towsim.scene import Scene
from towsim.scene.expand import a_scene
from towsim.scene.parameters import Parameters
from towsim.suggest import is_one_of, unknown

LOSSES = ("linear", "soft_l1", "huber", "cauchy")

FEW_GAINS = 1e-7
"""Relative fall of the cost below which a fit has converged: estimates then change by far less than their errors."""

SMOOTH, ROUGH, FEW = 0.1, 0.5, 20
"""Roughness of a column that is smooth, and of one that is not; in how many rows nothing is said."""

MOST_RUNS = 10**9
"""More than any fit makes."""

OTHER_UNIT = 200.0
"""How much larger or smaller than predicted what is logged may be, before its unit is doubted; how much longer a log
than a run of its scene."""

WITHIN_NOISE = 5.0
"""Standard deviations of the noise that what is logged must exceed before its size says anything."""

UNEXPLAINED = 3.0
"""Noises that what is left may be, before it is said that the scene does not explain the log."""


@dataclass(frozen=True)
class Identification:
    """What a fit has found; ``print`` it for a table.

    Attributes
    ----------
    names : of the numbers; of those that each log has for itself, with ``@1``, ``@2`` .. behind
    values, sigma : (n,) estimates and their standard errors; infinite where they cannot be told
    interval : (n, 2) confidence intervals
    confidence : their probability
    correlation : (n, n) of the errors
    at_bound : names of the numbers that ended on one of their bounds, where intervals do not hold
    rank : numbers that the logs can tell, of n
    not_told : combinations that they cannot tell, as sentences
    rms : root mean square of what is left, by log and column, in the column's unit
    misfit : root mean square of all that is left, in noises: about 1 where the scene explains the logs; with a loss
        other than "linear" 1.48 times the median, and NaN where no noise was given
    residuals : measured − fitted, by log and column
    times : of each log [s]
    runs : runs in duals per log that the fit took
    scenes : with the numbers that were found, one for each log
    converged, message : how SciPy's optimiser ended
    """

    names: tuple[str, ...]
    values: Floats
    sigma: Floats
    interval: Floats
    confidence: float
    correlation: Floats
    at_bound: tuple[str, ...]
    rank: int
    not_told: tuple[str, ...]
    rms: Mapping[str, Mapping[str, float]]
    misfit: float
    residuals: Mapping[str, Mapping[str, Floats]] = field(repr=False)
    times: Mapping[str, Floats] = field(repr=False)
    runs: int
    scenes: tuple[Scene, ...] = field(repr=False)
    converged: bool
    message: str

    @property
    def scene(self) -> Scene:
        """The scene with the numbers found; of several logs, that of the first one."""
        return self.scenes[0]

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise UsageError(unknown("fitted number", name, self.names))
        return float(self.values[self.names.index(name)])

    def __str__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = [f"{'':{width}}  {'estimate':>13}  {'± ':>10}  {100 * self.confidence:g} % interval"]
        for name, value, sigma, (low, high) in zip(self.names, self.values, self.sigma, self.interval, strict=True):
            told = f"{sigma:10.3g}  {low:.6g} .. {high:.6g}"
            if name in self.at_bound:
                told = f"{'':10}  at its bound: no interval holds there"
            lines.append(f"{name:{width}}  {value:13.7g}  {told}")
        strong = [
            f"{self.names[i]} and {self.names[j]} ({self.correlation[i, j]:+.3f})"
            for i in range(len(self.names))
            for j in range(i)
            if abs(self.correlation[i, j]) > 0.95
        ]
        if strong:
            lines.append("strongly correlated: " + ", ".join(strong[:6]))
        lines += self.not_told
        for log, columns in self.rms.items():
            lines.append(f"{log}: rms left " + ", ".join(f"{name} {value:.3g}" for name, value in columns.items()))
        if self.misfit > UNEXPLAINED:
            lines.append(
                f"what is left is {self.misfit:.3g} times the noise: the scene does not explain the logs within it, "
                "and the intervals are too narrow"
            )
        state = "converged" if self.converged else "NOT converged"
        lines.append(f"{state} after {self.runs} runs: {self.message}")
        return "\n".join(lines)

    def plot(self, path: str | Path) -> Path:
        """Draw what is left, over time, one panel for each variable; writes ``path`` (.png, .pdf, .svg)."""
        from matplotlib.figure import Figure

        panels: dict[str, list[tuple[str, Floats, Floats]]] = {}
        for log, columns in self.residuals.items():
            for title, values in columns.items():
                label = title if len(self.residuals) == 1 else f"{log}: {title}"
                panels.setdefault(title.partition("[")[0], []).append((label, self.times[log], values))
        figure = Figure(figsize=(8.0, 1.2 + 2.4 * len(panels)), layout="constrained")
        for i, (variable, curves) in enumerate(panels.items(), 1):
            axes = figure.add_subplot(len(panels), 1, i)
            for label, time, values in curves:
                axes.plot(time, values, ".", markersize=2.5, label=label)
            axes.axhline(0.0, color="0.6", linewidth=0.8)
            axes.set_ylabel(f"{variable} left ({VARIABLES[variable].unit})")
            axes.legend(fontsize="small", ncols=2)
        axes.set_xlabel("time (s)")
        figure.savefig(path)
        return Path(path)


@takes(Stepped)
def identify(
    scene: Scene | Sequence[Scene],
    logs: Log | str | Path | Sequence[Log | str | Path],
    free: Free,
    *,
    own: Sequence[str] = (),
    noise: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    loss: str = "linear",
    confidence: float = 0.95,
    most_runs: int = 60,
    taut: bool = False,
    progress: Callable[[int, float], None] | None = None,
    **options: Unpack[Stepped],
) -> Identification:
    """Find the numbers with which a scene does what was logged.

    Parameters
    ----------
    scene : what was flown, with first guesses for what is free; one for all logs, or one for each
    logs : what sensors recorded, as ``Log`` or as CSV files (see ``read_log``); t = 0 is the start of the run
    free : paths of numbers (``bodies.load.mass``), sensors' numbers (``offset.position[load,x]``, ``lag``), and
        directions: ``{"speed": {"bodies.load.velocity.0": 0.8, "bodies.load.velocity.1": 0.6}}`` is one number, which
        begins at 0, and moves several
    own : of these, what each log has for itself, such as the velocity at its start
    noise : standard deviation of each variable, such as ``{"position": 0.001}`` [SI]; needed with columns of several
        units. Without it the errors are estimated from what is left
    bounds : least and largest value by name; numbers that a scene takes only above zero stay there by themselves
    loss : "linear" (least squares), or "soft_l1", "huber", "cauchy", which outliers do not drag along: there σ = noise,
        or the spread of the first residuals
    confidence : probability of the intervals; they hold for errors that are independent from row to row
    most_runs : after so many the fit ends, converged or not
    taut : whether loads begin where every rigid wire is at its length, see ``Scene.project``
    progress : called with (runs, root mean square of r) after every run
    options : as of ``simulate``, by name; what has derivatives, see ``Model.sensitivities``

    Returns
    -------
    Identification

    Raises
    ------
    UsageError : a log or a number that does not fit the scene, by name; fewer values than numbers
    SceneError : a scene cannot start with the first guess, such as with a wire that is stretched
    SimulationError : a run cannot go on with the first guess
        (later numbers of which either is true count as steps too far)
    """
    given = [logs] if isinstance(logs, Log | str | PathLike) else a_list("logs", logs, " of logs")
    read = [one if isinstance(one, Log) else read_log(one) for one in given]
    if not read:
        raise UsageError("no logs are given")
    one_for_all = isinstance(scene, Scene | str) or not isinstance(scene, Iterable)
    scenes = [a_scene(scene)] * len(read) if one_for_all else [a_scene(one) for one in scene]
    if len(scenes) != len(read):
        raise UsageError(f"{len(scenes)} scenes and {len(read)} logs; give one scene for all, or one for each")
    if not is_one_of(loss, LOSSES):
        raise UsageError(unknown("loss", loss, LOSSES))
    if not 0.0 < a_number("confidence", confidence) < 1.0:
        raise UsageError(f"confidence must be between 0 and 1, got {confidence!r}")
    a_mapping("noise", noise or {}, "from variables to numbers")
    if progress is not None:
        a_function("progress", progress, "of the runs so far and what is left")
    whole_number(1, MOST_RUNS)("most_runs", most_runs)
    wanted = knobs(scenes[0], read, free, own, bounds or {})
    step = checked(options, Stepped)["step"] or scenes[0].run.step
    how = {**options, "step": step, "taut": taut}
    return _Fit(scenes, _distinct(read), wanted, noise or {}, how, most_runs, progress).go(loss, confidence)


def _distinct(logs: Sequence[Log]) -> list[tuple[str, Log]]:
    names = [log.name for log in logs]
    return [(f"{log.name} {i}" if names.count(log.name) > 1 else log.name, log) for i, log in enumerate(logs, 1)]


def _weights(logs: Sequence[Log], noise: Mapping[str, float]) -> dict[str, float]:
    """1/σ of each variable that is logged."""
    logged = dict.fromkeys(column.variable for log in logs for column in log.columns)
    for name in noise:
        if name not in logged:
            raise UsageError(unknown("logged variable", name, logged))
    if len({VARIABLES[name].unit for name in logged}) > 1 and not all(name in noise for name in logged):
        missing = next(name for name in logged if name not in noise)
        raise UsageError(
            f"columns of several units are weighed by their noise: give that of {missing!r}, "
            f"in {VARIABLES[missing].unit}"
        )
    return {name: 1.0 / positive(f"noise of {name}", noise.get(name, 1.0)) for name in logged}


class _Fit:
    """Residuals and their Jacobian, and what follows from them."""

    def __init__(
        self,
        scenes: Sequence[Scene],
        logs: Sequence[tuple[str, Log]],
        wanted: Sequence[Knob],
        noise: Mapping[str, float],
        options: Mapping[str, Any],
        most_runs: int,
        progress: Callable[[int, float], None] | None,
    ) -> None:
        self.scenes, self.logs, self.wanted, self.noise = scenes, logs, wanted, noise
        self.weights = _weights([log for _, log in logs], noise)
        self.options = options
        self.most_runs, self.progress, self.runs = most_runs, progress, 0
        self.columns = [(i, knob) for knob in wanted if knob.own for i in range(len(logs))]
        self.shared = [knob for knob in wanted if not knob.own]
        names = [knob.name for knob in self.shared]
        names += [f"{knob.name}@{i + 1}" if len(logs) > 1 else knob.name for i, knob in self.columns]
        self.names = tuple(names)
        self.all_knobs = [*self.shared, *(knob for _, knob in self.columns)]
        self.starts = np.array([*(k.start for k in self.shared), *(self._start(i, k) for i, k in self.columns)])
        self._last: tuple[Floats, Floats, Floats] | None = None
        self._why = ""  # with some numbers there is no run
        rows = sum(int(np.isfinite(values).sum()) for _, log in logs for values in log.columns.values())
        if rows <= len(self.names):
            raise UsageError(f"{rows} values are logged, too few for {len(self.names)} numbers")
        for one, (name, log) in zip(scenes, logs, strict=True):
            if log.time[-1] > OTHER_UNIT * one.run.duration:
                raise UsageError(
                    f"{name}: times go to {log.time[-1]:g} s, and a run of the scene lasts {one.run.duration:g} s: "
                    "are they in another unit, such as milliseconds? If not, let the scene's run.duration be as long"
                )

    def _start(self, i: int, knob: Knob) -> float:
        """First value of what each log has for itself: that of its own scene."""
        return _value(self.scenes[i], knob.name) if knob.name in knob.along else knob.start

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
            residuals, jacobian = self._of_runs(x)
        except (SceneError, SimulationError) as error:
            self._why = told(self.names, x, error, taut=bool(self.options.get("taut")))
            if self._last is None:
                if isinstance(error, SceneError):
                    raise SceneError(self._why) from None
                raise
            return np.full_like(self._last[1], np.inf), self._last[2]
        self.runs += 1
        self._last = x.copy(), residuals, jacobian
        if self.progress is not None:
            self.progress(self.runs, float(np.sqrt(np.mean(self._last[1] ** 2))))
        return self._last[1:]

    def _of_runs(self, x: Floats) -> tuple[Floats, Floats]:
        residuals, jacobian = [], []
        for i, (name, log) in enumerate(self.logs):
            for column, r, rates in self._of_log(i, name, log, x):
                good, weight = np.isfinite(r), self.weights[column.variable]
                residuals.append(weight * r[good])
                jacobian.append(weight * rates[good])
        return np.concatenate(residuals), np.concatenate(jacobian)

    def _of_log(self, i: int, name: str, log: Log, x: Floats) -> Iterator[tuple[Column, Floats, Floats]]:
        """For each column: fitted − measured (n,), and its derivatives (n, parameters)."""
        mine = self.own(i)
        moving = [(j, knob) for j, knob in mine if knob.along]
        lags = [j for j, knob in mine if knob.lag]
        lag = float(x[lags[0]]) if lags else 0.0
        step = float(self.options["step"])
        steps = max(1, math.ceil(log.time[-1] / step - 1e-9))
        wanted = list(dict.fromkeys(column.variable for column in log.columns))
        options: dict[str, Any] = {**self.options, "duration": steps * step}
        along = [knob.wanted for _, knob in moving]
        found = sensitivities(self.scene_at(i, x), along, wanted, some=False, **options)
        fitted: dict[Column, tuple[Floats, Floats]] = {}
        for column in log.columns:
            values, slopes, rates = _at(found, column, log.time - lag, name)
            total = np.zeros((len(log.time), len(self.names)))
            total[:, [j for j, _ in moving]] = rates
            for j, knob in mine:
                total[:, j] += knob.offsets.get(column, 0.0)
                values = values + knob.offsets.get(column, 0.0) * x[j]
                if knob.lag:
                    total[:, j] -= slopes
            fitted[column] = values, total
        if self.runs == 0:
            predicted = {column: values for column, (values, _) in fitted.items()}
            _check_units(log, predicted, self.noise, name)
            for column, values in predicted.items():
                _check_clock(column, log.columns[column], values, log)
        for column, (values, total) in fitted.items():
            yield column, values - log.columns[column], total

    def go(self, loss: str, confidence: float) -> Identification:
        """Minimise, and judge what was found."""
        from scipy.optimize import least_squares

        first, jacobian = self.evaluate(self.starts)
        unseen = [name for name, column in zip(self.names, jacobian.T, strict=True) if not column.any()]
        if unseen:
            raise UsageError(f"{unseen[0]} changes nothing of what is logged; leave it out, or log more")
        scale, known = 1.0, bool(self.noise)
        if loss != "linear" and not known:
            scale = 1.4826 * float(np.median(np.abs(first))) or 1.0
        found = least_squares(
            lambda x: self.evaluate(x)[0],
            self.starts,
            jac=lambda x: self.evaluate(x)[1],
            bounds=(np.array([k.low for k in self.all_knobs]), np.array([k.high for k in self.all_knobs])),
            x_scale="jac",
            loss=loss,
            f_scale=scale,
            ftol=FEW_GAINS,
            max_nfev=self.most_runs,
        )
        x = np.asarray(found.x)
        residuals, jacobian = self.evaluate(x)
        judged = errors(self.names, residuals, jacobian, confidence, known=known)
        left = {name: dict(self._left(i, name, log, x)) for i, (name, log) in enumerate(self.logs)}
        rms = {
            name: {title: float(np.sqrt(np.nanmean(r**2))) for title, r in columns.items()}
            for name, columns in left.items()
        }
        typical = np.sqrt(np.mean(residuals**2)) if loss == "linear" else 1.4826 * np.median(np.abs(residuals))
        inner = found.active_mask == 0
        stuck = bool(self._why) and leads_on(x[inner], residuals, jacobian[:, inner])
        half = judged.quantile * judged.sigma
        return Identification(
            names=self.names,
            values=x,
            sigma=judged.sigma,
            interval=np.stack([x - half, x + half], axis=1),
            confidence=confidence,
            correlation=judged.correlation,
            at_bound=tuple(name for name, side in zip(self.names, found.active_mask, strict=True) if side),
            rank=judged.rank,
            not_told=judged.not_told,
            rms=rms,
            misfit=float(typical) if known else math.nan,
            residuals=left,
            times={name: log.time for name, log in self.logs},
            runs=self.runs,
            scenes=tuple(self.scene_at(i, x) for i in range(len(self.logs))),
            converged=bool(found.success) and not stuck,
            message=str(found.message).rstrip(".") if not stuck else f"steps on have no run: {self._why}",
        )

    def _left(self, i: int, name: str, log: Log, x: Floats) -> Iterator[tuple[str, Floats]]:
        for column, r, _ in self._of_log(i, name, log, x):
            yield str(column), -r


def _value(scene: Scene, path: str) -> float:
    """The number behind a path."""
    return float(Parameters(scene)[path])


def _at(found: Sensitivities, column: Column, times: Floats, name: str) -> tuple[Floats, Floats, Floats]:
    """What a run predicts for a column at some times, between its rows along straight lines: values, slopes, rates."""
    whole = found.result[column.variable]
    chosen = pick(whole, column, name)
    clock, series = found.time, chosen.values
    k = np.clip(np.searchsorted(clock, times, "right") - 1, 0, len(clock) - 2)
    share = np.clip((times - clock[k]) / (clock[k + 1] - clock[k]), 0.0, 1.0)
    inside = (times >= clock[0]) & (times <= clock[-1])
    slopes = np.where(inside, (series[k + 1] - series[k]) / (clock[k + 1] - clock[k]), 0.0)
    values = series[k] + share * (series[k + 1] - series[k])
    rates = np.zeros((len(times), len(found.parameters)))
    if found.parameters:
        all_rates = pick(found[column.variable], column, name).values
        rates = all_rates[k] + share[:, None] * (all_rates[k + 1] - all_rates[k])
    return values, slopes, rates


def _check_units(log: Log, predicted: Mapping[Column, Floats], noise: Mapping[str, float], name: str) -> None:
    """Doubt the unit of what is quite another size than in a run, and not all noise; components count together."""
    alike: dict[tuple[str, str], list[Column]] = {}
    for column in predicted:
        alike.setdefault((column.variable, column.place[0]), []).append(column)
    for (variable, _), columns in alike.items():
        mine = max(float(np.nanmax(np.abs(log.columns[one]))) for one in columns)
        theirs = max(float(np.abs(predicted[one]).max()) for one in columns)
        if mine <= WITHIN_NOISE * noise.get(variable, 0.0) or min(mine, theirs) == 0.0:
            continue
        if not 1.0 / OTHER_UNIT < mine / theirs < OTHER_UNIT:
            raise UsageError(
                f"{name}: {', '.join(map(str, columns))}: up to {mine:.3g} is logged, and a run with the first guesses "
                f"predicts up to {theirs:.3g} {VARIABLES[variable].unit}: is it logged in another unit?"
                + ("" if variable in noise else " If it is the sensor's noise, give that")
            )


def _check_clock(column: Column, measured: Floats, predicted: Floats, log: Log) -> None:
    """Doubt the times of a log whose rows are smooth where a run goes as far from row to row as it goes at all."""
    told = np.isfinite(measured)
    if told.sum() > FEW and _roughness(measured[told]) < SMOOTH and _roughness(predicted[told]) > ROUGH:
        raise UsageError(
            f"{log.name}: {column} is smooth, and a run with the first guesses goes to and fro between rows "
            f"{np.median(np.diff(log.time)):.3g} s apart: are its times in another unit, or is its rate another one?"
        )


def _roughness(x: Floats) -> float:
    """How far numbers are from one to the next, of what they would be if they had nothing to do with each other."""
    spread = float(np.std(x))
    return float(np.sqrt(0.5 * np.mean(np.diff(x) ** 2))) / spread if spread > 0.0 else 0.0
