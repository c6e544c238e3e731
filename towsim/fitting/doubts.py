"""Logs that are probably in another unit than the run, or on another clock."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from towsim.errors import UsageError
from towsim.fitting.idle import ROUNDING
from towsim.fitting.log import Column, Log
from towsim.model.arrays import Floats
from towsim.results.variables import VARIABLES

SMOOTH, ROUGH, FEW = 0.1, 0.5, 20
"""Roughness of a column that is smooth, and of one that is not; in how many rows nothing is said."""

OTHER_UNIT = 200.0
"""How much larger or smaller than predicted what is logged may be, before its unit is doubted; how much longer a log
than a run of its scene."""

FACTOR, EXPLAINED = 100.0, 0.3
"""Power of ten from which on another unit is suspected, if numbers over it are as predicted but for that share."""

MOST = 0.5
"""Part of how far a column strays that is most of it."""

WITHIN_NOISE = 5.0
"""Standard deviations of the noise that what is logged must exceed before its size says anything."""


PART, DENSE = 0.1, 100.0
"""Part of the time of a log that begins late in which a run of its scene must be going on; most rows to a step."""

SHORT, FASTER = 1.0 / 30.0, 10.0
"""Part of a run below which a log is short, and how much farther than the run it may go in that time: a log in minutes
covers a sixtieth."""


def check_times(log: Log, duration: float, step: float, name: str) -> None:
    """Refuse a log that begins when a run [s] is about over, goes on far longer, or has many rows to a step [s]."""
    first, last = log.time[0], log.time[-1]
    if last > OTHER_UNIT * duration or (
        first > 0.5 * duration and min(last, duration) - first <= PART * (last - first)
    ):
        moved = f"Or does its clock begin elsewhere? Then take {first:.12g} s off them. " if first > 0.0 else ""
        raise UsageError(
            f"{name}: times go from {first:.12g} to {last:.12g} s, and a run of the scene lasts {duration:g} s: are "
            f"they in another unit, such as milliseconds? {moved}If not, let the scene's run.duration be {last:.12g}"
        )
    apart = float(np.median(np.diff(log.time)))
    if DENSE * apart < step:
        raise UsageError(
            f"{name}: rows are {apart:.3g} s apart, {step / apart:.0f} to a step of the run ({step:g} s): are times in "
            "another unit, such as minutes? If not, leave rows out, or take smaller steps"
        )


def check_units(log: Log, predicted: Mapping[Column, Floats], noise: Mapping[str, float], name: str) -> None:
    """Doubt the unit of what is quite another size than in a run, and not all noise; components count together."""
    alike: dict[tuple[str, str], list[Column]] = {}
    for column in predicted:
        alike.setdefault((column.variable, column.place[0]), []).append(column)
    for (variable, _), columns in alike.items():
        mine = max(float(np.nanmax(np.abs(log.columns[one]))) for one in columns)
        theirs = max(float(np.nanmax(np.abs(predicted[one]))) for one in columns)
        if mine <= WITHIN_NOISE * noise.get(variable, 0.0) or min(mine, theirs) <= ROUNDING:
            continue
        logged, run = (np.concatenate([of[one] for one in columns]) for of in (log.columns, predicted))
        ten = 10.0 ** round(math.log10(mine / theirs))
        off = math.sqrt(np.nanmean((logged / ten - run) ** 2) / np.nanmean((logged / ten) ** 2))
        other = max(ten, 1.0 / ten) >= FACTOR and off < EXPLAINED
        if other or not 1.0 / OTHER_UNIT < mine / theirs < OTHER_UNIT:
            raise UsageError(
                f"{name}: {', '.join(map(str, columns))}: up to {mine:.3g} is logged, and a run with the first guesses "
                f"predicts up to {theirs:.3g} {VARIABLES[variable].unit}: is it logged in another unit?"
                + ("" if variable in noise else " If it is the sensor's noise, give that")
            )


def check_clock(column: Column, measured: Floats, predicted: Floats, log: Log, duration: float, name: str) -> None:
    """Doubt the times of a log whose rows are smooth where a run goes as far from row to row as it goes at all.

    And of a short log that goes far where a run of that duration [s] has hardly begun to move. A run that goes nowhere
    beside the log, as by symmetry, goes to and fro by rounding.
    """
    told = np.isfinite(measured + predicted)
    if told.sum() <= FEW:
        return
    still = np.std(predicted[told]) * OTHER_UNIT < np.std(measured[told])
    rough = _roughness(measured[told])
    if rough < SMOOTH and _roughness(predicted[told]) > ROUGH and not still:
        raise UsageError(
            f"{name}: {column} is smooth, and a run with the first guesses goes to and fro between rows "
            f"{np.median(np.diff(log.time)):.3g} s apart: are its times in another unit, or is its rate another one?"
        )
    (mine, theirs), span = (float(np.ptp(x[told])) for x in (measured, predicted)), log.time[-1] - log.time[0]
    if rough < ROUGH and span < SHORT * duration and mine > FASTER * theirs > FASTER * ROUNDING:
        raise UsageError(
            f"{name}: {column} goes as far as {mine:.3g} {VARIABLES[column.variable].unit} within {span:.3g} s, and a "
            f"run of the scene, which lasts {duration:g} s, goes {theirs:.3g} with the first guesses: are times in "
            f"another unit, such as minutes? If not, let the scene's run.duration be {log.time[-1]:.3g}"
        )


def unlike(log: Log, left: Mapping[str, Floats], name: str) -> Iterator[str]:
    """Sentences on columns of which a fit leaves most, and no noise but a pattern."""
    for column, measured in log.columns.items():
        told = np.isfinite(left[str(column)])
        rest, spread = left[str(column)][told], max(float(np.std(measured[told])), ROUNDING)
        if len(rest) > FEW and _roughness(rest) < SMOOTH and float(np.sqrt(np.mean(rest**2))) > MOST * spread:
            yield (
                f"{name}: a run does not do what is logged as {column}: most of it is left, and no noise. Is the log's "
                "clock that of the run, and are the first guesses near?"
            )


def _roughness(x: Floats) -> float:
    """How far numbers are from one to the next, of what they would be if they had nothing to do with each other."""
    spread = float(np.std(x))
    return float(np.sqrt(0.5 * np.mean(np.diff(x) ** 2))) / spread if spread > 0.0 else 0.0
