"""Layout of the rows: their order, their sides, and where their couplings stand in the envelope of A."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.lanes import WIDTH
from towsim.model.arrays import Ints, Rows, pack, sides_of

SMALL = 12
"""Up to so many rows the order does not matter: the envelope is kept as declared."""


@dataclass
class Stack:
    """Rows as they are declared, one after the other, before they get their places.

    Attributes
    ----------
    kinds : kind of each row
    nodes : nodes of each row's sides
    ends : of these sides, how many at the beginning are ends of a straight wire: one if a robot is at the other end
    owners : name of each row's owner, for messages
    """

    kinds: list[int] = field(default_factory=list)
    nodes: list[list[int]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)

    def add(self, kind: int, nodes: list[int], owner: str, ends: int = 0) -> int:
        """Add a row with a side at each of ``nodes`` (−1: a robot's end, no side); returns its number.

        ends : how many of the nodes, the first ones, are those of the ends of a straight wire
        """
        self.kinds.append(kind)
        self.nodes.append([node for node in nodes if node >= 0])
        self.ends.append(sum(node >= 0 for node in nodes[:ends]))
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
        sides = iter(sides_of(self.rows, int(self.place[declared])))
        return [int(next(sides)) if node >= 0 else -1 for node in nodes]


@dataclass(frozen=True)
class _Sides:
    """Numbers of the sides.

    Attributes
    ----------
    number : of each, in the order of the rows
    within, total : how many there are at bodies, and in all, with those that act on nothing
    begin, end : of those of each body;  apart : those at other nodes
    """

    number: Ints
    within: int
    total: int
    begin: list[int]
    end: list[int]
    apart: list[int]


def lay_out(
    stack: Stack, bodies: int, partner: dict[int, int] | None = None, arms: Sequence[Sequence[int]] = ()
) -> Layout:
    """Order the rows for a narrow envelope, number their sides, and list the products that A is the sum of.

    bodies : how many there are; they are the first nodes
    partner : the other node of each node whose sub-system has two;  arms : nodes of sub-systems that have many
    """
    partner = partner or {}
    system = {node: min(node, other) for node, other in partner.items()}
    system |= {node: min(arm) for arm in arms for node in arm}
    order = _order([[system.get(node, node) for node in nodes] for nodes in stack.nodes])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    at = [node for old in order for node in stack.nodes[old]]
    row_of = [new for new, old in enumerate(order) for _ in stack.nodes[old]]
    kinds = [stack.ends[old] if k < stack.ends[old] else 0 for old in order for k in range(len(stack.nodes[old]))]
    sides = _number(at, kinds, bodies)
    node, row = np.full(sides.total, -1), np.full(sides.total, -1)
    node[sides.number], row[sides.number] = at, row_of
    for side in np.flatnonzero(row < 0):  # what is missing in a four is there in name only
        node[side], row[side] = node[side - 1], row[side - 1]
    twin = np.full(sides.total, -1, np.int64)
    coupled = [side for side in sides.apart if int(node[side]) in partner]
    twin[coupled] = sides.total + np.arange(len(coupled))
    systems: dict[int, list[int]] = defaultdict(list)
    for side in sides.number.tolist():
        systems[system.get(int(node[side]), int(node[side]))].append(side)
    first = np.arange(len(order))
    for together in systems.values():
        rows_there = row[together]
        np.minimum.at(first, rows_there, rows_there.min())
    envelope = np.concatenate([[0], np.cumsum(np.arange(len(order)) - first + 1)]).astype(np.int64)
    column = (envelope[:-1] - first).tolist()  # of each row: where that of number 0 would be
    of, row_at = node.tolist(), row.tolist()
    pairs: list[tuple[int, int, int]] = []
    arm_pairs: list[tuple[int, int, int]] = []
    jointed = {node for arm in arms for node in arm}
    for together in systems.values():
        for a in together:
            for b in together:
                i, j = row_at[a], row_at[b]
                if j <= i:  # both orders of two sides of one row on one node count
                    entry = column[i] + j
                    if of[a] in jointed:
                        arm_pairs.append((a, b, entry))
                    else:
                        pairs.append((a, b if of[a] == of[b] else int(twin[b]), entry))
    reach = np.minimum.accumulate(first[::-1])[::-1]  # the first row that this one or one behind it couples with
    parts = np.append(np.flatnonzero(reach == np.arange(len(order))), len(order))
    rows: Rows = pack(
        Rows,
        kind=[stack.kinds[old] for old in order],
        compliance=np.zeros(len(order)),
        soft=np.arange(len(order)),
        ptr=np.cumsum([0, *(len(stack.nodes[old]) for old in order)]),
        side=sides.number,
        node=node,
        row=row,
        run=runs(row[: sides.within]),
        begin=sides.begin,
        end=sides.end,
        apart=sides.apart,
        envelope=envelope,
        parts=parts,
        **_products(
            np.array(pairs, np.int64).reshape(-1, 3),
            np.array([entry for _, _, entry in arm_pairs], np.int64),
            envelope,
            sides.within,
        ),
    )
    return Layout(rows, place, tuple(stack.owners[old] for old in order), twin, arm_pairs)


def _number(nodes: Sequence[int], kinds: Sequence[int], bodies: int) -> _Sides:
    """Number sides as ``Rows`` has them.

    kinds : 1 of a straight wire to a robot, 2 of one to a body, 0 of other sides
    """
    at: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, place in enumerate(zip(nodes, kinds, strict=True)):
        at[place].append(i)
    number, within = np.zeros(len(nodes), np.int64), 0
    begin, end = [], []
    for k in range(bodies):
        begin.append(within)
        end.append(within)
        for here in (at[k, 1], at[k, 2], at[k, 0]):
            number[here] = within + np.arange(len(here))
            if here:
                end[-1] = within + len(here)
            within += -(-len(here) // WIDTH) * WIDTH
    apart = [i for i, node in enumerate(nodes) if node >= bodies]
    number[apart] = within + np.arange(len(apart))
    return _Sides(number, within, within + len(apart), begin, end, number[apart].tolist())


def runs(places: Ints) -> Ints:
    """Of each four of a list of places the first one if they follow each other, −1 else."""
    fours = places.reshape(-1, WIDTH)
    return np.where((np.diff(fours) == 1).all(axis=1), fours[:, 0], -1)


def _products(pairs: Ints, others: Ints, envelope: Ints, within: int) -> dict[str, Ints]:
    """Products of sides and responses, and the entries of A that they add to, as fields of ``Rows``.

    pairs : (n, 3) side, slot of the response, entry;  others : entries that something else adds to
    within : see ``_Sides``
    """
    side, slot, entry = pairs.T
    where = np.unique(np.concatenate([entry, others, envelope[1:] - 1]))
    first = np.zeros(len(pairs), np.bool_)
    first[np.unique(entry, return_index=True)[1]] = True
    inner = side < within
    lane = slot[inner] % WIDTH
    key = np.stack([side[inner], slot[inner] - lane])
    four, of = np.unique(key, axis=1, return_inverse=True)
    entries = np.full((four.shape[1], WIDTH), -1)
    entries[of, lane] = entry[inner]
    alone = np.ones(len(entries), np.bool_)
    np.logical_and.at(alone, of, first[inner])
    place = _direct(entries, alone, where, int(envelope[-1]))
    direct = np.flatnonzero(place >= 0)
    direct = direct[np.argsort(place[direct], kind="stable")]
    number = np.cumsum(place < 0) - 1  # of a four among the others
    rest = WIDTH * int((place < 0).sum())
    product = np.empty(len(pairs), np.int64)
    product[inner] = WIDTH * number[of] + lane
    product[~inner] = rest + np.arange((~inner).sum())
    source = np.full(int(envelope[-1]) + 1, rest + (~inner).sum())
    source[entry[first]] = product[first]
    single = np.setdiff1d(where, entries[direct])
    return {
        "where": where,
        "direct": np.column_stack([four.T[direct], place[direct]]),
        "fours": four.T[place < 0],
        "pairs": pairs[~inner, :2],
        "single": np.column_stack([source[single], single]),
        "more": np.column_stack([product[~first], entry[~first]]),
    }


def _direct(entries: Ints, alone: NDArray[np.bool_], where: Ints, end: int) -> Ints:
    """Of each four the place in A where its products follow each other and may be written as they are, or −1.

    They are written in the order of their places; what else is under them is to be written after them.

    entries : (n, 4), −1 for products that nobody needs;  alone : whether all others are the first ones of their entries
    end : of A
    """
    needed = entries >= 0
    at = entries - np.arange(WIDTH)
    low = np.where(needed, at, end).min(axis=1)
    fits = alone & (low >= 0) & (low == np.where(needed, at, -1).max(axis=1))
    later = np.zeros(end + WIDTH, np.bool_)
    later[where] = later[end:] = True
    later[entries[fits][needed[fits]]] = False
    place = np.full(len(entries), -1)
    for i in np.flatnonzero(fits)[np.argsort(-low[fits], kind="stable")]:
        under = slice(low[i], low[i] + WIDTH)
        if (later[under] | needed[i]).all():
            place[i] = low[i]
        later[under] |= needed[i]
    return place


def one_by_one(rows: Rows) -> Rows:
    """The same layout for numbers that carry derivatives, which are not taken by fours: only products that count."""
    count = WIDTH * len(rows.fours)
    zero = count + len(rows.pairs)
    pairs: list[tuple[int, int]] = []
    single: list[tuple[int, int]] = []
    number = {zero: -1}

    def pair(product: int) -> int:
        if product not in number:
            number[product] = len(pairs)
            four, k = divmod(product, WIDTH)
            inner = product < count
            side, slot = rows.fours[four] + (0, k) if inner else rows.pairs[product - count]
            pairs.append((int(side), int(slot)))
        return number[product]

    written = set(rows.single[:, 1].tolist())
    for side, four, place in rows.direct[::-1].tolist():
        for k in range(WIDTH):
            if place + k not in written and place + k < rows.envelope[-1]:
                written.add(place + k)
                single.append((len(pairs), place + k))
                pairs.append((side, four + k))
    single += [(pair(product), entry) for product, entry in rows.single.tolist()]
    more = [(pair(product), entry) for product, entry in rows.more.tolist()]
    found = np.array(single, np.int64).reshape(-1, 2)
    found[found[:, 0] < 0, 0] = len(pairs)
    return rows._replace(
        direct=rows.direct[:0],
        fours=rows.fours[:0],
        pairs=np.array(pairs, np.int64).reshape(-1, 2),
        single=found,
        more=np.array(more, np.int64).reshape(-1, 2),
    )


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
