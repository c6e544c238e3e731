"""Events of joints with limits: the *impact* where a coordinate comes to one of them and is stopped at once.

As of a taut wire that is struck, it is one if more is passed on than forces do in the step, and than rounding. It lasts
for as long as there are impacts at the limit, two steps mostly; the energy lost is Carnot's (see ``watch``).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import part
from towsim.constraints.axis import LOWER
from towsim.methods.contact_events import note
from towsim.methods.watch import lost, struck
from towsim.model.arrays import Flags, Floats

IMPACT = 20
"""Kind of event, beside those of the wires and contacts."""


class LimitWatch(NamedTuple):
    """Per axis of a joint, its lower limit and then its upper one: the impact under way."""

    hit: Flags  # (2 na,) whether there is one
    since: Floats  # (2 na,) [s]
    until: Floats  # (2 na,) [s]
    impulse: Floats  # (2 na,) [N s] or [N m s]
    energy: Floats  # (2 na,) [J]


def make_limit_watch(axes: int) -> LimitWatch:
    """A watch of the limits of so many axes."""
    n = 2 * axes
    return LimitWatch(np.zeros(n, np.bool_), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n))


@part()
def has_limits(limits):
    """Whether joints with an axis are watched."""
    found = False
    if limits is not None:
        found = limits.hit.shape[0] > 0
    return found


@part()
def note_limits(limits, model, work, v, v_new, time, watch):
    """Before the state advances from v to v_new: follow every limit; time: end of the step [s]."""
    if limits is not None:
        axes = model.joints.axes
        for n in range(limits.hit.shape[0]):
            row = axes.row[n // 2, LOWER + n % 2]
            if row < 0:
                continue
            impulse = work.impulse[row]
            if impulse > 0.0 and not limits.hit[n] and struck(model, work, row):
                limits.hit[n] = True
                limits.since[n] = time
                limits.impulse[n] = 0.0
                limits.energy[n] = 0.0
            if limits.hit[n] and impulse > 0.0:
                limits.until[n] = time
                limits.impulse[n] += impulse
                limits.energy[n] += lost(model, work, v, v_new, row, impulse)
            elif limits.hit[n]:
                limits.hit[n] = False
                joint = axes.joint[n // 2]
                note(watch, limits.since[n], IMPACT, joint, limits.impulse[n], limits.energy[n], limits.until[n])
