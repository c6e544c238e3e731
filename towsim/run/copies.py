"""Many copies of one scene, stepped one after the other by one compiled loop.

What belongs to a copy is a row of bytes: all that a stepper writes from step to step. Here rows are brought to where
the loop of the method works, go some steps on, and are brought back. A copy whose steps are more than that (a search of
the solver, a jump of a known motion, a refusal) is left as it was, to be taken by ``Simulation``.

Copies to which nothing is commanded share one block of all steps that are known, of which each takes its own. What is
commanded of others is written to a block of the next steps only.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiled import kernel, part
from solvers.kernels.entry import copy_bytes, try_loop
from solvers.kernels.handle import Handle
from towsim.methods.impulses import sudden
from towsim.methods.loop import GOOD
from towsim.model.arrays import (
    Drive,
    Flags,
    Floats,
    Floats3,
    Floats6,
    Ints,
    Ints2,
    Ints3,
    Ints4,
)
from towsim.run.paths import beyond, strays

POSITION, VELOCITY, ACCELERATION, JUMP, PULL = 0, 1, 2, 3, 4
"""Of ``Orders.steer``."""

LENGTH, RATE, UNTIL, REEL = 0, 1, 2, 3
"""Of ``Orders.feed``."""

STEERED, JUMPS, UNKNOWN = 0, 1, 2
"""What becomes of a command to robots."""


class Orders(NamedTuple):
    """What is commanded of each copy; see ``commands``, whose instants are counted in steps here."""

    steered: Flags  # (n, n_robots)
    steered_at: Ints  # (n, n_robots) step with which it began
    steer: Floats  # (n, n_robots, 5, 3) position then, velocity, acceleration, what these two jumped by
    fed: Flags  # (n, nw)
    fed_at: Ints  # (n, nw)
    feed: Floats  # (n, nw, 5) length then, rate, until, what the rate and its derivative jumped by
    force: Floats3  # (n, loads, 3) on bodies that are pushed
    until: Floats3  # (n, loads, 3) the same, until ``pushed_at``
    pushed_at: Ints  # (n,) step of whose kick half lies before it, and has those; −1: none

    def given(self, chosen: Ints) -> Flags:
        """(m,) whether there is any command to these copies; see ``Commands.given``."""
        found = np.zeros(len(chosen), np.bool_)
        for one in (self.steered, self.fed, self.force):
            if one.any():  # as it seldom is
                found |= one[chosen].any(axis=tuple(range(1, one.ndim)))
        return found


class Copies(NamedTuple):
    """The copies, and where their rows go for steps of which a block has K."""

    memory: int  # address of what belongs to the copies
    size: int  # bytes of each
    done: Ints  # (n,) steps
    anew: Flags  # (n,) whether the next step begins without a history
    left: Flags  # (n,) whether it is left to be taken by hand
    pieces: Ints2  # (m, 2) address and size of the stepper's own memory
    starts: Ints  # (m + 1,) where these are in a copy's
    known: Ints3  # (13, 3) addresses of what is known from step ``first`` on and of the block's drive, size of a row
    rows: Ints4  # (r, 4) addresses in the block, in the shared one and of the first copy's rows, size of a row
    depth: int  # rows that are kept, the last one and perhaps those before it
    first: Ints  # (1,) step
    begun: Ints  # (1,) steps before the block
    seen: Ints  # (2,) step and steps from it on for which it is known how far robots stray; −1 for none
    h: float  # [s]
    orders: Orders
    shared: Handle  # of the block of all that is known
    drive: Drive  # of the block
    time: Floats  # (K+1,) of the block [s]
    q: Floats  # of the stepper
    p: Floats  # the same: impulses of its last step
    force: Floats  # (K+1, nr) of the block's record
    impulse: Floats  # (K+1, nr)
    weight: float  # of all loads, whose rows depend on each other; −1 where none do
    lag: int  # rows by which a step's forces are recorded after the pose they belong to
    found: Ints  # (1,) of the watch
    event: Floats6  # (.., 6) of the watch
    events: Floats  # (room, 7) what it told: the copy, and so on
    told: Ints  # (1,) how many these are
    search: Handle  # of the paths between robots


@kernel()
def step_copies(copies, entry, run, shared, block, begun, chosen, last):
    """Take some copies ``last`` steps on; returns how many of them were looked at: others wait for room for events.

    Parameters
    ----------
    copies : handle of ``Copies``
    entry, run, shared, block, begun : addresses of the method's loop, and of its handles; of a block that begins
        without a history last
    chosen : (m,) numbers of the copies
    last : K; 0 writes the last rows of the copies as they are, and nothing else
    """
    for i in range(chosen.shape[0]):
        c = chosen[i]
        if copies.told[0] + copies.event.shape[0] > copies.events.shape[0]:
            return i
        copies.left[c] = True
        row = copies.done[c] - copies.first[0] if last and shares(copies, c) else -1
        if not (plain(copies.shared.drive, row, last) if row >= 0 else know(copies, c, last)):
            continue
        own = copies.memory + c * copies.size
        for j in range(copies.pieces.shape[0]):
            copy_bytes(copies.pieces[j, 0], own + copies.starts[j], copies.pieces[j, 1])
        copies.found[0] = 0
        if last and copies.search.graph.to.shape[0] and too_far(copies, row, last):
            continue
        before = largest(copies.p)
        begin = max(row, 0)
        end = begin + last
        way = shared if row >= 0 else begun if copies.anew[c] and last else block
        good, reason, _, _ = try_loop(entry, run, way, False, begin, 0, end)
        if reason != GOOD or good != end or unusual(copies, before, row, last):
            continue
        for j in range(copies.rows.shape[0]):
            size, mine = copies.rows[j, 3], copies.rows[j, 2] + c * copies.size
            for k in range(copies.depth):
                k_block = max(end + 1 + k - copies.depth, 0)
                copy_bytes(mine + k * size, copies.rows[j, 1 if row >= 0 else 0] + k_block * size, size)
        copies.left[c] = False
        if last:
            finish(copies, c, last)
    return chosen.shape[0]


@part(forceinline=False)
def finish(copies, c, last):
    """Bring a copy back that went ``last`` steps on, and tell what happened to it."""
    own = copies.memory + c * copies.size
    for j in range(copies.pieces.shape[0]):
        copy_bytes(own + copies.starts[j], copies.pieces[j, 0], copies.pieces[j, 1])
    copies.done[c] += last
    copies.anew[c] = False
    for j in range(copies.found[0]):
        row = copies.told[0]
        copies.events[row, 0] = c
        for m in range(6):
            copies.events[row, 1 + m] = copies.event[j, m]
        copies.told[0] = row + 1


@part(forceinline=False)
def shares(copies, c):
    """Whether copy c goes on from a step before, and nothing is commanded of it."""
    orders, free = copies.orders, not copies.anew[c] and copies.orders.pushed_at[c] != copies.done[c]
    for r in range(orders.steered.shape[1]):
        free &= not orders.steered[c, r]
    for i in range(orders.fed.shape[1]):
        free &= not orders.fed[c, i]
    for i in range(orders.force.shape[1]):
        for j in range(3):
            free &= orders.force[c, i, j] == 0.0
    return free


@part()
def plain(drive, row, last):
    """Whether nothing jumps from a row on."""
    smooth = True
    for k in range(row, row + last + 1):
        smooth &= not drive.kink[k]
    return smooth


@part(forceinline=False)
def too_far(copies, row, last):
    """Whether robots are driven farther apart than wires and loads reach; row : of the shared block, or −1."""
    if row < 0:
        copies.seen[0] = -1
        strays(copies.drive, 0, last, copies.search)
        found, _, _ = beyond(copies.drive, 0, last, copies.h, copies.q, copies.search)
        return found >= 0
    if copies.seen[0] != copies.first[0] + row or copies.seen[1] != last:
        copies.seen[0], copies.seen[1] = copies.first[0] + row, last
        strays(copies.shared.drive, row, row + last, copies.search)
    found, _, _ = beyond(copies.shared.drive, row, row + last, copies.h, copies.q, copies.search)
    return found >= 0


@part(forceinline=False)
def know(copies, c, last):
    """Bring what is known of a copy's next steps to the block; False if that is more than rows and commands."""
    drive, h, done = copies.drive, copies.h, copies.done[c]
    row = done - copies.first[0]
    copies.begun[0] = done
    for j in range(copies.known.shape[0]):
        size = copies.known[j, 2]
        copy_bytes(copies.known[j, 1], copies.known[j, 0] + row * size, (last + 1) * size)
    for k in range(last + 1):
        copies.time[k] = float(done + k) * h
        if drive.kink[k]:
            return False
    steer(copies.orders, drive, copies.time, h, c, done)
    first = drive.load.shape[1] - copies.orders.force.shape[1]
    for k in range(last + 1):
        for i in range(copies.orders.force.shape[1]):
            for j in range(3):
                drive.load[k, first + i, j] = copies.orders.force[c, i, j]
    if copies.orders.pushed_at[c] == done:
        for i in range(copies.orders.force.shape[1]):
            for j in range(3):
                drive.load[0, first + i, j] = 0.5 * (copies.orders.until[c, i, j] + copies.orders.force[c, i, j])
    return feed(copies.orders, drive, copies.time, h, c, done)


@part(fastmath=False)
def steer(orders, drive, time, h, c, done):
    """Let the robots of copy c move as they are commanded, with the roundings that numpy has."""
    for r in range(orders.steered.shape[1]):
        if not orders.steered[c, r]:
            continue
        since = float(orders.steered_at[c, r]) * h
        for j in range(3):
            x, v = orders.steer[c, r, POSITION, j], orders.steer[c, r, VELOCITY, j]
            a = orders.steer[c, r, ACCELERATION, j]
            for k in range(time.shape[0]):
                tau = time[k] - since
                drive.robot[k, r, j] = x + v * tau + 0.5 * a * (tau * tau)
                drive.robot_rate[k, r, j] = v + a * tau
        if orders.steered_at[c, r] == done:
            for j in range(3):
                jump = orders.steer[c, r, JUMP, j]
                drive.robot_jump[0, r, j] += jump
                drive.kink[0] |= jump != 0.0


@kernel(fastmath=False)
def steer_from_now(orders, chosen, places, done, h, declared, velocity, acceleration, smooth):
    """Command motions of robots of some copies from now on: ``STEERED``, or why nothing is done.

    Parameters
    ----------
    orders : handle of ``Orders``
    chosen, places : (m,) numbers of the copies, (k,) of the robots
    done : (n,) steps of the copies
    declared : (m, k, 3, 3) position, velocity and acceleration where nothing was commanded before; if (0, ..), they are
        asked for by ``UNKNOWN``
    velocity : (m, k, 3) from now on [m/s], or (0, ..): those that they have;  acceleration : (m, k, 3) [m/s²]
    smooth : whether velocities must not jump: ``JUMPS`` is returned if one does
    """
    if declared.shape[0] == 0:
        for i in range(chosen.shape[0]):
            for k in range(places.shape[0]):
                if not orders.steered[chosen[i], places[k]]:
                    return UNKNOWN
    given, last = velocity.shape[0] > 0, 1 if smooth and velocity.shape[0] else 0
    for trial in range(last, -1, -1):  # a first time to see whether one jumps
        for i in range(chosen.shape[0]):
            c = chosen[i]
            for k in range(places.shape[0]):
                r = places[k]
                steered, again = orders.steered[c, r], orders.steered_at[c, r] == done[c]
                tau = float(done[c]) * h - float(orders.steered_at[c, r]) * h
                for j in range(3):
                    x, v = orders.steer[c, r, POSITION, j], orders.steer[c, r, VELOCITY, j]
                    a, jump, pull = orders.steer[c, r, ACCELERATION, j], 0.0, 0.0
                    x, v = x + v * tau + 0.5 * a * (tau * tau), v + a * tau
                    if not steered:
                        x, v, a = declared[i, k, 0, j], declared[i, k, 1, j], declared[i, k, 2, j]
                    elif again:
                        jump, pull = orders.steer[c, r, JUMP, j], orders.steer[c, r, PULL, j]
                    after = velocity[i, k, j] if given else v
                    if trial:
                        if after != v:
                            return JUMPS
                        continue
                    orders.steer[c, r, POSITION, j] = x
                    orders.steer[c, r, VELOCITY, j] = after
                    orders.steer[c, r, ACCELERATION, j] = acceleration[i, k, j]
                    orders.steer[c, r, JUMP, j] = after - v + jump
                    orders.steer[c, r, PULL, j] = acceleration[i, k, j] - a + pull
                if not trial:
                    orders.steered[c, r], orders.steered_at[c, r] = True, done[c]
    return STEERED


@part(fastmath=False)
def feed(orders, drive, time, h, c, done):
    """Let the wires of copy c be as long as they are commanded; False if one stops at its length within these steps."""
    for i in range(orders.fed.shape[1]):
        if not orders.fed[c, i]:
            continue
        since = float(orders.fed_at[c, i]) * h
        length, rate = orders.feed[c, i, LENGTH], orders.feed[c, i, RATE]
        until = orders.feed[c, i, UNTIL]
        if rate != 0.0:
            there = since + (until - length) / rate
            if time[0] - h <= there <= time[time.shape[0] - 1] + 2.0 * h:
                return False
        for k in range(time.shape[0]):
            free = length + rate * (time[k] - since)
            stopped = free >= until if rate > 0.0 else free <= until
            drive.length[k, i] = length if rate == 0.0 else until if stopped else free
            drive.length_rate[k, i] = 0.0 if stopped else rate
            if not drive.length[k, i] > 0.0:
                return False
        if orders.fed_at[c, i] == done:
            drive.length_jump[0, i] += orders.feed[c, i, REEL]
            drive.kink[0] |= orders.feed[c, i, REEL] != 0.0
    return True


@part(forceinline=False)
def largest(p):
    """The largest of these impulses."""
    most = 0.0
    for i in range(p.shape[0]):
        most = max(most, abs(p[i]))
    return most


@part(forceinline=False)
def unusual(copies, before, row, last):
    """Whether impulses have grown as they do not, where rows may depend on each other; see ``Dialogue``."""
    if copies.weight < 0.0:
        return False
    force, impulse, first = copies.force, copies.impulse, max(row, 0) + copies.lag
    if row >= 0:
        force, impulse = copies.shared.record.force, copies.shared.record.impulse
    return sudden(force, impulse, first, first + last, before, copies.h, copies.weight) >= 0
