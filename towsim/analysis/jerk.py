"""What the jerks of a run would do to real wires: an estimate of the peak force from impulse, loss and stiffness.

A hard wire tells of a jerk its impulse p and the energy lost E = ½ p v (Carnot), hence the speed v = 2E/p at which its
ends were driven apart, and the mass m = p/v = p²/2E that they put against it (the inverse of A's diagonal for one wire;
with others taut, what they leave of it). Afterwards the wire bears what is left of the load, T: the force that the hard
wire bears in the row behind the jerk. A real wire is a spring k = EA/L, L its length at the jerk, which T stretches,
too. Where it is stretched most, by x, it has taken up E and the work of T:

    ½ k x² = E + T x,    F = k x = T + √(T² + 2 k E) = T + √(T² + k m v²)

That is v √(k m) of a fast mass, and 2 T of a load that is let go on a wire without slack. It is assumed that T stays as
it is while the wire stretches, for π/2 √(m/k) or somewhat longer.

If the wire has a mass per length μ, the wave that starts at its end bears v √(EA μ) on top (Boussinesq's approximation
of the impact on a bar by a mass several times its own). Damping and what else is elastic make it less; it is no bound.

All this is of a wire whose own ends were driven apart. One that was taut and only passes on what another wire, the
ground, a joint or its drum stops has E = 0 or next to it, and what a real one bears depends on the stiffness of all
of them: of such a jerk no speed, mass or force is told. It shows in m, which is far beyond all mass that moves (FAR).

Source: energy balance of mass and spring; Timoshenko & Goodier, Theory of Elasticity, on the impact of bars.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from towsim.errors import ResultError
from towsim.results.result import a_result
from towsim.run.options import positive
from towsim.scene.expand import expand

if TYPE_CHECKING:
    from towsim.results import Event, Result
    from towsim.scene import Scene

FAR = 10.0
"""Times the mass of all bodies. A body that is free puts at most its own mass against a wire; lever arms and flat
angles make it several times that. Wires that only pass an impulse on seem to have stopped 300 times all mass or more in
examples/lift.yaml, 1e10 times where they hang in line."""


@dataclass(frozen=True, slots=True)
class Jerk:
    """One jerk.

    Attributes
    ----------
    time, wire, impulse, energy_lost : as the event has them [s], -, [N s], [J]
    speed : at which the wire's ends were driven apart [m/s]; NaN if it only passed on what was stopped elsewhere
    mass : effective mass [kg]; NaN as speed
    tension : what the wire bears afterwards [N]; NaN if no tension was recorded
    length : of the wire at that time [m]; NaN if no length was recorded
    peak_force : estimate T + √(T² + k m v²) for the wire's axial stiffness and its length then, and v √(EA μ) more
        where its material has a mass_per_length μ [N]; NaN as speed, or if the stiffness, T or the length is not known
    """

    time: float
    wire: str
    impulse: float
    energy_lost: float
    speed: float
    mass: float
    tension: float
    length: float
    peak_force: float


def jerks(result: Result, axial_stiffness: float | None = None) -> tuple[Jerk, ...]:
    """Every jerk of a run in order of time, with an estimate of the peak force where the stiffness is known.

    Parameters
    ----------
    axial_stiffness : EA of the wires whose ``material`` does not give one [N]

    Raises
    ------
    UsageError : it is no finite number > 0
    """
    if axial_stiffness is not None:
        positive("axial_stiffness [N]", axial_stiffness)
    try:
        scene = a_result(result).scene
    except ResultError:  # of another version: without materials there is no estimate of a force
        scene = None
    found = result.events.select("jerk")
    tension, length = _afterwards(result, found), _lengths(result, found)
    far = math.inf if scene is None else FAR * sum(body.mass for body in expand(scene).bodies.values())
    return tuple(_jerk(*one, far, scene, axial_stiffness) for one in zip(found, tension, length, strict=True))


def _afterwards(result: Result, found: Sequence[Event]) -> list[float]:
    """What the jerks' wires bear in the rows behind them [N]."""
    if not found or "tension" not in result:
        return [math.nan] * len(found)
    tension, wires = result["tension"].values, result.coords["wire"]
    rows = np.searchsorted(result.time, [event.time * (1.0 + 1e-12) for event in found], side="right")
    rows = np.minimum(rows, len(result.time) - 1)
    return [float(tension[row, wires.index(event.subject)]) for row, event in zip(rows, found, strict=True)]


def _lengths(result: Result, found: Sequence[Event]) -> list[float]:
    """Of the jerks' wires at that time [m], as recorded: what winches, drums and callers fed is in no scene."""
    if not found or "length" not in result:
        return [math.nan] * len(found)
    lengths = result["length"]
    return [float(np.interp(one.time, result.time, lengths.sel(wire=one.subject))) for one in found]


def _jerk(
    event: Event, tension: float, length: float, far: float, scene: Scene | None, axial_stiffness: float | None
) -> Jerk:
    impulse, energy = event.impulse, event.energy_lost
    mass = impulse * impulse / (2.0 * energy) if energy > 0.0 else math.inf
    if not mass < far:
        return Jerk(event.time, event.subject, impulse, energy, math.nan, math.nan, tension, length, math.nan)
    speed = 2.0 * energy / impulse
    peak = math.nan
    if scene is not None and event.subject in scene.wires:
        section = scene.wires[event.subject].section()
        stiffness = section.axial_stiffness
        if math.isnan(stiffness) and axial_stiffness is not None:
            stiffness = axial_stiffness
        wave = 0.0 if math.isnan(section.mass_per_length) else speed * math.sqrt(stiffness * section.mass_per_length)
        peak = tension + math.sqrt(tension * tension + 2.0 * energy * stiffness / length) + wave
    return Jerk(event.time, event.subject, impulse, energy, speed, mass, tension, length, peak)
