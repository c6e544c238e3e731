"""What a result says of mrfe cables: forces at their ends, extensions, nodes, and how far their ends are open.

The kernels know root and tip: the root is the end that a robot carries, else ``from``. The result knows the exit (the
end ``from``) and the tip (the end ``to``); where these are the other way round the forces change places and signs.
"""

from __future__ import annotations

import numpy as np

from towsim.methods.block import Block
from towsim.model.arrays import Floats
from towsim.model.compile import Compiled


def cable_columns(compiled: Compiled, block: Block) -> dict[str, Floats]:
    """The block's rows of all cables' variables, (n, nk) or (n, nk, ..) each."""
    rows, record, cables = slice(block.first, block.stop), block.record.cables, compiled.table.cables
    assert record is not None
    tip, root = record.tip_force[rows].copy(), record.exit_force[rows].copy()
    errors = record.closure[rows].copy()
    node = np.full((len(tip), len(cables), max(cable.model.elements for cable in cables) + 1, 3), np.nan)
    last = 0
    for i, cable in enumerate(cables):
        first, last = last, last + cable.model.elements + 1
        line = record.node[rows, first:last]
        if cable.root != cable.wire.from_:
            tip[:, i], root[:, i] = -root[:, i], -tip[:, i]
            line = line[:, ::-1]
            errors[:, i] = errors[:, i][:, [2, 3, 0, 1]]
        node[:, i, : line.shape[1]] = line
    return {
        "tip_force": tip,
        "exit_force": root,
        "exit_position": node[:, :, 0].copy(),
        "extension": record.extension[rows],
        "cable_energy": record.energy[rows],
        "node_position": node,
        "e1": errors[:, :, 0],
        "e2": errors[:, :, 1],
        "exit_e1": errors[:, :, 2],
        "exit_e2": errors[:, :, 3],
    }
