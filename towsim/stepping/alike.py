"""Compiled scenes for runs that follow each other: what differs in numbers only is not compiled anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from towsim.model.compile import Compiled, compile_scene, with_numbers
from towsim.model.points import listed
from towsim.scene import Ground, Scene
from towsim.stepping.once import once

BODY = frozenset({"mass", "inertia", "drag", "velocity", "angular_velocity"})
"""Fields of a body that neither its structure nor the check of the start depends on."""

PLACE = frozenset({"position", "quaternion", "points"})
"""Fields of a body that joints and the check of the start depend on."""

TEXT = frozenset({"schema_version", "name", "description", "seed", "run"})
"""What plain scenes do not depend on; the seed is that of the sensors."""

NUMBERS = frozenset({"bodies", "robots", "wires", "ground", "wind", "gravity"})
PLANE = tuple(key for key in Ground.model_fields if key not in ("friction", "spring"))
SAME = tuple(key for key in Scene.model_fields if key not in TEXT | NUMBERS)

_last: list[Compiled] = []


class Difference(NamedTuple):
    """What differs between two scenes of one structure, beside numbers of bodies that are put in place anyway.

    Attributes
    ----------
    start : poses, points, or where wires end and how long they are: the start is to be checked
    driven : motions of robots, lengths of wires, or the wind
    """

    start: bool
    driven: bool


SAME_SCENE = Difference(start=False, driven=False)


def difference(one: Scene, other: Scene) -> Difference | None:
    """How two scenes differ that have the same structure; None if they have not.

    Names, texts and defaults of a run do not count.
    """
    if one is other:
        return SAME_SCENE
    if any(_differ(getattr(one, key), getattr(other, key)) for key in SAME):
        return None
    fixed = bool(one.joints)  # a joint keeps the angles at which its bodies start
    shaped = bool(one.planes)  # and what touches the ground has the shape of its body
    bodies = _fields(one.bodies, other.bodies, BODY | (set() if fixed else PLACE) | (set() if shaped else {"shape"}))
    wires = _fields(one.wires, other.wires, {"length", "material"})
    if bodies is None or wires is None or [*one.robots] != [*other.robots] or not _same_ground(one, other):
        return None
    if "points" in bodies and listed(one)[1] != listed(other)[1]:
        return None
    robots = [pair for pair in zip(one.robots.values(), other.robots.values(), strict=True) if pair[0] is not pair[1]]
    if any(robot.dynamic for pair in robots for robot in pair):
        return None
    moved = bool(robots) or "length" in wires
    return Difference(moved or not bodies <= BODY, moved or _differ(one.wind, other.wind))


def _same_ground(one: Scene, other: Scene) -> bool:
    """Whether planes differ in coefficients of friction, stiffness and damping at most."""
    if one.ground is other.ground:
        return True
    if type(one.ground) is not type(other.ground) or len(one.planes) != len(other.planes):
        return False  # contacts with one of several planes are named after it
    for a, b in zip(one.planes, other.planes, strict=True):
        rub, press = (
            (plane.friction > 0.0 for plane in (a, b)),
            (plane.spring and plane.spring.pulls for plane in (a, b)),
        )
        if len({*rub}) > 1 or len({*press}) > 1 or any(_differ(getattr(a, key), getattr(b, key)) for key in PLANE):
            return False
    return True


def _fields(one: Mapping[str, Any], other: Mapping[str, Any], allowed: set[str] | frozenset[str]) -> set[str] | None:
    """The fields in which things of the same names differ; None if any other than those allowed does."""
    found: set[str] = set()
    if one is other:
        return found
    if [*one] != [*other]:
        return None
    for a, b in zip(one.values(), other.values(), strict=True):
        if a is not b:
            mine, others = a.__dict__, b.__dict__  # fields, and nothing else
            found |= {key for key in type(a).model_fields if _differ(mine[key], others[key])}
    return found if found <= allowed else None


def _differ(x: Any, y: Any) -> bool:
    return x is not y and (x != y or (isinstance(x, dict) and [*x] != [*y]))  # order is that of a result


@once
def checked_and_compiled(scene: Scene) -> Compiled:
    """The scene, compiled, its start checked.

    Raises
    ------
    SceneError : the start is wrong
    """
    for last in tuple(_last):  # other threads may replace it meanwhile
        found = difference(scene, last.scene) if plain(last) else None
        if found is not None:
            if found.start:
                scene.check_start()
            return with_numbers(last, scene, driven=found.driven)
    scene.check_start()
    compiled = compile_scene(scene)
    _last[:] = [compiled]
    return compiled


def plain(compiled: Compiled) -> bool:
    """Whether no arrays but those of bodies, known motions and the start depend on their numbers."""
    return not compiled.cable_names and compiled.model.arms is None and not compiled.controlled
