"""What the jerks of a run would do to real wires: an estimate of the peak force from impulse, loss and stiffness.

A hard wire tells of a jerk its impulse p and the energy lost E = ½ p v (Carnot), hence the speed v = 2E/p at which its
ends were driven apart, and the mass m = p/v = p²/2E that they put against it (the inverse of A's diagonal for one wire;
with others taut, what they leave of it). A real wire is a spring k = EA/L that takes E up:

    F = v √(k m) = √(2 k E)

If it has a mass per length μ, the wave that starts at its end bears v √(EA μ) on top (Boussinesq's approximation of the
impact on a bar by a mass several times its own). Damping and what else is elastic make it less; it is no bound.

Source: energy balance of mass and spring; Timoshenko & Goodier, Theory of Elasticity, on the impact of bars.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from towsim.errors import SceneError
from towsim.scene import Scene, scene_from_text

if TYPE_CHECKING:
    from towsim.results import Event, Result


@dataclass(frozen=True, slots=True)
class Jerk:
    """One jerk.

    Attributes
    ----------
    time, wire, impulse, energy_lost : as the event has them [s], -, [N s], [J]
    speed : at which the wire's ends were driven apart [m/s]
    mass : effective mass [kg]
    peak_force : estimate for the wire's axial stiffness [N]; NaN if that is not known
    """

    time: float
    wire: str
    impulse: float
    energy_lost: float
    speed: float
    mass: float
    peak_force: float


def jerks(result: Result, axial_stiffness: float | None = None) -> tuple[Jerk, ...]:
    """Every jerk of a run in order of time, with an estimate of the peak force where the stiffness is known.

    Parameters
    ----------
    axial_stiffness : EA of the wires whose ``material`` does not give one [N]
    """
    text = result.attributes.get("scene")
    try:
        scene = scene_from_text(str(text), name="scene of the result") if text else None
    except SceneError:  # of another version: without lengths and materials there is no estimate of a force
        scene = None
    return tuple(_jerk(event, scene, axial_stiffness) for event in result.events.select("jerk"))


def _jerk(event: Event, scene: Scene | None, axial_stiffness: float | None) -> Jerk:
    impulse, energy = event.impulse, event.energy_lost
    speed = 2.0 * energy / impulse if impulse > 0.0 else 0.0
    mass = impulse / speed if speed > 0.0 else math.nan
    peak = math.nan
    if scene is not None and event.subject in scene.wires:
        wire = scene.wires[event.subject]
        section = wire.section()
        stiffness = section.axial_stiffness
        if math.isnan(stiffness) and axial_stiffness is not None:
            stiffness = axial_stiffness
        length = float(wire.length_at(np.array([event.time]))[0][0])
        wave = 0.0 if math.isnan(section.mass_per_length) else speed * math.sqrt(stiffness * section.mass_per_length)
        peak = math.sqrt(2.0 * energy * stiffness / length) + wave
    return Jerk(event.time, event.subject, impulse, energy, speed, mass, peak)
