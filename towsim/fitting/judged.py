"""What residuals and their Jacobian tell of the numbers that a fit has found.

Near the minimum the errors of θ are normal with the covariance s² (JᵀJ)⁻¹.

Source: Seber & Wild, Nonlinear Regression (1989), ch. 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from towsim.model.arrays import Floats

DEPENDENT = 1e-7
"""Singular value, of the largest one of a Jacobian with columns of length 1, below which a direction is not seen."""

PROMISING, ROUNDING = 1e-3, 1e-6
"""Share of the sum of squares that a step gains, and of the numbers that it is, where a search has not ended."""


def leads_on(x: Floats, residuals: Floats, jacobian: Floats) -> bool:
    """Whether a Gauss–Newton step from x is one, and promises more than a search leaves that has converged."""
    step = np.linalg.lstsq(jacobian, -residuals, rcond=DEPENDENT)[0]
    gain = float(np.sum((jacobian @ step) ** 2))
    return gain > PROMISING * float(residuals @ residuals) and bool((np.abs(step) > ROUNDING * np.abs(x)).any())


@dataclass(frozen=True)
class Errors:
    """Standard errors and their correlation; how many numbers are seen, which are not; what intervals multiply σ by."""

    sigma: Floats
    correlation: Floats
    rank: int
    not_told: tuple[str, ...]
    quantile: float


def errors(names: Sequence[str], residuals: Floats, jacobian: Floats, confidence: float, *, known: bool) -> Errors:
    """Standard errors from the Jacobian at the minimum, s² (JᵀJ)⁻¹, with s = 1 where the noise is known."""
    from scipy.stats import norm, t

    n, left = len(names), len(residuals) - len(names)
    length = np.linalg.norm(jacobian, axis=0)
    length[length == 0.0] = 1.0
    _, singular, directions = np.linalg.svd(jacobian / length, full_matrices=False)
    seen = singular > DEPENDENT * singular[0]
    inverse = (directions[seen].T / singular[seen] ** 2) @ directions[seen]
    spread = 1.0 if known else float(residuals @ residuals) / left
    variance = spread * np.diag(inverse)
    blind = np.abs(directions[~seen]) > 1e-3
    sigma = np.where(blind.any(axis=0), np.inf, np.sqrt(variance) / length)
    root = np.sqrt(np.diag(inverse))
    root[root == 0.0] = 1.0
    sentences = tuple(
        "cannot be told apart: " + ", ".join(names[j] for j in range(n) if hidden[j])
        if hidden.sum() > 1
        else f"cannot be told: {', '.join(names[j] for j in range(n) if hidden[j])}"
        for hidden in blind
    )
    quantile = float(norm.ppf(0.5 + 0.5 * confidence) if known else t.ppf(0.5 + 0.5 * confidence, left))
    return Errors(sigma, inverse / np.outer(root, root), int(seen.sum()), sentences, quantile)
