"""Events of the contacts: when they land, stick, slip and lift; and of joints' limits, which are met as the ground is.

A contact is *apart* once it bears nothing and its gap has passed ten times what a step of free fall opens twice over;
the first impulse after that is the beginning of a *contact*, until it approaches no more. So is an impact on one that
approaches and has not been apart: at the start, or where a velocity is set by hand. The impulse of a contact is the
normal one, its energy lost −Σ p·(w⁻ + w⁺)/2 over all three rows. While it bears, it *slips* when its slip speed exceeds
SLIPPING g h and *sticks* when that is below STICKING g h, g = 9.81 m/s²: what lies between is as before.

A limit at which a coordinate is stopped at once has an *impact*: as of a taut wire that is struck, more is passed on
than forces do in the step, and than rounding. It lasts while there are impacts, two steps mostly; the loss is Carnot's.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import part
from towsim.constraints.axis import LOWER
from towsim.methods.watch import lost, row_rate, struck
from towsim.model.arrays import Flags, Floats, Ints

UNKNOWN, APART, LANDING, TOUCHING, STICKING_NOW, SLIPPING_NOW = range(6)
CONTACT, STICK, SLIP, LIFT = 10, 11, 12, 13
"""Kinds of events, beside those of the wires."""

IMPACT = 20
"""And of limits."""

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


class LimitWatch(NamedTuple):
    """Per axis of a joint, its lower limit and then its upper one: the impact under way."""

    hit: Flags  # (2 na,) whether there is one
    since: Floats  # (2 na,) [s]
    until: Floats  # (2 na,) [s]
    impulse: Floats  # (2 na,) [N s] or [N m s]
    energy: Floats  # (2 na,) [J]


def make_contact_watch(contacts: int) -> ContactWatch:
    """A watch of so many contacts."""
    return ContactWatch(np.zeros(contacts, np.int64), np.zeros(contacts), np.zeros(contacts), np.zeros(contacts))


def make_limit_watch(axes: int) -> LimitWatch:
    """A watch of the limits of so many axes."""
    n = 2 * axes
    return LimitWatch(np.zeros(n, np.bool_), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n))


@part()
def note(watch, since, kind, subject, impulse, energy, until):
    """Write an event to the block's list."""
    k = watch.found[0]
    watch.event[k, 0] = since
    watch.event[k, 1] = kind
    watch.event[k, 2] = subject
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
            if phase != LANDING and ((phase == APART and p > 0.0) or hit(model, work, v, row, h)):
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
                        if model.rows.compliance[row] == 0.0:  # a spring gives back what it takes: that is no impact
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


@part()
def hit(model, work, v, row, h):
    """Whether a contact, apart or not, is struck as it approaches: its impulse is more than what forces ask for."""
    approaching = row_rate(model, work, v, row) < -RATE_OF_STEP * h
    return approaching and work.impulse[row] > 0.0 and struck(model, work, row)


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
