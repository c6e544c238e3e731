"""Wheels of pulleys that massless wires turn: which there are, the parts of the wires between them, how fast they turn.

See constraints/sheave for the law. Where the scene starts a taut wire turns its wheels as fast as it runs; wheels under
slack wires are at rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np

from towsim.model.arrays import Floats, Numbers, Routes, Sheaves, Springs, pack
from towsim.model.layout import Layout
from towsim.model.routes import DeclaredWire
from towsim.scene import Scene
from towsim.scene.row import TOLERANCE
from towsim.scene.start import Places
from towsim.scene.wires import Wire


def sheave_arrays(
    wires: Sequence[DeclaredWire], routes: Routes, springs: Springs, layout: Layout, node: int, speed: int
) -> Sheaves | None:
    """The arrays for the kernels; None without such wheels.

    node : of the first one;  speed : place in v of its speed
    """
    on = [(i, wires[w]) for i, w in enumerate(routes.wire) if wires[w].wheels]
    if not on:
        return None
    of, row, begin, end, side, spring = [], [], [], [], [], []
    turns = np.zeros(len(routes.point), np.bool_)
    soft = springs.row.tolist()
    for i, wire in on:
        start, n = int(routes.first[i]), len(wire.points)
        at = [start, *(start + k for k in wire.wheels), start + n - 1]
        turns[at[1:-1]] = True
        for declared, (first, last) in zip(wire.rows, pairwise(at), strict=True):
            place = int(layout.place[declared])
            sides = layout.sides(declared, list(wire.nodes))
            own = [-1, *sides[n:], -1]
            part = wire.rows.index(declared)
            of.append(i)
            row.append(place)
            begin.append(first)
            end.append(last)
            side.append(own[part : part + 2])
            spring.append(soft.index(place) if place in soft else -1)
    count = sum(len(wire.wheels) for _, wire in on)
    first = np.cumsum([0, *(len(wire.rows) for _, wire in on)])
    parts = np.zeros((len(layout.place), 2), np.int64)
    parts[routes.row[[i for i, _ in on]]] = np.stack([first[:-1], first[1:]], axis=1)
    sheaves: Sheaves = pack(
        Sheaves,
        node=node + np.arange(count),
        speed=speed + np.arange(count),
        route=[i for i, _ in on],
        wire=[routes.wire[i] for i, _ in on],
        first=first,
        of=of,
        parts=parts,
        row=row,
        begin=begin,
        end=end,
        side=side,
        spring=spring,
        turns=turns,
        slack=np.zeros(len(row)),
        share=np.zeros(len(row)),
    )
    return sheaves


def sheave_numbers(scene: Scene) -> Numbers:
    """The numbers of the wheels."""
    wheels = [scene.pulleys[name] for name in scene.turned_pulleys]
    if not wheels:
        return {}
    return {
        "sheaves.mass": np.array([wheel.inertia / wheel.radius**2 for wheel in wheels]),
        "sheaves.radius": np.array([wheel.radius for wheel in wheels]),
    }


def sheave_speeds(scene: Scene) -> Floats:
    """Speeds (n,) of the wheels at the start, at the rim [m/s]."""
    if not scene.turned_pulleys:
        return np.empty(0)
    places = Places(scene)
    of_wires = (_speeds(scene, places, wire) for wire in scene.wires.values() if scene.turned(wire))
    return np.array(list(chain.from_iterable(of_wires)), float)


def _speeds(scene: Scene, places: Places, wire: Wire) -> list[float]:
    """Of those that one wire turns: as fast as it runs, that is as what is before them becomes shorter.

    Where the wire stretches it does so evenly, so that it is all the same which end is called its first.
    """
    wound = places.wound(wire)
    gap = wire.length_at_start() - wound.length
    if gap > TOLERANCE * wire.length_at_start():
        return [0.0] * len(scene.turned(wire))
    far = np.linalg.norm(wound.parts, axis=1)
    shorter = np.zeros(len(far) + 1)
    for k, along in enumerate(wound.parts / far[:, None]):
        a = _velocity(scene, places, wire.ends[k], wound.leave[k])
        b = _velocity(scene, places, wire.ends[k + 1], wound.meet[k + 1])
        shorter[k + 1] = shorter[k] + along @ (a - b)
    share = np.append(0.0, np.cumsum(far) / far.sum())
    stretching = -shorter[-1] - wire.length_at(np.zeros(1))[1][0]
    return [float(shorter[k] + share[k] * stretching) for k in scene.turned(wire)]


def _velocity(scene: Scene, places: Places, end: str, way: Floats) -> Floats:
    """Velocity of what carries a wire's end at its place there; ``way`` : from the point that carries a wheel."""
    owner, arm, _ = places.of(end)
    if owner is None:
        return np.asarray(scene.robots[scene.carrier(end)].sample(np.zeros(1))[1][0])
    body = scene.bodies[owner]
    wheel = scene.pulleys.get(end)
    lever = arm if wheel is not None and wheel.inertia > 0.0 else arm + way
    return np.asarray(np.array(body.velocity) + np.cross(body.angular_velocity, lever))
