"""Wind: the same everywhere, a function of time alone; a formula, gusts, and Dryden's turbulence.

The turbulence is a sum of sinusoids with the powers of Dryden's spectra and random phases: a function of time that a
seed determines, whatever the step, so that runs with different steps meet the same wind.

    Φ_u = σ² (2 L/π) / (1 + (L Ω)²),      Φ_v,w = σ² (L/π) (1 + 3 (L Ω)²) / (1 + (L Ω)²)²,      ω = V Ω

Sources: MIL-F-8785C, 3.7 (spectra, 1 − cosine gust); Shinozuka & Deodatis, Appl. Mech. Rev. 44 (1991), spectral
representation.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, StrictInt

from towsim.scene.base import Declared
from towsim.scene.motion import Axes, inside
from towsim.scene.quantity import Quantity, Vec3, Vector

Array = NDArray[np.float64]

WAVES = 64
"""Sinusoids of each component: none of them has more than a twentieth of the power."""

LOWEST, HIGHEST = 0.01, 100.0
"""Range of L Ω that is covered: outside is 1 % of the power, which the sum gets back by a common factor."""


class Gust(Declared):
    """A gust ½ v (1 − cos(2π (t − start)/duration)), once: ``velocity`` v is its peak."""

    start: Annotated[float, Quantity("beginning", "s")]
    duration: Annotated[float, Quantity("duration", "s", above=0.0)]
    velocity: Annotated[Vec3, Vector("velocity at the peak, world axes", "m/s")]

    def at(self, t: Array) -> Array:
        """Velocity (n, 3) [m/s] at the times ``t`` (n,) [s]."""
        s = np.clip((t - self.start) / self.duration, 0.0, 1.0)
        shape: Array = 0.5 * (1.0 - np.cos(2.0 * math.pi * s))[:, None] * np.array(self.velocity)
        return shape


class Turbulence(Declared):
    """Dryden's turbulence as it sweeps past at the speed V; u is along world x, v and w along y and z."""

    intensity: Annotated[Vec3, Vector("standard deviation σ of u, v, w", "m/s", least=0.0)]
    length: Annotated[float, Quantity("length scale L", "m", above=0.0)] = 50.0
    airspeed: Annotated[float, Quantity("speed V at which it passes", "m/s", above=0.0)] = 5.0
    seed: StrictInt = Field(default=0, ge=0, le=2**63 - 1, description="the same seed gives the same wind")

    def at(self, t: Array) -> Array:
        """Velocity (n, 3) [m/s] at the times ``t`` (n,) [s]."""
        amplitude, omega, phase = _waves(self)
        out = np.empty((len(t), 3))
        for axis in range(3):
            out[:, axis] = (amplitude[axis] * np.cos(np.multiply.outer(t, omega[axis]) + phase[axis])).sum(axis=1)
        return out


@lru_cache(maxsize=16)
def _waves(wind: Turbulence) -> tuple[Array, Array, Array]:
    """Amplitudes [m/s], angular frequencies [rad/s] and phases [rad], (3, WAVES) each."""
    random = np.random.Generator(np.random.PCG64(wind.seed))
    edges = np.geomspace(LOWEST, HIGHEST, WAVES + 1)
    x = edges[:-1] * (edges[1:] / edges[:-1]) ** random.random((3, WAVES))  # L Ω, one at random in each band
    power = 1.0 / (1.0 + x * x)
    power[1:] *= 0.5 * (1.0 + 3.0 * x[1:] ** 2) * power[1:]
    power *= np.diff(edges)
    amplitude = np.sqrt(2.0 * power / power.sum(axis=1, keepdims=True)) * np.array(wind.intensity)[:, None]
    return amplitude, x * wind.airspeed / wind.length, 2.0 * math.pi * random.random((3, WAVES))


class Wind(Axes):
    """Wind velocity, world axes [m/s]: numbers or formulas in t, with gusts and turbulence on top.

    It is the velocity of the medium that ``drag`` is relative to: for what floats or dives, of the current.
    """

    gusts: tuple[Gust, ...] = Field(default=(), description="gusts, added")
    turbulence: Turbulence | None = None

    def at(self, t: Array) -> Array:
        """Velocity (n, 3) [m/s] at the times ``t`` (n,) [s]."""
        out = super().at(t)
        for gust in self.gusts:
            out += gust.at(t)
        return out if self.turbulence is None else out + self.turbulence.at(t)

    def kinks(self, until: float) -> Array:
        """Times in (0, until) [s] at which some derivative jumps."""
        ends = [time for gust in self.gusts for time in (gust.start, gust.start + gust.duration)]
        return np.unique(np.concatenate([super().kinks(until), inside(ends, until)]))
