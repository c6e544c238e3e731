"""Layout of the rows: their order, their sides, and where their couplings stand in the envelope of A."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from towsim.model.arrays import Ints, Rows, pack

SMALL = 12
"""Up to so many rows the order does not matter: the envelope is kept as declared."""


@dataclass
class Stack:
    """Rows as they are declared, one after the other, before they get their places.

    Attributes
    ----------
    kinds : kind of each row
    nodes : nodes of each row's sides
    owners : name of each row's owner, for messages
    """

    kinds: list[int] = field(default_factory=list)
    nodes: list[list[int]] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)

    def add(self, kind: int, nodes: list[int], owner: str) -> int:
        """Add a row with a side at each of ``nodes`` (−1: a robot's end, no side); returns its number."""
        self.kinds.append(kind)
        self.nodes.append([node for node in nodes if node >= 0])
        self.owners.append(owner)
        return len(self.kinds) - 1


@dataclass(frozen=True)
class Layout:
    """Where the declared rows went.

    Attributes
    ----------
    rows : the arrays for the kernels
    place : (nr,) place of each declared row
    owners : owner of the row in each place
    twin : (ns,) slot of each side's response at the other end of its sub-system, −1 if that has one node only
    arm_pairs : pairs of sides that meet on an arm, and the entry of A to which their product adds
    """

    rows: Rows
    place: Ints
    owners: tuple[str, ...]
    twin: Ints
    arm_pairs: list[tuple[int, int, int]]

    def sides(self, declared: int, nodes: list[int]) -> list[int]:
        """Side of each of the ``nodes`` with which the row was declared, −1 for a robot's end."""
        side = int(self.rows.ptr[self.place[declared]])
        out = []
        for node in nodes:
            out.append(side if node >= 0 else -1)
            side += node >= 0
        return out


def lay_out(
    stack: Stack, n_nodes: int, partner: dict[int, int] | None = None, arms: Sequence[Sequence[int]] = ()
) -> Layout:
    """Order the rows for a narrow envelope, and list the pairs of sides that meet on a sub-system.

    partner : the other node of each node whose sub-system has two;  arms : nodes of sub-systems that have many
    """
    partner = partner or {}
    system = {node: min(node, other) for node, other in partner.items()}
    system |= {node: min(arm) for arm in arms for node in arm}
    order = _order([[system.get(node, node) for node in nodes] for nodes in stack.nodes])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    ptr, nodes, row_of = [0], [], []
    for new, old in enumerate(order):
        nodes += stack.nodes[old]
        row_of += [new] * len(stack.nodes[old])
        ptr.append(len(nodes))
    meeting: dict[int, list[int]] = defaultdict(list)
    for side, node in enumerate(nodes):
        meeting[node].append(side)
    twin = np.full(len(nodes), -1, np.int64)
    coupled = [side for side, node in enumerate(nodes) if node in partner]
    twin[coupled] = len(nodes) + np.arange(len(coupled))
    systems: dict[int, list[int]] = defaultdict(list)
    for side, node in enumerate(nodes):
        systems[system.get(node, node)].append(side)
    first = np.arange(len(order))
    for sides in systems.values():
        least = row_of[sides[0]]
        for side in sides:
            first[row_of[side]] = min(first[row_of[side]], least)
    envelope = np.concatenate([[0], np.cumsum(np.arange(len(order)) - first + 1)]).astype(np.int64)
    pairs: list[tuple[int, int, int]] = []
    arm_pairs: list[tuple[int, int, int]] = []
    jointed = {node for arm in arms for node in arm}
    for sides in systems.values():
        for a in sides:
            for b in sides:
                i, j = row_of[a], row_of[b]
                if j <= i:  # both orders of two sides of one row on one node count
                    entry = int(envelope[i] + j - first[i])
                    if nodes[a] in jointed:
                        arm_pairs.append((a, b, entry))
                    else:
                        pairs.append((a, b if nodes[a] == nodes[b] else int(twin[b]), entry))
    pairs.sort(key=lambda pair: (pair[1], pair[2]))
    reach = np.minimum.accumulate(first[::-1])[::-1]  # the first row that this one or one behind it couples with
    where = np.unique(
        np.array([pair[2] for pair in (*pairs, *arm_pairs)] + [end - 1 for end in envelope[1:]], np.int64)
    )
    rows: Rows = pack(
        Rows,
        kind=[stack.kinds[old] for old in order],
        compliance=np.zeros(len(order)),
        ptr=ptr,
        node=nodes,
        row=np.array(row_of, np.int64),
        meeting=np.concatenate([[0], np.cumsum([len(meeting[k]) for k in range(n_nodes)])]),
        side=np.array([side for k in range(n_nodes) for side in meeting[k]], np.int64),
        envelope=envelope,
        pairs=np.array([(side, entry) for side, _, entry in pairs], np.int64).reshape(-1, 2),
        paired=np.searchsorted([slot for _, slot, _ in pairs], np.arange(len(nodes) + len(coupled) + 1)),
        where=where,
        parts=np.append(np.flatnonzero(reach == np.arange(len(order))), len(order)),
        tow=None,
        lists=True,
    )
    return Layout(rows, place, tuple(stack.owners[old] for old in order), twin, arm_pairs)


def _order(nodes: list[list[int]]) -> list[int]:
    """Declared rows in their new order: reverse Cuthill–McKee on the rows that share a node, part by part.

    Few rows stay as they are in their part, and so do those of parts that meet on one node each: their envelope is full
    in any order.
    """
    n, parts = len(nodes), _parts(nodes)
    if n <= SMALL or all(set(nodes[part[0]]).intersection(*(nodes[row] for row in part)) for part in parts):
        return [row for part in parts for row in part]
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    rows = np.repeat(np.arange(n), [len(at) for at in nodes])
    at = np.array([node for row in nodes for node in row], np.int64)
    incidence = csr_matrix((np.ones(len(at)), (rows, at)), shape=(n, int(at.max(initial=0)) + 1))
    graph = (incidence @ incidence.T).tocsr()
    graph.indices = graph.indices.astype(np.int32)
    graph.indptr = graph.indptr.astype(np.int32)
    return [int(i) for i in reverse_cuthill_mckee(graph, symmetric_mode=True)]


def _parts(nodes: list[list[int]]) -> list[list[int]]:
    """Rows that nodes join, directly or not; parts and their rows in the declared order."""
    home: dict[int, int] = {}

    def found(node: int) -> int:
        while (next_ := home.setdefault(node, node)) != node:
            home[node] = node = home[next_]
        return node

    for at in nodes:
        for node in at[1:]:
            home[found(node)] = found(at[0])
    parts: dict[tuple[str, int], list[int]] = {}
    for row, at in enumerate(nodes):
        parts.setdefault(("node", found(at[0])) if at else ("row", row), []).append(row)
    return list(parts.values())
