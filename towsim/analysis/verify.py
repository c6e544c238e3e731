"""Verification on the user's own machine: closed forms and conserved quantities, run and judged.

A check asks for the greatest error of one quantity over a run, |x(t) − expected(t)|, and, where an order is stated, for
the order with which the error falls when the step is halved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from towsim.analysis.verify_case import Case, Check
from towsim.errors import ResultError, SimulationError, UsageError
from towsim.formulations import measures
from towsim.formulations.comparison import SMOOTH
from towsim.formulations.from_scene import SceneTree, scene_tree
from towsim.formulations.kkt import matrices
from towsim.formulations.motion import Motion
from towsim.model.arrays import Floats
from towsim.results import Result
from towsim.run import simulate
from towsim.scene import Scene
from towsim.scene.formula import formula
from towsim.suggest import unknown

TOTALS = ("energy", "linear_momentum", "angular_momentum")
NOISE = 1e-12
"""Errors below this, relative to the quantity's size, are rounding: no order is asked of them."""


@dataclass(frozen=True)
class Finding:
    """One check and its outcome.

    Attributes
    ----------
    expected, got : at the instant of the greatest error
    error : the greatest error;  order : with which it falls, NaN if none was asked for
    passed : whether error and order are as they should be;  note : why nothing could be found
    """

    case: str
    method: str
    quantity: str
    expected: float
    got: float
    error: float
    tolerance: float
    order: float
    passed: bool
    note: str = ""


def verify(case: Case) -> Iterator[Finding]:
    """Run a case's checks, one after the other; a run that fails is a finding, too.

    Raises
    ------
    UsageError : a check asks for a quantity, name or method that there is not
    """
    runs: dict[tuple[str, float], _Run] = {}

    def run(method: str, step: float) -> _Run:
        if (method, step) not in runs:
            runs[method, step] = _Run(case, method, step)
        return runs[method, step]

    for check in case.checks:
        try:
            yield _judge(case, check, run)
        except SimulationError as error:
            nan = math.nan
            yield Finding(
                case.name, check.method, _label(check), nan, nan, nan, check.tolerance, nan, False, note=str(error)
            )


def _judge(case: Case, check: Check, run: Callable[[str, float], _Run]) -> Finding:
    got, expected = run(check.method, check.step).values(check)
    errors = np.abs(got - expected)
    worst = int(np.argmax(errors))
    error, order = float(errors[worst]), math.nan
    passed = error <= check.tolerance
    if check.order is not None:
        fine_got, fine_expected = run(check.method, 0.5 * check.step).values(check)
        fine = float(np.abs(fine_got - fine_expected).max())
        size = max(1.0, float(np.abs(expected).max()))
        if error > NOISE * size:
            order = math.log2(error / max(fine, 1e-300))
            passed = passed and order >= check.order - 0.3
    at = float(expected[worst]), float(got[worst])
    return Finding(case.name, check.method, _label(check), *at, error, check.tolerance, order, passed)


def _label(check: Check) -> str:
    name = check.quantity + (f" {check.axis}" if check.axis else "")
    return f"{name} of {check.of}" if check.of else name


class _Run:
    """A case's scene run with one method and step."""

    def __init__(self, case: Case, method: str, step: float) -> None:
        self.scene = case.scene
        self.tree: SceneTree | None = None
        self.motion: Motion | None = None
        self.result: Result | None = None
        if method in SMOOTH:
            self.tree = scene_tree(case.scene)
            self.motion = SMOOTH[method](self.tree.tree).run(case.duration, step)
            self.time = self.motion.time
        else:
            self.result = simulate(case.scene, duration=case.duration, step=step, method=method)
            self.time = self.result.time

    def values(self, check: Check) -> tuple[Floats, Floats]:
        """What was got and expected, (n,) each, from ``after`` to ``until``, where it is known."""
        got = self._quantity(check)
        if got.ndim != 1:
            raise UsageError(
                f"{check.quantity} has more than one value: say of which (of: ..) and along what (axis: ..)"
            )
        until = math.inf if check.until is None else check.until
        looked = (self.time >= check.after - 1e-12) & (self.time <= until + 1e-12) & ~np.isnan(got)
        if not looked.any():
            raise UsageError(f"{check.quantity} is not known after t = {check.after:g} s")
        time, got = self.time[looked], got[looked]
        if check.expected == "start":
            return got, np.full(len(got), got[0])
        if isinstance(check.expected, str):
            return got, formula(check.expected).value(time)
        return got, np.full(len(got), check.expected)

    def _quantity(self, check: Check) -> Floats:
        if check.quantity in TOTALS:
            total = self._total(check.quantity)
            return total["xyz".index(check.axis)] if check.axis and total.ndim == 2 else total
        if self.result is not None:
            return _variable(self.result, check)
        assert self.motion is not None
        assert self.tree is not None
        if check.quantity == "drift":
            return measures.drift(self.tree.tree, self.motion)
        if check.quantity != "position":
            known = ["position", "drift", *TOTALS]
            raise UsageError(unknown(f"quantity of method {check.method!r}", check.quantity, known))
        if check.of not in self.tree.bodies or check.axis is None:
            raise UsageError(f"position needs a body (of: ..) and an axis; bodies are {', '.join(self.tree.bodies)}")
        body = list(self.tree.bodies).index(check.of)
        return np.asarray(self.tree.positions(self.motion)[:, body, "xyz".index(check.axis)])

    def _total(self, quantity: str) -> Floats:
        if self.motion is not None and self.tree is not None:
            tree, motion = self.tree.tree, self.motion
            if quantity == "energy":
                return measures.energy(tree, motion)
            return measures.momentum(tree, motion)[quantity == "angular_momentum"].T
        assert self.result is not None
        return totals(self.scene, self.result)[quantity]


def totals(scene: Scene, result: Result) -> dict[str, Floats]:
    """Energy (n,), kinetic and of gravity, and linear and angular momentum (3, n) about the origin, of all bodies."""
    energy = np.zeros(len(result.time))
    linear, angular = np.zeros((len(energy), 3)), np.zeros((len(energy), 3))
    for name, body in scene.bodies.items():
        x, v = result["position"].sel(body=name).values, result["velocity"].sel(body=name).values
        energy += 0.5 * body.mass * np.sum(v**2, axis=1) - body.mass * x @ np.array(scene.gravity)
        linear += body.mass * v
        angular += body.mass * np.cross(x, v)
        if not body.point:
            w = result["angular_velocity"].sel(body=name).values
            R = matrices(result["quaternion"].sel(body=name).values)
            own = np.einsum("tij,jk,tlk,tl->ti", R, body.inertia_matrix(), R, w, optimize=True)
            energy += 0.5 * np.sum(own * w, axis=1)
            angular += own
    return {"energy": energy, "linear_momentum": linear.T, "angular_momentum": angular.T}


def _variable(result: Result, check: Check) -> Floats:
    """A variable of a result, for one body, wire or joint."""
    try:
        found = result[check.quantity]
        labels = {}
        if check.of is not None:
            labels[next(dim for dim in found.dims if dim not in ("time", "xyz", "quat"))] = check.of
        if check.axis is not None:
            labels["xyz"] = check.axis
        return np.asarray(found.sel(**labels).values, float)
    except (ResultError, StopIteration, KeyError) as error:
        raise UsageError(f"{_label(check)}: {error or 'it is not of anything'}") from None
