"""Layout of the rows: their groups and order, their sides, and where their couplings stand in the envelope of A."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise, product

import numpy as np

from solvers.kernels.lanes import WIDTH
from towsim.model.arrays import CORNER, OBLONG, SINGLE, SQUARE, TRIANGLE, Ints, Rows, pack

SMALL = 12
"""Up to so many rows the order of the groups does not matter: it is that in which they are declared."""


@dataclass
class Stack:
    """Rows as they are declared, one after the other, before they get their places.

    Attributes
    ----------
    kinds : kind of each row
    nodes : nodes of each row's sides
    owners : name of each row's owner, for messages
    laws : rows of one law that act on the same nodes go side by side
    """

    kinds: list[int] = field(default_factory=list)
    nodes: list[list[int]] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    laws: list[str] = field(default_factory=list)

    def add(self, kind: int, nodes: list[int], owner: str, law: str = "") -> int:
        """Add a row with a side at each of ``nodes`` (−1: a robot's end, no side); returns its number."""
        self.kinds.append(kind)
        self.nodes.append([node for node in nodes if node >= 0])
        self.owners.append(owner)
        self.laws.append(law)
        return len(self.kinds) - 1

    def groups(self) -> list[list[int]]:
        """Rows of one law that act on the same nodes, up to four a group; groups and rows in the declared order."""
        alike: dict[tuple[str, tuple[int, ...]], list[list[int]]] = {}
        found: list[list[int]] = []
        for row, (law, nodes) in enumerate(zip(self.laws, self.nodes, strict=True)):
            own = alike.setdefault((law, tuple(nodes)), [])
            if not own or len(own[-1]) == WIDTH:
                own.append([])
                found.append(own[-1])
            own[-1].append(row)
        return found


@dataclass(frozen=True)
class Layout:
    """Where the declared rows went.

    Attributes
    ----------
    rows : the arrays for the kernels
    groups : declared rows of each group
    place : (nr,) place of each declared row
    owners : owner of the row in each place
    twin : (nb,) slot of each block's response at the other end of its sub-system, −1 if that has one node only
    arm_pairs : pairs of sides that meet on an arm, and the entry of A to which their product adds
    """

    rows: Rows
    groups: list[list[int]]
    place: Ints
    owners: tuple[str, ...]
    twin: Ints
    arm_pairs: list[tuple[int, int, int]]

    def sides(self, declared: int, nodes: list[int]) -> list[int]:
        """Side of each of the ``nodes`` with which the row was declared, −1 for a robot's end."""
        row = int(self.place[declared])
        group = int(self.rows.group[row])
        side = WIDTH * int(self.rows.ptr[group]) + row - int(self.rows.first[group])
        out = []
        for node in nodes:
            out.append(side if node >= 0 else -1)
            side += WIDTH * (node >= 0)
        return out

    def all_sides(self) -> Iterator[tuple[int, int, int]]:
        """(side, node, row) of all sides."""
        rows = self.rows
        for group, (first, stop) in enumerate(zip(rows.first, rows.first[1:], strict=False)):
            for block in range(rows.ptr[group], rows.ptr[group + 1]):
                for row in range(first, stop):
                    yield WIDTH * block + row - int(first), int(rows.node[block]), row


def lay_out(
    stack: Stack, n_nodes: int, partner: dict[int, int] | None = None, arms: Sequence[Sequence[int]] = ()
) -> Layout:
    """Order the groups for a narrow envelope, and list the pairs of blocks that meet on a sub-system.

    partner : the other node of each node whose sub-system has two;  arms : nodes of sub-systems that have many
    """
    partner = partner or {}
    system = {node: min(node, other) for node, other in partner.items()}
    system |= {node: min(arm) for arm in arms for node in arm}
    declared = stack.groups()
    order = _order([[system.get(node, node) for node in stack.nodes[group[0]]] for group in declared], len(stack.kinds))
    groups = [declared[k] for k in order]
    rows_in_order = [row for group in groups for row in group]
    place = np.empty(len(rows_in_order), np.int64)
    place[rows_in_order] = np.arange(len(rows_in_order))
    first = np.array([0, *accumulate(len(group) for group in groups)], np.int64)
    group_of = np.repeat(np.arange(len(groups)), np.diff(first))
    node = [node for group in groups for node in stack.nodes[group[0]]]
    ptr = np.array([0, *accumulate(len(stack.nodes[group[0]]) for group in groups)], np.int64)
    of = np.repeat(np.arange(len(groups)), np.diff(ptr))  # group of each block
    twin = np.full(len(node), -1, np.int64)
    coupled = [block for block, at in enumerate(node) if at in partner]
    twin[coupled] = len(node) + np.arange(len(coupled))
    systems: dict[int, list[int]] = defaultdict(list)
    for block, at in enumerate(node):
        systems[system.get(at, at)].append(block)
    group_first = np.arange(len(groups))
    for blocks in systems.values():
        for block in blocks:
            group_first[of[block]] = min(group_first[of[block]], of[blocks[0]])
    begin = first[group_first[group_of]]  # of each row, the first one in the envelope
    envelope = np.concatenate([[0], np.cumsum(np.arange(len(begin)) - begin + 1)]).astype(np.int64)
    cuts = [row for row in range(len(begin)) if begin[row:].min() >= row] + [len(begin)]
    own = [envelope[a : b + 1] - envelope[a] for a, b in pairwise(cuts)]
    jointed = {at for arm in arms for at in arm}
    products: list[tuple[int, ...]] = []  # group, other group, then as in ``Rows.product``
    arm_pairs: list[tuple[int, int, int]] = []
    for blocks in systems.values():
        for a, b in product(blocks, blocks):
            g, other = int(of[a]), int(of[b])
            if other > g:
                continue  # both orders of two blocks of one group on one node count
            i, j = int(first[g]), int(first[other])
            if node[a] not in jointed:
                at, wide = int(envelope[i] + j - begin[i]), i - int(begin[i]) + 1
                response = b if node[a] == node[b] else int(twin[b])
                products.append((g, other, a, response, at, wide, len(groups[g]), len(groups[other])))
                continue
            for k, m in product(range(len(groups[g])), range(len(groups[other]))):
                if j + m <= i + k:
                    arm_pairs.append((WIDTH * a + k, WIDTH * b + m, int(envelope[i + k] + j + m - begin[i + k])))
    products.sort()
    table = np.array([_product(k, products) for k in range(len(products))], np.int64).reshape(-1, 8)
    blank = {entry for _, _, entry in arm_pairs} - set(_entries(table))
    meeting = [[block for block, at in enumerate(node) if at == k] for k in range(n_nodes)]
    rows: Rows = pack(
        Rows,
        kind=[stack.kinds[row] for row in rows_in_order],
        compliance=np.zeros(len(rows_in_order)),
        soft=[],
        group=group_of,
        first=first,
        ptr=ptr,
        node=node,
        row=first[of],
        meeting=[0, *accumulate(len(blocks) for blocks in meeting)],
        block=[block for blocks in meeting for block in blocks],
        envelope=envelope,
        part=np.array(cuts, np.int64) if len(cuts) > 2 else None,
        part_envelope=np.concatenate([np.empty(0), *own]),
        product=table,
        blank=sorted(blank),
    )
    return Layout(rows, groups, place, tuple(stack.owners[row] for row in rows_in_order), twin, arm_pairs)


def _product(k: int, products: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Row of ``Rows.product`` of one of the products (group, other group, .., rows, columns) in their order."""
    g, other, block, response, at, wide, rows, columns = products[k]
    alike = [one[:2] == (g, other) for one in products[max(k - 1, 0) : k + 2]]
    first = k == 0 or not alike[0]
    alone = sum(alike) == 1
    if rows == columns == 1:
        shape = SINGLE
    elif g == other:
        shape = TRIANGLE if alone else CORNER
    else:
        shape = SQUARE if alone and rows == columns == WIDTH else OBLONG
    return block, response, at, wide, shape, rows, columns, not first


def _entries(table: Ints) -> Iterator[int]:
    """Entries of A that products write."""
    for _, _, at, wide, shape, rows, columns, _ in table.tolist():
        start = at
        for i in range(rows):
            yield from range(start, start + (i + 1 if shape in (TRIANGLE, CORNER) else columns))
            start += wide + i


def _order(nodes: list[list[int]], rows: int) -> list[int]:
    """Groups in their new order: reverse Cuthill–McKee on those that share a node.

    Few rows stay as they are, but for those that are not coupled: these are parts; and so do groups that all meet on
    one node, whose envelope is full in any order.
    """
    n = len(nodes)
    if rows <= SMALL or set(nodes[0]).intersection(*nodes):
        return _by_parts(nodes)
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    group = np.repeat(np.arange(n), [len(at) for at in nodes])
    at = np.array([node for group in nodes for node in group], np.int64)
    incidence = csr_matrix((np.ones(len(at)), (group, at)), shape=(n, int(at.max(initial=0)) + 1))
    graph = (incidence @ incidence.T).tocsr()
    graph.indices = graph.indices.astype(np.int32)
    graph.indptr = graph.indptr.astype(np.int32)
    return [int(i) for i in reverse_cuthill_mckee(graph, symmetric_mode=True)]


def _by_parts(nodes: list[list[int]]) -> list[int]:
    """Groups in the declared order, those that are coupled together."""
    part = list(range(len(nodes)))
    for i, at in enumerate(nodes):
        for j in range(i):
            if part[i] != part[j] and not set(at).isdisjoint(nodes[j]):
                low, high = sorted((part[i], part[j]))
                part = [low if k == high else k for k in part]
    return sorted(range(len(nodes)), key=lambda i: part[i])
