"""Everything of a stepper that changes from step to step, copied out and put back: a run goes on bit for bit.

Arrays are named by the path to them, such as ``work.cable.S``: state, warm starts and active sets, histories of the
multistep methods, the watch over wires and contacts, and what switched wires changed in the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from towsim.errors import UsageError
from towsim.stepping.controlled import ControlledStepper
from towsim.stepping.multistep import BdfStepper
from towsim.stepping.stepper import Stepper
from towsim.together import owner


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
    schedule = stepper.schedule
    facts: dict[str, Any] = {
        "done": stepper.done,
        "anew": stepper.anew,
        "changes": schedule.left,
        "off": sorted(list(owner) for owner in schedule.off),
    }
    if isinstance(stepper, BdfStepper):
        facts["kinks_until"] = stepper.kinks_until
    return Snapshot({path: array.copy() for path, array in _arrays(stepper)}, facts)


def put(stepper: Stepper, snapshot: Snapshot) -> None:
    """Bring a stepper of the same scene, method and step to the instant of a snapshot.

    Raises
    ------
    UsageError : it is a snapshot of another scene or method
    """
    own = dict(_arrays(stepper))
    shapes = {path: array.shape for path, array in own.items()}
    if shapes != {path: array.shape for path, array in snapshot.arrays.items()}:
        raise UsageError("this snapshot is of another scene or method; restore it where it was taken")
    for path, array in own.items():
        array[...] = snapshot.arrays[path]
    _recall(stepper, snapshot.facts)


def rewinder(stepper: Stepper) -> Callable[[], None]:
    """A function that brings this stepper back to this instant: ``put`` of whole pieces of memory."""
    facts = take(stepper).facts
    pieces = {id(piece): piece for piece in (owner(array) for _, array in _arrays(stepper))}.values()
    pairs = [(piece, piece.copy()) for piece in pieces]

    def rewind() -> None:
        for memory, values in pairs:
            memory[...] = values
        _recall(stepper, facts)

    return rewind


def _recall(stepper: Stepper, facts: Mapping[str, Any]) -> None:
    stepper.done, stepper.anew, stepper.failure = facts["done"], facts["anew"], None
    stepper.schedule.recall(facts["changes"], {(kind, name) for kind, name in facts["off"]})
    if isinstance(stepper, BdfStepper):
        stepper.kinks_until = facts["kinks_until"]


def _arrays(stepper: Stepper) -> Iterator[tuple[str, np.ndarray]]:
    model = stepper.compiled.model
    yield from _leaves("state", stepper.state)
    yield from _leaves("work", stepper.work)
    for name, part in stepper.watch._asdict().items():
        if name != "event":  # its rows have been told
            yield from _leaves(f"watch.{name}", part)
    yield from _leaves("memory", stepper.memory)
    yield "compliance", model.rows.compliance
    if model.joints is not None:
        yield "motor", model.joints.axes.motor
    if isinstance(stepper, BdfStepper):
        yield from _leaves("past", stepper.past)
    if isinstance(stepper, ControlledStepper):
        control = stepper.control
        yield from _leaves("held", control.held)
        yield from _leaves("measured", control.measured)
        yield from _leaves("before", control.sensors.before)
        yield from _leaves("sampled", control.sampled)
        for k, task in enumerate(control.tasks):
            yield from _leaves(f"task{k}", task.memory)


def _leaves(path: str, thing: Any) -> Iterator[tuple[str, np.ndarray]]:
    if isinstance(thing, np.ndarray):
        yield path, thing
    elif thing is not None:
        names = getattr(thing, "_fields", None) or map(str, range(len(thing)))
        for name, inner in zip(names, thing, strict=True):
            yield from _leaves(f"{path}.{name}", inner)
