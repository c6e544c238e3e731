"""Gradients of costs: what a user makes of a run's variables, differentiated with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.model.arrays import Floats
from towsim.results import Labelled
from towsim.results.variables import VARIABLES
from towsim.run.rated import Rated
from towsim.run.sensitivities import Sensitivities
from towsim.suggest import unknown

Cost = Callable[[Mapping[str, Any]], Any]


class Variables(Mapping[str, Any]):
    """A run's variables with their derivatives, as a cost sees them, ``["position"].sel(body="load")``."""

    def __init__(self, run: Sensitivities) -> None:
        self._run = run

    @property
    def time(self) -> Floats:
        """Recorded times [s]."""
        return self._run.time

    def __getitem__(self, name: str) -> Any:
        if name not in self._run:
            raise UsageError(f"{unknown('variable', name, self._run)}; name what the cost looks at: of=[{name!r}, ..]")
        plain, rates = self._run.result[name], self._run[name].values
        coords = {dim: plain.coords[dim] for dim in plain.dims}
        return _Named(Rated(plain.values, rates), plain, coords)

    def __contains__(self, name: object) -> bool:
        return name in self._run

    def __iter__(self) -> Iterator[str]:
        return iter(self._run)

    def __len__(self) -> int:
        return len(self._run)


class _Named(Rated):
    """A variable with derivatives that is selected from by label."""

    def __init__(self, rated: Rated, plain: Labelled, coords: Mapping[str, Any]) -> None:
        super().__init__(rated.value, rated.rate)
        self._plain, self._coords = plain, coords

    def sel(self, **labels: Any) -> _Named:
        """Select by label, as ``Labelled.sel``."""
        plain = self._plain.sel(**labels)
        rates = [
            Labelled(VARIABLES[plain.name], self.rate[..., i], self._plain.dims, self._plain.coords).sel(**labels)
            for i in range(self.rate.shape[-1])
        ]
        return _Named(Rated(plain.values, np.stack([one.values for one in rates], axis=-1)), plain, plain.coords)


def gradient(cost: Cost, run: Sensitivities) -> tuple[float, Floats]:
    """Value and gradient of a cost of a run, see ``Model.gradient``."""
    found = cost(Variables(run))
    if isinstance(found, tuple):
        value, own = found
        total = np.zeros(len(run.parameters))
        for name, slope in own.items():
            rates = run[name].values
            slope = np.asarray(slope, float)
            if slope.shape != rates.shape[:-1]:
                raise UsageError(
                    f"the cost's derivative in {name} must have its shape {rates.shape[:-1]}, got {slope.shape}"
                )
            total += np.tensordot(slope, rates, slope.ndim)
        return float(value.value if isinstance(value, Rated) else value), total
    if not isinstance(found, Rated):
        raise UsageError("the cost does not depend on the run's variables, or has lost their derivatives on the way")
    if found.shape != ():
        raise UsageError(f"a cost is one number, got shape {found.shape}; sum it up")
    return float(found.value), np.array(found.rate)
