"""The shape in which a slack cable hangs between its ends: a discrete, elastic catenary.

Element i of length Le(1 + σ_i T_i/EA) points along σ_i T_i/T_i, where T_i = T_0 − (i + ½) Le ρ g is the force in its
middle, with T_0 the force on the root; joints bear no moment. It pulls, σ_i = 1, or it pushes, σ_i = −1. The two
components of T_0, in the plane of span and weight, are found such that the elements reach from end to end:

    f(T_0) = Σ Le (σ_i/‖T_i‖ + 1/EA) T_i − span = 0

Where all pull, f is the gradient of the complementary energy, a convex function, so that Newton's method arrives if
steps that go too far are halved. That function has an edge where an element bears nothing, and its least value is at
such an edge if that element can reach what the others, which hang straight down there, leave of the span:

    ‖r_j‖ ≤ 1,    r_j = span/Le − Σ_{i≠j} (1/‖T_i‖ + 1/EA) T_i,    T_0 = (j + ½) Le ρ g

as in a loop that is narrower than an element. That one, the lowest, hangs like the seat of a swing between two ropes
that lean outwards: it pushes. To first order in h, the horizontal force, here negative, with u the way the seat points,

    u_v = r_v,    |u_h|² = 1 − r_v²,    h Σ_{i≠j} 1/‖T_i‖ = r_h − u_h

Source: discrete catenary; Irvine, Cable Structures (1981), for the elastic one.
"""

from __future__ import annotations

import numpy as np

from towsim.errors import SceneError
from towsim.model.arrays import Floats

STEPS, HALVINGS = 100, 40
CLOSED, UNSURE = 1e-13, 1e-10
"""Largest gap between the last element and the end, relative to the length; and where an element bears next to nothing,
so that rounding turns it."""

ONE = "a cable of one element cannot be slack; give it two or more"

FOLDED = 0.1
"""Strain of an element that pushes: beyond it is another solution, in which it turns over."""

NARROW, UPRIGHT = 3.0, 1.0 - 1e-9
"""Width of a loop, in elements, up to which the force in the lowest one is first taken to first order; its steepest."""

ROUNDED = 4.0 * float(np.finfo(float).eps)
"""Relative error of forces in the middle of elements, which turns those that bear little."""


def plane_of(span: Floats, weight: Floats, aside: Floats) -> Floats:
    """The plane in which a slack cable lies, as unit vectors (2, 3): across, and down; without weight, along the span.

    Parameters
    ----------
    span : from root to tip (3,) [m];  weight : per length (3,) [N/m]
    aside : across the span (3,), to where it lies if nothing else says so
    """
    heavy = float(np.linalg.norm(weight))
    down = weight / heavy if heavy > 0.0 else span / np.linalg.norm(span)
    across = span - (span @ down) * down
    if not np.linalg.norm(across) > 1e-9 * np.linalg.norm(span):
        across = aside
    return np.stack([across / np.linalg.norm(across), down])


def hang(end: Floats, length: float, elements: int, stiffness: float, heavy: float) -> tuple[Floats, Floats]:
    """Directions (n, 2) in their plane, and extensions (n,) [m], of the elements of a cable at rest.

    Parameters
    ----------
    end : from root to tip (2,), across and down [m];  length : unstrained [m];  elements : n
    stiffness : EA [N];  heavy : weight per length [N/m]

    Raises
    ------
    SceneError : there is no weight that says how a slack cable hangs, or no shape was found
    """
    if not heavy > 0.0:
        raise SceneError("a cable longer than its span needs gravity to hang")
    if elements < 2:
        raise SceneError(ONE)
    size, sign = length / elements, np.ones((elements, 1))
    lifted = _lifted(elements, size * heavy)
    T0 = _guess(end, length, heavy)
    lowest, left, force = _lowest(end, size, elements, stiffness, heavy)
    if left[0] < NARROW:
        T0 = lifted[lowest] + force
    if np.linalg.norm(left) < 1.0:
        sign[lowest] = -1.0
    f, slope, error = _closing(T0, lifted, sign, end, size, stiffness)
    for _ in range(STEPS):
        if not np.isfinite(slope).all():
            break  # a part without tension has no direction
        step = np.linalg.solve(slope, -f)
        if np.linalg.norm(f) <= max(CLOSED * length, min(error, UNSURE * length)):
            T = T0 + step - lifted  # to rounding, so that differences of shapes tell derivatives
            tension = sign * np.linalg.norm(T, axis=1, keepdims=True)
            if tension.min() < -FOLDED * stiffness:
                break
            return T / tension, size * tension[:, 0] / stiffness
        for _ in range(HALVINGS):
            trial = _closing(T0 + step, lifted, sign, end, size, stiffness)
            if trial[0] @ step <= 0.9 * abs(f @ step) or np.linalg.norm(trial[0]) < 0.5 * np.linalg.norm(f):
                break
            step = 0.5 * step
        T0 = T0 + step
        f, slope, error = trial
    raise SceneError("no shape was found in which it hangs at rest; start it straight")


def hang_rates(
    shape: tuple[Floats, Floats], size: float, stiffness: float, heavy: float, end_rate: Floats, size_rate: float
) -> tuple[Floats, Floats]:
    """Rates (n, 2) [1/s] and (n,) [m/s] of directions and extensions, so that it hangs at rest as its end moves slowly.

    With t the directions, N the forces along them, a_i = (i + ½) ρ g and s the unstrained length of an element, f = 0
    gives

        ∂f/∂T_0 Ṫ_0 = end' − ṡ ∂f/∂s,    Ṫ_i = Ṫ_0 − a_i ṡ,    t_i' = (1 − t_i t_iᵀ) Ṫ_i/N_i,
        (s N_i/EA)' = (ṡ N_i + s t_i·Ṫ_i)/EA

    Parameters
    ----------
    shape : as of ``hang``;  size : s [m];  stiffness, heavy : as of ``hang``
    end_rate : of the end (2,) [m/s];  size_rate : ṡ [m/s]
    """
    t, N = shape[0], (shape[1] * stiffness / size)[:, None]
    lifted = _lifted(len(t), heavy)
    turning = (np.eye(2) - t[:, :, None] * t[:, None, :]) / N[:, :, None]
    slope = size * (turning + np.eye(2) / stiffness).sum(axis=0)
    of_size = ((1.0 + N / stiffness) * t).sum(axis=0) - size * np.einsum(
        "ijk,ik->j", turning + np.eye(2) / stiffness, lifted
    )
    T_rate = np.linalg.solve(slope, end_rate - size_rate * of_size) - size_rate * lifted
    stretching = (size_rate * N[:, 0] + size * (t * T_rate).sum(axis=1)) / stiffness
    return np.einsum("ijk,ik->ij", turning, T_rate), stretching


def bow(end: Floats, length: float, elements: int, side: float) -> tuple[Floats, Floats]:
    """Directions (n, 2) and extensions (n,) of a slack cable on an arc of a circle: where nothing says how it hangs.

    Element i makes the angle (½(n − 1) − i) φ with the span, where sin(½nφ)/sin(½φ) = n d/L. The arc is on this side of
    the span, see ``side_of``. Parameters as of ``hang``.

    Raises
    ------
    SceneError : one element cannot be longer than its span
    """
    if elements < 2:
        raise SceneError(ONE)
    d = float(np.linalg.norm(end))
    along = end / d
    low, high = 0.0, 2.0 * np.pi / elements
    for _ in range(HALVINGS + 20):
        phi = 0.5 * (low + high)
        straighter = np.sin(0.5 * elements * phi) > np.sin(0.5 * phi) * elements * d / length
        low, high = (phi, high) if straighter else (low, phi)
    angle = (0.5 * (elements - 1) - np.arange(elements))[:, None] * high
    return np.cos(angle) * along + np.sin(angle) * side * [-along[1], along[0]], np.zeros(elements)


def side_of(end: Floats) -> float:
    """On which side of its span an arc lies: below, or, of a span up or down, across."""
    return 1.0 if end[0] > 1e-6 * np.linalg.norm(end) else -float(np.sign(end[1]))


def _lifted(elements: int, heavy: float) -> Floats:
    """By how much forces differ from that on the root (n, 2), in the middles of elements that weigh so much each."""
    return np.outer((np.arange(elements) + 0.5) * heavy, [0.0, 1.0])


def _lowest(end: Floats, size: float, elements: int, stiffness: float, heavy: float) -> tuple[int, Floats, Floats]:
    """The lowest element j, r_j, and the force in its middle, to first order: (2,) across and down."""
    j = np.arange(elements)
    # Forces in the middles of the others are (j − i) Le ρ g: some of them down, some up.
    others = 2.0 * j - elements + 1.0 + heavy * size / stiffness * elements * (j - 0.5 * (elements - 1))
    lowest = int(np.argmin(np.abs(end[1] / size - others)))
    r = end / size - [0.0, others[lowest]]
    u_v = float(np.clip(r[1], -UPRIGHT, UPRIGHT))
    u_h = np.sqrt(1.0 - u_v**2)
    h = (r[0] - u_h) * size * heavy / (1.0 / np.abs(lowest - j[j != lowest])).sum()
    pull = np.copysign(abs(h) / u_h, np.linalg.norm(r) - 1.0)
    return lowest, r, np.array([h, pull * u_v])


@np.errstate(all="ignore")
def _closing(
    T0: Floats, lifted: Floats, sign: Floats, end: Floats, size: float, stiffness: float
) -> tuple[Floats, Floats, float]:
    """f(T_0), its derivative, and how far rounding lets f err; all in the plane."""
    T = T0 - lifted
    tension = sign * np.linalg.norm(T, axis=1, keepdims=True)
    t = T / tension
    f = size * (t + T / stiffness).sum(axis=0) - end
    slope = size * ((1.0 / tension).sum() + len(T) / stiffness) * np.eye(2) - size * (t / tension).T @ t
    error = ROUNDED * size * float(np.linalg.norm(T0) * np.abs(1.0 / tension).sum())
    return f, slope, error


def _guess(end: Floats, length: float, heavy: float) -> Floats:
    """Force on the root, (2,), of a shallow parabola with this excess length, or of a nearly vertical loop."""
    width, depth = max(float(end[0]), 1e-6 * length), float(end[1])
    excess = np.sqrt(max(length**2 - depth**2, 0.0)) / width
    # sinh ξ/ξ = excess, ξ = ½ width/a: by its series for small ξ, its logarithm for large ones.
    xi = (
        np.sqrt(6.0 * max(excess - 1.0, 1e-12)) if excess < 3.0 else np.log(2.0 * excess) + np.log(np.log(2.0 * excess))
    )
    pull = heavy * 0.5 * width / xi
    return np.array([pull, 0.5 * heavy * length + pull * depth / length])
