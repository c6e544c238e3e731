"""What a velocity-level step makes of a spring: the implicit midpoint, and implicit Euler where it does not resolve it.

    F = −k (φ + α h φ̇⁺ − β h φ̇⁻) − c φ̇⁺,    α = ¼ + ¾ s,    β = ¼ (1 − s)
    s = 0 for a ≤ 4,    s = 1 − 4/a beyond,    a = h² k a_ii

φ is the coordinate at the beginning of the step, φ̇⁻ and φ̇⁺ its rates before and after the step's impulses, a_ii what
φ̇ gets from a unit impulse along φ: a = (ω h)² of the spring by itself. ``constraints/elastic.py`` derives it.
"""

from __future__ import annotations

from typing import Any

from solvers.kernels.compiled import part

RESOLVED = 4.0
"""(ω h)² up to which a spring keeps its energy: ω h = 2, a quarter of a period in a step; explicit steps end there."""


@part()
def euler_share(stiffness: Any, give: Any, h: float) -> Any:
    """Share s of implicit Euler in a step of h [s], for a_ii = ``give`` [1/kg or 1/(kg m²)]."""
    a = h * h * stiffness * give
    return 1.0 - RESOLVED / a if a > RESOLVED else 0.0
