"""The shape in which a slack cable hangs between its ends: a discrete, elastic catenary.

Element i of length Le(1 + T_i/EA) points along the force T_i = T_0 − (i + ½) Le ρ g in its middle, with T_0 the force
on the root; joints bear no moment. The three components of T_0 are found such that the elements reach from end to end:

    f(T_0) = Σ Le (1/‖T_i‖ + 1/EA) T_i − span = 0

f is the gradient of the complementary energy, a convex function, so that Newton's method with halved steps arrives.

Source: discrete catenary; Irvine, Cable Structures (1981), for the elastic one.
"""

from __future__ import annotations

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import Floats

STEPS, HALVINGS = 100, 40
CLOSED = 1e-13
"""Largest gap between the last element and the end, relative to the length."""


def hang(span: Floats, length: float, elements: int, stiffness: float, weight: Floats) -> tuple[Floats, Floats]:
    """Directions (n, 3) and extensions (n,) [m] of the elements of a cable at rest.

    Parameters
    ----------
    span : from root to tip (3,) [m];  length : unstrained [m];  elements : n
    stiffness : EA [N];  weight : per length (3,) [N/m]

    Raises
    ------
    SceneError : there is no weight that says how a slack cable hangs, or no shape was found
    """
    heavy = float(np.linalg.norm(weight))
    if not heavy > 0.0:
        raise SceneError("a cable longer than its span needs gravity to hang")
    size = length / elements
    down = (np.arange(elements) + 0.5)[:, None] * size * weight
    T0 = _guess(span, length, weight)
    f, slope, energy = _closing(T0, down, span, size, stiffness)
    for _ in range(STEPS):
        if np.linalg.norm(f) <= CLOSED * length:
            T = T0 - down
            tension = np.linalg.norm(T, axis=1)
            return T / tension[:, None], size * tension / stiffness
        if not np.isfinite(slope).all():
            break  # a part without tension has no direction
        step = np.linalg.solve(slope, -f)
        for _ in range(HALVINGS):
            trial = _closing(T0 + step, down, span, size, stiffness)
            if trial[2] < energy or np.linalg.norm(trial[0]) < 0.5 * np.linalg.norm(f):
                break
            step = 0.5 * step
        T0 = T0 + step
        f, slope, energy = trial
    raise SceneError("no shape was found in which it hangs at rest (are its ends above each other?); start it straight")


def bow(span: Floats, length: float, elements: int, weight: Floats) -> tuple[Floats, Floats]:
    """Directions (n, 3) and extensions (n,) of a slack cable on an arc of a circle: where nothing says how it hangs.

    Element i makes the angle (½(n − 1) − i) φ with the span, where sin(½nφ)/sin(½φ) = n d/L. The arc is below the span,
    or, if that is vertical or there is no weight, on some side of it. Parameters as of ``hang``.

    Raises
    ------
    SceneError : one element cannot be longer than its span
    """
    if elements < 2:
        raise SceneError("a cable of one element cannot be slack; give it two or more")
    d = float(np.linalg.norm(span))
    along = span / d
    aside = weight - (weight @ along) * along
    if not np.linalg.norm(aside) > 1e-6 * np.linalg.norm(weight):
        aside = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    aside = aside / np.linalg.norm(aside)
    low, high = 0.0, 2.0 * np.pi / elements
    for _ in range(HALVINGS + 20):
        phi = 0.5 * (low + high)
        straighter = np.sin(0.5 * elements * phi) > np.sin(0.5 * phi) * elements * d / length
        low, high = (phi, high) if straighter else (low, phi)
    angle = (0.5 * (elements - 1) - np.arange(elements))[:, None] * high
    return np.cos(angle) * along + np.sin(angle) * aside, np.zeros(elements)


@np.errstate(all="ignore")
def _closing(T0: Floats, down: Floats, span: Floats, size: float, stiffness: float) -> tuple[Floats, Floats, float]:
    """f(T_0), its derivative, and the energy whose gradient it is."""
    T = T0 - down
    tension = np.linalg.norm(T, axis=1)
    t = T / tension[:, None]
    f = size * (t + T / stiffness).sum(axis=0) - span
    slope = size * ((1.0 / tension).sum() + len(T) / stiffness) * np.eye(3) - size * (t.T / tension) @ t
    energy = size * float((tension + 0.5 * tension**2 / stiffness).sum()) - float(T0 @ span)
    return f, slope, energy


def _guess(span: Floats, length: float, weight: Floats) -> Floats:
    """Force on the root of a shallow parabola with this excess length, or of a nearly vertical loop."""
    heavy = float(np.linalg.norm(weight))
    down = weight / heavy
    along = float(span @ down)
    across = span - along * down
    width = float(np.linalg.norm(across))
    excess = np.sqrt(max(length**2 - along**2, 0.0)) / max(width, 1e-6 * length)
    sideways = across / width if width > 1e-9 * length else np.cross(down, np.eye(3)[int(np.argmin(np.abs(down)))])
    # sinh ξ/ξ = excess, ξ = ½ width/a: by its series for small ξ, its logarithm for large ones.
    xi = (
        np.sqrt(6.0 * max(excess - 1.0, 1e-12)) if excess < 3.0 else np.log(2.0 * excess) + np.log(np.log(2.0 * excess))
    )
    pull = heavy * 0.5 * max(width, 1e-6 * length) / xi
    return np.asarray(
        pull * sideways / np.linalg.norm(sideways) + (0.5 * heavy * length + pull * along / length) * down
    )
