"""Rows with a spring: elastic wires and springs, then elastic contacts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from towsim.model.arrays import Numbers, Springs, pack
from towsim.model.contacts import DeclaredContact
from towsim.model.layout import Layout
from towsim.scene import Scene, Wire
from towsim.scene.cable import SpringDamper
from towsim.scene.contacts import touches


def spring_arrays(
    scene: Scene,
    massless: Sequence[str],
    rows: Sequence[Sequence[int]],
    contacts: list[DeclaredContact],
    layout: Layout,
) -> Springs:
    """Elastic wires, by their parts, then elastic contacts; rows : declared ones of all wires, by their parts."""
    elastic = [i for i, name in enumerate(massless) if scene.wires[name].springy for _ in rows[i]]
    of_wires = [
        int(layout.place[row])
        for name, of in zip(massless, rows, strict=True)
        if scene.wires[name].springy
        for row in of
    ]
    bars = [isinstance(scene.wires[massless[i]].model, SpringDamper) for i in elastic]
    pressed = [(int(layout.place[rows[0]]), scene.planes[touch.plane].spring) for touch, _, rows in contacts]
    soft = [(row, spring) for row, spring in pressed if spring is not None]
    springs: Springs = pack(
        Springs,
        row=of_wires + [row for row, _ in soft],
        wire=[-1 if bar else i for i, bar in zip(elastic, bars, strict=True)] + [-1] * len(soft),
        pulls=bars + [spring.pulls for _, spring in soft],
    )
    return springs


def spring_numbers(scene: Scene, massless: list[Wire]) -> Numbers:
    """Stiffness and damping of elastic wires (of a unit of length) and of springs, then of elastic contacts."""
    soft = [scene.planes[touch.plane].spring for touch in touches(scene)] if scene.ground is not None else []
    laws = []
    for wire in (wire for wire in massless if wire.springy):
        bar, section = wire.model, wire.section()
        law = (
            (bar.stiffness, bar.damping)
            if isinstance(bar, SpringDamper)
            else (section.axial_stiffness, section.axial_damping)
        )
        laws += [law] * (1 + len(scene.turned(wire)))
    laws += [(spring.stiffness, spring.damping) for spring in soft if spring is not None]
    stiffness, damping = np.array(laws).reshape(-1, 2).T
    return {"springs.stiffness": stiffness, "springs.damping": damping}
