"""The order in which the rows of a large sparse symmetric matrix are eliminated, and the fronts in which that is done.

Found once, from where entries are. Rows are ordered for little fill (minimum degree on A + Aᵀ, by SuperLU) and then so
that the elimination tree is in postorder. Rows one after the other whose columns of L have the same entries below them
make a *supernode*; small ones join the next where that costs few zeros.

Sources: George & Liu, Computer Solution of Large Sparse Positive Definite Systems (1981); Liu, SIAM Review 34 (1992)
82-109 (the multifrontal method); Ashcraft & Grimes, ACM TOMS 15 (1989) 291-309 (joining supernodes).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.kernels.lanes import WIDTH

SLIM, ZEROS = 8, 0.1
"""Rows up to which supernodes join in any case, and the share of zeros up to which they do otherwise."""

OVERHEAD = 400
"""What a front costs besides its products, in products."""

LARGE, BETTER = 200, 1.25
"""Rows from which on there is a choice, and by how much fewer products decide it."""


class Tree(NamedTuple):
    """Fronts in the order in which they are eliminated; all counts and places are int64.

    Attributes
    ----------
    row : (n,) row that is eliminated at each place
    first : (S + 1,) places of front s are first[s] .. first[s + 1] − 1, its pivots
    size : (S,) pivots and rows below them
    tall, wide : (S,) these, and the rows below, filled up to multiples of four: numbers of a column
    below : the rows below, as places: below[under[s] : under[s + 1]], ascending
    inside : for each of these its place in the parent's front
    parent, elder : (S,) of a front, and its elder sibling, −1 where there is none; the youngest child is s − 1
    column : (S + 1,) where columns of L of front s begin, tall[s] numbers each
    fill : entries of A go to L[fill[:, 1]] from val[fill[:, 0]]
    room : numbers that are kept of fronts whose parents are still to come, at most
    entry : (m, 3) row, column and place in val of the entries below the diagonal
    """

    row: np.ndarray
    first: np.ndarray
    size: np.ndarray
    tall: np.ndarray
    wide: np.ndarray
    under: np.ndarray
    below: np.ndarray
    inside: np.ndarray
    parent: np.ndarray
    elder: np.ndarray
    column: np.ndarray
    fill: np.ndarray
    room: np.ndarray
    entry: np.ndarray


def envelope_entries(ptr: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the entries at places ``at`` of an envelope."""
    row = np.searchsorted(ptr, at, side="right") - 1
    return row, row - (ptr[row + 1] - 1 - at)


def plan(ptr: np.ndarray, at: np.ndarray) -> Tree | None:
    """How to eliminate a matrix in envelope storage with entries at places ``at`` only; None where its envelope serves.

    Every diagonal entry is one of them; they are ascending.
    """
    n = len(ptr) - 1
    if n < LARGE:
        return None
    row, column = envelope_entries(ptr, at)
    place, below = _symbolic(n, row, column)
    first = _supernodes(below)
    tree = _fronts(place, below, first, row, column, at)
    pivots, size = np.diff(tree.first), tree.size
    products = (pivots * size * size / 2.0 + OVERHEAD).sum()  # of a front that is all pivots a third of that
    width = np.diff(ptr)
    return tree if BETTER * products < 0.5 * (width.astype(float) ** 2).sum() else None


def _symbolic(n: int, row: np.ndarray, column: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """(place of each row, for each place the ascending places of the entries of L below its diagonal)."""
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    off = row != column
    i, j = row[off], column[off]
    degree = np.bincount(np.concatenate([i, j]), minlength=n) + 1.0
    A = csc_matrix((np.concatenate([-np.ones(2 * len(i)), degree]), _square(i, j, n)), shape=(n, n))
    options = {"SymmetricMode": True}
    place = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options).perm_c.astype(np.int64)
    below = _columns(n, place[i], place[j])
    parent = [int(column[0]) if len(column) else -1 for column in below]
    after = _postorder(parent)
    place = after[place]
    return place, _columns(n, place[i], place[j])


def _square(i: np.ndarray, j: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate([i, j, np.arange(n)]), np.concatenate([j, i, np.arange(n)])


def _columns(n: int, i: np.ndarray, j: np.ndarray) -> list[np.ndarray]:
    """Places of the entries of L below the diagonal, column by column: those of A and of the children in the tree."""
    low, high = np.minimum(i, j), np.maximum(i, j)
    order = np.lexsort((high, low))
    split = np.searchsorted(low[order], np.arange(1, n))
    out: list[np.ndarray] = np.split(high[order], split)
    children: list[list[np.ndarray]] = [[] for _ in range(n)]
    for k in range(n):
        if children[k]:
            out[k] = np.unique(np.concatenate([out[k], *children[k]]))
            children[k].clear()
        if len(out[k]):
            children[out[k][0]].append(out[k][1:])
    return out


def _postorder(parent: list[int]) -> np.ndarray:
    """New place of each old one, children before parents, each family together, those with most descendants last."""
    n = len(parent)
    weight = np.ones(n, np.int64)
    children: list[list[int]] = [[] for _ in range(n + 1)]
    for k in range(n):  # parents come after their children
        children[parent[k]].append(k)
        if parent[k] >= 0:
            weight[parent[k]] += weight[k]
    after = np.empty(n, np.int64)
    begin = np.zeros(n + 1, np.int64)  # first place of each family; that of all roots is 0
    for k in range(n, -1, -1):
        at = begin[k if k < n else n]
        for child in sorted(children[k if k < n else -1], key=weight.__getitem__):
            begin[child] = at
            at += weight[child]
        if k < n:
            after[k] = begin[k] + weight[k] - 1
    return after


def _supernodes(below: list[np.ndarray]) -> np.ndarray:
    """First places of the supernodes, and n behind them."""
    n = len(below)
    first = [0]
    for k in range(1, n):
        same = len(below[k - 1]) == len(below[k]) + 1 and below[k - 1][0] == k
        if not same:
            first.append(k)
    # Join the last child to its parent where that costs few zeros; a supernode so joined may join the next.
    ends = [*first[1:], n]
    out: list[tuple[int, int, int]] = []  # first, end, zeros
    for begin, end in zip(first, ends, strict=True):
        begun, empty = begin, 0
        size = end - begin + len(below[end - 1])
        while out and len(below[begun - 1]) and begun <= below[begun - 1][0] < end:
            start, _, before = out[-1]
            pivots = begun - start
            missing = pivots * (end - begun + len(below[end - 1]) - len(below[begun - 1]))
            total = before + empty + missing
            grown = size + pivots
            entries = (end - start) * grown
            if end - start > SLIM and total > ZEROS * entries:
                break
            begun, empty, size = start, total, grown
            out.pop()
        out.append((begun, end, empty))
    return np.array([begin for begin, _, _ in out] + [n], np.int64)


def _fronts(
    place: np.ndarray,
    below: list[np.ndarray],
    first: np.ndarray,
    row: np.ndarray,
    column: np.ndarray,
    at: np.ndarray,
) -> Tree:
    count = len(first) - 1
    node = np.repeat(np.arange(count), np.diff(first))
    under = [below[end - 1] for end in first[1:]]
    size = np.diff(first) + np.array([len(rows) for rows in under], np.int64)
    parent = np.array([node[rows[0]] if len(rows) else -1 for rows in under], np.int64)
    inside = []
    for rows, above in zip(under, parent, strict=True):
        if above >= 0:
            inside.append(np.searchsorted(np.append(np.arange(first[above], first[above + 1]), under[above]), rows))
    wide = np.array([-(-len(rows) // WIDTH) * WIDTH for rows in under], np.int64)
    tall = -(-size // WIDTH) * WIDTH
    begin = np.concatenate([[0], np.cumsum(np.diff(first) * tall)])
    low, high = np.minimum(place[row], place[column]), np.maximum(place[row], place[column])
    fill = np.empty((len(at), 2), np.int64)
    for e, (s, i, j) in enumerate(zip(node[low].tolist(), high.tolist(), low.tolist(), strict=True)):
        inner = i - first[s] if i < first[s + 1] else first[s + 1] - first[s] + np.searchsorted(under[s], i)
        fill[e] = at[e], begin[s] + (j - first[s]) * tall[s] + inner
    kept, most, share = 0, 0, (wide * [len(rows) for rows in under]).tolist()
    children: list[list[int]] = [[] for _ in range(count)]
    elder = np.full(count, -1)
    for s, above in enumerate(parent.tolist()):
        most = max(most, kept + share[s])
        kept += share[s] - sum(share[c] for c in children[s])
        if above >= 0:
            elder[s] = children[above][-1] if children[above] else -1
            children[above].append(s)
    off = row != column
    inverse = np.empty(len(place), np.int64)
    inverse[place] = np.arange(len(place))
    return Tree(
        row=inverse,
        first=first,
        size=size,
        tall=tall,
        wide=wide,
        under=np.concatenate([[0], np.cumsum([len(rows) for rows in under])]).astype(np.int64),
        below=np.concatenate(under).astype(np.int64),
        inside=np.concatenate([*inside, np.empty(0)]).astype(np.int64),
        parent=parent,
        elder=elder,
        column=begin.astype(np.int64),
        fill=fill[np.argsort(fill[:, 1])],
        room=np.array([most], np.int64),
        entry=np.column_stack([row, column, at])[off],
    )
