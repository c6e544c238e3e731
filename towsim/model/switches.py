"""Rows of a scene that can be off, and the times at which they are switched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from towsim.model.arrays import Numbers, Switches, pack
from towsim.model.layout import Layout
from towsim.scene import Scene

Owner = tuple[Literal["wire", "joint"], str]


@dataclass
class SwitchTable:
    """Rows that can be off, as they are declared.

    Attributes
    ----------
    owners : whose row each is
    """

    owners: list[Owner] = field(default_factory=list)
    _wires: list[int] = field(default_factory=list)
    _rows: list[int] = field(default_factory=list)
    _leads: list[int] = field(default_factory=list)

    def add_wire(self, scene: Scene, name: str, index: int, row: int, stops: Sequence[int]) -> None:
        """Add the row of a wire that can break or is switched, and those of the stops of its drum."""
        wire = scene.wires[name]
        if (wire.break_, wire.attach, wire.detach, wire.cut) != (None, None, None, None):
            lead = len(self._rows)
            self._add(("wire", name), index, row, lead)
            for stop in stops:
                self._add(("wire", name), -1, stop, lead)

    def add_joint(self, scene: Scene, name: str, rows: list[int]) -> None:
        """Add the rows of a joint that is detached."""
        if scene.joints[name].detach is not None:
            for row in rows:
                self._add(("joint", name), -1, row, len(self._rows))

    def arrays(self, layout: Layout) -> Switches:
        """All of them, without the numbers."""
        switches: Switches = pack(
            Switches,
            wire=self._wires,
            lead=self._leads,
            row=[layout.place[row] for row in self._rows],
        )
        return switches

    def numbers(self, scene: Scene) -> Numbers:
        """What the wires bear."""
        limits = [scene.wires[name].break_ if kind == "wire" else None for kind, name in self.owners]
        bears = [(None, None) if limit is None else (limit.tension, limit.impulse) for limit in limits]
        tension, impulse = np.array([[np.inf if x is None else x for x in pair] for pair in bears]).reshape(-1, 2).T
        return {"switches.tension": tension, "switches.impulse": impulse}

    def _add(self, owner: Owner, wire: int, row: int, lead: int) -> None:
        self.owners.append(owner)
        self._wires.append(wire)
        self._rows.append(row)
        self._leads.append(lead)


@dataclass(frozen=True, slots=True)
class Change:
    """A wire or joint that is switched at a time [s]: on, or off for the given reason."""

    time: float
    owner: Owner
    on: bool
    word: Literal["attached", "detached", "cut"]


def changes(scene: Scene) -> Iterator[Change]:
    """All scheduled changes of a scene."""
    for name, wire in scene.wires.items():
        if wire.attach is not None:
            yield Change(wire.attach, ("wire", name), True, "attached")
        if wire.detach is not None:
            yield Change(wire.detach, ("wire", name), False, "detached")
        if wire.cut is not None:
            yield Change(wire.cut, ("wire", name), False, "cut")
    for name, joint in scene.joints.items():
        if joint.detach is not None:
            yield Change(joint.detach, ("joint", name), False, "detached")


def off_at_start(scene: Scene) -> set[Owner]:
    """Wires that are attached later on."""
    return {("wire", name) for name, wire in scene.wires.items() if wire.attach is not None and wire.attach > 0.0}
