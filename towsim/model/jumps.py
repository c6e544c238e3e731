"""Velocities of robots and rates of lengths that jump, as the one-step methods meet them: a kink is an impact.

A rate r that jumps by Δ at t* within a step, t_k ≤ t* < t_k + h, φ = (t* − t_k)/h, has in that step the mean
r_k + (1 − φ) Δ, with which a load is where the robot is at the end of the step, and neither ahead of it nor behind. Of
the jump, (1 − φ) Δ falls to step k and φ Δ to step k+1. So it is what the declared motion does that tells an impact
from a force, and not how fast anything changes.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from towsim.errors import SceneWarning, SimulationError
from towsim.model.arrays import Drive, Floats, Floats3

if TYPE_CHECKING:
    from towsim.model.drive import Driver

ASIDE = 1e-12
"""How far from a kink known motions are taken, before and after it [s], relative to times beyond 1 s."""

ROUNDING, SHARE = 1e-9, 1e-6
"""A jump is more than rounding: ROUNDING × (1 + |value|) [m/s], and SHARE of the rates around it."""

LEAP = 1e-6
"""What is somewhere else by less has moved there, however fast [m]."""

NEAR = 1e-6
"""Share of a step within which a kink falls on a sample."""

CHANGED = "robot_rate", "robot_jump", "length_rate", "length_jump", "kink"
"""Fields of a drive in which jumps are."""


class Jumps(NamedTuple):
    """Rates that jump at the times t* (m,) [s], by how much and to what; and places that do, which no machine makes."""

    time: Floats  # (m,)
    robot: Floats3  # (m, n_robots, 3) [m/s]
    length: Floats  # (m, nw) [m/s]
    robot_after: Floats3  # (m, n_robots, 3) [m/s]
    length_after: Floats  # (m, nw) [m/s]
    leap: Floats  # (m, n_robots + nw) of robots, then of lengths [m]


def find(driver: Driver, until: float) -> Jumps:
    """The jumps in (0, until), by the known motions on both sides of the kinks."""
    kinks = _one_by_one(driver.kinks_of_motions(until))
    try:
        return _find(driver, kinks)
    except SimulationError:  # a motion that is not finite at one of them, which the run need not reach
        pass
    found = []
    for i in range(len(kinks)):
        with suppress(SimulationError):
            found.append(_find(driver, kinks[i : i + 1]))
    return Jumps(*(np.concatenate(parts) for parts in zip(_find(driver, kinks[:0]), *found, strict=True)))


def _one_by_one(kinks: Floats) -> Floats:
    """First and last (m, 2) of the kinks that rounding alone tells apart, as those of two laws with the same number."""
    apart = np.diff(kinks) > 4.0 * _aside(kinks[1:])
    return np.stack([kinks[np.r_[True, apart]], kinks[np.r_[apart, True]]], axis=1) if len(kinks) else np.empty((0, 2))


def _aside(kinks: Floats) -> Floats:
    return np.asarray(ASIDE * np.maximum(1.0, kinks), np.float64)


def _find(driver: Driver, kinks: Floats) -> Jumps:
    around = kinks + _aside(kinks) * [-1.0, 1.0]
    both = driver.sample(around.ravel()) if len(kinks) else driver.blank(0)
    robot, length = _jump(both.robot, both.robot_rate), _jump(both.length, both.length_rate)
    places = both.robot, both.length[..., None]
    leap = np.concatenate([np.linalg.norm(np.diff(x, axis=0)[0::2], axis=-1) for x in places], axis=1)
    leap[leap <= LEAP] = 0.0
    some = robot.any(axis=(1, 2)) | length.any(axis=1) | leap.any(axis=1)
    after = both.robot_rate[1::2][some], both.length_rate[1::2][some]
    return Jumps(kinks[some, 0], robot[some], length[some], *after, leap[some])


def _jump(value: Floats, rate: Floats) -> Floats:
    """What rates (2m, ..) jump by, which are given before and after each kink; 0 where that is rounding."""
    before, after = rate[0::2], rate[1::2]
    allowed = ROUNDING * (1.0 + np.abs(value[0::2])) + SHARE * np.maximum(np.abs(before), np.abs(after))
    return np.where(np.abs(after - before) > allowed, after - before, 0.0)


def up_to(time: float) -> float:
    """A time until which jumps are looked for: a power of two, so that it is the same whoever asks, and seldom new."""
    return 2.0 ** math.ceil(math.log2(max(time, 1.0)))


def known(driver: Driver, time: Floats, h: float, *, ends: bool = False) -> Drive:
    """What a driver knows at the times (K+1,), h apart, with what jumps; ``ends``: see ``at_the_end``."""
    drive, jumps = driver.sample(time), driver.jumps(float(time[-1]) + h)
    put(jumps, time, h, drive)
    for text in leaps(jumps, driver.names, float(time[0]), float(time[-1])):
        warnings.warn(text, SceneWarning, stacklevel=2)
    return at_the_end(driver, time, h, drive) if ends else drive


def leaps(jumps: Jumps, names: Sequence[str], begin: float, end: float) -> Iterator[str]:
    """What is somewhere else at once from ``begin`` to ``end``: a method may follow, with whatever impulses that takes.

    names : what the robots and lengths of a drive are called
    """
    if not len(jumps.time):
        return
    for k in np.flatnonzero(jumps.leap.any(axis=1) & (jumps.time > begin) & (jumps.time <= end)).tolist():
        which = int(np.argmax(jumps.leap[k]))
        yield (
            f"the {names[which]} jumps by {jumps.leap[k, which]:.6g} m at once at t = {jumps.time[k]:.6g} s, which no "
            "speed explains; declare a motion that is continuous"
        )


def put(jumps: Jumps, time: Floats, h: float, drive: Drive) -> None:
    """Give a drive sampled at the times (K+1,), h apart, the mean rates and the jumps of its steps."""
    if not len(jumps.time):
        return
    steps, last = _steps(jumps, time, h), len(time) - 1
    for j in np.flatnonzero((steps > -1.0) & (steps < last + 1.0)).tolist():
        k = math.floor(steps[j])
        phi = steps[j] - k
        if k >= 0:
            drive.kink[k] = True
            for rate, jump, by, after in _parts(drive, jumps, j):
                # A law may give either rate at the kink itself, or a mean of them.
                rate[k] = rate[k] + (1.0 - phi) * by if phi > 0.0 else np.where(by != 0.0, after, rate[k])
                jump[k] += (1.0 - phi) * by
        if phi > 0.0 and k + 1 <= last:
            drive.kink[k + 1] = True
            for _, jump, by, _ in _parts(drive, jumps, j):
                jump[k + 1] += phi * by


def at_the_end(driver: Driver, time: Floats, h: float, drive: Drive) -> Drive:
    """What was ``known`` at the times (K+1,), if a run ends with the last one: what jumps there lies beyond its end."""
    last = len(time) - 1
    if driver.pushed == time[last]:
        drive = driver.until_pushed(drive)
    if not drive.kink[last]:
        return drive
    ends = drive._replace(**{name: getattr(drive, name).copy() for name in CHANGED})
    jumps = driver.jumps(float(time[-1]) + h)
    steps = _steps(jumps, time, h)
    for j in np.flatnonzero((steps >= last) & (steps < last + 1.0)).tolist():
        for rate, jump, by, _ in _parts(ends, jumps, j):
            rate[last] -= (last + 1 - steps[j]) * by
            jump[last] -= (last + 1 - steps[j]) * by
    ends.kink[last] = ends.robot_jump[last].any() or ends.length_jump[last].any()
    return ends


def _steps(jumps: Jumps, time: Floats, h: float) -> Floats:
    """When the jumps are, in steps from the first of the times."""
    steps = (jumps.time - time[0]) / h
    near = np.round(steps)
    return np.asarray(np.where(np.abs(steps - near) <= NEAR, near, steps), np.float64)


def _parts(drive: Drive, jumps: Jumps, j: int) -> tuple[tuple[Floats, Floats, Floats, Floats], ...]:
    """Rates, their jumps, by how much they jump and to what."""
    return (
        (drive.robot_rate, drive.robot_jump, jumps.robot[j], jumps.robot_after[j]),
        (drive.length_rate, drive.length_jump, jumps.length[j], jumps.length_after[j]),
    )
