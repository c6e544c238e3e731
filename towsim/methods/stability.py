"""Whether a BDF method is stable for the massive cables of a scene, at its step.

BDF-p turns the mode ẏ = λ y into y_n = ζⁿ with Σ_{j ≤ p} (1 − 1/ζ)ʲ/j = λ h. Orders 1 and 2 have |ζ| ≤ 1 wherever
Re λ ≤ 0. Orders 3 and 4 have not: an undamped mode, λ = iω, grows by up to 4.6 % a step for ω h < 1.94, or 19 % for
ω h < 4.7. A cable of n elements of length ℓ has modes for n values of κ = (4/ℓ²) sin²(½ β ℓ), β = kπ/2L:

    waves along it          m λ² + ηA κ λ + EA κ = 0
    vibrations across it    m λ² + ηI κ² λ + (T κ + EI κ²) = 0

with m its mass per length; k = 2 .. 2n − 1, and 1 for waves of a free end. A body of mass M that hangs on it bounces
with κ = m/(L (M + mL/3 + mL/6n²)), as all elements stretch alike. The tension T is that of an elastic parabola between
the ends at the start, L (1 + T/EA) = d + w² d³/(24 T²), and the weight of the bodies.

Sources: Hairer & Wanner, Solving Ordinary Differential Equations II, ch. V.1 (A(α)-stability); Irvine, Cable Structures
(1981), for the parabola.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from towsim.model.arrays import Floats
from towsim.model.cables import ends_at_start
from towsim.scene import FREE, Mrfe, Scene, Wire
from towsim.scene.expand import with_points

HARMLESS = 1e-6
"""Growth of a mode in one step that no run is long enough to suffer from."""

RUINOUS = 1e3
"""Growth of a mode over a run that leaves nothing else to be seen."""

WORKING_STRAIN = 1e-3
"""What a rope is stretched by at work: the other tension for which a method is chosen."""

MODES = 64
"""Modes of each kind that are looked at."""

HALVINGS = 60

FAR = 1e3
"""Lengths of a cable beyond which no run begins with it."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The mode of a cable that grows fastest.

    Attributes
    ----------
    cable : its name;  across : whether it vibrates across its direction, or along it
    rate : |ζ| − 1
    frequency : Im λ/2π [Hz]
    damping : ηA [N s] and ηI [N m² s] with which no mode of the cable grows; None where it is as it should be
    """

    cable: str
    across: bool
    rate: float
    frequency: float
    damping: tuple[float | None, float | None]

    def __str__(self) -> str:
        units = ("axial_damping", "N s"), ("bending_damping", "N m² s")
        needed = [f"{name}: {_up(x)} {unit}" for (name, unit), x in zip(units, self.damping, strict=True) if x]
        return (
            f"{'vibrations across' if self.across else 'waves along'} cable {self.cable!r}, of {self.frequency:.3g} Hz "
            f"and hardly damped, grow by {100.0 * self.rate:.2g} % a step; use bdf2, which damps them, or give the "
            f"material {' and '.join(needed)}"
        )


class Figures(NamedTuple):
    """What the modes of a cable depend on."""

    elements: int
    length: float  # [m]
    mass: float  # per length [kg/m]
    axial: tuple[float, float]  # EA [N], ηA [N s]
    bending: tuple[float, float]  # EI [N m²], ηI [N m² s]
    tension: float  # [N]
    load: float  # mass of the bodies at its ends [kg]
    free: bool  # whether one end is free


def growth(order: int, z: NDArray[Any]) -> Floats:
    """Largest |ζ| − 1 (n,) of BDF-p at the complex numbers z = λ h (n,)."""
    coefficients, power = np.zeros(order + 1), np.ones(1)
    for j in range(1, order + 1):
        power = np.convolve(power, [1.0, -1.0])
        coefficients[: j + 1] += power / j
    companion = np.zeros((len(z), order, order), np.complex128)
    companion[:, np.arange(1, order), np.arange(order - 1)] = 1.0
    companion[:, 0, :] = -coefficients[1:] / (coefficients[0] - z)[:, None]
    found: Floats = np.abs(np.linalg.eigvals(companion)).max(axis=1) - 1.0
    return found


def fastest_growth(
    scene: Scene, order: int, step: float, *, at_work: bool = False, along: bool = False
) -> Growth | None:
    """The mode of all cables that grows fastest with BDF-p in steps of h; None where none grows to speak of.

    at_work : also where the cables are stretched as they usually are at work
    along : only waves along the cables, which do not depend on their tension
    """
    if order < 3:
        return None
    scene, worst = with_points(scene), None
    for name, wire in scene.wires.items():
        if isinstance(wire.model, Mrfe) and wire.length_at_start() > 0.0:
            figures = _figures(scene, name, wire, wire.model)
            pulled = (figures, figures._replace(tension=max(figures.tension, WORKING_STRAIN * figures.axial[0])))
            for each in pulled if at_work else pulled[:1]:
                found = _fastest(each, order, step, along)
                if found is not None and (worst is None or found[1] > worst.rate):
                    worst = Growth(name, *found)
    return worst


@lru_cache(maxsize=256)
def _fastest(
    figures: Figures, order: int, step: float, along: bool
) -> tuple[bool, float, float, tuple[float | None, float | None]] | None:
    """What ``Growth`` says of one cable beside its name."""
    found = [_of_kind(figures, order, step, across=across) for across in (False, True)]
    across = found[1][0] > found[0][0] and not along
    rate, frequency = found[across]
    if rate <= HARMLESS:
        return None
    needed = [_damping(figures, order, step, across=k > 0) if found[k][0] > HARMLESS else None for k in (0, 1)]
    return across, rate, frequency, (needed[0], needed[1])


def _of_kind(figures: Figures, order: int, step: float, *, across: bool) -> tuple[float, float]:
    """Growth and frequency [Hz] of the mode of one kind that grows fastest."""
    roots = _modes(figures, (figures.bending if across else figures.axial)[1], across=across)
    if not len(roots):
        return 0.0, 0.0
    rates = growth(order, step * roots)
    k = int(np.argmax(rates))
    return float(rates[k]), float(roots[k].imag) / math.tau


def _modes(figures: Figures, damping: float, *, across: bool) -> NDArray[np.complex128]:
    """λ (n,) of the modes of one kind, those above the real axis [1/s]."""
    n, L, m = figures.elements, figures.length, figures.mass
    first = 1 if figures.free and not across else 2
    k = np.unique(np.round(np.geomspace(first, max(2 * n - 1, first), MODES)))
    k = k[k < 2 * n]
    kappa = (2.0 * n / L * np.sin(0.25 * math.pi * k / n)) ** 2
    if across:
        square, rate = (figures.tension * kappa + figures.bending[0] * kappa**2) / m, damping * kappa**2 / m
    else:
        if figures.load > 0.0:
            kappa = np.append(kappa, m / (L * (figures.load + m * L * (1.0 / 3.0 + 1.0 / (6.0 * n**2)))))
        square, rate = figures.axial[0] * kappa / m, damping * kappa / m
    return np.asarray(-0.5 * rate + np.sqrt((0.25 * rate**2 - square).astype(np.complex128)))


def _damping(figures: Figures, order: int, step: float, *, across: bool) -> float:
    """Least damping with which no mode of one kind grows, by halving on a scale of powers."""
    stiffness, given = figures.bending if across else figures.axial
    low = max(given, 1e-6 * step * stiffness, 1e-12)
    high = low
    while high < 1e30 and growth(order, step * _modes(figures, high, across=across)).max() > HARMLESS:
        high *= 16.0
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        if growth(order, step * _modes(figures, middle, across=across)).max() > HARMLESS:
            low = middle
        else:
            high = middle
        if high < 1.01 * low:
            break
    return high


def _figures(scene: Scene, name: str, wire: Wire, model: Mrfe) -> Figures:
    section, length = wire.section(), wire.length_at_start()
    load = sum(scene.bodies[end].mass for end in _bodies(scene, wire))
    gravity = np.array(scene.gravity)
    pull = _start_tension(
        ends_at_start(scene, wire), length, section.axial_stiffness, section.mass_per_length * gravity
    )
    return Figures(
        elements=model.elements,
        length=length,
        mass=section.mass_per_length,
        axial=(section.axial_stiffness, section.axial_damping),
        bending=(section.bending_stiffness, section.bending_damping),
        tension=pull + load * float(np.linalg.norm(gravity)),
        load=load,
        free=wire.from_ == FREE,
    )


def _bodies(scene: Scene, wire: Wire) -> list[str]:
    return [name for end in (wire.from_, wire.to) if (name := end.partition(".")[0]) in scene.bodies]


def _start_tension(ends: tuple[Floats, Floats], length: float, stiffness: float, weight: Floats) -> float:
    """T of L (1 + T/EA) = d + w² d³/(24 T²), w the weight per length across the span [N].

    0 of ends at one place, and of those at which no run can begin: nowhere, or FAR lengths apart.
    """
    d = math.dist(*ends)
    if not 0.0 < d < FAR * length:
        return 0.0
    span = (ends[1] - ends[0]) / d
    w = float(np.linalg.norm(weight - (weight @ span) * span))
    if w == 0.0:
        return stiffness * max(d / length - 1.0, 0.0)
    straight, parabola = max(d / length - 1.0, 0.0), math.cbrt((w * d) ** 2 * d / (24.0 * length * stiffness**2))
    low, high = 0.0, stiffness * (straight + parabola)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if length * (1.0 + middle / stiffness) < d + (w * d) ** 2 * d / (24.0 * middle**2):
            low = middle
        else:
            high = middle
    return high


def _up(x: float) -> str:
    """A number with two digits, rounded up."""
    unit = math.pow(10.0, math.floor(math.log10(x)) - 1)
    return f"{math.ceil(x / unit) * unit:.2g}"
