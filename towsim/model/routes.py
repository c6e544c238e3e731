"""Wires that pass rings or pulleys: all their points, end to end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from towsim.model.arrays import Routes, pack
from towsim.model.layout import Layout


def route_arrays(
    wires: Sequence[tuple[tuple[int, ...], tuple[int, ...], int]], layout: Layout
) -> tuple[Routes, list[tuple[int, int]]]:
    """Routes of the wires that are not straight, and the first and last side of every wire.

    wires : points, their nodes, and number of the row of each wire
    """
    sides = [layout.sides(row, list(nodes)) for _, nodes, row in wires]
    bent = [i for i, (points, _, _) in enumerate(wires) if len(points) > 2]
    routes: Routes = pack(
        Routes,
        wire=bent,
        row=[layout.place[wires[i][2]] for i in bent],
        first=np.cumsum([0, *(len(wires[i][0]) for i in bent)]),
        point=list(chain.from_iterable(wires[i][0] for i in bent)),
        side=list(chain.from_iterable(sides[i] for i in bent)),
    )
    return routes, [(side[0], side[-1]) for side in sides]
