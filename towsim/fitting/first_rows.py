"""First rows of a run in which a column lacks something, which says nothing of numbers.

Forces and accelerations lack what a method learns in its first step (``Method.lacking``). So do readings of them, which
are held until the next one: a load cell reads the step before, which the first reading of a run does not have; an
inertial sensor a mean since the reading before.
"""

from __future__ import annotations

import math

from towsim.fitting.log import Column
from towsim.methods.method import Method
from towsim.scene import Scene

FORCES = ".fx", ".fy", ".fz"
"""Ends of channels of inertial sensors that read forces."""


def lacking(scene: Scene, method: Method, step: float, column: Column) -> int:
    """How many rows that is, of a run in such steps [s]."""
    rows = method.lacking(column.variable)
    if column.variable != "reading":
        return rows
    channel = column.place[0]
    sensor = scene.sensors.get(channel.partition(".")[0])
    if sensor is None:
        return 0
    every, learnt = max(1, round(1.0 / (sensor.rate * step))), method.lacking("tension")
    if sensor.kind == "load-cell":
        return every * math.ceil((learnt + 1) / every)
    return every * (math.ceil(learnt / every) + 1) if channel.endswith(FORCES) else 0
