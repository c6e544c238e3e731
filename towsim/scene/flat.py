"""Weights on hard wires that start in one straight line: what bears them, if no finite tension does?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from towsim.scene.bodies import Body, Thrust
from towsim.scene.motion import Axes
from towsim.scene.row import Array, Row

FLAT = 1e-9
"""Wires are in one line to this 1 − cos of the angle between them, and to this distance [m]."""


def flat(gravity: Array, rows: list[Row], soft: set[str], moved: set[str]) -> Iterator[str]:
    """What is said of bodies between hard wires in one line, which their weight crosses; once for a line.

    rows : those that are closed at the start
    soft : bodies that wires hold which stretch, and let them move;  moved : those that are driven, with whatever force

    There are forces z > 0, Σ zᵢ ∂ψᵢ/∂x = 0, and a speed v across the line makes Σ zᵢ ψ̈ᵢ = −Σ zᵢ v²/lᵢ < 0:
    the bodies can neither move nor be held by finite tensions. A line with a loose end has no such z.
    Source: Connelly & Whiteley, SIAM J. Discrete Math. 9 (1996) 453 (second-order rigidity).
    """
    held: dict[str, list[tuple[int, Array, Array]]] = {}
    for i, row in enumerate(rows):
        for owner, arm, gradient in row.sides:
            held.setdefault(owner, []).append((i, arm, gradient))
    lined: dict[str, list[int]] = {}
    for name, found in held.items():
        _, first, line = found[0]
        along = np.array([gradient @ line for _, _, gradient in found])
        aside = [np.linalg.norm(np.cross(arm - first, line)) for _, arm, _ in found]
        across = np.linalg.norm(np.cross(gravity, line))
        straight = along.min() < 0.0 and np.abs(along).min() > 1.0 - FLAT and max(aside) < FLAT
        if straight and across and name not in soft | moved:
            lined[name] = [i for i, _, _ in found]
    if not lined:
        return
    pulls = _stressed(rows, {owner: found for owner, found in held.items() if owner not in moved}, lined)
    for names in _joined({name: own for name, own in lined.items() if pulls.issuperset(own)}):
        wires = list(dict.fromkeys(str(rows[i].loc[1]) for name in names for i in lined[name]))
        one = len(names) == 1
        yield (
            f"{'body' if one else 'bodies'} {_listed(names)} {'starts' if one else 'start'} between wires "
            f"{_listed(wires)} in one line, which {'its' if one else 'their'} weight crosses: hard wires bear "
            "that with no finite tension; make them longer than the line, so that they sag, or say model: elastic"
        )


def driven(body: Body) -> bool:
    """Whether anything but its weight acts on a body by itself."""
    return bool(body.rotors or body.actuator or body.force != Axes() or body.thrust != Thrust())


def _listed(names: list[str]) -> str:
    """Names in a sentence; of more than seven the first six, dots, and the last one."""
    shown = [*map(repr, names[:6]), *(["..."] if len(names) > 7 else []), *map(repr, names[6:][-1:])]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _joined(lined: dict[str, list[int]]) -> Iterator[list[str]]:
    """Bodies that have rows in common, directly or through others."""
    of: dict[int, list[str]] = {}
    for name, own in lined.items():
        for i in own:
            of.setdefault(i, []).append(name)
    left = dict.fromkeys(lined)
    while left:
        todo, found = [next(iter(left))], []
        while todo:
            name = todo.pop()
            if name in left:
                del left[name]
                found.append(name)
                todo += [other for i in lined[name] for other in of[i]]
        yield found


def _stressed(
    rows: list[Row], held: dict[str, list[tuple[int, Array, Array]]], lined: dict[str, list[int]]
) -> frozenset[int]:
    """Rows of the bodies in line that pull in some z ≥ 0 which balances on all bodies of ``held``."""
    from scipy.sparse import csr_array, eye_array

    from solvers.halfspaces import lifted

    entries = [
        (6 * n + j, i, value)
        for n, found in enumerate(held.values())
        for i, arm, gradient in found
        for j, value in enumerate((*gradient, *np.cross(arm, gradient)))
    ]
    places, columns, numbers = zip(*entries, strict=True)
    asked = {i for own in lined.values() for i in own}
    pull = [i for i, row in enumerate(rows) if i in asked or not row.equal]
    up, _ = lifted(
        eye_array(len(rows), format="csr")[pull],
        csr_array((numbers, (places, columns)), shape=(6 * len(held), len(rows))),
    )
    return frozenset(i for i, pulls in zip(pull, up, strict=True) if pulls)
