"""Laws as the compiled loop calls them: judged before, called, looked at after.

All are called by their address, with arguments as those of a method's loop (``solvers.kernels.entry``), so that what
calls them is compiled once for all laws.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, NamedTuple

import numba
from numba.core.dispatcher import Dispatcher

from solvers.kernels.compiled import kernel, part
from solvers.kernels.dual import value
from towsim.control.carry import carry
from towsim.control.seen import Measured
from towsim.control.task import Function
from towsim.control.track import track
from towsim.control.winch import reel
from towsim.model.arrays import Floats, Floats33, Ints, Ints2

FASTEST, WILDEST = 340.0, 1000.0
"""Speed [m/s] and angular velocity [rad/s] at which a controlled body has surely diverged."""

OBEYED, ASTRAY, UNSOUND, ANSWERED, ASKED = 0, -1, -2, -3, -4
"""What is said of a call: commands stand; a body is out of control; commands are not finite; something was returned,
which a law should not do; or the law is to be called from Python."""


class Judged(NamedTuple):
    """What a controller is judged by."""

    measured: Measured
    bodies: Ints  # (n,) that should follow a reference each
    devices: Ints2  # (n, 2) numbers of their commands, from one to before another; −1 for none
    by_hand: Floats  # see Held; vehicles that are commanded by hand, or have failed altogether, are not judged
    lost: float  # distance at which they are lost [m]


class Call(NamedTuple):
    """What a law is called with, whenever it is."""

    judged: Judged
    measured: Any  # handle of Measured; of a law of the user's own, a copy that it may write to
    reference: Floats33  # (n, 3, 3) a copy, too
    memory: Any  # an array, or a handle
    command: Floats  # (na,) as it is held
    own: Floats  # (na,) what a law of the user's own may write to: its part is taken over
    places: Ints  # numbers of what it commands


class Told(NamedTuple):
    """What it is told in a block."""

    time: Floats  # (K+1,) [s]
    reference: Floats  # (n, motions, 3, 3) see ``Task.references``


@kernel()
def judge(judged, reference):
    """First body that is farther than ``lost`` from its reference, or wild: its place in ``bodies``, or −1; the error.

    judged : handle of ``Judged``
    """
    measured, bodies, devices, lost = judged.measured, judged.bodies, judged.devices, judged.lost
    by_hand = judged.by_hand
    for i in range(bodies.shape[0]):
        acts = devices[i, 0] < 0
        for k in range(devices[i, 0], devices[i, 1]):
            acts |= measured.alive[k] and math.isnan(by_hand[k])
        if not acts:
            continue
        b = bodies[i]
        error = speed = spin = 0.0
        for j in range(3):
            error += (value(measured.position[b, j]) - value(reference[i, 0, j])) ** 2
            speed += value(measured.velocity[b, j]) ** 2
            spin += value(measured.angular_velocity[b, j]) ** 2
        if not (error <= lost * lost and speed <= FASTEST * FASTEST and spin <= WILDEST * WILDEST):
            return i, math.sqrt(error), math.sqrt(speed), math.sqrt(spin)
    return -1, 0.0, 0.0, 0.0


@kernel()
def unsound(command, places):
    """Whether one of these commands is not finite."""
    total = 0.0
    for i in range(places.shape[0]):
        total += 0.0 * value(command[places[i]])
    return total != 0.0


@part()
def astray(call, told, row):
    """Whether a body is out of control."""
    return judge(call.judged, told.reference[row])[0] >= 0


@kernel()
def look(call, reference):
    """Bring what a law of the user's own sees up to date: what it wrote there is gone."""
    seen, shown = call.judged.measured, call.measured
    copy_rows(seen.position, shown.position)
    copy_rows(seen.quaternion, shown.quaternion)
    copy_rows(seen.velocity, shown.velocity)
    copy_rows(seen.angular_velocity, shown.angular_velocity)
    copy_rows(seen.specific_force, shown.specific_force)
    copy_rows(seen.gyro, shown.gyro)
    copy_rows(seen.robot_position, shown.robot_position)
    copy(seen.tension, shown.tension)
    copy(seen.far_tension, shown.far_tension)
    copy(seen.length, shown.length)
    copy(seen.attached, shown.attached)
    copy(seen.alive, shown.alive)
    for i in range(reference.shape[0]):
        copy_rows(reference[i], call.reference[i])


@part()
def copy_rows(a, b):
    """Write array a (n, ..) of rows to b."""
    for i in range(a.shape[0]):
        copy(a[i], b[i])


@part()
def copy(a, b):
    """Write array a (n,) to b."""
    for i in range(a.shape[0]):
        b[i] = a[i]


@part()
def said(step, unsound):
    """What a call returns, as a method's loop does."""
    return step, UNSOUND if unsound else OBEYED, 0, 0


@kernel()
def carry_called(call, told, ask, k, row, step):
    """``carry`` at row k of the block, where its reference is ``row``."""
    if astray(call, told, row):
        return step, ASTRAY, 0, 0
    carry(told.time[k], call.measured, told.reference[row], call.memory, call.command)
    return said(step, unsound(call.command, call.places))


@kernel()
def track_called(call, told, ask, k, row, step):
    """The same of ``track``."""
    if astray(call, told, row):
        return step, ASTRAY, 0, 0
    track(told.time[k], call.measured, told.reference[row], call.memory, call.command)
    return said(step, unsound(call.command, call.places))


@kernel()
def reel_called(call, told, ask, k, row, step):
    """The same of ``reel``."""
    reel(told.time[k], call.measured, told.reference[row], call.memory, call.command)
    return said(step, unsound(call.command, call.places))


@kernel()
def shown(call, told, ask, k, row, step):
    """Judge, and show a law of the user's own what there is to see."""
    if astray(call, told, row):
        return step, ASTRAY, 0, 0
    copy(call.command, call.own)
    look(call, told.reference[row])
    return step, OBEYED, 0, 0


@kernel()
def taken(call, told, ask, k, row, step):
    """Take over its part of what it has written."""
    if unsound(call.own, call.places):
        return step, UNSOUND, 0, 0
    for i in range(call.places.shape[0]):
        call.command[call.places[i]] = call.own[call.places[i]]
    return step, OBEYED, 0, 0


CALLED: dict[Function, Callable[..., Any]] = {carry: carry_called, track: track_called, reel: reel_called}
"""By law of the scene."""

MOST = 3
"""Calls of a law."""


def called(function: Function) -> tuple[Callable[..., Any], ...]:
    """The calls of a law, one after the other, to be compiled; none for plain Python, which is called from there."""
    if isinstance(function, Dispatcher) and function not in CALLED:
        return shown, _own(function), taken
    found = CALLED.get(function) if isinstance(function, Hashable) else None
    return () if found is None else (found,)


@lru_cache(maxsize=64)
def _own(function: Any) -> Callable[..., Any]:
    """That of one of the user's own, which writes where it cannot harm others: all else is compiled once for all."""

    @numba.njit
    def own(call, told, ask, k, row, step):
        answer = function(told.time[k], call.measured, call.reference, call.memory, call.own)
        return step, OBEYED if answer is None else ANSWERED, 0, 0

    found: Callable[..., Any] = own
    return found
