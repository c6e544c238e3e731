"""What happened, for people: the events of a result, and what the scene says will fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from towsim.results import Event, Result
from towsim.scene import Scene

MOST = 400
"""Happenings that are kept: of more, changes between taut and slack go first, then the smallest impulses."""

WORDS = {
    "taut": "becomes taut",
    "slack": "becomes slack",
    "jerk": "jerks",
    "break": "breaks",
    "contact": "lands",
    "stick": "sticks",
    "slip": "slips",
    "lift": "lifts off",
    "impact": "hits a limit",
    "infeasible": "refused",
}


@dataclass(frozen=True, slots=True)
class Happening:
    """One happening: ``kind`` is that of an event, or ``failure``; ``of`` what it happened to."""

    time: float
    kind: str
    of: str
    text: str


def happenings(result: Result, scene: Scene) -> list[Happening]:
    """In order of time."""
    most = sorted(result.events, key=lambda event: (event.kind in ("taut", "slack"), -event.impulse))[:MOST]
    told = [Happening(event.time, event.kind, event.subject, _words(event)) for event in most]
    last = float(result.time[-1])
    told += [one for one in _failures(scene) if one.time <= last]
    return sorted(told, key=lambda one: one.time)


def _words(event: Event) -> str:
    if event.kind in ("user", "infeasible") and event.note:
        return event.note
    if event.note.endswith("is cut"):
        return f"{event.subject} is cut"
    more = f", {_impulse(event.impulse)}" if event.impulse and event.kind in ("jerk", "contact", "break") else ""
    return f"{event.subject} {WORDS.get(event.kind, event.kind)}{more}".strip()


def _impulse(value: float) -> str:
    unit, size = next(
        ((u, s) for u, s in (("kN s", 1e3), ("N s", 1.0), ("mN s", 1e-3)) if value >= 0.95 * s), ("", 0.0)
    )
    return f"{value / size:.3g} {unit}" if size else f"{value:.1e} N s"


def _failures(scene: Scene) -> Iterator[Happening]:
    """Rotors, drives and winches that fail at a declared time."""
    rotored = {name: body.rotors.failures for name, body in scene.bodies.items() if body.rotors is not None}
    rotored |= {name: robot.vehicle.failures for name, robot in scene.robots.items() if robot.dynamic}
    for name, failures in rotored.items():
        for failure in failures:
            which = "all rotors" if len(failure.rotors) == 4 else "rotor " + ", ".join(map(str, failure.rotors))
            yield Happening(failure.time, "failure", name, f"{name}: {which} fail" + "s" * (len(failure.rotors) == 1))
    for name, body in scene.bodies.items():
        if body.actuator is not None and body.actuator.fails is not None:
            yield Happening(body.actuator.fails, "failure", name, f"{name}: the drive fails")
    for name, wire in scene.wires.items():
        if wire.winch is not None and wire.winch.jam is not None:
            yield Happening(wire.winch.jam, "failure", name, f"{name}: the winch jams")
