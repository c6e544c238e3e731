"""A winch under command: at a rate, to a length, or to a tension.

    rate      u = target
    length    u = k (L_d − L) + L̇_d
    tension   u = k (T − T_d) + I,   İ = ρ k (T − T_d)          (pays out when the wire pulls too hard)

The tension law is an admittance, L̈ = k Ṫ + ρ k (T − T_d): the wire pulls with T_d and, beyond it, as a damper 1/k in
series with an inertia 1/ρk, so that a lasting rate needs no lasting error. On a rigid wire the tension answers the rate
at once, and the lag of the drive is what keeps the loop stable: k m < lag, m the mass that the wire would have to move;
a springy one of stiffness K is well damped while k K < 1/lag.

Source: Hogan, J. Dyn. Sys. Meas. Control 107 (1985), impedance control.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import kernel
from solvers.kernels.dual import value
from towsim.control.plant import Plant
from towsim.model.arrays import Floats, Ints
from towsim.scene import Scene, WinchControl

RATE, LENGTH, TENSION = 0, 1, 2
MODES = {"rate": RATE, "length": LENGTH, "tension": TENSION}
QUICK = 5.0
"""Gain of the length mode without one of its own [1/s]."""


class Reeling(NamedTuple):
    """What the law keeps."""

    place: Ints  # (3,) mode, wire, number of the command
    gains: Floats  # (4,) k, ρ [1/s], period [s], largest rate [m/s]
    integral: Floats  # (1,) [m/s]


def make_reeling(scene: Scene, plant: Plant, law: WinchControl) -> Reeling:
    """Memory of the law."""
    winch = scene.wires[law.wire].winch
    assert winch is not None  # checked by the scene
    gain = {"rate": 0.0, "length": QUICK, "tension": 0.0}[law.mode] if law.gain is None else law.gain
    place = [MODES[law.mode], plant.wire(law.wire), plant.owned(law.wire)[0]]
    return Reeling(
        np.array(place, np.int64),
        np.array([gain, law.restoring, 1.0 / law.rate, winch.max_rate]),
        np.zeros(1),
    )


@kernel()
def reel(t, measured, reference, memory, command):
    """The law; ``reference`` holds target, its rate (and no more) in the x components. See ``Control``."""
    mode, wire, out = memory.place[0], memory.place[1], memory.place[2]
    gain, restoring, period, most = memory.gains[0], memory.gains[1], memory.gains[2], memory.gains[3]
    wanted, rate = reference[0, 0, 0], reference[0, 1, 0]
    if mode == RATE:
        command[out] = wanted
    elif mode == LENGTH:
        command[out] = rate + gain * (wanted - measured.length[wire])
    elif not math.isnan(value(measured.tension[wire])):  # until there is a tension to read, it stands still
        excess = gain * (measured.tension[wire] - wanted)
        memory.integral[0] = min(max(memory.integral[0] + restoring * excess * period, -most), most)
        command[out] = excess + memory.integral[0]
