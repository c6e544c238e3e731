"""Pulleys with a radius under massive wires: which spans they are between, and where these touch them at the start.

See dynamics/wheels for the law. At the start the spans hang at rest between points where they touch the wheels, which
follow from how they hang: both are found by turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from towsim.model.arrays import FREE, Floats, Ints, Numbers, Wheels, pack
from towsim.model.layout import Layout, Stack
from towsim.model.points import PointTable
from towsim.scene import Scene
from towsim.scene.expand import whole_wires
from towsim.scene.pulleys import Pulley, touch_block, touch_swivel
from towsim.scene.start import Places

if TYPE_CHECKING:
    from towsim.model.cables import Cable

TURNS, SETTLED = 100, 1e-15
"""Rounds of hanging the spans and laying their ends on the wheels, and the move at which it is done, per radius."""


@dataclass
class Wheel:
    """A pulley under a massive wire.

    Attributes
    ----------
    name, pulley : as declared
    cables : numbers of the spans before and behind it; None of what is not there, where it swivels
    ends : 0 where it is at the root of that span, 1 at the tip
    touch : (2, 3) where they are on it, from the point that carries it [m]
    arc : unstrained length that lies on it [m]
    """

    name: str
    pulley: Pulley
    cables: tuple[int | None, int | None]
    ends: tuple[int, int]
    touch: Floats
    arc: float

    @property
    def sides(self) -> list[tuple[int, int, int]]:
        """Of each span that is there: 0 before and 1 behind, its number, and which of its ends it is."""
        pairs = enumerate(zip(self.cables, self.ends, strict=True))
        return [(side, cable, end) for side, (cable, end) in pairs if cable is not None]


def lay_on_wheels(scene: Scene, cables: list[Cable]) -> list[Wheel]:
    """The pulleys under the massive wires of an expanded scene; their spans in ``cables`` start where they touch them.

    Lengths follow: what lies on a pulley more is taken from the spans beside it, half of it from each.
    """
    places, names = Places(scene), {cable.name: c for c, cable in enumerate(cables)}
    found: list[Wheel] = []
    for name, wire in whole_wires(scene).items():
        route = [names[f"{name}.{k + 1}"] for k in range(len(wire.via) + 1)]
        wound = places.wound(wire)
        for k, wheel in enumerate(scene.wheels(wire)):
            if wheel is not None:
                pair = (route[k - 1] if k else None), (route[k] if k < len(route) else None)
                ends = tuple(int(c is not None and cables[c].tip == wire.ends[k]) for c in pair)
                touch = np.array([wound.meet[k], wound.leave[k]])
                found.append(Wheel(wire.ends[k], wheel, pair, (ends[0], ends[1]), touch, float(wound.arc[k])))
    for one in found:
        for side, c, end in one.sides:
            _move_end(cables, c, end, one.touch[side])
    for _ in range(TURNS if found else 0):
        if max(_lay(places, cables, one) for one in found) <= SETTLED:
            break
    return found


def _lay(places: Places, cables: list[Cable], one: Wheel) -> float:
    """Bring the ends of the spans at a wheel to where they touch it as they hang; how far that was, per radius."""
    r = one.pulley.radius
    owner, _, centre = places.of(one.name)
    touch, side = one.touch.copy(), one.sides[0][0]
    far = [cables[c].start[1 - end] - centre for _, c, end in one.sides]
    away = [_away(cables[c], end) for _, c, end in one.sides]
    if one.pulley.swivel is None:
        touch[0], touch[1], angle = touch_block(r, far[0], far[1], -away[0], away[1])
    else:
        axis = np.array(one.pulley.swivel) if owner is None else places.arm(owner, one.pulley.swivel)
        touch[side], angle = touch_swivel(r, axis, far[0], away[0])
    strain = float(np.mean([_strain(cables[c], end) for _, c, end in one.sides]))
    longer = (r * angle / (1.0 + strain) - one.arc) / len(one.sides)
    for side, c, end in one.sides:
        _move_end(cables, c, end, touch[side] - one.touch[side], longer)
    moved = float(np.abs(touch - one.touch).max()) / r
    one.touch, one.arc = touch, r * angle / (1.0 + strain)
    return max(moved, abs(longer) / r)


def _strain(cable: Cable, end: int) -> float:
    """Strain of a span in its element at one of its ends."""
    extension = cable.shape[1]
    return float(extension[-1 if end else 0]) * len(extension) / cable.length


def _away(cable: Cable, end: int) -> Floats:
    """Direction of a span at one of its ends, away from it: of its elements, extrapolated."""
    directions = cable.shape[0] if end == 0 else -cable.shape[0][::-1]
    return np.asarray(1.5 * directions[0] - 0.5 * directions[1])


def _move_end(cables: list[Cable], c: int, end: int, move: Floats, shorter: float = 0.0) -> None:
    start = cables[c].start.copy()
    start[end] += move
    cables[c] = replace(cables[c], start=start, length=cables[c].length - shorter)


class DeclaredWheels:
    """The wheels of a scene with their rows: the flow through each, and the wire on it as a mass.

    Attributes
    ----------
    wheels : see ``lay_on_wheels``
    centre : points that carry them;  touch : those where the spans before and behind touch them
    """

    def __init__(self, wheels: Sequence[Wheel], scene: Scene, cables: Sequence[Cable], points: PointTable) -> None:
        self.wheels, self.scene, self.cables = wheels, scene, cables
        self.centre = [points.of(scene.carrier(one.name)) for one in wheels]
        self.touch = [
            [-1 if c is None else points.touch(centre, k, side) for side, c in enumerate(one.cables)]
            for k, (one, centre) in enumerate(zip(wheels, self.centre, strict=True))
        ]
        self._points = points
        self._rows: list[list[int]] = []
        self._nodes: list[list[int]] = []

    def place(self, cable: int, end: int) -> int:
        """Point to which an end of a cable is closed (0: root, 1: tip): where it touches a wheel, if it does."""
        for one, touch in zip(self.wheels, self.touch, strict=True):
            for side, c, at in one.sides:
                if (c, at) == (cable, end):
                    return touch[side]
        return self._points.of(self.cables[cable].tip if end else self.cables[cable].root)

    def declare(
        self, stack: Stack, tip: int
    ) -> Iterator[tuple[tuple[int | None, int | None], int, int, tuple[int, int, int]]]:
        """Declare the rows of the wheels; ``tip`` : node of the first cable's tip.

        Yields
        ------
        numbers of the spans; row of the flow, point whose velocity that is relative to, and nodes of the row's sides
        """
        for one, centre, touch in zip(self.wheels, self.centre, self.touch, strict=True):
            nodes = [-1 if c is None else tip + c for c in one.cables] + [self._points.node(centre)]
            name = self.cables[one.sides[0][1]].name
            self._rows.append([stack.add(FREE, nodes, name) for _ in range(5 if one.pulley.swivel is None else 4)])
            self._nodes.append(nodes)
            at = centre if one.pulley.swivel is None else max(touch)
            yield one.cables, self._rows[-1][0], at, (nodes[0], nodes[1], nodes[2])

    def arrays(self, layout: Layout, first: Ints, places: Ints) -> Wheels | None:
        """The arrays for the kernels; None without wheels.

        first : (nk + 1,) first element of each cable
        places : (n, 6) in v of what flows at the ends of both spans, in q of the length on the wheel, in v of its
            speed, and in q of the lengths of both spans
        """
        if not self.wheels:
            return None
        near, step, far, rows, sides, carriers, sign, cable = [], [], [], [], [], [], [], []
        for one, declared, nodes in zip(self.wheels, self._rows, self._nodes, strict=True):
            at, on, off = [-1, -1], [0, 0], [-1, -1]
            for side, c, end in one.sides:
                root, tip = int(first[c]) + c, int(first[c + 1]) + c
                at[side], off[side], on[side] = (tip, root, -1) if end else (root, tip, 1)
            near.append(at)
            step.append(on)
            far.append(off)
            sign.append([1.0 if end else -1.0 for end in one.ends])
            cable.append([-1 if c is None else c for c in one.cables])
            found = [layout.sides(row, nodes) for row in declared] + [[-1, -1, -1]] * (5 - len(declared))
            rows.append([*layout.place[declared], *[-1] * (5 - len(declared))])
            sides.append([two[:2] for two in found])
            carriers.append([two[2] for two in found])
        n = len(self.wheels)
        wheels: Wheels = pack(
            Wheels,
            centre=self.centre,
            touch=self.touch,
            near=near,
            step=step,
            far=far,
            swivels=[one.pulley.swivel is not None for one in self.wheels],
            cable=cable,
            elements=[[0 if c is None else self.cables[c].model.elements for c in one.cables] for one in self.wheels],
            length_q=places[:, 4:],
            flow=places[:, :2],
            sign=sign,
            arc_q=places[:, 2],
            speed=places[:, 3],
            row=rows,
            side=sides,
            carrier=carriers,
            pace=np.full(1, np.inf),
            aside=np.zeros(n),
            lay=np.zeros((n, 6)),
            arc=np.zeros(n),
            heft=np.zeros((n, 3)),
        )
        return wheels


def wheel_numbers(wheels: Sequence[Wheel], cables: Sequence[Cable]) -> Numbers:
    """The numbers of the wheels."""
    if not wheels:
        return {}
    return {
        "wheels.radius": np.array([one.pulley.radius for one in wheels]),
        "wheels.axis": np.array([one.pulley.swivel or (0.0, 0.0, 0.0) for one in wheels], float),
        "wheels.inertia": np.array([one.pulley.inertia / one.pulley.radius**2 for one in wheels]),
        "wheels.axial": np.array([cables[one.sides[0][1]].wire.section().axial_stiffness for one in wheels]),
        "wheels.line": np.array([cables[one.sides[0][1]].wire.section().mass_per_length for one in wheels]),
    }
