"""Do controllers and sensors name what is there, and is everything commanded by one controller only?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from towsim.scene.base import Problem
from towsim.scene.controllers import Carry, OfWinch, SlungLoad, Track
from towsim.suggest import unknown

if TYPE_CHECKING:
    from towsim.scene.scene import Scene


def control_problems(scene: Scene) -> Iterator[Problem]:
    """All that is wrong with the controllers and sensors of a scene."""
    yield from _controllers(scene)
    movable = [*scene.bodies, *(name for name, robot in scene.robots.items() if robot.dynamic)]
    for name, sensor in scene.sensors.items():
        known = list(scene.wires) if sensor.kind == "load-cell" else movable
        if sensor.of not in known:
            what = "wire" if sensor.kind == "load-cell" else "body or dynamic robot"
            yield Problem(("sensors", name, "of"), unknown(what, sensor.of, known))
        elif sensor.kind == "pose" and sensor.turn_noise > 0.0 and _is_point(scene, sensor.of):
            yield Problem(("sensors", name, "turn_noise"), f"{sensor.of!r} is a point mass and does not turn")
    taken: dict[tuple[str, str], str] = {}
    for name, sensor in scene.sensors.items():
        first = taken.setdefault((sensor.kind, sensor.of), name)
        if first != name:
            yield Problem(("sensors", name), f"measures what {first!r} does; leave one of them out")


def controlled(scene: Scene) -> bool:
    """Whether a scene has anything to sample: controllers, sensors, or actuators to command."""
    return bool(
        scene.controllers
        or scene.sensors
        or any(robot.dynamic for robot in scene.robots.values())
        or any(body.actuator is not None or (body.rotors and body.rotors.commanded) for body in scene.bodies.values())
        or any(wire.winch is not None for wire in scene.wires.values())
    )


def _is_point(scene: Scene, name: str) -> bool:
    return scene.bodies[name].point if name in scene.bodies else scene.robots[name].dynamics != "quadcopter"


def flies(scene: Scene, name: str) -> bool:
    """Whether it is a quadcopter under command."""
    if name in scene.bodies:
        rotors = scene.bodies[name].rotors
        return rotors is not None and rotors.commanded
    return name in scene.robots and scene.robots[name].dynamics == "quadcopter"


def lifting_wires(scene: Scene, vehicle: str, load: str) -> list[str]:
    """Wires from a vehicle's centre to a load."""
    found = []
    for name, wire in scene.wires.items():
        ends = wire.from_, wire.to
        if vehicle in ends and load in (end.partition(".")[0] for end in ends):
            found.append(name)
    return found


def _controllers(scene: Scene) -> Iterator[Problem]:
    commanded: dict[str, str] = {}
    for name, law in scene.controllers.items():
        subjects: tuple[str, ...]
        if isinstance(law, OfWinch):
            subjects = (law.wire,)
            winches = [wire for wire, one in scene.wires.items() if one.winch is not None]
            if law.wire not in winches:
                hint = f"; wire {law.wire!r} has no winch: add winch: {{}} to it" if law.wire in scene.wires else ""
                yield Problem(("controllers", name, "wire"), unknown("winch", law.wire, winches) + hint)
        elif isinstance(law, Track):
            subjects = law.vehicles
            dynamic = [robot for robot, one in scene.robots.items() if one.dynamic]
            for i, vehicle in enumerate(law.vehicles):
                # A robot that is kinematic follows its motion anyway: one line switches it.
                if vehicle not in scene.robots:
                    yield Problem(("controllers", name, "vehicles", i), unknown("dynamic robot", vehicle, dynamic))
        else:
            subjects = law.vehicles if isinstance(law, Carry) else (law.vehicle,)
            yield from _lift(scene, name, law, subjects)
        for subject in subjects:
            first = commanded.setdefault(subject, name)
            if first != name or subjects.count(subject) > 1:
                yield Problem(("controllers", name), f"{subject!r} is commanded by {first!r} already")


def _lift(scene: Scene, name: str, law: SlungLoad | Carry, vehicles: tuple[str, ...]) -> Iterator[Problem]:
    flying = [one for one in (*scene.bodies, *scene.robots) if flies(scene, one)]
    if law.load not in scene.bodies:
        yield Problem(("controllers", name, "load"), unknown("body", law.load, scene.bodies))
        return
    if not vehicles:
        yield Problem(("controllers", name, "vehicles"), "must name at least one quadcopter")
    if isinstance(law, Carry) and not scene.bodies[law.load].point and len(vehicles) < 3:
        yield Problem(
            ("controllers", name, "vehicles"),
            f"fewer than 3 quadcopters cannot turn {law.load!r}; add some, or make it a point mass",
        )
    if isinstance(law, Carry) and scene.bodies[law.load].point and len(vehicles) > 1 and law.spread == 0.0:
        yield Problem(
            ("controllers", name, "spread"),
            f"0 puts all vehicles above the point {law.load!r}; leave it out, or give more",
        )
    for vehicle in vehicles:
        if vehicle not in flying:
            yield Problem(("controllers", name), unknown("quadcopter under command", vehicle, flying))
        elif len(lifting_wires(scene, vehicle, law.load)) != 1:
            wires = lifting_wires(scene, vehicle, law.load)
            yield Problem(
                ("controllers", name),
                f"needs exactly one wire between the centre of {vehicle!r} and {law.load!r}, "
                f"and there {'are ' + ', '.join(wires) if wires else 'is none'}",
            )
