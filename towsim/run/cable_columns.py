"""What a result says of mrfe cables: forces at their ends, extensions, nodes, and how far their ends are open.

The exit is the end that a robot carries, or that touches a pulley on one, or else ``from``; the tip is the other end,
at its load. So it makes no difference which end is declared first where one of them is a robot's. The exit is the
cable's root, but of a span from a load to such a pulley the other end (see ``turn_spans``).
"""

from __future__ import annotations

import numpy as np

from towsim.methods.block import Block
from towsim.model.arrays import Floats
from towsim.model.compile import Compiled

OF_CABLES = (
    "tip_force",
    "exit_force",
    "exit_position",
    "extension",
    "cable_energy",
    "node_position",
    "e1",
    "e2",
    "exit_e1",
    "exit_e2",
)
"""Variables that only cables have."""


def cable_columns(compiled: Compiled, block: Block) -> dict[str, Floats]:
    """The block's rows of all cables' variables, (n, nk) or (n, nk, ..) each.

    All are linear in what is recorded: there may be one axis more, behind all others.
    """
    rows, record, cables = slice(block.first, block.stop), block.record.cables, compiled.table.cables
    assert record is not None
    errors = record.closure[rows]
    most = max(cable.model.elements for cable in cables) + 1
    node = np.full((len(errors), len(cables), most, *record.node.shape[2:]), np.nan)
    last = 0
    for i, cable in enumerate(cables):
        first, last = last, last + cable.model.elements + 1
        node[:, i, : last - first] = record.node[rows, first:last]
    return {
        "tip_force": record.tip_force[rows],
        "exit_force": record.exit_force[rows],
        "exit_position": node[:, :, 0].copy(),
        "extension": record.extension[rows],
        "cable_energy": record.energy[rows],
        "node_position": node,
        "e1": errors[:, :, 0],
        "e2": errors[:, :, 1],
        "exit_e1": errors[:, :, 2],
        "exit_e2": errors[:, :, 3],
        "tension": record.tension[rows],
        "impulse": record.impulse[rows],
        "gap": record.gap[rows],
        "length": record.length[rows],
    }


def with_cables(compiled: Compiled, block: Block, found: dict[str, Floats]) -> dict[str, Floats]:
    """Variables of the massless wires and all else, with those of the cables; of wires in the order of the scene."""
    if compiled.cables is None:
        return found
    names, cables = compiled.massless + compiled.cable_names, cable_columns(compiled, block)
    order = [names.index(name) for name in compiled.scene.wires]
    for name in found.keys() & cables.keys():
        cables[name] = np.concatenate([found[name], cables[name]], axis=1)[:, order]
    return found | cables
