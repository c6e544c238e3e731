"""How robots, wires, joints and attachment points hang together.

Paths between robots run over wires (their lengths), joints, and through rigid bodies (distances of attachment points),
see ``towsim.run.paths``. Elastic wires and mrfe cables stretch, and drums pay out, so no path runs over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from towsim.model.arrays import Ints
from towsim.model.model import Model
from towsim.model.switches import Owner


class Graph(NamedTuple):
    """Edges between the attachment points of a scene.

    Attributes
    ----------
    ptr : (np + 1,) edges of point i are ptr[i] .. ptr[i + 1] − 1
    to : (ne,) the point that each leads to
    wire : (ne,) the wire that it runs over, −1 for a joint or a body
    owner : (ne,) number of the wire or joint that it needs, −1 within a body
    """

    ptr: Ints
    to: Ints
    wire: Ints
    owner: Ints


def make_graph(
    model: Model, massless: Sequence[str], joints: Sequence[str], ball_joints: Ints
) -> tuple[Graph, tuple[Owner, ...]]:
    """The graph of a model, and the wires and joints that it needs, which are called so.

    ball_joints : as in ``Compiled``
    """
    stiff = ~np.asarray(model.wires.elastic, bool)
    if model.joints is not None:
        stiff[model.joints.drums.wire] = False
    wires = np.flatnonzero(stiff)
    owners: list[Owner] = [("wire", massless[int(i)]) for i in wires]
    balls = [(a, b) for _, a, b in zip(ball_joints, model.balls.a, model.balls.b, strict=False)]  # then cables' ends
    owners += [("joint", joints[int(j)]) for j in ball_joints[: len(balls)]]
    ends = [np.column_stack([model.wires.a[wires], model.wires.b[wires]]), np.array(balls, np.int64).reshape(-1, 2)]
    order = np.argsort(model.points.node, kind="stable")
    for points in np.split(order, np.flatnonzero(np.diff(model.points.node[order])) + 1):
        if len(points) and 0 <= model.points.node[points[0]] < len(model.bodies.mass):
            ends.append(points[np.column_stack(np.triu_indices(len(points), 1))])
    edges = np.concatenate(ends).astype(np.int64)
    owner, wire = np.full(len(edges), -1), np.full(len(edges), -1)
    owner[: len(owners)], wire[: len(wires)] = np.arange(len(owners)), wires
    both = np.concatenate([edges, edges[:, ::-1]])
    first = np.argsort(both[:, 0], kind="stable")
    return Graph(
        ptr=np.searchsorted(both[first, 0], np.arange(len(model.points.node) + 1)),
        to=both[first, 1].copy(),
        wire=np.tile(wire, 2)[first],
        owner=np.tile(owner, 2)[first],
    ), tuple(owners)
