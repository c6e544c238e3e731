"""Wires that pass rings or pulleys: all their points, end to end, and the rows of their friction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain

import numpy as np

from towsim.model.arrays import Numbers, Routes, pack
from towsim.model.layout import Layout
from towsim.model.wires import DeclaredWire
from towsim.scene.wires import Wire


def route_arrays(wires: Sequence[DeclaredWire], layout: Layout) -> Routes:
    """Routes of the wires that are not straight."""
    bent = [i for i, one in enumerate(wires) if not one.straight]
    sides = [layout.sides(wires[i].row, list(wires[i].nodes)) for i in bent]
    rubbing = [(row, i, wires[i].row) for i in bent for row in wires[i].bands]
    shift = [
        _first(layout.sides(row, list(wires[i].nodes))) - _first(layout.sides(own, list(wires[i].nodes)))
        for row, i, own in rubbing
    ]
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
        side=list(chain.from_iterable(sides)),
        band=band,
        rubbing=np.array([(layout.place[row], layout.place[own]) for row, _, own in rubbing], np.int64).reshape(-1, 2),
        shift=shift,
        bound=np.zeros((2, len(rubbing))),
    )
    return routes


def _first(sides: list[int]) -> int:
    """The first side of a row, of those that there are."""
    return max([side for side in sides if side >= 0][:1], default=0)


def route_numbers(wires: Sequence[Wire]) -> Numbers:
    """Friction of those of the wires that are not straight."""
    bent = [wire for wire in wires if wire.via]
    return {
        "routes.friction": np.array([wire.friction for wire in bent], float),
        "routes.turns": np.array([math.tau * wire.turns for wire in bent], float),
    }
