"""``identify``: which numbers make a scene do what was logged, how well they are known, and which are not.

    minimise  ½ Σ ρ(r²)

over the residuals r of all logs (``residuals``), by SciPy's trust-region least squares with the exact Jacobian ∂r/∂θ of
the discrete run (``towsim.run.sensitivities``): one run in duals for every seven numbers gives r and its Jacobian at
once. Where a loss needs a scale that was not given, it is that of what the fit leaves (``robust``). What errors the
numbers have is told in ``judged``.

Source: Gauss–Newton with a trust region (Branch, Coleman & Li 1999, in SciPy).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from towsim.errors import UsageError
from towsim.fitting.doubts import unlike
from towsim.fitting.identification import Identification
from towsim.fitting.idle import without_rounding
from towsim.fitting.judged import Left, errors, leads_on
from towsim.fitting.knobs import Free, knobs
from towsim.fitting.log import Log, read_log
from towsim.fitting.residuals import Residuals
from towsim.fitting.robust import CONVEX, EXACT, LOSSES, NORMAL, scales
from towsim.given import a_function, a_list, a_mapping, a_number, a_whole_number
from towsim.model.arrays import Floats
from towsim.run.options import Stepped, checked, takes
from towsim.scene import Scene
from towsim.scene.expand import a_scene
from towsim.suggest import is_one_of, unknown

FEW_GAINS = 1e-7
"""Relative fall of the cost below which a fit has converged: estimates then change by far less than their errors."""

MOST_RUNS = 10**9
"""More than any fit makes."""

MOST_TURNS, SETTLED = 20, 1e-3
"""Of fit and scale, and what the scale still changes when they have settled, of itself."""


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
        or median |r| / 0.6745 of what is left by the fit, for each variable; intervals allow for what outliers add
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
        (later numbers with which there is no run, or no derivative, count as steps too far)
    """
    given = [logs] if isinstance(logs, Log | str | PathLike) else a_list("logs", logs, " of logs")
    read = [one if isinstance(one, Log) else read_log(one) for one in given]
    if not read:
        raise UsageError("no logs are given")
    for i, log in enumerate(read):
        for j, other in enumerate(read[:i]):
            if log.same_as(other):
                names = f"{j + 1} and {i + 1}, {other.name} and {log.name}"
                raise UsageError(f"logs {names}, are the same; leave one out, or it counts twice")
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
    a_whole_number("most_runs", most_runs, 1, MOST_RUNS)
    wanted = knobs(scenes[0], read, free, own, bounds or {})
    checked(options, Stepped)
    how = {**options, "taut": taut}
    return _Fit(Residuals(scenes, _distinct(read), wanted, noise or {}, how, progress), loss, most_runs).go(confidence)


def _distinct(logs: Sequence[Log]) -> list[tuple[str, Log]]:
    names = [log.name for log in logs]
    return [(f"{log.name} {i}" if names.count(log.name) > 1 else log.name, log) for i, log in enumerate(logs, 1)]


class _Fit:
    """The search, and what it has found."""

    def __init__(self, of: Residuals, loss: str, most_runs: int) -> None:
        self.of, self.loss, self.most_runs = of, loss, most_runs
        self.known = bool(of.noise)

    def go(self, confidence: float) -> Identification:
        """Minimise, and judge what was found."""
        of = self.of
        of.refuse_idle()
        found, scale = self.fitted(without_rounding(of.starts))
        while of.leave_out(found.x):
            found, scale = self.fitted(found.x)
        x = np.asarray(found.x)
        residuals, jacobian = of.evaluate(x)
        left = Left(residuals / scale, jacobian / np.atleast_1d(scale)[:, None], of.kinds, self.loss, self.known)
        judged = errors(of.names, left, confidence)
        by_log = of.left(x)
        rms = {
            name: {title: float(np.sqrt(np.mean(r[np.isfinite(r)] ** 2))) for title, r in columns.items()}
            for name, columns in by_log.items()
        }
        spread = np.sqrt(np.mean(residuals**2)) if self.loss == "linear" else np.median(np.abs(residuals)) / NORMAL
        inner = found.active_mask == 0
        stuck = bool(of.why) and leads_on(x[inner], *left.weighed(inner))
        half = judged.quantile * judged.sigma
        return Identification(
            names=of.names,
            values=x,
            sigma=judged.sigma,
            interval=np.stack([x - half, x + half], axis=1),
            confidence=confidence,
            correlation=judged.correlation,
            at_bound=tuple(name for name, side in zip(of.names, found.active_mask, strict=True) if side),
            rank=judged.rank,
            not_told=judged.not_told,
            left_out=tuple(of.left_out()),
            unlike=tuple(one for name, log in of.logs for one in unlike(log, by_log[name], name)),
            rms=rms,
            misfit=float(spread) if self.known else math.nan,
            residuals=by_log,
            times={name: log.time for name, log in of.logs},
            runs=of.runs,
            scenes=tuple(of.scene_at(i, x) for i in range(len(of.logs))),
            converged=bool(found.success) and not stuck,
            message=str(found.message).rstrip(".") if not stuck else f"steps on have no run: {of.why}",
        )

    def fitted(self, x: Floats) -> tuple[Any, Floats | float]:
        """SciPy's answer from x on, and the scale of residuals: 1, or that of what it leaves."""
        if self.loss != "linear" and not self.known:
            return self.settled(x)
        convex = CONVEX.get(self.loss)
        return self.search(x if convex is None else self.search(x, loss=convex).x), 1.0

    def search(self, x: Floats, scale: Floats | float = 1.0, loss: str | None = None) -> Any:
        """SciPy's answer from x on, with residuals over their scale; by the loss, unless by another one."""
        from scipy.optimize import least_squares

        of = self.of
        return least_squares(
            lambda x: of.evaluate(x)[0] / scale,
            x,
            jac=lambda x: of.evaluate(x)[1] / np.atleast_1d(scale)[:, None],
            bounds=(np.array([k.low for k in of.all_knobs]), np.array([k.high for k in of.all_knobs])),
            x_scale="jac",
            loss=loss or self.loss,
            ftol=FEW_GAINS,
            gtol=None,  # of a slope in whatever units
            max_nfev=max(1, self.most_runs + 1 - of.runs),  # the first one is known
        )

    def settled(self, x: Floats) -> tuple[Any, Floats]:
        """SciPy's answer, and the scale of what it leaves: they take turns until the scale is that of the fit."""
        of = self.of
        scale = scales(of.evaluate(x)[0], of.kinds)
        scale[scale == 0.0] = 1.0
        least = EXACT * scale
        for _ in range(MOST_TURNS):
            found = self.search(x, scale)
            x, before = np.asarray(found.x), scale
            scale = np.fmax(scales(of.evaluate(x)[0], of.kinds), least)
            if not found.success or (np.abs(scale - before) <= SETTLED * before).all():
                break
        else:
            found.success, found.message = False, "the scale of what is left does not settle"
        return found, scale
