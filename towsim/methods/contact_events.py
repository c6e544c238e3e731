"""Events of the contacts: when they land, stick, slip and lift.

A contact is *apart* once it bears nothing and its gap has passed ten times what a step of free fall opens twice over;
the first impulse after that is the beginning of a *contact*, until it approaches no more. Its impulse is the normal
one, its energy lost −Σ p·(w⁻ + w⁺)/2 over all three rows. While it bears, it *slips* when its slip speed exceeds
SLIPPING g h and *sticks* when that is below STICKING g h, g = 9.81 m/s²: what lies between is as before.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import part
from towsim.methods.watch import row_rate
from towsim.model.arrays import Floats, Ints

UNKNOWN, APART, LANDING, TOUCHING, STICKING_NOW, SLIPPING_NOW = range(6)
CONTACT, STICK, SLIP, LIFT = 10, 11, 12, 13
"""Kinds of events, beside those of the wires."""

SLIPPING, STICKING = 1e-3, 1e-6
GRAVITY = 9.81
GAP_OF_STEP = 10.0 * GRAVITY  # × h²
RATE_OF_STEP = 20.0  # × h


class ContactWatch(NamedTuple):
    """Per contact: what it does, since when, and the impulse and energy of the landing under way."""

    phase: Ints  # (nc,)
    since: Floats  # (nc,) [s]
    impulse: Floats  # (nc,) [N s]
    energy: Floats  # (nc,) [J]


def make_contact_watch(contacts: int) -> ContactWatch:
    """A watch of so many contacts."""
    return ContactWatch(np.zeros(contacts, np.int64), np.zeros(contacts), np.zeros(contacts), np.zeros(contacts))


@part()
def note(watch, since, kind, contact, impulse, energy, until):
    """Write an event to the block's list."""
    k = watch.found[0]
    watch.event[k, 0] = since
    watch.event[k, 1] = kind
    watch.event[k, 2] = contact
    watch.event[k, 3] = impulse
    watch.event[k, 4] = energy
    watch.event[k, 5] = until
    watch.found[0] = k + 1


@part()
def note_contacts(touch, model, work, v, v_new, h, time, watch):
    """Before the state advances from v to v_new: follow every contact; time: end of the step [s]."""
    if touch is not None:
        for c in range(touch.phase.shape[0]):
            row = model.contacts.row[c, 0]
            p = work.p[row]
            far = work.gap[row] > GAP_OF_STEP * h * h
            phase = touch.phase[c]
            if phase == UNKNOWN:
                phase = APART if far else TOUCHING
            if phase == APART and p > 0.0:
                phase = LANDING
                touch.since[c] = time
                touch.impulse[c] = 0.0
                touch.energy[c] = 0.0
            if phase == LANDING:
                over = p == 0.0
                for k in range(3):
                    i = model.contacts.row[c, k]
                    if i >= 0:
                        after = row_rate(model, work, v_new, i)
                        touch.energy[c] -= 0.5 * work.p[i] * (row_rate(model, work, v, i) + after)
                        if k == 0:
                            over = over or after >= -RATE_OF_STEP * h
                touch.impulse[c] += p
                if over:
                    note(watch, touch.since[c], CONTACT, c, touch.impulse[c], touch.energy[c], time)
                    phase = TOUCHING
            if phase >= TOUCHING and p == 0.0 and far:
                note(watch, time, LIFT, c, 0.0, 0.0, time)
                phase = APART
            if phase >= TOUCHING and p > 0.0 and model.contacts.row[c, 1] >= 0:
                a = row_rate(model, work, v_new, model.contacts.row[c, 1])
                b = row_rate(model, work, v_new, model.contacts.row[c, 2])
                speed = sqrt(a * a + b * b)
                if phase != SLIPPING_NOW and speed > SLIPPING * GRAVITY * h:
                    phase = SLIPPING_NOW
                    note(watch, time, SLIP, c, 0.0, 0.0, time)
                elif phase != STICKING_NOW and speed < STICKING * GRAVITY * h:
                    phase = STICKING_NOW
                    note(watch, time, STICK, c, 0.0, 0.0, time)
            touch.phase[c] = phase
