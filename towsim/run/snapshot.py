"""Everything of a stepper that changes from step to step, copied out and put back: a run goes on bit for bit.

Arrays are named by the path to them, such as ``work.cable.S``: state, warm starts and active sets, histories of the
multistep methods, the watch over wires and contacts, and what switched wires changed in the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.methods.multistep import BdfStepper
from towsim.methods.stepper import Stepper


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A stepper at one instant.

    Attributes
    ----------
    arrays : copies, by path
    facts : plain numbers and names
    """

    arrays: Mapping[str, np.ndarray]
    facts: Mapping[str, Any]


def take(stepper: Stepper) -> Snapshot:
    """Copy what changes."""
    return Snapshot({path: array.copy() for path, array in stepper.written()}, facts(stepper))


def facts(stepper: Stepper) -> dict[str, Any]:
    """What of it is in no array."""
    schedule = stepper.schedule
    found: dict[str, Any] = {
        "done": stepper.done,
        "anew": stepper.anew,
        "changes": schedule.left,
        "off": sorted(list(owner) for owner in schedule.off),
    }
    if isinstance(stepper, BdfStepper):
        found["kinks_until"] = stepper.kinks_until
    return found


def put(stepper: Stepper, snapshot: Snapshot) -> None:
    """Bring a stepper of the same scene, method and step to the instant of a snapshot.

    Raises
    ------
    UsageError : it is a snapshot of another scene or method
    """
    own = dict(stepper.written())
    shapes = {path: array.shape for path, array in own.items()}
    if shapes != {path: array.shape for path, array in snapshot.arrays.items()}:
        raise UsageError("this snapshot is of another scene or method; restore it where it was taken")
    for path, array in own.items():
        array[...] = snapshot.arrays[path]
    recall(stepper, snapshot.facts)


def recall(stepper: Stepper, facts: Mapping[str, Any]) -> None:
    """Bring back what of a stepper is in no array."""
    stepper.depart()
    stepper.done, stepper.anew, stepper.failure = facts["done"], facts["anew"], None
    stepper.schedule.recall(facts["changes"], {(kind, name) for kind, name in facts["off"]})
    if isinstance(stepper, BdfStepper):
        stepper.kinks_until = facts["kinks_until"]
