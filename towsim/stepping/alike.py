"""Compiled scenes for runs that follow each other: what differs in numbers of its bodies only is not compiled anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from towsim.model.compile import Compiled, compile_scene, with_bodies
from towsim.scene import Scene
from towsim.stepping.once import once

NUMBERS = frozenset({"mass", "inertia", "drag", "velocity", "angular_velocity"})
"""Fields of a body that neither its structure nor the check of the start depends on."""

SAME = tuple(key for key in Scene.model_fields if key not in ("schema_version", "name", "description", "bodies", "run"))

_last: list[Compiled] = []


def alike(one: Scene, other: Scene) -> bool:
    """Whether two scenes differ in numbers of their bodies only (and in names, texts and defaults of a run)."""
    if any(_differ(getattr(one, key), getattr(other, key)) for key in SAME) or [*one.bodies] != [*other.bodies]:
        return False
    for a, b in zip(one.bodies.values(), other.bodies.values(), strict=True):
        for key in type(a).model_fields:
            x, y = getattr(a, key), getattr(b, key)
            if _differ(x, y) and key not in NUMBERS:
                return False
    return True


def _differ(x: Any, y: Any) -> bool:
    return x is not y and (x != y or (isinstance(x, Mapping) and [*x] != [*y]))  # order is that of a result


@once
def checked_and_compiled(scene: Scene) -> Compiled:
    """The scene, compiled, its start checked.

    Raises
    ------
    SceneError : the start is wrong
    """
    for last in tuple(_last):  # other threads may replace it meanwhile
        if plain(last) and alike(scene, last.scene):
            return with_bodies(last, scene)
    scene.check_start()
    compiled = compile_scene(scene)
    _last[:] = [compiled]
    return compiled


def plain(compiled: Compiled) -> bool:
    """Whether nothing but the bodies' own arrays depends on their numbers."""
    return not compiled.cable_names and compiled.model.arms is None and not compiled.controlled
