"""What the scenarios with vehicles share: wires of three models, and errors along a path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from towsim.errors import UsageError
from towsim.quote import show

if TYPE_CHECKING:
    from towsim import Result

Array = NDArray[np.float64]

DYNEEMA = {
    "mass_per_length": 0.005,
    "axial_stiffness": 2e4,
    "axial_damping": 100.0,
    "bending_stiffness": 1e-3,
    "diameter": 0.003,
}
"""A thin rope: 5 g/m; 2 cm longer per metre under 400 N."""


def rope(model: str, **wire: Any) -> dict[str, Any]:
    """A wire of the model ``rigid``, ``elastic`` or ``mrfe``.

    Raises
    ------
    UsageError : there is no such model
    """
    if model not in ("rigid", "elastic", "mrfe"):
        raise UsageError(f"model must be rigid, elastic or mrfe, got {show(model)}")
    return wire if model == "rigid" else wire | {"model": model, "material": dict(DYNEEMA)}


def astray(result: Result, body: str, controller: str) -> Array:
    """Distances (time,) of a body from the path of a controller [m]."""
    from scenarios._laws import written

    path = written(result).controllers[controller].path.sample(result.time)[0]  # type: ignore[union-attr]
    return np.asarray(np.linalg.norm(result["position"].sel(body=body).values - path, axis=1))


def rms(values: Array) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(np.square(values))))
