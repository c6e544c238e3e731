"""Losses that outliers do not drag along, and the scale of what they leave: M-estimators.

    minimise  ½ Σ ρ(r²),    ψ = ρ′ r,    ψ′ = ρ′ + 2 ρ″ r²        (r: what is left, over its scale)

The scale of a kind of readings is median |left| / 0.6745, which is the standard deviation where most errors are normal;
of that which a fit leaves, so that it belongs to the estimate and not to the first guess: fit and scale take turns.

Source: Huber, Robust Statistics (1981), ch. 6.7 (scale), 7.8 (turns).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from towsim.model.arrays import Floats

NORMAL = 0.6745
"""Median of |x| of a standard normal x."""

EXACT = 1e-6
"""Least scale, of that at the first guess: logs that a run made have none."""

_Slopes = Callable[[Floats], tuple[Floats, Floats]]

_SLOPES: Mapping[str, _Slopes] = {
    "linear": lambda z: (np.ones_like(z), np.zeros_like(z)),
    "soft_l1": lambda z: ((1.0 + z) ** -0.5, -0.5 * (1.0 + z) ** -1.5),
    "huber": lambda z: (np.fmax(z, 1.0) ** -0.5, np.where(z > 1.0, -0.5 * np.fmax(z, 1.0) ** -1.5, 0.0)),
    "cauchy": lambda z: (1.0 / (1.0 + z), -1.0 / (1.0 + z) ** 2),
}
"""ρ′ and ρ″ at z = r², of SciPy's losses."""

CONVEX = {"cauchy": "soft_l1"}
"""Where a search begins whose loss has a minimum at each few readings, once these are far apart by their scale."""

LOSSES = tuple(_SLOPES)


def weights(loss: str, residuals: Floats) -> Floats:
    """ρ′, with which least squares has the same minimum."""
    return _SLOPES[loss](residuals**2)[0]


def influence(loss: str, residuals: Floats) -> tuple[Floats, Floats]:
    """ψ, what each residual weighs in the estimate, and its derivative."""
    first, second = _SLOPES[loss](residuals**2)
    return first * residuals, first + 2.0 * second * residuals**2


def scales(residuals: Floats, kinds: Floats) -> Floats:
    """Robust standard deviation of the residuals of the same kind, for each residual; kinds are integers."""
    found = np.empty_like(residuals)
    for kind in np.unique(kinds):
        found[kinds == kind] = np.median(np.abs(residuals[kinds == kind])) / NORMAL
    return found
