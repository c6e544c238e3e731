"""Wheels of pulleys that massless wires turn, as sub-systems of one velocity, at the rim (see constraints/sheave).

A node of its own stands for each, one after the other; of its six directions only the first one is there. State: c
[m/s] in v, at ``speed``.

    c⁺ = c + (r²/I) Σ (impulses of the wire's parts before, −1, and behind, 1)
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from solvers.kernels.compiled import part
from towsim.model.sides import component


@part()
def free_sheaves(sheaves, v, u):
    """Speeds of the wheels after a step in which no wire turns them: those before."""
    if sheaves is not None:
        for i in range(sheaves.node.shape[0]):
            u[sheaves.node[i], 0] = v[sheaves.speed[i]]


@part()
def respond_sheaves(sheaves, rows, J, W):
    """Responses of the wheels to unit impulses along the sides at them."""
    if sheaves is not None:
        for k in range(rows.apart.shape[0]):
            s = rows.apart[k]
            i = rows.node[s] - sheaves.node[0]
            if 0 <= i < sheaves.node.shape[0]:
                W[component(s, 0)] = J[component(s, 0)] / sheaves.mass[i]


@part()
def kick_sheaves(sheaves, work):
    """Speeds of the wheels after the step, with the impulses on their nodes."""
    if sheaves is not None:
        for i in range(sheaves.node.shape[0]):
            node = sheaves.node[i]
            work.v_new[sheaves.speed[i]] = work.u[node, 0] + work.wrench[node, 0] / sheaves.mass[i]


@part()
def rate_at_sheaves(sheaves, rows, row, J, v):
    """What the wheels add to the rate of a row at the velocities v [m/s]."""
    total = 0.0
    if sheaves is not None:
        for k in range(rows.ptr[row], rows.ptr[row + 1]):
            s = rows.side[k]
            i = rows.node[s] - sheaves.node[0]
            if 0 <= i < sheaves.node.shape[0]:
                total += J[component(s, 0)] * v[sheaves.speed[i]]
    return total


@part()
def record_sheaves(sheaves, routes, length, v, record, row):
    """Angular speeds of the wheels [rad/s], and lengths of the wires' parts at the geometry at hand [m]."""
    if sheaves is not None:
        for i in range(sheaves.node.shape[0]):
            record.speed[row, i] = v[sheaves.speed[i]] / sheaves.radius[i]
        for j in range(sheaves.row.shape[0]):
            record.length[row, j] = sheaves.share[j] * length[routes.wire[sheaves.of[j]]]
