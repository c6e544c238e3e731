"""From commands to what acts: saturation, lag, failure; written into the drive of the steps until the next sample.

    rotor, force, torque   τ ȧ = sat(u) − a,  exactly over each step;   a = 0 from a failure on
    winch                  τ ṙ = sat(u) − r,  |ṙ| ≤ r̈_max,  L⁺ = L + h r;   r = 0 at once, where L is shortest or
                           longest and once jammed: a jump, as those of model/jumps
    rotors on a body       f = Σ T_i,   M = (a (T₂ − T₄), a (T₃ − T₁), κ (T₁ − T₂ + T₃ − T₄))

Forces are saturated in size, keeping their direction, rotors one by one. What acts from an instant on stands in its
row, the rate of a winch in the row at the end of its step. By SHAKE, whose kicks are about the instants, a force that
jumps is half as before and half as after in that kick, of order 2, and as before in the last row of a run. The r in L⁺
is then that in the middle of the step, as its velocities are.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import kernel, part
from solvers.kernels.handle import Handle
from towsim.control.plant import ROTORS, WINCH, Devices
from towsim.model.arrays import Drive, Flags, Floats, Floats3
from towsim.model.jumps import ROUNDING

ROUNDED_UP = 1.0 + 1e-15
"""A step time k h may fall short of the instant that it means by some roundings."""


class Held(NamedTuple):
    """What actuators and sensors keep from step to step."""

    command: Floats  # (na,) [N], [N m] or [m/s]
    actuation: Floats  # (na,) the same, as it acted until now
    length: Floats  # (nd,) of the winches' wires [m]
    reading: Floats  # (nc,) of the sensors
    by_hand: Floats  # (na,) what is commanded by hand in place of controllers; NaN where nothing is


class Inputs(NamedTuple):
    """Commands, actuation and readings of a block, row by row."""

    command: Floats  # (K+1, na)
    actuation: Floats  # (K+1, na)
    reading: Floats  # (K+1, nc)


def make_inputs(held: Held, rows: int) -> Inputs:
    """A record of so many rows, to be filled."""
    return Inputs(*(np.zeros((rows, len(one)), one.dtype) for one in (held.command, held.actuation, held.reading)))


@part()
def target(devices, d, command, i):
    """What device d would do at once with its i-th number."""
    first, limit = devices.first[d], devices.limit[d]
    u = command[first + i]
    if devices.kind[d] == ROTORS:
        return min(max(u, 0.0), limit)
    if devices.kind[d] == WINCH:
        return min(max(u, -limit), limit)
    n = devices.across[d]
    x, y, z = command[first], command[first + 1], command[first + 2]
    along = x * n[0] + y * n[1] + z * n[2]
    x, y, z = x - along * n[0], y - along * n[1], z - along * n[2]
    size = math.sqrt(x * x + y * y + z * z)
    share = 1.0 if size <= limit else limit / size
    return share * (x if i == 0 else y if i == 1 else z)


@part()
def kept(devices, d, h):
    """Share of what a device gives beyond its command that it still gives a step later."""
    return math.exp(-h / devices.lag[d]) if devices.lag[d] > 0.0 else 0.0


@part()
def reel(devices, d, rate, length, u, h, middle):
    """Rate of a winch in the step to come, at its end, and what it jumps by as the wire comes to one of its ends [m/s].

    rate : as the step begins;  middle : how long after that it is as in the step [s]
    """
    free = follow(devices, d, rate, u, middle)
    new = min(max(free, (devices.drum[d, 1] - length) / h), (devices.drum[d, 2] - length) / h)
    if new != free:
        return new, new, jump_of(new - rate)
    return new, follow(devices, d, new, u, h - middle) if middle < h else new, 0.0 * rate


@part()
def follow(devices, d, rate, u, since):
    """What becomes of a winch's rate in a time ``since`` [s] if nothing stops it [m/s]."""
    steepest, change = devices.drum[d, 0] * since, u - rate
    if devices.lag[d] > 0.0:
        change *= 1.0 - math.exp(-since / devices.lag[d])
    return rate + min(max(change, -steepest), steepest)


@part()
def jump_of(change):
    """A change at once of a winch's rate, unless it is rounding [m/s]."""
    return change if abs(change) > ROUNDING else 0.0 * change


@part()
def note_jump(block, j, place, jump):
    """Say by how much the rate of a length jumps in the step from row j on; what was said of it before is no more."""
    if jump != 0.0 or block.length_jump[j, place] != 0.0:
        block.length_jump[j, place] = jump
        kinked = False
        for i in range(block.length_jump.shape[1]):
            kinked |= block.length_jump[j, i] != 0.0
        for i in range(block.robot_jump.shape[1]):
            for n in range(3):
                kinked |= block.robot_jump[j, i, n] != 0.0
        block.kink[j] = kinked


class Acting(NamedTuple):
    """Actuators, and what they keep."""

    devices: Devices
    held: Held
    h: float  # step [s]
    middle: float  # time from the start of a step to the velocities that it moves with [s]


class Filled(NamedTuple):
    """What they fill of a block: parts of its drive, and its inputs; robots and times are only read."""

    load: Floats
    length: Floats
    length_rate: Floats
    kink: Flags
    robot_jump: Floats3
    length_jump: Floats
    feed: Floats
    feed_rate: Floats
    robot: Floats3  # (K+1, nr, 3) where robots are [m]
    time: Floats  # (K+1,) [s]
    first: bool  # whether it begins the run, and its first kick at that instant
    out: Inputs


def filled(drive: Drive, time: Floats, inputs: Inputs, *, first: bool = False) -> Handle:
    """Handle of what is to be filled of a block."""
    lengths = drive.length, drive.length_rate, drive.kink, drive.robot_jump, drive.length_jump
    return Handle(Filled(drive.load, *lengths, drive.feed, drive.feed_rate, drive.robot, time, first, inputs))


@kernel()
def start_steady(acting):
    """Let rotors and drives begin as if controllers had always commanded what they first do; winches begin at rest."""
    devices, held = acting.devices, acting.held
    for d in range(devices.kind.shape[0]):
        if devices.kind[d] != WINCH:
            for i in range(devices.first[d + 1] - devices.first[d]):
                held.actuation[devices.first[d] + i] = target(devices, d, held.command, i)


@kernel()
def obey(acting):
    """What is commanded by hand takes the place of what controllers command."""
    held = acting.held
    for i in range(held.by_hand.shape[0]):
        if not math.isnan(held.by_hand[i]):
            held.command[i] = held.by_hand[i]


@kernel()
def keep(acting, block, row):
    """The run went on to this row of a block, by at least one step, under the held commands.

    What fails there acted until then, wherever blocks end: half of SHAKE's kick about that instant is before it.
    """
    devices, held, given = acting.devices, acting.held, block.out.actuation
    for i in range(held.actuation.shape[0]):
        held.actuation[i] = given[row, i]
    for d in range(devices.kind.shape[0]):
        first, place = devices.first[d], devices.place[d]
        if devices.kind[d] == WINCH:
            held.length[d] = block.length[row, place] if place >= 0 else block.feed[row, -1 - place]
            continue
        for i in range(devices.first[d + 1] - first):
            fails, n = devices.fails[first + i], first + i
            if block.time[row - 1] * ROUNDED_UP < fails and block.time[row] * ROUNDED_UP >= fails:
                u = target(devices, d, held.command, i)
                held.actuation[n] = u + kept(devices, d, acting.h) * (given[row - 1, n] - u)


@kernel()
def reel_on(acting, block):
    """Let winches go on from row 1 of a block of one step at the rates of the step to come, by which they jump.

    What stops them there lies beyond the end.
    """
    devices, length, length_rate = acting.devices, block.length, block.length_rate
    for d in range(devices.kind.shape[0]):
        place = devices.place[d]
        if devices.kind[d] == WINCH and place >= 0:
            length_rate[1, place] -= block.length_jump[1, place]
            note_jump(block, 1, place, 0.0)
            block.length_jump[0, place] = length_rate[0, place] = length_rate[1, place]
            length[0, place] = length[1, place] - acting.h * length_rate[1, place]


@kernel()
def hold(acting, block, k, stop, ends):
    """Fill the drive and the record from sample k to sample ``stop`` with what the held commands do; see Inputs.

    Rates of wires' lengths are those of the steps that begin with the samples, that of ``stop`` included.

    acting, block : handles of ``Acting``, whose ``held`` is not changed, and ``Filled``
    ends : whether the run ends there: forces that jump do so beyond its end
    """
    devices, held, h = acting.devices, acting.held, acting.h
    before = 1.0 - acting.middle / h  # share of a kick that lies before its instant
    load, length, length_rate, feed, feed_rate = (
        block.load,
        block.length,
        block.length_rate,
        block.feed,
        block.feed_rate,
    )
    time, out = block.time, block.out
    for j in range(k, stop + 1):
        for i in range(held.command.shape[0]):
            out.command[j, i] = held.command[i]
        for i in range(held.reading.shape[0]):
            out.reading[j, i] = held.reading[i]
    for d in range(devices.kind.shape[0]):
        first, count, place = devices.first[d], devices.first[d + 1] - devices.first[d], devices.place[d]
        if devices.kind[d] == WINCH:
            rate, reeled, u = held.actuation[first], held.length[d], target(devices, d, held.command, 0)
            for j in range(k, stop + 1):
                out.actuation[j, first] = rate
                if time[j] * ROUNDED_UP >= devices.fails[first]:
                    new, after, jump = 0.0 * rate, 0.0 * rate, jump_of(-rate)
                else:
                    new, after, jump = reel(devices, d, rate, reeled, u, h, acting.middle)
                if place >= 0:
                    length[j, place] = reeled
                    length_rate[j, place] = new
                    note_jump(block, j, place, jump)
                else:
                    feed[j, -1 - place] = reeled
                    # A cable has inertia: what changes its rate in a step is the difference of those at its ends.
                    feed_rate[j, -1 - place] = out.actuation[j, first]
                rate, reeled = after, reeled + h * new
            continue
        left = kept(devices, d, h)
        for i in range(count):
            u = target(devices, d, held.command, i)
            until = held.actuation[first + i]
            for j in range(k, stop + 1):
                now = until if devices.lag[d] > 0.0 else u
                after = u + left * (now - u)
                if time[j] * ROUNDED_UP >= devices.fails[first + i]:
                    now, after = 0.0 * u, 0.0 * u
                out.actuation[j, first + i] = now
                share = 1.0 if ends else 0.0 if block.first and j == 0 else before
                load[j, place + i // 3, i % 3] = now + share * (until - now)
                until = after
        if devices.kind[d] == ROTORS:
            arm, ratio = devices.geometry[d, 0], devices.geometry[d, 1]
            for j in range(k, stop + 1):
                t1, t2, t3, t4 = load[j, place, 0], load[j, place, 1], load[j, place, 2], load[j, place + 1, 0]
                load[j, place, 0] = 0.0
                load[j, place, 1] = 0.0
                load[j, place, 2] = t1 + t2 + t3 + t4
                load[j, place + 1, 0] = arm * (t2 - t4)
                load[j, place + 1, 1] = arm * (t3 - t1)
                load[j, place + 1, 2] = ratio * (t1 - t2 + t3 - t4)
