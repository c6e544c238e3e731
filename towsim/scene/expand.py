"""A scene in which dynamic robots are bodies, and points that robots carry are robots: all that follows knows only
bodies, and points that move as they are told.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from towsim.errors import UsageError
from towsim.quote import show
from towsim.scene.base import FrozenDict
from towsim.scene.cable import Mrfe
from towsim.scene.ground import Ground
from towsim.scene.scene import Scene
from towsim.scene.wires import Wire


def a_scene(given: object) -> Scene:
    """What was given, if it is a scene. Raises UsageError."""
    if not isinstance(given, Scene):
        raise UsageError(f"a scene is needed, got {show(given)}; of a file, towsim.load_scene(..) reads it")
    return given


def expand(scene: Scene) -> Scene:
    """The scene itself, or one whose dynamic robots and drums are bodies of the same names, after all others.

    The point "bow" of a robot "ship" is a robot "ship.bow", after the ship itself. A ground vehicle stands on a plane
    of its own, across gravity, at the height at which it starts. Controllers and sensors are left out: they belong to
    the scene as it was declared.
    """
    return with_spans(with_drums(_with_vehicles(with_points(a_scene(scene)))))


def _with_vehicles(scene: Scene) -> Scene:
    dynamic = {name: robot for name, robot in scene.robots.items() if robot.dynamic}
    if not dynamic:
        return scene
    bodies = {name: robot.body() for name, robot in dynamic.items()}
    planes = []
    up = vertical(scene)
    for name, robot in dynamic.items():
        if robot.dynamics == "ground":
            height = float(np.dot(up, bodies[name].position))
            planes.append(Ground(height=height, normal=up, contacts=(name,)))
    ground = scene.ground if not planes else (*scene.planes, *planes)
    if isinstance(ground, tuple) and len(ground) == 1:
        ground = ground[0]
    robots = {name: robot for name, robot in scene.robots.items() if not robot.dynamic}
    return scene.model_copy(
        update={
            "bodies": FrozenDict({**scene.bodies, **bodies}),
            "robots": FrozenDict(robots),
            "ground": ground,
            "controllers": FrozenDict(),
            "sensors": FrozenDict(),
        }
    )


def with_drums(scene: Scene) -> Scene:
    """The scene with its drums as bodies on hinges, see ``scene/drums``; itself where it has no others."""
    if not scene.drums or all(name in scene.bodies for name in scene.drums):
        return scene
    bodies, joints = dict(scene.bodies), dict(scene.joints)
    for name, drum in scene.drums.items():
        at = scene.attachment(drum.at)
        if at.is_robot:
            place, velocity, _ = (one[0] for one in scene.robots[at.owner].sample(np.zeros(1)))
            spin = np.zeros(3)
        else:
            carrier = scene.bodies[at.owner]
            arm = carrier.rotation_matrix() @ np.array(at.offset)
            spin = np.array(carrier.angular_velocity)
            place, velocity = np.array(carrier.position) + arm, np.array(carrier.velocity) + np.cross(spin, arm)
        bodies[name] = drum.body(*(vector(one) for one in (place, velocity, spin)))
        joints |= drum.joints(name, next((wire for wire in scene.wires.values() if wire.drum == name), None))
    return scene.model_copy(update={"bodies": FrozenDict(bodies), "joints": FrozenDict(joints)})


def with_points(scene: Scene) -> Scene:
    """The scene with the points of its robots as robots of their own; itself if there are none."""
    if not any(robot.points for robot in scene.robots.values()):
        return scene
    robots = {}
    for name, robot in scene.robots.items():
        robots[name] = robot.replace(points={}, orientation=None) if robot.points else robot
        robots |= {f"{name}.{point}": one for point, one in robot.carried().items()}
    return scene.model_copy(update={"robots": FrozenDict(robots)})  # a dot is in no name that is declared


def with_spans(scene: Scene) -> Scene:
    """The scene with its massive wires over rings and pulleys as spans, "line.1" and so on; itself without such."""
    shares = shared_by_spans(scene)
    if not shares:
        return scene
    wires = {}
    for name, wire in scene.wires.items():
        model = wire.model
        if name not in shares:
            wires[name] = wire
            continue
        assert isinstance(model, Mrfe)
        last = len(wire.via)
        for k, ((from_, to), (length, elements)) in enumerate(zip(pairwise(wire.ends), shares[name], strict=True)):
            held = {"from_end": model.from_end if k == 0 else "ball", "to_end": model.to_end if k == last else "ball"}
            part = model.model_copy(update={"elements": elements, **held})
            update = {"from_": from_, "to": to, "via": (), "length": length, "model": part}
            wires[f"{name}.{k + 1}"] = wire.model_copy(update=update)
    return scene.model_copy(update={"wires": FrozenDict(wires)})


def shared_by_spans(scene: Scene) -> dict[str, list[tuple[float, int]]]:
    """Length and number of elements of each span of the massive wires over rings and pulleys, where the scene starts.

    Both are shared by the distances there, two elements each at least; what lies on pulleys is in no span. The lengths
    then change: as they hang (see model/wheels), at rest (see statics/spans), and in runs (see dynamics/flow).
    """
    if not any(map(scene.spanned, scene.wires)):
        return {}
    from towsim.scene.start import Places

    places, found = Places(scene), {}
    for name, wire in scene.wires.items():
        if scene.spanned(name) and isinstance(wire.model, Mrfe):
            wound = places.wound(wire)
            whole, elements = wire.length_at_start(), wire.model.elements
            far = np.maximum(np.linalg.norm(wound.parts, axis=1), 1e-3 * whole)
            share = (far / far.sum()).tolist()
            hanging = max(whole - float(wound.arc.sum()), 1e-3 * whole)
            found[name] = [(hanging * part, max(2, round(elements * part))) for part in share]
    return found


def whole_wires(scene: Scene) -> dict[str, Wire]:
    """The massive wires whose spans an expanded scene has, by the names of these, in one piece; lengths are not."""
    routes: dict[str, list[Wire]] = {}
    for name, wire in scene.wires.items():
        if isinstance(wire.model, Mrfe) and "." in name:
            routes.setdefault(name.rpartition(".")[0], []).append(wire)
    return {
        name: spans[0].model_copy(update={"via": tuple(span.to for span in spans[:-1]), "to": spans[-1].to})
        for name, spans in routes.items()
    }


def vertical(scene: Scene) -> tuple[float, float, float]:
    """The direction against gravity; world z without gravity."""
    g = np.array(scene.gravity)
    size = float(np.linalg.norm(g))
    return vector(-g / size if size > 0.0 else np.array([0.0, 0.0, 1.0]))


def vector(a: np.ndarray) -> tuple[float, float, float]:
    """Three numbers."""
    x, y, z = a
    return float(x) + 0.0, float(y) + 0.0, float(z) + 0.0
