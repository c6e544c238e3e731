"""``plan``: which robots' paths, lengths or starts take a load to a goal, within limits all the way.

    minimise  c(θ)    with  y(θ, T) = goal,    low ≤ y(θ, t) ≤ high  at samples of the run

over numbers θ of the scene, by direct single shooting: SciPy's sequential quadratic programming on the values and exact
derivatives of the discrete run (``towsim.run.sensitivities``). Steps that pass a limit between the samples join them,
and the search goes on (the exchange method of semi-infinite programming). It ends, too, where two trials in turn, of
those that hold all that is asked for, cost the same, and the slope of the cost that constraints do not bear predicts no
gain: a line search for less than a run is rounded by does not end. Where it gets no closer to what is asked for, least
squares of what is missed and passed do, and it goes on from there; or these have a minimum, and that is told.
Without a cost of one's own it is the plan that changes the first guess least, c = ½ Σ ((θ − θ₀)/s)² with s the largest
number of its list, which also chooses among the many plans that reach a goal.

Source: direct shooting: Betts, Practical Methods for Optimal Control (2010), ch. 4; SLSQP: Kraft (1988).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from towsim.errors import SceneError, SimulationError, UsageError
from towsim.fitting.idle import asides, sizes, unmoved
from towsim.fitting.knobs import Free, knobs, told
from towsim.fitting.limits import Bound, limit_of
from towsim.fitting.log import Column, column_of
from towsim.fitting.optimum import slope_left
from towsim.fitting.plans import Plan
from towsim.fitting.predict import pick
from towsim.fitting.trials import EnoughError, LostError, SettledError, Warned, trial, warn
from towsim.given import a_function, a_list, a_mapping, a_number
from towsim.model.arrays import Floats
from towsim.quote import show
from towsim.results.variables import VARIABLES
from towsim.run.gradient import Cost, gradient
from towsim.run.options import SteppedFor, checked, positive, takes, whole_number
from towsim.run.rated import Rated
from towsim.run.sensitivities import Sensitivities, sensitivities
from towsim.run.setup import count_steps
from towsim.scene import Scene
from towsim.scene.expand import a_scene

SAMPLES = 60
"""Instants at which limits are asked for at first, unless said otherwise."""

MOST_ROUNDS, HELD = 8, 1e-6
"""Searches, each with the steps at which the one before passed a limit; and what is no passing, of a limit's range."""

MOST_RUNS = MOST_SAMPLES = 10**9
"""More than any search makes and takes."""

BEYOND = 1e9
"""Cost of numbers with which a run cannot go on."""

ENOUGH, OUT_OF_REACH = "as many runs as allowed were made", "it seems out of reach: no numbers nearby come closer"
"""Why searches end that find no plan."""

NO_CLOSER, CLOSER = 30, 0.99
"""After so many trials in turn that are no closer to all that is asked for, by a share of the rest, a search ends."""

FAR, AWAY = 1e6, 12
"""Of the numbers' sizes, how far from the first guess a search is lost; after so many such trials in turn it ends.

A line search takes ten trials, and its first one may be as far as a cost is steep.
"""


@takes(SteppedFor)
def plan(
    scene: Scene,
    free: Free,
    goal: Mapping[str, float],
    limits: Mapping[str | Cost, tuple[Bound, Bound]] | None = None,
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
    limits : least and largest value over the run, such as ``{"tension[left]": (0.5, 40.0)}``, of a column, or of a
        function of the run that returns one number for each row: a distance, a speed. A bound is a number, or a
        function of time [s]; infinite for none
    cost : to be minimised, a function of the run as of ``Model.gradient``
    of : variables that cost and functions of the run look at
    bounds : least and largest value of free numbers
    samples : instants, evenly over the run, at which limits are asked for at first; then also where they are passed
    most_runs, tolerance : the search ends after so many runs, or when the cost changes by less, and goals (in their
        unit) are missed and limits (over the largest value of theirs) passed by less
    taut : as of ``identify``
    progress : called with (runs, cost) after every run
    options : as of ``simulate``, by name

    Returns
    -------
    Plan : look at ``converged``, ``missed`` and ``margin``

    Raises
    ------
    UsageError : a name or a number that does not fit, or a free one on which nothing depends, by name
    SceneError : the scene cannot start with the first guess, such as with a wire that is stretched
    SimulationError : the run cannot go on with the first guess
        (later numbers with which there is no run, or no derivative, count as steps too far)
    """
    a_scene(scene)
    a_mapping("goal", goal or {}, "from titles to numbers")
    if not isinstance(limits or {}, Mapping):
        raise UsageError(f"limits must be a mapping from titles or functions to (least, largest), got {show(limits)}")
    if cost is not None:
        a_function("cost", cost, "of the run's variables")
    if progress is not None:
        a_function("progress", progress, "of the runs so far and the cost")
    if not goal and not limits and cost is None:
        raise UsageError("nothing is asked for: give a goal, limits or a cost")
    whole_number(2, MOST_SAMPLES)("samples", samples)
    positive("tolerance", tolerance)
    whole_number(1, MOST_RUNS)("most_runs", most_runs)
    given = checked(options, SteppedFor)
    step, duration = given["step"] or scene.run.step, given["duration"] or scene.run.duration
    looked_at = a_list("of", of, " of variables")
    search = _Search(scene, free, goal or {}, limits or {}, cost, looked_at, bounds or {}, progress)
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
                f"{len(self.goal)} goals cannot be reached by {len(self.wanted)} free numbers; free more of them"
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

    def failed(self, x: Floats) -> bool:
        """Whether there is no run with the numbers x, which were tried last."""
        return self._failed is not None and np.array_equal(self._failed, x)

    def value(self, x: Floats) -> tuple[float, Floats]:
        """Cost and its gradient; of a run that cannot go on a cost that no search accepts."""
        run = self.run(x)
        if self.failed(x):
            return BEYOND, np.zeros(len(x))
        if self.cost is None:
            off = (x - self.start) / self.size
            return 0.5 * float(off @ off), off / self.size
        return gradient(self.cost, run)

    def missed(self, x: Floats) -> tuple[Floats, Floats]:
        """By how much the goals are missed, and the Jacobian of that."""
        run = self.run(x)
        off = [pick(run.result[one.variable], one, "goal").values[-1] - value for one, value in self.goal.items()]
        rates = [pick(run[one.variable], one, "goal").values[-1] for one in self.goal]
        return np.array(off), np.array(rates).reshape(-1, len(x))

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

    def go(self, most_runs: int, tolerance: float) -> Plan:
        """Search, ask for the limits at steps beyond them as well, search again; tell what was found."""
        x, off, self.most_runs = self.start, np.empty(0), most_runs
        self.refuse_idle(x)
        for _ in range(MOST_ROUNDS):
            found = self.minimise(x, tolerance)
            if found.get("lost"):
                near = self.nearest(found.x * self.size, tolerance)
                found = self.minimise(near.x * self.size, tolerance) if near.success else near
            x, self.most_runs = found.x * self.size, math.inf
            self.run(x)
            if self.failed(x):
                x, found.success = self._good, False
            beyond = self.beyond(x, tolerance)
            if not len(beyond) or not found.success:
                break
            self.rows, self.most_runs = np.union1d(self.rows, beyond), most_runs
        self.most_runs = math.inf
        self.run(x)
        warn(self._warned)
        if self.goal:
            off = self.missed(x)[0]
        return Plan(
            scene=self.scene_at(x),
            names=tuple(knob.name for knob in self.wanted),
            values=x,
            start=self.start,
            cost=self.value(x)[0],
            missed={str(column): abs(float(by)) for column, by in zip(self.goal, off, strict=True)},
            margin={name: float(by.min()) for name, (by, _) in self.margins(x).items()},
            runs=self.runs,
            converged=(converged := bool(found.success and not len(beyond))),
            message=str(found.message)
            if converged
            else self._why_not(x, str(found.message), tolerance, len(beyond) > 0),
        )

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

    def _why_not(self, x: Floats, message: str, tolerance: float, passed: bool) -> str:
        """Why a search that ended at x found no plan, whose last word was ``message``; whether limits are passed."""
        short, run = [], self.run(x)
        if passed:
            margins = self.margins(x)
            worst = min(margins, key=lambda name: (margins[name].nearer / margins[name].unit).min())
            row = int(margins[worst].nearer.argmin())
            by, at = -margins[worst].nearer[row], run.time[row]
            short.append(f"the limit of {worst} is passed most, by {by:.3g} at {at:g} s")
        if self.goal and not self.failed(x):
            off, rates = self.missed(x)
            idle = [str(column) for column, rate in zip(self.goal, rates, strict=True) if not rate.any()]
            size = [np.abs(pick(run.result[of.variable], of, "goal").values).max() or 1.0 for of in self.goal]
            column, by = list(self.goal)[j := int((np.abs(off) / size).argmax())], abs(off[j])
            if idle:
                message = f"no free number moves the goal {', '.join(idle)} there; free one that does, or leave it out"
            elif by > tolerance:
                short.append(f"the goal {column} is missed most, by {by:.3g} {VARIABLES[column.variable].unit}")
        if short:
            message = f"{' and '.join(short)} ({message})"
        return f"{message}; {self._why}" if self._why else message

    @property
    def bounds(self) -> Any:
        """Of numbers over their size."""
        from scipy.optimize import Bounds

        return Bounds(*(np.array([(k.low, k.high) for k in self.wanted]) / self.size[:, None]).T)

    def minimise(self, x: Floats, tolerance: float) -> Any:
        """SciPy's answer, in numbers over their size, from x on; after too many runs the last iterate.

        ``lost``: no numbers with all that is asked for were found, and x are the nearest that were tried.
        """
        from scipy.optimize import OptimizeResult, minimize

        scale, asked, reached = self.size, [("eq", self.missed)] if self.goal else [], [x / self.size]
        asked += [("ineq", self.margin)] if self.limits else []
        last = nearest = math.inf, x / scale
        waited = 0  # trials in turn that were no closer

        def cost(y: Floats) -> float:
            nonlocal last, nearest, waited
            now, (before, there), left = self.value(y * scale)[0], last, self.left(y * scale)
            waited = 0 if left < CLOSER * nearest[0] else waited + 1
            if left < nearest[0]:
                nearest = left, y.copy()
            if waited > NO_CLOSER and nearest[0] >= tolerance:
                raise LostError
            if left < tolerance:
                last = now, y.copy()
                # By a step like the last, and, as of a curved cost, by one as long as the slope is steep.
                far = max(float(np.linalg.norm(y - there)), math.sqrt(tolerance))
                if abs(now - before) < tolerance and self.steep(y * scale, tolerance) * far < tolerance:
                    raise SettledError(y.copy())
            return now

        try:
            found = minimize(
                cost,
                x / scale,
                jac=lambda y: self.value(y * scale)[1] * scale,
                bounds=self.bounds,
                constraints=[
                    {"type": kind, "fun": _at(both, 0, scale), "jac": _at(both, 1, scale)} for kind, both in asked
                ],
                method="SLSQP",
                options={"maxiter": 10**6, "ftol": tolerance},
                callback=lambda y: reached.append(y.copy()),
            )
        except SettledError as settled:
            return OptimizeResult(x=settled.args[0], success=True, message="nothing is left to be gained but rounding")
        except EnoughError:
            return OptimizeResult(x=reached[-1], success=False, message=ENOUGH)
        except LostError:
            found = OptimizeResult(x=nearest[1], success=False, message="the search ran away: nothing holds its cost")
        if not found.success and nearest[0] >= tolerance:
            return OptimizeResult(x=nearest[1], success=False, message=OUT_OF_REACH, lost=True)
        return found

    def nearest(self, x: Floats, tolerance: float) -> Any:
        """SciPy's answer, as ``minimise``: least squares of what is missed of goals and passed of limits, from x on.

        ``success``: nothing is.
        """
        from scipy.optimize import OptimizeResult, least_squares

        scale = self.size
        best = math.inf, x / scale

        def short(y: Floats) -> tuple[Floats, Floats]:
            off, rates = self.margin(y * scale)
            found = [(np.minimum(off, 0.0), rates * (off < 0.0)[:, None])]
            found += [self.missed(y * scale)] if self.goal else []
            off, rates = (np.concatenate(each) for each in zip(*found, strict=True))
            return off, rates * scale

        def off(y: Floats) -> Floats:
            nonlocal best
            if (left := self.left(y * scale)) < best[0]:
                best = left, y.copy()
            there = short(y)[0]
            return np.full_like(there, math.inf) if self.failed(y * scale) else there

        try:
            least_squares(off, x / scale, jac=lambda y: short(y)[1], bounds=self.bounds, ftol=1.0 - CLOSER, gtol=None)
        except EnoughError:
            return OptimizeResult(x=best[1], success=False, message=ENOUGH)
        except LostError:
            pass
        return OptimizeResult(x=best[1], success=best[0] < math.sqrt(tolerance), message=OUT_OF_REACH)

    def left(self, x: Floats) -> float:
        """What is missed of goals and passed of limits, all in all, as the optimiser counts it."""
        if self.failed(x):
            return math.inf
        missed = np.abs(self.missed(x)[0]).sum() if self.goal else 0.0
        return float(missed - np.minimum(self.margin(x)[0], 0.0).sum())

    def steep(self, x: Floats, tolerance: float) -> float:
        """Slope of the cost, in numbers over their size, that neither goals, limits nor bounds reached bear."""
        size, (off, rates) = self.size, self.margin(x)
        levels = self.missed(x)[1] if self.goal else np.empty((0, len(x)))
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


def _at(both: Callable[[Floats], tuple[Floats, Floats]], which: int, scale: Floats) -> Callable[[Floats], Floats]:
    """A constraint's values (0), or its Jacobian (1), in scaled numbers."""
    return (lambda y: both(y * scale)[1] * scale) if which else (lambda y: both(y * scale)[0])
