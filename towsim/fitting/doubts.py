"""Logs that are probably in another unit than the run, or on another clock."""

from __future__ import annotations

import math
from collections.abc import Mapping

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

WITHIN_NOISE = 5.0
"""Standard deviations of the noise that what is logged must exceed before its size says anything."""


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


def check_clock(column: Column, measured: Floats, predicted: Floats, log: Log) -> None:
    """Doubt the times of a log whose rows are smooth where a run goes as far from row to row as it goes at all.

    A run that goes nowhere beside the log, as by symmetry, goes to and fro by rounding.
    """
    told = np.isfinite(measured + predicted)
    if told.sum() <= FEW or np.std(predicted[told]) * OTHER_UNIT < np.std(measured[told]):
        return
    if _roughness(measured[told]) < SMOOTH and _roughness(predicted[told]) > ROUGH:
        raise UsageError(
            f"{log.name}: {column} is smooth, and a run with the first guesses goes to and fro between rows "
            f"{np.median(np.diff(log.time)):.3g} s apart: are its times in another unit, or is its rate another one?"
        )


def _roughness(x: Floats) -> float:
    """How far numbers are from one to the next, of what they would be if they had nothing to do with each other."""
    spread = float(np.std(x))
    return float(np.sqrt(0.5 * np.mean(np.diff(x) ** 2))) / spread if spread > 0.0 else 0.0
