"""Wires that pass rings or pulleys: all their points, end to end, and the rows of their friction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from towsim.model.arrays import FREE, TANGENT, UNILATERAL, Floats, Numbers, Routes, pack
from towsim.model.layout import Layout, Stack
from towsim.scene import Scene
from towsim.scene.cable import SpringDamper
from towsim.scene.wires import Wire


class DeclaredWire(NamedTuple):
    """A massless wire whose rows are declared: its points, its row, and those of its friction.

    nodes : of its points, and where it is on a drum those of the drum's hinge, or of the wheels that it turns
    straight : whether it passes nothing between its ends
    hinge : that joint, −1 without a drum
    wheels : which of its points have wheels that it turns
    parts : rows of its parts behind these
    """

    name: str
    points: tuple[int, ...]
    nodes: tuple[int, ...]
    row: int
    bands: tuple[int, ...]
    straight: bool
    hinge: int
    wheels: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()

    @property
    def rows(self) -> tuple[int, ...]:
        """Of all its parts, from end to end; its own one is the first."""
        return (self.row, *self.parts)


def declare_wire(
    stack: Stack,
    name: str,
    wire: Wire,
    points: tuple[int, ...],
    nodes: tuple[int, ...],
    straight: bool,
    hinge: int = -1,
    wheels: tuple[int, ...] = (),
) -> DeclaredWire:
    """Declare the row of a wire, and with the same sides one for each point on which it rubs, or whose wheel it turns.

    nodes, straight, wheels : see DeclaredWire
    """
    kind = FREE if isinstance(wire.model, SpringDamper) else UNILATERAL
    row = stack.add(kind, list(nodes), name, 2 if straight else 0)
    passed = len(points) - 2 if wire.friction > 0.0 else 0
    bands = tuple(stack.add(TANGENT, list(nodes), name) for _ in range(passed))
    parts = tuple(stack.add(UNILATERAL, list(nodes), name) for _ in wheels)
    return DeclaredWire(name, points, nodes, row, bands, straight, hinge, wheels, parts)


def route_arrays(wires: Sequence[DeclaredWire], scene: Scene, layout: Layout) -> Routes:
    """Routes of the wires that are not straight."""
    bent = [i for i, one in enumerate(wires) if scene.bent(scene.wires[one.name])]
    wheels = [wheel for i in bent for wheel in scene.wheels(scene.wires[wires[i].name])]
    rubbing = [(int(layout.place[row]), int(layout.place[wires[i].row])) for i in bent for row in wires[i].bands]
    band: list[int] = []
    for i in bent:
        count = len(wires[i].bands)
        before = sum(k >= 0 for k in band)
        band += [-1, *(range(before, before + count) if count else [-1] * (len(wires[i].points) - 2)), -1]
    routes: Routes = pack(
        Routes,
        wire=bent,
        row=[layout.place[wires[i].row] for i in bent],
        first=np.cumsum([0, *(len(wires[i].points) for i in bent)]),
        point=list(chain.from_iterable(wires[i].points for i in bent)),
        side=list(chain.from_iterable(_places(wires[i].nodes[: len(wires[i].points)]) for i in bent)),
        band=band,
        rubbing=np.array(rubbing, np.int64).reshape(-1, 2),
        swivels=np.array([wheel is not None and wheel.swivel is not None for wheel in wheels], np.bool_),
        touch=np.zeros((len(wheels), 6)),
        arc=np.zeros(len(wheels)),
        laid=np.zeros((len(wheels), 19)),
        bound=np.zeros((2, len(rubbing))),
    )
    return routes


def without_way(routes: Routes | None, massless: Sequence[str], gap: Floats) -> tuple[str, ...]:
    """Names of the wires that have no way over their pulleys: their gaps, of all rows (nr,), are no numbers."""
    if routes is None:
        return ()
    return tuple(massless[w] for w, row in zip(routes.wire, routes.row, strict=True) if np.isnan(gap[row]))


def _places(nodes: Sequence[int]) -> list[int]:
    """Which of a row's sides is at each of its nodes, −1 at a robot."""
    at = [node >= 0 for node in nodes]
    return [sum(at[:i]) if is_side else -1 for i, is_side in enumerate(at)]


def route_numbers(wires: Sequence[Wire], scene: Scene) -> Numbers:
    """Friction, and pulleys, of those of the wires that are not straight."""
    bent = [wire for wire in wires if scene.bent(wire)]
    wheels = [wheel for wire in bent for wheel in scene.wheels(wire)]
    axes = [(0.0, 0.0, 0.0) if wheel is None or wheel.swivel is None else wheel.swivel for wheel in wheels]
    return {
        "routes.friction": np.array([wire.friction for wire in bent], float),
        "routes.radius": np.array([0.0 if wheel is None else wheel.radius for wheel in wheels], float),
        "routes.axis": np.array(axes, float).reshape(-1, 3),
        "routes.turns": np.array([math.tau * wire.turns for wire in bent], float),
    }
