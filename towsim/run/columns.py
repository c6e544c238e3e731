"""From a block's record to the variables and events of a result."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import overload

import numpy as np

from towsim.constraints.contact import in_world_axes
from towsim.constraints.switch import JERK, SLACK, TAUT
from towsim.methods.block import Block
from towsim.methods.contact_events import CONTACT, IMPACT, LIFT, SLIP, STICK
from towsim.methods.watch import BREAK
from towsim.model.arrays import Contacts, Ints, Sheaves
from towsim.model.compile import Compiled
from towsim.results import Event
from towsim.results.events import Kind
from towsim.run.cable_columns import with_cables
from towsim.run.control_columns import NAMES, control_coordinates
from towsim.run.joint_columns import OF_JOINTS, joint_columns, on_drums, wind_up

KINDS: dict[int, Kind] = {
    SLACK: "slack",
    JERK: "jerk",
    TAUT: "taut",
    BREAK: "break",
    CONTACT: "contact",
    STICK: "stick",
    SLIP: "slip",
    LIFT: "lift",
    IMPACT: "impact",
}


def coordinates(compiled: Compiled) -> dict[str, tuple[str, ...] | tuple[int, ...]]:
    """Names along the dimensions of a scene's result."""
    scene = compiled.scene
    nodes = max((cable.model.elements + 1 for cable in compiled.table.cables), default=0)
    return {
        "body": tuple(scene.bodies),
        "wire": tuple(scene.wires),
        "robot": tuple(scene.robots),
        "joint": tuple(scene.joints),
        "cable": compiled.cable_names,
        "contact": compiled.contacts,
        "part": _parts(compiled)[0],
        "pulley": scene.turned_pulleys,
        "node": tuple(range(nodes)),
        **control_coordinates(compiled),
    }


ENTRIES: dict[str, Callable[[Compiled, Block], np.ndarray]] = {
    "position": lambda _, block: block.record.position,
    "velocity": lambda _, block: block.record.velocity,
    "acceleration": lambda _, block: block.record.acceleration,
    "quaternion": lambda _, block: block.record.quaternion,
    "angular_velocity": lambda _, block: block.record.angular_velocity,
    "angular_acceleration": lambda _, block: block.record.angular_acceleration,
    "tension": lambda compiled, block: _of_wires(compiled, block.record.force),
    "impulse": lambda compiled, block: _of_wires(compiled, block.record.impulse),
    "gap": lambda compiled, block: _gaps_of_wires(compiled, _rows(block, block.record.gap)),
    "length": lambda compiled, block: block.drive.length[:, : len(compiled.massless)],
    "robot_position": lambda _, block: block.drive.robot,
    "contact_gap": lambda compiled, block: block.record.gap[:, compiled.model.contacts.row[:, 0]],
}
"""Variables that are entries of the record, or of what is known."""

OF_STEPS: dict[str, Callable[[Block], np.ndarray]] = {
    "time": lambda block: block.time,
    "rank": lambda block: block.record.rank,
    "tension_unique": lambda block: block.record.unique,
    "residual": lambda block: block.record.residual,
    "iterations": lambda block: block.record.iterations,
    "status": lambda block: block.record.status,
}
"""When steps are, and how their problems were solved."""

SUMS = ("contact_force", "contact_impulse")
"""Those that are sums of several."""

OF_PARTS = ("part_tension", "part_impulse", "part_length", "part_gap", "pulley_speed")
"""Those of wires with friction, or that turn wheels."""


def variables(compiled: Compiled, block: Block, step: float) -> dict[str, np.ndarray]:
    """The block's rows as result variables, time first."""
    model = compiled.model
    out = {"time": _rows(block, block.time), **_linear(compiled, block), **products(compiled, block)}
    out |= {name: _rows(block, of(block)) for name, of in OF_STEPS.items()}
    out["step_size"] = np.full(block.stop - block.first, step)
    if model.switches is not None and block.gone is not None:
        out["gap"] = gap = _gaps(compiled, block)
        if model.joints is not None and on_drums(compiled):  # nor a length, if what it was on turns freely
            wires = model.joints.drums.wire
            out["length"][:, wires] = np.where(np.isnan(gap[:, wires]), np.nan, out["length"][:, wires])
    return with_cables(compiled, block, out)


def _gaps(compiled: Compiled, block: Block) -> np.ndarray:
    """Gaps of the massless wires (n, nw); a wire that is not there has none."""
    gap, switches = _rows(block, ENTRIES["gap"](compiled, block)), compiled.model.switches
    if switches is not None and block.gone is not None:
        gap = gap.copy()
        for i, row in zip(switches.wire, block.gone, strict=True):
            if i >= 0:
                gap[max(int(row) - block.first, 0) :, i] = np.nan
    return gap


def stands(compiled: Compiled, name: str) -> bool:
    """Whether a variable is an entry of the record, or of what is known, as it is."""
    if name not in ENTRIES or compiled.cables is not None:
        return False
    lacking = {
        "gap": compiled.model.switches is not None,  # of a wire that is not there
        "length": on_drums(compiled),
        "contact_gap": not compiled.contacts,
    }
    return not lacking.get(name, False)


def some(compiled: Compiled, block: Block, step: float, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Those of ``variables`` with these names; without the others where these are not needed for them."""
    found = {name: _alone(compiled, block, name) for name in names}
    if any(one is None for one in found.values()):
        found = dict(variables(compiled, block, step))
    return {name: one for name in names if (one := found.get(name)) is not None}


def _alone(compiled: Compiled, block: Block, name: str) -> np.ndarray | None:
    """A variable that is found without the others, or None."""
    if stands(compiled, name):
        return _rows(block, ENTRIES[name](compiled, block))
    if name in OF_STEPS:
        return _rows(block, OF_STEPS[name](block))
    if name == "gap" and compiled.cables is None:
        return _gaps(compiled, block)
    if name in OF_JOINTS:
        return joint_columns(compiled, block, (name,)).get(name)
    if name in NAMES and block.inputs is not None:
        return _rows(block, block.inputs[NAMES.index(name)])
    return None


def rates(
    compiled: Compiled, block: Block, bent: dict[str, np.ndarray], wanted: Sequence[str]
) -> dict[str, np.ndarray]:
    """Derivatives of what is wanted, of a block of derivatives: arrays have one axis more, behind all others.

    Variables are linear in what is recorded but for those that are ``bent``, whose derivatives are given.
    """
    if all(stands(compiled, name) for name in wanted):
        return {name: _rows(block, ENTRIES[name](compiled, block)) for name in wanted}
    linear = _linear(compiled, block) | _of_contacts(compiled, block)
    return with_cables(compiled, block, linear | bent)


def products(compiled: Compiled, block: Block) -> dict[str, np.ndarray]:
    """Variables that are made of what is recorded and of numbers of the model; both may be complex (joint_columns)."""
    out = _of_contacts(compiled, block) | joint_columns(compiled, block)
    if on_drums(compiled):
        length = _rows(block, ENTRIES["length"](compiled, block))
        out["length"] = wind_up(compiled, length, out["joint_position"])
    return out


def entries(compiled: Compiled, block: Block) -> dict[str, np.ndarray]:
    """Variables that are entries of what is recorded and known; it may hold their places in place of numbers."""
    return with_cables(compiled, block, _entries(compiled, block))


def _entries(compiled: Compiled, block: Block) -> dict[str, np.ndarray]:
    out = {
        name: _rows(block, entry(compiled, block))
        for name, entry in ENTRIES.items()
        if compiled.contacts or name != "contact_gap"
    }
    if block.inputs is not None:
        out |= {name: _rows(block, values) for name, values in zip(NAMES, block.inputs, strict=True)}
    return out


def _linear(compiled: Compiled, block: Block) -> dict[str, np.ndarray]:
    """Variables that are linear in what is recorded and known, without the cables."""
    return _entries(compiled, block) | _of_parts(compiled, block)


def _of_contacts(compiled: Compiled, block: Block) -> dict[str, np.ndarray]:
    """Forces and impulses of the ground on the bodies; nothing without contacts."""
    if not compiled.contacts:
        return {}
    rows, record, contacts = slice(block.first, block.stop), block.record, compiled.model.contacts
    along = zip(SUMS, (record.force, record.impulse), strict=True)
    return {name: _on_contacts(contacts, one[rows]) for name, one in along}


def _of_parts(compiled: Compiled, block: Block) -> dict[str, np.ndarray]:
    """What there is along the parts of wires with friction or wheels, and how fast these turn."""
    (names, rubbing), sheaves = _parts(compiled), compiled.model.sheaves
    rows, record, out = slice(block.first, block.stop), block.record, {}
    if names:
        out["part_tension"] = _along_parts(record.force[rows], rubbing, sheaves)
        out["part_impulse"] = _along_parts(record.impulse[rows], rubbing, sheaves)
    if sheaves is not None:
        assert record.sheaves is not None
        length, gap = record.sheaves.length[rows], record.gap[rows][:, sheaves.row]
        blank = np.full((len(gap), len(names) - len(sheaves.row), *gap.shape[2:]), np.nan)
        out["pulley_speed"] = record.sheaves.speed[rows]
        out["part_length"] = np.concatenate([blank, length], axis=1)
        out["part_gap"] = np.concatenate([blank, gap], axis=1)
    return out


def _along_parts(along: np.ndarray, rubbing: list[Ints], sheaves: Sheaves | None) -> np.ndarray:
    """Of what there is along all rows (n, nr), what is along the parts: friction adds to it from one to the next."""
    parts = [np.cumsum(along[:, rows], axis=1) for rows in rubbing]
    return np.concatenate([*parts, *([] if sheaves is None else [along[:, sheaves.row]])], axis=1)


def _of_wires(compiled: Compiled, along: np.ndarray) -> np.ndarray:
    """Of what there is along all rows (n, nr), what is along the massless wires."""
    return along if compiled.wires_only else along[:, compiled.model.wires.row]


def _gaps_of_wires(compiled: Compiled, along: np.ndarray) -> np.ndarray:
    """As ``_of_wires``; those of wires that turn wheels are sums over their parts, of rows that are written only."""
    gap, sheaves = _of_wires(compiled, along), compiled.model.sheaves
    if sheaves is not None:
        gap = gap.copy()
        gap[:, sheaves.wire] = np.add.reduceat(along[:, sheaves.row], sheaves.first[:-1], axis=1)
    return gap


def _rows(block: Block, table: np.ndarray) -> np.ndarray:
    return table if len(table) == block.stop - block.first else table[block.first : block.stop]


def _parts(compiled: Compiled) -> tuple[tuple[str, ...], list[Ints]]:
    """Names of the parts of wires with friction or wheels; rows of each wire with friction, and of what it rubs on."""
    routes, sheaves = compiled.model.routes, compiled.model.sheaves
    rubbing: list[Ints] = []
    of: list[tuple[int, int]] = []  # wires, and how many parts they have
    if routes is not None:
        for wire, row in zip(routes.wire, routes.row, strict=True):
            behind = routes.rubbing[routes.rubbing[:, 1] == row, 0]
            if len(behind):
                rubbing.append(np.array([row, *behind], np.int64))
                of.append((wire, len(rubbing[-1])))
    if sheaves is not None:
        of += zip(sheaves.wire, np.diff(sheaves.first), strict=True)
    names = tuple(f"{compiled.massless[wire]}[{k + 1}]" for wire, count in of for k in range(count))
    return names, rubbing


def _on_contacts(contacts: Contacts, along: np.ndarray) -> np.ndarray:
    """Forces or impulses (n, nc, 3) of the ground on the bodies in world axes, of those along the rows (n, nr).

    There may be one axis more behind. Where numbers are complex, rows and axes are multiplied by numpy.
    """
    if np.iscomplexobj(along):
        there = (contacts.row >= 0)[..., None]
        return np.asarray(np.einsum("tck,ckx->tcx", along[:, contacts.row], np.where(there, contacts.axes, 0.0)))
    n, rows, *directions = along.shape
    found = np.empty((n, *contacts.row.shape, *directions))
    width = directions or [1]
    flat = np.ascontiguousarray(along).reshape(n, rows, *width)
    in_world_axes(
        flat, contacts.row, np.ascontiguousarray(contacts.axes), found.reshape(n, *contacts.row.shape, *width)
    )
    return found


def events(compiled: Compiled, block: Block) -> Told:
    """What was switched at the block's beginning, and what the watch over wires and contacts reported during it."""
    return Told(compiled, block.events, block.switched)


class Told(Sequence[Event]):
    """Events (n, 6) of the watch over wires and contacts, behind those that are known by name; named when looked at."""

    __slots__ = ("_before", "_compiled", "_rows")

    def __init__(self, compiled: Compiled, rows: np.ndarray, before: tuple[Event, ...] = ()) -> None:
        self._compiled, self._rows, self._before = compiled, rows, before

    def __reduce__(self) -> tuple[type[tuple[Event, ...]], tuple[tuple[Event, ...]]]:
        """Copies and pickles hold the events, not the compiled scene, which knows closures."""
        return tuple, ((*self,),)

    def __len__(self) -> int:
        return len(self._before) + len(self._rows)

    @overload
    def __getitem__(self, key: int) -> Event: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Event]: ...
    def __getitem__(self, key: int | slice) -> Event | Sequence[Event]:
        return [*self][key]

    def __iter__(self) -> Iterator[Event]:
        of = self._compiled
        massless, contacts, joints = of.massless, of.contacts, tuple(of.scene.joints)
        since, kind, who, impulse, energy, until = self._rows.T
        kinds, places = kind.astype(int).tolist(), who.astype(int).tolist()
        names = [
            (joints if k == IMPACT else contacts if k >= CONTACT else massless)[i]
            for k, i in zip(kinds, places, strict=True)
        ]
        start, strike, lost, lasting = (one.tolist() for one in (since, impulse, energy, until - since))
        told = zip(start, (KINDS[k] for k in kinds), names, strike, lost, lasting, strict=True)
        yield from self._before
        yield from itertools.starmap(Event, told)
