"""Along a whole run: is the tension unique, and if not, what could it be?

Every recorded step's problem is M p + q = w with M = J M⁻¹ Jᵀ symmetric semidefinite: w and the velocities are unique,
the impulses p are {p ≥ 0, M p = w - q, p_i = 0 where w_i > 0}. A result does not hold M and q. The run it describes
(scene text and options are in it) is done again, compiled, to each step that is asked for; poses that do not agree
with the recorded ones are refused.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from towsim.errors import ResultError
from towsim.given import a_whole_number
from towsim.methods.closest import closest, rate_of_rounding
from towsim.results.result import a_result, options_of
from towsim.run import study
from towsim.run.options import Stepped, declared
from towsim.run.setup import Ready

if TYPE_CHECKING:
    from solvers import MLCP, Analysis
    from towsim.methods.stepper import Stepper
    from towsim.results import Result

SAMPLES = 100
"""Steps that are examined unless ``every`` is given."""

# Replays with another back-end share w and v to the 1e-9 of accepted residuals; jerks and long runs amplify that.
ASTRAY = 1e-6

# Lengths that agree to this share of the longest agree.
EXACT = 1e-9

# Linear programs find the ranges to 1e-7 of the largest tension.
NO_TENSION = 1e-6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Uniqueness:
    """What the tensions of a run could have been; one row per examined step, in the row at its end.

    Attributes
    ----------
    name : of the run
    wires : names of the wires (hard ones)
    time : (k,) [s]
    held, rank : (k,) number of rows with w = 0 (taut wires, joints, contacts), and the rank of M on them
    null_dimension : (k,) held - rank: independent internal stretching forces that move nothing
    unique : (k,) int, 1: all multipliers are unique, 0: they are not, -1: not decided (friction)
    tension : (k, wire) as recorded [N]
    low, high : (k, wire) least and largest tension over all solutions [N], infinite: unbounded, NaN: not known
    least_norm : (k, wire) tensions of the solution of least norm [N], NaN: not known
    borderline : (k, wire) bool, just taut: w = 0, and no solution has a tension
    closure : what the run errs in lengths [m]: the largest stretch of a hard wire, at least 1e-9 of the longest
    hidden : (k,) further internal stretching forces that there are if wires are taut that are open by less than that
    astray : largest difference between recorded poses and those of the replay [m, 1]
    """

    name: str
    wires: tuple[str, ...]
    time: np.ndarray
    held: np.ndarray
    rank: np.ndarray
    null_dimension: np.ndarray
    unique: np.ndarray
    tension: np.ndarray
    low: np.ndarray
    high: np.ndarray
    least_norm: np.ndarray
    borderline: np.ndarray
    closure: float
    hidden: np.ndarray
    astray: float

    @property
    def width(self) -> np.ndarray:
        """(k, wire) largest minus least tension [N]."""
        return np.asarray(self.high - self.low)

    def table(self) -> list[tuple[str, ...]]:
        """Head and one line per wire: recorded range, widest interval and when, share of steps on the border."""
        rows: list[tuple[str, ...]] = [("wire", "recorded (N)", "widest interval (N)", "at (s)", "borderline")]
        for i, wire in enumerate(self.wires):
            recorded = _range(self.tension[:, i].min(), self.tension[:, i].max())
            known = np.flatnonzero(np.isfinite(self.low[:, i]))
            if not known.size:
                rows.append((wire, recorded, "not known", "", f"{self.borderline[:, i].mean():.0%}"))
                continue
            k = known[int(np.argmax(self.width[known, i]))]
            interval = _range(self.low[k, i], self.high[k, i])
            rows.append((wire, recorded, interval, f"{self.time[k]:.4g}", f"{self.borderline[:, i].mean():.0%}"))
        return rows

    def __repr__(self) -> str:
        n = len(self.time)
        once, undecided = (np.count_nonzero(self.unique == known) for known in (1, -1))
        open_ = f", not known in {undecided}" if undecided else ""
        dims = np.unique(self.null_dimension)
        lines = [
            f"{self.name}: {n} steps from {self.time[0]:.6g} to {self.time[-1]:.6g} s",
            f"tensions are unique in {once} of them{open_}; "
            f"rank {_span(self.rank)} on {_span(self.held)} rows with w = 0",
            f"dimension of the internal stretching forces: {', '.join(map(str, dims))}",
            f"the run done again agrees with the recorded poses to {self.astray:.1e}",
        ]
        if count := np.count_nonzero(self.hidden > 0):
            lines.append(
                f"in {count} of them wires are open by less than {self.closure:.1e} m, the error of lengths: which "
                "of them pull is decided by that, so these tensions are as open as if all were taut"
            )
        if (self.unique < 0).any():
            lines.append("with friction M is not symmetric: ranges are not known, and w need not be unique")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *rows = self.table()
        cells = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}' for cell in row)}</tr>" for row in rows)
        heads = "".join(f"<th>{cell}" for cell in head)
        return f"<pre>{html.escape(str(self))}</pre><table><tr>{heads}</tr>{cells}</table>"


def uniqueness(result: Result, *, every: int | None = None, ranges: bool = True) -> Uniqueness:
    """Examine the recorded steps of a run.

    Parameters
    ----------
    result : of ``simulate`` or ``open_result``
    every : examine every n-th recorded step; default: about a hundred of them
    ranges : also compute [min, max] of every tension (two linear programs per taut wire where they differ)

    Raises
    ------
    UsageError : ``every`` is not a whole number >= 1
    ResultError : the result lacks its scene or options, holds no step, or the run done again takes another way
    """
    if every is not None:
        a_whole_number("every", every, 1)
    ready = _again(result)
    stepper = ready.stepper
    h, shake = stepper.h, stepper.method.staggered
    done = np.round(result.time / h).astype(int)
    # Row k of Stewart-Trinkle holds the tensions of the step that ends there, of SHAKE those of the kick there; its
    # last row's kick foresees what is known beyond the end. Row 0 has the forces with which the first step begins.
    rows = np.flatnonzero(done > 0)[: -1 if shake else None]
    rows = rows[:: every or max(1, -(-len(rows) // SAMPLES))]
    if not len(rows):
        raise ResultError("this result holds no complete step to examine")
    recorded = _poses(result)
    wires = stepper.compiled.model.wires.row
    columns = [result.coords["wire"].index(name) for name in stepper.compiled.massless]
    hard = [stepper.compiled.scene.wires[name].model == "rigid" for name in stepper.compiled.massless]
    gap = result["gap"].values[:, columns]
    longest = float(np.fmax(result["length"].values[:, columns][:, hard], 0.0).max(initial=0.0))
    closure = max(float(-np.fmin(gap[:, hard], 0.0).min(initial=0.0)), EXACT * longest)
    astray = 0.0
    found = []
    for row in rows:
        study.advance(ready, int(done[row]) - (0 if shake else 1))
        found.append(_examined(stepper, wires, gap[row] < closure, ranges))
        study.advance(ready, int(done[row]))
        astray = max(astray, float(np.abs(_pose(stepper) - recorded[row]).max(initial=0.0)))
        if not astray <= ASTRAY * max(1.0, float(np.abs(recorded[row]).max())):
            raise ResultError(
                f"the run done again is {astray:.2g} away from the recorded poses at t = {result.time[row]:.6g} s: "
                "it was made with another version, or is sensitive to rounding; simulate it again first"
            )
    table = {key: np.array([one[key] for one in found]) for key in found[0]}
    return Uniqueness(
        name=str(result.attributes.get("name", "run")),
        wires=stepper.compiled.massless,
        time=result.time[rows],
        tension=result["tension"].values[rows][:, columns],
        closure=closure,
        astray=astray,
        **table,
    )


def _again(result: Result) -> Ready:
    """A stepper at the start of the run."""
    from towsim.scene import scene_from_text

    for key in ("scene", "options"):
        if key not in a_result(result).attributes:
            raise ResultError(f"this result has no {key!r} in its attributes; its steps cannot be done again")
    given = {name: value for name, value in options_of(result.attributes).items() if name in declared(Stepped)}
    ready, _ = study.start(scene_from_text(str(result.attributes["scene"])), {**given, "loop": "auto"})
    return ready if ready.stepper.friction else replace(ready, solve=None)


def _examined(stepper: Stepper, wires: np.ndarray, near: np.ndarray, ranges: bool) -> dict[str, Any]:
    import solvers
    from solvers.uniqueness.ranges import rank_on

    problem = study.problem_of(stepper)
    if not problem.n:
        nothing = np.zeros(0)
        return {"held": 0, "rank": 0, "null_dimension": 0, "hidden": 0, "unique": 1} | dict.fromkeys(
            ("low", "high", "least_norm", "borderline"), nothing
        )
    solution = solvers.solve(problem)
    if not solution.solved and (met := _closest(stepper, problem)) is not None:
        problem, solution = met, solvers.solve(met)
    if not solution.solved:
        raise ResultError(f"the problem of the step at t = {stepper.time:.6g} s is not solved: {solution.message}")
    analysis = solvers.analyse(problem, solution, ranges=ranges, rounding=rate_of_rounding(stepper))
    at = _columns(stepper, problem)[wires]
    span = 0.5 * stepper.h if stepper.method.staggered and stepper.done == 0 else stepper.h
    force = {
        key: np.full(len(wires), np.nan) if (z := getattr(analysis, key)) is None else z[at] / span
        for key in ("low", "high", "least_norm")
    }
    force["low"] = np.maximum(force["low"], 0.0)  # up to the rounding of the linear programs
    held = int(np.count_nonzero(analysis.taut))
    all_but = analysis.taut.copy()
    all_but[at[near]] = True
    more = int(np.count_nonzero(all_but)) - held
    return {
        "held": held,
        "rank": analysis.rank,
        "null_dimension": held - analysis.rank,
        "hidden": more - (rank_on(problem, all_but)[0] - analysis.rank) if more else 0,
        "unique": -1 if analysis.z_unique is None else int(analysis.z_unique),
        "borderline": _borderline(analysis)[at],
        **force,
    }


def _closest(stepper: Stepper, problem: MLCP) -> MLCP | None:
    """What the step solves in place of a problem whose rows contradict each other, see ``towsim.methods.closest``."""
    from solvers.active_set.loop import workspace

    if stepper.friction:
        return None
    work, ptr = stepper.work, stepper.compiled.model.rows.envelope
    found = closest(work.A, ptr, work.q, work.kind, workspace(problem.n, len(work.A)))
    return None if found is None else problem.with_q(problem.q + found.shift)


def _borderline(analysis: Analysis) -> np.ndarray:
    """Rows on the border in every solution; those of one solution alone, where the others are not known."""
    if analysis.high is None or analysis.least_norm is None:
        return np.asarray(analysis.borderline)
    size = float(np.abs(analysis.least_norm).max(initial=0.0))
    return np.asarray(analysis.borderline & (analysis.high <= NO_TENSION * size))


def _columns(stepper: Stepper, problem: MLCP) -> np.ndarray:
    """(nr,) number of each row in the problem; friction puts others in the place of the tangents."""
    if not stepper.friction:
        return np.arange(problem.n)
    from towsim.methods.problem import with_friction

    return np.asarray(np.argmax(with_friction(stepper).lift.toarray() != 0.0, axis=1))


def _poses(result: Result) -> np.ndarray:
    """(time, 7 nb) recorded positions and quaternions."""
    both = np.concatenate([result["position"].values, result["quaternion"].values], axis=2)
    return both.reshape(len(both), -1)


def _pose(stepper: Stepper) -> np.ndarray:
    return stepper.state.q[: 7 * len(stepper.compiled.model.bodies.mass)]


def _range(low: float, high: float) -> str:
    low = 0.0 if low < NO_TENSION * high < np.inf else low
    return f"{low:.4g} .. {high:.4g}"


def _span(values: np.ndarray) -> str:
    low, high = int(values.min()), int(values.max())
    return str(low) if low == high else f"{low} to {high}"
