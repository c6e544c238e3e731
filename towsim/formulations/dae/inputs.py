"""What is known at one instant: motions, feeds and loads, as polynomials between two kinks.

Sampling a formula costs as much for one instant as for hundreds, and an implicit solver asks for one at a time. So all
that is known is interpolated: at Chebyshev points of panels that are halved until the interpolant is exact to rounding
between its points as well.

Source: barycentric formula, Berrut & Trefethen, SIAM Review 2004.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from towsim.formulations.dae.arrays import Known
from towsim.formulations.dae.system import Assembly
from towsim.model.arrays import Floats

DEGREE = 24
"""Of the polynomials."""

EXACT = 1e-12
"""Largest error between the points, relative to the largest value, and to 1."""

HALVINGS = 16
"""After so many a panel is taken as it is: the known motions have kinks that nobody declared."""

MARGIN = 32.0
"""Of a kink, in units of rounding: closer than this, the limit from inside the interval counts."""

NODES = np.cos(np.pi * np.arange(DEGREE + 1) / DEGREE)
WEIGHTS = (-1.0) ** np.arange(DEGREE + 1) * np.where(np.arange(DEGREE + 1) % DEGREE == 0, 0.5, 1.0)
SLOPE = WEIGHTS / WEIGHTS[:, None] / (NODES[:, None] - NODES + np.eye(DEGREE + 1)) - np.eye(DEGREE + 1)
SLOPE -= np.diag(SLOPE.sum(axis=1))
PROBES = np.array([-0.97, -0.61, -0.23, 0.11, 0.47, 0.83])


class Panel(NamedTuple):
    """A polynomial on [first, last]: its values (DEGREE + 1, m) at the Chebyshev points."""

    first: float
    last: float
    values: Floats

    def at(self, t: float) -> Floats:
        """Values (m,) at t."""
        away = (2.0 * t - self.first - self.last) / (self.last - self.first) - NODES
        if not away.all():
            return np.asarray(self.values[int(np.argmin(np.abs(away)))])
        share = WEIGHTS / away
        return np.asarray(share @ self.values / share.sum())


class Inputs:
    """Known motions, feeds and loads between two kinks; at the kinks themselves the limits from inside."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._contacts = len(assembly.system.springs.end) - len(assembly.elastic)
        cables = len(assembly.cables)
        self._shapes: list[tuple[int, ...]] = [
            (len(assembly.scene.robots), 3, 3),
            (cables, 3),
            (len(assembly.system.solids.load), 3),
            (len(assembly.elastic), 2),
            (3,),
            (3, cables),
        ]
        ends = [0, *np.cumsum([math.prod(shape) for shape in self._shapes]).tolist()]
        self._parts = [slice(*pair) for pair in pairwise(ends)]
        self._feed_rates = slice(ends[-2] + cables, ends[-2] + 2 * cables)
        self._wire = np.tile([1.0, 0.0], (len(assembly.system.springs.end), 1))  # of contacts; the rest is known later
        self._panels: list[Panel] = []
        self._last_asked: tuple[float, Known] | None = None
        self.between(0.0, 1.0)

    def between(self, first: float, last: float) -> None:
        """Stay inside (first, last) from now on [s]."""
        self._first = first + MARGIN * np.spacing(first) if first > 0.0 else 0.0
        self._end = last - MARGIN * np.spacing(last)
        self._panels.clear()
        self._last_asked = None

    def at(self, t: float) -> Known:
        """All that is known at t.

        Raises
        ------
        SimulationError : a formula gives NaN or infinity, or a length is not positive
        """
        t = min(max(float(t), self._first), self._end)
        if self._last_asked is None or self._last_asked[0] != t:
            self._last_asked = (t, self._known(self._panel(t).at(t)))
        return self._last_asked[1]

    def _panel(self, t: float) -> Panel:
        for panel in self._panels:
            if panel.first <= t <= panel.last:
                return panel
        first, last = self._first, self._end
        for _ in range(HALVINGS):
            panel = self._fit(first, last)
            probes = 0.5 * (first + last) + 0.5 * (last - first) * PROBES
            exact = self._sample(probes)
            found = np.array([panel.at(probe)[: exact.shape[1]] for probe in probes])
            size = np.maximum(np.abs(exact).max(axis=0), 1.0)
            if (np.abs(found - exact) <= EXACT * size).all():
                break
            middle = 0.5 * (first + last)
            first, last = (first, middle) if t <= middle else (middle, last)
        self._panels.insert(0, panel)
        return panel

    def _fit(self, first: float, last: float) -> Panel:
        times = 0.5 * (first + last) + 0.5 * (last - first) * NODES
        times[0], times[-1] = last, first
        values = self._sample(times[::-1])[::-1]
        feed_rate = values[:, self._feed_rates]
        return Panel(first, last, np.concatenate([values, 2.0 / (last - first) * (SLOPE @ feed_rate)], axis=1))

    def _sample(self, t: Floats) -> Floats:
        """Everything known (len(t), m) at ascending times, but for the feed's second derivative."""
        drive, n = self._assembly.driver.sample(t), len(t)
        robots = list(self._assembly.scene.robots.values())
        acceleration = np.empty((n, len(robots), 3))
        for i, robot in enumerate(robots):
            acceleration[:, i] = robot.sample(t)[2]
        parts = (
            np.stack([drive.robot, drive.robot_rate, acceleration], axis=2),
            drive.exit_force,
            drive.load,
            np.stack([drive.length, drive.length_rate], axis=2),
            drive.wind,
            drive.feed,
            drive.feed_rate,
        )
        return np.concatenate([part.reshape(n, -1) for part in parts], axis=1)

    def _known(self, values: Floats) -> Known:
        """The numbers in the order of ``_sample``, as arrays."""
        parts = [values[part].reshape(shape) for part, shape in zip(self._parts, self._shapes, strict=True)]
        wire = self._wire.copy()
        wire[self._contacts :] = parts[3]
        return Known(
            robot=parts[0],
            length=np.ascontiguousarray(parts[5].T),
            pull=parts[1],
            load=parts[2],
            wire=wire,
            wind=parts[4],
        )
