"""Gradients of costs: what a user makes of a run's variables, differentiated with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from towsim.errors import UsageError
from towsim.given import a_function, a_mapping, numbers
from towsim.model.arrays import Floats
from towsim.results import Labelled, Result
from towsim.results.variables import VARIABLES
from towsim.run.adjoint import Adjoint
from towsim.run.columns import ENTRIES
from towsim.run.control_columns import NAMES
from towsim.run.joint_columns import on_drums
from towsim.run.options import Options
from towsim.run.pullback import Pullback, pull
from towsim.run.rated import Rated
from towsim.run.seeds import Wanted
from towsim.run.sensitivities import Begun, Gathered, Sensitivities, begun
from towsim.scene import Scene
from towsim.suggest import is_one_of, unknown

Cost = Callable[[Mapping[str, Any]], Any]

MODES = ("auto", "forward", "reverse")

MOST_FORWARD = 49
"""Numbers of a gradient up to which ``auto`` is forward mode: seven runs in duals, of kernels that compile faster."""


class Variables(Mapping[str, Any]):
    """A run's variables with their derivatives, as a cost sees them, ``["position"].sel(body="load")``.

    rates : by variable, an array with an axis of directions behind, or a pullback
    """

    def __init__(self, result: Result, rates: Mapping[str, Any]) -> None:
        self._result, self._rates = result, rates

    @property
    def time(self) -> Floats:
        """Recorded times [s]."""
        return self._result.time

    def __getitem__(self, name: str) -> Any:
        if name not in self._rates:
            raise UsageError(
                f"{unknown('variable', name, self._rates)}; name what the cost looks at: of=[{name!r}, ..]"
            )
        return _Named(Rated(self._result[name].values, self._rates[name]), self._result[name])

    def __contains__(self, name: object) -> bool:
        return name in self._rates

    def __iter__(self) -> Iterator[str]:
        return iter(self._rates)

    def __len__(self) -> int:
        return len(self._rates)


class _Named(Rated):
    """A variable with derivatives that is selected from by label."""

    def __init__(self, rated: Rated, plain: Labelled) -> None:
        super().__init__(rated.value, rated.rate)
        self._plain = plain

    def sel(self, **labels: Any) -> _Named:
        """Select by label, as ``Labelled.sel``."""
        plain = self._plain
        numbers = np.arange(self.size).reshape(self.shape)
        coords = {dim: plain.coords[dim] for dim in plain.dims}
        places = Labelled(VARIABLES[plain.name], numbers, plain.dims, coords).sel(**labels).values
        rate = self.rate.reshape(-1, self.rate.shape[-1])[places]
        found = plain.sel(**labels)
        return _Named(Rated(found.values, rate), found)


def gradient(cost: Cost, run: Sensitivities) -> tuple[float, Floats]:
    """Value and gradient of a cost of a run whose sensitivities are known."""
    rates = {name: one.values for name, one in run.items()}
    value, slopes, rate = _called(cost, run.result, rates)
    total = np.zeros(len(run.parameters)) if rate is None else np.array(rate)
    for name, slope in slopes.items():
        total += np.tensordot(slope, rates[name], slope.ndim)
    return value, total


def measured(of_run: Cost, run: Sensitivities, name: str) -> Rated:
    """What a function makes of a run, one number for each of its rows, with derivatives."""
    found = of_run(Variables(run.result, {variable: one.values for variable, one in run.items()}))
    if not isinstance(found, Rated):
        raise UsageError(f"{name} does not depend on the run's variables, or has lost their derivatives on the way")
    if found.shape != run.time.shape:
        raise UsageError(f"{name} must be one number for each of the {len(run.time)} rows, got shape {found.shape}")
    return found


def gradient_of(
    cost: Cost,
    scene: Scene,
    parameters: Sequence[Wanted],
    of: Sequence[str],
    *,
    mode: str = "auto",
    taut: bool = False,
    **options: Unpack[Options],
) -> tuple[float, Floats]:
    """See ``Model.gradient``."""
    a_function("cost", cost, "of the run's variables")
    if not is_one_of(mode, MODES):
        raise UsageError(unknown("mode", mode, MODES))
    with begun(scene, parameters, of, taut=taut, **options) as start:
        model = start.stepper.compiled.model
        made = [name for name in start.wanted if name not in (*ENTRIES, *NAMES)]
        made += ["gap"] * ("gap" in start.wanted and model.sheaves is not None)
        made += ["length"] * ("length" in start.wanted and on_drums(start.stepper.compiled))
        if mode == "reverse" and made:
            raise UsageError(
                f"{made[0]} is made of several numbers of a step, which has no derivatives in reverse mode; use "
                "mode='forward'"
            )
        few = len(start.seeds) <= MOST_FORWARD
        if mode == "forward" or (mode == "auto" and (few or made)):
            return gradient(cost, start.sensitivities())
        return _backwards(cost, start)


def _backwards(cost: Cost, start: Begun) -> tuple[float, Floats]:
    run = Adjoint(start.stepper, start.seeds, start.steps)
    found = Gathered(start.steps, start.every)
    found.gather(run.forward(), run)
    result = start.result(found)
    pullbacks = {name: Pullback((*result[name].values.shape, 1)) for name in start.wanted}
    value, slopes, rate = _called(cost, result, pullbacks)
    if rate is not None:
        slopes = pull(rate.reshape(1), pullbacks)
    return value, run.backward(slopes, start.every)


def _called(cost: Cost, result: Result, rates: Mapping[str, Any]) -> tuple[float, dict[str, Floats], Any]:
    """The cost's value, its own derivatives by variable, and its rate: the last two exclude each other."""
    found = cost(Variables(result, rates))
    if isinstance(found, tuple):
        if len(found) != 2:
            raise UsageError(f"the cost returns one number, or (value, derivatives), got {len(found)} things")
        value, own = found
        slopes = {}
        for name, given in a_mapping("the cost's derivatives", own, "from variables to arrays").items():
            if name not in rates:
                raise UsageError(unknown("variable", name, rates))
            slope, shape = numbers(f"the cost's derivative in {name}", given), result[name].values.shape
            if slope.shape != shape:
                raise UsageError(f"the cost's derivative in {name} must have its shape {shape}, got {slope.shape}")
            slopes[name] = slope
        plain = numbers("the cost's value", value.value if isinstance(value, Rated) else value)
        if plain.shape != ():
            raise UsageError(f"a cost is one number, got shape {plain.shape}; sum it up")
        return float(plain), slopes, None
    if not isinstance(found, Rated):
        raise UsageError("the cost does not depend on the run's variables, or has lost their derivatives on the way")
    if found.shape != ():
        raise UsageError(f"a cost is one number, got shape {found.shape}; sum it up")
    return float(found.value), {}, found.rate
