"""Cables that cannot move sideways: of one element, its link along the first axis of a universal joint.

There the joint turns the link about itself, and its second axis alone moves the far end: rows that ask for motion along
that axis depend on the others, and what contradicts them may be mere rounding until the motion is asked for. A start
there is refused (see scene/start); here are those that come there later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from towsim.model.arrays import BALL, Floats
from towsim.scene.start import LOCKED

if TYPE_CHECKING:
    from towsim.methods.stepper import Stepper


def locked(stepper: Stepper, robot: Floats) -> tuple[str, ...]:
    """Names of such cables at this instant; robot: (nr, 3) where the robots are [m]."""
    compiled, found = stepper.compiled, []
    cables = compiled.cables
    for c in range(0 if cables is None else len(cables.tip)):
        assert cables is not None
        if cables.joint[c] == BALL or cables.first[c + 1] - cables.first[c] > 1:
            continue
        root = robot[cables.robot[c]] if cables.robot[c] >= 0 else stepper.work.P[cables.root_point[c]]
        along = stepper.work.P[cables.tip_point[c]] - root
        axis = cables.frame[c] @ cables.axis[c, 0]
        if np.linalg.norm(np.cross(axis, along)) < LOCKED * np.linalg.norm(along):
            found.append(compiled.cable_names[c])
    return tuple(found)
