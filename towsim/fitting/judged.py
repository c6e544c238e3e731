"""What residuals and their Jacobian tell of the numbers that a fit has found.

Near the minimum of ½ Σ ρ(r²) the errors of θ are normal with the covariance

    A⁻¹ B A⁻¹,    A = Σ m/K J Jᵀ,    B = Σ s² J Jᵀ        (sums over rows, J = ∂r/∂θ)

m is the mean of ψ′, s² that of ψ² times n/(n − p), and K = 1 + p/n var ψ′ / m², over the readings of one variable, the
errors of which are alike. By least squares, ψ = r, that is s² (JᵀJ)⁻¹, with s = 1 where the noise is known.

Source: Huber, Robust Statistics (1981), ch. 7.6; least squares: Seber & Wild, Nonlinear Regression (1989), ch. 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from towsim.fitting.idle import without_rounding
from towsim.fitting.robust import influence, weights
from towsim.model.arrays import Floats

DEPENDENT = 1e-7
"""Singular value, of the largest one of a Jacobian with columns of length 1, below which a direction is not seen."""

PROMISING, ROUNDING = 1e-3, 1e-6
"""Share of the sum of squares that a step gains, and of the numbers that it is, where a search has not ended."""


def leads_on(x: Floats, residuals: Floats, jacobian: Floats) -> bool:
    """Whether a Gauss–Newton step from x is one, and promises more than a search leaves that has converged."""
    step = np.linalg.lstsq(jacobian, -residuals, rcond=DEPENDENT)[0]
    gain = float(np.sum((jacobian @ step) ** 2))
    size = np.abs(without_rounding(x))
    size[size == 0.0] = 1.0
    return gain > PROMISING * float(residuals @ residuals) and bool((np.abs(step) > ROUNDING * size).any())


@dataclass(frozen=True)
class Left:
    """What a fit leaves.

    Attributes
    ----------
    residuals : (rows,) over the noise, or over their scale
    jacobian : (rows, numbers) of the residuals
    kinds : (rows,) which variable each is of, as integers
    loss : that was minimised
    known : whether the noise was given
    """

    residuals: Floats
    jacobian: Floats
    kinds: Floats
    loss: str
    known: bool

    def weighed(self, which: Floats) -> tuple[Floats, Floats]:
        """Residuals and Jacobian of the least squares that has the same minimum, √ρ′ r; of some of the numbers."""
        root = np.sqrt(weights(self.loss, self.residuals))
        return root * self.residuals, root[:, None] * self.jacobian[:, which]

    def share(self) -> tuple[Floats, Floats]:
        """What rows weigh, √(m/K), and the deviation s of their ψ; (rows,) each."""
        n, p = self.jacobian.shape
        weight, spread = np.ones(n), np.ones(n)
        if self.loss == "linear":
            return weight, spread if self.known else spread * np.linalg.norm(self.residuals) / np.sqrt(n - p)
        psi, slope = influence(self.loss, self.residuals)
        for kind in np.unique(self.kinds):
            mine = self.kinds == kind
            mean, spread[mine] = slope[mine].mean(), np.sqrt(np.mean(psi[mine] ** 2) * n / (n - p))
            # Where most are outliers the mean is none, and what these readings tell.
            excess = p / n * slope[mine].var()
            weight[mine] = np.sqrt(mean**3 / (mean**2 + excess)) if mean > 0.0 else 0.0
        return weight, spread


@dataclass(frozen=True)
class Errors:
    """Standard errors and their correlation; how many numbers are seen, which are not; what intervals multiply σ by."""

    sigma: Floats
    correlation: Floats
    rank: int
    not_told: tuple[str, ...]
    quantile: float


def errors(names: Sequence[str], left: Left, confidence: float) -> Errors:
    """Standard errors from what is left at the minimum."""
    from scipy.stats import norm, t

    n, freedom = len(names), len(left.residuals) - len(names)
    weight, spread = left.share()
    jacobian = weight[:, None] * left.jacobian
    length = np.linalg.norm(jacobian, axis=0)
    length[length == 0.0] = 1.0
    across, singular, directions = np.linalg.svd(jacobian / length, full_matrices=False)
    seen = singular > DEPENDENT * singular[0]
    noise = np.divide(spread, weight, out=np.zeros_like(spread), where=weight > 0.0)
    root = (directions[seen].T / singular[seen]) @ (across[:, seen].T * noise)  # A⁻¹ √B, (numbers, rows)
    covariance = root @ root.T
    blind = np.abs(directions[~seen]) > 1e-3
    sigma = np.where(blind.any(axis=0), np.inf, np.sqrt(np.diag(covariance)) / length)
    size = np.sqrt(np.diag(covariance))
    size[size == 0.0] = 1.0
    sentences = tuple(
        "cannot be told apart: " + ", ".join(names[j] for j in range(n) if hidden[j])
        if hidden.sum() > 1
        else f"cannot be told: {', '.join(names[j] for j in range(n) if hidden[j])}"
        for hidden in blind
    )
    sure = left.known and left.loss == "linear"
    quantile = float(norm.ppf(0.5 + 0.5 * confidence) if sure else t.ppf(0.5 + 0.5 * confidence, freedom))
    return Errors(sigma, covariance / np.outer(size, size), int(seen.sum()), sentences, quantile)
