"""Scenes that differ in numbers only: written into each other's arrays, they are what they compile to by themselves."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import towsim
from tests.stepping.test_bounds import Chance
from towsim.model.compile import Compiled, compile_scene
from towsim.scene import scene_from_data

STRUCTURE = {"position", "points", "length", "exit", "cut", "attach", "detach", "axis", "from", "via", "formula"}
"""Words whose numbers stay: ends must meet, and what is switched is a structure."""


def of_chance(seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """A scene by chance, and the same with other numbers, and with robots that move where they stood still."""
    base: dict[str, Any] = Chance(seed).data()
    draw = random.Random(seed)

    def moved(x: Any) -> Any:
        if isinstance(x, dict):
            return {key: value if key in STRUCTURE else moved(value) for key, value in x.items()}
        if isinstance(x, list):
            return [moved(one) for one in x]
        return x * draw.choice([1.0, 1.01, 0.99]) if isinstance(x, float) else x

    for _ in range(3):
        other = copy.deepcopy(base) | {part: moved(base[part]) for part in ("bodies", "joints", "wires")}
        for robot in other["robots"].values():
            if draw.random() < 0.6 and "position" in robot:
                x, y, z = robot.pop("position")
                robot["motion"] = {"formula": {"x": f"{x} + 0.05*t**2", "y": y, "z": z}}
        yield base, other


def arrays(thing: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All arrays of a model, and what is not there, by path."""
    if hasattr(thing, "_fields"):
        for name in thing._fields:
            yield from arrays(getattr(thing, name), f"{path}.{name}")
    elif isinstance(thing, np.ndarray) or thing is None:
        yield path, thing


def all_of(compiled: Compiled) -> dict[str, Any]:
    """What the kernels of a scene are given."""
    parts = {"model": compiled.model, "cables": compiled.cables, "initial": compiled.initial}
    return dict(one for name, part in parts.items() for one in arrays(part, name))


def test_a_scene_in_the_arrays_of_another_is_what_it_compiles_to() -> None:
    compared = 0
    for seed in range(120):
        for data, changed in of_chance(seed):
            try:
                scene, other = scene_from_data(data), scene_from_data(changed)
                if scene.outline() != other.outline():
                    continue
                fresh, put = all_of(compile_scene(other)), all_of(compile_scene(scene).put(other))
            except towsim.TowsimError:  # a scene that cannot be
                continue
            compared += 1
            assert put.keys() == fresh.keys()
            for path, values in fresh.items():
                np.testing.assert_array_equal(put[path], values, f"seed {seed}: {path}")
    assert compared > 100
