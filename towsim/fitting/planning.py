"""``plan``: which robots' paths, lengths or starts take a load to a goal, within limits all the way.

    minimise  c(θ)    with  y(θ, T) = goal,    low ≤ y(θ, t) ≤ high  at samples of the run

over numbers θ of the scene, by direct single shooting: SciPy's sequential quadratic programming on the values and exact
derivatives of the discrete run (``towsim.run.sensitivities``). Steps that pass a limit between the samples join them,
and the search goes on (the exchange method of semi-infinite programming). It ends, too, where two trials in turn, of
those that hold all that is asked for, cost the same, and the slope of the cost that constraints do not bear predicts no
gain: a line search for less than a run is rounded by does not end. Where it gets no closer to what is asked for, least
squares of what is missed and passed do, and it goes on from there; or these have a minimum, and that is told. Rows of
goals that follow from others are singular for it: it gets those that the others follow from, and all are judged. Where
the cost still slopes when it ends, it begins again.
Without a cost of one's own it is the plan that changes the first guess least, c = ½ Σ ((θ − θ₀)/s)² with s the largest
number of its list, which also chooses among the many plans that reach a goal.

Source: direct shooting: Betts, Practical Methods for Optimal Control (2010), ch. 4; SLSQP: Kraft (1988).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Unpack

import numpy as np

from towsim.errors import UsageError
from towsim.fitting.asked import Asked
from towsim.fitting.first_rows import lacking
from towsim.fitting.knobs import Free
from towsim.fitting.limits import Bound
from towsim.fitting.log import Column
from towsim.fitting.plans import Plan
from towsim.fitting.predict import pick
from towsim.fitting.trials import EnoughError, LostError, SettledError, warn
from towsim.given import a_function, a_list, a_mapping, a_whole_number
from towsim.methods.method import method_for
from towsim.model.arrays import Floats, Ints
from towsim.quote import show
from towsim.results.variables import VARIABLES
from towsim.run.gradient import Cost
from towsim.run.options import SteppedFor, checked, positive, takes
from towsim.run.setup import count_steps
from towsim.scene import Scene
from towsim.scene.expand import a_scene

SAMPLES = 60
"""Instants at which limits are asked for at first, unless said otherwise."""

MOST_ROUNDS, MOST_TURNS = 8, 6
"""Searches, each with the steps at which the one before passed a limit; and of each how often it begins again."""

MOST_RUNS = MOST_SAMPLES = 10**9
"""More than any search makes and takes."""

ENOUGH, OUT_OF_REACH = "as many runs as allowed were made", "it seems out of reach: no numbers nearby come closer"
RAN_AWAY, STEEP = "the search ran away: nothing holds its cost", "the search got stuck where the cost still slopes"
SETTLED = "nothing is left to be gained but rounding"
"""Why searches end."""

NO_CLOSER, CLOSER = 30, 0.99
"""After so many trials in turn that are no closer to all that is asked for, by a share of the rest, a search ends."""

BORNE = 1e-2
"""What constraints leave of a cost's slope at an optimum at most, of the largest one."""

EPS = float(np.finfo(float).eps)
"""Slope of what is missed that is none."""

SINGULAR = 6
"""Status of SLSQP where rows of constraints depend."""


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
    a_whole_number("samples", samples, 2, MOST_SAMPLES)
    positive("tolerance", tolerance)
    a_whole_number("most_runs", most_runs, 1, MOST_RUNS)
    given = checked(options, SteppedFor)
    step, duration = given["step"] or scene.run.step, given["duration"] or scene.run.duration
    looked_at = a_list("of", of, " of variables")
    search = _Search(scene, free, goal or {}, limits or {}, cost, looked_at, bounds or {}, progress)
    search.options = {**options, "step": step, "duration": duration, "taut": taut}
    method = method_for(scene, given["method"], step, given["controllers"])
    search.limits = [
        one._replace(lacking=lacking(scene, method, step, one.of)) if isinstance(one.of, Column) else one
        for one in search.limits
    ]
    search.rows = np.unique(np.linspace(0, count_steps(duration, step), samples).round().astype(int))
    return search.go(most_runs, tolerance)


class _Search(Asked):
    """SciPy's answers."""

    def go(self, most_runs: int, tolerance: float) -> Plan:
        """Search, ask for the limits at steps beyond them as well, search again; tell what was found."""
        x, off, self.most_runs = self.start, np.empty(0), most_runs
        self.refuse_idle(x)
        self.first = float(np.linalg.norm(self.value(x)[1] * self.size))
        for _ in range(MOST_ROUNDS):
            found = self.search(x, tolerance)
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
            idle = [
                str(column)
                for column, by, rate in zip(self.goal, off, rates, strict=True)
                if abs(by) > tolerance and not rate.any()
            ]
            size = [np.abs(pick(run.result[of.variable], of, "goal").values).max() or 1.0 for of in self.goal]
            column, by = list(self.goal)[j := int((np.abs(off) / size).argmax())], abs(off[j])
            if idle:
                message = f"no free number moves the goal {', '.join(idle)} there; free one that does, or leave it out"
            elif by > tolerance:
                short.append(f"the goal {column} is missed most, by {by:.3g} {VARIABLES[column.variable].unit}")
        if short:
            message = f"{' and '.join(short)} ({message})"
        return f"{message}; {self._why}" if self._why else message

    def search(self, x: Floats, tolerance: float) -> Any:
        """As ``minimise``, and again from where that ends, unless it is an optimum (Karush, Kuhn and Tucker).

        Where goals follow from others, SciPy gets those that the others follow from, and looks at them where all are
        met: elsewhere it may be others that do. Which follow may change on the way, when a wire draws taut.
        """
        from scipy.optimize import OptimizeResult

        least = math.inf
        try:
            held = self.independent(x)
            if len(held) < len(self.goal):
                near = self.nearest(x, tolerance)
                if not near.success:
                    return near
                x = near.x * self.size
                held = self.independent(x)
            for _ in range(MOST_TURNS):
                found = self.minimise(x, held, tolerance)
                x = found.x * self.size
                if found.get("lost"):
                    near = self.nearest(x, tolerance)
                    if not near.success:
                        return near
                    x = near.x * self.size
                elif found.status not in (0, SINGULAR) or not self.doubtful(x, tolerance):
                    return found
                elif self.value(x)[0] > least - tolerance:
                    return OptimizeResult(x=found.x, success=False, message=STEEP)
                else:
                    least = self.value(x)[0]
                held = np.arange(len(self.goal)) if found.get("missed") else self.independent(x)
        except EnoughError:
            return OptimizeResult(x=x / self.size, success=False, message=ENOUGH)
        return found

    def doubtful(self, x: Floats, tolerance: float) -> bool:
        """Whether the cost can be lowered from x by more than what rounding and limits nearby leave."""
        most, near = max(self.first, float(np.linalg.norm(self.value(x)[1] * self.size))), math.sqrt(tolerance)
        return self.steep(x, near) > max(near, BORNE * most)

    def minimise(self, x: Floats, held: Ints, tolerance: float) -> Any:
        """SciPy's answer, in numbers over their size, from x on, to these goals; after too many runs the last iterate.

        ``lost``: no numbers with all that is asked for were found, and x are the nearest that were tried; ``missed``:
        those with these goals were, which miss others.
        """
        from scipy.optimize import OptimizeResult, minimize

        def some(x: Floats) -> tuple[Floats, Floats]:
            off, rates = self.missed(x)
            return off[held], rates[held]

        scale, asked, reached = self.size, [("eq", some)] if len(held) else [], [x / self.size]
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
            return OptimizeResult(x=settled.args[0], success=True, status=0, message=SETTLED)
        except EnoughError:
            return OptimizeResult(x=reached[-1], success=False, status=None, message=ENOUGH)
        except LostError:
            found = OptimizeResult(x=nearest[1], success=False, status=None, message=RAN_AWAY)
        missed = found.success and len(held) < len(self.goal) and self.left(found.x * scale) >= tolerance
        if missed or (not found.success and nearest[0] >= tolerance):
            return OptimizeResult(x=nearest[1], success=False, message=OUT_OF_REACH, lost=True, missed=missed)
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
            if best[0] < tolerance:
                raise SettledError
            there = short(y)[0]
            return np.full_like(there, math.inf) if self.failed(y * scale) else there

        try:
            least_squares(
                off,
                x / scale,
                jac=lambda y: short(y)[1],
                bounds=self.bounds,
                ftol=1.0 - CLOSER,
                gtol=EPS,
                # The exact solver goes as far as it may where rows are fewer than numbers, or depend.
                tr_solver="lsmr" if len(x) > 1 else "exact",
            )
        except EnoughError:
            return OptimizeResult(x=best[1], success=False, message=ENOUGH)
        except (LostError, SettledError):
            pass
        return OptimizeResult(x=best[1], success=best[0] < math.sqrt(tolerance), message=OUT_OF_REACH)


def _at(both: Callable[[Floats], tuple[Floats, Floats]], which: int, scale: Floats) -> Callable[[Floats], Floats]:
    """A constraint's values (0), or its Jacobian (1), in scaled numbers."""
    return (lambda y: both(y * scale)[1] * scale) if which else (lambda y: both(y * scale)[0])
